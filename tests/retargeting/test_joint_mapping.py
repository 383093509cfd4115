from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.motion import Skeleton
from motionloom.retargeting import joint_mapping
from motionloom.retargeting.body_parts import find_body_parts
from motionloom.retargeting.joint_mapping import is_same_rig
from motionloom.synthesis import walk
from motionloom.synthesis.biped import biped

# Names in the order of the built-in body: pelvis, three of the spine, neck, head, then collar, upper arm,
# forearm and hand of both sides, then thigh, shin, foot and toes of both sides.
RIGS = {
    "Mixamo": "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2 "
    "mixamorig:Neck mixamorig:Head "
    "mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand "
    "mixamorig:RightShoulder mixamorig:RightArm mixamorig:RightForeArm mixamorig:RightHand "
    "mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase "
    "mixamorig:RightUpLeg mixamorig:RightLeg mixamorig:RightFoot mixamorig:RightToeBase",
    "CMU (ASF)": "root lowerback upperback thorax lowerneck head lclavicle lhumerus lradius lwrist "
    "rclavicle rhumerus rradius rwrist lfemur ltibia lfoot ltoes rfemur rtibia rfoot rtoes",
    "Rokoko": "Hips Spine1 Spine2 Spine4 Neck Head LeftShoulder LeftArm LeftForeArm LeftHand "
    "RightShoulder RightArm RightForeArm RightHand LeftThigh LeftShin LeftFoot LeftToe "
    "RightThigh RightShin RightFoot RightToe",
    "Xsens": "Hips Chest Chest2 Chest4 Neck Head LeftCollar LeftShoulder LeftElbow LeftWrist "
    "RightCollar RightShoulder RightElbow RightWrist LeftHip LeftKnee LeftAnkle LeftToe "
    "RightHip RightKnee RightAnkle RightToe",
    "Xsens MVN": "Pelvis L5 L3 T8 Neck Head LeftShoulder LeftUpperArm LeftForeArm LeftHand "
    "RightShoulder RightUpperArm RightForeArm RightHand LeftUpperLeg LeftLowerLeg LeftFoot LeftToe "
    "RightUpperLeg RightLowerLeg RightFoot RightToe",
    "Bandai": "Hips Spine Spine2 Chest Neck Head Shoulder_L UpperArm_L LowerArm_L Hand_L "
    "Shoulder_R UpperArm_R LowerArm_R Hand_R UpperLeg_L LowerLeg_L Foot_L Toes_L "
    "UpperLeg_R LowerLeg_R Foot_R Toes_R",
    "SMPL": "Pelvis Spine1 Spine2 Spine3 Neck Head L_Collar L_Shoulder L_Elbow L_Wrist "
    "R_Collar R_Shoulder R_Elbow R_Wrist L_Hip L_Knee L_Ankle L_Foot R_Hip R_Knee R_Ankle R_Foot",
    "SMPL-X": "pelvis spine1 spine2 spine3 neck head left_collar left_shoulder left_elbow left_wrist "
    "right_collar right_shoulder right_elbow right_wrist left_hip left_knee left_ankle left_foot "
    "right_hip right_knee right_ankle right_foot",
    "Biped": "Bip01_Pelvis Bip01_Spine Bip01_Spine1 Bip01_Spine2 Bip01_Neck Bip01_Head "
    "Bip01_L_Clavicle Bip01_L_UpperArm Bip01_L_Forearm Bip01_L_Hand "
    "Bip01_R_Clavicle Bip01_R_UpperArm Bip01_R_Forearm Bip01_R_Hand "
    "Bip01_L_Thigh Bip01_L_Calf Bip01_L_Foot Bip01_L_Toe0 "
    "Bip01_R_Thigh Bip01_R_Calf Bip01_R_Foot Bip01_R_Toe0",
    "Unreal Engine": "pelvis spine_01 spine_02 spine_03 neck_01 head clavicle_l upperarm_l lowerarm_l hand_l "
    "clavicle_r upperarm_r lowerarm_r hand_r thigh_l calf_l foot_l ball_l thigh_r calf_r foot_r ball_r",
    "VRM": "hips spine chest upperChest neck head leftShoulder leftUpperArm leftLowerArm leftHand "
    "rightShoulder rightUpperArm rightLowerArm rightHand leftUpperLeg leftLowerLeg leftFoot leftToes "
    "rightUpperLeg rightLowerLeg rightFoot rightToes",
    "VRoid": "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head "
    "J_Bip_L_Shoulder J_Bip_L_UpperArm J_Bip_L_LowerArm J_Bip_L_Hand "
    "J_Bip_R_Shoulder J_Bip_R_UpperArm J_Bip_R_LowerArm J_Bip_R_Hand "
    "J_Bip_L_UpperLeg J_Bip_L_LowerLeg J_Bip_L_Foot J_Bip_L_ToeBase "
    "J_Bip_R_UpperLeg J_Bip_R_LowerLeg J_Bip_R_Foot J_Bip_R_ToeBase",
}


