from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.motion import Constraint, Event
from motionloom.motion.annotations import check_constraints, crop_constraints


def test_bad_constraints_are_refused() -> None:
    with pytest.raises(ParameterError, match="the joint of a constraint must be a string, not 3"):
        Constraint(3, "toe", 0, 1)  # type: ignore[arg-type]
    with pytest.raises(
        ParameterError, match="the kind of a constraint of joint 'foot' must be a string, not None"
    ):
        Constraint("foot", None, 0, 1)  # type: ignore[arg-type]
    with pytest.raises(
        ParameterError, match="the end of constraint 'toe' of joint 'foot' must be a finite num"
    ):
        Constraint("foot", "toe", 0, "1")  # type: ignore[arg-type]


def test_empty_interval_is_refused() -> None:
    with pytest.raises(ParameterError, match="constraint 'toe' of joint 'foot' runs from frame 5 to 5"):
        Constraint("foot", "toe", 5, 5)


def test_overlapping_constraints_of_one_kind_are_refused() -> None:
    pair = [Constraint("foot", "toe", 0, 5), Constraint("foot", "toe", 4, 9)]
    with pytest.raises(
        ParameterError, match="two 'toe' constraints of joint 'foot' overlap: frames 0 to 5 and 4 to 9"
    ):
        check_constraints(pair)


def test_other_kinds_may_overlap_and_neighbours_may_touch() -> None:
    given = [
        Constraint("foot", "toe", 5, 9),
        Constraint("foot", "toe", 0, 5),
        Constraint("foot", "heel", 1, 6),
    ]
    assert [c.start for c in check_constraints(given)] == [0, 1, 5]


def test_retimed_backwards_keeps_start_before_end() -> None:
    assert Constraint("foot", "toe", 2, 5).retimed(-1.0, 9.0) == Constraint("foot", "toe", 4, 7)


def test_within_cuts_and_drops() -> None:
    inside = crop_constraints([Constraint("a", "toe", 0, 4), Constraint("a", "toe", 6, 8)], 3, 6)
    assert inside == (Constraint("a", "toe", 3, 4),)


@pytest.mark.parametrize(
    ("ends", "n_frames", "covered"),
    [
        ((0.2, 4.0), 4, range(1, 4)),
        ((2.0, 3.0), 10, range(2, 4)),
        ((3.0000001, 5.9999999), 10, range(3, 7)),
        ((3.01, 3.99), 10, range(4, 4)),
        ((-2.0, 1.5), 10, range(2)),
    ],
)
def test_whole_frames_within_the_clip_count(ends: tuple[float, float], n_frames: int, covered: range) -> None:
    assert Constraint("foot", "heel", *ends).whole_frames(n_frames) == covered


def test_equality_looks_at_points_and_targets() -> None:
    plain = Constraint("a", "toe", 0, 4)
    assert plain == Constraint("a", "toe", 0, 4)
    assert plain != Constraint("a", "toe", 0, 4, point=np.array([0, 1, 0]))
    assert plain != Constraint("a", "toe", 0, 4, target=np.zeros(3))
    assert Constraint("a", "toe", 0, 4, target=np.ones(3)) == Constraint("a", "toe", 0, 4, target=np.ones(3))
    assert len({plain, Constraint("a", "toe", 0, 4)}) == 1


def test_bad_events_are_refused() -> None:
    with pytest.raises(ParameterError, match="the frame of event 'strike' must be a finite number, not nan"):
        Event(float("nan"), "strike")
    with pytest.raises(ParameterError, match="the event at frame 3 has no label"):
        Event(3, "")
    with pytest.raises(ParameterError, match="the frame of event 'x' must be a finite number, not '3'"):
        Event("3", "x")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="the label of an event must be a string, not 5"):
        Event(3, 5)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="the joint of event 'x' must be a string, not None"):
        Event(3, "x", None)  # type: ignore[arg-type]


def test_retimed_events_scale_and_shift() -> None:
    assert Event(2, "strike").retimed(0.5, 1.0).frame == 2.0
