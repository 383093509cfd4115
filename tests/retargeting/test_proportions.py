from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.retargeting.proportions import Stature, find_stature, leg_length, rest_stature, sole_height
from motionloom.retargeting.reference_pose import rest_reference
from motionloom.synthesis import stand
from motionloom.synthesis.biped import ANKLE_HEIGHT, LEG, STANDING_HEIGHT, biped


def raised(clip: Clip, by: float) -> Clip:
    return replace(clip, root_positions=clip.root_positions + np.array([0.0, by, 0.0]))


def stature(clip: Clip) -> Stature:
    return find_stature(clip, rest_reference(clip.skeleton))


def test_the_lowest_points_of_feet_tell_the_floor() -> None:
    clip = stand(duration=0.5, fps=30).clip
    assert stature(clip).clearance == pytest.approx(0.0, abs=1e-6)
    above = stature(raised(clip, 0.04))
    assert above.floor == 0.0
    assert above.clearance == pytest.approx(0.04, abs=1e-6)
    far = stature(raised(clip, 2.0))
    assert far.floor == pytest.approx(2.0, abs=1e-6)
    assert far.clearance == 0.0


def test_planted_points_tell_it_better() -> None:
    clip = annotate(stand(duration=0.5, fps=30).clip)
    found = stature(raised(clip, 0.04))
    assert found.floor == pytest.approx(0.04, abs=0.002)
    assert found.clearance == pytest.approx(0.0, abs=0.002)


def test_a_body_without_feet_tells_nothing() -> None:
    point = Skeleton(("dot",), np.array([-1]), np.zeros((1, 3)))
    dot = Clip(point, 0.1, np.ones((2, 3)), np.tile(rot.IDENTITY, (2, 1, 1)))
    assert stature(dot).clearance is None
    assert leg_length(rest_reference(dot.skeleton), 0.0) is None


def test_the_root_s_offset_tells_how_high_a_body_stands() -> None:
    assert rest_stature(rest_reference(biped())).clearance == pytest.approx(0.0)
    offsets = np.array(biped().offsets)
    offsets[0, 1] = STANDING_HEIGHT + 0.03
    assert rest_stature(rest_reference(replace(biped(), offsets=offsets))).clearance == pytest.approx(0.03)
    offsets[0, 1] = 0.0
    assert rest_stature(rest_reference(replace(biped(), offsets=offsets))).clearance is None


def test_legs_reach_to_the_sole() -> None:
    reference = rest_reference(biped())
    assert leg_length(reference, 0.0) == pytest.approx(LEG + ANKLE_HEIGHT)
    assert leg_length(reference, 0.02) == pytest.approx(LEG + ANKLE_HEIGHT + 0.02)
    assert sole_height(reference, biped().index("LeftFoot"), 0.02) == pytest.approx(-STANDING_HEIGHT - 0.02)
