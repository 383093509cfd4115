"""Undo and redo over a document: documents are values, so history is the list of those that were."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from motionloom.errors import ParameterError
from motionloom.project.document import Document
from motionloom.project.edits import Edit, SetEdit, SetMarks, SetRecipe

MAX_STEPS = 500
"""Steps that can be undone; older ones are forgotten."""

MERGE_SECONDS = 1.0
"""Edits of one kind to one clip that follow each other faster are one step: dragging a slider."""

MERGING = (SetRecipe, SetEdit, SetMarks)
"""Kinds of edits that sliders and handles make; of others, every one is a step of its own."""


@dataclass(frozen=True)
class _Step:
    """A document that an edit led away from, or back to, and what the edit is called."""

    document: Document
    label: str


@dataclass(frozen=True)
class _LastEdit:
    """What was done last: an edit that follows may be part of the same step."""

    kind: type
    item: str
    label: str
    time: float
    gesture: str | None

    def continues(self, last: _LastEdit) -> bool:
        """Whether this edit is part of the same drag, or follows quickly."""
        if (self.kind, self.item) != (last.kind, last.item):
            return False
        if self.gesture is not None or last.gesture is not None:
            return self.gesture == last.gesture
        return self.label == last.label and self.time - last.time < MERGE_SECONDS


class History:
    """The present document with what came before and what was undone.

    >>> from motionloom.project.edits import AddItem
    >>> from motionloom.project.recipes import FileRecipe
    >>> history = History(Document())
    >>> history.do(AddItem(name="walk", recipe=FileRecipe(path="walk.bvh")))
    >>> history.undo_label, len(history.document.items)
    ('add walk', 1)
    >>> history.undo(); len(history.document.items)
    0
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._past: list[_Step] = []
        self._future: list[_Step] = []
        self._last: _LastEdit | None = None

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return self._document

    @property
    def undo_label(self) -> str | None:
        """What the next undo takes back, or None where there is nothing."""
        return self._past[-1].label if self._past else None

    @property
    def redo_label(self) -> str | None:
        """What the next redo does again, or None where there is nothing."""
        return self._future[-1].label if self._future else None

    def do(self, edit: Edit, gesture: str | None = None) -> None:
        """Apply an edit; fast edits of one kind to one clip become one step.

        So do those of one gesture, such as a drag, however slow it is.
        """
        changed = edit.apply(self._document)
        if changed == self._document:
            return
        label, now = edit.label(self._document), monotonic()
        current = _LastEdit(type(edit), getattr(edit, "item", ""), label, now, gesture)
        merges = isinstance(edit, MERGING) and self._last is not None and current.continues(self._last)
        if not (merges and self._past):
            self._past = [*self._past, _Step(self._document, label)][-MAX_STEPS:]
        self._future.clear()
        self._document, self._last = changed, current

    def undo(self) -> None:
        """Go back by one step."""
        if not self._past:
            raise ParameterError("there is nothing to undo")
        step = self._past.pop()
        self._future.append(_Step(self._document, step.label))
        self._document, self._last = step.document, None

    def redo(self) -> None:
        """Do again what was undone last."""
        if not self._future:
            raise ParameterError("there is nothing to redo")
        step = self._future.pop()
        self._past.append(_Step(self._document, step.label))
        self._document, self._last = step.document, None
