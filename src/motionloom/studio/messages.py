"""What page and server say to each other: the one source of the wire format.

Messages travel over the WebSocket as JSON, each an object whose ``type`` names it. Poses of live control
travel as binary (:mod:`motionloom.studio.packs`). ``python -m motionloom.studio.typescript`` writes the
same types for the page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from motionloom.options.registration import Cut
from motionloom.project.document import Document
from motionloom.project.edits import Edit
from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.recipes.recipe import MAX_SOURCES

# From the page


@dataclass(frozen=True, kw_only=True)
class Do:
    """Apply an edit; ``serial`` comes back once it is applied or refused.

    ``gesture`` names the drag that the edit is part of: all edits of a drag are one undo step.
    """

    type: Literal["do"] = "do"
    serial: int
    edit: Edit
    gesture: str | None = None


@dataclass(frozen=True, kw_only=True)
class Undo:
    """Take the last edit back."""

    type: Literal["undo"] = "undo"


@dataclass(frozen=True, kw_only=True)
class Redo:
    """Do again what was undone last."""

    type: Literal["redo"] = "redo"


@dataclass(frozen=True, kw_only=True)
class LiveStart:
    """Begin to steer the clips of a blend, from the parameter ``u`` on or from the start.

    With ``loops``, clips that end are closed to cycles where they can be, so that they go on for ever.
    """

    type: Literal["live_start"] = "live_start"
    item: str
    weights: tuple[float, ...] = field(metadata={MAX_ENTRIES: (MAX_SOURCES,)})
    u: float | None = None
    loops: bool = False


@dataclass(frozen=True, kw_only=True)
class LiveStep:
    """Go on by ``dt`` seconds with these weights; answered by a pose with the same ``serial``.

    Where ``speed`` (m/s) and ``turn`` (rad/s, to the left) are asked for, the weights are those that come
    closest.
    """

    type: Literal["live_step"] = "live_step"
    serial: int
    dt: float
    weights: tuple[float, ...] = field(metadata={MAX_ENTRIES: (MAX_SOURCES,)})
    speed: float | None = None
    turn: float | None = None


@dataclass(frozen=True, kw_only=True)
class LiveStop:
    """Stop steering."""

    type: Literal["live_stop"] = "live_stop"


@dataclass(frozen=True, kw_only=True)
class StopJob:
    """Stop making a clip; it fails, and stays so until it changes or is made again."""

    type: Literal["stop"] = "stop"
    item: str


@dataclass(frozen=True, kw_only=True)
class MakeAgain:
    """Make a clip that failed or was stopped again."""

    type: Literal["make_again"] = "make_again"
    item: str


FromPage = Do | Undo | Redo | LiveStart | LiveStep | LiveStop | StopJob | MakeAgain

# From the server


@dataclass(frozen=True, kw_only=True)
class StudioState:
    """The document after every change, and at the start."""

    type: Literal["state"] = "state"
    revision: int
    document: Document
    project: str
    undo: str | None
    redo: str | None


@dataclass(frozen=True, kw_only=True)
class Working:
    """A clip is being made; ``done`` of ``total`` steps where that is known."""

    type: Literal["working"] = "working"
    item: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True, kw_only=True)
class Finished:
    """A clip was made, in ``elapsed`` seconds: ``GET /api/clips/{key}``. Equal keys mean equal motion."""

    type: Literal["finished"] = "finished"
    item: str
    key: str
    elapsed: float


@dataclass(frozen=True, kw_only=True)
class Failed:
    """A clip could not be made, and why."""

    type: Literal["failed"] = "failed"
    item: str
    error: str


@dataclass(frozen=True, kw_only=True)
class Applied:
    """The edit of this ``serial`` was applied; the ``state`` that it led to was sent before this message."""

    type: Literal["applied"] = "applied"
    serial: int


@dataclass(frozen=True, kw_only=True)
class Refused:
    """A message that could not be followed; ``serial`` is that of the edit, if it was one.

    ``steering`` marks a start or a step of live control, so that a page does not wait for its answer.
    """

    type: Literal["refused"] = "refused"
    error: str
    serial: int | None = None
    steering: bool = False


@dataclass(frozen=True, kw_only=True)
class Saved:
    """The document of this revision is on the disk."""

    type: Literal["saved"] = "saved"
    revision: int


@dataclass(frozen=True, kw_only=True)
class LiveStarted:
    """Live control has begun: the joints of its poses, and speed (m/s) and turn rate (rad/s) of each clip.

    ``cut`` is how the clips were cut, and ``goes_on`` whether they are cycles; others begin again.
    """

    type: Literal["live_started"] = "live_started"
    item: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    speeds: tuple[float, ...]
    turn_rates: tuple[float, ...]
    cut: Cut
    goes_on: bool


FromServer = StudioState | Working | Finished | Failed | Applied | Refused | Saved | LiveStarted
