"""Steps within a transition: a foot that stands elsewhere in the other clip steps there instead of sliding.

Two people who stand rarely stand alike. While weight moves from one clip to the other, a foot that is planted
in both moves from one stance to the other along the ground. It is held where it stands, lifted, and set down
where the other clip has it; if both feet move, one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.constrain import MIN_INTERVAL
from motionloom.geometry import rotations as rot
from motionloom.ik import find_hinge, solve_limb
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import Leg, find_anatomy
from motionloom.motion.kinematics import max_distance

MIN_TRAVEL = 0.06
"""Metres that a planted foot slides before it steps; captured plants travel by 2 to 4 cm."""

STANDING = 0.02
"""Metres from where it stands within which a foot has arrived there."""

MIN_STEP_TIME = 0.15
"""Seconds that a step takes at least: two fit into a transition of half a second."""

MARGIN = 0.03
"""Fraction of the time in which a foot slides that it stands before and after its step."""

LIFT, MIN_LIFT, MAX_LIFT = 0.25, 0.03, 0.1
"""Height of a step over its length, and its bounds in metres."""

STRAIGHT_KNEE = np.array([-1.0, 0.0, 0.0])
"""Hinge of a leg that never bends."""


@dataclass(frozen=True, eq=False)
class _Slide:
    """A leg whose plants travel: its constraints, the first and the last frame in which, and how far (m)."""

    leg: Leg
    plants: tuple[Constraint, ...]
    first: int
    last: int
    travel: float


def step_over(clip: Clip, first: int, last: int) -> tuple[Clip, tuple[str, ...]]:
    """Let feet that would slide between two frames, the seams of a transition, step instead.

    Returns the clip and notes. A foot steps only while the other is planted. Constraints end where it lifts
    and begin again where it lands. A plant of one clip only, whose foot is still on its way from where the
    other clip has it, is shortened to the time in which it stands.
    """
    legs = find_anatomy(clip.skeleton).legs
    if len(legs) != 2:
        return clip, ()
    clip = _trim_plants(clip, first, last)
    slides = [slide for leg in legs if (slide := _find_slide(clip, leg, first, last)) is not None]
    slides.sort(key=lambda slide: -slide.travel)
    notes = []
    for n, slide in enumerate(slides):
        start, end = _choose_time(slide, n, len(slides), 0.5 * (first + last))
        other = next(leg for leg in legs if leg is not slide.leg)
        if end - start < MIN_STEP_TIME / clip.frame_time or not _is_planted(clip, other, start, end):
            continue
        clip = _make_step(clip, slide, start, end)
        notes.append(
            f"the {slide.leg.side} foot steps by {100.0 * slide.travel:.0f} cm within the transition, "
            "because it stands elsewhere in the other clip"
        )
    return clip, tuple(notes)


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


def _find_slide(clip: Clip, leg: Leg, first: int, last: int) -> _Slide | None:
    plants = [c for c in _plants_of(clip, leg) if c.end > first and c.start < last]
    travels = []
    for plant in plants:
        span = slice(max(first, int(np.ceil(plant.start))), min(last, int(plant.end)) + 1)
        track = clip.point_positions(plant.joint, plant.point, span)[:, [0, 2]]
        travels.append(max_distance(track) if len(track) > 1 else 0.0)
    if max(travels, default=0.0) < MIN_TRAVEL:
        return None
    sliding = [plant for plant, travel in zip(plants, travels, strict=True) if travel > 0.5 * MIN_TRAVEL]
    start = max(first, int(np.ceil(min(plant.start for plant in sliding))))
    end = min(last, int(max(plant.end for plant in sliding)))
    return _Slide(leg, tuple(plants), start, end, max(travels))


def _plants_of(clip: Clip, leg: Leg) -> list[Constraint]:
    joints = {leg.ankle, *clip.skeleton.children(leg.ankle), *([] if leg.toe is None else [leg.toe])}
    names = {clip.skeleton.names[joint] for joint in joints}
    return [constraint for constraint in clip.constraints if constraint.joint in names]


def _choose_time(slide: _Slide, n: int, count: int, centre: float) -> tuple[int, int]:
    """Return the frames in which a foot is in the air: the first of two feet steps before the centre."""
    margin = MARGIN * (slide.last - slide.first)
    start, end = slide.first + margin, slide.last - margin
    if count == 2:
        start, end = (start, centre) if n == 0 else (centre, end)
    return int(np.ceil(start)), int(end)


def _is_planted(clip: Clip, leg: Leg, start: int, end: int) -> bool:
    """Return whether something of a foot is planted in all frames from ``start`` to ``end``."""
    held = np.zeros(end - start + 1, dtype=bool)
    frames = np.arange(start, end + 1)
    for plant in _plants_of(clip, leg):
        held |= (plant.start <= frames + 1.0) & (frames - 1.0 <= plant.end)
    return bool(held.all())


def _make_step(clip: Clip, slide: _Slide, start: int, end: int) -> Clip:
    """Hold a foot until ``start`` and from ``end`` on, and lift it in between."""
    span = slice(slide.first, slide.last + 1)
    tracks = [clip.point_positions(plant.joint, plant.point, span) for plant in slide.plants]
    track = np.mean(tracks, axis=0)
    frames = np.arange(slide.first, slide.last + 1.0)
    fraction = np.clip((frames - start) / (end - start), 0.0, 1.0)
    # Without jumps of acceleration: steps are quick.
    eased = (fraction**3 * (10.0 + fraction * (6.0 * fraction - 15.0)))[:, None]
    shifts = (1.0 - eased) * track[0] + eased * track[-1] - track
    height = float(np.clip(LIFT * slide.travel, MIN_LIFT, MAX_LIFT))
    shifts[:, 1] = height * (4.0 * fraction * (1.0 - fraction)) ** 3
    rotations = clip.rotations.copy()
    for joint, values in _move_foot(clip, slide.leg, span, shifts).items():
        rotations[span, joint] = rot.nearer(values, clip.rotations[span, joint])
    kept: list[Constraint] = []
    for constraint in clip.constraints:
        if not any(constraint is plant for plant in slide.plants):
            kept.append(constraint)
            continue
        parts = ((constraint.start, min(constraint.end, start)), (max(constraint.start, end), constraint.end))
        kept += [replace(constraint, start=a, end=b) for a, b in parts if b - a >= MIN_INTERVAL]
    return replace(clip, rotations=freeze(rotations), constraints=tuple(kept))


def _move_foot(clip: Clip, leg: Leg, span: slice, shifts: FloatArray) -> dict[int, FloatArray]:
    """Return the local rotations (M, 4) of a leg's joints that move its ankle by shifts (M, 3)."""
    positions, worlds = clip.world_positions(), clip.world_rotations()
    hinge = find_hinge(positions, worlds, leg.chain, STRAIGHT_KNEE)
    solution = solve_limb(
        clip.skeleton.parents,
        positions[span],
        worlds[span],
        leg.chain,
        positions[span, leg.ankle] + shifts,
        hinge=hinge,
    )
    return {joint: solution.rotations[:, n] for n, joint in enumerate(leg.chain)}
