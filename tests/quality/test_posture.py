from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.quality.posture import STRAIGHT, compare_posture, knee_angles, measure_posture
from motionloom.synthesis import stand
from tests.quality.bodies import dot

STILL = stand(duration=1.0, fps=30).clip
"""Somebody who stands without any motion, with knees that are bent by 24°."""


def shifted(clip: Clip, heights: float | np.ndarray) -> Clip:
    """The clip with a root that is higher by these heights (T,), metres."""
    roots = np.array(clip.root_positions)
    roots[:, 1] += heights
    return replace(clip, root_positions=roots)


def bent(clip: Clip, angles: float | np.ndarray, joint: str = "LeftLeg") -> Clip:
    """The clip with a knee that is bent by more, these angles (T,) in radians."""
    rotations = np.array(clip.rotations)
    index = clip.skeleton.index(joint)
    turn = rot.from_axis_angle([1.0, 0.0, 0.0], np.broadcast_to(angles, clip.n_frames))
    rotations[:, index] = rot.multiply(rotations[:, index], turn)
    return replace(clip, rotations=rotations)


def test_hips_that_are_a_centimetre_lower() -> None:
    found = compare_posture(STILL, shifted(STILL, -0.01))
    assert found.hips == pytest.approx(np.full(31, -0.01))
    assert np.all(found.knees == 0.0)
    assert (found.bobbing, found.knee_speed, found.knee_snap) == (1.0, 1.0, 1.0)
    assert found.spikes == {"pelvis": 1.0, "head": 1.0, "knees": 1.0, "hands": 1.0}


def test_a_knee_that_is_bent_by_five_degrees() -> None:
    found = compare_posture(STILL, bent(STILL, np.radians(5.0)))
    assert found.knees[:, 0] == pytest.approx(np.full(31, -np.radians(5.0)), abs=1e-9)
    assert np.all(found.knees[:, 1] == 0.0)
    assert np.all(found.hips == 0.0)


def test_hips_that_bob_are_compared_with_the_least_that_shows() -> None:
    times = np.arange(31) / 30
    bobbing = shifted(STILL, 0.01 * np.sin(2 * np.pi * 2.0 * times))
    expected = 0.01 * (2 * np.pi * 2.0) ** 2 / np.sqrt(2.0)
    assert compare_posture(STILL, bobbing).bobbing == pytest.approx(expected / 0.05, rel=0.05)
    double = shifted(STILL, 0.02 * np.sin(2 * np.pi * 2.0 * times))
    assert compare_posture(bobbing, double).bobbing == pytest.approx(2.0)


def test_a_knee_that_bends_faster() -> None:
    slow = bent(STILL, np.radians(np.linspace(0.0, 60.0, 31)))
    fast = bent(STILL, np.radians(np.minimum(np.linspace(0.0, 150.0, 31), 60.0)))
    assert compare_posture(slow, fast).knee_speed == pytest.approx(2.5)
    assert compare_posture(slow, fast).knee_snap == 1.0, "the knee is never nearly straight"


def test_a_knee_that_snaps_near_straight() -> None:
    (leg, _) = find_anatomy(STILL.skeleton).legs
    to_straight = knee_angles(STILL, leg.chain)[0] - STRAIGHT
    stretching = bent(STILL, to_straight - np.linspace(0.0, 0.2, 31))
    snapping = bent(STILL, to_straight - np.where(np.arange(31) < 15, 0.01, 0.11))
    # 0.2 rad over a second before, which is below what shows, and 0.1 rad in a frame of 1/30 s after.
    assert compare_posture(stretching, snapping).knee_snap == pytest.approx(0.1 * 30 / 0.5)


def test_parts_that_jerk() -> None:
    jumping = shifted(STILL, np.where(np.arange(31) == 15, 0.01, 0.0))
    found = compare_posture(STILL, jumping).spikes
    # The whole body is one centimetre higher in one frame: 2 cm over the square of a frame.
    assert found == pytest.approx(dict.fromkeys(("pelvis", "head", "knees", "hands"), 0.02 * 900))


def test_a_clip_by_itself() -> None:
    found = {each.name: each.value for each in measure_posture(STILL).measurements}
    (leg, _) = find_anatomy(STILL.skeleton).legs
    assert found["knee bend"] == pytest.approx(180.0 - np.degrees(knee_angles(STILL, leg.chain)[0]))
    assert 60.0 < found["hip height"] < 110.0
    still = ("hip bobbing", "knee snap", "acceleration of the head", "acceleration of the hands")
    assert [found[name] for name in still] == [0.0] * 4


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ParameterError, match="frame by frame, but 31 frames became 30"):
        compare_posture(STILL, STILL[:30])
    with pytest.raises(ParameterError, match="no legs were found in the skeleton, or less than three frames"):
        compare_posture(STILL[:2], STILL[:2])
    legless = dot(np.zeros((5, 3)))
    with pytest.raises(ParameterError, match="no legs were found in the skeleton"):
        measure_posture(legless)
