"""Run a command on many files: one row per file, in several processes, without what has not changed.

A folder of results holds a record, `.motionloom-batch.json`: for every result the content hash of the file it
was made from, and a hash of the command and its options. A result is made again only if one of them changed.
"""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

import click

from motionloom import __version__
from motionloom.atomic_write import atomic_output, make_folder
from motionloom.cli.options import name_options
from motionloom.cli.output import error_sentence
from motionloom.errors import MotionloomError

RECORD = ".motionloom-batch.json"
"""Name of the record in the folder of results."""

SAVE_EVERY = 5.0
"""Seconds after which the record is saved again, so that little is repeated after a crash."""

COMPANIONS = {".amc": (".asf",), ".gltf": (".bin",)}
"""Suffixes of files that are read along with a file and count as part of it."""

Status = Literal["done", "unchanged", "failed"]


@dataclass(frozen=True)
class Task:
    """One file for a command.

    Attributes
    ----------
    file, output
        The file to read, and the one to write; None where the command only prints.
    """

    file: Path
    output: Path | None


@dataclass(frozen=True)
class Row:
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
        What the command noted, or why it failed.
    facts
        What the command prints with --json.
    """

    file: Path
    output: Path | None
    status: Status
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def run_batch(
    name: str, tasks: Sequence[Task], arguments: Mapping[str, Any], *, jobs: int, overwrite: bool
) -> Iterator[Row]:
    """Run a command on files and yield a row for each, in the order in which they finish.

    Parameters
    ----------
    name
        The command.
    tasks
        The files.
    arguments
        Its other arguments, as click passes them.
    jobs
        Processes; with one, files are worked on in this process.
    overwrite
        Replace files that are not in the record; results of an earlier run are replaced in any case.
    """
    record = _Record([task.output for task in tasks if task.output is not None])
    waiting: list[Task] = []
    recipe = _recipe(name, arguments)
    for task in tasks:
        if record.is_unchanged(task, recipe):
            yield Row(task.file, task.output, "unchanged")
        elif (
            task.output is not None and task.output.exists() and not (overwrite or record.knows(task.output))
        ):
            words = f"{task.output} already exists: choose another folder, or replace it with --force"
            yield Row(task.file, task.output, "failed", notes=(words,))
        else:
            waiting.append(task)
    saved = time.monotonic()
    finished: list[Task] = []
    try:
        for row in _run_all(name, waiting, arguments, jobs):
            if row.status == "done" and row.output is not None and row.output.is_file():
                finished.append(Task(row.file, row.output))
                if time.monotonic() - saved > SAVE_EVERY:
                    record.save(finished, _recipe(name, arguments))
                    saved = time.monotonic()
            yield row
    finally:
        # What was done before an interruption counts. Files that options name may be results of this run.
        record.save(finished, _recipe(name, arguments))


def write_report(rows: Sequence[Row], path: Path) -> None:
    """Write rows as CSV, in the order of the files."""
    with (
        atomic_output(path, overwrite=True) as place,
        place.open("w", encoding="utf-8", newline="") as file,
    ):
        table = csv.writer(file)
        table.writerow(["file", "output", "status", "seconds", "notes"])
        for row in rows:
            output = "" if row.output is None else str(row.output)
            table.writerow([str(row.file), output, row.status, f"{row.seconds:.2f}", "; ".join(row.notes)])


def run_task(name: str, task: Task, arguments: Mapping[str, Any]) -> Row:
    """Run a command on one file; errors of any kind become part of the row, so that the others go on."""
    start = time.perf_counter()
    printed, noted = io.StringIO(), io.StringIO()
    command = getattr(import_module(f"motionloom.cli.{name}"), name)
    words, status = "", "done"
    try:
        with redirect_stdout(printed), redirect_stderr(noted):
            if task.output is not None:
                make_folder(task.output.parent)
            command.callback.__wrapped__(
                **{**arguments, "file": task.file, "output": task.output, "force": True, "as_json": True}
            )
    except MotionloomError as error:
        words, status = name_options(error_sentence(error), command.params), "failed"
    except click.ClickException as error:
        words, status = error.format_message(), "failed"
    except Exception as error:  # one broken file must not stop the others
        words, status = f"unexpected {type(error).__name__}: {error}", "failed"
    facts = json.loads(printed.getvalue()) if status == "done" and printed.getvalue() else {}
    notes = [line.removeprefix(f"{task.file}: ") for line in noted.getvalue().splitlines()]
    own = facts.get("notes", [])
    notes += [note for note in own if note not in notes] if isinstance(own, list) else []
    return Row(
        task.file,
        task.output,
        "done" if status == "done" else "failed",
        time.perf_counter() - start,
        tuple([words] if words else notes),
        facts,
    )


def _run_all(name: str, tasks: list[Task], arguments: Mapping[str, Any], jobs: int) -> Iterator[Row]:
    if jobs == 1 or len(tasks) < 2:
        yield from (run_task(name, task, arguments) for task in tasks)
        return
    suspects: list[Task] = []
    for result in _run_pool(name, tasks, arguments, jobs):
        if isinstance(result, Row):
            yield result
        else:
            suspects.append(result)
    # A file that ends its process takes those with it that come after: each is tried again on its own.
    for task in suspects:
        for result in _run_pool(name, [task], arguments, 1):
            died = Row(task.file, task.output, "failed", notes=("its process ended without a result",))
            yield result if isinstance(result, Row) else died


def _run_pool(
    name: str, tasks: Sequence[Task], arguments: Mapping[str, Any], jobs: int
) -> Iterator[Row | Task]:
    """Yield the row of each task, or the task itself if its process ended."""
    executor = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn"))
    pending: dict[Future[Row], Task] = {}
    try:
        pending = {executor.submit(run_task, name, task, arguments): task for task in tasks}
        while pending:
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                task = pending.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    yield task
    finally:
        executor.shutdown(cancel_futures=True)


def _recipe(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a hash of everything but the file that determines results: command, options, files they name."""
    facts: dict[str, str] = {"command": name, "version": __version__}
    for option, value in sorted(arguments.items()):
        if option not in ("force", "as_json", "output"):
            known = isinstance(value, Path) and value.is_file()
            facts[option] = f"content {_content(value)}" if known else repr(value)
    return sha256(json.dumps(facts).encode()).hexdigest()


