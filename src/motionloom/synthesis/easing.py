"""Smooth functions of time, the building blocks of every built-in motion.

All of them have continuous second derivatives, so no joint ever starts or stops with a jolt.
"""

from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import AbstractCurve


def ease(x: npt.ArrayLike) -> FloatArray:
    """Go from 0 to 1 over x in [0, 1], at rest at both ends (two derivatives are zero there).

    >>> ease([-1.0, 0.5, 2.0]).tolist()
    [0.0, 0.5, 1.0]
    """
    x = _clip_to_unit(x)
    return np.asarray(x**3 * (10.0 + x * (6.0 * x - 15.0)))


def glide(x: npt.ArrayLike) -> FloatArray:
    """Like :func:`ease` with three derivatives at rest, for values whose rate moves something else.

    >>> glide([0.0, 0.5, 1.0]).tolist()
    [0.0, 0.5, 1.0]
    """
    x = _clip_to_unit(x)
    return np.asarray(x**4 * (35.0 + x * (x * (70.0 - 20.0 * x) - 84.0)))


def bump(x: npt.ArrayLike) -> FloatArray:
    """Rise from 0 to 1 at x = 1/2 and fall back to 0 at x = 1, at rest at both ends.

    >>> bump([0.0, 0.5, 1.0]).tolist()
    [0.0, 1.0, 0.0]
    """
    x = _clip_to_unit(x)
    return np.asarray((4.0 * x * (1.0 - x)) ** 3)


def cruise(x: npt.ArrayLike, ramp: float) -> FloatArray:
    """Go from 0 to 1 at constant speed, with ramps over the fraction ``ramp`` <= 1/2 at each end.

    >>> cruise([0.0, 0.5, 1.0], ramp=0.3).tolist()
    [0.0, 0.5, 1.0]
    """
    x = _clip_to_unit(x)
    near = np.minimum(x, 1.0 - x)
    u = np.minimum(near / ramp, 1.0)
    covered = (ramp * u**3 * (1.0 - u / 2.0) + np.maximum(near - ramp, 0.0)) / (1.0 - ramp)
    return np.where(x <= 0.5, covered, 1.0 - covered)


def hermite(
    fraction: npt.ArrayLike,
    span: npt.ArrayLike,
    start: npt.ArrayLike,
    start_rate: npt.ArrayLike,
    end: npt.ArrayLike,
    end_rate: npt.ArrayLike,
) -> FloatArray:
    """Evaluate the quintic with given values and rates, and no acceleration, at both ends of ``span``
    seconds.

    ``fraction`` (...) runs from 0 to 1 over the span; everything broadcasts.

    >>> float(hermite(0.5, 2.0, 0.0, 1.0, 2.0, 1.0))
    1.0
    """
    x = np.asarray(fraction, dtype=np.float64)
    rise = x**3 * (10.0 + x * (6.0 * x - 15.0))
    leave = x + x**3 * (-6.0 + x * (8.0 - 3.0 * x))
    arrive = x**3 * (-4.0 + x * (7.0 - 3.0 * x))
    first, last = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    rates = leave * np.asarray(start_rate) + arrive * np.asarray(end_rate)
    return np.asarray(first + (last - first) * rise + np.asarray(span) * rates)


@final
class KeyedCurve(AbstractCurve):
    """A smooth curve through keys that never overshoots them; constant before the first and after the last.

    Between two keys each component is a quintic without acceleration at the keys. It passes a key at
    the harmonic mean of the neighbouring speeds, and rests where the direction changes.

    Parameters
    ----------
    times
        (N,) increasing key times, seconds.
    values
        (N, D) values at the keys.

    >>> curve = KeyedCurve([0.0, 1.0, 3.0], [[0.0], [2.0], [0.0]])
    >>> curve([-1.0, 1.0, 2.0])[:, 0].tolist()
    [0.0, 2.0, 1.0]
    """

    def __init__(self, times: npt.ArrayLike, values: npt.ArrayLike) -> None:
        self._times = check_array("key times", times, ("N",))
        self._values = check_array("key values", values, (len(self._times), "D"))
        if len(self._times) < 2 or not (np.diff(self._times) > 0.0).all():
            raise ParameterError("a keyed curve needs at least two keys at increasing times")
        self._rates = _key_rates(self._times, self._values)

    @property
    def domain(self) -> tuple[float, float]:
        """The times of the first and the last key."""
        return float(self._times[0]), float(self._times[-1])

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Values (..., D) at times ``u`` (...)."""
        n, fraction, span = self._locate(u)
        value, rate = self._values, self._rates
        return hermite(fraction, span, value[n], rate[n], value[n + 1], rate[n + 1])

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Rates of change (..., D) per second at times ``u`` (...)."""
        n, x, span = self._locate(u)
        slope = (self._values[n + 1] - self._values[n]) / span
        leave = 1.0 + x**2 * (-18.0 + x * (32.0 - 15.0 * x))
        arrive = x**2 * (-12.0 + x * (28.0 - 15.0 * x))
        rate = slope * 30.0 * x**2 * (1.0 - x) ** 2 + leave * self._rates[n] + arrive * self._rates[n + 1]
        first, last = self.domain
        times = np.asarray(u, dtype=np.float64)[..., None]
        return np.where((times >= first) & (times <= last), rate, 0.0)

    def _locate(self, u: npt.ArrayLike) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray]:
        """Find the key before each time, the fraction of the span to the next key, and its length."""
        times = np.clip(np.asarray(u, dtype=np.float64), *self.domain)
        n = np.clip(np.searchsorted(self._times, times, side="right") - 1, 0, len(self._times) - 2)
        span = np.diff(self._times)[n]
        fraction = (times - self._times[n]) / span
        return n, fraction[..., None], span[..., None]


def _key_rates(times: FloatArray, values: FloatArray) -> FloatArray:
    slopes = np.diff(values, axis=0) / np.diff(times)[:, None]
    before, after = slopes[:-1], slopes[1:]
    same_sign = before * after > 0.0
    total = np.where(same_sign, before + after, 1.0)
    rates = np.zeros_like(values)
    rates[1:-1] = np.where(same_sign, 2.0 * before * after / total, 0.0)
    return rates


def _clip_to_unit(x: npt.ArrayLike) -> FloatArray:
    return np.clip(np.asarray(x, dtype=np.float64), 0.0, 1.0)
