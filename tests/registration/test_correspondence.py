from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.registration.correspondence import (
    ANCHORED_SMOOTHING,
    EVENT_WEIGHT,
    RATE_SMOOTHING,
    corresponding_frames,
    event_anchors,
    fit_curve,
    rate_smoothing,
    shared_events,
)
from motionloom.registration.settings import RegistrationSettings
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


def path(*corners: tuple[float, float]) -> FloatArray:
    """Frames that correspond along straight lines from corner to corner, one row per frame of the first."""
    places = np.array(corners, dtype=np.float64)
    frames = np.arange(places[-1, 0] + 1.0)
    return np.stack([frames, np.interp(frames, *places.T)], axis=1)


def test_an_event_lies_where_the_samples_come_nearest() -> None:
    samples = path((0, 0), (4, 4), (6, 8), (9, 11))
    anchors = event_anchors(samples, [[1.5, 5.25, 8.0], [1.5, 6.5, 11.0]], knot_spacing=3.0)
    assert anchors.u == pytest.approx([1.5, 5.25, 8.5])
    assert anchors.frames.tolist() == [[1.5, 1.5], [5.25, 6.5], [8.0, 11.0]]
    assert anchors.weight == 3.0 * EVENT_WEIGHT


def test_clips_without_shared_events_have_no_anchors_and_keep_their_smoothing() -> None:
    samples = path((0, 0), (9, 9))
    none: list[list[list[float]]] = [[], [[], []]]
    for events in none:
        anchors = event_anchors(samples, events, knot_spacing=3.0)
        assert anchors.frames.shape == (0, 2)
        assert rate_smoothing(anchors) == RATE_SMOOTHING
    assert rate_smoothing(event_anchors(samples, [[3.0], [3.0]], knot_spacing=3.0)) == ANCHORED_SMOOTHING


def test_a_kink_at_an_event_is_passed_closely() -> None:
    """The rate goes up fourfold at the event; smoothed, the curve would cut the corner."""
    samples = path((0, 0), (20, 10), (40, 50))
    held = fit_curve(samples, RegistrationSettings(), 30.0, events=[[20.0], [10.0]])
    free = fit_curve(samples, RegistrationSettings(), 30.0, smoothing=ANCHORED_SMOOTHING)
    off = [abs(float(curve(curve.inverse(0, 20.0))[1]) - 10.0) for curve in (held, free)]
    assert off[0] < 0.5 * off[1]
    # As steady as without the event: it holds the curve but does not make it swing.
    swing = [np.ptp(np.diff(curve.control_points[:, 1])) for curve in (held, free)]
    assert swing[0] < 1.2 * swing[1]


def test_pairs_through_a_reference_are_held_too() -> None:
    paths = {(0, 1): path((0, 0), (20, 10), (40, 50)), (0, 2): path((0, 0), (40, 40))}
    settings = RegistrationSettings(knot_spacing=0.3)
    held = corresponding_frames(paths, 3, 0, settings, 30.0, [[20.0], [10.0], [20.0]])
    free = corresponding_frames(paths, 3, 0, settings, 30.0)
    assert abs(held[20, 1] - 10.0) < 0.5 * abs(free[20, 1] - 10.0)
    assert held[:, 2] == pytest.approx(np.arange(41.0))
