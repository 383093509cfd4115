"""Blend weights: how much each clip counts, over time and joint by joint."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import BoolArray, FloatArray, check_array
from motionloom.errors import BlendWarning, ParameterError, UnknownJointError
from motionloom.geometry.splines import smoothstep
from motionloom.validation import check_choice, check_number, check_positive

MIN_WEIGHT_SUM = 1e-6
"""Absolute sum of weights below which they cannot be normalized: weights are divided by their sum."""

MAX_WEIGHT_RATE = 6.0
"""Change of a weight per second above which a blend looks like a jump: from 0 to 1 in a sixth of a second."""

MAX_UNUSED = 0.1
"""Seconds of weights beyond the end of a blend that nobody misses."""

MAX_EXTRAPOLATION = 0.5
"""How far weights may lie outside 0 to 1 before a warning."""

Easing = Literal["smooth", "linear", "hold"]

JointWeights = Mapping[str, Sequence[float]]
"""Joint name -> K weights."""


class WeightFunction(ABC):
    """Weights of K clips over time. Subclasses are final and implement ``__call__``.

    >>> ConstantWeights([1, 1])([0.0, 0.5]).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """

    @abstractmethod
    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the weights (N, K), not yet normalized, at times (N,) in seconds from the blend's start."""

    @property
    def constant(self) -> bool:
        """Whether the weights never change."""
        return False

    @property
    def duration(self) -> float | None:
        """Seconds for which the weights are defined, or None: as long as the clips last."""
        return None


@final
@dataclass(frozen=True, eq=False, repr=False)
class ConstantWeights(WeightFunction):
    """Weights (K,) that stay the same: interpolation between clips."""

    values: FloatArray

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", check_array("weights", self.values, ("K",)))

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the same weights (N, K) at all times (N,)."""
        return np.tile(self.values, (len(np.asarray(times)), 1))

    @property
    def constant(self) -> bool:
        """Always True."""
        return True

    def __repr__(self) -> str:
        return f"ConstantWeights([{', '.join(f'{value:.4g}' for value in self.values)}])"


@final
@dataclass(frozen=True, eq=False, repr=False)
class KeyedWeights(WeightFunction):
    """Weights keyed in time: continuous control.

    Attributes
    ----------
    keys
        Seconds -> weights (K,). Before the first key and after the last the weights hold. A backward blend
        starts at time 0 and runs through negative times: give its keys negative times, since it never reaches
        keys after 0.
    easing
        Interpolation between keys: "smooth" starts and ends at rest, "linear" changes at a constant rate,
        "hold" jumps at the next key.

    >>> KeyedWeights({0: (1, 0), 2: (0, 1)})([0, 1, 5]).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """

    keys: Mapping[float, npt.ArrayLike]
    easing: Easing = "smooth"
    _times: FloatArray = field(init=False)
    _rows: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.keys, Mapping):
            raise ParameterError(
                f"keyed weights must be a dict of seconds -> (weight, weight, …), not {self.keys!r}"
            )
        if not self.keys:
            raise ParameterError("keyed weights need at least one key: {seconds: (weight, weight, …)}")
        check_choice("easing", self.easing, _EASINGS)
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

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the weights (N, K) at times (N,)."""
        keys, rows = self._times, self._rows
        given = np.clip(np.asarray(times, dtype=np.float64), keys[0], keys[-1])
        before = np.clip(np.searchsorted(keys, given, side="right") - 1, 0, max(len(keys) - 2, 0))
        after = np.minimum(before + 1, len(keys) - 1)
        span = np.where(after > before, keys[after] - keys[before], 1.0)
        fraction = _EASINGS[self.easing]((given - keys[before]) / span)[:, None]
        return np.asarray(rows[before] + fraction * (rows[after] - rows[before]))

    @property
    def duration(self) -> float | None:
        """Time of the last key; None if the only key is at the start."""
        return float(self._times[-1]) or None

    def __repr__(self) -> str:
        first, last = self._times[[0, -1]].tolist()
        return f"KeyedWeights({len(self._times)} keys, {first:g} to {last:g} s, {self.easing})"


