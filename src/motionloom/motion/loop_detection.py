"""Loops that are loops already: clips whose last frame continues into their first.

Games ship walks, runs and idles as one cycle. In such a clip the step from the last pose to the first fits
between its neighbours as well as the steps inside the clip do. That alone is also true of an action that
starts and ends at rest in one pose, so a loop has to move on across its seam, walk, or sway a little all the
way through, as someone who stands and breathes does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion.anatomy import find_anatomy, tree
from motionloom.motion.clip import Clip
from motionloom.motion.kinematics import world_positions_at
from motionloom.motion.unroll import MIN_CYCLE_FRAMES

MIN_FRAMES = 8
"""A loop with fewer frames does not show how evenly it moves."""

MIN_DURATION = 0.2
"""Seconds; a shorter loop is trembling."""

REPEATED_STEP = 0.2
"""The last frame repeats the first when a joint is this fraction of its step beside the seam away from it."""

REPEATED_JOINTS = 0.8
"""Fraction of the joints that a repeated frame repeats: a key of one foot may have been forgotten."""

ROUNDING = 1e-4
"""Files round positions to this, metres."""

SEAM_QUANTILE, SEAM_FACTOR = 0.9, 1.5
"""The change of step at the seam is at most this factor times what the clip itself stays below for this
fraction of its frames. Loops drawn by hand reach 1.2."""

MAX_SEAM_CHANGE = 0.7
"""Without a repeated frame, the change of step at the seam is also at most this fraction of the speed there:
cycles reach 0.55, while captured takes whose ends happen to look alike start at 0.9."""

MIN_SEAM_SPEED = 0.25
"""A loop that moves on passes its seam at this fraction of its median speed at least, on both sides. Actions
that start or end at rest reach 0.23, walks and runs drawn with eased keys pass theirs at 0.26 and more."""

MIN_LEG_SWING, MAX_LEG_CORRELATION = 0.25, -0.5
"""In a gait feet swing by this fraction of the leg's length, and against each other; strolls reach 0.4."""

UNRELATED_STEPS = 5.0
"""Ends that are more than this many of their neighbours' steps apart, and more than a sway, are not compared
any further."""

MAX_SWAY = 0.008
"""Someone who idles keeps within this fraction of the sum of all bones around the mean pose (RMS)."""

MIN_MOTION = 1e-3
"""Less motion than this around the mean pose, metres (RMS), is a held pose and no loop."""

MAX_SPEED_RATIO = 4.0
"""An idle moves evenly: at most this many times as fast as its median, unlike a flinch."""


BLOCK = 128
"""Frames that are looked at together, to keep memory small."""


@dataclass(frozen=True)
class ClosedLoop:
    """A clip that is a loop already.

    Attributes
    ----------
    n_frames
        Frames of the cycle.
    repeated
        Whether the clip has one frame more, which repeats the first.
    duration
        Seconds of one cycle.
    """

    n_frames: int
    repeated: bool
    duration: float

    def __str__(self) -> str:
        dropped = ", a repeated last frame was dropped" if self.repeated else ""
        return f"the last frame continues into the first: a loop of {self.duration:.2f} s{dropped}"


def find_closed_loop(clip: Clip) -> ClosedLoop | None:
    """Tell whether a clip's last frame continues into its first, or repeats it.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> captured = walk(duration=3.0).clip
    >>> find_closed_loop(captured)
    >>> print(find_closed_loop(replace(cyclify(captured).clip, cyclic=False)))
    the last frame continues into the first: a loop of 2.05 s
    """
    if clip.n_frames < MIN_FRAMES:
        return None
    body = clip.body
    ends = poses_in_place(body, [0, 1, -3, -2, -1])
    if _ends_far_apart(body, ends):
        return None
    repeated = _repeats_first(ends)
    n_frames = clip.n_frames - 1 if repeated else clip.n_frames
    duration = n_frames * clip.frame_time
    if n_frames < MIN_FRAMES or duration < MIN_DURATION or not (repeated or _goes_on(ends)):
        return None
    # Only now are all frames looked at: most clips end elsewhere than they begin.
    poses = poses_in_place(body)[:n_frames]
    if not _fits_at_seam(poses):
        return None
    if not (_moves_on(poses) or _walks(body, poses) or _sways(body, poses)):
        return None
    return ClosedLoop(n_frames, repeated, duration)


