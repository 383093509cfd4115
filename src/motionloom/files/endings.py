"""Which endings of file names there are, and what may be said about files of each."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Literal

from motionloom.errors import ParameterError

GLTF = (".glb", ".gltf")
USD = (".usd", ".usda", ".usdc")
AMASS = "AMASS .npz"
"""What ``.npz`` files of body models are called among the endings."""

READABLE = (".bvh", ".amc", ".npz", *GLTF, *USD, ".fbx", ".csv")
WRITABLE = READABLE
ANNOTATED = (".npz", *GLTF, *USD)
"""Formats that keep constraints and events."""
POINTS = (".c3d", ".trc")
"""Formats of points without a skeleton."""
HOLDING_POINTS = (*POINTS, ".csv", ".npz")
"""All formats that can hold points without a skeleton."""

Layout = Literal["amass", "positions", "rotations"]
LAYOUTS: dict[str, tuple[Layout, ...]] = {".npz": ("amass",), ".csv": ("positions", "rotations")}
"""What a file of an ending may hold, where there is a choice."""

READING: dict[str, tuple[str, ...]] = {
    ".bvh": ("unit", "up", "root_offset", "keep_rest_rows", "all_rows", "root"),
    ".amc": ("unit", "up", "keep_rest_rows", "skeleton"),
    ".npz": (),
    AMASS: ("up",),
    ".csv": ("skeleton",),
    **dict.fromkeys(GLTF, ("unit", "up", "animation", "root")),
    **dict.fromkeys((*USD, ".fbx"), ("unit", "up", "keep_rest_rows", "animation")),
    **dict.fromkeys(POINTS, ("unit", "up")),
}
"""Which arguments of reading say something about files of each kind."""

WRITING: dict[str, tuple[str, ...]] = {
    ".npz": ("layout",),
    ".csv": ("layout",),
    ".fbx": (),
    **dict.fromkeys(GLTF, ("template", "animation")),
    **dict.fromkeys((".bvh", ".amc", *USD, *POINTS), ("unit", "up")),
}
"""Which arguments of writing say something about files of each kind."""


def checked_path(path: str | PathLike[str]) -> Path:
    """The path that a caller gave, or an error where it can be none."""
    try:
        checked = Path(path)
    except TypeError:
        raise ParameterError(f"a path must be a text or a Path, not {path!r}") from None
    if "\0" in str(checked):
        raise ParameterError(f"the path {str(checked)!r} holds a NUL character, which no file name can")
    return checked


def known_ending(path: Path, suffixes: tuple[str, ...], verb: str) -> str:
    """The ending of a path in small letters, which must be one of these.

    >>> known_ending(Path("Walk.BVH"), READABLE, "read")
    '.bvh'
    """
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        shown = f"files ending in {suffix!r}" if suffix else "files without an ending"
        raise ParameterError(f"{path}: {shown} cannot be {verb}: known are {', '.join(suffixes)}")
    return suffix


def check_applies(suffix: str, given: Mapping[str, object], applying: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse an argument that says nothing about files of this kind: it would be passed over in silence."""
    for name, value in given.items():
        if value is not None and name not in applying[suffix]:
            raise ParameterError(f"{name}= does not apply to {suffix} files")


def check_layout(suffix: str, layout: str | None) -> None:
    """Refuse a layout that files of this kind do not have."""
    if layout is not None and layout not in LAYOUTS[suffix]:
        known = " or ".join(map(repr, LAYOUTS[suffix]))
        raise ParameterError(f"layout of {suffix} files must be {known}, not {layout!r}")
