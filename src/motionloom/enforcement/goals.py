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

from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.ground import Ground
from motionloom.annotation.signals import runs as find_runs
from motionloom.arrays import BoolArray, FloatArray, norm, quantile
from motionloom.enforcement.spread import frames_to_known, min_of_neighbours, spread
from motionloom.enforcement.targets import (
    LOW_FRACTION,
    MAX_POINTS,
    MAX_TIP_RISE,
    ON_TARGET,
    QUIET,
    HeldLimb,
    Hold,
)
from motionloom.geometry import rotations as rot
from motionloom.geometry.banded import BandedProblem
from motionloom.geometry.splines import fade, smoothstep
from motionloom.ik.two_bone import (
    bend_axes,
    bend_bones,
    find_hinge,
    hinge_axes,
    mean_axis,
)
from motionloom.motion import Clip
from motionloom.motion.anatomy import tree
from motionloom.motion.filters import envelope, smooth
from motionloom.motion.mesh_soles import MeshSole
from motionloom.quality.stances import SoleTracks, find_darts

MIN_ARM = 1e-3
"""A point closer than this to its joint, metres, does not move when the joint rotates."""

EPSILON = 1e-9
"""Radians and metres below which an offset is rounding."""

MAX_SINK = 0.0005
"""A free point may be this far below the ground, metres."""

MAX_OWN_SINK = 0.01
"""So far a free foot stays below its own floor where it was captured there, metres."""

LEVEL_TIME = 0.1
"""Seconds over which the height of a standing foot above the ground is levelled."""

MAX_TILT = 0.01
"""A sole lies flat while one of its ends is at most this much higher than usual against the other, metres."""

NEAR_PLANT = 0.25
"""Lifting a free foot fades out within this fraction of the blend duration next to its plants."""

LOW = (0.03, 0.08)
"""A point of the sole counts as near the ground up to the first height, and not at all from the second on,
metres."""

SLOW = (0.25, 0.5)
"""It counts as slow up to the first speed, and not at all from the second on, m/s."""

STILLNESS = 60.0
"""How much more the movement of a low and slow point counts than that of a correction in mid-swing."""

EASE_TIME = 0.06
"""Seconds in which rotations of a foot ease out by two thirds."""

BEND_TIME = 0.03
"""Seconds: within about this time of the frames in which they are known, rotations leave with their speed."""

MAX_LEFT_SINK = 3e-5
"""A free point of a planted foot that sinks this much too far, metres, stays."""

JITTER_DURATION = 0.12
"""Seconds over which the lengths that knees bend for are averaged. Captured feet jitter by millimetres, for
which a nearly straight knee would make large movements."""

JITTER_RISE = (0.0, 0.002)
"""How far a standing foot may sink and rise to keep its knee steady, metres: nobody sees it."""

STEP_HEIGHT, MAX_STEP_HEIGHT = 0.021, 0.04
"""Metres by which a foot lifts that would dart over the ground otherwise, and is raised at most for that."""

