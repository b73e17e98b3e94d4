"""What the tests share: engines, doubles of engines that misbehave, and what was said on the pipes."""

import logging
import os
import sys
import time
from random import Random

import pytest

from griot import Engine

# An engine of one game, two moves long, that does what a test wants where `go` stands.
_DOUBLE = """
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi":
        print("id name double", "ugiok", sep="\\n", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "query":
        print("response true", flush=True)
    elif word == "go":
        GO
    elif word == "quit":
        QUIT
"""


def double(go="pass", quit="break"):
    """The command of an engine that carries out these lines at `go` and at `quit`."""
    return [sys.executable, "-c", _DOUBLE.replace("GO", go).replace("QUIT", quit)]


@pytest.fixture
def tictactoe():
    with Engine("tictactoe") as engine:
        yield engine


@pytest.fixture
def said(caplog):
    """What was sent to engines so far."""
    caplog.set_level(logging.DEBUG, logger="griot")

    def sent():
        return [record.args[1] for record in caplog.records if "<<" in record.msg]

    return sent


FULL = os.environ.get("CI_FULL") == "1"


def sample(seed, rounds, part):
    """All rounds by this seed in the full run (CI_FULL=1), a part of them by another seed every day in the gate."""
    if FULL:
        return Random(seed), rounds
    day = os.environ.get("GRIOT_SEED", "1")
    print(f"GRIOT_SEED={day} repeats this sample")
    return Random(f"{seed} {day}"), part


def comes_true(what, seconds=20.0):
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True
