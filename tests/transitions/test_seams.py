from __future__ import annotations

import numpy as np
import pytest

from motionloom.geometry import GroundTransform
from motionloom.motion import Constraint, Event
from motionloom.transitions.seams import part_of, put_together


def heel(start: float, end: float, **more: object) -> Constraint:
    return Constraint("foot", "heel", start, end, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "spans"),
    [
        ([(0, 5), (5, 9)], [(0, 9)]),
        ([(0, 6), (4, 9)], [(0, 9)]),
        ([(0, 9), (4, 6)], [(0, 9)]),
        ([(0, 4), (5, 9)], [(0, 4), (5, 9)]),
        ([(0, 4), (5, 5.0001)], [(0, 4)]),
    ],
)
def test_parts_that_touch_or_overlap_are_one(parts: list[tuple[float, float]], spans: list[object]) -> None:
    made, _ = put_together([((heel(*part),), ()) for part in parts])
    assert [(c.start, c.end) for c in made] == spans


def test_other_joints_and_kinds_stay_apart() -> None:
    other = [Constraint("foot", "toe", 5, 9), Constraint("hand", "heel", 5, 9)]
    made, _ = put_together([((heel(0, 5),), ()), (tuple(other), ())])
    assert len(made) == 3


def test_one_plant_has_the_target_that_either_part_has() -> None:
    made, _ = put_together([((heel(0, 5),), ()), ((heel(5, 9, target=np.ones(3)),), ())])
    assert made[0].target is not None
    assert made[0].target.tolist() == [1.0, 1.0, 1.0]


def test_an_event_on_a_seam_is_one() -> None:
    seen = [Event(5.0, "strike", "foot"), Event(5.0, "lift", "foot")]
    _, events = put_together([((), tuple(seen)), ((), (seen[0], Event(7.0, "strike", "foot")))])
    assert [(e.frame, e.label) for e in events] == [(5.0, "lift"), (5.0, "strike"), (7.0, "strike")]


def test_a_part_is_shifted_cut_and_moved() -> None:
    way = GroundTransform(0.0, 1.0, 2.0)
    constraints, events = part_of(
        [heel(0, 20, target=np.zeros(3)), heel(30, 40)],
        [Event(3.0, "early"), Event(12.0, "inside")],
        first=10.0,
        last=15.0,
        shift=1.0,
        way=way,
    )
    assert [(c.start, c.end) for c in constraints] == [(10.0, 15.0)]
    assert constraints[0].target is not None
    assert constraints[0].target.tolist() == [1.0, 0.0, 2.0]
    assert [(e.frame, e.label) for e in events] == [(13.0, "inside")]
