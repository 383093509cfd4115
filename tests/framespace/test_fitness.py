"""Verdicts on the clips of a framespace, and the refusal of clips that do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.framespace import Framespace
from motionloom.registration import Verdict
from motionloom.synthesis import jog, punch, walk


def loops(*cycles: int) -> list[ml.Clip]:
    takes = [walk(duration=6.0, fps=30).clip, jog(duration=5.0, fps=30).clip]
    return [cyclify(take, cycles=n).clip for take, n in zip(takes, cycles, strict=True)]


def test_cycles_of_different_numbers_of_strides_are_refused() -> None:
    with pytest.raises(
        ParameterError, match=r"different numbers of strikes \(4, 2\): give cycles of one stride"
    ):
        Framespace(loops(2, 1))
    space = Framespace(loops(2, 1), allow_unfit=True)
    assert space.verdict is Verdict.UNFIT
    assert "different numbers of strikes" in space.reason


@pytest.mark.parametrize("cycles", [1, 2])
def test_equally_many_strides_are_good(cycles: int) -> None:
    space = Framespace(loops(cycles, cycles))
    assert space.verdict is Verdict.GOOD
    assert space.reason == f"{len(space.correspondence.matched)} states of the cycles correspond"


def test_whoever_states_what_corresponds_is_not_refused() -> None:
    """Given states say which moments belong together, whatever the feet do in between."""
    two, one = loops(2, 1)
    states = [[(0.0, "L.et"), (0.5, "R.et")], [(0.0, "L.et"), (0.5, "R.et")]]
    assert Framespace([two, one], states=states).verdict is Verdict.GOOD


def test_an_action_that_is_played_once_is_not_judged_as_a_cycle() -> None:
    space = Framespace([loops(1, 1)[0], punch(fps=30).clip], acyclic=1)
    assert space.verdict is Verdict.GOOD


@pytest.mark.slow
def test_a_captured_walk_and_a_kick_are_refused(mocap: Path) -> None:
    """The kick has a run-up, out of which something like a stride can be cut that does not close."""
    walking = ml.load(mocap / "locomotion/s16/walk_straight_16_15.bvh").resampled(30)
    for name, reason in (
        ("kick_74_03", "kick_74_03 shows another action beside its steps, .* acyclic= to play it once"),
        ("kick_74_06", r"different numbers of strikes \(2, 3\)"),
    ):
        kicking = ml.load(mocap / f"actions/kicks/{name}.bvh").resampled(30)
        with pytest.raises(ParameterError, match=reason):
            Framespace([walking, kicking])
    assert Framespace([walking, kicking], acyclic=1).verdict is Verdict.GOOD


@pytest.mark.slow
def test_captured_gaits_are_kept_and_loops_that_hardly_close_are_doubtful(mocap: Path) -> None:
    folder = mocap / "locomotion/s16"
    walking, running, veering = (
        ml.load(folder / f"{name}.bvh").resampled(30)
        for name in ("walk_straight_16_15", "run_straight_16_45", "run_left_16_48")
    )
    assert Framespace([walking, running]).verdict is Verdict.GOOD
    doubtful = Framespace([walking, veering])
    assert doubtful.verdict is Verdict.DOUBTFUL
    assert doubtful.reason.startswith("run_left_16_48 hardly repeats: closing it moved joints by up to")
