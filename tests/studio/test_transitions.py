"""Transitions: every method with the measures that the library takes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from motionloom.project.command_script import write_commands
from motionloom.project.document import ClipEdit, Document
from motionloom.project.edits import AddItem, SetEdit
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.plain_data import to_plain
from motionloom.project.python_script import write_python
from motionloom.project.recipes import FileRecipe, MotionRecipe, TransitionRecipe
from motionloom.quality import measure
from motionloom.studio.responses import MethodMeasures, TransitionMethodName
from motionloom.studio.transitions import cycle_frames, measure_transition
from motionloom.transitions import TransitionMethod
from tests.project.script_runs import exported, run_calls, run_python
from tests.studio.conftest import Page, Studio

METHODS = get_args(TransitionMethod)


def test_all_methods_of_the_library_are_compared() -> None:
    assert get_args(TransitionMethodName) == METHODS


def test_only_transitions_have_methods(studio: Studio) -> None:
    answer = studio.get("/api/transitions/c3")
    assert answer.status_code == 400
    assert answer.json()["error"] == "both is not a transition, so there are no methods to compare"


def ask(studio: Studio, **choices: Any) -> dict[str, Any]:
    """The answer about a transition from the walk to the jog."""
    recipe = TransitionRecipe(first="c1", second="c2", **choices)
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(type="add", name="over", recipe=to_plain(recipe))
        page.expect("state")
        answer = studio.get("/api/transitions/c4")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.slow
def test_what_a_method_cannot_make_says_why(studio: Studio) -> None:
    found = ask(studio, at=(2, 2), half_width=1.0)
    linear = next(row for row in found["methods"] if row["method"] == "linear")
    assert "does not fit" in linear["error"]
    assert linear["duration"] is None


@pytest.mark.slow
def test_every_method_is_measured_about_the_same_frames(studio: Studio) -> None:
    found = ask(studio, at=(40, 35), half_width=0.3)
    assert [row["method"] for row in found["methods"]] == list(METHODS)
    assert found["repeats"] == [None, None]
    for row in found["methods"]:
        assert row["error"] is None
        assert row["at"] == [40, 35]
        # Registration moves its ends to whole frames.
        assert row["duration"] == pytest.approx(0.6, abs=0.15)
        assert row["jerk"] > 0.0


@pytest.mark.slow
def test_clips_that_may_repeat_tell_which_frames_do(studio: Studio) -> None:
    found = ask(studio, loop=True)
    for first, last in found["repeats"]:
        assert 0 <= first < last
    for row in found["methods"]:
        assert row["error"] is None
        for frame, (first, last) in zip(row["at"], found["repeats"], strict=True):
            assert first - 1 <= frame <= last + 1


def test_a_clip_without_a_cycle_does_not_repeat() -> None:
    from motionloom.synthesis import stand, walk

    assert cycle_frames(stand(duration=0.1).clip) is None
    first, last = cycle_frames(walk(duration=3.0, fps=30).clip) or (0.0, 0.0)
    assert 0.0 < first < last < 90.0


def measured(
    folder: ProjectFolder, document: Document, method: TransitionMethod, **choices: Any
) -> MethodMeasures:
    """The measures of a transition from the first clip of a document to the second."""
    recipe = TransitionRecipe(first="c1", second="c2", method=method, **choices)
    document = AddItem(name="over", recipe=recipe).apply(document)
    evaluator = Evaluator(folder)
    clips = [evaluator.evaluate(document, id).clip for id in ("c1", "c2")]
    made = evaluator.evaluate(document, "c3")
    found = measure_transition(made, recipe, clips)
    taken = measure(made.clip, clips, made.seams)
    assert found.acceleration == pytest.approx(taken.value("seam acceleration"))
    assert found.jerk == pytest.approx(taken.value("seam jerk"))
    assert found.turning == pytest.approx(taken.value("seam turning"))
    assert found.speed == pytest.approx(taken.value("seam speed change"))
    assert found.slide == pytest.approx(0.01 * taken.value("largest slide"))
    assert found.duration == pytest.approx(float(np.ptp(made.seams)) * made.clip.frame_time)
    return found


def built_in() -> Document:
    document = Document()
    for motion in ("walk", "jog"):
        recipe = MotionRecipe(motion=motion, options={"fps": 30.0, "duration": 4.0})
        document = AddItem(name=motion, recipe=recipe).apply(document)
    return document


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_measures_are_those_of_the_library(method: TransitionMethod, tmp_path: Path) -> None:
    found = measured(ProjectFolder(tmp_path), built_in(), method, half_width=0.4)
    assert found.method == method


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_what_is_found_can_be_asked_for(method: TransitionMethod, tmp_path: Path) -> None:
    """Stating the frames that were found to meet makes the same transition."""
    folder, document = ProjectFolder(tmp_path), built_in()
    found = measured(folder, document, method, half_width=0.4)
    assert found.at is not None
    again = measured(folder, document, method, half_width=0.4, at=tuple(map(int, found.at)))
    assert again.seams == found.seams
    assert again.jerk == pytest.approx(found.jerk)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_spans_lie_about_the_frames_that_meet(method: TransitionMethod, tmp_path: Path) -> None:
    found = measured(ProjectFolder(tmp_path), built_in(), method, half_width=0.4)
    assert found.at is not None
    assert found.spans is not None
    for frame, (first, last) in zip(found.at, found.spans, strict=True):
        assert first <= frame <= last


@pytest.mark.slow
def test_an_edit_of_the_result_does_not_change_its_measures(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        recipe = TransitionRecipe(first="c1", second="c2", half_width=0.3)
        page.do(type="add", name="over", recipe=to_plain(recipe))
        page.expect("state")
        before = studio.get("/api/transitions/c4").json()
        page.do(**to_plain(SetEdit(item="c4", edit=ClipEdit(trim=(0, 9)))))
        page.expect("state")
        assert studio.get("/api/transitions/c4").json() == before


@pytest.mark.slow
def test_scripts_make_a_transition_that_was_placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = TransitionRecipe(
        first="c1", second="c2", at=(50, 40), half_width=0.3, method="inertialize", plant=True
    )
    document = AddItem(name="over", recipe=recipe).apply(built_in())
    expected = exported(Evaluator(ProjectFolder(tmp_path)), document, "c3", "bvh")
    run_python(tmp_path, [write_python(document, "c3", "python.bvh")])
    run_calls(tmp_path, write_commands(document, "c3", "commands.bvh"), monkeypatch)
    assert (tmp_path / "python.bvh").read_bytes() == expected
    assert (tmp_path / "commands.bvh").read_bytes() == expected


def test_captured_clips(mocap: Path, tmp_path: Path) -> None:
    folder, document = ProjectFolder(tmp_path), Document()
    for name in ("walk_straight_16_15.bvh", "run_straight_16_45.bvh"):
        place = folder.add(name, (mocap / "locomotion" / "s16" / name).read_bytes())
        document = AddItem(name=name, recipe=FileRecipe(path=place)).apply(document)
    found = [measured(folder, document, method) for method in METHODS]
    assert all(row.at is not None and row.spans is not None for row in found)
