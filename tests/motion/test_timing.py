from __future__ import annotations

import pytest

from motionloom.errors import ParameterError
from motionloom.motion.timing import checked_frame_time, frame_time_of, rate


@pytest.mark.parametrize("value", [1e-320, 9e-7, 1.1e6, 1e300])
def test_times_and_rates_of_no_sense_are_refused(value: float) -> None:
    with pytest.raises(ParameterError, match=r"frame_time must lie between 1e-06 s and 1e\+06 s, not "):
        checked_frame_time(value)
    with pytest.raises(ParameterError, match=r"fps must lie between 1e-06 and 1e\+06, not "):
        frame_time_of(value)


def test_the_limits_themselves_are_allowed() -> None:
    assert [checked_frame_time(value) for value in (1e-6, 1e6)] == [1e-6, 1e6]
    assert [frame_time_of(value) for value in (1e6, 1e-6)] == [1e-6, 1e6]


def test_rates_are_whole_where_the_frame_time_is_their_reciprocal() -> None:
    assert [rate(1 / fps) for fps in (24, 30, 60, 120, 49)] == [24, 30, 60, 120, 49]
    assert rate(0.0083333) == pytest.approx(120.00048, abs=1e-8)
