"""What a viewer page holds, as dataclasses from which the page's own types are written.

``python -m motionloom.studio.typescript`` writes the types together with those of the studio.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from motionloom.viewer.packing import PackedTable

Layout = Literal["placed", "start", "side", "wipe"]
"""Where clips stand: where their motion is, all from one start, side by side, or divided by a line."""

PageKind = Literal["view", "sheet", "compare"]


@dataclass(frozen=True, kw_only=True)
class PlantSpan:
    """A constraint of a clip: its frames, how far its point slides in them (metres), the point's column."""

    joint: str
    kind: str
    start: float
    end: float
    point: tuple[float, float, float]
    target: tuple[float, float, float] | None
    slide: float
    column: int


@dataclass(frozen=True, kw_only=True)
class Mark:
    """An event of a clip."""

    frame: float
    label: str
    joint: str


@dataclass(frozen=True, kw_only=True)
class FigureHeader:
    """What the viewport must know of a clip to draw it, besides where its joints are."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    n_frames: int
    fps: float
    cyclic: bool
    plants: tuple[PlantSpan, ...]
    events: tuple[Mark, ...]
    floor: float
    height: float


@dataclass(frozen=True, kw_only=True)
class ViewerClip:
    """A clip of a page; ``start`` is where it starts: x and z of its root in metres, and its heading."""

    name: str
    caption: str
    header: FigureHeader
    start: tuple[float, float, float]
    tables: tuple[PackedTable, ...]


@dataclass(frozen=True, kw_only=True)
class ComparedRow:
    """One measurement of all clips; a value is missing where a clip could not be measured."""

    group: str
    name: str
    unit: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True)
class ComparedCurve:
    """One value over time for each clip: its values, which may be none, and the seconds that they span."""

    name: str
    unit: str
    values: tuple[tuple[float, ...], ...]
    durations: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class PageData:
    """A page: its clips, how they are laid out, and for comparisons measurements and curves."""

    kind: PageKind
    title: str
    layout: Layout
    clips: tuple[ViewerClip, ...]
    notes: tuple[str, ...]
    rows: tuple[ComparedRow, ...]
    curves: tuple[ComparedCurve, ...]
