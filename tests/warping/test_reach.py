"""Hitting targets: the clip that needs the least change is taken, and hits."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.synthesis import punch, stand
from motionloom.warping import reach
from motionloom.warping.reach import find_hit_time
from tests.conftest import NO_MOCAP, captured
from tests.refusals import refused
from tests.warping.measuring import captured_clip, joint_speeds

PUNCHES = [
    "actions/punches/punch_high1_02_05_r0091-0265",
    "actions/punches/punch_low1_02_05_r1137-1313",
]


def test_clips_are_needed() -> None:
    with pytest.raises(ParameterError, match="reach takes at least one clip"):
        reach([], "RightHand", (0, 0, 0))
    for clips in (None, [None]):
        with pytest.raises(ParameterError, match=r"reach takes .*clips with skeletons, .*None"):
            reach(clips, "RightHand", (0, 0, 0))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="a clip without frames cannot hit a target: leave it out"):
        reach(stand(duration=0.5).clip[:0], "RightHand", (0, 0, 0))
    with refused("joint", None):
        reach(stand(duration=0.5).clip, None, (0, 0, 0))  # type: ignore[arg-type]
    with refused("time", "now"):
        reach(stand(duration=0.5).clip, "RightHand", (0, 0, 0), "now")  # type: ignore[arg-type]
    with refused("time", -1):
        reach(stand(duration=0.5).clip, "RightHand", (0, 0, 0), -1)


def test_a_clip_hits_at_the_time_that_is_asked_for() -> None:
    clip = punch(duration=1.2).clip
    hand = clip.skeleton.index("RightHand")
    moment = find_hit_time(clip, "RightHand", np.zeros(3))
    target = clip.world_positions()[round(moment * 60), hand] + np.array([0.05, 0.1, -0.05])
    hit = reach(clip, "RightHand", target, 0.8)
    assert hit.report.moment == pytest.approx(0.8)
    np.testing.assert_allclose(hit.clip.world_positions()[48, hand], target, atol=1e-3)
    assert "clip 0 of 1" in str(hit.report)


def test_without_an_apex_the_nearest_moment_is_taken() -> None:
    clip = stand(duration=1.0).clip
    hand = clip.skeleton.index("LeftHand")
    target = clip.world_positions()[20, hand]
    hit = reach(clip, "LeftHand", target)
    assert hit.report.distance < 1e-6
    assert hit.report.sizes[0] < 0.1


@pytest.mark.slow
def test_out_of_reach_the_nearest_clip_is_given_and_says_so() -> None:
    clip = punch(duration=1.2).clip
    hit = reach([clip, clip], "RightHand", (0, 1, 9))
    assert hit.report.sizes == (np.inf, np.inf)
    assert hit.report.distance > 1.0


@pytest.mark.slow
@pytest.mark.skipif(not captured("actions/punches/*.bvh"), reason=NO_MOCAP)
def test_high_targets_take_the_high_punch_and_low_ones_the_low() -> None:
    clips = [captured_clip(name) for name in PUNCHES]
    for own, clip in enumerate(clips):
        hand = clip.skeleton.index("RightHand")
        frame = round(next(e.frame for e in clip.events if e.label == "apex" and e.joint == "RightHand"))
        apex = clip.world_positions()[frame, hand]
        # Where both stand must be the same for the choice to be one of height.
        placed = [c.placed(_onto(c, clip)) for c in clips]
        hit = reach(placed, "RightHand", apex + np.array([0.03, 0.02, 0.0]))
        assert hit.report.chosen == own
        assert hit.report.distance < 1e-3
        assert joint_speeds(hit.clip).max() < 1.3 * joint_speeds(clip).max()


def _onto(clip: Clip, other: Clip) -> GroundTransform:
    """The placement that puts the first root of a clip where another one has it."""
    x, _, z = (other.root_positions[0] - clip.root_positions[0]).tolist()
    return GroundTransform(0.0, x, z)
