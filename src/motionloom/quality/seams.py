"""Whether seams show: accelerations and jerks next to them, against those that the sources have anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip, sampling
from motionloom.motion.anatomy import facing
from motionloom.quality.checks import check_same_joints
from motionloom.quality.derivatives import (
    CUTOFF,
    Signal,
    derivative,
    magnitudes,
    seen_from_body,
    window_peaks,
)

REACH = 0.25
"""Seconds to either side of a seam within which peaks count."""

USUAL = 95.0
"""Percentile over all windows of the sources that stands for the largest usual peak; the rest is glitches."""

ROUNDING = 1e-6
"""Peaks below this many m/s², m/s³ or rad/s² are rounding, and count as none."""

ACCELERATION, JERK = 2, 3


@dataclass(frozen=True, eq=False)
class SeamPeaks:
    """The peaks of one quantity about S seams, for J joints, and what is usual in the sources.

    The one number per seam is in ``overall``: the peak over all joints about the seam, divided by the 95th
    percentile of the peak over all joints in windows of the sources. An untouched capture scores 1 or less
    at 95 % of its frames.

    Attributes
    ----------
    unit
        Unit of the peaks.
    peaks
        (S, J) largest value about each seam.
    usual
        (J,) 95th percentile of the same over all windows of the sources.
    usual_overall
        The same for the largest value over all joints.

    >>> peaks = SeamPeaks("m/s²", np.array([[6.0, 2.0]]), np.array([5.0, 4.0]), 5.0)
    >>> peaks.overall.tolist(), peaks.ratios.tolist(), peaks.score
    ([1.2], [[1.2, 0.5]], 1.2)
    """

    unit: str
    peaks: FloatArray
    usual: FloatArray
    usual_overall: float

    @property
    def overall(self) -> FloatArray:
        """(S,) the peak over all joints about each seam, divided by what is usual for it."""
        return _ratio(self.peaks.max(axis=1, initial=0.0), np.asarray(self.usual_overall))

    @property
    def ratios(self) -> FloatArray:
        """(S, J) the peak of each joint divided by what is usual for that joint; inf where it never moves."""
        return _ratio(self.peaks, self.usual)

    @property
    def mean(self) -> FloatArray:
        """(S,) the mean ratio over those joints that move in the sources."""
        moving = self.usual > ROUNDING
        return np.asarray(self.ratios[:, moving].mean(axis=1)) if moving.any() else np.zeros(len(self.peaks))

    @property
    def worst_joint(self) -> FloatArray:
        """(S,) the largest ratio of any one joint."""
        return np.asarray(self.ratios.max(axis=1, initial=0.0))

    @property
    def score(self) -> float:
        """The largest ``overall`` of all seams; 0 without seams."""
        return float(self.overall.max(initial=0.0))


@dataclass(frozen=True, eq=False, kw_only=True)
class SeamSmoothness:
    """How smoothly a clip passes its seams, against its sources; 1 or less is what capture looks like.

    Attributes
    ----------
    seams
        (S,) the seams in frames.
    joints
        J joint names.
    world_acceleration, world_jerk
        Joint positions in the world.
    body_acceleration, body_jerk
        Joint positions seen from the root, with axes that turn with the heading.
    heading_acceleration
        The heading of the body, one column.
    """

    seams: FloatArray
    joints: tuple[str, ...]
    world_acceleration: SeamPeaks
    world_jerk: SeamPeaks
    body_acceleration: SeamPeaks
    body_jerk: SeamPeaks
    heading_acceleration: SeamPeaks

    @property
    def acceleration(self) -> float:
        """The larger acceleration score of world and body."""
        return max(self.world_acceleration.score, self.body_acceleration.score)

    @property
    def jerk(self) -> float:
        """The larger jerk score of world and body."""
        return max(self.world_jerk.score, self.body_jerk.score)


def seam_smoothness(
    clip: Clip,
    seams: npt.ArrayLike,
    sources: Sequence[Clip],
    *,
    reach: float = REACH,
    cutoff: float | None = CUTOFF,
) -> SeamSmoothness:
    """Peak acceleration and jerk about seams, divided by what is usual in the sources.

    Clip and sources are smoothed alike, so noise of the capture counts on both sides or on none.

    Parameters
    ----------
    clip
        The clip that was put together.
    seams
        Frames of its seams; fractions are allowed.
    sources
        The captured clips it was made of, with the same joints.
    reach
        Seconds to either side of a seam within which peaks count.
    cutoff
        Hz of the filter (:mod:`motionloom.quality.derivatives`); None for raw differences, whose size depends
        on the frame rate.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0).clip
    >>> bool(seam_smoothness(clip, [60.0], [clip]).jerk <= 1.0)
    True
    """
    _check(clip, sources)
    frames = np.atleast_1d(sampling.check_frames(seams, clip.n_frames))
    world, bodies = (
        [c.world_positions() for c in (clip, *sources)],
        [seen_from_body(c) for c in (clip, *sources)],
    )
    times = [c.frame_time for c in (clip, *sources)]

    def peaks(places: list[FloatArray], order: int, unit: str) -> SeamPeaks:
        signals = [magnitudes(p, time, order, cutoff) for p, time in zip(places, times, strict=True)]
        return _peaks(signals, times, frames, reach, unit)

    turns = [derivative(facing(c)[:, None], c.frame_time, ACCELERATION, cutoff) for c in (clip, *sources)]
    sizes = [Signal(np.abs(turn.values), turn.first) for turn in turns]
    return SeamSmoothness(
        seams=freeze(frames),
        joints=clip.skeleton.names,
        world_acceleration=peaks(world, ACCELERATION, "m/s²"),
        world_jerk=peaks(world, JERK, "m/s³"),
        body_acceleration=peaks(bodies, ACCELERATION, "m/s²"),
        body_jerk=peaks(bodies, JERK, "m/s³"),
        heading_acceleration=_peaks(sizes, times, frames, reach, "rad/s²"),
    )


def _check(clip: Clip, sources: Sequence[Clip]) -> None:
    if not sources:
        raise ParameterError("seams are measured against the clips they join: sources is empty")
    check_same_joints(clip, sources)


def _peaks(
    signals: list[Signal], times: list[float], frames: FloatArray, reach: float, unit: str
) -> SeamPeaks:
    """Peaks of the first signal about frames, and what is usual in the others."""
    own, *others = signals
    about = [own.around(frame, reach / times[0]).max(axis=0) for frame in frames.tolist()]
    windows = [
        window_peaks(signal.values, round(2.0 * reach / time) + 1)
        for signal, time in zip(others, times[1:], strict=True)
    ]
    pooled = np.concatenate(windows)
    return SeamPeaks(
        unit,
        freeze(np.array(about).reshape(len(frames), pooled.shape[1])),
        freeze(np.percentile(pooled, USUAL, axis=0)),
        float(np.percentile(pooled.max(axis=1), USUAL)),
    )


def _ratio(peaks: FloatArray, usual: FloatArray) -> FloatArray:
    """Peaks over usual ones; rounding over anything is 0, and a peak over rounding is infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(usual > ROUNDING, peaks / usual, np.inf)
    return np.where(peaks > ROUNDING, ratios, 0.0)
