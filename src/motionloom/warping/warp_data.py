"""Warps as data: keys and time keys that can be kept, applied to many clips, scaled, undone and summed.

In JSON, to read, edit by hand and read again::

    {
      "format": "motionloom warp", "version": 1,
      "layers": [{"tension": 0.0, "follow": true, "undone": false,
                  "keys": [{"time": 0.6, "joint": "LeftLeg", "rotate": [0.35, 0, 0], "ease": 0.7}]}],
      "times": [{"pairs": [[0.6, 0.9]], "joint": "", "curve": "pchip", "tension": 0.0, "reverse": false}]
    }

Instead of ``layers`` a file may have ``keys`` alone, for a warp of one layer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, ParameterError
from motionloom.json_files import check_fields, read_json
from motionloom.validation import check_number
from motionloom.warping.keys import Key, checked_keys, key_to_dict, moments
from motionloom.warping.times import TimeKeys, checked_tension, checked_times

LEAST_UNDONE = 0.1
"""Smallest factor that can be undone: below it, what was there is lost in rounding."""

LARGEST_FILE = 16 << 20
"""Bytes beyond which a file is taken for something else."""


@dataclass(frozen=True)
class Layer:
    """Keys that act together.

    Attributes
    ----------
    keys
        In order of time.
    tension
        Of the Cardinal splines through them.
    follow
        Whether the root's way over the ground turns with the body.
    undone
        Whether the layer is undone instead of done.
    """

    keys: tuple[Key, ...]
    tension: float = 0.0
    follow: bool = True
    undone: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", checked_keys(self.keys))
        object.__setattr__(self, "tension", checked_tension(self.tension))


@dataclass(frozen=True)
class Warp:
    """Layers of keys, one applied after the other, and time keys, applied last.

    Attributes
    ----------
    layers
        Most warps have one.
    times
        At most one set of time keys for the whole body, and one for each part of it that keeps its own time.

    >>> stoop = Warp.of([Key(0.0, "Spine", rotate=(0.4, 0, 0), ease=None)])
    >>> stoop.scaled(0.5).keys[0].rotate
    (0.2, 0.0, 0.0)
    """

    layers: tuple[Layer, ...] = ()
    times: tuple[TimeKeys, ...] = ()

    @classmethod
    def of(
        cls,
        keys: Iterable[Key],
        times: TimeKeys | Iterable[TimeKeys | tuple[float, float]] | None = None,
        *,
        tension: float = 0.0,
        follow: bool = True,
    ) -> Warp:
        """A warp of one layer; ``times`` are pairs (source, new) of seconds, or :class:`TimeKeys`."""
        if not isinstance(keys, Iterable):
            raise ParameterError(f"keys must be a Warp, or a list of motionloom.Key, not {keys!r}")
        listed = tuple(keys)
        return cls((Layer(listed, tension, follow),) if listed else (), checked_times(times))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Warp:
        """Read a warp from a JSON file; fails with the file and the entry that is wrong."""
        data = read_json(Path(path), "a warp", LARGEST_FILE)
        try:
            layers, times = warp_from_dict(data)
            made = [Layer(keys, tension, follow, undone) for keys, tension, follow, undone in layers]
            return cls(tuple(made), checked_times(times))
        except ParameterError as error:
            raise FileFormatError(path, str(error)) from None

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the warp to a JSON file that people can edit."""
        layers = [(layer.keys, layer.tension, layer.follow, layer.undone) for layer in self.layers]
        text = json.dumps(warp_to_dict(layers, self.times), indent=2, ensure_ascii=False)
        with atomic_output(path, overwrite=overwrite) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")
        return Path(path)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys of all layers."""
        return tuple(key for layer in self.layers for key in layer.keys)

    @property
    def n_moments(self) -> int:
        """How many moments have keys: the number of keyframes an animator would set."""
        return len(moments(self.keys))

    def scaled(self, factor: float) -> Warp:
        """The warp with all its changes ``factor`` times as large: 0 does nothing, 2 twice as much.

        >>> Warp.of([Key(0.5, "Head", scale=4.0)]).scaled(0.5).keys[0].scale
        2.0
        """
        factor = check_number("a factor on a warp", factor)
        layers = [replace(layer, keys=_scaled_keys(layer.keys, factor)) for layer in self.layers]
        times = [
            replace(keys, pairs=[(source, source + factor * (new - source)) for source, new in keys.pairs])
            for keys in self.times
        ]
        return Warp(tuple(layers), tuple(times))

    def inverted(self) -> Warp:
        """The warp that undoes this one; it must be free of time keys.

        Reaches and orientations depend on the clip: the warp in the report of a warped clip has them solved.

        >>> Warp.of([Key(0.5, "Head", rotate=(0.1, 0, 0))]).inverted().layers[0].undone
        True
        """
        if self.times:
            raise ParameterError("a warp with time keys cannot be undone: take them out (times=()) first")
        for key in self.keys:
            _check_undoable(key)
        return Warp(tuple(replace(layer, undone=not layer.undone) for layer in reversed(self.layers)))

    def __add__(self, other: Warp) -> Warp:
        """Both warps, this one first; the order matters only where they touch the same joint."""
        both = {keys.joint for keys in self.times} & {keys.joint for keys in other.times}
        if both:
            raise ParameterError(
                "both warps have time keys for the same part of the body: apply one after the other"
            )
        return Warp(self.layers + other.layers, self.times + other.times)


def _scaled_keys(keys: Sequence[Key], factor: float) -> tuple[Key, ...]:
    made = []
    for key in keys:
        if key.kind in ("reach", "orient"):
            raise ParameterError(
                f"{key} says {key.kind}, which depends on the clip and cannot be scaled: scale the warp in "
                "the report of a warped clip, where it is solved"
            )
        if key.kind == "scale":
            powers = key.vector**factor
            made.append(replace(key, scale=powers if powers.ndim else float(powers)))
        elif key.kind == "move":
            made.append(replace(key, move=factor * key.vector))
        else:
            made.append(replace(key, rotate=factor * key.vector))
    return tuple(made)


def _check_undoable(key: Key) -> None:
    if key.kind in ("reach", "orient") or (key.kind == "scale" and key.zero is None):
        raise ParameterError(
            f"{key} says {key.kind}, which depends on the clip and cannot be undone: undo the warp in the "
            "report of a warped clip, where it is solved"
        )
    if key.kind == "scale" and np.min(key.vector) < LEAST_UNDONE:
        raise ParameterError(f"{key} scales by less than {LEAST_UNDONE:g}, which cannot be undone")


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
