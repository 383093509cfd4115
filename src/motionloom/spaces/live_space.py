"""`LiveSpace`: a motion space whose request changes while the motion plays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.live_blend import LiveBlend
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import Chain, find_hinge, solve_limb
from motionloom.motion import Pose, Skeleton
from motionloom.motion.anatomy import Arm, Leg, find_anatomy
from motionloom.spaces.joint_measures import AXES, Frame, Position
from motionloom.spaces.measures import start_transform
from motionloom.spaces.space import MotionSpace, Request
from motionloom.validation import check_number, check_positive
from motionloom.warping.joint_roles import find_joint

MAX_CHANGE = 2.0
"""Change of a weight per second that a moving request causes at most: from 0 to 1 in half a second."""

MAX_SHIFT_SPEED = 0.5
"""Metres per second at which inverse kinematics moves a hand or foot to its place, and lets go of it."""


@final
class LiveSpace:
    """A motion of a space that is played step by step, and asked for something else at any step.

    The weights follow the request through the measured blends. A motion can be held at the moment of a
    position, such as the apex of a reach: the hand then follows the request, and inverse kinematics of its
    limb does what the weights leave.

    Parameters
    ----------
    space
        The space.
    request
        What to begin with, as in :meth:`MotionSpace.weights`.
    place
        Where the first pose is, as in :func:`motionloom.blend`.
    max_change
        Maximum change of a weight per second.

    >>> from motionloom.spaces import parameters
    >>> from motionloom.synthesis import reach_out
    >>> reaches = [reach_out(target=(-0.2, y, 0.4), fps=30).clip for y in (0.9, 1.4)]
    >>> space = MotionSpace(reaches, {"hand": parameters.position("RightHand", axes="y")})
    >>> live = LiveSpace(space, {"hand": 1.0})
    >>> for _ in range(90):
    ...     pose = live.step(1 / 30, {"hand": 1.2}, hold=True)
    >>> height = pose.world_positions()[pose.skeleton.index("RightHand"), 1]
    >>> round(float(height), 3), live.holds
    (1.2, True)
    """

    def __init__(
        self,
        space: MotionSpace,
        request: Request,
        *,
        place: GroundTransform | None = None,
        max_change: float = MAX_CHANGE,
    ) -> None:
        self._space, self._max_change = space, check_positive("max_change", max_change)
        weights = space.weights(request, correct=False)
        self._live = LiveBlend(space.curve, weights=weights, place=place, rate_law=space.rate_law)
        self._start = start_transform(space.blends.make(weights, place=place).clip)
        self._limb = _find_limb(space, self._live.pose.skeleton)
        self._shift, self._holds = np.zeros(3), False

    @property
    def blend(self) -> LiveBlend:
        """The live blend below: its weights, its time and its place."""
        return self._live

    @property
    def holds(self) -> bool:
        """Whether the motion is held at the moment of its position."""
        return self._holds

    @property
    def finished(self) -> bool:
        """Whether the motion has ended; never for cyclic clips."""
        return self._live.finished

    def step(self, dt: float, request: Request, *, hold: bool = False) -> Pose:
        """Move on by ``dt`` seconds towards a request, and return the pose there.

        Parameters
        ----------
        dt
            Seconds.
        request
            As in :meth:`MotionSpace.weights`.
        hold
            Stay at the moment of the position, once it is reached, until a step without ``hold``.
        """
        # While the motion is held, the live blend below does not see it.
        check_number("dt", dt)
        limb = self._limb
        if hold and limb is None:
            raise ParameterError(
                "hold needs a parameter that is the position of a hand or foot: this space has none"
            )
        weights = self._approach(self._space.weights(request, correct=False), dt)
        self._holds = hold and limb is not None and self._live.u >= limb.moment(weights)
        pose = self._live.step(0.0 if self._holds else dt, weights)
        return pose if limb is None else self._reach(pose, limb, self._space.as_numbers(request), dt)

    def distance(self, pose: Pose, request: Request) -> float:
        """Return how far the held hand or foot of a pose is from its request, metres; 0 without one."""
        if self._limb is None:
            return 0.0
        return float(np.linalg.norm(self._missing(pose, self._limb, self._space.as_numbers(request))))

    def _missing(self, pose: Pose, limb: _HeldLimb, request: FloatArray) -> FloatArray:
        """Return the offset (3,) from the point that is measured to where a request (d,) wants it, metres."""
        joint = limb.chain[2]
        point = pose.world_positions()[joint] + rot.rotate(pose.world_rotations()[joint], limb.point)
        reference = self._start if limb.frame == "start" else GroundTransform()
        local = reference.inverse().apply(point)
        local[limb.columns] = request[limb.numbers]
        return np.asarray(reference.apply(local) - point)

    def _approach(self, weights: FloatArray, dt: float) -> FloatArray:
        """Return weights (K,) as near to those asked for as ``dt`` seconds allow."""
        now = self._live.weights
        far = float(np.abs(weights - now).max())
        allowed = self._max_change * abs(dt)
        return weights if far <= allowed else now + (weights - now) * (allowed / far)

    def _reach(self, pose: Pose, limb: _HeldLimb, request: FloatArray, dt: float) -> Pose:
        """Return the pose with the end of the limb on its way to the request, or back to the blend."""
        positions, rotations = pose.world_positions(), pose.world_rotations()
        end = positions[limb.chain[2]]
        needed = self._missing(pose, limb, request) if self._holds else np.zeros(3)
        missing = needed - self._shift
        far, allowed = float(np.linalg.norm(missing)), MAX_SHIFT_SPEED * abs(dt)
        self._shift = needed if far <= allowed else self._shift + missing * (allowed / far)
        if not self._shift.any():
            return pose
        solved = solve_limb(
            np.asarray(pose.skeleton.parents),
            positions[None],
            rotations[None],
            limb.chain,
            (end + self._shift)[None],
            hinge=limb.hinge,
        )
        local_rotations = np.array(pose.rotations)
        local_rotations[list(limb.chain)] = solved.rotations[0]
        return replace(pose, rotations=local_rotations)


@dataclass(frozen=True, eq=False)
class _HeldLimb:
    """The limb whose end a request puts somewhere.

    Attributes
    ----------
    chain, hinge
        Its joints, and the axis (3,) about which it bends.
    point, frame
        The point (3,) of its end that is measured, and what its position is relative to.
    columns, numbers
        The axes that are asked for, and where they are among the d numbers of a request.
    moments
        (K,) where on the registration curve each clip has the moment of the position.
    """

    chain: Chain
    hinge: FloatArray
    point: FloatArray
    frame: Frame
    columns: list[int]
    numbers: slice
    moments: FloatArray

    def moment(self, weights: FloatArray) -> float:
        """Return where on the curve a blend with weights (K,) has the moment."""
        return float(weights @ self.moments / weights.sum())


def _find_limb(space: MotionSpace, skeleton: Skeleton) -> _HeldLimb | None:
    """Return the limb of the first parameter that is the position of a hand or foot; None without one."""
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
        for limb in limbs:
            if limb.chain[2] == end:
                example = space.curve.clips[space.curve.reference]
                sideways = -anatomy.left if isinstance(limb, Leg) else anatomy.left
                hinge = find_hinge(example.world_positions(), example.world_rotations(), limb.chain, sideways)
                columns = [AXES.index(axis) for axis in parameter.axes]
                point = np.array(parameter.point)
                return _HeldLimb(limb.chain, hinge, point, parameter.frame, columns, numbers, moments)
    return None
