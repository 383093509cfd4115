"""`MeasuredBlends`: make blends of registered clips and measure their parameters."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.blending.blend import blend
from motionloom.blending.result import BlendResult
from motionloom.errors import BlendWarning, MotionloomError, ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.options.blending import RateLaw
from motionloom.registration import RegistrationCurve
from motionloom.spaces.body_measures import Travel
from motionloom.spaces.measures import JointTarget, Parameter

MAX_STRETCH = 1.5
"""Cycles of the longest clip that a blend of cyclic clips takes at most, with extrapolating weights."""


class MeasuredBlends:
    """Blends of the K clips of a curve, with the d numbers of their parameters.

    Extremes of a blend are looked for where those of the clips are on the registration curve, so that the
    same moment is measured whatever the weights.

    Parameters
    ----------
    curve
        How the clips correspond.
    parameters
        Name -> parameter.
    rate_law
        As in :func:`motionloom.blend`.

    Attributes
    ----------
    moments
        Name of a parameter that is measured at a moment -> where on the curve (K,) the clips have it.

    >>> from motionloom.registration import register
    >>> from motionloom.spaces.parameters import duration
    >>> from motionloom.synthesis import walk
    >>> curve = register([walk(duration=seconds, fps=30).clip for seconds in (2.0, 3.0)])
    >>> MeasuredBlends(curve, {"time": duration()}).measure([0.0, 1.0]).round(3).tolist()
    [3.0]
    """

    def __init__(
        self, curve: RegistrationCurve, parameters: Mapping[str, Parameter], rate_law: RateLaw = "auto"
    ) -> None:
        self.curve, self.parameters, self.rate_law = curve, dict(parameters), rate_law
        examples = [self.make(row) for row in np.eye(curve.n_clips)]
        self.moments: dict[str, FloatArray] = {}
        for name, parameter in self.parameters.items():
            frames = [find_moment(name, parameter, k, result.clip) for k, result in enumerate(examples)]
            found = [
                np.interp(frame, *self._extend(result.u, result.clip))
                for frame, result in zip(frames, examples, strict=True)
                if frame is not None
            ]
            if len(found) == len(examples):
                self.moments[name] = self._gather(np.array(found))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the d numbers: "hand.x", "hand.y", "speed"."""
        return tuple(
            f"{name}.{part}" if part else name
            for name, parameter in self.parameters.items()
            for part in parameter.components
        )

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the d numbers."""
        return tuple(each.unit for each in self.parameters.values() for _ in each.components)

    def make(
        self,
        weights: npt.ArrayLike,
        *,
        place: GroundTransform | None = None,
        duration: float | None = None,
    ) -> BlendResult:
        """Make the blend with weights (K,); place and duration as in :func:`motionloom.blend`."""
        with warnings.catch_warnings():
            # Weights outside 0 to 1 are within the limits of the space.
            warnings.simplefilter("ignore", BlendWarning)
            return blend(self.curve, weights, place=place, rate_law=self.rate_law, duration=duration)

    def measure(self, weights: npt.ArrayLike) -> FloatArray:
        """Return the parameters (d,) of the blend with weights (K,)."""
        given = np.asarray(weights, dtype=np.float64)
        periods = self.curve.timewarp.periods
        if periods is None:
            result = self.make(given)
            return self.measure_clip(result.clip, given, result.u, end=_find_end(result, self.curve))
        # A closed cycle has a whole number of frames; a longer blend tells when it really ends.
        max_period = float(np.max(periods)) * self.curve.clips[0].frame_time
        long = self.make(given, duration=MAX_STRETCH * max_period)
        end = _find_cycle(long, self.curve)
        if all(isinstance(parameter, Travel) for parameter in self.parameters.values()):
            return self.measure_clip(long.clip, given, long.u, end=end)
        closed = self.make(given)
        exact = replace(closed.clip, frame_time=closed.clip.frame_time * end / closed.clip.n_frames)
        return np.concatenate(
            [
                parameter.measure(long.clip, end=end)
                if isinstance(parameter, Travel)
                else parameter.measure(exact, near=self._near(name, given, closed.u, exact))
                for name, parameter in self.parameters.items()
            ]
        )

    def measure_clip(
        self, clip: Clip, weights: FloatArray, u: FloatArray, *, end: float | None = None
    ) -> FloatArray:
        """Return the parameters (d,) of a clip that a blend became: with weights (K,), at u (T,)."""
        return np.concatenate(
            [
                parameter.measure(clip, end=end, near=self._near(name, weights, u, clip))
                for name, parameter in self.parameters.items()
            ]
        )

    def targets(
        self, clip: Clip, weights: FloatArray, u: FloatArray, values: FloatArray
    ) -> list[JointTarget]:
        """Return where joints must be for such a clip to have these parameters (d,).

        Parameters of one point at one moment, such as its height and how far ahead it is, have one target.
        """
        found: dict[tuple[str, float, tuple[float, ...]], JointTarget] = {}
        start = 0
        for name, parameter in self.parameters.items():
            own = values[start : start + len(parameter.components)]
            start += len(own)
            near = self._near(name, weights, u, clip)
            target = parameter.target(clip, own, near=near)
            if target is None:
                continue
            key = (target.joint, round(target.frame, 6), tuple(target.point.tolist()))
            if key in found:
                target = parameter.target(clip, own, near=near, position=found[key].position) or target
            found[key] = target
        return list(found.values())

    def move_plants(self, clip: Clip, values: FloatArray, min_change: float) -> Clip:
        """Return such a clip with plants where they must be for it to have these parameters (d,)."""
        start = 0
        for parameter in self.parameters.values():
            own = values[start : start + len(parameter.components)]
            start += len(own)
            clip = parameter.move_plants(clip, own, min_change)
        return clip

    def _near(self, name: str, weights: FloatArray, u: FloatArray, clip: Clip) -> float | None:
        """Return the frame near which the moment of a parameter must be; None if it has none.

        In a cyclic clip it may lie before the first frame or after the last one.
        """
        moments = self.moments.get(name)
        if moments is None:
            return None
        frames, values = self._extend(u, clip)
        return float(np.interp(weights @ moments / weights.sum(), values, frames))

    def _extend(self, u: FloatArray, clip: Clip) -> tuple[FloatArray, FloatArray]:
        """Return the frames of a clip that a blend became and where they are on the curve, u (T,).

        A cyclic clip comes with the cycle before it and the one after it.
        """
        frames = np.arange(len(u), dtype=np.float64)
        if not clip.cyclic:
            return frames, u
        period = self.curve.domain[1] - self.curve.domain[0]
        unrolled = np.unwrap(u, period=period)
        return (
            np.concatenate([frames - len(u), frames, frames + len(u)]),
            np.concatenate([unrolled - period, unrolled, unrolled + period]),
        )

    def _gather(self, moments: FloatArray) -> FloatArray:
        """Return moments (K,) of clips; those of cyclic ones in the cycles in which they are nearest.

        A moment just before the seam and one just after it belong together.
        """
        if self.curve.timewarp.periods is None:
            return moments
        period = self.curve.domain[1] - self.curve.domain[0]
        angles = 2.0 * np.pi * (moments - self.curve.domain[0]) / period
        centre = np.angle(np.exp(1j * angles).mean()) % (2.0 * np.pi)
        mean = self.curve.domain[0] + period * centre / (2.0 * np.pi)
        return np.asarray(moments + period * np.round((mean - moments) / period))


def find_moment(name: str, parameter: Parameter, k: int, clip: Clip) -> float | None:
    """Return the frame at which a parameter is measured in clip k; errors name both."""
    try:
        frame = parameter.find_moment(clip)
        values = parameter.measure(clip)
    except MotionloomError as error:
        raise ParameterError(f"{name!r} cannot be measured in clip {k}: {error}") from None
    if not np.isfinite(values).all():
        raise ParameterError(f"{name!r} cannot be measured in clip {k}: it gives {values.tolist()}")
    return frame


def _find_end(result: BlendResult, curve: RegistrationCurve) -> float:
    """Return the frame, with its fraction, at which a blend reaches the end of the curve."""
    last = len(result.u) - 1
    rate = result.u[-1] - result.u[-2] if last else 0.0
    left = curve.domain[1] - result.u[-1]
    return last + (float(np.clip(left / rate, 0.0, 1.0)) if rate > 0.0 else 0.0)


def _find_cycle(result: BlendResult, curve: RegistrationCurve) -> float:
    """Return the frame, with its fraction, at which a blend has gone through one cycle."""
    period = curve.domain[1] - curve.domain[0]
    unrolled = np.unwrap(result.u - result.u[0], period=period)
    return float(np.interp(period, unrolled, np.arange(len(unrolled))))
