"""`load` and `save`: one call for every file format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.acclaim import read_acclaim, write_acclaim
from motionloom.files.body_models import is_amass, read_amass, write_amass
from motionloom.files.bvh import read_bvh, write_bvh
from motionloom.files.csv_tables import (
    read_rotations,
    read_skeleton,
    write_positions,
    write_rotations,
)
from motionloom.files.endings import (
    AMASS,
    GLTF,
    POINTS,
    READABLE,
    READING,
    USD,
    WRITABLE,
    WRITING,
    Layout,
    check_applies,
    check_layout,
    checked_path,
    known_ending,
)
from motionloom.files.fbx import read_fbx, write_fbx
from motionloom.files.gltf import read_gltf, write_gltf, write_into_template
from motionloom.files.native import read_native, write_native
from motionloom.files.points import save_points
from motionloom.files.registrations import read_registration, write_registration
from motionloom.files.standard import ReadingChoices, from_standard, to_standard
from motionloom.files.usd import read_usd, write_usd
from motionloom.motion import Clip, PointClip, Skeleton
from motionloom.motion.anatomy import body_height
from motionloom.motion.sampling import frame_time_of
from motionloom.motion.source import RootOffset, UpAxis
from motionloom.registration import RegistrationCurve

DEFAULT_UNIT, UNIT_WITHOUT_BODY = "cm", "m"
"""Unit of text files written from motion whose source has none of its own; most exporters use centimetres.
Where no body tells readers the unit, they take metres, and so the file is in metres."""

_UNITLESS_SOURCES = ("", "glb", "amass", "csv")
"""Formats that are always in metres, and no file at all."""

_STATE_THEIR_AXES = (*USD, ".fbx", *GLTF, ".csv", AMASS)
_WITHOUT_ADDED_ROWS = (*GLTF, ".csv", AMASS)
_METRIC: dict[str, Callable[..., None]] = {".fbx": write_fbx, ".csv": write_rotations, ".npz": write_amass}


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
    animation: str | int | None = None,
) -> Clip:
    """Read a motion file into a clip in metres, Y up.

    Unit, vertical axis, root convention, added rest-pose rows and a suspicious frame rate are detected;
    ``clip.source.notes`` says what was found, repaired or left out. Arguments override what is detected.

    Parameters
    ----------
    path
        A ``.bvh``, ``.amc`` (its ``.asf`` beside it), ``.npz`` (ours or AMASS), ``.glb``, ``.gltf``, ``.usd``
        (``.usda``, ``.usdc``), ``.fbx`` or ``.csv`` file.
    fps
        Frames per second, in place of what the file states; glTF, whose keys have times, is sampled so.
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
        BVH, glTF: which root to read when the file holds several.
    skeleton
        AMC: the ``.asf`` file to use. CSV: a file whose skeleton to use.
    animation
        glTF, USD, FBX: name or number (from 0) of the animation to read when the file holds several.

    >>> import motionloom as ml
    >>> clip = ml.load("walk.bvh")              # doctest: +SKIP
    >>> clip.n_frames, round(clip.fps)          # doctest: +SKIP
    (471, 120)
    """
    path = checked_path(path)
    kind = _kind(path)
    given: dict[str, object] = {
        "unit": unit,
        "up": up,
        "root_offset": root_offset,
        "keep_rest_rows": keep_rest_rows or None,
        "all_rows": all_rows or None,
        "root": root,
        "skeleton": skeleton,
        "animation": animation,
    }
    check_applies(kind, given, READING)
    choices = ReadingChoices(unit=unit, up=up, root_offset=root_offset, keep_rest_rows=keep_rest_rows)
    frame_time = None if fps is None else frame_time_of(fps)
    if kind == ".npz":
        return _load_native(path, frame_time)
    if kind == ".bvh":
        written = read_bvh(path, frame_time=frame_time, root=root, all_rows=all_rows)
    elif kind == ".amc":
        written = read_acclaim(path, None if skeleton is None else Path(skeleton), frame_time)
    elif kind == ".csv":
        written = read_rotations(path, skeleton=_skeleton_of(skeleton), frame_time=frame_time)
    elif kind == AMASS:
        written = read_amass(path, frame_time=frame_time, up=up)
    elif kind in GLTF:
        written = read_gltf(path, frame_time=frame_time, animation=animation, root=root)
    else:
        read = read_usd if kind in USD else read_fbx
        written = read(path, frame_time=frame_time, animation=animation)
    return to_standard(written, _settled(choices, kind, written))


def _kind(path: Path) -> str:
    """The ending of a file to read; body-model motion has a kind of its own."""
    if path.suffix.lower() in POINTS:
        raise FileFormatError(path, "holds points without a skeleton: read it with motionloom.load_points")
    suffix = known_ending(path, READABLE, "read")
    return AMASS if suffix == ".npz" and is_amass(path) else suffix


def _settled(choices: ReadingChoices, kind: str, written: Clip) -> ReadingChoices:
    """The choices, without looking for what a format leaves no doubt about."""
    if kind in _STATE_THEIR_AXES:
        # Body models are turned by their reader, without their skeleton.
        up = None if kind == AMASS else choices.up
        choices = replace(choices, up=up or written.source.up)
    if kind in _WITHOUT_ADDED_ROWS:
        choices = replace(choices, keep_rest_rows=True)
    return choices


def _load_native(path: Path, frame_time: float | None) -> Clip:
    clip = read_native(path)
    if not isinstance(clip, Clip):
        raise FileFormatError(path, "holds points without a skeleton: read it with motionloom.load_points")
    clip = replace(clip, source=replace(clip.source, path=str(path)))
    return clip if frame_time is None else replace(clip, frame_time=frame_time)


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
    path = checked_path(path)
    known_ending(path, (".npz",), "read as a registration")
    return read_registration(path, clips, load)


def save(
    clip: Clip | PointClip | RegistrationCurve,
    path: str | PathLike[str],
    *,
    unit: str | float | None = None,
    up: UpAxis | None = None,
    template: str | PathLike[str] | None = None,
    animation: str | None = None,
    layout: Layout | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a clip to a file; an existing file is replaced only on request, and then whole or not at all.

    Unit, axes, channel order and frame time are those of the clip's source unless given here. Constraints and
    events are kept by ``.npz``, glTF and USD only.

    Parameters
    ----------
    clip
        The clip; one of points without a skeleton goes into ``.c3d``, ``.trc``, ``.csv`` and ``.npz``, a
        registration curve into ``.npz`` only.
    path
        A ``.bvh``, ``.amc`` (writes the ``.asf`` beside it), ``.npz``, ``.glb``, ``.gltf``, ``.usd``
        (``.usda``, ``.usdc``), ``.fbx``, ``.csv``, ``.c3d`` or ``.trc`` file.
    unit, up
        Length unit and vertical axis of the file; ``.npz``, glTF, ``.csv`` and ``.fbx`` files decide them
        themselves.
    template
        glTF: a file with a character whose mesh, skin and materials to keep; its joints are named as the
        clip's.
    animation
        glTF: the animation's name; by default that of the clip's own file, else of this one.
    layout
        ``.npz``: "amass" for body-model motion. ``.csv``: "rotations", or "positions" of the joints in the
        world.
    overwrite
        Whether an existing file may be replaced; the template itself may, unless it has such an animation.

    >>> import motionloom as ml
    >>> ml.save(clip, "walk.npz")               # doctest: +SKIP
    PosixPath('walk.npz')
    """
    path = checked_path(path)
    ReadingChoices(unit=unit, up=up)
    suffix = known_ending(path, (*WRITABLE, *POINTS), "written")
    given = {"unit": unit, "up": up, "template": template, "animation": animation, "layout": layout}
    check_applies(suffix, given, WRITING)
    check_layout(suffix, layout)
    if layout in ("amass", "rotations") and not isinstance(clip, Clip):
        raise ParameterError(f"{path}: layout={layout!r} is for clips with a skeleton")
    if isinstance(clip, RegistrationCurve):
        known_ending(path, (".npz",), "written with a registration")
        write_registration(clip, path, overwrite=overwrite)
    elif suffix == ".npz" and layout is None:
        write_native(clip, path, overwrite=overwrite)
    elif suffix == ".csv" and (layout == "positions" or (layout is None and isinstance(clip, PointClip))):
        write_positions(clip, path, overwrite=overwrite)
    elif suffix in POINTS or not isinstance(clip, Clip):
        save_points(clip, path, suffix, unit, up, overwrite)
    elif template is not None:
        write_into_template(clip, path, template, animation=animation, overwrite=overwrite)
    elif suffix in GLTF:
        write_gltf(clip, path, animation=animation, overwrite=overwrite)
    elif suffix in _METRIC:
        _METRIC[suffix](clip, path, overwrite=overwrite)
    else:
        _save_in_unit(clip, path, suffix, unit, up, overwrite)
    return path


def _save_in_unit(
    clip: Clip, path: Path, suffix: str, unit: str | float | None, up: UpAxis | None, overwrite: bool
) -> None:
    """Write a format that has units and axes of its own: those of the clip's source unless given."""
    if unit is None and clip.source.format in _UNITLESS_SOURCES:
        unit = DEFAULT_UNIT if body_height(clip.skeleton) else UNIT_WITHOUT_BODY
    write: Callable[..., None] = write_acclaim if suffix == ".amc" else write_bvh
    if suffix in USD:
        write, up = write_usd, up or ("y" if clip.source.up == "x" else None)
    write(from_standard(clip, unit, up), path, overwrite=overwrite)


def _skeleton_of(path: str | PathLike[str] | None) -> Skeleton | None:
    """The skeleton of a table of joints or of any motion file."""
    if path is None:
        return None
    return read_skeleton(Path(path)) if Path(path).suffix.lower() == ".csv" else load(path).skeleton
