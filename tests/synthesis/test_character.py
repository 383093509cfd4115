"""`make_character`: feet, proportions, names and motions that are known exactly, here and in GLB files."""

from __future__ import annotations

import json
import struct
from functools import cache
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.retargeting.body_parts import find_body_parts
from motionloom.synthesis import BodyProportions, SyntheticCharacter, biped, make_character
from motionloom.synthesis.character_mesh import loft
from motionloom.synthesis.footwear import FOOTWEAR, Footwear, FootwearName, fit_foot
from tests.synthesis import truth

ON_FLOOR = 1e-3
"""Metres by which a planted sole may miss the floor."""

MOTIONS = ["idle", "walk", "run", "jump"]
SIDES = ("left", "right")
FOOTWEAR_NAMES: tuple[FootwearName, ...] = get_args(FootwearName)

VARIANTS: dict[str, dict[str, Any]] = {
    "adult": {},
    "child": {
        "proportions": "child",
        "joint_names": "mixamo",
        "unit": "cm",
        "fingers": True,
        "end_joints": True,
    },
    "giant": {"proportions": "giant", "joint_names": "unreal", "fingers": True},
    "own": {
        "proportions": BodyProportions(scale=0.9, legs=1.2, arms=0.8, trunk=0.9, feet=0.8),
        "joint_names": "unreal",
        "end_joints": True,
        "unit": "cm",
    },
}

every_footwear = pytest.mark.parametrize("footwear", FOOTWEAR_NAMES)
every_variant = pytest.mark.parametrize("variant", VARIANTS)


@cache
def character(footwear: FootwearName, variant: str = "adult") -> SyntheticCharacter:
    return make_character(footwear=footwear, **VARIANTS[variant])


def contact_points(clip: ml.Clip, constraint: ml.Constraint) -> tuple[FloatArray, list[int]]:
    """Where a planted point is (N, 3) in the frames of its interval, and these frames."""
    frames, joint = list(constraint.whole_frames(clip.n_frames)), clip.skeleton.index(constraint.joint)
    turned = rot.rotate(clip.world_rotations()[frames, joint], constraint.point)
    return clip.world_positions()[frames, joint] + turned, frames


@every_variant
@every_footwear
def test_planted_soles_lie_on_the_floor_and_nothing_goes_below(footwear: FootwearName, variant: str) -> None:
    made = character(footwear, variant)
    soles = {name: sole for sole in made.soles.values() for name in (sole.foot, sole.toes)}
    for motion in made.motions.values():
        vertices = made.mesh.vertices(motion.clip)
        assert vertices[:, :, 1].min() > -ON_FLOOR
        assert {plant.kind for plant in motion.plants} == {"heel", "toe"}
        for plant in motion.plants:
            points, frames = contact_points(motion.clip, plant)
            assert plant.target is not None
            np.testing.assert_allclose(points, np.tile(plant.target, (len(frames), 1)), atol=1e-9)
            sole = soles[plant.joint]
            planted = sole.heel_vertices if plant.kind == "heel" else sole.toe_vertices
            lowest = vertices[frames][:, planted, 1].min(axis=1)
            assert np.abs(lowest).max(initial=0.0) < ON_FLOOR


@pytest.mark.parametrize("name", ["run", "jump"])
def test_feet_leave_the_floor_between_plants(name: str) -> None:
    made = character("boots")
    heights = made.mesh.vertices(made.clips[name])[:, :, 1].min(axis=1)
    assert heights.max() > 0.02


@every_variant
@every_footwear
def test_soles_are_where_they_are_said_to_be(footwear: FootwearName, variant: str) -> None:
    made = character(footwear, variant)
    rest = made.skeleton.rest_positions()
    for sign, side in ((1.0, "left"), (-1.0, "right")):
        sole = made.soles[side]  # type: ignore[index]
        foot, toes = (rest[made.skeleton.index(name)] for name in (sole.foot, sole.toes))
        heel, ball, tip = foot + sole.heel, toes + sole.ball, toes + sole.tip
        assert (np.array([foot[0], toes[0]]) * sign > 0.0).all()
        np.testing.assert_allclose([heel[1], ball[1], tip[1]], 0.0, atol=1e-12)
        assert tip[2] - ball[2] == pytest.approx(sole.toe_length)
        under_heel, under_toes = (
            made.mesh.positions[each] for each in (sole.heel_vertices, sole.toe_vertices)
        )
        np.testing.assert_allclose([*under_heel[:, 1], *under_toes[:, 1]], 0.0, atol=1e-12)
        assert under_heel[:, 2].min() == pytest.approx(heel[2])
        assert under_toes[:, 2].min() == pytest.approx(ball[2])
        assert under_toes[:, 2].max() == pytest.approx(tip[2])
        for vertices, joint in ((sole.heel_vertices, sole.foot), (sole.toe_vertices, sole.toes)):
            carried = made.mesh.bones[made.mesh.vertex_bones[vertices, 0]]
            assert set(carried.tolist()) == {made.skeleton.index(joint)}
            np.testing.assert_allclose(made.mesh.weights[vertices, 0], 1.0)


