"""The session: one project that all tabs of the browser share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.cache import is_key
from motionloom.project.document import Document, Item
from motionloom.project.edits import Edit, MapJoints
from motionloom.project.history import History
from motionloom.project.plain_data import to_plain
from motionloom.studio.autosave import Autosave
from motionloom.studio.background import run_in_background
from motionloom.studio.clip_maker import ClipMaker, Progress
from motionloom.studio.limits import check_edit
from motionloom.studio.messages import FromServer, Refused, StudioState
from motionloom.studio.outdated import OutdatedError
from motionloom.studio.unfinished import Unfinished

if TYPE_CHECKING:
    from motionloom.project.evaluator import EvaluatedClip, Evaluator
    from motionloom.project.folder import ProjectFolder
    from motionloom.studio.characters import CharacterStore

_Answer = TypeVar("_Answer")


class Listener(Protocol):
    """A tab of the browser, as the session sees it."""

    def say(self, text: str) -> None:
        """Send a message; does not wait."""


class Session:
    """A project that is open: its history, its clips, and the tabs that show it.

    Everything here happens on the event loop except making clips, saving, and changing and encoding the
    document, which have threads of their own. Make it anywhere, and call :meth:`start` on the loop.
    """

    def __init__(
        self, folder: ProjectFolder, document: Document, open_evaluator: Callable[[], Evaluator]
    ) -> None:
        self.folder = folder
        self.lost: str | None = None
        self._history = History(document)
        self._revision = 0
        self._tabs: set[Listener] = set()
        # The last message about each clip, and the same as text.
        self._progress: dict[str, tuple[Progress, str]] = {}
        # Ids of all clips and characters that there have been.
        self._known: set[str] = set()
        self._note_ids()
        self._item_texts = ItemTexts()
        self._state_text = self._item_texts.encode(self._state(0))
        self._changing = asyncio.Lock()
        self._changes: set[asyncio.Task[None]] = set()
        # The clip that shows the joint map of a character, by the character's id.
        self._mapped_items: dict[str, str] = {}
        self._saving_maps = asyncio.Lock()
        self._maker = ClipMaker(open_evaluator, self._tell_from_thread, Unfinished(folder.path))
        self._autosave = Autosave(folder.save, self._broadcast)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._characters: CharacterStore | None = None

    @property
    def characters(self) -> CharacterStore:
        """The characters of the project; in a background thread, since the first call imports a lot."""
        from motionloom.studio.characters import CharacterStore

        if self._characters is None:
            self._characters = CharacterStore(self.folder)
        return self._characters

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
        tab.say(self._state_text)
        for _, text in self._progress.values():
            tab.say(text)

    def leave(self, tab: Listener) -> None:
        """Forget a tab."""
        self._tabs.discard(tab)

    async def do(self, edit: Edit, gesture: str | None = None) -> None:
        """Apply an edit, part of a drag or not, and show what it did to all tabs."""

        def apply(history: History) -> None:
            check_edit(history.document, edit)
            history.do(edit, gesture)

        if isinstance(edit, MapJoints) and edit.item is not None:
            self._mapped_items[edit.character] = edit.item
        await self._change(apply)

    async def undo(self) -> None:
        """Take the last edit back."""
        await self._change(History.undo)

    async def redo(self) -> None:
        """Do again what was undone last."""
        await self._change(History.redo)

    async def _change(self, change: Callable[[History], None]) -> None:
        """Change the document, one change at a time; who asked for it may go meanwhile."""
        task = asyncio.create_task(self._change_in_turn(change))
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        await asyncio.shield(task)

    async def _change_in_turn(self, change: Callable[[History], None]) -> None:
        async with self._changing:
            before = self.document

            def work() -> str:
                change(self._history)
                state = self._state(self._revision + 1)
                return self._state_text if self.document is before else self._item_texts.encode(state)

            text = await run_in_background(work)
            if self.document is not before:
                self._state_text = text
                self._follow()
                self._save_changed_maps(before)

    def _save_changed_maps(self, before: Document) -> None:
        """Save the joint maps that an edit, or taking it back, changed, once their clips are made."""
        known = {character.id: character.joint_map for character in before.characters}
        for character in self.document.characters:
            changed = character.joint_map != known.get(character.id, {})
            item = self._mapped_items.get(character.id)
            if changed and item is not None:
                task = asyncio.create_task(self._save_map(character.id, item))
                self._changes.add(task)
                task.add_done_callback(self._changes.discard)

    async def _save_map(self, character: str, item: str) -> None:
        """Save the joint map of a clip's skeleton and a character as it is now, one at a time."""
        try:
            async with self._saving_maps:
                evaluated, now = await self.evaluate(item), self.document.character(character)
                await run_in_background(lambda: self.characters.save_map(evaluated.clip, now))
        except MotionloomError as error:
            self._broadcast(Refused(error=f"the joint map could not be saved: {error}"))

    def stop_job(self, item: str) -> None:
        """Stop making a clip, or answering questions about it."""
        self._maker.stop_job(item)

    def make_again(self, item: str) -> None:
        """Make a clip that failed or was stopped again."""
        self._maker.make_again(item)

    async def ask(self, question: Callable[[Evaluator, Document], _Answer], item: str = "") -> _Answer:
        """Ask the evaluator about an item of the current document, in the evaluator's thread."""
        document = self.document
        future = self._maker.ask(lambda evaluator: question(evaluator, document), item)
        return await asyncio.wrap_future(future)

    async def evaluate(self, item: str) -> EvaluatedClip:
        """Evaluate an item of the current document."""
        self.document.item(item)
        return await self.ask(lambda evaluator, document: evaluator.evaluate(document, item), item)

    async def pack(self, key: str) -> bytes:
        """Return the pack with a key; one that left the cache is made again while a clip has that key."""
        kept = self._maker.packs.get(key)
        return kept if kept is not None else await self.ask(lambda e, d: self._pack_again(e, d, key))

    def _pack_again(self, evaluator: Evaluator, document: Document, key: str) -> bytes:
        from motionloom.studio.clips import pack_clip

        messages = {id: message for id, (message, _) in list(self._progress.items())}
        current = {id: message.key for id, message in messages.items() if message.type == "finished"}
        for item in document.items:
            if current.get(item.id) == key and evaluator.key(document, item.id) == key:
                pack = pack_clip(evaluator.evaluate(document, item.id))
                self._maker.packs.put(key, pack)
                return pack
        complaint = "there is no such motion any more: the clip has changed since"
        raise OutdatedError(complaint) if is_key(key) else ParameterError(complaint)

    def _follow(self) -> None:
        """Tell, make and save what the document is now."""
        self._revision += 1
        self._note_ids()
        self._progress = {id: last for id, last in self._progress.items() if id in self._item_texts}
        self._say(self._state_text)
        self._maker.want(self.document)
        self._autosave.soon(self._revision, self.document)

    def was_removed(self, id: str) -> bool:
        """Whether a clip or character has been there and is not any more."""
        return id in self._known and id not in self._list_ids()

    def _note_ids(self) -> None:
        self._known.update(self._list_ids())

    def _list_ids(self) -> list[str]:
        return [item.id for item in self.document.items] + [each.id for each in self.document.characters]

    def _state(self, revision: int) -> StudioState:
        return StudioState(
            revision=revision,
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
        if message.item in self._item_texts:
            text = encode(message)
            self._progress[message.item] = message, text
            self._say(text)

    def _broadcast(self, message: FromServer) -> None:
        self._say(encode(message))

    def _say(self, text: str) -> None:
        for tab in list(self._tabs):
            tab.say(text)


def encode(message: FromServer) -> str:
    """Encode a message as JSON.

    >>> from motionloom.studio.messages import Saved
    >>> encode(Saved(revision=3))
    '{"type":"saved","revision":3}'
    """
    return _encode_plain(message)


class ItemTexts:
    """The items of a document as JSON: after an edit, only those that changed are encoded again.

    >>> from motionloom.project.recipes import FileRecipe
    >>> walk = Item(id="c1", name="walk", recipe=FileRecipe(path="walk.bvh"))
    >>> document = Document(items=(walk,), next_number=2)
    >>> state = StudioState(revision=1, document=document, project='"items":[]', undo=None, redo=None)
    >>> ItemTexts().encode(state) == encode(state)
    True
    """

    def __init__(self) -> None:
        self._texts: dict[str, tuple[Item, str]] = {}

    def __contains__(self, id: str) -> bool:
        return id in self._texts

    def encode(self, state: StudioState) -> str:
        """Encode the message that shows a document."""
        texts: dict[str, tuple[Item, str]] = {}
        for item in state.document.items:
            known = self._texts.get(item.id)
            same = known is not None and known[0] is item
            texts[item.id] = known if known is not None and same else (item, _encode_plain(item))
        self._texts = texts
        rest = encode(replace(state, document=replace(state.document, items=())))
        items = ",".join(text for _, text in texts.values())
        # The document comes before all strings that users chose.
        return rest.replace('"items":[]', f'"items":[{items}]', 1)


def _encode_plain(value: object) -> str:
    return json.dumps(to_plain(value), separators=(",", ":"), allow_nan=False)
