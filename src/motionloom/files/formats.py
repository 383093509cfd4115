"""File formats: one descriptor each, which loading, saving, the command line, the studio and the docs read.

Every format has a folder below ``motionloom.files`` whose ``__init__.py`` declares a :class:`Format` and says
how it is read and written; the modules that do the work are imported when a file of that format is. Packages
from outside add formats through the entry point group ``motionloom.formats``: they are looked for when a
suffix is unknown, or when formats are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from motionloom.errors import MissingPackageError, MotionloomError, ParameterError
from motionloom.files.options import Layout, ReadOption, ReadOptions, WriteOption, WriteOptions
from motionloom.json_files import check_plain_file
from motionloom.messages import Operation
from motionloom.motion import Clip, PointClip
from motionloom.motion.provenance import UpAxis
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.plugins import load_plugins

GROUP = "motionloom.formats"
"""Entry-point group of formats; each entry is a :class:`Format`."""

Kept = Literal["bone_lengths", "stretch", "rest_rotations", "tips", "annotations", "source_units", "channels"]
"""What a format may keep of a clip besides its motion; "annotations" are constraints, events and cyclic."""

KeptOfPoints = Literal["events", "forces", "analog"]
"""What a format may keep of points besides their positions: events, force plates, analog channels."""

ReadClip = Callable[[Path, ReadOptions], Clip]
ReadPoints = Callable[[Path, ReadOptions], PointClip]
ReadCharacter = Callable[[Path, int | None], tuple[Clip, SkinnedMesh]]
WriteClip = Callable[[Clip, Path, WriteOptions], None]
WritePoints = Callable[[PointClip, Path, WriteOptions], None]
FindBeside = Callable[[Path], Iterable[Path]]


@dataclass(frozen=True)
class Requirement:
    """Something that a format needs beyond Motionloom.

    Attributes
    ----------
    module
        The Python module that is imported, by which one can tell that it is there.
    package
        What the thing is called.
    install
        The command that installs it.
    is_there
        Tells whether it is there, where that is not a matter of the module alone.
    """

    module: str
    package: str
    install: str
    is_there: Callable[[], bool] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Format:
    """A type of file: what it is called, how it is read and written, and what it keeps.

    Attributes
    ----------
    id
        Short name, as in ``clip.source.format``.
    name
        What people call it.
    suffixes
        Endings of file names in small letters, with the dot; the first is the usual one.
    media_types
        The media type for each suffix.
    read, read_points
        Read a clip, or points without a skeleton, in metres and Y up; None where files hold no such thing.
        :mod:`motionloom.files.normalize` converts from units and axes of a file.
    read_character
        Read a clip and the mesh that is skinned to its skeleton, with at most so many bytes of memory; None
        where no mesh is read.
    write, write_points
        Write a clip, or points without a skeleton, given in metres and Y up.
    read_options, write_options
        The options of `load` and `save` that apply; frames per second, memory and overwriting apply to
        all.
    layouts
        Values of the option ``layout`` that select this format among those of its suffix, or what it writes.
    recognize
        Tells by content whether a file is of this format, for suffixes that several formats share.
    keeps
        What it keeps of a clip besides its motion.
    keeps_of_points
        What it keeps of points without a skeleton besides their positions.
    prescribes_metres
        Whether its files are always in metres.
    prescribes_up
        The vertical axis of all its files, or None where they differ.
    several_animations
        Whether a file can hold several animations.
    companions
        Suffixes of files that belong beside it and hold no motion themselves, which the studio takes too.
    find_beside
        Returns the files that are read along with a file: its skeleton, its buffers, its layers.
    requires
        What must be installed to use it.

    >>> toy = Format(id="toy", name="Toy", suffixes=(".toy",), media_types=("text/plain",))
    >>> toy
    Format(toy: .toy)
    """

    id: str
    name: str
    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    read: ReadClip | None = None
    read_points: ReadPoints | None = None
    read_character: ReadCharacter | None = None
    write: WriteClip | None = None
    write_points: WritePoints | None = None
    read_options: tuple[ReadOption, ...] = ()
    write_options: tuple[WriteOption, ...] = ()
    layouts: tuple[Layout, ...] = ()
    recognize: Callable[[Path], bool] | None = None
    keeps: frozenset[Kept] = field(default_factory=frozenset)
    keeps_of_points: frozenset[KeptOfPoints] = field(default_factory=frozenset)
    prescribes_metres: bool = False
    prescribes_up: UpAxis | None = None
    several_animations: bool = False
    companions: tuple[str, ...] = ()
    find_beside: FindBeside | None = None
    requires: Requirement | None = None

    def __post_init__(self) -> None:
        if not self.suffixes or len(self.suffixes) != len(self.media_types):
            raise ParameterError(f"the format {self.id!r} needs suffixes, and a media type for each of them")
        for suffix in (*self.suffixes, *self.companions):
            if not suffix.startswith(".") or suffix != suffix.lower() or len(suffix) < 2:
                raise ParameterError(f"a suffix is like '.bvh', in small letters, not {suffix!r}")

    def __repr__(self) -> str:
        return f"Format({self.id}: {', '.join(self.suffixes)})"

    def media_type(self, suffix: str) -> str:
        """Return the media type of files with this suffix."""
        return self.media_types[self.suffixes.index(suffix)]

    def list_files(self, path: Path) -> tuple[Path, ...]:
        """Return a file and those that are read along with it, in order of their names.

        What cannot be read is left out: reading the file says what is wrong.

        >>> toy = Format(id="toy", name="Toy", suffixes=(".toy",), media_types=("text/plain",))
        >>> [file.name for file in toy.list_files(Path("walk.toy"))]
        ['walk.toy']
        """
        check_plain_file(path)
        beside: set[Path] = set()
        if self.find_beside is not None:
            with suppress(MotionloomError, OSError):
                beside.update(self.find_beside(path))
        return (path, *sorted(beside - {path}))

    def check_installed(self) -> None:
        """Fail with a sentence that says what to install where something is missing."""
        need = self.requires
        if need is None:
            return
        if not (find_spec(need.module) is not None if need.is_there is None else need.is_there()):
            raise MissingPackageError(need.package, f"reading and writing {self.name} files", need.install)


@cache
def own_formats() -> tuple[Format, ...]:
    """Return the formats that come with Motionloom."""
    from motionloom.files import acclaim, body_models, bvh, csv, fbx, gltf, html, native, points, usd

    return (
        bvh.FORMAT,
        acclaim.FORMAT,
        native.FORMAT,
        body_models.FORMAT,
        gltf.FORMAT,
        usd.FORMAT,
        fbx.FORMAT,
        csv.FORMAT,
        points.C3D,
        points.TRC,
        html.FORMAT,
    )


@cache
def plugin_formats() -> tuple[Format, ...]:
    """Return the formats that other packages add; one that cannot be loaded is reported and skipped."""
    return tuple(load_plugins(GROUP, check=_check_format).values())


def _check_format(found: object) -> Format:
    if not isinstance(found, Format):
        raise ParameterError(
            ("a format is a ", Operation("motionloom.files"), f".Format, not a {type(found).__name__}")
        )
    return found


def all_formats() -> tuple[Format, ...]:
    """Return all formats: those that come with Motionloom first, then those of other packages."""
    return own_formats() + plugin_formats()


def suffixes(condition: Callable[[Format], bool]) -> tuple[str, ...]:
    """Return the suffixes of all formats that meet a condition.

    >>> suffixes(lambda format: format.several_animations)
    ('.glb', '.gltf', '.usd', '.usda', '.usdc', '.fbx')
    """
    found = (suffix for format in all_formats() if condition(format) for suffix in format.suffixes)
    return tuple(dict.fromkeys(found))


def readable_suffixes() -> tuple[str, ...]:
    """Return the suffixes of files with motion of a skeleton that can be read.

    >>> readable_suffixes()[:3]
    ('.bvh', '.amc', '.npz')
    """
    return suffixes(lambda format: format.read is not None)


def output_suffixes() -> tuple[str, ...]:
    """Return the suffixes of all files that motion can be written to, with or without a skeleton."""
    return suffixes(lambda format: bool(format.write or format.write_points))


def point_suffixes() -> tuple[str, ...]:
    """Return the suffixes of files that can hold points without a skeleton.

    >>> point_suffixes()
    ('.npz', '.csv', '.c3d', '.trc')
    """
    return suffixes(lambda format: format.read_points is not None)


def points_only(suffix: str) -> bool:
    """Tell whether files with this suffix hold points and never a skeleton.

    >>> points_only(".c3d"), points_only(".csv")
    (True, False)
    """
    formats = formats_of(suffix)
    return any(format.read_points for format in formats) and not any(format.read for format in formats)


def suffixes_with_annotations() -> tuple[str, ...]:
    """Return the suffixes of files that keep constraints and events."""
    return suffixes(lambda format: "annotations" in format.keeps)


def suffixes_with(what: KeptOfPoints) -> tuple[str, ...]:
    """Return the suffixes of files that keep events, force plates or analog channels of points.

    >>> suffixes_with("forces")
    ('.npz', '.c3d', '.trc')
    """
    return suffixes(lambda format: what in format.keeps_of_points)


def character_suffixes() -> tuple[str, ...]:
    """Return the suffixes of files whose skinned mesh can be read.

    >>> character_suffixes()
    ('.glb', '.gltf', '.fbx')
    """
    return suffixes(lambda format: format.read_character is not None)


def upload_suffixes() -> tuple[str, ...]:
    """Return the suffixes of files with motion of a skeleton, and of files that belong beside them."""
    companions = (
        suffix for format in all_formats() if format.read is not None for suffix in format.companions
    )
    return tuple(dict.fromkeys((*readable_suffixes(), *companions)))


def formats_reading(option: ReadOption) -> tuple[Format, ...]:
    """Return the formats to which an option of `load` applies, so that help can say so.

    >>> [format.name for format in formats_reading("root")]
    ['BVH', 'glTF']
    """
    return tuple(format for format in all_formats() if option in format.read_options)


def formats_of(suffix: str) -> tuple[Format, ...]:
    """Return the formats whose files have this suffix; Motionloom's own formats keep theirs to themselves.

    >>> formats_of(".npz")
    (Format(npz: .npz), Format(amass: .npz))
    """
    found = tuple(format for format in own_formats() if suffix in format.suffixes)
    return found or tuple(format for format in plugin_formats() if suffix in format.suffixes)


def list_files(path: Path) -> tuple[Path, ...]:
    """Return a file and those that are read along with it; a file of no known format stands alone.

    >>> [file.name for file in list_files(Path("walk.bvh"))]
    ['walk.bvh']
    """
    found = {file for format in formats_of(path.suffix.lower()) for file in format.list_files(path)}
    return (path, *sorted(found - {path}))


def prescribes_metres(id: str) -> bool:
    """Tell whether files of a format are always in metres.

    >>> prescribes_metres("glb"), prescribes_metres("bvh")
    (True, False)
    """
    return any(format.id == id and format.prescribes_metres for format in all_formats())


def find_prescribed_up(id: str) -> UpAxis | None:
    """Return the vertical axis of all files of a format, or None where they differ.

    >>> find_prescribed_up("glb"), find_prescribed_up("amass"), find_prescribed_up("bvh")
    ('y', 'z', None)
    """
    return next((format.prescribes_up for format in all_formats() if format.id == id), None)


def find_formats(path: Path, verb: str, can: Callable[[Format], bool]) -> tuple[Format, ...]:
    """Return the formats of a path's suffix that can do something, or fail with the suffixes of all that can.

    >>> find_formats(Path("Walk.BVH"), "read", lambda format: format.read is not None)
    (Format(bvh: .bvh),)
    """
    suffix = path.suffix.lower()
    found = tuple(format for format in formats_of(suffix) if can(format))
    if not found:
        if path.is_dir():
            raise ParameterError("is a folder", subject=str(path), remedy="name a file in it")
        kind = f"files ending in {suffix!r}" if suffix else "files without a suffix"
        raise ParameterError(
            f"{kind} cannot be {verb}", subject=str(path), remedy=f"choose from {', '.join(suffixes(can))}"
        )
    return found


def recognize_format(path: Path) -> Format:
    """Return the format of a motion file: by its suffix, and by content where formats share one.

    >>> recognize_format(Path("walk.bvh"))
    Format(bvh: .bvh)
    """
    formats = find_formats(path, "read", lambda format: format.read is not None)
    return next((each for each in formats if each.recognize and each.recognize(path)), formats[0])


def check_options(format: Format, path: Path, options: ReadOptions | WriteOptions) -> None:
    """Refuse an option that does not apply to files of this format: it would be ignored in silence."""
    suffix = path.suffix.lower()
    reading = isinstance(options, ReadOptions)
    applying = format.read_options if reading else format.write_options
    for each in fields(options):
        applies = each.name in applying or each.name in ("frame_time", "max_memory", "overwrite")
        if getattr(options, each.name) not in (each.default, None) and not applies:
            shared = reading and formats_of(suffix)[0] is not format
            files = f"{format.name} {suffix}" if shared else suffix
            raise ParameterError(f"does not apply to {files} files", parameter=each.name)
