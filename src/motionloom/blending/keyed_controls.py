"""Control a blend over time: keys of speed, turn and style, and the weights that follow them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.blending.controls import Controls
from motionloom.blending.weights import MAX_WEIGHT_RATE, Easing, KeyedWeights, WeightFunction
from motionloom.errors import ParameterError

SOFTENING = 0.5
"""Seconds over which weights that would change too fast for a blend are averaged."""

SOFTENING_STEP = 1 / 60
"""Seconds between the moments that are averaged."""


@dataclass(frozen=True)
class ControlKey:
    """Speed, turn and style requested at a time.

    Attributes
    ----------
    speed
        Metres per second along the path.
    turn
        Radians per second, positive to the left. By default any turn will do, as in :meth:`Controls.weights`;
        if other keys give a turn, it is 0.
    style
        A style, or style -> fraction for a mix; None uses all clips.
    """

    speed: float
    turn: float | None = None
    style: str | Mapping[str, float] | None = None


@final
@dataclass(frozen=True, eq=False, repr=False)
class KeyedControls(WeightFunction):
    """Weights that follow keys of speed, turn and style.

    Attributes
    ----------
    controls
        What turns requests into weights.
    keys
        Seconds -> :class:`ControlKey`. Before the first key and after the last the request holds.
    easing
        Interpolation between keys: "smooth" starts and ends at rest, "linear" changes at a constant rate,
        "hold" jumps at the next key.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> loops = [cyclify(walk(speed=s, duration=4).clip, cycles=1) for s in (0.8, 1.6)]
    >>> faster = KeyedControls(Controls(register(loops)), {0: ControlKey(0.5), 3: ControlKey(1.9)})
    >>> faster([0.0, 3.0]).round(9).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    controls: Controls
    keys: Mapping[float, ControlKey]
    easing: Easing = "smooth"
    _numbers: KeyedWeights = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.controls, Controls):
            raise ParameterError(f"KeyedControls takes Controls(curve), not a {type(self.controls).__name__}")
        if not isinstance(self.keys, Mapping):
            raise ParameterError(f"control keys must be a dict of seconds -> ControlKey, not {self.keys!r}")
        for key in self.keys.values():
            if not isinstance(key, ControlKey):
                raise ParameterError(f"control keys must be a dict of seconds -> ControlKey, not {key!r}")
        if len({key.style is not None for key in self.keys.values()}) > 1:
            raise ParameterError("either all control keys name a style or none does")
        for key in self.keys.values():
            self.controls.weights(speed=key.speed, turn=key.turn, style=key.style)
        # Everything that changes between keys, as numbers: speed, turn and the fraction of each style.
        rows = {time: (key.speed, key.turn or 0.0, *self._fractions(key)) for time, key in self.keys.items()}
        object.__setattr__(self, "_numbers", KeyedWeights(rows, self.easing))

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the weights (N, K) at times (N,)."""
        given = np.asarray(times, dtype=np.float64)
        exact = np.array([self._weights(row) for row in self._numbers(given)])
        if self.easing == "hold" or len(self.keys) == 1 or not len(given):
            return exact
        return self._soften(given, exact)

    def _soften(self, times: FloatArray, exact: FloatArray) -> FloatArray:
        """Return weights (N, K) averaged over time wherever they change faster than a blend can.

        Between clips that move alike, a small change of the request exchanges large weights. The moments that
        are averaged do not depend on the times that are asked for.
        """
        reach = round(SOFTENING / SOFTENING_STEP)
        moments = np.arange(
            np.floor(times.min() / SOFTENING_STEP) - 2 * reach,
            np.ceil(times.max() / SOFTENING_STEP) + 2 * reach + 1,
        )
        rows = np.array([self._weights(row) for row in self._numbers(moments * SOFTENING_STEP)])
        changes = np.abs(np.diff(rows, axis=0)).max(axis=1) / SOFTENING_STEP
        if changes.max() <= MAX_WEIGHT_RATE:
            return exact
        kernel = np.ones(reach) / reach
        averaged = np.stack([np.convolve(column, kernel, mode="same") for column in rows.T], axis=1)
        # All of the average where a fast change is within reach of it, none where the average is the same.
        fast = (
            np.convolve(np.append(changes > MAX_WEIGHT_RATE, False), np.ones(2 * reach + 1), mode="same") > 0
        )
        near = np.convolve(fast, kernel, mode="same")
        near_at, at = (
            [np.interp(times / SOFTENING_STEP, moments, column) for column in columns.T]
            for columns in (near[:, None], averaged)
        )
        return np.asarray(exact + near_at[0][:, None] * (np.stack(at, axis=1) - exact))

    @property
    def duration(self) -> float | None:
        """Time of the last key; None if the only key is at the start."""
        return self._numbers.duration

    def __repr__(self) -> str:
        first, last = min(self.keys), max(self.keys)
        return f"KeyedControls({len(self.keys)} keys, {first:g} to {last:g} s, {self.easing})"

    @cached_property
    def _has_turn(self) -> bool:
        """Whether any key gives a turn."""
        return any(key.turn is not None for key in self.keys.values())

    @cached_property
    def _names(self) -> list[str]:
        return sorted(set(self.controls.styles))

    def _fractions(self, key: ControlKey) -> list[float]:
        """Return the normalized fraction of each style; none if the key names no style."""
        if key.style is None:
            return []
        given = {key.style: 1.0} if isinstance(key.style, str) else key.style
        total = sum(given.values())
        return [given.get(name, 0.0) / total for name in self._names]

    def _weights(self, row: FloatArray) -> FloatArray:
        style = dict(zip(self._names, row[2:].tolist(), strict=True)) if len(row) > 2 else None
        turn = float(row[1]) if self._has_turn else None
        return self.controls.weights(speed=float(row[0]), turn=turn, style=style)
