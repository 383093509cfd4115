"""Goals: where ankles and wrists have to go so that the held points are on their targets.

With both points of a foot held, the smallest rotation aligns them with their targets, then a shift puts them
there. With one point held, the captured orientation stays, with the correction of neighbouring frames easing
out, and a shift. All of it is stored as offsets from the captured motion, so what is on target has zero
offsets and stays.

A foot that pushes off stands on its toes, and the ball that counts as planted rises by some centimetres
without sliding. Forcing it down would pull the whole body down with it. A point of a foot may therefore rise
from its target as it does in the capture, but it neither slides nor sinks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation.ground import Ground
from motionloom.arrays import BoolArray, FloatArray, norm
from motionloom.enforcement.spread import envelope, frames_to_known, min_of_neighbours, run_means, spread
from motionloom.enforcement.targets import MAX_POINTS, HeldLimb, Hold
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.ik.two_bone import bend_axes, bend_bones, find_hinge, hinge_axes, mean_axis
from motionloom.motion import Clip

MIN_ARM = 1e-3
"""A point closer than this to its joint, metres, does not move when the joint rotates."""

EPSILON = 1e-9
"""Radians and metres below which an offset is rounding."""

MAX_SINK = 0.0005
"""A free point may be this far below the ground, metres."""

RISE_NOISE = 0.005
"""This much of a rise is taken for noise and removed, metres; small rises vanish almost entirely."""

LOW_FRACTION = 0.25
"""A point that is planted alone stands as low as in the lowest quarter of its frames."""

ON_TARGET = 0.0005
"""A point this close to its target, metres, is on it."""

NEAR_PLANT = 0.25
"""Lifting a free foot fades out within this fraction of the blend duration next to its plants."""

AHEAD = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class LimbGoals:
    """The wanted motion of the end of a limb.

    Attributes
    ----------
    held
        (T,) whether any of its points is held.
    shifts
        (T, 3) from the captured to the wanted position of the end, in held frames, metres.
    rotations
        (T, 4) wanted world rotations of the end.
    arms
        (P, T, 3) from the end to each of its points, in the world, metres.
    flex_joint
        The joint that bends between the two points, or -1.
    flexions
        (T, 4) rotations of that joint in the frame of the end, applied after its own.
    """

    held: BoolArray
    shifts: FloatArray
    rotations: FloatArray
    arms: FloatArray
    flex_joint: int
    flexions: FloatArray


@dataclass(frozen=True, eq=False)
class LimbPlan:
    """How a limb moves.

    Attributes
    ----------
    limb, goals
        The limb and the goals of its end.
    hinge
        (3,) mean axis of its middle joint, in the frame of the first one.
    base_shifts
        (T, 3) how its end moves between plants, metres.
    end_shifts
        (T, 3) how its end moves: to its goals, and along with ``base_shifts`` between them, metres.
    """

    limb: HeldLimb
    goals: LimbGoals
    hinge: FloatArray
    base_shifts: FloatArray
    end_shifts: FloatArray


def plan_limb(
    clip: Clip, limb: HeldLimb, ground: Ground, width: float, root_shifts: FloatArray | None = None
) -> LimbPlan:
    """Plan the motion of the end of a limb over all frames.

    A foot follows its own plants, and keeps above the ground where it is free; ``width`` is the number of
    frames over which corrections ease out. A hand follows the body, which moves by ``root_shifts`` (T, 3).
    """
    goals = find_goals(clip, limb, width, ground)
    hinge = find_hinge(clip.world_positions(), clip.world_rotations(), limb.chain, limb.hinge)
    base = run_means(goals.shifts, goals.held) if root_shifts is None else root_shifts
    shifts = base + spread(goals.shifts - base, goals.held, width)
    if limb.is_leg:
        shifts = _lift_above_ground(clip, limb, goals, shifts, ground, width)
    return LimbPlan(limb, goals, hinge, base, shifts)


def find_goals(clip: Clip, limb: HeldLimb, width: float, ground: Ground) -> LimbGoals:
    """Find the wanted motion of the end of a limb whose holds all have targets.

    ``width`` is the number of frames over which rotations ease out. A foot that is held at one point is
    rotated about it where the other one would sink into the ``ground``.

    >>> from dataclasses import replace
    >>> from motionloom.annotation import Floor
    >>> from motionloom.enforcement.targets import find_limbs
    >>> from motionloom.synthesis import stand
    >>> motion = stand(duration=0.5, fps=30)
    >>> clip = replace(motion.clip, constraints=motion.plants)
    >>> goals = find_goals(clip, find_limbs(clip)[0][0], 7.5, Ground(Floor(0.0)))
    >>> bool(goals.held.all()), bool(np.abs(goals.shifts).max() < 1e-9)
    (True, True)
    """
    rotations, ends = clip.world_rotations()[:, limb.end], clip.world_positions()[:, limb.end]
    points = _point_tracks(clip, limb, ends, rotations)
    flex_joint, flexions = _flex_toes(clip, limb, points, width)
    local = points.local
    if flex_joint >= 0:
        base = rot.rotate(rot.inverse(rotations), clip.world_positions()[:, flex_joint] - ends)
        local = np.stack([local[0], base + rot.rotate(flexions, local[1] - base)])
    rotated = rot.multiply(_align_points(points, local, rotations, width), rotations)
    if limb.is_leg and len(limb.points) == 2:
        rotated = rot.multiply(_raise_free_point(points, rot.rotate(rotated, local), ground, width), rotated)
    arms = rot.rotate(rotated, local)
    held = points.held[..., None]
    counts = np.maximum(held.sum(axis=0), 1)
    shifts = np.where(held, points.targets - arms - ends, 0.0).sum(axis=0) / counts
    return LimbGoals(points.any, shifts, rotated, arms, flex_joint, flexions)


def roll_heights(hold: Hold, positions: FloatArray, both: BoolArray) -> FloatArray:
    """Return the heights (N,) in metres of a foot's point in the N frames of a hold that has a target.

    ``positions`` (T, 3) are those of the point, ``both`` (T,) the frames in which two points of the foot are
    held. The point is flat on its target in those, and rises as captured in the others.

    >>> rising = np.array([[0, 0.02, 0], [0, 0.02, 0], [0, 0.08, 0]])
    >>> hold = Hold(0, range(3), np.zeros(3), np.array([0.1, 0, 0]))
    >>> roll_heights(hold, rising, np.array([True, True, False])).round(3).tolist()
    [0.0, 0.0, 0.055]
    """
    assert hold.target is not None
    frames = np.arange(hold.frames.start, hold.frames.stop)
    level, heights = float(hold.target[1]), positions[frames, 1]
    off = np.hypot(*(positions[frames] - hold.target)[:, [0, 2]].T)
    if off.max() < ON_TARGET and abs(heights.min() - level) < ON_TARGET:
        return np.asarray(np.maximum(heights, level))
    flat = frames[both[frames]]
    if len(flat):
        standing = np.interp(frames, flat, positions[flat, 1])
    else:
        standing = np.full(len(frames), np.quantile(heights, LOW_FRACTION))
    rise = np.maximum(heights - standing, 0.0)
    return np.asarray(level + rise - RISE_NOISE * (1.0 - np.exp(-rise / RISE_NOISE)))


@dataclass(frozen=True, eq=False)
class _PointTracks:
    """The points of a limb over time: held (P, T), targets (P, T, 3), local (P, T, 3) in the end's frame."""

    held: BoolArray
    targets: FloatArray
    local: FloatArray

    @property
    def both(self) -> BoolArray:
        """The frames (T,) in which two points are held."""
        return np.asarray(self.held.sum(axis=0) == MAX_POINTS)

    @property
    def any(self) -> BoolArray:
        """The frames (T,) in which at least one point is held."""
        return np.asarray(self.held.any(axis=0))


