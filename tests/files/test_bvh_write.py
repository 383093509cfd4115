from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError
from motionloom.files.bvh.hierarchy import CHANNEL_NAMES
from motionloom.geometry import rotations as rot
from motionloom.motion import Source, Tip
from tests.conftest import captured_sample
from tests.figures import random_rotations, skeleton_of, small_skeleton, smooth_clip
from tests.files.bvh_texts import PLAIN, read


def still_clip(n_frames: int, name: str = "a") -> ml.Clip:
    skeleton = skeleton_of((name,), [-1], [[0, 0, 0]])
    return ml.Clip(skeleton, 0.1, np.zeros((n_frames, 3)), np.tile(rot.IDENTITY, (n_frames, 1, 1)))


@pytest.mark.parametrize("name", ["a{b", "a  b", " a", "a\tb", "a\n", "", "\ud83d"])
def test_names_that_would_break_the_file_are_refused(tmp_path: Path, name: str) -> None:
    clip = still_clip(1, name)
    with pytest.raises(MotionloomError, match=r"the joint name '.*' cannot be written in a BVH file: rename"):
        ml.save(clip, tmp_path / "x.bvh")
    assert list(tmp_path.iterdir()) == []


def test_absurd_positions_are_refused(tmp_path: Path) -> None:
    clip = smooth_clip(2)
    with pytest.raises(MotionloomError, match=r"a value of 1e.13 is too large to be written"):
        ml.save(replace(clip, root_positions=clip.root_positions + 1e13), tmp_path / "x.bvh")
    far = replace(clip.skeleton, tips=(Tip(0, np.array([0.0, 1e13, 0.0])),))
    for name in ("x.bvh", "x.amc"):
        with pytest.raises(MotionloomError, match=r"a value of 1e.13 is too large to be written"):
            ml.save(replace(clip, skeleton=far), tmp_path / name)
    for far_clip in (replace(clip, root_positions=clip.root_positions + 1e13), replace(clip, skeleton=far)):
        with pytest.raises(MotionloomError, match=r"a value of 1e.13 is too large to be written"):
            ml.save(far_clip, tmp_path / "x.npz")
    assert list(tmp_path.iterdir()) == []


def test_existing_files_are_kept_unless_told(tmp_path: Path) -> None:
    path = tmp_path / "x.bvh"
    ml.save(smooth_clip(3), path)
    before = path.read_bytes()
    with pytest.raises(FileExistsRefusal, match=r"x\.bvh already exists"):
        ml.save(smooth_clip(4), path)
    assert path.read_bytes() == before
    ml.save(smooth_clip(4), path, overwrite=True)
    assert ml.load(path).n_frames == 4


def test_unknown_endings_list_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(
        ParameterError, match=r"files ending in '\.xyz' cannot be written: choose from \.bvh, \.amc, "
    ):
        ml.save(smooth_clip(2), tmp_path / "x.xyz")
    with pytest.raises(ParameterError, match="files without a suffix cannot be read"):
        ml.load(tmp_path / "x")


def test_the_plain_file_is_written_as_it_was_read(tmp_path: Path) -> None:
    clip = read(tmp_path, PLAIN)
    ml.save(clip, tmp_path / "again.bvh")
    words, again = PLAIN.split(), (tmp_path / "again.bvh").read_text().split()
    numbers = [word for word in again if word.replace(".", "").isdigit()]
    assert [word for word in again if word not in numbers] == [
        w for w in words if not w.replace(".", "").isdigit()
    ]
    assert [float(w) for w in numbers] == pytest.approx(
        [float(w) for w in words if w.replace(".", "").isdigit()], abs=1e-6
    )


def test_joints_in_any_order_and_tips_survive(tmp_path: Path) -> None:
    clip = smooth_clip(5)
    ml.save(clip, tmp_path / "x.bvh")
    again = ml.load(tmp_path / "x.bvh", up="y")
    order = [again.skeleton.index(name) for name in clip.skeleton.names]
    assert again.world_positions()[:, order] == pytest.approx(clip.world_positions(), abs=1e-6)
    assert len(again.skeleton.tips) == 2


def test_moving_bones_and_narrow_channels_are_widened_where_needed(tmp_path: Path) -> None:
    """A source with one-channel joints whose motion now turns about all axes and stretches."""
    clip = smooth_clip(5, moving=True)
    narrow = tuple(("Xrotation",) for _ in clip.skeleton.names)
    source = Source(format="bvh", unit="m", channels=narrow)
    ml.save(replace(clip, source=source), tmp_path / "x.bvh")
    again = ml.load(tmp_path / "x.bvh", unit="m", up="y")
    order = [again.skeleton.index(name) for name in clip.skeleton.names]
    assert again.world_positions()[:, order] == pytest.approx(clip.world_positions(), abs=1e-5)


