#!/usr/bin/env python3
"""Writes the first inputs of every target to corpus/, from the transcripts and the perft data of the tests."""

import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def write(target: str, name: str, data: bytes) -> None:
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def transcripts() -> None:
    for path in sorted((ROOT / "tests/transcripts").glob("*.txt")):
        sent = [line[2:] for line in path.read_text().splitlines() if line.startswith("> ")]
        for start in range(0, len(sent), 8):
            write("lines", f"{path.stem}-{start}", "\n".join(sent[start : start + 8]).encode())


def boards() -> None:
    for path in sorted((ROOT / "src/games").glob("*/*.perft")):
        for number, line in enumerate(path.read_text().splitlines()):
            fields = [field.strip() for field in line.split(";")]
            if not line.strip() or line.startswith("#"):
                continue
            write("texts", f"{path.stem}-{number}", "\n".join([*fields[:2], "a1 b2 A c"]).encode())
            write("analyse", f"{path.stem}-{number}", f"{fields[0]}|{fields[1]}|".encode())
    games = ["awale", "tictactoe", "gomoku", "connect4", "connect4:5,4,3", "othello", "nim", "nim:3-4-5,take=any"]
    for number, game in enumerate(games):
        write("texts", f"start-{number}", f"{game}\nstartpos\n".encode())
        write("analyse", f"start-{number}", f'{{"game":"{game}","moves":"","id":{number}}}'.encode())


def books() -> None:
    lines = (ROOT / "src/games/awale/book.txt").read_text().splitlines()
    text = "\n".join(["griot-book 1", "game awale", "positions 3", *lines[5:8], "checksum 00000000", ""])
    write("books", "awale", b" " + text.encode())
    text = "griot-book 1\ngame tictactoe\npositions 1\n# made by hand\n3/1x1/3 o|a1|0|8\nchecksum ea49a686\n"
    write("books", "tictactoe", b"!" + text.encode())


def records() -> None:
    for path in sorted((ROOT / "crates/griot-records/tests/cases").glob("*")):
        if path.suffix not in (".md", ".tsv"):
            write("records", path.name, path.read_bytes())


def tables() -> None:
    for layer in range(8):
        write("tables", f"whole-{layer}", bytes([layer, 0]))
        for place in (8, 12, 56, 64, 71, 90):
            write("tables", f"byte-{layer}-{place}", bytes([layer, 3, 0, place, 255]))
        write("tables", f"cut-{layer}", bytes([layer, 3, 7]))


def requests() -> None:
    own = "Host: localhost:1\r\nOrigin: http://localhost:1\r\nCookie: COOKIE\r\nContent-Type: application/json\r\n"
    for name, head in {
        "page": "GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n",
        "old": "GET /main.js HTTP/1.0\r\nHost: localhost:1\r\n\r\n",
        "open": f"POST /api/open HTTP/1.1\r\n{own}Content-Length: 2\r\n\r\n{{}}",
        "news": f"GET /api/news HTTP/1.1\r\n{own}\r\n",
        "chunked": f'POST /api/do HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\n\r\nd\r\n{{"do":"hint"}}\r\n0\r\n\r\n',
    }.items():
        write("web", name, head.encode())
    people = '[{"kind":"human"},{"kind":"engine","level":3}]'
    for number, body in enumerate([
        '{"do":"new","game":"nim:3-4","players":%s}' % people,
        '{"do":"play","move":"a1","at":0}',
        '{"do":"go_to","at":0}',
        '{"do":"paste","text":"tictactoe|startpos|b2 a1"}',
        '{"do":"set","settings":{"players":%s,"movetime":100,"pace":0,"analysis":true}}' % people,
        '{"do":"swap"}', '{"do":"hint"}', '{"do":"move_now"}', '{"do":"pause"}', '{"do":"resume"}',
    ]):  # fmt: skip
        write("web", f"wish-{number}", f"POST /api/do HTTP/1.1\r\n{own}Content-Length: {len(body)}\r\n\r\n{body}".encode())


def sessions() -> None:
    draw = random.Random(1)
    for number in range(200):
        # A game, some options, some moves, and then anything.
        data = [number % 2, 0, number, 10, draw.randrange(256), 10, draw.randrange(256), 1, 5]
        data += [draw.randrange(256) for _ in range(20 + number)]
        write("session", f"drawn-{number}", bytes(data))


transcripts()
boards()
books()
records()
tables()
requests()
sessions()