@final
@dataclass(frozen=True, eq=False)
class TransitionWeights(WeightFunction):
    """Weights that ease from the first of two clips to the second: (1, 0) before, (0, 1) after.

    Attributes
    ----------
    centre
        Time in seconds at which both clips have weight 0.5.
    half_width
        Seconds from the start of the change to the centre.

    >>> TransitionWeights(1.0, 0.5)([0.5, 1.0, 1.5]).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """

    centre: float
    half_width: float

    def __post_init__(self) -> None:
        check_number("centre of a transition", self.centre)
        check_positive("half_width of a transition", self.half_width)

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the weights (N, 2) at times (N,)."""
        given = np.asarray(times, dtype=np.float64)
        fraction = smoothstep((given - self.centre) / (2.0 * self.half_width) + 0.5)
        return np.stack([1.0 - fraction, fraction], axis=-1)


@final
@dataclass(frozen=True, eq=False, repr=False)
class SampledWeights(WeightFunction):
    """Weights (N, K) with one row per output frame, linear between frames. The blend ends at the last row.

    >>> SampledWeights([[1, 0], [0, 1]], frame_time=0.1)([0.05]).tolist()
    [[0.5, 0.5]]
    """

    rows: FloatArray
    frame_time: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", check_array("weights", self.rows, ("N", "K")))
        object.__setattr__(self, "frame_time", check_positive("frame_time", self.frame_time))
        if not len(self.rows):
            raise ParameterError("weights have no rows", remedy="give one row per output frame")

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the weights (N, K) at times (N,)."""
        at = np.asarray(times, dtype=np.float64) / self.frame_time
        frames = np.arange(len(self.rows))
        return np.stack([np.interp(at, frames, column) for column in self.rows.T], axis=-1)

    @property
    def duration(self) -> float:
        """Time of the last row."""
        return (len(self.rows) - 1) * self.frame_time

    def __repr__(self) -> str:
        n_rows, n_clips = self.rows.shape
        return f"SampledWeights({n_rows} frames of {self.frame_time:.4g} s, {n_clips} clips)"