def test_channels_that_suffice_are_kept(tmp_path: Path) -> None:
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 2 Yrotation Xrotation")
    text = text.replace("30 1 2 3 4 5 6", "30 1 2 4 5").replace("31 2 3 4 5 6 7", "31 1 2 4 5")
    clip = read(tmp_path, text.replace("32 3 4 5 6 7 8", "32 1 2 4 5"))
    ml.save(clip, tmp_path / "again.bvh")
    again = ml.load(tmp_path / "again.bvh", unit="m")
    assert again.source.channels == clip.source.channels
    assert again.world_positions() == pytest.approx(clip.world_positions(), abs=1e-5)


@pytest.mark.parametrize("order", ["ZX", "YX", "XZ"])
def test_two_channels_suffice_for_any_turns_about_their_axes(tmp_path: Path, order: str) -> None:
    angles = np.radians(np.stack([np.linspace(-170, 170, 30), np.linspace(0, 150, 30)], axis=-1))
    channels = (tuple(f"{axis}rotation" for axis in order),)
    source = Source(format="bvh", unit="m", channels=channels)
    clip = replace(still_clip(30), rotations=rot.from_euler(angles, order)[:, None], source=source)
    ml.save(clip, tmp_path / "x.bvh")
    again = ml.load(tmp_path / "x.bvh", unit="m", up="y")
    assert again.source.channels == channels
    assert np.abs(np.einsum("tji,tji->tj", again.rotations, clip.rotations)).min() > 1 - 1e-12


def test_rounding_noise_adds_no_channels(tmp_path: Path) -> None:
    clip = smooth_clip(5)
    source = Source(format="bvh", channels=(("Zrotation", "Xrotation", "Yrotation"),) * 6)
    at_rest = np.tile(clip.skeleton.offsets[0], (5, 1)) + 1e-15
    noisy = np.tile(clip.skeleton.offsets, (5, 1, 1)) + 1e-15
    clip = replace(clip, root_positions=at_rest, translations=noisy, source=source)
    ml.save(clip, tmp_path / "x.bvh")
    assert "position" not in (tmp_path / "x.bvh").read_text()


def test_large_units_keep_their_precision(tmp_path: Path) -> None:
    clip = replace(smooth_clip(5), root_positions=np.full((5, 3), 1.2345678))
    for unit, decimals in ((1.0, 6), (10.0, 7), (1000.0, 9), (1e5, 9), (0.01, 6)):
        ml.save(clip, tmp_path / "x.bvh", unit=unit, overwrite=True)
        row = (tmp_path / "x.bvh").read_text().splitlines()[-1]
        assert len(row.split()[0].partition(".")[2]) == decimals
    ml.save(clip, tmp_path / "x.bvh", unit=10.0, overwrite=True)
    again = ml.load(tmp_path / "x.bvh", unit=10.0, up="y")
    assert again.root_positions == pytest.approx(clip.root_positions, abs=1e-6)


def test_angles_do_not_jump_past_a_quarter_turn_of_the_middle_axis(tmp_path: Path) -> None:
    """A body that leans over and beyond: the other Euler solution goes on where the first one jumps."""
    angles = np.radians(np.stack([np.full(40, 20.0), np.linspace(0, 170, 40), np.full(40, -30.0)], axis=-1))
    clip = replace(still_clip(40), rotations=rot.from_euler(angles, "ZXY")[:, None])
    ml.save(clip, tmp_path / "x.bvh")
    rows = np.loadtxt(tmp_path / "x.bvh", skiprows=9)
    assert rows[:, 3:] == pytest.approx(np.degrees(angles), abs=1e-6)
    ml.save(ml.load(tmp_path / "x.bvh"), tmp_path / "again.bvh")
    assert (tmp_path / "again.bvh").read_bytes() == (tmp_path / "x.bvh").read_bytes()


def test_angles_do_not_jump_by_full_turns(tmp_path: Path) -> None:
    yaw = np.linspace(0, 4 * np.pi, 50)
    turns = np.tile(rot.IDENTITY, (50, 1, 1))
    turns[:, 0] = rot.from_yaw(yaw)
    clip = ml.Clip(skeleton_of(("a",), [-1], [[0, 0, 0]]), 0.1, np.zeros((50, 3)), turns)
    ml.save(clip, tmp_path / "x.bvh")
    rows = np.loadtxt(tmp_path / "x.bvh", skiprows=9)
    assert np.abs(np.diff(rows, axis=0)).max() < 16.0
    assert rows[-1].max() == pytest.approx(720.0)


