from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import motionloom as ml
from motionloom.cli.main import commands
from motionloom.errors import FileExistsRefusal, ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.synthesis import walk
from motionloom.warping import Key, Warp, stepping_stones
from motionloom.warping.footholds import find_footholds


def run(*words: object) -> Result:
    return CliRunner().invoke(commands, ["warp", *map(str, words)])


@pytest.fixture(scope="module")
def clip() -> Clip:
    return walk(duration=2.0, fps=30).clip


@pytest.fixture
def walking(tmp_path: Path, clip: Clip) -> Path:
    return ml.save(clip, tmp_path / "walk.npz")


def test_existing_files_and_mixed_requests_are_refused(tmp_path: Path, walking: Path) -> None:
    assert isinstance(run(walking, "-o", walking).exception, FileExistsRefusal)
    ended = run(walking, "-o", tmp_path / "new.npz", "--preset", "stoop", "--key", "0.6s Spine rotate x=20")
    assert isinstance(ended.exception, ParameterError)
    assert not (tmp_path / "new.npz").exists()


def test_outputs_need_a_file_each_and_a_warp_needs_keys(tmp_path: Path, walking: Path) -> None:
    before, key = walking.read_bytes(), ("--key", "0.6s Spine rotate x=20")
    for words in (("--save-keys", walking), ("--plot", tmp_path / "." / "walk.npz")):
        ended = run(walking, "-o", walking, *key, *words, "--force")
        assert str(ended.exception).endswith("walk.npz: the motion, its keys and the plot need a file each")
    ended = run(walking, "-o", tmp_path / "new.npz", "--keep-plants")
    assert isinstance(ended.exception, ParameterError)
    assert str(ended.exception).startswith("nothing to do: give --key")
    assert walking.read_bytes() == before
    assert not (tmp_path / "new.npz").exists()


def test_moments_before_the_start_are_refused(tmp_path: Path, walking: Path) -> None:
    ended = run(walking, "-o", tmp_path / "new.npz", "--time", "0.5s=-3s")
    assert isinstance(ended.exception, ParameterError)
    assert "puts 0.5 s of the source at -3 s of the result, which starts at 0 s" in str(ended.exception)


@pytest.mark.slow
@pytest.mark.parametrize("portable", [(), ("--portable",)])
def test_saved_keys_of_stairs_have_the_stairs(portable: tuple[str, ...], tmp_path: Path) -> None:
    climbing = ml.save(walk(duration=3.0, fps=30).clip, tmp_path / "walk.npz")
    saved, up, again = tmp_path / "stairs.json", tmp_path / "up.npz", tmp_path / "again.npz"
    ended = run(climbing, "-o", up, "--preset", "stairs", "--save-keys", saved, *portable)
    assert ended.exit_code == 0, ended.exception
    ended = run(climbing, "-o", again, "--keys", saved, "--keep-plants")
    assert ended.exit_code == 0, ended.exception
    np.testing.assert_allclose(ml.load(again).root_positions, ml.load(up).root_positions, atol=1e-6)


def test_keys_at_events_and_stretches(tmp_path: Path, walking: Path) -> None:
    words = (
        "--key",
        "left strike, left knee rotate x=20 body",
        "--stretch",
        "every left strike, left lift, 0.5",
    )
    saved = tmp_path / "keys.json"
    ended = run(walking, "-o", tmp_path / "new.npz", *words, "--save-keys", saved, "--portable", "--json")
    assert ended.exit_code == 0, ended.exception
    assert "left strike" in json.loads(ended.stdout)["found"]
    assert ml.warping.Warp.load(saved).keys[0].time == "left strike"
    ended = run(walking, "-o", tmp_path / "no.npz", "--key", "left strike 9, left knee rotate x=20 body")
    assert "the clip has no 'left strike 9'" in str(ended.exception)
    ended = run(walking, "-o", tmp_path / "no.npz", "--key", "0.5 Head rotate x=9", "--portable")
    assert str(ended.exception).startswith("--portable is for the keys of --save-keys")
    ended = run(walking, "-o", tmp_path / "no.npz", "--key", "0.5 Head rotate x=9", "--carry-from", walking)
    assert str(ended.exception).startswith("--carry-from says which clip the file of --keys is for")


@pytest.mark.slow
def test_keys_carry_from_another_clip_are_carried_over(tmp_path: Path) -> None:
    clips = {"slow": walk(duration=3.0, fps=30, speed=1.0), "fast": walk(duration=3.0, fps=30, speed=1.6)}
    files = {name: ml.save(motion.clip, tmp_path / f"{name}.npz") for name, motion in clips.items()}
    keys = ml.warping.Warp.of([ml.Key(1.5, "Spine", rotate=(0.3, 0, 0))]).save(tmp_path / "keys.json")
    out = tmp_path / "out.json"
    words = ("--keys", keys, "--carry-from", files["slow"], "--save-keys", out)
    ended = run(files["fast"], "-o", tmp_path / "new.npz", *words)
    assert ended.exit_code == 0, ended.exception
    assert ml.warping.Warp.load(out).keys[0].seconds != pytest.approx(1.5, abs=0.02)


