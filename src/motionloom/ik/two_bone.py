"""Two-bone IK: limbs reach for world positions; their local rotations come out.

:func:`solve_limb` solves a limb of two bones, such as a leg or an arm. Below it is the geometry of two bones:
the axis about which they bend, and the angle that puts the far end at a given distance.

The angle at the joint is π for a straight limb. A nearly straight limb needs a large change of the angle for
a small change of its length, which shows as a popping knee; the change is therefore damped above
:data:`DAMPING_ANGLE`, and bones may stretch a little instead (Kovar, Schreiner & Gleicher 2002).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import BoolArray, FloatArray, IntArray, cross, dot, norm
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot

Chain = tuple[int, int, int]
"""Upper, middle and end joint of a limb: hip, knee, ankle, or shoulder, elbow, wrist."""

MIN_DISTANCE = 1e-9
"""A goal closer than this to the limb's upper joint, metres, has no direction."""

DAMPING_ANGLE = 2.8
"""Angle at the joint, radians, above which its change is damped; at π it is damped to zero."""

MIN_BEND_SINE = 0.14
"""Sine of the bend (about 8°) from which two bones show their hinge reliably. Below it the limb's mean hinge
is mixed in, because noise turns the plane of a nearly straight limb at random."""

EPSILON = 1e-12
"""Lengths in metres, and their squares, below this are zero: they have no direction and divide nothing."""


@dataclass(frozen=True, eq=False)
class LimbSolution:
    """The pose of a limb that reaches its goals.

    Attributes
    ----------
    rotations
        (T, 3, 4) local rotations of the three joints of the chain.
    scales
        (T,) factor on the bones between them.
    ends
        (T, 3) world positions that the end of the chain takes, metres.
    """

    rotations: FloatArray
    scales: FloatArray
    ends: FloatArray


def solve_limb(
    parents: IntArray,
    positions: FloatArray,
    world_rotations: FloatArray,
    chain: Chain,
    goals: FloatArray,
    *,
    hinge: FloatArray,
    end_rotations: FloatArray | None = None,
    bending: FloatArray | None = None,
    stretch: float = 0.0,
) -> LimbSolution:
    """Rotate and stretch a limb of two bones so that its end reaches its goals, or comes as close as it can.

    The middle joint bends about the axis it already bends about; the upper joint makes the smallest rotation
    that points the limb at its goal; the end keeps its world orientation, or takes the given one. Other
    joints in between keep their local rotations.

    Parameters
    ----------
    parents
        (J,) the skeleton's parents.
    positions, world_rotations
        (T, J, 3) and (T, J, 4), the joints of the whole body in the world.
    chain
        Upper, middle and end joint: hip, knee, ankle, or shoulder, elbow, wrist.
    goals
        (T, 3) wanted positions of the end, metres.
    hinge
        (3,) hinge axis of the middle joint in the frame of the upper one; rotating about it straightens.
    end_rotations
        (T, 4) wanted world rotations of the end (default: those it has).
    bending
        (T,) distances from the upper joint to the end that the middle joint bends for; stretching does the
        rest (default: the distances of the goals).
    stretch
        Largest fraction by which the bones grow or shrink.

    >>> parents, down = np.array([-1, 0, 1]), np.array([[0, 1.0, 0], [0, 0.6, 0.1], [0, 0.2, 0]])
    >>> still = np.tile(rot.IDENTITY, (1, 3, 1))
    >>> lifted = solve_limb(
    ...     parents, down[None], still, (0, 1, 2), np.array([[0.1, 0.3, 0]]), hinge=np.array([-1.0, 0, 0])
    ... )
    >>> np.allclose(lifted.ends, [[0.1, 0.3, 0.0]])
    True
    """
    start, joint, end = (positions[:, index] for index in chain)
    if goals.shape != start.shape:
        raise ParameterError(
            f"must have shape {start.shape}, one per frame, not {goals.shape}",
            parameter="goals",
        )
    upper, lower, to_goal = joint - start, end - joint, goals - start
    # 1. Bend the middle joint to the distance of the goal.
    axes = hinge_axes(upper, lower, rot.rotate(world_rotations[:, chain[0]], hinge))
    lengths = norm(to_goal)
    bent = bend_bones(upper, lower, axes, lengths, bending=bending, stretch=stretch, damped=True)
    fold = rot.from_axis_angle(axes, bent.angles)
    limb = (upper + rot.rotate(fold, lower)) * bent.scales[:, None]
    # 2. Point the limb at the goal.
    undirected = (lengths < MIN_DISTANCE) | (bent.lengths < MIN_DISTANCE)
    aim = rot.between(_or_down(limb, undirected), _or_down(to_goal, undirected))
    # 3. Express both as local rotations.
    last = world_rotations[:, chain[2]] if end_rotations is None else end_rotations
    rotations = _local_rotations(parents, world_rotations, chain, aim, fold, last)
    return LimbSolution(rotations, bent.scales, start + rot.rotate(aim, limb))


