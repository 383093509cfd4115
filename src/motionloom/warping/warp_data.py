"""Warps as data: layers of keys, and time keys, to apply to many clips, scale, invert, add, save and load."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np

from motionloom.errors import ParameterError
from motionloom.messages import Argument
from motionloom.validation import check_number
from motionloom.warping.keys import MAX_ROTATION, Key, check_keys, find_moments
from motionloom.warping.obstacles import Obstacle
from motionloom.warping.time_keys import Time, TimeKeys, check_tension, check_times

MIN_INVERTIBLE_SCALE = 0.1
"""Smallest factor that can be undone: with a smaller one the original is lost in rounding."""


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
            raise ParameterError(
                f"must be a Warp, or a list of motionloom.Key, not {keys!r}", parameter="keys", value=keys
            )
        listed = tuple(keys)
        if obstacle is not None and not isinstance(obstacle, Obstacle):
            raise ParameterError(
                f"must be a motionloom.Obstacle, not {obstacle!r}", parameter="obstacle", value=obstacle
            )
        layers = (Layer(listed, tension, follow),) if listed else ()
        return cls(layers, check_times(times), obstacle, lifts_heels)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Warp:
        """Read a warp from a JSON file; errors name the file and the wrong entry."""
        from motionloom.warping.warp_file import read_warp

        return read_warp(path)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the warp to a JSON file that people can edit."""
        from motionloom.warping.warp_file import write_warp

        return write_warp(self, path, overwrite)

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
            raise ParameterError(
                "a warp with time keys cannot be undone",
                remedy=("take them out (", Argument("times", ()), ") first"),
            )
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
                "both warps have time keys for the same part of the body", remedy="apply one after the other"
            )
        if self.obstacle is not None and other.obstacle is not None:
            raise ParameterError("both warps have an obstacle", remedy="apply one after the other")
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
            f"{factor:g} times {key} is a rotation by {np.degrees(angle):.0f}°, more than a whole turn",
            remedy="use a smaller factor",
        )
    return replace(key, rotate=factor * key.vector)


def _scale_times(keys: TimeKeys, factor: float) -> TimeKeys:
    if keys.stretches:
        scaled = [(start, end, 1.0 + factor * (stretch - 1.0)) for start, end, stretch in keys.stretches]
        return replace(keys, stretches=scaled)
    if keys.is_portable:
        raise ParameterError(
            "time keys at moments in words depend on the clip and cannot be scaled",
            remedy="use scale_warp, which finds them in a clip first",
        )
    return replace(keys, pairs=[(source, source + factor * (new - source)) for source, new in keys.seconds])


def _check_invertible(key: Key) -> None:
    if key.kind in ("reach", "orient") or (key.kind == "scale" and key.zero is None):
        raise ParameterError(
            f"{key} says {key.kind}, which depends on the clip and cannot be undone",
            remedy="undo the warp in the report of a warped clip, where it is solved",
        )
    if key.kind == "scale" and np.min(key.vector) < MIN_INVERTIBLE_SCALE:
        raise ParameterError(f"{key} scales by less than {MIN_INVERTIBLE_SCALE:g}, which cannot be undone")
