"""Annotations beside a clip: a small JSON file to read, edit and keep."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path

from motionloom.annotation.sidecar import annotations_from_dict, annotations_to_dict
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, ParameterError
from motionloom.json_files import read_json
from motionloom.motion import Clip

LARGEST_SIDECAR = 64 << 20
"""Bytes beyond which a file is taken for something else."""


def save_annotations(clip: Clip, path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Write a clip's constraints and events to a JSON file that people can edit.

    Parameters
    ----------
    clip
        The annotated clip.
    path
        The file to make, usually ending in ".json".
    overwrite
        Whether an existing file may be replaced.
    """
    path = Path(path)
    text = json.dumps(annotations_to_dict(clip), indent=2, ensure_ascii=False)
    with atomic_output(path, overwrite=overwrite) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")
    return path


def load_annotations(path: str | PathLike[str], clip: Clip) -> Clip:
    """The clip with the constraints and events that a JSON file holds, in place of its own.

    Fails with the file and the entry where the file does not fit the clip.
    """
    path = Path(path)
    data = read_json(path, "annotations", LARGEST_SIDECAR)
    try:
        return annotations_from_dict(data, clip)
    except ParameterError as error:
        raise FileFormatError(path, str(error)) from None
