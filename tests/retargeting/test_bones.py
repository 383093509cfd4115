from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.geometry import rotations as rot
from motionloom.retargeting import joint_mapping
from motionloom.retargeting.bones import level_way, limb_bones, rest_difference
from motionloom.retargeting.reference import Reference, rest_reference
from motionloom.synthesis import stand
from motionloom.synthesis.body import biped
from tests.retargeting.rigs import HANGING, rerigged

PARTNERS = joint_mapping(biped(), biped()).partners


def hanging() -> Reference:
    return rest_reference(rerigged(stand(duration=0.1, fps=30).clip, HANGING).skeleton)


def test_feet_that_point_down_have_no_heading() -> None:
    assert level_way(None) is None
    assert level_way(np.array([0.0, -1.0, 0.1])) is None
    level = level_way(np.array([0.0, -1.0, 1.0]))
    assert level is not None
    assert level.tolist() == [0.0, 0.0, 1.0]


def test_bones_without_length_or_partner_are_left_out() -> None:
    body = rest_reference(biped())
    assert len(limb_bones(body, body, PARTNERS)) == 8
    offsets = np.array(biped().offsets)
    offsets[biped().index("LeftForeArm")] = 0.0
    short = rest_reference(replace(biped(), offsets=offsets))
    assert biped().index("LeftArm") not in limb_bones(short, body, PARTNERS)
    without = {joint: partner for joint, partner in PARTNERS.items() if joint != biped().index("LeftHand")}
    assert biped().index("LeftForeArm") not in limb_bones(body, body, without)


def test_hanging_arms_are_stretched_out_and_all_else_stays() -> None:
    source, target = rest_reference(biped()), hanging()
    found = rest_difference(source, target, PARTNERS, limb_bones(source, target, PARTNERS))
    for joint, name in enumerate(biped().names):
        wanted = rot.inverse(HANGING.get(name, rot.IDENTITY))
        assert abs(float(found[joint] @ wanted)) == pytest.approx(1.0), name


def test_feet_are_turned_about_the_vertical_only() -> None:
    source = rest_reference(biped())
    offsets = np.array(biped().offsets)
    toe = biped().index("LeftToeBase")
    offsets[toe] = [0.1, -0.02, 0.1]
    target = rest_reference(replace(biped(), offsets=offsets))
    found = rest_difference(source, target, PARTNERS, limb_bones(source, target, PARTNERS))
    assert found[biped().index("LeftFoot")] == pytest.approx(rot.from_yaw(-np.pi / 4))
    assert found[toe] == pytest.approx(rot.from_yaw(-np.pi / 4))
