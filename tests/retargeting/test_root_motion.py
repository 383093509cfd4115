from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import motionloom as ml
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import facing
from motionloom.motion.unroll import travel
from motionloom.retargeting import GroundPath, join_root, move_root_motion, split_root
from motionloom.synthesis import walk
from tests.figures import smooth_clip
from tests.refusals import refused
from tests.retargeting.rigs import with_static_root


def same(a: Clip, b: Clip, tolerance: float = 1e-12) -> bool:
    placed = np.abs(a.world_positions() - b.world_positions()).max(initial=0.0)
    return bool(placed < tolerance and np.abs(a.rotations - b.rotations).max(initial=0.0) < tolerance)


def test_bad_input_is_refused() -> None:
    clip = walk(duration=1.0, fps=30).clip
    with refused("smoothing", -1):
        split_root(clip, smoothing=-1)
    in_place, path = split_root(clip)
    points = PointClip(("heel",), 30.0, np.zeros((31, 1, 3)))
    with pytest.raises(ParameterError, match="split_root takes a clip with a skeleton, not a PointClip"):
        split_root(points)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="join_root takes a clip with a skeleton, not a PointClip"):
        join_root(points, path)  # type: ignore[arg-type]
    with pytest.raises(
        ParameterError, match="path must be a GroundPath, as returned by split_root, not a NoneType"
    ):
        join_root(in_place, None)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="the path has 31 frames and the clip 10: resample one of them"):
        join_root(in_place[:10], path)
    with refused("yaws"):
        GroundPath("Hips", 0.1, np.zeros((2, 2)), np.zeros(3))


def test_all_travel_of_the_root_comes_out_without_smoothing() -> None:
    clip = walk(speed=1.0, duration=2.0, fps=30).clip.placed(ml.GroundTransform(0.7, 3.0, -1.0))
    in_place, path = split_root(clip, smoothing=0.0)
    assert np.abs(in_place.root_positions[:, [0, 2]]).max() < 1e-12
    assert in_place.root_positions[:, 1] == pytest.approx(clip.root_positions[:, 1])
    assert path.positions == pytest.approx(clip.root_positions[:, [0, 2]])
    assert path.yaws == pytest.approx(np.full(61, 0.7), abs=0.1)
    where = path.at(30)
    assert where.apply(in_place.world_positions()[30]) == pytest.approx(clip.world_positions()[30])


def test_sway_stays_in_the_body() -> None:
    clip = walk(speed=1.2, duration=4.0, fps=30).clip
    seconds = np.arange(clip.n_frames) / 30
    sway = np.stack([0.03 * np.sin(2 * np.pi * seconds), 0 * seconds, 0 * seconds], axis=-1)
    swaying = replace(clip, root_positions=clip.root_positions + sway)
    in_place, path = split_root(swaying)
    middle = slice(30, -30)
    assert np.abs(path.positions[middle, 0]).max() < 0.002
    assert np.ptp(in_place.root_positions[middle, 0]) > 0.055


@pytest.mark.parametrize("n_frames", [0, 1, 2])
def test_short_clips_are_split_too(n_frames: int) -> None:
    clip = walk(duration=1.0, fps=30).clip[:n_frames]
    assert same(join_root(*split_root(clip)), clip)


def test_a_root_that_stands_still_stays() -> None:
    clip = with_static_root(walk(speed=1.0, duration=2.0, fps=30).clip)
    in_place, path = split_root(clip)
    assert path.joint == "Hips"
    assert path.length == pytest.approx(2.0, abs=0.05)
    assert np.array_equal(in_place.root_positions, clip.root_positions)
    assert np.abs(in_place.world_positions()[:, 1][:, [0, 2]]).max() < 0.05
    assert same(join_root(in_place, path), clip)


def test_an_edited_clip_goes_the_same_way() -> None:
    clip = walk(speed=1.0, duration=2.0, fps=30).clip
    in_place, path = split_root(clip)
    lower = replace(in_place, root_positions=in_place.root_positions - [0, 0.1, 0])
    assert join_root(lower, path).root_positions == pytest.approx(clip.root_positions - [0, 0.1, 0])


def test_a_cycle_loops_in_place() -> None:
    loop = cyclify(walk(speed=1.2, curvature=0.3).clip, cycles=1)
    in_place, path = split_root(loop)
    way = travel(in_place)
    assert np.abs([way.yaw, way.x, way.z]).max() < 1e-3
    # The path steps over the seam as it does elsewhere.
    seam = (
        travel(loop.clip).apply([path.positions[0, 0], 0.0, path.positions[0, 1]])[[0, 2]]
        - path.positions[-1]
    )
    steps = np.linalg.norm(np.diff(path.positions, axis=0), axis=1)
    assert np.linalg.norm(seam) == pytest.approx(steps.mean(), rel=0.02)
    assert same(join_root(in_place, path), loop.clip)


@pytest.mark.slow
@given(st.integers(2, 60), st.integers(0, 5), st.floats(0.0, 2.0), st.booleans())
def test_joining_undoes_splitting(n_frames: int, seed: int, smoothing: float, moving: bool) -> None:
    clip = smooth_clip(n_frames, seed, moving=moving)
    assert same(join_root(*split_root(clip, smoothing=smoothing)), clip)


def test_captured_turns_are_split_and_joined(mocap: Path) -> None:
    clip = ml.load(mocap / "locomotion/turns/walk_left90_16_17.bvh").resampled(30)
    in_place, path = split_root(clip)
    assert np.degrees(path.yaws[-1] - path.yaws[0]) == pytest.approx(93, abs=8)
    assert path.length == pytest.approx(3.78, abs=0.3)
    assert np.abs(in_place.root_positions[:, [0, 2]]).max() < 0.15
    assert same(join_root(in_place, path), clip)


def test_root_motion_moves_between_root_hips_and_nowhere() -> None:
    clip = walk(duration=2.0, fps=30, curvature=0.3).clip
    rooted = move_root_motion(clip, "root")
    assert rooted.skeleton.names[:2] == ("root", "Hips")
    assert rooted.world_positions()[:, 1:] == pytest.approx(clip.world_positions(), abs=1e-9)
    assert not rooted.root_positions[:, 1].any()
    # The root goes right below the body, and faces as it does.
    below = rooted.root_positions - clip.root_positions
    assert np.abs(below[:, [0, 2]]).max() < 0.1
    turned = rot.yaw_of(rooted.rotations[:, 0]) - facing(clip)
    assert np.abs(turned).max() < 0.2

    hips = move_root_motion(rooted, "hips")
    assert not hips.root_positions.any()
    assert hips.world_positions()[:, 1:] == pytest.approx(clip.world_positions(), abs=1e-9)
    assert move_root_motion(clip, "hips") is clip

    in_place = move_root_motion(rooted, "nowhere")
    assert np.abs(in_place.body.root_positions[:, [0, 2]]).max() < 0.1
    with refused("to", "feet"):
        move_root_motion(clip, "feet")  # type: ignore[arg-type]
