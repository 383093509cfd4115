from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.registration.timewarp import Anchors, TimewarpCurve
from motionloom.registration.timewarp_fit import (
    DEFAULT_MIN_RATE,
    fit_periodic_timewarp,
    fit_timewarp,
)
from tests.registration.test_timewarp_fit import DIAGONAL, MODES, rates_hold, steps_of
from tests.registration.timewarp_oracle import staircase


def anchored(u: list[float], frames: list[list[float]], weight: float) -> Anchors:
    return Anchors(np.array(u), np.array(frames), weight)


@pytest.mark.parametrize(
    ("u", "frames", "weight", "message"),
    [
        ([[1.0]], [[1.0]], 1.0, r"the u of anchors must have shape \(E,\)"),
        ([1.0, 2.0], [[1.0]], 1.0, r"the frames of anchors must have shape \(2, K\)"),
        ([np.nan], [[1.0]], 1.0, "the u of anchors must be finite"),
        ([1.0], [[1.0]], -1.0, r"the weight of anchors must be a number of at least 0, not -1\.0"),
        ([1.0], [[1.0]], np.nan, "the weight of anchors must be a number of at least 0, not nan"),
    ],
)
def test_refuses_what_is_no_anchor(u: Any, frames: Any, weight: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Anchors(u, frames, weight)


@pytest.mark.parametrize(
    ("anchors", "message"),
    [
        (anchored([3], [[3]], 1), "the anchors have frames of 1 clips, the samples of 2"),
        (anchored([11.5], [[9, 9]], 1), r"anchors must lie at a u from 0 to 11, not at 11\.5"),
    ],
)
def test_refuses_anchors_beside_the_samples(anchors: Anchors, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        fit_timewarp(DIAGONAL, anchors=anchors)


def test_none_are_none_for_every_clip() -> None:
    none = Anchors.none(3)
    assert none.u.shape == (0,)
    assert none.frames.shape == (0, 3)


def test_a_heavy_anchor_is_passed_and_a_light_one_is_a_sample() -> None:
    """A straight line and one anchor a frame above it: the curve goes there as the weight tells it to."""
    u = np.arange(25.0)[:, None]
    off = {
        weight: float(fit_timewarp(u, anchors=anchored([12.0], [[13.0]], weight))(12.0)[0]) - 12.0
        for weight in (0.0, 1.0, 1000.0)
    }
    assert off[0.0] == pytest.approx(0.0, abs=1e-9)
    assert 0.1 < off[1.0] < 0.5
    assert off[1000.0] == pytest.approx(1.0, abs=0.01)


def test_anchors_move_no_other_clip_and_tell_clips_apart() -> None:
    anchors = anchored([8.0], [[8.0, 9.0]], weight=100.0)
    curve = fit_timewarp(np.repeat(np.arange(17.0)[:, None], 2, axis=1), anchors=anchors)
    at = np.linspace(0, 16, 33)
    assert curve(at)[:, 0] == pytest.approx(at, abs=1e-9)
    assert curve(8.0)[1] == pytest.approx(9.0, abs=0.05)


def test_anchors_do_not_break_the_bounds() -> None:
    anchors = anchored([4.0, 5.0], [[4.0, 1.0], [5.0, 10.0]], weight=1e4)
    for mode in MODES:
        curve = fit_timewarp(DIAGONAL, anchors=anchors, mode=mode, knot_spacing=2)
        assert (steps_of(curve) > 0).all()
        assert rates_hold(curve, 0.0 if mode == "nudge" else DEFAULT_MIN_RATE)


def test_an_anchor_at_the_seam_holds_both_sides_of_it() -> None:
    u = np.arange(24.0)[:, None]
    anchors = anchored([0.0], [[1.0]], weight=1000.0)
    cycle = fit_periodic_timewarp(u, [24.0], anchors=anchors)
    assert cycle([0.0, 24.0])[:, 0] == pytest.approx([1.0, 25.0], abs=0.02)
    assert cycle.derivative(24.0 - 1e-9) == pytest.approx(cycle.derivative(24.0 + 1e-9), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_curve_is_closer_to_samples_and_anchors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    samples = staircase(rng, 30, 2)
    rows = np.array([5, 14, 23])
    known = Anchors(rows + 0.3, samples[rows] + rng.uniform(-0.5, 1.0, (3, 2)), weight=4.0)

    def error(points: FloatArray, spacing: float) -> float:
        curve = TimewarpCurve(control_points=points, knot_spacing=spacing)
        off, off_anchors = curve(np.arange(len(samples))) - samples, curve(known.u) - known.frames
        return float((off**2).sum() + known.weight * (off_anchors**2).sum())

    # A knot spacing of six leaves enough slope everywhere for the bounds not to bind.
    best = fit_timewarp(samples, knot_spacing=6.0, min_rate=0.0, start="free", end="free", anchors=known)
    least = error(best.control_points, best.knot_spacing)
    for _ in range(20):
        moved = best.control_points + rng.normal(0, 1e-3, best.control_points.shape)
        assert error(moved, best.knot_spacing) > least
