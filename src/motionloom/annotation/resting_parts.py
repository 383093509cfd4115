"""The parts of the body that may rest, and what is said of their rests: where, on what surface, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from motionloom.annotation.labels import ELBOW, HAND, KNEE, SEAT
from motionloom.annotation.signals import Interval
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion.anatomy import Anatomy

Part = Literal["feet", "hands", "knees", "elbows", "seat"]
"""What can be planted."""

ALL_PARTS: tuple[Part, ...] = get_args(Part)

Evidence = Literal["floor", "anchor", "load"]
"""What shows that a part meets a surface."""

FLOOR: Evidence = "floor"
ANCHOR: Evidence = "anchor"
LOAD: Evidence = "load"

REACHES = (0.0, 0.5, 1.0, 1.5)
"""Points of a hand, as fractions of the way from the wrist to the end of the skeleton's hand. Captured hands
often end at the knuckles, and fingers reach half as far again."""


@dataclass(frozen=True, eq=False)
class RestSurface:
    """The surface that a part rests on.

    Attributes
    ----------
    kind
        "floor"; "level", such as a table or the seat of a chair; or "wall", such as a wall or a ladder.
    height
        Of the contact above the floor, metres.
    normal
        (3,) unit vector away from the surface: up, or level towards the body for a wall.
    """

    kind: Literal["floor", "level", "wall"]
    height: float
    normal: FloatArray

    def __str__(self) -> str:
        if self.kind == "floor":
            return "the floor"
        return (
            f"{'something level' if self.kind == 'level' else 'a wall'} {self.height:.2f} m above the floor"
        )


class Rest(NamedTuple):
    """A rest of one part.

    Attributes
    ----------
    interval
        Its first and last frame.
    point
        (3,) contact point in the joint's frame, metres.
    evidence
        What shows that it meets a surface.
    surface
        What it rests on.
    """

    interval: Interval
    point: FloatArray
    evidence: Evidence
    surface: RestSurface


@dataclass(frozen=True)
class RestReport:
    """The rests of one part of the body.

    Attributes
    ----------
    side, joint, kind
        Which part it is; the seat has no side.
    n_found
        How many rests were detected.
    surfaces
        What it rests on in each of them, in words, in order of time.
    kept
        Whether the clip already had plants of this joint and kind, which were kept instead.
    """

    side: str
    joint: str
    kind: str
    n_found: int
    surfaces: tuple[str, ...]
    kept: bool

    def __str__(self) -> str:
        name = f"{self.side} {self.kind}".strip()
        if self.kept:
            return f"{name} ({self.joint}): the clip's own plants were kept"
        on = f", on {', '.join(dict.fromkeys(self.surfaces))}" if self.surfaces else ""
        return f"{name} ({self.joint}): {self.n_found} rests{on}"


def report_rests(joint: str, part: RestingPart, rests: Sequence[Rest], *, kept: bool) -> RestReport:
    """Return the report on the rests of one part."""
    return RestReport(
        part.side, joint, part.kind, len(rests), tuple(str(rest.surface) for rest in rests), kept
    )


@dataclass(frozen=True, eq=False)
class RestingPart:
    """A part of the body that may rest.

    Attributes
    ----------
    kind
        "hand", "knee", "elbow" or "seat".
    side
        "left" or "right"; "" for the seat.
    joint
        Index of the joint that carries it.
    points
        (N, 3) points of the joint's frame that may bear the load, metres.
    carrier
        Index of the joint that moves behind a part that holds on: the shoulder; -1 for other parts.
    end
        Index of the joint at the end of the limb, if it must not be lower: the wrist of an elbow; or -1.
    """

    kind: str
    side: str
    joint: int
    points: FloatArray
    carrier: int = -1
    end: int = -1


def check_parts(parts: object) -> tuple[Part, ...]:
    """Return the parts of the body to annotate, each once, in the order of :data:`ALL_PARTS`.

    >>> check_parts("all")[:2], check_parts(["seat", "hands"])
    (('feet', 'hands'), ('hands', 'seat'))
    """
    given = ALL_PARTS if parts == "all" else (parts,) if isinstance(parts, str) else parts
    known = ", ".join(ALL_PARTS)
    if not isinstance(given, list | tuple | set | frozenset):
        raise ParameterError(
            f"must be names out of {known}, or 'all', not {parts!r}", parameter="parts", value=parts
        )
    for part in given:
        if part not in ALL_PARTS:
            raise ParameterError(
                f"must be names out of {known}, or 'all', not {part!r}", parameter="parts", value=part
            )
    return tuple(part for part in ALL_PARTS if part in given)


def find_resting_parts(anatomy: Anatomy) -> list[RestingPart]:
    """Find the joints and points of the parts that may rest, without feet.

    >>> from motionloom.motion.anatomy import find_anatomy
    >>> from motionloom.synthesis import biped
    >>> [part.kind for part in find_resting_parts(find_anatomy(biped()))]
    ['hand', 'hand', 'knee', 'knee', 'elbow', 'elbow', 'seat']
    """
    none = np.zeros((1, 3))
    found = []
    for arm in anatomy.arms:
        tip = arm.tip.offset if arm.tip is not None and arm.tip.joint == arm.wrist else None
        points = none if tip is None else np.outer(REACHES, tip)
        found.append(RestingPart(HAND, arm.side, arm.wrist, points, carrier=arm.shoulder))
    found += [RestingPart(KNEE, leg.side, leg.knee, none) for leg in anatomy.legs]
    found += [RestingPart(ELBOW, arm.side, arm.elbow, none, end=arm.wrist) for arm in anatomy.arms]
    if anatomy.legs:
        found.append(RestingPart(SEAT, "", anatomy.pelvis, none))
    return found
