"""Seams: whether accelerations, jerks and turns at them exceed what is usual in the sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Clip, sampling
from motionloom.motion.anatomy import body_positions, facing
from motionloom.quality.derivatives import (
    ACCELERATION,
    CUTOFF,
    JERK,
    USUAL_PERCENTILE,
    WINDOW,
    Signal,
    derivative,
    magnitudes,
    window_peaks,
)
from motionloom.quality.paths import path_seams
from motionloom.quality.results import Measurement, MeasurementGroup
from motionloom.quality.sources import check_sources
from motionloom.repair.repair import mend_glitches

MIN_PEAK = 1e-6
"""Peaks below this many m/s², m/s³ or rad/s² are rounding, and count as zero."""


@dataclass(frozen=True, eq=False)
class SeamPeaks:
    """Peaks of one quantity about S seams, for J joints, and what is usual in the sources.

    ``overall`` holds one number per seam: the peak over all joints about the seam, divided by the 95th
    percentile of the peak over all joints in windows of the sources. An untouched capture scores 1 or less at
    95 % of its frames.

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
        """(S,) the peak over all joints about each seam, divided by the usual one."""
        return _ratio(self.peaks.max(axis=1, initial=0.0), np.asarray(self.usual_overall))

    @property
    def ratios(self) -> FloatArray:
        """(S, J) the peak of each joint divided by its usual one; infinite for joints that never move."""
        return _ratio(self.peaks, self.usual)

    @property
    def mean(self) -> FloatArray:
        """(S,) the mean ratio over those joints that move in the sources."""
        moving = self.usual > MIN_PEAK
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
    """How smooth the seams of a clip are, against its sources; captures score 1 or less.

    Attributes
    ----------
    seams
        (S,) the seams in frames.
    joints
        J joint names.
    world_acceleration, world_jerk
        Joint positions in the world.
    body_acceleration, body_jerk
        Joint positions relative to the root, with axes that turn with the heading.
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
    window: float = WINDOW,
    cutoff: float | None = CUTOFF,
) -> SeamSmoothness:
    """Measure peak acceleration and jerk about seams, divided by what is usual in the sources.

    Clip and sources are smoothed alike, so capture noise counts in both or in neither.

    Parameters
    ----------
    clip
        The clip with seams.
    seams
        Frames of its seams; fractions are allowed.
    sources
        The captured clips it was made of, with the same joints.
    window
        Seconds to either side of a seam within which peaks count.
    cutoff
        Hz of the filter (:mod:`motionloom.quality.derivatives`); None for raw differences, whose size depends
        on the frame rate.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0).clip
    >>> bool(seam_smoothness(clip, [60.0], [clip]).jerk <= 1.0)
    True
    """
    check_sources(clip, sources)
    frames = np.atleast_1d(sampling.check_frames(seams, clip.n_frames))
    # A glitch of capture is no seam, and would let every seam pass as usual.
    motions = [mend_glitches(clip, keep=frames.tolist()), *(mend_glitches(source) for source in sources)]
    world, bodies = [c.world_positions() for c in motions], [body_positions(c) for c in motions]
    times = [c.frame_time for c in motions]

    def peaks(positions: list[FloatArray], order: int, unit: str) -> SeamPeaks:
        signals = [magnitudes(p, time, order, cutoff) for p, time in zip(positions, times, strict=True)]
        return _peaks(signals, times, frames, window, unit)

    headings = [derivative(facing(c)[:, None], c.frame_time, ACCELERATION, cutoff) for c in motions]
    sizes = [Signal(np.abs(heading.values), heading.first) for heading in headings]
    return SeamSmoothness(
        seams=freeze(frames),
        joints=clip.skeleton.names,
        world_acceleration=peaks(world, ACCELERATION, "m/s²"),
        world_jerk=peaks(world, JERK, "m/s³"),
        body_acceleration=peaks(bodies, ACCELERATION, "m/s²"),
        body_jerk=peaks(bodies, JERK, "m/s³"),
        heading_acceleration=_peaks(sizes, times, frames, window, "rad/s²"),
    )


def measure_seams(clip: Clip, frames: FloatArray, sources: Sequence[Clip]) -> MeasurementGroup:
    """Measure whether seams show, in the motion of joints and in the path of the body."""
    smooth = seam_smoothness(clip, frames, sources)
    path = path_seams(clip, frames)
    with np.errstate(divide="ignore"):
        # The larger of both speeds over the smaller; infinite where one is zero.
        speeds = np.maximum(path.speed_ratio, 1.0 / path.speed_ratio)
    meaning = "peak about a seam over the usual peak of the sources"
    return MeasurementGroup(
        "seams",
        (
            Measurement("seam acceleration", smooth.acceleration, "", meaning),
            Measurement("seam jerk", smooth.jerk, "", meaning),
            Measurement(
                "seam turning",
                smooth.heading_acceleration.score,
                "",
                "the same for the heading's acceleration",
            ),
            Measurement(
                "seam heading rate",
                degrees(_max_or_nan(path.heading_rate)),
                "°/s",
                "largest deviation from the median about a seam",
            ),
            Measurement(
                "seam speed change",
                _max_or_nan(speeds),
                "",
                "speeds before and after, larger over smaller",
            ),
            Measurement(
                "seam curvature change",
                _max_or_nan(np.abs(path.curvature_change)),
                "1/m",
                "turn per metre after less before",
            ),
        ),
    )


def _peaks(
    signals: list[Signal], times: list[float], frames: FloatArray, window: float, unit: str
) -> SeamPeaks:
    """Return the peaks of the first signal about frames, and what is usual in the others."""
    own, *others = signals
    about = [own.around(frame, window / times[0]).max(axis=0) for frame in frames.tolist()]
    windows = [
        window_peaks(signal.values, round(2.0 * window / time) + 1)
        for signal, time in zip(others, times[1:], strict=True)
    ]
    pooled = np.concatenate(windows)
    return SeamPeaks(
        unit,
        freeze(np.array(about).reshape(len(frames), pooled.shape[1])),
        freeze(np.percentile(pooled, USUAL_PERCENTILE, axis=0)),
        float(np.percentile(pooled.max(axis=1), USUAL_PERCENTILE)),
    )


def _ratio(peaks: FloatArray, usual: FloatArray) -> FloatArray:
    """Return peaks over usual ones; rounding over anything is 0, and a peak over rounding is infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(usual > MIN_PEAK, peaks / usual, np.inf)
    return np.where(peaks > MIN_PEAK, ratios, 0.0)


def _max_or_nan(values: FloatArray) -> float:
    """Return the largest of the values that are numbers, NaN without any."""
    known = values[~np.isnan(values)]
    return float(known.max()) if len(known) else float("nan")
