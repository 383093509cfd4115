"""Motion files: every format behind `load` and `save`."""

from motionloom.files.pipeline import READABLE, WRITABLE, load, save

__all__ = ["READABLE", "WRITABLE", "load", "save"]
