from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_height, find_anatomy
from motionloom.quality.posture import (
    FOREARM_RADIUS,
    SHIN_RADIUS,
    STRAIGHT,
    TRUNK_RADIUS,
    compare_posture,
    knee_angles,
    limb_overlaps,
    measure_posture,
    segment_distances,
)
from motionloom.synthesis import stand
from tests.figures import skeleton_of
from tests.quality.bodies import dot, gliding

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


places = st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1))


def row(*point: float) -> FloatArray:
    return np.array([point])


def test_bodies_without_limbs_are_refused() -> None:
    with pytest.raises(ParameterError, match="no two limbs were found"):
        limb_overlaps(dot(np.zeros((3, 3))))


@pytest.mark.parametrize(
    ("second", "distance"),
    [
        ((row(0.5, 1, -1), row(0.5, 1, 1)), 1.0),  # crosses above the middle
        ((row(2, 0, 0), row(3, 0, 0)), 1.0),  # goes on in line
        ((row(0, 0.5, 0), row(1, 0.5, 0)), 0.5),  # parallel
        ((row(4, 4, 0), row(4, 4, 0)), 5.0),  # a point beyond the end
        ((row(0.3, -1, 0), row(0.3, 1, 0)), 0.0),  # meets it
    ],
)
def test_distances_worked_by_hand(second: tuple[FloatArray, FloatArray], distance: float) -> None:
    assert segment_distances(row(0, 0, 0), row(1, 0, 0), *second)[0] == pytest.approx(distance)


@given(places, places, places, places)
def test_distances_agree_with_sampled_points(
    a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...], d: tuple[float, ...]
) -> None:
    shares = np.linspace(0.0, 1.0, 101)[:, None]
    first, second = (np.array(p) + shares * (np.array(q) - np.array(p)) for p, q in ((a, b), (c, d)))
    sampled = np.linalg.norm(first[:, None] - second, axis=-1).min()
    found = segment_distances(row(*a), row(*b), row(*c), row(*d))[0]
    assert sampled - 0.04 <= found <= sampled + 1e-9


def test_a_forearm_through_the_trunk_is_as_deep_as_both_radii() -> None:
    clip = gliding(0.0, seconds=0.1)
    arm, elbow = clip.skeleton.index("LeftArm"), clip.skeleton.index("LeftForeArm")
    turns = np.array(clip.rotations)
    # The upper arm hangs in the plane of the body, and the forearm points back through the spine.
    turns[5, arm] = rot.from_axis_angle([0.0, 0.0, 1.0], -np.pi / 2)
    turns[5, elbow] = rot.from_axis_angle([0.0, 0.0, 1.0], -np.pi / 2)
    depth = limb_overlaps(replace(clip, rotations=turns))["left forearm and trunk"]
    height = body_height(clip.skeleton)
    assert height is not None
    assert depth[5] == pytest.approx((FOREARM_RADIUS + TRUNK_RADIUS) * height)
    assert depth[0] < 0.0


def test_a_body_with_legs_only_has_pairs_of_legs_only() -> None:
    down, knees = [0.0, -0.43, 0.0], ("Leg", "Foot")
    names = ("Hips", *(f"{side}{part}" for side in ("Left", "Right") for part in ("UpLeg", *knees)))
    offsets = [[0.0, 1.0, 0.0], [0.1, 0.0, 0.0], down, down, [-0.1, 0.0, 0.0], down, down]
    body = skeleton_of(names, [-1, 0, 1, 2, 0, 4, 5], offsets)
    clip = Clip(body, 0.1, np.zeros((2, 3)), np.tile(rot.IDENTITY, (2, 7, 1)))
    found = limb_overlaps(clip)
    assert set(found) == {
        "left shin and right shin",
        "left shin and right thigh",
        "left thigh and right shin",
    }
    # The legs hang 20 cm apart.
    height = body_height(body)
    assert height is not None
    np.testing.assert_allclose(found["left shin and right shin"], 2 * SHIN_RADIUS * height - 0.2)
