from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.cycles import cyclify
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.project.clip_edits import marks_of
from motionloom.project.document import ClipEdit, EventMark, Marks, PlantMark
from motionloom.project.edits import SetEdit, SetMarks
from motionloom.project.evaluator import Evaluator
from motionloom.project.recipes import (
    CopyRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    JointKey,
    LoopRecipe,
    MotionRecipe,
    Recipe,
    RegistrationRecipe,
    RetargetRecipe,
    SequenceRecipe,
    TransitionRecipe,
    WarpRecipe,
    WeightKey,
)
from motionloom.synthesis import jog, walk
from motionloom.workflows import ensure_annotated, find_common_floor
from tests.conftest import captured
from tests.project.projects import BLEND, looped, only, two_gaits, with_item, with_recipe
from tests.registration.nine_clips import nine_files


@pytest.fixture(scope="module")
def gaits() -> list[Clip]:
    """What the items c1 and c2 of :func:`two_gaits` are, made by the library."""
    made = (walk(duration=3.0, fps=30).clip, jog(duration=2.5, fps=30).clip)
    return [ensure_annotated(clip) for clip in made]


def assert_same(clip: Clip, expected: Clip) -> None:
    assert clip.skeleton == expected.skeleton
    assert clip.frame_time == expected.frame_time
    assert np.array_equal(clip.root_positions, expected.root_positions)
    assert np.array_equal(clip.rotations, expected.rotations)
    assert (clip.translations is None) == (expected.translations is None)
    assert clip.constraints == expected.constraints
    assert clip.events == expected.events
    assert clip.cyclic == expected.cyclic


