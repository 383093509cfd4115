"""Time keys: monotone by default, with an exact way back; reversals only when they are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.geometry.cardinal import HermiteCurve, cardinal_slopes
from motionloom.warping.times import TimeKeys, TimeMap, checked_times

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
        ({"pairs": [], "curve": "straight"}, "curve must be one of pchip, cardinal, not 'straight'"),
        ({"pairs": [], "tension": 2}, "tension must lie between 0 and 1, not 2"),
    ],
)
def test_bad_time_keys_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        TimeKeys(**arguments)


def test_callers_give_pairs_or_time_keys() -> None:
    assert checked_times(None) == checked_times([]) == checked_times(TimeKeys([])) == ()
    assert checked_times([(0.5, 1.0)]) == checked_times(TimeKeys([(0.5, 1.0)]))
    with pytest.raises(ParameterError, match=r"times must be pairs .* or TimeKeys, not 3"):
        checked_times(3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="not both"):
        checked_times([(0.5, 1.0), TimeKeys([(0.5, 1.0)])])
    with pytest.raises(ParameterError, match="two sets of time keys are for 'Head'"):
        checked_times([TimeKeys([(0.5, 1.0)], "Head"), TimeKeys([(0.6, 1.0)], "Head")])


def test_one_pair_slows_down_up_to_it_and_runs_on_after() -> None:
    slow = TimeMap(TimeKeys([(0.6, 0.9)]), duration=2.0)
    assert slow.duration == pytest.approx(2.3)
    np.testing.assert_allclose(slow.source([0.0, 0.9, 1.4, 2.3]), [0.0, 0.6, 1.1, 2.0], atol=1e-12)
    np.testing.assert_allclose(slow.rate([0.0, 0.9, 2.0]), 1.0)


def test_before_a_pair_that_changes_nothing_time_runs_unchanged() -> None:
    slow = TimeMap(TimeKeys([(1.0, 1.0), (1.5, 2.0)]), duration=3.0)
    np.testing.assert_allclose(slow.source([0.0, 0.3, 1.0]), [0.0, 0.3, 1.0], atol=1e-15)


def test_a_first_pair_at_the_start_cuts_or_holds() -> None:
    assert TimeMap(TimeKeys([(0.5, 0.0)]), duration=2.0).duration == 1.5
    held = TimeMap(TimeKeys([(0.0, 0.5)]), duration=2.0)
    np.testing.assert_allclose(held.source([0.0, 0.25, 0.5]), 0.0, atol=1e-12)


@given(PAIRS)
def test_pchip_never_reverses_and_meets_its_pairs(gaps: list[tuple[float, float]]) -> None:
    pairs = cumulative(gaps)
    mapped = TimeMap(TimeKeys(pairs), duration=pairs[-1][0] + 1.0)
    np.testing.assert_allclose(
        mapped.source([new for _, new in pairs]), [source for source, _ in pairs], atol=1e-9
    )
    assert (np.diff(mapped.source(np.linspace(-1.0, mapped.duration + 1.0, 1000))) >= -1e-12).all()
    assert len(mapped.pieces()) == 1


@given(PAIRS)
def test_the_inverse_round_trips(gaps: list[tuple[float, float]]) -> None:
    pairs = cumulative(gaps)
    mapped = TimeMap(TimeKeys(pairs), duration=pairs[-1][0] + 1.0)
    sources = np.linspace(0.0, pairs[-1][0] + 1.0, 57)
    np.testing.assert_allclose(mapped.source(mapped.new(sources)), sources, atol=1e-9)


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
    assert len(mapped.pieces()) > 1
    calm = TimeMap(TimeKeys([(0.5, 0.6), (1.0, 1.1)], curve="cardinal", tension=0.5), duration=2.0)
    np.testing.assert_allclose(calm.source([0.6, 1.1]), [0.5, 1.0])


def test_reversal_that_is_asked_for_goes_back_and_forth() -> None:
    mapped = TimeMap(TimeKeys([(1.0, 1.0), (0.5, 2.0), (1.0, 3.0)], reverse=True), duration=2.0)
    np.testing.assert_allclose(mapped.source([1.0, 2.0, 3.0]), [1.0, 0.5, 1.0], atol=1e-12)
    assert len(mapped.pieces()) == 3
    assert mapped.duration == pytest.approx(4.0)
    # 0.75 s of the source is shown three times; the inverse gives the first.
    assert float(mapped.new(0.75)) == pytest.approx(0.75)