def find_hinge(
    positions: FloatArray, world_rotations: FloatArray, chain: Chain, fallback: FloatArray
) -> FloatArray:
    """Find the mean axis (3,) about which a limb bends, in the frame of its upper joint.

    ``fallback`` (3,) serves limbs that never bend.

    >>> bent = np.array([[[0, 1.0, 0], [0, 0.6, 0.1], [0, 0.2, 0]]])
    >>> find_hinge(bent, np.tile(rot.IDENTITY, (1, 3, 1)), (0, 1, 2), np.array([0, 0, 1.0])).tolist()
    [-1.0, 0.0, 0.0]
    """
    start, joint, end = (positions[:, index] for index in chain)
    axes = bend_axes(joint - start, end - joint)
    return mean_axis(rot.rotate(rot.inverse(world_rotations[:, chain[0]]), axes), fallback)


def _or_down(vectors: FloatArray, undirected: BoolArray) -> FloatArray:
    """Replace vectors (T, 3) without a direction by the same one."""
    return np.where(undirected[:, None], [0.0, -1.0, 0.0], vectors)


def _local_rotations(
    parents: IntArray,
    world_rotations: FloatArray,
    chain: Chain,
    aim: FloatArray,
    fold: FloatArray,
    last: FloatArray,
) -> FloatArray:
    """Return local rotations (T, 3, 4) of a chain that is rotated as a whole and bent at its middle joint."""
    worlds = [world_rotations[:, joint] for joint in chain]
    above = [
        np.broadcast_to(rot.IDENTITY, worlds[0].shape) if parents[j] < 0 else world_rotations[:, parents[j]]
        for j in chain
    ]
    rotated = (
        rot.multiply(rot.inverse(above[0]), rot.multiply(aim, worlds[0])),
        rot.multiply(rot.inverse(above[1]), rot.multiply(fold, worlds[1])),
        rot.multiply(rot.inverse(rot.multiply(rot.multiply(aim, fold), above[2])), last),
    )
    return np.stack(rotated, axis=1)


def bend_axes(upper: npt.ArrayLike, lower: npt.ArrayLike) -> FloatArray:
    """Return the axes (..., 3) that straighten bones (..., 3); their length is the sine of the bend.

    >>> (bend_axes([0, -2, 0], [0, 0, -1]) + 0.0).tolist()
    [-1.0, 0.0, 0.0]
    """
    upper, lower = np.asarray(upper, dtype=np.float64), np.asarray(lower, dtype=np.float64)
    sizes = norm(upper)[..., None] * norm(lower)[..., None]
    return np.asarray(cross(lower, upper) / np.where(sizes > 0.0, sizes, 1.0))