def test_a_line_of_text_and_a_time_pair(tmp_path: Path, walking: Path, clip: Clip) -> None:
    out = tmp_path / "out.npz"
    ended = run(walking, "-o", out, "--key", "15f Spine rotate x=20", "--time", "0.5s=1.0s")
    assert ended.exit_code == 0, ended.exception
    assert "1 key at 1 moment; 2.50 s long" in ended.stdout
    made = ml.load(out)
    spine = clip.skeleton.index("Spine")
    turned = rot.multiply(rot.inverse(clip.rotations[15, spine]), made.rotations[30, spine])
    np.testing.assert_allclose(np.degrees(rot.to_rotation_vector(turned)), [20, 0, 0], atol=1e-6)


def test_keys_from_a_file_half_as_strong_and_saved_again(tmp_path: Path, walking: Path) -> None:
    Warp.of([Key(0.5, "Spine", rotate=(0.4, 0, 0))]).save(tmp_path / "keys.json")
    saved = tmp_path / "solved.json"
    ended = run(
        walking,
        "-o",
        tmp_path / "out.npz",
        "--keys",
        tmp_path / "keys.json",
        "--amount",
        0.5,
        "--save-keys",
        saved,
    )
    assert ended.exit_code == 0, ended.exception
    assert Warp.load(saved).keys[0].rotate == (0.2, 0.0, 0.0)


@pytest.mark.slow
def test_json_tells_what_was_reached(tmp_path: Path, walking: Path) -> None:
    ended = run(
        walking,
        "-o",
        tmp_path / "o.npz",
        "--keep-plants",
        "--json",
        "--key",
        "0.5s LeftHand reach x=0 y=1 z=50",
    )
    facts = json.loads(ended.stdout)
    assert facts["keys"] == 1
    assert facts["plants_kept"] is True
    assert facts["outcomes"][0]["reached"] is False
    assert any("foot plants were detected" in note for note in facts["notes"])


@pytest.mark.slow
def test_a_preset_with_its_plot(tmp_path: Path, walking: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / "plot.png"
    ended = run(walking, "-o", tmp_path / "o.bvh", "--preset", "stoop", "--plot", plot, "--force")
    assert ended.exit_code == 0, ended.exception
    assert plot.stat().st_size > 10_000
    assert f"wrote {plot}" in ended.stdout
    wrong = run(walking, "-o", tmp_path / "p.npz", "--plot", tmp_path / "plot.jpg")
    assert isinstance(wrong.exception, ParameterError)


def test_time_curves_and_limbs_of_their_own(tmp_path: Path, walking: Path, clip: Clip) -> None:
    words = ["--time", "0.6s=0.9s", "--time", "LeftArm 0.5=0.7", "--time-curve", "cardinal"]
    ended = run(
        walking,
        "-o",
        tmp_path / "out.npz",
        *words,
        "--time-tension",
        "0.3",
        "--save-keys",
        tmp_path / "k.json",
    )
    assert ended.exit_code == 0, ended.output
    times = [
        ml.warping.TimeKeys([(0.6, 0.9)], curve="cardinal", tension=0.3),
        ml.warping.TimeKeys([(0.5, 0.7)], joint="LeftArm", curve="cardinal", tension=0.3),
    ]
    expected = ml.warp(clip, [], times)
    assert np.array_equal(ml.load(tmp_path / "out.npz").rotations, expected.clip.rotations)
    assert Warp.load(tmp_path / "k.json").times == tuple(times)


def test_time_runs_backwards_only_if_allowed(tmp_path: Path, walking: Path) -> None:
    words = ["-o", tmp_path / "out.npz", "--time", "0.9=0.5", "--time", "0.4=0.8"]
    assert isinstance(run(walking, *words).exception, ParameterError)
    assert run(walking, *words, "--allow-reverse").exit_code == 0


def test_tension_of_keys(tmp_path: Path, walking: Path, clip: Clip) -> None:
    keys = ["--key", "0.5 Spine rotate x=20", "--key", "1.0 Spine rotate x=-10"]
    assert run(walking, "-o", tmp_path / "out.npz", *keys, "--tension", "0.8").exit_code == 0
    spine = [
        Key(0.5, "Spine", rotate=np.radians([20, 0, 0])),
        Key(1.0, "Spine", rotate=np.radians([-10, 0, 0])),
    ]
    expected = ml.warp(clip, spine, tension=0.8)
    assert np.array_equal(ml.load(tmp_path / "out.npz").rotations, expected.clip.rotations)


def test_feet_land_on_stones(tmp_path: Path, walking: Path, clip: Clip) -> None:
    annotated = ml.annotate(clip)
    stones = [(hold.centre[[0, 2]] + [0.05, 0.0]).round(4).tolist() for hold in find_footholds(annotated)][:3]
    words = [f"--stone={x},{z}" for x, z in stones]
    assert run(walking, "-o", tmp_path / "out.npz", *words, "--ground", "0").exit_code == 0
    expected = stepping_stones(clip, stones, 0.0)
    assert np.array_equal(ml.load(tmp_path / "out.npz").rotations, expected.clip.rotations)
    ended = run(walking, "-o", tmp_path / "new.npz", "--stone", "1,2,3")
    assert str(ended.exception) == "--stone needs X,Z in metres, such as 0.1,1.5, not '1,2,3'"
    ended = run(walking, "-o", tmp_path / "new.npz", "--stone", "1,2", "--key", "0.5 Spine rotate x=20")
    assert isinstance(ended.exception, ParameterError)
