"""What the tests measure on clips, in a plain way of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import find_anatomy


def held_frames(plant: Constraint, clip: Clip) -> range:
    """The whole frames of a plant that the clip has."""
    first, last = int(np.ceil(plant.start - 1e-6)), int(np.floor(plant.end + 1e-6))
    return range(max(first, 0), min(last, clip.n_frames - 1) + 1)


def way_of(plant: Constraint, clip: Clip) -> FloatArray:
    """World positions (N, 3) of a planted point in the frames of its plant."""
    joint, frames = clip.skeleton.index(plant.joint), held_frames(plant, clip)
    turned = rot.rotate(clip.world_rotations()[frames, joint], plant.point)
    return np.asarray(clip.world_positions()[frames, joint] + turned)


def slide(plant: Constraint, clip: Clip) -> float:
    """The largest distance on the ground plane between two positions of a planted point, metres."""
    ground = way_of(plant, clip)[:, [0, 2]]
    return max((float(np.hypot(*(ground - place).T).max()) for place in ground), default=0.0)


def largest_slide(clip: Clip) -> float:
    return max((slide(plant, clip) for plant in clip.constraints), default=0.0)


def knee_angles(clip: Clip) -> FloatArray:
    """The angles (T, L) at the knees, radians."""
    places, found = clip.world_positions(), []
    for leg in find_anatomy(clip.skeleton).legs:
        hip, knee, ankle = (places[:, joint] for joint in leg.chain)
        thigh, shin = hip - knee, ankle - knee
        crossed = np.linalg.norm(np.cross(thigh, shin), axis=-1)
        found.append(np.arctan2(crossed, (thigh * shin).sum(axis=-1)))
    return np.stack(found, axis=-1)


def knee_speed(clip: Clip) -> float:
    """The largest angular speed of a knee, rad/s."""
    return float(np.abs(np.diff(knee_angles(clip), axis=0)).max() / clip.frame_time)


def moved_by(one: Clip, two: Clip) -> float:
    """The largest way of any joint from one clip to the other, metres."""
    return float(np.linalg.norm(one.world_positions() - two.world_positions(), axis=-1).max(initial=0.0))


def skating(clip: Clip, factor: float = 1.08) -> Clip:
    """The clip with feet that slide: its root goes farther than its steps."""
    return replace(clip, root_positions=clip.root_positions * [factor, 1.0, factor])
