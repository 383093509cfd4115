"""The curves of a comparison: clips are compared at the same time, while both last."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import motionloom as ml
from motionloom.motion.unroll import extend_cycle
from motionloom.synthesis import walk
from motionloom.viewer.comparison import DISTANCE, compute_curves
from motionloom.viewer.page_data import ComparedCurve


@pytest.fixture(scope="module")
def clip() -> ml.Clip:
    return walk(duration=2.0, fps=60).clip


def distance(first: ml.Clip, other: ml.Clip) -> ComparedCurve:
    curve = compute_curves([first, other])[0]
    assert (curve.name, curve.unit, curve.values[0]) == (DISTANCE, "m", ())
    return curve


@pytest.mark.parametrize("order", [1, -1], ids=["first shorter", "first longer"])
def test_the_distance_ends_with_the_shorter_clip(clip: ml.Clip, order: int) -> None:
    curve = distance(*[clip[:30], clip][::order])
    assert curve.values[1] == (0.0,) * 30
    assert curve.durations == (0.0, 0.5)


def test_the_same_motion_at_other_rates_is_the_same(clip: ml.Clip) -> None:
    for rates in ((30.0, 120.0), (120.0, 30.0), (60.0, 50.0)):
        curve = distance(*(clip.resampled(fps) for fps in rates))
        assert max(curve.values[1]) <= 0.001, rates


def test_a_cycle_goes_on(clip: ml.Clip) -> None:
    loop = ml.cyclify(ml.annotate(clip), cycles=1)
    curve = distance(loop.clip, extend_cycle(loop.clip, 150))
    assert curve.values[1] == (0.0,) * 150


def test_clips_that_have_no_distance(clip: ml.Clip) -> None:
    names = tuple(f"my {name}" for name in clip.skeleton.names)
    renamed = replace(clip, skeleton=replace(clip.skeleton, names=names))
    assert compute_curves([clip, renamed])[0].name != DISTANCE


def test_a_constant_offset_is_its_length(clip: ml.Clip) -> None:
    moved = clip.placed(ml.GroundTransform(0.0, 0.3, 0.4))
    assert distance(clip, moved).values[1] == pytest.approx((0.5,) * clip.n_frames)
    still = distance(clip[:1], moved)
    assert np.shape(still.values[1]) == (1,)
