"""Where bones point: the difference between two standing bodies.

Arms may hang, stand off or be stretched out in a reference pose. The direction of every bone of a limb is
therefore compared with its partner's, and the difference taken out by the shortest turn, which keeps the
twist.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.retargeting.reference import Reference, ball_of

NEXT_PART = {"thigh": "shin", "shin": "foot", "upper arm": "forearm", "forearm": "hand"}
"""For each bone of a limb the part at its far end."""

LEAST_LEVEL = 0.3
"""A foot has a heading when this share of the way from the ankle to its end is level."""

Partners = Mapping[int, int]


class Bone(NamedTuple):
    """A bone of a limb: its lower joint in the target, and the ways (3,) along it in both reference poses."""

    end: int
    way: FloatArray
    source_way: FloatArray


def limb_bones(source: Reference, target: Reference, partners: Partners) -> dict[int, Bone]:
    """The bones of limbs that both bodies have, by their upper joint in the target."""
    joints, found = target.parts.joints, {}
    for part, joint in joints.items():
        side, _, kind = part.partition(" ")
        end = joints.get(f"{side} {NEXT_PART.get(kind, '')}")
        if end is None or joint not in partners or end not in partners:
            continue
        own = target.way(joint, target.positions[end])
        other = source.way(partners[joint], source.positions[partners[end]])
        if own is not None and other is not None:
            found[joint] = Bone(end, own, other)
    return found


def rest_difference(
    source: Reference, target: Reference, partners: Partners, bones: Mapping[int, Bone]
) -> FloatArray:
    """Rotations (J, 4) that turn the target's standing body, joint by joint, to stand as the source's does.

    Bones of arms and legs and hands are turned on from where the bone above them was turned to. Feet are
    turned about the vertical only, since the soles of both bodies are level. Trunk, collar bones and head
    stay: a spine keeps its own curve. Joints of no limb go along with what they hang on.
    """
    skeleton, kinds = target.skeleton, _kinds(target)
    turns = np.tile(rot.IDENTITY, (skeleton.n_joints, 1))
    for joint in range(1, skeleton.n_joints):
        turns[joint] = turns[skeleton.parents[joint]]
        partner, kind = partners.get(joint), kinds.get(joint)
        if partner is None:
            continue
        if joint in bones:
            turns[joint] = _turned_on(turns[joint], bones[joint].way, bones[joint].source_way)
        elif kind == "hand":
            ways = target.way(joint, target.end_of(joint)), source.way(partner, source.end_of(partner))
            turns[joint] = _turned_on(turns[joint], *ways)
        elif kind == "foot":
            ways = target.way(joint, ball_of(target, joint)), source.way(partner, ball_of(source, partner))
            turns[joint] = _turned_on(rot.IDENTITY, *map(level_way, ways))
    return turns


def _kinds(reference: Reference) -> dict[int, str]:
    """Joint → its part without the side."""
    return {joint: part.partition(" ")[2] for joint, part in reference.parts.names.items()}


def level_way(way: FloatArray | None) -> FloatArray | None:
    """The level part of a way (3,); None where it leads mostly up or down."""
    if way is None:
        return None
    level = way * [1.0, 0.0, 1.0]
    return level if np.linalg.norm(level) >= LEAST_LEVEL * np.linalg.norm(way) else None


def _turned_on(above: FloatArray, way: FloatArray | None, wanted: FloatArray | None) -> FloatArray:
    """The turn ``above`` (4,), and then, where there are ways (3,), the shortest from one to the other."""
    if way is None or wanted is None:
        return above
    return rot.multiply(rot.between(rot.rotate(above, way), wanted), above)
