from __future__ import annotations

from pathlib import Path

import pytest

from motionloom.errors import MotionloomError
from motionloom.project.document import ClipEdit, Marks, PlantMark
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import (
    BlendRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    JointKey,
    LoopRecipe,
    MotionRecipe,
    Recipe,
    RegistrationRecipe,
    TransitionRecipe,
    WarpRecipe,
    WeightKey,
)
from tests.project.projects import only, with_item, with_recipe


@pytest.fixture(scope="module")
def evaluator(tmp_path_factory: pytest.TempPathFactory) -> Evaluator:
    """One for all, so that walk and jog are made once."""
    folder = ProjectFolder(tmp_path_factory.mktemp("project"))
    folder.add("broken.bvh", b"no hierarchy")
    folder.add("broken.xyz", b"")
    return Evaluator(folder)


def blend(
    weights: tuple[float, ...] = (0.5, 0.5), *, keys: tuple[WeightKey, ...] = (), **options: object
) -> Recipe:
    registration = RegistrationRecipe(**options)  # type: ignore[arg-type]
    return BlendRecipe(sources=("c1", "c2"), weights=weights, keys=keys, registration=registration)


def key(kind: str = "rotate", value: tuple[float, ...] = (0.1, 0.0, 0.0), joint: str = "Head") -> JointKey:
    return JointKey(time=0.5, joint=joint, kind=kind, value=value)  # type: ignore[arg-type]


def warped(*keys: JointKey, amount: float = 1.0) -> Recipe:
    return WarpRecipe(source="c1", keys=keys, amount=amount)


def space(*curve: tuple[float, ...], cycles: float = 2.0) -> Recipe:
    return FramespaceRecipe(sources=("c1", "c2"), curve=curve, cycles=cycles)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recipe", "sentence"),
    [
        (blend((1.0,)), "2 clips need 2 weights, not 1"),
        (blend((0.0, 0.0)), "the weights at 0.000 s add up to 0: they are divided by their sum"),
        (BlendRecipe(sources=(), weights=()), "there are no clips: give two or more"),
        (BlendRecipe(sources=("c1",), weights=(1.0,)), "registering takes two clips or more, not 1"),
        (blend(keys=(WeightKey(time=-1.0, weights=(1.0, 0.0)),)), "a weight key is at -1 s"),
        (blend(keys=(WeightKey(time=1.0, weights=(1.0, 0.0)),) * 2), "two weight keys are at 1 s: move"),
        (
            BlendRecipe(sources=("c1", "c2"), weights=(1, 1), parts={"tail": (1, 0)}),
            "there is no body part 'tail': choose from upper body, lower body",
        ),
        (blend(slope_limit=0), "slope_limit must be a whole number of at least 1, not 0"),
        (blend(window=-1.0), "window must be from 0 to 2 seconds, not -1"),
        (blend(window=1e9), "window must be from 0 to 2 seconds, not 1000000000"),
        (blend(joint_weights={"Tail": 1.0}), "the skeleton has no joint 'Tail'"),
        (blend(pins=((1.0,),)), "a pin needs one frame per clip, not 1 frames"),
        (
            blend(pins=((1e300, 5.0),), cut="whole"),
            "a pin names frame 1e+300 of walk, but only frames 0 to",
        ),
        (blend(pins=((0.0, 40.0),)), "a pin names frame 0 of walk, but only frames"),
        (TransitionRecipe(first="c1", second="c2", at=(0, 9999)), "at names frame 9999 of the second clip"),
        (
            TransitionRecipe(first="c1", second="c2", at=(0, 9999), loop=True),
            "the clips are to meet at frame 0 of one, of which frames",
        ),
        (TransitionRecipe(first="c1", second="c2", half_width=-1.0), "half_width must be seconds, at least"),
        (
            EnforceRecipe(source="c1", stretch=1.5),
            "stretch is a fraction of a bone's length, below 1, not 1.5",
        ),
        (LoopRecipe(source="c1", near=91), "near must be from 0 to 90 frames, not 91"),
        (LoopRecipe(source="c1", cycles=0), "cycles must be a whole number of at least 1, not 0"),
        (warped(key(joint="Tail")), "the skeleton has no joint 'Tail'"),
        (warped(key(value=())), "rotate of the key of joint 'Head' at 0.5 s must have shape (3,), not (0,)"),
        (warped(key("scale", (1.0, 2.0))), "a scale key takes one factor, not 2 numbers"),
        (warped(key(), amount=1e300), "the amount of a warp must be from -100 to 100, not 1e+300"),
        (WarpRecipe(source="c1", preset="fly"), "there is no warp preset 'fly': choose one of doorway"),
        (WarpRecipe(source="c1", preset="limp", amount=1e9), "the amount of a warp must be from -100"),
        (WarpRecipe(source="c1", preset="limp", keys=(key(),)), "limp is a preset, which takes no keys"),
        (space(), "an interpolant needs vertices (x, v), or (x, v, w) in a box"),
        (space((0.0, 0.0), cycles=1e9), "1e+09 cycles make"),
        (FileRecipe(path="clips/broken.bvh"), "clips/broken.bvh: has no MOTION section"),
        (FileRecipe(path="clips/broken.xyz"), "clips/broken.xyz: files ending in '.xyz' cannot be read"),
        (FileRecipe(path="../x.bvh"), "'../x.bvh' lies outside of the project: add the file to it"),
        (MotionRecipe(motion="fly", options={}), "there is no built-in motion 'fly': choose from walk"),
        (MotionRecipe(motion="walk", options={"fps": "a"}), "fps must be a number, not 'a'"),
        (MotionRecipe(motion="reach", options={"target": 1.0}), "target must be a string, not 1.0"),
    ],
)
def test_what_cannot_be_made_is_explained(evaluator: Evaluator, recipe: Recipe, sentence: str) -> None:
    with pytest.raises(MotionloomError) as caught:
        evaluator.evaluate(with_recipe(recipe), "c3")
    assert str(caught.value).startswith(sentence)


