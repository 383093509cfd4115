"""Cyclic clips: plants and corrections go over the seam."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.enforcement import enforce
from motionloom.enforcement.enforce import _repeat_targets
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint
from motionloom.motion.unroll import travel, unroll
from motionloom.synthesis import walk
from tests.conftest import captured
from tests.enforcement.measuring import largest_slide, moved_by


@cache
def loop(name: str) -> Clip:
    if name == "built-in":
        return ml.cyclify(ml.annotate(walk(curvature=0.3, fps=30).clip), cycles=1).clip
    (path,) = captured(f"locomotion/s16/{name}.bvh")
    return ml.cyclify(ml.annotate(ml.load(path))).clip


@pytest.fixture(params=["built-in", "walk_left_16_11", "jog_straight_16_35"])
def source(request: pytest.FixtureRequest) -> Clip:
    if request.param != "built-in":
        request.getfixturevalue("mocap")
    return loop(request.param)


def test_a_loop_whose_constraints_hold_no_limb_stays_as_it_is() -> None:
    bare = replace(loop("built-in"), constraints=(Constraint("Head", "look", 0, 5),))
    assert np.array_equal(enforce(bare).clip.rotations, bare.rotations)


@pytest.mark.slow
def test_plants_hold_over_the_seam(source: Clip) -> None:
    held = enforce(source)
    assert held.clip.cyclic
    assert any(plant.end == source.n_frames for plant in source.constraints)
    assert largest_slide(unroll(held.clip, 3)) < 0.001
    assert all(plant.target is not None for plant in held.clip.constraints)


def test_the_travel_stays(source: Clip) -> None:
    before, after = travel(source), travel(enforce(source).clip)
    assert after.yaw == pytest.approx(before.yaw, abs=1e-9)
    # The travel is told from the steps beside the seam, which the hips' own small shifts bend.
    assert (after.x, after.z) == pytest.approx((before.x, before.z), abs=2e-4)


def test_the_seam_is_as_smooth_as_the_rest(source: Clip) -> None:
    """Second differences around the seam are at most those anywhere else in the source, times two."""
    n_frames = source.n_frames

    def bends(clip: Clip) -> FloatArray:
        return np.asarray(np.linalg.norm(np.diff(clip.world_positions(), 2, axis=0), axis=-1).max(axis=-1))

    around = bends(unroll(enforce(source).clip, 3))[n_frames - 4 : n_frames + 3]
    assert around.max() < 2.0 * bends(unroll(source, 3)).max()


@pytest.mark.slow
def test_doing_it_twice_changes_nothing(source: Clip) -> None:
    held = enforce(source)
    assert moved_by(enforce(held).clip, held.clip) < 1e-4


def test_plants_outside_all_cycles_keep_their_targets() -> None:
    """Of a loop of six frames: one begins in the central cycle, one after the last, one before the first."""
    point = np.zeros(3)
    plants = [
        Constraint("LeftFoot", "toe", start, start + 2.0, point, np.array([start, 0.0, 0.0]))
        for start in (6.0, 18.0, -6.0)
    ]
    repeated = _repeat_targets(plants, [GroundTransform()] * 3, 6)
    assert [float(c.target[0]) for c in repeated if c.target is not None] == [6.0, 18.0, -6.0]
