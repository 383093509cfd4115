"""Held weights: when a blend flies, and which frame's weights its frames take."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.blending.held_weights import CATCH_UP, find_flight_frames, hold_in_flight

FLIGHTS = np.array([[2.5, 4.0, 1.0, 1.0], [6.0, 7.0, 1.0, 1.0]])
NONE = np.empty((0, 2))


def test_frames_of_flights_by_hand() -> None:
    assert find_flight_frames(np.arange(10.0), FLIGHTS, None).tolist() == [[2.5, 4.0], [6.0, 7.0]]
    assert find_flight_frames(np.arange(10.0) / 2, FLIGHTS, None).tolist() == [[5.0, 8.0]]
    backward = find_flight_frames(9.0 - np.arange(10.0), FLIGHTS, None)
    assert backward.tolist() == [[2.0, 3.0], [5.0, 6.5]]
    assert find_flight_frames(np.zeros(1), FLIGHTS, None).shape == (0, 2)


def test_a_blend_that_stops_in_the_air_would_land() -> None:
    assert find_flight_frames(np.array([0.0, 1.0, 2.0, 3.0]), FLIGHTS, None).tolist() == [[2.5, 4.0]]


def test_flights_return_every_cycle() -> None:
    found = find_flight_frames(np.arange(25.0), np.array([[9.0, 11.0, 0.0, 0.0]]), 10.0)
    assert found.tolist() == [[0.0, 1.0], [9.0, 11.0], [19.0, 21.0]]


@pytest.mark.parametrize(
    "flights",
    [[[40.0, 80.0]], [[0.0, 40.0]], [[10.0, 40.0], [55.0, 80.0]], [[5.0, 30.0], [150.0, 260.0]]],
)
def test_frames_never_go_back_stand_still_in_flight_and_catch_up(flights: list[list[float]]) -> None:
    held = hold_in_flight(200, np.array(flights), 1.0 / 120.0)
    steps = np.diff(held)
    assert held[0] == 0.0
    assert (steps >= -1e-9).all()
    for start, end in flights:
        inside = held[int(np.ceil(start)) : int(np.floor(end)) + 1]
        assert np.ptp(inside) == 0.0
    later = int(flights[-1][1] + CATCH_UP * 120.0) + 1
    np.testing.assert_allclose(held[later:], np.arange(200)[later:], atol=1e-9)


def test_without_flights_nothing_changes() -> None:
    assert hold_in_flight(4, NONE, 0.1).tolist() == [0.0, 1.0, 2.0, 3.0]
