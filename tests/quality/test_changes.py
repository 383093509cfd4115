from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.steady_travel import put_in_place
from motionloom.quality.changes import CHANGES, Change, Changes, can_compare, is_edit, measure_changes
from motionloom.quality.posture import PostureMeasures
from motionloom.quality.stances import Dart, StanceMeasures
from motionloom.synthesis import jog, walk
from tests.quality.bodies import dot, gliding

WALK = walk(duration=3.0, fps=30).clip

SAME_STANCES = StanceMeasures(
    darts=(),
    drift=np.zeros(2),
    pivot=np.zeros(2),
    roll=np.ones(2),
    speeds=np.zeros(4),
    skate_beside=np.zeros(2),
    clearance=np.array([0.04, 0.04]),
)
SAME_POSTURE = PostureMeasures(
    hips=np.zeros(3),
    bobbing=1.0,
    knees=np.zeros((3, 2)),
    knee_speed=1.0,
    knee_snap=1.0,
    spikes={"pelvis": 1.0, "head": 1.0},
)


def lowered(clip: Clip, depth: float) -> Clip:
    """The clip with a body that is lower."""
    return replace(clip, root_positions=clip.root_positions - np.array([0.0, depth, 0.0]))


def seen(**changed: Any) -> list[str]:
    """What is said of an edit that changed these measures."""
    of_posture = {name: changed.pop(name) for name in list(changed) if hasattr(SAME_POSTURE, name)}
    stances, posture = replace(SAME_STANCES, **changed), replace(SAME_POSTURE, **of_posture)
    values = [(change, change.value(stances, posture)) for change in CHANGES]
    return [change.describe(value) for change, value in values if not change.is_kept(value)]


def test_nothing_is_said_of_what_one_does_not_see() -> None:
    assert seen() == []
    assert seen(drift=np.array([0.0, 0.019]), hips=np.array([-0.014, 0.004, 0.0])) == []


@pytest.mark.parametrize(
    ("changed", "sentences"),
    [
        ({"drift": np.array([0.0, 0.031])}, ["a standing foot drifts 3.1 cm farther"]),
        ({"pivot": np.radians([-9.0, 7.0])}, ["a standing foot turns 7° farther"]),
        ({"roll": np.array([0.3, 1.0])}, ["a foot keeps 30 % of its roll from heel to toe"]),
        (
            {"speeds": np.array([0.02, 0.02, 0.02, 0.02])},
            ["feet that stood move at 2.0 cm/s over the ground (median)"],
        ),
        (
            {"speeds": np.array([0.0, 0.0, 0.0, 1.0])},
            ["feet that stood move at up to 85 cm/s over the ground (95th percentile)"],
        ),
        (
            {"skate_beside": np.array([0.1, 0.2])},
            ["soles near the ground are 10 cm/s faster while they do not stand"],
        ),
        ({"skate_beside": np.array([0.2, 0.1])}, []),
        (
            {"hips": np.array([-0.03, -0.003, -0.003])},
            ["hips 1.2 cm lower on average", "hips up to 3.0 cm lower"],
        ),
        ({"hips": np.array([0.006, 0.006, 0.006])}, ["hips 0.6 cm higher on average"]),
        (
            {"knees": np.radians([[0.0, -9.0], [0.0, -1.0], [0.0, 1.0]])},
            ["a knee bent 3.0° more on average", "a knee bent up to 9° more"],
        ),
        ({"knees": np.radians([[0.0, -7.0], [0.0, 1.0], [0.0, 1.0]])}, ["a knee bent up to 7° more"]),
        ({"knees": np.radians([[2.5, 0.0]] * 3)}, ["a knee bent 2.5° less on average"]),
        ({"bobbing": 1.25}, ["the hips bob: 1.25 times the vertical acceleration"]),
        ({"knee_speed": 2.0}, ["a knee bends 2.0 times as fast"]),
        ({"knee_snap": 3.0}, ["a knee that is nearly straight snaps 3.0 times as fast"]),
        ({"clearance": np.array([0.04, 0.03])}, ["feet swing lower over the ground: 0.75 of the height"]),
        ({"clearance": np.array([0.004, 0.001])}, []),
        ({"spikes": {"head": 2.5}}, ["the head jerks: 2.5 times the largest acceleration"]),
        ({"spikes": {"knees": 4.0}}, ["the knees jerk: 4.0 times the largest acceleration"]),
    ],
)
def test_what_one_sees_is_said(changed: dict[str, object], sentences: list[str]) -> None:
    assert seen(**changed) == sentences


