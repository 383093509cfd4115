"""Find the cycle of a periodic clip: where to cut so that its end leads on to its beginning."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np

from motionloom.annotation import gait_phase, is_locomotion, strides, strikes
from motionloom.arrays import FloatArray, IntArray
from motionloom.cycles.loop_closing import sample_smoothly
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.ground_path import ground_path
from motionloom.motion.sampling import SAME_RATE
from motionloom.registration.distance import DistanceGrid, cloud_distance
from motionloom.registration.point_cloud import PointCloud, point_cloud
from motionloom.repair.repair import mend_glitches

MAX_SEAM = 0.1
"""Largest seam distance as a fraction of the body's radius. Successive strides of captured walks differ by
0.02 to 0.05, those of jogs and runs by up to 0.1; other phases of a gait lie 0.3 and more apart."""

PHASE_SLACK = 0.2
"""A cycle may be this much longer or shorter than a whole number of cycles, in cycles. Half a cycle off, left
and right have changed places."""

MAX_RETURN = 0.4
"""Motion repeats when the mean squared distance falls to this fraction of its maximum at some lag. Captured
repetitions fall to 0.05 to 0.3, kicks and swings stay above 0.6."""

MIN_MOTION = 0.01
"""Root mean square distance, metres, that poses of one cycle reach; less is standing."""

MIN_CYCLE = 0.2
"""Seconds; faster repetition is trembling."""

MAX_CYCLE = 2 / 3
"""Fraction of a clip that one repetition may take: the rest has to show that it repeats."""

MAX_FRAMES = 3000
"""Frames that are compared with each other at once."""

MAX_STEP = 1 / 30
"""Seconds between compared frames in long clips; coarser steps lose fast gaits."""

MIN_LEAD, MIN_TAIL = 1, 2
"""Frames that remain before and after a cycle: velocities at the seam and fractional ends reach into them."""

EDGE = 0.025
"""Seconds at both ends of a clip that a cycle keeps out of: captures are noisiest there."""

UNRELATED_SEAM = 0.3
"""From this fraction of the body's radius on, both ends of a cycle have nothing to do with each other."""

FRACTION_STEPS = (1.0, 0.3)
"""Frames between the three ends whose seams a parabola is fitted to; the second fit refines the first."""

SNAP_TO_FRAME = 0.01
"""Frames: an end this near a whole frame is put there, so that captured frames stay as they are. At 60 frames
per second a foot that swings at 3 m/s moves half a millimetre in that time."""

MAX_SPEED_MISFIT, MAX_TURN_MISFIT, MAX_RATE_MISFIT = 0.04, 0.08, np.radians(2.5)
"""A cycle represents its clip when its speed and its turn differ by no more than these fractions, or the turn
by no more than so many radians per second: a little less than what shows, since closing changes both."""

REPRESENTATIVE_SEAM, MUCH_NEARER = 2.0, 0.5
"""Where no cycle within the limit goes and turns as the clip does, seams up to this factor times the limit
count if they do, or come nearer to it by this factor: jogs that veer have two strides, and both lean
differently."""

MAX_STRIKE_ERROR = 0.05
"""Seconds by which a strike may lie outside a cycle that counts it: captured feet land gradually."""

STILL_CYCLE = 0.3
"""A repetition whose middle is nearer to its start than this fraction of what is usual in the clip is no
repetition: the body stands there."""

LENGTH_SMOOTHING = 0.2
"""Standard deviation of the Gaussian that smooths a path whose length is measured, seconds: circles that take
eight seconds shorten by one percent, and the sway of a walk lengthens it by less."""

MAX_COVERAGE = 0.5
"""Cycles that take more of a clip than this represent it anyway, unless their number was asked for."""

MAX_NEAR = 0.1
"""A cycle lies near a frame when its middle is no farther from it than this fraction of the cycle."""

Unit = Literal["stride", "repetition"]


@dataclass(frozen=True)
class Loop:
    """A cycle found in a clip.

    Attributes
    ----------
    start
        Its first frame.
    end
        The frame that looks like the first one again, fractional; the cycle lasts ``end - start`` frames.
    cycles
        How many strides or repetitions it holds.
    unit
        What they are.
    seam
        Root mean square distance of the body's points between both ends over the window, metres.
    limit
        Largest seam that is accepted, metres.
    """

    start: int
    end: float
    cycles: int
    unit: Unit
    seam: float
    limit: float

    @property
    def n_frames(self) -> int:
        """Frames of the cycle once it is closed."""
        return round(self.end - self.start)


