"""Holding cyclic clips: plants and corrections go on over the seam."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import freeze
from motionloom.enforcement.ground import Ground
from motionloom.enforcement.holding import hold
from motionloom.enforcement.limbs import limbs_of
from motionloom.enforcement.targets import with_targets
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel, unroll

AROUND = 2.0
"""Seconds on both sides of a cycle that are unroll with it: corrections do not carry farther."""

Place = tuple[str, str, int]


def held_cycle(clip: Clip, ground: Ground, stretch: float, window: float) -> Clip:
    """The cyclic clip with its points on their targets, cyclic as before.

    Some cycles in a row are held, and the one in the middle is kept. Its plants decide the targets of all.

    >>> from motionloom.annotation import Floor, annotate
    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> loop = annotate(cyclify(walk().clip, n_cycles=1))
    >>> held_cycle(loop, Ground(Floor(0.0)), 0.026, 0.25).cyclic
    True
    """
    if clip.n_frames < MIN_CYCLE_FRAMES or not clip.constraints:
        return clip
    aside = max(1, int(np.ceil((AROUND + window) / (clip.n_frames * clip.frame_time))))
    way = travel(clip)
    ways = [GroundTransform()]
    for _ in range(2 * aside):
        ways.append(way @ ways[-1])
    many = with_targets(replace(unroll(clip, 2 * aside + 1), cyclic=False), ground)
    many = replace(many, constraints=_alike(many.constraints, ways, clip.n_frames))
    held = hold(many, limbs_of(many)[0], ground, stretch, window)
    part = slice(aside * clip.n_frames, (aside + 1) * clip.n_frames)
    back = ways[aside].inverse()
    # Holding shifts the root and never turns it: its own turns are exact, those turned back are rounded.
    turns = np.array(held.rotations[part])
    turns[:, 0] = clip.rotations[:, 0]
    return replace(
        clip,
        root_positions=freeze(back.apply(held.root_positions[part])),
        rotations=freeze(turns),
        translations=None if held.translations is None else held.translations[part],
        constraints=tuple(_found(c, held.constraints, part.start, back) for c in clip.constraints),
    )


def _alike(
    constraints: Sequence[Constraint], ways: Sequence[GroundTransform], n_frames: int
) -> tuple[Constraint, ...]:
    """The constraints of some cycles in a row with the targets of those that begin in the middle cycle."""
    middle = len(ways) // 2
    cycles = [int((c.start + 0.5) // n_frames) for c in constraints]
    keys = [
        (c.joint, c.kind, round(1000.0 * (c.start - n * n_frames)), round(1000.0 * (c.end - n * n_frames)))
        for c, n in zip(constraints, cycles, strict=True)
    ]
    known = {
        key: ways[middle].inverse().apply(c.target)
        for key, c, n in zip(keys, constraints, cycles, strict=True)
        if n == middle and c.target is not None
    }
    return tuple(
        replace(c, target=ways[n].apply(known[key])) if key in known else c
        for c, key, n in zip(constraints, keys, cycles, strict=True)
    )


def _found(
    constraint: Constraint, held: Sequence[Constraint], shift: int, back: GroundTransform
) -> Constraint:
    """The constraint with the target of the one that holds it in the middle cycle."""
    middle = (constraint.start + constraint.end) / 2.0 + shift
    for other in held:
        same = (other.joint, other.kind) == (constraint.joint, constraint.kind)
        if same and other.start <= middle <= other.end and other.target is not None:
            return replace(constraint, target=back.apply(other.target))
    return constraint
