"""What enforcement has to say: what moved, what it stood on, and what could not be reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.annotation.floor import Floor
from motionloom.arrays import FloatArray
from motionloom.enforcement.ground import Ground
from motionloom.enforcement.limbs import Limb
from motionloom.ik import vectors
from motionloom.motion import Clip

REACHED = 0.0005
"""A point within this distance of its target counts as on it, metres: two such points are within 1 mm."""

FAR = 0.2
"""A planted foot or hand that is moved farther than this over the ground is worth a look, metres: the motion
itself slides that much, and no correction of this size goes unseen."""


@dataclass(frozen=True)
class LimbReport:
    """What happened to one limb.

    Attributes
    ----------
    limb, joint
        "left leg" and the like, and the name of its ankle or wrist.
    n_plants
        How many constraints hold it.
    largest, mean
        How far the ankle or wrist moved in frames in which it is held, metres.
    stretch
        Largest change of the length of a bone, as a share of it.
    """

    limb: str
    joint: str
    n_plants: int
    largest: float
    mean: float
    stretch: float

    def __str__(self) -> str:
        return (
            f"{self.limb} ({self.joint}, {self.n_plants} plants): "
            f"moved by up to {self.largest * 100:.1f} cm, {self.mean * 100:.1f} cm on average; "
            f"bones stretched by up to {self.stretch * 100:.1f} %"
        )


@dataclass(frozen=True)
class Unreached:
    """A plant that could not be kept.

    Attributes
    ----------
    joint, kind
        The point.
    start, end
        First and last of the frames in which it is off its target.
    n_frames
        How many they are.
    distance
        Largest distance left, metres.
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
        How far the body moved, at most and on average over all frames, metres.
    limbs
        One entry per limb that is held.
    unreached
        Plants that could not be kept, with the distance left.
    notes
        Sentences about constraints that were not held, and why, and about large corrections.

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
    unreached: tuple[Unreached, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def stretch(self) -> float:
        """Largest change of the length of any bone, as a share of it."""
        return max((limb.stretch for limb in self.limbs), default=0.0)

    def __str__(self) -> str:
        moved = f"{self.root_shift * 100:.1f} cm, {self.mean_root_shift * 100:.1f} cm on average"
        lines = [self.ground, f"body moved by up to {moved}", *map(str, self.limbs)]
        lines += [*map(str, self.unreached)] or ["every plant is kept" if self.limbs else "nothing is held"]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def report_on(
    source: Clip, result: Clip, limbs: Sequence[Limb], ground: Ground, notes: tuple[str, ...]
) -> EnforcementReport:
    """Measure on the result itself what became of a clip; ``limbs`` carry the targets.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> report_on(clip, clip, (), Ground(Floor(0.0)), ()).root_shift
    0.0
    """
    moved = vectors.lengths(result.root_positions - source.root_positions)
    return EnforcementReport(
        str(ground),
        ground.floor,
        float(moved.max(initial=0.0)),
        float(moved.mean()) if len(moved) else 0.0,
        tuple(_limb_report(source, result, limb) for limb in limbs),
        tuple(missed for limb in limbs for missed in _unreached(result, limb)),
        (*notes, *(note for limb in limbs for note in _large_corrections(source, result, limb))),
    )


def _limb_report(source: Clip, result: Clip, limb: Limb) -> LimbReport:
    sizes = vectors.lengths(_corrections(source, result, limb))
    return LimbReport(
        limb.name,
        source.skeleton.names[limb.end],
        sum(len(point.plants) for point in limb.points),
        float(sizes.max()),
        float(sizes.mean()),
        _largest_stretch(_bone_lengths(source, limb), _bone_lengths(result, limb)),
    )


def _corrections(source: Clip, result: Clip, limb: Limb) -> FloatArray:
    """How far (N, 3) the end of a limb moved in the N frames in which it is held, metres."""
    held = np.any([point.pinned(source.n_frames) for point in limb.points], axis=0)
    return np.asarray(result.world_positions()[held, limb.end] - source.world_positions()[held, limb.end])


def _large_corrections(source: Clip, result: Clip, limb: Limb) -> list[str]:
    """A sentence where a planted limb had to move far over the ground."""
    largest = float(np.hypot(*_corrections(source, result, limb)[:, [0, 2]].T).max())
    if largest <= FAR:
        return []
    return [f"the {limb.name} slides by up to {largest * 100:.0f} cm while it is planted: look at it"]


def _largest_stretch(before: FloatArray, after: FloatArray) -> float:
    """The largest change of lengths (T, 2) as a share; bones without length do not count."""
    there = before > 0.0
    return float(np.abs(after[there] / before[there] - 1.0).max(initial=0.0))


def _bone_lengths(clip: Clip, limb: Limb) -> FloatArray:
    """Lengths (T, 2) of the two bones of a limb, metres."""
    joints = clip.world_positions()[:, list(limb.chain)]
    return np.asarray(vectors.lengths(np.diff(joints, axis=1)))


def _unreached(result: Clip, limb: Limb) -> list[Unreached]:
    missed = []
    for point in limb.points:
        ways = point.positions(result) - point.targets(result.n_frames)
        if limb.is_leg:
            # Feet may rise from their targets as they roll off, but not sink.
            ways[:, 1] = np.minimum(ways[:, 1], 0.0)
        left = vectors.lengths(ways)
        for plant in point.plants:
            off = left[plant.frames]
            far = plant.frames.start + np.flatnonzero(off > REACHED)
            if len(far):
                name = result.skeleton.names[point.joint]
                ends = int(far[0]), int(far[-1])
                missed.append(Unreached(name, point.kind, *ends, len(far), float(off.max())))
    return missed