def test_a_bare_foot_is_the_bipeds_own_and_a_heel_raises_the_ankle_by_hand() -> None:
    bare = character("bare").soles["left"]
    np.testing.assert_allclose(bare.heel, truth.HEEL, atol=1e-12)
    np.testing.assert_allclose(bare.ball, truth.BALL, atol=1e-12)
    np.testing.assert_allclose(bare.tip, truth.TOE_TIP, atol=1e-12)
    # Where heel and ball are equally high, the foot is not tilted: it is only raised.
    flat = fit_foot(Footwear(heel_height=0.03, thickness=0.03))
    assert flat.ankle_height == pytest.approx(0.11)
    np.testing.assert_allclose(flat.toe_offset, [0.0, -0.06, 0.13], atol=1e-12)


@pytest.mark.parametrize(("footwear", "height"), [("shoes", 0.025), ("heels", 0.07), ("boots", 0.04)])
def test_the_bare_heel_inside_a_shoe_is_as_high_as_said(footwear: FootwearName, height: float) -> None:
    shape = fit_foot(FOOTWEAR[footwear])
    # The bare foot keeps its lengths, so its heel is where both circles about ankle and toe joint meet.
    to_ankle, to_toes = np.hypot(0.08, 0.05), np.hypot(0.02, 0.18)
    heel = np.array([0.0, height - shape.ankle_height, shape.back + FOOTWEAR[footwear].behind])
    assert np.linalg.norm(heel) == pytest.approx(to_ankle)
    assert np.linalg.norm(heel - shape.toe_offset) == pytest.approx(to_toes)


def test_heels_stand_on_a_narrow_block_and_paws_on_a_wide_toe() -> None:
    bare, heels, paws = (character(name) for name in ("bare", "heels", "paws"))

    def size(made: SyntheticCharacter, part: str) -> FloatArray:
        vertices = made.mesh.positions[getattr(made.soles["left"], part)]
        return np.asarray(np.ptp(vertices, axis=0))

    assert size(heels, "heel_vertices")[2] == pytest.approx(0.03)
    assert size(heels, "heel_vertices")[0] < 0.7 * size(bare, "heel_vertices")[0]
    assert size(paws, "toe_vertices")[0] > 1.4 * size(bare, "toe_vertices")[0]
    # The heel of a paw is in the air: the sole begins ahead of the ankle.
    assert paws.soles["left"].heel[2] > 0.0 > bare.soles["left"].heel[2]


