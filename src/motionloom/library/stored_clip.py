"""A clip as a library stores it: a skeleton that takes share, a header, and one run of bytes.

Poses are whole numbers of small steps: components of quaternions of 2⁻¹⁹, which turns no joint by more than
4 microradians, and positions of 2⁻²⁰ m, which moves none by more than a micrometre. Motion is smooth, so
what is stored is how much each step from frame to frame differs from the one before; that compresses well.

Libraries of version 1 hold rotations and moving bones in single precision and the path of the root in double
precision; they are read as well, and `Library.compact` rewrites them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError
from motionloom.files.native.clips import pack_clip, unpack_clip
from motionloom.json_files import JsonFields
from motionloom.library.errors import DamagedLibraryError
from motionloom.motion import Clip

_SKELETON_ARRAYS = ("parents", "offsets", "rest_rotations", "source_axes")
_SKELETON_FIELDS = ("names", "tips")

ROTATION_STEP, POSITION_STEP = 2.0**-19, 2.0**-20
"""Steps of the components of quaternions, and of positions in metres."""

MAX_POSITION = 1e6
"""Metres: a clip that goes farther is stored as libraries of version 1 do."""

ROTATION_BYTES, POSITION_BYTES = 3, 8
"""Bytes of a whole number of steps; those that are zero in all of them take hardly any space."""

_FORMS = (POSITION_STEP, POSITION_BYTES), (ROTATION_STEP, ROTATION_BYTES), (POSITION_STEP, POSITION_BYTES)
"""Of root positions, rotations and translations."""

LEVEL = 1
"""Effort of compression: more takes twice as long and saves 3 %."""


@dataclass(frozen=True)
class StoredClip:
    """The parts of a clip.

    Attributes
    ----------
    skeleton, header
        JSON texts.
    poses
        Root positions (T, 3), rotations (T, J, 4) and, where bones move, translations (T, J, 3), packed; the
        header of a clip of version 1 does not say so.
    """

    skeleton: str
    header: str
    poses: npt.NDArray[np.uint8]

    @property
    def skeleton_hash(self) -> str:
        """A hash of the skeleton."""
        return sha256(self.skeleton.encode()).hexdigest()


def store_clip(clip: Clip) -> StoredClip:
    """Take a clip apart.

    >>> from motionloom.synthesis import walk
    >>> stored = store_clip(walk(duration=1.0, fps=30).clip)
    >>> restore_clip(stored, Path("takes.library")).n_frames
    31
    """
    header, arrays = pack_clip(clip, Path("library"))
    skeleton: dict[str, Any] = {key: header.pop(key) for key in _SKELETON_FIELDS}
    skeleton |= {key: arrays[key].tolist() for key in _SKELETON_ARRAYS if key in arrays}
    header["n_frames"], header["bones_move"] = clip.n_frames, clip.translations is not None
    positions = [clip.root_positions, *([] if clip.translations is None else [clip.translations])]
    header["packed"] = all(np.abs(part).max(initial=0.0) <= MAX_POSITION for part in positions)
    parts = [positions[0], clip.rotations, *positions[1:]]
    poses = _pack(parts) if header["packed"] else _write_plain(parts)
    return StoredClip(json.dumps(skeleton), json.dumps(header), poses)


def convert_clip(stored: StoredClip, folder: Path) -> StoredClip:
    """Return a clip as it is stored now; one of an old library becomes smaller."""
    try:
        header = json.loads(stored.header)
        if header.get("packed") is not None:
            return stored
        n_joints = len(json.loads(stored.skeleton)["names"])
        parts = _read_parts(header, stored.poses, n_joints)
        header["packed"] = all(np.abs(parts[n]).max(initial=0.0) <= MAX_POSITION for n in parts)
        poses = _pack(list(parts.values())) if header["packed"] else stored.poses
        return StoredClip(stored.skeleton, json.dumps(header), poses)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError, AttributeError) as error:
        raise DamagedLibraryError(folder, f"a take cannot be put together ({error})") from None


def restore_clip(stored: StoredClip, folder: Path) -> Clip:
    """Put a clip together again; ``folder`` is the library that is named where it is damaged."""
    try:
        skeleton, header = json.loads(stored.skeleton), json.loads(stored.header)
        arrays = {key: np.array(skeleton.pop(key)) for key in _SKELETON_ARRAYS if key in skeleton}
        arrays |= _read_parts(header, stored.poses, len(skeleton["names"]))
        clip = unpack_clip(JsonFields(folder, header | skeleton), arrays)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError, MotionloomError) as error:
        raise DamagedLibraryError(folder, f"a take cannot be put together ({error})") from None
    if not isinstance(clip, Clip):
        raise DamagedLibraryError(folder, "a take has no skeleton")
    return clip


def _read_parts(
    header: dict[str, Any], poses: npt.NDArray[np.uint8], n_joints: int
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays that poses hold."""
    n_frames, is_packed = int(header["n_frames"]), bool(header.get("packed"))
    shapes = {"root_positions": (n_frames, 3), "rotations": (n_frames, n_joints, 4)}
    if header["bones_move"]:
        shapes["translations"] = (n_frames, n_joints, 3)
    if is_packed:
        arrays = dict(zip(shapes, _unpack(poses, list(shapes.values())), strict=True))
    else:
        arrays = _read_plain(poses, shapes)
    # Steps leave lengths of 1 within 4e-6, single precision within 1e-7.
    arrays["rotations"] /= np.linalg.norm(arrays["rotations"], axis=-1, keepdims=True)
    return arrays


