"""Motion files: every format behind `load` and `save`."""

from motionloom.files.annotations import load_annotations, save_annotations
from motionloom.files.endings import ANNOTATED, LAYOUTS, POINTS, READABLE, WRITABLE, Layout
from motionloom.files.load_save import load, load_registration, save
from motionloom.files.markers import save_markers
from motionloom.files.points import load_points

__all__ = [
    "ANNOTATED",
    "LAYOUTS",
    "POINTS",
    "READABLE",
    "WRITABLE",
    "Layout",
    "load",
    "load_annotations",
    "load_points",
    "load_registration",
    "save",
    "save_annotations",
    "save_markers",
]
