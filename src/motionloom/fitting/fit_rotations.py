"""Rotations of a skeleton from positions of its joints: rigid parts, then limbs from the trunk outwards.

Positions do not show the twist of limbs while knee or elbow are straight. A bent knee or elbow is a hinge:
its axis is at right angles to both bones. The more it is bent, the better the axis is known; in between,
twist stays where another part of the body suggests it (the foot for a leg, the collar bone for an arm), and
changes as little as possible from frame to frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, freeze
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

MIN_FLATNESS = 0.12
"""Points whose second extent is below this fraction of the first lie on a line: they do not show twist."""

ROUNDS = 4
"""Times that shape and rotations are estimated from each other; more change less than 0.1 mm."""

MIN_BEND, FULL_BEND = 0.17, 0.50
"""Sines of the bend of a hinge below which its axis says nothing, and above which it counts fully."""

STIFFNESS = 0.01
"""Seconds within which twist follows a hinge that is well bent."""

GUESS_WEIGHT = 0.003
"""Weight of the guess against a hinge that is well bent; where no hinge is, twist follows it in 0.2 s."""


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


def best_rotations(shape: FloatArray, points: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return the rotations (T, 4) that bring vectors (N, 3) nearest to others (T, N, 3), with weights (N,).

    >>> turned = rot.rotate(rot.from_yaw(0.3), np.eye(3))
    >>> best_rotations(np.eye(3), turned[None]).round(6).tolist() == [rot.from_yaw(0.3).round(6).tolist()]
    True
    """
    counted = shape if weights is None else shape * weights[:, None]
    left, _, right = np.linalg.svd(np.einsum("tni,nj->tij", points, counted))
    flips = np.sign(np.linalg.det(left @ right))
    left[..., -1] *= np.where(flips == 0.0, 1.0, flips)[:, None]
    return rot.from_matrix(left @ right)


def shows_rotation(shape: FloatArray) -> bool:
    """Tell whether vectors (N, 3) from a common point show how they are turned, and do not lie on a line.

    >>> shows_rotation(np.array([[0.1, 0, 0], [-0.1, 0, 0]])), shows_rotation(np.eye(3)[:2])
    (False, True)
    """
    if len(shape) < 2:
        return False
    sizes = np.linalg.svd(shape, compute_uv=False)
    return bool(sizes[1] > MIN_FLATNESS * sizes[0])


def mean_shape(rest: FloatArray, points: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the vectors (N, 3) of a part as it stands at rest, in the size that points (T, N, 3) show.

    ``rest`` (N, 3) are the vectors of the layout, whose directions say how the part stands; ``weights`` (N,)
    say how much each counts.
    """
    sizes = np.median(np.linalg.norm(points, axis=-1), axis=0)
    lengths = np.linalg.norm(rest, axis=-1)
    shape = rest * (sizes / np.where(lengths > 0.0, lengths, 1.0))[:, None]
    for _ in range(ROUNDS):
        turned = best_rotations(shape, points, weights)
        shape = np.median(rot.rotate(rot.inverse(turned)[:, None], points), axis=0)
    return np.asarray(rot.rotate(best_rotations(shape, rest[None], weights), shape))


def signed_angles(start: FloatArray, end: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the angles (T,) about unit axes (T, 3) from directions (T, 3) to others, radians.

    >>> x, y, z = np.eye(3)[:, None]
    >>> signed_angles(x, y, z).round(6).tolist()
    [1.570796]
    """
    across = np.sum(np.cross(start, end) * axis, axis=-1)
    along = np.sum(start * end, axis=-1) - np.sum(start * axis, axis=-1) * np.sum(end * axis, axis=-1)
    return np.asarray(np.arctan2(across, along))


def hinge_weights(sines: FloatArray) -> FloatArray:
    """Return how much (T,) hinges count whose bends have these sines (T,), from 0 to 1.

    >>> hinge_weights(np.array([0.0, 0.25, 0.9])).round(3).tolist()
    [0.0, 0.059, 1.0]
    """
    return np.asarray(np.clip((sines - MIN_BEND) / (FULL_BEND - MIN_BEND), 0.0, 1.0) ** 2)


def solve_twist(
    measured: FloatArray, weights: FloatArray, guess: FloatArray, frame_time: float
) -> FloatArray:
    """Return the twist (T,) that follows what was measured (T,) where it counts, else a guess (T,), radians.

    A constant difference between guess and measurement belongs to the guess. The result is the minimum of a
    weighted sum of squares with a penalty on change against the guess, one banded system.

    >>> found = solve_twist(np.full(5, 0.5), np.array([1.0, 1, 0, 1, 1]), np.zeros(5), 0.01)
    >>> found.round(3).tolist()
    [0.5, 0.5, 0.5, 0.5, 0.5]
    """
    n_frames = len(measured)
    total = float(weights.sum())
    away = np.angle(np.exp(1j * (measured - guess)))
    offset = float(np.angle(np.sum(weights * np.exp(1j * away)))) if total > 0.0 else 0.0
    guess = np.unwrap(guess) + offset
    # Measured differences from the guess, each on the turn that is nearest to the ones around it.
    away = np.angle(np.exp(1j * (measured - guess)))
    if total == 0.0 or n_frames < 2:
        return guess
    from scipy.linalg import solveh_banded

    stiffness = (STIFFNESS / frame_time) ** 2
    diagonal = weights + GUESS_WEIGHT
    diagonal[:-1] += stiffness
    diagonal[1:] += stiffness
    bands = np.zeros((2, n_frames))
    bands[0, 1:] = -stiffness
    bands[1] = diagonal
    return np.asarray(guess + solveh_banded(bands, weights * away))


def swing_to(parents: FloatArray, rest: FloatArray, directions: FloatArray) -> FloatArray:
    """Return rotations (T, 4) that follow others (T, 4) but point a rest vector (3,) along directions (T, 3).

    >>> swing_to(rot.IDENTITY[None], np.array([0.0, 0, 1]), np.array([[1.0, 0, 0]])).round(3).tolist()
    [[0.707, 0.0, 0.707, 0.0]]
    """
    return rot.multiply(rot.between(rot.rotate(parents, rest), directions), parents)
