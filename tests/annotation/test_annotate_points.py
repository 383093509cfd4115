from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate, annotate_points_and_report
from motionloom.cycles import cyclify
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint, PointClip
from motionloom.synthesis import walk
from tests.figures import points_of

TOES = ("LeftToeBase", "RightToeBase")


@pytest.fixture(scope="module")
def walked() -> PointClip:
    return points_of(walk(duration=3.0, fps=60).clip)


def test_clips_with_a_skeleton_and_unknown_points_are_refused(walked: PointClip) -> None:
    with pytest.raises(ParameterError, match="points names those of a clip of points"):
        annotate(walk(duration=1.0, fps=30).clip, points=["Hips"])  # type: ignore[call-overload]
    with pytest.raises(ParameterError, match="annotate: parts needs a skeleton, and the clip has points"):
        annotate(walked, parts="hands")  # type: ignore[call-overload]
    with pytest.raises(ParameterError, match="the clip has no point 'Tail'; it has Hips, "):
        annotate(walked, points=["Tail"])


def test_plants_of_given_points_are_those_of_the_feet(walked: PointClip) -> None:
    truth = [plant for plant in walk(duration=3.0, fps=60).plants if plant.kind == "toe"]
    annotated = annotate_points_and_report(walked, TOES)
    found = annotated.clip
    assert {c.joint for c in found.constraints} == set(TOES)
    assert len(found.constraints) == len(truth)
    for plant in found.constraints:
        near = min(
            truth, key=lambda other: abs(other.start - plant.start) + 1e3 * (other.joint != plant.joint)
        )
        assert abs(near.start - plant.start) < 4.0
    strikes = [event for event in found.events if event.label == "strike"]
    assert {event.joint for event in strikes} <= set(TOES)
    assert str(annotated.report) == f"{len(truth)} plants of LeftToeBase, RightToeBase"


def test_low_points_are_chosen_and_high_ones_are_not(walked: PointClip) -> None:
    points = annotate_points_and_report(walked).report.points
    assert set(TOES) <= set(points)
    assert "Head" not in points
    assert "Hips" not in points


def test_frames_in_which_a_point_was_not_seen_belong_to_no_plant(walked: PointClip) -> None:
    first = annotate(walked, points=TOES).constraints[0]
    positions = np.array(walked.positions)
    middle = int((first.start + first.end) / 2)
    positions[middle, walked.names.index(first.joint)] = np.nan
    gapped = annotate(replace(walked, positions=positions), points=TOES)
    own = [c for c in gapped.constraints if c.joint == first.joint and c.start < first.end]
    assert len(own) == 2
    assert all(middle not in c.whole_frames(walked.n_frames) for c in own)


def test_own_constraints_are_kept(walked: PointClip) -> None:
    own = Constraint("LeftToeBase", "point", 3, 7)
    found = annotate_points_and_report(replace(walked, constraints=(own,)), TOES)
    assert [c for c in found.clip.constraints if c.joint == "LeftToeBase"] == [own]
    assert "1 constraints of the clip were kept" in str(found.report)


def test_clips_of_one_frame_and_points_never_seen_have_no_plants() -> None:
    assert annotate(PointClip(("a",), 0.1, np.zeros((1, 1, 3)))).constraints == ()
    unseen = PointClip(("a", "b"), 0.1, np.stack([np.zeros((5, 3)), np.full((5, 3), np.nan)], axis=1))
    assert {c.joint for c in annotate(unseen).constraints} == {"a"}
    assert annotate(unseen, points=["b"]).constraints == ()


def test_plants_over_the_seam_of_a_cycle_are_split_in_two() -> None:
    """One stride has one plant of each toe; the one at the seam touches frames 0 and T, and strikes once."""
    body = cyclify(walk(duration=4.0, fps=30).clip, cycles=1)
    loop = points_of(body.clip, cyclic=True)
    found = annotate(loop, points=["LeftToeBase", "RightToeBase"])
    strikes = [event for event in found.events if event.label == "strike"]
    assert sorted(event.joint for event in strikes) == ["LeftToeBase", "RightToeBase"]
    split = [c for c in found.constraints if c.end == loop.n_frames]
    assert [c.joint for c in found.constraints if c.start == 0.0] == [c.joint for c in split]
    assert len(found.constraints) == 2 + len(split)
    assert split


def test_one_function_takes_both_kinds_of_clips() -> None:
    body = annotate(walk(duration=3.0, fps=30).clip)
    points = annotate(points_of(walk(duration=3.0, fps=30).clip))
    for verb in (cyclify, enforce):
        assert isinstance(verb(body).clip, Clip)
        assert isinstance(verb(points).clip, PointClip)