def rig(dialect: str) -> Skeleton:
    return replace(biped(), names=tuple(RIGS[dialect].split()))


def with_fingers(skeleton: Skeleton, hand: str, names: list[str]) -> Skeleton:
    """The skeleton with a chain of joints on a hand."""
    start = skeleton.n_joints
    return replace(
        skeleton,
        names=(*skeleton.names, *names),
        parents=np.array([*skeleton.parents, skeleton.index(hand), *range(start, start + len(names) - 1)]),
        offsets=np.concatenate([skeleton.offsets, np.tile([0.03, 0.0, 0.0], (len(names), 1))]),
        rest_rotations=np.empty((0, 4)),
    )


def pairs(source: Skeleton, target: Skeleton) -> dict[str, str]:
    return {pair.source: pair.target for pair in joint_mapping(source, target).pairs}


def test_corrections_name_joints_that_are_there() -> None:
    mapping = joint_mapping(biped(), rig("Xsens"))
    with pytest.raises(UnknownJointError, match="the skeleton has no joint 'Tail'"):
        mapping.replaced({"Tail": "Head"})
    with pytest.raises(UnknownJointError, match="the skeleton has no joint 'LeftHnd': did you mean"):
        mapping.replaced({"Head": "LeftHnd"})
    with pytest.raises(ParameterError, match="the target joint 'Head' is given twice"):
        mapping.replaced({"Head": "Head", "Neck": "Head"})


def test_a_corrected_pair_takes_the_place_of_others() -> None:
    mapping = joint_mapping(biped(), rig("Xsens")).replaced({"Neck": "Head", "LeftHand": None})
    found = {pair.target: pair.source for pair in mapping.pairs}
    assert found["Head"] == "Neck"
    assert mapping.unmapped_targets == ("Neck", "LeftWrist")
    assert mapping.unmapped_sources == ("Head", "LeftHand")
    assert next(pair.found_by for pair in mapping.pairs if pair.target == "Head") == "given"


def test_a_mapping_prints_all_of_itself() -> None:
    printed = str(joint_mapping(biped(), rig("Xsens")).replaced({"LeftHand": None}))
    assert "LeftArm       -> LeftShoulder   left upper arm (names)" in printed
    assert "Spine1        -> Chest2         spine (structure)" in printed
    assert printed.splitlines()[-2:] == [
        "target joints at rest: LeftWrist",
        "unmapped source joints: LeftHand",
    ]


@pytest.mark.parametrize("dialect", RIGS)
def test_a_known_dialect_is_told_by_its_names(dialect: str) -> None:
    target = rig(dialect)
    found = find_body_parts(target).dialect
    assert found is not None
    assert found.name == dialect
    assert pairs(biped(), target) == dict(zip(biped().names, target.names, strict=True))
    named = [pair for pair in joint_mapping(biped(), target).pairs if pair.found_by == "names"]
    assert len(named) >= 15


def test_names_that_mean_something_else_in_the_other_dialect_do_not_mislead() -> None:
    assert pairs(rig("Xsens"), biped())["LeftShoulder"] == "LeftArm"
    assert pairs(biped(), rig("SMPL"))["LeftToeBase"] == "L_Foot"


def test_unknown_names_are_told_by_structure() -> None:
    nameless = replace(biped(), names=tuple(f"bone{n}" for n in range(biped().n_joints)))
    assert pairs(biped(), nameless) == dict(zip(biped().names, nameless.names, strict=True))
    assert {pair.found_by for pair in joint_mapping(biped(), nameless).pairs} == {"structure"}


def test_longer_spines_are_paired_by_where_their_joints_lie() -> None:
    legs = [name for name in biped().names if "Leg" in name or "Foot" in name or "Toe" in name]
    arms = [name for name in biped().names if "Arm" in name or "Hand" in name]
    short = Skeleton(
        ("Hips", "Chest", "Head", *legs, *arms),
        np.array([-1, 0, 1, 0, 3, 4, 5, 0, 7, 8, 9, 1, 11, 12, 1, 14, 15]),
        np.array([biped().offsets[biped().index(n)] if n in biped().names else [0, 0.3, 0] for n in
                  ("Hips", "Chest", "Head", *legs, *arms)]),
    )  # fmt: skip
    found = pairs(biped(), short)
    assert found["Spine2"] == "Chest"
    assert found["Hips"] == "Hips"
    assert "Spine" not in found
    back = joint_mapping(short, biped())
    assert set(back.unmapped_targets) == {"Spine", "Spine1", "Neck", "LeftShoulder", "RightShoulder"}


