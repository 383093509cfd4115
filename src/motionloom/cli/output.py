"""What commands print and write: results, progress, refusals to overwrite, errors of single files."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.atomic_write import make_folder
from motionloom.cli.words import words_here
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError
from motionloom.messages import render

if TYPE_CHECKING:
    from motionloom.motion import Clip, PointClip
    from motionloom.registration import RegistrationReport


def clip_facts(clip: Clip | PointClip) -> dict[str, Any]:
    """Return frames, rate and duration of a clip, as commands report them."""
    return {"frames": clip.n_frames, "fps": clip.fps, "duration_s": clip.duration}


def verdict_facts(report: RegistrationReport) -> dict[str, Any]:
    """Return how well clips correspond, as commands report it: the level, why, what to do, and the figure."""
    return {
        "verdict": report.verdict.value,
        "reason": report.reason,
        "remedy": report.remedy,
        "figure": report.figure,
    }


_UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters, which terminals obey, and those that reverse the direction of writing."""


def escape_controls(text: str) -> str:
    r"""Return a text with its control characters written out, so that no file can command the terminal.

    >>> escape_controls("hips\x1b[2J")
    'hips\\x1b[2J'
    """
    return _UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def print_line(text: str = "", *, err: bool = False, bold: bool = False) -> None:
    """Print a text on standard output or standard error; it may hold names and words of files."""
    click.secho(escape_controls(text), err=err, bold=bold or None)


def print_json(facts: object) -> None:
    """Print facts as JSON on standard output, in ASCII so that every terminal and pipe can carry it."""
    click.echo(json.dumps(facts, indent=2))


def print_facts(title: str, facts: Mapping[str, object]) -> None:
    """Print facts as an aligned two-column table on standard output."""
    print_line(title, bold=True)
    names = {name: name.replace("_", " ") for name in facts}
    width = max(map(len, names.values()), default=0)
    for name, value in facts.items():
        label = click.style(escape_controls(f"{names[name]:<{width}}"), fg="cyan")
        click.echo(f"{label}  {escape_controls(format_value(value))}")


VERBOSE, BRIEF, NOTES = "motionloom.verbose", "motionloom.brief", "motionloom.notes"
"""What a running command knows: whether everything is to be printed, whether its result was printed in brief,
and how many notes wait to be printed."""


def is_verbose() -> bool:
    """Whether the running command was called with --verbose."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(VERBOSE))


def print_result(title: str, facts: Mapping[str, object], notes: Sequence[str], json_wanted: bool) -> None:
    """Print a result: files, length, verdict and what to do; all facts and notes with --verbose, or as JSON.

    Of facts without files all are printed.
    """
    words = words_here()
    said = {name: render(fact, words) if isinstance(fact, str) else fact for name, fact in facts.items()}
    if json_wanted:
        print_json({**said, "notes": [render(note, words) for note in notes]})
        return
    lines = summarize(said)
    for line in lines:
        print_line(line)
    if lines and not is_verbose():
        _print_brief(len(notes))
        return
    shown = (*WRITTEN, *VERDICT) if lines else ()
    print_facts(title, {name: fact for name, fact in said.items() if name not in shown})
    print_notes(notes)


WRITTEN = ("written", "wrote")
"""Facts that are the files of a result."""


VERDICT = ("verdict", "reason", "remedy")
"""Facts that are the verdict on a result."""


def summarize(facts: Mapping[str, Any]) -> list[str]:
    """Return the lines that matter: the files, the length, the verdict, and what to do.

    >>> summarize({"written": "half.bvh", "frames": 74, "fps": 30.0, "duration_s": 2.4333})
    ['wrote half.bvh', 'length: 2.43 s (74 frames at 30 per second)']
    >>> summarize({"written": "c.npz", "verdict": "good match", "reason": "the clips do the same"})
    ['wrote c.npz', 'verdict: good match, the clips do the same']
    """
    files: Any = next((facts[name] for name in WRITTEN if name in facts), [])
    if not files:
        return []
    listed = [files] if isinstance(files, str) else list(files)
    more = f" and {len(listed) - 3} more files" if len(listed) > 4 else ""
    lines = [f"wrote {', '.join(map(str, listed[:3] if more else listed))}{more}"]
    if "duration_s" in facts:
        frames = f" ({facts['frames']} frames at {facts['fps']:.6g} per second)" if "frames" in facts else ""
        lines.append(f"length: {facts['duration_s']:.2f} s{frames}")
    if facts.get("verdict"):
        reason = f", {facts['reason']}" if facts.get("reason") else ""
        lines.append(f"verdict: {facts['verdict']}{reason}")
    if facts.get("remedy"):
        lines.append(f"what to do: {facts['remedy']}")
    return lines


def _print_brief(n_notes: int) -> None:
    """Say how to read the rest of a result, and how many notes there are, those on files included."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[BRIEF] = True
        count = context.meta.get(NOTES)
        n_notes += count() if callable(count) else 0
    noted = f"{n_notes} note{'' if n_notes == 1 else 's'} and all figures" if n_notes else "all figures"
    print_line(f"({noted}: -v)")


