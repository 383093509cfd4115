"""Where a clip came from, and how its file wrote it down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from motionloom.arrays import FloatArray

UpAxis = Literal["x", "y", "z"]
RootOffset = Literal["absolute", "relative"]


@dataclass(frozen=True, eq=False)
class Source:
    """What `load` found and did; `save` uses it to write the same units, axes and channels again.

    Attributes
    ----------
    path, format
        The file and its format ("bvh", "amc", "npz", …); empty for motion made in memory.
    unit, metres_per_unit
        The file's length unit by name, and its size in metres.
    up
        The file's vertical axis.
    root_offset
        BVH: whether the root's position channels replace its OFFSET ("absolute") or add to it ("relative").
    channels
        For each joint the channel names in file order; None when the file had none.
    axes
        ASF: (J, 4) rotation of each bone's own axes, None elsewhere.
    notes
        What was detected, repaired or left out while reading, one sentence each.
    """

    path: str = ""
    format: str = ""
    unit: str = "m"
    metres_per_unit: float = 1.0
    up: UpAxis = "y"
    root_offset: RootOffset = "absolute"
    channels: tuple[tuple[str, ...], ...] | None = None
    axes: FloatArray | None = None
    notes: tuple[str, ...] = ()

    def noting(self, *sentences: str) -> Source:
        """The same source with further notes."""
        return replace(self, notes=self.notes + sentences)
