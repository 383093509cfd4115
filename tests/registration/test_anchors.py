from __future__ import annotations

from dataclasses import replace

import motionloom as ml
from motionloom.registration.anchors import anchor_cells, shared_events
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


def test_cells_that_no_path_can_pass_are_left_out() -> None:
    cells = anchor_cells([10, 12, 40], [10, 30, 42], (60, 60), (1.0, 1.0), 2, "reversible")
    assert cells == [(10, 10), (40, 42)]


def test_stretched_clips_scale_their_events() -> None:
    assert anchor_cells([10], [5], (61, 61), (1.0, 2.0), 2, "thesis") == [(10, 10)]


def test_an_event_beside_a_corner_is_left_to_the_corner() -> None:
    assert anchor_cells([0, 59], [3, 58], (60, 60), (1.0, 1.0), 3, "reversible") == []
