"""The segment of a transition: the frames between the head of one clip and the tail of the next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.constrain import MIN_INTERVAL
from motionloom.blending.weights import TransitionWeights
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.annotations import crop_constraints, crop_events
from motionloom.motion.provenance import OWN_SOURCE
from motionloom.motion.sampling import sample_rotations, sample_vectors

Annotations = tuple[tuple[Constraint, ...], tuple[Event, ...]]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TransitionSegment:
    """The M frames of a transition. The first is a frame of clip a, the last a frame of clip b.

    Attributes
    ----------
    root_positions, rotations, translations
        (M, 3), (M, J, 4) and, if bones move or differ, (M, J, 3).
    u
        (M,) parameter of the registration curve; without a registration, a count of frames.
    weights, frames, placements
        (M, 2), (M, 2) and (M, 2, 3), as in a :class:`~motionloom.blending.result.BlendResult`.
    annotations
        Constraints and events, in frames counted from the first.
    notes
        What the report should mention, in sentences.
    centre
        Frames of both given clips that meet in the middle; None for clips joined by overlap.
    misfit
        Mean distance in metres of frames that are blended although they hardly correspond; otherwise 0.
    doubt
        Why the transition may not look right, as a sentence; empty if nothing speaks against it.
    registered
        False if a registration was asked for and could not be had.
    """

    root_positions: FloatArray
    rotations: FloatArray
    translations: FloatArray | None
    u: FloatArray
    weights: FloatArray
    frames: FloatArray
    placements: FloatArray
    annotations: Annotations
    notes: tuple[str, ...] = ()
    centre: tuple[float, float] | None = None
    misfit: float = 0.0
    doubt: str = ""
    registered: bool = True


def smooth_weights(half: int) -> FloatArray:
    """Return weights (2 half + 1, 2) that ease from exactly (1, 0) to exactly (0, 1).

    >>> smooth_weights(1).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """
    return TransitionWeights(0.0, 1.0)(np.arange(-half, half + 1) / half)


def bones_differ(a: Clip, b: Clip) -> bool:
    """Return whether one set of bone offsets cannot serve all frames of both clips."""
    moving = a.translations is not None or b.translations is not None
    return moving or not np.array_equal(a.skeleton.offsets[1:], b.skeleton.offsets[1:])


def sample_clip(clip: Clip, frames: FloatArray) -> Clip:
    """Return a clip at fractional frames (M,), without annotations; whole frames are copied."""
    bones = clip.translations
    return replace(
        clip,
        root_positions=freeze(sample_vectors(clip.root_positions, frames, "catmull_rom")),
        rotations=freeze(sample_rotations(clip.rotations, frames, "catmull_rom")),
        translations=None if bones is None else freeze(sample_vectors(bones, frames, "catmull_rom")),
        constraints=(),
        events=(),
        cyclic=False,
        provenance=OWN_SOURCE,
    )


def interpolate_vectors(a: FloatArray, b: FloatArray, fraction: FloatArray) -> FloatArray:
    """Interpolate vectors (M, ...) by fractions (M,)."""
    weight = fraction.reshape(-1, *[1] * (a.ndim - 1))
    return np.asarray((1.0 - weight) * a + weight * b)


def interpolate_rotations(a: FloatArray, b: FloatArray, fraction: FloatArray) -> FloatArray:
    """Interpolate rotations (M, J, 4) by fractions (M,).

    Each joint turns in the same direction in all frames: the shorter one while both clips count. It does not
    jump where the other direction becomes shorter.

    >>> still, turning = np.tile(rot.IDENTITY, (5, 1, 1)), rot.from_yaw(np.linspace(2.0, 4.0, 5))[:, None]
    >>> halves = interpolate_rotations(still, turning, np.full(5, 0.5))
    >>> rot.yaw_of(halves[:, 0]).round(3).tolist()
    [1.0, 1.25, 1.5, 1.75, 2.0]
    """
    gaps = rot.unroll(rot.multiply(b, rot.inverse(a)))
    counts = fraction * (1.0 - fraction)
    gaps = gaps * np.where(np.einsum("m,mj->j", counts, gaps[..., 0]) < 0.0, -1.0, 1.0)[:, None]
    sines = np.linalg.norm(gaps[..., 1:], axis=-1)
    angles = 2.0 * np.arctan2(sines, gaps[..., 0])
    axes = gaps[..., 1:] / np.where(sines > 0.0, sines, 1.0)[..., None]
    return rot.multiply(rot.from_axis_angle(axes, fraction[:, None] * angles), a)


def integrate_steps(
    start: FloatArray, steps: FloatArray, heights: FloatArray, transform: GroundTransform, roots: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return root positions (M, 3) from ``start`` on by ``steps`` (M, 3), the first of which is not used.

    Also return the placements (M, 3) that move a clip there whose roots, placed by ``transform``, are
    ``roots`` (M, 3).
    """
    positions = start + np.concatenate([np.zeros((1, 3)), np.cumsum(steps[1:], axis=0)])
    positions[:, 1] = heights
    placements = np.tile(transform.row(), (len(positions), 1))
    placements[:, 1:] += (positions - roots)[:, [0, 2]]
    return positions, placements


