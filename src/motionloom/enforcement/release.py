"""Release plants that can only be kept by moving a limb too fast.

A blend may ask a foot to stay that in truth moves on: the foot of another clip stands there, or the plants of
two clips were matched that do not belong together. Holding it drags the leg over the ground and lets it snap
back. No joint of a held limb, nor the body, may therefore move or rotate much faster than it does without
enforcement, and the correction itself may not exceed a speed. Where it would, the plant that pulls hardest
nearby is shortened; its target moves to the mean of what is left. A plant of which hardly anything is left is
dropped. Plants with targets of their own, and all plants on a given surface, are asked for, and stay. Where
no plant is near and a limb is still too fast, as where the capture jumps, corrections fade out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.signals import runs
from motionloom.arrays import BoolArray, FloatArray, IntArray, freeze, norm
from motionloom.enforcement.targets import HeldLimb
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import facing
from motionloom.motion.kinematics import max_distance
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, extend_cycle

MAX_SPEED_RATIO = 1.45
"""Factor on a joint's own largest speed that it may reach: 1.5, less a little for resampling."""

MIN_SPEED_LIMIT, MIN_TURN_LIMIT, MIN_FOOT_TURN_LIMIT = 0.35, 1.5, 4.0
"""Speeds that are always allowed beyond a joint's own, m/s and rad/s, of feet and hands the last: what rests
has no speed."""

MIN_RUN_SPEED, MAX_PLANT_SPEED, MAX_PLANT_MOVE = 0.5, 1.3, 0.5
"""A point that is captured faster than the first, m/s, moves; one that is faster than the second, or moves by
more than the third in one go, metres, does not stand there."""

MIN_STEP_TIME = 1.0 / 30.0
"""Seconds over which that speed is measured: captured points tremble."""

CORRECTION_RATIO = 0.5
"""Fraction of a joint's own largest speed that a correction may reach: at that, no joint moves more than half
as fast again."""

MIN_CORRECTION_LIMIT, MIN_CORRECTION_TURN = 2.5, 8.0
"""Speeds of corrections that are always allowed, m/s and rad/s. Feet of captured gaits are moved at 0.2 to
0.7 m/s and 1 to 4 rad/s; plants that do not belong there need 3 m/s and more."""

FIRST_CUT = 0.05
"""Seconds by which a plant is shortened at first; each further cut is twice as long."""

MIN_PLANT_DURATION = 0.1
"""Seconds that a plant lasts at least; what is left of a shorter one is dropped."""

MAX_ROUNDS = 24
"""Rounds of shortening. Cuts double, so a plant of ten seconds is gone after nine."""

MAX_EDGE_GAP = 1.0
"""Seconds from an edge of a plant beyond which it does not make a limb fast: corrections ease out before."""

FADE_DURATION, MAX_FADES = 0.25, 4
"""Seconds over which corrections fade out around frames that stay too fast, and how often frames that become
too fast by that are added."""


@dataclass(frozen=True)
class ReleasedPlant:
    """A plant that was shortened or dropped because keeping it would move a limb too fast.

    Attributes
    ----------
    joint, kind
        The point.
    start, end
        First and last frame in which it was to be held.
    kept
        First and last frame in which it is held, or None: it was dropped.
    slide
        How far the point moves over the ground from ``start`` to ``end`` in the result, metres.

    >>> print(ReleasedPlant("LeftFoot", "heel", 10.0, 42.0, (18.0, 42.0), 0.03))
    shortened: heel (LeftFoot) in frames 10 to 42 is held from 18 to 42: the limb would move too fast
    """

    joint: str
    kind: str
    start: float
    end: float
    kept: tuple[float, float] | None
    slide: float = 0.0

    def __str__(self) -> str:
        what = f"{self.kind} ({self.joint}) in frames {self.start:g} to {self.end:g}"
        if self.kept is None:
            return f"dropped: {what} is not held: the limb would move too fast"
        first, last = self.kept
        return f"shortened: {what} is held from {first:g} to {last:g}: the limb would move too fast"


