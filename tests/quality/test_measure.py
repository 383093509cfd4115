from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionloom import annotate, cyclify, enforce, load, put_in_place, save
from motionloom.errors import ParameterError, PluginWarning
from motionloom.geometry import GroundTransform
from motionloom.motion import PointClip
from motionloom.quality.measure import _plugins as plugins
from motionloom.quality.measure import measure
from motionloom.synthesis import walk
from tests.conftest import captured
from tests.fake_package import install_package
from tests.quality.bodies import dot, dot_along_x, gliding, sole_constraints


def test_calls_that_make_no_sense_are_refused() -> None:
    points: Any = PointClip(("a",), 0.1, np.zeros((3, 1, 3)))
    with pytest.raises(ParameterError, match="measure takes a clip with a skeleton, not a PointClip"):
        measure(points)
    clip: Any = gliding(0.1)
    with pytest.raises(ParameterError, match="the clip has no frames: there is nothing to measure"):
        measure(clip[5:5])
    for sources in (clip, [clip, "a.bvh"]):
        with pytest.raises(ParameterError, match="sources must be a list of the clips"):
            measure(clip, sources=sources)
    with pytest.raises(ParameterError, match="ground, as the height of a level floor, must be"):
        measure(gliding(0.1), ground=float("inf"))
    with pytest.raises(ParameterError, match=r"ground\(x, z\) must be a finite height everywhere"):
        measure(gliding(0.1), ground=lambda x, z: x * np.nan)
    with pytest.raises(ParameterError, match="frame 500 lies outside the clip"):
        measure(gliding(0.1), seams=[500])


def test_a_body_that_slides_sunk_into_the_ground_is_measured_so() -> None:
    taken = measure(gliding(0.1, seconds=2.0, lift=-0.015), ground=0.0)
    assert taken.value("skate speed") == pytest.approx(10.0)
    assert taken.value("largest slide") == pytest.approx(20.0, rel=1e-3)
    assert taken.value("plant speed") == pytest.approx(10.0)
    assert taken.value("mean penetration") == pytest.approx(1.5)
    assert taken.value("largest sink") == pytest.approx(1.5)
    assert taken.value("largest float") == 0.0
    assert taken.value("mean speed") == pytest.approx(0.1)
    assert taken.value("fastest joint") == pytest.approx(0.0, abs=1e-9)
    assert taken.notes == ("ground: floor at 0.000 m",)


@pytest.mark.slow
@pytest.mark.parametrize("ground", [None, -0.072, 0.3])
def test_the_ground_is_the_one_that_enforcement_put_the_feet_on(ground: float | None, tmp_path: Path) -> None:
    held = enforce(annotate(walk(duration=2.0, fps=30).clip), ground=ground)
    for clip in (held, load(save(held, tmp_path / "held.npz"))):
        taken = measure(clip)
        assert taken.notes == (f"ground: {held.report.ground}",)
        assert taken.value("largest sink") < 0.1


def test_the_ground_may_be_a_function_of_numbers_as_for_enforcement() -> None:
    by_number = measure(gliding(0.1), ground=lambda x, z: 0.02 if z > -9.0 else 0.0)
    by_array = measure(gliding(0.1), ground=lambda x, z: np.where(z > -9.0, 0.02, 0.0))
    assert by_number.value("largest sink") == by_array.value("largest sink") == pytest.approx(2.0)


def test_what_cannot_be_measured_is_named_with_the_reason() -> None:
    reasons = {group.name: group.reason for group in measure(gliding(0.1, planted=False)).unmeasured}
    assert reasons["plants"] == "the clip has no constraints; annotate it first"
    assert reasons["seams"] == "no seams were given"
    assert reasons["sources"] == "no sources were given"
    legless = {group.name: group.reason for group in measure(dot_along_x(np.arange(50.0))).unmeasured}
    assert all("no legs were found" in legless[name] for name in ("feet", "plants", "gravity"))
    assert "no two limbs were found" in legless["limbs"]
    still = measure(dot(np.zeros((1, 3))), sources=[], seams=[])
    assert still.groups == ()
    assert {group.name for group in still.unmeasured} >= {"path", "smoothness", "body"}


def test_a_smooth_sine_has_its_known_peaks() -> None:
    times = np.arange(800) / 200.0
    taken = measure(dot_along_x(0.3 * np.sin(2 * np.pi * times), fps=200.0))
    assert taken.value("peak acceleration") == pytest.approx(0.3 * (2 * np.pi) ** 2, rel=0.01)
    assert taken.value("peak jerk") == pytest.approx(0.3 * (2 * np.pi) ** 3, rel=0.01)


def test_a_clip_against_itself_is_as_fast_and_at_no_distance() -> None:
    clip = annotate(walk(duration=3.0).clip)
    taken = measure(clip, sources=[clip], seams=[90.0])
    assert taken.value("joint speed ratio") == pytest.approx(1.0)
    assert taken.value("largest pose distance") == 0.0
    assert taken.value("seam acceleration") <= 1.0
    assert len({figure.name for figure in taken}) == len(list(taken))
    assert all(figure.meaning for figure in taken)


def test_placement_changes_no_figure() -> None:
    clip = annotate(walk(duration=3.0).clip)
    here = measure(clip, [clip], [90.0])
    there = measure(clip.placed(GroundTransform(2.0, 4.0, -3.0)), [clip], [90.0])
    for before, after in zip(here, there, strict=True):
        assert after.value == pytest.approx(before.value, rel=1e-4, abs=1e-4), before.name


def test_a_seam_at_which_the_body_stops_has_an_infinite_change_of_speed() -> None:
    clip = dot_along_x(np.minimum(np.arange(100.0), 50.0))
    taken = measure(clip, sources=[clip], seams=[50, 99])
    assert taken.value("seam speed change") == np.inf
    facts: Any = taken.as_dict()
    assert facts["groups"]["seams"]["seam speed change"]["value"] is None


