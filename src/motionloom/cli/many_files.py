"""Commands on one file that also take many files and folders: their options, and the summary."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from motionloom.cli.batch import describe_recipe, run_task
from motionloom.cli.options import ANY_PATH, apply_options, option
from motionloom.cli.output import print_json, print_line, progress
from motionloom.errors import MotionloomError, ParameterError
from motionloom.files.content_hash import hash_content
from motionloom.files.formats import output_suffixes
from motionloom.files.process_files import check_format, collect_files, is_pattern, name_results
from motionloom.jobs.batch import FileResult, FileTask, check_folder, run_batch, write_report
from motionloom.validation import check_count

BATCH = "Options for many files"

MAX_NAMED = 10
"""Failed files that the last line names."""


def many_files(
    *,
    default_format: Callable[[dict[str, Any]], str | None] = lambda _: None,
    check: Callable[[dict[str, Any]], None] = lambda _: None,
    check_shared: Callable[[dict[str, Any]], None] = lambda _: None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command on one file take several files, folders and patterns, with an output folder.

    The decorated function gets ``file`` and ``output`` and knows nothing of the others. With one file and no
    folder as the output, it is called as it is.

    Parameters
    ----------
    default_format
        Returns the format of results in a folder from the command's arguments, or None for that of each file.
    check
        Fails for arguments that are wrong whatever the files are, before the first of them is read.
    check_shared
        Fails where a file that the arguments name cannot be read. Only called where there are many files: the
        command itself says so of one.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(**arguments: Any) -> None:
            files, jobs, report, format = (
                arguments.pop(name) for name in ("files", "jobs", "report", "format")
            )
            if arguments.get("preview"):
                arguments["output"] = None
            output: Path | None = arguments["output"]
            for path in files:
                if not (path.suffix or path.exists() or is_pattern(path)):
                    raise ParameterError("there is no such file or folder", subject=str(path))
            check(arguments)
            several = len(files) > 1 or files[0].is_dir() or is_pattern(files[0])
            several |= output is not None and output.is_dir() and output.suffix not in output_suffixes()
            if several or report is not None or (output is not None and format is not None):
                check_shared(arguments)
                default = default_format(arguments)
                if format is not None and format != default:
                    check_format(format)
                tasks = name_results(collect_files(files, output), output, format or default)
                _run(function.__name__, tasks, arguments, jobs, report)
            else:
                function(file=files[0], **arguments)

        return apply_options(run, _OPTIONS)

    return decorate


def _run(
    name: str, tasks: Sequence[FileTask], arguments: dict[str, Any], jobs: int, report: Path | None
) -> None:
    """Run a command on all files, show failures at once, write the report, and fail if a file failed."""
    check_count("jobs", jobs)
    if report is not None:
        check_folder(report)
    if arguments.get("markers") is not None:
        raise ParameterError("--markers names one file", remedy="annotate several files without it")
    options = dict(arguments)
    json_wanted, overwrite = options.pop("as_json"), options.pop("force")
    work, recipe = partial(run_task, name, options), partial(describe_recipe, name, options)
    start, rows = time.perf_counter(), dict[Path, FileResult]()
    try:
        with progress(name, quiet=json_wanted) as show:
            for result in run_batch(
                work, tasks, recipe, hash_content=hash_content, jobs=jobs, overwrite=overwrite
            ):
                words = (
                    note.replace("allow replacing it", "replace it with --force") for note in result.notes
                )
                row = rows[result.file] = replace(result, notes=tuple(words))
                show(len(rows), len(tasks))
                if row.status == "failed":
                    print_line(f"motionloom: {_failure(row)}", err=True)
                elif row.output is None and not json_wanted:
                    print_line("\n".join(f"{row.file}: {note}" for note in row.notes))
    finally:
        ordered = [rows[task.file] for task in tasks if task.file in rows]
        if report is not None:
            write_report(ordered, report)
    _summarize(ordered, time.perf_counter() - start, json_wanted)


_OPTIONS = (
    click.argument("files", nargs=-1, required=True, type=ANY_PATH, metavar="FILE..."),
    option(
        "--format",
        metavar="FORMAT",
        group=BATCH,
        show_default="as each file",
        help="Format of the results in a folder: bvh, glb, npz or another suffix without its dot.",
    ),
    option("--jobs", type=int, default=1, metavar="N", group=BATCH, help="Processes to work in."),
    option(
        "--report",
        type=ANY_PATH,
        metavar="CSV",
        group=BATCH,
        help="Table to write: for each file its result, status, seconds and notes.",
    ),
)


def _failure(row: FileResult) -> str:
    words = "; ".join(row.notes)
    return words if words.startswith(str(row.file)) else f"{row.file}: {words}"


def _group_notes(rows: Sequence[FileResult]) -> list[tuple[int, str]]:
    """Return how many files each note applies to; notes that differ only in numbers count as one."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for row in rows:
        kinds = {
            re.sub(r"\d[\d.]*", "#", note): note for note in row.notes if row.status == "done" and row.output
        }
        counts.update(kinds.keys())
        first = kinds | first
    return [(count, first[kind]) for kind, count in counts.most_common()]


def _summarize(rows: Sequence[FileResult], seconds: float, json_wanted: bool) -> None:
    """Print how many files were done, and fail with the names of those that were not."""
    counts = Counter(row.status for row in rows)
    failed = [row for row in rows if row.status == "failed"]
    if json_wanted:
        facts = [
            {
                "file": str(row.file),
                "output": None if row.output is None else str(row.output),
                "status": row.status,
                "seconds": round(row.seconds, 3),
                "notes": list(row.notes),
            }
            for row in rows
        ]
        print_json({"files": facts, "seconds": round(seconds, 3), **{str(k): n for k, n in counts.items()}})
    else:
        for count, note in _group_notes(rows):
            print_line(f"{count} file{'s' if count > 1 else ''}: {note}", err=True)
        print_line(
            f"{counts['done']} done, {counts['unchanged']} unchanged, {counts['failed']} failed "
            f"in {seconds:.1f} s"
        )
    if failed:
        names = ", ".join(str(row.file) for row in failed[:MAX_NAMED])
        more = f" and {len(failed) - MAX_NAMED} more" if len(failed) > MAX_NAMED else ""
        raise MotionloomError(f"{len(failed)} of {len(rows)} files failed: {names}{more}")