def test_every_dart_is_said() -> None:
    changes = Changes(WALK, WALK)
    dart = Dart("left", "toe", 36, 38, 1.2, 0.04, 0.9)
    vars(changes)["stances"] = replace(SAME_STANCES, darts=(dart, dart))
    assert changes.value("new darts") == 2.0
    assert changes.sentences == ("the left toe darts 4.0 cm over the floor at 1.2 s, at up to 0.9 m/s",) * 2
    assert str(changes).splitlines() == list(changes.sentences)


def test_a_clip_without_stances_swings_or_hands_changed_nothing() -> None:
    empty = np.zeros(0)
    assert seen(drift=empty, pivot=empty, roll=empty, speeds=empty, clearance=np.zeros(2), spikes={}) == []


def test_a_motion_against_itself() -> None:
    same = measure_changes(WALK, WALK)
    assert (same.sentences, str(same)) == ((), "nothing that one sees")
    assert all(change.is_kept(value) for change, value in zip(CHANGES, same.values, strict=True))
    assert same.as_dict()["figures"]["knee speed ratio"] == {"value": 1.0, "unit": ""}


def test_a_body_that_sank() -> None:
    sunk = measure_changes(WALK, lowered(WALK, 0.02))
    assert sunk.value("hip shift") == pytest.approx(-2.0)
    assert sunk.value("hip shift, peak") == pytest.approx(-2.0)
    assert "hips 2.0 cm lower on average" in sunk.sentences
    assert sunk.as_dict()["sentences"] == list(sunk.sentences)


def test_a_gait_in_place_is_compared_on_the_ground_that_moves_below_it() -> None:
    in_place = put_in_place(walk(speed=1.2, duration=4.0, fps=30).clip)
    sunk = measure_changes(in_place.clip, lowered(in_place.clip, 0.02))
    assert len(sunk.stances.drift) >= 6
    assert sunk.stances.drift.max() < 1e-9
    assert sunk.value("hip shift") == pytest.approx(-2.0)


def test_figures_are_computed_when_they_are_asked_for() -> None:
    changes = measure_changes(WALK, WALK)
    assert not {"stances", "posture", "values"} & set(vars(changes))
    changes.value("added drift")
    assert {"stances", "posture", "values"} <= set(vars(changes))
    assert copy.deepcopy(changes) is changes


def test_limits_are_exact_and_what_cannot_be_told_is_kept() -> None:
    change = Change("rise", "cm", "…", lambda *_: 0.0, "{:.1f}", low=-1.0, high=2.0)
    assert [change.is_kept(value) for value in (-1.0, 2.0, -1.01, 2.01, np.nan)] == [True] * 2 + [
        False,
        False,
        True,
    ]


def test_names_are_unique_and_every_figure_has_a_meaning() -> None:
    assert len({change.name for change in CHANGES}) == len(CHANGES)
    assert all(change.meaning and change.sentence for change in CHANGES)


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ParameterError, match="frame by frame, but 91 frames became 90"):
        measure_changes(WALK, WALK[:90])
    with pytest.raises(ParameterError, match="changes cannot be measured: no legs were found"):
        measure_changes(dot(np.zeros((5, 3))), dot(np.zeros((5, 3))))
    with pytest.raises(ParameterError, match="measure_changes"):
        measure_changes(WALK, "walk.bvh")  # type: ignore[arg-type]
    assert not can_compare(WALK[:2])


def test_edits_are_told_from_other_motions() -> None:
    assert is_edit(WALK, lowered(WALK, 0.1))
    assert is_edit(WALK, annotate(WALK))
    assert not is_edit(WALK, lowered(WALK, 0.3))
    assert not is_edit(WALK, WALK[:50])
    assert not is_edit(WALK, jog(duration=3.0, fps=30).clip)
    assert not is_edit(gliding(0.0)[:2], gliding(0.0)[:2])
