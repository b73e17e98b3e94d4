#!/bin/sh
# Installs griot @version@: downloads the archive for this machine, checks it, and unpacks it into a prefix.
#
#   curl -LsSf @url@/griot-installer.sh | sh
#
# GRIOT_PREFIX names the prefix, which is ~/.local where it is not named, and GRIOT_DOWNLOAD another place of the archives.
set -eu

fail() {
  printf 'griot-installer: %s\n' "$1" >&2
  exit 1
}

# Only what was read to its end runs.
main() {
  base=${GRIOT_DOWNLOAD:-@url@}
  prefix=${GRIOT_PREFIX:-$HOME/.local}
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) system=$(uname -s) ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) machine=$(uname -m) ;;
  esac
  # A shell of x86-64 on a newer Mac.
  if [ "$system" = macos ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then machine=aarch64; fi
  case "$machine-$system" in
    x86_64-linux) sum=@x86_64_linux_sha256@ ;;
    aarch64-linux) sum=@aarch64_linux_sha256@ ;;
    x86_64-macos) sum=@x86_64_macos_sha256@ ;;
    aarch64-macos) sum=@aarch64_macos_sha256@ ;;
    *) fail "there are no programs for $machine-$system; 'cargo install griot' builds them" ;;
  esac
  archive=griot-@version@-$machine-$system.tar.gz
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if command -v curl >/dev/null; then
    curl -fLsS -o "$work/$archive" "$base/$archive"
  elif command -v wget >/dev/null; then
    wget -q -O "$work/$archive" "$base/$archive"
  else
    fail "expected curl or wget"
  fi
  if command -v sha256sum >/dev/null; then
    found=$(sha256sum "$work/$archive")
  else
    found=$(shasum -a 256 "$work/$archive")
  fi
  found=${found%% *}
  [ "$found" = "$sum" ] || fail "$archive: expected the checksum $sum, found $found"
  mkdir -p "$prefix"
  tar -xzf "$work/$archive" -C "$prefix" --strip-components=1
  printf '%s is in %s\n' "$("$prefix/bin/griot" --version)" "$prefix/bin"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) printf '%s is not in PATH: add it in the profile of your shell\n' "$prefix/bin" ;;
  esac
}

main