def find_loop(
    clip: Clip,
    *,
    cycles: int | None,
    seam_limit: float | None,
    window: float,
    near: float | None = None,
) -> Loop:
    """Find the longest cycle whose seam is within the limit.

    Among equally long ones, the one nearest to the frame ``near`` is taken. Without it, a gait is represented
    by the one with the smallest seam that goes and turns as the clip does or, where there is none, by the one
    that comes nearest to that.

    The seam is the distance between windows around both ends at their best placement on the ground. Equal
    poses that continue differently are apart in the rest of the window, so velocities count too. When no seam
    is within the limit, the cycle with the smallest seam is returned.

    Parameters
    ----------
    clip
        An annotated clip; of a gait whole strides are taken, of other motion whole repetitions.
    cycles
        How many strides or repetitions to take; None takes as many as possible.
    seam_limit
        Metres; None takes a tenth of the body's radius.
    window
        Seconds to either side of an end that are compared.
    near
        Frame near which the middle of the cycle is to lie.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> loop = find_loop(annotate(walk(duration=3.0).clip), cycles=None, seam_limit=None, window=0.07)
    >>> loop.cycles, loop.unit, loop.n_frames
    (2, 'stride', 123)
    """
    step = _search_step(clip)
    cloud = point_cloud(mend_glitches(clip))
    limit = MAX_SEAM * _radius(cloud) if seam_limit is None else seam_limit
    coarse = PointCloud(cloud.positions[::step], cloud.weights)
    grid = cloud_distance(coarse, coarse, round(window / (step * clip.frame_time)), placements=True)
    distances = grid.values
    phases, unit = _phases(clip, distances, step)
    counts = _cycle_counts(clip, phases, unit, step, cycles)
    if unit == "repetition":
        counts = _drop_still_cycles(counts, distances)

    seams, misfits = np.sqrt(distances), np.zeros(counts.shape)
    if near is not None:
        misfits = _misfits_near(counts, near / step)
    elif unit == "stride" and (cycles or (counts * (seams <= limit)).max() < MAX_COVERAGE * np.ptp(phases)):
        misfits = _misfits_of_travel(clip, counts, step, grid)
    start, end, count = _best_cycle(seams, counts, limit, misfits)
    asked = cycles is not None and seam_limit is None and near is None
    if asked and not (seams[start, end] <= limit and misfits[start, end] <= 1.0):
        wider = REPRESENTATIVE_SEAM * limit
        other = _best_cycle(seams, counts, wider, misfits)
        fits_well = misfits[other[:2]] <= max(1.0, MUCH_NEARER * misfits[start, end])
        if seams[other[:2]] <= wider and fits_well:
            limit, (start, end, count) = wider, other
    half_width = round(window / clip.frame_time)
    first, last = _refine(cloud, _margins(clip), step * start, step * end, step, half_width)
    fraction, seam = _between_frames(clip, first, last, half_width)
    _check_seam(seam, cloud)
    return Loop(first, fraction, count, unit, seam, limit)


def _search_step(clip: Clip) -> int:
    """Return the step in frames at which the clip is searched."""
    step = max(ceil(clip.n_frames / MAX_FRAMES), 1)
    if step > 1 and step * clip.frame_time > MAX_STEP * (1.0 + SAME_RATE):
        seconds = MAX_FRAMES * max(MAX_STEP, clip.frame_time)
        raise ParameterError(
            f"the clip lasts {clip.duration:.0f} s, but cycles are searched in up to {seconds:.0f} s",
            remedy="cut out the part that repeats (clip[a:b])",
        )
    return step


def _radius(cloud: PointCloud) -> float:
    """Return the root mean square distance of the points from their centre, metres; the median of all
    frames.
    """
    about = cloud.positions - np.einsum("tpc,p->tc", cloud.positions, cloud.weights)[:, None]
    return float(np.sqrt(np.median(np.einsum("tpc,tpc,p->t", about, about, cloud.weights))))


def _phases(clip: Clip, distances: FloatArray, step: int) -> tuple[FloatArray, Unit]:
    """Return how many cycles have passed at every ``step``-th frame, from the gait or else from
    repetition.
    """
    if is_locomotion(clip):
        return gait_phase(clip)[::step], "stride"
    lag = _repetition_lag(distances, _min_repetition(clip) / (step * clip.frame_time))
    if lag is None:
        raise ParameterError(
            "the clip has no cycle: it shows neither a gait nor a motion that repeats at a steady pace; "
            "give a longer clip, or cut out the part that repeats"
        )
    return np.arange(len(distances)) / lag, "repetition"


def _min_repetition(clip: Clip) -> float:
    """Return the shortest repetition to look for, seconds: about a stride where both feet step repeatedly."""
    found = strides(clip)
    if {stride.side for stride in found} != {"left", "right"}:
        return MIN_CYCLE
    usual = float(np.median([stride.end - stride.start for stride in found])) * clip.frame_time
    return max(MIN_CYCLE, (1.0 - PHASE_SLACK) * usual)


