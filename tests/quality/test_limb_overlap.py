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
from motionloom.motion.anatomy import body_height
from motionloom.quality.limb_overlap import (
    FOREARM_RADIUS,
    SHIN_RADIUS,
    TRUNK_RADIUS,
    limb_overlaps,
    segment_distances,
)
from tests.figures import skeleton_of
from tests.quality.bodies import dot, gliding

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
