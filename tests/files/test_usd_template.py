"""USD stages with a character: the motion is replaced, and everything else stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError, TemplateWarning
from tests.files.test_template import angles, without_warnings

pytest.importorskip("pxr")

JOINTS = ["hip", "hip/knee", "hip/knee/foot"]


def hero(path: Path, *, joints: list[str] = JOINTS, animated: bool = True, scale: float = 1.0) -> Path:
    """A leg in centimetres, Z up, below a moving transform, with a skinned and textured mesh."""
    from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, "Z")
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(24)
    root = UsdSkel.Root.Define(stage, "/Hero")
    stage.SetDefaultPrim(root.GetPrim())
    root.AddTranslateOp().Set(Gf.Vec3d(10, 0, 0), 1)
    root.GetPrim().GetAttribute("xformOp:translate").Set(Gf.Vec3d(40, 0, 0), 5)
    root.AddRotateZOp().Set(30.0, 1)
    root.AddScaleOp().Set(Gf.Vec3f(2, 2, 2))
    skeleton = UsdSkel.Skeleton.Define(stage, "/Hero/Rig")
    quarter = Gf.Rotation(Gf.Vec3d(1, 2, 3), 70)
    rest = [Gf.Matrix4d(quarter, Gf.Vec3d(0, 0, 50)), Gf.Matrix4d(quarter, Gf.Vec3d(0, 20, 5))]
    rest += [Gf.Matrix4d(1.0).SetScale(scale) * Gf.Matrix4d(quarter, Gf.Vec3d(0, 20, 0))] * (len(joints) - 2)
    skeleton.CreateJointsAttr(joints)
    skeleton.CreateRestTransformsAttr(Vt.Matrix4dArray(rest))
    skeleton.CreateBindTransformsAttr(Vt.Matrix4dArray(rest))
    if animated:
        animation = UsdSkel.Animation.Define(stage, "/Hero/Rig/Walk")
        animation.CreateJointsAttr(joints)
        animation.CreateScalesAttr(Vt.Vec3hArray([Gf.Vec3h(scale)] * len(joints)))
        turned = [matrix.ExtractRotationQuat() for matrix in rest]
        for frame in range(1, 6):
            turn = Gf.Rotation(Gf.Vec3d(0, 1, 0.3), 8.0 * frame).GetQuat()
            animation.CreateRotationsAttr().Set(
                Vt.QuatfArray([Gf.Quatf(turn * each) for each in turned]), frame
            )
            offsets = [Gf.Vec3f(each.ExtractTranslation()) for each in rest]
            offsets[0] += Gf.Vec3f(frame, 2 * frame, 0)
            animation.CreateTranslationsAttr().Set(Vt.Vec3fArray(offsets), frame)
        UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets(
            [animation.GetPath()]
        )
    mesh = UsdGeom.Mesh.Define(stage, "/Hero/Body")
    mesh.CreatePointsAttr([(0, 0, 50), (5, 0, 40), (0, 5, 40)])
    mesh.CreateFaceVertexCountsAttr([3])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2])
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    binding.CreateJointIndicesPrimvar(False, 1).Set([0, 1, 1])
    binding.CreateJointWeightsPrimvar(False, 1).Set([1.0, 1.0, 1.0])
    (path.parent / "skins").mkdir(exist_ok=True)
    (path.parent / "skins" / "cloth.png").write_bytes(b"picture")
    shader = UsdShade.Shader.Define(stage, "/Hero/Cloth/Picture")
    shader.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(Sdf.AssetPath("./skins/cloth.png"))
    stage.GetRootLayer().Save()
    return path


def other_prims(path: Path) -> dict[str, Any]:
    """The mesh and its binding, the materials and the skeleton of a stage, by attribute."""
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    found = {}
    for prim in stage.Traverse():
        if prim.GetTypeName() in ("Mesh", "Shader", "Skeleton", "Material"):
            for attribute in prim.GetAttributes():
                if attribute.HasAuthoredValue() and attribute.GetTypeName() != "asset":
                    found[str(attribute.GetPath())] = attribute.Get()
    assert any("Body" in key for key in found)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_the_motion_goes_home(tmp_path: Path, suffix: str) -> None:
    from pxr import Usd

    template = hero(tmp_path / f"hero{suffix}")
    clip = ml.load(template)
    assert (clip.n_frames, clip.source.unit, clip.source.up) == (5, "cm", "z")
    (tmp_path / "elsewhere").mkdir()
    path = without_warnings(clip, tmp_path / "elsewhere" / f"out{suffix}")
    again = ml.load(path)
    assert again.skeleton.names == clip.skeleton.names
    assert angles(again.rotations, clip.rotations).max() < 0.001
    assert np.abs(again.world_positions() - clip.world_positions()).max() < 1e-6
    assert angles(again.skeleton.rest_rotations, clip.skeleton.rest_rotations).max() < 0.001
    assert other_prims(path) == other_prims(template)
    stage = Usd.Stage.Open(str(path))
    picture = stage.GetAttributeAtPath("/Hero/Cloth/Picture.inputs:file").Get()
    assert Path(picture.resolvedPath).read_bytes() == b"picture", "textures are found from the new place"
    assert stage.GetTimeCodesPerSecond() == 24


@pytest.mark.slow
def test_made_motion_and_another_rate(tmp_path: Path) -> None:
    template = hero(tmp_path / "hero.usda")
    clip = ml.load(template).resampled(60).reversed()
    path = without_warnings(clip, tmp_path / "out.usda")
    again = ml.load(path)
    assert (again.fps, again.n_frames) == (60, clip.n_frames)
    assert np.abs(again.world_positions() - clip.world_positions()).max() < 1e-6


@pytest.mark.slow
def test_scaled_joints(tmp_path: Path) -> None:
    clip = ml.load(hero(tmp_path / "hero.usda", scale=0.5))
    again = ml.load(without_warnings(clip, tmp_path / "out.usda"))
    assert np.abs(again.world_positions() - clip.world_positions()).max() < 1e-6
    assert angles(again.rotations, clip.rotations).max() < 0.001


@pytest.mark.slow
def test_several_roots(tmp_path: Path) -> None:
    clip = ml.load(hero(tmp_path / "hero.usda", joints=["hip", "hip/knee", "tail"]))
    assert clip.skeleton.names[0] == "Rig"
    again = ml.load(without_warnings(clip, tmp_path / "out.usda"))
    assert again.skeleton.names == clip.skeleton.names
    apart = np.abs(again.world_positions() - clip.world_positions())
    assert apart[:, 1:].max() < 1e-6, "the joint above them is not in the file"


@pytest.mark.slow
def test_a_character_without_a_motion(tmp_path: Path) -> None:
    still = ml.load(hero(tmp_path / "still.usda", animated=False))
    assert still.n_frames == 1
    assert "no animation moves the skeleton: its rest pose was read as one frame" in still.source.notes
    assert np.allclose(still.rotations[0], still.skeleton.rest_rotations)
    walk = ml.load(hero(tmp_path / "hero.usda"))
    path = ml.save(walk, tmp_path / "out.usda", template=tmp_path / "still.usda")
    assert np.abs(ml.load(path).world_positions() - walk.world_positions()).max() < 1e-6
    with pytest.raises(FileFormatError, match="holds no animation 'run': it has none"):
        ml.load(tmp_path / "still.usda", animation="run")


@pytest.mark.slow
def test_a_stage_of_several_layers_becomes_one(tmp_path: Path) -> None:
    from pxr import Usd

    hero(tmp_path / "hero.usda")
    stage = Usd.Stage.CreateNew(str(tmp_path / "scene.usda"))
    prim = stage.DefinePrim("/Scene")
    prim.GetReferences().AddReference("./hero.usda")
    stage.GetRootLayer().Save()
    clip = ml.load(tmp_path / "scene.usda")
    path = without_warnings(clip.reversed(), tmp_path / "out.usda")
    (tmp_path / "hero.usda").unlink()
    assert np.abs(ml.load(path).world_positions() - clip.world_positions()[::-1]).max() < 1e-6
    assert other_prims(path)["/Scene/Body.points"] is not None


@pytest.mark.slow
def test_templates_that_do_not_fit(tmp_path: Path) -> None:
    clip = ml.load(hero(tmp_path / "hero.usda"))
    hero(tmp_path / "other.usda", joints=["hip", "hip/knee", "hip/knee/paw"])
    with pytest.raises(ParameterError, match=r"other\.usda has no joints 'foot': retarget the clip"):
        ml.save(clip, tmp_path / "out.usda", template=tmp_path / "other.usda")
    with pytest.raises(FileFormatError, match=r"nobody\.usda: there is no such file"):
        ml.save(clip, tmp_path / "out.usda", template=tmp_path / "nobody.usda")
    (tmp_path / "broken.usda").write_text("#usda 1.0\ndef Skeleton {")
    with pytest.raises(FileFormatError, match=r"broken\.usda: is not a USD stage, or is damaged"):
        ml.save(clip, tmp_path / "out.usda", template=tmp_path / "broken.usda")
    with pytest.warns(TemplateWarning, match="unit= and up= do not apply to it"):
        ml.save(clip, tmp_path / "bare.usda", unit="m")
    assert ml.load(tmp_path / "bare.usda").source.character is None
