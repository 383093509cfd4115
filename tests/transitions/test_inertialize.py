from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import GroundTransform
from motionloom.transitions import transition
from motionloom.transitions.inertialize import decay_offset
from tests.transitions.motions import jogging, walking


def test_an_offset_that_is_not_there_stays_away() -> None:
    assert not decay_offset(np.zeros(2), np.array([1.0, -1.0]), np.linspace(0.0, 1.0, 5)).any()


def test_half_of_a_resting_offset_is_left_half_way() -> None:
    assert decay_offset(np.array(2.0), np.array(0.0), np.array([0.0, 0.5, 1.0])).tolist() == [2.0, 1.0, 0.0]


@pytest.mark.slow
@given(size=st.floats(0.01, 3.0), speed=st.floats(-20.0, 20.0), seconds=st.floats(0.1, 2.0))
def test_offsets_begin_as_they_are_and_end_at_rest(size: float, speed: float, seconds: float) -> None:
    times = np.linspace(0.0, seconds, 20001)
    values = decay_offset(np.array(size), np.array(speed), times)
    rates = np.gradient(values, times)
    assert values[0] == size
    assert abs(values[1] - values[0] - speed * times[1]) < 1e-3 * (size + abs(speed) * seconds)
    assert values[-1] == 0.0
    assert abs(rates[-1]) < 1e-2 * (size / seconds + abs(speed))
    assert values.min() > -1e-9 * size or speed > 0.0


@given(speed=st.floats(-20.0, -0.1))
def test_a_shrinking_offset_does_not_overshoot(speed: float) -> None:
    assert decay_offset(np.array(0.5), np.array(speed), np.linspace(0.0, 1.0, 200)).min() >= -1e-9


def test_nothing_jumps_at_the_switch() -> None:
    """Poses that differ by decimetres follow each other at the joints' usual speeds."""
    result = transition(walking(), jogging(), at=(61, 40), half_width=0.4, method="inertialize")
    switch = int(result.report.seams[0])
    transform = GroundTransform(*result.placements[switch, 1].tolist())
    cut = np.abs(jogging().placed(transform).world_positions()[40] - walking().world_positions()[61]).max()
    steps = np.linalg.norm(np.diff(result.clip.world_positions(), axis=0), axis=-1).max(axis=1)
    assert cut > 0.3
    assert steps[switch - 2 : switch + 3].max() < 1.5 * np.median(steps)
