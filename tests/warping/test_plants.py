"""Plants after a warp: they stay put, on whatever ground there is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.quality import plant_measures
from motionloom.synthesis import punch, stand, walk
from motionloom.warping import Key, preset_keys, warp
from motionloom.warping.plants import PLANTS_DETECTED, keep_feet_level, limit_ease
from tests.enforcement.measuring import largest_slide, way_of
from tests.figures import smooth_clip


def walked(seconds: float = 3.0) -> Clip:
    return annotate(walk(duration=seconds).clip)


def test_without_feet_plants_cannot_be_kept() -> None:
    with pytest.raises(ParameterError, match="the clip has no constraints, and none were detected"):
        warp(smooth_clip(20), keep_plants=True)
    with pytest.raises(ParameterError, match="ground says where feet are put, which needs keep_plants=True"):
        warp(walked(), ground=0.0)


def test_missing_plants_are_found_and_said() -> None:
    assert PLANTS_DETECTED in warp(walk(duration=1.0).clip, keep_plants=True).report.notes


def test_feet_stay_when_the_body_sinks_and_tilts() -> None:
    clip = stand(duration=0.5).clip
    result = warp(clip, [Key(0.2, move=(0, -0.15, 0)), Key(0.2, rotate=(0.3, 0, 0.1))])
    below = keep_feet_level(clip, result.clip)
    for name in ("LeftFoot", "RightToeBase"):
        joint = clip.skeleton.index(name)
        np.testing.assert_allclose(
            below.world_positions()[:, joint], clip.world_positions()[:, joint], atol=1e-9
        )
    np.testing.assert_array_equal(below.root_positions, result.clip.root_positions)
    assert keep_feet_level(clip, clip) is clip


def test_feet_go_along_over_the_ground_and_keep_their_own_keys() -> None:
    clip = stand(duration=0.5).clip
    keys = [Key(0.2, move=(0.3, 0, 0)), Key(0.2, rotate=(0, 0.5, 0)), Key(0.2, "LeftLeg", rotate=(0.4, 0, 0))]
    result = warp(clip, keys)
    below = keep_feet_level(clip, result.clip)
    np.testing.assert_allclose(below.world_positions(), result.clip.world_positions(), atol=1e-9)


@pytest.mark.slow
def test_turned_moved_and_slowed_feet_do_not_slide() -> None:
    keys = [
        Key(1.0, rotate=(0, 0.5, 0)),
        Key(1.5, move=(0.1, -0.1, 0)),
        Key(1.5, "LeftUpLeg", rotate=(0.2, 0, 0)),
    ]
    loose = warp(walked(), keys, [(1.0, 1.4)])
    kept = warp(walked(), keys, [(1.0, 1.4)], keep_plants=True)
    assert largest_slide(loose.clip) > 0.02
    assert largest_slide(kept.clip) < 1e-3
    assert kept.report.plants is not None
    assert kept.report.plants.unreached == ()
    assert kept.clip.n_frames == loose.clip.n_frames


def test_a_plant_goes_to_the_middle_of_where_it_was_carried() -> None:
    clip = walked()
    kept = warp(clip, [Key(1.5, move=(0.2, 0, 0), ease=None)], keep_plants=True)
    for before, after in zip(clip.constraints, kept.clip.constraints, strict=True):
        moved = way_of(after, kept.clip).mean(axis=0) - way_of(before, clip).mean(axis=0)
        np.testing.assert_allclose(moved[[0, 2]], [0.2, 0.0], atol=0.01)


def test_targets_from_before_the_warp_are_decided_anew() -> None:
    clip = walked()
    old = tuple(replace(c, target=way_of(c, clip).mean(axis=0)) for c in clip.constraints)
    kept = warp(replace(clip, constraints=old), [Key(1.5, move=(0.5, 0, 0), ease=None)], keep_plants=True)
    assert min(c.target[0] - b.target[0] for c, b in zip(kept.clip.constraints, old, strict=True)) > 0.4  # type: ignore[index]


@pytest.mark.slow
def test_feet_come_to_the_ground_that_is_given() -> None:
    kept = warp(walked(), keep_plants=True, ground=lambda x, z: 0.1 * z)
    assert largest_slide(kept.clip) < 1e-3
    for plant in kept.clip.constraints:
        lowest = way_of(plant, kept.clip)[:, 1] - 0.1 * way_of(plant, kept.clip)[:, 2]
        assert abs(lowest.min()) < 2e-3


def test_reaches_are_met_again_after_feet_were_held() -> None:
    clip = annotate(punch(duration=1.2).clip)
    hand = clip.skeleton.index("RightHand")
    keys = [
        Key(0.6, move=(0.1, -0.1, 0)),
        Key(0.6, "RightHand", reach=clip.world_positions()[36, hand] + np.array([0.05, 0.0, -0.1])),
    ]
    kept = warp(clip, keys, [(0.6, 0.9)], keep_plants=True)
    (outcome,) = kept.report.outcomes
    assert outcome.time == pytest.approx(0.9)
    assert outcome.distance < 1e-6
    assert largest_slide(kept.clip) < 1e-3


def test_a_swinging_foot_meets_its_key_without_touching_plants() -> None:
    clip = walked()
    swing = next(e.frame for e in clip.events if e.label == "mid swing" and e.frame > 60)
    joint = next(e.joint for e in clip.events if e.frame == swing)
    frame = round(swing)
    target = clip.world_positions()[frame, clip.skeleton.index(joint)] + np.array([0.0, 0.15, 0.0])
    kept = warp(clip, [Key(frame / 60, joint, reach=target, ease=0.3)], keep_plants=True)
    assert kept.report.outcomes[0].distance < 1e-3
    assert largest_slide(kept.clip) < 1e-3
    assert limit_ease(clip, joint, frame / 60, None) is not None


def test_a_leg_that_is_stiffened_keeps_its_plants(mocap: Path) -> None:
    """A limp slows a leg down, and its source shows how fast it can follow: a plant was dropped before."""
    clip = annotate(load_clip(mocap / "dialects/bvh/walk01_24hz_exponents.bvh"))
    stated = warp(clip, preset_keys("limp")).clip.constraints
    held = warp(clip, preset_keys("limp"), keep_plants=True)
    assert [(c.joint, c.kind, c.start, c.end) for c in held.clip.constraints] == [
        (c.joint, c.kind, c.start, c.end) for c in stated
    ]
    assert plant_measures(held.clip).travel.max() < 0.001
