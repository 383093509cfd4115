"""Warps as data: layers of keys, and time keys, to apply to many clips, scale, invert, add, save and load.

The JSON of a saved warp is meant to be read and edited by hand::

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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, ParameterError
from motionloom.json_files import check_fields, read_json
from motionloom.validation import check_number
from motionloom.warping.joint_roles import ROLES
from motionloom.warping.keys import MAX_ROTATION, Key, check_keys, find_moments, key_to_dict
from motionloom.warping.obstacles import Obstacle
from motionloom.warping.time_keys import Time, TimeKeys, check_tension, check_times

MIN_INVERTIBLE_SCALE = 0.1
"""Smallest factor that can be undone: with a smaller one the original is lost in rounding."""

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


@dataclass(frozen=True)
class Layer:
    """Keys that act together.

    Attributes
    ----------
    keys
        Keys in order of time.
    tension
        Tension of the Cardinal splines through them, 0 (Catmull–Rom) to 1.
    follow
        Whether the root's path over the ground turns with the body.
    undone
        Whether the layer is undone instead of applied.
    """

    keys: tuple[Key, ...]
    tension: float = 0.0
    follow: bool = True
    undone: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", check_keys(self.keys))
        object.__setattr__(self, "tension", check_tension(self.tension))


@dataclass(frozen=True, repr=False)
class Warp:
    """Layers of keys, applied one after the other, and time keys, applied last.

    Attributes
    ----------
    layers
        Layers of keys; most warps have one.
    times
        At most one set of time keys for the whole body, and one for each part of it with its own time.
    obstacle
        What is stepped over, onto or up; its crossings are moments for keys. None for nothing.
    lifts_heels
        Whether heels stay off the ground where plants are kept.

    >>> stoop = Warp.of([Key(0.0, "Spine", rotate=(0.4, 0, 0), ease=None)])
    >>> stoop
    Warp(1 key in 1 layer)
    >>> stoop.scaled(0.5).keys[0].rotate
    (0.2, 0.0, 0.0)
    """

    layers: tuple[Layer, ...] = ()
    times: tuple[TimeKeys, ...] = ()
    obstacle: Obstacle | None = None
    lifts_heels: bool = False

    @classmethod
    def of(
        cls,
        keys: Iterable[Key],
        times: TimeKeys | Iterable[TimeKeys | tuple[Time, float] | tuple[Time, Time, float]] | None = None,
        *,
        tension: float = 0.0,
        follow: bool = True,
        obstacle: Obstacle | None = None,
        lifts_heels: bool = False,
    ) -> Warp:
        """Make a warp of one layer; ``times`` are pairs (source, new) of seconds, stretches (start, end,
        factor), or :class:`TimeKeys`.
        """
        if isinstance(keys, str) or not isinstance(keys, Iterable):
            raise ParameterError(f"keys must be a Warp, or a list of motionloom.Key, not {keys!r}")
        listed = tuple(keys)
        if obstacle is not None and not isinstance(obstacle, Obstacle):
            raise ParameterError(f"obstacle must be a motionloom.Obstacle, not {obstacle!r}")
        layers = (Layer(listed, tension, follow),) if listed else ()
        return cls(layers, check_times(times), obstacle, lifts_heels)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Warp:
        """Read a warp from a JSON file; errors name the file and the wrong entry."""
        data = read_json(Path(path), "a warp", MAX_FILE_BYTES)
        try:
            return warp_from_dict(data)
        except ParameterError as error:
            raise FileFormatError(path, str(error)) from None

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the warp to a JSON file that people can edit."""
        text = json.dumps(warp_to_dict(self), indent=2, ensure_ascii=False)
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
        words = {key.time for key in self.keys if isinstance(key.time, str)}
        return len(words) + len(find_moments([key for key in self.keys if not isinstance(key.time, str)]))

    @property
    def is_portable(self) -> bool:
        """Whether keys are at moments in words or in axes of the body, and are found anew in every clip."""
        return any(key.is_portable for key in self.keys) or any(keys.is_portable for keys in self.times)

    def scaled(self, factor: float) -> Warp:
        """Return the warp with all its changes ``factor`` times as large: 0 does nothing, 2 twice as much.

        >>> Warp.of([Key(0.5, "Head", scale=4.0)]).scaled(0.5).keys[0].scale
        2.0
        """
        factor = check_number("a factor on a warp", factor)
        layers = [
            replace(layer, keys=tuple(_scale_key(key, factor) for key in layer.keys)) for layer in self.layers
        ]
        return replace(self, layers=tuple(layers), times=tuple(_scale_times(k, factor) for k in self.times))

    def inverted(self) -> Warp:
        """Return the warp that undoes this one, which must not have time keys.

        Reaches and orientations depend on the clip: the warp in the report of a warped clip has them solved.

        >>> Warp.of([Key(0.5, "Head", rotate=(0.1, 0, 0))]).inverted().layers[0].undone
        True
        """
        if self.times:
            raise ParameterError("a warp with time keys cannot be undone: take them out (times=()) first")
        for key in self.keys:
            _check_invertible(key)
        return Warp(tuple(replace(layer, undone=not layer.undone) for layer in reversed(self.layers)))

    def __add__(self, other: Warp) -> Warp:
        """Return both warps, this one first; the order matters only where they touch the same joint."""
        if not isinstance(other, Warp):
            return NotImplemented
        both = {keys.joint for keys in self.times} & {keys.joint for keys in other.times}
        if both:
            raise ParameterError(
                "both warps have time keys for the same part of the body: apply one after the other"
            )
        if self.obstacle is not None and other.obstacle is not None:
            raise ParameterError("both warps have an obstacle: apply one after the other")
        return Warp(
            self.layers + other.layers,
            self.times + other.times,
            self.obstacle or other.obstacle,
            self.lifts_heels or other.lifts_heels,
        )

    def __repr__(self) -> str:
        n_keys, n_layers = len(self.keys), len(self.layers)
        n_pairs = sum(len(keys.pairs) + len(keys.stretches) for keys in self.times)
        keys = f"{n_keys} key{'' if n_keys == 1 else 's'} in {n_layers} layer{'' if n_layers == 1 else 's'}"
        times = f", {n_pairs} time key{'' if n_pairs == 1 else 's'}" if n_pairs else ""
        obstacle = f", {self.obstacle.kind}" if self.obstacle else ""
        return f"Warp({keys}{times}{obstacle})"


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
        raise ParameterError("the warp has both layers and keys: put the keys into a layer")
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


