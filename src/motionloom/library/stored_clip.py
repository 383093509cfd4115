"""A clip as a library stores it: a skeleton that takes share, a header, and one run of bytes.

Rotations and moving bones are stored in single precision, a tenth of a micrometre at the end of a limb; the
path of the root in double precision.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.errors import MotionloomError
from motionloom.files.native.clips import pack_clip, unpack_clip
from motionloom.json_files import JsonFields
from motionloom.library.errors import DamagedLibraryError
from motionloom.motion import Clip

_SKELETON_ARRAYS = ("parents", "offsets", "rest_rotations", "source_axes")
_SKELETON_FIELDS = ("names", "tips")


@dataclass(frozen=True)
class StoredClip:
    """The parts of a clip.

    Attributes
    ----------
    skeleton, header
        JSON texts.
    poses
        Root positions (T, 3) as doubles, then rotations (T, J, 4) and, where bones move, translations
        (T, J, 3) as singles.
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
    parts = [clip.root_positions, clip.rotations.astype(np.float32)]
    if clip.translations is not None:
        parts.append(clip.translations.astype(np.float32))
    poses = np.concatenate([np.ascontiguousarray(part).view(np.uint8).ravel() for part in parts])
    return StoredClip(json.dumps(skeleton), json.dumps(header), poses)


def restore_clip(stored: StoredClip, folder: Path) -> Clip:
    """Put a clip together again; ``folder`` is the library that is named where it is damaged."""
    try:
        skeleton, header = json.loads(stored.skeleton), json.loads(stored.header)
        arrays = {key: np.array(skeleton.pop(key)) for key in _SKELETON_ARRAYS if key in skeleton}
        n_frames, n_joints = int(header["n_frames"]), len(skeleton["names"])
        arrays |= _split_poses(stored.poses, n_frames, n_joints, bool(header["bones_move"]))
        clip = unpack_clip(JsonFields(folder, header | skeleton), arrays)
    except (KeyError, TypeError, ValueError, RecursionError, MotionloomError) as error:
        raise DamagedLibraryError(folder, f"a take cannot be put together ({error})") from None
    if not isinstance(clip, Clip):
        raise DamagedLibraryError(folder, "a take has no skeleton")
    return clip


def _split_poses(
    poses: npt.NDArray[np.uint8], n_frames: int, n_joints: int, bones_move: bool
) -> dict[str, npt.NDArray[Any]]:
    shapes = [
        ("root_positions", np.float64, (n_frames, 3)),
        ("rotations", np.float32, (n_frames, n_joints, 4)),
    ]
    if bones_move:
        shapes.append(("translations", np.float32, (n_frames, n_joints, 3)))
    arrays, at = {}, 0
    for name, dtype, shape in shapes:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        arrays[name] = poses[at : at + size].view(dtype).reshape(shape).astype(np.float64)
        at += size
    # Single precision leaves lengths of 1 within 1e-7.
    arrays["rotations"] /= np.linalg.norm(arrays["rotations"], axis=-1, keepdims=True)
    return arrays
