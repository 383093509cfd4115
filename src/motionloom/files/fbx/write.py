"""Write FBX files through Blender."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.files.fbx.blender import WORKER, blender_command
from motionloom.files.fbx.motion import find_bone_ends, make_world_motion
from motionloom.files.normalize import TO_Y_UP
from motionloom.files.text import check_size
from motionloom.files.workers import run_worker, time_limit, write_exchange
from motionloom.motion import Clip

_BYTES_PER_VALUE = 20
"""Approximate bytes of an FBX file per number, from which Blender's time limit is estimated."""


def write_fbx(clip: Clip, path: Path, *, overwrite: bool = False) -> None:
    """Write a clip in metres and Y up as an armature with one take; tips become bones of their own."""
    command = blender_command(WORKER)
    check_size(path, float(np.abs(clip.world_positions()).max(initial=0.0)))
    motion = make_world_motion(clip)
    header = {
        "names": motion.names,
        "parents": motion.parents.tolist(),
        "fps": clip.fps,
        "armature": "Armature",
        "animation": path.stem or "Motion",
    }
    arrays = {
        "rest_positions": _z_up(motion.rest),
        "tails": _z_up(find_bone_ends(motion)),
        "positions": _z_up(motion.positions),
        "rotations": np.concatenate([motion.rotations[..., :1], _z_up(motion.rotations[..., 1:])], axis=-1),
    }
    with (
        tempfile.TemporaryDirectory(prefix="motionloom-fbx-") as folder,
        atomic_output(path, overwrite=overwrite) as temporary,
    ):
        given, written = Path(folder, "motion.npz"), Path(folder, "written.fbx")
        write_exchange(given, header, arrays)
        limit = time_limit(_BYTES_PER_VALUE * 7 * motion.positions.size)
        run_worker([*command, "write", str(given), str(written)], path, "Blender", limit)
        if not written.is_file() or written.stat().st_size == 0:
            raise MotionloomError(f"{path}: Blender wrote no file")
        temporary.write_bytes(written.read_bytes())


def _z_up(vectors: FloatArray) -> FloatArray:
    return vectors @ TO_Y_UP["z"]
