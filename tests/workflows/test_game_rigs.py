"""Loops of game rigs from file to file: plants, cycle, control, blend, and back in their own arrangement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate_and_report
from motionloom.blending.controls import measure_path
from motionloom.motion import Clip
from motionloom.motion.unroll import travel, unroll
from motionloom.synthesis import walk
from tests.motion.rigs import name_as_unreal

SPEEDS = (1.0, 1.5)


@pytest.fixture(scope="module")
def unreal_loops(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Walks in place of one cycle, on a skeleton as Unreal has it, without annotations."""
    folder = tmp_path_factory.mktemp("unreal")
    loops = [ml.put_in_place(ml.cyclify(walk(speed=speed, fps=60).clip, cycles=1)) for speed in SPEEDS]
    bare = [replace(loop.clip, constraints=(), events=(), cyclic=False) for loop in loops]
    return [
        ml.save(name_as_unreal(clip), folder / f"{speed}.glb")
        for clip, speed in zip(bare, SPEEDS, strict=True)
    ]


def slide(clip: Clip) -> float:
    """How far planted points move over the ground within their plants at most, metres."""
    moving = unroll(clip, 2)
    paths = [
        moving.point_positions(plant.joint, plant.point, slice(frames.start, frames.stop))
        for plant in moving.constraints
        if len(frames := plant.whole_frames(moving.n_frames)) > 1
    ]
    return max(float(np.ptp(path[:, [0, 2]], axis=0).max()) for path in paths)


def test_an_unreal_skeleton_goes_all_the_way(unreal_loops: list[Path], tmp_path: Path) -> None:
    clips = [ml.load(path) for path in unreal_loops]
    names = clips[0].skeleton.names
    assert {"root", "pelvis", "thigh_twist_01_l", "ik_foot_root", "ik_foot_l"} <= set(names)
    # 1. Loaded as loops, with the body below the root, and plants in the moving ground.
    assert [clip.cyclic for clip in clips] == [True, True]
    assert clips[0].body.skeleton.names[0] == "pelvis"
    assert {plant.joint for plant in ml.annotate(clips[0]).constraints} == {
        "foot_l",
        "ball_l",
        "foot_r",
        "ball_r",
    }
    assert ml.cyclify(clips[0]).clip.content_hash() == clips[0].content_hash()
    # 2. Controlled by speed.
    curve = ml.prepare(clips).register()
    controls = ml.Controls(curve)
    assert [own.speed for own in controls.clips] == pytest.approx(SPEEDS, rel=0.03)
    steered = ml.blend(curve, controls.weights(speed=1.25)).clip
    assert measure_path(steered).speed == pytest.approx(1.25, rel=0.03)
    # 3. Blended in place and with travel, feet held, and written back as it came.
    moving, still = (ml.mix(clips, [0.5, 0.5], in_place=in_place).clip for in_place in (False, True))
    assert slide(moving) < 1e-3
    for blend, gone in ((moving, True), (still, False)):
        again = ml.load(ml.save(blend, tmp_path / f"{gone}.glb"))
        assert again.skeleton.names == names
        assert again.cyclic
        assert (travel(again.body).z > 1.0) == gone
        assert again.body.skeleton.names[0] == "pelvis"
        root = again.world_positions()[:, 0]
        assert (np.ptp(root[:, 2]) > 1.0) == gone


def test_a_rig_without_legs_says_what_it_misses(mocap: Path) -> None:
    """The robot's feet hang from its root, for the pole targets of its own rig."""
    file = mocap / "game" / "robot_expressive.glb"
    walking, running = (ml.load(file, animation=name) for name in ("Walking", "Running"))
    assert walking.cyclic
    assert running.cyclic
    sentence = "no legs (hip, knee and foot, one below the other) were found in the skeleton"
    assert sentence in str(annotate_and_report(walking).report)
    with pytest.raises(ml.MotionloomError, match=r"no gait in place: two legs \(hip, knee and foot"):
        ml.recover_travel(walking)
    blend = ml.mix([walking, running], [0.5, 0.5])
    assert blend.clip.cyclic
    assert "no foot plants were found in robot_expressive (clip 0)" in str(blend.report)
    assert "foot plants were detected" not in str(blend.report)
    captured = ml.load(mocap / "locomotion/s16/walk_straight_16_15.bvh")
    assert "no legs (hip, knee and foot, one below the other) were found in the target: none moves" in str(
        ml.retarget(captured, walking).report
    )
