"""Both ends of a cycle become one pose and one velocity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.cycles.loop_closing import (
    CapturedCycle,
    close_cycle,
    match_travel,
    sample_cycle,
    sample_smoothly,
    seam_placement,
)
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.unroll import travel
from motionloom.synthesis import walk
from tests.figures import smooth_clip


def whole(clip: Clip, margin: int = 3) -> CapturedCycle:
    return CapturedCycle(clip, clip.n_frames - 2 * margin - 1, margin)


def test_whole_frames_are_sampled_as_they_are() -> None:
    clip = smooth_clip(20, moving=True)
    same = sample_smoothly(clip, np.arange(20.0))
    np.testing.assert_allclose(same.root_positions, clip.root_positions, atol=1e-15)
    np.testing.assert_allclose(same.world_positions(), clip.world_positions(), atol=1e-14)


def test_peaks_between_frames_are_not_flattened() -> None:
    clip, fine = walk(duration=2.0, fps=60).clip, walk(duration=2.0, fps=240).clip
    frames = np.arange(4, 470) / 4
    smooth = sample_smoothly(clip, frames).world_positions() - fine.world_positions()[4:470]
    plain = clip.at(frames).root_positions - fine.root_positions[4:470]
    assert np.abs(smooth[:, 0]).max() < 0.3 * np.abs(plain).max()


def test_a_cycle_takes_as_much_margin_as_there_is() -> None:
    clip = smooth_clip(30)
    taken = sample_cycle(clip, start=2, end=25.4, margin=5)
    assert (taken.n_frames, taken.margin, taken.clip.n_frames) == (23, 1, 26)
    np.testing.assert_allclose(taken.clip.root_positions[1], clip.root_positions[2], atol=1e-12)


def test_the_end_leads_on_to_the_start() -> None:
    """Smooth motion that does not repeat at all: the seam is C1 all the same."""
    captured = whole(smooth_clip(67, moving=True))
    way = seam_placement(captured)
    cycle = close_cycle(captured, way, ease=20)
    after, back = cycle.placed(way), captured.clip.placed(way.inverse())
    before, here, following = cycle[-1:], after[:1], after[1:2]
    # The root bends at the seam as it does on average at both captured ends.
    bend = following.root_positions[0] - 2 * here.root_positions[0] + before.root_positions[0]
    ends = (captured.clip.root_positions[2:5], back.root_positions[62:65])
    wanted = way.apply_to_directions(np.mean([p[2] - 2 * p[1] + p[0] for p in ends], axis=0))
    np.testing.assert_allclose(bend, wanted, atol=2e-3 * np.abs(ends[0][1] - ends[1][1]).max() + 1e-9)
    first = rot.to_rotation_vector(rot.multiply(here.rotations[0], rot.inverse(before.rotations[0])))
    second = rot.to_rotation_vector(rot.multiply(following.rotations[0], rot.inverse(here.rotations[0])))
    # Joints turn by up to 0.06 rad per frame; their rates before and after the seam agree to a tenth of that.
    assert np.abs(first - second).max() < 0.006


def test_the_middle_of_the_cycle_stays_as_captured() -> None:
    captured = whole(smooth_clip(67))
    cycle = close_cycle(captured, seam_placement(captured), ease=20)
    np.testing.assert_array_equal(cycle.root_positions[20:40], captured.clip.root_positions[23:43])
    np.testing.assert_allclose(cycle.rotations[20:40], captured.clip.rotations[23:43], atol=1e-15)


def test_both_ends_give_way_alike() -> None:
    captured = whole(smooth_clip(67))
    way = seam_placement(captured)
    cycle = close_cycle(captured, way, ease=20)
    start = captured.clip.root_positions[captured.margin]
    end = way.inverse().apply(captured.clip.root_positions[captured.margin + captured.n_frames])
    np.testing.assert_allclose(cycle.root_positions[0], (start + end) / 2, atol=1e-12)


def test_easing_is_limited_to_half_of_the_cycle() -> None:
    captured = whole(smooth_clip(27))
    assert close_cycle(captured, seam_placement(captured), ease=500).n_frames == 20


@pytest.mark.slow
@given(st.floats(-0.02, 0.02), st.floats(-0.02, 0.02), st.floats(-0.02, 0.02))
def test_settling_makes_the_travel_exact(yaw: float, x: float, z: float) -> None:
    clip = replace(walk(duration=1.0, curvature=0.4, fps=30).clip, cyclic=True)
    usual = travel(clip)
    way = GroundTransform(usual.yaw + yaw, usual.x + x, usual.z + z)
    done = match_travel(clip, way)
    found = travel(done)
    assert (found.yaw, found.x, found.z) == pytest.approx((way.yaw, way.x, way.z), abs=1e-8)
    np.testing.assert_array_equal(done.root_positions[2:-2], clip.root_positions[2:-2])
    assert (
        np.abs(done.root_positions - clip.root_positions).max()
        < 0.3 * (abs(x) + abs(z) + 3 * abs(yaw)) + 1e-9
    )
