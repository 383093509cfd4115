"""Warps that travel: moments, roles, axes of the body and obstacles in clips they were not made for."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_height, find_anatomy
from motionloom.synthesis import walk
from motionloom.warping import Key, Obstacle, TimeKeys, Warp, preset_keys, resolve_warp, warp
from motionloom.warping.footholds import find_footholds
from motionloom.warping.obstacles import foot_points, place_obstacle
from tests.conftest import MOCAP
from tests.enforcement.measuring import largest_slide
from tests.warping.test_joint_roles import with_turned_axes
from tests.warping.test_presets import needs_captures


@cache
def walking() -> Clip:
    return annotate(walk(duration=3.0, fps=60).clip)


@cache
def other_rig() -> Clip:
    """A captured walk on a rig of 19 joints at 24 frames per second."""
    return annotate(ml.load(MOCAP / "dialects" / "bvh" / "walk01_24hz_exponents.bvh"))


def test_a_warp_in_seconds_stays_as_it_is() -> None:
    plain = Warp.of([Key(0.5, "Spine", rotate=(0.2, 0, 0))], [(0.5, 0.8)])
    assert resolve_warp(walking(), plain).warp is plain


def test_moments_and_roles_become_seconds_and_joints() -> None:
    key = Key("every left strike", "left knee", rotate=(0.3, 0, 0), ease="10 %", frame="body")
    resolved = resolve_warp(walking(), Warp.of([key]))
    assert [round(key.seconds, 3) for key in resolved.warp.keys] == [1.033, 2.067]
    assert {key.joint for key in resolved.warp.keys} == {"LeftLeg"}
    assert [key.fade for key in resolved.warp.keys] == pytest.approx([0.3, 0.3])
    assert not resolved.warp.is_portable
    assert resolved.moments[0][0] == "every left strike"


def test_what_cannot_be_applied_is_named() -> None:
    with pytest.raises(
        ParameterError, match="the key of joint 'left knee' at 'left strike 9' cannot be applied"
    ):
        warp(walking(), [Key("left strike 9", "left knee", rotate=(0.3, 0, 0), frame="body")])
    with pytest.raises(ParameterError, match="a time key cannot be applied: the clip has no 'jump' events"):
        warp(walking(), times=[("jump", 1.0)])
    with pytest.raises(ParameterError, match="names a side that an obstacle decides"):
        warp(walking(), [Key("start", "leading ankle", rotate=(0.3, 0, 0), frame="body")])
    with pytest.raises(ParameterError, match="'every left strike' are 2 moments, and one time is given"):
        warp(walking(), times=[("every left strike", 1.0)])


def test_stretches_multiply_the_time_between_moments() -> None:
    slow = warp(walking(), times=[("left strike", "left strike 2", 2.0)])
    strikes = [event.frame / slow.clip.fps for event in slow.clip.events if event.label == "strike"]
    before = [event.frame / 60.0 for event in walking().events if event.label == "strike"]
    lefts = find_events(slow.clip)
    assert slow.clip.duration == pytest.approx(
        walking().duration + lefts[1] - lefts[0] - (2.0667 - 1.0333), abs=1e-3
    )
    assert lefts[1] - lefts[0] == pytest.approx(2.0 * (2.0667 - 1.0333), abs=1e-3)
    assert len(strikes) == len(before)


def find_events(clip: Clip) -> list[float]:
    return [e.frame / clip.fps for e in clip.events if e.label == "strike" and e.joint == "LeftFoot"]


def test_stretches_may_meet_and_must_not_overlap() -> None:
    keys = TimeKeys(stretches=[("50 %", "end", 2.0), ("start", "50 %", 0.5)])
    pairs = resolve_warp(walking(), Warp.of([], keys)).warp.times[0].seconds
    np.testing.assert_allclose(pairs, [(0.0, 0.0), (1.5, 0.75), (3.0, 3.75)], atol=1e-9)
    with pytest.raises(ParameterError, match=r"two stretches of time overlap at 1\.50 s"):
        warp(walking(), times=[("start", "end", 2.0), ("50 %", "end", 0.5)])
    with pytest.raises(ParameterError, match="a stretch ends at 'start', which does not come after 'end'"):
        warp(walking(), times=[("end", "start", 2.0)])
    with pytest.raises(ParameterError, match="time keys have pairs or stretches, not both"):
        TimeKeys([(0.0, 0.0)], stretches=[("start", "end", 2.0)])
    with pytest.raises(ParameterError, match=r"a stretch of time must be \(start, end, factor\)"):
        TimeKeys(stretches=[("start", "end")])  # type: ignore[list-item]


def test_lengths_are_in_body_heights_and_reaches_count_from_the_clip() -> None:
    clip = walking()
    height = body_height(clip.skeleton)
    assert height is not None
    keys = [
        Key(1.0, move=(0.0, -0.05, 0.0), ease=None, frame="body"),
        Key(1.0, "right wrist", reach=(0.0, 0.1, 0.05), frame="body"),
    ]
    moved, raised = resolve_warp(clip, Warp.of(keys)).warp.keys
    np.testing.assert_allclose(moved.vector, (0.0, -0.05 * height, 0.0), atol=1e-12)
    hand = clip.world_positions()[60, clip.skeleton.index("RightHand")]
    np.testing.assert_allclose(raised.vector - hand, (0.0, 0.1 * height, 0.05 * height), atol=2e-3)


def test_heights_above_the_ground_are_those_of_the_lowest_point_of_the_foot() -> None:
    clip = walking()
    height = body_height(clip.skeleton) or 1.0
    key = Key("left mid swing", "left ankle", reach=(0.0, 0.1, 0.0), frame="ground", ease=0.2)
    result = warp(clip, [key])
    frame = round(result.report.moments[0][1][0] * clip.fps)
    lowest = foot_points(result.clip, find_anatomy(clip.skeleton).legs[0])[frame, :, 1].min()
    assert lowest == pytest.approx(0.1 * height, abs=0.02)


def test_the_same_keys_do_the_same_on_a_rig_with_other_axes() -> None:
    plain = walking()
    turned = with_turned_axes(plain)
    for name in ("limp", "sneak", "carry"):
        keys = preset_keys(name)
        one, two = warp(plain, keys), warp(turned, keys)
        np.testing.assert_allclose(two.clip.world_positions(), one.clip.world_positions(), atol=5e-3)


@needs_captures
@pytest.mark.parametrize("name", ["limp", "step-over", "sneak"])
def test_a_saved_warp_applies_to_another_walk_on_another_rig(name: str, tmp_path: Path) -> None:
    saved = preset_keys(name).save(tmp_path / "warp.json")
    source = other_rig()
    result = warp(source, Warp.load(saved), keep_plants=True)
    assert largest_slide(result.clip) < 1e-3
    assert not result.report.unreached
    if name == "limp":
        ratios = np.array(contact_times(result.clip)) / contact_times(source)
        assert len(ratios) >= 2
        np.testing.assert_allclose(ratios, 0.75, atol=1e-6)
    if name == "sneak":
        assert result.clip.duration == pytest.approx(1.35 * source.duration, abs=source.frame_time)


def contact_times(clip: Clip) -> list[float]:
    """Seconds from each strike of the left foot to its next lift."""
    events = [e for e in clip.events if e.joint == "LeftFoot" and e.label in ("strike", "lift")]
    events.sort(key=lambda event: event.frame)
    pairs = [(a, b) for a, b in pairwise(events) if (a.label, b.label) == ("strike", "lift")]
    return [(b.frame - a.frame) * clip.frame_time for a, b in pairs]


def test_the_step_that_comes_to_a_hurdle_passes_over_it() -> None:
    clip = walking()
    free = place_obstacle(clip, Obstacle("hurdle", 0.5))
    there = clip.root_positions[0] + [0.0, 0.0, 0.0]
    along = np.linspace(0.0, clip.root_positions[-1, 2], 2000)
    tops = free.surface(np.full_like(along, there[0]), along)
    middle = float(along[np.flatnonzero(tops > tops.min() + 1e-6)].mean())
    fixed = place_obstacle(clip, Obstacle("hurdle", (float(there[0]), middle)))
    assert [c.side for c in fixed.crossings] == [c.side for c in free.crossings]
    np.testing.assert_allclose(
        [c.time for c in fixed.crossings], [c.time for c in free.crossings], atol=2 * clip.frame_time
    )
    hold = find_footholds(clip)[2].centre
    with pytest.raises(ParameterError, match="foot stands there: the walk's steps go from"):
        place_obstacle(clip, Obstacle("hurdle", (float(hold[0]), float(hold[2]))))
    with pytest.raises(ParameterError, match="no step passes over it"):
        place_obstacle(clip, Obstacle("hurdle", (0.0, 50.0)))


def test_bad_obstacles_are_refused() -> None:
    with pytest.raises(
        ParameterError, match="the kind of an obstacle must be one of 'hurdle', 'block', 'stairs'"
    ):
        Obstacle("wall")  # type: ignore[arg-type]
    with pytest.raises(
        ParameterError, match="at of the hurdle, a fraction of the steps, must be from 0 to 1"
    ):
        Obstacle("hurdle", 2.0)
    with pytest.raises(ParameterError, match="height of the block, in body heights, must be"):
        Obstacle("block", height=3.0)
    with pytest.raises(ParameterError, match=r"obstacle must be a motionloom\.Obstacle, not 'hurdle'"):
        Warp.of([], obstacle="hurdle")  # type: ignore[arg-type]


def test_ground_of_an_obstacle_is_walked_on_when_plants_are_kept() -> None:
    clip = walking()
    stairs = Warp.of([], obstacle=Obstacle("stairs", height=0.05))
    rise = warp(clip, stairs, keep_plants=True).clip.root_positions[-1, 1] - clip.root_positions[-1, 1]
    assert rise > 0.1
    assert replace(stairs, obstacle=None) == Warp()
