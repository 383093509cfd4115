"""`load`: one call that reads everything that `save` writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from os import PathLike
from typing import TypeVar, overload

from motionloom.errors import FileFormatError, NoSkeletonError, ParameterError
from motionloom.files.formats import points_only
from motionloom.files.load_save import load_clip, load_points
from motionloom.json_files import check_plain_file
from motionloom.motion import Clip, PointClip
from motionloom.motion.provenance import RootOffset, UpAxis
from motionloom.motion.result import ClipLike
from motionloom.validation import check_path

Expected = TypeVar("Expected")

READERS = {
    "motionloom registration": ("motionloom.files.load_save", "load_registration"),
    "motionloom space": ("motionloom.files.load_save", "load_space"),
    "motionloom graph": ("motionloom.graphs.graph_file", "load_graph"),
}
"""What a file of ours may hold besides a clip, and the module and the function that read it: what is made of
clips lies above this folder, or takes a while to import."""

Options = dict[str, object]


SWITCHES = ("keep_rest_rows", "all_rows")
"""Options that are given when they are set; others are given when they are not None."""


@overload
def load(
    path: str | PathLike[str],
    expected: type[Clip] = ...,
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
    cyclic: bool | None = None,
    max_memory: int | None = None,
) -> Clip: ...
@overload
def load(
    path: str | PathLike[str],
    expected: type[PointClip],
    *,
    fps: float | None = None,
    unit: str | float | None = None,
    up: UpAxis | None = None,
    forces: str | PathLike[str] | None = None,
    max_memory: int | None = None,
) -> PointClip: ...
@overload
def load(
    path: str | PathLike[str], expected: type[Expected], *, clips: Sequence[ClipLike] | None = None
) -> Expected: ...
def load(
    path: str | PathLike[str],
    expected: type[object] | None = None,
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
    cyclic: bool | None = None,
    forces: str | PathLike[str] | None = None,
    clips: Sequence[ClipLike] | None = None,
    max_memory: int | None = None,
) -> object:
    """Read a file: motion in metres, Y up, or a curve, space or graph that was saved.

    Unit, vertical axis, root convention, added rest-pose rows, loops and a suspicious frame rate are
    detected; ``clip.source.notes`` says what was found, repaired or dropped. Arguments override what is
    detected. Faults of capture are looked for when the notes are read.

    Parameters
    ----------
    path
        Motion: a ``.bvh``, ``.amc`` (its ``.asf`` beside it), ``.npz`` (ours or AMASS), ``.glb``, ``.gltf``,
        ``.usd`` (``.usda``, ``.usdc``), ``.fbx`` or ``.csv`` file, or one of a format that another package
        adds. Points without a skeleton: a ``.c3d``, ``.trc``, ``.csv`` or ``.npz`` file. A registration
        curve, a motion space or a motion graph: an ``.npz`` file.
    expected
        What the file is to hold: ``ml.Clip``, ``ml.PointClip``, ``ml.RegistrationCurve``, ``ml.MotionSpace``
        or ``ml.MotionGraph``. Anything else in it is then refused, and editors and type checkers know what
        comes back; without it they take it for a clip.
    fps
        Frames per second, in place of what the file states; glTF, whose keys have times, is resampled.
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
    cyclic
        Whether the clip is a loop, whose last frame continues into its first; a last frame that repeats the
        first is then dropped. By default detected, except in our own ``.npz`` files, which state it.
    forces
        TRC: a table of ground forces (``.mot``, ``.sto``) that belongs to the file; by default one beside it
        with its name, or with "_grf" or "_forces" after it.
    clips
        The clips that a curve, space or graph was made of, in order, where the file does not hold them and
        they are not found where they were.
    max_memory
        Bytes that reading may take, by default 20 times the file's size and 50 MB: a small file can stand
        for gigabytes, and is then refused before they are allocated.

    Returns
    -------
    Clip, PointClip, RegistrationCurve, MotionSpace or MotionGraph
        What the file holds.

    Raises
    ------
    FileFormatError
        The file cannot be read, or holds something else; the message says where and what.
    ParameterError
        An option does not apply to what the file holds.

    >>> import motionloom as ml
    >>> clip = ml.load("walk.bvh")                              # doctest: +SKIP
    >>> clip.n_frames, round(clip.fps)                          # doctest: +SKIP
    (471, 120)
    >>> curve = ml.load("gaits.npz", ml.RegistrationCurve)      # doctest: +SKIP
    """
    from motionloom.files.native.archive import peek_kind

    place = check_path(path)
    check_plain_file(place)
    of_clips: Options = {
        "root_offset": root_offset,
        "keep_rest_rows": keep_rest_rows,
        "all_rows": all_rows,
        "root": root,
        "skeleton": skeleton,
        "animation": animation,
        "cyclic": cyclic,
    }
    of_motion: Options = {"fps": fps, "unit": unit, "up": up, "max_memory": max_memory}
    reader = READERS.get((peek_kind(place) or "") if place.suffix.lower() == ".npz" else "")
    if reader is not None:
        _refuse("a file of clips that were put together", {**of_clips, **of_motion, "forces": forces})
        read: Callable[..., object] = getattr(import_module(reader[0]), reader[1])
        return _check(place, read(place, clips), expected)
    if expected is not PointClip and not points_only(place.suffix.lower()):
        try:
            clip = load_clip(place, **of_clips, **of_motion)  # type: ignore[arg-type]
        except NoSkeletonError as error:
            if expected is Clip:
                # What it says to do is what was done.
                remedy = (*error.cause.remedy, " as a PointClip")
                raise NoSkeletonError(place, error.cause.problem, error.line, remedy=remedy) from None
        else:
            _refuse("a clip with a skeleton", {"forces": forces, "clips": clips})
            return _check(place, clip, expected)
    _refuse("a file of points", of_clips)
    points = load_points(place, forces=forces, **of_motion)  # type: ignore[arg-type]
    _refuse("a file of points", {"clips": clips})  # a file that cannot be read says so first
    return _check(place, points, expected)


def _refuse(what: str, options: Options) -> None:
    """Refuse options that somebody gave and that do not apply."""
    for name, value in options.items():
        if value if name in SWITCHES else value is not None:
            raise ParameterError(
                f"does not apply to {what}", parameter=name, value=value, remedy="leave it out"
            )


def _check(path: object, found: object, expected: type[object] | None) -> object:
    """Return what was found in a file, which must be what is expected."""
    if expected is not None and not isinstance(found, expected):
        raise FileFormatError(
            str(path),
            f"holds a {type(found).__name__}, not a {expected.__name__}",
            remedy=_expect(type(found)),
        )
    return found


def _expect(held: type[object]) -> str:
    """Return what to do about a file that holds something else than is expected."""
    return f"expect a {held.__name__}, or choose another file"
