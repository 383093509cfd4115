from __future__ import annotations

import numpy as np
import pytest

from motionloom.framespace import FramespaceReport
from tests.framespace.spaces import rectangle


@pytest.mark.parametrize("v", [0.0, 0.25, 0.5, 1.0])
def test_a_cycle_takes_a_time_that_is_linear_in_the_weight(v: float) -> None:
    space = rectangle()
    result = space.blend(v, cycles=5)
    report = result.report
    assert isinstance(report, FramespaceReport)
    expected = (1 - v) * space.periods[0] + v * space.periods[1]
    assert report.cycle_durations[:4] == pytest.approx([expected] * 4)


def test_the_report_says_where_the_curve_went() -> None:
    report = rectangle().blend([(0, 0.0), (1, 1.0)], cycles=3).report
    assert isinstance(report, FramespaceReport)
    assert np.allclose(report.points[:, 0], report.cycles / 3)
    assert report.upper_frames is None
