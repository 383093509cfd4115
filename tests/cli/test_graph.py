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


@pytest.fixture(scope="module")
def graph_file(walks: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    graph = ml.MotionGraph([ml.load(path) for path in walks], tags=["straight", "left"])
    return ml.save(graph, tmp_path_factory.mktemp("graph") / "walks.npz")


@pytest.fixture
def drawing(tmp_path: Path) -> Path:
    path = tmp_path / "stage.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><path id="way" d="M 0 0 C 0 -20 -5 -40 -15 -60"/></svg>'
    )
    return path


def test_motion_along_a_drawing(run: Run, graph_file: Path, drawing: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out, picture = tmp_path / "walk.bvh", tmp_path / "walk.png"
    facts = run(
        "graph", "follow", graph_file, drawing, "-o", out, "--length", 6, "--plot", picture, "--json"
    ).json()
    assert facts["path_m"] == pytest.approx(6.0)
    assert facts["max_deviation_cm"] < 20.0
    assert facts["end_distance_cm"] < 5.0
    assert ml.load(out).duration == pytest.approx(facts["seconds"], abs=0.02)
    assert picture.stat().st_size > 5000


def test_motion_along_a_table(run: Run, graph_file: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "stage.csv", tmp_path / "walk.bvh"
    table.write_text("x,z,time,tag\n0,0,,straight\n0,2,,straight\n0,4,0.5,straight\n0,5,,straight\n")
    ended = run("graph", "follow", graph_file, table, "-o", out, "-v")
    assert ended.code == 0
    assert "the arrival 4.0 m along the path at 0.5 s was missed by" in ended.out + ended.complaint
    assert out.exists()


def test_motion_to_a_place(run: Run, graph_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "there.bvh"
    facts = run("graph", "goto", graph_file, 0.5, 4, "-o", out, "--yaw", 15, "--json").json()
    assert facts["end_distance_cm"] < 10.0
    assert abs(facts["end_turn_deg"]) < 5.0
    assert out.exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("follow", "GRAPH", "missing.svg", "-o", "walk.bvh"), "missing.svg"),
        (("follow", "missing.npz", "LINE", "-o", "walk.bvh"), "missing.npz"),
        (("follow", "broken.npz", "LINE", "-o", "walk.bvh"), "broken.npz"),
        (("follow", "GRAPH", "broken.svg", "-o", "walk.bvh"), "broken.svg"),
        (("follow", "GRAPH", "point.csv", "-o", "walk.bvh"), "at least two different points"),
        (("follow", "GRAPH", "nan.csv", "-o", "walk.bvh"), "nan.csv"),
        (("follow", "GRAPH", "tag.csv", "-o", "walk.bvh"), "no take of the graph has the tag 'swim'"),
        (("follow", "GRAPH", "LINE", "-o", "walk.txt"), ".txt"),
        (("follow", "GRAPH", "LINE", "-o", "walk.bvh", "--length", "-1"), "length"),
        (("follow", "GRAPH", "LINE", "-o", "walk.bvh", "--line", "river"), "river"),
        (("goto", "GRAPH", "nan", "1", "-o", "walk.bvh"), "x must be a finite number"),
        (("goto", "GRAPH", "0", "0", "-o", "walk.bvh", "--yaw", "0"), "is already there"),
        (("goto", "GRAPH", "1", "-o", "walk.bvh"), "missing argument 'Z'"),
    ],
)
def test_what_cannot_be_followed_is_said(
    run: Run,
    graph_file: Path,
    drawing: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.npz").write_bytes(b"PK no archive")
    Path("broken.svg").write_text("<svg><path d=")
    Path("point.csv").write_text("x,z\n1,1\n")
    Path("nan.csv").write_text("x,z\n0,0\nnan,1\n0,2\n")
    Path("tag.csv").write_text("x,z,tag\n0,0,swim\n0,3,swim\n")
    files = {"GRAPH": str(graph_file), "LINE": str(drawing)}
    ended = run("graph", *(files.get(word, word) for word in words))
    assert ended.code != 0
    assert complaint in ended.complaint
    assert "Traceback" not in ended.complaint
    assert not list(tmp_path.glob("walk.*"))
