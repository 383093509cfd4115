"""glTF 2: figures and their animations in GLB files and in .gltf text.

Reading goes through :mod:`container` (chunks and buffers), :mod:`document` (JSON that is not trusted),
:mod:`accessors` (typed arrays), :mod:`nodes` (which nodes are joints), :mod:`channels` and :mod:`rates`
(keys to frames) and :mod:`figure` (nodes that scale to joints that do not). Writing makes a figure of sticks,
or gives the motion to a character that a file already holds (:mod:`template`).
"""

from motionloom.files.gltf.read import read_gltf
from motionloom.files.gltf.template import write_into_template
from motionloom.files.gltf.write import write_gltf

__all__ = ["read_gltf", "write_gltf", "write_into_template"]
