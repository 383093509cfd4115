"""Constraints and events at the seam of a cycle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.cycles.loop_annotations import SAME_INSTANT, Span, cycle_constraints, cycle_events
from motionloom.motion import Constraint, Event

SPAN = Span(10.0, 110.0, 100, 1 / 60)


def plants(*spans: tuple[float, float]) -> list[tuple[float, float]]:
    found = cycle_constraints([Constraint("LeftFoot", "heel", *span) for span in spans], SPAN)
    return [(c.start, c.end) for c in found]


def hits(*frames: float) -> list[float]:
    return [event.frame for event in cycle_events([Event(f, "strike", "LeftFoot") for f in frames], SPAN)]


def test_a_plant_inside_only_moves() -> None:
    assert plants((30, 50)) == [(20, 40)]


def test_a_plant_across_the_seam_is_cut_in_two() -> None:
    assert plants((-20, 30), (80, 130)) == [(0, 20), (70, 100)]


def test_starts_on_both_sides_of_the_seam_take_the_middle() -> None:
    assert plants((12, 40), (109, 140)) == [(0.5, 30)]
    assert plants((9, 40), (108, 140)) == [(0, 30), (98.5, 100)]


def test_ends_on_both_sides_of_the_seam_take_the_middle() -> None:
    assert plants((-20, 14), (80, 112)) == [(0, 3), (70, 100)]
    assert plants((-20, 8), (80, 106)) == [(70, 97)]


def test_far_from_the_seam_nothing_is_made_to_agree() -> None:
    assert plants((30, 50), (108, 140)) == [(20, 40), (98, 100)]


def test_times_are_stretched_to_whole_frames() -> None:
    span = Span(10.0, 110.4, 100, 1 / 60)
    (found,) = cycle_constraints([Constraint("LeftFoot", "toe", 60.2, 85.3)], span)
    assert (found.start, found.end) == pytest.approx((50.0, 75.0))


def test_a_strike_seen_at_both_ends_is_there_once() -> None:
    assert hits(9.5, 60, 111.5) == [0.5, 50]
    assert hits(12, 60, 107) == [50, 99.5]


def test_a_strike_just_outside_of_one_end_is_taken_in() -> None:
    assert hits(60, 112) == [50, 2]
    assert hits(7, 60) == [50, 97]


def test_a_strike_outside_of_one_end_that_the_other_end_has_further_off() -> None:
    assert hits(-6, 60, 86) == [50, 76]


def test_strikes_far_outside_are_left_out() -> None:
    assert hits(-30, 60, 150) == [50]


def test_joints_and_labels_have_nothing_to_do_with_each_other() -> None:
    events = [
        Event(9.0, "strike", "LeftFoot"),
        Event(111.0, "strike", "RightFoot"),
        Event(112.0, "lift", "LeftFoot"),
    ]
    found = [(event.label, event.joint, event.frame) for event in cycle_events(events, SPAN)]
    assert sorted(found) == [
        ("lift", "LeftFoot", 2.0),
        ("strike", "LeftFoot", 99.0),
        ("strike", "RightFoot", 1.0),
    ]


@given(st.floats(0, 100), st.floats(-4, 4), st.integers(2, 5))
def test_even_strikes_keep_their_number(first: float, wobble: float, per_cycle: int) -> None:
    """Wherever an even rhythm is cut, a cycle has as many strikes as it has beats."""
    beat = 100 / per_cycle
    frames = [first + n * beat + (wobble if n % 2 else 0.0) for n in range(-2 * per_cycle, 4 * per_cycle)]
    assert beat > 2 * SAME_INSTANT / SPAN.frame_time
    found = hits(*frames)
    assert len(found) == per_cycle
    assert all(0 <= frame < 100 for frame in found)
