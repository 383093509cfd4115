"""What callers of `load` and `save` may ask for, whatever the format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from motionloom.errors import ParameterError
from motionloom.files.units import metres_per_unit
from motionloom.motion.provenance import RootOffset, UpAxis
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.validation import check_choice, check_count, check_string

Layout = Literal["amass", "positions", "rotations"]
"""What a file holds, where a suffix leaves a choice."""

Template = Path | Literal["source"] | None
"""A file with a character that gets the motion; "source": the one that the clip was read from, if any."""

ReadOption = Literal[
    "unit", "up", "root_offset", "keep_rest_rows", "all_rows", "root", "skeleton", "animation", "forces"
]
WriteOption = Literal["unit", "up", "template", "animation", "layout", "mesh"]


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What the caller of `load` states about a file; None means: as the file says, or detected.

    Attributes
    ----------
    frame_time
        Seconds per frame.
    unit
        Length unit by name ("m", "dm", "cm", "mm", "inch", "cmu") or size in metres.
    up
        The vertical axis: "x", "y" or "z".
    root_offset
        Whether root positions replace the root's offset ("absolute") or add to it ("relative").
    keep_rest_rows
        Keep rest-pose rows that a converter put before the motion.
    all_rows
        Read rows beyond the number that the file announces.
    root
        Name of the root to read when there are several.
    skeleton
        A file with the skeleton.
    animation
        Name or number (from 0) of the animation to read when there are several.
    forces
        A table of ground forces that belongs to a file of points.
    max_memory
        Bytes that reading may take (:mod:`motionloom.jobs.budget`).
    """

    frame_time: float | None = None
    unit: str | float | None = None
    up: UpAxis | None = None
    root_offset: RootOffset | None = None
    keep_rest_rows: bool = False
    all_rows: bool = False
    root: str | None = None
    skeleton: Path | None = None
    animation: str | int | None = None
    forces: Path | None = None
    max_memory: int | None = None

    def __post_init__(self) -> None:
        if self.unit is not None:
            metres_per_unit(self.unit)
        if self.up is not None:
            check_choice("up", self.up, get_args(UpAxis))
        if self.root_offset is not None:
            check_choice("root_offset", self.root_offset, get_args(RootOffset))
        _check_flag("keep_rest_rows", self.keep_rest_rows)
        _check_flag("all_rows", self.all_rows)
        if self.root is not None:
            check_string("root", self.root)
        if self.animation is not None and not isinstance(self.animation, str | int):
            raise ParameterError(
                f"must be a name or a number, not {describe(self.animation)}",
                parameter="animation",
                value=self.animation,
            )
        if self.max_memory is not None:
            check_count("max_memory", self.max_memory)


@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """What the caller of `save` asks for; None means: as in the clip's source.

    Attributes
    ----------
    unit, up
        Length unit and vertical axis of the file.
    template
        A file with a character to give the motion to, "source" for the clip's own one, or None for none.
    animation
        Name of the animation.
    layout
        What the file holds, where its suffix leaves a choice.
    mesh
        A mesh on the clip's skeleton to write with it.
    overwrite
        Replace an existing file.
    """

    unit: str | float | None = None
    up: UpAxis | None = None
    template: Template = "source"
    animation: str | None = None
    layout: Layout | None = None
    mesh: SkinnedMesh | None = None
    overwrite: bool = False

    def __post_init__(self) -> None:
        if self.unit is not None:
            metres_per_unit(self.unit)
        if self.up is not None:
            check_choice("up", self.up, get_args(UpAxis))
        if self.animation is not None:
            check_string("animation", self.animation)
        if self.mesh is not None and not isinstance(self.mesh, SkinnedMesh):
            raise ParameterError(
                f"must be a SkinnedMesh, not {describe(self.mesh)}", parameter="mesh", value=self.mesh
            )
        _check_flag("overwrite", self.overwrite)


def _check_flag(what: str, value: object) -> None:
    if not isinstance(value, bool):
        raise ParameterError(f"must be True or False, not {describe(value)}", parameter=what, value=value)


def describe(value: object) -> str:
    """Return a value as a message can quote it, whatever its size."""
    text = repr(value)
    return text if len(text) <= 80 else f"a {type(value).__name__}"
