"""Edits: everything that a user can do to a document, each a value that can be sent, stored and undone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from motionloom.errors import ParameterError
from motionloom.project.document import (
    MANNEQUIN,
    N_COLOURS,
    STICKS,
    CharacterFile,
    ClipEdit,
    Document,
    Item,
    Marks,
)
from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.recipes import Recipe, sources_of
from motionloom.project.recipes.recipe import MAX_NAMES

MAX_ITEMS = 5000
"""Clips of a project: after every edit all of them are compared and sent, in some milliseconds."""

MAX_NAME = 120
"""Characters of a clip's name that are kept; longer ones fit no list."""


@dataclass(frozen=True, kw_only=True)
class AddItem:
    """Add a clip at the end of the list; the document gives it an id and a colour."""

    type: Literal["add"] = "add"
    name: str
    recipe: Recipe
    edit: ClipEdit | None = None

    def apply(self, document: Document) -> Document:
        """Return the document with the clip added."""
        number = document.next_number
        item = Item(
            id=f"c{number}",
            name=_free_name(document, self.name),
            recipe=self.recipe,
            edit=self.edit or ClipEdit(),
            colour=_free_colour(document),
        )
        added = replace(document, items=(*document.items, item), next_number=number + 1)
        added.with_sources(item.id)  # refuses sources that are not there
        return added

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"add {self.name}"


@dataclass(frozen=True, kw_only=True)
class RemoveItem:
    """Take a clip out of the list, if no other clip is made of it."""

    type: Literal["remove"] = "remove"
    item: str

    def apply(self, document: Document) -> Document:
        """Return the document without the clip."""
        gone = document.item(self.item)
        users = [item.name for item in document.items if gone.id in sources_of(item.recipe)]
        if users:
            raise ParameterError(
                f"{gone.name} is used by {', '.join(users)}", remedy="remove or change that clip first"
            )
        return replace(document, items=tuple(item for item in document.items if item is not gone))

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"remove {document.item(self.item).name}"


@dataclass(frozen=True, kw_only=True)
class RemoveItems:
    """Take several clips out of the list, if none that stays is made of them."""

    type: Literal["remove_many"] = "remove_many"
    items: tuple[str, ...] = field(metadata={MAX_ENTRIES: (MAX_ITEMS,)})

    def apply(self, document: Document) -> Document:
        """Return the document without the clips."""
        gone = {document.item(id).id: document.item(id).name for id in self.items}
        left = tuple(item for item in document.items if item.id not in gone)
        for item in left:
            names = [gone[id] for id in sources_of(item.recipe) if id in gone]
            if names:
                raise ParameterError(
                    f"{', '.join(names)} cannot be removed: {item.name} is made of it; remove that clip too"
                )
        return replace(document, items=left)

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"remove {len(self.items)} clips"


@dataclass(frozen=True, kw_only=True)
class MoveItems:
    """Move clips into a folder of the list, or with "" out of all folders."""

    type: Literal["move"] = "move"
    items: tuple[str, ...] = field(metadata={MAX_ENTRIES: (MAX_ITEMS,)})
    folder: str

    def apply(self, document: Document) -> Document:
        """Return the document with the clips in the folder."""
        moved = {document.item(id).id for id in self.items}
        folder = _printable(self.folder)[:MAX_NAME].strip()
        items = tuple(replace(item, folder=folder) if item.id in moved else item for item in document.items)
        return replace(document, items=items)

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"move {len(self.items)} clips"


@dataclass(frozen=True, kw_only=True)
class RenameItem:
    """Give a clip another name."""

    type: Literal["rename"] = "rename"
    item: str
    name: str

    def apply(self, document: Document) -> Document:
        """Return the document with the new name."""
        old = document.item(self.item)
        others = replace(document, items=tuple(item for item in document.items if item is not old))
        return _with_item(document, replace(old, name=_free_name(others, self.name)))

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"rename {document.item(self.item).name}"


@dataclass(frozen=True, kw_only=True)
class ShowItem:
    """Show or hide the figure of a clip."""

    type: Literal["show"] = "show"
    item: str
    visible: bool

    def apply(self, document: Document) -> Document:
        """Return the document with the clip shown or hidden."""
        return _with_item(document, replace(document.item(self.item), visible=self.visible))

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"{'show' if self.visible else 'hide'} {document.item(self.item).name}"


@dataclass(frozen=True, kw_only=True)
class SetRecipe:
    """Change how a clip is made: weights, keys, methods, sources."""

    type: Literal["set_recipe"] = "set_recipe"
    item: str
    recipe: Recipe

    def apply(self, document: Document) -> Document:
        """Return the document with the new recipe."""
        changed = _with_item(document, replace(document.item(self.item), recipe=self.recipe))
        changed.with_sources(
            self.item
        )  # refuses sources that are not there, or that are made of the clip itself
        return changed

    def label(self, document: Document) -> str:
        """Return the label of the undo step: the fields that change."""
        old = document.item(self.item)
        return f"change {_list_changes(old.recipe, self.recipe)} of {old.name}"


@dataclass(frozen=True, kw_only=True)
class SetEdit:
    """Repair, trim, speed up, reverse or mirror a clip, or move its root motion.

    Marks that somebody edited follow the motion, unless ``marks`` takes their place.
    """

    type: Literal["set_edit"] = "set_edit"
    item: str
    edit: ClipEdit
    marks: Marks | None = None

    def apply(self, document: Document) -> Document:
        """Return the document with the edit of the clip."""
        old = document.item(self.item)
        marks = _keep_marks(old, self.edit) if self.marks is None else self.marks
        return _with_item(document, replace(old, edit=self.edit, marks=marks))

    def label(self, document: Document) -> str:
        """Return the label of the undo step: the fields that change."""
        old = document.item(self.item)
        return f"change {_list_changes(old.edit, self.edit)} of {old.name}"


