"""Soles of meshes: where heels and toes are, which points are lowest, and when they belong to a clip."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion.mesh_soles import clip_soles, find_mesh_soles
from motionloom.motion.provenance import Character
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.synthesis import SyntheticCharacter, make_character, make_mannequin, walk
from motionloom.synthesis.footwear import FootwearName

FOOTWEAR: tuple[FootwearName, ...] = get_args(FootwearName)


@cache
def character_in(footwear: FootwearName) -> SyntheticCharacter:
    return make_character(footwear=footwear)


@pytest.fixture(scope="module")
def hero() -> SyntheticCharacter:
    return character_in("heels")


def with_soles(character: SyntheticCharacter, motion: str = "walk") -> ml.Clip:
    """A motion of a character that knows the soles of its mesh, as one that was loaded does."""
    clip, mesh = character.clips[motion], character.mesh
    own = Character("hero.glb", mesh.skeleton, find_mesh_soles(mesh))
    return replace(clip, source=replace(clip.source, character=own))


@pytest.mark.parametrize("footwear", FOOTWEAR)
def test_heel_and_toe_are_the_true_ends_of_the_sole(footwear: FootwearName) -> None:
    character = character_in(footwear)
    for sole, true in zip(find_mesh_soles(character.mesh), character.soles.values(), strict=True):
        assert (sole.heel.joint, sole.toe.joint) == (true.foot, true.toes)
        assert sole.heel.point == pytest.approx(true.heel, abs=1e-9)
        assert sole.toe.point == pytest.approx(true.tip, abs=1e-9)


@pytest.mark.parametrize("footwear", FOOTWEAR)
@pytest.mark.parametrize("motion", ["walk", "jump"])
def test_the_few_vertices_of_a_sole_are_as_low_as_the_whole_foot(footwear: FootwearName, motion: str) -> None:
    character = character_in(footwear)
    clip, mesh = with_soles(character, motion), character.mesh
    heights = mesh.vertices(clip)[..., 1]
    for ankle, sole in clip_soles(clip).items():
        below = [clip.skeleton.index(name) for name in sole.joints]
        carried = np.isin(mesh.bones[mesh.vertex_bones], below) * mesh.weights
        foot = carried.sum(axis=1) > 0.999
        assert clip.skeleton.names[ankle] == sole.joints[0]
        assert sole.points.shape[1] < 0.7 * foot.sum()
        assert sole.lowest(clip)[:, 1] == pytest.approx(heights[:, foot].min(axis=1), abs=5e-4)


def test_weights_sum_to_one_and_points_are_vertices(hero: SyntheticCharacter) -> None:
    skeleton, mesh = hero.skeleton, hero.mesh
    rest = skeleton.rest_positions()[None], skeleton.rest_world_rotations()[None]
    for sole in find_mesh_soles(mesh):
        assert sole.weights.sum(axis=0) == pytest.approx(1.0)
        points = sole.positions(skeleton, *rest)[0]
        gaps = np.linalg.norm(mesh.positions[:, None] - points, axis=2).min(axis=0)
        assert gaps.max() < 1e-9


def test_a_mannequin_has_soles() -> None:
    assert len(find_mesh_soles(make_mannequin(walk(duration=0.5).clip))) == 2


def test_a_mesh_without_feet_has_no_soles(hero: SyntheticCharacter) -> None:
    mesh = hero.mesh
    pelvis = np.zeros_like(mesh.vertex_bones)
    assert find_mesh_soles(replace(mesh, vertex_bones=pelvis)) == ()


def test_legs_that_do_not_point_down_at_rest_have_no_soles(hero: SyntheticCharacter) -> None:
    """A skeleton whose rest pose stands on its head shows nothing."""
    mesh = hero.mesh
    rests = np.array(mesh.skeleton.rest_rotations)
    for side in ("Left", "Right"):
        rests[mesh.skeleton.index(f"{side}UpLeg")] = rot.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2)
    assert find_mesh_soles(in_rest(mesh, rests)) == ()


def in_rest(mesh: SkinnedMesh, rests: FloatArray) -> SkinnedMesh:
    return replace(mesh, skeleton=replace(mesh.skeleton, rest_rotations=rests))


def test_soles_belong_to_skeletons_with_the_same_feet(hero: SyntheticCharacter) -> None:
    clip = with_soles(hero)
    assert len(clip_soles(clip)) == 2
    offsets = np.array(clip.skeleton.offsets)
    arm, toe = (clip.skeleton.index(name) for name in ("LeftArm", "LeftToeBase"))
    offsets[arm] *= 1.2
    longer_arm = replace(clip, skeleton=replace(clip.skeleton, offsets=offsets))
    assert len(clip_soles(longer_arm)) == 2
    offsets[toe] *= 1.2
    longer_foot = replace(clip, skeleton=replace(clip.skeleton, offsets=offsets))
    assert [clip.skeleton.names[ankle] for ankle in clip_soles(longer_foot)] == ["RightFoot"]
    names = tuple(name.replace("ToeBase", "Ball") for name in clip.skeleton.names)
    assert clip_soles(replace(clip, skeleton=replace(clip.skeleton, names=names))) == {}
    assert clip_soles(clip[:0]).keys() == clip_soles(clip).keys()


def test_a_clip_without_a_character_has_no_soles() -> None:
    assert clip_soles(walk(duration=0.5).clip) == {}


def test_soles_come_with_the_file_and_with_clips_that_were_stored(tmp_path: Path) -> None:
    """A clip that is stored beside its character stands on the same soles when it is loaded again."""
    path = ml.save(make_character(footwear="shoes"), tmp_path / "hero.glb")
    clip = ml.load(path, animation="walk")
    again = ml.load(ml.save(clip, tmp_path / "walk.npz"))
    assert isinstance(clip, ml.Clip)
    assert isinstance(again, ml.Clip)
    before, after = clip_soles(clip), clip_soles(again)
    assert before.keys() == after.keys()
    assert len(after) == 2
    for ankle, sole in after.items():
        assert np.array_equal(sole.points, before[ankle].points)
        assert sole.heel.point.tolist() == before[ankle].heel.point.tolist()


def test_a_character_whose_file_is_gone_or_changed_has_no_soles(tmp_path: Path) -> None:
    path = ml.save(make_character(), tmp_path / "hero.glb")
    stored = ml.save(ml.load(path), tmp_path / "idle.npz")
    ml.save(make_character(joint_names="mixamo"), path, overwrite=True)
    assert clip_soles(ml.load(stored)) == {}
    path.unlink()
    assert clip_soles(ml.load(stored)) == {}


def test_the_soles_of_captured_rigs_lie_on_the_floor(mocap: Path) -> None:
    for name in ("game/character/manny_med_mod.gltf", "dialects/fbx_gltf/RiggedFigure.glb"):
        body = ml.load(mocap / name).body
        soles, skeleton = clip_soles(body), body.skeleton
        rest = skeleton.rest_positions()[None], skeleton.rest_world_rotations()[None]
        assert len(soles) == 2
        for sole in soles.values():
            assert abs(sole.positions(skeleton, *rest)[..., 1].min()) < 0.002, name
