"""`HeldLimbs`: while a motion is held, a hand or foot goes where it is wanted, and feet stay."""

from __future__ import annotations

from dataclasses import replace
from typing import final

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.ik.moved_limb import MovedLimb, find_max_speed, keep_bent, make_limb, solve_limbs
from motionloom.motion import Pose, Skeleton
from motionloom.motion.anatomy import Arm, Leg, find_anatomy
from motionloom.motion.kinematics import world_transforms
from motionloom.motion.unroll import wrap_angle
from motionloom.spaces.joint_measures import AXES, Frame, Position
from motionloom.spaces.measures import start_transform
from motionloom.spaces.space import MotionSpace
from motionloom.warping.joint_roles import find_joint

MAX_SHIFT_SPEED = 0.5
"""Metres per second at which inverse kinematics closes what is missing, and lets go of a hand or foot."""

BODY_EASE = 0.5
"""Seconds in which the body goes to where it belongs while a motion is held, and back."""


@final
class HeldLimbs:
    """The limbs of a motion that can be held: one whose end a request puts somewhere, and the other legs.

    Parameters
    ----------
    limbs
        The limb that is held, then the other legs.
    point, frame
        The point (3,) of its end that is measured, and what its position is relative to.
    columns, numbers
        The axes that are asked for, and where they are among the d numbers of a request.
    moments
        (K,) where on the registration curve each clip has the moment of the position.
    roots
        (K, 3) yaw, x and z of the root at that moment in each clip, seen from the start.
    rest
        (4,) rotation of the root that has yaw 0.
    max_speed
        Metres per second of its end in the clips, at most.
    """

    def __init__(
        self,
        limbs: list[MovedLimb],
        *,
        point: FloatArray,
        frame: Frame,
        columns: list[int],
        numbers: slice,
        moments: FloatArray,
        roots: FloatArray,
        rest: FloatArray,
        max_speed: float,
    ) -> None:
        self._reaching, *self._legs = limbs
        self._point, self._frame, self._columns, self._numbers = point, frame, columns, numbers
        self._moments, self._roots, self._rest, self._max_speed = moments, roots, rest, max_speed
        self._body, self._fraction = np.zeros(3), 0.0
        self._end: FloatArray | None = None
        self._missing = np.zeros(3)

    def moment(self, weights: FloatArray) -> float:
        """Return where on the curve a blend with weights (K,) has the moment."""
        return float(weights @ self._moments / weights.sum())

    def find_offset(
        self, positions: FloatArray, rotations: FloatArray, request: FloatArray, start: GroundTransform
    ) -> FloatArray:
        """Return the way (3,) from the point that is measured to where a request (d,) wants it, metres.

        ``positions`` (J, 3) and ``rotations`` (J, 4) are those of the joints in the world; ``start`` is where
        the motion began.
        """
        joint = self._reaching.chain[2]
        point = positions[joint] + rot.rotate(rotations[joint], self._point)
        reference = start if self._frame == "start" else GroundTransform()
        local = reference.inverse().apply(point)
        local[self._columns] = request[self._numbers]
        return np.asarray(reference.apply(local) - point)

    def move(
        self,
        pose: Pose,
        weights: FloatArray,
        request: FloatArray,
        start: GroundTransform,
        *,
        dt: float,
        holds: bool,
    ) -> Pose:
        """Return a pose with its limbs where they are wanted or, no longer held, on their way back.

        The body goes to where a blend with these weights (K,) has it at the moment: weights that change while
        time stands still do not take it there.
        """
        limbs = (self._reaching, *self._legs)
        self._fraction = float(np.clip(self._fraction + (dt if holds else -dt) / BODY_EASE, 0.0, 1.0))
        if not (holds or self._fraction or any(limb.shift.any() for limb in limbs)):
            return pose
        if holds:
            self._body = self._find_body_shift(pose, weights, start)
        pose = self._move_body(pose, _ease(self._fraction) * self._body)
        moved = pose.translations
        positions, rotations = world_transforms(
            pose.skeleton,
            pose.root_positions[None],
            pose.rotations[None],
            None if moved is None else moved[None],
        )
        if holds:
            end = positions[0, self._reaching.chain[2]]
            self._approach(end, self.find_offset(positions[0], rotations[0], request, start), dt)
            for leg in self._legs:
                hip, knee, ankle = positions[0, list(leg.chain)]
                leg.stand = ankle + leg.shift if leg.stand is None else leg.stand
                # A heel may rise; what stays is the place of the foot.
                leg.shift = keep_bent((leg.stand - ankle) * [1.0, 0.0, 1.0], hip, knee, ankle)
        else:
            self._end = None
            for limb in limbs:
                limb.stand, limb.shift = None, _shorten(limb.shift, MAX_SHIFT_SPEED * dt)
        moving = [limb for limb in limbs if limb.shift.any()]
        local_rotations = np.array(pose.rotations)
        if moving:
            chains = [list(limb.chain) for limb in moving]
            local_rotations[chains] = solve_limbs(moving, positions[0], rotations[0])
        return replace(pose, rotations=local_rotations)

    def _find_body_shift(self, pose: Pose, weights: FloatArray, start: GroundTransform) -> FloatArray:
        """Return by how much (yaw, x, z) the root is not where a blend with weights (K,) has it."""
        yaw, x, z = (weights @ self._roots / weights.sum()).tolist()
        place = start @ GroundTransform(yaw, x, z)
        turned = wrap_angle(place.yaw - root_yaw(pose.rotations[0], self._rest))
        return np.array([turned, place.x - pose.root_positions[0], place.z - pose.root_positions[2]])

    def _move_body(self, pose: Pose, shift: FloatArray) -> Pose:
        """Return a pose turned about its root and moved over the ground by a shift (yaw, x, z)."""
        rotations = np.array(pose.rotations)
        rotations[0] = rot.multiply(rot.from_yaw(shift[0]), rotations[0])
        offset = np.array([shift[1], 0.0, shift[2]])
        return replace(pose, root_positions=pose.root_positions + offset, rotations=rotations)

    def _approach(self, end: FloatArray, offset: FloatArray, dt: float) -> None:
        """Move the end (3,) of the held limb towards its target, which is an offset (3,) away.

        It follows the target, and meanwhile closes what was missing when it began, but is never faster than
        in the clips.
        """
        target, limb = end + offset, self._reaching
        if self._end is None:
            self._end = end + limb.shift
            self._missing = target - self._end
        self._missing = _shorten(self._missing, MAX_SHIFT_SPEED * dt)
        step = target - self._missing - self._end
        size, allowed = float(np.linalg.norm(step)), self._max_speed * dt
        self._end = self._end + (step if size <= allowed else step * (allowed / size))
        self._missing = target - self._end
        limb.shift = self._end - end


