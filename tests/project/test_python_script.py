from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.project.document import Document, Item
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.python_script import HOMES, write_python
from motionloom.project.recipes import (
    BlendRecipe,
    CopyRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    LoopRecipe,
    Recipe,
    RetargetRecipe,
    SequenceRecipe,
    TransitionRecipe,
    WarpRecipe,
)
from tests.project.projects import UNUSUAL, captured_mix, everything, looped, only, with_item, with_recipe
from tests.project.script_runs import exported, run_python


def test_an_unknown_item_has_no_script() -> None:
    with pytest.raises(ParameterError, match="the project has no clip 'c9'"):
        write_python(Document(), "c9", "x.bvh")


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (
            BlendRecipe(sources=("c1", "c2"), weights=(1.5, -0.5), duration=1.0),
            "made = ml.mix([walk, jog], (1.5, -0.5), duration=1.0).clip",
        ),
        (
            BlendRecipe(sources=("c1", "c2"), weights=(1, 0), in_place=True),
            "made = ml.mix([walk, jog], (1, 0), in_place=True).clip",
        ),
        (
            BlendRecipe(sources=("c1", "c2"), weights=(1, 0), plant=False, in_place=True),
            "made = put_blend_in_place(ml.blend(curve, (1, 0))).clip",
        ),
        (
            TransitionRecipe(first="c1", second="c2", method="dead", plant=True),
            "made = plant_transition("
            'ml.transition(ensure_annotated(walk), ensure_annotated(jog), method="dead")).clip',
        ),
        (
            TransitionRecipe(first="c1", second="c2", keep=1.0, alignment="windowed"),
            "made = ml.transition(ensure_annotated(walk), ensure_annotated(jog), "
            'keep="all", alignment="windowed").clip',
        ),
        (EnforceRecipe(source="c1"), "made = ml.enforce(ensure_annotated(walk)).clip"),
        (
            SequenceRecipe(sources=("c1", "c2"), keep=1.0),
            'made = ml.concatenate([ensure_annotated(walk), ensure_annotated(jog)], keep="all").clip',
        ),
        (
            CopyRecipe(source="c1", place=(0.5, 1.0, 0.0), fps=15.0),
            "made = walk.placed(ml.GroundTransform(0.5, 1.0, 0.0)).resampled(15.0)",
        ),
        (RetargetRecipe(source="c1", to="c2"), "made = ml.retarget(ensure_annotated(walk), jog).clip"),
        (
            RetargetRecipe(source="c1", path="clips/hero.glb", joint_map={"Head": None}, plant=False),
            '    mapping=ml.joint_mapping(source, target).redriven({"Head": None}),',
        ),
        (LoopRecipe(source="c1"), "made = ml.cyclify(walk).clip"),
        (LoopRecipe(source="c1", cycles=2, near=40), "made = ml.cyclify(walk, cycles=2, near=40).clip"),
        (
            WarpRecipe(source="c1", preset="limp", amount=0.5),
            'made = ml.warping.apply_preset(walk, "limp", 0.5).clip',
        ),
        (
            FramespaceRecipe(sources=("c1", "c2"), curve=((0.0, 0.5), (1.0, 0.2))),
            "made = space.blend([(0.0, 0.5), (1.0, 0.2)], cycles=6.0).clip",
        ),
    ],
)
def test_recipes_are_statements(recipe: Recipe, expected: str) -> None:
    assert expected in write_python(with_recipe(recipe), "c3", "out.bvh").splitlines()


def test_movies_are_rendered() -> None:
    script = write_python(only(FileRecipe(path="clips/x.bvh")), "c1", "out.gif")
    assert script.endswith('ml.render(one_c1, "out.gif", overwrite=True)\n')


@given(st.text(max_size=12), st.text(max_size=12))
def test_names_cannot_add_statements(name: str, path: str) -> None:
    item = Item(id="c1", name=name, recipe=FileRecipe(path=path))
    script = write_python(Document(items=(item,)), "c1", f"{name}.bvh")
    statements = ast.parse(script).body
    assert [type(statement).__name__ for statement in statements] == [
        *("Import", "ImportFrom", "Assign", "Assign", "Expr")
    ]
    loading = statements[2]
    assert isinstance(loading, ast.Assign)
    assert isinstance(loading.value, ast.Call)
    assert ast.literal_eval(loading.value.args[0]) == path


def test_names_of_items_never_hide_what_scripts_use() -> None:
    document = Document()
    for name in ("ml", "list", "import", "replace", "first", "3 walks", "walk", "Walk", "走", "curve"):
        document = with_item(document, name, FileRecipe(path="clips/x.bvh"))
    sources = tuple(item.id for item in document.items)
    document = with_item(document, "all", BlendRecipe(sources=sources, weights=(1.0,) * len(sources)))
    tree = ast.parse(write_python(document, document.items[-1].id, "out.npz"))
    assigned = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    assert len(assigned) == 11
    assert not assigned & {*HOMES, "ml", "list", "import", "first"}


@pytest.mark.slow
def test_the_script_makes_what_the_studio_exports(tmp_path: Path) -> None:
    document, evaluator = everything(), Evaluator(ProjectFolder(tmp_path))
    last = document.items[-1].id
    run_python(tmp_path, [write_python(document, last, "out.npz")])
    assert (tmp_path / "out.npz").read_bytes() == exported(evaluator, document, last, "npz")


def test_a_loop_is_the_same_too(tmp_path: Path) -> None:
    run_python(tmp_path, [write_python(looped(), "c2", "out.npz")])
    evaluator = Evaluator(ProjectFolder(tmp_path))
    assert (tmp_path / "out.npz").read_bytes() == exported(evaluator, looped(), "c2", "npz")


@pytest.mark.slow
@pytest.mark.parametrize("recipe", UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_options_are_the_same_too(tmp_path: Path, recipe: Recipe) -> None:
    run_python(tmp_path, [write_python(with_recipe(recipe), "c3", "out.npz")])
    evaluator = Evaluator(ProjectFolder(tmp_path))
    assert (tmp_path / "out.npz").read_bytes() == exported(evaluator, with_recipe(recipe), "c3", "npz")


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["bvh", "glb"])
def test_other_formats_are_the_same_too(tmp_path: Path, ending: str) -> None:
    document = with_recipe(WarpRecipe(source="c1", preset="limp"))
    run_python(tmp_path, [write_python(document, "c3", f"out.{ending}")])
    written = (tmp_path / f"out.{ending}").read_bytes()
    assert written == exported(Evaluator(ProjectFolder(tmp_path)), document, "c3", ending)


def test_captured_clips_are_the_same_too(mocap: Path, tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    document = captured_mix(folder, mocap)
    run_python(tmp_path, [write_python(document, "c3", "out.npz")])
    assert (tmp_path / "out.npz").read_bytes() == exported(Evaluator(folder), document, "c3", "npz")