Making = Callable[[list[Clip]], Clip]
ROTATE = JointKey(time=0.6, joint="LeftLeg", kind="rotate", value=(0.3, 0.0, 0.0))
CASES: dict[str, tuple[Recipe, Making]] = {
    "blend": (BLEND, lambda clips: ml.mix(clips, [0.3, 0.7]).clip),
    "keyed blend": (
        replace(
            BLEND,
            keys=(WeightKey(time=0.0, weights=(1, 0)), WeightKey(time=1.0, weights=(0, 1))),
            easing="linear",
            duration=1.5,
            rate_law="duration",
            average="karcher",
        ),
        lambda clips: (
            ml.mix(
                clips,
                ml.KeyedWeights({0.0: (1, 0), 1.0: (0, 1)}, "linear"),
                duration=1.5,
                rate_law="duration",
                average="karcher",
            ).clip
        ),
    ),
    "blend of loops": (
        replace(BLEND, plant=False, registration=RegistrationRecipe(cut="loops", slope_limit=2)),
        lambda clips: (
            ml.blend(ml.register([cyclify(clip, cycles=1) for clip in clips], slope_limit=2), [0.3, 0.7]).clip
        ),
    ),
    "blend of whole clips": (
        replace(BLEND, registration=RegistrationRecipe(cut="whole", pins=((40.0, 30.0),)), allow_unfit=True),
        lambda clips: (
            enforce(
                ml.blend(ml.register(clips, pins=[(40, 30)]), [0.3, 0.7]).clip,
                ground=find_common_floor(clips),
            ).clip
        ),
    ),
    "blend by parts": (
        replace(BLEND, parts={"upper body": (1, 0), "head": (0, 1)}),
        lambda clips: (
            ml.mix(
                clips,
                [0.3, 0.7],
                layers={
                    **dict.fromkeys(ml.body_part(clips[0].skeleton, "upper body"), (1, 0)),
                    **dict.fromkeys(ml.body_part(clips[0].skeleton, "head"), (0, 1)),
                },
            ).clip
        ),
    ),
    "linear blend": (
        replace(BLEND, method="linear"),
        lambda clips: ml.mix(clips, [0.3, 0.7], method="linear").clip,
    ),
    "transition": (
        TransitionRecipe(first="c1", second="c2", at=(50, 30), half_width=0.3, method="inertialize"),
        lambda clips: ml.transition(*clips, at=(50, 30), half_width=0.3, method="inertialize").clip,
    ),
    "planted transition": (
        TransitionRecipe(first="c1", second="c2", plant=True),
        lambda clips: enforce(ml.transition(*clips).clip).clip,
    ),
    "transition of loops": (
        TransitionRecipe(first="c1", second="c2", loop=True),
        lambda clips: ml.transition(*map(cyclify, clips), loop=True).clip,
    ),
    "enforcement": (
        EnforceRecipe(source="c1", ground=0.02, stretch=0.0),
        lambda clips: enforce(clips[0], ground=0.02, stretch=0.0).clip,
    ),
    "sequence": (
        SequenceRecipe(sources=("c1", "c2", "c1"), method="inertialize"),
        lambda clips: ml.concatenate([clips[0], clips[1], clips[0]], method="inertialize").clip,
    ),
    "copy": (
        CopyRecipe(source="c1", place=(0.5, 1.0, 2.0), fps=15.0),
        lambda clips: clips[0].placed(ml.GroundTransform(0.5, 1.0, 2.0)).resampled(15.0),
    ),
    "retarget": (
        RetargetRecipe(source="c1", to="c2", joint_map={"Head": None}),
        lambda clips: (
            ml.retarget(clips[0], clips[1], mapping=ml.joint_mapping(*clips).redriven({"Head": None})).clip
        ),
    ),
    "loop": (LoopRecipe(source="c1"), lambda clips: cyclify(clips[0]).clip),
    "loop near a frame": (
        LoopRecipe(source="c1", near=60, cycles=1),
        lambda clips: cyclify(clips[0], near=60, cycles=1).clip,
    ),
    "warp": (
        WarpRecipe(source="c1", keys=(ROTATE,), times=((0.6, 0.9),), amount=0.5, keep_plants=True),
        lambda clips: (
            ml.warp(
                clips[0], [ml.Key(0.6, "LeftLeg", rotate=(0.15, 0, 0))], [(0.6, 0.75)], keep_plants=True
            ).clip
        ),
    ),
    "warp preset": (
        WarpRecipe(source="c1", preset="stoop", amount=0.5),
        lambda clips: ml.warping.apply_preset(clips[0], "stoop", 0.5).clip,
    ),
    "empty warp": (WarpRecipe(source="c1"), lambda clips: clips[0]),
    "framespace": (
        FramespaceRecipe(sources=("c1", "c2"), curve=((0, 0), (0.5, 1), (1, 0.3)), cycles=3.0),
        lambda clips: ml.Framespace(clips).blend([(0, 0), (0.5, 1), (1, 0.3)], cycles=3).clip,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_recipes_are_what_the_library_makes(evaluator: Evaluator, gaits: list[Clip], name: str) -> None:
    recipe, made_by_library = CASES[name]
    assert_same(evaluator.evaluate(with_recipe(recipe), "c3").clip, made_by_library(gaits))


def test_built_in_motion_has_its_plants(evaluator: Evaluator, gaits: list[Clip]) -> None:
    for id, expected in zip(("c1", "c2"), gaits, strict=True):
        outcome = evaluator.evaluate(two_gaits(), id)
        assert_same(outcome.clip, expected)
        assert (outcome.before, outcome.blend, outcome.curve, outcome.verdict) == (None,) * 4


def test_motion_from_a_file_has_its_plants_and_notes(evaluator: Evaluator, mocap: Path) -> None:
    source = captured("locomotion/s16/walk_straight_*")[0]
    document = only(FileRecipe(path=evaluator.folder.add(source.name, source.read_bytes())))
    outcome = evaluator.evaluate(document, "c1")
    assert_same(outcome.clip, ensure_annotated(ml.load(source)))
    assert outcome.notes == ml.load(source).source.notes
    assert outcome.clip.source.path == "made/one.npz"


def test_edits_come_before_marks_and_marks_before_use(evaluator: Evaluator, gaits: list[Clip]) -> None:
    recipe = MotionRecipe(motion="walk", options={"duration": 3.0, "fps": 30.0})
    marks = Marks(events=(EventMark(frame=2.0, label="clap"),))
    document = with_recipe(recipe, ClipEdit(trim=(10, 80), reverse=True), marks)
    document = with_item(document, "used", WarpRecipe(source="c3"))
    raw = walk(duration=3.0, fps=30).clip[10:81].reversed()
    for id in ("c3", "c4"):
        clip = evaluator.evaluate(document, id).clip
        assert np.array_equal(clip.rotations, raw.rotations)
        assert (clip.constraints, [event.label for event in clip.events]) == ((), ["clap"])


def test_edited_marks_follow_speed_direction_and_side(evaluator: Evaluator) -> None:
    plant = PlantMark(joint="LeftFoot", kind="heel", start=20.0, end=30.0)
    marks = Marks(plants=(plant,), events=(EventMark(frame=40.0, label="clap"),))
    document = SetMarks(item="c1", marks=marks).apply(two_gaits())
    last = evaluator.evaluate(document, "c1").clip.n_frames - 1
    edit = ClipEdit(speed=2.0, reverse=True, mirror=True)
    evaluated = evaluator.evaluate(SetEdit(item="c1", edit=edit).apply(document), "c1")
    (held,), (clap,) = evaluated.clip.constraints, evaluated.clip.events
    assert (held.joint, held.start, held.end) == ("RightFoot", (last - 30) / 2, (last - 20) / 2)
    assert clap.frame == (last - 40) / 2
    assert evaluated.edit == edit
    settled = evaluator.retime_marks(SetEdit(item="c1", edit=edit).apply(document), "c1")
    assert settled.item("c1").marks == marks_of(evaluated.clip)
    assert_same(evaluator.evaluate(settled, "c1").clip, evaluated.clip)


def test_a_blend_tells_all_about_itself(evaluator: Evaluator) -> None:
    outcome = evaluator.evaluate(with_recipe(BLEND), "c3")
    assert outcome.blend is not None
    assert outcome.before is not None
    assert outcome.blend.clip is outcome.clip
    assert outcome.before.n_frames == outcome.clip.n_frames == len(outcome.blend.weights)
    assert str(outcome.verdict).startswith("good match: ")
    assert outcome.notes[0].startswith("walk: ")
    assert outcome.curve is evaluator.curve(with_recipe(BLEND), "c3")
    assert outcome.key == evaluator.key(with_recipe(BLEND), "c3")


def test_warnings_become_notes(evaluator: Evaluator) -> None:
    jump = (WeightKey(time=0.5, weights=(1, 0)), WeightKey(time=0.51, weights=(0, 1)))
    notes = evaluator.evaluate(with_recipe(replace(BLEND, keys=jump)), "c3").notes
    assert any("above 6 a blend looks like a jump" in note for note in notes)


def test_rows_and_seams_follow_the_edit(evaluator: Evaluator) -> None:
    recipe = TransitionRecipe(first="c1", second="c2", plant=True)
    whole = evaluator.evaluate(with_recipe(recipe), "c3")
    edit = ClipEdit(trim=(20, 80), reverse=True)
    cut = evaluator.evaluate(with_recipe(recipe, edit), "c3")
    assert whole.blend is not None
    assert cut.blend is not None
    assert cut.before is not None
    assert np.array_equal(cut.blend.weights, whole.blend.weights[20:81][::-1])
    assert cut.before.n_frames == cut.clip.n_frames == 61
    assert cut.seams == tuple(sorted(80 - seam for seam in whole.seams if 20 <= seam <= 80))


def test_a_loop_says_which_frames_it_was_closed_from(evaluator: Evaluator) -> None:
    recipe, edit = LoopRecipe(source="c1", near=60), ClipEdit(reverse=True)
    outcome = evaluator.evaluate(with_recipe(recipe), "c3")
    report = cyclify(evaluator.evaluate(with_recipe(recipe), "c1").clip, near=60).report
    assert outcome.frames is not None
    assert outcome.clip.cyclic
    assert outcome.frames.shape == (outcome.clip.n_frames, 1)
    assert outcome.frames[0] == report.start
    assert report.start < 60 < outcome.frames[-1] < report.end
    assert outcome.notes == tuple(str(report).splitlines())
    turned = evaluator.evaluate(with_recipe(recipe, edit), "c3").frames
    assert turned is not None
    assert np.array_equal(turned, outcome.frames[::-1])


def test_a_loop_of_a_loop_is_the_loop(evaluator: Evaluator) -> None:
    document = with_item(with_recipe(LoopRecipe(source="c1")), "again", LoopRecipe(source="c3", near=5))
    again = evaluator.evaluate(document, "c4")
    assert_same(again.clip, evaluator.evaluate(document, "c3").clip)
    assert (again.frames, again.notes) == (None, ("the clip is a loop already: nothing was changed",))


def test_edited_marks_go_into_the_loop(evaluator: Evaluator) -> None:
    outcome = evaluator.evaluate(looped(), "c1")
    loop = evaluator.evaluate(looped(), "c2")
    assert outcome.clip.events[0].label == "clap"
    assert loop.frames is not None
    (clap,) = [event for event in loop.clip.events if event.label == "clap"]
    assert np.interp(clap.frame, np.arange(len(loop.frames)), loop.frames[:, 0]) == pytest.approx(60.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "fault"),
    [
        (MotionRecipe(motion="walk", options={"duration": 1e308}), "gives inf frames"),
        (replace(BLEND, duration=1e308), "make inf frames"),
        (replace(BLEND, weights=(1e308, 1e308)), "the weights add up to inf"),
    ],
)
def test_numbers_beyond_all_bounds_are_refused(evaluator: Evaluator, recipe: Recipe, fault: str) -> None:
    with pytest.raises(ParameterError, match=fault):
        evaluator.evaluate(with_recipe(recipe), "c3")


@pytest.mark.slow
def test_a_framespace_is_there_before_its_curve_makes_a_clip(evaluator: Evaluator) -> None:
    document = with_recipe(FramespaceRecipe(sources=("c1", "c2"), curve=((0.0, 7.0), (1.0, 7.0))))
    assert len(evaluator.space(document, "c3").clips) == 2
    with pytest.raises(ParameterError, match="is not a framespace, so there is no curve through it"):
        evaluator.space(document, "c1")


def test_only_blends_have_a_curve(evaluator: Evaluator) -> None:
    with pytest.raises(ParameterError, match="walk is not a blend, so it has no registration"):
        evaluator.curve(two_gaits(), "c1")


def test_progress_is_passed_on_and_may_stop_the_work(evaluator: Evaluator) -> None:
    told: list[tuple[int, int]] = []
    evaluator.evaluate(with_recipe(BLEND), "c3", lambda done, total: told.append((done, total)))
    assert told[-1] == (1, 1)

    def stopping(done: int, total: int) -> None:
        raise InterruptedError

    other = with_recipe(replace(BLEND, registration=RegistrationRecipe(slope_limit=2)))
    with pytest.raises(InterruptedError):
        evaluator.evaluate(other, "c3", stopping)
    assert evaluator.evaluate(other, "c3").clip.n_frames > 0


@pytest.mark.slow
def test_captured_walks_are_what_mix_makes(evaluator: Evaluator, mocap: Path) -> None:
    files = nine_files(mocap, "s16")[:2]
    document = only(FileRecipe(path=evaluator.folder.add(files[0].name, files[0].read_bytes())))
    other = FileRecipe(path=evaluator.folder.add(files[1].name, files[1].read_bytes()))
    document = with_item(with_item(document, "other", other), "made", BLEND)
    expected = ml.mix([ml.load(file) for file in files], [0.3, 0.7])
    assert_same(evaluator.evaluate(document, "c3").clip, expected.clip)
