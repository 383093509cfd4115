"""Steps within a transition: a foot that stands elsewhere in the other clip steps there instead of sliding.

Two people who stand rarely stand alike. While weight moves from one clip to the other, a foot that is down in
both moves from one stance to the other along the ground. It is held where it stands, lifted, and set down
where the other clip has it; if both feet move, one after the other. A foot that lands or leaves in the
meantime is lifted off the ground as long as it moves. Hips give way where a leg would be too short. A step
that would still need a leg to snap straight is not made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import maximum_filter1d

from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.blending.constrain import MIN_INTERVAL
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.ik import find_hinge, solve_limb
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import Leg, find_anatomy
from motionloom.motion.anatomy.thresholds import MAX_KNEE_SPEED
from motionloom.motion.kinematics import max_distance
from motionloom.transitions.feet_on_ground import (
    DRAG_SPEED,
    FootSources,
    FootTrack,
    find_drag,
    plants_of,
    track_feet,
)

MIN_TRAVEL = 0.06
"""Metres that a foot is dragged before it steps; captured plants travel by 2 to 4 cm."""

STANDING = 0.02
"""Metres from where it stands within which a foot has arrived there."""

MIN_STEP_TIME = 0.15
"""Seconds that a step takes at least: two fit into a transition of half a second."""

MARGIN = 0.03
"""Fraction of the time in which a foot is dragged that it stands before and after its step."""

LIFT, MIN_LIFT, MAX_LIFT = 0.25, 0.03, 0.1
"""Height of a step over its length, and its bounds in metres."""

LANDING = 0.08
"""Seconds over which a foot that comes from the air, or leaves, is lifted before and after it is dragged."""

STRAIGHT_KNEE = np.array([-1.0, 0.0, 0.0])
"""Hinge of a leg that never bends."""

MAX_EXTENSION = 0.985
"""Length of a leg over that of its bones up to which it may reach for a step: its knee is then bent by 20°. A
straighter one needs a large change of the knee for a small change of length, which shows as a pop."""

MAX_DROP, DROP_REACH = 0.06, 0.12
"""Metres by which the hips may give way for a step, and seconds over which they do."""

MAX_SHIFT_SPEED = 3.0
"""Speed in m/s at which a step may move a knee away from where it was: one of 30 cm in 0.25 s reaches 2.3."""

EASE, MAX_JUMP = 0.12, 0.05
"""Seconds over which a leg begins or ends to follow its goals, if it would otherwise jump by more than these
radians."""

TOO_SHORT = 0.005
"""Metres by which a foot may miss a step that its leg is too short for."""


@dataclass(frozen=True, eq=False)
class _FootStep:
    """A step of one foot: the frames in which it is in the air, and how far it travels (m).

    ``standing`` tells whether the foot stands before and after it; otherwise it lands, or leaves, meanwhile.
    """

    leg: Leg
    first: int
    last: int
    travel: float
    standing: bool


def step_over(
    clip: Clip, first: int, last: int, sources: FootSources | None = None
) -> tuple[Clip, tuple[str, ...]]:
    """Let feet that would be dragged between two frames, the seams of a transition, step instead.

    ``sources`` tells what the feet do in the clips; without it they count as standing. Returns the clip and
    notes. A foot steps only while the other is on the ground. Constraints end where it lifts and begin again
    where it lands. A plant of one clip only, whose foot is still on its way from where the other clip has it,
    is shortened to the time in which it stands.
    """
    if len(find_anatomy(clip.skeleton).legs) != 2:
        return clip, ()
    clip = _trim_plants(clip, first, last)
    tracks = track_feet(clip, first, last, sources)
    steps = [step for track in tracks if (step := _find_step(clip, track, first, last))]
    steps.sort(key=lambda step: -step.travel)
    notes = []
    for step in steps:
        timed = _choose_time(step, steps, 0.5 * (first + last))
        if timed.last - timed.first < MIN_STEP_TIME / clip.frame_time:
            continue
        if not _may_lift(track_feet(clip, first, last, sources), timed):
            continue
        stepped = _make_step(clip, step, timed, first, last)
        if stepped is None or max_knee_speed(stepped, first, last) > _limit_knee_speed(clip):
            continue
        if _has_flips(clip, stepped):
            continue
        clip = stepped
        notes.append(
            f"the {step.leg.side} foot steps by {100.0 * step.travel:.0f} cm within the transition, "
            "because it stands elsewhere in the other clip"
        )
    return clip, tuple(notes)


def _may_lift(tracks: Sequence[FootTrack], step: _FootStep) -> bool:
    """Return whether the other foot is on the ground during a step, or the second clip is in the air."""
    other = next(track for track in tracks if track.leg is not step.leg)
    flies = ~np.any([track.stands[:, 1] for track in tracks], axis=0)
    return bool((other.down | flies)[step.first : step.last + 1].all())


def _trim_plants(clip: Clip, first: int, last: int) -> Clip:
    """Shorten plants that begin or end within a transition to where their points stand still."""
    constraints = []
    for constraint in clip.constraints:
        begins, ends = first < constraint.start < last, first < constraint.end < last
        span = slice(max(first, int(np.ceil(constraint.start))), min(last, int(constraint.end)) + 1)
        track = clip.point_positions(constraint.joint, constraint.point, span)[:, [0, 2]]
        if begins == ends or len(track) < 2 or max_distance(track) < MIN_TRAVEL:
            constraints.append(constraint)
            continue
        away = np.linalg.norm(track - track[-1 if begins else 0], axis=1) > STANDING
        if begins:
            start = span.start + float(np.flatnonzero(away)[-1]) + 1.0
            trimmed = replace(constraint, start=start)
        else:
            trimmed = replace(constraint, end=span.start + float(np.flatnonzero(away)[0]) - 1.0)
        if trimmed.end - trimmed.start >= MIN_INTERVAL:
            constraints.append(trimmed)
    return replace(clip, constraints=tuple(constraints))


def _find_step(clip: Clip, track: FootTrack, first: int, last: int) -> _FootStep | None:
    """Return the step that a foot should make instead of being dragged, or None if it hardly is."""
    start, end, travel = max(
        find_drag(track, first, last), _find_slide(clip, track, first, last), key=lambda drag: drag[2]
    )
    if travel < MIN_TRAVEL:
        return None
    around = max(1, round(LANDING / clip.frame_time))
    standing = bool(track.stands[start, 0] and track.stands[end, 1])
    if standing:
        # From when the foot begins to move to when it has arrived.
        while start > first and track.speeds[start - 1] > 0.5 * DRAG_SPEED:
            start -= 1
        while end < last and track.speeds[end + 1] > 0.5 * DRAG_SPEED:
            end += 1
    else:
        start, end = max(first, start - around), min(last, end + around)
    travel = float(np.linalg.norm(track.positions[end] - track.positions[start]))
    return _FootStep(track.leg, start, end, travel, standing) if travel >= MIN_TRAVEL else None


def _find_slide(clip: Clip, track: FootTrack, first: int, last: int) -> tuple[int, int, float]:
    """Return the frames between two others over which a plant of a foot slides most, and how far (m)."""
    worst = (first, first, 0.0)
    for plant in plants_of(clip, track.leg):
        start, end = max(first, int(np.ceil(plant.start))), min(last, int(plant.end))
        if end > start:
            points = clip.point_positions(plant.joint, plant.point, slice(start, end + 1))[:, [0, 2]]
            worst = max(worst, (start, end, max_distance(points)), key=lambda slide: slide[2])
    return worst


def _choose_time(step: _FootStep, steps: Sequence[_FootStep], centre: float) -> _FootStep:
    """Return a step in the frames in which the foot is in the air: feet step in turns.

    Of two feet that stand, the one that is dragged earlier steps first, the other one from the centre on, or
    from the frame nearest to it in which both are dragged. A foot that stands steps before or after another
    one lands or leaves, wherever there is more time.
    """
    if not step.standing:
        return step
    margin = MARGIN * (step.last - step.first)
    start, end = step.first + margin, step.last - margin
    for other in steps:
        if other is step:
            continue
        if other.standing:
            switch = np.clip(centre, max(step.first, other.first), min(step.last, other.last))
            own, others = ((each.first + each.last, steps.index(each)) for each in (step, other))
            start, end = (start, min(end, switch)) if own < others else (max(start, switch), end)
        else:
            before, after = (start, min(end, other.first)), (max(start, other.last), end)
            start, end = max(before, after, key=lambda span: span[1] - span[0])
    return replace(step, first=int(np.ceil(start)), last=int(end))


def _make_step(clip: Clip, step: _FootStep, timed: _FootStep, first: int, last: int) -> Clip | None:
    """Hold a foot but for the time of its step, and lift it meanwhile; None if the leg cannot reach."""
    span = slice(step.first, step.last + 1)
    frames = np.arange(step.first, step.last + 1.0)
    fraction = np.clip((frames - timed.first) / (timed.last - timed.first), 0.0, 1.0)
    shifts = np.zeros((clip.n_frames, 3))
    if step.standing:
        track = clip.world_positions()[span, step.leg.ankle]
        # Without jumps of acceleration: steps are quick.
        eased = (fraction**3 * (10.0 + fraction * (6.0 * fraction - 15.0)))[:, None]
        shifts[span] = (1.0 - eased) * track[0] + eased * track[-1] - track
    height = float(np.clip(LIFT * step.travel, MIN_LIFT, MAX_LIFT))
    shifts[span, 1] = height * (4.0 * fraction * (1.0 - fraction)) ** (3 if step.standing else 2)
    moved = move_ankle(clip, step.leg, shifts, first, last)
    if moved is None:
        return None
    plants = plants_of(clip, step.leg)
    kept: list[Constraint] = []
    for constraint in moved.constraints:
        if not any(constraint is plant for plant in plants):
            kept.append(constraint)
            continue
        parts = (
            (constraint.start, min(constraint.end, timed.first)),
            (max(constraint.start, timed.last), constraint.end),
        )
        kept += [replace(constraint, start=a, end=b) for a, b in parts if b - a >= MIN_INTERVAL]
    return replace(moved, constraints=tuple(kept))


def move_ankle(clip: Clip, leg: Leg, shifts: FloatArray, first: int, last: int) -> Clip | None:
    """Return a clip in which an ankle is moved by shifts (T, 3); None where the leg is too short for it.

    The hips go down between two frames if that lets the leg reach; the other leg bends for it.
    """
    positions, worlds = clip.world_positions(), clip.world_rotations()
    goals = {leg: positions[:, leg.ankle] + shifts}
    drops = _find_drops(positions, leg, goals[leg], first, last, clip.frame_time)
    if drops is None:
        return None
    if drops.any():
        others = (own for own in find_anatomy(clip.skeleton).legs if own is not leg)
        goals.update({own: positions[:, own.ankle] for own in others})
    down = np.zeros((clip.n_frames, 3))
    down[:, 1] = -drops
    rotations = clip.rotations.copy()
    for own, goal in goals.items():
        hinge = find_hinge(positions, worlds, own.chain, STRAIGHT_KNEE)
        lowered = positions + down[:, None]
        solution = solve_limb(clip.skeleton.parents, lowered, worlds, own.chain, goal, hinge=hinge)
        moving = np.abs(goal - lowered[:, own.ankle]).max(axis=1) > 0.0
        before = clip.rotations[:, own.chain]
        changes = rot.multiply(rot.inverse(before), solution.rotations)
        angles = np.linalg.norm(rot.to_rotation_vector(changes), axis=-1).max(axis=1)
        fade = _ease_flips(moving, angles, clip.frame_time)
        for n, joint in enumerate(own.chain):
            solved = rot.nearer(solution.rotations[moving, n], before[moving, n])
            rotations[moving, joint] = rot.slerp(before[moving, n], solved, fade[moving])
    return replace(clip, root_positions=freeze(clip.root_positions + down), rotations=freeze(rotations))


def _ease_flips(moving: BoolArray, angles: FloatArray, frame_time: float) -> FloatArray:
    """Return weights (T,) of a leg's solution: 1, but eased in or out where it begins or ends with a jump.

    ``angles`` (T,) are by how much the leg is rotated, radians. A knee that is captured bent backwards by
    some degrees would flip forwards in one frame.
    """
    weights = np.ones(len(moving))
    frames, reach = np.flatnonzero(moving), EASE / frame_time
    if len(frames) and angles[frames[0]] > MAX_JUMP:
        weights *= smoothstep((np.arange(len(moving)) - frames[0] + 1.0) / reach)
    if len(frames) and angles[frames[-1]] > MAX_JUMP:
        weights *= smoothstep((frames[-1] + 1.0 - np.arange(len(moving))) / reach)
    return weights


def _find_drops(
    positions: FloatArray, leg: Leg, goals: FloatArray, first: int, last: int, frame_time: float
) -> FloatArray | None:
    """Return how far (T,) the hips must go down for an ankle to reach its goals; None if that is too far."""
    hips, knees, ankles = (positions[:, joint] for joint in leg.chain)
    bones = np.linalg.norm(knees - hips, axis=1) + np.linalg.norm(ankles - knees, axis=1)
    reach = np.maximum(MAX_EXTENSION * bones, np.linalg.norm(ankles - hips, axis=1))
    across = np.linalg.norm((goals - hips)[:, [0, 2]], axis=1)
    below = hips[:, 1] - goals[:, 1]
    needed = np.maximum(below - np.sqrt(np.maximum(reach**2 - across**2, 0.0)), 0.0)
    if not needed.any():
        return np.asarray(needed)
    radius = max(1, round(DROP_REACH / frame_time))
    window = np.hanning(2 * radius + 3)[1:-1]
    widened = maximum_filter1d(needed, 2 * radius + 1, mode="nearest")
    smooth = np.convolve(np.pad(widened, radius, mode="edge"), window / window.sum(), mode="valid")
    # Heads and tails of transitions stay as they are.
    frames = np.arange(len(needed))
    ease = np.minimum(smoothstep((frames - first) / radius), smoothstep((last - frames) / radius))
    drops = smooth * ease
    return np.asarray(drops) if drops.max() <= MAX_DROP and (needed - drops).max() <= TOO_SHORT else None


def max_knee_speed(clip: Clip, first: int, last: int) -> float:
    """Return the largest speed in rad/s of a knee between two frames."""
    positions = clip.world_positions()[max(0, first - 1) : last + 2]
    speeds = [0.0]
    for leg in find_anatomy(clip.skeleton).legs:
        hips, knees, ankles = (positions[:, joint] for joint in leg.chain)
        thighs, shins = hips - knees, ankles - knees
        cosines = (thighs * shins).sum(axis=1) / np.maximum(
            np.linalg.norm(thighs, axis=1) * np.linalg.norm(shins, axis=1), 1e-12
        )
        angles = np.arccos(np.clip(cosines, -1.0, 1.0))
        speeds.append(float(np.abs(np.diff(angles)).max(initial=0.0)) / clip.frame_time)
    return max(speeds)


def _has_flips(before: Clip, after: Clip) -> bool:
    """Return whether a step moves a knee to its other side at once, as if the knee was overstretched."""
    knees = [leg.knee for leg in find_anatomy(before.skeleton).legs]
    shifts = after.world_positions()[:, knees] - before.world_positions()[:, knees]
    speeds = np.linalg.norm(np.diff(shifts, axis=0), axis=-1) / before.frame_time
    return bool(speeds.max(initial=0.0) > MAX_SHIFT_SPEED)


def _limit_knee_speed(clip: Clip) -> float:
    """Return how fast knees may become: as fast as without the step and around it, or as in a walk."""
    return max(MAX_KNEE_SPEED, max_knee_speed(clip, 0, clip.n_frames - 1))