def mean_axis(axes: npt.ArrayLike, fallback: npt.ArrayLike) -> FloatArray:
    """Return the unit mean (3,) of axes (T, 3), weighted by their length, or the fallback if it is zero.

    >>> mean_axis([[0.5, 0.1, 0], [0.5, -0.1, 0]], [0, 0, 1]).tolist()
    [1.0, 0.0, 0.0]
    """
    mean = np.asarray(axes, dtype=np.float64).reshape(-1, 3).sum(axis=0)
    size = float(np.linalg.norm(mean))
    return np.asarray(mean / size if size > EPSILON else fallback, dtype=np.float64)


def hinge_axes(upper: npt.ArrayLike, lower: npt.ArrayLike, hinge: npt.ArrayLike) -> FloatArray:
    """Return unit axes (T, 3) perpendicular to the lower bones: their own where they bend, else near the
    hinge.

    Parameters
    ----------
    upper, lower
        (T, 3) the two bones as vectors, metres.
    hinge
        (T, 3) or (3,) unit axis of the joint; rotating the lower bone about it straightens the limb.

    >>> hinge_axes([[0, -1.0, 0]], [[0, -1.0, 0]], [-1.0, 0, 0]).tolist()
    [[-1.0, 0.0, 0.0]]
    """
    lower = np.asarray(lower, dtype=np.float64)
    own = bend_axes(upper, lower)
    sines = norm(own)[..., None]
    shortfall = np.maximum(MIN_BEND_SINE - sines, 0.0)
    # A knee that is overstretched by some degrees still bends forwards.
    backwards = np.maximum(-dot(own, np.asarray(hinge))[..., None], 0.0)
    shortfall = shortfall + 2.0 * backwards * np.clip(2.0 - sines / MIN_BEND_SINE, 0.0, 1.0)
    along = lower / np.maximum(norm(lower)[..., None], EPSILON)
    mixed = own + shortfall * np.asarray(hinge)
    across = mixed - dot(mixed, along)[..., None] * along
    size = norm(across)[..., None]
    # A hinge along the bone says nothing; any axis across the bone will do then.
    other = cross(along, np.eye(3)[np.abs(along).argmin(axis=-1)])
    other /= np.maximum(norm(other)[..., None], EPSILON)
    return np.where(size > EPSILON, across / np.where(size > EPSILON, size, 1.0), other)


@dataclass(frozen=True, eq=False)
class Bend:
    """How to bend two bones.

    Attributes
    ----------
    angles
        (T,) rotation of the lower bone about its axis, radians; positive straightens.
    scales
        (T,) factor on the length of both bones.
    lengths
        (T,) resulting distance between the ends of the limb, metres.
    """

    angles: FloatArray
    scales: FloatArray
    lengths: FloatArray


def bend_bones(
    upper: npt.ArrayLike,
    lower: npt.ArrayLike,
    axes: npt.ArrayLike,
    lengths: npt.ArrayLike,
    *,
    bending: npt.ArrayLike | None = None,
    stretch: float = 0.0,
    damped: bool = False,
) -> Bend:
    """Bend and stretch limbs of two bones to the wanted lengths, or as close as they get.

    Parameters
    ----------
    upper, lower
        (T, 3) the bones as vectors from joint to joint, metres.
    axes
        (T, 3) unit axes perpendicular to the lower bones; rotating those about them straightens the limb.
    lengths
        (T,) wanted distance between the ends of the limb, metres.
    bending
        (T,) lengths that the joint bends for; stretching does the rest as far as it may (default:
        ``lengths``).
    stretch
        Largest fraction by which bones grow or shrink.
    damped
        Damp changes of nearly straight limbs; stretching makes up for it as far as it may.

    >>> straight = [[0, -0.5, 0]]
    >>> bend_bones(straight, straight, [[-1.0, 0, 0]], [1.02], stretch=0.03, damped=True).scales.round(3)
    array([1.02])
    """
    triangle = _Triangle.of(upper, lower, axes)
    wanted = np.asarray(lengths, dtype=np.float64)
    before = triangle.angles
    after = triangle.angles_at(wanted if bending is None else np.asarray(bending, dtype=np.float64))
    if damped:
        after = before + _damp(after) - _damp(before)
    ratios = wanted / np.maximum(triangle.lengths(after - before), EPSILON)
    scales = np.clip(ratios, 1.0 - stretch, 1.0 + stretch)
    # The joint does what stretching may not.
    after = np.where(ratios == scales, after, triangle.angles_at(wanted / scales))
    angles = after - before
    return Bend(angles, scales, scales * triangle.lengths(angles))


