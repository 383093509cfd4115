"""The thread that makes clips: one after the other, always those of the latest document."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import cached_property, partial
from threading import Condition, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from motionloom.errors import MotionloomError
from motionloom.project.document import Document, Item
from motionloom.project.recipes import sources_of
from motionloom.studio.error_responses import describe_unexpected, shorten
from motionloom.studio.messages import Failed, Finished, Working
from motionloom.studio.packs import PackCache

if TYPE_CHECKING:
    from motionloom.project.evaluator import Evaluator

Progress = Working | Finished | Failed
Tell = Callable[[Progress], None]
_Answer = TypeVar("_Answer")

SHUTDOWN_TIMEOUT = 3.0
"""Seconds that ending waits for a clip that is being made; after that the process ends without it."""


class Superseded(Exception):
    """A clip that is being made is no longer wanted."""


class _Question(NamedTuple):
    """What somebody wants to know from the evaluator, and where the answer goes."""

    asked: Callable[[Evaluator], Any]
    future: Future[Any]


class ClipMaker:
    """Makes all clips of a document, and answers questions about them, in a thread of its own.

    A new document replaces the one before: what is still the same is not made again, and what is being made
    but has changed is given up where that is possible. Questions come before clips that wait.

    Parameters
    ----------
    open_evaluator
        Called in the thread, so that what it imports and compiles keeps nobody waiting.
    tell
        Called in the thread with everything there is to say about a clip.
    """

    def __init__(self, open_evaluator: Callable[[], Evaluator], tell: Tell) -> None:
        self.packs = PackCache()
        self._open_evaluator = open_evaluator
        self._tell = tell
        self._changed = Condition()
        self._document = Document()
        self._waiting: deque[Item] = deque()
        self._questions: deque[_Question] = deque()
        self._stopped = False
        # Keys of what pages know to be made or to have failed, and the errors, by item.
        self._reported: dict[str, str] = {}
        self._errors: dict[str, str] = {}
        self._thread = Thread(target=self._run, name="clips", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def stop(self) -> None:
        """Give up what is being made and end."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(SHUTDOWN_TIMEOUT)

    def want(self, document: Document) -> None:
        """Make the clips of this document, and no longer those of the one before."""
        with self._changed:
            before = {item.id for item in self._document.items}
            for item in document.items:
                if item.id not in before:
                    # It may come back by an undo; pages forgot it when it went.
                    self._reported.pop(item.id, None)
                    self._errors.pop(item.id, None)
            self._document = document
            self._waiting = deque(document.with_sources(*(item.id for item in document.items)))
            self._changed.notify()

    def ask(self, question: Callable[[Evaluator], _Answer]) -> Future[_Answer]:
        """Have a question answered in the thread, before clips that wait."""
        future: Future[_Answer] = Future()
        with self._changed:
            self._questions.append(_Question(question, future))
            self._changed.notify()
        return future

    @cached_property
    def _evaluator(self) -> Evaluator:
        return self._open_evaluator()

    def _run(self) -> None:
        while (work := self._next()) is not None:
            work()
        for question in self._questions:
            question.future.cancel()

    def _next(self) -> Callable[[], None] | None:
        """Wait for the next thing to do and return it; None ends the thread."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._questions or self._waiting)
            if self._stopped:
                return None
            if self._questions:
                return partial(self._answer, self._questions.popleft())
            return partial(self._make, self._document, self._waiting.popleft())

    def _answer(self, question: _Question) -> None:
        if not question.future.set_running_or_notify_cancel():
            return
        try:
            question.future.set_result(question.asked(self._evaluator))
        except BaseException as error:
            question.future.set_exception(error)

    def _make(self, document: Document, item: Item) -> None:
        """Make one clip, unless it was made before, or failed before in the same way."""
        key = None
        try:
            self._check_sources(document, item)
            key = self._evaluator.key(document, item.id)
            if self._reported.get(item.id) != key:
                self._make_anew(document, item, key)
        except Superseded:
            pass
        except MotionloomError as error:
            self._fail(item, key, str(error))
        except Exception as error:
            self._fail(item, key, describe_unexpected(f"making {item.name}", error))

    def _make_anew(self, document: Document, item: Item, key: str) -> None:
        # While it is made the page shows that; it is to be told again, also of a clip it had before.
        self._reported.pop(item.id, None)
        self._errors.pop(item.id, None)
        self._tell(Working(item=item.id))

        def progress(done: int, total: int) -> None:
            self._check_wanted(document, item, key)
            self._tell(Working(item=item.id, done=done, total=total))

        start = perf_counter()
        outcome = self._evaluator.evaluate(document, item.id, progress)
        if self.packs.get(key) is None:
            # Packing measures slides, which imports what reading a file need not.
            from motionloom.studio.clips import pack_clip

            self.packs.put(key, pack_clip(outcome))
        self._reported[item.id] = key
        self._tell(Finished(item=item.id, key=key, elapsed=perf_counter() - start))

    def _check_wanted(self, document: Document, item: Item, key: str) -> None:
        latest = self._document
        if self._stopped:
            raise Superseded
        if latest is document:
            return
        try:
            same = self._evaluator.key(latest, item.id) == key
        except MotionloomError:
            same = False
        if not same:
            raise Superseded

    def _check_sources(self, document: Document, item: Item) -> None:
        for source in sources_of(item.recipe):
            if source in self._errors:
                name = document.item(source).name
                raise MotionloomError(f"{name} could not be made, and {item.name} needs it")

    def _fail(self, item: Item, key: str | None, error: str) -> None:
        self._reported.pop(item.id, None)
        if key is not None:
            self._reported[item.id] = key
        if self._errors.get(item.id) != error:
            self._errors[item.id] = error
            self._tell(Failed(item=item.id, error=shorten(error)))
