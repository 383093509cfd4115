from __future__ import annotations

import numpy as np
import pytest

from motionloom.framespace import FramespaceReport
from motionloom.framespace.blend import CycleClock, frame_times
from motionloom.framespace.interpolant import InterpolantLike, Shape
from tests.framespace.paper_tables import ARCH, CONCATENATION, ROUND, duration
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


def test_half_way_between_walk_and_run_a_cycle_takes_the_mean() -> None:
    clock = CycleClock(0.01, np.full(101, (0.77 + 1.24) / 2.0))
    assert clock.duration == pytest.approx(1.005)
    assert clock.cycles_at(np.array([0.0, 0.5025, 1.005])).tolist() == pytest.approx([0.0, 0.5, 1.0])


def test_a_ramp_takes_the_mean_and_runs_ever_faster() -> None:
    clock = CycleClock(0.01, np.linspace(1.24, 0.77, 101))
    assert clock.duration == pytest.approx(1.005)
    cycles = clock.cycles_at(np.linspace(0.0, 1.005, 50))
    assert (np.diff(cycles, 2) > 0.0).all()
    assert cycles[-1] == pytest.approx(1.0)


def test_another_part_keeps_its_own_frequency() -> None:
    clock = CycleClock(0.1, np.full(11, 2.0))
    cycles = np.linspace(0.0, 1.0, 7)
    assert np.allclose(clock.cycles_at_rates(np.full(11, 2.0), cycles), cycles)
    assert np.allclose(clock.cycles_at_rates(np.full(11, 1.0), cycles), 2.0 * cycles)


@pytest.mark.parametrize(
    ("names", "curves", "shape", "reported"),
    [
        (("run", "walk"), (CONCATENATION, 0.5), "rectangle", (11.53, 12.33)),
        (("dance1", "dance2"), (CONCATENATION, 0.5), "rectangle", (32.67, 33.43)),
        (("run", "dance2"), (CONCATENATION, 0.5), "rectangle", (22.83, 25.86)),
        (("run", "walk", "dance1", "dance2"), (ROUND, ARCH), "box", (18.33, 21.87)),
    ],
)
def test_durations_of_table_4(
    names: tuple[str, ...],
    curves: tuple[InterpolantLike, InterpolantLike],
    shape: Shape,
    reported: tuple[float, float],
) -> None:
    """The curves behind the table are not known; simple ones give durations in the range of its two rows."""
    for curve in curves:
        assert reported[0] <= duration(curve, names, shape) <= reported[1]


def test_a_loop_takes_whole_frames() -> None:
    times = frame_times(1.02, 0.1, loop=True)
    assert len(times) == 10
    assert times[-1] + (times[1] - times[0]) == pytest.approx(1.02)


def test_a_whole_number_of_frames_includes_the_last() -> None:
    assert len(frame_times(0.1 * 3, 0.1, loop=False)) == 4
