from __future__ import annotations

from dataclasses import replace

import motionloom as ml
from motionloom.registration.anchors import anchor_cells, shared_events, with_start
from tests.figures import smooth_clip


def with_events(*frames: float, label: str = "strike", joint: str = "left") -> ml.Clip:
    return replace(smooth_clip(60), events=tuple(ml.Event(frame, label, joint) for frame in frames))


def test_equal_sequences_are_shared_and_others_are_not() -> None:
    assert shared_events([with_events(20, 40), with_events(22, 41)], ["strike"]) == [[20, 40], [22, 41]]
    assert shared_events([with_events(20, 40), with_events(22)], ["strike"]) is None
    assert shared_events([with_events(20), with_events(20, joint="right")], ["strike"]) is None
    assert shared_events([with_events(), with_events()], ["strike"]) is None
    assert shared_events([with_events(20), with_events(20)], ["lift"]) is None


def test_events_at_the_ends_do_not_count() -> None:
    assert shared_events([with_events(0, 30), with_events(31, 59)], ["strike"]) == [[30], [31]]


def test_an_event_near_the_end_of_one_clip_counts_where_others_have_it_inside() -> None:
    """At 60 Hz an event counts as near an end up to 3.6 frames from it."""
    assert shared_events([with_events(20, 57), with_events(22, 50)], ["strike"]) == [[20, 57], [22, 50]]
    assert shared_events([with_events(2, 30), with_events(9, 31)], ["strike"]) == [[2, 30], [9, 31]]
    # What is near an end of every clip is left to the ends.
    assert shared_events([with_events(2, 30), with_events(1, 31)], ["strike"]) == [[30], [31]]
    assert shared_events([with_events(2, 57), with_events(1, 58)], ["strike"]) is None
    # What only one clip has may be missing in the other near its end alone.
    assert shared_events([with_events(20, 40), with_events(22, 40, 58)], ["strike"]) == [[20, 40], [22, 40]]
    assert shared_events([with_events(20, 40), with_events(22, 40, 50)], ["strike"]) is None


def test_cycles_that_begin_at_an_event_are_held_there_too() -> None:
    begun = [with_events(0, 30), with_events(0, 28)]
    assert with_start([[30.0], [28.0]], begun, ["strike"]) == [[0.0, 30.0], [0.0, 28.0]]
    assert with_start([[30.0], [28.0]], begun, ["lift"]) == [[30.0], [28.0]]
    other = [with_events(0, 30), with_events(0, 28, joint="right")]
    assert with_start([[], []], other, ["strike"]) == [[], []]


def test_cells_that_no_path_can_pass_are_left_out() -> None:
    cells = anchor_cells([10, 12, 40], [10, 30, 42], (60, 60), (1.0, 1.0), 2)
    assert cells == [(10, 10), (40, 42)]


def test_stretched_clips_scale_their_events() -> None:
    assert anchor_cells([10], [5], (61, 61), (1.0, 2.0), 2) == [(10, 10)]


def test_an_event_beside_a_corner_is_left_to_the_corner() -> None:
    assert anchor_cells([0, 59], [3, 58], (60, 60), (1.0, 1.0), 3) == []
