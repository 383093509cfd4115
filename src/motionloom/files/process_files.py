"""`process_files`: do the same with the motion of many files, and write the results into a folder."""

from __future__ import annotations

import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from os import PathLike
from pathlib import Path

from motionloom.atomic_write import make_folder
from motionloom.errors import MotionloomError, ParameterError
from motionloom.files.content_hash import hash_content
from motionloom.files.formats import output_suffixes, readable_suffixes
from motionloom.files.load_save import load_clip, save
from motionloom.files.losses import find_losses
from motionloom.files.options import describe
from motionloom.jobs.batch import FileResult, FileTask, check_folder, run_batch, write_report
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, unwrap
from motionloom.validation import check_count, check_path

NOT_COLLECTED = frozenset({".csv"})
"""Suffixes that mean motion only if the file itself is named: folders hold tables of other kinds."""


def process_files(
    files: str | PathLike[str] | Iterable[str | PathLike[str]],
    operation: Callable[[Clip], ClipLike],
    output: str | PathLike[str],
    *,
    format: str | None = None,
    recipe: str | None = None,
    jobs: int = 1,
    report: str | PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> list[FileResult]:
    """Load every file, apply an operation to its clip, save what it returns, and report on each file.

    A file that fails does not stop the others: its result has the status "failed" and says why.

    Parameters
    ----------
    files
        A file, a folder, a pattern such as ``takes/*.bvh``, or several of them. Folders are searched for
        motion files, with their subfolders.
    operation
        Takes a clip and returns one. With several jobs it is a function that other processes can import, not
        a lambda.
    output
        Folder for the results, in the tree of the input folder.
    format
        Format of the results, such as "glb"; by default that of each file.
    recipe
        A text that says what the operation does, and changes when that does. Results of an earlier call with
        the same recipe whose file is the same too are left alone. None makes all of them again.
    jobs
        Processes to work in. A script that uses several needs ``if __name__ == "__main__":``.
    report
        CSV file to write: for each file its result, status, seconds and notes.
    overwrite
        Replace files in the output folder that no earlier call has made.
    progress
        Called with the number of files that are done, and of all.

    Returns
    -------
    list of FileResult
        What happened to each file, in order.

    Raises
    ------
    ParameterError
        There are no files, or an option makes no sense.

    >>> import motionloom as ml
    >>> hero = ml.load("hero.glb")                                                         # doctest: +SKIP
    >>> results = ml.process_files("takes", lambda clip: ml.retarget(ml.repair(clip), hero), "out",
    ...                            format="glb", recipe="repaired, on hero")               # doctest: +SKIP
    >>> [result.file for result in results if result.status == "failed"]                   # doctest: +SKIP
    [PosixPath('takes/broken.bvh')]
    """
    check_count("jobs", jobs)
    if format is not None:
        check_format(format)
    if not callable(operation):
        raise ParameterError(
            f"must be a function that takes a clip, not {describe(operation)}",
            parameter="operation",
            value=operation,
        )
    work = partial(_process_file, operation)
    if jobs > 1:
        _check_importable(work)
    given = [files] if isinstance(files, str | PathLike) else list(files)
    folder = check_path(output)
    tasks = name_results(collect_files([check_path(each) for each in given], folder), folder, format)
    table = None if report is None else check_path(report)
    if table is not None:
        check_folder(table)
    results: dict[Path, FileResult] = {}
    try:
        for result in run_batch(
            work, tasks, lambda: recipe, hash_content=hash_content, jobs=jobs, overwrite=overwrite
        ):
            results[result.file] = result
            if progress is not None:
                progress(len(results), len(tasks))
    finally:
        ordered = [results[task.file] for task in tasks if task.file in results]
        if table is not None:
            write_report(ordered, table)
    return ordered


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
        elif is_pattern(given):
            anchor = Path(given.anchor) if given.anchor else Path()
            pattern = str(given.relative_to(given.anchor)) if given.anchor else str(given)
            for path in sorted(anchor.glob(pattern)):
                if path.is_file():
                    found.setdefault(path, Path(path.name))
        else:
            found.setdefault(given, Path(given.name))
    if not found:
        names = ", ".join(map(str, files)) or "no files were named"
        raise ParameterError(
            f"no motion files found (they end in {', '.join(sorted(suffixes))})", subject=names
        )
    return list(found.items())


def name_results(
    files: Sequence[tuple[Path, Path]], output: Path | None, format: str | None
) -> list[FileTask]:
    """Return what to write for each file: the tree of the inputs, mirrored in the output folder.

    Names that several results would share keep the suffix of their file: ``walk_bvh.glb``.

    >>> tasks = name_results([(Path("a/walk.bvh"), Path("walk.bvh"))], Path("out"), "glb")
    >>> tasks[0].output.as_posix()
    'out/walk.glb'
    """
    if output is None:
        return [FileTask(path, None) for path, _ in files]
    names_file = output.suffix.lower() in output_suffixes() and not output.is_dir()
    if len(files) == 1 and names_file:
        return [FileTask(files[0][0], output)]
    if names_file or output.is_file():
        raise ParameterError(f"{output} is a file: several files need a folder as output")
    results = [output / place.with_suffix(f".{format}" if format else place.suffix) for _, place in files]
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
            raise ParameterError(f"{path} would overwrite itself", remedy="choose another output folder")
        tasks.append(FileTask(path, target))
    return tasks


def check_format(format: str) -> None:
    """Fail if no motion file of a format can be written.

    >>> check_format("glb")
    """
    known = sorted(output_suffixes())
    if f".{format}" not in known:
        raise ParameterError(
            f"must be one of {', '.join(s[1:] for s in known)}, not {format!r}",
            parameter="format",
            value=format,
        )


def is_pattern(path: Path) -> bool:
    """Return whether a path is a pattern such as ``*.bvh`` and not a file."""
    return any(sign in str(path) for sign in "*?[") and not path.exists()


def _process_file(operation: Callable[[Clip], ClipLike], task: FileTask) -> FileResult:
    """Load, change and save one clip; errors of any kind become part of the result."""
    start = time.perf_counter()
    failure, notes = None, list[str]()
    try:
        clip = load_clip(task.file)
        result = unwrap(operation(clip))
        if not isinstance(result, Clip):
            raise ParameterError(
                f"must return a clip, not {describe(result)}", parameter="operation", value=result
            )
        if task.output is not None:
            make_folder(task.output.parent)
            save(result, task.output, overwrite=True)
            notes = [*clip.source.notes, *find_losses(result, task.output)]
    except MotionloomError as error:
        failure = str(error)
    except Exception as error:  # one broken file must not stop the others
        failure = f"{type(error).__name__}: {error}"
    seconds = time.perf_counter() - start
    if failure is not None:
        return FileResult(task.file, task.output, "failed", seconds, (failure,))
    return FileResult(task.file, task.output, "done", seconds, tuple(map(str, notes)))


def _check_importable(work: Callable[[FileTask], FileResult]) -> None:
    try:
        pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ParameterError(
            "must be a function of a module if jobs is more than 1, because other processes import "
            f"it: {error}",
            parameter="operation",
        ) from None
