from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from motionloom.motion.steady_travel import put_in_place
from motionloom.project.plain_data import from_plain
from motionloom.quality import measure
from motionloom.quality.feet import find_feet
from motionloom.repair import repair
from motionloom.studio.quality import curves_of, report_quality
from motionloom.studio.responses import Quality
from motionloom.synthesis import walk
from tests.figures import smooth_clip
from tests.repair.planting import flip
from tests.studio.conftest import Studio, small_document


def by_name(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {figure["name"]: figure for figure in report["rows"]}


def test_an_unknown_clip_is_refused(studio: Studio) -> None:
    assert studio.get("/api/quality/c9").status_code == 400


@pytest.mark.slow
def test_figures_are_those_of_the_library_before_and_after(studio: Studio) -> None:
    report = studio.get("/api/quality/c3").json()
    outcome = studio.evaluator.evaluate(small_document(), "c3")
    sources = [studio.evaluator.evaluate(small_document(), item).clip for item in ("c1", "c2")]
    assert outcome.before is not None
    after, before = measure(outcome.clip, sources, before=outcome.before), measure(outcome.before, sources)
    figures = by_name(report)
    assert list(figures) == [figure.name for figure in after]
    for name in ("largest slide", "skate speed", "path length", "peak jerk"):
        assert figures[name]["after"] == after.value(name)
        assert figures[name]["before"] == before.value(name)
    assert figures["largest slide"]["after"] < figures["largest slide"]["before"]
    assert report["unmeasured"] == []
    assert from_plain(Quality, report) is not None


def test_a_clip_that_was_not_planted_has_no_before(studio: Studio) -> None:
    report = studio.get("/api/quality/c1").json()
    assert {figure["before"] for figure in report["rows"]} == {None}
    assert report["curves_before"] == {}
    assert report["unmeasured"] == [], "what does not apply is not missed"


def test_notes_say_how_feet_were_measured() -> None:
    moving = walk(speed=1.2, duration=4.0, fps=30).clip
    (ground,) = report_quality(moving, None).notes
    assert ground.startswith("ground: floor at ")
    notes = report_quality(put_in_place(moving).clip, None).notes
    assert notes[1].startswith("the clip walks in place: its feet are measured in the ground that moves")


@pytest.mark.slow
def test_curves_have_one_value_per_frame_and_a_unit(studio: Studio) -> None:
    report = studio.get("/api/quality/c3").json()
    clip = studio.evaluator.evaluate(small_document(), "c3").clip
    assert set(report["units"]) == set(report["curves"]) == set(report["curves_before"])
    assert {len(curve) for curve in report["curves"].values()} == {clip.n_frames}
    feet = find_feet(clip)
    shown = report["curves"][f"{feet.names[0]} {feet.kinds[0]} height"]
    np.testing.assert_allclose(shown, feet.heights[:, 0], atol=1e-5)
    speeds = np.linalg.norm(np.diff(clip.root_positions[:, [0, 2]], axis=0), axis=1) / clip.frame_time
    assert abs(np.mean(report["curves"]["root speed"]) - speeds.mean()) < 0.05


def test_figures_without_legs_and_clips_of_few_frames_have_what_can_be_told() -> None:
    assert set(curves_of(smooth_clip(40))) == {"root speed", "jerk"}
    assert curves_of(smooth_clip(2)) == {}
    report = report_quality(smooth_clip(40), None)
    assert any(line.startswith("feet: feet cannot be measured") for line in report.unmeasured)


def test_faults_of_capture_are_listed_and_say_what_can_be_mended() -> None:
    clip = flip(walk(duration=2.0, fps=120).clip, "LeftForeArm", 60, 61, 90.0)
    clip = flip(clip, "LeftFoot", 150, clip.n_frames - 1, 170.0)
    first, second = report_quality(clip, None).faults
    assert (first.frame, first.mendable) == (60, True)
    assert first.text == "LeftForeArm flips by 90° in frames 60-61"
    assert (second.frame, second.mendable) == (150, False)
    assert report_quality(repair(clip[:140]).clip, None).faults == ()


def test_what_one_sees_of_planting_is_measured_and_said() -> None:
    clip = walk(duration=2.0, fps=30).clip
    sunk = replace(clip, root_positions=clip.root_positions - np.array([0.0, 0.02, 0.0]))
    report = report_quality(sunk, clip)
    assert "against the clip before: hips 2.0 cm lower on average" in report.notes
    (shift,) = [row for row in report.rows if row.name == "hip shift"]
    assert (shift.group, shift.unit, shift.before) == ("changes", "cm", None)
    assert shift.after == pytest.approx(-2.0)
