"""Going on after the last frame of a cyclic clip: the travel of one cycle, and many cycles in a row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import isclose

import numpy as np

from motionloom.arrays import freeze
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.messages import Operation
from motionloom.motion.annotations import Constraint, retime_annotations
from motionloom.motion.clip import Clip
from motionloom.motion.provenance import OWN_SOURCE, derive
from motionloom.motion.sampling import frame_time_of
from motionloom.validation import check_count

STEPS_AROUND = (-2, -1, 0, 1)
STEP_WEIGHTS = np.array([-1.0, 4.0, 4.0, -1.0]) / 6.0
"""The cubic through the two steps before the seam and the two after it, taken at the seam. For the built-in
jog at 30 frames per second it misses the true step by 0.003 mm, the mean of both neighbours by 0.1 mm."""

MIN_CYCLE_FRAMES = len(STEPS_AROUND) + 1
"""Frames that a cyclic clip needs for its travel."""


def travel(clip: Clip) -> GroundTransform:
    """Where one cycle of a cyclic clip leads: frame T would be frame 0, moved by this transform.

    A clip of T frames holds the T - 1 steps of its root over the ground (turn, sideways, forward, seen from
    where the root is); the step from the last frame back to the first is missing. It is interpolated from the
    two steps before and the two after it, so the transform follows from the frames alone.

    Parameters
    ----------
    clip
        A cyclic clip of five frames or more.

    >>> from motionloom.cycles.cyclify import cyclify
    >>> from motionloom.synthesis import walk
    >>> loop = cyclify(walk(speed=1.2, curvature=0.3).clip, cycles=1)
    >>> way = travel(loop.clip)
    >>> bool(abs(way.yaw - 0.3 * 1.2 * loop.report.duration) < 1e-3)
    True
    """
    _check_cyclic(clip)
    clip = clip.body
    if clip.n_frames < MIN_CYCLE_FRAMES:
        raise ParameterError(
            f"a cyclic clip of {clip.n_frames} frames has no steps to go on from: "
            f"it needs {MIN_CYCLE_FRAMES} frames or more"
        )
    placement = (
        root_placement(clip, clip.n_frames - 1) @ step_over_seam(clip) @ root_placement(clip, 0).inverse()
    )
    return replace(placement, yaw=_turn_nearest(clip, wrap_angle(placement.yaw)))


def unroll(clip: Clip, cycles: int) -> Clip:
    """A whole number of cycles of a cyclic clip in a row, each where the one before leads; cyclic as well.

    Constraints that are cut in two at a seam are joined; at the first and the last frame they stay cut.

    >>> from motionloom.cycles.cyclify import cyclify
    >>> from motionloom.synthesis import walk
    >>> loop = cyclify(walk().clip, cycles=1).clip
    >>> unroll(loop, 3).n_frames == 3 * loop.n_frames
    True
    """
    _check_cyclic(clip)
    check_count("cycles", cycles)
    if clip.body is not clip:
        return unroll(clip.body, cycles).arranged()
    placements = _placements(clip, cycles)
    n_frames = clip.n_frames
    rotations = np.tile(clip.rotations, (cycles, 1, 1))
    for n, placement in enumerate(placements):
        part = slice(n * n_frames, (n + 1) * n_frames)
        rotations[part, 0] = placement.apply_to_rotations(clip.rotations[:, 0])
    return replace(
        clip,
        root_positions=freeze(
            np.concatenate([placement.apply(clip.root_positions) for placement in placements])
        ),
        rotations=freeze(rotations),
        translations=None if clip.translations is None else np.tile(clip.translations, (cycles, 1, 1)),
        constraints=_join(
            _move(c, placement, n * n_frames)
            for n, placement in enumerate(placements)
            for c in clip.constraints
        ),
        events=tuple(e.retimed(1.0, n * n_frames) for n in range(cycles) for e in clip.events),
        provenance=OWN_SOURCE,
    )


def extend_cycle(clip: Clip, n_frames: int) -> Clip:
    """As many frames of a cyclic clip as asked for, cycle after cycle; the result is not cyclic.

    >>> from motionloom.cycles.cyclify import cyclify
    >>> from motionloom.synthesis import walk
    >>> extend_cycle(cyclify(walk().clip, cycles=1).clip, 100)
    Clip(100 frames at 60 fps, 22 joints, 9 constraints, 51 events)
    """
    _check_cyclic(clip)
    check_count("n_frames", n_frames)
    many = unroll(clip, -(-int(n_frames) // clip.n_frames))
    return replace(many[:n_frames], cyclic=False)


def resample_cycle(clip: Clip, fps: float) -> Clip:
    """A cyclic clip at another frame rate, still cyclic: its period is rounded to a whole number of frames.

    This is what :meth:`Clip.resampled` does with cyclic clips.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> loop = cyclify(walk(fps=60).clip, cycles=1).clip
    >>> other = loop.resampled(50)
    >>> other.cyclic, loop.n_frames, other.n_frames
    (True, 62, 52)
    """
    _check_cyclic(clip)
    if clip.body is not clip:
        return resample_cycle(clip.body, fps).arranged()
    wanted = frame_time_of(fps)
    n_frames = round(clip.n_frames * clip.frame_time / wanted)
    if n_frames < MIN_CYCLE_FRAMES:
        raise ParameterError(
            f"at {fps:g} frames per second the cycle has {n_frames} frames and needs at least "
            f"{MIN_CYCLE_FRAMES}",
            remedy="use a higher rate",
        )
    scale = n_frames / clip.n_frames
    poses = extend_cycle(clip, clip.n_frames + 1).at(np.arange(n_frames) * clip.n_frames / n_frames)
    constraints, events = retime_annotations(clip.constraints, clip.events, scale, 0.0, n_frames)
    return replace(
        clip,
        frame_time=wanted,
        root_positions=poses.root_positions,
        rotations=poses.rotations,
        translations=poses.translations,
        constraints=tuple(_up_to_seam(constraint, n_frames) for constraint in constraints),
        events=events,
        provenance=derive(clip, "resampled", rate=clip.n_frames / n_frames),
    )


def _check_cyclic(clip: Clip) -> None:
    if not clip.cyclic:
        raise ParameterError(
            "the clip is not cyclic", remedy=("close it first with ", Operation("motionloom.cyclify"))
        )


def _placements(clip: Clip, cycles: int) -> list[GroundTransform]:
    """The placement of each cycle."""
    placements = [GroundTransform()]
    if cycles > 1:
        placement = travel(clip)
        for _ in range(cycles - 1):
            placements.append(placement @ placements[-1])
    return placements


def step_over_seam(clip: Clip) -> GroundTransform:
    """The root's step over the ground from the last frame to the first, interpolated from those around it."""
    before = np.array(STEPS_AROUND) % (clip.n_frames - 1)
    steps = [root_placement(clip, n).inverse() @ root_placement(clip, n + 1) for n in before.tolist()]
    turn, x, z = STEP_WEIGHTS @ [[wrap_angle(step.yaw), step.x, step.z] for step in steps]
    return GroundTransform(float(turn), float(x), float(z))


