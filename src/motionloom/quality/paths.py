"""Paths: length and turn of the way a body takes over the ground, and how both continue at seams."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip, sampling
from motionloom.motion.anatomy import facing
from motionloom.quality.derivatives import WINDOW
from motionloom.quality.results import Measurement, MeasurementGroup
from motionloom.validation import check_positive

MIN_PATH_LENGTH = 0.1
"""Metres below which a path has no curvature: the body sways on the spot."""


@dataclass(frozen=True, kw_only=True)
class PathMeasures:
    """The ground path of the root and the heading of the body over a whole clip.

    Attributes
    ----------
    length
        Length of the root's path over the ground, metres.
    distance
        From the first to the last position of the root on the ground, metres.
    heading_change
        How far the body turns from the first frame to the last, radians, positive to the left (+Z to +X);
        turns add up beyond ±π.
    curvature
        ``heading_change / length``, 1/m; NaN where the body hardly travels.
    max_heading_step, median_heading_step
        Largest and median absolute change of the heading from one frame to the next, radians.
    max_heading_rate
        Largest deviation of the heading's rate from its median, rad/s.
    mean_speed
        Length over duration, m/s.
    """

    length: float
    distance: float
    heading_change: float
    curvature: float
    max_heading_step: float
    median_heading_step: float
    max_heading_rate: float
    mean_speed: float


@dataclass(frozen=True, eq=False, kw_only=True)
class PathSeams:
    """How path and heading continue at S seams.

    Attributes
    ----------
    seams
        (S,) the seams in frames.
    heading_rate
        (S,) largest deviation of the heading's rate about the seam from its median there, rad/s.
    speed_ratio
        (S,) mean ground speed of the root after the seam over that before it; NaN where it stood still
        before, or where the clip ends.
    curvature_change
        (S,) turn per metre after the seam less that before it, 1/m; NaN where the body hardly moves.
    """

    seams: FloatArray
    heading_rate: FloatArray
    speed_ratio: FloatArray
    curvature_change: FloatArray


def path_measures(clip: Clip) -> PathMeasures:
    """Measure length, turn and steadiness of the path of a clip.

    >>> from motionloom.synthesis import walk
    >>> path = path_measures(walk(speed=1.0, curvature=0.25, duration=4.0).clip)
    >>> abs(path.length - 4.0) < 0.05, abs(path.heading_change - 1.0) < 0.01
    (True, True)
    """
    _check(clip)
    ground = clip.root_positions[:, [0, 2]]
    length = _length(ground)
    steps = np.diff(facing(clip))
    turn = float(steps.sum())
    return PathMeasures(
        length=length,
        distance=float(np.linalg.norm(ground[-1] - ground[0])),
        heading_change=turn,
        curvature=_curvature(turn, length),
        max_heading_step=float(np.abs(steps).max()),
        median_heading_step=float(np.median(np.abs(steps))),
        max_heading_rate=_max_deviation(steps) / clip.frame_time,
        mean_speed=length / clip.duration,
    )


def path_seams(clip: Clip, seams: npt.ArrayLike, *, window: float = WINDOW) -> PathSeams:
    """Measure how heading, speed and curvature change at seams.

    Parameters
    ----------
    clip
        The clip with seams.
    seams
        Frames of its seams; fractions are allowed.
    window
        Seconds before and after a seam that are compared.

    >>> from motionloom.synthesis import walk
    >>> found = path_seams(walk(speed=1.0, duration=4.0).clip, [120.0])
    >>> bool(abs(found.speed_ratio[0] - 1.0) < 0.2)
    True
    """
    _check(clip)
    frames = np.atleast_1d(sampling.check_frames(seams, clip.n_frames))
    width = max(round(check_positive("window", window) / clip.frame_time), 1)
    heading, ground = facing(clip), clip.root_positions[:, [0, 2]]
    rows = []
    for frame in np.rint(frames).astype(int).tolist():
        before, after = slice(max(frame - width, 0), frame + 1), slice(frame, frame + width + 1)
        lengths = [_length(ground[part]) for part in (before, after)]
        headings = [float(heading[part][-1] - heading[part][0]) for part in (before, after)]
        bends = [_curvature(turn, length) for turn, length in zip(headings, lengths, strict=True)]
        counts = [len(ground[part]) - 1 for part in (before, after)]
        about = np.diff(heading[before.start : after.stop])
        rate = _max_deviation(about) / clip.frame_time
        rows.append((rate, _speed_ratio(lengths, counts), bends[1] - bends[0]))
    rates, ratios, changes = np.array(rows).reshape(-1, 3).T
    return PathSeams(
        seams=freeze(frames),
        heading_rate=freeze(rates.copy()),
        speed_ratio=freeze(ratios.copy()),
        curvature_change=freeze(changes.copy()),
    )


def measure_path(clip: Clip) -> MeasurementGroup:
    """Measure where the body goes and how it turns."""
    path = path_measures(clip)
    return MeasurementGroup(
        "path",
        (
            Measurement("path length", path.length, "m", "of the root over the ground"),
            Measurement("mean speed", path.mean_speed, "m/s", "of the root over the ground"),
            Measurement(
                "heading change", degrees(path.heading_change), "°", "from first to last frame, left is +"
            ),
            Measurement("path curvature", path.curvature, "1/m", "heading change over path length"),
            Measurement(
                "heading rate",
                degrees(path.max_heading_rate),
                "°/s",
                "largest deviation from the median turning rate",
            ),
        ),
    )


def _check(clip: Clip) -> None:
    if clip.n_frames < 2:
        raise ParameterError(f"a path needs two frames or more: the clip has {clip.n_frames}")


def _length(ground: FloatArray) -> float:
    """Return the length of a path (N, 2), metres."""
    return float(np.linalg.norm(np.diff(ground, axis=0), axis=1).sum())


def _curvature(turn: float, length: float) -> float:
    return turn / length if length >= MIN_PATH_LENGTH else float("nan")


def _speed_ratio(lengths: list[float], counts: list[int]) -> float:
    """Return speed after over speed before, from the lengths of both paths and the numbers of their steps."""
    (before, after), (n_before, n_after) = lengths, counts
    return after / n_after * n_before / before if n_after and before > 0.0 else float("nan")


def _max_deviation(steps: FloatArray) -> float:
    """Return the largest distance of a step from the median step."""
    return float(np.abs(steps - np.median(steps)).max())
