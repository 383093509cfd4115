"""Edits: everything that a user can do to a document, each a value that can be sent, stored and undone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from motionloom.errors import ParameterError
from motionloom.project.document import N_COLOURS, ClipEdit, Document, Item, Marks
from motionloom.project.recipes import Recipe, sources_of

MAX_NAME = 120
"""Characters of a clip's name that are kept; longer ones fit no list."""


@dataclass(frozen=True, kw_only=True)
class AddItem:
    """Add a clip at the end of the list; the document gives it an id and a colour."""

    type: Literal["add"] = "add"
    name: str
    recipe: Recipe

    def apply(self, document: Document) -> Document:
        """Return the document with the clip added."""
        number = document.next_number
        name = _free_name(document, self.name)
        item = Item(id=f"c{number}", name=name, recipe=self.recipe, colour=(number - 1) % N_COLOURS)
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
                f"{gone.name} is used by {', '.join(users)}: remove or change that clip first"
            )
        return replace(document, items=tuple(item for item in document.items if item is not gone))

    def label(self, document: Document) -> str:
        """Return the label of the undo step."""
        return f"remove {document.item(self.item).name}"


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

    Marks count the frames after the edit: ``marks`` are those that somebody edited, moved along with the
    motion. None leaves them as they are.
    """

    type: Literal["set_edit"] = "set_edit"
    item: str
    edit: ClipEdit
    marks: Marks | None = None

    def apply(self, document: Document) -> Document:
        """Return the document with the edit of the clip."""
        old = document.item(self.item)
        marks = old.marks if self.marks is None else self.marks
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


Edit = AddItem | RemoveItem | RenameItem | ShowItem | SetRecipe | SetEdit | SetMarks


def _with_item(document: Document, changed: Item) -> Document:
    items = tuple(changed if item.id == changed.id else item for item in document.items)
    return replace(document, items=items)


def _list_changes(old: object, new: object) -> str:
    """List the fields in which a value differs from the one before."""
    names = [name for name, value in vars(new).items() if getattr(old, name, None) != value]
    return ", ".join(names).replace("_", " ") or "nothing"


def _free_name(document: Document, wanted: str) -> str:
    """Return the name, numbered where another clip has it already; exported files are named by it."""
    shown = "".join(letter for letter in " ".join(wanted.split()) if letter.isprintable())
    name = shown[:MAX_NAME].strip() or "clip"
    taken = {item.name for item in document.items}
    numbered = (name if n == 1 else f"{name} {n}" for n in range(1, len(taken) + 2))
    return next(candidate for candidate in numbered if candidate not in taken)


def without_edit(document: Document, id: str) -> Document:
    """Return the document with an item as its recipe makes it, neither trimmed, sped up nor marked."""
    whole = SetEdit(item=id, edit=ClipEdit()).apply(document)
    return SetMarks(item=id, marks=None).apply(whole)
