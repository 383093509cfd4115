"""Meshes of FBX files: read as Blender moves them, and written so that Blender moves them alike."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.fbx.motion import make_world_motion
from motionloom.files.fbx.write import bind_mesh
from motionloom.files.load_skinned_mesh import load_character
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import AlphaMode, Material, SkinnedMesh
from motionloom.synthesis import make_mannequin, stand, walk
from tests.figures import smooth_clip
from tests.files.test_fbx import needs_blender
from tests.files.test_fbx_template import in_blender

MILLIMETRE = 1e-3
FRAMES = (0, 11, 23)


def skin_by_matrices(clip: Clip, mesh: SkinnedMesh, frame: int) -> FloatArray:
    """Vertices of a frame by the rule of Blender's armatures, from what `bind_mesh` gives."""
    motion, arrays = bind_mesh(make_world_motion(clip), mesh)
    posed = np.zeros_like(arrays["mesh_vertices"])
    for n in range(4):
        joint = arrays["mesh_bones"][:, n]
        moved = rot.rotate(motion.rotations[frame, joint], arrays["mesh_vertices"] - motion.rest[joint])
        posed += arrays["mesh_weights"][:, n, None] * (moved + motion.positions[frame, joint])
    return posed


def test_a_foreign_mesh_is_refused() -> None:
    person = stand(duration=0.1, fps=30).clip
    with pytest.raises(
        ParameterError, match="the mesh follows the joint 'Hips', which the clip does not have"
    ):
        bind_mesh(make_world_motion(smooth_clip()), make_mannequin(person))


@pytest.mark.parametrize("bends", [False, True])
def test_a_mesh_is_bound_where_its_bones_agree(bends: bool) -> None:
    """Also where it was bound in another pose than the one in which the skeleton rests."""
    clip = walk(duration=0.5, fps=30).clip
    mesh = make_mannequin(clip)
    if bends:
        rests = clip.skeleton.rest_rotations.copy()
        rests[clip.skeleton.index("LeftArm")] = rot.from_yaw(0.7)
        clip = replace(clip, skeleton=replace(clip.skeleton, rest_rotations=rests))
    for frame in (0, 7):
        expected = mesh.vertices(clip, [frame])[0]
        assert np.abs(skin_by_matrices(clip, mesh, frame) - expected).max() < 1e-4


def test_without_blender_the_way_out_is_named(no_blender: Path, tmp_path: Path) -> None:
    path = tmp_path / "hero.fbx"
    path.write_bytes(b"; FBX 7.4.0 project file")
    with pytest.raises(MotionloomError, match="Blender, which was not found: run 'motionloom install-fbx'"):
        ml.load_skinned_mesh(path)


@pytest.fixture(scope="module")
def hero(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Mixamo-like character made in Blender, and where Blender moves its corners."""
    folder = tmp_path_factory.mktemp("hero")
    in_blender("make", folder / "hero.fbx", folder / "hero.usdc", folder / "hero.glb")
    in_blender("skin", folder / "hero.fbx", folder / "skin.npz", *FRAMES)
    return folder


def distance(a: FloatArray, b: FloatArray) -> float:
    """The largest distance from a point of either cloud to the nearest one of the other, metres."""
    apart = np.linalg.norm(a[:, None] - b[None], axis=-1)
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


@needs_blender
def test_vertices_are_where_blender_moves_them(hero: Path) -> None:
    clip, mesh = load_character(hero / "hero.fbx")
    with np.load(hero / "skin.npz") as found:
        for n, frame in enumerate(FRAMES):
            expected = found["corners"][n]
            assert (
                distance(mesh.vertices(clip, [frame])[0], expected @ [[1, 0, 0], [0, 0, -1], [0, 1, 0]])
                < 1e-5
            )
    assert [material.name for material in mesh.materials] == ["Skin", "Cloth"]
    assert np.abs(np.linalg.norm(mesh.normals, axis=1) - 1.0).max() < 1e-9


@needs_blender
def test_a_mesh_goes_from_glb_to_fbx_and_back(hero: Path, tmp_path: Path) -> None:
    clip, mesh = load_character(hero / "hero.glb")
    path = ml.save(clip, tmp_path / "hero.fbx", mesh=mesh, template=None)
    again, bound = load_character(path)
    assert again.skeleton.names == clip.skeleton.names
    for frame in FRAMES:
        assert distance(bound.vertices(again, [frame])[0], mesh.vertices(clip, [frame])[0]) < 1e-5
    home = ml.save(again, tmp_path / "home.glb", mesh=bound, template=None)
    moved, last = load_character(home)
    assert distance(last.vertices(moved, [11])[0], mesh.vertices(clip, [11])[0]) < 1e-5


@needs_blender
def test_textures_that_are_cut_out_say_so(hero: Path, tmp_path: Path) -> None:
    """Read again they are opaque: the alpha of textures in FBX files may be anything, and nothing tells."""
    clip, mesh = load_character(hero / "hero.glb")
    texture = BytesIO()
    Image.new("RGBA", (4, 4), (200, 100, 50, 128)).save(texture, "png")
    modes: tuple[AlphaMode, ...] = ("opaque", "mask", "blend")
    named = []
    for mode in modes:
        look = Material("hair", texture=texture.getvalue(), alpha_mode=mode)
        dressed = replace(mesh, materials=(look, look), texture_coordinates=mesh.positions[:, :2])
        path = ml.save(clip, tmp_path / f"{mode}.fbx", mesh=dressed, template=None)
        named.append(path.read_bytes().count(b"TransparencyFactor"))
        assert [each.alpha_mode for each in load_character(path)[1].materials] == ["opaque", "opaque"]
    assert named[0] < named[1] == named[2], "the connection of the texture is named as well"


@needs_blender
def test_sticks_are_no_character(tmp_path: Path) -> None:
    path = ml.save(stand(duration=0.1, fps=30).clip, tmp_path / "sticks.fbx")
    with pytest.raises(FileFormatError, match="has no skin: a character needs a mesh that is skinned"):
        ml.load_skinned_mesh(path)
