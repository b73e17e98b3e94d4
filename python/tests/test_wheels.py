"""The wheels that are made without a compiler: installed as pip installs them, they hold the client, and the engine if it was given."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import griot

PACKAGE = Path(__file__).parents[1]
sys.path.insert(0, str(PACKAGE))

import wheels  # noqa: E402

pytest.importorskip("tomllib" if sys.version_info >= (3, 11) else "tomli")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Makes a wheel as `GRIOT_WHEEL` asks, and answers it and a Python that has it and nothing else."""

    def install(asked):
        monkeypatch.setenv("GRIOT_WHEEL", asked)
        monkeypatch.setenv("DIST_COMPRESSION", "1")
        assert "maturin" not in str(wheels.get_requires_for_build_wheel())
        wheel = tmp_path / wheels.build_wheel(str(tmp_path))
        venv.create(tmp_path / "venv", with_pip=False)
        python = tmp_path / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check", wheel]
        subprocess.run(pip, check=True, cwd=tmp_path)
        return wheel, python

    return install


def run(python, script, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("GRIOT", "PYTHONPATH")}
    return subprocess.run([python, "-c", script], capture_output=True, text=True, env={**kept, **environment})


def test_a_wheel_with_an_engine_plays(installed):
    wheel, python = installed(shutil.which(griot.find_engine()))
    assert wheel.name.startswith("griot-") and "-py3-none-" in wheel.name and not wheel.name.endswith("-any.whl")
    if sys.platform == "linux":
        assert "-manylinux_2_" in wheel.name or "musl" in wheel.name, wheel.name
    said = run(python, "import griot\nwith griot.Engine('nim:7') as e: print(e.play((), griot.Limit(depth=1)).move, griot.find_engine())")
    assert said.stdout.split()[0] == "a2" and Path(said.stdout.split()[1]).parent == python.parent, said.stderr


def test_a_wheel_of_the_client_alone(installed):
    wheel, python = installed("pure")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert not any("scripts" in name for name in packed.namelist()) and "griot/py.typed" in packed.namelist()
    said = run(python, "import griot\ntry: griot.Engine()\nexcept griot.EngineNotFound as error: print(error)", PATH="")
    assert "GRIOT may name one" in said.stdout, said.stderr


def test_a_program_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setenv("GRIOT_WHEEL", "/no/such/griot")
    with pytest.raises(SystemExit, match="expected 'pure' or a program"):
        wheels.build_wheel(str(tmp_path))
