"""`load_skinned_mesh`: the mesh of a character's file, and with its motion `load_character`."""

from __future__ import annotations

from os import PathLike

from motionloom.files.formats import find_formats
from motionloom.json_files import check_plain_file
from motionloom.motion import Clip
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.validation import check_path


def load_skinned_mesh(path: str | PathLike[str], *, max_memory: int | None = None) -> SkinnedMesh:
    """Load the mesh of a ``.glb``, ``.gltf``, ``.vrm`` or ``.fbx`` file that is skinned to its skeleton.

    Vertices come out as the file's own renderer would show them, in metres. What a renderer could do without
    is left out with a note: textures that are damaged, vertices that follow more than four bones. FBX files
    are read through Blender.

    Parameters
    ----------
    path
        The file.
    max_memory
        Bytes that reading may take, in place of the usual budget.

    Returns
    -------
    SkinnedMesh
        The mesh; its skeleton is that of ``motionloom.load(path)``.

    Raises
    ------
    FileFormatError
        The file has no mesh, or cannot be read.

    >>> import motionloom as ml
    >>> mesh = ml.load_skinned_mesh("hero.glb")                         # doctest: +SKIP
    >>> clip = ml.retarget(ml.load("walk.bvh"), mesh.skeleton)          # doctest: +SKIP
    >>> mesh.vertices(clip).shape                                       # doctest: +SKIP
    (120, 8431, 3)
    """
    return load_character(path, max_memory=max_memory)[1]


def load_character(path: str | PathLike[str], *, max_memory: int | None = None) -> tuple[Clip, SkinnedMesh]:
    """Load the motion of a character's file together with its mesh, in one pass.

    >>> clip, mesh = load_character("hero.fbx")                         # doctest: +SKIP
    """
    place = check_path(path)
    check_plain_file(place)
    format = find_formats(place, "read with a mesh", lambda format: format.read_character is not None)[0]
    assert format.read_character is not None
    return format.read_character(place, max_memory)
