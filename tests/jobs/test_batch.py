"""Batches: processes that end. What else a batch does is tested with process_files and the commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from motionloom.files.content_hash import hash_content
from motionloom.jobs import batch
from motionloom.jobs.batch import FileResult, FileTask


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


@pytest.mark.parametrize(
    ("file", "content", "beside"),
    [
        ("x_1.amc", "motion", "x.asf"),
        ("x.csv", "motion", "x.skeleton.csv"),
        ("x.gltf", '{"asset": {"version": "2.0"}, "images": [{"uri": "skin%20a.png"}]}', "skin a.png"),
        ("x.usda", "#usda 1.0 (subLayers = [@y.usd@])", "y.usd"),
    ],
)
def test_a_result_is_made_again_when_a_file_beside_changed(
    tmp_path: Path, file: str, content: str, beside: str
) -> None:
    (tmp_path / file).write_text(content)
    (tmp_path / beside).write_text("one")
    task = FileTask(tmp_path / file, tmp_path / "result.txt")

    def work(task: FileTask) -> FileResult:
        assert task.output is not None
        task.output.write_text("result")
        return FileResult(task.file, task.output, "done")

    def run() -> list[str]:
        return [
            row.status
            for row in batch.run_batch(
                work, [task], lambda: "recipe", hash_content=hash_content, jobs=1, overwrite=False
            )
        ]

    assert run() == ["done"]
    assert run() == ["unchanged"]
    (tmp_path / beside).write_text("two")
    assert run() == ["done"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bvh")
    task = FileTask(tmp_path / "pipe.bvh", None)
    rows = list(
        batch.run_batch(done, [task], lambda: "recipe", hash_content=hash_content, jobs=1, overwrite=False)
    )
    assert [row.status for row in rows] == ["done"]  # the work itself refuses it
