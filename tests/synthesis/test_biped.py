from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import UnknownJointError
from motionloom.synthesis import biped
from motionloom.synthesis.biped import ARM, HEEL_POINT, LEG, SIDES, TOE_POINT, joint, offset, sign


def test_unknown_joints_are_named() -> None:
    with pytest.raises(UnknownJointError, match="no joint 'Tail'"):
        offset("Tail")


def test_names_and_size() -> None:
    skeleton = biped()
    assert skeleton.n_joints == 22
    assert skeleton.names[:6] == ("Hips", "Spine", "Spine1", "Spine2", "Neck", "Head")
    head = skeleton.tips[0]
    top = skeleton.rest_positions()[head.joint, 1] + head.offset[1]
    assert top == pytest.approx(1.75)
    assert (skeleton.rest_rotations == [1.0, 0.0, 0.0, 0.0]).all()


def test_feet_stand_on_the_floor_at_rest() -> None:
    rest = biped().rest_positions()
    for side in SIDES:
        assert rest[joint(side, "Foot"), 1] + HEEL_POINT[1] == pytest.approx(0.0, abs=1e-12)
        assert rest[joint(side, "ToeBase"), 1] + TOE_POINT[1] == pytest.approx(0.0, abs=1e-12)


def test_lengths_of_the_limbs() -> None:
    rest = biped().rest_positions()
    for side in SIDES:
        assert rest[joint(side, "UpLeg"), 1] - rest[joint(side, "Foot"), 1] == pytest.approx(LEG)
        assert sign(side) * (rest[joint(side, "Hand"), 0] - rest[joint(side, "Arm"), 0]) == pytest.approx(ARM)


def test_left_lies_along_x_and_mirrors_right() -> None:
    skeleton = biped()
    rest = skeleton.rest_positions()
    for name, place in zip(skeleton.names, rest, strict=True):
        if name.startswith("Left"):
            assert place[0] > 0.0
            twin = rest[skeleton.index(name.replace("Left", "Right"))]
            np.testing.assert_allclose(twin, place * [-1.0, 1.0, 1.0], atol=1e-15)
        elif not name.startswith("Right"):
            assert place[0] == 0.0
