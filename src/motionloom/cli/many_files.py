"""Commands on one file that also take many files and folders: options, names of results, and the summary."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from motionloom.cli.batch import Row, Task, run_batch, write_report
from motionloom.cli.options import ANY_PATH, apply_options, option
from motionloom.cli.output import print_json, progress
from motionloom.errors import MotionloomError, ParameterError
from motionloom.files.formats import output_suffixes, readable_suffixes

BATCH = "Options for many files"

NOT_COLLECTED = frozenset({".csv"})
"""Suffixes that mean motion only if the file itself is named: folders hold tables of other kinds."""

MAX_NAMED = 10
"""Failed files that the last line names."""


def many_files(
    *, suffix: str | None = None, default_suffix: Callable[[dict[str, Any]], str | None] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command on one file take several files, folders and patterns, with an output folder.

    The decorated function gets ``file`` and ``output`` and knows nothing of the others. With one file and no
    folder as the output, it is called as it is.

    Parameters
    ----------
    suffix
        Suffix of results in a folder; by default that of each file.
    default_suffix
        Returns such a suffix, or None, from the command's arguments.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(**arguments: Any) -> None:
            files, jobs, report, format = (
                arguments.pop(name) for name in ("files", "jobs", "report", "to_format")
            )
            output: Path | None = arguments["output"]
            several = len(files) > 1 or files[0].is_dir() or _is_pattern(files[0])
            if several or report is not None or (output is not None and format is not None):
                wanted = f".{format}" if format else suffix or (default_suffix and default_suffix(arguments))
                tasks = name_results(collect_files(files, output), output, wanted)
                _run(function.__name__, tasks, arguments, jobs, report)
            else:
                function(file=files[0], **arguments)

        return apply_options(run, _OPTIONS)

    return decorate


def _run(name: str, tasks: Sequence[Task], arguments: dict[str, Any], jobs: int, report: Path | None) -> None:
    """Run a command on all files, show failures at once, write the report, and fail if a file failed."""
    if jobs < 1:
        raise ParameterError(f"--jobs must be at least 1, not {jobs}")
    if arguments.get("markers") is not None:
        raise ParameterError("--markers names one file: annotate several files without it")
    options = dict(arguments)
    json_wanted, overwrite = options.pop("as_json"), options.pop("force")
    start, rows = time.perf_counter(), dict[Path, Row]()
    try:
        with progress(name, quiet=json_wanted) as show:
            for row in run_batch(name, tasks, options, jobs=jobs, overwrite=overwrite):
                rows[row.file] = row
                show(len(rows), len(tasks))
                if row.status == "failed":
                    click.echo(f"motionloom: {_failure(row)}", err=True)
    finally:
        ordered = [rows[task.file] for task in tasks if task.file in rows]
        if report is not None:
            write_report(ordered, report)
    _summarize(ordered, time.perf_counter() - start, json_wanted)


_OPTIONS = (
    click.argument("files", nargs=-1, required=True, type=ANY_PATH, metavar="FILE..."),
    option(
        "--format",
        "to_format",
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


def collect_files(files: Sequence[Path], output: Path | None) -> list[tuple[Path, Path]]:
    """Return motion files and where in the tree of results each belongs, in order and each once.

    Folders are searched for files that can be read, without hidden ones and without the folder of results.
    Files that are named are taken as they are, and patterns that the shell left are expanded.
    """
    suffixes = set(readable_suffixes()) - NOT_COLLECTED
    found: dict[Path, Path] = {}
    for given in files:
        if given.is_dir():
            inside = output is not None and output.resolve() != given.resolve()
            for path in sorted(given.rglob("*")):
                place = path.relative_to(given)
                hidden = any(part.startswith(".") for part in place.parts)
                result = inside and output is not None and output.resolve() in path.resolve().parents
                if path.suffix.lower() in suffixes and path.is_file() and not hidden and not result:
                    found.setdefault(path, place)
        elif _is_pattern(given):
            anchor = Path(given.anchor) if given.anchor else Path()
            pattern = str(given.relative_to(given.anchor)) if given.anchor else str(given)
            for path in sorted(anchor.glob(pattern)):
                if path.is_file():
                    found.setdefault(path, Path(path.name))
        else:
            found.setdefault(given, Path(given.name))
    if not found:
        names = ", ".join(map(str, files))
        raise ParameterError(f"{names}: no motion files found (they end in {', '.join(sorted(suffixes))})")
    return list(found.items())


def name_results(files: Sequence[tuple[Path, Path]], output: Path | None, suffix: str | None) -> list[Task]:
    """Return what to write for each file: the tree of the inputs, mirrored in the output folder.

    Names that several results would share keep the suffix of their file: ``walk_bvh.glb``.

    >>> tasks = name_results([(Path("a/walk.bvh"), Path("walk.bvh"))], Path("out"), ".glb")
    >>> tasks[0].output.as_posix()
    'out/walk.glb'
    """
    if output is None:
        return [Task(path, None) for path, _ in files]
    if len(files) == 1 and output.suffix.lower() in output_suffixes() and not output.is_dir():
        return [Task(files[0][0], output)]
    if output.is_file():
        raise ParameterError(f"{output} is a file: several files need a folder as output")
    known = set(output_suffixes()) | {".json"}
    if suffix is not None and suffix not in known:
        raise ParameterError(f"--format {suffix[1:]}: not one of {', '.join(s[1:] for s in sorted(known))}")
    results = [output / place.with_suffix(suffix or place.suffix) for _, place in files]
    shared = {place for place, count in Counter(results).items() if count > 1}
    tasks, taken = [], set(results) - shared
    for (path, place), result in zip(files, results, strict=True):
        number, target = 1, result
        if result in shared:
            stem = f"{place.stem}_{place.suffix[1:].lower()}"
            target = result.with_name(f"{stem}{result.suffix}")
            while target in taken:
                number += 1
                target = result.with_name(f"{stem}_{number}{result.suffix}")
            taken.add(target)
        if target.resolve() == path.resolve():
            raise ParameterError(f"{path} would overwrite itself: choose another folder with -o")
        tasks.append(Task(path, target))
    return tasks


def _is_pattern(path: Path) -> bool:
    return any(sign in str(path) for sign in "*?[") and not path.exists()


def _failure(row: Row) -> str:
    words = "; ".join(row.notes)
    return words if words.startswith(str(row.file)) else f"{row.file}: {words}"


def _group_notes(rows: Sequence[Row]) -> list[tuple[int, str]]:
    """Return how many files each note applies to; notes that differ only in numbers count as one."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for row in rows:
        kinds = {re.sub(r"\d[\d.]*", "#", note): note for note in row.notes if row.status == "done"}
        counts.update(kinds.keys())
        first = kinds | first
    return [(count, first[kind]) for kind, count in counts.most_common()]


def _summarize(rows: Sequence[Row], seconds: float, json_wanted: bool) -> None:
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
            click.echo(f"{count} file{'s' if count > 1 else ''}: {note}", err=True)
        click.echo(
            f"{counts['done']} done, {counts['unchanged']} unchanged, {counts['failed']} failed "
            f"in {seconds:.1f} s"
        )
    if failed:
        names = ", ".join(str(row.file) for row in failed[:MAX_NAMED])
        more = f" and {len(failed) - MAX_NAMED} more" if len(failed) > MAX_NAMED else ""
        raise MotionloomError(f"{len(failed)} of {len(rows)} files failed: {names}{more}")