def find_fast_frames(
    before: Clip, after: Clip, limbs: Sequence[HeldLimb], *, turning: bool = True, like: Clip | None = None
) -> dict[str, BoolArray]:
    """Return the frames (T,) in which enforcement moves limbs too fast, by name; "" is the rest of the body.

    Joints that only rotate too fast count too, unless ``turning`` is not set. ``like`` is another clip that
    shows how fast joints may be.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> find_fast_frames(clip, clip, ())
    {}
    """
    if before.n_frames < MIN_CYCLE_FRAMES:
        return {}
    one, two = (_with_next_frame(clip) for clip in (before, after))
    # A single frame shows no speed.
    usual = [one] if like is None or like.n_frames < 2 else [one, _with_next_frame(like)]
    found_steps = _moves_fast(one, two, usual)
    if turning:
        ends = [joint for limb in limbs for joint in _limb_joints(before, limb)[limb.n_bones :]]
        found_steps |= _rotates_fast(one, two, usual, ends)
    joints = {limb.name: _limb_joints(before, limb) for limb in limbs}
    held = np.concatenate([[], *joints.values()])
    joints[""] = np.setdiff1d(np.arange(before.skeleton.n_joints), held)
    found = {}
    for name, own in joints.items():
        # A step between two frames counts for both of them.
        steps = found_steps[:, own].any(axis=1)
        fast = np.zeros(before.n_frames, dtype=np.bool_)
        fast[np.flatnonzero(steps)] = True
        fast[(np.flatnonzero(steps) + 1) % before.n_frames] = True
        if fast.any():
            found[name] = fast
    return found


def note_fast_frames(fast: Mapping[str, BoolArray]) -> tuple[str, ...]:
    """Return a sentence for each limb that moves too fast; its plants have targets of their own.

    >>> note_fast_frames({"left leg": np.array([False, True, True])})
    ('the left leg moves very fast in frames 1 to 2 to reach its targets: check it',)
    """
    return tuple(
        f"the {name or 'body'} moves very fast in frames {np.flatnonzero(frames)[0]} to "
        f"{np.flatnonzero(frames)[-1]} to reach its targets: check it"
        for name, frames in fast.items()
    )


def release_plants(
    clip: Clip, result: Clip, limbs: Sequence[HeldLimb], fast: Mapping[str, BoolArray], cuts: IntArray
) -> tuple[Constraint | None, ...] | None:
    """Shorten the plants that make limbs too fast; return all constraints, None for dropped ones.

    Parameters
    ----------
    clip, result
        The motion, with constraints that are not dropped, before and after it is enforced.
    limbs, fast
        Its held limbs, and the frames in which they are too fast, from :func:`find_fast_frames`.
    cuts
        (C,) how often each constraint was shortened before; counted on in place.

    Returns
    -------
    tuple or None
        None if there is no plant to shorten.
    """
    constraints: list[Constraint | None] = list(clip.constraints)
    pulls = norm(result.world_positions() - clip.world_positions())
    free = {
        limb.name: [
            hold.index
            for point in limb.points
            for hold in point.holds
            if clip.constraints[hold.index].target is None
        ]
        for limb in limbs
    }
    everything = [index for own in free.values() for index in own]
    changed: set[int] = set()
    for name, frames in fast.items():
        for first, last in runs(frames):
            edge = _find_edge(clip, pulls, free.get(name) or everything, first, last)
            if edge is None or edge.index in changed:
                continue
            changed.add(edge.index)
            duration = FIRST_CUT * 2.0 ** float(cuts[edge.index]) / clip.frame_time
            cuts[edge.index] += 1
            constraints[edge.index] = _cut(clip, edge, max(duration, edge.depth + 1.0))
    return tuple(constraints) if changed else None


def fade_weights(clip: Clip, fast: Mapping[str, BoolArray]) -> FloatArray:
    """Return the fraction (T,) of corrections to keep: 0 in frames that are too fast, with smooth ramps.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5, fps=8).clip
    >>> fade_weights(clip, {"left leg": np.arange(5) == 1}).tolist()
    [0.5, 0.0, 0.5, 1.0, 1.0]
    """
    frames = np.flatnonzero(np.any(list(fast.values()), axis=0))
    gaps = np.abs(np.arange(clip.n_frames)[:, None] - frames)
    if clip.cyclic:
        gaps = np.minimum(gaps, clip.n_frames - gaps)
    return smoothstep(np.minimum(gaps.min(axis=1) * clip.frame_time / FADE_DURATION, 1.0))


def fade_corrections(before: Clip, after: Clip, weights: FloatArray) -> Clip:
    """Return the enforced motion with fractions (T,) of its corrections."""
    shifts = after.root_positions - before.root_positions
    translations = after.translations
    if translations is not None:
        own = before.local_positions()
        translations = freeze(own + weights[:, None, None] * (translations - own))
    return replace(
        after,
        root_positions=freeze(before.root_positions + weights[:, None] * shifts),
        rotations=freeze(rot.slerp(before.rotations, after.rotations, weights[:, None])),
        translations=translations,
    )


def keep_outside(clip: Clip, constraint: Constraint, weights: FloatArray) -> Constraint | None:
    """Return what is left of a constraint where corrections do not fade, None if hardly anything is."""
    frames = np.arange(clip.n_frames)
    free = (weights == 1.0) & (frames >= constraint.start) & (frames <= constraint.end)
    if free.sum() >= np.floor(constraint.end) - np.ceil(constraint.start) + 1:
        return constraint
    first, last = max(runs(free), key=lambda run: run[1] - run[0], default=(0, 0))
    if (last - first) * clip.frame_time < MIN_PLANT_DURATION:
        return None
    return replace(constraint, start=float(first), end=float(last))


