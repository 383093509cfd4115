from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.synthesis import kick
from motionloom.transitions.request import (
    Room,
    default_half_width,
    room_for,
    stride_duration,
    stride_ratio,
)
from motionloom.transitions.segment import smooth_weights
from tests.transitions.motions import jog_cycle, jogging, walk_cycle, walking


@pytest.mark.parametrize("ratio", [0.5, 1.0, 1.7])
def test_the_room_of_a_registration_follows_from_weights_and_rates(ratio: float) -> None:
    """While clip a has weight w it goes by one frame, and clip b by the ratio; the other way round."""
    weights = smooth_weights(1000)
    rates = np.stack([weights @ (1.0, 1.0 / ratio), weights @ (ratio, 1.0)], axis=-1)
    room = room_for(10.0, ratio, "registration")
    np.testing.assert_allclose(room.before, 10.0 * rates[:1001].mean(axis=0), rtol=1e-3)
    np.testing.assert_allclose(room.after, 10.0 * rates[1000:].mean(axis=0), rtol=1e-3)


def test_spans_leave_the_room() -> None:
    clip = walking()
    rows, columns = Room((10.0, 4.5), (20.0, 0.0)).spans(clip, clip)
    assert (rows, columns) == (range(10, 101), range(5, 121))


def test_missing_is_what_the_shorter_side_lacks() -> None:
    clip = walking()
    room = Room((30.0, 0.0), (0.0, 60.0))
    assert room.missing(clip, clip, (30, 60)) == 0.0
    assert room.missing(clip, clip, (15, 60)) == pytest.approx(0.5)
    assert room.missing(clip, clip, (15, 90)) == pytest.approx(1.0)
    assert room.missing(clip[:16], clip) == pytest.approx(0.5)


def test_strides_of_cycles_are_those_of_the_clip() -> None:
    for cycle, clip in ((walk_cycle(), walking()), (jog_cycle(), jogging())):
        one, other = stride_duration(cycle), stride_duration(clip)
        assert one is not None
        assert one == pytest.approx(other, abs=0.04)
    assert stride_ratio(walking(), jogging()) < 0.8


def test_no_gait_no_stride() -> None:
    clip = annotate(kick(fps=30).clip)
    assert stride_duration(clip) is None
    assert stride_ratio(clip, walking()) == 1.0
    assert default_half_width(clip, walking()) == 0.25