def print_notes(notes: Sequence[str]) -> None:
    """Print notes below a table of facts."""
    for note in notes:
        print_line(f"  note: {render(note, words_here())}")


def format_value(value: object) -> str:
    """Format a fact for people.

    >>> format_value([0.123456789, True, None])
    '0.123457, yes, unknown'
    """
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {format_value(entry)}" for name, entry in value.items()) or "none"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(format_value(entry) for entry in value) or "none"
    return str(value)


def print_written(paths: Sequence[Path], json_wanted: bool, **facts: object) -> None:
    """Print which files were written."""
    # Motion in .amc has its skeleton beside it.
    written = [
        file
        for path in paths
        for file in ([path, path.with_suffix(".asf")] if path.suffix.lower() == ".amc" else [path])
    ]
    if json_wanted:
        print_json({"written": [str(file) for file in written], **facts})
        return
    for file in written:
        print_line(f"wrote {file}")


@contextmanager
def progress(description: str, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on standard error, fed with (done, total); only if somebody watches."""
    # FORCE_COLOR makes rich take anything for a terminal, so the stream itself is asked.
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield update


def refuse_existing(paths: Iterable[Path | None], overwrite: bool) -> None:
    """Fail before the work starts if a file that it would write exists."""
    for path in paths:
        if path is not None and not overwrite and path.is_file():
            raise FileExistsRefusal(path)


def check_motion_file(path: Path) -> None:
    """Fail before the work starts if the suffix of a file is that of no format that can be written."""
    from motionloom.files.formats import find_formats

    find_formats(path, "written", lambda format: bool(format.write or format.write_points))


def check_markers(path: Path | None) -> None:
    """Fail before the work starts if sync markers would go into a file that is not named .json."""
    if path is not None and path.suffix.lower() != ".json":
        raise ParameterError("sync markers are saved as .json", subject=str(path))


def check_plot(path: Path | None) -> None:
    """Fail before the work starts if a plot has the wrong suffix, or if matplotlib is missing."""
    if path is not None:
        from motionloom.display.plot import check_plot_file

        check_plot_file(path)


@contextmanager
def all_or_nothing(paths: Sequence[Path]) -> Iterator[None]:
    """Make the folders of the files; if the block fails, remove the files and folders that are new."""
    above = {folder for path in paths for folder in path.parents}
    new_files = [path for path in paths if not path.exists()]
    new_folders = sorted((folder for folder in above if not folder.exists()), reverse=True)
    try:
        for path in paths:
            make_folder(path.parent)
        yield
    except BaseException:
        for path in new_files:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        for folder in new_folders:
            with suppress(OSError):
                folder.rmdir()
        raise


class Failures:
    """Collects the errors of single files, so that one bad file does not stop the others.

    Each is printed at once, and the command fails at its end. If there is only one file, its error is raised.
    """

    def __init__(self, n_files: int) -> None:
        self.n_files = n_files
        self.errors: list[tuple[Path, MotionloomError]] = []

    @contextmanager
    def collect(self, path: Path) -> Iterator[None]:
        """Run a block of work on one file and keep its error."""
        try:
            yield
        except MotionloomError as error:
            if self.n_files == 1:
                raise
            self.errors.append((path, error))
            print_line(f"motionloom: {error.message.render(words_here())}", err=True)

    def facts(self) -> list[dict[str, str]]:
        """Return the failed files and why they failed, for JSON."""
        return [
            {"file": str(path), "error": error.message.render(words_here())} for path, error in self.errors
        ]

    def finish(self, verb: str) -> None:
        """Fail if any file failed; as a wrong call if every file failed because of the call."""
        if not self.errors:
            return
        wrong_call = len(self.errors) == self.n_files and all(
            isinstance(error, ParameterError) for _, error in self.errors
        )
        kind = ParameterError if wrong_call else MotionloomError
        raise kind(f"{len(self.errors)} of {self.n_files} files could not be {verb}")
