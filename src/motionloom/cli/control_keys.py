"""Files of keys for weights, or for speed, turn and style, in CSV or JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from math import isfinite, radians
from pathlib import Path
from typing import Any

from motionloom.blending.keyed_controls import ControlKey
from motionloom.errors import FileFormatError, ParameterError

MAX_FILE_SIZE = 20_000_000
"""Bytes; a key for every frame of an hour takes less."""


@dataclass(frozen=True)
class Keys:
    """Keys by their time in seconds: either weights or controls."""

    weights: Mapping[float, tuple[float, ...]]
    controls: Mapping[float, ControlKey]


@dataclass(frozen=True)
class _Entry:
    """One key as the file has it, and where in the file it is."""

    path: Path
    line: int | None
    name: str
    fields: Mapping[str, Any]

    def number(self, field: str) -> float:
        value = self.fields[field]
        try:
            number = float(value) if not isinstance(value, bool) else float("nan")
        except (TypeError, ValueError):
            number = float("nan")
        if not isfinite(number):
            raise self.error(f"{field} must be a number, not {value!r}")
        return number

    def error(self, cause: str) -> FileFormatError:
        return FileFormatError(self.path, f"{self.name}{cause}", self.line)


def read_keys(path: Path, n_clips: int) -> Keys:
    """Read the keys of a ``.csv`` or ``.json`` file for a curve of ``n_clips`` clips.

    A key has ``time`` in seconds and either weights, ``w0`` to ``w8`` for nine clips (in JSON also a list
    ``weights``), or ``speed`` in m/s with an optional ``turn`` in degrees per second to the left and an
    optional ``style``: a name, or a mix such as ``walk:0.3 sneak:0.7`` (in JSON also an object).
    """
    weights: dict[float, tuple[float, ...]] = {}
    controls: dict[float, ControlKey] = {}
    for entry in _entries(path):
        if "time" not in entry.fields:
            raise entry.error(f"a key needs a time; there is only {', '.join(entry.fields) or 'nothing'}")
        time = entry.number("time")
        if time < 0.0 or time in weights or time in controls:
            raise entry.error(f"time {time:g} is negative" if time < 0.0 else f"time {time:g} occurs twice")
        if "speed" in entry.fields:
            controls[time] = _control(entry)
        else:
            weights[time] = _weights(entry, n_clips)
        if weights and controls:
            raise entry.error("keys with weights and keys with a speed cannot be mixed")
    if not (weights or controls):
        raise FileFormatError(path, "there are no keys: each needs a time, and weights or a speed")
    return Keys(weights, controls)


def _entries(path: Path) -> Iterator[_Entry]:
    readers = {".csv": _csv_entries, ".json": _json_entries}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ParameterError("keys are read from .csv or .json files", subject=str(path))
    if path.stat().st_size > MAX_FILE_SIZE:
        raise FileFormatError(path, f"a file of keys may be {MAX_FILE_SIZE // 1_000_000} MB at most")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(path, "the file is not UTF-8 text") from None
    return reader(path, text)


def _csv_entries(path: Path, text: str) -> Iterator[_Entry]:
    reader = csv.reader(StringIO(text), skipinitialspace=True)
    header: list[str] | None = None
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if header is None:
                header = [cell.lower() for cell in cells]
                continue
            if len(cells) != len(header):
                raise FileFormatError(
                    path, f"the row has {len(cells)} cells, but the header has {len(header)}", reader.line_num
                )
            yield _Entry(path, reader.line_num, "", dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise FileFormatError(path, f"the row cannot be read: {error}", reader.line_num) from None


def _json_entries(path: Path, text: str) -> Iterator[_Entry]:
    try:
        keys = json.loads(text)
    except json.JSONDecodeError as error:
        raise FileFormatError(path, f"the file is not JSON: {error.msg}", error.lineno) from None
    except RecursionError:
        raise FileFormatError(path, "the JSON is nested too deeply") from None
    if not isinstance(keys, list):
        raise FileFormatError(path, "keys must be a list of objects, each with a time")
    for n, key in enumerate(keys):
        if not isinstance(key, dict):
            raise FileFormatError(path, f"key {n} must be an object with a time, not {key!r}")
        yield _Entry(path, None, f"key {n}: ", key)


def _weights(entry: _Entry, n_clips: int) -> tuple[float, ...]:
    fields = entry.fields
    listed = fields.get("weights")
    if isinstance(listed, list):
        entry = _Entry(entry.path, entry.line, entry.name, {f"w{k}": value for k, value in enumerate(listed)})
    names = [f"w{k}" for k in range(n_clips)]
    given = [name for name in entry.fields if name.startswith("w")]
    if sorted(given) != sorted(names):
        needed = names[0] if n_clips == 1 else f"{names[0]} to {names[-1]}"
        raise entry.error(
            f"the curve has {n_clips} clips, so a key needs {needed}, or a speed; "
            f"it has {', '.join(given) or 'neither'}"
        )
    return tuple(entry.number(name) for name in names)


def _control(entry: _Entry) -> ControlKey:
    stated = entry.fields.get("turn") not in (None, "")
    turn = radians(entry.number("turn")) if stated else None
    return ControlKey(entry.number("speed"), turn, _style(entry))


def _style(entry: _Entry) -> str | dict[str, float] | None:
    style = entry.fields.get("style")
    if style is None or style == "":
        return None
    if isinstance(style, str):
        if ":" not in style:
            return style
        style = dict(word.rpartition(":")[::2] for word in style.split())
    if not isinstance(style, dict):
        raise entry.error(f"style must be a name or a mix such as walk:0.3 sneak:0.7, not {style!r}")
    mix = _Entry(entry.path, entry.line, f"{entry.name}weight of style ", style)
    return {name: mix.number(name) for name in style}
