"""Blend weights: how much each clip counts, as a function of time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry.splines import smoothstep
from motionloom.validation import check_number, check_positive

SMALLEST_SUM = 1e-6
"""Sum of weights below which they name no blend; they are used divided by their sum."""

Easing = Literal["smooth", "linear", "hold"]


class WeightFunction(ABC):
    """Weights of K clips over time. Subclasses are final and implement ``__call__``.

    >>> ConstantWeights([1, 1])([0.0, 0.5]).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """

    @abstractmethod
    def __call__(self, seconds: npt.ArrayLike) -> FloatArray:
        """Weights (N, K), before they are divided by their sum, at the times (N,) from the blend's start."""

    @property
    def constant(self) -> bool:
        """Whether the weights stay the same for ever."""
        return False

    @property
    def seconds(self) -> float | None:
        """How long the weights have something to say, or None: as long as the clips last."""
        return None


@final
@dataclass(frozen=True, eq=False)
class ConstantWeights(WeightFunction):
    """The same weights (K,) all the time: interpolation."""

    values: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", check_array("weights", self.values, ("K",)))

    def __call__(self, seconds: npt.ArrayLike) -> FloatArray:
        """The same weights (N, K) at all times (N,)."""
        return np.tile(self.values, (len(np.asarray(seconds)), 1))

    @property
    def constant(self) -> bool:
        """Always."""
        return True


@final
@dataclass(frozen=True, eq=False)
class KeyedWeights(WeightFunction):
    """Weights keyed in time: continuous control.

    Attributes
    ----------
    keys
        Seconds -> weights (K,). Before the first key and after the last the weights hold. A blend that is
        made backward starts at time 0 and its times are negative: keys it is to follow need negative times,
        since of keys after 0 it only ever sees the first.
    easing
        Between keys: "smooth" starts and ends at rest, "linear" goes evenly, "hold" jumps at the next key.

    >>> KeyedWeights({0: (1, 0), 2: (0, 1)})([0, 1, 5]).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """

    keys: Mapping[float, npt.ArrayLike]
    easing: Easing = "smooth"
    _times: FloatArray = field(init=False, repr=False)
    _rows: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.keys, Mapping):
            raise ParameterError(
                f"keyed weights must be a dict of seconds -> (weight, weight, …), not {self.keys!r}"
            )
        if not self.keys:
            raise ParameterError("keyed weights need at least one key: {seconds: (weight, weight, …)}")
        if self.easing not in _EASINGS:
            raise ParameterError(f"easing must be one of {', '.join(_EASINGS)}, not {self.easing!r}")
        counts = {len(np.atleast_1d(row)) for row in self.keys.values()}
        if len(counts) > 1:
            raise ParameterError(f"all keys must have the same number of weights, not {sorted(counts)}")
        times = check_array("times of weight keys", list(self.keys), (len(self.keys),))
        order = np.argsort(times)
        rows = check_array(
            "weights of keys", np.stack([*map(np.asarray, self.keys.values())]), (len(times), "K")
        )
        object.__setattr__(self, "_times", times[order])
        object.__setattr__(self, "_rows", rows[order])

    def __call__(self, seconds: npt.ArrayLike) -> FloatArray:
        """Weights (N, K) at the times (N,)."""
        times, rows = self._times, self._rows
        given = np.clip(np.asarray(seconds, dtype=np.float64), times[0], times[-1])
        before = np.clip(np.searchsorted(times, given, side="right") - 1, 0, max(len(times) - 2, 0))
        after = np.minimum(before + 1, len(times) - 1)
        span = np.where(after > before, times[after] - times[before], 1.0)
        share = _EASINGS[self.easing]((given - times[before]) / span)[:, None]
        return np.asarray(rows[before] + share * (rows[after] - rows[before]))

    @property
    def seconds(self) -> float | None:
        """The time of the last key; None when the only one is at the start."""
        return float(self._times[-1]) or None


