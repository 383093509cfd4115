"""`load_clip` and `save`: one call for every file format."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from motionloom.errors import FileFormatError, NoSkeletonError, ParameterError, TemplateWarning
from motionloom.files.formats import (
    Format,
    check_options,
    find_formats,
    point_suffixes,
    points_only,
    recognize_format,
)
from motionloom.files.notes import Note
from motionloom.files.options import Layout, ReadOptions, WriteOptions, describe
from motionloom.files.template import explain_lost_mesh, use_mesh_of_template
from motionloom.files.units import UNITS
from motionloom.json_files import check_plain_file
from motionloom.messages import Argument, Operation
from motionloom.motion import Clip, PointClip
from motionloom.motion.loop_detection import close_loop, find_closed_loop
from motionloom.motion.provenance import RootOffset, UpAxis
from motionloom.motion.result import ClipLike, MotionLike, unwrap
from motionloom.motion.sampling import frame_time_of
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.validation import check_path

if TYPE_CHECKING:  # most files are clips, and registering takes a while to import
    from motionloom.quality.compare import Comparison
    from motionloom.registration import RegistrationCurve
    from motionloom.spaces.space import MotionSpace
    from motionloom.synthesis import SyntheticCharacter


@runtime_checkable
class SavesItself(Protocol):
    """Something made of clips that lies above this folder and knows how to write itself: a motion graph."""

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
        """Write it to a file."""
        ...


def load_clip(
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
    cyclic: bool | None = None,
    max_memory: int | None = None,
) -> Clip:
    """Read a motion file into a clip in metres, Y up: what :func:`motionloom.load` does with files of motion.

    Parameters
    ----------
    path
        A file of motion.
    fps, unit, up, root_offset, keep_rest_rows, all_rows, root, skeleton, animation, cyclic, max_memory
        As there.

    Returns
    -------
    Clip
        The motion; ``source`` says how it was read.

    Raises
    ------
    FileFormatError
        The file cannot be read; the message says where and why.
    NoSkeletonError
        The file holds points without a skeleton.

    >>> clip = load_clip("walk.bvh")            # doctest: +SKIP
    """
    path = check_path(path)
    check_plain_file(path)
    if points_only(path.suffix.lower()):
        raise NoSkeletonError(
            path,
            "holds points without a skeleton",
            remedy=("read it with ", Operation("motionloom.load")),
        )
    format = recognize_format(path)
    options = ReadOptions(
        frame_time=None if fps is None else frame_time_of(fps),
        unit=unit,
        up=up,
        root_offset=root_offset,
        keep_rest_rows=keep_rest_rows,
        all_rows=all_rows,
        root=root,
        skeleton=None if skeleton is None else check_path(skeleton),
        animation=animation,
        max_memory=max_memory,
    )
    check_options(format, path, options)
    assert format.read is not None
    return _close_loop(format.read(path, options), format, path, cyclic)


def load_points(
    path: str | PathLike[str],
    *,
    fps: float | None = None,
    unit: str | float | None = None,
    up: UpAxis | None = None,
    forces: str | PathLike[str] | None = None,
    max_memory: int | None = None,
) -> PointClip:
    """Read a clip of points without a skeleton, in metres and Y up; gaps are NaN.

    What :func:`motionloom.load` does with files of points. Force plates, analog channels and events of C3D
    files come with it, as ``clip.force_plates``, ``clip.analog`` and ``clip.events``.

    Parameters
    ----------
    path
        A ``.c3d``, ``.trc``, ``.csv`` or ``.npz`` file.
    fps, unit, up, forces, max_memory
        As there; ``.csv`` and ``.npz`` files are always in metres and Y up.

    Returns
    -------
    PointClip
        The points.

    Raises
    ------
    FileFormatError
        The file cannot be read; the message says where and why.

    >>> import motionloom as ml
    >>> markers = ml.load("gait.c3d", ml.PointClip)     # doctest: +SKIP
    """
    path = check_path(path)
    check_plain_file(path)
    format = find_formats(path, "read as points", lambda format: format.read_points is not None)[0]
    frame_time = None if fps is None else frame_time_of(fps)
    options = ReadOptions(
        frame_time=frame_time,
        unit=unit,
        up=up,
        forces=None if forces is None else check_path(forces),
        max_memory=max_memory,
    )
    check_options(format, path, options)
    assert format.read_points is not None
    return format.read_points(path, options)


def load_registration(
    path: str | PathLike[str], clips: Sequence[ClipLike] | None = None
) -> RegistrationCurve:
    """Read a saved registration curve.

    Fails where a clip is missing or differs from the one that was registered.

    Parameters
    ----------
    path
        The ``.npz`` file.
    clips
        The registered clips, in order; by default they are those in the file, or in the files it refers to.

    Returns
    -------
    RegistrationCurve
        The curve, with its clips.

    Raises
    ------
    FileFormatError
        The file is damaged, or a clip is missing or has changed.

    >>> import motionloom as ml
    >>> curve = ml.load("walks.npz", ml.RegistrationCurve)       # doctest: +SKIP
    """
    from motionloom.files.native.registrations import read_registration

    path = check_path(path)
    check_plain_file(path)
    find_formats(path, "read as a registration", lambda format: format.id == "npz")
    if clips is not None:
        found = [unwrap(clip) for clip in clips]
        for n, clip in enumerate(found):
            if not isinstance(clip, Clip | PointClip):
                raise ParameterError(
                    f"clips[{n}] must be a clip, not {describe(clip)}", remedy="load it first"
                )
    return read_registration(path, None if clips is None else found, load_clip)


def load_space(path: str | PathLike[str], clips: Sequence[ClipLike] | None = None) -> MotionSpace:
    """Read a saved motion space.

    Parameters
    ----------
    path
        The ``.npz`` file.
    clips
        The registered clips, in order; by default those in the file, or in the files it refers to.

    Returns
    -------
    MotionSpace
        The space, with its clips.

    Raises
    ------
    FileFormatError
        The file is damaged, or a clip is missing or has changed.

    >>> import motionloom as ml
    >>> kicks = ml.load("kicks.npz", ml.MotionSpace)              # doctest: +SKIP
    """
    from motionloom.files.native.spaces import read_space

    path = check_path(path)
    check_plain_file(path)
    find_formats(path, "read as a motion space", lambda format: format.id == "npz")
    return read_space(path, None if clips is None else [unwrap(clip) for clip in clips], load_clip)


def save(
    motion: MotionLike | RegistrationCurve | MotionSpace | Comparison | SyntheticCharacter | SavesItself,
    path: str | PathLike[str],
    *,
    unit: str | float | None = None,
    up: UpAxis | None = None,
    template: str | PathLike[str] | None = "source",
    animation: str | None = None,
    layout: Layout | None = None,
    mesh: SkinnedMesh | None = None,
    overwrite: bool = False,
) -> Path:
    """Write motion to a file and return its path; an existing file is replaced whole, and only on request.

    Unit, axes, channel order and frame time are those of the clip's source unless given here. Constraints and
    events are kept by ``.npz``, glTF and USD only.

    Parameters
    ----------
    motion
        A clip; points without a skeleton go into ``.c3d``, ``.trc``, ``.csv`` and ``.npz``, a registration
        curve, a motion space or a motion graph into ``.npz`` only, a comparison into ``.html`` only, and a
        character with all its motions (:func:`motionloom.synthesis.make_character`) into ``.glb`` and
        ``.gltf``.
    path
        A ``.bvh``, ``.amc`` (writes the ``.asf`` beside it), ``.npz``, ``.glb``, ``.gltf``, ``.usd``
        (``.usda``, ``.usdc``), ``.fbx``, ``.csv``, ``.c3d`` or ``.trc`` file, one of a format that another
        package adds, or an ``.html`` page to look at (:func:`motionloom.view` for several clips).
    unit, up
        Length unit and vertical axis of the file; ``.npz``, glTF, ``.csv`` and ``.fbx`` files prescribe them.
    template
        glTF, USD, FBX: a file with a character whose mesh, skin, materials and rest pose to keep; its joints
        have the names of the clip's. A glTF or FBX character may go into a file of another format, with its
        mesh, skin, colours and textures of colour. By default ("source") it is the file that the clip
        was read from, where that has a mesh and the clip still has its skeleton; where a mesh is lost, a
        :class:`~motionloom.errors.TemplateWarning` says why. None writes the skeleton alone.
    animation
        glTF: the animation's name; by default that of the clip's own file, else of this one.
    layout
        ``.npz``: "amass" for body-model motion. ``.csv``: "rotations", or world "positions" of the joints.
    mesh
        glTF, FBX, USD: a mesh on the clip's skeleton to write with it, such as
        :func:`motionloom.make_mannequin` gives, in place of a stick figure. Textures of a USD file lie beside
        it.
    overwrite
        Replace an existing file. A template may be extended without, unless it has such an animation.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    FileExistsRefusal
        The file exists, and ``overwrite`` is not set.
    ParameterError
        The format cannot hold this, or an option does not apply to it.

    >>> import motionloom as ml
    >>> ml.save(clip, "walk.npz")               # doctest: +SKIP
    PosixPath('walk.npz')
    """
    path = check_path(path)
    options = WriteOptions(
        unit=unit,
        up=up,
        template="source" if template == "source" else None if template is None else check_path(template),
        animation=animation,
        layout=layout,
        mesh=mesh,
        overwrite=overwrite,
    )
    given: object = unwrap(motion)
    formats = find_formats(path, "written", lambda format: bool(format.write or format.write_points))
    format = _choose_by_layout(formats, path.suffix.lower(), layout)
    check_options(format, path, options)
    if layout is not None and not (isinstance(given, Clip) or format.write_points):
        raise ParameterError(f"{path}: layout={layout!r} is for clips with a skeleton")
    if isinstance(given, Clip):
        if format.write is None:
            raise ParameterError(f"{path}: {format.name} files hold points, and the clip has a skeleton")
        arranged = given.arranged()
        lost = explain_lost_mesh(arranged, format, options)
        if lost is not None:
            warnings.warn(f"{path}: {lost}", TemplateWarning, stacklevel=2)
        arranged, options = use_mesh_of_template(arranged, format, options)
        format.write(arranged, path, options)
    elif isinstance(given, PointClip):
        if format.write_points is None:
            known = ", ".join(point_suffixes())
            raise ParameterError(f"{path}: points without a skeleton are written to {known} files only")
        format.write_points(given, path, options)
    else:
        _save_other(given, path, overwrite)
    return path


def _save_other(motion: object, path: Path, overwrite: bool) -> None:
    """Write a curve, a space or a comparison, whose modules hardly any call of `save` needs."""
    from motionloom.quality.compare import Comparison
    from motionloom.registration import RegistrationCurve
    from motionloom.spaces.space import MotionSpace
    from motionloom.synthesis import SyntheticCharacter

    if isinstance(motion, RegistrationCurve):
        from motionloom.files.native.registrations import write_registration

        find_formats(path, "written with a registration", lambda format: format.id == "npz")
        write_registration(motion, path, load_clip, overwrite=overwrite)
    elif isinstance(motion, MotionSpace):
        from motionloom.files.native.spaces import write_space

        find_formats(path, "written with a motion space", lambda format: format.id == "npz")
        write_space(motion, path, load_clip, overwrite=overwrite)
    elif isinstance(motion, Comparison):
        from motionloom.viewer import view

        find_formats(path, "written with a comparison", lambda format: format.id == "html")
        view(motion, path, overwrite=overwrite)
    elif isinstance(motion, SyntheticCharacter):
        from motionloom.files.gltf.write import write_animations

        find_formats(path, "written with a character", lambda format: format.id == "glb")
        write_animations(motion.clips, path, mesh=motion.mesh, unit=UNITS[motion.unit], overwrite=overwrite)
    elif isinstance(motion, SavesItself):
        motion.save(path, overwrite=overwrite)
    else:
        raise ParameterError(
            f"save takes a clip or a registration curve, then the path, not {describe(motion)}"
        )


def save_with_clips(
    curve: RegistrationCurve, path: Path, clip_paths: Sequence[Path], *, overwrite: bool = False
) -> None:
    """Write the clips of a curve to files, and the curve, which then refers to them.

    A curve saved by itself holds the clips that are in no file yet, because they were annotated, cut or
    closed; clips in files of their own can be used without it.

    Parameters
    ----------
    curve
        The registration of K clips.
    path
        The ``.npz`` file of the curve.
    clip_paths
        K files for the clips; ``.npz`` keeps all they have.
    overwrite
        Replace existing files.

    >>> save_with_clips(curve, Path("gaits.npz"), [Path("walk.npz"), Path("jog.npz")])    # doctest: +SKIP
    """
    stored = tuple(
        replace(clip, source=replace(clip.source, path=str(clip_path)))
        for clip, clip_path in zip(curve.clips, clip_paths, strict=True)
    )
    for clip, clip_path in zip(stored, clip_paths, strict=True):
        save(clip, clip_path, overwrite=overwrite)
    save(replace(curve, clips=stored), path, overwrite=overwrite)


def _close_loop(clip: Clip, format: Format, path: Path, cyclic: bool | None) -> Clip:
    """Return the clip as a loop where it is one or is said to be one, and note it."""
    if cyclic is not None:
        if not isinstance(cyclic, bool):
            raise ParameterError(
                f"must be True, False, or None to detect it, not {describe(cyclic)}",
                parameter="cyclic",
                value=cyclic,
            )
        if clip.cyclic == cyclic:
            return clip
        try:
            return close_loop(clip) if cyclic else replace(clip, cyclic=False)
        except ParameterError as error:
            raise FileFormatError(path, f"cannot be read as a loop: {error}") from error
    loop = None if clip.cyclic or format.id == "npz" else find_closed_loop(clip)
    if loop is None:
        return clip
    as_it_is = ("read it as it is with ", Argument("cyclic", False))
    note = Note("loop", str(loop), "the last frame continues into the first: a loop", remedy=as_it_is)
    return replace(close_loop(clip, loop), source=clip.source.noting(note))


def _choose_by_layout(formats: Sequence[Format], suffix: str, layout: Layout | None) -> Format:
    """Return the format to write among those that share a suffix."""
    known = [each for format in formats for each in format.layouts]
    if layout is None or not known:
        return formats[0]
    for format in formats:
        if layout in format.layouts:
            return format
    raise ParameterError(f"layout of {suffix} files must be {' or '.join(map(repr, known))}, not {layout!r}")
