"""Write clips as USD stages."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from motionloom.annotation.sidecar import annotations_to_dict
from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.files.normalize import denormalize_clip
from motionloom.files.template import fit_to_character
from motionloom.files.text import check_size
from motionloom.files.usd import FORMAT
from motionloom.files.usd.add_mesh import StageMesh, define_mesh, prepare_mesh
from motionloom.files.usd.read import WORKER
from motionloom.geometry import rotations as rot
from motionloom.jobs.workers import run_worker, time_limit, write_exchange
from motionloom.messages import Argument
from motionloom.motion import Clip, Skeleton
from motionloom.motion.skinned_mesh import SkinnedMesh

_LIBRARY_LOCK = Lock()
"""Held while this process uses the USD library: two threads that load its modules wait for each other."""

_ROOT, _SKELETON, _ANIMATION = "/Motion", "/Motion/Skeleton", "/Motion/Animation"
"""Paths of the prims of a written stage."""


def write_usd(clip: Clip, path: Path, *, mesh: SkinnedMesh | None = None, overwrite: bool = False) -> None:
    """Write a clip that is already in the unit and axes of the file, with a mesh in metres and Y up.

    The suffix decides between text and binary. Textures of the mesh are files beside the stage. USD has no
    vertical axis X: convert such clips first.
    """
    FORMAT.check_installed()
    if clip.source.up == "x":
        raise MotionloomError(
            "USD has the vertical axes Y and Z only",
            subject=str(path),
            remedy=("write it with ", Argument("up", "y")),
        )
    for values in (clip.root_positions, clip.skeleton.offsets, *(c.point for c in clip.constraints)):
        check_size(path, float(np.abs(values).max(initial=0.0)))
    surface = None if mesh is None else prepare_mesh(mesh, clip.skeleton, clip.source, path)
    from pxr import Tf

    with ExitStack() as files, _LIBRARY_LOCK:
        temporary = files.enter_context(atomic_output(path, overwrite=overwrite))
        for name, content in surface.textures.values() if surface else ():
            image = files.enter_context(atomic_output(path.with_name(name), overwrite=overwrite))
            image.write_bytes(content)
        stage = _stage(clip, surface)  # a layer does not keep its stage
        try:
            written = stage.GetRootLayer().Export(str(temporary))
        except Tf.ErrorException:  # it has a line for every block of the file
            written = False
        if not written:
            raise MotionloomError(
                "the USD library could not write the file; the disk may be full", subject=str(path)
            )


def write_into_template(
    clip: Clip, path: Path, template: Path, character: Clip, *, overwrite: bool = False
) -> None:
    """Write a copy of a stage whose skeleton moves as the clip does; everything else in the stage stays.

    Stages of several layers become one.

    Parameters
    ----------
    clip
        The motion, in metres and Y up; its joints have the names of the character's.
    path
        The file to make.
    template
        A stage with the character.
    character
        What was read from it.
    overwrite
        Replace an existing file.
    """
    fitted = fit_to_character(clip, character, template)
    written = denormalize_clip(fitted, unit=character.source.metres_per_unit, up=character.source.up)
    check_size(path, float(np.abs(written.root_positions).max(initial=0.0)))
    header = {"fps": clip.fps, "extras": json.dumps(_extras(written))}
    with (
        tempfile.TemporaryDirectory(prefix="motionloom-usd-") as folder,
        atomic_output(path, overwrite=overwrite) as temporary,
    ):
        given, result = Path(folder, "motion.npz"), Path(folder, f"written{path.suffix}")
        write_exchange(given, header, _joint_values(written))
        words = [str(template.absolute()), str(given), str(result), str(path.absolute().parent)]
        limit = time_limit(template.stat().st_size + written.rotations.nbytes)
        run_worker([*WORKER, "write", *words], template, "the USD library", limit)
        temporary.write_bytes(result.read_bytes())


def _joint_values(clip: Clip) -> dict[str, FloatArray]:
    """Return rotations (T, J, 4) and positions (T, J, 3) in the frames of parents, and in the world."""
    return {
        "rotations": rot.unroll(clip.rotations),
        "translations": _local_positions(clip),
        "world_rotations": rot.unroll(clip.world_rotations()),
        "world_translations": clip.world_positions(),
    }


def _stage(clip: Clip, surface: StageMesh | None) -> Any:
    """Return a stage in memory with one skeleton, one animation and perhaps a mesh."""
    from pxr import Usd, UsdGeom, UsdSkel

    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, clip.source.up.upper())
    UsdGeom.SetStageMetersPerUnit(stage, clip.source.metres_per_unit)
    stage.SetTimeCodesPerSecond(clip.fps)
    stage.SetFramesPerSecond(clip.fps)
    stage.SetStartTimeCode(0.0)
    stage.SetEndTimeCode(float(max(clip.n_frames - 1, 0)))
    stage.SetDefaultPrim(UsdSkel.Root.Define(stage, _ROOT).GetPrim())
    paths = _joint_paths(clip.skeleton)
    _define_skeleton(stage, clip.skeleton, paths, surface)
    _define_animation(stage, clip, paths)
    if surface is not None:
        define_mesh(stage, _ROOT, _SKELETON, surface)
    return stage


def _joint_paths(skeleton: Skeleton) -> list[str]:
    """Return a path for every joint, of names that USD allows; equal names below one joint are numbered."""
    from pxr import Tf

    paths: list[str] = []
    taken: set[str] = set()
    for name, parent in zip(skeleton.names, skeleton.parents.tolist(), strict=True):
        base = ("" if parent < 0 else paths[parent] + "/") + Tf.MakeValidIdentifier(name)
        path, number = base, 1
        while path in taken:
            number += 1
            path = f"{base}_{number}"
        taken.add(path)
        paths.append(path)
    return paths


def _define_skeleton(stage: Any, skeleton: Skeleton, paths: list[str], surface: StageMesh | None) -> None:
    from pxr import UsdSkel, Vt

    prim = UsdSkel.Skeleton.Define(stage, _SKELETON)
    prim.CreateJointsAttr(paths)
    prim.CreateJointNamesAttr(list(skeleton.names))
    local = _matrices(skeleton.offsets, skeleton.rest_rotations)
    world = _matrices(skeleton.rest_positions(), skeleton.rest_world_rotations())
    bound = world if surface is None else surface.pose.transforms.transpose(0, 2, 1)
    prim.CreateRestTransformsAttr(Vt.Matrix4dArray.FromNumpy(local))
    prim.CreateBindTransformsAttr(Vt.Matrix4dArray.FromNumpy(np.ascontiguousarray(bound)))
    UsdSkel.BindingAPI.Apply(prim.GetPrim()).CreateAnimationSourceRel().SetTargets([_ANIMATION])


def _define_animation(stage: Any, clip: Clip, paths: list[str]) -> None:
    from pxr import Gf, UsdSkel, Vt

    prim = UsdSkel.Animation.Define(stage, _ANIMATION)
    prim.CreateJointsAttr(paths)
    prim.CreateScalesAttr(Vt.Vec3hArray(len(paths), Gf.Vec3h(1.0)))
    rotations_attribute, translations_attribute = prim.CreateRotationsAttr(), prim.CreateTranslationsAttr()
    # NumPy hands the imaginary part of a quaternion over first; signs that jump would spin between frames.
    rotations = rot.unroll(clip.rotations)[..., [1, 2, 3, 0]].astype(np.float32)
    translations = _local_positions(clip).astype(np.float32)
    for frame in range(clip.n_frames):
        rotations_attribute.Set(Vt.QuatfArray.FromNumpy(rotations[frame]), frame)
        translations_attribute.Set(Vt.Vec3fArray.FromNumpy(translations[frame]), frame)
    prim.GetPrim().SetCustomDataByKey("motionloom", json.dumps(_extras(clip)))


def _local_positions(clip: Clip) -> FloatArray:
    """Return local positions (T, J, 3) of all joints, the root's in the world."""
    positions = np.array(clip.local_positions())
    positions[:, 0] = clip.root_positions
    return positions


def _matrices(positions: FloatArray, rotations: FloatArray) -> FloatArray:
    """Return transforms (J, 4, 4) for row vectors, as in USD."""
    matrices = np.tile(np.eye(4), (len(positions), 1, 1))
    matrices[:, :3, :3] = rot.to_matrix(rotations).swapaxes(-1, -2)
    matrices[:, 3, :3] = positions
    return matrices


def _extras(clip: Clip) -> dict[str, Any]:
    """Return what UsdSkel has no place for."""
    tips = [{"joint": tip.joint, "offset": tip.offset.tolist()} for tip in clip.skeleton.tips]
    extras = {"annotations": annotations_to_dict(clip), "cyclic": clip.cyclic, "tips": tips}
    # The rate is stored as frames per second; where its reciprocal is not the frame time, both are.
    if 1.0 / clip.fps != clip.frame_time:
        extras["frame_time"] = clip.frame_time
    return extras