@final
@dataclass(frozen=True, eq=False)
class TransitionWeights(WeightFunction):
    """From the first of two clips to the second: (1, 0) before, (0, 1) after, eased in between.

    Attributes
    ----------
    centre
        Seconds at which both count the same.
    half_width
        Seconds from the beginning of the change to the centre.

    >>> TransitionWeights(1.0, 0.5)([0.5, 1.0, 1.5]).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """

    centre: float
    half_width: float

    def __post_init__(self) -> None:
        check_number("centre of a transition", self.centre)
        check_positive("half_width of a transition", self.half_width)

    def __call__(self, seconds: npt.ArrayLike) -> FloatArray:
        """Weights (N, 2) at the times (N,)."""
        given = np.asarray(seconds, dtype=np.float64)
        share = smoothstep((given - self.centre) / (2.0 * self.half_width) + 0.5)
        return np.stack([1.0 - share, share], axis=-1)


@final
@dataclass(frozen=True, eq=False)
class SampledWeights(WeightFunction):
    """One row (K,) per output frame; linear between frames, and over after the last.

    >>> SampledWeights([[1, 0], [0, 1]], frame_time=0.1)([0.05]).tolist()
    [[0.5, 0.5]]
    """

    rows: FloatArray
    frame_time: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", check_array("weights", self.rows, ("N", "K")))
        object.__setattr__(self, "frame_time", check_positive("frame_time", self.frame_time))
        if not len(self.rows):
            raise ParameterError("weights have no rows: give one row per output frame")

    def __call__(self, seconds: npt.ArrayLike) -> FloatArray:
        """Weights (N, K) at the times (N,)."""
        places = np.asarray(seconds, dtype=np.float64) / self.frame_time
        frames = np.arange(len(self.rows))
        return np.stack([np.interp(places, frames, column) for column in self.rows.T], axis=-1)

    @property
    def seconds(self) -> float:
        """The time of the last row."""
        return (len(self.rows) - 1) * self.frame_time


@final
@dataclass(frozen=True, eq=False)
class CalledWeights(WeightFunction):
    """Weights from a function of the time in seconds that returns K numbers.

    >>> CalledWeights(lambda t: (1 - t, t))([0.25]).tolist()
    [[0.75, 0.25]]
    """

    function: Callable[[float], npt.ArrayLike]

    def __call__(self, seconds: npt.ArrayLike) -> FloatArray:
        """Weights (N, K) at the times (N,), one call of the function for each."""
        rows = [np.atleast_1d(self.function(float(t))) for t in np.atleast_1d(np.asarray(seconds, float))]
        return check_array("weights that the function returned", rows, (len(rows), "K"))


WeightsLike = WeightFunction | npt.ArrayLike | Callable[[float], npt.ArrayLike]
"""What callers may give as weights."""


def as_weight_function(weights: WeightsLike, frame_time: float) -> WeightFunction:
    """Whatever a caller may give as weights, as a function of time.

    >>> as_weight_function([0.5, 0.5], 0.1).constant
    True
    """
    if isinstance(weights, WeightFunction):
        return weights
    if callable(weights):
        return CalledWeights(weights)
    try:
        given = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            f"weights must be K numbers, rows of them or a function of time, not {weights!r}"
        ) from None
    return ConstantWeights(given) if given.ndim < 2 else SampledWeights(given, frame_time)


def normalised(rows: FloatArray, n_clips: int, times: FloatArray) -> FloatArray:
    """Weights (N, K) at times (N,) divided by their sums, or an error that says when they name no blend."""
    if rows.ndim != 2 or rows.shape[1] != n_clips:
        raise ParameterError(
            f"the curve has {n_clips} clips but there are {rows.shape[-1]} weights: give one for each clip"
        )
    with np.errstate(over="ignore"):
        sums = rows.sum(axis=1, keepdims=True)
    if not np.isfinite(sums).all():
        raise ParameterError(f"the weights add up to {sums.max():g}: choose smaller ones")
    empty = np.flatnonzero(np.abs(sums[:, 0]) < SMALLEST_SUM)
    if empty.size:
        raise ParameterError(
            f"the weights at {times[empty[0]]:.3f} s add up to {sums[empty[0], 0]:.3g}: "
            "they are divided by their sum, which must not be zero"
        )
    return np.asarray(rows / sums)


_EASINGS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "smooth": smoothstep,
    "linear": lambda share: np.clip(share, 0.0, 1.0),
    "hold": lambda share: (share >= 1.0).astype(np.float64),
}
