"""FBX files, read and written through Blender in a process of its own.

:mod:`blender` finds it, :mod:`worker` is the script that runs inside it, and :mod:`motion` goes between what
Blender holds and a clip.
"""

from motionloom.files.fbx.read import read_fbx
from motionloom.files.fbx.write import write_fbx

__all__ = ["read_fbx", "write_fbx"]
