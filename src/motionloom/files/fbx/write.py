"""Write FBX files through Blender.

Bind a skinned mesh to the bones of a motion, as Blender's armatures do it: in their one rest pose.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.bind_pose import find_bind_pose
from motionloom.files.fbx.blender import WORKER, blender_command
from motionloom.files.fbx.motion import METRES_MARK, WorldMotion, find_bone_ends, make_world_motion
from motionloom.files.fbx.structure import check_structure
from motionloom.files.normalize import TO_Y_UP, denormalize_clip
from motionloom.files.template import fit_to_character
from motionloom.files.text import check_size
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import Budget
from motionloom.jobs.workers import run_worker, time_limit, write_exchange
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import SkinnedMesh

_BYTES_PER_VALUE = 20
"""Approximate bytes of an FBX file per number, from which Blender's time limit is estimated."""


def write_fbx(clip: Clip, path: Path, *, mesh: SkinnedMesh | None = None, overwrite: bool = False) -> None:
    """Write a clip in metres and Y up as an armature with one take; tips become bones of their own.

    Bones have the axes of the joints. Where those all rest unrotated, as in BVH files, which have no axes for
    joints, bones point to their children. The armature carries a mesh, or sticks where there is none.
    """
    motion = make_world_motion(clip)
    surface: dict[str, npt.NDArray[Any]] = {}
    looks = []
    if mesh is not None:
        motion, surface = bind_mesh(motion, mesh)
        surface |= {name: _z_up(surface[name]) for name in ("mesh_vertices", "mesh_normals")}
        looks = [
            {
                "name": each.name,
                "colour": each.colour,
                "double_sided": each.double_sided,
                "alpha_mode": each.alpha_mode,
            }
            for each in mesh.materials
        ]
    arrays = _motion_arrays(motion) | {
        "rest_positions": _z_up(motion.rest),
        "tails": _z_up(find_bone_ends(motion)),
    }
    if (motion.axes == rot.IDENTITY).all():
        del arrays["rest_rotations"]
    _run_blender(clip, path, motion, arrays | surface, overwrite=overwrite, materials=looks)


def write_into_template(
    clip: Clip, path: Path, template: Path, character: Clip, *, overwrite: bool = False
) -> None:
    """Write a character's file again with the clip as its only take.

    Parameters
    ----------
    clip
        The motion, in metres and Y up; its joints have the names of the character's.
    path
        The file to make.
    template
        An FBX file with the character.
    character
        What was read from it.
    overwrite
        Replace an existing file.
    """
    fitted = fit_to_character(clip, character, template)
    written = denormalize_clip(fitted, unit=character.source.metres_per_unit, up=character.source.up)
    motion = make_world_motion(replace(written, skeleton=replace(written.skeleton, tips=())))
    _run_blender(clip, path, motion, _motion_arrays(motion), template, overwrite=overwrite)


def _motion_arrays(motion: WorldMotion) -> dict[str, FloatArray]:
    """Return what Blender is told about a motion, Z up."""
    rotations = np.concatenate([motion.rotations[..., :1], _z_up(motion.rotations[..., 1:])], axis=-1)
    to_z_up = rot.from_matrix(TO_Y_UP["z"].T)
    return {
        "rest_rotations": rot.multiply(to_z_up, motion.axes),
        "positions": _z_up(motion.positions),
        "rotations": rotations,
    }


def _run_blender(
    clip: Clip,
    path: Path,
    motion: WorldMotion,
    arrays: Mapping[str, npt.NDArray[Any]],
    template: Path | None = None,
    *,
    overwrite: bool,
    materials: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Let Blender write the motion of bones, of a new armature with a mesh or of a template's."""
    command = blender_command(WORKER)
    check_size(path, float(np.abs(clip.world_positions()).max(initial=0.0)))
    header = {
        "names": motion.names,
        "parents": motion.parents.tolist(),
        "fps": clip.fps,
        "armature": "Armature",
        "mark": METRES_MARK,
        "animation": path.stem or "Motion",
        "materials": list(materials),
    }
    surface = sum(values.size for name, values in arrays.items() if name.startswith(("mesh", "texture")))
    size = _BYTES_PER_VALUE * (7 * motion.positions.size + surface) + (
        template.stat().st_size if template else 0
    )
    with (
        tempfile.TemporaryDirectory(prefix="motionloom-fbx-") as folder,
        atomic_output(path, overwrite=overwrite) as temporary,
    ):
        given, written = Path(folder, "motion.npz"), Path(folder, "written.fbx")
        write_exchange(given, header, dict(arrays))
        words = [str(given), str(written), *([str(template.absolute())] if template else [])]
        run_worker([*command, "write", *words], path, "Blender", time_limit(size))
        if not written.is_file():
            raise MotionloomError("Blender wrote no file", subject=str(path))
        content = written.read_bytes()
        try:
            check_structure(path, content, Budget(path, max_memory=sys.maxsize))  # it is our own
        except FileFormatError:
            raise MotionloomError(
                "Blender wrote half a file; the disk may be full", subject=str(path)
            ) from None
        temporary.write_bytes(content)


def _z_up(vectors: FloatArray) -> FloatArray:
    return vectors @ TO_Y_UP["z"]


def bind_mesh(motion: WorldMotion, mesh: SkinnedMesh) -> tuple[WorldMotion, dict[str, npt.NDArray[Any]]]:
    """Return the motion with bones that rest as the mesh is bound, and the arrays that describe the mesh.

    Parameters
    ----------
    motion
        The bones; all joints of the mesh are among them.
    mesh
        The mesh.

    Returns
    -------
    WorldMotion
        The same motion, from the pose on in which the mesh is bound.
    dict
        Vertices and normals (V, 3) at rest, triangles (F, 3), materials (F,), texture coordinates (V, 2),
        bones of the motion and weights (V, 4).
    """
    rest = np.tile(np.eye(4), (len(motion.names), 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = rot.to_matrix(motion.axes), motion.rest
    pose = find_bind_pose(motion.names, motion.parents, rest, mesh)
    if pose.transforms is not rest:
        axes = rot.from_matrix(pose.transforms[:, :3, :3])
        rotations = rot.multiply(rot.multiply(motion.rotations, motion.axes), rot.inverse(axes))
        motion = replace(motion, rest=pose.transforms[:, :3, 3], axes=axes, rotations=rotations)
    assert mesh.triangle_materials is not None
    arrays: dict[str, npt.NDArray[Any]] = {
        "mesh_vertices": pose.vertices,
        "mesh_normals": pose.normals,
        "mesh_triangles": mesh.triangles,
        "mesh_materials": mesh.triangle_materials,
        "mesh_bones": pose.vertex_joints,
        "mesh_weights": mesh.weights,
    }
    if mesh.texture_coordinates is not None:
        arrays["mesh_uv"] = mesh.texture_coordinates * [1.0, -1.0] + [0.0, 1.0]  # Blender counts from below
    for n, material in enumerate(mesh.materials):
        if material.texture is not None:
            arrays[f"texture{n}"] = np.frombuffer(material.texture, dtype=np.uint8)
    return motion, arrays
