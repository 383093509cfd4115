"""The document of a project: its clips, and how each comes about."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from motionloom.errors import ParameterError
from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.recipes import Recipe, sources_of
from motionloom.retargeting.root_motion import RootMotion

N_COLOURS = 16
"""How many colours the page has for figures; an item takes the one that the fewest others have."""

MAX_NUMBER = 999_000_000
"""Largest number for the next clip in a saved document; ids have nine digits at most."""

MAX_MARKS = 50_000
"""Plants or events of a clip: both feet of a runner over hours."""

_ID = re.compile(r"c([1-9][0-9]{0,8})")


@dataclass(frozen=True, kw_only=True)
class ClipEdit:
    """What is done to a clip before anything else uses it, in this order.

    ``repair`` mends faults of capture, ``smooth`` is the cut-off of a filter in Hz. ``trim`` names the first
    and the last frame to keep, ``root_motion`` what carries the travel over the ground: None leaves it as it
    is (:func:`motionloom.move_root_motion`). ``travel`` gives a gait in place the travel that its feet show
    (:func:`motionloom.recover_travel`), or takes steady travel out (:func:`motionloom.put_in_place`).
    """

    repair: bool = False
    smooth: float | None = None
    trim: tuple[int, int] | None = None
    speed: float | None = None
    reverse: bool = False
    mirror: bool = False
    root_motion: RootMotion | None = None
    travel: Literal["recover", "remove"] | None = None

    def has_frames_of(self, other: ClipEdit) -> bool:
        """Whether a frame of the clip after this edit is the same, and of the same side, after the other."""
        one, two = ((edit.trim, edit.speed or 1.0, edit.reverse, edit.mirror) for edit in (self, other))
        return one == two


@dataclass(frozen=True, kw_only=True)
class PlantMark:
    """A constraint that somebody edited: a joint that stays put from ``start`` to ``end``, in frames."""

    joint: str
    kind: str
    start: float
    end: float
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    target: tuple[float, float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class EventMark:
    """An event that somebody edited, at a frame."""

    frame: float
    label: str
    joint: str = ""


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Constraints and events in place of those that annotation finds.

    They count the frames, and name the sides, of the clip after ``edit``; None is the edit that the clip has.
    """

    plants: tuple[PlantMark, ...] = field(default=(), metadata={MAX_ENTRIES: (MAX_MARKS,)})
    events: tuple[EventMark, ...] = field(default=(), metadata={MAX_ENTRIES: (MAX_MARKS,)})
    edit: ClipEdit | None = None


@dataclass(frozen=True, kw_only=True)
class Item:
    """One clip of a project: a row of the list, a lane group of the timeline, a figure in the viewport.

    ``folder`` is where the list shows it; "" is outside of all folders.
    """

    id: str
    name: str
    recipe: Recipe
    edit: ClipEdit = ClipEdit()
    marks: Marks | None = None
    colour: int = 0
    visible: bool = True
    folder: str = ""


@dataclass(frozen=True, kw_only=True)
class CharacterFile:
    """A character of a project: a file with a skinned mesh.

    ``joint_map`` holds what somebody corrected of the joint map: the source joint that drives a joint of the
    character, or None for a joint that stays at rest.
    """

    id: str
    name: str
    path: str
    joint_map: dict[str, str | None] = field(default_factory=dict)


MANNEQUIN, STICKS = "mannequin", "sticks"
"""Figures that every project has."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """Everything that is saved and undone: the items, in the order of the list.

    ``next_number`` numbers items for ever, so that an id is never used again. ``figure`` is what clips are
    shown as: "mannequin", "sticks" or the id of a character.
    """

    type: Literal["motionloom project"] = "motionloom project"
    version: Literal[1] = 1
    items: tuple[Item, ...] = ()
    next_number: int = 1
    characters: tuple[CharacterFile, ...] = ()
    figure: str = MANNEQUIN

    def character(self, id: str) -> CharacterFile:
        """Return the character with this id."""
        for character in self.characters:
            if character.id == id:
                return character
        raise ParameterError(f"the project has no character {id!r}; it may have been removed")

    def item(self, id: str) -> Item:
        """Return the item with this id.

        >>> Document().item("c1")
        Traceback (most recent call last):
        ...
        motionloom.errors.ParameterError: the project has no clip 'c1'; it may have been removed
        """
        if id not in self._by_id:
            raise ParameterError(f"the project has no clip {id!r}; it may have been removed")
        return self._by_id[id]

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in reversed(self.items)}

    def with_sources(self, *ids: str) -> tuple[Item, ...]:
        """Return the items with these ids and all their sources, each after its own sources.

        >>> from motionloom.project.recipes import EnforceRecipe, FileRecipe
        >>> items = (Item(id="c2", name="held", recipe=EnforceRecipe(source="c1")),
        ...          Item(id="c1", name="walk", recipe=FileRecipe(path="clips/walk.bvh")))
        >>> [item.name for item in Document(items=items).with_sources("c2")]
        ['walk', 'held']
        """
        found: dict[str, Item] = {}
        opened: set[str] = set()
        waiting = list(reversed(ids))
        while waiting:
            item = self.item(waiting[-1])
            missing = [source for source in sources_of(item.recipe) if source not in found]
            if not missing:
                found[waiting.pop()] = item
            elif item.id in opened:
                raise ParameterError(f"{item.name} cannot be made of itself", remedy="choose other clips")
            else:
                opened.add(item.id)
                waiting += reversed(missing)
        return tuple(found.values())


def check_whole(document: Document) -> None:
    """Refuse a document whose ids or names repeat, or whose clips lack sources or are made of themselves.

    Edits keep documents whole; those from files may be anything.
    """
    if not 1 <= document.next_number <= MAX_NUMBER:
        raise ParameterError(
            f"must lie between 1 and {MAX_NUMBER}, not be {document.next_number}", parameter="next_number"
        )
    for item in document.items:
        number = _ID.fullmatch(item.id)
        if number is None or int(number[1]) >= document.next_number:
            raise ParameterError(
                f"the clip {item.name!r} has the id {item.id!r}: ids are c1, c2, … below next_number"
            )
    for what in ("id", "name"):
        counted = Counter(getattr(item, what) for item in document.items)
        for value, count in counted.items():
            if count > 1:
                raise ParameterError(
                    f"{count} clips of the project have the {what} {value!r}", remedy="rename them"
                )
    document.with_sources(*(item.id for item in document.items))
    ids = [character.id for character in document.characters]
    if len(set(ids)) < len(ids):
        raise ParameterError("two characters of the project have the same id")
    if document.figure not in (MANNEQUIN, STICKS):
        document.character(document.figure)