@final
@dataclass(frozen=True, eq=False)
class CallableWeights(WeightFunction):
    """Weights from a function of the time in seconds that returns K numbers.

    >>> CallableWeights(lambda t: (1 - t, t))([0.25]).tolist()
    [[0.75, 0.25]]
    """

    function: Callable[[float], npt.ArrayLike]

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the weights (N, K) at times (N,), by one call of the function for each time."""
        rows = [np.atleast_1d(self.function(float(t))) for t in np.atleast_1d(np.asarray(times, float))]
        return check_array("weights that the function returned", rows, (len(rows), "K"))


WeightsLike = WeightFunction | npt.ArrayLike | Callable[[float], npt.ArrayLike]
"""What callers may give as weights."""


def as_weight_function(weights: WeightsLike, frame_time: float) -> WeightFunction:
    """Return the weights a caller gave as a function of time.

    >>> as_weight_function([0.5, 0.5], 0.1).constant
    True
    """
    if isinstance(weights, WeightFunction):
        return weights
    if callable(weights):
        return CallableWeights(weights)
    try:
        given = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"must be K numbers, rows of them or a function of time, not {weights!r}",
            parameter="weights",
            value=weights,
        ) from None
    return ConstantWeights(given) if given.ndim < 2 else SampledWeights(given, frame_time)


def normalize_weights(rows: FloatArray, n_clips: int, times: FloatArray) -> FloatArray:
    """Divide weights (N, K) at times (N,) by their sums; an error names the time of a zero sum."""
    if rows.ndim != 2 or rows.shape[1] != n_clips:
        raise ParameterError(f"{n_clips} clips need {n_clips} weights, not {rows.shape[-1]}")
    with np.errstate(over="ignore"):
        sums = rows.sum(axis=1, keepdims=True)
    if not np.isfinite(sums).all():
        raise ParameterError(f"the weights add up to {sums.max():g}", remedy="choose smaller ones")
    empty = np.flatnonzero(np.abs(sums[:, 0]) < MIN_WEIGHT_SUM)
    if empty.size:
        raise ParameterError(
            f"the weights at {times[empty[0]]:.3f} s add up to {sums[empty[0], 0]:.3g}: "
            "they are divided by their sum, which must not be zero"
        )
    return np.asarray(rows / sums)


_EASINGS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "smooth": smoothstep,
    "linear": lambda fraction: np.clip(fraction, 0.0, 1.0),
    "hold": lambda fraction: (fraction >= 1.0).astype(np.float64),
}


def expand_joint_weights(
    given: JointWeights | None,
    names: Sequence[str],
    weights: FloatArray,
    presence: BoolArray | None = None,
) -> FloatArray | None:
    """Return the weights (T, J, K) of every joint or point, or None if all follow the clips' weights (T, K).

    Joints with weights given by name have those. ``presence`` (J, K) says which clips have which joints. A
    joint that some clips lack follows the others: by their normalized weights, or with equal weights where
    these sum to zero.
    """
    if given is None and presence is None:
        return None
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(
            f"must be a dict of joint name -> K weights, not {given!r}",
            parameter="joint_weights",
            value=given,
        )
    n_clips = weights.shape[1]
    rows = np.repeat(weights[:, None], len(names), axis=1)
    for name, values in (given or {}).items():
        own = check_array(f"weights of joint {name!r}", values, (n_clips,))
        if abs(own.sum()) < MIN_WEIGHT_SUM:
            raise ParameterError(
                f"the weights of joint {name!r} add up to {own.sum():.3g}: "
                "they are divided by their sum, which must not be zero"
            )
        if name not in names:
            raise UnknownJointError(name, names)
        rows[:, names.index(name)] = own / own.sum()
    return rows if presence is None else _normalize_present(rows, presence)


def _normalize_present(rows: FloatArray, presence: BoolArray) -> FloatArray:
    """Normalize weights (T, J, K) over the clips that have the joint."""
    kept = rows * presence
    sums = kept.sum(axis=-1, keepdims=True)
    equal = presence / presence.sum(axis=-1, keepdims=True)
    zero = np.abs(sums) < MIN_WEIGHT_SUM
    normalized = np.where(zero, equal, kept / np.where(zero, 1.0, sums))
    # Joints that all clips have keep their weights to the last bit.
    return np.where(presence.all(axis=-1, keepdims=True), rows, normalized)


def note_unused_weights(function: WeightFunction, length: float, duration: float | None) -> list[str]:
    """Return a note where weights are given for longer than the blend of clips that end lasts, seconds.

    >>> note_unused_weights(KeyedWeights({0: (1, 0), 9: (0, 1)}), 3.0, None)[0][:63]
    'weights are given up to 9.00 s, but the clips end after 3.00 s:'
    """
    given = function.duration
    wanted = given if given is None or duration is None else min(given, duration)
    if wanted is None or wanted <= length + MAX_UNUSED:
        return []
    return [
        f"weights are given up to {wanted:.2f} s, but the clips end after {length:.2f} s: what comes later "
        "was not used; loops (motionloom.cyclify) go on as long as you like"
    ]


def warn_of_weights(weights: FloatArray, frame_time: float, stacklevel: int) -> None:
    """Warn of normalized weights (N, K) that change too fast or lie far outside 0 to 1."""
    rates = np.abs(np.diff(weights, axis=0)).max(axis=1, initial=0.0) / frame_time
    if rates.max(initial=0.0) > MAX_WEIGHT_RATE:
        at = int(rates.argmax())
        warnings.warn(
            f"the weights change by {rates[at]:.3g} per second at {at * frame_time:.2f} s: "
            f"above {MAX_WEIGHT_RATE:g} a blend looks like a jump",
            BlendWarning,
            stacklevel=stacklevel + 1,
        )
    outside = np.maximum(weights - 1.0, -weights).max(axis=1)
    if outside.max() > MAX_EXTRAPOLATION:
        at = int(outside.argmax())
        warnings.warn(
            f"the weights leave the range 0 to 1 by {outside[at]:.3g} at {at * frame_time:.2f} s: "
            f"beyond {MAX_EXTRAPOLATION:g} extrapolation seldom looks right",
            BlendWarning,
            stacklevel=stacklevel + 1,
        )
