"""Threads that do jobs one after the other, and go on without the one that takes too long."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING

from motionloom.errors import MotionloomError
from motionloom.studio.background import JobStopped, describe_deadline, interrupt
from motionloom.studio.error_responses import describe_unexpected

if TYPE_CHECKING:
    from motionloom.project.evaluator import Evaluator

MAX_SECONDS = 600.0
"""Seconds that a job may take without any progress. Fifty long clips are registered in less."""

PATIENCE = 5.0
"""Seconds after which other jobs no longer wait for the one that is done: another thread does them."""

MAX_THREADS = 4
"""Jobs that are done at one time where all take longer than that."""

MAX_RETIRED = 4
"""Threads of jobs that were stopped and still go on: compiled code does not end before it is done."""

RETIRED_CHECK = 0.1
"""Seconds between two looks at them where there are so many that no other thread is started."""

TOO_MANY_RETIRED = (
    f"{MAX_RETIRED} clips that were stopped are still being computed: wait until they end and make it again, "
    "or restart the studio"
)

SHUTDOWN_TIMEOUT = 3.0
"""Seconds that ending waits for jobs; after that the process ends without them."""


class Job:
    """Something to do about an item of the project ("": about none).

    Parameters
    ----------
    item
        The item's id.
    work
        Does it, with the thread's evaluator.
    give_up
        Called with the lock held, and a sentence, where the job is stopped or could not be done.
    basis
        What a clip is made of when the job begins; it is not wanted any more when that changes.
    """

    def __init__(
        self,
        item: str,
        work: Callable[[Evaluator, Job], None],
        give_up: Callable[[str], None],
        basis: tuple[object, ...] = (),
    ) -> None:
        self.item, self.work, self.give_up, self.basis = item, work, give_up, basis
        self.is_wanted = True
        """Whether anybody still wants it; where not, it is stopped as soon as others would wait for it."""
        self.is_running = True
        """False once it was stopped: what its thread still does is for nothing."""
        self.start = monotonic()
        self._progress = (0, self.start)

    @property
    def deadline(self) -> float:
        """When the job is stopped, in seconds of the clock."""
        return self._progress[1] + MAX_SECONDS

    def note_progress(self, done: int) -> None:
        """Put the deadline off, where more is done than ever before."""
        if done > self._progress[0]:
            self._progress = (done, monotonic())


class _Worker:
    """A thread, the evaluator it opened, and the job it has."""

    def __init__(self, run: Callable[[_Worker], None]) -> None:
        self.job: Job | None = None
        self.thread = Thread(target=run, args=(self,), name="clips", daemon=True)


class JobThreads:
    """Does jobs one after the other, in one thread as long as none takes longer than :data:`PATIENCE`.

    Then another thread goes on with the next jobs. A job that takes longer than :data:`MAX_SECONDS`, or that
    is stopped, is given up: its thread is interrupted, and nobody waits until that has an effect. Where
    :data:`MAX_RETIRED` such threads still go on, no other is started, and jobs that no thread could take are
    refused until one of them ends.

    Parameters
    ----------
    lock
        The lock over everything that several threads use.
    changed
        The signal, over that lock, that there may be something to do.
    open_evaluator
        Called in each thread, so that what it imports and compiles keeps nobody waiting.
    find
        Called with the lock held and the items that are busy; returns a function that takes the next job, or
        None where there is nothing that could be done now.
    """

    def __init__(
        self,
        lock: Lock,
        changed: Condition,
        open_evaluator: Callable[[], Evaluator],
        find: Callable[[set[str]], Callable[[], Job] | None],
    ) -> None:
        self._lock = lock
        self._changed = changed
        self._open_evaluator = open_evaluator
        self._find = find
        self._is_ending = False
        # The first takes new jobs; the others end with the one that they have.
        self._workers: list[_Worker] = []
        self._retired: list[_Worker] = []
        self._leaderless_since = 0.0

    @property
    def jobs(self) -> list[Job]:
        """The jobs that are being done; with the lock held."""
        return [worker.job for worker in self._workers if worker.job is not None]

    def start(self) -> None:
        """Begin to work."""
        with self._lock:
            self._lead()
        Thread(target=self._watch, name="deadlines", daemon=True).start()

    def stop(self) -> None:
        """Take no more jobs, and wait a moment for those that are being done."""
        with self._lock:
            self._is_ending = True
            threads = [worker.thread for worker in self._workers]
            self._changed.notify_all()
        end = monotonic() + SHUTDOWN_TIMEOUT
        for thread in threads:
            thread.join(max(0.0, end - monotonic()))

    def stop_jobs(self, item: str, reason: str) -> bool:
        """Stop the jobs about an item, with the lock held; returns whether there were any."""
        busy = [worker for worker in self._workers if worker.job is not None and worker.job.item == item]
        for worker in busy:
            self._retire(worker, reason)
        return bool(busy)

    def _lead(self) -> None:
        """Have a new thread take the jobs that come."""
        worker = _Worker(self._run)
        self._workers.insert(0, worker)
        worker.thread.start()

    def _retire(self, worker: _Worker, reason: str) -> None:
        """Stop the job of a thread and go on without the thread, with the lock held."""
        leads = worker is self._workers[0]
        self._workers.remove(worker)
        interrupt(worker.thread)
        self._retired.append(worker)
        if leads and self._count_retired() < MAX_RETIRED:
            self._lead()
        elif not self._workers:
            self._leaderless_since = monotonic()
            self._changed.notify_all()  # for the watch, which looks whether one of them has ended
        if worker.job is not None:
            worker.job.is_running = False
            worker.job.give_up(reason)

    def _count_retired(self) -> int:
        """Return how many threads of stopped jobs still go on."""
        self._retired = [worker for worker in self._retired if worker.thread.is_alive()]
        return len(self._retired)

    def _replace_leader(self, now: float) -> None:
        """Have a thread take jobs again once one of a stopped job has ended; after a while, refuse them."""
        if self._workers:
            return
        if self._count_retired() < MAX_RETIRED:
            self._lead()
        elif now >= self._leaderless_since + PATIENCE:
            while (take := self._find_next()) is not None:
                take().give_up(TOO_MANY_RETIRED)

    def _run(self, worker: _Worker) -> None:
        """Do jobs until another thread takes them, or there are to be no more."""
        evaluator: Evaluator | None = None
        with suppress(JobStopped):
            while (job := self._take(worker)) is not None:
                try:
                    if evaluator is None:
                        evaluator = self._open_evaluator()
                    job.work(evaluator, job)
                except Exception as error:
                    # The thread goes on: where it ended, its job would stay in the making until the deadline.
                    self._give_up(job, error)
                with self._lock:
                    worker.job = None
                    # What waited for this job can be done now.
                    self._changed.notify_all()

    def _give_up(self, job: Job, error: Exception) -> None:
        """Report a job that could not be done, unless it was stopped, which was reported then."""
        reason = error.message if isinstance(error, MotionloomError) else str(error)
        if not isinstance(error, MotionloomError):
            reason = describe_unexpected("a job of the studio", error)
        with self._lock:
            if job.is_running:
                job.give_up(reason)

    def _take(self, worker: _Worker) -> Job | None:
        with self._lock:
            while not self._is_ending and worker in self._workers:
                if worker is not self._workers[0]:
                    self._workers.remove(worker)
                    return None
                take = self._find_next()
                if take is not None:
                    worker.job = take()
                    self._changed.notify_all()  # for the watch over its deadline
                    return worker.job
                self._changed.wait()
            return None

    def _find_next(self) -> Callable[[], Job] | None:
        return self._find({job.item for job in self.jobs})

    def _watch(self) -> None:
        """Stop jobs at their deadlines, and let others pass those that take long."""
        with self._lock:
            while not self._is_ending:
                now = monotonic()
                for worker in [worker for worker in self._workers if worker.job is not None]:
                    assert worker.job is not None
                    if now >= worker.job.deadline:
                        self._retire(worker, describe_deadline(MAX_SECONDS))
                    elif not worker.job.is_wanted and now >= worker.job.start + PATIENCE:
                        self._retire(worker, "")
                self._replace_leader(now)
                self._pass_slow_job(now)
                times = [time for job in self.jobs for time in (job.start + PATIENCE, job.deadline)]
                times += [] if self._workers else [now + RETIRED_CHECK]
                self._changed.wait(min((time - now for time in times if time > now), default=None))

    def _pass_slow_job(self, now: float) -> None:
        first = self._workers[0].job if self._workers else None
        is_slow = first is not None and now >= first.start + PATIENCE
        may_lead = len(self._workers) < MAX_THREADS and self._count_retired() < MAX_RETIRED
        if is_slow and may_lead and self._find_next() is not None:
            self._lead()