MIN_DOWN = 0.5
"""Legs that point down less than this do not gain by it."""

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
    lowest
        (T, 3) from the end to the lowest vertex of a sole of a mesh, in the world, metres; None without one.
    """

    held: BoolArray
    shifts: FloatArray
    rotations: FloatArray
    arms: FloatArray
    flex_joint: int
    flexions: FloatArray
    lowest: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class LimbPlan:
    """How a limb moves.

    Attributes
    ----------
    limb, goals
        The limb and the goals of its end.
    hinge
        (3,) mean axis of its middle joint, in the frame of the first one.
    end_shifts
        (T, 3) how its end moves: to its goals, and gently from one to the next, metres.
    """

    limb: HeldLimb
    goals: LimbGoals
    hinge: FloatArray
    end_shifts: FloatArray


def plan_limb(
    clip: Clip, limb: HeldLimb, ground: Ground, width: float, root_shifts: FloatArray | None = None
) -> LimbPlan:
    """Plan the motion of the end of a limb over all frames.

    It follows its own holds, and the body, which moves by ``root_shifts`` (T, 3); ``width`` is the number of
    frames over which corrections ease out.
    """
    goals = find_goals(clip, limb, width, ground)
    hinge = find_hinge(clip.world_positions(), clip.world_rotations(), limb.chain, limb.hinge)
    base = np.zeros((clip.n_frames, 3)) if root_shifts is None else root_shifts
    return LimbPlan(limb, goals, hinge, base + spread(goals.shifts - base, goals.held, width))


def keep_knees_steady(clip: Clip, plan: LimbPlan, root_shifts: FloatArray) -> LimbPlan:
    """Let a standing foot rise by a millimetre or two where its knee would tremble instead.

    Captured hips and feet tremble together; once the feet stand still, nearly straight knees would take it.
    """
    positions = clip.world_positions()
    vector = positions[:, plan.limb.end] - positions[:, plan.limb.chain[0]]
    moved = vector + plan.end_shifts - root_shifts
    lengths = norm(moved)
    changes = lengths - norm(vector)
    tremble = changes - smooth(changes, JITTER_DURATION / clip.frame_time)
    down = np.minimum(moved[:, 1] / np.maximum(lengths, MIN_ARM), -MIN_DOWN)
    rise = np.where(plan.goals.held, np.clip(-tremble / down, *JITTER_RISE), 0.0)
    return replace(plan, end_shifts=plan.end_shifts + rise[:, None] * [0.0, 1.0, 0.0])


def _find_low(clip: Clip, limb: HeldLimb, points: FloatArray, ground: Ground) -> FloatArray:
    """Return how near the ground, from 0 to 1, points (P, T, 3) are in each step (P, T - 1)."""
    heights = ground.heights_above(points) - _target_depths(clip, limb, ground)
    low = fade(heights, *LOW)
    return np.asarray(np.minimum(low[:, 1:], low[:, :-1]))


def _find_lying(clip: Clip, limb: HeldLimb, points: FloatArray, ground: Ground) -> FloatArray:
    """Return how far, from 0 to 1, a foot lies still on the ground in each step (T - 1,).

    ``points`` (P, T, 3) are those of its sole.
    """
    speeds = norm(np.diff(points[..., [0, 2]], axis=1)) / clip.frame_time
    if not limb.is_leg:
        return np.zeros(speeds.shape[1])
    return np.asarray((_find_low(clip, limb, points, ground) * fade(speeds, *SLOW)).min(axis=0))


def track_sole(clip: Clip, limb: HeldLimb, points: FloatArray | None = None) -> SoleTracks:
    """Return the points of a foot as tracks of a sole: its own, or where ``points`` (P, T, 3) are."""
    if points is None:
        points = np.stack([point.positions(clip) for point in limb.points])
    both = [points[0], points[-1]]  # of a foot with one point, it is heel and toe
    return SoleTracks((limb.name,), np.stack(both, axis=1)[:, None], clip.frame_time)


def step_between_plants(clip: Clip, plan: LimbPlan) -> LimbPlan:
    """Raise a foot where it would dart over the ground from one plant to another: it makes a small step."""
    planned = clip.world_positions()[:, plan.limb.end] + plan.goals.arms + plan.end_shifts
    before, after = track_sole(clip, plan.limb), track_sole(clip, plan.limb, planned)
    rises = np.zeros(clip.n_frames)
    gaps = [(first, last) for first, last in find_runs(~plan.goals.held) if last > first]
    for dart in find_darts(after, before):
        track = after.positions[:, 0, ("heel", "toe").index(dart.point), 1]
        lower = min(dart.start, dart.end, key=lambda frame: track[frame])
        for first, last in gaps:
            if first < dart.end and last > dart.start:
                step = np.zeros(clip.n_frames)
                step[first : last + 1] = (
                    np.sin(np.pi * np.arange(1, last - first + 2) / (last - first + 2)) ** 2
                )
                heights = track + rises - (track[lower] + rises[lower])
                # The least that lifts the point high enough in some frame.
                missing = (STEP_HEIGHT - heights) / np.maximum(step - step[lower], MIN_ARM)
                height = float(missing[first : last + 1].min())
                rises += height * step if 0.0 < height < MAX_STEP_HEIGHT else 0.0
    return replace(plan, end_shifts=plan.end_shifts + rises[:, None] * [0.0, 1.0, 0.0])


def lift_above_ground(clip: Clip, plan: LimbPlan, ground: Ground, width: float) -> LimbPlan:
    """Raise a foot where it is free and would sink into the ground."""
    limb, goals, shifts = plan.limb, plan.goals, plan.end_shifts
    free = ~goals.held
    if not free.any():
        return plan
    ends = clip.world_positions()[:, limb.end] + shifts
    arms = goals.arms if goals.lowest is None else np.concatenate([goals.arms, goals.lowest[None]])
    points = (ends + arms)[:, free]
    levels = ground.heights(points) + _target_depths(clip, limb, ground)[free]
    sunk = np.zeros(clip.n_frames)
    depths = levels - points[..., 1]
    if ground.surface is None and ground.captured is None:
        # A swinging foot may be as low as it was.
        depths -= np.clip(depths + shifts[free, 1], 0.0, MAX_OWN_SINK)
    sunk[free] = np.maximum(depths - MAX_SINK, 0.0).max(axis=0)
    if not sunk.any():
        return plan
    eased = smoothstep(frames_to_known(goals.held) / max(NEAR_PLANT * width, 1.0))
    rises = np.maximum(sunk, envelope(sunk, width) * eased)
    return replace(plan, end_shifts=shifts + rises[:, None] * [0.0, 1.0, 0.0])


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
    lies = _find_lying(clip, limb, rot.rotate(rotations, points.local) + ends, ground)
    flex_joint, flexions = _flex_toes(clip, limb, points, lies)
    local = points.local
    if flex_joint >= 0:
        base = rot.rotate(rot.inverse(rotations), clip.world_positions()[:, flex_joint] - ends)
        local = np.stack([local[0], base + rot.rotate(flexions, local[1] - base)])
    rotated = rot.multiply(_align_points(points, local, rotations, lies, clip.frame_time), rotations)
    if limb.is_leg and len(limb.points) == 2:
        rotated = rot.multiply(_raise_free_point(points, rot.rotate(rotated, local), ground, width), rotated)
    arms = rot.rotate(rotated, local)
    held = points.held[..., None]
    counts = np.maximum(held.sum(axis=0), 1)
    shifts = np.where(held, points.targets - arms - ends, 0.0).sum(axis=0) / counts
    lowest = None
    if limb.sole is not None:
        lowest = _lowest_of_sole(clip, limb, limb.sole, rotated, flex_joint, flexions)
        shifts = _stand_on_sole(clip, limb, points, ends, lowest, shifts)
    return LimbGoals(points.any, shifts, rotated, arms, flex_joint, flexions, lowest)


def _lowest_of_sole(
    clip: Clip, limb: HeldLimb, sole: MeshSole, rotated: FloatArray, flex_joint: int, flexions: FloatArray
) -> FloatArray:
    """Return the vector (T, 3) from the end to the lowest vertex of a sole, as the foot is rotated."""
    ends, rotations = clip.world_positions()[:, limb.end], np.array(clip.world_rotations())
    positions = clip.world_positions() - ends[:, None]
    turn = rot.multiply(rotated, rot.inverse(rotations[:, limb.end]))
    for joint in tree.subtree(clip.skeleton, limb.end):
        about, own = ends, turn
        if flex_joint in tree.ancestors(clip.skeleton, joint):
            # What lies beyond the ball bends about it first.
            bent = rot.multiply(
                rot.multiply(rotated, flexions), rot.inverse(clip.world_rotations()[:, limb.end])
            )
            about, own = clip.world_positions()[:, flex_joint], bent
        base = rot.rotate(turn, about - ends)
        positions[:, joint] = base + rot.rotate(own, clip.world_positions()[:, joint] - about)
        rotations[:, joint] = rot.multiply(own, clip.world_rotations()[:, joint])
    found = sole.positions(clip.skeleton, positions, rotations)
    return np.asarray(found[np.arange(len(found)), found[..., 1].argmin(axis=1)])


def _stand_on_sole(
    clip: Clip,
    limb: HeldLimb,
    points: _PointTracks,
    ends: FloatArray,
    lowest: FloatArray,
    shifts: FloatArray,
) -> FloatArray:
    """Return shifts (T, 3) with which the lowest vertex of a held foot is as high as its targets."""
    stands = np.array(shifts)
    level = limb.target_levels(clip.n_frames)
    stands[:, 1] = np.where(points.any, level - lowest[:, 1] - ends[:, 1], shifts[:, 1])
    return stands


def roll_heights(
    hold: Hold, positions: FloatArray, flat: BoolArray, width: float, on_tip: FloatArray | None = None
) -> FloatArray:
    """Return the heights (N,) in metres of a foot's point in the N frames of a hold that has a target.

    The point is on its target where the sole lies flat, and rises as captured in other frames.

    Parameters
    ----------
    hold, positions
        The hold, and the positions (T, 3) of its point.
    flat
        (T,) the frames in which the whole sole is on the ground.
    width
        Number of frames over which its height above the ground is levelled.
    on_tip
        (T,) how high the point is because the foot stands on its tip, metres.

    >>> rising = np.array([[0, 0.02, 0], [0, 0.02, 0], [0, 0.08, 0]])
    >>> hold = Hold(0, range(3), np.zeros(3), np.array([0.1, 0, 0]))
    >>> roll_heights(hold, rising, np.array([True, True, False]), 3.0).round(3).tolist()
    [0.0, 0.0, 0.06]
    """
    assert hold.target is not None
    frames = np.arange(hold.frames.start, hold.frames.stop)
    level, heights = float(hold.target[1]), positions[frames, 1]
    off = np.hypot(*(positions[frames] - hold.target)[:, [0, 2]].T)
    low = float(heights.min()) - level
    if off.max() < ON_TARGET and -ON_TARGET < low < (MAX_TIP_RISE if hold.given else ON_TARGET):
        return np.asarray(np.maximum(heights, level))
    down = frames[flat[frames]]
    if len(down):
        standing = np.interp(frames, down, positions[down, 1])
    else:
        # Who stands on the tips of the toes is that high up; other feet only bend their toes.
        up = 0.0 if on_tip is None else np.clip(heights - level, 0.0, on_tip[frames])
        on_ground = heights - up
        standing = np.full(len(frames), quantile(on_ground, LOW_FRACTION))
    # Feet in captures tremble by a millimetre, and hips with them: only slow changes are taken out.
    top = float(standing.max())
    standing = top - envelope(top - standing, width)
    return np.asarray(level + np.maximum(heights - standing, 0.0))


def find_flat_frames(heights: FloatArray, both: BoolArray) -> BoolArray:
    """Return the frames (T,) in which a sole lies flat, from the heights (2, T) of its two points.

    Of the frames in which ``both`` (T,) points are held, those do in which neither has begun to rise.

    >>> heights = np.array([[0.0, 0.0, 0.001, 0.03], [0.0, 0.0, 0.0, 0.0]])
    >>> find_flat_frames(heights, np.ones(4, dtype=bool)).tolist()
    [True, True, True, False]
    """
    flat = np.zeros_like(both)
    pitch = heights[0] - heights[1]
    for first, last in find_runs(both):
        own = pitch[first : last + 1]
        flat[first : last + 1] = np.abs(own - np.median(own)) < MAX_TILT
    return flat


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
        flat, width = tracks.both, LEVEL_TIME / clip.frame_time
        if len(limb.points) == 2 and limb.points[1].joint != limb.end:
            flat = find_flat_frames(positions[..., 1], tracks.both)
        elif len(limb.points) == 2:
            # A foot without toes that bend lies flat where both its ends are held, or misses their targets.
            width = 0.0
        on_tip = _stand_on_tips(clip, limb, positions, tracks.held)
        for n, point in enumerate(limb.points):
            for hold in filter(lambda hold: len(hold.frames), point.holds):
                tracks.targets[n, hold.frames, 1] = roll_heights(hold, positions[n], flat, width, on_tip[n])
    for n, point in enumerate(limb.points):
        for hold in point.holds:
            captured = positions[n, hold.frames]
            if hold.given and norm(tracks.targets[n, hold.frames] - captured).max() < QUIET:
                tracks.targets[n, hold.frames] = captured
    return tracks


def _stand_on_tips(clip: Clip, limb: HeldLimb, positions: FloatArray, held: BoolArray) -> FloatArray:
    """Return how much higher (P, T) the points of a foot are than its lowest point, as a foot lies flat.

    Whoever stands on the tips of the toes has heel and ball off the ground.
    """
    below = np.zeros(clip.skeleton.n_joints, dtype=np.bool_)
    below[limb.end] = True
    for joint, parent in enumerate(clip.skeleton.parents.tolist()):
        if parent >= 0:
            below[joint] |= below[parent]
    ends = [
        clip.point_positions(tip.joint, tip.offset)[:, 1] for tip in clip.skeleton.tips if below[tip.joint]
    ]
    heights = positions[..., 1]
    if not ends:
        return np.zeros_like(heights)
    # Over the tip as much as is usual while a point is held low.
    usually = [np.median(h[own]) if own.any() else -np.inf for h, own in zip(heights, held, strict=True)]
    low = held & (heights <= np.array(usually)[:, None])
    rises = np.zeros_like(heights)
    for n, frames in enumerate(low):
        if frames.any():
            over = heights[n] - np.array(ends)
            usual = np.median(over[:, frames], axis=1)
            rises[n] = np.maximum((over - usual[:, None]).max(axis=0), 0.0)
    return rises


def _align_points(
    points: _PointTracks, local: FloatArray, rotations: FloatArray, lies: FloatArray, frame_time: float
) -> FloatArray:
    """Return world rotations (T, 4) that align two held points with their targets, easing out elsewhere."""
    both = points.both
    if not both.any():
        return np.broadcast_to(rot.IDENTITY, rotations.shape)
    current = rot.rotate(rotations, local[1] - local[0])
    wanted = points.targets[1] - points.targets[0]
    apart = both & (norm(current) > MIN_ARM) & (norm(wanted) > MIN_ARM)
    found = rot.between(np.where(apart[:, None], current, AHEAD), np.where(apart[:, None], wanted, AHEAD))
    return rot.from_rotation_vector(_ease_out(rot.to_rotation_vector(found), both, lies, frame_time))


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
    sunk = one & (rise > offset[:, 1] + MAX_LEFT_SINK) & (run > MIN_ARM)
    if not sunk.any():
        return np.broadcast_to(rot.IDENTITY, (len(one), 4))
    scale = np.sqrt(np.maximum(lengths**2 - rise**2, 0.0)) / np.maximum(run, MIN_ARM)
    raised = np.stack([offset[:, 0] * scale, rise, offset[:, 2] * scale], axis=-1)
    found = rot.between(np.where(sunk[:, None], offset, AHEAD), np.where(sunk[:, None], raised, AHEAD))
    return rot.from_rotation_vector(spread(rot.to_rotation_vector(found), points.any, width))


def _ease_out(vectors: FloatArray, known: BoolArray, lies: FloatArray, frame_time: float) -> FloatArray:
    """Lead rotation vectors (T, 3) from known frames smoothly to zero, or to the next known ones.

    A foot that ``lies`` still, from 0 to 1 in every step (T - 1,), does not turn.
    """
    if known.all() or not known.any():
        return np.where(known[:, None], vectors, 0.0)
    problem = BandedProblem.empty(*vectors.shape)
    loose = 1.0 - np.maximum(np.append(lies, 0.0), np.append(0.0, lies))
    for axis, unit in enumerate(np.eye(3)):
        problem.add_changes((1.0 + STILLNESS * lies) / frame_time**2, unit, np.zeros(len(lies)))
        problem.add_bends((BEND_TIME / frame_time**2) ** 2, axis)
        problem.add_own_values(loose / EASE_TIME**2, axis, np.zeros(len(vectors)))
    return problem.solve(vectors, np.repeat(known[:, None], 3, axis=1))


def _flex_toes(clip: Clip, limb: HeldLimb, points: _PointTracks, lies: FloatArray) -> tuple[int, FloatArray]:
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
    return joint, rot.from_rotation_vector(_ease_out(axes * angles[:, None], both, lies, clip.frame_time))


def _target_depths(clip: Clip, limb: HeldLimb, ground: Ground) -> FloatArray:
    """Return how far (T,) the targets before and after each frame lie below the ground, as negative numbers.

    Where targets are given, the ground that was found may not be the one they stand on.
    """
    depths = np.zeros(clip.n_frames)
    for point in limb.points:
        held, targets = point.is_held(clip.n_frames), point.targets(clip.n_frames)
        depths[held] = np.minimum(depths, targets[:, 1] - ground.heights(targets))[held]
    return min_of_neighbours(depths, np.any([point.is_held(clip.n_frames) for point in limb.points], axis=0))
