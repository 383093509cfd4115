"""Read entries of a JSON object by name and type, because files are not trusted."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, TypeGuard

from motionloom.errors import FileFormatError
from motionloom.files.text import MAX_NUMBER

HEADER = "header.json"
"""The member of a Motionloom file that holds the header."""


class JsonFields:
    """A JSON object whose entries are read by name and type; anything but an object has no entries.

    Errors name the file ``path`` and ``where`` in it the object is, such as a member of an archive.

    >>> JsonFields(Path("a.npz"), {"fps": 30}).number("fps")
    30.0
    """

    def __init__(self, path: Path, values: object, where: str = HEADER) -> None:
        self.path = path
        self.where = where
        self.values: dict[str, Any] = values if isinstance(values, dict) else {}

    def refuse(self, key: str, what: str) -> Any:
        """Fail because an entry is missing or not what it should be."""
        raise FileFormatError(
            self.path, f"the entry {key!r} of {self.where} must be {what}: the file is damaged"
        )

    def part(self, values: object) -> JsonFields:
        """Return the entries of an object inside this one."""
        return JsonFields(self.path, values, self.where)

    def text(self, key: str) -> str:
        """Return a string."""
        value = self.values.get(key)
        return value if isinstance(value, str) else str(self.refuse(key, "a string"))

    def choice(self, key: str, choices: tuple[str, ...]) -> Any:
        """Return one of the given strings."""
        value = self.text(key)
        return value if value in choices else self.refuse(key, f"one of {', '.join(choices)}")

    def number(self, key: str) -> float:
        """Return a finite number."""
        value = self.values.get(key)
        return float(value) if _is_number(value) else self.refuse(key, "a number")

    def vector(self, key: str) -> list[float]:
        """Return three numbers that can be a position."""
        values = self.several(key)
        if len(values) != 3 or not all(_is_number(value) and abs(value) <= MAX_NUMBER for value in values):
            self.refuse(key, f"three numbers up to {MAX_NUMBER:g}")
        return [float(number) for number in values]

    def flag(self, key: str) -> bool:
        """Return true or false."""
        value = self.values.get(key)
        return value if isinstance(value, bool) else bool(self.refuse(key, "true or false"))

    def several(self, key: str) -> list[Any]:
        """Return a list of anything."""
        value = self.values.get(key)
        return value if isinstance(value, list) else list(self.refuse(key, "a list"))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings."""
        values = self.several(key)
        if not all(isinstance(value, str) for value in values):
            self.refuse(key, "a list of strings")
        return tuple(values)

    def object(self, key: str) -> JsonFields:
        """Return an object."""
        value = self.values.get(key)
        return self.part(value) if isinstance(value, dict) else self.refuse(key, "an object")

    def objects(self, key: str) -> list[JsonFields]:
        """Return a list of objects."""
        return [self.part(value) for value in self.several(key)]


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
