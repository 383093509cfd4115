"""Biovision hierarchy files: a skeleton and its channel values as text.

Reading goes through :mod:`hierarchy` (the joint tree), :mod:`numbers` (rows of values) and :mod:`channels`
(values to rotations and positions); writing goes back the same way.
"""

from motionloom.files.bvh.read import read_bvh
from motionloom.files.bvh.write import write_bvh

__all__ = ["read_bvh", "write_bvh"]
