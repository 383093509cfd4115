"""`load` and `save`: one call for every file format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path

from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.acclaim import read_acclaim, write_acclaim
from motionloom.files.bvh import read_bvh, write_bvh
from motionloom.files.native import read_native, write_native
from motionloom.files.standard import ReadingChoices, from_standard, to_standard
from motionloom.motion import Clip
from motionloom.motion.source import RootOffset, UpAxis
from motionloom.motion.timing import checked_frame_time

READABLE = (".bvh", ".amc", ".npz")
WRITABLE = (".bvh", ".amc", ".npz")

DEFAULT_UNIT = "cm"
"""Unit of text files written from motion that did not come from a file; most exporters use it."""


def load(
    path: str | PathLike[str],
    *,
    fps: float | None = None,
    unit: str | float | None = None,
    up: UpAxis | None = None,
    root_offset: RootOffset | None = None,
    keep_rest_rows: bool = False,
    all_rows: bool = False,
    root: str | None = None,
    skeleton: str | PathLike[str] | None = None,
) -> Clip:
    """Read a motion file into a clip in metres, Y up.

    Unit, vertical axis, root convention, added rest-pose rows and a suspicious frame rate are detected;
    ``clip.source.notes`` says what was found, repaired or left out. Arguments override what is detected.

    Parameters
    ----------
    path
        A ``.bvh``, ``.amc`` (its ``.asf`` beside it) or ``.npz`` file.
    fps
        Frames per second, in place of what the file states.
    unit
        Length unit by name ("m", "dm", "cm", "mm", "inch", "cmu") or size in metres.
    up
        The file's vertical axis, "x", "y" or "z".
    root_offset
        BVH: whether root positions replace the root's OFFSET ("absolute") or add to it ("relative").
    keep_rest_rows
        Keep rest-pose rows that a converter put before the motion.
    all_rows
        BVH: read rows beyond the number that the file announces.
    root
        BVH: which ROOT to read when the file holds several.
    skeleton
        AMC: the ``.asf`` file to use.

    >>> import motionloom as ml
    >>> clip = ml.load("walk.bvh")              # doctest: +SKIP
    >>> clip.n_frames, clip.fps                 # doctest: +SKIP
    (471, 120.0)
    """
    path = Path(path)
    choices = ReadingChoices(unit=unit, up=up, root_offset=root_offset, keep_rest_rows=keep_rest_rows)
    frame_time = None if fps is None else _frame_time(fps)
    suffix = _known(path, READABLE, "read")
    if suffix == ".npz":
        clip = read_native(path)
        if not isinstance(clip, Clip):
            raise FileFormatError(
                path, "holds points without a skeleton: read it with motionloom.load_points"
            )
        return clip if frame_time is None else replace(clip, frame_time=frame_time)
    if suffix == ".amc":
        written = read_acclaim(path, None if skeleton is None else Path(skeleton), fps)
    else:
        written = read_bvh(path, frame_time=frame_time, root=root, all_rows=all_rows)
    return to_standard(written, choices)


def save(
    clip: Clip,
    path: str | PathLike[str],
    *,
    unit: str | float | None = None,
    up: UpAxis | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a clip to a file; an existing file is replaced only on request, and then whole or not at all.

    Unit, axes, channel order and frame time are those of the clip's source unless given here. Constraints and
    events are kept by ``.npz`` only.

    Parameters
    ----------
    clip
        The clip.
    path
        A ``.bvh``, ``.amc`` (writes the ``.asf`` beside it) or ``.npz`` file.
    unit, up
        Length unit and vertical axis of the file.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> ml.save(clip, "walk.npz")               # doctest: +SKIP
    PosixPath('walk.npz')
    """
    path = Path(path)
    ReadingChoices(unit=unit, up=up)
    suffix = _known(path, WRITABLE, "written")
    if suffix == ".npz":
        write_native(clip, path, overwrite=overwrite)
        return path
    if unit is None and not clip.source.format:
        unit = DEFAULT_UNIT
    write: Callable[..., None] = write_acclaim if suffix == ".amc" else write_bvh
    write(from_standard(clip, unit, up), path, overwrite=overwrite)
    return path


def _known(path: Path, suffixes: tuple[str, ...], verb: str) -> str:
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        shown = f"files ending in {suffix!r}" if suffix else "files without an ending"
        raise ParameterError(f"{path}: {shown} cannot be {verb}: known are {', '.join(suffixes)}")
    return suffix


def _frame_time(fps: float) -> float:
    if not 0 < fps < float("inf"):
        raise ParameterError(f"fps must be a positive number, not {fps}")
    return checked_frame_time(1.0 / fps)
