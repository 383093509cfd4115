"""Body parts by name and by geometry, and the figures that follow from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import motionloom as ml
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, Tip
from motionloom.motion.anatomy import Anatomy, Arm, Leg, body_height, facing, find_anatomy
from motionloom.motion.anatomy.joint_names import read_name
from tests.conftest import captured

TRUNK = ("hips", "spine", "chest", "neck", "head")
LIMBS = ("thigh", "shin", "foot", "toe", "collar", "upper_arm", "forearm", "hand", "finger", "thumb")
OFFSETS = {
    "spine": (0.0, 0.12, 0.0),
    "chest": (0.0, 0.25, -0.02),
    "neck": (0.0, 0.2, 0.0),
    "head": (0.0, 0.1, 0.01),
    "thigh": (0.09, -0.05, 0.0),
    "shin": (0.0, -0.42, 0.0),
    "foot": (0.0, -0.41, -0.02),
    "toe": (0.0, -0.06, 0.14),
    "collar": (0.03, 0.15, 0.0),
    "upper_arm": (0.14, 0.0, 0.0),
    "forearm": (0.28, 0.0, 0.0),
    "hand": (0.25, 0.0, 0.0),
    "finger": (0.09, 0.0, 0.0),
    "thumb": (0.04, 0.0, 0.03),
}
ABOVE = {
    "spine": "hips", "chest": "spine", "neck": "chest", "head": "neck", "thigh": "hips", "shin": "thigh",
    "foot": "shin", "toe": "foot", "collar": "chest", "upper_arm": "collar", "forearm": "upper_arm",
    "hand": "forearm", "finger": "hand", "thumb": "hand",
}  # fmt: skip
PARTS = [*TRUNK, *(f"{side} {part}" for side in ("left", "right") for part in LIMBS)]

# Names of thigh, shin, foot, toe, collar, upper arm, forearm, hand of the left side, then of the right.
STYLES = {
    "CMU BVH": "LeftUpLeg LeftLeg LeftFoot LeftToeBase LeftShoulder LeftArm LeftForeArm LeftHand",
    "CMU ASF": "lfemur ltibia lfoot ltoes lclavicle lhumerus lradius lwrist",
    "3ds Max": "LeftHip LeftKnee LeftAnkle LeftToe LeftCollar LeftShoulder LeftElbow LeftWrist",
    "DAZ": "lThigh lShin lFoot lToe lCollar lShldr lForeArm lHand",
    "Mixamo": "mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase "
    "mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand",
    "Blender": "thigh.L shin.L foot.L toe.L shoulder.L upper_arm.L forearm.L hand.L",
    "MakeHuman": "upperleg01.L lowerleg01.L foot.L toe1-1.L clavicle.L upperarm01.L lowerarm01.L wrist.L",
    "MakeHuman BVH": "UpLeg_L LoLeg_L Foot_L Toe_L Clavicle_L UpArm_L LoArm_L Hand_L",
    "Unreal": "thigh_l calf_l foot_l ball_l clavicle_l upperarm_l lowerarm_l hand_l",
    "Xsens": "LeftUpperLeg LeftLowerLeg LeftFoot LeftToe LeftShoulder LeftUpperArm LeftForeArm LeftHand",
    "bones": "L_Femur L_Tibia L_Foot L_Toe L_Collar L_Humerus L_Elbow L_Wrist",
    "Biped": "Bip01_L_Thigh Bip01_L_Calf Bip01_L_Foot Bip01_L_Toe0 "
    "Bip01_L_Clavicle Bip01_L_UpperArm Bip01_L_Forearm Bip01_L_Hand",
    "rig": "FK_L_upLeg_jnt FK_L_lowLeg_jnt FK_L_foot_jnt FK_L_toe_jnt "
    "FK_L_shoulder_jnt FK_L_upArm_jnt FK_L_lowArm_jnt FK_L_hand_jnt",
    "avatar": "Left~leg Left~knee Left~ankle Left~toe Left~shoulder Left~arm Left~elbow Left~wrist",
    "capitals": "LUPLEG LLOWLEG LFOOT LTOE LCOLLAR LUPARM LLOWARM LHAND",
}


def other_side(name: str) -> str:
    """The right-hand name of a left-hand one: the side stands at the end, in the middle, or at the start."""
    letters = {"Left": "Right", "L": "R", "l": "r"}
    for place in (r"(?<=[._])[Ll]$", r"(?<=_)L(?=_)", r"(?<=:)Left", r"^(Left|L|l)"):
        found = re.search(place, name)
        if found is not None:
            return name[: found.start()] + letters[found.group()] + name[found.end() :]
    raise ValueError(name)


def tree(
    names: Iterable[str], parents: npt.ArrayLike, offsets: npt.ArrayLike, tips: tuple[Tip, ...] = ()
) -> Skeleton:
    return Skeleton(tuple(names), np.array(parents), np.array(offsets, dtype=np.float64), tips=tips)


def body(names: dict[str, str] | None = None) -> Skeleton:
    """A symmetric biped that faces +Z with its arms out, with names of its own for some parts."""
    parents, offsets = [-1], [(0.0, 0.95, 0.0)]
    for label in PARTS[1:]:
        side, part = label.split() if " " in label else ("", label)
        above = ABOVE[part]
        parents.append(PARTS.index(above if above in TRUNK else f"{side} {above}"))
        x, y, z = OFFSETS[part]
        offsets.append((-x if side == "right" else x, y, z))
    toes = [Tip(PARTS.index(f"{side} toe"), np.array([0.0, 0.0, 0.07])) for side in ("left", "right")]
    tips = (Tip(PARTS.index("head"), np.array([0.0, 0.18, 0.0])), *toes)
    return tree(((names or {}).get(label, label) for label in PARTS), parents, offsets, tips)


def nameless(skeleton: Skeleton) -> Skeleton:
    names = tuple(f"j{n}" for n in range(skeleton.n_joints))
    return Skeleton(names, skeleton.parents, skeleton.offsets, skeleton.rest_rotations, skeleton.tips)


def turned(skeleton: Skeleton, turn: npt.NDArray[np.float64], scale: float = 1.0) -> Skeleton:
    """The same body with its rest pose turned as a whole and in another unit."""
    tips = tuple(Tip(tip.joint, scale * rot.rotate(turn, tip.offset)) for tip in skeleton.tips)
    return Skeleton(skeleton.names, skeleton.parents, scale * rot.rotate(turn, skeleton.offsets), tips=tips)


def chains(anatomy: Anatomy) -> list[tuple[str, tuple[int, ...]]]:
    limbs: list[Leg | Arm] = [*anatomy.legs, *anatomy.arms]
    return [(limb.side, limb.joints) for limb in limbs]


def of_body(order: list[str] = PARTS) -> list[tuple[str, tuple[int, ...]]]:
    """What the legs and arms of the test body are."""
    legs, arms = ("thigh", "shin", "foot", "toe"), ("upper_arm", "forearm", "hand")
    return [
        (side, tuple(order.index(f"{side} {part}") for part in parts))
        for parts in (legs, arms)
        for side in ("left", "right")
    ]


def posed(skeleton: Skeleton, turns: npt.ArrayLike) -> Clip:
    """A clip in which the root takes the given rotations (T, 4) and everything else rests."""
    root = np.asarray(turns, dtype=np.float64)
    rotations = np.tile(rot.IDENTITY, (len(root), skeleton.n_joints, 1))
    rotations[:, 0] = root
    return Clip(skeleton, 1 / 30, np.tile([0.0, 1.0, 0.0], (len(root), 1)), rotations)


@pytest.mark.parametrize(
    ("name", "side", "role", "words"),
    [
        ("LHipJoint", "left", "HIP", ("hip", "joint")),
        ("lhipjoint", "left", "HIP", ("hip", "joint")),
        ("rhumerus", "right", "UPPER_ARM", ("humerus",)),
        ("lowerback", None, "OTHER", ("lower", "back")),
        ("Bip01 L Thigh", "left", "UPPER_LEG", ("bip", "01", "thigh")),
        ("RightHandThumb1", "right", "OTHER", ("hand", "thumb", "1")),
        ("LeftToeBaseEnd", "left", "OTHER", ("toe", "base", "end")),
        ("rig|body:upper_arm.R", "right", "UPPER_ARM", ("upper", "arm")),
        ("upperarm_twist_01_l", "left", "OTHER", ("upper", "arm", "twist", "01")),
        ("左足", "left", "OTHER", ("足",)),
        ("Übergang", None, "OTHER", ("Ü".lower(), "bergang")),
        ("", None, "OTHER", ()),
    ],
)
def test_names_are_read_as_words(name: str, side: str | None, role: str, words: tuple[str, ...]) -> None:
    read = read_name(name)
    assert (read.side, read.role.name, read.words) == (side, role, words)


@pytest.mark.parametrize("style", STYLES)
def test_limbs_are_found_by_names_of_every_style(style: str) -> None:
    parts = ("thigh", "shin", "foot", "toe", "collar", "upper_arm", "forearm", "hand")
    lefts = [name.replace("~", " ") for name in STYLES[style].split()]
    names = {f"left {part}": name for part, name in zip(parts, lefts, strict=True)}
    names |= {f"right {part}": other_side(name) for part, name in zip(parts, lefts, strict=True)}
    # The geometry is made useless, so that only names can help.
    given_body = body(names | {"hips": "a", "spine": "b", "chest": "c", "neck": "d"})
    scrambled = Skeleton(
        given_body.names, given_body.parents, np.linspace(1, 2, given_body.offsets.size).reshape(-1, 3)
    )
    anatomy = find_anatomy(scrambled)
    assert anatomy.found_by == "names"
    assert chains(anatomy) == of_body()
    pairs = {(PARTS.index(f"left {part}"), PARTS.index(f"right {part}")) for part in LIMBS}
    assert set(anatomy.pairs) == pairs


@pytest.mark.parametrize("rename", [False, True])
def test_every_part_of_a_plain_body(rename: bool) -> None:
    skeleton = nameless(body()) if rename else body()
    anatomy = find_anatomy(skeleton)
    assert anatomy.found_by == ("geometry" if rename else "names")
    assert chains(anatomy) == of_body()
    assert anatomy.spine == (0, 1, 2, 3, 4)
    assert (anatomy.pelvis, anatomy.head) == (0, 4)
    assert set(anatomy.pairs) == {(PARTS.index(f"left {p}"), PARTS.index(f"right {p}")) for p in LIMBS}
    np.testing.assert_array_equal([anatomy.left, anatomy.up, anatomy.forward], np.eye(3))
    assert anatomy.legs[0].tip is not None
    np.testing.assert_allclose(anatomy.legs[0].tip.offset, [0, 0, 0.07], atol=1e-12)
    assert anatomy.arms[1].tip is not None
    np.testing.assert_allclose(anatomy.arms[1].tip.offset, [-0.09, 0, 0], atol=1e-12)


def test_body_height_adds_up_bones_sole_and_head() -> None:
    # Sole below the ankle: 0.039 / 0.246 of the shin; hips 0.05 below the pelvis; head with its tip.
    shin = np.hypot(0.41, 0.02)
    spine = 0.12 + np.hypot(0.25, 0.02) + 0.2 + np.hypot(0.1, 0.01)
    expected = 0.42 + shin * (1 + 0.039 / 0.246) + 0.05 + spine + 0.18
    assert body_height(body()) == pytest.approx(expected, abs=1e-12)


def test_heading_of_a_turned_body() -> None:
    yaws = np.array([0.0, 0.5, -2.0])
    np.testing.assert_allclose(facing(posed(body(), rot.from_yaw(yaws))), yaws, atol=1e-12)


def test_partners_map_each_joint_to_the_other_side() -> None:
    skeleton = body()
    partners = find_anatomy(skeleton).partners(skeleton.n_joints)
    assert partners[PARTS.index("left hand")] == PARTS.index("right hand")
    assert partners[PARTS.index("head")] == PARTS.index("head")


@pytest.mark.parametrize(
    "names",
    [("root",), ("a", "b", "c", "d"), ("根", "Übergang", "נקודה", "L"), ("Hips", "LeftLeg", "Head", "Left")],
)
def test_strange_skeletons_have_empty_parts(names: tuple[str, ...]) -> None:
    chain = Skeleton(names, np.arange(-1, len(names) - 1), np.tile([0.0, 1.0, 0.0], (len(names), 1)))
    anatomy = find_anatomy(chain)
    assert (anatomy.legs, anatomy.arms, anatomy.pairs, anatomy.found_by) == ((), (), (), "nothing")
    np.testing.assert_array_equal(np.cross(anatomy.up, anatomy.forward), anatomy.left)
    assert body_height(chain) is None
    np.testing.assert_allclose(facing(posed(chain, rot.from_yaw([0.3]))), [0.3], atol=1e-12)


def test_long_chains_and_many_twigs_are_no_trouble() -> None:
    n_joints = 3000
    chain = tree([f"j{n}" for n in range(n_joints)], np.arange(-1, n_joints - 1), np.ones((n_joints, 3)))
    assert find_anatomy(chain).found_by == "nothing"
    star = tree([f"j{n}" for n in range(300)], [-1, *[0] * 299], np.ones((300, 3)))
    assert find_anatomy(star).legs == ()


def test_joints_that_all_lie_on_one_point() -> None:
    skeleton = body()
    anatomy = find_anatomy(Skeleton(skeleton.names, skeleton.parents, np.zeros((skeleton.n_joints, 3))))
    assert chains(anatomy) == of_body()
    np.testing.assert_array_equal([anatomy.left, anatomy.up, anatomy.forward], np.eye(3))


def test_four_legged_bodies_stand_on_their_legs() -> None:
    names = ("root", "b1", "b2", "a1", "a2", "a3", "c1", "c2", "c3", "d1", "d2", "d3", "e1", "e2", "e3")
    parents = [-1, 0, 1, 0, 3, 4, 0, 6, 7, 1, 9, 10, 1, 12, 13]
    down, feet = [0, -0.3, 0], [0, -0.28, 0.02]
    legs = [[0.1, 0, 0], down, feet, [-0.1, 0, 0], down, feet]
    dog = tree(names, parents, [[0, 0.6, 0], [0, 0, 0.7], [0, 0.1, 0.3], *legs, *legs])
    anatomy = find_anatomy(dog)
    assert [(leg.side, leg.chain) for leg in anatomy.legs] == [("left", (3, 4, 5)), ("right", (6, 7, 8))]
    assert [(arm.side, arm.chain) for arm in anatomy.arms] == [("left", (9, 10, 11)), ("right", (12, 13, 14))]
    np.testing.assert_array_equal(anatomy.up, [0, 1, 0])
    np.testing.assert_array_equal(anatomy.forward, [0, 0, 1])


def test_horns_are_no_legs() -> None:
    arms = [f"{side}{part}" for side in ("Left", "Right") for part in ("Arm", "ForeArm", "Hand")]
    out, back = [0.2, 0.0, 0.0], [-0.2, 0.0, 0.0]
    upward = [0.0, 0.1, 0.0]
    horns = [[0.1, 0.1, 0.0], upward, upward, [-0.1, 0.1, 0.0], upward, upward]
    bust = tree(
        ["Chest", *arms, "Head", "a", "b", "c", "d", "e", "f"],
        [-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 9, 7, 11, 12],
        [[0.0, 0.0, 0.0], out, out, out, back, back, back, [0.0, 0.3, 0.0], *horns],
    )
    anatomy = find_anatomy(bust)
    assert anatomy.legs == ()
    assert [arm.chain for arm in anatomy.arms] == [(1, 2, 3), (4, 5, 6)]
    assert anatomy.pairs == ((1, 4), (2, 5), (3, 6), (8, 11), (9, 12), (10, 13))


def test_names_tell_sides_against_custom() -> None:
    # A body that looks along -Z: only names know that its left is at -X.
    backwards = turned(body(), rot.from_yaw(np.pi))
    np.testing.assert_allclose(find_anatomy(backwards).left, [-1, 0, 0], atol=1e-12)


def test_feet_tell_sides_where_names_do_not() -> None:
    backwards = find_anatomy(nameless(turned(body(), rot.from_yaw(np.pi))))
    np.testing.assert_allclose(backwards.forward, [0, 0, -1], atol=1e-12)
    assert chains(backwards) == of_body()


@pytest.mark.parametrize("degrees", [-100, -60, 60, 100])
@pytest.mark.parametrize("axis", [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
def test_heading_holds_when_the_body_bends_or_leans(axis: list[float], degrees: float) -> None:
    tilt = rot.from_axis_angle(axis, np.radians(degrees))
    clip = posed(body(), rot.multiply(rot.from_yaw(0.7), tilt)[None])
    np.testing.assert_allclose(facing(clip), [0.7], atol=1e-9)


def test_heading_of_a_handstand_comes_from_the_frames_around_it() -> None:
    pitch = np.radians([0.0, 60.0, 180.0, 60.0, 0.0])
    clip = posed(body(), rot.multiply(rot.from_yaw(0.2), rot.from_axis_angle([0.0, 0.0, 1.0], pitch)))
    np.testing.assert_allclose(facing(clip), np.full(5, 0.2), atol=1e-9)


def test_heading_runs_on_past_half_a_turn() -> None:
    yaws = np.linspace(0.0, 4.0 * np.pi, 50)
    np.testing.assert_allclose(facing(posed(body(), rot.from_yaw(yaws))), yaws, atol=1e-9)


def test_heading_of_no_frames() -> None:
    assert facing(posed(body(), np.empty((0, 4)))).shape == (0,)


@pytest.mark.parametrize("up", [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, -1, 0]])
def test_up_in_any_axes(up: list[float]) -> None:
    skeleton = turned(body(), rot.between([0.0, 1.0, 0.0], up), scale=100.0)
    np.testing.assert_allclose(find_anatomy(skeleton).up, up, atol=1e-12)


unit_vectors = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1)


@pytest.mark.slow
@given(quaternion=unit_vectors, scale=st.floats(0.01, 1000.0), named=st.booleans())
def test_rest_pose_unit_and_axes_do_not_matter(
    quaternion: tuple[float, ...], scale: float, named: bool
) -> None:
    turn = rot.normalize(quaternion)
    plain = body() if named else nameless(body())
    skeleton = turned(plain, turn, scale)
    anatomy = find_anatomy(skeleton)
    assert chains(anatomy) == of_body()
    assert set(anatomy.pairs) == set(find_anatomy(plain).pairs)
    for axis, rest in ((anatomy.left, [1, 0, 0]), (anatomy.up, [0, 1, 0]), (anatomy.forward, [0, 0, 1])):
        # Axes near to a coordinate axis snap to it: up to 15 degrees each for up and left.
        assert axis @ rot.rotate(turn, rest) > np.cos(np.radians(31))
    height, plain_height = body_height(skeleton), body_height(plain)
    assert height is not None
    assert plain_height is not None
    assert height == pytest.approx(scale * plain_height, rel=1e-9)


@pytest.mark.slow
@given(keys=st.lists(st.floats(0, 1), min_size=len(PARTS), max_size=len(PARTS)))
def test_the_order_of_joints_does_not_matter(keys: list[float]) -> None:
    plain = body()
    depth = [0.0] * len(PARTS)
    for joint in range(1, len(PARTS)):
        depth[joint] = depth[plain.parents[joint]] + 1.0 + keys[joint]
    order = sorted(range(len(PARTS)), key=lambda joint: depth[joint])
    parents = [order.index(plain.parents[joint]) if joint else -1 for joint in order]
    tips = tuple(Tip(order.index(tip.joint), tip.offset) for tip in plain.tips)
    shuffled = tree([f"j{n}" for n in order], parents, plain.offsets[order], tips)
    anatomy = find_anatomy(shuffled)
    assert chains(anatomy) == of_body([PARTS[joint] for joint in order])
    assert [order[joint] for joint in anatomy.spine] == [0, 1, 2, 3, 4]


@pytest.mark.slow
@given(st.data())
def test_no_tree_of_joints_is_refused(data: st.DataObject) -> None:
    n_joints = data.draw(st.integers(1, 12))
    parents = [-1] + [data.draw(st.integers(0, joint - 1)) for joint in range(1, n_joints)]
    words = st.sampled_from(
        ["LeftLeg", "RightLeg", "l_hand", "r_hand", "head", "Foot.L", "knee.R", "x", "左"]
    )
    names = [f"{data.draw(words)}:{data.draw(words)}{joint}" for joint in range(n_joints)]
    offsets = data.draw(
        st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, -2.0])] * 3), min_size=n_joints, max_size=n_joints)
    )
    anatomy = find_anatomy(tree(names, parents, offsets))
    joints = [joint for pair in anatomy.pairs for joint in pair]
    assert len(set(joints)) == len(joints)
    assert 0 not in joints
    np.testing.assert_allclose(np.cross(anatomy.up, anatomy.forward), anatomy.left, atol=1e-12)


FAMILIES = [
    *captured("dialects/bvh/*.bvh"),
    *captured("long/*.bvh"),
    *captured("actions/d*/*.bvh"),
    *captured("locomotion/speeds/*.bvh"),
]


@pytest.mark.parametrize("path", FAMILIES, ids=lambda path: path.stem)
def test_geometry_finds_what_names_say_in_captured_skeletons(path: Path) -> None:
    skeleton = ml.load(path).skeleton
    named, found = find_anatomy(skeleton), find_anatomy(nameless(skeleton))
    if path.stem == "rotation_first_root":  # a fixture with a single leg
        assert chains(named) == chains(found) == []
        return
    assert (named.found_by, found.found_by) == ("names", "geometry")
    assert len(named.legs) == len(named.arms) == 2
    assert chains(found) == chains(named)
    assert found.spine == named.spine
    assert set(found.pairs) == set(named.pairs)
    np.testing.assert_allclose(found.left, named.left, atol=1e-12)
    height = body_height(skeleton)
    assert height is not None
    assert 1.3 < height < 2.0


@pytest.mark.parametrize(
    ("file", "degrees"),
    [
        ("locomotion/turns/walk_left90_16_17.bvh", 93),
        ("locomotion/turns/walk_right90_16_19.bvh", -93),
        ("locomotion/s16/walk_straight_16_15.bvh", 1),
        ("actions/jumps/hopturn_left270_83_58.bvh", 273),
    ],
)
def test_heading_of_captured_turns(mocap: Path, file: str, degrees: float) -> None:
    yaws = np.degrees(facing(ml.load(mocap / file)))
    # Rows that carry the added T-pose face +Z whatever the motion does.
    assert np.median(yaws[-30:]) - np.median(yaws[1:30]) == pytest.approx(degrees, abs=10)