def close_loop(clip: Clip, loop: ClosedLoop | None = None) -> Clip:
    """Return the clip as a cyclic one, without a repeated last frame.

    Parameters
    ----------
    clip
        The motion.
    loop
        What :func:`find_closed_loop` found; by default the clip is a loop, whatever its ends are like.
    """
    ends = [0, 1, -2, -1] if clip.n_frames > 1 else [0, 0]
    repeated = _repeats_first(poses_in_place(clip.body, ends)) if loop is None else loop.repeated
    frames = clip[:-1] if repeated else clip
    if frames.n_frames < MIN_CYCLE_FRAMES:
        raise ParameterError(
            f"a cyclic clip needs {MIN_CYCLE_FRAMES} frames or more, and this one has {frames.n_frames}"
        )
    # What was dropped is no cut: the frames are still all there is of the file.
    return replace(frames, cyclic=True, provenance=clip.provenance)


def _ends_far_apart(body: Clip, ends: FloatArray) -> bool:
    """Tell whether the first and last poses have nothing to do with each other, as in most captured takes."""
    first, second, before, last = ends[[0, 1, -2, -1]]
    step = float(_rms(np.array([second - first, last - before])).max())
    return float(_rms(last - first)) > max(UNRELATED_STEPS * step, MAX_SWAY * tree.size(body.skeleton))


def poses_in_place(body: Clip, frames: Sequence[int] | None = None) -> FloatArray:
    """Return the joints (T, J, 3) seen from the ground position and the turn of the root, metres.

    Of some frames these take the positions of those frames alone.
    """
    rotations = body.rotations[:, 0] if frames is None else body.rotations[frames, 0]
    positions = body.world_positions() if frames is None else world_positions_at(body, frames)
    yaws = rot.yaw_of(rot.multiply(rotations, rot.inverse(body.rotations[:1, 0])))
    poses = positions - positions[:, :1] * [1.0, 0.0, 1.0]
    # Yaw turns z towards x; seen from a turned root, it goes the other way.
    cosines, sines = np.cos(yaws)[:, None], np.sin(yaws)[:, None]
    x = poses[..., 0] * cosines - poses[..., 2] * sines
    poses[..., 2] = poses[..., 0] * sines + poses[..., 2] * cosines
    poses[..., 0] = x
    return np.asarray(poses)


def _rms(vectors: FloatArray) -> FloatArray:
    """Return the root mean square length (...) of vectors (..., J, 3)."""
    return np.asarray(np.sqrt((vectors**2).sum(axis=-1).mean(axis=-1)))


