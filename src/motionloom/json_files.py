"""Small JSON files that users write and edit: read whole, or refused with line and cause."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any

from motionloom.errors import FileFormatError, ParameterError


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
