from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.blending.controls import measure_path
from motionloom.cycles import cyclify
from motionloom.registration import register
from motionloom.synthesis import jog, walk
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def loops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A curve over one cycle of a walk to the left and of a jog to the right, with its clips."""
    folder = tmp_path_factory.mktemp("loops")
    gaits = {"walk": walk(curvature=0.3, duration=4, fps=30), "jog": jog(curvature=-0.2, duration=4, fps=30)}
    places = [
        ml.save(cyclify(ml.annotate(made.clip), cycles=1), folder / f"{name}.npz")
        for name, made in gaits.items()
    ]
    return ml.save(register([ml.load(place) for place in places]), folder / "curve.npz")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "new" / "steered.npz"


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there are no keys"),
        ("time,w0,w1\n", "there are no keys"),
        ("w0,w1\n1,0\n", "line 2: a key needs a time; there is only w0, w1"),
        ("time;w0;w1\n0;1;0\n", "line 2: a key needs a time; there is only time;w0;w1"),
        ("time,w0,w1\n0,1\n", "line 2: the row has 2 cells, but the header has 3"),
        ("time,w0,w1\n\n0,1,x\n", "line 3: w1 must be a number, not 'x'"),
        ("time,w0,w1\n0,1,nan\n", "line 2: w1 must be a number, not 'nan'"),
        ("time,w0,w1\n0,1,0\n-1,0,1\n", "line 3: time -1 is negative"),
        ("time,w0,w1\n0,1,0\n0,0,1\n", "line 3: time 0 occurs twice"),
        ("time,w0,w1,w2\n0,1,0,0\n", "line 2: the curve has 2 clips, so a key needs w0 to w1, or a speed"),
        ("time,turn\n0,1\n", "line 2: the curve has 2 clips, so a key needs w0 to w1, or a speed"),
        ("time,speed\n0,fast\n", "line 2: speed must be a number, not 'fast'"),
        ("time,speed,style\n0,1,walk:x jog:1\n", "line 2: weight of style walk must be a number, not 'x'"),
    ],
)
def test_what_is_wrong_in_a_csv_is_said_with_its_line(
    run: Run, loops: Path, tmp_path: Path, out: Path, text: str, sentence: str
) -> None:
    keys = written(tmp_path / "keys.csv", text)
    ended = run("control", loops, keys, "-o", out)
    assert ended.code == 1
    assert ended.complaint.startswith(str(keys))
    assert sentence in ended.complaint
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[\n{]", "line 2: the file is not JSON"),
        ('{"time": 0}', "keys must be a list of objects"),
        ("[3]", "key 0 must be an object with a time, not 3"),
        ('[{"time": 0, "weights": [1, 0]}, {"time": 1, "weights": [1]}]', "key 1: the curve has 2 clips"),
        ('[{"time": 0, "weights": [1, true]}]', "key 0: w1 must be a number, not True"),
        (
            '[{"time": 0, "weights": [1, 0]}, {"time": 1, "speed": 1}]',
            "key 1: keys with weights and keys",
        ),
        ('[{"time": 0, "speed": 1, "style": 3}]', "key 0: style must be a name or a mix"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_wrong_in_a_json_is_said_with_its_key(
    run: Run, loops: Path, tmp_path: Path, out: Path, text: str, sentence: str
) -> None:
    ended = run("control", loops, written(tmp_path / "keys.json", text), "-o", out)
    assert (ended.code, sentence in ended.complaint) == (1, True), ended.err


def test_keys_are_csv_or_json_text(run: Run, loops: Path, tmp_path: Path, out: Path) -> None:
    ended = run("control", loops, written(tmp_path / "keys.txt", ""), "-o", out)
    assert (ended.code, "keys are read from .csv or .json files" in ended.err) == (2, True)
    (tmp_path / "keys.csv").write_bytes(b"\xff\xfe\x00")
    ended = run("control", loops, tmp_path / "keys.csv", "-o", out)
    assert (ended.code, "the file is not UTF-8 text" in ended.err) == (1, True)
    ended = run("control", loops, tmp_path / "none.csv", "-o", out)
    assert (ended.code, "none.csv: no such file" in ended.err) == (1, True)


def test_styles_must_be_said(run: Run, loops: Path, tmp_path: Path, out: Path) -> None:
    keys = written(tmp_path / "keys.csv", "time,speed,style\n0,1,walk\n2,1,jog\n")
    ended = run("control", loops, keys, "-o", out)
    assert (ended.code, "give the style of each clip with --styles" in ended.err) == (2, True)
    ended = run("control", loops, keys, "-o", out, "--styles", "walk,jog", "--json")
    assert ended.code == 0, ended.err
    assert ended.json()["frames"] == 61


def test_one_key_needs_a_length(run: Run, loops: Path, tmp_path: Path, out: Path) -> None:
    keys = written(tmp_path / "keys.csv", "time,w0,w1\n0,1,1\n")
    ended = run("control", loops, keys, "-o", out)
    assert (ended.code, "cyclic clips repeat forever: add --duration" in ended.err) == (2, True)
    ended = run("control", loops, keys, "-o", out, "--duration", "3")
    assert (ended.code, ml.load(out).n_frames) == (0, 91)


def test_weights_and_their_list_say_the_same(run: Run, loops: Path, tmp_path: Path) -> None:
    rows = [(0.0, 1.0, 0.0), (3.0, 0.0, 1.0)]
    table = "# walk, jog\ntime, w0, w1\n" + "".join(f"{t}, {a}, {b}\n" for t, a, b in rows)
    listed = json.dumps([{"time": t, "weights": [a, b]} for t, a, b in rows])
    a, b = tmp_path / "a.npz", tmp_path / "b.npz"
    assert run("control", loops, written(tmp_path / "keys.csv", table), "-o", a).code == 0
    assert run("control", loops, written(tmp_path / "keys.json", listed), "-o", b).code == 0
    assert np.array_equal(ml.load(a).rotations, ml.load(b).rotations)
    assert ml.load(a).constraints
    again = run("control", loops, tmp_path / "keys.csv", "-o", a)
    assert (again.code, "replace it with --force" in again.err) == (1, True)


@pytest.mark.slow
def test_speed_and_turn_are_followed(run: Run, loops: Path, tmp_path: Path, out: Path) -> None:
    """Turns are in degrees per second; the clips' own are among the facts."""
    keys = written(tmp_path / "keys.csv", "time,speed,turn\n0,1.9,0\n8,1.9,0\n")
    plot = tmp_path / "steered.png"
    ended = run("control", loops, keys, "-o", out, "--plot", plot, "--json")
    assert ended.code == 0, ended.err
    facts = ended.json()
    assert facts["written"] == [str(out), str(plot)]
    assert facts["keys"] == 2
    assert [round(turn) for turn in facts["clip_turns_deg_per_s"]] == [24, -30]
    stride = measure_path(ml.load(out))
    assert stride.speed == pytest.approx(1.9, abs=0.15)
    assert stride.turn_rate == pytest.approx(0.0, abs=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["time,speed\n0,1.6\n8,1.6\n", "time,speed,turn\n0,1.6,\n8,1.6,\n"])
