"""What a warp is made for, as the page draws it."""

from __future__ import annotations

import numpy as np
import pytest

import motionloom as ml
from motionloom.motion import Clip
from motionloom.project.recipes import JointKey, WarpRecipe
from motionloom.studio.stage_objects import find_stage_objects
from motionloom.synthesis import walk
from tests.studio.conftest import Studio


@pytest.fixture(scope="module")
def clip() -> Clip:
    return walk(duration=3.0, fps=30).clip


def test_stairs_rise_step_by_step(clip: Clip) -> None:
    found = find_stage_objects(
        clip, ml.warping.apply_preset(clip, "stairs"), WarpRecipe(source="c1", preset="stairs")
    )
    heights = [box.size[1] for box in found.boxes]
    assert len(heights) >= 3
    np.testing.assert_allclose(np.diff(heights), heights[0], atol=1e-3)
    assert found.targets == ()


def test_a_hurdle_is_a_thin_box_across_the_path(clip: Clip) -> None:
    recipe = WarpRecipe(source="c1", preset="step-over")
    (hurdle,) = find_stage_objects(clip, ml.warping.apply_preset(clip, "step-over"), recipe).boxes
    assert hurdle.size[2] == pytest.approx(0.04, abs=0.011)
    assert hurdle.size[1] > 0.05


def test_targets_of_keys_say_whether_they_are_reached(clip: Clip) -> None:
    hand = clip.world_positions()[30, clip.skeleton.index("LeftHand")]
    near, far = hand + np.array([0.0, 0.05, 0.0]), hand + np.array([0.0, 9.0, 0.0])
    for position, reached in ((near, True), (far, False)):
        key = JointKey(time=1.0, joint="LeftHand", kind="reach", value=tuple(position.tolist()))
        warped = ml.warp(clip, [ml.Key(1.0, "LeftHand", reach=position)])
        found = find_stage_objects(clip, warped, WarpRecipe(source="c1", keys=(key,)))
        assert found.boxes == ()
        assert [(target.joint, target.reached) for target in found.targets] == [("LeftHand", reached)]
        np.testing.assert_allclose(found.targets[0].position, position)


def test_only_warps_have_objects(studio: Studio) -> None:
    answer = studio.get("/api/stage-objects/c1")
    assert answer.json()["error"] == "walk is not a warp, so nothing stands on its path"
