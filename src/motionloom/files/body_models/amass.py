"""Read and write AMASS files: body-model motion as a ``.npz`` of rotation vectors.

``poses`` (T, 3·J) are rotation vectors in radians of each joint relative to its parent, ``trans`` (T, 3) the
model's position in metres; Z is up. The bones are not in the file (:mod:`motionloom.files.body_models.smpl`).
"""

from __future__ import annotations

import re
import zipfile
import zlib
from dataclasses import replace
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, freeze
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.body_models.smpl import BODY, FINGERS, LAYOUTS, smpl_skeleton
from motionloom.files.native.archive import open_binary
from motionloom.files.normalize import TO_Y_UP, choose_up_axis
from motionloom.files.notes import Note
from motionloom.files.text import check_size
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import Budget
from motionloom.json_files import HEADER, MAX_NUMBER
from motionloom.messages import Argument
from motionloom.motion import Clip, Source
from motionloom.motion.provenance import UpAxis
from motionloom.motion.sampling import frame_time_of

TEMPLATE_PELVIS: FloatArray = freeze(np.array([0.0, -0.22, 0.03]))
"""Metres from the model's position to its root joint, in the file's axes and not rotated with the body: the
models are built around a point in the chest. It differs by a few centimetres with the shape of the body."""

RATES = ("mocap_framerate", "mocap_frame_rate", "fps")
"""Names under which files state frames per second."""

PARTS = ("root_orient", "pose_body", "pose_hand")
"""Arrays that together are what ``poses`` is, in files that have no array of that name."""

N_BETAS, N_DMPLS = 16, 8
"""Numbers for body shape and soft tissue that readers expect; they are written as zero."""

MAX_REST_ANGLE = 1e-4
"""Radians by which a joint may be rotated at rest."""

_NPY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<|](?:f[248]|[iu][1248]))', 'fortran_order': (False|True), "
    rb"'shape': \(((?:[0-9]{1,15}, ?)*(?:[0-9]{1,15})?)\), \} *\n",
    re.DOTALL,
)
_MAX_DESCRIPTION = 1024
_NOT_POSES = tuple(f"{name}.npy" for name in ("trans", *RATES))
_DAMAGE = (zipfile.BadZipFile, OSError, ValueError, EOFError, RuntimeError, OverflowError, zlib.error)

Arrays = dict[str, FloatArray]


