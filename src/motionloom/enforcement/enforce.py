"""`enforce`: constraints hold exactly, and feet do not skate (Kovar, Schreiner & Gleicher 2002)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import overload

import numpy as np

from motionloom.annotation.ground import Ground, GroundLike, find_ground
from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.enforcement.fit_soles import fit_soles
from motionloom.enforcement.goals import (
    keep_knees_steady,
    lift_above_ground,
    plan_limb,
    step_between_plants,
)
from motionloom.enforcement.knees_and_elbows import hold_knees_and_elbows, shift_to_bones, shift_to_seat
from motionloom.enforcement.leg import move_limb, stretch_bones
from motionloom.enforcement.move_body import move_body
from motionloom.enforcement.release import (
    MAX_FADES,
    MAX_ROUNDS,
    ReleasedPlant,
    fade_corrections,
    fade_weights,
    find_fast_frames,
    keep_outside,
    measure_slide,
    note_fast_frames,
    release_plants,
    trim_plants,
)
from motionloom.enforcement.report import EnforcementReport, PointEnforcementReport, report_enforcement
from motionloom.enforcement.root import bring_within_reach, keep_falling, shift_to_hands
from motionloom.enforcement.targets import HeldLimb, add_free_feet, choose_targets, find_limbs, is_planted
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.messages import Operation
from motionloom.motion import Clip, Constraint, PointClip
from motionloom.motion.body import on_body
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, PointClipLike, Result, check_clip, refuse_for_points
from motionloom.motion.steady_travel import remove_travel
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel, unroll
from motionloom.validation import check_number

MAX_STRETCH = 0.026
"""Fraction of their length by which bones may stretch by default; 3 % is visible to a careful eye."""

BLEND_DURATION = 0.25
"""Seconds over which corrections ease into neighbouring frames by default: slightly less than a swing."""

MAX_SPREAD = 2.0
"""Seconds on both sides of a cycle that are unrolled with it: corrections do not spread farther."""


@overload
def enforce(
    clip: ClipLike,
    *,
    ground: GroundLike = None,
    stretch: float = MAX_STRETCH,
    blend_duration: float = BLEND_DURATION,
    flights: Sequence[tuple[float, float]] = (),
    like: ClipLike | None = None,
) -> Result[EnforcementReport]: ...
@overload
def enforce(
    clip: PointClipLike, *, blend_duration: float = BLEND_DURATION, follow: bool = True
) -> Result[PointEnforcementReport, PointClip]: ...
@on_body
def enforce(
    clip: ClipLike | PointClipLike,
    *,
    ground: GroundLike = None,
    stretch: float = MAX_STRETCH,
    blend_duration: float = BLEND_DURATION,
    flights: Sequence[tuple[float, float]] = (),
    like: ClipLike | None = None,
    follow: bool = True,
) -> Result[EnforcementReport] | Result[PointEnforcementReport, PointClip]:
    """Hold constrained points in place, so that no foot skates and no hand slips.

    Every plant without a target gets one: the mean position of the point, on the ground, with heel and toe as
    far apart as the foot is long. Ankles rotate and move so that points are on their targets. Body and legs
    move as little as one can see: hips and knees stay nearly as they were, feet that stand without a plant
    stay as well, and swings are no lower; bones stretch by what is missing. A foot that rolls off its toes
    may rise from its target as it does in the capture, but neither slides nor sinks. Plants without a target
    of their own that would make a limb move too fast are shortened or dropped, unless a surface is given to
    stand on, and the report says so. What is on target stays as it is, so enforcing twice changes nothing. A
    cyclic clip stays cyclic.

    Parameters
    ----------
    clip
        A clip with constraints, from :func:`motionloom.annotate`, a blend or your own. Feet, hands, knees,
        elbows and the seat can be held; constraints of other joints are ignored, and the report says so.
    ground
        What feet stand on. None is the clip's own floor: the one that its targets or, without them, its
        planted points stand on; plants well above it keep their height. A number is the height of a level
        floor in metres, to which the whole motion is moved. A function of ``x`` and ``z`` is the height of
        any surface, to which all plants are moved. A :class:`motionloom.annotation.Floor` is the clip's own,
        where it is known.
    stretch
        Largest fraction by which bones grow or shrink; 0 for rigid bones.
    blend_duration
        Seconds over which corrections ease into neighbouring frames.
    flights
        Frames of take-off and landing between which the body falls and keeps doing so: it is moved evenly
        there. Of a blend, those in its report; cyclic clips have none.
    like
        Another clip of the same skeleton that shows how fast limbs may move, beside this one: of a warp that
        stiffens a leg, its source.
    follow
        For a clip of points only, which has no bones to bend: held points are put on their targets, and what
        they have in common moves all points, as the body follows its feet. False moves held points alone.

    Returns
    -------
    Result
        The motion with its targets filled in, and an :class:`EnforcementReport`; for points, a
        :class:`~motionloom.enforcement.PointEnforcementReport`.

    Raises
    ------
    ParameterError
        The clip has no constraints.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> planted = enforce(annotate(walk(duration=2.0).clip), stretch=0.0)
    >>> planted.report.unreached, planted.report.stretch < 1e-9
    ((), True)
    """
    points = clip.clip if isinstance(clip, Result) else clip
    if isinstance(points, PointClip):
        from motionloom.enforcement.enforce_points import enforce_points

        refuse_for_points(
            "enforce",
            ground=ground is not None,
            stretch=stretch != MAX_STRETCH,
            flights=bool(flights),
            like=like is not None,
        )
        return enforce_points(points, follow=follow, blend_duration=blend_duration)
    clip = check_clip("enforce", clip)
    if follow is not True:
        raise ParameterError("follow is for clips of points: a body always follows its feet")
    if not clip.constraints:
        raise ParameterError(
            "the clip has no constraints, so there is nothing to enforce",
            remedy=("find its foot plants first with ", Operation("motionloom.annotate")),
        )
    stretch = check_number("stretch", stretch, min=0.0)
    if stretch >= 1.0:
        raise ParameterError(
            f"is a fraction of a bone's length, below 1, not {stretch:g}", parameter="stretch", value=stretch
        )
    duration = check_number("blend_duration", blend_duration, min=0.0, unit="seconds")
    flights = _check_flights(flights, clip.n_frames)
    if like is not None:
        like = check_clip("enforce (like)", like)
        if like.body.skeleton.n_joints != clip.skeleton.n_joints:
            raise ParameterError(
                f"must have the joints of the clip, {clip.skeleton.n_joints} of them, not "
                f"{like.body.skeleton.n_joints}",
                parameter="like",
                value=like.body.skeleton.n_joints,
            )
        like = like.body
    moving, steady = recover_if_in_place(clip)
    surface = find_ground(moving, ground)
    stays = surface.captured is None and is_planted(moving, find_limbs(moving, moving.constraints)[0])
    released: tuple[ReleasedPlant, ...] = ()
    if stays:
        result, is_slow = moving, True
    elif steady is None:
        result, released, is_slow = _hold_what_is_slow(moving, surface, stretch, duration, flights, like)
    else:
        # Feet of a gait in place are held in the ground that moves below it. Where it was drawn, they go
        # backwards unevenly, and no plant is released because of that.
        result, is_slow = _hold(moving, surface, stretch, duration, flights), False
    limbs, notes = find_limbs(result)
    if any(limb.sole is not None for limb in limbs):
        result = fit_soles(result, limbs, surface)
    if not is_slow:
        notes += note_fast_frames(find_fast_frames(moving, result, limbs, like=like))
    report = report_enforcement(moving, result, limbs, surface, notes, released)
    result = replace(result, provenance=derive(moving, "enforced"))
    return Result(result if steady is None else remove_travel(result, steady), report)


def _check_flights(flights: object, n_frames: int) -> list[tuple[float, float]]:
    """Return flights as pairs of frames within the clip."""
    if not isinstance(flights, Sequence) or isinstance(flights, str):
        raise ParameterError(
            f"must be a list of pairs of frames, not a {type(flights).__name__}", parameter="flights"
        )
    checked = []
    for n, flight in enumerate(flights):
        if not isinstance(flight, Sequence) or len(flight) != 2:
            raise ParameterError(f"flights[{n}] must be a pair of frames, not a {type(flight).__name__}")
        start, end = (check_number(f"flights[{n}]", frame, min=0.0, max=float(n_frames)) for frame in flight)
        if not start < end:
            raise ParameterError(f"flights[{n}] must end after it starts, not at {end:g} after {start:g}")
        checked.append((start, end))
    return checked


def _hold_what_is_slow(
    clip: Clip,
    ground: Ground,
    stretch: float,
    blend_duration: float,
    flights: Sequence[tuple[float, float]],
    like: Clip | None,
) -> tuple[Clip, tuple[ReleasedPlant, ...], bool]:
    """Hold the plants for which no limb has to move too fast; return what is released of the others.

    Also return whether all plants are held and no limb is too fast.
    """
    # A warp moves feet over the ground that stand in its source.
    kept: list[Constraint | None] = list(clip.constraints)
    if like is None:
        kept = trim_plants(clip, find_limbs(clip)[0])
    cuts = np.zeros(len(kept), dtype=np.int64)
    for n in range(MAX_ROUNDS):
        # Clips sort their constraints, and cuts may change the order.
        held = replace(clip, constraints=tuple(c for c in kept if c is not None))
        present = [kept.index(constraint) for constraint in held.constraints]
        result = _hold(held, ground, stretch, blend_duration, flights)
        limbs, _ = find_limbs(held)
        fast = find_fast_frames(held, result, limbs, like=like)
        own_cuts = cuts[present]
        changed = release_plants(held, result, limbs, fast, own_cuts) if fast else None
        # Feet that are to stand on another ground move as far as it takes.
        if changed is None or n == MAX_ROUNDS - 1 or ground.surface is not None:
            break
        cuts[present] = own_cuts
        for index, constraint in zip(present, changed, strict=True):
            kept[index] = constraint
    fast = find_fast_frames(held, result, limbs, turning=False, like=like) if fast else {}
    if fast and ground.surface is None and all(c.target is None for c in clip.constraints):
        result = _fade_what_is_fast(
            clip,
            kept,
            fast,
            lambda held, stretch: _hold(held, ground, stretch, blend_duration, flights),
            stretch,
            like,
        )
    released = [
        ReleasedPlant(
            c.joint,
            c.kind,
            c.start,
            c.end,
            None if now is None else (now.start, now.end),
            measure_slide(result, c),
        )
        for c, now in zip(clip.constraints, kept, strict=True)
        if now is None or (now.start, now.end) != (c.start, c.end)
    ]
    return result, tuple(released), not fast


def _fade_what_is_fast(
    clip: Clip,
    kept: list[Constraint | None],
    fast: Mapping[str, BoolArray],
    hold: Callable[[Clip, float], Clip],
    stretch: float,
    like: Clip | None,
) -> Clip:
    """Hold a clip with corrections that fade out around frames that stay too fast; cut plants there."""
    frames = np.any(list(fast.values()), axis=0)
    for _ in range(MAX_FADES):
        weights = fade_weights(clip, {"": frames})
        kept[:] = [None if c is None else keep_outside(clip, c, weights) for c in kept]
        held = replace(clip, constraints=tuple(c for c in kept if c is not None))
        result = fade_corrections(clip, hold(held, stretch), weights)
        found = find_fast_frames(held, result, find_limbs(held)[0], turning=False, like=like)
        if not found:
            break
        frames = np.any([frames, *found.values()], axis=0)
    # Free feet that sink where corrections fade come up again, as they would when it is enforced again.
    return hold(result, 0.0)


def _hold(
    clip: Clip,
    ground: Ground,
    stretch: float,
    blend_duration: float,
    flights: Sequence[tuple[float, float]],
) -> Clip:
    """Hold all plants of a clip; without any, only free feet are lifted above the ground."""
    if clip.cyclic:
        return _enforce_cycle(clip, ground, stretch, blend_duration)
    result = choose_targets(clip, ground)
    limbs, _ = find_limbs(result, clip.constraints)
    return move_to_targets(result, limbs, ground, stretch, blend_duration, flights)


def move_to_targets(
    clip: Clip,
    limbs: Sequence[HeldLimb],
    ground: Ground,
    stretch: float,
    blend_duration: float,
    flights: Sequence[tuple[float, float]] = (),
) -> Clip:
    """Move the points of a clip's limbs to their targets, as far as they can be reached.

    Parameters
    ----------
    clip, limbs
        The motion, and its held limbs; all holds have targets.
    ground
        What free feet must not sink into.
    stretch
        Largest fraction by which bones grow or shrink.
    blend_duration
        Seconds over which corrections ease into neighbouring frames.
    flights
        Frames of take-off and landing between which the body is moved evenly.

    >>> from motionloom.annotation import Floor
    >>> from motionloom.synthesis import walk
    >>> motion = walk(duration=1.0, fps=30)
    >>> clip = replace(motion.clip, constraints=motion.plants)
    >>> moved = move_to_targets(clip, find_limbs(clip)[0], Ground(Floor(0.0)), 0.026, 0.25)
    >>> np.allclose(moved.rotations, clip.rotations)
    True
    """
    width = blend_duration / clip.frame_time
    # 1. Where feet have to be, and what the body and the legs do for it.
    feet = add_free_feet(clip, [limb for limb in limbs if limb.is_leg])
    plans = [plan_limb(clip, limb, ground, width) for limb in feet]
    shifts, plans = move_body(clip, plans, ground, blend_duration)
    shifts = bring_within_reach(clip, plans, shifts, width)
    legs = [
        step_between_plants(
            clip, keep_knees_steady(clip, lift_above_ground(clip, plan, ground, width), shifts)
        )
        for plan in plans
    ]
    # 2. The body sits and kneels where it is held, and hands follow it.
    hands = [limb for limb in limbs if limb.n_bones == 2 and not limb.is_leg]
    arms = [plan_limb(clip, limb, ground, width, shifts) for limb in hands]
    shifts = shift_to_hands(clip, legs, arms, shifts, width, stretch)
    rests = any(limb.n_bones < 2 for limb in limbs)
    if rests:
        shifts = shift_to_bones(clip, [limb for limb in limbs if limb.n_bones == 1], shifts, width, stretch)
        shifts = shift_to_seat(clip, [limb for limb in limbs if limb.n_bones == 0], shifts, width)
    arms = [plan_limb(clip, limb, ground, width, shifts) for limb in hands]
    # 3. Legs and arms bend and stretch to reach the goals of their ends.
    rotations = np.array(clip.rotations)
    scales: dict[int, FloatArray] = {}
    for plan in (*legs, *arms):
        motion = move_limb(clip, plan, shifts, stretch)
        for joint, values in motion.rotations.items():
            rotations[:, joint] = values
        scales.update(motion.scales)
    moved = replace(
        clip,
        root_positions=freeze(clip.root_positions + shifts),
        rotations=freeze(rotations),
        translations=stretch_bones(clip, scales),
    )
    # 4. Thighs and upper arms point at knees and elbows that are held.
    if rests:
        moved = hold_knees_and_elbows(clip, moved, limbs, width, stretch)
    return keep_falling(clip, moved, flights)


def _enforce_cycle(clip: Clip, ground: Ground, stretch: float, blend_duration: float) -> Clip:
    """Enforce a cyclic clip so that plants and corrections continue over the seam.

    Several cycles in a row are enforced and the central one is kept; its plants decide the targets of all.
    """
    if clip.n_frames < MIN_CYCLE_FRAMES:
        return clip
    n_around = max(1, int(np.ceil((MAX_SPREAD + blend_duration) / (clip.n_frames * clip.frame_time))))
    step = travel(clip)
    placements = [GroundTransform()]
    for _ in range(2 * n_around):
        placements.append(step @ placements[-1])
    unrolled = replace(unroll(clip, 2 * n_around + 1), cyclic=False)
    cycles = choose_targets(unrolled, ground)
    cycles = replace(cycles, constraints=_repeat_targets(cycles.constraints, placements, clip.n_frames))
    limbs, _ = find_limbs(cycles, unrolled.constraints)
    moved = move_to_targets(cycles, limbs, ground, stretch, blend_duration)
    central = slice(n_around * clip.n_frames, (n_around + 1) * clip.n_frames)
    back = placements[n_around].inverse()
    # Enforcement shifts the root and never rotates it: the clip's own rotations are exact, those rotated back
    # are rounded.
    rotations = np.array(moved.rotations[central])
    rotations[:, 0] = clip.rotations[:, 0]
    return replace(
        clip,
        root_positions=freeze(back.apply(moved.root_positions[central])),
        rotations=freeze(rotations),
        translations=None if moved.translations is None else moved.translations[central],
        constraints=tuple(_take_target(c, moved.constraints, central.start, back) for c in clip.constraints),
    )


def _repeat_targets(
    constraints: Sequence[Constraint], placements: Sequence[GroundTransform], n_frames: int
) -> tuple[Constraint, ...]:
    """Give the constraints of all cycles the targets of those that begin in the central cycle."""
    central = len(placements) // 2
    cycles = [int((c.start + 0.5) // n_frames) for c in constraints]
    keys = [
        (c.joint, c.kind, round(1000.0 * (c.start - n * n_frames)), round(1000.0 * (c.end - n * n_frames)))
        for c, n in zip(constraints, cycles, strict=True)
    ]
    known = {
        key: placements[central].inverse().apply(c.target)
        for key, c, n in zip(keys, constraints, cycles, strict=True)
        if n == central and c.target is not None
    }
    return tuple(
        # Plants at either end may begin outside all cycles.
        replace(c, target=placements[n].apply(known[key])) if key in known and 0 <= n < len(placements) else c
        for c, key, n in zip(constraints, keys, cycles, strict=True)
    )


def _take_target(
    constraint: Constraint, moved: Sequence[Constraint], first: int, back: GroundTransform
) -> Constraint:
    """Give a constraint the target of the one that holds its point in the central cycle."""
    frame = (constraint.start + constraint.end) / 2.0 + first
    for other in moved:
        same = (other.joint, other.kind) == (constraint.joint, constraint.kind)
        if same and other.start <= frame <= other.end and other.target is not None:
            return replace(constraint, target=back.apply(other.target))
    return constraint
