"""What the tests of the built-in motions measure on a clip, apart from the code that made it."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.geometry.rotations import rotate
from motionloom.motion import Clip, Constraint
from motionloom.motion.kinematics import world_points
from motionloom.synthesis import SyntheticMotion

SIDES = ("Left", "Right")
HEEL, BALL, TOE_TIP = (0.0, -0.08, -0.05), (0.0, -0.02, 0.0), (0.0, -0.02, 0.07)


def joint_positions(clip: Clip, name: str) -> FloatArray:
    """World positions (T, 3) of a joint."""
    return np.asarray(clip.world_positions()[:, clip.skeleton.index(name)])


def frames_of(plant: Constraint) -> FloatArray:
    """The whole frames inside a constraint."""
    return np.arange(np.ceil(plant.start), np.floor(plant.end) + 1.0)


def slide(clip: Clip, plants: tuple[Constraint, ...]) -> float:
    """The farthest, in metres, that any planted point is from its target in any of its frames."""
    worst = 0.0
    for plant in plants:
        assert plant.target is not None
        joint = clip.skeleton.index(plant.joint)
        points = world_points(clip.world_positions(), clip.world_rotations(), [joint], [plant.point])[:, 0]
        frames = frames_of(plant).astype(np.int64)
        if len(frames):
            worst = max(worst, float(np.abs(points[frames] - plant.target).max()))
    return worst


def lowest_point(clip: Clip) -> float:
    """The smallest height, in metres, of heels, balls and toe tips."""
    names = [side + name for side in SIDES for name in ("Foot", "ToeBase", "ToeBase")]
    joints = [clip.skeleton.index(name) for name in names]
    points = world_points(clip.world_positions(), clip.world_rotations(), joints, [HEEL, BALL, TOE_TIP] * 2)
    return float(points[..., 1].min())


def knee_flexion(clip: Clip, side: str) -> FloatArray:
    """Angles (T,) in radians by which the shin is turned from the thigh."""
    hip, knee, ankle = (joint_positions(clip, side + name) for name in ("UpLeg", "Leg", "Foot"))
    thigh, shin = knee - hip, ankle - knee
    cosine = (thigh * shin).sum(axis=-1) / np.linalg.norm(thigh, axis=-1) / np.linalg.norm(shin, axis=-1)
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))


def elbow_flexion(clip: Clip, side: str) -> FloatArray:
    """Angles (T,) in radians by which the forearm is turned from the upper arm."""
    shoulder, elbow, wrist = (joint_positions(clip, side + name) for name in ("Arm", "ForeArm", "Hand"))
    upper, fore = elbow - shoulder, wrist - elbow
    cosine = (upper * fore).sum(axis=-1) / np.linalg.norm(upper, axis=-1) / np.linalg.norm(fore, axis=-1)
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))


def knee_sense(clip: Clip, side: str, joint: str) -> FloatArray:
    """Cosine (T,) between the axis about which the knee bends and the lateral axis of a joint.

    It is positive where the knee points the way the joint faces.
    """
    hip, knee, ankle = (joint_positions(clip, side + name) for name in ("UpLeg", "Leg", "Foot"))
    axis = np.cross(knee - hip, ankle - knee)
    lateral = rotate(clip.world_rotations()[:, clip.skeleton.index(joint)], [1.0, 0.0, 0.0])
    return np.asarray((axis * lateral).sum(axis=-1) / np.linalg.norm(axis, axis=-1))


def jolt(clip: Clip) -> float:
    """Largest change, in m/s, of any joint's velocity from one frame to the next."""
    velocities = np.diff(clip.world_positions(), axis=0) * clip.fps
    return float(np.linalg.norm(np.diff(velocities, axis=0), axis=-1).max())


def spin_jolt(clip: Clip) -> float:
    """Largest change, in rad/s, of any joint's angular velocity from one frame to the next."""
    spins = clip.world_angular_velocities()[1:-1]
    return float(np.linalg.norm(np.diff(spins, axis=0), axis=-1).max())


def grounded(motion: SyntheticMotion, side: str) -> BoolArray:
    """The frames (T,) in which heel or toe of a foot is planted."""
    frames = np.arange(motion.clip.n_frames)
    inside = np.zeros(len(frames), dtype=np.bool_)
    for plant in motion.plants:
        if plant.joint.startswith(side):
            inside |= (frames >= plant.start) & (frames <= plant.end)
    return inside
