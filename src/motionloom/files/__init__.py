"""Motion files: every format behind `load` and `save`."""

from motionloom.files.annotations import load_annotations, save_annotations
from motionloom.files.formats import Format
from motionloom.files.load import load
from motionloom.files.load_save import (
    load_clip,
    load_points,
    load_registration,
    load_space,
    save,
    save_with_clips,
)
from motionloom.files.notes import Note
from motionloom.files.options import Layout, ReadOptions, WriteOptions

__all__ = [
    "Format",
    "Layout",
    "Note",
    "ReadOptions",
    "WriteOptions",
    "load",
    "load_annotations",
    "load_clip",
    "load_points",
    "load_registration",
    "load_space",
    "save",
    "save_annotations",
    "save_with_clips",
]