def _point_tracks(clip: Clip, limb: HeldLimb, ends: FloatArray, rotations: FloatArray) -> _PointTracks:
    positions = np.stack([point.positions(clip) for point in limb.points])
    tracks = _PointTracks(
        np.stack([point.is_held(clip.n_frames) for point in limb.points]),
        np.stack([point.targets(clip.n_frames) for point in limb.points]),
        rot.rotate(rot.inverse(rotations), positions - ends),
    )
    if limb.is_leg:
        for n, point in enumerate(limb.points):
            for hold in point.holds:
                tracks.targets[n, hold.frames, 1] = roll_heights(hold, positions[n], tracks.both)
    return tracks


def _align_points(points: _PointTracks, local: FloatArray, rotations: FloatArray, width: float) -> FloatArray:
    """Return world rotations (T, 4) that align two held points with their targets, easing out elsewhere."""
    both = points.both
    if not both.any():
        return np.broadcast_to(rot.IDENTITY, rotations.shape)
    current = rot.rotate(rotations, local[1] - local[0])
    wanted = points.targets[1] - points.targets[0]
    apart = both & (norm(current) > MIN_ARM) & (norm(wanted) > MIN_ARM)
    found = rot.between(np.where(apart[:, None], current, AHEAD), np.where(apart[:, None], wanted, AHEAD))
    return rot.from_rotation_vector(spread(rot.to_rotation_vector(found), both, width))


