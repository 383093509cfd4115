"""Batches: processes that end. What else a batch does is tested with process_files and the commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from motionloom.files import batch
from motionloom.files.batch import FileResult, FileTask


def done(task: FileTask) -> FileResult:
    return FileResult(task.file, None, "done")


def test_a_process_that_dies_fails_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [FileTask(Path(name), None) for name in ("a", "deadly", "b")]

    def run_each(
        work: batch.Work, given: list[FileTask], *, jobs: int
    ) -> Iterator[tuple[FileTask, FileResult | None]]:
        for task in given:
            yield task, None if task.file.name == "deadly" else work(task)

    monkeypatch.setattr(batch, "run_each", run_each)
    found = {row.file.name: row for row in batch._run_all(done, tasks, 2)}
    assert {name: row.status for name, row in found.items()} == {"a": "done", "b": "done", "deadly": "failed"}
    assert found["deadly"].notes == ("its process ended without a result",)
