"""The session: one project that all tabs of the browser share, and how large it may grow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from motionloom.errors import ParameterError
from motionloom.project.document import Document
from motionloom.project.edits import AddItem, Edit, SetRecipe
from motionloom.project.history import History
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import FramespaceRecipe, Recipe, sources_of
from motionloom.studio.autosave import Autosave
from motionloom.studio.clip_maker import ClipMaker, Progress
from motionloom.studio.messages import FromServer, StudioState

if TYPE_CHECKING:
    from motionloom.project.evaluator import EvaluatedClip, Evaluator
    from motionloom.project.folder import ProjectFolder

_Answer = TypeVar("_Answer")

MAX_ITEMS = 500
"""Clips of a project: after every edit all of them are compared, sent and saved, which takes some
milliseconds for so many."""

MAX_SOURCES = 50
"""Clips that one is made of: they are registered in pairs, each of which takes a part of a second."""

MAX_VERTICES = 1000
"""Vertices of a curve in a framespace; more are taken for a mistake."""


class Listener(Protocol):
    """A tab of the browser, as the session sees it."""

    def say(self, text: str) -> None:
        """Send a message; does not wait."""


class Session:
    """A project that is open: its history, its clips, and the tabs that show it.

    Everything here happens on the event loop except making clips and saving, which have threads of their
    own. Make it anywhere, and call :meth:`start` on the loop.
    """

    def __init__(
        self, folder: ProjectFolder, document: Document, open_evaluator: Callable[[], Evaluator]
    ) -> None:
        self.folder = folder
        self.lost: str | None = None
        self._history = History(document)
        self._revision = 0
        self._tabs: set[Listener] = set()
        self._progress: dict[str, Progress] = {}
        self._maker = ClipMaker(open_evaluator, self._tell_from_thread)
        self._autosave = Autosave(folder.save, self._broadcast)
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return self._history.document

    def start(self) -> None:
        """Begin to make clips; on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._maker.start()
        self._maker.want(self.document)

    async def stop(self) -> None:
        """Save, and end the threads; ``lost`` says what could not be saved."""
        self.lost = await self._autosave.finish()
        await asyncio.to_thread(self._maker.stop)

    def join(self, tab: Listener) -> None:
        """Show the project to a tab: everything there is now, and from now on every change."""
        self._tabs.add(tab)
        tab.say(encode(self._state()))
        for message in self._progress.values():
            tab.say(encode(message))

    def leave(self, tab: Listener) -> None:
        """Forget a tab."""
        self._tabs.discard(tab)

    def do(self, edit: Edit) -> None:
        """Apply an edit and show what it did to all tabs."""
        before = self.document
        check_edit(before, edit)
        self._history.do(edit)
        if self.document is not before:
            self._follow()

    def undo(self) -> None:
        """Take the last edit back."""
        self._history.undo()
        self._follow()

    def redo(self) -> None:
        """Do again what was undone last."""
        self._history.redo()
        self._follow()

    async def ask(self, question: Callable[[Evaluator, Document], _Answer]) -> _Answer:
        """Ask the evaluator about the current document, in the evaluator's thread."""
        document = self.document
        return await asyncio.wrap_future(self._maker.ask(lambda evaluator: question(evaluator, document)))

    async def evaluate(self, item: str) -> EvaluatedClip:
        """Evaluate an item of the current document."""
        self.document.item(item)
        return await self.ask(lambda evaluator, document: evaluator.evaluate(document, item))

    async def pack(self, key: str) -> bytes:
        """Return the pack with a key; one that left the cache is made again while a clip has that key."""
        kept = self._maker.packs.get(key)
        return kept if kept is not None else await self.ask(lambda e, d: self._pack_again(e, d, key))

    def _pack_again(self, evaluator: Evaluator, document: Document, key: str) -> bytes:
        from motionloom.studio.clips import pack_clip

        current = {id: message.key for id, message in self._progress.items() if message.type == "finished"}
        for item in document.items:
            if current.get(item.id) == key and evaluator.key(document, item.id) == key:
                pack = pack_clip(evaluator.evaluate(document, item.id))
                self._maker.packs.put(key, pack)
                return pack
        raise ParameterError("there is no such motion any more: the clip has changed since")

    def _follow(self) -> None:
        """Tell, make and save what the document is now."""
        self._revision += 1
        ids = {item.id for item in self.document.items}
        self._progress = {id: message for id, message in self._progress.items() if id in ids}
        self._broadcast(self._state())
        self._maker.want(self.document)
        self._autosave.soon(self._revision, self.document)

    def _state(self) -> StudioState:
        return StudioState(
            revision=self._revision,
            document=self.document,
            project=str(self.folder.path.resolve()),
            undo=self._history.undo_label,
            redo=self._history.redo_label,
        )

    def _tell_from_thread(self, message: Progress) -> None:
        assert self._loop is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._note, message)

    def _note(self, message: Progress) -> None:
        """Keep what there is to say about a clip for tabs that come later, and tell those that are here."""
        if any(item.id == message.item for item in self.document.items):
            self._progress[message.item] = message
            self._broadcast(message)

    def _broadcast(self, message: FromServer) -> None:
        text = encode(message)
        for tab in list(self._tabs):
            tab.say(text)


def encode(message: FromServer) -> str:
    """Encode a message as JSON.

    >>> from motionloom.studio.messages import Saved
    >>> encode(Saved(revision=3))
    '{"type":"saved","revision":3}'
    """
    return json.dumps(to_plain(message), separators=(",", ":"), allow_nan=False)


def check_edit(document: Document, edit: Edit) -> None:
    """Refuse an edit that makes a project too large.

    >>> from motionloom.project.recipes import BlendRecipe
    >>> recipe = BlendRecipe(sources=("c1",) * 51, weights=(1.0,) * 51)
    >>> check_edit(Document(), AddItem(name="crowd", recipe=recipe))
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: a clip is made of at most 50 others, not of 51: blend some of them first
    """
    if isinstance(edit, AddItem) and len(document.items) >= MAX_ITEMS:
        raise ParameterError(
            f"a project holds at most {MAX_ITEMS} clips: remove some, or start another project"
        )
    if isinstance(edit, AddItem | SetRecipe):
        _check_recipe(edit.recipe)


def _check_recipe(recipe: Recipe) -> None:
    n_sources = len(sources_of(recipe))
    if n_sources > MAX_SOURCES:
        raise ParameterError(
            f"a clip is made of at most {MAX_SOURCES} others, not of {n_sources}: blend some of them first"
        )
    if isinstance(recipe, FramespaceRecipe):
        for curve in (recipe.curve, recipe.upper or ()):
            if len(curve) > MAX_VERTICES:
                raise ParameterError(
                    f"a curve has at most {MAX_VERTICES} vertices, not {len(curve)}: remove some"
                )
