"""A fault of capture: what is wrong with which joint, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees
from typing import Literal, get_args

FaultKind = Literal["spike", "flip", "swapped", "twisted", "frozen", "jump"]
"""What a fault is.

- "spike": a joint, or what hangs on it, leaves its path by centimetres for a few frames and comes back.
- "flip": a joint rotates away by 18° or more for a few frames and comes back.
- "swapped": a left and a right joint exchange their rotations for a while.
- "twisted": the bones of a limb turn about themselves by half a turn, and its end turns back: no joint moves.
- "frozen": a joint stops dead while the body moves on, and then jumps to where it should be.
- "jump": a joint rotates, or the root moves, faster than a body can in one frame, and stays there.
"""

Channel = Literal["rotation", "position"]

KINDS: tuple[FaultKind, ...] = get_args(FaultKind)

MENDED_KINDS: tuple[FaultKind, ...] = ("spike", "flip", "swapped", "twisted", "frozen")
"""Kinds that can be mended from the frames around them. After a jump nobody knows which side is right."""

GLITCHES: tuple[FaultKind, ...] = ("spike", "flip", "twisted")
"""Capture glitches: values that leave the motion and come back. Motions are compared without them."""

N_NAMED = 3
"""Faults that a summary names; the others are counted."""

FAULT_VERBS: dict[FaultKind, str] = {
    "spike": "spikes",
    "flip": "flips",
    "swapped": "is swapped",
    "twisted": "is twisted",
    "frozen": "freezes",
    "jump": "jumps",
}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One fault of capture.

    Attributes
    ----------
    kind
        "spike", "flip", "swapped", "twisted", "frozen" or "jump" (:data:`FaultKind`).
    joint
        Name of the joint whose rotation or position is wrong; of swapped joints, the left one, of a
        twisted limb the first one.
    first, last
        First and last wrong frame. A jump has one frame, the first one after it.
    size
        How far off: metres for spikes and for positions, radians for flips and for rotations.
    channel
        Whether the joint's local "rotation" is wrong, or its "position": that of the root in the world, or of
        a joint whose bone moves.
    partner
        The right joint of a swapped pair, the last joint of a twisted limb, else empty.

    >>> print(Fault(kind="flip", joint="LeftArm", first=254, last=255, size=0.7))
    LeftArm flips by 40° in frames 254-255
    """

    kind: FaultKind
    joint: str
    first: int
    last: int
    size: float
    channel: Channel = "rotation"
    partner: str = ""

    @property
    def n_frames(self) -> int:
        """The number of wrong frames."""
        return self.last - self.first + 1

    def __str__(self) -> str:
        if self.kind == "swapped":
            what = f"{self.joint} and {self.partner} are swapped"
        elif self.kind == "twisted":
            what = f"the limb from {self.joint} to {self.partner} is twisted by {degrees(self.size):.0f}°"
        else:
            is_length = self.kind == "spike" or self.channel == "position"
            size = f"{100.0 * self.size:.0f} cm" if is_length else f"{degrees(self.size):.0f}°"
            stays = ", then jumps by" if self.kind == "frozen" else " by"
            what = f"{self.joint} {FAULT_VERBS[self.kind]}{stays} {size}"
        return f"{what} {_at(self)}"


def summarize_faults(faults: Sequence[Fault]) -> str:
    """Return one line that names the largest few faults, by joint and frame, and counts the others.

    >>> arm = Fault(kind="flip", joint="LeftArm", first=254, last=254, size=0.7)
    >>> summarize_faults([arm])
    'LeftArm flips by 40° in frame 254'
    >>> summarize_faults([arm] * 9)
    'LeftArm flips by 40° in frame 254; and 8 more in the same frame'
    """
    frames = {(fault.first, fault.last) for fault in faults}
    named: list[Fault] = []
    for fault in sorted(faults, key=lambda fault: (-fault.size, fault.first)):
        if len(named) < N_NAMED and all((fault.first, fault.last) != (o.first, o.last) for o in named):
            named.append(fault)
    parts = [str(fault) for fault in sorted(named, key=lambda fault: fault.first)]
    n_more = len(faults) - len(named)
    if n_more:
        parts.append(f"and {n_more} more{' in the same frame' if len(frames) == 1 else ''}")
    return "; ".join(parts)


def _at(fault: Fault) -> str:
    return f"in frame {fault.first}" if fault.n_frames == 1 else f"in frames {fault.first}-{fault.last}"
