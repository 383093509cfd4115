"""The centre of mass: the masses of segments, missing limbs, and that it moves with the body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Skeleton
from motionloom.motion.anatomy import centre_of_mass, find_anatomy, find_body_masses
from motionloom.synthesis import walk
from tests.figures import smooth_clip

LEGS = Skeleton(
    ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"),
    np.array([-1, 0, 1, 2, 0, 4, 5]),
    np.array([[0, 1, 0], [0.1, 0, 0], *[[0, -0.4, 0]] * 2, [-0.1, 0, 0], *[[0, -0.4, 0]] * 2]),
)


def test_a_body_without_legs_has_no_masses() -> None:
    clip = smooth_clip()
    assert find_body_masses(clip.skeleton) is None
    with pytest.raises(ParameterError, match="the centre of mass needs two arms and two legs"):
        centre_of_mass(clip)


def test_masses_of_segments_by_hand() -> None:
    """Legs alone: the trunk lies at the hips, and everything is divided by what is left of the body."""
    masses = find_body_masses(LEGS)
    assert masses is not None
    assert not masses.complete
    total = 0.578 + 2 * (0.1 + 0.0465 + 0.0145)
    assert masses.masses.sum() == pytest.approx(1.0)
    assert masses.masses[LEGS.index("LeftLeg")] == pytest.approx((0.1 * 0.433 + 0.0465 * 0.567) / total)
    centre = masses.centre(LEGS.rest_positions(), np.tile([1.0, 0, 0, 0], (7, 1)))
    assert centre[0] == pytest.approx(0.0, abs=1e-12)


def test_feet_count_to_the_toes() -> None:
    clip = walk(duration=0.2).clip
    toes = [leg.toe for leg in find_anatomy(clip.skeleton).legs if leg.toe is not None]
    assert len(toes) == 2
    masses = find_body_masses(clip.skeleton)
    assert masses is not None
    assert (masses.masses[toes] > 0.0).all()
    assert not masses.moments.any()


def test_the_centre_moves_and_turns_with_the_body() -> None:
    clip = walk(duration=0.5).clip
    place = GroundTransform(0.7, 2.0, -1.0)
    np.testing.assert_allclose(
        centre_of_mass(clip.placed(place)), place.apply(centre_of_mass(clip)), atol=1e-9
    )
    higher = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.5, 0.0]))
    np.testing.assert_allclose(centre_of_mass(higher)[:, 1], centre_of_mass(clip)[:, 1] + 0.5)
