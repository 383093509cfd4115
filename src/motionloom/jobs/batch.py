"""Work on many files: one result per file, in several processes, without what has not changed.

A folder of results holds a record, `.motionloom-batch.json`: for every result the content hash of the file it
was made from, and the recipe, a text that stands for what was done. A result is made again only if one of
them changed.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError, ParameterError
from motionloom.jobs.parallel import run_each

RECORD = ".motionloom-batch.json"
"""Name of the record in the folder of results."""

SAVE_EVERY = 5.0
"""Seconds after which the record is saved again, so that little is repeated after a crash."""

Status = Literal["done", "unchanged", "failed"]


@dataclass(frozen=True)
class FileTask:
    """One file to work on.

    Attributes
    ----------
    file, output
        The file to read, and the one to write; None where nothing is written.
    """

    file: Path
    output: Path | None


@dataclass(frozen=True)
class FileResult:
    """What happened to one file; a row of the report.

    Attributes
    ----------
    file, output
        The file that was read, and the one that was written.
    status
        "done", "unchanged" (nothing to do) or "failed".
    seconds
        How long it took.
    notes
        What was noted, or why it failed.
    """

    file: Path
    output: Path | None
    status: Status
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


Work = Callable[[FileTask], FileResult]
"""Does what is to be done with one file; errors become results, so that the other files go on."""


def run_batch(
    work: Work,
    tasks: Sequence[FileTask],
    recipe: Callable[[], str | None],
    *,
    hash_content: Callable[[Path], str],
    jobs: int,
    overwrite: bool,
) -> Iterator[FileResult]:
    """Work on files and yield a result for each, in the order in which they finish.

    Parameters
    ----------
    work
        What to do with a file; with several jobs it is pickled.
    tasks
        The files.
    recipe
        Returns a text for everything but the file that determines a result, or None if every result is to be
        made again. Asked again at the end, because files that it stands for may be results of this run.
    hash_content
        Returns a hash of what a file holds.
    jobs
        Processes; with one, files are worked on in this process.
    overwrite
        Replace files that are not in the record; results of an earlier run are replaced in any case.
    """
    record = _Record([task.output for task in tasks if task.output is not None])
    contents = {task.file: _try_to_hash(task.file, hash_content) for task in tasks}
    first_recipe, waiting, unchanged = recipe(), list[FileTask](), list[FileTask]()
    for task in tasks:
        if record.is_unchanged(task, contents[task.file], first_recipe):
            unchanged.append(task)
            yield FileResult(task.file, task.output, "unchanged")
        elif not overwrite and record.is_foreign(task.output):
            words = f"{task.output} already exists: choose another folder, or allow replacing it"
            yield FileResult(task.file, task.output, "failed", notes=(words,))
        else:
            waiting.append(task)
    saved, finished = time.monotonic(), list[FileTask]()
    try:
        for result in _run_all(work, waiting, jobs):
            if result.status == "done" and result.output is not None and result.output.is_file():
                finished.append(FileTask(result.file, result.output))
                if time.monotonic() - saved > SAVE_EVERY:
                    record.save(finished, contents, recipe())
                    saved = time.monotonic()
            yield result
    finally:
        # What was done before an interruption counts, and what this run added to the files that the recipe
        # stands for does not concern results that it left alone.
        if finished:
            record.save([*unchanged, *finished], contents, recipe())


def check_folder(path: Path) -> None:
    """Fail before any work is done if the folder of a file to be written does not exist."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ParameterError(f"cannot write {path}: the folder {folder} does not exist; create it first")


def write_report(results: Sequence[FileResult], path: Path) -> None:
    """Write results as CSV, in the order given."""
    with (
        atomic_output(path, overwrite=True) as place,
        place.open("w", encoding="utf-8", newline="") as file,
    ):
        table = csv.writer(file)
        table.writerow(["file", "output", "status", "seconds", "notes"])
        for result in results:
            output = "" if result.output is None else str(result.output)
            notes = "; ".join(result.notes)
            table.writerow([str(result.file), output, result.status, f"{result.seconds:.2f}", notes])


def _run_all(work: Work, tasks: Sequence[FileTask], jobs: int) -> Iterator[FileResult]:
    for task, result in run_each(work, tasks, jobs=jobs):
        died = FileResult(task.file, task.output, "failed", notes=("its process ended without a result",))
        yield result or died


def _try_to_hash(path: Path, hash_content: Callable[[Path], str]) -> str | None:
    """Return the content hash of a file, or None where it cannot be read: working on it will say why."""
    try:
        return hash_content(path)
    except (OSError, MotionloomError):
        return None


class _Record:
    """Which results were made from what, for the folders that hold them."""

    def __init__(self, outputs: Sequence[Path]) -> None:
        self.entries: dict[Path, dict[str, dict[str, str]]] = {}
        for folder in {path.parent for path in outputs}:
            try:
                content = json.loads((folder / RECORD).read_text(encoding="utf-8"))
                self.entries[folder] = {str(k): dict(v) for k, v in dict(content["results"]).items()}
            except (OSError, ValueError, KeyError, TypeError):
                self.entries[folder] = {}  # a damaged record only means that results are made again

    def is_foreign(self, output: Path | None) -> bool:
        """Whether a file exists that no earlier run made."""
        return output is not None and output.exists() and output.name not in self.entries[output.parent]

    def is_unchanged(self, task: FileTask, content: str | None, recipe: str | None) -> bool:
        if task.output is None or recipe is None or content is None or not task.output.is_file():
            return False
        entry = self.entries[task.output.parent].get(task.output.name, {})
        return entry.get("recipe") == recipe and entry.get("content") == content

    def save(self, tasks: Sequence[FileTask], contents: dict[Path, str | None], recipe: str | None) -> None:
        """Add the results of tasks to the records beside them."""
        folders = set()
        for task in tasks:
            if task.output is not None:
                entry = {"file": str(task.file), "content": contents[task.file] or "", "recipe": recipe or ""}
                self.entries[task.output.parent][task.output.name] = entry
                folders.add(task.output.parent)
        for folder in folders:
            with atomic_output(folder / RECORD, overwrite=True) as place:
                place.write_text(json.dumps({"results": self.entries[folder]}, indent=1), encoding="utf-8")
