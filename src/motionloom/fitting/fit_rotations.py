"""Rotations of a skeleton from positions of its joints: rigid parts, then limbs from the trunk outwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.fitting.rigid_parts import best_rotations, mean_shape, shows_rotation
from motionloom.fitting.twist import hinge_weights, signed_angles, solve_twist, swing_to
from motionloom.geometry import rotations as rot
from motionloom.motion import Skeleton, Tip
from motionloom.motion.anatomy import Anatomy, Arm, Leg, find_anatomy

ELBOW_RISE = np.radians(25.0)
"""How far upwards of forward elbows bend while the arms are spread, palms down."""

MIN_STRAIGHT = np.cos(np.radians(30.0))
"""Cosine of the bend up to which a knee may seem to bend to the front."""

HINT_WEIGHT = 1e-4
"""Weight of points that only hint at how a joint is turned: hips 0.5 m below a chest against shoulders."""

MIN_LENGTH = 1e-6
"""Metres; bones shorter than this have no direction."""


@dataclass(frozen=True)
class FittedRotations:
    """A skeleton with constant bones, and how it moves.

    Attributes
    ----------
    skeleton
        The skeleton of the layout in the size of the body.
    root_positions
        (T, 3) positions of the root.
    rotations
        (T, J, 4) local rotations.
    positions
        (T, J, 3) where the joints are.
    """

    skeleton: Skeleton
    root_positions: FloatArray
    rotations: FloatArray
    positions: FloatArray


class RotationFit:
    """Fits one body; vectors at rest are those of the layout in the world, turned as its rest pose is.

    Parameters
    ----------
    skeleton
        The skeleton of the layout.
    joints
        (T, J, 3) positions of its joints, without gaps.
    attached
        For joints, by index, vectors at rest (N, 3) and positions (T, N, 3) of further points that turn with
        them.
    frame_time
        Seconds from one frame to the next.
    hints
        Joints whose further points count little.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        joints: FloatArray,
        attached: Mapping[int, tuple[FloatArray, FloatArray]],
        frame_time: float,
        hints: frozenset[int] = frozenset(),
    ) -> None:
        self.skeleton, self.joints, self.frame_time = skeleton, joints, frame_time
        self.anatomy: Anatomy = find_anatomy(skeleton)
        limbs: list[Leg | Arm] = [*self.anatomy.legs, *self.anatomy.arms]
        self.limbs = {limb.joints[0]: limb for limb in limbs}
        self.ankles = {leg.ankle for leg in self.anatomy.legs if leg.toe is not None}
        stands = skeleton.rest_positions()
        self.rest = stands - stands[np.maximum(skeleton.parents, 0)]
        self.attached, self.hints = attached, hints
        self.shapes: dict[int, FloatArray] = {}
        self.turned = np.tile(rot.IDENTITY, (len(joints), skeleton.n_joints, 1))
        self._measure_bones()

    def _measure_bones(self) -> None:
        """Set bones to their median lengths, and rigid parts to their mean shapes."""
        rest = self.rest.copy()
        for joint in range(self.skeleton.n_joints):
            children = list(self.skeleton.children(joint))
            if not children:
                continue
            own = self._vectors(joint, self.joints[:, joint])
            if shows_rotation(self._rest_vectors(joint)):
                shape = mean_shape(self._rest_vectors(joint), own, self._weights(joint))
                self.shapes[joint] = shape
                rest[children] = shape[: len(children)]
            for n, child in enumerate(children):
                length = float(np.median(np.linalg.norm(own[:, n], axis=-1)))
                size = float(np.linalg.norm(rest[child]))
                if size > MIN_LENGTH:
                    rest[child] *= length / size
        self.rest = rest

    def _rest_vectors(self, joint: int) -> FloatArray:
        """Return the vectors at rest (N, 3) of what turns with a joint: its children, then other points."""
        own = self.rest[list(self.skeleton.children(joint))]
        return np.concatenate([own, self.attached[joint][0]]) if joint in self.attached else own

    def _weights(self, joint: int) -> FloatArray:
        """Return how much (N,) each of them counts."""
        n_children = len(self.skeleton.children(joint))
        weights = np.ones(len(self._rest_vectors(joint)))
        if joint in self.hints:
            weights[n_children:] = HINT_WEIGHT
        return weights

    def _vectors(self, joint: int, origin: FloatArray) -> FloatArray:
        """Return where (T, N, 3) they are, from the position (T, 3) of the joint."""
        points = self.joints[:, list(self.skeleton.children(joint))]
        if joint in self.attached:
            points = np.concatenate([points, self.attached[joint][1]], axis=1)
        return points - origin[:, None]

    def solve(self) -> FittedRotations:
        """Return the fitted motion."""
        skeleton = self.skeleton
        # 1. Rigid parts, each for itself.
        for joint, shape in self.shapes.items():
            self.turned[:, joint] = best_rotations(
                shape, self._vectors(joint, self.joints[:, joint]), self._weights(joint)
            )
        # 2. From the root outwards: every joint as near to its point as the joint before it allows.
        positions = np.array(self.joints)
        for joint in range(skeleton.n_joints):
            children = list(skeleton.children(joint))
            self._turn(joint, positions)
            for child in children:
                positions[:, child] = positions[:, joint] + rot.rotate(
                    self.turned[:, joint], self.rest[child]
                )
        return self._make(positions)

    def _turn(self, joint: int, positions: FloatArray) -> None:
        """Set the rotation of a joint whose parents and own position are known."""
        children = self.skeleton.children(joint)
        parent = int(self.skeleton.parents[joint])
        if joint in self.shapes:
            self.turned[:, joint] = best_rotations(
                self.shapes[joint], self._vectors(joint, positions[:, joint]), self._weights(joint)
            )
            return
        before = self.turned[:, parent] if parent >= 0 else self.turned[:, joint]
        if not children:
            self.turned[:, joint] = before
            return
        aims = [child for child in children if np.linalg.norm(self.rest[child]) > MIN_LENGTH]
        if not aims:
            self.turned[:, joint] = before
            return
        (aim, *_) = aims
        towards = self.joints[:, aim] - positions[:, joint]
        towards = _fill_directions(towards, rot.rotate(before, self.rest[aim]))
        start = swing_to(self._between_rigid_parts(joint, before), self.rest[aim], towards)
        if joint in self.limbs:
            start = self._twist_limb(self.limbs[joint], start, towards)
        elif joint in self.ankles:
            start = self._twist_foot(joint, aim, start, towards)
        self.turned[:, joint] = start

    def _between_rigid_parts(self, joint: int, before: FloatArray) -> FloatArray:
        """Return the rotation that a joint of the trunk starts from: on the way to the next rigid part."""
        above, steps = joint, 0
        while above not in self.shapes:
            children = self.skeleton.children(above)
            if len(children) != 1:
                return before
            (above,) = children
            steps += 1
        parent = int(self.skeleton.parents[joint])
        if parent < 0 or joint in self.limbs or above not in self.anatomy.spine:
            return before
        return rot.slerp(before, self.turned[:, above], np.full(len(before), 1.0 / (steps + 1)))

    def _twist_limb(self, limb: Leg | Arm, start: FloatArray, towards: FloatArray) -> FloatArray:
        """Return the rotation of an upper arm or thigh with its twist."""
        _, joint, end = limb.chain
        along = towards / np.linalg.norm(towards, axis=-1, keepdims=True)
        lower = self.joints[:, end] - self.joints[:, joint]
        lower = _fill_directions(lower, rot.rotate(start, self.rest[end]))
        lower /= np.linalg.norm(lower, axis=-1, keepdims=True)
        hinge = self._hinge_at_rest(limb)
        expected = rot.rotate(start, hinge)
        axis = np.cross(along, lower)
        sines = np.linalg.norm(axis, axis=-1)
        measured = signed_angles(expected, np.where(sines[:, None] > 0.0, axis, expected), along)
        guess, weights = np.zeros(len(along)), hinge_weights(sines)
        if isinstance(limb, Leg) and limb.toe is not None:
            # The toes point forward of the hinge, seen along the shin.
            foot = self.joints[:, limb.toe] - self.joints[:, end]
            sideways = rot.rotate(rot.between(lower, along), np.cross(foot, lower))
            at_rest = rot.rotate(
                rot.between(self.rest[end], self.rest[joint]), np.cross(self.rest[limb.toe], self.rest[end])
            )
            guess = signed_angles(rot.rotate(start, at_rest), sideways, along)
            # A knee that seems to bend a little to the front is straight.
            straight = (np.cos(measured - guess) < 0.0) & (np.sum(along * lower, axis=-1) > MIN_STRAIGHT)
            weights[straight] = 0.0
        twist = solve_twist(measured, weights, guess, self.frame_time)
        return rot.multiply(rot.from_axis_angle(along, twist), start)

    def _twist_foot(self, ankle: int, toe: int, start: FloatArray, towards: FloatArray) -> FloatArray:
        """Return the rotation of a foot whose sideways axis is at right angles to the shin."""
        knee = int(self.skeleton.parents[ankle])
        along = towards / np.linalg.norm(towards, axis=-1, keepdims=True)
        shin = rot.rotate(self.turned[:, knee], self.rest[ankle])
        axis = np.cross(along, shin / np.linalg.norm(shin, axis=-1, keepdims=True))
        sines = np.linalg.norm(axis, axis=-1)
        expected = rot.rotate(start, np.cross(self.rest[toe], self.rest[ankle]))
        measured = signed_angles(expected, np.where(sines[:, None] > 0.0, axis, expected), along)
        twist = solve_twist(measured, hinge_weights(sines), np.zeros(len(along)), self.frame_time)
        return rot.multiply(rot.from_axis_angle(along, twist), start)

    def _hinge_at_rest(self, limb: Leg | Arm) -> FloatArray:
        """Return the axis (3,) about which the lower bone bends: knees to the back, elbows to the front."""
        along = self.rest[limb.chain[1]]
        forward, up = self.anatomy.forward, self.anatomy.up
        bends = -forward if isinstance(limb, Leg) else np.cos(ELBOW_RISE) * forward + np.sin(ELBOW_RISE) * up
        axis = np.cross(along, bends)
        return np.asarray(axis / max(float(np.linalg.norm(axis)), MIN_LENGTH))

    def _make(self, positions: FloatArray) -> FittedRotations:
        """Return the motion with local rotations."""
        skeleton = self.skeleton
        stands = skeleton.rest_world_rotations()
        world = rot.multiply(self.turned, stands)
        parents = skeleton.parents
        offsets = np.array(skeleton.offsets)
        local = np.array(world)
        for joint in range(1, skeleton.n_joints):
            parent = int(parents[joint])
            if parent >= 0:
                offsets[joint] = rot.rotate(rot.inverse(stands[parent]), self.rest[joint])
                local[:, joint] = rot.multiply(rot.inverse(world[:, parent]), world[:, joint])
        scaled = Skeleton(
            skeleton.names,
            parents,
            freeze(offsets),
            skeleton.rest_rotations,
            self._scale_tips(),
        )
        return FittedRotations(
            scaled,
            freeze(np.array(positions[:, 0])),
            freeze(rot.unroll(rot.normalize(local))),
            freeze(positions),
        )

    def _scale_tips(self) -> tuple[Tip, ...]:
        """Return the free ends of the layout in the size of the body."""
        before = np.linalg.norm(self.skeleton.offsets[1:], axis=-1).sum()
        now = np.linalg.norm(self.rest[1:], axis=-1).sum()
        scale = float(now / before) if before > 0.0 else 1.0
        return tuple(Tip(tip.joint, tip.offset * scale) for tip in self.skeleton.tips)


def _fill_directions(vectors: FloatArray, otherwise: FloatArray) -> FloatArray:
    """Return vectors (T, 3), those without a direction replaced by others (T, 3)."""
    short = np.linalg.norm(vectors, axis=-1, keepdims=True) < MIN_LENGTH
    return np.where(short, otherwise, vectors)
