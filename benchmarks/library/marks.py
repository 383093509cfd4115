"""Actions that were marked by hand in an hour of takes, and which hits are right by them.

`tests/library/marked_actions.csv` holds them. Takes were chosen by their descriptions, half an hour with
the actions and half an hour of others by a seed. Strips of figures of all takes in which a simple curve moved
(feet in the air, an ankle or a hand above or below some height, the pelvis, speeds of hands) were looked at
one by one; what was an action by eye was kept, and its start and end were put where the curve named in
`marked_by` begins and ends to move, or by eye. Marks that are not `certain` are neither right nor wrong.
Nothing of the search was used, and the file was made before anything was tuned.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

FILE = Path(__file__).parents[2] / "tests" / "library" / "marked_actions.csv"

MIN_OVERLAP = 0.5
"""Fraction of a hit that must lie in a mark and, for actions that happen once, fraction of the mark."""

TUNED = (
    "jump", "stand up", "kick", "squat", "jumping jack", "step over", "golf swing", "run", "sweep", "punch"
)  # fmt: skip
"""Half of the actions, every second one of each kind: the defaults were chosen on these, not the others."""


@dataclass(frozen=True)
class Mark:
    """A stretch of time in which somebody does something, seconds."""

    take: str
    start: float
    end: float
    action: str
    repeated: bool
    certain: bool


@dataclass(frozen=True)
class Found:
    """What a search found, as far as it is judged: where, and how far away."""

    take: str
    start: float
    end: float
    distance: float


Verdict = Literal["right", "wrong", "ignored"]


@cache
def load_marks() -> tuple[Mark, ...]:
    """Return all marks; takes without any action have one without a name."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Mark(
                row["take"],
                float(row["start"]),
                float(row["end"]),
                row["action"],
                row["repeated"] == "yes",
                row["certain"] == "yes",
            )
            for row in csv.DictReader(file)
        )


def list_actions() -> list[str]:
    """Return the names of all actions that are marked with certainty."""
    return sorted({mark.action for mark in load_marks() if mark.action and mark.certain})


def marked_takes() -> frozenset[str]:
    """Return the takes that were looked at."""
    return frozenset(mark.take for mark in load_marks())


def judge(found: Found, action: str) -> tuple[Verdict, Mark | None]:
    """Return whether something that was found is the action, and the mark that it lies in."""
    doubtful = False
    for mark in load_marks():
        if mark.take != found.take or mark.action != action:
            continue
        shared = min(found.end, mark.end) - max(found.start, mark.start)
        within = shared >= MIN_OVERLAP * (found.end - found.start)
        if mark.certain and within and (mark.repeated or shared >= MIN_OVERLAP * (mark.end - mark.start)):
            return "right", mark
        doubtful |= not mark.certain and shared > 0.0
        # A hit that hangs over the end of an action, or is a part of a long one, is neither.
        doubtful |= mark.certain and shared >= MIN_OVERLAP * min(
            found.end - found.start, mark.end - mark.start
        )
    return ("ignored" if doubtful else "wrong"), None


def expected(action: str, own_take: str) -> list[Mark]:
    """Return the marks that a search for an action in another take should find."""
    return [m for m in load_marks() if m.action == action and m.certain and m.take != own_take]


def recall(found: Iterable[Found], action: str, own_take: str) -> float:
    """Return the fraction of marks in other takes in which something was found."""
    wanted = expected(action, own_take)
    reached = {mark for each in found if (mark := judge(each, action)[1]) is not None}
    return len(reached & set(wanted)) / len(wanted)
