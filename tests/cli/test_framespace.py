from __future__ import annotations

import json
from pathlib import Path

import pytest

import motionloom as ml
from motionloom.display import plot
from motionloom.errors import MotionloomError
from motionloom.synthesis import jog, punch, walk
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def gaits(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("gaits")
    motions = {
        "walk": walk(duration=4, fps=30),
        "jog": jog(duration=3, fps=30),
        "left": walk(duration=4, fps=30, curvature=0.3),
        "fast": jog(duration=3, fps=30, curvature=0.2),
        "punch": punch(duration=1.5, fps=30),
    }
    return [ml.save(motion.clip, folder / f"{name}.bvh") for name, motion in motions.items()]


@pytest.mark.parametrize("curve", ["0", "0:a", "", "0:1 1", "0:0:0:0"])
def test_a_curve_is_made_of_vertices(run: Run, tmp_path: Path, curve: str) -> None:
    """The files do not exist: the curve is looked at before them."""
    ended = run("framespace", "one.bvh", "two.bvh", "--curve", curve, "-o", tmp_path / "out.bvh")
    assert ended.code == 2
    assert "--curve needs vertices like '0:0 0.5:1 1:0.3'" in ended.err


def test_a_plot_is_a_picture(run: Run, tmp_path: Path) -> None:
    ended = run(
        "framespace",
        "a.bvh",
        "b.bvh",
        "--curve",
        "0:0",
        "-o",
        tmp_path / "o.bvh",
        "--plot",
        tmp_path / "p.txt",
    )
    assert ended.code == 2
    assert "p.txt: plots are saved as .png, .svg or .pdf" in ended.err


@pytest.mark.slow
def test_files_that_are_there_stay(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out.bvh"
    out.write_text("mine")
    ended = run("framespace", *gaits[:2], "--curve", "0:0 1:1", "-o", out)
    assert (ended.code, out.read_text()) == (1, "mine")
    assert "replace it with --force" in ended.err
    assert run("framespace", *gaits[:2], "--curve", "0:0 1:1", "-o", out, "--force").code == 0
    assert out.stat().st_size > 1000


def test_nothing_is_left_behind_when_the_plot_fails(
    run: Run, gaits: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MotionloomError("no ink")

    monkeypatch.setattr(plot, "framespace", fail)
    words = ("--curve", "0:0", "--cycles", 1, "-o", tmp_path / "new/out.bvh", "--plot", tmp_path / "p.png")
    ended = run("framespace", *gaits[:2], *words)
    assert (ended.code, "no ink" in ended.err) == (1, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_box_needs_two_coordinates(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("framespace", *gaits[:4], "--curve", "0:0 1:1", "-o", tmp_path / "out.npz")
    assert ended.code == 2
    assert "an interpolant in a box has v and w at each x" in ended.err


@pytest.mark.slow
def test_two_clips_along_a_curve(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    out, plot = tmp_path / "new" / "out.npz", tmp_path / "plot.png"
    ended = run(
        "framespace",
        *gaits[:2],
        "--curve",
        "0:0 0.5:1 1:0.3",
        "--cycles",
        3,
        "-o",
        out,
        "--plot",
        plot,
        "--json",
    )
    facts = ended.json()
    assert facts["written"] == [str(out), str(plot)]
    assert facts["frames"] == ml.load(out).n_frames
    assert len(facts["cycle_s"]) == 2
    assert "L.et" in facts["states"]
    assert any("was cut to one stride" in note for note in facts["notes"])
    assert plot.stat().st_size > 10_000


def test_facts_for_people(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run(
        "framespace", *gaits[:2], "--curve", "0:0.5", "--loop", "--cycles", 1, "-v", "-o", tmp_path / "o.npz"
    )
    assert ended.code == 0
    assert "2 clips mixed in a rectangle" in ended.out
    assert "note: walk was cut to one stride" in ended.out
    assert ml.load(tmp_path / "o.npz").cyclic


@pytest.mark.slow
def test_four_clips_make_a_box_or_a_line(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    box = ("framespace", *gaits[:4], "--cycles", 2, "--force", "-v", "-o", tmp_path / "out.npz")
    assert "4 clips mixed in a box" in run(*box, "--curve", "0:0:0 1:1:1").out
    line = run(*box, "--curve", "0:0 1:1", "--line", "--polyline", "--warp", "linear")
    assert "4 clips mixed in a line" in line.out


def test_arms_of_their_own(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run(
        "framespace", gaits[0], gaits[4], "--acyclic", 1, "--decoupled", "--curve", "0:0",
        "--upper", "0:0 0.3:1 0.7:1 1:0", "--cycles", 3, "--fps", 30, "-o", tmp_path / "out.npz",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert ml.load(tmp_path / "out.npz").n_frames == 94


@pytest.mark.slow
def test_states_are_saved_edited_and_given(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    loops = [
        ml.save(ml.cyclify(ml.load(path), cycles=1), tmp_path / f"{path.stem}.npz") for path in gaits[:2]
    ]
    states, words = tmp_path / "states.json", ("--curve", "0:0 1:1", "--cycles", 2, "--json")
    first = run("framespace", *loops, "-o", tmp_path / "a.npz", "--save-states", states, *words).json()
    assert str(states) in first["written"]
    saved = json.loads(states.read_text())
    assert [set(clip) for clip in saved] == [{"lower", "upper"}] * 2
    again = run("framespace", *loops, "-o", tmp_path / "b.npz", "--states", states, *words).json()
    # Detected states that lie close together are not matched; given ones are.
    assert set(again["states"]) >= set(first["states"])
    for clip in saved:
        clip["upper"] = []
    states.write_text(json.dumps(saved))
    fewer = run("framespace", *loops, "-o", tmp_path / "c.npz", "--states", states, *words).json()
    assert not any(".S " in state for state in fewer["states"])
    assert any(".S " in state for state in again["states"])


def test_loops_of_different_numbers_of_strides_are_refused(
    run: Run, gaits: list[Path], tmp_path: Path
) -> None:
    loops = [
        ml.save(ml.cyclify(ml.load(path), cycles=n), tmp_path / f"{path.stem}.npz")
        for n, path in enumerate(gaits[:2], start=1)
    ]
    words = ("framespace", *loops, "-o", tmp_path / "out.npz", "--curve", "0:0 1:1")
    ended = run(*words)
    assert ended.code == 2
    assert "the cycles have different numbers of strikes (2, 4): give cycles of one stride" in ended.complaint
    facts = run(*words, "--allow-unfit", "--json").json()
    assert facts["verdict"] == "no match"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "is not JSON"),
        ("{}", "must be a list with the states of each clip"),
        ("[null, 3]", "states of clip 1: "),
        ('[null, [[0, "L.et"]]]', "states are given for clip 1, which is no cycle"),
        ("[null]", "states are given for 1 clips, but there are 2"),
    ],
)
def test_wrong_states_are_explained(
    run: Run, gaits: list[Path], tmp_path: Path, text: str, complaint: str
) -> None:
    states = tmp_path / "states.json"
    states.write_text(text)
    ended = run("framespace", *gaits[:2], "--curve", "0:0 1:1", "-o", tmp_path / "o.npz", "--states", states)
    assert ended.code in (1, 2)
    assert complaint in ended.complaint


@pytest.mark.slow
def test_labels_and_equivalences(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("framespace", *gaits[:2], "--curve", "0:0 1:1", "--cycles", 2, "--json", "-o")
    facts = run(*words, tmp_path / "a.npz", "--label", "et", "--label", "lift").json()
    assert {label.split()[-1] for state in facts["states"] for label in state.split(", ")} <= {
        "L.et",
        "R.et",
        "L.lift",
        "R.lift",
    }
    same = run(*words, tmp_path / "b.npz", "--equivalent", "mt=et").json()
    assert not any("mt" in state for state in same["states"])
    without = run(*words, tmp_path / "c.npz", "--without", facts["states"][0].split(", ")[0]).json()
    assert len(without["states"]) < len(run(*words, tmp_path / "d.npz").json()["states"])
    ended = run(*words, tmp_path / "e.npz", "--equivalent", "mt")
    assert (ended.code, ended.complaint) == (2, "--equivalent needs LABEL=LABEL, not 'mt'")


def test_place_and_average(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("--curve", "0:0.5 1:0.5", "--cycles", 1, "--place", "90,3,-2", "--average", "karcher")
    assert run("framespace", *gaits[:2], "-o", tmp_path / "a.npz", *words).code == 0
    clip = ml.load(tmp_path / "a.npz")
    assert clip.root_positions[0, [0, 2]] == pytest.approx([3.0, -2.0], abs=1e-6)


def test_the_result_stays_in_place_where_that_is_wanted(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    ended = run(
        "framespace",
        *gaits[:2],
        "--curve",
        "0:0.5",
        "--cycles",
        "1",
        "--loop",
        "--in-place",
        "-o",
        out,
        "--json",
    )
    assert ended.code == 0, ended.err
    loop = ml.load(out)
    assert loop.cyclic
    assert abs(loop.root_positions[-1, 2] - loop.root_positions[0, 2]) < 0.1
    assert 1.5 < ended.json()["removed_speed_m_per_s"] < 2.6
