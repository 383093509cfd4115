"""Motion files: every format behind `load` and `save`."""

from motionloom.files.annotations import load_annotations, save_annotations
from motionloom.files.pipeline import READABLE, WRITABLE, load, load_points, load_registration, save

__all__ = [
    "READABLE",
    "WRITABLE",
    "load",
    "load_annotations",
    "load_points",
    "load_registration",
    "save",
    "save_annotations",
]
