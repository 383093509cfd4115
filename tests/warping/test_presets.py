"""Warp presets: few keys, feet that stay, and the edit that was wanted."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Result
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import stand, walk
from motionloom.warping import PRESETS, Warp, WarpReport, apply_preset, preset_edit, resolve_warp
from motionloom.warping.footholds import Foothold, find_footholds
from motionloom.warping.obstacles import foot_points
from tests.conftest import NO_MOCAP, captured
from tests.enforcement.measuring import largest_slide
from tests.figures import smooth_clip
from tests.warping.measuring import captured_clip

needs_captures = pytest.mark.skipif(not captured("locomotion/s16/*.bvh"), reason=NO_MOCAP)


@cache
def source() -> Clip:
    return captured_clip("locomotion/s16/walk_straight_16_15")


@cache
def made(name: str) -> Result[WarpReport]:
    return apply_preset(source(), name)


def feet(clip: Clip) -> FloatArray:
    return np.concatenate([foot_points(clip, leg) for leg in find_anatomy(clip.skeleton).legs], axis=1)


def head_height(clip: Clip) -> FloatArray:
    head = find_anatomy(clip.skeleton).head
    assert head is not None
    return np.asarray(clip.world_positions()[:, head, 1])


def test_unknown_names_and_unsuitable_clips_are_refused() -> None:
    clip = annotate(walk(duration=2.0).clip)
    with pytest.raises(
        ParameterError, match="there is no warp preset 'fly': choose one of doorway, step-over"
    ):
        apply_preset(clip, "fly")
    with pytest.raises(ParameterError, match="warp presets need a body with two legs, two arms and a spine"):
        apply_preset(smooth_clip(20), "limp")
    with pytest.raises(
        ParameterError, match="the clip has 2 footholds: an obstacle needs a walk with at least 4"
    ):
        apply_preset(stand(duration=1.0).clip, "stairs")
    with pytest.raises(ParameterError, match="a warp preset takes a clip with a skeleton, not a str"):
        apply_preset("walk.bvh", "limp")  # type: ignore[arg-type]
    spot = replace(clip, root_positions=clip.root_positions * [1.0, 1.0, 0.1])
    with pytest.raises(ParameterError, match="the clip stays in place: an obstacle needs a walk"):
        apply_preset(spot, "stairs")


def test_footholds_come_in_order_with_their_plants() -> None:
    clip = annotate(walk(duration=3.0).clip)
    holds = find_footholds(clip)
    assert [hold.start for hold in holds] == sorted(hold.start for hold in holds)
    assert sorted(n for hold in holds for n in hold.plants) == list(range(len(clip.constraints)))
    assert all(isinstance(hold, Foothold) and abs(hold.centre[1]) < 0.02 for hold in holds)


def shortened_contacts(clip: Clip) -> tuple[tuple[float, float], ...]:
    """Time keys that halve every contact of the left foot."""
    halved = Warp.of([], [("every left strike", "left lift", 0.5)])
    return resolve_warp(clip, halved).warp.times[0].seconds


def test_hurried_contacts_are_shorter_by_their_share() -> None:
    pairs = shortened_contacts(annotate(walk(duration=3.0).clip))
    lengths = np.diff(np.array(pairs).reshape(-1, 2, 2), axis=1)[:, 0]
    np.testing.assert_allclose(lengths[:, 1], 0.5 * lengths[:, 0])


@pytest.mark.slow
def test_in_a_cycle_the_contact_over_the_seam_is_hurried_up_to_it() -> None:
    cycle = cyclify(annotate(walk(duration=4.0, fps=60).clip), cycles=3)
    assert (
        max(hold.end for hold in find_footholds(cycle.clip) if hold.leg.side == "left")
        > cycle.clip.n_frames - 1
    )
    pairs = shortened_contacts(cycle.clip)
    assert pairs[-1][0] == cycle.clip.duration
    saved = pairs[-1][0] - pairs[-1][1]
    assert apply_preset(cycle, "limp").clip.duration < cycle.clip.duration
    assert 0.2 < saved < 0.5 * cycle.clip.duration


def test_one_cycle_of_a_walk_is_long_enough_for_stairs() -> None:
    cycle = cyclify(annotate(walk(duration=4.0, fps=60).clip), cycles=1)
    climbed = apply_preset(cycle, "stairs")
    rise = climbed.clip.root_positions[:, 1] - cycle.clip.root_positions[:, 1]
    assert rise[0] < 0.2
    assert rise[-1] > rise[0] + 0.1
    assert not climbed.clip.cyclic
    assert "the result is not cyclic" in climbed.report.notes[0]


@pytest.mark.slow
@needs_captures
@pytest.mark.parametrize("name", PRESETS)
def test_at_most_five_keys_and_feet_that_stay_on_their_ground(name: str) -> None:
    result, edit = made(name), preset_edit(source(), name)
    assert 1 <= result.report.n_keys <= 5
    assert largest_slide(result.clip) < 1e-3
    assert result.report.plants is not None
    assert result.report.plants.unreached == ()
    positions = feet(result.clip).reshape(-1, 3)
    levels = 0.0 if edit.ground is None else np.array([edit.ground(x, z) for x, _, z in positions.tolist()])
    # The capture itself sinks by 2.5 cm where its toes bend.
    assert (positions[:, 1] - levels).min() > -0.04


@needs_captures
def test_under_the_doorway_the_head_is_low_and_elsewhere_it_is_not() -> None:
    before, after = head_height(source()), head_height(made("doorway").clip)
    middle = len(before) // 2
    assert after[middle] < before[middle] - 0.35
    np.testing.assert_allclose(after[[5, -5]], before[[5, -5]], atol=0.04)


@needs_captures
def test_both_feet_pass_over_the_hurdle() -> None:
    hurdle = preset_edit(source(), "step-over").hurdle
    assert hurdle is not None
    positions = feet(made("step-over").clip)
    levels = np.array([hurdle(x, z) for x, _, z in positions.reshape(-1, 3).tolist()]).reshape(
        positions.shape[:2]
    )
    above = levels > levels.min() + 0.01
    assert above[:, : above.shape[1] // 2].any()
    assert above[:, above.shape[1] // 2 :].any()
    assert (positions[..., 1] - levels)[above].min() > 0.0
    before = feet(source())
    assert (before[..., 1] - levels)[above].min() < -0.05


@needs_captures
def test_the_block_and_the_stairs_are_climbed() -> None:
    root = {name: made(name).clip.root_positions[:, 1] for name in ("block", "stairs")}
    rest = source().root_positions[:, 1]
    middle = len(rest) // 2
    assert root["block"][middle] > rest[middle] + 0.08
    assert abs(root["block"][-1] - rest[-1]) < 0.05
    assert root["stairs"][-1] - root["stairs"][0] > 0.6


@needs_captures
def test_around_the_post_the_way_swings_out_and_comes_back() -> None:
    aside = (made("post").clip.root_positions - source().root_positions) @ np.array([1.0, 0.0, 0.0])
    across = np.abs(aside)
    assert across.max() > 0.4
    assert across[-1] < 0.3


@pytest.mark.slow
@needs_captures
def test_styles_of_walking() -> None:
    before = source()
    knee = before.skeleton.index("LeftLeg")
    bend = [np.ptp(np.linalg.norm(c.rotations[:, knee, 1:], axis=-1)) for c in (before, made("limp").clip)]
    assert bend[1] < bend[0]
    assert made("limp").clip.duration < before.duration
    assert made("sneak").clip.duration == pytest.approx(1.35 * before.duration, rel=0.01)
    assert head_height(made("sneak").clip).mean() < head_height(before).mean() - 0.15
    assert head_height(made("stoop").clip).mean() < head_height(before).mean() - 0.12
    travelled = [
        np.linalg.norm(np.ptp(c.root_positions[:, [0, 2]], axis=0)) for c in (before, made("trucking").clip)
    ]
    assert travelled[1] == pytest.approx(1.25 * travelled[0], rel=0.02)
    ankles = [
        c.world_positions()[:, c.skeleton.index("LeftFoot"), 1].min() for c in (before, made("tiptoe").clip)
    ]
    assert ankles[1] > ankles[0] + 0.03
    hands = [c.skeleton.index("LeftHand") for c in (before, made("carry").clip)]
    swing = [
        np.ptp(c.rotations[20:, h - 1], axis=0).max()
        for c, h in zip((before, made("carry").clip), hands, strict=True)
    ]
    assert swing[1] < 0.5 * swing[0]


@pytest.mark.slow
def test_what_reaches_can_be_done_by_half_too() -> None:
    clip = annotate(walk(duration=3.0).clip)
    highest = [feet(apply_preset(clip, "step-over", amount).clip)[..., 1].max() for amount in (0.0, 0.5, 1.0)]
    assert highest[0] < highest[1] < highest[2]


def test_half_an_amount_is_half_as_strong() -> None:
    clip = annotate(walk(duration=2.0).clip)
    heights = [head_height(apply_preset(clip, "stoop", amount).clip).mean() for amount in (0.0, 0.5, 1.0)]
    assert heights[0] > heights[1] > heights[2]
