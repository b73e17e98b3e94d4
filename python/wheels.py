"""The build of the package (PEP 517): maturin, which compiles the engine; or, as GRIOT_WHEEL says, without a compiler.

GRIOT_WHEEL=pure        a wheel of the client alone, for every machine
GRIOT_WHEEL=PROGRAM     a wheel of the client with that engine, a program of any system: for machines that can run it, which the
                        program's header tells, and with Linux every glibc that can load it

Run as a program it makes such a wheel without pip: GRIOT_WHEEL=... python3 wheels.py FOLDER. DIST_COMPRESSION is from 1 for quick to
9 for small, which it is where it is not named.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import os
import re
import stat
import struct
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
# The same wheel from the same files, whenever it is made.
EPOCH = (1980, 1, 1, 0, 0, 0)


def _asked() -> str:
    return os.environ.get("GRIOT_WHEEL", "")


def _maturin() -> Any:
    # Where a wheel is made without a compiler it is not there.
    return importlib.import_module("maturin")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    if not _asked():
        return ["maturin==1.16.0"]
    return [] if sys.version_info >= (3, 11) else ["tomli"]


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    return ["maturin==1.16.0"]


get_requires_for_build_editable = get_requires_for_build_sdist


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    return str(_maturin().build_sdist(sdist_directory, config_settings))


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    return str(_maturin().build_editable(wheel_directory, config_settings, metadata_directory))


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    asked = _asked()
    if not asked:
        return str(_maturin().build_wheel(wheel_directory, config_settings, metadata_directory))
    program = None if asked == "pure" else Path(asked)
    if program is not None and not program.is_file():
        raise SystemExit(f"GRIOT_WHEEL: expected 'pure' or a program, found {asked!r}")
    return _Wheel(program).write(Path(wheel_directory))


def _platform(program: Path) -> str:
    """The platform tag of a wheel with this program, which need not be one for the machine that makes the wheel."""
    data = program.read_bytes()
    # ELF, PE and Mach-O, by their magic numbers; then the number of the processor, and what tells the system's least version.
    if data[:4] == b"\x7fELF":
        machine = {62: "x86_64", 183: "aarch64"}.get(struct.unpack_from("<H", data, 18)[0])
        # What is linked to glibc names the version of each symbol; PEP 600 names wheels by the newest of them. What is linked
        # statically runs with every libc.
        versions = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)\0", data)]
        if machine and versions:
            return f"manylinux_2_{max(versions)}_{machine}"
        if machine and _is_static(data):
            return f"manylinux_2_17_{machine}.manylinux2014_{machine}.musllinux_1_1_{machine}"
    elif data[:2] == b"MZ":
        start = struct.unpack_from("<I", data, 60)[0]
        machine = {0x8664: "win_amd64", 0xAA64: "win_arm64"}.get(struct.unpack_from("<H", data, start + 4)[0])
        if machine:
            return machine
    elif data[:4] == b"\xcf\xfa\xed\xfe":
        machine = {0x0100_0007: "x86_64", 0x0100_000C: "arm64"}.get(struct.unpack_from("<I", data, 4)[0])
        version = _least_macos(data)
        if machine and version:
            # From macOS 11 on wheels are named by the major version alone.
            major, minor = version
            return f"macosx_{major}_{minor if major < 11 else 0}_{machine}"
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def _is_static(elf: bytes) -> bool:
    """Whether no loader is asked for (PT_INTERP)."""
    start, size, count = struct.unpack_from("<Q", elf, 32)[0], *struct.unpack_from("<HH", elf, 54)
    return all(struct.unpack_from("<I", elf, start + i * size)[0] != 3 for i in range(count))


def _least_macos(macho: bytes) -> tuple[int, int] | None:
    """The least version of macOS that a program asks for (LC_BUILD_VERSION or LC_VERSION_MIN_MACOSX)."""
    at = 32
    for _ in range(struct.unpack_from("<I", macho, 16)[0]):
        command, size = struct.unpack_from("<II", macho, at)
        if command in (0x32, 0x24):
            version = struct.unpack_from("<I", macho, at + (12 if command == 0x32 else 8))[0]
            return version >> 16, version >> 8 & 0xFF
        at += size
    return None


class _Wheel:
    """A wheel as the binary distribution format has it."""

    def __init__(self, program: Path | None) -> None:
        self._program = program
        self._project = _project()
        self._version = re.search(r'^version = "(.*)"', (HERE / "../Cargo.toml").read_text("utf-8"), re.M)[1]  # type: ignore[index]
        platform = "any" if program is None else _platform(program)
        self._tag = f"py3-none-{platform}"
        self._name = f"{self._project['name']}-{self._version}"
        self._records: list[str] = []

    def write(self, directory: Path) -> str:
        name = f"{self._name}-{self._tag}.whl"
        info = f"{self._name}.dist-info"
        level = int(os.environ.get("DIST_COMPRESSION", "9"))
        with zipfile.ZipFile(directory / name, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as wheel:
            sources = HERE / "src"
            for path in sorted(sources.rglob("*")):
                if path.suffix in (".py", ".typed"):
                    self._add(wheel, path.relative_to(sources).as_posix(), path.read_bytes())
            if self._program is not None:
                to = f"{self._name}.data/scripts/griot{self._program.suffix}"
                self._add(wheel, to, self._program.read_bytes(), executable=True)
            for licence in sorted(HERE.glob("../LICENSE-*")):
                self._add(wheel, f"{info}/licenses/{licence.name}", licence.read_bytes())
            pure = str(self._program is None).lower()
            python, abi, platforms = self._tag.split("-")
            tags = "".join(f"Tag: {python}-{abi}-{platform}\n" for platform in platforms.split("."))
            head = f"Wheel-Version: 1.0\nGenerator: griot\nRoot-Is-Purelib: {pure}\n{tags}"
            self._add(wheel, f"{info}/WHEEL", head.encode())
            self._add(wheel, f"{info}/METADATA", self._metadata().encode())
            record = f"{info}/RECORD"
            wheel.writestr(zipfile.ZipInfo(record, EPOCH), "\n".join([*self._records, f"{record},,", ""]))
        return name

    def _add(self, wheel: zipfile.ZipFile, name: str, data: bytes, executable: bool = False) -> None:
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        wheel.writestr(entry, data, compresslevel=wheel.compresslevel)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._records.append(f"{name},sha256={digest},{len(data)}")

    def _metadata(self) -> str:
        project = self._project
        lines = [
            "Metadata-Version: 2.1",
            f"Name: {project['name']}",
            f"Version: {self._version}",
            f"Summary: {project['description']}",
            f"License: {project['license']['text']}",
            f"Keywords: {','.join(project['keywords'])}",
            f"Requires-Python: {project['requires-python']}",
            *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
            "Description-Content-Type: text/markdown",
        ]
        return "\n".join(lines) + "\n\n" + (HERE / str(project["readme"])).read_text("utf-8")


def _project() -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    project: dict[str, Any] = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
    return project


if __name__ == "__main__":
    if not _asked() or len(sys.argv) != 2:
        raise SystemExit(__doc__)
    build_wheel(sys.argv[1])
