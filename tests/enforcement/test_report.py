"""The report in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.annotation import Floor
from motionloom.enforcement import EnforcementReport, LimbReport, UnreachedPlant, enforce
from motionloom.motion import Constraint
from motionloom.synthesis import stand
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
        clip = stand(duration=1.0, fps=30).clip
        slid = clip.root_positions + np.linspace(0.0, way, clip.n_frames)[:, None] * [1.0, 0.0, 0.0]
        plant = Constraint("LeftFoot", "heel", 0, clip.n_frames - 1, HEEL_POINT)
        held = enforce(replace(clip, root_positions=slid, constraints=(plant,)))
        assert held.report.notes == notes