@every_variant
def test_skins_are_whole(variant: str) -> None:
    mesh = character("boots", variant).mesh
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)
    skeleton = mesh.skeleton
    at_rest = ml.Clip(skeleton, 1.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    np.testing.assert_allclose(mesh.vertices(at_rest)[0], mesh.positions, atol=1e-12)
    assert set(mesh.triangles.ravel().tolist()) == set(range(mesh.n_vertices))


def test_sizes_of_bodies() -> None:
    heights = {name: np.ptp(character("bare", name).mesh.positions[:, 1]) for name in VARIANTS}
    assert 0.95 < heights["child"] < 1.2
    assert heights["adult"] == pytest.approx(1.75, abs=0.03)
    assert 2.8 < heights["giant"] < 3.3
    walks = {name: np.ptp(character("bare", name).clips["walk"].root_positions[:, 2]) for name in VARIANTS}
    assert walks["child"] < walks["adult"] < walks["giant"]


def test_a_body_of_another_size_falls_as_gravity_has_it() -> None:
    for variant in ("child", "giant"):
        clip = character("bare", variant).clips["jump"]
        heights = clip.root_positions[:, 1]
        top = int(heights.argmax())
        fall = np.diff(heights[top - 2 : top + 3], 2) / clip.frame_time**2
        np.testing.assert_allclose(fall, -9.81, rtol=0.01)


def test_fingers_keep_their_pose() -> None:
    made = character("bare", "child")
    fingers = [n for n, name in enumerate(made.skeleton.names) if "Thumb" in name or "Pinky" in name]
    assert len(fingers) == 2 * 2 * 4
    for clip in made.clips.values():
        local = clip.rotations[:, fingers]
        np.testing.assert_allclose(np.abs(np.einsum("tji,ji->tj", local, local[0])), 1.0, atol=1e-12)


@pytest.mark.parametrize(
    ("variant", "dialect", "foot", "finger", "end"),
    [
        ("child", "Mixamo", "mixamorig:LeftFoot", "mixamorig:RightHandIndex2", "mixamorig:LeftToe_End"),
        ("giant", "Unreal Engine", "foot_l", "index_02_r", None),
        ("own", "Unreal Engine", "foot_l", None, "head_end"),
    ],
)
def test_joints_have_the_names_of_rigs(
    variant: str, dialect: str, foot: str, finger: str | None, end: str | None
) -> None:
    skeleton = character("shoes", variant).skeleton
    parts = find_body_parts(skeleton)
    assert parts.dialect is not None
    assert parts.dialect.name == dialect
    assert skeleton.names[parts.joints["left foot"]] == foot
    for name in (finger, end):
        assert name is None or name in skeleton.names
    # What ends in a joint has no tip there as well.
    assert end is None or all(skeleton.names[tip.joint] != end for tip in skeleton.tips)
    plain = character("shoes").skeleton
    assert plain.names == biped().names
    assert len(skeleton.names) == len(plain.names) + 30 * bool(finger) + (3 if end else 0) + 10 * bool(
        finger and end
    )


@every_variant
@every_footwear
def test_files_hold_mesh_skin_and_every_motion(footwear: FootwearName, variant: str, tmp_path: Path) -> None:
    made = character(footwear, variant)
    path = ml.save(made, tmp_path / "character.glb")
    mesh = ml.load_skinned_mesh(path)
    assert animation_names(path) == MOTIONS == list(made.clips)
    assert mesh.notes == ()
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0, atol=1e-6)
    for name, clip in made.clips.items():
        loaded = ml.load(path, animation=name, cyclic=False)
        assert loaded.skeleton.names == clip.skeleton.names
        assert loaded.fps == pytest.approx(clip.fps)
        np.testing.assert_allclose(loaded.world_positions(), clip.world_positions(), atol=1e-5)
        frames = [0, clip.n_frames // 2]
        np.testing.assert_allclose(mesh.vertices(loaded, frames), made.mesh.vertices(clip, frames), atol=1e-5)


def test_files_in_centimetres_hold_centimetres(tmp_path: Path) -> None:
    heights = {}
    for unit in ("m", "cm"):
        path = ml.save(make_character(unit=unit), tmp_path / f"{unit}.glb")
        nodes = read_json(path)["nodes"]
        hips = next(n for n, node in enumerate(nodes) if node["name"] == "Hips")
        scales = [node["scale"] for node in nodes if hips in node.get("children", [])]
        assert scales == ([] if unit == "m" else [[0.01] * 3])
        heights[unit] = nodes[hips]["translation"][1]
    assert heights["cm"] == pytest.approx(100.0 * heights["m"])


def test_frame_rates() -> None:
    slow, fast = make_character(fps=15.0), make_character(fps=60.0)
    for name, clip in slow.clips.items():
        assert clip.fps == pytest.approx(15.0)
        np.testing.assert_allclose(fast.clips[name].root_positions[::4], clip.root_positions, atol=1e-9)


def test_an_existing_file_is_kept_unless_it_may_be_replaced(tmp_path: Path) -> None:
    path = ml.save(character("bare"), tmp_path / "character.glb")
    with pytest.raises(ml.MotionloomError, match="exists"):
        ml.save(character("shoes"), path)
    ml.save(character("shoes"), path, overwrite=True)


def test_a_loft_of_two_squares_is_a_closed_box() -> None:
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    box = loft(np.stack([square, square + np.array([0.0, 0.0, 2.0])]), np.eye(2))
    corners = box.vertices[box.triangles]
    volume = np.einsum("fi,fi->f", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0
    assert volume == pytest.approx(2.0)
    assert box.weights[:4].tolist() == [[1.0, 0.0]] * 4


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"footwear": "skis"},
            "footwear must be one of 'bare', 'shoes', 'heels', 'boots', 'paws', not 'skis'",
        ),
        ({"proportions": "dwarf"}, "proportions must be one of 'adult', 'child', 'giant', not 'dwarf'"),
        ({"joint_names": "maya"}, "joint_names must be one of 'plain', 'mixamo', 'unreal', not 'maya'"),
        ({"unit": "mm"}, "unit must be one of 'm', 'cm', not 'mm'"),
        ({"fingers": 5}, "fingers must be True or False, not 5"),
        ({"end_joints": "yes"}, "end_joints must be True or False, not 'yes'"),
        ({"fps": 0}, "fps must be a positive number of at most 800 frames per second, not 0"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make_character(**options)
    assert str(caught.value) == sentence


def test_proportions_no_body_has_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"body legs must be from 0\.7 to 1\.4 times an adult's, not 3"):
        BodyProportions(legs=3.0)
    with pytest.raises(ParameterError, match=r"body scale must be from 0\.3 to 3 times an adult's, not 0"):
        BodyProportions(scale=0.0)


def test_a_character_is_written_as_gltf_only(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"\.bvh"):
        ml.save(character("bare"), tmp_path / "character.bvh")


def read_json(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    content: dict[str, Any] = json.loads(data[20 : 20 + length])
    return content


def animation_names(path: Path) -> list[str]:
    return [animation["name"] for animation in read_json(path)["animations"]]
