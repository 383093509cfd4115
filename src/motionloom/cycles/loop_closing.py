"""Close a cycle: ease both ends into one pose and one velocity that lie half-way between them."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.provenance import OWN_SOURCE
from motionloom.motion.sampling import sample_rotations, sample_vectors
from motionloom.motion.unroll import root_placement, step_over_seam, wrap_angle
from motionloom.registration.distance import cloud_distance
from motionloom.registration.point_cloud import PointCloud, point_cloud

SLOPE_EASE = 0.1
"""Seconds on each side of the seam over which a difference in velocity fades out. Over a longer time it would
carry joints away: on captured gaits 0.5 s moves feet by up to 15 cm and smooths nothing."""

MIN_EASE = 2
"""Frames on each side of the seam that change at least: one step can then differ from the next."""

SEAM_WEIGHTS = {-2: -3 / 35, -1: 9 / 35, 0: -9 / 35, 1: 3 / 35}
"""How far each frame around the seam moves when the step over the seam is off by one: the smallest change of
the steps from frame to frame that makes the one over the seam agree with those around it."""

TRAVEL_ITERATIONS = 4
"""Each leaves about a hundredth of the error, since turns and shifts mix a little."""


class CapturedCycle(NamedTuple):
    """A cycle at whole frames with some captured motion around it.

    Attributes
    ----------
    clip
        ``margin`` frames before the cycle, its T frames, the one that follows and ``margin`` more.
    n_frames
        T.
    margin
        At least 1.
    """

    clip: Clip
    n_frames: int
    margin: int


def sample_cycle(clip: Clip, start: int, end: float, margin: int) -> CapturedCycle:
    """Sample a cycle of fractional length so that it takes a whole number of frames.

    The frame rate stays; time runs faster or slower by at most half a frame per cycle. ``margin`` frames are
    added on each side, or as many as the clip has.

    >>> from motionloom.synthesis import walk
    >>> captured = sample_cycle(walk(duration=2.0).clip, start=10, end=71.8, margin=4)
    >>> captured.n_frames, captured.margin, captured.clip.n_frames
    (62, 4, 71)
    """
    n_frames = round(end - start)
    pace = (end - start) / n_frames
    room = min(start, clip.n_frames - 1 - end) / pace
    margin = int(np.clip(np.floor(room + 1e-9), 1, margin))
    times = start + pace * np.arange(-margin, n_frames + margin + 1)
    return CapturedCycle(sample_smoothly(clip, np.clip(times, 0.0, clip.n_frames - 1)), n_frames, margin)


def sample_smoothly(clip: Clip, frames: FloatArray) -> Clip:
    """Return a clip of the poses at fractional frames (N,), by cubics through four frames; not annotated.

    Linear sampling would flatten every peak and leave corners in the velocities.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> bool((sample_smoothly(clip, np.arange(5.0)).root_positions == clip.root_positions[:5]).all())
    True
    """
    bones = clip.translations
    return replace(
        clip,
        root_positions=freeze(sample_vectors(clip.root_positions, frames, "lagrange")),
        rotations=freeze(sample_rotations(clip.rotations, frames, "lagrange")),
        translations=None if bones is None else freeze(sample_vectors(bones, frames, "lagrange")),
        constraints=(),
        events=(),
        cyclic=False,
        provenance=OWN_SOURCE,
    )


def seam_placement(captured: CapturedCycle) -> GroundTransform:
    """Return the travel of one cycle: it moves the motion around the start onto the motion around the end.

    >>> from motionloom.synthesis import walk
    >>> captured = sample_cycle(walk(speed=1.2, duration=3.0).clip, start=10, end=72.0, margin=4)
    >>> round(seam_placement(captured).z, 2)
    1.26
    """
    cloud = point_cloud(captured.clip)
    margin, n_frames = captured.margin, captured.n_frames
    around_start = PointCloud(cloud.positions[: 2 * margin + 1], cloud.weights)
    around_end = PointCloud(cloud.positions[n_frames:], cloud.weights)
    return cloud_distance(around_end, around_start, margin, placements=True).placement(margin, margin)


def close_cycle(captured: CapturedCycle, travel: GroundTransform, ease: int) -> Clip:
    """Return the cycle (T frames) with both ends eased into their mean, in position and velocity.

    Parameters
    ----------
    captured
        The cycle as captured.
    travel
        Placement of the next cycle: frame T of the result would be its frame 0, moved by this.
    ease
        Frames on each side of the seam that change; at most half of the cycle.

    >>> from motionloom.synthesis import walk
    >>> captured = sample_cycle(walk(duration=3.0).clip, start=10, end=71.9, margin=4)
    >>> close_cycle(captured, seam_placement(captured), ease=30)
    Clip(62 frames at 60 fps, 22 joints, 0 constraints, 0 events)
    """
    ease = max(min(ease, captured.n_frames // 2), MIN_EASE)
    # The end, moved back to where the cycle began, so that both ends can be compared.
    back = captured.clip.placed(travel.inverse())
    roots = _close_vectors(captured, captured.clip.root_positions, back.root_positions, ease)
    rotations = _close_rotations(captured, captured.clip.rotations, back.rotations, ease)
    tail = slice(captured.n_frames - ease, captured.n_frames)
    roots[tail] = travel.apply(roots[tail])
    rotations[tail, 0] = travel.apply_to_rotations(rotations[tail, 0])
    bones = captured.clip.translations
    return replace(
        captured.clip,
        root_positions=freeze(roots),
        rotations=freeze(rotations),
        translations=None if bones is None else freeze(_close_vectors(captured, bones, bones, ease)),
    )


def match_travel(cycle: Clip, travel: GroundTransform) -> Clip:
    """Adjust the root around the seam so that the travel interpolated from the frames is ``travel``.

    :func:`~motionloom.motion.unroll.travel` interpolates the step over the seam from those around it; noise
    in them would lead a little away. Two frames on each side move by about a quarter of the error.

    >>> from motionloom.motion.unroll import travel
    >>> from motionloom.synthesis import walk
    >>> clip = replace(walk(duration=1.0).clip, cyclic=True)
    >>> placement = GroundTransform(0.01, 0.0, 1.40)
    >>> round(travel(match_travel(clip, placement)).z, 9)
    1.4
    """
    roots, rotations = np.array(cycle.root_positions), np.array(cycle.rotations)
    current = cycle
    for _ in range(TRAVEL_ITERATIONS):
        last, first = root_placement(current, current.n_frames - 1), root_placement(current, 0)
        wanted, found = last.inverse() @ travel @ first, step_over_seam(current)
        off = np.array([wrap_angle(wanted.yaw - found.yaw), wanted.x - found.x, wanted.z - found.z])
        for frame, weight in SEAM_WEIGHTS.items():
            turn, x, z = (weight * off).tolist()
            heading = GroundTransform(root_placement(current, frame).yaw)
            roots[frame] += heading.apply_to_directions([x, 0.0, z])
            rotations[frame, 0] = rot.multiply(rot.from_yaw(turn), rotations[frame, 0])
        current = replace(cycle, root_positions=freeze(roots.copy()), rotations=freeze(rotations.copy()))
    return current


def _close_vectors(captured: CapturedCycle, values: FloatArray, back: FloatArray, ease: int) -> FloatArray:
    """Return vectors (T, ..., C) of the cycle; the eased tail is left where ``back`` has it."""
    start, end = captured.margin, captured.margin + captured.n_frames
    gap = values[start] - back[end]
    slope = 0.5 * ((values[start + 1] - values[start - 1]) - (back[end + 1] - back[end - 1]))
    head, tail = _ease_gap(gap, slope, ease, captured.clip.frame_time)
    out = np.array(values[start:end])
    out[:ease] += head
    out[len(out) - ease :] = back[end - ease : end] + tail
    return out


def _close_rotations(captured: CapturedCycle, values: FloatArray, back: FloatArray, ease: int) -> FloatArray:
    """Return rotations (T, J, 4) of the cycle; the eased tail is left where ``back`` has it."""
    start, end = captured.margin, captured.margin + captured.n_frames
    gap = rot.to_rotation_vector(rot.multiply(values[start], rot.inverse(back[end])))
    # Angular velocities, seen from the pose half-way between.
    half = rot.from_rotation_vector(0.5 * gap)
    slope = rot.rotate(rot.inverse(half), _turn_rate(values, start)) - rot.rotate(half, _turn_rate(back, end))
    head, tail = _ease_gap(gap, slope, ease, captured.clip.frame_time)
    out = np.array(values[start:end])
    out[:ease] = rot.multiply(rot.from_rotation_vector(head), out[:ease])
    out[len(out) - ease :] = rot.multiply(rot.from_rotation_vector(tail), back[end - ease : end])
    return rot.normalize(out)


def _turn_rate(values: FloatArray, frame: int) -> FloatArray:
    """Return rotation vectors per frame (J, 3) at a frame, by central difference."""
    turned = rot.multiply(values[frame + 1], rot.inverse(values[frame - 1]))
    return 0.5 * rot.to_rotation_vector(turned)


def _ease_gap(
    gap: FloatArray, slope: FloatArray, ease: int, frame_time: float
) -> tuple[FloatArray, FloatArray]:
    """Return changes of the first and of the last ``ease`` frames that close a gap (...) in value and in
    slope.

    Central differences on both sides make the acceleration at the seam the mean of the captured ones.
    """
    frames = np.arange(ease + 1.0).reshape(-1, *[1] * gap.ndim)
    away = frames / ease
    slope_ease = max(min(ease, round(SLOPE_EASE / frame_time)), MIN_EASE)
    near = np.minimum(frames / slope_ease, 1.0)
    # Quintics that leave the seam with value 1 and slope 0, or value 0 and slope 1, and fade out smoothly.
    value = 1.0 - away**3 * (10.0 - 15.0 * away + 6.0 * away**2)
    rise = near * (1.0 - near) ** 3 * (1.0 + 3.0 * near)
    # Slopes are steps between frames here; at low frame rates the quintic's own slope misses much of one.
    rise = rise / rise[1]
    head = -0.5 * (gap * value + slope * rise)
    tail = 0.5 * (gap * value - slope * rise)
    return head[:-1], tail[:0:-1]
