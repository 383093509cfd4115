"""Extremes of cyclic clips, wherever the cycle is cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.cycles import cyclify, extend_cycle
from motionloom.motion import Clip
from motionloom.registration import register
from motionloom.spaces import parameters
from motionloom.spaces.find_frame import find_frame
from motionloom.spaces.measured_blends import MeasuredBlends
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import walk

FAST = parameters.speed("LeftFoot")


@pytest.fixture(scope="module")
def loops() -> list[Clip]:
    return [cyclify(walk(speed=speed, duration=4.0, fps=30).clip, cycles=1).clip for speed in (0.9, 1.3, 1.6)]


def begin_at(loop: Clip, frame: int) -> Clip:
    """The same loop, cut at another frame."""
    long = extend_cycle(loop, frame + loop.n_frames)
    return replace(long[frame:], cyclic=True, constraints=(), events=())


def foot_of(clip: Clip) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array(clip.world_positions()[:, clip.skeleton.index("LeftFoot")])


@pytest.mark.parametrize("at", ["highest", "fastest"])
def test_an_extreme_is_the_same_wherever_the_cycle_is_cut(loops: list[Clip], at: str) -> None:
    loop = loops[1]
    peak = find_frame(loop, foot_of(loop), at)
    measure = parameters.height("LeftFoot", at) if at == "highest" else parameters.speed("LeftFoot", at)
    for shift in (-1, 0, 1):
        cut = begin_at(loop, (round(peak) + shift) % loop.n_frames)
        assert find_frame(cut, foot_of(cut), at) == pytest.approx(
            (peak - round(peak) - shift) % loop.n_frames, abs=0.02
        )
        np.testing.assert_allclose(measure.measure(cut), measure.measure(loop), rtol=2e-4)


def test_near_a_seam_the_cycle_goes_on(loops: list[Clip]) -> None:
    loop = loops[1]
    peak = find_frame(loop, foot_of(loop), "highest")
    for cycles in (-1, 1):
        expected = peak + cycles * loop.n_frames
        assert find_frame(loop, foot_of(loop), "highest", near=expected + 1.0) == pytest.approx(expected)


def test_moments_on_both_sides_of_a_seam_belong_together(loops: list[Clip]) -> None:
    peaks = [round(find_frame(loop, foot_of(loop), "fastest")) for loop in loops]
    # The first loop has its fastest foot at its end, the second one at its beginning.
    cut = [
        begin_at(loops[0], (peaks[0] + 1) % loops[0].n_frames),
        begin_at(loops[1], (peaks[1] - 1) % loops[1].n_frames),
    ]
    blends = MeasuredBlends(register(cut), {"foot": FAST})
    low, high = (float(blends.measure(row)[0]) for row in np.eye(2))
    assert np.ptp(blends.moments["foot"]) < 0.2 * np.ptp(blends.curve.domain)
    for share in (0.25, 0.5, 0.75):
        between = float(blends.measure([1.0 - share, share])[0])
        assert between == pytest.approx((1.0 - share) * low + share * high, abs=0.1 * abs(high - low) + 1e-3)


def test_a_space_of_loops_that_are_cut_at_the_extreme(loops: list[Clip]) -> None:
    cut = [begin_at(loop, round(find_frame(loop, foot_of(loop), "fastest"))) for loop in loops]
    space = MotionSpace(register(cut), {"foot": FAST}, accuracy=0.02, extrapolation=0.0)
    whole = MotionSpace(register(loops), {"foot": FAST}, accuracy=0.02, extrapolation=0.0)
    # Blends sample a clip between its frames, elsewhere in one than in the other.
    np.testing.assert_allclose(space.examples, whole.examples, rtol=0.01)
    goal = space.examples.mean(axis=0)
    np.testing.assert_allclose(space.blends.measure(space.weights(goal)), goal, atol=1e-6)
