"""Exports: the clip of an item as a file, made by the functions that the command line calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import get_args

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.project.document import Document
from motionloom.project.folder import file_stems
from motionloom.studio.responses import ExportFormat, ExportOption, FileFormats

MOVIES = ("gif", "mp4")

MAX_AT_ONCE = 2
"""Files that are written at one time; others wait."""

FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

DESCRIPTIONS: dict[ExportFormat, tuple[str, str]] = {
    "bvh": ("BVH", "text; supported almost everywhere"),
    "glb": ("GLB", "glTF for engines, viewers and the web"),
    "usdc": ("USD", "for OpenUSD pipelines"),
    "npz": ("NPZ", "for Python; keeps plants and events"),
    "gif": ("GIF", "animated image"),
    "mp4": ("MP4", "video"),
}
"""Title and use of each file type, as the page shows them."""


def list_formats() -> FileFormats:
    """List the suffixes of files that can be added, and the file types for exports.

    >>> ".bvh" in list_formats().accepted, list_formats().exports[0].title
    (True, 'BVH')
    """
    from motionloom.files.formats import upload_suffixes

    exports = (
        ExportOption(name=name, title=DESCRIPTIONS[name][0], description=DESCRIPTIONS[name][1])
        for name in FORMATS
    )
    return FileFormats(accepted=tuple(upload_suffixes()), exports=tuple(exports))


def check_format(wanted: str) -> ExportFormat:
    """Return the format, if clips can be exported in it."""
    for format in FORMATS:
        if wanted == format:
            return format
    raise ParameterError(f"clips are exported as {', '.join(FORMATS)}, not as {wanted!r}")


def file_name(document: Document, item: str, format: ExportFormat) -> str:
    """Return the file name for the clip of an item; commands and scripts use the same one."""
    return f"{file_stems(document)[document.item(item).id]}.{format}"


def write_clip(clip: Clip, path: Path) -> list[str]:
    """Write a clip to a file, as motion or as a movie, and return what of it the file does not keep."""
    if path.suffix.removeprefix(".") in MOVIES:
        from motionloom.display import render

        render(clip, path)
        return []
    from motionloom.files import save
    from motionloom.files.losses import find_losses

    save(clip, path)
    return find_losses(clip, path)


@contextmanager
def make_folder() -> Iterator[Path]:
    """Make a temporary folder, which is removed again when the block fails or is cancelled."""
    folder = Path(mkdtemp(prefix="motionloom-export-"))
    try:
        yield folder
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
