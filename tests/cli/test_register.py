from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.display import plot
from motionloom.errors import MotionloomError
from motionloom.synthesis import jog, walk
from motionloom.workflows import prepare
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
    assert f"{name}: plots are saved as .png, .svg or .pdf" in ended.err


def test_sync_markers_are_json(run: Run, tmp_path: Path) -> None:
    ended = run("register", "one.bvh", "two.bvh", "-o", tmp_path / "c.npz", "--markers", "sync.npz")
    assert (ended.code, ended.complaint) == (2, "sync.npz: sync markers are saved as .json")


def test_a_missing_plotting_package_is_said_first(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plot, "find_spec", lambda name: None)
    ended = run("register", "one.bvh", "-o", str(tmp_path / "c.npz"), "--plot", str(tmp_path / "c.png"))
    assert ended.code == 1
    assert "plotting needs the package 'matplotlib'" in ended.err


def test_nothing_is_left_behind_when_the_plot_fails(
    run: Run, gaits: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MotionloomError("no ink")

    monkeypatch.setattr(plot, "registration", fail)
    before = sorted(tmp_path.rglob("*"))
    curve, grid = tmp_path / "new/curve.npz", tmp_path / "plots/grid.png"
    ended = run("register", *map(str, gaits), "--cut=strides", "-o", str(curve), "--plot", str(grid))
    assert (ended.code, "no ink" in ended.err) == (1, True)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_gait_is_needed_for_strides(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    run("synthesize", "kick_front", "-o", str(tmp_path / "kick.bvh"))
    ended = run(
        "register", str(gaits[0]), str(tmp_path / "kick.bvh"), "--cut=strides", "-o", str(tmp_path / "c.npz")
    )
    assert ended.code == 2
    assert "no gait was found in clip 1" in ended.err


@pytest.mark.slow
def test_register_writes_curve_clips_and_plot(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    curve, plot = tmp_path / "curve.npz", tmp_path / "grid.png"
    ended = run(
        "register", *map(str, gaits), "--cut=strides", "-o", str(curve), "--plot", str(plot), "--json"
    )
    assert ended.code == 0, ended.err
    facts = json.loads(ended.out)
    assert facts["verdict"].startswith(("good", "doubtful"))
    assert facts["matches"] > 0
    assert plot.stat().st_size > 20_000
    assert [(Path(cut["file"]).name, cut["strides"]) for cut in facts["cuts"]] == [
        ("walk.bvh", 3),
        ("jog.bvh", 3),
    ]
    assert {"event", "seconds_before", "seconds_after"} < set(facts["cuts"][0])
    again = ml.load(curve, ml.RegistrationCurve)
    assert again.n_clips == 2
    assert {path.name for path in (tmp_path / "curve-clips").iterdir()} == {"00-walk.npz", "01-jog.npz"}
    refused = run("register", *map(str, gaits), "-o", str(curve))
    assert refused.code == 1
    assert "already exists" in refused.err


def test_sync_markers_come_in_one_order(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    sync = tmp_path / "sync.json"
    words = [*gaits, "--cut=strides", "-o", tmp_path / "curve.npz", "--markers", sync, "--json"]
    facts = run("register", *words).json()
    assert facts["written"][-1] == str(sync)
    walking, jogging = json.loads(sync.read_text())["clips"]
    assert (walking["name"], jogging["name"]) == ("walk", "jog")
    names = [[marker["name"] for marker in entry["markers"]] for entry in (walking, jogging)]
    assert names[0] == names[1]
    assert "left_strike" in names[0]


def test_the_table_says_what_a_person_needs(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("register", *map(str, gaits), "--cut=strides", "-o", str(tmp_path / "curve.npz"), "-v")
    assert ended.code == 0
    assert "verdict" in ended.out
    assert "mean distance m" in ended.out
    assert "walk.bvh: 3 strides from the right strike; dropped 0.53 s before and 0.40 s after" in ended.out


def test_whole_clips_are_not_cut_and_warnings_stay_as_they_were(
    run: Run, gaits: list[Path], tmp_path: Path
) -> None:
    filters = list(warnings.filters)
    facts = run("register", *map(str, gaits), "-o", str(tmp_path / "curve.npz"), "--json").json()
    assert facts["cuts"] == []
    assert warnings.filters == filters


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--cut half", "invalid value for '--cut'"),
        ("--start loose", "--start needs a frame of each clip, such as 30,42, not 'loose'"),
        ("--pin 30", "--pin needs a frame of each clip, such as 30,42, not '30'"),
        ("--pin a,b", "--pin needs a frame of each clip, such as 30,42, not 'a,b'"),
        ("--pin nan,3", "--pin needs a frame of each clip, such as 30,42, not 'nan,3'"),
        ("--pin 3,999", "a pin names frame 999 of jog, but only frames 0 to 90 of it are used"),
        ("--start 3", "--start needs a frame of each clip, such as 30,42, not '3'"),
        ("--start 999,3", "--start names frame 999 of walk, but only frames 0 to 120 of it are used"),
        ("--joint-weight Head", "--joint-weight needs NAME=W, such as LeftHand=0.5, not 'Head'"),
        ("--joint-weight Head=inf", "--joint-weight needs NAME=W, such as LeftHand=0.5, not 'Head=inf'"),
        ("--joint-weight Tail=1", "the skeleton has no joint 'Tail'"),
        ("--window -1", "window must be from 0 to 2 seconds, not -1"),
        ("--window 1000", "window must be from 0 to 2 seconds, not 1000"),
    ],
)
def test_wrong_choices_are_explained(
    run: Run, gaits: list[Path], tmp_path: Path, words: str, complaint: str
) -> None:
    ended = run("register", *gaits, "-o", tmp_path / "curve.npz", *words.split())
    assert ended.code == 2
    assert complaint in ended.complaint
    assert not (tmp_path / "curve.npz").exists()


def test_a_pin_names_a_frame_of_each_clip(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    files = [*gaits, gaits[0]]
    ended = run("register", *files, "-o", tmp_path / "curve.npz", "--pin", "30,42")
    assert ended.complaint.endswith("a pin needs one frame per clip, not 2 frames")
    words = "--pin 61,40,58 --start 6,4,5 --end 110,80,108 --alignment windowed"
    assert run("register", *files, "-o", tmp_path / "curve.npz", *words.split()).code == 0
    curve = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    assert curve.spans == pytest.approx(np.array([[6, 4, 5], [110, 80, 108]]), abs=1e-9)
    met = curve.timewarp(curve.timewarp.inverse(0, 61.0))
    assert met == pytest.approx([61, 40, 58], abs=1e-4)
    assert curve.settings.alignment == "windowed"


def test_auto_cuts_as_blend_does(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    facts = run("register", *gaits, "-o", tmp_path / "curve.npz", "--cut=auto", "--json").json()
    prepared = prepare([ml.load(path) for path in gaits])
    curve, cuts = prepared.register(), prepared.stride_cuts
    assert [cut["strides"] for cut in facts["cuts"]] == [cut.strides for cut in cuts]
    saved = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    assert np.array_equal(saved.timewarp.control_points, curve.timewarp.control_points)


def test_choices_reach_the_registration(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = "--window 0.2 --pin 61,40 --joint-weight LeftHand=0.5 --joint-weight RightHand=0 --slope-limit 2"
    words += " --start 6,4"
    assert run("register", *gaits, "-o", tmp_path / "curve.npz", *words.split()).code == 0
    settings = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve).settings
    assert (settings.window, settings.slope_limit) == (0.2, 2)
    assert [tuple(pin) for pin in settings.pins] == [(61, 40)]
    assert tuple(settings.start) == (6, 4)
    assert settings.joint_weights == {"LeftHand": 0.5, "RightHand": 0.0}


def test_pins_name_frames_of_the_files(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    """The first clip is at twice the rate of the second, and strides are cut out of both."""
    fast = tmp_path / "fast.npz"
    ml.save(walk(duration=4, fps=60).clip, fast)
    words = ("--cut=auto", "--pin", "124,40")
    assert run("register", fast, gaits[1], "-o", tmp_path / "curve.npz", *words).code == 0
    cuts = prepare([ml.load(fast), ml.load(gaits[1])]).stride_cuts
    (pin,) = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve).settings.pins
    assert tuple(pin) == (round((124 - cuts[0].start) / 2), 40 - cuts[1].start)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_free_ends_and_a_reference(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("--start", "free", "--end", "free", "--reference", 1)
    facts = run("register", *gaits, "-o", tmp_path / "curve.npz", *words, "--json").json()
    assert facts["reference"] == str(gaits[1])
    settings = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve).settings
    assert (settings.start, settings.end, settings.reference) == ("free", "free", 1)
    ended = run("register", *gaits, "-o", tmp_path / "other.npz", "--reference", 2)
    assert (ended.code, "reference must be" in ended.complaint) == (2, True)


def test_ends_are_frames_of_the_files(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("--start", "6,4", "--end", "90,70")
    assert run("register", *gaits, "-o", tmp_path / "curve.npz", *words).code == 0
    curve = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    assert np.allclose(curve.spans, [[6, 4], [90, 70]])


@pytest.mark.slow
def test_every_setting_reaches_the_registration(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = "--points 30 --speed-weight 0.5 --events strike,lift --stiffness 2 "
    words += "--knot-spacing 0.2 --smoothing 3 --profile thesis --cut strides"
    ended = run("register", *gaits, "-o", tmp_path / "curve.npz", *words.split())
    assert ended.code == 0, ended.err
    settings = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve).settings
    assert (settings.points, settings.speed_weight) == (30, 0.5)
    assert list(settings.events or ()) == ["strike", "lift"]
    assert (settings.knot_spacing, settings.smoothing, settings.slope_limit) == (0.2, 3, 2)
    ended = run("register", *gaits, "-o", tmp_path / "slow.npz", "--min-rate", 0.4, "--events", "")
    assert ended.code == 0, ended.err
    settings = ml.load(tmp_path / "slow.npz", ml.RegistrationCurve).settings
    assert (settings.min_rate, tuple(settings.events or ())) == (0.4, ())
