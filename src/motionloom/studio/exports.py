"""Exports: the clip of an item as a file, made by the functions that the command line calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import cast
from zipfile import ZIP_DEFLATED, ZipFile

from motionloom.errors import MissingPackageError, MotionloomError, ParameterError
from motionloom.motion import Clip
from motionloom.motion.provenance import UpAxis
from motionloom.project.document import Document
from motionloom.project.export_settings import AS_IT_IS, ExportSettings
from motionloom.project.folder import DRAWN, file_stems
from motionloom.studio.outdated import OutdatedError
from motionloom.studio.responses import ExportOption, ExportProgress, FileFormats

MAX_AT_ONCE = 2
"""Files that are written at one time; others wait."""

MAX_JOBS = 200
"""Exports whose progress is remembered; the oldest are forgotten."""

DESCRIPTIONS: dict[str, tuple[str, str]] = {
    "bvh": ("BVH", "text; supported almost everywhere"),
    "glb": ("GLB", "glTF for engines, viewers and the web"),
    "fbx": ("FBX", "for animation packages and engines"),
    "usdc": ("USD", "for OpenUSD pipelines"),
    "amc": ("AMC", "Acclaim motion and skeleton, zipped"),
    "csv": ("CSV", "tables of rotations and bones, zipped"),
    "npz": ("NPZ", "for Python; keeps plants and events"),
    "html": ("HTML", "a page to look at, in any browser"),
    "gif": ("GIF", "animated image"),
    "mp4": ("MP4", "video"),
    "png": ("PNG", "a strip of poses"),
}
"""Title and use of each file type, as the page shows them."""

STOPPED = "the export was stopped"

Note = Callable[[int, int], None]


def list_formats() -> FileFormats:
    """List the suffixes of files that can be added, and the file types for exports that are installed.

    >>> ".bvh" in list_formats().accepted, list_formats().exports[0].title
    (True, 'BVH')
    """
    from motionloom.files.formats import upload_suffixes

    exports = [describe_format(name) for name in DESCRIPTIONS if is_installed(name)]
    return FileFormats(accepted=tuple(upload_suffixes()), exports=tuple(exports))


def describe_format(name: str) -> ExportOption:
    """Describe a file type, and which settings apply to it.

    >>> describe_format("bvh").options
    ('fps', 'unit', 'up')
    """
    from motionloom.files.formats import formats_of

    title, description = DESCRIPTIONS[name]
    options: tuple[str, ...] = () if name == "png" else ("fps",)
    if f".{name}" not in DRAWN:
        options += tuple(one for one in ("unit", "up") if one in formats_of(f".{name}")[0].write_options)
    return ExportOption(name=name, title=title, description=description, options=options)


def is_installed(name: str) -> bool:
    """Whether what a file type needs is there.

    >>> is_installed("bvh")
    True
    """
    from motionloom.files.formats import formats_of

    if f".{name}" in DRAWN:
        return name != "mp4" or find_spec("imageio_ffmpeg") is not None
    try:
        formats_of(f".{name}")[0].check_installed()
    except MissingPackageError:
        return False
    return True


def check_format(wanted: str) -> str:
    """Return the format, if clips can be exported in it."""
    if wanted in DESCRIPTIONS:
        return wanted
    raise ParameterError(f"clips are exported as {', '.join(DESCRIPTIONS)}, not as {wanted!r}")


def parse_settings(given: Mapping[str, str]) -> ExportSettings:
    """Return the settings of a request: ``first`` and ``last`` frame, ``fps``, ``unit`` and ``up``.

    >>> parse_settings({"first": "3", "last": "9", "unit": "cm"})
    ExportSettings(frames=(3, 9), fps=None, unit='cm', up=None)
    """
    try:
        fps = float(given["fps"]) if given.get("fps") else None
        frames = (int(given["first"]), int(given["last"])) if given.get("first") else None
    except (KeyError, ValueError):
        raise ParameterError("first, last and fps of an export must be numbers") from None
    up = given.get("up") or None
    if up not in (None, "x", "y", "z"):
        raise ParameterError(f"must be x, y or z, not {up!r}", parameter="up", value=up)
    return ExportSettings(
        frames=frames, fps=fps, unit=given.get("unit") or None, up=cast("UpAxis | None", up)
    )


class ExportJob:
    """An export that goes on, as the page can follow and stop it."""

    def __init__(self) -> None:
        self.progress = ExportProgress(done=0, total=0)
        self.is_stopped = False

    def note(self, done: int, total: int) -> None:
        """Note the progress; ends the export where it was stopped."""
        self.progress = ExportProgress(done=done, total=total)
        if self.is_stopped:
            raise MotionloomError(STOPPED)


class ExportJobs:
    """The exports that pages named, latest last."""

    def __init__(self) -> None:
        self._jobs: dict[str, ExportJob] = {}

    def begin(self, name: str) -> ExportJob:
        """Begin an export of this name, which may have been stopped already; "" is not remembered."""
        job = self._jobs.get(name) or ExportJob()
        if name:
            self._jobs[name] = job
            for oldest in list(self._jobs)[:-MAX_JOBS]:
                del self._jobs[oldest]
        return job

    def find(self, name: str) -> ExportJob:
        """Return the export of this name."""
        if name not in self._jobs:
            raise OutdatedError("there is no such export, or it ended long ago")
        return self._jobs[name]

    def stop(self, name: str) -> None:
        """Stop the export of this name; a request to stop may overtake the one to begin."""
        self.begin(name).is_stopped = True


def file_name(document: Document, item: str, format: str) -> str:
    """Return the file name for the clip of an item; commands and scripts use the same one."""
    return f"{file_stems(document)[document.item(item).id]}.{format}"


def write_clip(
    clip: Clip, path: Path, settings: ExportSettings = AS_IT_IS, note: Note | None = None
) -> list[str]:
    """Write a clip to a file, as motion or as an image, and return what of it the file does not keep."""
    suffix = path.suffix
    part, options = settings.apply(clip, suffix), settings.save_options(suffix)
    if note is not None:
        note(0, 0)
    if suffix in DRAWN:
        from motionloom.display import render

        render(part, path, progress=note, **options)
        return []
    from motionloom.files import save
    from motionloom.files.losses import find_losses

    save(part, path, **options)
    return find_losses(part, path)


def pack_files(folder: Path, name: str) -> Path:
    """Return the one file of an export, or a ZIP archive of all where a format writes several."""
    files = sorted(folder.iterdir())
    if len(files) == 1:
        return files[0]
    archive = folder / f"{Path(name).stem}.zip"
    with ZipFile(archive, "w", ZIP_DEFLATED) as content:
        for file in files:
            content.write(file, file.name)
    return archive


@contextmanager
def make_folder() -> Iterator[Path]:
    """Make a temporary folder, which is removed again when the block fails or is cancelled."""
    folder = Path(mkdtemp(prefix="motionloom-export-"))
    try:
        yield folder
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
