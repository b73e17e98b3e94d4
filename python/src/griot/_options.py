"""The options of an engine, with their types and ranges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, Union

__all__ = ["Button", "Check", "Combo", "ConfigValue", "Option", "Options", "Spin", "Text"]

#: What an option can be set to; `None` presses a button.
ConfigValue = Union[str, int, bool, None]


@dataclass(frozen=True, slots=True)
class Check:
    """On or off."""

    name: str
    default: bool
    type: ClassVar[Literal["check"]] = "check"


@dataclass(frozen=True, slots=True)
class Spin:
    """A whole number from `min` to `max`."""

    name: str
    default: int
    min: int
    max: int
    type: ClassVar[Literal["spin"]] = "spin"


@dataclass(frozen=True, slots=True)
class Combo:
    """One of the texts `var`."""

    name: str
    default: str
    var: tuple[str, ...]
    type: ClassVar[Literal["combo"]] = "combo"


@dataclass(frozen=True, slots=True)
class Button:
    """A button, set without a value."""

    name: str
    default: None = None
    type: ClassVar[Literal["button"]] = "button"


@dataclass(frozen=True, slots=True)
class Text:
    """Any text, such as the name of a game or of a file."""

    name: str
    default: str
    type: ClassVar[Literal["string"]] = "string"


Option = Union[Check, Spin, Combo, Button, Text]


class Options(Mapping[str, Option]):
    """Options by name, looked up in any case and iterated as the engine writes them."""

    __slots__ = ("_options",)

    def __init__(self, options: Mapping[str, Option] | None = None) -> None:
        self._options = {name.casefold(): option for name, option in (options or {}).items()}

    def __getitem__(self, name: str) -> Option:
        try:
            return self._options[name.casefold()]
        except KeyError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return (option.name for option in self._options.values())

    def __len__(self) -> int:
        return len(self._options)

    def __repr__(self) -> str:
        return f"Options({list(self._options.values())!r})"


_WORDS = ("name", "type", "default", "min", "max", "var")


def parse_option(line: str) -> Option | None:
    """The option of a line `option name ...`; `None` for another line, or an unknown type."""
    words = line.split()
    if words[:2] != ["option", "name"]:
        return None
    fields: dict[str, list[str]] = {}
    choices: list[list[str]] = []
    text: list[str] = []
    for word in words[1:]:
        # A name or a default may hold any word but those that begin a field, and each field but `var` comes once.
        if word in _WORDS and (word == "var" or word not in fields):
            text = []
            if word == "var":
                choices.append(text)
            else:
                fields[word] = text
        else:
            text.append(word)
    value = {field: " ".join(text) for field, text in fields.items()}
    name, default = value["name"], value.get("default", "")
    try:
        if value["type"] == "check":
            return Check(name, default == "true")
        if value["type"] == "spin":
            return Spin(name, int(default), int(value["min"]), int(value["max"]))
        if value["type"] == "combo":
            return Combo(name, default, tuple(" ".join(choice) for choice in choices))
        if value["type"] == "button":
            return Button(name)
        if value["type"] == "string":
            return Text(name, "" if default == "<empty>" else default)
    except (KeyError, ValueError):
        pass
    return None


def value_text(value: ConfigValue) -> str | None:
    """The value as text: `True` and `False` become words. The engine checks it."""
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value) or "<empty>"
