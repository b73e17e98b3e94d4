"""Game records: the games of any file that `griot convert` reads, and chess games to and from python-chess."""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from griot._errors import EngineNotFound, Refused
from griot._process import find_engine

if TYPE_CHECKING:
    import chess.pgn

__all__ = ["Game", "RecordWarning", "read_games"]


class RecordWarning(UserWarning):
    """A game of a file could not be read; the text has its place and says what would have been right."""


@dataclass(frozen=True)
class Game:
    """A game of a file, with its moves as griot writes them."""

    #: The name of the game and its rule: `chess`, `mnk:7,7,4`.
    game: str
    #: The moves of the main line, passes included.
    moves: tuple[str, ...]
    #: A board text; nothing for the start position.
    start: str | None = None
    #: `p1win`, `p2win`, `draw` or nothing.
    result: str | None = None
    #: `time`, `resignation`, `forfeit` or nothing.
    ending: str | None = None
    #: The player who begins, and the other one.
    players: tuple[str | None, str | None] = (None, None)
    #: The tags of the file, in their order; a tag that stands there several times has a list.
    tags: Mapping[str, Any] = field(default_factory=dict)
    #: What is said about the moves, by their numbers; 0 is before the first.
    notes: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    #: What was odd about the record.
    remarks: tuple[str, ...] = ()
    #: The other games that the moves are legal in, where the file does not name its game.
    guessed: tuple[str, ...] | None = None
    #: The variations: each departs from line `of` after `ply` moves; line 0 is the main line.
    variations: tuple[Mapping[str, Any], ...] = ()
    #: The object of JSON as the program wrote it.
    json: str = field(default="", repr=False, compare=False)

    @classmethod
    def _from_json(cls, text: str) -> Game:
        read = json.loads(text)
        guessed = read["guessed"]
        return cls(
            game=read["game"],
            moves=tuple(read["moves"]),
            start=None if read["start"] == "startpos" else read["start"],
            result=read["result"],
            ending=read["ending"],
            players=(read["players"][0], read["players"][1]),
            tags=read["tags"],
            notes={int(number): notes for number, notes in read["notes"].items()},
            remarks=tuple(read["remarks"]),
            guessed=None if guessed is None else tuple(guessed),
            variations=tuple(read["variations"]),
            json=text,
        )

    def _object(self) -> str:
        if self.json:
            return self.json
        return json.dumps(
            {
                "game": self.game,
                "start": self.start or "startpos",
                "moves": self.moves,
                "result": self.result,
                "ending": self.ending,
                "players": self.players,
                "tags": dict(self.tags),
                "notes": {str(number): notes for number, notes in self.notes.items()},
                "variations": self.variations,
            },
            ensure_ascii=False,
        )

    def text(self, format: str, *, command: str | None = None) -> str:
        """The game in a format: `pgn`, `sgf`, `ggf`, `ogn`, `psq`, `obf`, `moves` or `json`. Raises `Refused` if it has no such games."""
        return _convert(["--to", format, "-"], self._object(), command)

    def to_chess(self, *, command: str | None = None) -> chess.pgn.Game:
        """A chess game for python-chess, with its variations and comments."""
        import io

        import chess.pgn

        game = chess.pgn.read_game(io.StringIO(self.text("pgn", command=command)))
        if game is None:
            raise Refused("python-chess reads no game")
        return game

    @classmethod
    def from_chess(cls, game: chess.pgn.Game, *, command: str | None = None) -> Game:
        """A game of python-chess, with its variations and comments."""
        return cls._from_json(_convert(["--game", "chess", "-"], str(game), command).splitlines()[0])


def _arguments(command: str | None, words: Sequence[str]) -> list[str]:
    return [command or find_engine(), "convert", *words]


def _convert(words: Sequence[str], text: str, command: str | None) -> str:
    try:
        done = subprocess.run(
            _arguments(command, words), input=text, capture_output=True, text=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise EngineNotFound(str(error)) from error
    if done.returncode:
        raise Refused(done.stderr.strip().splitlines()[0] if done.stderr.strip() else "the game cannot be converted")
    return done.stdout


def read_games(path: str | os.PathLike[str], *, game: str | None = None, command: str | None = None) -> Iterator[Game]:
    """The games of a file of any format, one by one.

    `game` is the game of records that name none. A game that cannot be read is a `RecordWarning`, and the next ones are still read.

    >>> import tempfile, pathlib, griot
    >>> file = pathlib.Path(tempfile.mkdtemp(), "games.txt")
    >>> _ = file.write_text("F5D6C3D3C4")
    >>> [(game.game, game.moves) for game in griot.read_games(file)]
    [('othello', ('f5', 'd6', 'c3', 'd3', 'c4'))]
    """
    os.stat(path)
    words = ["--to", "json", *(["--game", game] if game else []), "--", os.fspath(path)]
    try:
        program = subprocess.Popen(
            _arguments(command, words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
    except OSError as error:
        raise EngineNotFound(str(error)) from error
    return _games(program)


def _games(program: subprocess.Popen[str]) -> Iterator[Game]:
    import threading

    said: list[str] = []
    assert program.stdout is not None and program.stderr is not None
    # Both pipes are read, so that neither can fill up.
    ear = threading.Thread(target=lambda: said.extend(program.stderr or ()), daemon=True)
    ear.start()
    try:
        for line in program.stdout:
            yield Game._from_json(line)
    finally:
        # A program that nobody reads from any more ends.
        program.stdout.close()
        program.wait()
        ear.join()
        program.stderr.close()
    for line in said:
        if not line.startswith("griot: "):
            warnings.warn(line.strip(), RecordWarning, stacklevel=2)