def switch_annotations(
    a: Clip, b: Clip, frames: FloatArray, transform: GroundTransform, switch: float
) -> Annotations:
    """Return the annotations of clip a up to frame ``switch`` of the segment, then those of clip b.

    Clip b is placed by ``transform``. ``frames`` (M, 2) are the source frames of the segment.
    """
    last = len(frames) - 1.0
    shift = last - float(frames[-1, 1])
    return merge_annotations(
        [
            crop_annotations((a.constraints, a.events), 0.0, switch, shift=-float(frames[0, 0])),
            crop_annotations((b.constraints, b.events), switch, last, shift=shift, transform=transform),
        ]
    )


def crop_annotations(
    annotations: tuple[Iterable[Constraint], Iterable[Event]],
    first: float,
    last: float,
    *,
    shift: float = 0.0,
    transform: GroundTransform | None = None,
) -> Annotations:
    """Shift annotations by ``shift`` frames, crop them to ``first`` to ``last`` and place their targets."""
    constraints, events = annotations
    kept = crop_constraints(constraints, first, last, shift=shift)
    return (
        tuple(_place_target(constraint, transform) for constraint in kept),
        crop_events(events, first, last, shift=shift),
    )


def merge_annotations(parts: Iterable[Annotations]) -> Annotations:
    """Merge the annotations of successive parts: constraints that touch and equal events become one.

    >>> heel = [Constraint("foot", "heel", 0, 5), Constraint("foot", "heel", 5, 9)]
    >>> [(c.start, c.end) for c in merge_annotations([((heel[0],), ()), ((heel[1],), ())])[0]]
    [(0.0, 9.0)]
    """
    parts = list(parts)
    by_role: dict[tuple[str, str], list[Constraint]] = {}
    for constraint in sorted((c for own, _ in parts for c in own), key=lambda c: (c.start, c.end)):
        merged = by_role.setdefault((constraint.joint, constraint.kind), [])
        if merged and constraint.start <= merged[-1].end + MIN_INTERVAL:
            merged[-1] = _merge_constraints(merged[-1], constraint)
        elif constraint.end - constraint.start >= MIN_INTERVAL:
            merged.append(constraint)
    events: list[Event] = []
    for event in sorted((e for _, own in parts for e in own), key=lambda e: (e.frame, e.label, e.joint)):
        if not any(_is_same_event(event, known) for known in events[-len(parts) :]):
            events.append(event)
    return tuple(c for merged in by_role.values() for c in merged), tuple(events)


def _place_target(constraint: Constraint, transform: GroundTransform | None) -> Constraint:
    if transform is None or constraint.target is None:
        return constraint
    return replace(constraint, target=transform.apply(constraint.target))


def _merge_constraints(before: Constraint, after: Constraint) -> Constraint:
    """Extend the first constraint to the end of the second, with the target of whichever has one."""
    target = after.target if before.target is None else before.target
    return replace(before, end=max(before.end, after.end), target=target)


def _is_same_event(event: Event, known: Event) -> bool:
    """Return whether an event was found from both sides of a seam."""
    same_role = (event.label, event.joint) == (known.label, known.joint)
    return same_role and event.frame - known.frame < MIN_INTERVAL
