from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import motionloom as ml
from motionloom.display import figures, plotting
from motionloom.errors import MotionloomError
from motionloom.synthesis import jog, walk
from tests.cli.conftest import Run


@pytest.fixture
def gaits(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "walk.bvh", tmp_path / "jog.bvh"]
    ml.save(walk(duration=4, fps=30).clip, paths[0])
    ml.save(jog(duration=3, fps=30, phase=0.3).clip, paths[1])
    return paths


def test_a_curve_is_npz(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("register", *map(str, gaits), "-o", str(tmp_path / "curve.bvh"))
    assert ended.code == 2
    assert "a registration is saved as .npz" in ended.err


@pytest.mark.parametrize("name", ["curve.npz", "grid.jpg", "grid"])
def test_a_plot_is_a_picture(run: Run, tmp_path: Path, name: str) -> None:
    """The files do not exist: the name of the plot is looked at before them."""
    curve, plot = tmp_path / "curve.npz", tmp_path / name
    ended = run("register", "one.bvh", "two.bvh", "-o", str(curve), "--plot", str(plot))
    assert ended.code == 2
    assert f"{name}: a figure is saved as .png, .svg or .pdf" in ended.err


def test_sync_markers_are_json(run: Run, tmp_path: Path) -> None:
    ended = run("register", "one.bvh", "two.bvh", "-o", tmp_path / "c.npz", "--markers", "sync.npz")
    assert (ended.code, ended.complaint) == (2, "sync.npz: sync markers are saved as .json")


def test_a_missing_plotting_package_is_said_first(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plotting, "find_spec", lambda name: None)
    ended = run("register", "one.bvh", "-o", str(tmp_path / "c.npz"), "--plot", str(tmp_path / "c.png"))
    assert ended.code == 1
    assert "plotting needs the package 'matplotlib'" in ended.err


def test_nothing_is_left_behind_when_the_plot_fails(
    run: Run, gaits: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MotionloomError("no ink")

    monkeypatch.setattr(figures, "plot_registration", fail)
    before = sorted(tmp_path.rglob("*"))
    curve, plot = tmp_path / "new/curve.npz", tmp_path / "plots/grid.png"
    ended = run("register", *map(str, gaits), "--strides", "-o", str(curve), "--plot", str(plot))
    assert (ended.code, "no ink" in ended.err) == (1, True)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_gait_is_needed_for_strides(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    run("synthesize", "kick_front", "-o", str(tmp_path / "kick.bvh"))
    ended = run(
        "register", str(gaits[0]), str(tmp_path / "kick.bvh"), "--strides", "-o", str(tmp_path / "c.npz")
    )
    assert ended.code == 2
    assert "no gait was found in clip 1" in ended.err


def test_register_writes_curve_clips_and_plot(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    curve, plot = tmp_path / "curve.npz", tmp_path / "grid.png"
    ended = run("register", *map(str, gaits), "--strides", "-o", str(curve), "--plot", str(plot), "--json")
    assert ended.code == 0, ended.err
    facts = json.loads(ended.out)
    assert facts["verdict"].startswith(("good", "doubtful"))
    assert facts["matches"] > 0
    assert plot.stat().st_size > 20_000
    assert [(Path(cut["file"]).name, cut["n_strides"]) for cut in facts["cuts"]] == [
        ("walk.bvh", 3),
        ("jog.bvh", 3),
    ]
    assert {"event", "seconds_before", "seconds_after"} < set(facts["cuts"][0])
    again = ml.load_registration(curve)
    assert again.n_clips == 2
    assert {path.name for path in (tmp_path / "curve-clips").iterdir()} == {"00-walk.npz", "01-jog.npz"}
    refused = run("register", *map(str, gaits), "-o", str(curve))
    assert refused.code == 1
    assert "already exists" in refused.err


def test_sync_markers_come_in_one_order(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    sync = tmp_path / "sync.json"
    words = [*gaits, "--strides", "-o", tmp_path / "curve.npz", "--markers", sync, "--json"]
    facts = run("register", *words).json()
    assert facts["written"][-1] == str(sync)
    walking, jogging = json.loads(sync.read_text())["clips"]
    assert (walking["name"], jogging["name"]) == ("walk", "jog")
    names = [[marker["name"] for marker in entry["markers"]] for entry in (walking, jogging)]
    assert names[0] == names[1]
    assert "left_strike" in names[0]


def test_the_table_says_what_a_person_needs(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("register", *map(str, gaits), "--strides", "-o", str(tmp_path / "curve.npz"))
    assert ended.code == 0
    assert "verdict" in ended.out
    assert "mean distance m" in ended.out
    assert (
        "walk.bvh: whole strides 3, cut at right strike, 0.53 s left out before and 0.40 s after" in ended.out
    )


def test_whole_clips_are_not_cut_and_warnings_stay_as_they_were(
    run: Run, gaits: list[Path], tmp_path: Path
) -> None:
    filters = list(warnings.filters)
    facts = run("register", *map(str, gaits), "-o", str(tmp_path / "curve.npz"), "--json").json()
    assert facts["cuts"] == []
    assert warnings.filters == filters
