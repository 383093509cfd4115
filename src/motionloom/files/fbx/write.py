"""Clips as FBX files, by way of Blender."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.files.fbx.blender import WORKER, blender_command
from motionloom.files.fbx.motion import bone_ends, world_motion
from motionloom.files.normalize import TO_Y_UP
from motionloom.files.text import check_size
from motionloom.files.workers import run_worker, time_limit, write_exchange
from motionloom.motion import Clip

_BYTES_PER_VALUE = 20
"""About so many bytes an FBX file has for one number, to tell how long Blender may take to write it."""


def write_fbx(clip: Clip, path: Path, *, overwrite: bool = False) -> None:
    """Write a clip in metres and Y up as an armature with one take; tips become bones of their own."""
    command = blender_command(WORKER)
    check_size(path, float(np.abs(clip.world_positions()).max(initial=0.0)))
    motion = world_motion(clip)
    header = {
        "names": motion.names,
        "parents": motion.parents.tolist(),
        "fps": clip.fps,
        "armature": "Armature",
        "animation": path.stem or "Motion",
    }
    arrays = {
        "rest_positions": _z_up(motion.rest),
        "tails": _z_up(bone_ends(motion)),
        "positions": _z_up(motion.positions),
        "turns": np.concatenate([motion.turns[..., :1], _z_up(motion.turns[..., 1:])], axis=-1),
    }
    with (
        tempfile.TemporaryDirectory(prefix="motionloom-fbx-") as folder,
        atomic_output(path, overwrite=overwrite) as temporary,
    ):
        given, made = Path(folder, "motion.npz"), Path(folder, "made.fbx")
        write_exchange(given, header, arrays)
        limit = time_limit(_BYTES_PER_VALUE * 7 * motion.positions.size)
        run_worker([*command, "write", str(given), str(made)], path, "Blender", limit)
        if not made.is_file() or made.stat().st_size == 0:
            raise MotionloomError(f"{path}: Blender wrote no file")
        temporary.write_bytes(made.read_bytes())


def _z_up(vectors: FloatArray) -> FloatArray:
    return vectors @ TO_Y_UP["z"]