def is_amass(path: Path) -> bool:
    """Tell whether a file is a zip that holds poses and no Motionloom header; unreadable files are not."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except _DAMAGE:
        return False
    return HEADER not in names and bool({"poses.npy", "pose_body.npy"} & names) and "trans.npy" in names


def read_amass(
    path: Path,
    *,
    frame_time: float | None = None,
    up: UpAxis | None = None,
    max_memory: int | None = None,
) -> Clip:
    """Read a body model's motion onto a skeleton with average bones, in metres and Y up.

    Parameters
    ----------
    path
        The file.
    frame_time
        Seconds per frame, in place of the file's own.
    up
        The file's vertical axis; by default Z, unless the motion shows another one.
    max_memory
        Bytes that reading may take, in place of the usual budget.
    """
    arrays = _read_arrays(path, Budget(path, max_memory))
    rotations = rot.from_rotation_vector(_poses(path, arrays))
    positions = arrays["trans"]
    if positions.shape != (len(rotations), 3):
        _refuse(path, f"trans must have shape ({len(rotations)}, 3), not {positions.shape}")
    clip = Clip(
        smpl_skeleton(rotations.shape[1]),
        frame_time or _frame_time(path, arrays),
        positions + TEMPLATE_PELVIS,
        freeze(rotations),
        source=Source(
            str(path),
            "amass",
            notes=(Note("bones", "the file has no bone lengths: those of an average adult were used"),),
        ),
    )
    notes: list[str] = []
    up = up or choose_up_axis(clip, None, notes, use_rest=False)
    return _rotate_world(replace(clip, source=clip.source.noting(*notes)), TO_Y_UP[up])


def write_amass(clip: Clip, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write the motion of a body model's joints; bone lengths, tips and annotations are not kept.

    Parameters
    ----------
    clip
        A clip with the joints of a body model: those of
        :func:`motionloom.files.body_models.smpl_skeleton`, with or without fingers, without rotations at
        rest. Retarget other clips to that skeleton first.
    path
        The file to make.
    overwrite
        Replace an existing file.
    """
    bones = BODY + FINGERS
    known = {name: joint for joint, name in enumerate(clip.skeleton.names)}
    _check_model(clip, known)
    z_up = _rotate_world(clip, TO_Y_UP["z"].T)
    check_size(Path(path), float(np.abs(z_up.root_positions).max(initial=0.0)))
    poses = np.zeros((len(clip), len(bones), 3))
    for column, (name, _, _) in enumerate(bones):
        if name in known:
            poses[:, column] = rot.to_rotation_vector(z_up.rotations[:, known[name]])
    arrays = {
        "poses": poses.reshape(len(clip), -1),
        "trans": z_up.root_positions - TEMPLATE_PELVIS,
        "betas": np.zeros(N_BETAS),
        "dmpls": np.zeros((len(clip), N_DMPLS)),
        "gender": np.array("neutral"),
        "mocap_framerate": np.array(clip.fps),
    }
    with atomic_output(path, overwrite) as temporary, open(temporary, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def _read_arrays(path: Path, budget: Budget) -> Arrays:
    """Return the arrays that are used, each checked against the size of its member before it is made."""
    file = open_binary(path)
    arrays: Arrays = {}
    try:
        with file, zipfile.ZipFile(file) as archive:
            wanted = [f"{name}.npy" for name in ("poses", "trans", *PARTS, *RATES)]
            members = [info for info in archive.infolist() if info.filename in wanted]
            for info in members:
                _claim(path, archive, info, budget)
            for info in members:
                arrays[info.filename.removesuffix(".npy")] = _array(path, info.filename, archive.read(info))
    except _DAMAGE as error:
        raise FileFormatError(path, f"is not an AMASS file, or is damaged: {str(error)[:80]}") from None
    return arrays


def _claim(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> None:
    """Count the memory for a member and for the motion of the joints whose rotations it holds."""
    with archive.open(info) as member:
        shape = _describe_array(path, info.filename, member.read(_MAX_DESCRIPTION), info.file_size)[1]
    n_numbers = prod(shape)
    budget.claim(info.file_size + 8 * n_numbers, f"{info.filename!r} with {n_numbers} numbers")
    if n_numbers and info.filename not in _NOT_POSES:
        budget.claim_samples(shape[0], n_numbers // shape[0] // 3)


def _describe_array(
    path: Path, name: str, data: bytes, n_bytes: int
) -> tuple[re.Match[bytes], tuple[int, ...], np.dtype[Any]]:
    """Return the description that an array of so many bytes begins with, its shape and type of numbers."""
    described = _NPY.match(data[:_MAX_DESCRIPTION])
    if described is None:
        _refuse(path, f"{name!r} is not a plain array of numbers")
    dtype = np.dtype(described[1].decode())
    shape = tuple(int(length) for length in described[3].replace(b",", b" ").split())
    if dtype.itemsize * prod(shape) != n_bytes - described.end():
        _refuse(path, f"{name!r} does not have the size of its shape {shape}")
    return described, shape, dtype


def _array(path: Path, name: str, data: bytes) -> FloatArray:
    described, shape, dtype = _describe_array(path, name, data, len(data))
    order: Any = "F" if described[2] == b"True" else "C"
    array = np.frombuffer(data, dtype, offset=described.end()).reshape(shape, order=order)
    with np.errstate(invalid="ignore"):  # what is not a number is refused below
        values: npt.NDArray[np.float64] = array.astype(np.float64)
    if not (np.abs(values) <= MAX_NUMBER).all():
        _refuse(path, f"{name!r} holds a number that is not finite or beyond {MAX_NUMBER:g}")
    return values


def _refuse(path: Path, cause: str) -> NoReturn:
    raise FileFormatError(path, cause)


def _poses(path: Path, arrays: Arrays) -> FloatArray:
    """Return rotation vectors (T, J, 3) in the order of the joints."""
    if "trans" not in arrays:
        _refuse(path, "is not an AMASS file: it has no array 'trans'")
    parts = [arrays["poses"]] if "poses" in arrays else [arrays[name] for name in PARTS if name in arrays]
    if not parts or any(part.ndim != 2 or len(part) != len(parts[0]) for part in parts):
        _refuse(path, "has no array 'poses' of shape (T, 3·J)")
    poses = np.concatenate(parts, axis=1)
    n_joints = poses.shape[1] // 3
    if n_joints not in LAYOUTS or poses.shape[1] % 3:
        _refuse(
            path,
            f"has poses of {poses.shape[1]} numbers, not of {', '.join(str(3 * n) for n in LAYOUTS)}",
        )
    return poses.reshape(len(poses), n_joints, 3)


def _frame_time(path: Path, arrays: Arrays) -> float:
    stated = [arrays[name] for name in RATES if name in arrays and arrays[name].size == 1]
    if not stated:
        raise FileFormatError(path, "states no frame rate", remedy=("state it with ", Argument("fps")))
    try:
        return frame_time_of(float(stated[0].reshape(())))
    except ParameterError as error:
        _refuse(path, f"states an invalid frame rate: {error}")


def _rotate_world(clip: Clip, matrix: FloatArray) -> Clip:
    """Return the clip in a rotated world; its rest pose stays as it is."""
    rotations = np.array(clip.rotations)
    rotations[:, 0] = rot.multiply(rot.from_matrix(matrix), rotations[:, 0])
    return Clip(
        clip.skeleton,
        clip.frame_time,
        freeze(clip.root_positions @ matrix.T),
        freeze(rotations),
        source=clip.source,
    )


def _check_model(clip: Clip, known: dict[str, int]) -> None:
    """Refuse a skeleton that is not a body model's."""
    skeleton = clip.skeleton
    hint = "retarget the clip to motionloom.files.body_models.smpl_skeleton() first"
    missing = [name for name, _, _ in BODY if name not in known]
    if missing:
        raise ParameterError(
            f"AMASS files hold the joints of a body model, and {missing[0]!r} is missing: {hint}"
        )
    for name, parent, _ in BODY + FINGERS:
        if name in known:
            joint = known[name]
            above = skeleton.parents[joint]
            if (skeleton.names[above] if above >= 0 else "") != parent:
                raise ParameterError(
                    f"the joint {name!r} must have the parent {parent!r} in an AMASS file: {hint}"
                )
            if np.linalg.norm(rot.to_rotation_vector(skeleton.rest_rotations[joint])) > MAX_REST_ANGLE:
                raise ParameterError(
                    f"the joint {name!r} has a rotation at rest, unlike a body model's: {hint}"
                )