def trim_plants(clip: Clip, limbs: Sequence[HeldLimb]) -> list[Constraint | None]:
    """Return the constraints of a clip without the beginnings and ends in which their points run.

    Annotated plants, and those of blends above all, may begin early and end late: the foot is still swinging,
    or swings already. Constraints with targets, and those of cyclic clips, stay; None is one that is dropped.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.enforcement.targets import find_limbs
    >>> from motionloom.synthesis import walk
    >>> clip = annotate(walk(duration=2.0).clip)
    >>> trim_plants(clip, find_limbs(clip)[0]) == list(clip.constraints)
    True
    """
    trimmed: list[Constraint | None] = list(clip.constraints)
    step = max(round(MIN_STEP_TIME / clip.frame_time), 1)
    if clip.cyclic:
        return trimmed
    for limb in limbs:
        for point in limb.points:
            ground = point.positions(clip)[:, [0, 2]]
            for hold in point.holds:
                if hold.target is None and limb.is_leg and len(hold.frames) > step:
                    own = ground[hold.frames.start : hold.frames.stop]
                    first, last = _find_standing_span(own, step, clip.frame_time)
                    trimmed[hold.index] = _keep(clip, clip.constraints[hold.index], hold.frames, first, last)
    return trimmed


def _find_standing_span(ground: FloatArray, step: int, frame_time: float) -> tuple[int, int]:
    """Return the first and last frame of the longest time in which a point (N, 2) of the ground stands.

    >>> _find_standing_span(np.array([[0.0, 0], [0.1, 0], [0.2, 0], [0.2, 0], [0.2, 0]]), 1, 1 / 30)
    (2, 4)
    """
    speeds = norm(ground[step:] - ground[:-step]) / (step * frame_time)
    stands = np.ones(len(speeds), dtype=np.bool_)
    for first, last in runs(speeds > MIN_RUN_SPEED):
        far = norm(ground[last + step] - ground[first]) > MAX_PLANT_MOVE
        stands[first : last + 1] = ~far & (speeds[first : last + 1] <= MAX_PLANT_SPEED)
    first, last = max(runs(stands), key=lambda run: run[1] - run[0], default=(0, -step))
    return first, last + step


def _keep(clip: Clip, constraint: Constraint, frames: range, first: int, last: int) -> Constraint | None:
    """Return a constraint from its ``first`` to its ``last`` frame; None if hardly anything is left."""
    start = constraint.start if first == 0 else float(frames.start + first)
    end = constraint.end if last == len(frames) - 1 else float(frames.start + last)
    if (start, end) == (constraint.start, constraint.end):
        return constraint
    if (end - start) * clip.frame_time < MIN_PLANT_DURATION:
        return None
    return replace(constraint, start=start, end=end)


@dataclass(frozen=True)
class _Edge:
    """Beginning or end of a constraint, and how far within it frames lie that are too fast."""

    index: int
    is_start: bool
    depth: float


def _find_edge(clip: Clip, pulls: FloatArray, indices: Sequence[int], first: int, last: int) -> _Edge | None:
    """Return the edge that pulls hardest on frames ``first`` to ``last``; distant ones pull less."""
    best, found = -1.0, None
    for index in indices:
        constraint = clip.constraints[index]
        joint = clip.skeleton.index(constraint.joint)
        offsets = (-clip.n_frames, 0, clip.n_frames) if clip.cyclic else (0,)
        for offset in offsets:
            start, end = constraint.start + offset, constraint.end + offset
            for is_start, edge in ((True, start), (False, end)):
                frame = int(np.clip(round(edge), 0, clip.n_frames - 1))
                if clip.cyclic:
                    frame = round(edge) % clip.n_frames
                gap = max(first - edge, edge - last, 0.0)
                if gap * clip.frame_time > MAX_EDGE_GAP:
                    continue
                weight = float(pulls[frame, joint]) / (1.0 + (gap * clip.frame_time / FIRST_CUT) ** 2)
                if weight > best:
                    depth = min(last, end) - start if is_start else end - max(first, start)
                    overlaps = first <= end and last >= start
                    inside = overlaps and depth <= (end - start) / 2.0
                    best, found = weight, _Edge(index, is_start, depth if inside else 0.0)
    return found


