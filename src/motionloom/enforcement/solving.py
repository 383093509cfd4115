"""The joints of a limb that bring its end to its goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.enforcement.goals import SAME, Goals
from motionloom.enforcement.limbs import Limb
from motionloom.enforcement.spreading import smoothed
from motionloom.geometry import rotations as rot
from motionloom.ik import reach, vectors
from motionloom.motion import Clip

JITTER = 0.12
"""Seconds over which the lengths that knees bend for are averaged; a knee would make large movements of the
millimetres by which captured feet jitter, so stretching takes those."""


@dataclass(frozen=True, eq=False)
class Solution:
    """New values of a limb's joints.

    ``rotations`` maps joints to local rotations (T, 4), ``scales`` maps joints to factors (T,) on the bones
    that lead to them.
    """

    rotations: Mapping[int, FloatArray]
    scales: Mapping[int, FloatArray]


def solve(
    clip: Clip, limb: Limb, goals: Goals, shifts: FloatArray, hinge: FloatArray, stretch: float
) -> Solution:
    """Bring the end of a limb to where it has to be, as seen from the body; frames without a change stay.

    Parameters
    ----------
    clip, limb, goals
        The motion, the limb, and how its end is turned.
    shifts
        (T, 3) how far the end moves against the body, metres.
    hinge
        (3,) the usual axis of the limb's middle joint, in the frame of the first one.
    stretch
        Largest share by which bones grow or shrink.

    >>> from dataclasses import replace
    >>> from motionloom.annotation import Floor
    >>> from motionloom.enforcement.goals import goals_of
    >>> from motionloom.enforcement.ground import Ground
    >>> from motionloom.enforcement.limbs import limbs_of
    >>> from motionloom.synthesis import stand
    >>> motion = stand(duration=0.5, fps=30)
    >>> clip = replace(motion.clip, constraints=motion.plants)
    >>> limb = limbs_of(clip)[0][0]
    >>> goals = goals_of(clip, limb, 7.5, Ground(Floor(0.0)))
    >>> lifted = solve(clip, limb, goals, np.full((16, 3), [0, 0.1, 0]), limb.hinge, 0.0)
    >>> [clip.skeleton.names[joint] for joint in lifted.scales]
    ['LeftFoot', 'LeftLeg']
    """
    places, worlds, parents = clip.world_positions(), clip.world_rotations(), clip.skeleton.parents
    turned = rot.multiply(goals.rotations, rot.inverse(worlds[:, limb.end]))
    moves = _differs(shifts) | _differs(turned[:, 1:]) | _differs(goals.flexions[:, 1:])
    if not moves.any():
        return Solution({}, {})
    found = reach(
        parents,
        places,
        worlds,
        limb.chain,
        places[:, limb.end] + shifts,
        hinge=hinge,
        end_rotations=goals.rotations,
        bending=calm_lengths(clip, limb, shifts),
        stretch=stretch,
    )
    rotations = {joint: found.rotations[:, n] for n, joint in enumerate(limb.chain)}
    if goals.flexed >= 0:
        rotations[goals.flexed] = _flexed(clip, limb, goals)
    scales = np.where(moves, found.scales, 1.0)
    return Solution(
        {joint: _where(moves, turns, clip.rotations[:, joint]) for joint, turns in rotations.items()},
        dict.fromkeys(_between(parents.tolist(), limb.chain[0], limb.end), scales),
    )


def calm_lengths(clip: Clip, limb: Limb, shifts: FloatArray) -> FloatArray:
    """Lengths (T,) of a limb whose end moves by ``shifts`` (T, 3) against the body, without jitter."""
    places = clip.world_positions()
    way = places[:, limb.end] - places[:, limb.chain[0]]
    lengths = vectors.lengths(way)
    changes = vectors.lengths(way + shifts) - lengths
    return np.asarray(lengths + smoothed(changes, JITTER / clip.frame_time))


def _flexed(clip: Clip, limb: Limb, goals: Goals) -> FloatArray:
    """Local rotations (T, 4) of the joint that bends between heel and toe."""
    worlds = clip.world_rotations()
    to_end = rot.inverse(worlds[:, limb.end])
    above = rot.multiply(to_end, worlds[:, clip.skeleton.parents[goals.flexed]])
    here = rot.multiply(to_end, worlds[:, goals.flexed])
    return rot.multiply(rot.inverse(above), rot.multiply(goals.flexions, here))


def _between(parents: Sequence[int], first: int, last: int) -> list[int]:
    """The joints below ``first`` down to ``last``: those whose offsets are the bones of the limb."""
    joints = []
    while last != first:
        joints.append(last)
        last = parents[last]
    return joints


def _differs(offsets: FloatArray) -> BoolArray:
    return np.asarray(np.abs(offsets).max(axis=-1) > SAME)


def _where(moves: BoolArray, turns: FloatArray, before: FloatArray) -> FloatArray:
    """The new rotations (T, 4) where the limb moves, with the signs that lie nearer to those before."""
    return np.where(moves[:, None], rot.nearer(turns, before), before)