def test_zero_frames_round_trip(tmp_path: Path) -> None:
    ml.save(smooth_clip(3)[:0], tmp_path / "x.bvh")
    assert ml.load(tmp_path / "x.bvh").n_frames == 0


orders = st.permutations(["Xrotation", "Yrotation", "Zrotation"])


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(0, 10_000), st.lists(orders, min_size=6, max_size=6), st.booleans())
def test_any_rotation_in_any_order_survives(
    tmp_path_factory: pytest.TempPathFactory, seed: int, listed: list[list[str]], gimbal: bool
) -> None:
    turns = random_rotations((4, 6), seed)
    if gimbal:
        middles = [names[1][0] for names in listed]
        for joint, axis in enumerate(middles):
            turns[:, joint] = rot.from_euler([np.pi / 2], axis)
    channels = tuple(tuple(names) for names in listed)
    source = Source(format="bvh", unit="m", channels=channels)
    clip = ml.Clip(small_skeleton(), 0.1, np.zeros((4, 3)), turns, source=source)
    path = tmp_path_factory.mktemp("orders") / "x.bvh"
    ml.save(clip, path)
    again = ml.load(path, unit="m", up="y")
    order = [again.skeleton.index(name) for name in clip.skeleton.names]
    off = rot.multiply(rot.inverse(clip.rotations), again.rotations[:, order])
    assert np.linalg.norm(rot.to_rotation_vector(off), axis=-1).max() < 5e-8
    assert set(again.source.channels or ()) <= {
        tuple(CHANNEL_NAMES[name.lower()] for name in names)
        for names in [*channels, ("Xposition", "Yposition", "Zposition", *channels[0])]
    }


FILES = [path for path in captured_sample(".bvh") if path.stat().st_size < 1_000_000]


@pytest.mark.usefixtures("mocap")
@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_captured_files_survive_load_save_load(tmp_path: Path, path: Path) -> None:
    """Unit, axes, channels, frame time, offsets and poses come back within the printed precision."""
    first = ml.load(path)
    ml.save(first, tmp_path / "again.bvh")
    choices = {
        "up": first.source.up,
        "unit": first.source.metres_per_unit,
        "root_offset": first.source.root_offset,
    }
    second = ml.load(tmp_path / "again.bvh", **choices)  # type: ignore[call-overload]
    assert second.source.channels == first.source.channels
    assert second.frame_time == first.frame_time
    assert second.skeleton.names == first.skeleton.names
    assert second.skeleton.offsets == pytest.approx(first.skeleton.offsets, rel=1e-11, abs=1e-20)
    assert len(second.skeleton.tips) == len(first.skeleton.tips)
    # Half a millionth of a unit and of a degree per joint, along the chain.
    assert np.abs(second.world_positions() - first.world_positions()).max() < 2e-6
    ml.save(second, tmp_path / "third.bvh")
    assert (tmp_path / "third.bvh").read_bytes() == (tmp_path / "again.bvh").read_bytes()


def test_a_captured_arm_does_not_jump(mocap: Path, tmp_path: Path) -> None:
    """A take in which an arm passes gimbal lock: no angle of the written file jumps by a quarter turn."""
    ml.save(ml.load(mocap / "locomotion/turns/walk_left90_16_17.bvh"), tmp_path / "x.bvh")
    rows = read_bvh_rows(tmp_path / "x.bvh")
    assert np.abs(np.diff(rows[:, 3:], axis=0)).max() < 90.0


def read_bvh_rows(path: Path) -> FloatArray:
    lines = path.read_text().splitlines()
    return np.loadtxt(lines[lines.index("MOTION") + 3 :])


@pytest.mark.slow
def test_a_killed_save_leaves_the_previous_file_whole(tmp_path: Path) -> None:
    """A process that saves over and over is killed at a random moment; the file is always complete."""
    path = tmp_path / "x.bvh"
    ml.save(smooth_clip(400), path)
    script = (
        "import sys, motionloom as ml\nclip = ml.load(sys.argv[1])\nprint('ready', flush=True)\n"
        "while True: ml.save(clip, sys.argv[1], overwrite=True)\n"
    )
    for delay in (0.002, 0.01, 0.03):
        writer = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        time.sleep(delay)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        clip = ml.load(path, unit="cm")
        assert clip.n_frames == 400
        assert not any("announces" in note for note in clip.source.notes)


def test_a_failed_save_leaves_the_previous_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.bvh"
    ml.save(smooth_clip(3), path)
    before = path.read_bytes()

    def disk_full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", disk_full)
    with pytest.raises((MotionloomError, OSError), match="No space left"):
        ml.save(smooth_clip(4), path, overwrite=True)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.bvh"]
