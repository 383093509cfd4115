from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom.spaces import parameters
from motionloom.synthesis import reach_out
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def reaches(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("reaches")
    return [
        ml.save(
            reach_out(target=(-0.2, height, 0.4), fps=30, duration=1.0).clip, folder / f"reach_{height}.npz"
        )
        for height in (0.9, 1.3)
    ]


def test_from_clips_to_the_motion_asked_for(run: Run, reaches: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    space = tmp_path / "space.npz"
    made = run(
        "space", "make", *reaches, "-o", space, "--parameter", "hand=position RightHand axes y", "--json"
    )
    assert made.json()["hand"].endswith(" m")
    facts = run("space", "info", space, "--requests", 3, "--json").json()
    assert facts["corrected_error_percent"]["largest"] < 1.0
    ended = run("space", "blend", space, "--at", "hand=1.1", "-o", tmp_path / "reach.npz", "--json").json()
    assert ended["got"] == pytest.approx({"hand": 1.1}, abs=1e-3)
    clip = ml.load(tmp_path / "reach.npz")
    assert parameters.height("RightHand", "apex").measure(clip)[0] == pytest.approx(1.1, abs=2e-3)
    far = run("space", "blend", space, "--at", "hand=3", "-o", tmp_path / "far.bvh", "-v")
    assert far.code == 0
    assert "the clips do not reach what was asked for" in far.out
    assert run("space", "map", space, "-o", tmp_path / "map.png", "--requests", 3).code == 0
    assert (tmp_path / "map.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--parameter", "hand=jump"), "of no known kind"),
        (("--parameter", "t=turn", "--parameter", "t=duration"), "two parameters have the same name"),
        (("--parameter", "hand=height Tail"), "no joint 'Tail'"),
    ],
)
def test_wrong_parameters(
    run: Run, reaches: list[Path], tmp_path: Path, words: tuple[str, ...], complaint: str
) -> None:
    ended = run("space", "make", *reaches, "-o", tmp_path / "space.npz", *words)
    assert ended.code == 2
    assert complaint in ended.complaint
    assert not list(tmp_path.iterdir())


def test_wrong_files_and_requests(run: Run, reaches: list[Path], tmp_path: Path) -> None:
    wrong = run("space", "make", *reaches, "-o", tmp_path / "space.bvh", "--parameter", "t=turn")
    assert "a motion space is saved as .npz" in wrong.complaint
    assert "holds a clip" in run("space", "info", reaches[0]).complaint
    ended = run("space", "blend", reaches[0], "--at", "hand", "-o", tmp_path / "a.bvh")
    assert "--at needs NAME=X or NAME=X,Y,Z" in ended.complaint
    twice = ("--at", "hand=1", "--at", "hand=2")
    ended = run("space", "blend", reaches[0], *twice, "-o", tmp_path / "a.bvh")
    assert "--at asks for one parameter twice" in ended.complaint


def test_numbers_that_do_not_fit(run: Run, reaches: list[Path], tmp_path: Path) -> None:
    space = tmp_path / "space.npz"
    run("space", "make", *reaches, "-o", space, "--parameter", "hand=position RightHand axes y")
    wrong = run("space", "blend", space, "--at", "hand=1,2", "-o", tmp_path / "a.bvh")
    assert "the request for 'hand' needs one number, not 2" in wrong.complaint
    assert "--requests must be a whole number" in run("space", "info", space, "--requests", -3).complaint


def test_the_group_alone_prints_its_help(run: Run) -> None:
    ended = run("space")
    assert ended.code == 2
    assert "\n  export " in ended.err


def test_export_to_an_engine(run: Run, reaches: list[Path], tmp_path: Path) -> None:
    space = tmp_path / "space.npz"
    run("space", "make", *reaches, "-o", space, "--parameter", "hand=position RightHand axes y")
    folder = tmp_path / "game" / "reach"
    written = run("space", "export", space, folder, "--engine", "godot", "--grid", 3, "--json").json()[
        "written"
    ]
    assert sorted(Path(path).name for path in written) == sorted(path.name for path in folder.iterdir())
    again = run("space", "export", space, folder, "--engine", "godot")
    assert (again.code, "already exists" in again.complaint) == (1, True)
    wrong = run("space", "export", space, folder, "--engine", "godot", "--grid", "3by3")
    assert "--grid '3by3' must be a number of points" in wrong.complaint
    wrong = run("space", "export", space, folder, "--engine", "godot", "--grid", "3x3", "--force")
    assert "a grid over hand needs one number of points" in wrong.complaint


def test_choices_of_export_are_those_of_the_library() -> None:
    from typing import get_args

    from motionloom.cli import space
    from motionloom.engines.save_blend_space import Engine
    from motionloom.retargeting.root_motion import RootMotion
    from motionloom.spaces.sample_grid import Outside, Timing

    chosen = (space.ENGINES, space.ROOT_MOTION, space.TIMINGS, space.OUTSIDE)
    assert chosen == tuple(map(get_args, (Engine, RootMotion, Timing, Outside)))
