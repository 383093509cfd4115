"""What the figures of `python -m benchmarks.quality` rest on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.quality.cases import HeldOut, action_pairs, held_out, stride_case
from benchmarks.quality.confirmation import confirmation, confirmation_pairs
from benchmarks.quality.judge import interval, joint_error
from benchmarks.quality.predictors import CANDIDATES
from benchmarks.quality.tables import COLUMN, with_interval
from motionloom.annotation import annotate
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.synthesis import walk

FPS = 30.0


def strider(speed: float) -> Clip:
    return annotate(walk(speed=speed, duration=4.0, fps=FPS).clip)


@pytest.fixture(scope="module")
def known() -> HeldOut:
    """A case whose answer is one of its sources: the shorter, with which blending frame by frame ends."""
    case = stride_case("known", strider(1.0), strider(1.0), strider(1.6))
    return replace(case, actual=case.sources[1])


def test_a_clip_is_its_own_best_prediction_wherever_it_stands() -> None:
    clip = strider(1.2)
    moved = clip.placed(GroundTransform(1.0, 2.0, -3.0))
    assert joint_error(moved, clip) == pytest.approx(0.0, abs=1e-9)


def test_height_counts_unless_both_are_levelled() -> None:
    clip = strider(1.2)
    raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.02, 0.0]))
    assert joint_error(raised, clip) == pytest.approx(2.0)
    assert joint_error(raised, clip, level=True) == pytest.approx(0.0, abs=1e-9)


def test_an_interval_holds_the_mean_and_shrinks_with_more_cases() -> None:
    values = np.random.default_rng(0).normal(3.0, 1.0, 400)
    mean, low, high = interval(values)
    assert mean == pytest.approx(values.mean())
    assert low < mean < high
    few = interval(values[:20])
    assert high - low < few[2] - few[1]


def test_a_table_leaves_out_cases_without_a_figure() -> None:
    assert with_interval(np.array([2.0, np.nan, 2.0])).strip() == "2.00 (2.00–2.00)"
    assert with_interval(np.array([np.nan])) == "–".rjust(COLUMN)


@pytest.mark.slow
@pytest.mark.parametrize("method", CANDIDATES)
def test_every_method_can_give_a_source_back(known: HeldOut, method: str) -> None:
    made = min(CANDIDATES[method](known), key=lambda each: each.error(known.actual))
    assert made.error(known.actual) < 0.05
    assert made.seconds == pytest.approx(known.actual.duration, rel=1e-6)


@pytest.mark.slow
def test_no_captured_clip_is_in_both_sets(mocap: Path) -> None:
    first = {clip.source.path for case in held_out() for clip in (case.actual, *case.sources)}
    first |= {action.clip.source.path for pair in action_pairs() for action in pair}
    second = {clip.source.path for case in confirmation() for clip in (case.actual, *case.sources)}
    second |= {action.clip.source.path for pair in confirmation_pairs() for action in pair}
    assert first & second <= {""}
    assert len(second) > 10
