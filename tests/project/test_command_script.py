from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from motionloom.errors import ParameterError
from motionloom.files import load_clip, save
from motionloom.project.command_script import write_commands
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder, file_stems
from motionloom.project.recipes import (
    BlendRecipe,
    CopyRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    LoopRecipe,
    Recipe,
    RegistrationRecipe,
    RetargetRecipe,
    SequenceRecipe,
    TransitionRecipe,
    WarpRecipe,
)
from motionloom.synthesis import walk
from tests.project.projects import UNUSUAL, captured_mix, everything, looped, only, with_item, with_recipe
from tests.project.script_runs import exported, recorded_calls, run_calls, run_commands


def test_an_unknown_item_has_no_script() -> None:
    with pytest.raises(ParameterError, match="the project has no clip 'c9'"):
        write_commands(Document(), "c9", "x.bvh")


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [
        (
            BlendRecipe(sources=("c1", "c2"), weights=(1.5, -0.5), duration=1e-5, allow_unfit=True),
            "blend made/walk.npz made/jog.npz --plant --weights=1.5,-0.5 --duration=1e-05 --allow-unfit",
        ),
        (
            BlendRecipe(sources=("c1", "c2"), weights=(1, 0), plant=False, in_place=True),
            "blend made/walk.npz made/jog.npz --no-plant --weights=1,0 --in-place",
        ),
        (
            TransitionRecipe(first="c1", second="c2", at=(3, 4), method="dead", plant=True),
            "transition made/walk.npz made/jog.npz --at=3,4 --method=dead --plant",
        ),
        (
            TransitionRecipe(first="c1", second="c2", keep=0.9, alignment="windowed"),
            "transition made/walk.npz made/jog.npz --keep=0.9 --alignment=windowed",
        ),
        (EnforceRecipe(source="c1", ground=-0.5), "enforce made/walk.npz --ground=-0.5"),
        (LoopRecipe(source="c1", near=40, cycles=2), "cyclify made/walk.npz --cycles=2 --near=40f"),
        (SequenceRecipe(sources=("c1", "c2")), "concatenate made/walk.npz made/jog.npz"),
        (CopyRecipe(source="c1", fps=15.0), "edit made/walk.npz --fps=15.0"),
        (RetargetRecipe(source="c1", to="c2"), "retarget made/walk.npz --to=made/jog.npz"),
        (
            RetargetRecipe(source="c1", path="clips/hero.glb", joint_map={"Head": None}),
            "retarget made/walk.npz --to=clips/hero.glb --map-file=joint_maps.json",
        ),
        (
            WarpRecipe(source="c1", preset="limp", amount=-0.5),
            "warp made/walk.npz --preset=limp --amount=-0.5",
        ),
        (
            FramespaceRecipe(sources=("c1", "c2"), curve=((0.0, 0.5), (1.0, 1e-7)), loop=True),
            "framespace made/walk.npz made/jog.npz '--curve=0.0:0.5 1.0:1e-07' --cycles=6.0 --loop",
        ),
    ],
)
def test_recipes_are_calls(tmp_path: Path, recipe: Recipe, expected: str) -> None:
    last_but_one = recorded_calls(tmp_path, write_commands(with_recipe(recipe), "c3", "out.bvh"))[-2]
    assert last_but_one == [*shlex.split(expected), "-o", "made/made.npz", "--force"]


def test_registration_options_make_a_call_of_their_own(tmp_path: Path) -> None:
    options = RegistrationRecipe(
        cut="auto",
        profile="thesis",
        window=0.1,
        pins=((1.0, 2.0),),
        start=(0.0, 1.0),
        joint_weights={"A=B": 0.5},
    )
    recipe = BlendRecipe(sources=("c1", "c2"), weights=(1, 1), plant=False, registration=options)
    *_, register, blend, _ = recorded_calls(tmp_path, write_commands(with_recipe(recipe), "c3", "out.bvh"))
    assert register == [
        *("register", "made/walk.npz", "made/jog.npz", "-o", "made/made.curve.npz", "--force", "--cut=auto"),
        *("--profile=thesis", "--window=0.1", "--joint-weight=A=B=0.5", "--start=0.0,1.0"),
        "--pin=1.0,2.0",
    ]
    assert blend[:4] == ["blend", "made/made.curve.npz", "--no-plant", "--weights=1,1"]


