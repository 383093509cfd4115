from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.cli.blend import join_weights
from motionloom.enforcement import EnforcementReport
from motionloom.registration import Cause
from motionloom.synthesis import jog, reach_out, walk
from motionloom.workflows import find_common_floor
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def curve(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The registration of a slow walk to the left and a fast one to the right."""
    folder = tmp_path_factory.mktemp("curve")
    speeds_and_bends = {"slow": (1.0, 0.3), "fast": (1.6, -0.3)}
    paths = [
        ml.save(walk(speed=speed, curvature=bend, duration=2, fps=30).clip, folder / f"{name}.npz")
        for name, (speed, bend) in speeds_and_bends.items()
    ]
    return ml.save(ml.register([ml.annotate(ml.load(path)) for path in paths]), folder / "curve.npz")


@pytest.fixture
def gaits(curve: Path) -> list[Path]:
    """The clips of the curve, four seconds each."""
    speeds = {"longer-slow": 1.0, "longer-fast": 1.6}
    return [
        ml.save(walk(speed=speed, duration=4, fps=30).clip, curve.with_name(f"{name}.npz"), overwrite=True)
        for name, speed in speeds.items()
    ]


@pytest.fixture(scope="module")
def annotated_curve(curve: Path) -> Path:
    """The same, with the clips as they were registered beside it."""
    clips = []
    for name in ("slow", "fast"):
        path = curve.with_name(f"{name}-annotated.npz")
        ml.save(ml.annotate(ml.load(curve.with_name(f"{name}.npz"))), path)
        clips.append(ml.load(path))
    return ml.save(ml.register(clips), curve.with_name("annotated.npz"))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("-w 1 1 1", "2 clips need 2 weights, not 3"),
        ("-w nan 1", "--weights needs numbers, one for each clip, not 'nan,1'"),
        ("-w 1 inf", "--weights needs numbers, one for each clip, not '1,inf'"),
        ("-w a b", "--weights needs numbers, one for each clip, not 'a'"),
        ("-w 1 -1", "the weights at 0.000 s add up to 0"),
        ("-w 1 1 --joint Tail=1,0", "the skeleton has no joint 'Tail'"),
        ("-w 1 1 --joint Head", "--joint needs NAME=W,W,…, not 'Head'"),
        ("-w 1 1 --part tail=1,0", "there is no body part 'tail'"),
        ("-w 1 1 --place nan,0,0", "--place needs YAW,X,Z (degrees, metres), not 'nan,0,0'"),
        ("-w 1 1 --duration -1", "--duration must be a positive number"),
        ("", "give the weight of each clip: -w 0.3 0.7, or --keys for weights over time"),
    ],
)
def test_wrong_calls_are_explained(
    run: Run, annotated_curve: Path, tmp_path: Path, words: str, complaint: str
) -> None:
    ended = run("blend", annotated_curve, *words.split(), "-o", tmp_path / "out.npz")
    assert ended.code == 2
    assert complaint in ended.complaint
    assert list(tmp_path.iterdir()) == []


def test_what_was_said_of_the_first_reading_is_not_said_again(
    run: Run, walk_bvh: Path, tmp_path: Path
) -> None:
    first = ml.load(walk_bvh)
    noted = ml.save(replace(first, source=first.source.noting("lengths read as cm")), tmp_path / "a.npz")
    assert "lengths read as cm" in ml.load(noted).source.notes
    ended = run("blend", noted, noted, "-w", 1, 1, "-o", tmp_path / "out.npz")
    assert ended.code == 0
    assert "read as cm" not in ended.err + ended.out


@pytest.mark.slow
def test_clips_that_do_not_belong_together_are_refused(run: Run, walk_bvh: Path, tmp_path: Path) -> None:
    ml.save(reach_out(fps=30).clip, tmp_path / "reach.bvh")
    words = ("blend", walk_bvh, tmp_path / "reach.bvh", "-w", 1, 1, "-o", tmp_path / "out.bvh")
    ended = run(*words)
    assert ended.code == 1
    assert ended.complaint.startswith("these clips do not match: ")
    assert ended.complaint.endswith("or blend them anyway with --allow-unfit")
    assert not (tmp_path / "out.bvh").exists()
    assert run(*words, "--allow-unfit").code == 0


@pytest.mark.slow
def test_clips_are_blended_in_one_call(run: Run, tmp_path: Path) -> None:
    ml.save(walk(duration=3.0, fps=30).clip, tmp_path / "walk.bvh")
    ml.save(jog(duration=3.0, phase=0.4, fps=30).clip, tmp_path / "jog.bvh")
    words = ("blend", tmp_path / "walk.bvh", tmp_path / "jog.bvh", "-w", 0.3, 0.7, "--json")
    facts = run(*words, "-o", tmp_path / "planted.npz").json()
    assert facts["verdict"].startswith("good")
    planted = ml.load(tmp_path / "planted.npz")
    assert all(held.target is not None for held in planted.constraints)
    assert run(*words, "-o", tmp_path / "raw.npz", "--no-plant").code == 0
    assert all(held.target is None for held in ml.load(tmp_path / "raw.npz").constraints)


def test_a_curve_of_annotated_clips_can_be_blended(run: Run, curve: Path, tmp_path: Path) -> None:
    """The files beside the curve hold the clips before they were annotated; the curve has those after."""
    assert run("blend", curve, "-w", 1, 1, "-o", tmp_path / "out.npz").code == 0
    assert ml.load(tmp_path / "out.npz").constraints


def test_a_clip_that_has_changed_is_said(run: Run, tmp_path: Path) -> None:
    """The curve was made of the clips in the files, one of which is another now."""
    clips = [ml.annotate(walk(speed=speed, duration=2, fps=30).clip) for speed in (1.0, 1.6)]
    paths = [ml.save(clip, tmp_path / f"{n}.npz") for n, clip in enumerate(clips)]
    curve = ml.save(ml.register([ml.load(path) for path in paths]), tmp_path / "curve.npz")
    ml.save(clips[0].mirrored(), paths[1], overwrite=True)
    ended = run("blend", curve, "-w", 1, 1, "-o", tmp_path / "out.npz")
    assert ended.code == 1
    assert "differs from the registered one" in ended.complaint


def test_existing_files_stay(run: Run, annotated_curve: Path, tmp_path: Path) -> None:
    there = tmp_path / "out.npz"
    there.write_text("mine")
    ended = run("blend", annotated_curve, "-w", 1, 1, "-o", there)
    assert ended.code == 1
    assert "already exists" in ended.complaint
    assert there.read_text() == "mine"
    assert run("blend", annotated_curve, "-w", 1, 1, "-o", there, "--force").code == 0
    assert ml.load(there).n_frames > 30


def test_numbers_after_w_belong_to_it() -> None:
    assert join_weights(["-w", "1", "2e-1", "-3", "c.npz"]) == ["--weights=1,2e-1,-3", "c.npz"]
    assert join_weights(["--weights", "1,2", "3"]) == ["--weights=1,2,3"]
    assert join_weights(["c.npz", "-w"]) == ["c.npz", "-w"]
    assert join_weights(["--place", "1,2,3"]) == ["--place", "1,2,3"]


def test_the_facts_of_a_blend(run: Run, annotated_curve: Path, tmp_path: Path) -> None:
    made = tmp_path / "new" / "half.npz"
    facts = run("blend", annotated_curve, "-w", 0.5, 0.5, "-o", made, "--json").json()
    clip = ml.load(made)
    expected = ml.blend(ml.load(annotated_curve, ml.RegistrationCurve), [0.5, 0.5]).clip
    assert np.array_equal(clip.rotations, expected.rotations)
    assert np.array_equal(clip.root_positions, expected.root_positions)
    assert facts["written"] == [str(made)]
    assert (facts["frames"], facts["duration_s"]) == (expected.n_frames, pytest.approx(expected.duration))
    steps = np.diff(expected.root_positions[:, [0, 2]], axis=0)
    assert facts["path_length_m"] == pytest.approx(np.linalg.norm(steps, axis=1).sum(), rel=0.02)
    assert facts["constraints"] == len(clip.constraints) > 0
    assert facts["verdict"].startswith("good")
    assert (facts["method"], facts["notes"]) == ("registration", [])


def test_options_reach_the_blend(run: Run, annotated_curve: Path, tmp_path: Path) -> None:
    made = tmp_path / "out.npz"
    words = "-w 1,0 --place 90,1,2 --duration 1 --rate-law duration --average karcher"
    parts = ["--part", "upper body=0,1", "--joint", "Head=1,0"]
    facts = run("blend", annotated_curve, *words.split(), *parts, "-o", made, "--json").json()
    curve = ml.load(annotated_curve, ml.RegistrationCurve)
    upper = ml.body_part(curve.clips[0].skeleton, "upper body")
    expected = ml.blend(
        curve,
        [1, 0],
        place=ml.GroundTransform(np.pi / 2, 1, 2),
        duration=1.0,
        rate_law="duration",
        average="karcher",
        joint_weights=dict.fromkeys(upper, (0, 1)) | {"Head": (1, 0)},
    )
    assert facts["frames"] == 31
    assert np.array_equal(ml.load(made).rotations, expected.clip.rotations)
    assert ml.load(made).root_positions[0, [0, 2]] == pytest.approx([1, 2])


def test_the_rate_law_reaches_the_blend_and_flights_are_listed(run: Run, tmp_path: Path) -> None:
    paths = [tmp_path / "slow.npz", tmp_path / "fast.npz"]
    for path, speed in zip(paths, (2.2, 4.0), strict=True):
        ml.save(jog(speed=speed, duration=2.0, fps=60).clip, path)
    lengths = {}
    for law in ("auto", "frequency", "duration", "ballistic"):
        words = f"-w 0.5 0.5 --cut whole --no-plant --rate-law {law} -o {tmp_path / law}.npz --json"
        facts = run("blend", *paths, *words.split()).json()
        lengths[law] = facts["frames"]
        assert len(facts["gravity_in_flight_m_per_s2"]) == facts["flights"]
        assert (facts["flights"] > 0) == (law in ("auto", "ballistic"))
    assert lengths["frequency"] <= lengths["auto"] <= lengths["ballistic"]
    assert lengths["duration"] <= lengths["ballistic"]


def test_the_same_call_gives_the_same_bytes(run: Run, annotated_curve: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "one.bvh", tmp_path / "two.bvh"]
    for path in paths:
        run("blend", annotated_curve, "-w", 0.3, 0.7, "-o", path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_person_reads_a_table_and_what_was_odd(run: Run, annotated_curve: Path, tmp_path: Path) -> None:
    ended = run("blend", annotated_curve, "-w", 1.8, -0.8, "-o", tmp_path / "out.bvh", "-v")
    assert ended.code == 0, ended.err
    assert "2 clips blended" in ended.out
    assert "path length m" in ended.out
    assert "note: the weights leave the range 0 to 1 by 0.8" in ended.out
    assert "constraints and events were not saved: only .npz, " in ended.err


def test_linear_blending_to_compare_against(run: Run, annotated_curve: Path, tmp_path: Path) -> None:
    words = ["-w", 1, 1, "-o", tmp_path / "out.npz", "--method", "linear", "--json"]
    facts = run("blend", annotated_curve, *words).json()
    assert facts["method"] == "linear"
    expected = ml.blend(ml.load(annotated_curve, ml.RegistrationCurve), [1, 1], method="linear").clip
    assert np.array_equal(ml.load(tmp_path / "out.npz").rotations, expected.rotations)


@pytest.mark.slow
def test_a_plot_is_drawn_and_its_name_looked_at_first(
    run: Run, annotated_curve: Path, tmp_path: Path
) -> None:
    made = tmp_path / "out.npz"
    refused = run("blend", "missing.npz", "-w", 1, 1, "-o", made, "--plot", tmp_path / "plot.jpg")
    assert refused.code == 2
    assert "plots are saved as .png, .svg or .pdf" in refused.complaint
    plot = tmp_path / "plot.png"
    assert run("blend", annotated_curve, "-w", 1, 1, "-o", made, "--plot", plot).code == 0
    assert plot.stat().st_size > 20_000


@pytest.mark.parametrize(
    ("text", "words", "complaint"),
    [
        ("time,w0,w1\n0,1,0\n", "-w 1 1", "--weights and --keys both give the weights: leave one out"),
        ("time,w0\n0,1\n", "", "line 2: the curve has 2 clips, so a key needs w0 to w1, or a speed"),
        ("time,speed\n0,1\n", "", "the keys have speeds, which only `motionloom control` takes"),
    ],
)
def test_wrong_keys_are_explained(
    run: Run, annotated_curve: Path, tmp_path: Path, text: str, words: str, complaint: str
) -> None:
    keys = tmp_path / "keys.csv"
    keys.write_text(text)
    ended = run("blend", annotated_curve, "--keys", keys, *words.split(), "-o", tmp_path / "out.npz")
    assert ended.code in (1, 2)
    assert complaint in ended.complaint
    assert not (tmp_path / "out.npz").exists()


def test_keys_are_looked_at_before_clips_are_registered(run: Run, tmp_path: Path) -> None:
    keys = tmp_path / "keys.csv"
    keys.write_text("time,w0,w1\n0,a,1\n")
    ended = run("blend", "no.bvh", "none.bvh", "--keys", keys, "-o", tmp_path / "out.npz")
    assert ended.complaint == f"{keys}, line 2: w0 must be a number, not 'a'"


def test_keys_that_are_not_reached_are_said(run: Run, annotated_curve: Path, tmp_path: Path) -> None:
    keys, made = tmp_path / "keys.csv", tmp_path / "out.npz"
    keys.write_text("time,w0,w1\n0,1,0\n9,0,1\n")
    ended = run("blend", annotated_curve, "--keys", keys, "--duration", 0.5, "-o", made, "-v")
    assert "the last key, at 9 s, is not reached: the blend lasts 0.50 s" in ended.out


def test_keys_of_weights_reach_the_blend(run: Run, annotated_curve: Path, tmp_path: Path) -> None:
    keys, made = tmp_path / "keys.json", tmp_path / "out.npz"
    keys.write_text('[{"time": 0, "weights": [1, 0]}, {"time": 0.8, "w0": 0.25, "w1": 0.75}]')
    words = ("--keys", keys, "--easing", "linear", "--duration", 0.9, "--plant")
    assert "is not reached" not in run("blend", annotated_curve, *words, "-o", made).out
    curve = ml.load(annotated_curve, ml.RegistrationCurve)
    weights = ml.KeyedWeights({0.0: (1, 0), 0.8: (0.25, 0.75)}, "linear")
    expected = ml.enforce(ml.blend(curve, weights, duration=0.9).clip, ground=find_common_floor(curve.clips))
    assert np.array_equal(ml.load(made).rotations, expected.clip.rotations)


@pytest.mark.slow
def test_files_are_cut_and_registered_as_asked(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("-w", 1, 1, "--cut", "loops", "--slope-limit", 2, "--json")
    facts = run("blend", *gaits, "-o", tmp_path / "loop.npz", *words).json()
    assert facts["cyclic"]
    expected = ml.mix([ml.load(path) for path in gaits], [1, 1], cut="loops", slope_limit=2)
    assert np.array_equal(ml.load(tmp_path / "loop.npz").rotations, expected.clip.rotations)


def test_a_curve_is_not_registered_again(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    curve = tmp_path / "curve.npz"
    assert run("register", *gaits, "-o", curve, "--cut", "strides").code == 0
    ended = run("blend", curve, "-w", 1, 1, "-o", tmp_path / "out.bvh", "--cut", "auto")
    assert (ended.code, ended.complaint) == (2, f"{curve} is a registered curve already: leave out --cut")
    ended = run("blend", curve, "-w", 1, 1, "-o", tmp_path / "out.bvh", "--slope-limit", 2)
    assert (ended.code, ended.complaint) == (
        2,
        f"{curve} is a registered curve already: leave out --slope-limit",
    )


def test_the_verdict_says_why(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    facts = run("blend", *gaits, "-w", 1, 1, "-o", tmp_path / "out.npz", "--json").json()
    assert facts["verdict"] == "good match"
    assert facts["reason"] == Cause.ALIKE.value
    assert "%" in facts["figure"]
    assert facts["remedy"] == ""


def test_what_planting_shows_is_noted(run: Run, gaits: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EnforcementReport, "seen", ("planting shows: hips 1.2 cm lower on average",))
    words = ("blend", *gaits, "-w", 1, 1, "-o", gaits[0].with_name("seen.npz"))
    assert "note: planting shows: hips 1.2 cm lower on average" in run(*words, "-v").out
    assert "planting shows" not in run(*words, "--no-plant", "--force", "-v").out
