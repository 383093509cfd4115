from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom.synthesis import walk
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("walks")
    return [
        ml.save(walk(duration=4.0, fps=30, curvature=bend).clip, folder / f"walk_{name}.npz")
        for name, bend in (("straight", 0.0), ("left", 0.4))
    ]


def test_from_takes_to_a_walk(run: Run, walks: list[Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    graph = tmp_path / "walks.npz"
    built = run("graph", "build", *walks, "-o", graph, "--tag", "turn=*left", "--json").json()
    assert built["takes"] == 2
    assert built["labels_kept_percent"]["turn"] > 30
    facts = run("graph", "info", graph, "--json").json()
    assert facts["transitions"] == built["transitions"] > 0
    walked = run(
        "graph", "walk", graph, "-o", tmp_path / "walk.bvh", "--duration", 8, "--start", "walk_left", "--json"
    ).json()
    assert walked["seconds"] >= 7.9
    assert ml.load(tmp_path / "walk.bvh").duration == pytest.approx(walked["seconds"], abs=0.02)
    assert run("graph", "map", graph, "-o", tmp_path / "map.png").code == 0
    assert (tmp_path / "map.png").stat().st_size > 5000


def test_a_folder_stands_for_its_takes(run: Run, walks: list[Path], tmp_path: Path) -> None:
    folder = walks[0].parent
    for _ in range(2):
        built = run("graph", "build", folder, "-o", folder / "graph.npz", "--force", "--json").json()
        assert built["takes"] == len(walks)
    (folder / "graph.npz").unlink()
    (tmp_path / "empty").mkdir()
    ended = run("graph", "build", tmp_path / "empty", "-o", tmp_path / "none.npz")
    assert ended.code == 2
    assert "no motion files found" in ended.complaint


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--word", "run"), "name it with --library"),
        (("--tag", "run=jog*"), "matches none of the takes"),
        (("--keep", "2"), "keep must be"),
        (("--threshold", "-1"), "threshold must be"),
        (("--density", "0"), "density must be"),
    ],
)
def test_wrong_arguments(
    run: Run, walks: list[Path], tmp_path: Path, words: tuple[str, ...], complaint: str
) -> None:
    ended = run("graph", "build", *walks, "-o", tmp_path / "graph.npz", *words)
    assert ended.code == 2
    assert complaint in ended.complaint
    assert not list(tmp_path.iterdir())


def test_a_graph_needs_takes(run: Run, tmp_path: Path) -> None:
    ended = run("graph", "build", "-o", tmp_path / "graph.npz")
    assert ended.code == 2
    assert "whose takes to join" in ended.complaint
