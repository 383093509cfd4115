from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.retargeting import joint_mapping
from motionloom.retargeting.body_parts import find_body_parts
from motionloom.retargeting.proportions import find_foot
from motionloom.retargeting.reference_pose import (
    ReferencePose,
    find_reference,
    foot_vector,
    limb_bones,
    rest_difference,
    rest_reference,
    stands_at_rest,
)
from motionloom.synthesis import stand
from motionloom.synthesis.biped import biped
from tests.figures import random_rotations
from tests.retargeting.rigs import HANGING, rerigged

DOWN = np.array([0.0, 0.2, 0.0])

IDENTITIES = np.tile(rot.IDENTITY, (16, 1))

PARTNERS = joint_mapping(biped(), biped()).partners


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
    found = find_reference(moved)
    assert found.pose == "standing frames"
    true = standing.world_positions()[0] - standing.root_positions[0]
    assert found.positions == pytest.approx(true, abs=0.02)


def test_points_of_feet() -> None:
    reference, foot = rest_reference(biped()), biped().index("LeftFoot")
    toe = biped().index("LeftToeBase")
    assert reference.find_ball(foot) == pytest.approx(reference.positions[toe])
    assert find_foot(find_body_parts(biped()), toe) == foot
    assert find_foot(find_body_parts(biped()), biped().index("LeftLeg")) is None
    bare = replace(biped(), tips=())
    assert rest_reference(bare).find_end(toe) is None


def test_captured_rigs_whose_rest_pose_says_nothing(mocap: Path) -> None:
    odd = ("anim_utils_custom_rig", "geno_bind_6ch")
    for path in sorted((mocap / "dialects/bvh").glob("*.bvh")):
        assert stands_at_rest(ml.load(path).skeleton) == (path.stem not in odd), path.stem


def hanging() -> ReferencePose:
    return rest_reference(rerigged(stand(duration=0.1, fps=30).clip, HANGING).skeleton)


def test_feet_that_point_down_have_no_heading() -> None:
    def vector(*toe: float) -> FloatArray | None:
        offsets = np.array(biped().offsets)
        offsets[biped().index("LeftToeBase")] = toe
        body = rest_reference(replace(biped(), offsets=offsets, tips=()))
        return foot_vector(body, biped().index("LeftFoot"))

    assert vector(0.0, 0.0, 0.0) is None
    assert vector(0.0, -1.0, 0.1) is None
    level = vector(0.0, -1.0, 1.0)
    assert level is not None
    assert level == pytest.approx([0.0, 0.0, 1.0])


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


def rig_with_palms() -> Clip:
    """A person with joints in wrists and palms, and where the hands hold a weapon."""
    person = stand(duration=0.2, fps=30).clip
    skeleton = person.skeleton
    names, parents = list(skeleton.names), skeleton.parents.tolist()
    offsets, rests = skeleton.offsets.tolist(), skeleton.rest_rotations.tolist()
    for side, letter in (("Left", 1.0), ("Right", -1.0)):
        wrist = names.index(f"{side}Hand")
        names[wrist] = f"{side}Wrist"
        along = letter * np.array([0.08, 0.0, 0.0])
        for name, offset in (("Hand", along), ("HandSlot", along - DOWN)):
            parents.append(wrist if name == "Hand" else len(names) - 1)
            names.append(f"{side}{name}")
            offsets.append(offset.tolist())
            rests.append(rot.IDENTITY.tolist())
    extended = Skeleton(tuple(names), np.array(parents), np.array(offsets), np.array(rests))
    rotations = np.concatenate([person.rotations, np.tile(rot.IDENTITY, (person.n_frames, 4, 1))], axis=1)
    return Clip(extended, person.frame_time, person.root_positions, rotations)


def test_hands_bend_at_the_wrist_whatever_they_hold(standing: Clip) -> None:
    target = rig_with_palms()
    mapping = joint_mapping(standing, target)
    drivers = {pair.target: pair.source for pair in mapping.pairs}
    assert (drivers["LeftWrist"], drivers["RightWrist"]) == ("LeftHand", "RightHand")
    assert "LeftHandSlot" not in drivers
    moved = ml.retarget(standing, target)
    for name in ("LeftWrist", "LeftHand", "LeftHandSlot"):
        assert moved.clip.rotations[:, target.skeleton.index(name)] == pytest.approx(
            standing.rotations[:, standing.skeleton.index("LeftHand")] if name == "LeftWrist" else IDENTITIES,
            abs=1e-6,
        )
