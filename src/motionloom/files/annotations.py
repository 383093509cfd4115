"""Load and save annotations as a small JSON file beside a clip."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path

from motionloom.annotation.sidecar import annotations_from_dict, annotations_to_dict
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.options import describe
from motionloom.json_files import read_json
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, unwrap
from motionloom.validation import check_path

MAX_SIDECAR_SIZE = 64 << 20
"""Bytes; larger files are not annotations."""


def save_annotations(clip: ClipLike, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Write a clip's constraints and events to a JSON file that people can edit.

    Parameters
    ----------
    clip
        The annotated clip.
    path
        The file to make, usually ending in ".json".
    overwrite
        Replace an existing file.

    Returns
    -------
    Path
        The file that was written.

    Raises
    ------
    FileExistsRefusal
        The file exists, and ``overwrite`` is not set.

    >>> import motionloom as ml
    >>> ml.save_annotations(ml.annotate(clip), "walk.json")    # doctest: +SKIP
    PosixPath('walk.json')
    """
    path = check_path(path)
    text = json.dumps(annotations_to_dict(_check_clip(clip)), indent=2, ensure_ascii=False)
    with atomic_output(path, overwrite=overwrite) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")
    return path


def load_annotations(path: str | PathLike[str], clip: ClipLike) -> Clip:
    """Return the clip with the constraints and events of a JSON file in place of its own.

    Fails with the file and the entry where the file does not fit the clip.

    Parameters
    ----------
    path
        A file that :func:`save_annotations` wrote.
    clip
        The clip that the file belongs to.

    Returns
    -------
    Clip
        The same motion with the annotations of the file.

    Raises
    ------
    FileFormatError
        The file is no such file, or does not fit the clip.

    >>> import motionloom as ml
    >>> walk = ml.load_annotations("walk.json", ml.load("walk.bvh"))    # doctest: +SKIP
    """
    path = check_path(path)
    found = _check_clip(clip)
    data = read_json(path, "annotations", MAX_SIDECAR_SIZE)
    try:
        return annotations_from_dict(data, found)
    except ParameterError as error:
        raise FileFormatError(path, str(error)) from None


def _check_clip(given: ClipLike) -> Clip:
    clip = unwrap(given)
    if not isinstance(clip, Clip):
        raise ParameterError(f"annotations belong to a clip with a skeleton, not to {describe(clip)}")
    return clip
