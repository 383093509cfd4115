from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import motionloom as ml
from motionloom.cli.main import commands
from motionloom.cli.warp import parsed_key, parsed_pair, parsed_time
from motionloom.errors import FileExistsRefusal, ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.synthesis import walk
from motionloom.warping import Key, Warp


def run(*words: object) -> Result:
    return CliRunner().invoke(commands, ["warp", *map(str, words)])


@pytest.fixture(scope="module")
def clip() -> Clip:
    return walk(duration=2.0, fps=30).clip


@pytest.fixture
def walking(tmp_path: Path, clip: Clip) -> Path:
    return ml.save(clip, tmp_path / "walk.npz")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0.6s LeftLeg", "the key '0.6s LeftLeg' must look like"),
        ("0.6s LeftLeg twist x=3", "must look like '0.6s LeftKnee rotate x=20'"),
        ("0.6s LeftLeg rotate w=3", "has 'w=3', which means nothing"),
        ("0.6s LeftLeg rotate x=far", "'far' in .* is no number"),
        ("soon LeftLeg rotate x=3", "'soon' is no time: write seconds like 0.6s, or a frame like 72f"),
        ("0.6s LeftLeg scale 2 3", "has '3', but gives scale before: keep one of them"),
        ("0.6s LeftLeg scale 2 x=3", "has 'x=3', which means nothing"),
        ("0.6s LeftLeg rotate 20", "has '20', which means nothing"),
        ("0.6s LeftLeg rotate x=10 x=20", "has 'x=20', but gives x before: keep one of them"),
        ("72f LeftHand reach ease=0.4", "says reach, but not by x=, y= or z=: write"),
        ("0.6s LeftLeg rotate hold", "says rotate, but not by x=, y= or z=: write"),
    ],
)
def test_keys_that_mean_nothing_are_refused(line: str, message: str, clip: Clip) -> None:
    with pytest.raises(ParameterError, match=message):
        parsed_key(line, clip)


def test_keys_times_and_pairs(clip: Clip) -> None:
    assert parsed_key("0.6s Spine rotate x=90 ease=0.4", clip) == Key(
        0.6, "Spine", rotate=(np.pi / 2, 0, 0), ease=0.4
    )
    assert parsed_key("15f root move y=-0.1 hold", clip) == Key(0.5, "", move=(0, -0.1, 0), ease=None)
    assert parsed_key("0.5 Head scale 1.5", clip) == Key(0.5, "Head", scale=1.5)
    assert parsed_key("0.5 LeftHand reach x=1 y=2 z=3", clip) == Key(0.5, "LeftHand", reach=(1, 2, 3))
    assert parsed_time(" 3f", clip) == pytest.approx(0.1)
    assert parsed_pair("0.6s=0.9s", clip) == (0.6, 0.9)
    with pytest.raises(ParameterError, match=r"the time key '0\.6' must look like '0\.6s=0\.9s'"):
        parsed_pair("0.6", clip)


def test_existing_files_and_mixed_wishes_are_refused(tmp_path: Path, walking: Path) -> None:
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
    assert str(ended.exception).startswith("nothing says how to change the clip: give --key")
    assert walking.read_bytes() == before
    assert not (tmp_path / "new.npz").exists()


def test_moments_before_the_start_are_refused(tmp_path: Path, walking: Path) -> None:
    ended = run(walking, "-o", tmp_path / "new.npz", "--time", "0.5s=-3s")
    assert isinstance(ended.exception, ParameterError)
    assert "puts 0.5 s of the source at -3 s of the result, which starts at 0 s" in str(ended.exception)


def test_keys_of_stairs_are_said_to_lack_the_stairs(tmp_path: Path) -> None:
    climbing = ml.save(walk(duration=3.0, fps=30).clip, tmp_path / "walk.npz")
    saved = tmp_path / "stairs.json"
    ended = run(climbing, "-o", tmp_path / "up.npz", "--preset", "stairs", "--save-keys", saved)
    assert ended.exit_code == 0, ended.exception
    assert f"{saved}: what is walked on or stepped over is left out" in ended.stderr
    ended = run(climbing, "-o", tmp_path / "low.npz", "--preset", "stoop", "--save-keys", tmp_path / "s.json")
    assert "left out" not in ended.stderr


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


def test_a_preset_with_its_plot(tmp_path: Path, walking: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / "plot.png"
    ended = run(walking, "-o", tmp_path / "o.bvh", "--preset", "stoop", "--plot", plot, "--force")
    assert ended.exit_code == 0, ended.exception
    assert plot.stat().st_size > 10_000
    assert f"wrote {plot}" in ended.stdout
    wrong = run(walking, "-o", tmp_path / "p.npz", "--plot", tmp_path / "plot.jpg")
    assert isinstance(wrong.exception, ParameterError)