def _cut(clip: Clip, edge: _Edge, n_frames: float) -> Constraint | None:
    """Return a constraint shortened at one edge, or None if hardly anything is left."""
    constraint = clip.constraints[edge.index]
    left = constraint.end - constraint.start - n_frames
    if left * clip.frame_time < MIN_PLANT_DURATION:
        return None
    if edge.is_start:
        return replace(constraint, start=constraint.start + n_frames)
    return replace(constraint, end=constraint.end - n_frames)


def _with_next_frame(clip: Clip) -> Clip:
    """Return a cyclic clip with the first frame of its next cycle, so that differences cover the seam."""
    return extend_cycle(clip, clip.n_frames + 1) if clip.cyclic else clip


def _limb_joints(clip: Clip, limb: HeldLimb) -> IntArray:
    """Return the joints of a limb, from its first one on; the seat is the pelvis alone."""
    if limb.n_bones == 0:
        return np.array([limb.end])
    below = np.zeros(clip.skeleton.n_joints, dtype=np.bool_)
    below[limb.chain[0]] = True
    for joint, parent in enumerate(clip.skeleton.parents.tolist()):
        if parent >= 0:
            below[joint] |= below[parent]
    return np.flatnonzero(below)


def _moves_fast(before: Clip, after: Clip, like: Sequence[Clip]) -> BoolArray:
    """Return the steps (T - 1, J) in which joints move too fast, in the world or seen from the body.

    The joints of the clips ``like`` this one show how fast they may be.
    """
    one, two = before.world_positions(), after.world_positions()
    usual = np.max([_speeds(c.world_positions(), c).max(axis=0) for c in like], axis=0)
    limits = np.maximum(CORRECTION_RATIO * usual, MIN_CORRECTION_LIMIT)
    fast = _speeds(two - one, before) > limits
    fast |= _speeds(two, before) > _speed_limits(usual)
    # Seen from the body, a planted foot is as fast as the body.
    body = float(usual[0])
    usual = np.max([_speeds(_seen_from_body(c, c), c).max(axis=0) for c in like], axis=0)
    usual = np.maximum(usual, body / MAX_SPEED_RATIO)
    fast |= _speeds(_seen_from_body(after, before), before) > _speed_limits(usual)
    return np.asarray(fast)


def _seen_from_body(clip: Clip, facing_of: Clip) -> FloatArray:
    """Return positions (T, J, 3) of joints from the root, in the direction that a clip faces, metres."""
    positions = clip.world_positions()
    return rot.rotate(rot.from_yaw(-facing(facing_of))[:, None], positions - positions[:, :1])


def _speeds(positions: FloatArray, clip: Clip) -> FloatArray:
    """Return speeds (T - 1, ...), m/s, of positions (T, ..., 3)."""
    return np.asarray(norm(np.diff(positions, axis=0)) / clip.frame_time)


def _speed_limits(usual: FloatArray) -> FloatArray:
    return np.maximum(MAX_SPEED_RATIO * usual, usual + MIN_SPEED_LIMIT)


def _rotates_fast(before: Clip, after: Clip, like: Sequence[Clip], ends: Sequence[int]) -> BoolArray:
    """Return the steps (T - 1, J) in which joints rotate too fast against their parents.

    ``ends`` are those of feet and hands, of which nobody sees small turns.
    """
    one, two = rot.unroll(before.rotations), rot.unroll(after.rotations)
    corrections = rot.unroll(rot.multiply(rot.inverse(one), two))
    usual = np.max([_turn_speeds(rot.unroll(c.rotations), c.frame_time).max(axis=0) for c in like], axis=0)
    extra = np.full(len(usual), MIN_TURN_LIMIT)
    extra[list(ends)] = MIN_FOOT_TURN_LIMIT
    was, now = (_turn_speeds(rotations, before.frame_time) for rotations in (one, two))
    fast = now > np.maximum(MAX_SPEED_RATIO * usual, usual + extra)
    limits = np.maximum(CORRECTION_RATIO * usual, MIN_CORRECTION_TURN)
    # A correction that calms what was captured, as of toes that flick while they stand, may be fast.
    hasty = (now > was) & (_turn_speeds(corrections, before.frame_time) > limits)
    return np.asarray(fast | hasty)


def _turn_speeds(rotations: FloatArray, frame_time: float) -> FloatArray:
    """Return angular speeds (T - 1, N), rad/s, of rotations (T, N, 4) with continuous signs."""
    half = np.arcsin(np.minimum(norm(np.diff(rotations, axis=0)) / 2.0, 1.0))
    return np.asarray(4.0 * half / frame_time)


def measure_slide(clip: Clip, plant: Constraint) -> float:
    """Return how far the point of a plant moves over the ground in its frames, metres."""
    span = plant.whole_frames(clip.n_frames)
    track = clip.point_positions(plant.joint, plant.point, slice(span.start, span.stop))
    return max_distance(track[:, [0, 2]]) if len(span) > 1 else 0.0