def test_only_what_is_needed_is_made(tmp_path: Path) -> None:
    document = with_item(everything(), "alone", FileRecipe(path="clips/walk.bvh"))
    words = recorded_calls(tmp_path, write_commands(document, document.items[-1].id, "alone.glb"))
    assert [call[0] for call in words] == ["edit", "convert"]


def test_movies_are_rendered(tmp_path: Path) -> None:
    document = only(FileRecipe(path="-x.bvh"))
    *_, edit, render = recorded_calls(tmp_path, write_commands(document, "c1", "out.mp4"))
    assert edit[:2] == ["edit", "./-x.bvh"]
    assert render == ["render", "made/one.npz", "-o", "out.mp4", "--force"]


@pytest.mark.parametrize(
    "name", ["x\nrm -rf /", "x\u2028rm", "$(rm)", "`rm`", "a'b\"c", "; rm", "-rf", "..", "\\", "END"]
)
def test_names_cannot_add_commands(tmp_path: Path, name: str) -> None:
    item = Item(id="c1", name=name, recipe=FileRecipe(path="clips/$(rm) 'x'.bvh"), edit=ClipEdit(speed=2.0))
    document = Document(items=(item,))
    place = f"made/{file_stems(document)['c1']}.npz"
    assert recorded_calls(tmp_path, write_commands(document, "c1", f"{name}.bvh")) == [
        ["edit", "clips/$(rm) 'x'.bvh", "-o", place, "--force", "--speed=2.0", "--annotate"],
        ["convert", place, "-o", f"{name}.bvh", "--force"],
    ]


def test_long_calls_go_over_several_lines() -> None:
    script = write_commands(everything(), everything().items[-1].id, "all.bvh")
    assert max(len(line) for line in script.splitlines() if line.startswith("motionloom ")) <= 102
    assert " \\\n  " in script


@pytest.mark.slow
def test_the_script_makes_what_the_studio_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document, evaluator = everything(), Evaluator(ProjectFolder(tmp_path))
    last = document.items[-1].id
    run_calls(tmp_path, write_commands(document, last, "out.bvh"), monkeypatch)
    assert (tmp_path / "out.bvh").read_bytes() == exported(evaluator, document, last, "bvh")
    for item in document.items:
        again = load_clip(evaluator.evaluate(document, item.id).clip.source.path)
        for ending in ("npz", "glb"):
            written = save(again, tmp_path / f"again.{ending}", overwrite=True).read_bytes()
            assert written == exported(evaluator, document, item.id, ending), (item.name, ending)


def test_a_loop_is_the_same_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_calls(tmp_path, write_commands(looped(), "c2", "out.npz"), monkeypatch)
    again = save(load_clip("made/stride.npz"), tmp_path / "again.npz").read_bytes()
    assert again == exported(Evaluator(ProjectFolder(tmp_path)), looped(), "c2", "npz")


@pytest.mark.slow
@pytest.mark.parametrize("recipe", UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_options_are_the_same_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recipe: Recipe
) -> None:
    run_calls(tmp_path, write_commands(with_recipe(recipe), "c3", "out.npz"), monkeypatch)
    again = save(load_clip("made/made.npz"), tmp_path / "again.npz").read_bytes()
    assert again == exported(Evaluator(ProjectFolder(tmp_path)), with_recipe(recipe), "c3", "npz")


@pytest.mark.slow
def test_the_script_runs_in_a_shell(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    source = save(walk(duration=1.0, fps=30).clip, tmp_path / "walk.bvh")
    document = only(FileRecipe(path=folder.add("it's a walk.bvh", source.read_bytes())))
    run_commands(tmp_path, write_commands(document, "c1", "out.glb"))
    assert (tmp_path / "out.glb").read_bytes() == exported(Evaluator(folder), document, "c1", "glb")


def test_captured_clips_are_the_same_too(
    mocap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ProjectFolder(tmp_path)
    document = captured_mix(folder, mocap)
    run_calls(tmp_path, write_commands(document, "c3", "out.glb"), monkeypatch)
    assert (tmp_path / "out.glb").read_bytes() == exported(Evaluator(folder), document, "c3", "glb")