def test_the_worst_plant_counts_as_float_and_as_sink() -> None:
    clip = gliding(0.0, seconds=2.0)
    lifts = np.where(np.arange(clip.n_frames) < 100, 0.02, -0.01)
    moved = clip.root_positions + lifts[:, None] * np.array([0.0, 1.0, 0.0])
    plants = (*sole_constraints(0, 90), *sole_constraints(110, 200))
    taken = measure(replace(clip, root_positions=moved, constraints=plants), ground=0.0)
    assert taken.value("plants") == 8
    assert taken.value("largest float") == pytest.approx(2.0)
    assert taken.value("largest sink") == pytest.approx(1.0)


def test_targets_that_are_missed_show() -> None:
    clip = gliding(0.0)
    off = tuple(replace(c, target=np.zeros(3)) for c in clip.constraints)
    assert measure(replace(clip, constraints=off)).value("largest miss") > 9.0


@pytest.mark.parametrize("path", captured("locomotion/s16/*_straight_*.bvh"), ids=lambda path: path.stem)
def test_captured_locomotion_is_measured_whole(path: Path) -> None:
    clip = annotate(load(path))
    taken = measure(clip, [clip], [clip.n_frames / 2])
    assert taken.unmeasured == ()
    assert abs(taken.value("heading change")) < 15.0
    assert 0.5 < taken.value("largest slide") < 10.0
    assert taken.value("largest penetration") < 5.0
    assert taken.value("limb overlap") < 1.0
    assert taken.value("seam acceleration") < 1.2


@pytest.fixture
def _forget_plugins() -> Iterator[None]:
    plugins.cache_clear()
    yield
    plugins.cache_clear()


@pytest.mark.usefixtures("_forget_plugins")
def test_packages_add_measures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code = """
        from motionloom.errors import ParameterError, PluginWarning
        from motionloom.quality import Measurement

        def count(clip, sources):
            frames = Measurement("frame count", clip.n_frames, "", "frames")
            return [frames, Measurement("source count", len(sources), "", "sources")]

        def picky(clip, sources):
            raise ParameterError("only horses are measured")

        def broken(clip, sources):
            raise ZeroDivisionError("by nothing")

        def wrong(clip, sources):
            return [1.0]
    """
    lines = "\n".join(f"{name} = fake_measures:{name}" for name in ("count", "picky", "broken", "wrong"))
    install_package(monkeypatch, tmp_path, "fake_measures", code, {"motionloom.measures": lines})
    clip = gliding(0.1)
    taken = measure(clip, [clip])
    assert taken.value("frame count") == clip.n_frames
    assert taken.value("source count") == 1
    reasons = {group.name: group.reason for group in taken.unmeasured}
    assert reasons["picky"] == "only horses are measured"
    assert reasons["broken"] == "the plugin 'broken' failed: ZeroDivisionError: by nothing"
    assert reasons["wrong"] == "the plugin 'wrong' returned something else than measurements"


@pytest.mark.usefixtures("_forget_plugins")
def test_a_measure_that_is_no_function_is_named_and_skipped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install_package(
        monkeypatch, tmp_path, "fake_number", "SWAY = 3", {"motionloom.measures": "sway = fake_number:SWAY"}
    )
    with pytest.warns(
        PluginWarning, match="skipped the plugin 'sway'.*a function of a clip and its sources, not a int"
    ):
        taken = measure(gliding(0.1))
    assert "sway" not in {group.name for group in taken.unmeasured}


def test_feet_of_a_gait_in_place_are_measured_in_the_moving_ground() -> None:
    loop = cyclify(walk(speed=1.2, fps=60).clip, cycles=1)
    still = put_in_place(loop)
    moving, taken = measure(loop), measure(still)
    assert taken.value("skate speed") == pytest.approx(moving.value("skate speed"), abs=0.5)
    assert taken.value("largest slide") == pytest.approx(moving.value("largest slide"), abs=0.5)
    assert taken.value("path length") < 0.2
    assert taken.notes[1] == (
        "the clip walks in place: its feet are measured in the ground that moves below it at 1.20 m/s"
    )
    assert len(moving.notes) == 1
    # A surface does not move with the clip.
    assert len(measure(still, ground=lambda x, z: 0.0 * x).notes) == 1


def test_held_feet_of_a_game_loop_do_not_slide(mocap: Path) -> None:
    loop = load(mocap / "game/kaykit_MovementBasic.glb", animation="Rig_Medium|Walking_B")
    before, after = measure(annotate(loop)), measure(enforce(annotate(loop)))
    assert before.value("largest slide") > 5.0
    assert after.value("largest slide") < 0.1


def test_the_clip_before_an_edit_adds_what_one_sees_of_it() -> None:
    clip = annotate(walk(duration=2.0, fps=30).clip)
    sunk = replace(clip, root_positions=clip.root_positions - np.array([0.0, 0.02, 0.0]))
    taken = measure(sunk, before=clip)
    assert taken.value("hip shift") == pytest.approx(-2.0)
    assert "against the clip before: hips 2.0 cm lower on average" in taken.notes
    assert "against the clip before: nothing that one sees" in measure(clip, before=clip).notes
    alone = measure(clip)
    assert "changes" not in {group.name for group in alone.groups}
    assert "changes" not in {group.name for group in alone.unmeasured}
    reasons = {group.name: group.reason for group in measure(clip, before=clip[:20]).unmeasured}
    assert reasons["changes"] == "an edit is compared frame by frame, but 20 frames became 61"
    with pytest.raises(ParameterError, match=r"measure \(before\)"):
        measure(clip, before="walk.bvh")  # type: ignore[arg-type]
