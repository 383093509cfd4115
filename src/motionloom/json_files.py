"""JSON that is not trusted: small files read whole or refused with line and cause, and entries by type."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, TypeGuard

from motionloom.errors import FileFormatError, ParameterError
from motionloom.messages import Argument, ClipName, Message, Operation, Part

MAX_NUMBER = 1e9
"""No length or angle of a body comes near it in any unit, and sums of such numbers stay finite."""

HEADER = "header.json"
"""The member of a Motionloom file that holds the header."""


def check_plain_file(path: Path, name: str | None = None) -> None:
    """Refuse a pipe or a device, which would be waited for, or read, for ever; readers report missing files.

    ``name`` is what messages call the file, by default its path.

    >>> check_plain_file(Path("/dev/null"))    # doctest: +SKIP
    Traceback (most recent call last):
    ...
    motionloom.errors.FileFormatError: /dev/null: is a pipe or a device: copy what it gives into a file
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return
    if not (S_ISREG(mode) or S_ISDIR(mode)):
        raise FileFormatError(name or path, "is a pipe or a device", remedy="copy what it gives into a file")


def read_json(path: Path, purpose: str, max_bytes: int) -> object:
    """Return the content of a JSON file of at most ``max_bytes`` bytes.

    ``purpose`` says what the file is for, as in "is far too large for a warp".

    >>> read_json(Path("no such file.json"), "a warp", 1000)
    Traceback (most recent call last):
    ...
    motionloom.errors.FileFormatError: no such file.json: there is no such file
    """
    check_plain_file(path)
    try:
        if path.stat().st_size > max_bytes:
            raise FileFormatError(path, f"is far too large for {purpose}")
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise FileFormatError(path, "there is no such file") from None
    except OSError as error:
        raise FileFormatError(path, f"cannot be read ({error.strerror})") from None
    except json.JSONDecodeError as error:
        raise FileFormatError(path, f"is not JSON: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError):
        raise FileFormatError(path, "is not JSON text") from None


def check_fields(where: str, data: object, known: Sequence[str]) -> Mapping[str, Any]:
    """Return the data as a mapping that has only known fields.

    >>> check_fields("keys[0]", {"time": 1}, ["time", "joint"])["time"]
    1
    """
    if not isinstance(data, dict):
        raise ParameterError(f"{where} must be an object with the fields {', '.join(known)}")
    unknown = [field for field in data if field not in known]
    if unknown:
        raise ParameterError(
            f"{where} has an unknown field {unknown[0]!r}: the fields are {', '.join(known)}"
        )
    return data


MESSAGE_PARTS, MESSAGE_WORDS = ("problem", "remedy"), ("parameter", "subject")
"""Fields of a message in JSON: lists of parts, and strings."""


def message_to_json(text: str) -> Any:
    """Return a sentence as JSON: a message that mentions something as its parts, any other as a string.

    >>> message_to_json("the file was cut short")
    'the file was cut short'
    >>> message_to_json(Message("no rate", remedy=("state it with ", Argument("fps"))))["remedy"]
    ['state it with ', {'argument': 'fps', 'value': None}]
    """
    if not isinstance(text, Message) or not (text.arguments or text.clips or text.remedy):
        return str(text)
    fields: dict[str, Any] = {
        name: [_part_to_json(part) for part in getattr(text, name)] for name in MESSAGE_PARTS
    }
    return fields | {name: getattr(text, name) for name in MESSAGE_WORDS}


def _part_to_json(part: Part) -> Any:
    if isinstance(part, Argument):
        return {"argument": part.name, "value": part.value}
    if isinstance(part, Operation):
        return {"operation": part.name}
    return {"clip": part.number, "name": part.name} if isinstance(part, ClipName) else str(part)


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

    def messages(self, key: str) -> tuple[str, ...]:
        """Return a list of sentences: strings, or messages as :func:`message_to_json` writes them."""
        return tuple(self._message(key, value) for value in self.several(key))

    def _message(self, key: str, value: object) -> str:
        if isinstance(value, str):
            return value
        fields = self.part(value if isinstance(value, dict) else self.refuse(key, "a list of messages"))
        problem, remedy = ([self._part(key, part) for part in fields.several(name)] for name in MESSAGE_PARTS)
        parameter, subject = map(fields.text, MESSAGE_WORDS)
        return Message(problem, remedy=remedy, parameter=parameter, subject=subject)

    def _part(self, key: str, value: object) -> Part:
        if isinstance(value, str):
            return value
        match value:
            case {"argument": str(name), "value": str() | int() | float() | None as proposed}:
                return Argument(name, proposed)
            case {"operation": str(name)}:
                return Operation(name)
            case {"clip": int(number), "name": str(name)}:
                return ClipName(number, name)
        return str(self.refuse(key, "a list of messages"))

    def object(self, key: str) -> JsonFields:
        """Return an object."""
        value = self.values.get(key)
        return self.part(value) if isinstance(value, dict) else self.refuse(key, "an object")

    def objects(self, key: str) -> list[JsonFields]:
        """Return a list of objects."""
        return [self.part(value) for value in self.several(key)]


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
