"""`load` and `save`: one call for every file format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.acclaim import read_acclaim, write_acclaim
from motionloom.files.bvh import read_bvh, write_bvh
from motionloom.files.native import read_native, write_native
from motionloom.files.registrations import read_registration, write_registration
from motionloom.files.standard import ReadingChoices, from_standard, to_standard
from motionloom.motion import Clip, PointClip
from motionloom.motion.source import RootOffset, UpAxis
from motionloom.motion.timing import frame_time_of
from motionloom.registration import RegistrationCurve

READABLE = (".bvh", ".amc", ".npz")
WRITABLE = (".bvh", ".amc", ".npz")

DEFAULT_UNIT = "cm"
"""Unit of text files written from motion that did not come from a file; most exporters use it."""

# Which arguments say something about files of each kind.
_READING: dict[str, tuple[str, ...]] = {
    ".bvh": ("unit", "up", "root_offset", "keep_rest_rows", "all_rows", "root"),
    ".amc": ("unit", "up", "keep_rest_rows", "skeleton"),
    ".npz": (),
}
_WRITING: dict[str, tuple[str, ...]] = {".bvh": ("unit", "up"), ".amc": ("unit", "up"), ".npz": ()}


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
    >>> clip.n_frames, round(clip.fps)          # doctest: +SKIP
    (471, 120)
    """
    path = _checked_path(path)
    suffix = _known(path, READABLE, "read")
    given: dict[str, object] = {
        "unit": unit,
        "up": up,
        "root_offset": root_offset,
        "keep_rest_rows": keep_rest_rows or None,
        "all_rows": all_rows or None,
        "root": root,
        "skeleton": skeleton,
    }
    _check_applies(suffix, given, _READING)
    choices = ReadingChoices(unit=unit, up=up, root_offset=root_offset, keep_rest_rows=keep_rest_rows)
    frame_time = None if fps is None else frame_time_of(fps)
    if suffix == ".npz":
        clip = read_native(path)
        if not isinstance(clip, Clip):
            raise FileFormatError(
                path, "holds points without a skeleton: read it with motionloom.load_points"
            )
        clip = replace(clip, source=replace(clip.source, path=str(path)))
        return clip if frame_time is None else replace(clip, frame_time=frame_time)
    if suffix == ".amc":
        written = read_acclaim(path, None if skeleton is None else Path(skeleton), frame_time)
    else:
        written = read_bvh(path, frame_time=frame_time, root=root, all_rows=all_rows)
    return to_standard(written, choices)


def load_points(path: str | PathLike[str]) -> PointClip:
    """Read a clip of points without a skeleton from a ``.npz`` file.

    >>> import motionloom as ml
    >>> markers = ml.load_points("markers.npz")     # doctest: +SKIP
    """
    path = _checked_path(path)
    _known(path, (".npz",), "read as points")
    clip = read_native(path)
    if not isinstance(clip, PointClip):
        raise FileFormatError(path, "holds a clip with a skeleton: read it with motionloom.load")
    return clip


def load_registration(path: str | PathLike[str], clips: Sequence[Clip] | None = None) -> RegistrationCurve:
    """Read a saved registration curve.

    Fails where a clip is missing or is not as it was registered.

    Parameters
    ----------
    path
        The ``.npz`` file.
    clips
        The registered clips, in order; by default they are read from the files that the curve refers to.

    >>> import motionloom as ml
    >>> curve = ml.load_registration("walks.npz")       # doctest: +SKIP
    """
    path = _checked_path(path)
    _known(path, (".npz",), "read as a registration")
    return read_registration(path, clips, load)


def save(
    clip: Clip | PointClip | RegistrationCurve,
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
        The clip; one of points without a skeleton goes into ``.npz`` only, and so does a registration curve.
    path
        A ``.bvh``, ``.amc`` (writes the ``.asf`` beside it) or ``.npz`` file.
    unit, up
        Length unit and vertical axis of the file; ``.npz`` files are always in metres and Y up.
    overwrite
        Whether an existing file may be replaced.

    >>> import motionloom as ml
    >>> ml.save(clip, "walk.npz")               # doctest: +SKIP
    PosixPath('walk.npz')
    """
    path = _checked_path(path)
    ReadingChoices(unit=unit, up=up)
    suffix = _known(path, WRITABLE, "written")
    _check_applies(suffix, {"unit": unit, "up": up}, _WRITING)
    if isinstance(clip, RegistrationCurve):
        _known(path, (".npz",), "written with a registration")
        write_registration(clip, path, overwrite=overwrite)
        return path
    if suffix == ".npz":
        write_native(clip, path, overwrite=overwrite)
        return path
    if not isinstance(clip, Clip):
        raise ParameterError(f"{path}: points without a skeleton are written to .npz files only")
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


def _check_applies(suffix: str, given: dict[str, object], applying: dict[str, tuple[str, ...]]) -> None:
    """Refuse an argument that says nothing about files of this kind: it would be passed over in silence."""
    for name, value in given.items():
        if value is not None and name not in applying[suffix]:
            raise ParameterError(f"{name}= does not apply to {suffix} files")


def _checked_path(path: str | PathLike[str]) -> Path:
    try:
        checked = Path(path)
    except TypeError:
        raise ParameterError(f"a path must be a text or a Path, not {path!r}") from None
    if "\0" in str(checked):
        raise ParameterError(f"the path {str(checked)!r} holds a NUL character, which no file name can")
    return checked
