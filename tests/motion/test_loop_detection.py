from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.cycles import cyclify
from motionloom.errors import FileFormatError, ParameterError
from motionloom.motion import Clip
from motionloom.motion.kinematics import world_positions_at
from motionloom.motion.loop_detection import close_loop, find_closed_loop
from motionloom.motion.unroll import extend_cycle
from motionloom.synthesis import jog, kick, stand, walk
from tests.motion.rigs import add_helpers, carry_on_ground, hold_still

GAME = "game/kaykit_MovementBasic.glb"


@pytest.fixture(scope="module")
def loop() -> Clip:
    return replace(cyclify(walk(duration=3.0).clip, cycles=1).clip, cyclic=False)


def test_a_cycle_is_a_loop_with_and_without_a_repeated_frame(loop: Clip) -> None:
    found = find_closed_loop(loop)
    assert found is not None
    assert (found.n_frames, found.repeated) == (loop.n_frames, False)
    repeated = extend_cycle(replace(loop, cyclic=True), loop.n_frames + 1)
    found = find_closed_loop(repeated)
    assert found is not None
    assert (found.n_frames, found.repeated) == (loop.n_frames, True)
    assert str(found).endswith("a repeated last frame was dropped")
    assert close_loop(repeated, found).n_frames == loop.n_frames


@pytest.mark.parametrize("hold", [hold_still, carry_on_ground, add_helpers])
def test_a_loop_below_a_joint_that_holds_it_is_a_loop(loop: Clip, hold: object) -> None:
    assert callable(hold)
    assert find_closed_loop(hold(loop)) is not None


def test_captures_and_actions_are_no_loops() -> None:
    for clip in (walk(duration=2.3).clip, jog(duration=2.3).clip, kick().clip, walk(duration=0.1).clip):
        assert find_closed_loop(clip) is None


def test_a_held_pose_is_no_loop() -> None:
    held = stand(duration=1.0).clip
    still = replace(
        held,
        root_positions=np.repeat(held.root_positions[:1], held.n_frames, axis=0),
        rotations=np.repeat(held.rotations[:1], held.n_frames, axis=0),
    )
    assert find_closed_loop(still) is None


def test_an_action_that_starts_and_ends_in_one_pose_at_rest_is_no_loop(loop: Clip) -> None:
    # Out and back again with eased ends: the pose is the same, and nothing moves on.
    half = loop.n_frames // 2
    eased = half * 0.5 * (1.0 - np.cos(np.linspace(0.0, 2.0 * np.pi, 81)))
    poses = loop.at(eased)
    there_and_back = replace(
        loop, root_positions=poses.root_positions * [0, 1, 0], rotations=poses.rotations, translations=None
    )
    legs = [j for j, name in enumerate(loop.skeleton.names) if "Leg" in name or "Foot" in name]
    rotations = np.array(there_and_back.rotations)
    rotations[:, legs] = rotations[:1, legs]
    assert find_closed_loop(replace(there_and_back, rotations=rotations)) is None


def test_too_short_a_clip_cannot_be_said_to_be_a_loop(loop: Clip) -> None:
    with pytest.raises(ParameterError, match="a cyclic clip needs 5 frames or more, and this one has 3"):
        close_loop(loop[:3])


def test_loading_detects_a_loop_and_says_so(loop: Clip, tmp_path: Path) -> None:
    path = ml.save(loop, tmp_path / "loop.bvh")
    read = ml.load(path)
    assert read.cyclic
    assert read.n_frames == loop.n_frames
    assert [note for note in read.source.notes if "continues into the first: a loop of 1.0" in note]
    as_it_is = ml.load(path, cyclic=False)
    assert not as_it_is.cyclic
    assert not [note for note in as_it_is.source.notes if "loop" in note]
    with pytest.raises(ParameterError, match="cyclic must be True, False, or None to detect it, not 'yes'"):
        ml.load(path, cyclic="yes")  # type: ignore[call-overload]


def test_a_file_can_be_said_to_be_a_loop(tmp_path: Path) -> None:
    path = ml.save(walk(duration=2.3, fps=30).clip, tmp_path / "walk.bvh")
    assert not ml.load(path).cyclic
    assert ml.load(path, cyclic=True).cyclic
    with pytest.raises(FileFormatError, match="cannot be read as a loop: a cyclic clip needs 5 frames"):
        ml.load(ml.save(walk(duration=0.1, fps=30).clip, tmp_path / "short.bvh"), cyclic=True)


def test_of_other_clips_only_the_ends_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = walk(duration=2.3, fps=30).clip
    looked_at: list[int] = []

    def find_positions(clip: Clip, frames: list[int]) -> FloatArray:
        looked_at.append(len(frames))
        return world_positions_at(clip, frames)

    monkeypatch.setattr("motionloom.motion.loop_detection.world_positions_at", find_positions)
    monkeypatch.setattr(Clip, "world_positions", None)
    assert find_closed_loop(clip) is None
    assert looked_at == [5]


def test_our_own_files_state_whether_they_are_loops(loop: Clip, tmp_path: Path) -> None:
    assert not ml.load(ml.save(loop, tmp_path / "loop.npz")).cyclic


@pytest.mark.parametrize("name", ["Walking_A", "Walking_B", "Walking_C", "Running_A", "Running_B"])
def test_game_loops_are_loops(mocap: Path, name: str) -> None:
    clip = ml.load(mocap / GAME, animation=f"Rig_Medium|{name}")
    assert clip.cyclic
    assert clip.n_frames in (24, 32, 48)


def test_game_actions_are_not(mocap: Path) -> None:
    for name in ("Hit_A", "Hit_B", "Interact", "PickUp", "Throw", "Use_Item", "Death_A", "Spawn_Air"):
        assert not ml.load(mocap / "game/kaykit_General.glb", animation=f"Rig_Medium|{name}").cyclic, name


def test_captured_takes_are_no_loops(mocap: Path) -> None:
    for path in sorted((mocap / "locomotion").rglob("*.bvh"))[:20]:
        assert not ml.load(path).cyclic, path
