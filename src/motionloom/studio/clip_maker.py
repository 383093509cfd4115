"""Making the clips of a document: always the latest one, sources first, and no clip holds up the others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import nullcontext, suppress
from functools import partial
from threading import Condition, Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.document import Document, Item
from motionloom.project.recipes import sources_of
from motionloom.studio.error_responses import describe_unexpected, shorten
from motionloom.studio.job_threads import Job, JobThreads
from motionloom.studio.messages import Failed, Finished, Working
from motionloom.studio.packs import PackCache
from motionloom.studio.unfinished import MAX_ATTEMPTS, Unfinished

if TYPE_CHECKING:
    from motionloom.project.evaluator import Evaluator

Progress = Working | Finished | Failed
Tell = Callable[[Progress], None]
_Answer = TypeVar("_Answer")

STOPPED = "it was stopped: change the clip, or make it again"

LEFT_ALONE = (
    f"the studio ended {MAX_ATTEMPTS} times while it was being made, so it was left out this time: change "
    "the clip, or make it again"
)


class Superseded(Exception):
    """A clip that is being made is no longer wanted."""


class _Question(NamedTuple):
    """What somebody wants to know from the evaluator about an item, and where the answer goes."""

    asked: Callable[[Evaluator], Any]
    future: Future[Any]
    item: str


class ClipMaker:
    """Makes all clips of a document, and answers questions about them, in threads of its own.

    A new document replaces the one before: what is still the same is not made again, and what is being made
    but has changed is given up. Questions come before clips that wait. A clip that takes long lets others
    pass, one that takes too long fails (:class:`~motionloom.studio.job_threads.JobThreads`), and one with
    which the studio ended before its time comes last.

    Parameters
    ----------
    open_evaluator
        Called in the threads, so that what it imports and compiles keeps nobody waiting.
    tell
        Called in the threads with everything there is to say about a clip.
    unfinished
        Keeps on the disk what is being made.
    """

    def __init__(
        self, open_evaluator: Callable[[], Evaluator], tell: Tell, unfinished: Unfinished | None = None
    ) -> None:
        self.packs = PackCache()
        self._tell = tell
        self._unfinished = unfinished
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._threads = JobThreads(self._lock, self._changed, open_evaluator, self._find)
        self._document = Document()
        self._waiting: dict[str, Item] = {}
        self._questions: deque[_Question] = deque()
        self._stopped = False
        # Keys of what pages know to be made or to have failed, and the errors, by item.
        self._reported: dict[str, str] = {}
        self._errors: dict[str, str] = {}
        # Items that come last: the studio ended while they were being made.
        self._suspects: set[str] = set()

    def start(self) -> None:
        """Begin to work."""
        self._threads.start()

    def stop(self) -> None:
        """Give up what is being made and end."""
        with self._lock:
            self._stopped = True
        self._threads.stop()
        with self._lock:
            for question in self._questions:
                question.future.cancel()
            self._questions.clear()

    def want(self, document: Document) -> None:
        """Make the clips of this document, and no longer those of the one before."""
        with self._lock:
            before = {item.id for item in self._document.items}
            for item in document.items:
                if item.id not in before:
                    # It may come back by an undo; pages forgot it when it went.
                    self._reported.pop(item.id, None)
                    self._errors.pop(item.id, None)
            for job in self._threads.jobs:
                if job.basis:
                    job.is_wanted = _basis(document, job.item) == job.basis
            self._document = document
            self._want_all()

    def make_again(self, item: str) -> None:
        """Make a clip that failed or was stopped again, and those that are made of it."""
        with self._lock:
            self._document.item(item)
            self._reported.pop(item, None)
            self._errors.pop(item, None)
            if self._unfinished is not None:
                self._unfinished.forget()
            self._want_all()

    def stop_job(self, item: str) -> None:
        """Stop making a clip, and answering questions about it; it stays as it is until it changes."""
        with self._lock:
            wanted = self._document.item(item)
            if self._threads.stop_jobs(item, STOPPED):
                return
            if self._waiting.pop(item, None) is None or item in self._reported:
                raise ParameterError(f"{wanted.name} is not being made, so there is nothing to stop")
            self._fail(wanted, None, STOPPED)

    def ask(self, question: Callable[[Evaluator], _Answer], item: str = "") -> Future[_Answer]:
        """Have a question about an item answered in a thread, before clips that wait."""
        future: Future[_Answer] = Future()
        with self._lock:
            self._questions.append(_Question(question, future, item))
            self._changed.notify_all()
        return future

    def _want_all(self) -> None:
        items = self._document.with_sources(*(item.id for item in self._document.items))
        self._waiting = {item.id: item for item in items}
        self._suspects.clear()
        self._changed.notify_all()

    def _find(self, busy: set[str]) -> Callable[[], Job] | None:
        """Find what can be done now: a question, or a clip that waits for nothing that is being made."""
        if self._questions:
            return self._take_question
        for item in self._waiting.values():
            needs = {item.id, *sources_of(item.recipe)}
            if busy.isdisjoint(needs) and not any(id in self._waiting for id in needs - {item.id}):
                return partial(self._take_item, item)
        return None

    def _take_question(self) -> Job:
        question = self._questions.popleft()
        return Job(question.item, partial(self._answer, question), partial(_refuse, question.future))

    def _take_item(self, item: Item) -> Job:
        del self._waiting[item.id]
        work, fail = partial(self._make, self._document, item), partial(self._fail, item, None)
        return Job(item.id, work, fail, _basis(self._document, item.id))

    def _answer(self, question: _Question, evaluator: Evaluator, job: Job) -> None:
        if not question.future.set_running_or_notify_cancel():
            return
        # Where the job was stopped, whoever waits was told already.
        try:
            answer = question.asked(evaluator)
        except Exception as error:
            with suppress(InvalidStateError):
                question.future.set_exception(error)
        else:
            with suppress(InvalidStateError):
                question.future.set_result(answer)

    def _make(self, document: Document, item: Item, evaluator: Evaluator, job: Job) -> None:
        """Make one clip, unless it was made before, or failed before in the same way."""
        key = None
        try:
            self._check_sources(document, item)
            key = evaluator.key(document, item.id)
            job.give_up = partial(self._fail, item, key)
            if self._reported.get(item.id) != key and not self._put_off(item, key):
                self._make_anew(document, item, key, evaluator, job)
        except Superseded:
            pass
        except MotionloomError as error:
            self._report(job, partial(self._fail, item, key, error.message))
        except Exception as error:
            sentence = describe_unexpected(f"making {item.name}", error)
            self._report(job, partial(self._fail, item, key, sentence))

    def _put_off(self, item: Item, key: str) -> bool:
        """Have a clip come last with which the studio ended before its time; refuse it the second time."""
        attempts = 0 if self._unfinished is None else self._unfinished.attempts(key)
        if attempts >= MAX_ATTEMPTS:
            raise MotionloomError(LEFT_ALONE)
        with self._lock:
            if not attempts or item.id in self._suspects or self._document.item(item.id) is not item:
                return False
            self._suspects.add(item.id)
            self._waiting[item.id] = item
            return True

    def _make_anew(self, document: Document, item: Item, key: str, evaluator: Evaluator, job: Job) -> None:
        # While it is made the page shows that; it is to be told again, also of a clip it had before.
        def begin() -> None:
            self._reported.pop(item.id, None)
            self._errors.pop(item.id, None)
            self._tell(Working(item=item.id))

        def progress(done: int, total: int) -> None:
            self._check_wanted(document, item, key, evaluator)
            job.note_progress(done)
            self._report(job, partial(self._tell, Working(item=item.id, done=done, total=total)))

        def finish() -> None:
            self._reported[item.id] = key
            self._tell(Finished(item=item.id, key=key, elapsed=perf_counter() - start))

        self._report(job, begin)
        start = perf_counter()
        with nullcontext() if self._unfinished is None else self._unfinished.making(key):
            outcome = evaluator.evaluate(document, item.id, progress)
            if self.packs.get(key) is None:
                # Packing measures slides, which imports what reading a file need not.
                from motionloom.studio.clips import pack_clip

                self.packs.put(key, pack_clip(outcome))
        self._report(job, finish)

    def _report(self, job: Job, report: Callable[[], None]) -> None:
        """Report what came of a job, unless it was stopped, which was reported then."""
        with self._lock:
            if job.is_running:
                report()

    def _check_wanted(self, document: Document, item: Item, key: str, evaluator: Evaluator) -> None:
        latest = self._document
        if self._stopped:
            raise Superseded
        if latest is document:
            return
        try:
            same = evaluator.key(latest, item.id) == key
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
        """Report that a clip failed, with the lock held; without a sentence, that nobody wants it."""
        self._reported.pop(item.id, None)
        if not error:
            return
        if key is not None:
            self._reported[item.id] = key
        if self._errors.get(item.id) != error:
            self._errors[item.id] = error
            self._tell(Failed(item=item.id, error=shorten(error)))


def _refuse(future: Future[Any], reason: str) -> None:
    """Answer a question that was stopped."""
    with suppress(InvalidStateError):
        future.set_exception(MotionloomError(reason or STOPPED))


def _basis(document: Document, id: str) -> tuple[object, ...]:
    """Return what a clip is made of, by which one can tell that it changed; empty where it is gone."""
    try:
        return tuple((item.recipe, item.edit, item.marks) for item in document.with_sources(id))
    except ParameterError:
        return ()
