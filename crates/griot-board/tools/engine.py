"""An engine for the tools of this folder: griot in a process, over UGI."""

import subprocess


class Engine:
    def __init__(self, path: str):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("ugi")
        self.until("ugiok")

    def say(self, line: str):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def until(self, word: str) -> tuple[str, list[str]]:
        """The rest of the line that begins with this word, and the lines before it. An error of the engine ends the tool."""
        before = []
        for line in self.process.stdout:
            if line.startswith("info string error"):
                raise SystemExit(f"griot: {line}")
            if line.startswith(word):
                return line[len(word) :].strip(), before
            before.append(line)
        raise SystemExit("griot ended")

    def query(self, question: str) -> str:
        self.say(f"query {question}")
        return self.until("response")[0]