def test_a_speed_alone_is_followed(run: Run, loops: Path, tmp_path: Path, out: Path, text: str) -> None:
    ended = run("control", loops, written(tmp_path / "keys.csv", text), "-o", out)
    assert ended.code == 0, ended.err
    assert measure_path(ml.load(out)).speed == pytest.approx(1.6, abs=0.05)


def test_what_a_format_does_not_keep_is_said(run: Run, loops: Path, tmp_path: Path) -> None:
    keys = written(tmp_path / "keys.csv", "time,w0,w1\n0,1,0\n2,1,0\n")
    ended = run("control", loops, keys, "-o", tmp_path / "out.bvh", "-v")
    assert ended.code == 0
    assert "2 clips controlled" in ended.out
    assert "constraints and events were not saved" in ended.err


def test_clips_that_do_not_belong_together_are_refused(run: Run, unfit_curve: Path, tmp_path: Path) -> None:
    keys = written(tmp_path / "keys.csv", "time,w0,w1\n0,1,0\n1,0,1\n")
    words = ("control", unfit_curve, keys, "-o", tmp_path / "out.npz")
    ended = run(*words)
    assert ended.code == 1
    assert ended.complaint.startswith("these clips do not match: ")
    assert ended.complaint.endswith("with --allow-unfit")
    assert run(*words, "--allow-unfit").code == 0


def test_nothing_is_left_behind_when_the_plot_fails(
    run: Run, loops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("motionloom.display.plot.blend", fail)
    keys = written(tmp_path / "keys.csv", "time,w0,w1\n0,1,0\n1,0,1\n")
    new = tmp_path / "new"
    ended = run("control", loops, keys, "-o", new / "out.npz", "--plot", new / "out.png")
    assert ended.code == 1
    assert not new.exists()


def test_feet_are_planted_where_that_is_wanted(run: Run, loops: Path, tmp_path: Path, out: Path) -> None:
    keys = written(tmp_path / "keys.csv", "time,w0,w1\n0,1,0\n1,0,1\n")
    assert run("control", loops, keys, "-o", out).code == 0
    assert all(held.target is None for held in ml.load(out).constraints)
    assert run("control", loops, keys, "-o", out, "--plant", "--force").code == 0
    planted = ml.load(out)
    assert planted.constraints
    assert all(held.target is not None for held in planted.constraints)


def test_the_result_stays_in_place_where_that_is_wanted(
    run: Run, loops: Path, tmp_path: Path, out: Path
) -> None:
    keys = written(tmp_path / "keys.csv", "time,w0,w1\n0,1,0\n4,0,1\n")
    ended = run("control", loops, keys, "-o", out, "--in-place", "--json")
    assert ended.code == 0, ended.err
    away = ml.load(out).root_positions[:, [0, 2]]
    assert np.linalg.norm(away - away[0], axis=1).max() < 0.5
    assert 1.4 < ended.json()["removed_speed_m_per_s"] < 2.6


def test_keys_beyond_the_end_of_the_clips_are_said(run: Run, tmp_path: Path, out: Path) -> None:
    """Clips that do not repeat end before the last key."""
    clips = [ml.annotate(walk(speed=speed, duration=2, fps=30).clip) for speed in (1.0, 1.4)]
    curve = ml.save(ml.register(clips), tmp_path / "open.npz")
    keys = tmp_path / "keys.csv"
    keys.write_text("time,w0,w1\n0,1,0\n12,0,1\n")
    ended = run("control", curve, keys, "-o", out, "-v")
    assert ended.code == 0
    assert "weights are given up to 12.00 s, but the clips end after 2.0" in ended.out