def _rms_in_blocks(
    poses: FloatArray, n_shared: int, vectors: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """Return the RMS (T - S,) of vectors (B - S, J, 3) that each block of B frames gives.

    Blocks share S frames. Whole clips would take several copies of all positions.
    """
    starts = range(0, len(poses) - n_shared, BLOCK)
    return np.concatenate([_rms(vectors(poses[start : start + BLOCK + n_shared])) for start in starts])


def _changes_of(steps: FloatArray) -> FloatArray:
    """Return how far (N - 2, J, 3) each step is from the mean of its neighbours."""
    return np.asarray(steps[1:-1] - 0.5 * (steps[:-2] + steps[2:]))


def _repeats_first(poses: FloatArray) -> bool:
    gaps = np.linalg.norm(poses[-1] - poses[0], axis=-1)
    ends = [np.linalg.norm(step, axis=-1) for step in (poses[1] - poses[0], poses[-1] - poses[-2])]
    same = gaps <= np.maximum(REPEATED_STEP * np.maximum(*ends), ROUNDING)
    # A pose that is held at the end looks like the first one too, but there is nothing to go on to.
    return bool(same.mean() >= REPEATED_JOINTS)


def _steps_at_seam(poses: FloatArray) -> FloatArray:
    """Return the steps (3, J, 3) before, over and after the seam."""
    return np.array([poses[-1] - poses[-2], poses[0] - poses[-1], poses[1] - poses[0]])


def _goes_on(ends: FloatArray) -> bool:
    """Tell whether the step over the seam differs from its neighbours by less than they are long."""
    steps = _steps_at_seam(ends)
    change = _rms(_changes_of(steps))[0]
    return bool(change <= MAX_SEAM_CHANGE * _rms(steps).mean())


def _fits_at_seam(poses: FloatArray) -> bool:
    """Tell whether the step over the seam differs from its neighbours no more than steps usually do."""
    changes = _rms_in_blocks(poses, 3, lambda block: _changes_of(np.diff(block, axis=0)))
    change = _rms(_changes_of(_steps_at_seam(poses)))[0]
    return bool(change <= SEAM_FACTOR * np.quantile(changes, SEAM_QUANTILE) + ROUNDING)


def _moves_on(poses: FloatArray) -> bool:
    """Tell whether the body moves on both sides of the seam."""
    speeds = _rms_in_blocks(poses, 1, lambda block: np.diff(block, axis=0))
    across = _rms(poses[0] - poses[-1])
    passing = 0.5 * (across + min(speeds[-1], speeds[0]))
    mean = poses.mean(axis=0)
    moving = _rms_in_blocks(poses, 0, lambda block: block - mean).max() >= MIN_MOTION
    return bool(moving and passing >= MIN_SEAM_SPEED * np.median(speeds))


def _walks(body: Clip, poses: FloatArray) -> bool:
    """Tell whether both feet swing far, and against each other."""
    legs = find_anatomy(body.skeleton).legs
    if len(legs) != 2:
        return False
    left, right = leg_swings(body, poses)
    if min(np.ptp(left), np.ptp(right)) < MIN_LEG_SWING:
        return False
    return bool(np.corrcoef(left, right)[0, 1] <= MAX_LEG_CORRELATION)


def leg_swings(body: Clip, poses: FloatArray) -> FloatArray:
    """Return how far (2, T) the feet of a body with two legs swing, as fractions of the legs' lengths.

    They swing along the direction in which both move most; 0 is the mean of each.

    Parameters
    ----------
    body
        The motion.
    poses
        (T, J, 3) its joints in place, from :func:`poses_in_place`.
    """
    legs = find_anatomy(body.skeleton).legs
    lengths = [tree.length_between(body.skeleton, leg.hip, leg.ankle) for leg in legs]
    swings = [
        (poses[:, leg.ankle] - poses[:, leg.hip]) / max(length, ROUNDING)
        for leg, length in zip(legs, lengths, strict=True)
    ]
    swings = [swing - swing.mean(axis=0) for swing in swings]
    along = np.linalg.svd(np.concatenate(swings), full_matrices=False)[2][0]
    return np.stack([swing @ along for swing in swings])


def _sways(body: Clip, poses: FloatArray) -> bool:
    """Tell whether the body moves a little, and evenly."""
    mean = poses.mean(axis=0)
    apart = _rms_in_blocks(poses, 0, lambda block: block - mean).max()
    if not MIN_MOTION <= apart <= MAX_SWAY * tree.size(body.skeleton):
        return False
    speeds = _rms_in_blocks(poses, 1, lambda block: np.diff(block, axis=0))
    return bool(np.quantile(speeds, SEAM_QUANTILE) <= MAX_SPEED_RATIO * np.median(speeds))
