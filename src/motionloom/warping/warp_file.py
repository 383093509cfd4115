"""The file of a warp: JSON that is meant to be read and edited by hand.

::

    {
      "format": "motionloom warp", "version": 1,
      "layers": [{"tension": 0.0, "follow": true, "undone": false,
                  "keys": [{"time": 0.6, "joint": "LeftLeg", "rotate": [0.35, 0, 0], "ease": 0.7}]}],
      "times": [{"pairs": [[0.6, 0.9]], "joint": "", "curve": "pchip", "tension": 0.0, "reverse": false}]
    }

A warp of one layer may have ``keys`` instead of ``layers``. Files of version 2 say what 0.1 did not know:
moments in words, axes of the body, stretches of time, scales by axis, an obstacle::

    {"time": "every left strike", "joint": "left knee", "rotate": [0.35, 0, 0], "ease": 0.3, "frame": "body"}
    {"stretches": [["every left strike", "left lift", 0.75]]}
    "obstacle": {"kind": "hurdle", "at": 0.5, "height": 0.07}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, ParameterError
from motionloom.json_files import check_fields, read_json
from motionloom.validation import check_number
from motionloom.warping.joint_roles import ROLES
from motionloom.warping.keys import Key, key_to_dict
from motionloom.warping.obstacles import Obstacle
from motionloom.warping.time_keys import Time, TimeKeys, check_times
from motionloom.warping.warp_data import Layer, Warp

MAX_FILE_BYTES = 16 << 20
"""A larger file is certainly no warp."""

FORMAT, VERSIONS = "motionloom warp", (1, 2)

_TOP_FIELDS = ("format", "version", "layers", "keys", "times", "obstacle", "lifts_heels")
_LAYER_FIELDS = ("keys", "tension", "follow", "undone")
_KEY_FIELDS = tuple(field.name for field in fields(Key))
_TIME_FIELDS = tuple(field.name for field in fields(TimeKeys))
_OBSTACLE_FIELDS = tuple(field.name for field in fields(Obstacle))

_WORDS = ("time", "ease", "frame", "solve")
"""Fields of a key that may be words."""

_Entry = TypeVar("_Entry")


def read_warp(path: str | PathLike[str]) -> Warp:
    """Read a warp from a JSON file; errors name the file and the wrong entry."""
    data = read_json(Path(path), "a warp", MAX_FILE_BYTES)
    try:
        return warp_from_dict(data)
    except ParameterError as error:
        raise FileFormatError(path, str(error)) from None


def write_warp(warp: Warp, path: str | PathLike[str], overwrite: bool) -> Path:
    """Write a warp to a JSON file and return its path."""
    text = json.dumps(warp_to_dict(warp), indent=2, ensure_ascii=False)
    with atomic_output(path, overwrite=overwrite) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")
    return Path(path)


def warp_to_dict(warp: Warp) -> dict[str, Any]:
    """Return a warp as plain data for ``json.dump``.

    >>> warp_to_dict(Warp())["format"]
    'motionloom warp'
    """
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": 2 if _needs_version_2(warp) else 1,
        "layers": [
            {
                "tension": layer.tension,
                "follow": layer.follow,
                "undone": layer.undone,
                "keys": [key_to_dict(key) for key in layer.keys],
            }
            for layer in warp.layers
        ],
        "times": [_times_to_dict(keys) for keys in warp.times],
    }
    if warp.obstacle is not None:
        data["obstacle"] = asdict(warp.obstacle)
    if warp.lifts_heels:
        data["lifts_heels"] = True
    return data


def warp_from_dict(data: object) -> Warp:
    """Return the warp in plain data, which is not trusted; errors name the wrong entry.

    >>> keys = [{"time": 0, "move": [0, 1, 0]}]
    >>> warp_from_dict({"format": FORMAT, "version": 1, "keys": keys}).keys[0].move
    (0.0, 1.0, 0.0)
    """
    top = check_fields("the warp", data, _TOP_FIELDS)
    if top.get("format") != FORMAT or top.get("version") not in VERSIONS:
        raise ParameterError(
            f'the warp must state "format": "{FORMAT}" and "version": {VERSIONS[0]} or {VERSIONS[1]}, '
            f"not {top.get('format')!r} and {top.get('version')!r}"
        )
    if "layers" in top and "keys" in top:
        raise ParameterError("the warp has both layers and keys", remedy="put the keys into a layer")
    layers = _read_entries("layers", top.get("layers", []), _read_layer)
    if "keys" in top:
        layers = [_read_layer("the warp", {"keys": top["keys"]})]
    times = check_times(_read_entries("times", top.get("times", []), _read_times))
    obstacle = None if top.get("obstacle") is None else _read_obstacle(top["obstacle"])
    return Warp(tuple(layers), times, obstacle, _read_flag("the warp", top, "lifts_heels", False))


def warp_from_text(text: str) -> Warp:
    """Return the warp in the text of a warp file.

    >>> warp_from_text('{"format": "motionloom warp", "version": 1, "keys": []}')
    Warp(0 keys in 1 layer)
    """
    if len(text) > MAX_FILE_BYTES:
        raise ParameterError("the text is too long to be a warp")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"the text is no warp file: {error}") from None
    return warp_from_dict(data)


def _needs_version_2(warp: Warp) -> bool:
    """Whether version 0.1 could not read the warp."""
    roles = any(key.joint in ROLES for key in warp.keys)
    new_keys = any(
        key.frame != "joint"
        or key.solve != "offset"
        or (key.channel == "rotation scale" and np.ndim(key.vector))
        for key in warp.keys
    )
    return warp.is_portable or warp.obstacle is not None or warp.lifts_heels or roles or new_keys


def _times_to_dict(keys: TimeKeys) -> dict[str, Any]:
    data = {**asdict(keys), "pairs": [list(pair) for pair in keys.pairs]}
    stretches = [list(stretch) for stretch in data.pop("stretches")]
    if stretches:
        del data["pairs"]
        data = {"stretches": stretches, **data}
    return data


def _read_layer(where: str, data: object) -> Layer:
    given = check_fields(where, data, _LAYER_FIELDS)
    name = f"{where}.keys" if where != "the warp" else "keys"
    return Layer(
        tuple(_read_entries(name, given.get("keys", []), _read_key)),
        check_number(f"tension of {where}", given.get("tension", 0.0)),
        _read_flag(where, given, "follow", True),
        _read_flag(where, given, "undone", False),
    )


def _read_key(where: str, data: object) -> Key:
    given = dict(check_fields(where, data, _KEY_FIELDS))
    if "time" not in given:
        raise ParameterError(f"{where} needs 'time', in seconds or as a moment such as 'left strike 2'")
    for name, value in given.items():
        if name == "joint" or value is None or (name in _WORDS and isinstance(value, str)):
            continue
        values = value if isinstance(value, list) else [value]
        given[name] = [check_number(f"{name} of {where}", each) for each in values]
        if not isinstance(value, list):
            given[name] = given[name][0]
    return Key(**given)


def _read_times(where: str, data: object) -> TimeKeys:
    given = dict(check_fields(where, data, _TIME_FIELDS))
    given["reverse"] = _read_flag(where, given, "reverse", False)
    name, form = ("stretches", "[start, end, factor]") if "stretches" in given else ("pairs", "[source, new]")
    rows = given.get(name)
    size = form.count(",") + 1
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == size for row in rows):
        raise ParameterError(f"{where} needs '{name}', a list of {form} in seconds, not {rows!r}")
    what = f"{name} of {where}"
    given[name] = [
        (*(_read_time(what, each) for each in row[:-1]), check_number(what, row[-1])) for row in rows
    ]
    return TimeKeys(**given)


def _read_time(where: str, value: object) -> Time:
    return value if isinstance(value, str) else check_number(where, value)


def _read_obstacle(data: object) -> Obstacle:
    given = dict(check_fields("the obstacle", data, _OBSTACLE_FIELDS))
    at = given.get("at")
    if isinstance(at, list):
        given["at"] = tuple(check_number("at of the obstacle", each) for each in at)
    return Obstacle(**given)


def _read_entries(name: str, entries: object, read: Callable[[str, object], _Entry]) -> list[_Entry]:
    if not isinstance(entries, list):
        raise ParameterError(
            f"must be a list, not {type(entries).__name__}", parameter=name, value=type(entries).__name__
        )
    results = []
    for n, entry in enumerate(entries):
        where = f"{name}[{n}]"
        try:
            results.append(read(where, entry))
        except ParameterError as error:
            message = str(error)
            raise ParameterError(message if where in message else f"{where}: {message}") from None
    return results


def _read_flag(where: str, given: Mapping[str, Any], name: str, default: bool) -> bool:
    value = given.get(name, default)
    if not isinstance(value, bool):
        raise ParameterError(f"{name} of {where} must be true or false, not {value!r}")
    return value
