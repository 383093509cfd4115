"""`save(…, mesh=…)` as USD: UsdSkel, an implementation of its own, moves the vertices as we do."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import FileExistsRefusal, ParameterError
from motionloom.files.fbx.blender import blender_command
from motionloom.files.load_skinned_mesh import load_character
from motionloom.files.normalize import TO_Y_UP
from motionloom.motion.skinned_mesh import AlphaMode, Material
from motionloom.synthesis import jog, make_mannequin, walk
from tests.files.gltf_sketch import parts_of, slow_skin
from tests.files.test_fbx import needs_blender
from tests.files.test_gltf_skin import CORNERS, SCRIPT, tube

pytest.importorskip("pxr", reason="usd-core is not installed")

MILLIMETRE = 1e-3


def image_bytes(kind: str) -> bytes:
    """A small image file."""
    content = BytesIO()
    Image.new("RGB", (4, 4), (200, 100, 50)).save(content, kind)
    return content.getvalue()


def skin_by_usd(path: Path, frames: list[int]) -> FloatArray:
    """Vertices (T, V, 3) as UsdSkel computes them, metres and Y up."""
    from pxr import Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.Open(str(path))
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(stage.GetDefaultPrim()), Usd.PrimDefaultPredicate)
    body = UsdGeom.Mesh(stage.GetPrimAtPath("/Motion/Body"))
    skeleton = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Motion/Skeleton")))
    moved = []
    for frame in frames:
        points = body.GetPointsAttr().Get()
        transforms = skeleton.ComputeSkinningTransforms(frame)
        assert cache.GetSkinningQuery(body.GetPrim()).ComputeSkinnedPoints(transforms, points, frame)
        moved.append(np.array(points, dtype=np.float64))
    up = str(UsdGeom.GetStageUpAxis(stage)).lower()
    to_y_up = TO_Y_UP["z"] if up == "z" else np.eye(3)
    return np.asarray(np.array(moved) @ to_y_up.T * UsdGeom.GetStageMetersPerUnit(stage))


def find_faults(path: Path) -> list[str]:
    """What the validators of the USD library say about a stage."""
    from pxr import Usd, UsdValidation

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    stage = Usd.Stage.Open(str(path))
    return [error.GetMessage() for error in UsdValidation.ValidationContext(validators).Validate(stage)]


def blend_on(character: Path | None) -> tuple[ml.Clip, ml.SkinnedMesh]:
    """A blend of two gaits, on the mannequin or on a character."""
    gaits = [walk(duration=2.0, fps=30).clip, jog(duration=2.0, fps=30).clip]
    blend = ml.mix(gaits, [0.5, 0.5]).clip
    if character is None:
        return blend, make_mannequin(blend)
    example, mesh = load_character(character)
    return ml.retarget(blend, example).clip, mesh


def check_skin(clip: ml.Clip, mesh: ml.SkinnedMesh, path: Path, **conventions: Any) -> None:
    """UsdSkel puts the vertices of a saved file where `SkinnedMesh.vertices` does, and has no complaint."""
    ml.save(clip, path, mesh=mesh, template=None, **conventions)
    frames = [*range(0, clip.n_frames, max(1, clip.n_frames // 5)), clip.n_frames - 1]
    apart = np.linalg.norm(skin_by_usd(path, frames) - mesh.vertices(clip, frames), axis=-1)
    assert apart.max() < MILLIMETRE / 100
    assert find_faults(path) == []


def test_a_foreign_mesh_is_refused(tmp_path: Path) -> None:
    mesh = ml.load_skinned_mesh(tube().save(tmp_path / "tube.glb"))
    with pytest.raises(
        ParameterError, match="the mesh follows the joint 'hip', which the clip does not have"
    ):
        ml.save(walk(duration=0.2, fps=20).clip, tmp_path / "walk.usda", mesh=mesh)
    assert not (tmp_path / "walk.usda").exists()


def test_a_mesh_of_three_vertices_is_written_as_it_is(tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom, UsdSkel

    clip, mesh = load_character(tube().save(tmp_path / "tube.glb"))
    path = ml.save(clip, tmp_path / "tube.usda", mesh=mesh, template=None, unit="cm", up="z")
    stage = Usd.Stage.Open(str(path))
    body = UsdGeom.Mesh(stage.GetPrimAtPath("/Motion/Body"))
    np.testing.assert_allclose(body.GetPointsAttr().Get(), 100.0 * CORNERS @ TO_Y_UP["z"], atol=1e-5)
    assert list(body.GetFaceVertexIndicesAttr().Get()) == [0, 1, 2]
    binding = UsdSkel.BindingAPI(body.GetPrim())
    assert list(binding.GetJointIndicesPrimvar().Get())[::4] == [0, 0, 1]
    assert list(binding.GetJointWeightsPrimvar().Get()) == [1, 0, 0, 0] * 3
    np.testing.assert_allclose(skin_by_usd(path, [0])[0], slow_skin(tmp_path / "tube.glb"), atol=1e-6)


@pytest.mark.parametrize("conventions", [{}, {"unit": "m", "up": "z"}], ids=["cm", "z up"])
def test_the_mannequin_moves_alike(tmp_path: Path, conventions: dict[str, Any]) -> None:
    check_skin(*blend_on(None), tmp_path / "walk.usdc", **conventions)


def test_the_character_of_the_corpus_moves_alike(mocap: Path, tmp_path: Path) -> None:
    check_skin(*blend_on(mocap / "game" / "character" / "manny_med_mod.gltf"), tmp_path / "manny.usdc")
    assert (tmp_path / "manny_texture0.png").read_bytes().startswith(b"\x89PNG")


def test_several_meshes_that_are_bound_differently_move_alike(mocap: Path, tmp_path: Path) -> None:
    """Parts in other units, bound in another pose than the one at rest, in three materials."""
    clip, mesh = load_character(mocap / "game" / "robot_expressive.glb")
    assert len(mesh.materials) == 3
    assert len(mesh.bones) > len(set(mesh.bones.tolist()))
    check_skin(clip, mesh, tmp_path / "robot.usdc")


def test_joints_that_scale_the_mesh_move_alike(tmp_path: Path) -> None:
    """No pose without scale explains these binds: the skeleton gets them as they are."""
    clip, mesh = blend_on(None)
    binds = mesh.inverse_binds.copy()
    binds[mesh.skeleton.index("LeftArm")] = np.diag([1.3, 1.0, 0.8, 1.0]) @ binds[5]
    check_skin(clip, replace(mesh, inverse_binds=binds), tmp_path / "walk.usdc")


def test_parts_that_no_bind_pose_explains_are_refused(tmp_path: Path) -> None:
    clip, mesh = blend_on(None)
    bones, binds = np.append(mesh.bones, 0), [*mesh.inverse_binds, np.diag([1.3, 1.0, 0.8, 1.0])]
    moved = mesh.vertex_bones.copy()
    moved[mesh.triangles[0], 0] = len(mesh.bones)
    odd = replace(mesh, bones=bones, inverse_binds=np.array(binds), vertex_bones=moved)
    with pytest.raises(ParameterError, match=r"parts of the mesh are bound in poses that differ by \d+.* mm"):
        ml.save(clip, tmp_path / "odd.usda", mesh=odd)


def test_parts_that_are_bound_with_a_scale_of_zero_are_refused(tmp_path: Path) -> None:
    clip, mesh = blend_on(None)
    binds = mesh.inverse_binds.copy()
    binds[mesh.skeleton.index("LeftArm"), :3, :3] = 0.0
    with pytest.raises(ParameterError, match="bound to the joint 'LeftArm' with a scale of zero"):
        ml.save(clip, tmp_path / "flat.usda", mesh=replace(mesh, inverse_binds=binds))


def textured(tmp_path: Path, texture: bytes) -> tuple[ml.Clip, ml.SkinnedMesh]:
    """Three vertices with a texture."""
    clip, mesh = load_character(tube().save(tmp_path / "tube.glb"))
    look = Material("blue cloth", (0.5, 0.25, 1.0, 0.5), texture, True)
    return clip, replace(mesh, materials=(look,), texture_coordinates=np.array([[0, 0.25], [1, 0], [0, 1]]))


@pytest.mark.parametrize(("kind", "suffix"), [("png", ".png"), ("jpeg", ".jpg"), ("webp", ".webp")])
def test_textures_lie_beside_the_stage(tmp_path: Path, kind: str, suffix: str) -> None:
    from pxr import Usd, UsdShade

    clip, mesh = textured(tmp_path, image_bytes(kind))
    path = ml.save(clip, tmp_path / "cloth.usda", mesh=mesh, template=None)
    with Image.open(tmp_path / f"cloth_texture0{suffix}") as image:
        assert image.size == (4, 4)
    stage = Usd.Stage.Open(str(path))
    body = stage.GetPrimAtPath("/Motion/Body")
    material = UsdShade.MaterialBindingAPI(body).ComputeBoundMaterial()[0]
    surface = material.ComputeSurfaceSource()[0]
    assert surface.GetInput("opacity").Get() == 0.5
    picture = UsdShade.Shader(stage.GetPrimAtPath(f"{material.GetPath()}/Texture"))
    assert Path(picture.GetInput("file").Get().resolvedPath) == tmp_path / f"cloth_texture0{suffix}"
    np.testing.assert_allclose(picture.GetInput("scale").Get(), [0.5, 0.25, 1.0, 1.0])
    expected = np.array([[0.0, 0.75], [1.0, 1.0], [0.0, 0.0]])
    np.testing.assert_allclose(body.GetAttribute("primvars:st").Get(), expected)
    assert find_faults(path) == []


@pytest.mark.parametrize("mode", ["mask", "blend"])
def test_transparent_textures_set_the_opacity(tmp_path: Path, mode: AlphaMode) -> None:
    from pxr import Usd, UsdShade

    clip, mesh = textured(tmp_path, image_bytes("png"))
    hair = replace(mesh.materials[0], alpha_mode=mode, alpha_cutoff=0.3)
    path = ml.save(clip, tmp_path / "hair.usda", mesh=replace(mesh, materials=(hair,)), template=None)
    stage = Usd.Stage.Open(str(path))
    material = UsdShade.MaterialBindingAPI(stage.GetPrimAtPath("/Motion/Body")).ComputeBoundMaterial()[0]
    surface = material.ComputeSurfaceSource()[0]
    source, name, _ = surface.GetInput("opacity").GetConnectedSource()
    assert (source.GetPath().name, name) == ("Texture", "a")
    picture = UsdShade.Shader(source.GetPrim())
    np.testing.assert_allclose(picture.GetInput("scale").Get(), [0.5, 0.25, 1.0, 0.5])
    threshold = surface.GetInput("opacityThreshold")
    assert (threshold.Get() if threshold else None) == (pytest.approx(0.3) if mode == "mask" else None)
    assert find_faults(path) == []


def test_a_texture_in_the_way_is_not_replaced_unasked(tmp_path: Path) -> None:
    clip, mesh = textured(tmp_path, image_bytes("png"))
    (tmp_path / "cloth_texture0.png").write_text("mine")
    with pytest.raises(FileExistsRefusal, match=r"cloth_texture0\.png"):
        ml.save(clip, tmp_path / "cloth.usda", mesh=mesh, template=None)
    assert not (tmp_path / "cloth.usda").exists()
    assert (tmp_path / "cloth_texture0.png").read_text() == "mine"
    ml.save(clip, tmp_path / "cloth.usda", mesh=mesh, template=None, overwrite=True)
    assert (tmp_path / "cloth_texture0.png").read_bytes() == mesh.materials[0].texture


def test_motion_on_a_template_of_another_format_is_that_of_its_own_format(
    mocap: Path, tmp_path: Path
) -> None:
    home = mocap / "game" / "character" / "manny_med_mod.gltf"
    clip, mesh = blend_on(home)
    ml.save(clip, tmp_path / "manny.usdc", template=home)
    ml.save(clip, tmp_path / "manny.glb", template=home)
    assert len(parts_of(tmp_path / "manny.glb")[0]["meshes"]) == 8
    written, own = load_character(tmp_path / "manny.glb")
    apart = np.abs(skin_by_usd(tmp_path / "manny.usdc", [7]) - own.vertices(written, [7]))
    assert apart.max() < MILLIMETRE / 10
    assert own.n_vertices == mesh.n_vertices


@needs_blender
@pytest.mark.parametrize("conventions", [{}, {"unit": "m", "up": "z"}], ids=["cm", "z up"])
def test_blender_moves_the_vertices_alike(mocap: Path, tmp_path: Path, conventions: dict[str, Any]) -> None:
    clip, mesh = blend_on(mocap / "game" / "character" / "manny_med_mod.gltf")
    path = ml.save(clip, tmp_path / "manny.usdc", mesh=mesh, template=None, **conventions)
    words = [str(path), repr(clip.fps), str(tmp_path / "found.npz")]
    run = subprocess.run([*blender_command(SCRIPT), *words], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    with np.load(tmp_path / "found.npz") as found:
        assert int(found["groups"]) == len(mesh.bones)
        apart = np.abs(found["vertices"] - mesh.vertices(clip, [clip.n_frames - 1])[0])
    assert apart.max() < MILLIMETRE
