"""Time keys and retiming: poses, plants and events at their new times."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.geometry.splines import HermiteCurve, cardinal_slopes
from motionloom.motion import Constraint, Event
from motionloom.synthesis import walk
from motionloom.warping.time_keys import TimeKeys, check_times
from motionloom.warping.times import TimeMap, retime_clip
from tests.figures import smooth_clip

PAIRS = st.lists(st.tuples(st.floats(0.01, 2.0), st.floats(0.01, 2.0)), min_size=1, max_size=7)


def cumulative(gaps: list[tuple[float, float]]) -> list[tuple[float, float]]:
    sources, news = np.cumsum(gaps, axis=0).T
    return list(zip(sources.tolist(), news.tolist(), strict=True))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pairs": [(1.0,)]}, r"time keys must be pairs \(source, new\) of seconds, not \(1.0,\)"),
        ({"pairs": [1.0]}, "time keys must be pairs"),
        ({"pairs": 3}, "time keys must be pairs .* of seconds, not 3"),
        ({"pairs": [(1.0, "late")]}, "a new time must be a finite number, not 'late'"),
        (
            {"pairs": [(1.0, 2.0), (0.5, 3.0)]},
            "time would stand still or run backwards, which reverse=True allows",
        ),
        ({"pairs": [(1.0, 2.0), (1.5, 2.0)]}, "two moments of the source are put at 2 s"),
        ({"pairs": [], "curve": "straight"}, "curve must be one of 'pchip', 'cardinal', not 'straight'"),
        ({"pairs": [], "tension": 2}, "tension must be from 0 to 1, not 2"),
    ],
)
def test_bad_time_keys_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        TimeKeys(**arguments)


def test_callers_give_pairs_or_time_keys() -> None:
    assert check_times(None) == check_times([]) == check_times(TimeKeys([])) == ()
    assert check_times([(0.5, 1.0)]) == check_times(TimeKeys([(0.5, 1.0)]))
    with pytest.raises(ParameterError, match=r"times must be pairs .* or TimeKeys, not 3"):
        check_times(3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="not both"):
        check_times([(0.5, 1.0), TimeKeys([(0.5, 1.0)])])
    with pytest.raises(ParameterError, match="two sets of time keys are for 'Head'"):
        check_times([TimeKeys([(0.5, 1.0)], "Head"), TimeKeys([(0.6, 1.0)], "Head")])


def test_one_pair_slows_down_up_to_it_and_runs_on_after() -> None:
    slow = TimeMap(TimeKeys([(0.6, 0.9)]), duration=2.0)
    assert slow.duration == pytest.approx(2.3)
    np.testing.assert_allclose(slow.source_times([0.0, 0.9, 1.4, 2.3]), [0.0, 0.6, 1.1, 2.0], atol=1e-12)
    np.testing.assert_allclose(slow.rates([0.0, 0.9, 2.0]), 1.0)


def test_before_a_pair_that_changes_nothing_time_runs_unchanged() -> None:
    slow = TimeMap(TimeKeys([(1.0, 1.0), (1.5, 2.0)]), duration=3.0)
    np.testing.assert_allclose(slow.source_times([0.0, 0.3, 1.0]), [0.0, 0.3, 1.0], atol=1e-15)


def test_a_first_pair_at_the_start_cuts_or_holds() -> None:
    assert TimeMap(TimeKeys([(0.5, 0.0)]), duration=2.0).duration == 1.5
    held = TimeMap(TimeKeys([(0.0, 0.5)]), duration=2.0)
    np.testing.assert_allclose(held.source_times([0.0, 0.25, 0.5]), 0.0, atol=1e-12)


@pytest.mark.slow
@given(PAIRS)
def test_pchip_never_reverses_and_meets_its_pairs(gaps: list[tuple[float, float]]) -> None:
    pairs = cumulative(gaps)
    mapped = TimeMap(TimeKeys(pairs), duration=pairs[-1][0] + 1.0)
    np.testing.assert_allclose(
        mapped.source_times([new for _, new in pairs]), [source for source, _ in pairs], atol=1e-9
    )
    assert (np.diff(mapped.source_times(np.linspace(-1.0, mapped.duration + 1.0, 1000))) >= -1e-12).all()
    assert len(mapped.monotone_pieces()) == 1


@pytest.mark.slow
@given(PAIRS)
def test_the_inverse_round_trips(gaps: list[tuple[float, float]]) -> None:
    pairs = cumulative(gaps)
    mapped = TimeMap(TimeKeys(pairs), duration=pairs[-1][0] + 1.0)
    sources = np.linspace(0.0, pairs[-1][0] + 1.0, 57)
    np.testing.assert_allclose(mapped.source_times(mapped.result_times(sources)), sources, atol=1e-9)


def test_cardinal_splines_reverse_for_more_than_a_third_of_random_warps() -> None:
    # Theory E36: at least 33 % of random increasing six-key warps at tension 0, about 19 % at tension 1/2.
    rng = np.random.default_rng(36)
    reversals = {0.0: 0, 0.5: 0}
    for _ in range(400):
        knots, values = np.arange(6.0), np.cumsum(rng.random(6))[:, None]
        for tension in reversals:
            curve = HermiteCurve(knots, values, cardinal_slopes(knots, values, tension))
            shown = curve(np.linspace(*curve.domain, 400)).ravel()
            reversals[tension] += bool((np.diff(shown) < -1e-12).any())
    assert reversals[0.0] > 0.33 * 400
    assert 0.15 * 400 < reversals[0.5] < 0.28 * 400


OVERSHOOTING = [(0.1, 0.4), (1.0, 0.5), (1.1, 0.9)]


def test_a_cardinal_curve_that_reverses_is_refused_unless_asked_for() -> None:
    with pytest.raises(ParameterError, match="the Cardinal spline through the time keys runs backwards from"):
        TimeMap(TimeKeys(OVERSHOOTING, curve="cardinal"), duration=2.0)
    mapped = TimeMap(TimeKeys(OVERSHOOTING, curve="cardinal", reverse=True), duration=2.0)
    assert len(mapped.monotone_pieces()) > 1
    calm = TimeMap(TimeKeys([(0.5, 0.6), (1.0, 1.1)], curve="cardinal", tension=0.5), duration=2.0)
    np.testing.assert_allclose(calm.source_times([0.6, 1.1]), [0.5, 1.0])


def test_reversal_that_is_asked_for_goes_back_and_forth() -> None:
    mapped = TimeMap(TimeKeys([(1.0, 1.0), (0.5, 2.0), (1.0, 3.0)], reverse=True), duration=2.0)
    np.testing.assert_allclose(mapped.source_times([1.0, 2.0, 3.0]), [1.0, 0.5, 1.0], atol=1e-12)
    assert len(mapped.monotone_pieces()) == 3
    assert mapped.duration == pytest.approx(4.0)
    # 0.75 s of the source is shown three times; the inverse gives the first.
    assert float(mapped.result_times(0.75)) == pytest.approx(0.75)


def test_pairs_beyond_the_clip_are_refused() -> None:
    with pytest.raises(
        ParameterError, match=r"a time key names 5 s of the source, but the clip runs from 0 to 0\.3"
    ):
        retime_clip(smooth_clip(20), [TimeKeys([(5.0, 6.0)])])


def test_new_times_before_the_start_are_refused() -> None:
    message = r"puts 0\.2 s of the source at -3 s of the result, which starts at 0 s"
    for joint in ("", "left"):
        with pytest.raises(ParameterError, match=message):
            retime_clip(smooth_clip(20), [TimeKeys([(0.2, -3.0)], joint)])


def test_without_time_keys_the_clip_is_the_same() -> None:
    clip = smooth_clip(20)
    assert retime_clip(clip, []) is clip


def test_poses_are_those_of_the_mapped_time() -> None:
    clip = smooth_clip(121)
    slow = retime_clip(clip, [TimeKeys([(0.5, 0.5), (1.0, 1.5)])])
    assert slow.n_frames == 151
    np.testing.assert_array_equal(slow.rotations[:31], clip.rotations[:31])
    np.testing.assert_allclose(slow.rotations[90], clip.rotations[60], atol=1e-9)
    np.testing.assert_allclose(slow.rotations[120], clip.rotations[90], atol=1e-9)


def test_plants_and_events_go_along() -> None:
    clip = replace(
        smooth_clip(121),
        constraints=(Constraint("left", "toe", 12, 60), Constraint("left", "toe", 90, 120)),
        events=(Event(60, "strike", "left"),),
    )
    slow = retime_clip(clip, [TimeKeys([(0.5, 0.5), (1.0, 1.5)])])
    assert [t for c in slow.constraints for t in (c.start, c.end)] == pytest.approx(
        [12.0, 90.0, 120.0, 150.0]
    )
    assert [event.frame for event in slow.events] == pytest.approx([90.0])


def test_backwards_a_plant_holds_again_and_an_event_happens_again() -> None:
    clip = replace(
        smooth_clip(121), constraints=(Constraint("left", "toe", 33, 57),), events=(Event(45, "strike"),)
    )
    keys = TimeKeys([(1.0, 1.0), (0.5, 2.0), (1.0, 3.0)], reverse=True)
    back = retime_clip(clip, [keys])
    assert len(back.constraints) == len(back.events) == 3
    assert back.events[0].frame == pytest.approx(45.0)
    # A plant at the turning point is one and not two.
    turning = replace(clip, constraints=(Constraint("left", "toe", 54, 90),))
    first, second = retime_clip(turning, [keys]).constraints
    assert first.start == pytest.approx(54.0)
    assert first.end > 61.0
    assert second.start < 180.0 < second.end


def test_a_part_of_the_body_keeps_its_own_time() -> None:
    clip = smooth_clip(61)
    whole = retime_clip(clip, [TimeKeys([(0.5, 0.5), (0.7, 0.9)])])
    both = retime_clip(clip, [TimeKeys([(0.5, 0.5), (0.7, 0.9)]), TimeKeys([(0.2, 0.4)], joint="left")])
    left = [1, 3]
    others = [0, 2, 4, 5]
    np.testing.assert_array_equal(both.rotations[:, others], whole.rotations[:, others])
    np.testing.assert_allclose(both.rotations[24, left], clip.rotations[12, left], atol=1e-9)
    assert whole.n_frames == both.n_frames
    alone = retime_clip(clip, [TimeKeys([(0.2, 0.4)], joint="left")])
    assert alone.n_frames == 61
    np.testing.assert_array_equal(alone.root_positions, clip.root_positions)


@pytest.mark.slow
def test_slow_motion_stays_smooth() -> None:
    clip = annotate(walk(duration=2.0, fps=30).clip)
    slow = retime_clip(clip, [TimeKeys([(2.0, 6.0)])])
    jerks = [np.abs(np.diff(c.world_positions(), n=2, axis=0)).max() / c.frame_time**2 for c in (clip, slow)]
    assert jerks[1] < jerks[0]