@dataclass(frozen=True, kw_only=True)
class SetMarks:
    """Put plants and events in place of those that annotation finds; None goes back to those."""

    type: Literal["set_marks"] = "set_marks"
    item: str
    marks: Marks | None

    def apply(self, document: Document) -> Document:
        """Return the document with these marks."""
        return _with_item(document, replace(document.item(self.item), marks=self.marks))

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"edit plants of {document.item(self.item).name}"


@dataclass(frozen=True, kw_only=True)
class AddCharacter:
    """Add a character from a file of the project, and show all clips on it."""

    type: Literal["add_character"] = "add_character"
    name: str
    path: str

    def apply(self, document: Document) -> Document:
        """Return the document with the character; one of the same file is only chosen."""
        known = next((each for each in document.characters if each.path == self.path), None)
        if known is not None:
            return replace(document, figure=known.id)
        taken = {character.id for character in document.characters}
        id = next(f"k{n}" for n in range(1, len(taken) + 2) if f"k{n}" not in taken)
        names = {character.name for character in document.characters}
        name = _number_name(self.name, names, "character")
        added = CharacterFile(id=id, name=name, path=self.path)
        return replace(document, characters=(*document.characters, added), figure=id)

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"add character {self.name}"


@dataclass(frozen=True, kw_only=True)
class RemoveCharacter:
    """Take a character out of the project; what it was chosen for gets the mannequin."""

    type: Literal["remove_character"] = "remove_character"
    character: str

    def apply(self, document: Document) -> Document:
        """Return the document without the character."""
        gone = document.character(self.character)
        return replace(
            document,
            characters=tuple(each for each in document.characters if each is not gone),
            figure=MANNEQUIN if document.figure == gone.id else document.figure,
        )

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"remove character {document.character(self.character).name}"


@dataclass(frozen=True, kw_only=True)
class ChooseFigure:
    """Show clips as the mannequin, as sticks, or on a character."""

    type: Literal["choose_figure"] = "choose_figure"
    figure: str

    def apply(self, document: Document) -> Document:
        """Return the document with the figure chosen."""
        if self.figure not in (MANNEQUIN, STICKS):
            document.character(self.figure)
        return replace(document, figure=self.figure)

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        shown = self.figure
        if shown not in (MANNEQUIN, STICKS):
            shown = document.character(shown).name
        return f"show clips as {shown}"


@dataclass(frozen=True, kw_only=True)
class MapJoints:
    """Correct which joints of clips drive the joints of a character; ``item`` is the clip that shows it."""

    type: Literal["map_joints"] = "map_joints"
    character: str
    joint_map: dict[str, str | None] = field(metadata={MAX_ENTRIES: (MAX_NAMES,)})
    item: str | None = None

    def apply(self, document: Document) -> Document:
        """Return the document with the corrections of the character."""
        old = document.character(self.character)
        if self.item is not None:
            document.item(self.item)
        changed = replace(old, joint_map=self.joint_map)
        return replace(
            document, characters=tuple(changed if each is old else each for each in document.characters)
        )

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"map joints of {document.character(self.character).name}"


Edit = (
    AddItem
    | RemoveItem
    | RemoveItems
    | MoveItems
    | RenameItem
    | ShowItem
    | SetRecipe
    | SetEdit
    | SetMarks
    | AddCharacter
    | RemoveCharacter
    | ChooseFigure
    | MapJoints
)


def _free_colour(document: Document) -> int:
    """Return the first of the colours that the fewest items have."""
    counts = [0] * N_COLOURS
    for item in document.items:
        counts[item.colour % N_COLOURS] += 1
    return counts.index(min(counts))


def _with_item(document: Document, changed: Item) -> Document:
    items = tuple(changed if item.id == changed.id else item for item in document.items)
    return replace(document, items=items)


def _keep_marks(item: Item, edit: ClipEdit) -> Marks | None:
    """Return the marks of a clip that gets another edit; they say so if they count frames of the old one."""
    if item.marks is None:
        return None
    counted = item.marks.edit or item.edit
    return replace(item.marks, edit=None if counted.has_frames_of(edit) else counted)


def _list_changes(old: object, new: object) -> str:
    """List the fields in which a value differs from the one before."""
    names = [name for name, value in vars(new).items() if getattr(old, name, None) != value]
    return ", ".join(names).replace("_", " ") or "nothing"


def _free_name(document: Document, wanted: str) -> str:
    """Return the name, numbered where another clip has it already; exported files are named by it."""
    return _number_name(wanted, {item.name for item in document.items}, "clip")


def _number_name(wanted: str, taken: set[str], otherwise: str) -> str:
    name = _printable(wanted)[:MAX_NAME].strip() or otherwise
    numbered = (name if n == 1 else f"{name} {n}" for n in range(1, len(taken) + 2))
    return next(candidate for candidate in numbered if candidate not in taken)


def _printable(text: str) -> str:
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def without_edit(document: Document, id: str) -> Document:
    """Return the document with an item as its recipe makes it, neither trimmed, sped up nor marked."""
    whole = SetEdit(item=id, edit=ClipEdit()).apply(document)
    return SetMarks(item=id, marks=None).apply(whole)