def _write_plain(parts: Sequence[FloatArray]) -> npt.NDArray[np.uint8]:
    """Return root positions as doubles and all else as singles, as version 1 does."""
    numbers = [parts[0], *(part.astype(np.float32) for part in parts[1:])]
    return np.concatenate([np.ascontiguousarray(part).view(np.uint8).ravel() for part in numbers])


def _read_plain(
    poses: npt.NDArray[np.uint8], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, npt.NDArray[Any]]:
    arrays, at = {}, 0
    for name, shape in shapes.items():
        dtype = np.float64 if name == "root_positions" else np.float32
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        arrays[name] = poses[at : at + size].view(dtype).reshape(shape).astype(np.float64)
        at += size
    return arrays


def _pack(parts: Sequence[FloatArray]) -> npt.NDArray[np.uint8]:
    """Return the bytes of root positions, rotations and perhaps translations, the second of which turn.

    >>> _unpack(_pack([np.full((2, 3), 0.5), np.ones((2, 1, 4))]), [(2, 3), (2, 1, 4)])[0][1].tolist()
    [0.5, 0.5, 0.5]
    """
    planes = [_split_bytes(part, *form) for part, form in zip(parts, _FORMS, strict=False)]
    return np.frombuffer(zlib.compress(b"".join(planes), LEVEL), np.uint8)


def _unpack(poses: npt.NDArray[np.uint8], shapes: Sequence[tuple[int, ...]]) -> list[FloatArray]:
    """Return the arrays that were packed."""
    sizes = [n_bytes * int(np.prod(shape)) for shape, (_, n_bytes) in zip(shapes, _FORMS, strict=False)]
    # What is longer than it should be is not what was packed.
    decompressor = zlib.decompressobj()
    try:
        content = decompressor.decompress(poses.tobytes(), sum(sizes) + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(content) != sum(sizes):
        raise ValueError("its poses do not fit its length")
    arrays, at = [], 0
    for shape, size, form in zip(shapes, sizes, _FORMS, strict=False):
        arrays.append(_join_bytes(content[at : at + size], shape, *form))
        at += size
    return arrays


def _split_bytes(values: FloatArray, step: float, n_bytes: int) -> bytes:
    """Return the second differences of values (T, …) in steps, channel by channel, sorted by significance.

    Signs are folded into the last bit, so that small numbers of both signs begin with zeros.
    """
    whole = np.rint(values.reshape(len(values), -1).T / step).astype(np.int64)
    for _ in range(2):
        whole = np.diff(whole, axis=1, prepend=0)
    folded = (whole << 1) ^ (whole >> 63)
    return b"".join((folded >> 8 * plane).astype(np.uint8).tobytes() for plane in range(n_bytes))


def _join_bytes(content: bytes, shape: tuple[int, ...], step: float, n_bytes: int) -> FloatArray:
    planes = np.frombuffer(content, np.uint8).reshape(n_bytes, -1, shape[0])
    folded = planes[0].astype(np.uint64)
    for n in range(1, n_bytes):
        if planes[n].any():
            folded |= planes[n].astype(np.uint64) << np.uint64(8 * n)
    whole = (folded >> np.uint64(1)).view(np.int64) ^ -(folded & np.uint64(1)).view(np.int64)
    for _ in range(2):
        np.cumsum(whole, axis=1, out=whole)
    return np.asarray(whole.T.reshape(shape) * step)