def _repetition_lag(distances: FloatArray, min_lag: float) -> int | None:
    """Return the first lag at which all of the motion comes back to itself, or None."""
    n_lags = int(MAX_CYCLE * len(distances))
    means = np.array([distances.diagonal(lag).mean() for lag in range(n_lags)])
    for lag in range(max(ceil(min_lag), 1), n_lags - 1):
        apart = means[:lag].max()
        is_dip = means[lag - 1] >= means[lag] <= means[lag + 1]
        if is_dip and apart >= MIN_MOTION**2 and means[lag] <= MAX_RETURN * apart:
            return lag
    return None


def _margins(clip: Clip) -> tuple[int, int]:
    """Return the frames that remain before and after a cycle."""
    edge = round(EDGE / clip.frame_time)
    return max(edge, MIN_LEAD), max(edge, MIN_TAIL)


def _cycle_counts(clip: Clip, phases: FloatArray, unit: Unit, step: int, cycles: int | None) -> IntArray:
    """Count the whole cycles between searched frames (N, N); 0 where there is no whole number of them."""
    passed = phases[None, :] - phases[:, None]
    counts = np.rint(passed).astype(np.int64)
    frames = np.arange(0, clip.n_frames, step)
    before, after = _margins(clip)
    possible = (frames >= before)[:, None] & (frames < clip.n_frames - after)[None]
    possible &= (np.abs(passed - counts) <= PHASE_SLACK) & (counts >= 1)
    if unit == "stride":
        # Phases continue evenly before the first strike and after the last; a body that stands
        # there does not.
        found = strikes(clip)
        hits = np.searchsorted([strike.frame for strike in found], frames)
        possible &= np.abs(hits[None, :] - hits[:, None] - 2 * counts) <= 1
        slack = MAX_STRIKE_ERROR / clip.frame_time
        for side in ("left", "right"):
            own = [strike.frame for strike in found if strike.side == side]
            gone, come = np.searchsorted(own, frames - slack), np.searchsorted(own, frames + slack)
            possible &= come[None, :] > gone[:, None]
    if cycles is not None:
        possible &= counts == cycles
    if not possible.any():
        wanted = f"{cycles or 1} whole {unit}{'s' if (cycles or 1) > 1 else ''}"
        raise ParameterError(
            f"the clip holds about {np.ptp(phases):.1f} {unit}s, but not {wanted} with a frame or two to "
            "spare",
            remedy="give a longer clip, or ask for fewer",
        )
    return np.where(possible, counts, 0)


def _drop_still_cycles(counts: IntArray, distances: FloatArray) -> IntArray:
    """Return counts (N, N) without cycles in whose first repetition the body hardly moves."""
    starts, ends = np.nonzero(counts)
    middles = starts + (ends - starts) // (2 * counts[starts, ends])
    moved = np.sqrt(distances[starts, middles])
    still = moved < STILL_CYCLE * np.median(moved)
    moving = np.array(counts)
    moving[starts[still], ends[still]] = 0
    return moving


def measure_travel(clip: Clip) -> tuple[float, float]:
    """Return the mean speed of a clip over the ground, m/s, and its mean turn rate, rad/s.

    >>> from motionloom.synthesis import walk
    >>> speed, turn = measure_travel(walk(speed=1.2, curvature=0.25, duration=4.0).clip)
    >>> round(speed, 1), round(turn, 1)
    (1.2, 0.3)
    """
    # Longer smoothing would cut corners.
    path, yaws = ground_path(clip, 0, LENGTH_SMOOTHING)[:, :2], ground_path(clip)[:, 2]
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    return length / clip.duration, float(yaws[-1] - yaws[0]) / clip.duration


