from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.blending import blend
from motionloom.blending.limit_speeds import MAX_SPEED_RATIO, SPEED_SLACK, compare_speeds
from motionloom.blending.sources import prepare_sources
from motionloom.files import load
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.quality import joint_speeds
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import stand
from motionloom.workflows import prepare_and_register

pytestmark = pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")


def swung(degrees: float, sign: float) -> Clip:
    """Somebody who stands and swings an arm out to a side and back."""
    clip = stand(duration=2.0, fps=30).clip
    rotations = np.array(clip.rotations)
    arm = clip.skeleton.index("LeftArm")
    angles = np.radians(degrees) * np.sin(np.linspace(0.0, np.pi, clip.n_frames)) ** 2
    rotations[:, arm] = rot.multiply(rot.from_axis_angle([1.0, 0.0, 0.0], sign * angles), rotations[:, arm])
    return replace(clip, rotations=rotations)


def ratio_of(curve: RegistrationCurve, clip: Clip) -> float:
    usual = np.max([joint_speeds(source, cutoff=None) for source in curve.clips], axis=0)
    return float((joint_speeds(clip, cutoff=None) / (usual + SPEED_SLACK)).max())


def test_clips_with_all_the_weight_come_back_untouched() -> None:
    curve = register([swung(100.0, 1.0), swung(100.0, -1.0)])
    result = blend(curve, [1.0, 0.0])
    np.testing.assert_allclose(result.clip.rotations, curve.clips[0].rotations, atol=1e-12)
    assert not any("times as fast" in note for note in result.report.notes)


def test_slow_blends_are_left_as_they_are() -> None:
    curve = register([swung(20.0, 1.0), swung(30.0, 1.0)])
    result = blend(curve, [0.5, 0.5])
    assert result.report.hand_overs == ()
    poses = result.clip.at(range(result.clip.n_frames))
    assert (compare_speeds(prepare_sources(curve, keep_gravity=True), poses) <= 1.0).all()


@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.3, 0.7]])
def test_arms_far_apart_are_not_too_fast(weights: list[float]) -> None:
    curve = register([swung(150.0, 1.0), swung(150.0, -1.0)])
    result = blend(curve, weights)
    assert ratio_of(curve, result.clip) <= MAX_SPEED_RATIO + 1e-6


@pytest.mark.slow
def test_captured_rolls_and_walks_are_not_too_fast(mocap: Path) -> None:
    """A limb that is twisted in the capture, and a timewarp that runs a clip at six times its rate."""
    for pair in (("90_34", "90_35"), ("111_01", "143_39")):
        clips = [load(mocap / "library" / name.split("_")[0] / f"{name}.bvh") for name in pair]
        _, curve = prepare_and_register(clips)
        assert ratio_of(curve, blend(curve, [0.5, 0.5]).clip) < 1.3
