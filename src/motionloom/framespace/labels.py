"""Labels of states: codes like ``L.HI flex``, what they mean, and which ones count as another.

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
flex    the joint is bent, or carried forward, as far as it goes this time
ext     the joint is straight, or carried backward, as far as it goes this time
msw     mid swing: half way between the two
mt      mid transfer: the swinging leg passes the other one
et      end transfer: the foot strikes the floor
gnd     an end effector comes to the floor after it was in the air
lift    the foot leaves the floor
apex    a hand or foot turns round where it is farthest from its usual place
======  =========================================================================

Any other text is a label too: it matches itself.
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
"""The code of each label that annotation makes."""

WHOLE_LEG: Final = ("et", "mt", "lift")
"""Events of a whole leg, whose labels name no joint."""

DEFAULT_LABELS: Final = ("et", "H gnd", "mt", "HI flex", "S flex", "S ext", "S msw")
"""Labels that detected states are made of unless others are asked for: those of the paper's Table 1. Lifts
are left out because a run leaves the floor before the other foot strikes and a walk after it."""

EQUIVALENT: Final[Mapping[str, str]] = MappingProxyType({"H gnd": "et"})
"""Labels that count as another: a heel that comes to the ground ends the transfer of its leg."""

WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({"et": 4.0, "gnd": 4.0, "mt": 3.0, "HI flex": 2.0})
"""How much a label counts where only one of two crossing states can be kept; 1 for all others. What feet do
on the floor shows most, what arms do least."""

_CODE = re.compile(r"(?:(?P<side>[LR])\.)?(?P<rest>.+)")


def cleaned(label: str) -> str:
    """A label without the blanks that are not part of it.

    >>> cleaned("L. et"), cleaned(" R.HI  flex ")
    ('L.et', 'R.HI flex')
    """
    if not isinstance(label, str) or not label.strip():
        raise ParameterError(f"the label of a state must be text like 'L.et' or 'R.HI flex', not {label!r}")
    return re.sub(r"\s*\.\s*", ".", " ".join(label.split()))


def without_side(label: str) -> str:
    """What happens, whichever side it happens on.

    >>> without_side("L.HI flex")
    'HI flex'
    """
    found = _CODE.fullmatch(label)
    return label if found is None else found["rest"]


def half_of(label: str) -> Half:
    """The half of the body that a label belongs to; labels without a joint code belong to the lower one.

    >>> half_of("L.S msw"), half_of("R.mt")
    ('upper', 'lower')
    """
    joint, _, event = without_side(label).partition(" ")
    return "upper" if event and joint in UPPER_JOINTS else "lower"


def counted_as(label: str, equivalences: Mapping[str, str]) -> str:
    """The label that a label counts as; equivalences of one side win over those of both.

    >>> counted_as("R.H gnd", {"H gnd": "et"}), counted_as("R.H gnd", {"H gnd": "et", "R.H gnd": "R.mt"})
    ('R.et', 'R.mt')
    """
    if label in equivalences:
        return cleaned(equivalences[label])
    bare = without_side(label)
    if bare == label or bare not in equivalences:
        return label
    return f"{label[: -len(bare)]}{cleaned(equivalences[bare])}"


def weight_of(label: str) -> float:
    """How much a label counts.

    >>> weight_of("L.et"), weight_of("L.S msw")
    (4.0, 1.0)
    """
    bare = without_side(label)
    return WEIGHTS.get(bare, WEIGHTS.get(bare.rpartition(" ")[2], 1.0))


def is_among(label: str, chosen: Collection[str]) -> bool:
    """Whether a label is one of the chosen ones, which may name a side or not.

    >>> is_among("L.et", ("et",)), is_among("L.et", ("R.et",))
    (True, False)
    """
    return label in chosen or without_side(label) in chosen