def _scale_key(key: Key, factor: float) -> Key:
    if key.kind in ("reach", "orient"):
        raise ParameterError(
            f"{key} says {key.kind}, which depends on the clip and cannot be scaled: scale the warp in "
            "the report of a warped clip, where it is solved"
        )
    if key.kind == "scale":
        powers = key.vector**factor
        return replace(key, scale=powers if powers.ndim else float(powers))
    if key.kind == "move":
        return replace(key, move=factor * key.vector)
    angle = abs(factor) * float(np.linalg.norm(key.vector))
    if angle > MAX_ROTATION:
        raise ParameterError(
            f"{factor:g} times {key} is a rotation by {np.degrees(angle):.0f}°, more than a whole turn: use "
            "a smaller factor"
        )
    return replace(key, rotate=factor * key.vector)


def _scale_times(keys: TimeKeys, factor: float) -> TimeKeys:
    if keys.stretches:
        scaled = [(start, end, 1.0 + factor * (stretch - 1.0)) for start, end, stretch in keys.stretches]
        return replace(keys, stretches=scaled)
    if keys.is_portable:
        raise ParameterError(
            "time keys at moments in words depend on the clip and cannot be scaled: use scale_warp, which "
            "finds them in a clip first"
        )
    return replace(keys, pairs=[(source, source + factor * (new - source)) for source, new in keys.seconds])


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


def _check_invertible(key: Key) -> None:
    if key.kind in ("reach", "orient") or (key.kind == "scale" and key.zero is None):
        raise ParameterError(
            f"{key} says {key.kind}, which depends on the clip and cannot be undone: undo the warp in the "
            "report of a warped clip, where it is solved"
        )
    if key.kind == "scale" and np.min(key.vector) < MIN_INVERTIBLE_SCALE:
        raise ParameterError(f"{key} scales by less than {MIN_INVERTIBLE_SCALE:g}, which cannot be undone")


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
        raise ParameterError(f"{name} must be a list, not {type(entries).__name__}")
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
