"""The report in words."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest

from motionloom.annotation import Floor, annotate
from motionloom.enforcement import EnforcementReport, LimbReport, UnreachedPlant, enforce
from motionloom.motion import Constraint
from motionloom.quality import measure_changes
from motionloom.synthesis import stand, walk
from motionloom.synthesis.biped import HEEL_POINT


def test_the_report_says_what_moved_and_what_was_not_reached() -> None:
    report = EnforcementReport(
        "floor at 0.000 m",
        Floor(0.0),
        0.021,
        0.008,
        (LimbReport("left leg", "LeftFoot", 4, 0.034, 0.012, 0.02),),
        (UnreachedPlant("LeftToeBase", "toe", 12, 20, 3, 0.0041),),
        (
            "constraint 'look' of joint 'Head' is ignored: "
            "only feet, hands, knees, elbows and the seat can be held",
        ),
    )
    assert report.stretch == 0.02
    assert str(report).splitlines() == [
        "floor at 0.000 m",
        "body moved by up to 2.1 cm, 0.8 cm on average",
        "left leg (LeftFoot, 4 plants): moved by up to 3.4 cm, 1.2 cm on average; "
        "bones stretched by up to 2.0 %",
        "not reached: toe (LeftToeBase) in 3 of the frames 12 to 20, up to 4.1 mm off",
        "note: constraint 'look' of joint 'Head' is ignored: "
        "only feet, hands, knees, elbows and the seat can be held",
    ]


def test_large_corrections_are_worth_a_note() -> None:
    """The feet of somebody who stands slide to both sides of where they are held by half of this way."""
    for way, notes in (
        (0.3, ()),
        (0.5, ("the left leg was moved by up to 25 cm to stay planted: check it",)),
    ):
        clip = stand(duration=2.0, fps=30).clip
        slid = clip.root_positions + np.linspace(0.0, way, clip.n_frames)[:, None] * [1.0, 0.0, 0.0]
        plant = Constraint("LeftFoot", "heel", 0, clip.n_frames - 1, HEEL_POINT)
        held = enforce(replace(clip, root_positions=slid, constraints=(plant,)))
        assert held.report.notes == notes


def test_the_report_says_what_one_sees_of_planting_and_measures_it_when_asked() -> None:
    clip = annotate(walk(duration=2.0, fps=30).clip)
    report = enforce(clip).report
    assert report.changes is not None
    assert "values" not in vars(report.changes), "planting takes no longer because of its report"
    assert report.seen == tuple(f"planting shows: {each}" for each in report.changes.sentences)
    assert np.array_equal(report.changes.before.root_positions, clip.root_positions)
    sunk = replace(clip, root_positions=clip.root_positions - np.array([0.0, 0.02, 0.0]))
    seen = replace(report, changes=measure_changes(clip, sunk))
    assert "planting shows: hips 2.0 cm lower on average" in str(seen).splitlines()
    assert replace(report, changes=None).seen == ()
    assert asdict(seen)["changes"] is seen.changes, "copies of a report do not copy its motions"


def test_a_body_without_legs_has_no_changes_to_see() -> None:
    clip = stand(duration=1.0, fps=30).clip
    too_short = clip[:2]
    plant = Constraint("LeftFoot", "heel", 0, 1, HEEL_POINT)
    assert enforce(replace(too_short, constraints=(plant,))).report.changes is None


def test_motion_that_is_moved_to_another_floor_is_compared_there() -> None:
    clip = annotate(stand(duration=1.0, fps=30).clip)
    changes = enforce(clip, ground=0.3).report.changes
    assert changes is not None
    assert changes.before.root_positions[:, 1] == pytest.approx(clip.root_positions[:, 1] + 0.3)
    assert enforce(clip, ground=lambda x, z: 0.3).report.changes is None
