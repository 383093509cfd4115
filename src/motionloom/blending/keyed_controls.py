"""`KeyedControls`: weights from speed, turn and style that are keyed in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.blending.controls import Controls
from motionloom.blending.weights import Easing, KeyedWeights, WeightFunction
from motionloom.errors import ParameterError


@dataclass(frozen=True)
class ControlKey:
    """What is asked for at a moment.

    Attributes
    ----------
    speed
        Metres per second along the path.
    turn
        Radians per second, positive to the left. Unless stated it does not matter, as in
        :meth:`Controls.weights`; among keys that state a turn it is 0.
    style
        A style, or how much of each of several; None takes all clips alike.
    """

    speed: float
    turn: float | None = None
    style: str | Mapping[str, float] | None = None


@final
@dataclass(frozen=True, eq=False)
class KeyedControls(WeightFunction):
    """Weights that follow keys of speed, turn and style.

    Attributes
    ----------
    controls
        What turns them into weights.
    keys
        Seconds -> what is asked for then. Before the first key and after the last it stays the same.
    easing
        Between keys: "smooth" starts and ends at rest, "linear" goes evenly, "hold" jumps at the next key.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> loops = [cyclify(walk(speed=s, duration=4).clip, n_cycles=1) for s in (0.8, 1.6)]
    >>> faster = KeyedControls(Controls(register(loops)), {0: ControlKey(0.5), 3: ControlKey(1.9)})
    >>> faster([0.0, 3.0]).round(9).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    controls: Controls
    keys: Mapping[float, ControlKey]
    easing: Easing = "smooth"
    _numbers: KeyedWeights = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.keys, Mapping):
            raise ParameterError(f"control keys must be a dict of seconds -> ControlKey, not {self.keys!r}")
        named = {key.style is not None for key in self.keys.values()}
        if len(named) > 1:
            raise ParameterError("either all control keys name a style or none does")
        for key in self.keys.values():
            self.controls.weights(speed=key.speed, turn=key.turn, style=key.style)
        # Everything that changes between keys, as numbers: speed, turn and the share of each style.
        rows = {time: (key.speed, key.turn or 0.0, *self._shares(key)) for time, key in self.keys.items()}
        object.__setattr__(self, "_numbers", KeyedWeights(rows, self.easing))

    def __call__(self, seconds: npt.ArrayLike) -> FloatArray:
        """Weights (N, K) at the times (N,)."""
        return np.array([self._weights(row) for row in self._numbers(seconds)])

    @property
    def seconds(self) -> float | None:
        """When the last key is; None when the only one is at the start."""
        return self._numbers.seconds

    @cached_property
    def _turns(self) -> bool:
        """Whether any key states a turn."""
        return any(key.turn is not None for key in self.keys.values())

    @cached_property
    def _names(self) -> list[str]:
        return sorted(set(self.controls.styles))

    def _shares(self, key: ControlKey) -> list[float]:
        if key.style is None:
            return []
        given = {key.style: 1.0} if isinstance(key.style, str) else key.style
        total = sum(given.values())
        return [given.get(name, 0.0) / total for name in self._names]

    def _weights(self, row: FloatArray) -> FloatArray:
        shares = dict(zip(self._names, row[2:].tolist(), strict=True)) if len(row) > 2 else None
        turn = float(row[1]) if self._turns else None
        return self.controls.weights(speed=float(row[0]), turn=turn, style=shares)
