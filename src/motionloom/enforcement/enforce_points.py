"""Enforce constraints of points without a skeleton: held points stay, the others go along.

Without bones there is nothing to bend and nothing that would be torn: a held point is put on its target, and
the correction eases out into the frames around. What all held points have in common, the drift of the whole
figure, moves all points, as the body follows its feet; so distances between points change as little as
possible.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze, norm
from motionloom.enforcement.enforce import BLEND_DURATION
from motionloom.enforcement.report import PointEnforcementReport
from motionloom.enforcement.spread import run_means, spread
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.messages import Operation
from motionloom.motion import Constraint, PointClip
from motionloom.motion.point_body import take_body_as_points, take_points_as_body
from motionloom.motion.point_clip import fill_gaps
from motionloom.motion.provenance import derive
from motionloom.motion.result import PointClipLike, Result, unwrap
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel, unroll
from motionloom.validation import check_number


def enforce_points(
    clip: PointClipLike, *, follow: bool = True, blend_duration: float = BLEND_DURATION
) -> Result[PointEnforcementReport, PointClip]:
    """Hold constrained points of a clip without a skeleton in place.

    Parameters
    ----------
    clip
        A clip with constraints, from :func:`motionloom.annotate` or your own. A constraint without a
        target stays at the mean of its positions.
    follow
        Whether all points go along with what the held ones have in common; False moves held points alone.
    blend_duration
        Seconds over which corrections ease into neighbouring frames.

    Returns
    -------
    Result
        The motion with its targets filled in, and a :class:`PointEnforcementReport`; gaps stay gaps.

    Raises
    ------
    ParameterError
        The clip has no constraints.

    >>> drifting = [[[0.01 * frame, 0.0, 0.0], [0.01 * frame, 1.0, 0.0]] for frame in range(3)]
    >>> clip = PointClip(["foot", "head"], 0.1, drifting, constraints=(Constraint("foot", "point", 0, 2),))
    >>> enforce_points(clip).clip.positions[:, 0, 0].round(6).tolist()
    [0.01, 0.01, 0.01]
    """
    clip = unwrap(clip)
    if not isinstance(clip, PointClip):
        raise ParameterError(
            f"enforce_points takes a clip of points, not {type(clip).__name__}",
            remedy="use enforce for a skeleton",
        )
    if not clip.constraints:
        raise ParameterError(
            "the clip has no constraints, so there is nothing to enforce",
            remedy=("find plants of its points first with ", Operation("motionloom.annotate")),
        )
    if not isinstance(follow, bool):
        raise ParameterError(f"must be True or False, not {follow!r}", parameter="follow", value=follow)
    duration = check_number("blend_duration", blend_duration, min=0.0, unit="seconds")
    if clip.cyclic and clip.n_frames >= MIN_CYCLE_FRAMES:
        return _enforce_cycle(clip, follow, duration)
    positions = fill_gaps(clip.positions)
    held = np.zeros(positions.shape[:2], dtype=np.bool_)
    shifts = np.zeros_like(positions)
    constraints = []
    for constraint in clip.constraints:
        column, frames = clip.names.index(constraint.joint), constraint.whole_frames(clip.n_frames)
        track = positions[frames, column]
        target = constraint.target
        if target is None and len(track):
            target = freeze(track.mean(axis=0))
        constraints.append(replace(constraint, target=target))
        if target is not None and len(track):
            held[frames, column] = True
            shifts[frames, column] = target - track
    width = duration / clip.frame_time
    # 1. What held points have in common moves everything.
    counts = np.maximum(held.sum(axis=1), 1)[:, None]
    common = np.zeros((clip.n_frames, 3))
    if follow:
        common = run_means(shifts.sum(axis=1) / counts, np.asarray(held.any(axis=1)))
    # 2. Held points do the rest by themselves.
    moved = positions + common[:, None]
    for column in np.flatnonzero(held.any(axis=0)).tolist():
        own = np.where(held[:, column, None], shifts[:, column] - common, 0.0)
        moved[:, column] += spread(own, held[:, column], width)
    report = PointEnforcementReport(len(clip.constraints), _max_size(shifts[held]), _max_size(common))
    held_clip = replace(
        clip,
        positions=freeze(np.where(np.isnan(clip.positions), np.nan, moved)),
        constraints=tuple(constraints),
        provenance=derive(clip, "enforced"),
    )
    return Result(held_clip, report)


def _max_size(vectors: FloatArray) -> float:
    return float(norm(vectors).max(initial=0.0))


def _enforce_cycle(
    clip: PointClip, follow: bool, blend_duration: float
) -> Result[PointEnforcementReport, PointClip]:
    """Enforce a cyclic clip between repeats of itself, so that plants continue over the seam.

    There are as many repeats as corrections need to ease out. Targets that are given stay.
    """
    body = take_points_as_body(clip)
    # Corrections may ease out over more than one cycle.
    n_around = max(1, int(np.ceil(blend_duration / (clip.n_frames * clip.frame_time))))
    cycles = take_body_as_points(replace(unroll(body, 2 * n_around + 1), cyclic=False), clip)
    result = enforce_points(cycles, follow=follow, blend_duration=blend_duration)
    moved = result.clip
    first = n_around * clip.n_frames
    step, back = travel(body).inverse(), GroundTransform()
    for _ in range(n_around):
        back = step @ back
    positions = back.apply(moved.positions[first : first + clip.n_frames])
    targets = tuple(_find_target(c, moved.constraints, first) for c in clip.constraints)
    closed = replace(
        clip,
        positions=freeze(np.where(np.isnan(clip.positions), np.nan, positions)),
        constraints=tuple(
            c if target is None else replace(c, target=back.apply(target))
            for c, target in zip(clip.constraints, targets, strict=True)
        ),
        provenance=derive(clip, "enforced"),
    )
    return Result(closed, replace(result.report, n_plants=len(clip.constraints)))


def _find_target(constraint: Constraint, moved: tuple[Constraint, ...], first: int) -> FloatArray | None:
    """Return the target of the constraint that holds the same point in the cycle from frame ``first`` on."""
    frame = (constraint.start + constraint.end) / 2.0 + first
    for other in moved:
        same = (other.joint, other.kind) == (constraint.joint, constraint.kind)
        if same and other.start <= frame <= other.end:
            return other.target
    return None
