from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from queue import Queue
from threading import Condition, Event, Lock
from typing import Any

import pytest

from motionloom.errors import MotionloomError
from motionloom.studio import job_threads
from motionloom.studio.job_threads import Job, JobThreads

WAIT = 20.0


class Bench:
    """Threads over a list of jobs that tests write, and what comes of them."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.changed = Condition(self.lock)
        self.waiting: list[Job] = []
        self.said: Queue[str] = Queue()
        self.end = Event()
        self.faults: list[Exception] = []  # of opening evaluators, the next one last
        self.threads = JobThreads(self.lock, self.changed, self.open, self.find)
        self.threads.start()

    def open(self) -> Any:
        if self.faults:
            raise self.faults.pop()

    def find(self, busy: set[str]) -> Any:
        free = [job for job in self.waiting if job.item not in busy]
        return partial(self._take, free[0]) if free else None

    def _take(self, job: Job) -> Job:
        self.waiting.remove(job)
        job.start = time.monotonic()
        return job

    def add(self, item: str, work: Any) -> Job:
        job = Job(item, lambda _, job: work(job), lambda reason: self.said.put(f"{item} {reason}"))
        with self.lock:
            self.waiting.append(job)
            self.changed.notify_all()
        return job

    def say(self, item: str) -> None:
        self.add(item, lambda _: self.said.put(item))

    def loop(self, item: str) -> Job:
        """A job that never ends by itself, as an endless loop in Python does not."""

        def work(_: Job) -> None:
            try:
                while not self.end.is_set():
                    time.sleep(0.001)
            finally:
                self.said.put(f"{item} ended")

        return self.add(item, work)

    def next(self) -> str:
        return self.said.get(timeout=WAIT)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(job_threads, "PATIENCE", 0.05)
    monkeypatch.setattr(job_threads, "SHUTDOWN_TIMEOUT", 0.1)
    made = Bench()
    yield made
    made.end.set()
    made.threads.stop()


def test_a_job_that_never_ends_lets_others_pass(bench: Bench) -> None:
    bench.loop("endless")
    bench.say("a")
    assert bench.next() == "a"
    bench.say("b")
    assert bench.next() == "b"


def test_a_job_without_progress_is_stopped_at_its_deadline(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_threads, "MAX_SECONDS", 0.2)
    bench.loop("endless")
    told = {bench.next(), bench.next()}
    sentence = "it took longer than 0.2 s and was stopped: use shorter clips or fewer of them"
    assert told == {f"endless {sentence}", "endless ended"}, "its thread is ended as well"


def test_progress_puts_the_deadline_off_and_repeating_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(job_threads, "monotonic", lambda: now)
    job = Job("a", lambda *_: None, lambda _: None)
    assert job.deadline == 700.0
    now = 200.0
    job.note_progress(1)
    assert job.deadline == 800.0
    now = 300.0
    job.note_progress(1)
    assert job.deadline == 800.0


def test_a_job_is_stopped_on_request_and_the_next_ones_are_done(bench: Bench) -> None:
    bench.loop("endless")
    while not bench.threads.jobs:
        time.sleep(0.001)
    with bench.lock:
        assert bench.threads.stop_jobs("endless", "because")
        assert not bench.threads.stop_jobs("other", "because")
    assert {bench.next(), bench.next()} == {"endless because", "endless ended"}
    bench.say("a")
    assert bench.next() == "a"


def test_jobs_whose_evaluator_does_not_open_are_given_up_with_a_sentence(bench: Bench) -> None:
    bench.faults = [ZeroDivisionError("a fault"), MotionloomError("the folder is gone")]
    bench.say("a")
    assert bench.next() == "a the folder is gone"
    bench.say("b")
    assert bench.next().startswith("b something went wrong inside Motionloom (ZeroDivisionError)")
    with bench.lock:
        assert len(bench.threads._workers) == 1, "the thread goes on"
    bench.say("c")
    assert bench.next() == "c"
    with bench.lock:
        bench.changed.wait_for(lambda: not bench.threads.jobs, WAIT)
        assert not bench.threads.jobs


def test_a_job_that_nobody_wants_is_stopped_when_others_would_wait(bench: Bench) -> None:
    job = bench.loop("old")
    while not bench.threads.jobs:
        time.sleep(0.001)
    job.is_wanted = False
    assert {bench.next(), bench.next()} == {"old ", "old ended"}


def test_endless_jobs_end_up_in_few_threads(bench: Bench) -> None:
    for n in range(job_threads.MAX_THREADS + 2):
        bench.loop(str(n))
    time.sleep(0.5)
    with bench.lock:
        assert len(bench.threads.jobs) == job_threads.MAX_THREADS


def test_stopped_jobs_that_go_on_are_few(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_threads, "interrupt", lambda _: None)  # as compiled code is not interrupted
    for n in range(job_threads.MAX_RETIRED):
        bench.loop(str(n))
        while not bench.threads.jobs:
            time.sleep(0.001)
        with bench.lock:
            bench.threads.stop_jobs(str(n), "stopped")
        assert bench.next() == f"{n} stopped"
    bench.say("a")
    assert bench.next() == f"a {job_threads.TOO_MANY_RETIRED}"
    with bench.lock:
        assert (len(bench.threads._workers), len(bench.threads._retired)) == (0, job_threads.MAX_RETIRED)
    bench.end.set()
    told = {bench.next() for _ in range(job_threads.MAX_RETIRED)}
    assert told == {f"{n} ended" for n in range(job_threads.MAX_RETIRED)}
    bench.say("b")
    assert bench.next() == "b", "one that ended makes room"


def test_many_stops_at_random_moments_leave_no_lock_behind(bench: Bench) -> None:
    """An interrupt may come anywhere in the thread's own code."""

    def hop(job: Job) -> None:
        for _ in range(200):
            with bench.lock:
                if not job.is_running:
                    return

    for n in range(200):
        bench.add("x", hop)
        time.sleep(0.0002 * (n % 7))
        with bench.lock:
            bench.threads.stop_jobs("x", "")
    while not bench.said.empty():
        bench.said.get()
    bench.say("alive")
    while bench.next() != "alive":
        pass
