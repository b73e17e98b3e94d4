"""The wheels that are made without a compiler: installed as pip installs them, they hold the client, and the engine if it was given."""

import os
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
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


def elf(machine, *, loader=False, symbols=b""):
    """The beginning of a program of Linux: one program header, which asks for a loader or does not."""
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return head + struct.pack("<I", 3 if loader else 1) + bytes(52) + symbols


def pe(machine):
    """The beginning of a program of Windows."""
    return b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<H", machine)


def macho(processor, command, version):
    """The beginning of a program of macOS: one load command, with the least version of the system."""
    body = struct.pack("<II", 1, version) if command == 0x32 else struct.pack("<II", version, 0)
    return b"\xcf\xfa\xed\xfe" + struct.pack("<IIIIIII", processor, 3, 2, 1, 16, 0, 0) + struct.pack("<II", command, 16) + body


@pytest.mark.parametrize(
    ("program", "platform"),
    [
        (elf(62), "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"),
        (elf(183), "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"),
        (elf(62, loader=True, symbols=b"GLIBC_2.4\0GLIBC_2.34\0GLIBC_2.17\0"), "manylinux_2_34_x86_64"),
        (pe(0x8664), "win_amd64"),
        (pe(0xAA64), "win_arm64"),
        (macho(0x0100_000C, 0x32, 11 << 16), "macosx_11_0_arm64"),
        (macho(0x0100_0007, 0x24, 10 << 16 | 12 << 8), "macosx_10_12_x86_64"),
        (macho(0x0100_000C, 0x32, 14 << 16 | 2 << 8), "macosx_14_0_arm64"),
        # Not a program: the machine that makes the wheel.
        (b"#!/bin/sh\n", re.sub(r"[-.]", "_", sysconfig.get_platform())),
    ],
)
def test_a_program_tells_the_machines_that_run_it(program, platform, tmp_path):
    path = tmp_path / "griot"
    path.write_bytes(program)
    assert wheels._platform(path) == platform


def test_a_wheel_for_several_platforms_names_each(tmp_path, monkeypatch):
    program = tmp_path / "griot"
    program.write_bytes(elf(62))
    monkeypatch.setenv("GRIOT_WHEEL", str(program))
    monkeypatch.setenv("DIST_COMPRESSION", "1")
    with zipfile.ZipFile(tmp_path / wheels.build_wheel(str(tmp_path))) as wheel:
        (info,) = [name for name in wheel.namelist() if name.endswith("/WHEEL")]
        tags = [line for line in wheel.read(info).decode().splitlines() if line.startswith("Tag: ")]
    assert tags == [f"Tag: py3-none-{platform}_x86_64" for platform in ("manylinux_2_17", "manylinux2014", "musllinux_1_1")]
