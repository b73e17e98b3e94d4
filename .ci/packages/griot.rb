class Griot < Formula
  desc "Board-game engine for front ends of UCI, UGI, GTP, Gomocup, NBoard and Hub"
  homepage "@home@"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@url@/@aarch64_macos_file@"
      sha256 "@aarch64_macos_sha256@"
    end
    on_intel do
      url "@url@/@x86_64_macos_file@"
      sha256 "@x86_64_macos_sha256@"
    end
  end

  on_linux do
    on_arm do
      url "@url@/@aarch64_linux_file@"
      sha256 "@aarch64_linux_sha256@"
    end
    on_intel do
      url "@url@/@x86_64_linux_file@"
      sha256 "@x86_64_linux_sha256@"
    end
  end

  def install
    bin.install Dir["bin/*"]
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/griot"
    zsh_completion.install "share/zsh/site-functions/_griot"
    fish_completion.install "share/fish/vendor_completions.d/griot.fish"
    doc.install Dir["share/doc/griot/*"]
  end

  test do
    assert_match "bestmove", pipe_output(bin/"griot", "position startpos\ngo depth 1\n")
  end
end
