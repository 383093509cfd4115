from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.registration.correspondence import (
    EVENT_WEIGHT,
    HELD_SMOOTHING,
    RATE_SMOOTHING,
    corresponding_frames,
    event_anchors,
    fitted,
    rate_smoothing,
)
from motionloom.registration.settings import RegistrationSettings


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
    assert rate_smoothing(event_anchors(samples, [[3.0], [3.0]], knot_spacing=3.0)) == HELD_SMOOTHING


def test_a_kink_at_an_event_is_passed_closely() -> None:
    """The rate goes up fourfold at the event; smoothed, the curve would cut the corner."""
    samples = path((0, 0), (20, 10), (40, 50))
    held = fitted(samples, RegistrationSettings(), 30.0, events=[[20.0], [10.0]])
    free = fitted(samples, RegistrationSettings(), 30.0, smoothing=HELD_SMOOTHING)
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
