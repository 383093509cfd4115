"""Warps as plain data for JSON: to read, edit by hand and read again.

::

    {
      "format": "motionloom warp", "version": 1,
      "layers": [{"tension": 0.0, "follow": true, "undone": false,
                  "keys": [{"time": 0.6, "joint": "LeftLeg", "rotate": [0.35, 0, 0], "ease": 0.7}]}],
      "times": [{"pairs": [[0.6, 0.9]], "joint": "", "curve": "pchip", "tension": 0.0, "reverse": false}]
    }

Instead of ``layers`` a file may have ``keys`` alone, for a warp of one layer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from math import isfinite
from typing import Any, TypeVar

from motionloom.errors import ParameterError
from motionloom.json_files import check_fields
from motionloom.warping.keys import Key, key_to_dict
from motionloom.warping.times import TimeKeys

FORMAT, VERSION = "motionloom warp", 1

LayerData = tuple[tuple[Key, ...], float, bool, bool]
"""Keys, tension, follow and undone of a layer."""

_TOP = ("format", "version", "layers", "keys", "times")
_LAYER = ("keys", "tension", "follow", "undone")
_KEY = tuple(field.name for field in fields(Key))
_TIMES = tuple(field.name for field in fields(TimeKeys))

_Made = TypeVar("_Made")


def warp_to_dict(layers: Sequence[LayerData], times: Sequence[TimeKeys]) -> dict[str, Any]:
    """Plain data of a warp, ready for ``json.dump``.

    >>> warp_to_dict([], [])["format"]
    'motionloom warp'
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "layers": [
            {
                "tension": tension,
                "follow": follow,
                "undone": undone,
                "keys": [key_to_dict(key) for key in keys],
            }
            for keys, tension, follow, undone in layers
        ],
        "times": [{**asdict(keys), "pairs": [list(pair) for pair in keys.pairs]} for keys in times],
    }


def warp_from_dict(data: object) -> tuple[list[LayerData], list[TimeKeys]]:
    """The layers and time keys in plain data, which is not trusted; errors name the entry.

    >>> keys = [{"time": 0, "move": [0, 1, 0]}]
    >>> layers, times = warp_from_dict({"format": FORMAT, "version": 1, "keys": keys})
    >>> layers[0][0][0].move
    (0.0, 1.0, 0.0)
    """
    top = check_fields("the warp", data, _TOP)
    if top.get("format") != FORMAT or top.get("version") != VERSION:
        raise ParameterError(
            f'the warp must state "format": "{FORMAT}" and "version": {VERSION}, '
            f"not {top.get('format')!r} and {top.get('version')!r}"
        )
    if "layers" in top and "keys" in top:
        raise ParameterError("the warp has both layers and keys: put the keys into a layer")
    layers = _entries("layers", top.get("layers", []), _layer)
    if "keys" in top:
        layers = [_layer("the warp", {"keys": top["keys"]})]
    return layers, _entries("times", top.get("times", []), _times)


def _layer(where: str, data: object) -> LayerData:
    given = check_fields(where, data, _LAYER)
    keys = _entries(f"{where}.keys" if where != "the warp" else "keys", given.get("keys", []), _key)
    tension = _number(f"tension of {where}", given.get("tension", 0.0))
    return tuple(keys), tension, _flag(where, given, "follow", True), _flag(where, given, "undone", False)


def _key(where: str, data: object) -> Key:
    given = dict(check_fields(where, data, _KEY))
    if "time" not in given:
        raise ParameterError(f"{where} needs 'time', in seconds")
    for name, value in given.items():
        if name == "joint" or value is None:
            continue
        values = value if isinstance(value, list) else [value]
        given[name] = [_number(f"{name} of {where}", each) for each in values]
        if not isinstance(value, list):
            given[name] = given[name][0]
    return Key(**given)


def _times(where: str, data: object) -> TimeKeys:
    given = dict(check_fields(where, data, _TIMES))
    pairs = given.get("pairs")
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise ParameterError(f"{where} needs 'pairs', a list of [source, new] in seconds, not {pairs!r}")
    given["pairs"] = [tuple(_number(f"pairs of {where}", each) for each in pair) for pair in pairs]
    given["reverse"] = _flag(where, given, "reverse", False)
    return TimeKeys(**given)


def _entries(name: str, entries: object, make: Callable[[str, object], _Made]) -> list[_Made]:
    if not isinstance(entries, list):
        raise ParameterError(f"{name} must be a list, not {type(entries).__name__}")
    made = []
    for n, entry in enumerate(entries):
        where = f"{name}[{n}]"
        try:
            made.append(make(where, entry))
        except ParameterError as error:
            said = str(error)
            raise ParameterError(said if where in said else f"{where}: {said}") from None
    return made


def _number(what: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ParameterError(f"{what} must be a finite number, not {value!r}")
    return float(value)


def _flag(where: str, given: Mapping[str, Any], name: str, default: bool) -> bool:
    value = given.get(name, default)
    if not isinstance(value, bool):
        raise ParameterError(f"{name} of {where} must be true or false, not {value!r}")
    return value
