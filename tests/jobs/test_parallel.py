"""Many items in several processes, one of which ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from motionloom.errors import FileTooLargeError, MotionloomError
from motionloom.jobs import parallel
from motionloom.jobs.parallel import ITEMS_PER_PROCESS, run_all, run_each


def square(number: int) -> int:
    if number < 0:
        os._exit(1)
    return number * number


def test_one_process_keeps_the_order() -> None:
    assert list(run_each(square, [3, 1, 2])) == [(3, 9), (1, 1), (2, 4)]


def test_several_processes_and_one_that_ends() -> None:
    found = dict(run_each(square, [1, 2, -1, 3], jobs=2))
    assert found == {1: 1, 2: 4, 3: 9, -1: None}


@pytest.mark.slow
def test_a_process_that_ends_while_most_items_wait() -> None:
    found = dict(run_each(square, [-1, *range(100)], jobs=2))
    assert found == {-1: None} | {number: number * number for number in range(100)}


def test_results_of_all_are_in_order_or_a_sentence_says_why_not() -> None:
    calls: list[tuple[int, int]] = []
    assert run_all(square, [3, 1], "it broke", progress=lambda *done: calls.append(done)) == [9, 1]
    assert calls == [(1, 2), (2, 2)]
    with pytest.raises(MotionloomError, match="it broke, perhaps for lack of memory: try fewer jobs"):
        run_all(square, [1, -1, 2], "it broke", jobs=2)


def refuse(number: int) -> int:
    raise FileTooLargeError(f"{number}.bvh", "is too large", needed=number, allowed=1)


def test_errors_of_other_processes_keep_their_sentence() -> None:
    with pytest.raises(FileTooLargeError, match=r"^[23]\.bvh: is too large$") as refused:
        run_all(refuse, [2, 3], "it broke", jobs=2)
    assert (refused.value.needed, refused.value.allowed) in ((2, 1), (3, 1))


class Breaking(ThreadPoolExecutor):
    """An executor that breaks after two items."""

    n_taken = 0

    def submit(self, *words: Any, **options: Any) -> Any:
        self.n_taken += 1
        if self.n_taken > 2:
            raise BrokenProcessPool("a process ended")
        return super().submit(*words, **options)


def test_an_executor_that_breaks_leaves_no_item_out() -> None:
    with Breaking(1) as executor:
        assert dict(run_each(square, [1, 2, 3, 4], executor=executor)) == {1: 1, 2: 4, 3: None, 4: None}


def test_few_items_wait_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "ProcessPoolExecutor", lambda jobs, **_: ThreadPoolExecutor(jobs))
    taken: list[int] = []

    class Items(list[int]):
        def __iter__(self) -> Iterator[int]:
            for item in list.__iter__(self):
                taken.append(item)
                yield item

    results = run_each(square, Items(range(100)), jobs=2)
    next(results)
    assert len(taken) == 2 * ITEMS_PER_PROCESS
    assert len(list(results)) == 99


def test_an_executor_is_used_and_left_open() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert dict(run_each(square, [1, 2], executor=executor)) == {1: 1, 2: 4}
        assert executor.submit(square, 5).result() == 25


def test_nothing_to_do() -> None:
    assert list(run_each(square, [], jobs=2)) == []