def find_held_limbs(space: MotionSpace, skeleton: Skeleton) -> HeldLimbs | None:
    """Return the limbs for the first parameter that is the position of a hand or foot; None without one."""
    anatomy = find_anatomy(skeleton)
    limbs: list[Leg | Arm] = [*anatomy.arms, *anatomy.legs]
    start = 0
    for name, parameter in space.parameters.items():
        numbers = slice(start, start + len(parameter.components))
        start = numbers.stop
        moments = space.blends.moments.get(name)
        if not isinstance(parameter, Position) or moments is None:
            continue
        end = find_joint(skeleton, parameter.joint)
        rest = np.array(space.curve.clips[space.curve.reference].rotations[0, 0])
        found = [limb for limb in limbs if limb.chain[2] == end]
        if not found:
            continue
        return HeldLimbs(
            [
                make_limb(space.curve.clips[space.curve.reference], limb, skeleton, anatomy.left)
                for limb in (found[0], *(leg for leg in anatomy.legs if leg.chain[2] != end))
            ],
            point=np.array(parameter.point),
            frame=parameter.frame,
            columns=[AXES.index(axis) for axis in parameter.axes],
            numbers=numbers,
            moments=moments,
            roots=_find_root_positions(space, moments, rest),
            rest=rest,
            max_speed=max(MAX_SHIFT_SPEED, *(find_max_speed(clip, end) for clip in space.curve.clips)),
        )
    return None


def _find_root_positions(space: MotionSpace, moments: FloatArray, rest: FloatArray) -> FloatArray:
    """Return yaw, x and z (K, 3) of the root of each clip at its moment, seen from the start."""
    rows = []
    for own, moment in zip(np.eye(len(moments)), moments, strict=True):
        result = space.blends.make(own)
        pose = result.clip.at(np.interp(moment, result.u, np.arange(len(result.u))))
        x, _, z = pose.root_positions.tolist()
        place = GroundTransform(root_yaw(pose.rotations[0], rest), x, z)
        seen = start_transform(result.clip).inverse() @ place
        rows.append((wrap_angle(seen.yaw), seen.x, seen.z))
    table = np.array(rows)
    # Angles on both sides of half a turn are not averaged to 0.
    table[:, 0] = table[0, 0] + np.array([wrap_angle(yaw - table[0, 0]) for yaw in table[:, 0].tolist()])
    return table


def root_yaw(rotation: FloatArray, rest: FloatArray) -> float:
    """Return by how far a root (4,) is turned about the vertical from its rest (4,), radians.

    >>> root_yaw(rot.from_yaw(0.5), rot.IDENTITY)
    0.5
    """
    return float(rot.yaw_of(rot.multiply(rotation, rot.inverse(rest))))


def _ease(fraction: float) -> float:
    """Return a fraction of time as the fraction of a way that begins and ends slowly."""
    return fraction * fraction * (3.0 - 2.0 * fraction)


def _shorten(vector: FloatArray, length: float) -> FloatArray:
    """Return a vector (3,) that is shorter by a length, or zero."""
    size = float(np.linalg.norm(vector))
    return vector * (1.0 - length / size) if size > length else np.zeros(3)
