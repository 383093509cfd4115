"""What an ASF file describes: bones that start where their parent ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Skeleton, Tip

ROOT = "root"
"""The name every Acclaim file gives to the root."""

FREEDOMS = ("RX", "RY", "RZ", "TX", "TY", "TZ", "L")
"""What a bone can do: rotate about and move along its own axes, and change its length."""

CMU_LENGTH_FACTOR = 0.45
"""The ``length`` of the files of Carnegie Mellon University, whose unit is 1/0.45 inch."""

CMU_UNIT = ("1/0.45 inch", 0.0254 / CMU_LENGTH_FACTOR)
"""Name and size in metres of that unit."""

UNIT_SENTENCE = ("one", "length", "unit", "is")
"""How the sentence begins with which written files state their unit; the format has no field for it."""

LEADING_SENTENCE = ("bones", "without", "motion", "lead", "to", "children", "that", "lie", "apart:")
"""How the sentence begins in which written files name bones that are none of the skeleton's."""

FRAME_TIME_SENTENCE = ("frame", "time")
"""How the comment begins with which written motions state their exact frame time in seconds."""

SKELETON_SENTENCE = ("skeleton", "mark")
"""How the comment begins with which written motions note the mark of their skeleton's file."""

AngleUnit = Literal["deg", "rad"]


@dataclass(frozen=True, eq=False)
class Bone:
    """One bone of an ASF file; its joint sits where it starts.

    Attributes
    ----------
    name
        The bone's name; "root" for the root, which has no length.
    parent
        Index of the parent bone, −1 for the root.
    direction, length
        (3,) where the bone points in the rest pose, and how long it is in file units.
    axes
        (4,) rotation of the axes that the bone rotates about.
    freedoms
        Channel names in file order, upper case ("RX", "TX", "L", …). The first rotation listed is the
        first applied.
    """

    name: str
    parent: int
    direction: FloatArray
    length: float
    axes: FloatArray
    freedoms: tuple[str, ...] = ()

    @property
    def vector(self) -> FloatArray:
        """(3,) from the bone's start to its end in the rest pose, in file units."""
        return np.asarray(self.direction * self.length)

    @property
    def rotation_order(self) -> str:
        """The letters of the rotation axes, first applied first."""
        return rotation_order(self.freedoms)


@dataclass(frozen=True, eq=False)
class AcclaimSkeleton:
    """The bones of an ASF file, parents before children, and the units it states.

    Attributes
    ----------
    bones
        The root and then its descendants, depth first.
    position
        (3,) position of the root that the motion's root positions are added to, in file units.
    length_factor
        The ``length`` of the units section; 1.0 when it states none.
    stated_unit
        Name and size in metres of the length unit where the documentation states it, as files that this
        package writes do.
    leading
        Indices of bones that this package added to lead from a joint to children or free ends elsewhere;
        they are not joints.
    angle
        Unit of the angles of the skeleton, and of a motion that names none.
    notes
        What was repaired or dropped while reading, one sentence each.
    """

    bones: tuple[Bone, ...]
    position: FloatArray
    length_factor: float = 1.0
    stated_unit: tuple[str, float] | None = None
    leading: frozenset[int] = frozenset()
    angle: AngleUnit = "deg"
    notes: tuple[str, ...] = ()

    @property
    def parents(self) -> tuple[int, ...]:
        """Index of each bone's parent, −1 for the root."""
        return tuple(bone.parent for bone in self.bones)

    @property
    def kept(self) -> list[int]:
        """Indices of the bones that stand for joints."""
        return [n for n in range(len(self.bones)) if n not in self.leading]

    @property
    def unit(self) -> tuple[str, float]:
        """Name and size in metres of the length unit; an empty name where the file does not tell."""
        if self.stated_unit is not None:
            return self.stated_unit
        if np.isclose(self.length_factor, CMU_LENGTH_FACTOR):
            return CMU_UNIT
        return "", 1.0

    def joints(self) -> Skeleton:
        """Return the joints at the starts of bones, in file units; the free ends of chains become tips."""
        parents = self.parents
        offsets = [self.position, *(self.bones[parent].vector for parent in parents[1:])]
        ends = ((leaf, self.bones[leaf].vector) for leaf in sorted(set(range(len(parents))) - set(parents)))
        tips = tuple(Tip(leaf, vector) for leaf, vector in ends if vector.any())
        names = tuple(bone.name for bone in self.bones)
        return Skeleton(names, np.array(parents), freeze(np.array(offsets)), tips=tips)


def rotation_order(freedoms: tuple[str, ...]) -> str:
    """Return the letters of the rotation axes among the channels, in their order.

    >>> rotation_order(("TX", "RZ", "RX"))
    'ZX'
    """
    return "".join(name[1] for name in freedoms if name[0] == "R")