def _misfits_of_travel(clip: Clip, counts: IntArray, step: int, grid: DistanceGrid) -> FloatArray:
    """Return how far cycles (N, N) are from the clip's speed and turn, 1 where it starts to matter.

    Both ends of a cycle show the same phase of the gait, so the sway of the body does not count.
    """
    assert grid.yaws is not None
    starts, ends = np.nonzero(counts)
    durations = (ends - starts) * step * clip.frame_time
    yaws = ground_path(clip)[::step, 2]
    turned = -grid.yaws[starts, ends]
    turned = turned + 2.0 * np.pi * np.rint((yaws[ends] - yaws[starts] - turned) / (2.0 * np.pi))
    half = 0.5 * np.clip(np.abs(turned), 1e-6, np.pi)
    # The arc over the chord from one end to the other.
    from_centres, to_centres = grid.window_centres(starts, ends)
    chords = np.linalg.norm(to_centres - from_centres, axis=1)
    lengths = chords * half / np.sin(half)
    # A body may stand before the step to its first strike and after the one from its last.
    hits = np.array([strike.frame for strike in strikes(clip)])
    first, last = 2.0 * hits[0] - hits[1], 2.0 * hits[-1] - hits[-2]
    speed, turn = measure_travel(clip[max(round(first), 0) : round(last) + 1])
    slower = np.abs(lengths / durations - speed) / max(MAX_SPEED_MISFIT * speed, 1e-3)
    straighter = np.abs(turned / durations - turn) / max(MAX_TURN_MISFIT * abs(turn), MAX_RATE_MISFIT)
    misfits = np.zeros(counts.shape)
    misfits[starts, ends] = np.maximum(slower, straighter)
    return misfits


def _misfits_near(counts: IntArray, near: float) -> FloatArray:
    """Return how far the middles of cycles (N, N) are from a searched frame, 1 at a tenth of the cycle."""
    first, last = np.indices(counts.shape)
    return np.asarray(np.abs(0.5 * (first + last) - near) / np.maximum(MAX_NEAR * (last - first), 1.0))


def _best_cycle(
    seams: FloatArray, counts: IntArray, limit: float, misfits: FloatArray
) -> tuple[int, int, int]:
    """Return start, end and count of the most cycles with a seam (N, N) under the limit, or of the smallest
    seam.

    Of those under the limit, the smallest seam with a misfit up to 1 wins or, without any, the smallest
    misfit.
    """
    passing = counts * (seams <= limit)
    left = np.where(counts == passing.max() if passing.any() else counts > 0, seams, np.inf)
    if passing.any():
        possible = (counts == passing.max()) & (seams <= limit)
        fitting = possible & (misfits <= 1.0)
        left = np.where(fitting, seams, np.inf) if fitting.any() else np.where(possible, misfits, np.inf)
    start, end = np.unravel_index(left.argmin(), left.shape)
    return int(start), int(end), int(counts[start, end])


def _check_seam(seam: float, cloud: PointCloud) -> None:
    if seam > UNRELATED_SEAM * _radius(cloud):
        raise ParameterError(
            f"the clip has no cycle: where it comes nearest to one, both ends are {seam * 100:.0f} cm apart; "
            "give a longer clip, or cut out the part that repeats"
        )


def _refine(
    cloud: PointCloud, margins: tuple[int, int], start: int, end: int, step: int, half_width: int
) -> tuple[int, int]:
    """Return start and end of the smallest seam at full frame rate, given both to within ``step`` frames."""
    starts = range(max(start - step + 1, margins[0]), start + step)
    ends = range(end - step + 1, min(end + step, len(cloud.positions) - margins[1]))
    seams = _seam_grid(cloud, starts, ends, half_width)
    row, column = np.unravel_index(seams.argmin(), seams.shape)
    return starts[row], ends[column]


def _between_frames(clip: Clip, start: int, end: int, half_width: int) -> tuple[float, float]:
    """Return the fractional end near a whole one with the smallest seam, and that seam in metres."""
    # A frame more at the end, for fractional ends after the whole one.
    width = max(min(half_width, start, clip.n_frames - 2 - end), 1)
    around = np.arange(-width, width + 1, dtype=np.float64)
    first = point_cloud(sample_smoothly(clip, start + around))

    def seam_at(last: float) -> float:
        other = point_cloud(sample_smoothly(clip, last + around))
        return float(cloud_distance(first, other, width).values[width, width])

    best = float(end)
    for reach in FRACTION_STEPS:
        before, here, after = (seam_at(best + step) for step in (-reach, 0.0, reach))
        bend = before - 2.0 * here + after
        if bend > 0.0:
            best += float(np.clip(0.5 * (before - after) / bend, -1.0, 1.0)) * reach
    best = float(end) if abs(best - end) < SNAP_TO_FRAME else float(np.clip(best, end - 0.5, end + 0.5))
    return best, float(np.sqrt(seam_at(best)))


def _seam_grid(cloud: PointCloud, starts: range, ends: range, half_width: int) -> FloatArray:
    """Return squared seams between a few starts and a few ends at full frame rate."""
    parts, skips = [], []
    for frames in (starts, ends):
        first = max(frames[0] - half_width, 0)
        parts.append(PointCloud(cloud.positions[first : frames[-1] + half_width + 1], cloud.weights))
        skips.append(frames[0] - first)
    grid = cloud_distance(parts[0], parts[1], half_width).values
    return grid[skips[0] : skips[0] + len(starts), skips[1] : skips[1] + len(ends)]
