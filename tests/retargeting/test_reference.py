from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.retargeting.parts import body_parts
from motionloom.retargeting.reference import ball_of, foot_of, reference_of, rest_reference, stands_at_rest
from motionloom.synthesis import stand
from motionloom.synthesis.body import biped
from tests.figures import random_rotations
from tests.retargeting.rigs import HANGING, rerigged


@pytest.fixture(scope="module")
def standing() -> Clip:
    return stand(duration=0.5, fps=30).clip


def test_a_rest_pose_is_turned_to_face_ahead(standing: Clip) -> None:
    aside = rerigged(standing, dict.fromkeys(biped().names, rot.from_yaw(np.pi / 2)))
    here, there = rest_reference(biped()), rest_reference(aside.skeleton)
    assert there.positions == pytest.approx(here.positions, abs=1e-12)


def test_only_bodies_on_their_legs_stand(standing: Clip) -> None:
    assert stands_at_rest(biped())
    assert stands_at_rest(rerigged(standing, HANGING).skeleton)
    raised = {name: rot.inverse(turn) for name, turn in HANGING.items()}
    assert not stands_at_rest(rerigged(standing, raised).skeleton)
    assert not stands_at_rest(
        rerigged(standing, dict(zip(biped().names, random_rotations((22,)), strict=True))).skeleton
    )


def test_standing_frames_show_how_joints_are_turned(standing: Clip) -> None:
    turns = dict(zip(biped().names, random_rotations((22,), seed=2), strict=True))
    moved = rerigged(standing, turns).placed(ml.GroundTransform(1.0, 2.0, 3.0))
    found = reference_of(moved)
    assert found.pose == "standing frames"
    true = standing.world_positions()[0] - standing.root_positions[0]
    assert found.positions == pytest.approx(true, abs=0.02)


def test_points_of_feet() -> None:
    reference, foot = rest_reference(biped()), biped().index("LeftFoot")
    toe = biped().index("LeftToeBase")
    assert ball_of(reference, foot) == pytest.approx(reference.positions[toe])
    assert foot_of(body_parts(biped()), toe) == foot
    assert foot_of(body_parts(biped()), biped().index("LeftLeg")) is None
    bare = replace(biped(), tips=())
    assert rest_reference(bare).end_of(toe) is None


def test_captured_rigs_whose_rest_pose_says_nothing(mocap: Path) -> None:
    odd = ("anim_utils_custom_rig", "geno_bind_6ch")
    for path in sorted((mocap / "dialects/bvh").glob("*.bvh")):
        assert stands_at_rest(ml.load(path).skeleton) == (path.stem not in odd), path.stem
