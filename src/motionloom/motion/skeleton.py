"""The skeleton: a tree of joints stored as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, as_read_only, check_array, check_rotations, freeze
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.geometry import rotations
from motionloom.validation import check_names


class Tip(NamedTuple):
    """The free end of a chain (a BVH End Site): a point of a joint, never a joint itself.

    ``joint`` is the index of the joint, ``offset`` (3,) the point in that joint's own frame, in metres.
    """

    joint: int
    offset: FloatArray


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joint names, parents and rest offsets; parents come before children, the root's parent is −1.

    Attributes
    ----------
    names
        J unique joint names.
    parents
        (J,) index of each joint's parent.
    offsets
        (J, 3) rest position of each joint in its parent's frame, in metres. The root's entry is where the
        file puts the root at rest; kinematics take the root's place from the clip instead.
    rest_rotations
        (J, 4) local rotation of each joint in the rest pose; identity unless a format says otherwise.
        Clip rotations are complete local rotations and do not build on it.
    tips
        Free ends of chains, kept by every file format.

    >>> leg = Skeleton(["hip", "knee"], [-1, 0], [[0, 1, 0], [0, -0.5, 0]])
    >>> leg.index("knee"), leg.rest_positions()[1].tolist()
    (1, [0.0, 0.5, 0.0])
    """

    names: tuple[str, ...]
    parents: IntArray
    offsets: FloatArray
    rest_rotations: FloatArray = field(default_factory=lambda: np.empty((0, 4)))
    tips: tuple[Tip, ...] = ()

    def __post_init__(self) -> None:
        names = check_names("joint names", self.names)
        n_joints = len(names)
        if n_joints == 0:
            raise ParameterError("a skeleton needs at least one joint")
        rest = self.rest_rotations
        if np.size(rest) == 0:
            rest = np.broadcast_to(rotations.IDENTITY, (n_joints, 4))
        put = object.__setattr__
        put(self, "names", names)
        put(self, "parents", _check_parents(self.parents, names))
        put(self, "offsets", check_array("offsets", self.offsets, (n_joints, 3)))
        put(self, "rest_rotations", check_rotations("rest_rotations", rest, (n_joints, 4)))
        put(self, "tips", tuple(_check_tip(tip, n_joints) for tip in self.tips))

    @property
    def n_joints(self) -> int:
        """The number of joints J."""
        return len(self.names)

    def index(self, name: str) -> int:
        """Return the index of the joint with this name."""
        try:
            return self._indices[name]
        except KeyError:
            raise UnknownJointError(name, self.names) from None

    def children(self, joint: int) -> tuple[int, ...]:
        """Return the indices of this joint's children."""
        return self._children[joint]

    def rest_positions(self) -> FloatArray:
        """Return world positions (J, 3) of the joints in the rest pose."""
        return self._rest[0]

    def rest_world_rotations(self) -> FloatArray:
        """Return world rotations (J, 4) of the joints in the rest pose."""
        return self._rest[1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Skeleton):
            return NotImplemented
        return (
            self.names == other.names
            and np.array_equal(self.parents, other.parents)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.rest_rotations, other.rest_rotations)
            and self._tip_values == other._tip_values
        )

    def __hash__(self) -> int:
        return hash((self.names, self.parents.tobytes(), self.offsets.tobytes()))

    @cached_property
    def _tip_values(self) -> list[tuple[int, list[float]]]:
        return [(tip.joint, tip.offset.tolist()) for tip in self.tips]

    @cached_property
    def _indices(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def _children(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                found[parent].append(joint)
        return tuple(map(tuple, found))

    @cached_property
    def _rest(self) -> tuple[FloatArray, FloatArray]:
        positions, world = self.offsets.copy(), self.rest_rotations.copy()
        turned = bool((self.rest_rotations != rotations.IDENTITY).any())
        for joint, parent in enumerate(self.parents.tolist()):
            if parent < 0:
                continue
            if turned:
                positions[joint] = rotations.rotate(world[parent], self.offsets[joint])
                world[joint] = rotations.multiply(world[parent], self.rest_rotations[joint])
            positions[joint] += positions[parent]
        return freeze(positions), freeze(world)


def _check_parents(values: npt.ArrayLike, names: Sequence[str]) -> IntArray:
    try:
        given = np.asarray(values)
    except ValueError:
        given = np.array([None])
    if given.size and given.dtype.kind not in "iu":
        raise ParameterError(f"must be whole numbers, not {values!r}", parameter="parents", value=values)
    parents = as_read_only(given, np.int64)
    if parents.shape != (len(names),):
        raise ParameterError(
            f"must have shape ({len(names)},), one per joint, not {parents.shape}",
            parameter="parents",
        )
    if parents[0] != -1:
        raise ParameterError(f"the first joint is the root: its parent must be -1, not {parents[0]}")
    for joint, parent in enumerate(parents.tolist()[1:], start=1):
        if not 0 <= parent < joint:
            raise ParameterError(
                f"must come before children: joint {joint} ({names[joint]!r}) has parent {parent}",
                parameter="parents",
            )
    return parents


def _check_tip(tip: Tip, n_joints: int) -> Tip:
    joint, offset = tip
    if not isinstance(joint, int | np.integer):
        raise ParameterError(f"a tip names its joint by a whole number, not {joint!r}")
    if not 0 <= joint < n_joints:
        raise ParameterError(f"a tip names joint {joint}, but the skeleton has joints 0 to {n_joints - 1}")
    return Tip(int(joint), check_array("tip offset", offset, (3,)))