def _content(path: Path) -> str:
    """Return a hash of what is read of a file and of those beside it that belong to it."""
    parts = [path.read_bytes()]
    for suffix in COMPANIONS.get(path.suffix.lower(), ()):
        parts += [beside.read_bytes() for beside in sorted(path.parent.glob(f"*{suffix}"))]
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()


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

    def knows(self, output: Path) -> bool:
        return output.name in self.entries[output.parent]

    def is_foreign(self, output: Path | None) -> bool:
        """Whether a file exists that no earlier run made."""
        return output is not None and output.exists() and not self.knows(output)

    def is_unchanged(self, task: Task, recipe: str) -> bool:
        if task.output is None or not task.output.is_file() or not self.knows(task.output):
            return False
        entry = self.entries[task.output.parent][task.output.name]
        try:
            return entry.get("recipe") == recipe and entry.get("content") == _content(task.file)
        except OSError:
            return False

    def save(self, finished: Sequence[Task], recipe: str) -> None:
        folders = set()
        for task in finished:
            if task.output is not None:
                entry = {"file": str(task.file), "content": _content(task.file), "recipe": recipe}
                self.entries[task.output.parent][task.output.name] = entry
                folders.add(task.output.parent)
        for folder in folders:
            with atomic_output(folder / RECORD, overwrite=True) as place:
                content = {"motionloom": __version__, "results": self.entries[folder]}
                place.write_text(json.dumps(content, indent=1), encoding="utf-8")
