"""Labels of states: codes like ``L.HI flex``, what they mean, and which ones count as equivalent.

A label is ``SIDE.JOINT EVENT`` or, for events of a whole leg, ``SIDE.EVENT``; sides are L and R.

======  =========================================================================
joint   meaning
======  =========================================================================
S E W   shoulder, elbow, wrist: the upper body
HI K A  hip, knee, ankle: the lower body
H       heel: the lower body
======  =========================================================================

======  =========================================================================
event   meaning
======  =========================================================================
flex    the joint is most bent, or farthest forward, in this swing
ext     the joint is straightest, or farthest back, in this swing
msw     mid swing: halfway between the two
mt      mid transfer: the swinging leg passes the other one
et      end transfer: the foot strikes the floor
gnd     an end effector comes to the floor after it was in the air
lift    the foot leaves the floor
apex    a hand or foot turns round where it is farthest out
======  =========================================================================

Any other string is a label too: it matches itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final, Literal

from motionloom.annotation import labels as events
from motionloom.errors import ParameterError

Half = Literal["lower", "upper"]
HALVES: Final[tuple[Half, Half]] = ("lower", "upper")

UPPER_JOINTS: Final = ("S", "E", "W")
"""Joint codes of the upper body."""

SIDE_CODES: Final = {"left": "L", "right": "R"}

EVENT_CODES: Final = {
    events.STRIKE: "et",
    events.MID_SWING: "mt",
    events.LIFT: "lift",
    events.FLEXION: "flex",
    events.EXTENSION: "ext",
    events.APEX: "apex",
}
"""The code of each event label of the annotation."""

WHOLE_LEG: Final = ("et", "mt", "lift")
"""Events of a whole leg, whose labels name no joint."""

DEFAULT_LABELS: Final = ("et", "H gnd", "mt", "HI flex", "S flex", "S ext", "S msw")
"""Default labels of detected states: those of the paper's Table 1. Lifts are left out because a run leaves
the floor before the other foot strikes and a walk after it."""

EQUIVALENT: Final[Mapping[str, str]] = MappingProxyType({"H gnd": "et"})
"""Labels that count as another one: a heel that comes to the ground ends the transfer of its leg."""

WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({"et": 4.0, "gnd": 4.0, "mt": 3.0, "HI flex": 2.0})
"""Weight of a label where only one of two crossing states can be kept; 1 for all others. What feet do on the
floor is most visible, what arms do least."""

_CODE = re.compile(r"(?:(?P<side>[LR])\.)?(?P<rest>.+)")


def clean_label(label: str) -> str:
    """Return a label without superfluous blanks.

    >>> clean_label("L. et"), clean_label(" R.HI  flex ")
    ('L.et', 'R.HI flex')
    """
    if not isinstance(label, str) or not label.strip():
        raise ParameterError(
            f"the label of a state must be a string like 'L.et' or 'R.HI flex', not {label!r}"
        )
    return re.sub(r"\s*\.\s*", ".", " ".join(label.split()))


def strip_side(label: str) -> str:
    """Return a label without its side.

    >>> strip_side("L.HI flex")
    'HI flex'
    """
    found = _CODE.fullmatch(label)
    return label if found is None else found["rest"]


def half_of(label: str) -> Half:
    """Return the half of the body that a label belongs to; without a joint code it is the lower one.

    >>> half_of("L.S msw"), half_of("R.mt")
    ('upper', 'lower')
    """
    joint, _, event = strip_side(label).partition(" ")
    return "upper" if event and joint in UPPER_JOINTS else "lower"


def replace_equivalent(label: str, equivalences: Mapping[str, str]) -> str:
    """Return the label that a label counts as; equivalences of one side take precedence.

    >>> replace_equivalent("R.H gnd", {"H gnd": "et"})
    'R.et'
    >>> replace_equivalent("R.H gnd", {"H gnd": "et", "R.H gnd": "R.mt"})
    'R.mt'
    """
    if label in equivalences:
        return clean_label(equivalences[label])
    bare = strip_side(label)
    if bare == label or bare not in equivalences:
        return label
    return f"{label[: -len(bare)]}{clean_label(equivalences[bare])}"


def weight_of(label: str) -> float:
    """Return the weight of a label.

    >>> weight_of("L.et"), weight_of("L.S msw")
    (4.0, 1.0)
    """
    bare = strip_side(label)
    return WEIGHTS.get(bare, WEIGHTS.get(bare.rpartition(" ")[2], 1.0))


def is_among(label: str, labels: Collection[str]) -> bool:
    """Return whether a label is one of the labels, which may name a side or not.

    >>> is_among("L.et", ("et",)), is_among("L.et", ("R.et",))
    (True, False)
    """
    return label in labels or strip_side(label) in labels