def max_lengths(upper: npt.ArrayLike, lower: npt.ArrayLike, axes: npt.ArrayLike) -> FloatArray:
    """Return the lengths (T,) up to which damped limbs straighten without stretching, metres.

    >>> bent = max_lengths([[0, -0.4, 0.2]], [[0, -0.4, -0.2]], [[-1.0, 0, 0]])
    >>> bool(0.8 < bent[0] < 2 * np.hypot(0.4, 0.2))
    True
    """
    triangle = _Triangle.of(upper, lower, axes)
    before = triangle.angles
    return triangle.lengths(_damp(np.full_like(before, np.pi)) - _damp(before))


def angles_of_lengths(upper: FloatArray, lower: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return the angles (T,) at the joint of limbs whose bones and ends are so far apart, metres.

    π where the limb is too long for its bones.

    >>> one = np.ones(1)
    >>> angles_of_lengths(one, one, np.sqrt(2.0) * one).round(3).tolist()
    [1.571]
    """
    cosine = (upper**2 + lower**2 - lengths**2) / np.maximum(2.0 * upper * lower, EPSILON)
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))


def lengths_at_angles(upper: FloatArray, lower: FloatArray, angles: FloatArray) -> FloatArray:
    """Return the lengths (T,) of limbs of bones (T,) that meet at these angles, radians.

    >>> one = np.ones(1)
    >>> lengths_at_angles(one, one, np.pi * one).tolist()
    [2.0]
    """
    return np.sqrt(np.maximum(upper**2 + lower**2 - 2.0 * upper * lower * np.cos(angles), 0.0))


@dataclass(frozen=True, eq=False)
class _Triangle:
    """The squared length of a limb as ``squares + 2 (dots cos angle + crosses sin angle)``."""

    squares: FloatArray
    dots: FloatArray
    crosses: FloatArray

    @classmethod
    def of(cls, upper: npt.ArrayLike, lower: npt.ArrayLike, axes: npt.ArrayLike) -> _Triangle:
        a, b = np.asarray(upper, dtype=np.float64), np.asarray(lower, dtype=np.float64)
        return cls(dot(a, a) + dot(b, b), dot(a, b), dot(a, cross(np.asarray(axes), b)))

    @property
    def angles(self) -> FloatArray:
        """The angles at the joint before it bends; slightly over π where it is bent the wrong way."""
        return np.asarray(np.pi - np.arctan2(self.crosses, self.dots))

    def lengths(self, angles: FloatArray) -> FloatArray:
        squared = self.squares + 2.0 * (self.dots * np.cos(angles) + self.crosses * np.sin(angles))
        return np.sqrt(np.maximum(squared, 0.0))

    def angles_at(self, lengths: FloatArray) -> FloatArray:
        """Return the angles at the joint that give these lengths, or the closest possible; at most π."""
        product = np.maximum(np.hypot(self.dots, self.crosses), EPSILON)
        return np.pi - np.arccos(np.clip((lengths**2 - self.squares) / (2.0 * product), -1.0, 1.0))


def _damp(angles: FloatArray) -> FloatArray:
    """Integrate the damping: slope 1 up to :data:`DAMPING_ANGLE`, then easing to 0 at π."""
    width = np.pi - DAMPING_ANGLE
    fraction = np.clip((angles - DAMPING_ANGLE) / width, 0.0, 1.0)
    eased = width * fraction * (1.0 + fraction**2 * (0.5 * fraction - 1.0))
    return np.asarray(np.minimum(angles, DAMPING_ANGLE) + eased)
