from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.options.transitions import Keep
from motionloom.registration.pair_alignment import PairAlignment, PairTask
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.synthesis import walk
from motionloom.transitions import local_registration, transition
from motionloom.transitions.local_registration import CentreError, align_outwards, pass_through
from tests.transitions.motions import captured_takes, jog_cycle, jogging, walk_cycle, walking


@cache
def captured_pair(first: str, second: str) -> tuple[Clip, Clip]:
    a, b = (annotate(clip.resampled(30.0)) for clip in captured_takes(first, second))
    return a, b


@pytest.mark.parametrize("snap", [True, False])
@pytest.mark.parametrize("method", ["registration", "linear"])
@pytest.mark.parametrize("at", [(61, 50), (58, 47), (60.25, 40.5)])
def test_both_clips_are_at_the_stated_frames(at: tuple[float, float], method: str, snap: bool) -> None:
    result = transition(walking(), jogging(), at=at, half_width=0.4, method=method, snap=snap)  # type: ignore[call-overload]
    first, last = map(int, result.report.seams)
    middle = (first + last) // 2
    assert result.weights[middle].tolist() == [0.5, 0.5]
    np.testing.assert_allclose(result.frames[middle], at, atol=1e-9)
    assert result.report.centres == (at,)
    ends = np.array([result.frames[first, 0], result.frames[last, 1]])
    if snap:
        np.testing.assert_allclose(ends, np.rint(ends), atol=1e-9)


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
@pytest.mark.parametrize(
    ("names", "at"),
    [
        (("locomotion/s16/walk_straight_", "locomotion/s16/jog_straight_"), (60, 14)),
        (("locomotion/s16/walk_straight_", "locomotion/s16/jog_straight_"), (57.3, 20.7)),
        (("actions/punches/punch_high1", "locomotion/s16/walk_straight_"), (20, 50)),
    ],
)
def test_captured_clips_are_at_the_stated_frames(names: tuple[str, str], at: tuple[float, float]) -> None:
    result = transition(*captured_pair(*names), at=at)
    middle = round(np.mean(result.report.seams))
    np.testing.assert_allclose(result.frames[middle], at, atol=1e-9)


def test_frame_rates_that_differ_leave_the_frames_exact() -> None:
    """Frame 121 of 60 per second lies between two frames of 30 per second."""
    fast = annotate(walk(duration=4.0, fps=60).clip)
    result = transition(fast, jogging(), at=(121, 50), half_width=0.4)
    middle = round(np.mean(result.report.seams))
    np.testing.assert_allclose(result.frames[middle], (60.5, 50), atol=1e-9)


def test_a_frame_of_a_loop_is_met_in_a_later_cycle() -> None:
    result = transition(walk_cycle(), jog_cycle(), at=(3.5, 2.25), half_width=0.6, loop=True)
    middle = round(np.mean(result.report.seams))
    np.testing.assert_allclose(result.frames[middle], (3.5, 2.25), atol=1e-9)


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_what_a_registration_cannot_meet_is_cross_faded_and_said() -> None:
    clips = captured_pair("actions/punches/punch_high1", "locomotion/s16/walk_straight_")
    result = transition(*clips, at=(25, 60))
    assert result.report.fallbacks == (0,)
    assert "cross-faded without a registration" in result.report.doubts[0]
    assert result.report.doubts[0] in result.report.notes


@pytest.mark.parametrize("method", ["inertialize", "dead"])
def test_methods_that_switch_do_so_at_whole_frames(method: str) -> None:
    result = transition(walking(), jogging(), at=(60.4, 50.3), half_width=0.3, method=method)  # type: ignore[call-overload]
    assert result.report.centres == ((60, 50),)


def test_a_centre_at_the_end_is_refused() -> None:
    with pytest.raises(ParameterError, match="s of motion are missing"):
        transition(walking(), jogging(), at=(119, 50))


# Bending a curve


def test_a_curve_far_from_the_centre_is_not_bent() -> None:
    points = np.arange(-1.0, 40.0, 2.0)[:, None] * [1.0, 1.0]
    curve = TimewarpCurve(control_points=points, knot_spacing=2.0)
    bent = pass_through(curve, (20.0, 20.8), reach=8.0)
    assert np.abs(bent.control_points - points).max() < 0.6
    np.testing.assert_array_equal(bent.control_points[[0, -1]], points[[0, -1]])
    np.testing.assert_allclose(bent(bent.inverse(0, 20.0)), (20.0, 20.8), atol=1e-12)


def test_a_curve_of_few_frames_per_second_bends_between_its_knots() -> None:
    """At 2 Hz no knot lay within reach of the centre, and the curve became NaN."""
    curve = TimewarpCurve(control_points=np.arange(-1.0, 10.0, 2.0)[:, None] * [1.0, 1.0], knot_spacing=2.0)
    bent = pass_through(curve, (4.0, 4.3), reach=0.6)
    np.testing.assert_allclose(bent(bent.inverse(0, 4.0)), (4.0, 4.3), atol=1e-12)


@pytest.mark.parametrize(
    ("centre", "message"), [((20.0, 30.0), "correspond at other frames"), ((20.0, 60.0), "do not correspond")]
)
def test_what_would_bend_time_too_much_is_refused(centre: tuple[float, float], message: str) -> None:
    curve = TimewarpCurve(control_points=np.arange(-1.0, 40.0, 2.0)[:, None] * [1.0, 1.0], knot_spacing=2.0)
    with pytest.raises(CentreError, match=message):
        pass_through(curve, centre, reach=8.0)


# Windows


@pytest.mark.parametrize("keep", [None, "all"])
def test_the_time_alignment_grows_from_the_centre_on_request(keep: Keep | None) -> None:
    a, b = walking(), jogging()
    result = transition(a, b, at=(61, 50), half_width=0.5, alignment="windowed")
    middle = round(np.mean(result.report.seams))
    np.testing.assert_allclose(result.frames[middle], (61, 50), atol=1e-9)
    found = transition(a, b, keep=keep, alignment="windowed")
    assert (np.diff(found.frames, axis=0) >= -1e-9).all()
    assert min(found.report.kept) >= 0.75


def test_windows_are_asked_of_the_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def align(task: PairTask) -> PairAlignment:
        asked.append(task.in_windows)
        return align_outwards(task)

    monkeypatch.setattr(local_registration, "align_outwards", align)
    transition(walking(), jogging(), at=(61, 50), half_width=0.4, alignment="windowed")
    assert asked
    assert all(asked)