def _raise_free_point(points: _PointTracks, arms: FloatArray, ground: Ground, width: float) -> FloatArray:
    """Return world rotations (T, 4) that keep a free point above the ground while the other is held."""
    one = points.held[0] ^ points.held[1]
    first = points.held[0][:, None]
    held = np.where(first, points.targets[0], points.targets[1])
    offset = np.where(first, arms[1] - arms[0], arms[0] - arms[1])
    lengths = norm(offset)
    # The point moves on a circle about the held one, in the vertical plane through both.
    level = ground.heights(held + offset) - MAX_SINK + np.minimum(held[:, 1] - ground.heights(held), 0.0)
    rise = np.minimum(level - held[:, 1], lengths)
    run = np.hypot(offset[:, 0], offset[:, 2])
    sunk = one & (rise > offset[:, 1]) & (run > MIN_ARM)
    if not sunk.any():
        return np.broadcast_to(rot.IDENTITY, (len(one), 4))
    scale = np.sqrt(np.maximum(lengths**2 - rise**2, 0.0)) / np.maximum(run, MIN_ARM)
    raised = np.stack([offset[:, 0] * scale, rise, offset[:, 2] * scale], axis=-1)
    found = rot.between(np.where(sunk[:, None], offset, AHEAD), np.where(sunk[:, None], raised, AHEAD))
    return rot.from_rotation_vector(spread(rot.to_rotation_vector(found), points.any, width))


def _flex_toes(clip: Clip, limb: HeldLimb, points: _PointTracks, width: float) -> tuple[int, FloatArray]:
    """Return the joint between the two points, or -1, and rotations (T, 4) that put them at the right
    distance.

    Toes bend a little in any capture, and with them the distance from heel to toe; two planted points do not.
    """
    both, none = points.both, np.broadcast_to(rot.IDENTITY, (clip.n_frames, 4))
    if not both.any() or limb.points[1].joint == limb.end:
        return -1, none
    joint = limb.points[1].joint
    rotations, ends = clip.world_rotations()[:, limb.end], clip.world_positions()[:, limb.end]
    base = rot.rotate(rot.inverse(rotations), clip.world_positions()[:, joint] - ends)
    upper, lower = base - points.local[0], points.local[1] - base
    rigid = limb.points[0].joint == joint or norm(lower).min() < MIN_ARM
    if rigid or norm(upper).min() < MIN_ARM:
        return -1, none
    own = bend_axes(upper, lower)
    axes = hinge_axes(upper, lower, mean_axis(own[both], own[both][0]))
    lengths = norm(points.targets[1] - points.targets[0])
    angles = bend_bones(upper, lower, axes, lengths).angles
    angles = np.where(both & (np.abs(angles) > EPSILON), angles, 0.0)
    return joint, rot.from_rotation_vector(spread(axes * angles[:, None], both, width))


def _lift_above_ground(
    clip: Clip, limb: HeldLimb, goals: LimbGoals, shifts: FloatArray, ground: Ground, width: float
) -> FloatArray:
    """Raise the shifts (T, 3) of an ankle where the foot is free and would sink into the ground."""
    free = ~goals.held
    if not free.any():
        return shifts
    ends = clip.world_positions()[:, limb.end] + shifts
    points = (ends + goals.arms)[:, free]
    levels = ground.heights(points) + _target_depths(clip, limb, ground)[free]
    sunk = np.zeros(clip.n_frames)
    sunk[free] = np.maximum(levels - points[..., 1] - MAX_SINK, 0.0).max(axis=0)
    if not sunk.any():
        return shifts
    fade = smoothstep(frames_to_known(goals.held) / max(NEAR_PLANT * width, 1.0))
    return np.asarray(shifts + np.maximum(sunk, envelope(sunk, width) * fade)[:, None] * [0.0, 1.0, 0.0])


def _target_depths(clip: Clip, limb: HeldLimb, ground: Ground) -> FloatArray:
    """Return how far (T,) the targets before and after each frame lie below the ground, as negative numbers.

    Where targets are given, the ground that was found may not be the one they stand on.
    """
    depths = np.zeros(clip.n_frames)
    for point in limb.points:
        held, targets = point.is_held(clip.n_frames), point.targets(clip.n_frames)
        depths[held] = np.minimum(depths, targets[:, 1] - ground.heights(targets))[held]
    return min_of_neighbours(depths, np.any([point.is_held(clip.n_frames) for point in limb.points], axis=0))