def root_placement(clip: Clip, frame: int) -> GroundTransform:
    """Turn and place of the root on the ground; turns count from frame 0, so no rest pose is singular."""
    since_start = rot.multiply(clip.rotations[frame, 0], rot.inverse(clip.rotations[0, 0]))
    x, _, z = clip.root_positions[frame].tolist()
    return GroundTransform(float(rot.yaw_of(since_start)), x, z)


def wrap_angle(angle: float) -> float:
    """The angle within half a turn of zero."""
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)


def _turn_nearest(clip: Clip, yaw: float) -> float:
    """The yaw plus the whole turns that the root makes in a cycle, so that a full circle is not lost."""
    since_start = rot.multiply(clip.rotations[:, 0], rot.inverse(clip.rotations[0, 0]))
    turned = float(np.unwrap(rot.yaw_of(since_start))[-1])
    return yaw + 2.0 * np.pi * round((turned - yaw) / (2.0 * np.pi))


def _move(constraint: Constraint, placement: GroundTransform, shift: float) -> Constraint:
    target = None if constraint.target is None else placement.apply(constraint.target)
    return replace(constraint.retimed(1.0, shift), target=target)


def _up_to_seam(constraint: Constraint, n_frames: int) -> Constraint:
    """A constraint that rounding keeps from the seam of a cycle, brought up to it; others as they are."""
    return replace(constraint, end=n_frames) if isclose(constraint.end, n_frames) else constraint


def _join(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Constraints of one joint and kind that touch become one, with the target of the first."""
    lanes: dict[tuple[str, str], list[Constraint]] = {}
    for constraint in sorted(constraints, key=lambda c: c.start):
        lane = lanes.setdefault((constraint.joint, constraint.kind), [])
        if lane and lane[-1].end == constraint.start:
            lane[-1] = replace(lane[-1], end=constraint.end)
        else:
            lane.append(constraint)
    return tuple(constraint for lane in lanes.values() for constraint in lane)