@pytest.mark.parametrize(
    ("mine", "theirs", "told"),
    [
        (["LeftHandIndex1", "LeftHandIndex2"], ["hand_index_metacarpal_l", "index_01_l", "index_02_l"], 2),
        (["LeftHandThumb1", "LeftHandThumb2"], ["thumb_01_l", "thumb_02_l", "thumb_03_l"], 2),
        (["LeftPinky1"], ["pinky_01_l"], 1),
    ],
)
def test_fingers_are_paired_from_the_knuckle_outwards(mine: list[str], theirs: list[str], told: int) -> None:
    source = with_fingers(biped(), "LeftHand", mine)
    target = with_fingers(rig("Unreal Engine"), "hand_l", theirs)
    found = pairs(source, target)
    knuckles = [name for name in theirs if "metacarpal" not in name]
    assert [found[name] for name in mine] == knuckles[:told]


def test_fingers_of_a_biped_have_numbers() -> None:
    target = with_fingers(rig("Biped"), "Bip01_L_Hand", ["Bip01_L_Finger1", "Bip01_L_Finger11"])
    source = with_fingers(biped(), "LeftHand", ["LeftHandIndex1", "LeftHandIndex2"])
    assert pairs(source, target)["LeftHandIndex2"] == "Bip01_L_Finger11"


def test_one_rig_is_paired_by_name_with_props_left_out() -> None:
    armed = with_fingers(biped(), "LeftHand", ["Sword"])
    mapping = joint_mapping(biped(), armed)
    assert is_same_rig(biped(), armed)
    assert mapping.unmapped_targets == ("Sword",)
    assert {pair.found_by for pair in mapping.pairs} == {"same name"}
    assert joint_mapping(armed, biped()).unmapped_sources == ("Sword",)


def test_skeletons_without_a_body_share_at_most_their_roots() -> None:
    dot = Skeleton(("dot",), np.array([-1]), np.zeros((1, 3)))
    assert [pair.part for pair in joint_mapping(dot, biped()).pairs] == ["pelvis"]


LIMBS = [f"{side} {part}" for side in ("left", "right") for part in
         ("thigh", "shin", "foot", "upper arm", "forearm", "hand")]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "dialects/asf_amc/16_15.amc",
        "dialects/bvh/anim_utils_custom_rig.bvh",
        "dialects/bvh/animdrawings_dab_zup.bvh",
        "dialects/bvh/biovision_example1.bvh",
        "dialects/bvh/blender_makehuman_walk1.bvh",
        "dialects/bvh/cgspeed_max_jumping_jacks.bvh",
        "dialects/bvh/daz_pirouette_exponents_cut.bvh",
        "dialects/bvh/geno_bind_6ch.bvh",
        "dialects/bvh/mocapbank_zxy_crlf.bvh",
        "dialects/bvh/mova_8walk_3ch_cut.bvh",
        "dialects/bvh/neuron_6ch_125hz_cut.bvh",
        "dialects/bvh/per_joint_orders_zup.bvh",
        "dialects/bvh/walk01_24hz_exponents.bvh",
        "dialects/bvh/xsens_style_40hz_cut.bvh",
    ],
)
def test_every_limb_of_every_captured_rig_has_its_partner(mocap: Path, name: str) -> None:
    cmu = ml.load(mocap / "locomotion/s16/walk_straight_16_15.bvh").skeleton
    other = ml.load(mocap / name).skeleton
    for mapping in (joint_mapping(cmu, other), joint_mapping(other, cmu)):
        parts = {pair.part for pair in mapping.pairs}
        assert {*LIMBS, "pelvis", "chest", "head"} <= parts
        order = [mapping.source.index(pair.source) for pair in mapping.pairs]
        assert len(set(order)) == len(order)


def test_clips_stand_for_their_skeletons() -> None:
    clip = walk(duration=0.2, fps=30).clip
    assert str(joint_mapping(clip, clip)) == str(joint_mapping(clip.skeleton, clip.skeleton))
    with pytest.raises(ParameterError, match="joint_mapping takes a skeleton or a clip, not None"):
        joint_mapping(clip, None)  # type: ignore[arg-type]
