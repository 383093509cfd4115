"""Events of single limbs: how far joints bend and stretch, and where hands and feet turn round."""

from __future__ import annotations

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.gait_events import foot_contacts
from motionloom.annotation.labels import APEX, EXTENSION, FLEXION
from motionloom.annotation.settings import AnnotationSettings
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Event, kinematics
from motionloom.motion.anatomy import Anatomy, Arm, Leg, facing

IN_PLANE = 0.3
"""Where less than this share of a limb lies in the plane of forward and up, its swing angle says nothing and
is taken from the neighbouring frames."""

SLOW_SHARE, SLOW_REACH = 0.7, 0.1
"""About an apex, within this time in seconds, the effector becomes slower than this share of its fastest on
the way there, as seen from the body."""

RESTING = 0.3
"""An effector slower than this, m/s, in the first and in the last frame begins and ends the clip at rest."""


def flexion_events(clip: Clip, anatomy: Anatomy, settings: AnnotationSettings) -> list[Event]:
    """Extremes of bend of knees and elbows, and of forward swing of hips and shoulders.

    >>> from motionloom.motion.anatomy import find_anatomy
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> events = flexion_events(clip, find_anatomy(clip.skeleton), AnnotationSettings())
    >>> sorted({event.joint for event in events if event.joint.startswith("Left")})
    ['LeftArm', 'LeftForeArm', 'LeftLeg', 'LeftUpLeg']
    """
    found = []
    for limb in _limbs(anatomy):
        upper, middle, lower = limb.chain
        for joint, angles in (
            (upper, swing_angles(clip, upper, middle)),
            (middle, bend_angles(clip, upper, middle, lower)),
        ):
            calm = signals.averaged(angles, clip.frame_time, settings.smoothing)
            found += [
                Event(turn.frame, FLEXION if turn.is_maximum else EXTENSION, clip.skeleton.names[joint])
                for turn in signals.turning_points(calm, settings.flexion)
            ]
    return found


def _limbs(anatomy: Anatomy) -> list[Leg | Arm]:
    return [*anatomy.legs, *anatomy.arms]


def bend_angles(clip: Clip, upper: int, middle: int, lower: int) -> FloatArray:
    """How far (T,) the joint between two bones is bent, radians; 0 is straight.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0, fps=2).clip
    >>> knee = bend_angles(clip, *(clip.skeleton.index("Left" + name) for name in ("UpLeg", "Leg", "Foot")))
    >>> bool((knee < 0.6).all())
    True
    """
    places = clip.world_positions()
    first, second = places[:, middle] - places[:, upper], places[:, lower] - places[:, middle]
    across = np.linalg.norm(np.cross(first, second), axis=-1)
    return np.asarray(np.arctan2(across, np.sum(first * second, axis=-1)))


def swing_angles(clip: Clip, upper: int, middle: int) -> FloatArray:
    """How far (T,) a thigh or upper arm points forward of straight down, radians; negative is backward.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0, fps=2).clip
    >>> hip = swing_angles(clip, clip.skeleton.index("LeftUpLeg"), clip.skeleton.index("LeftLeg"))
    >>> bool((abs(hip) < 0.3).all())
    True
    """
    places = clip.world_positions()
    limb = places[:, middle] - places[:, upper]
    yaw = facing(clip)
    forward = limb[:, 0] * np.sin(yaw) + limb[:, 2] * np.cos(yaw)
    tells = np.hypot(forward, limb[:, 1]) > IN_PLANE * np.linalg.norm(limb, axis=-1)
    if not tells.any():
        return np.zeros(len(limb))
    frames = np.arange(len(limb))
    angles = np.unwrap(np.arctan2(forward[tells], -limb[tells, 1]))
    return np.asarray(np.interp(frames, frames[tells], angles))


def apex_events(clip: Clip, anatomy: Anatomy, settings: AnnotationSettings) -> list[Event]:
    """Where hands and feet are farthest from their usual place, as seen from the pelvis, and turn round.

    The usual place is where the effector rests before and after, or, where it does not and in a cycle, which
    has no before and after, its median place. A planted foot has no apex.

    >>> from motionloom.motion.anatomy import find_anatomy
    >>> from motionloom.synthesis import kick
    >>> clip = kick(duration=1.6, fps=60).clip
    >>> events = apex_events(clip, find_anatomy(clip.skeleton), AnnotationSettings())
    >>> [(event.joint, round(event.frame)) for event in events]
    [('RightFoot', 48)]
    """
    found = []
    turn = rot.inverse(rot.from_yaw(facing(clip)))
    places = clip.world_positions()
    for limb in _limbs(anatomy):
        effector = limb.chain[2]
        seen = rot.rotate(turn, places[:, effector] - places[:, anatomy.pelvis])
        calm = signals.averaged(seen, clip.frame_time, settings.smoothing)
        held = foot_contacts(clip, limb) if isinstance(limb, Leg) else []
        speed = np.linalg.norm(kinematics.velocities(calm, clip.frame_time), axis=-1)
        rest = None if clip.cyclic else _resting_place(calm, speed, settings.excursion)
        away = np.linalg.norm(calm - (np.median(calm, axis=0) if rest is None else rest), axis=-1)
        found += [
            Event(frame, APEX, clip.skeleton.names[effector])
            for frame in _apexes(away, speed, clip.frame_time, settings.excursion)
            if not any(start < frame < end for start, end in held)
        ]
    return found


def _apexes(away: FloatArray, speed: FloatArray, frame_time: float, prominence: float) -> list[float]:
    """The frames at which an effector is farthest away (T,) from its usual place, and slow."""
    turns = signals.turning_points(away, prominence)
    reach = round(SLOW_REACH / frame_time)
    found = []
    for begin, turn in zip([0.0, *(turn.frame for turn in turns)], turns, strict=False):
        here = round(turn.frame)
        slowest = speed[max(here - reach, 0) : here + reach + 1].min()
        if turn.is_maximum and slowest <= SLOW_SHARE * speed[int(begin) : here + 1].max():
            found.append(turn.frame)
    return found


def _resting_place(places: FloatArray, speed: FloatArray, near: float) -> FloatArray | None:
    """The place (3,) where an effector rests at both ends, if ``near`` each other; else None."""
    ends = places[[0, -1]]
    rests = max(speed[0], speed[-1]) < RESTING and np.linalg.norm(ends[1] - ends[0]) < near
    return np.asarray(ends.mean(axis=0)) if rests else None
