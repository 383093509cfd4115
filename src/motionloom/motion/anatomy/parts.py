"""What an anatomy is made of: legs, arms, and the record that holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from motionloom.arrays import FloatArray
from motionloom.motion.skeleton import Tip

Side = Literal["left", "right"]
FoundBy = Literal["names", "geometry", "nothing"]


@dataclass(frozen=True, eq=False)
class Leg:
    """The joints of one leg, as indices into the skeleton.

    Attributes
    ----------
    side
        "left" or "right".
    hip, knee, ankle
        The joints at the upper end of the thigh, between thigh and shin, and at the lower end of the shin.
    toe
        The joint at the ball of the foot, or None where the skeleton has none.
    tip
        The point of the foot farthest from its last joint, in that joint's frame in the rest pose; None where
        nothing follows the last joint.
    """

    side: Side
    hip: int
    knee: int
    ankle: int
    toe: int | None = None
    tip: Tip | None = None

    @property
    def joints(self) -> tuple[int, ...]:
        """Hip, knee, ankle and, where there is one, toe."""
        return (self.hip, self.knee, self.ankle) if self.toe is None else (*self.chain, self.toe)

    @property
    def chain(self) -> tuple[int, int, int]:
        """Hip, knee and ankle: the two bones that reach for the ground."""
        return self.hip, self.knee, self.ankle


@dataclass(frozen=True, eq=False)
class Arm:
    """The joints of one arm, as indices into the skeleton; the collar bone is not part of it.

    Attributes
    ----------
    side
        "left" or "right".
    shoulder, elbow, wrist
        The joints at the upper end of the upper arm, between the two bones, and at the end of the forearm.
    tip
        The point of the hand farthest from the wrist, in the wrist's frame in the rest pose; None where
        nothing follows the wrist.
    """

    side: Side
    shoulder: int
    elbow: int
    wrist: int
    tip: Tip | None = None

    @property
    def joints(self) -> tuple[int, ...]:
        """Shoulder, elbow and wrist."""
        return self.chain

    @property
    def chain(self) -> tuple[int, int, int]:
        """Shoulder, elbow and wrist: the two bones that reach for things."""
        return self.shoulder, self.elbow, self.wrist


@dataclass(frozen=True, eq=False)
class Anatomy:
    """Which joints of a skeleton are what; parts that were not found are empty.

    Attributes
    ----------
    legs, arms
        At most one per side, left first.
    spine
        Joint indices from the pelvis to the head, or to the end of the trunk where no head was found.
    head
        The head joint, or None.
    pairs
        (left, right) joint indices of every joint that has a partner on the other side, fingers included.
    up, left, forward
        (3,) unit axes of the body in the rest pose, in the skeleton's own coordinates; right-handed in the
        order left, up, forward.
    found_by
        "names" when the joint names told the limbs, "geometry" when only bone lengths and branching did,
        "nothing" when the skeleton has no limbs.
    """

    legs: tuple[Leg, ...]
    arms: tuple[Arm, ...]
    spine: tuple[int, ...]
    head: int | None
    pairs: tuple[tuple[int, int], ...]
    up: FloatArray
    left: FloatArray
    forward: FloatArray
    found_by: FoundBy

    @property
    def pelvis(self) -> int:
        """The joint where the spine begins; the root where no spine was found."""
        return self.spine[0] if self.spine else 0

    def partners(self, n_joints: int) -> tuple[int, ...]:
        """For each of the skeleton's joints the one on the other side, or itself."""
        partner = list(range(n_joints))
        for left, right in self.pairs:
            partner[left], partner[right] = right, left
        return tuple(partner)
