"""The report of enforcement: what moved, what it stands on, and what could not be reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.annotation.floor import Floor
from motionloom.annotation.ground import Ground
from motionloom.arrays import FloatArray, norm
from motionloom.enforcement.release import ReleasedPlant
from motionloom.enforcement.targets import MAX_FOOT_SHIFT, HeldLimb
from motionloom.messages import Argument, Message
from motionloom.motion import Clip
from motionloom.quality.changes import Changes, can_compare, measure_changes

REACHED = 0.0005
"""A point within this distance of its target counts as on it, metres: two such points are within 1 mm."""


@dataclass(frozen=True)
class LimbReport:
    """How one limb was moved.

    Attributes
    ----------
    limb, joint
        "left leg" and the like, and the name of its ankle or wrist.
    n_plants
        How many constraints hold it.
    max_shift, mean_shift
        How far the ankle or wrist was moved in frames in which it is held, metres.
    stretch
        Largest change of the length of a bone, as a fraction of it.
    """

    limb: str
    joint: str
    n_plants: int
    max_shift: float
    mean_shift: float
    stretch: float

    def __str__(self) -> str:
        return (
            f"{self.limb} ({self.joint}, {self.n_plants} plants): "
            f"moved by up to {self.max_shift * 100:.1f} cm, {self.mean_shift * 100:.1f} cm on average; "
            f"bones stretched by up to {self.stretch * 100:.1f} %"
        )


@dataclass(frozen=True)
class UnreachedPlant:
    """A plant whose target could not be reached.

    Attributes
    ----------
    joint, kind
        The point.
    start, end
        First and last frame in which it is off its target.
    n_frames
        Number of such frames.
    distance
        Largest distance from the target, metres.
    """

    joint: str
    kind: str
    start: int
    end: int
    n_frames: int
    distance: float

    def __str__(self) -> str:
        return (
            f"not reached: {self.kind} ({self.joint}) in {self.n_frames} of the frames {self.start} to "
            f"{self.end}, up to {self.distance * 1000:.1f} mm off"
        )


@dataclass(frozen=True)
class EnforcementReport:
    """The report of :func:`motionloom.enforcement.enforce`.

    Attributes
    ----------
    ground, floor
        What the feet stand on, in words, and the floor that was given or found in the clip.
    root_shift, mean_root_shift
        How far the body was moved, at most and on average over all frames, metres.
    limbs
        One entry per held limb.
    unreached
        Plants whose targets could not be reached, with the remaining distance.
    released
        Plants that were shortened or dropped because keeping them would move a limb too fast.
    notes
        Sentences about ignored constraints, and why, and about large corrections.
    changes
        What one sees of the planting, against the clip before it; measured when it is asked for. None where
        there are no legs, and on a ground that is given as a function: there feet go where it is.

    >>> print(EnforcementReport("floor at 0.000 m", Floor(0.0), 0.0, 0.0, ()))
    floor at 0.000 m
    body moved by up to 0.0 cm, 0.0 cm on average
    nothing is held
    """

    ground: str
    floor: Floor
    root_shift: float
    mean_root_shift: float
    limbs: tuple[LimbReport, ...]
    unreached: tuple[UnreachedPlant, ...] = ()
    notes: tuple[str, ...] = ()
    released: tuple[ReleasedPlant, ...] = ()
    changes: Changes | None = field(default=None, repr=False, compare=False)

    @property
    def stretch(self) -> float:
        """Largest change of the length of any bone, as a fraction of it."""
        return max((limb.stretch for limb in self.limbs), default=0.0)

    @property
    def slide(self) -> float:
        """Farthest that a released plant moves over the ground while it was to be held, metres."""
        return max((plant.slide for plant in self.released), default=0.0)

    @property
    def all_kept(self) -> bool:
        """Whether every plant is on its target from its start to its end: none unreached, none released."""
        return not self.unreached and not self.released

    @property
    def sentences(self) -> tuple[str, ...]:
        """Plants that were released, and notes: what to tell who sees no more of the report."""
        return (*map(str, self.released), *self.notes)

    def __str__(self) -> str:
        moved = f"{self.root_shift * 100:.1f} cm, {self.mean_root_shift * 100:.1f} cm on average"
        lines = [self.ground, f"body moved by up to {moved}", *map(str, self.limbs)]
        lines += [*map(str, self.unreached)] or [str(self.outcome)]
        lines += map(str, self.released)
        lines += self.seen
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    @property
    def seen(self) -> tuple[str, ...]:
        """What one sees of the planting, in sentences."""
        return (
            ()
            if self.changes is None
            else tuple(f"planting shows: {each}" for each in self.changes.sentences)
        )

    @property
    def outcome(self) -> Message:
        """Whether the plants are on their targets, and what to do where they are not."""
        if self.unreached:
            n_plants, off = len(self.unreached), max(plant.distance for plant in self.unreached)
            return Message(
                f"{n_plants} plant{'s stay' if n_plants > 1 else ' stays'} up to {100.0 * off:.1f} cm off",
                remedy=("let bones grow longer with ", Argument("stretch")),
            )
        if not self.limbs and not self.released:
            return Message("nothing is held")
        if not self.released:
            return Message("all plants are on their targets")
        n_plants = sum(limb.n_plants for limb in self.limbs)
        return Message(
            f"the {n_plants} plants that are held are on their targets; {len(self.released)} were shortened "
            f"or dropped, and slide by up to {self.slide * 100:.1f} cm where they are not held"
        )


@dataclass(frozen=True)
class PointEnforcementReport:
    """The report of :func:`motionloom.enforce` on points without a skeleton.

    Attributes
    ----------
    n_plants
        How many constraints were held.
    max_shift
        How far a held point was moved at most, metres.
    common_shift
        How far all points were moved along at most, metres.

    >>> print(PointEnforcementReport(4, 0.021, 0.013))
    4 plants held: points moved by up to 2.1 cm, all points along by up to 1.3 cm
    """

    n_plants: int
    max_shift: float
    common_shift: float

    def __str__(self) -> str:
        own, common = 100.0 * self.max_shift, 100.0 * self.common_shift
        moved = f"points moved by up to {own:.1f} cm, all points along by up to {common:.1f} cm"
        return f"{self.n_plants} plants held: {moved}"


def report_enforcement(
    source: Clip,
    result: Clip,
    limbs: Sequence[HeldLimb],
    ground: Ground,
    notes: tuple[str, ...],
    released: tuple[ReleasedPlant, ...] = (),
) -> EnforcementReport:
    """Measure on the result how a clip was changed; ``limbs`` carry the targets.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> report_enforcement(clip, clip, (), Ground(Floor(0.0)), ()).root_shift
    0.0
    """
    moved = norm(result.root_positions - source.root_positions)
    return EnforcementReport(
        str(ground),
        ground.floor,
        float(moved.max(initial=0.0)),
        float(moved.mean()) if len(moved) else 0.0,
        tuple(_limb_report(source, result, limb) for limb in limbs),
        tuple(plant for limb in limbs for plant in _find_unreached(result, limb)),
        (*notes, *(note for limb in limbs for note in _note_large_shift(source, result, limb))),
        released,
        _measure_changes(source, result, ground),
    )


def _measure_changes(source: Clip, result: Clip, ground: Ground) -> Changes | None:
    """Return what one sees of planting, against the source on the level floor that it was moved to."""
    if ground.surface is not None or not can_compare(source):
        return None  # On any other ground, feet and hips go where they are asked to.
    roots = source.root_positions
    lifts = ground.heights_above_captured(roots) - ground.heights_above(roots)
    if lifts.any():
        source = replace(source, root_positions=roots + lifts[:, None] * [0.0, 1.0, 0.0])
    return measure_changes(source, result)


def _limb_report(source: Clip, result: Clip, limb: HeldLimb) -> LimbReport:
    sizes = norm(_end_shifts(source, result, limb))
    return LimbReport(
        limb.name,
        source.skeleton.names[limb.end],
        sum(len(point.holds) for point in limb.points),
        float(sizes.max()),
        float(sizes.mean()),
        _max_stretch(_bone_lengths(source, limb), _bone_lengths(result, limb)),
    )


def _end_shifts(source: Clip, result: Clip, limb: HeldLimb) -> FloatArray:
    """Return how far (N, 3) the end of a limb moved in the N frames in which it is held, metres."""
    held = np.any([point.is_held(source.n_frames) for point in limb.points], axis=0)
    return np.asarray(result.world_positions()[held, limb.end] - source.world_positions()[held, limb.end])


def _note_large_shift(source: Clip, result: Clip, limb: HeldLimb) -> list[str]:
    """Return a warning where a planted limb had to move far over the ground."""
    shift = float(np.hypot(*_end_shifts(source, result, limb)[:, [0, 2]].T).max())
    if shift <= MAX_FOOT_SHIFT:
        return []
    return [f"the {limb.name} was moved by up to {shift * 100:.0f} cm to stay planted: check it"]


def _max_stretch(before: FloatArray, after: FloatArray) -> float:
    """Return the largest change of lengths (T, 2) as a fraction; bones without length do not count."""
    there = before > 0.0
    return float(np.abs(after[there] / before[there] - 1.0).max(initial=0.0))


def _bone_lengths(clip: Clip, limb: HeldLimb) -> FloatArray:
    """Return the lengths (T, 2) of the two bones of a limb, metres."""
    joints = clip.world_positions()[:, list(limb.chain)]
    return np.asarray(norm(np.diff(joints, axis=1)))


def _find_unreached(result: Clip, limb: HeldLimb) -> list[UnreachedPlant]:
    missed = []
    for point in limb.points:
        offsets = point.positions(result) - point.targets(result.n_frames)
        if limb.is_leg:
            # Feet may rise from their targets as they roll off, but not sink.
            offsets[:, 1] = np.minimum(offsets[:, 1], 0.0)
        distances = norm(offsets)
        for hold in point.holds:
            off = distances[hold.frames]
            far = hold.frames.start + np.flatnonzero(off > REACHED)
            if len(far):
                name = result.skeleton.names[point.joint]
                ends = int(far[0]), int(far[-1])
                missed.append(UnreachedPlant(name, point.kind, *ends, len(far), float(off.max())))
    return missed