def test_what_is_wrong_with_a_file_does_not_tell_where_the_project_is(evaluator: Evaluator) -> None:
    for path in ("clips/broken.bvh", "clips/broken.xyz"):
        with pytest.raises(MotionloomError) as caught:
            evaluator.evaluate(only(FileRecipe(path=path)), "c1")
        assert str(Path(evaluator.folder.path)) not in str(caught.value)


@pytest.mark.parametrize(
    ("edit", "marks", "sentence"),
    [
        (ClipEdit(trim=(50, 10)), None, "frames 50 to 10 cannot be kept: the clip has frames 0 to 90"),
        (ClipEdit(speed=0.0), None, "a speed factor must be a positive number, not 0"),
        (ClipEdit(speed=1e-12), None, "sampling 91 frames at steps of 1e-12 makes more than"),
        (
            None,
            Marks(plants=(PlantMark(joint="LeftFoot", kind="heel", start=6.0, end=5.0),)),
            "constraints[0]: constraint 'heel' of joint 'LeftFoot' runs from frame 6 to 5: its start must",
        ),
        (
            None,
            Marks(plants=(PlantMark(joint="LeftFoot", kind="heel", start=1.0, end=5.0),) * 2),
            "two 'heel' constraints of joint 'LeftFoot' overlap: frames 1 to 5 and 1 to 5",
        ),
    ],
)
def test_edits_that_cannot_be_made_are_explained(
    evaluator: Evaluator, edit: ClipEdit | None, marks: Marks | None, sentence: str
) -> None:
    walk = MotionRecipe(motion="walk", options={"duration": 3.0, "fps": 30.0})
    with pytest.raises(MotionloomError) as caught:
        evaluator.evaluate(with_recipe(walk, edit, marks), "c3")
    assert str(caught.value).startswith(sentence)


def test_a_slope_without_limit_is_no_limit(evaluator: Evaluator) -> None:
    assert evaluator.evaluate(with_recipe(blend(slope_limit=2**53, cut="whole")), "c3").clip.n_frames > 0


def test_a_doubtful_blend_is_made_where_it_is_wanted(evaluator: Evaluator) -> None:
    stand = MotionRecipe(motion="stand", options={"duration": 3.0, "fps": 30.0})
    for wanted in (False, True):
        recipe = BlendRecipe(sources=("c1", "c3"), weights=(1, 1), allow_unfit=wanted)
        document = with_item(with_recipe(stand), "unfit", recipe)
        if wanted:
            assert str(evaluator.evaluate(document, "c4").verdict).startswith("no match")
        else:
            with pytest.raises(MotionloomError) as refused:
                evaluator.evaluate(document, "c4")
            assert "allow_unfit" in refused.value.message.arguments
        assert evaluator.curve(document, "c4").report.verdict.name == "UNFIT"
