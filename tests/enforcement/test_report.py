"""The report in words."""

from __future__ import annotations

from motionloom.annotation import Floor
from motionloom.enforcement import EnforcementReport, LimbReport, Unreached


def test_the_report_says_what_moved_and_what_was_not_reached() -> None:
    report = EnforcementReport(
        "floor at 0.000 m",
        Floor(0.0),
        0.021,
        0.008,
        (LimbReport("left leg", "LeftFoot", 4, 0.034, 0.012, 0.02),),
        (Unreached("LeftToeBase", "toe", 12, 20, 3, 0.0041),),
        ("constraint 'look' of joint 'Head' is not held: only feet and hands can be",),
    )
    assert report.stretch == 0.02
    assert str(report).splitlines() == [
        "floor at 0.000 m",
        "body moved by up to 2.1 cm, 0.8 cm on average",
        "left leg (LeftFoot, 4 plants): moved by up to 3.4 cm, 1.2 cm on average; "
        "bones stretched by up to 2.0 %",
        "not reached: toe (LeftToeBase) in 3 of the frames 12 to 20, up to 4.1 mm off",
        "note: constraint 'look' of joint 'Head' is not held: only feet and hands can be",
    ]
