"""Many items in several processes, one of which ends."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from motionloom.files.parallel import run_each


def square(number: int) -> int:
    if number < 0:
        os._exit(1)
    return number * number


def test_one_process_keeps_the_order() -> None:
    assert list(run_each(square, [3, 1, 2])) == [(3, 9), (1, 1), (2, 4)]


def test_several_processes_and_one_that_ends() -> None:
    found = dict(run_each(square, [1, 2, -1, 3], jobs=2))
    assert found == {1: 1, 2: 4, 3: 9, -1: None}


def test_an_executor_is_used_and_left_open() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert dict(run_each(square, [1, 2], executor=executor)) == {1: 1, 2: 4}
        assert executor.submit(square, 5).result() == 25


def test_nothing_to_do() -> None:
    assert list(run_each(square, [], jobs=2)) == []
