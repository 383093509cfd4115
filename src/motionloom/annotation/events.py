"""Events of a clip: strikes, lifts and mid swings of feet; extremes of joints; apexes of hands and feet."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.labels import APEX, EXTENSION, FLEXION, HAND, LIFT, MID_SWING, PLANT_KINDS, STRIKE
from motionloom.annotation.signals import Interval
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Event, kinematics
from motionloom.motion.anatomy import Anatomy, Arm, Leg, facing, find_anatomy
from motionloom.motion.filters import average_window

MIN_SWING_DURATION = 0.1
"""A foot whose heel and toe are both free for less than this, seconds, has not left the floor."""

CUT_OFF = 0.05
"""A contact that begins this soon after the first frame, or ends this shortly before the last, seconds, is
taken to be cut off by the clip: velocities are unreliable there."""

MIN_STEP_LENGTH = 0.1
"""A swing shorter than this, metres, is a step on the spot: its mid swing is where the foot is highest."""

MIN_IN_PLANE = 0.3
"""Where less than this fraction of a limb lies in the plane of forward and up, its swing angle is meaningless
and is taken from the neighbouring frames."""

SLOW_FRACTION, SLOW_RADIUS = 0.7, 0.1
"""Within this time of an apex, seconds, the effector becomes slower than this fraction of its top speed on
the way there, as seen from the body."""

REST_SPEED = 0.3
"""An effector slower than this, m/s, in the first and in the last frame begins and ends the clip at rest."""


def foot_contacts(clip: Clip, leg: Leg) -> list[Interval]:
    """Return the intervals (fractional frames) in which heel or toe of a leg is planted.

    >>> from motionloom.motion import Constraint
    >>> from motionloom.synthesis import biped, stand
    >>> heel, toe = Constraint("LeftFoot", "heel", 0, 20), Constraint("LeftToeBase", "toe", 8, 31)
    >>> from dataclasses import replace
    >>> clip = replace(stand(duration=1.0).clip, constraints=(heel, toe))
    >>> foot_contacts(clip, find_anatomy(biped()).legs[0])
    [(0.0, 31.0)]
    """
    names = {clip.skeleton.names[joint] for joint in leg.joints}
    plants = [(c.start, c.end) for c in clip.constraints if c.kind in PLANT_KINDS and c.joint in names]
    return signals.join_intervals(plants, MIN_SWING_DURATION / clip.frame_time)


def gait_events(clip: Clip) -> list[Event]:
    """Find strikes, lifts and mid swings of every foot of a clip that has foot plants.

    >>> from motionloom.synthesis import walk
    >>> from dataclasses import replace
    >>> motion = walk(duration=1.0)
    >>> events = gait_events(replace(motion.clip, constraints=motion.plants))
    >>> sorted({event.label for event in events})
    ['lift', 'mid swing', 'strike']
    """
    legs = find_anatomy(clip.skeleton).legs
    contacts = [foot_contacts(clip, leg) for leg in legs]
    margin, last = CUT_OFF / clip.frame_time, clip.n_frames - 1
    found = []
    for n, leg in enumerate(legs):
        name = clip.skeleton.names[leg.ankle]
        found += [Event(start, STRIKE, name) for start, _ in contacts[n] if start > margin]
        found += [Event(end, LIFT, name) for _, end in contacts[n] if end < last - margin]
        other = legs[1 - n] if len(legs) == 2 else None
        swings = pairwise(contacts[n])
        found += [
            Event(_mid_swing(clip, leg, other, before[1], after[0]), MID_SWING, name)
            for before, after in swings
        ]
    return found


def _mid_swing(clip: Clip, leg: Leg, other: Leg | None, lift: float, strike: float) -> float:
    """Find the frame at which a foot that swings from ``lift`` to ``strike`` passes the other one."""
    positions = clip.world_positions()
    first, last = int(np.floor(lift)), int(np.ceil(strike))
    ankle = positions[first : last + 1, leg.ankle]
    travel = (ankle[-1] - ankle[0]) * [1.0, 0.0, 1.0]
    if other is not None and np.linalg.norm(travel) >= MIN_STEP_LENGTH:
        ahead = (ankle - positions[first : last + 1, other.ankle]) @ travel
        rises = np.flatnonzero((ahead[:-1] < 0.0) & (ahead[1:] >= 0.0))
        if len(rises):
            before = int(rises[0])
            passing = before + signals.crossing(ahead[before], ahead[before + 1], 0.0)
            return float(np.clip(first + passing, lift, strike))
    return float(np.clip(first + int(np.argmax(ankle[:, 1])), lift, strike))


def flexion_events(clip: Clip, anatomy: Anatomy, prominence: float, smoothing: float) -> list[Event]:
    """Find the extremes of bend of knees and elbows, and of forward swing of hips and shoulders.

    Parameters
    ----------
    clip, anatomy
        A clip, and the anatomy of its skeleton.
    prominence
        A bend counts as an extreme when the joint then goes back by this much, radians.
    smoothing
        Width of the window over which angles are averaged, seconds.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> events = flexion_events(clip, find_anatomy(clip.skeleton), 0.2, 0.05)
    >>> sorted({event.joint for event in events if event.joint.startswith("Left")})
    ['LeftArm', 'LeftForeArm', 'LeftLeg', 'LeftUpLeg']
    """
    found = []
    yaw = facing(clip)
    for limb in _limbs(anatomy):
        upper, lower, end = limb.chain
        for joint, angles in (
            (upper, swing_angles(clip, upper, lower, yaw)),
            (lower, bend_angles(clip, upper, lower, end)),
        ):
            smoothed = average_window(angles, clip.frame_time, smoothing)
            found += [
                Event(point.frame, FLEXION if point.is_maximum else EXTENSION, clip.skeleton.names[joint])
                for point in signals.turning_points(smoothed, prominence)
            ]
    return found


def _limbs(anatomy: Anatomy) -> list[Leg | Arm]:
    return [*anatomy.legs, *anatomy.arms]


def bend_angles(clip: Clip, upper: int, lower: int, end: int) -> FloatArray:
    """Return the bend (T,) of the joint ``lower`` between two bones, radians; 0 is straight.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0, fps=2).clip
    >>> knee = bend_angles(clip, *(clip.skeleton.index("Left" + name) for name in ("UpLeg", "Leg", "Foot")))
    >>> bool((knee < 0.6).all())
    True
    """
    positions = clip.world_positions()
    first, second = positions[:, lower] - positions[:, upper], positions[:, end] - positions[:, lower]
    across = np.linalg.norm(np.cross(first, second), axis=-1)
    return np.asarray(np.arctan2(across, np.sum(first * second, axis=-1)))


def swing_angles(clip: Clip, upper: int, lower: int, yaw: FloatArray | None = None) -> FloatArray:
    """Return how far (T,) a thigh or upper arm points forward of straight down, radians; negative is
    backward. ``yaw`` (T,) is the body's heading, where the caller has it already.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0, fps=2).clip
    >>> hip = swing_angles(clip, clip.skeleton.index("LeftUpLeg"), clip.skeleton.index("LeftLeg"))
    >>> bool((abs(hip) < 0.3).all())
    True
    """
    positions = clip.world_positions()
    limb = positions[:, lower] - positions[:, upper]
    yaw = facing(clip) if yaw is None else yaw
    forward = limb[:, 0] * np.sin(yaw) + limb[:, 2] * np.cos(yaw)
    in_plane = np.hypot(forward, limb[:, 1]) > MIN_IN_PLANE * np.linalg.norm(limb, axis=-1)
    if not in_plane.any():
        return np.zeros(len(limb))
    frames = np.arange(len(limb))
    angles = np.unwrap(np.arctan2(forward[in_plane], -limb[in_plane, 1]))
    return np.asarray(np.interp(frames, frames[in_plane], angles))


def apex_events(clip: Clip, anatomy: Anatomy, prominence: float, smoothing: float) -> list[Event]:
    """Find where hands and feet are farthest from their usual position, seen from the pelvis, and turn round.

    The usual position is where the effector rests before and after. Where it does not rest, and in a cycle,
    which has no before and after, it is the median position. A planted foot or hand has no apex.

    Parameters
    ----------
    clip, anatomy
        A clip, and the anatomy of its skeleton.
    prominence
        An apex counts when the hand or foot then comes back by this much, metres.
    smoothing
        Width of the window over which positions are averaged, seconds.

    >>> from motionloom.synthesis import kick
    >>> clip = kick(duration=1.6, fps=60).clip
    >>> events = apex_events(clip, find_anatomy(clip.skeleton), 0.15, 0.05)
    >>> [(event.joint, round(event.frame)) for event in events]
    [('RightFoot', 48)]
    """
    found = []
    to_body = rot.inverse(rot.from_yaw(facing(clip)))
    positions = clip.world_positions()
    for limb in _limbs(anatomy):
        effector = limb.chain[2]
        local = rot.rotate(to_body, positions[:, effector] - positions[:, anatomy.pelvis])
        smoothed = average_window(local, clip.frame_time, smoothing)
        name = clip.skeleton.names[effector]
        hands = [(c.start, c.end) for c in clip.constraints if (c.joint, c.kind) == (name, HAND)]
        contacts = foot_contacts(clip, limb) if isinstance(limb, Leg) else hands
        speed = np.linalg.norm(kinematics.velocities(smoothed, clip.frame_time), axis=-1)
        rest = None if clip.cyclic else _rest_position(smoothed, speed, prominence)
        away = np.linalg.norm(smoothed - (np.median(smoothed, axis=0) if rest is None else rest), axis=-1)
        found += [
            Event(frame, APEX, name)
            for frame in _apex_frames(away, speed, clip.frame_time, prominence)
            if not any(start < frame < end for start, end in contacts)
        ]
    return found


def _apex_frames(away: FloatArray, speed: FloatArray, frame_time: float, prominence: float) -> list[float]:
    """Find the frames at which an effector is farthest away (T,) from its usual position, and slow."""
    points = signals.turning_points(away, prominence)
    radius = round(SLOW_RADIUS / frame_time)
    found = []
    for begin, point in zip([0.0, *(point.frame for point in points)], points, strict=False):
        here = round(point.frame)
        min_speed = speed[max(here - radius, 0) : here + radius + 1].min()
        if point.is_maximum and min_speed <= SLOW_FRACTION * speed[int(begin) : here + 1].max():
            found.append(point.frame)
    return found


def _rest_position(positions: FloatArray, speed: FloatArray, radius: float) -> FloatArray | None:
    """Return the position (3,) where an effector rests at both ends, if within ``radius``; else None."""
    ends = positions[[0, -1]]
    rests = max(speed[0], speed[-1]) < REST_SPEED and np.linalg.norm(ends[1] - ends[0]) < radius
    return np.asarray(ends.mean(axis=0)) if rests else None
