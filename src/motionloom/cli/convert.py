"""`motionloom convert`: the same motion in another format, rate, unit or axes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import click

from motionloom.arrays import freeze
from motionloom.atomic_write import make_folder
from motionloom.cli.failures import Failures
from motionloom.cli.output import ANY_PATH, as_json, force, print_written, progress, sentence
from motionloom.cli.reading import Reader, losses, reading_options
from motionloom.errors import MotionloomError, ParameterError
from motionloom.files import Layout, load, load_points, save
from motionloom.files.formats import output_suffixes, points_only
from motionloom.files.normalize import scale_clip
from motionloom.motion import Clip, PointClip
from motionloom.motion.source import UpAxis
from motionloom.validation import check_positive

POINT_CHOICES = ("fps", "unit", "up")
"""Reading options that say something about files of points."""

MOST_THREADS = 8
"""More files at a time do not make disks faster."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """What is done to a clip on its way from one file to another."""

    reader: Reader
    fps: float | None
    scale: float | None
    unit: str | None
    up: UpAxis | None
    template: Path | None
    layout: Layout | None
    overwrite: bool


@dataclass(frozen=True)
class Converted:
    """How one file fared: what there is to say about files, and why it failed, if it did."""

    notes: list[tuple[Path, str]]
    error: MotionloomError | None = None


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@click.option(
    "-o", "--output", type=ANY_PATH, help="A file, or a folder for several; else the last of FILES."
)
@click.option(
    "--format",
    "suffix",
    metavar="FORMAT",
    callback=lambda context, parameter, value: _check_format(value),
    shell_complete=lambda context, parameter, start: [n for n in _formats() if n.startswith(start)],
    help="Format of the files written into a folder: bvh, glb, npz or any other suffix without its point.",
)
@click.option("--fps", type=float, help="Frame rate to write; the source's own by default.")
@click.option("--scale", type=float, metavar="FACTOR", help="Make the motion this many times as large.")
@click.option(
    "--to-unit",
    "--units",
    "to_unit",
    metavar="UNIT",
    help="Length unit to write; the source's own by default.",
)
@click.option(
    "--to-up", type=click.Choice(["x", "y", "z"]), help="Vertical axis to write; the source's own by default."
)
@click.option(
    "--template",
    type=ANY_PATH,
    metavar="GLB",
    help="glTF: a file with the character to give the motion to; its joints are named as those of FILES.",
)
@click.option(
    "--layout",
    type=click.Choice(get_args(Layout)),
    help="NPZ: amass for body-model motion. CSV: rotations, or positions of the joints in the world.",
)
@force
@as_json
@reading_options
def convert(
    files: tuple[Path, ...],
    output: Path | None,
    suffix: str | None,
    fps: float | None,
    scale: float | None,
    to_unit: str | None,
    to_up: UpAxis | None,
    template: Path | None,
    layout: Layout | None,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Convert motion FILES to another format, frame rate, size, unit or axes.

    One file: the ending of OUTPUT decides the format. Several: OUTPUT is a folder and --format decides; a
    file that cannot be converted does not keep the others from it, and a table at the end says why it failed.
    Without -o, the last of FILES is OUTPUT.
    """
    files, output = _inputs_and_output(files, output)
    targets = _targets(files, output, suffix)
    if scale is not None:
        check_positive("--scale", scale)
    change = Change(
        reader=reader,
        fps=fps,
        scale=scale,
        unit=to_unit,
        up=to_up,
        template=template,
        layout=layout,
        overwrite=force,
    )
    folder = None if targets == [output] else output
    written: list[Path] = []
    failures = Failures(len(files))
    started = time.monotonic()
    with progress("converting", quiet=len(files) == 1) as update:
        for n, outcome in enumerate(_all_converted(files, targets, folder, change)):
            update(n + 1, len(files))
            _say(outcome.notes, reader)
            if outcome.error is None:
                written.append(targets[n])
            elif len(files) == 1:
                raise outcome.error
            else:
                failures.errors.append((files[n], outcome.error))
    seconds = time.monotonic() - started
    print_written(written, as_json, notes=reader.notes, failed=failures.facts(), seconds=round(seconds, 3))
    if len(files) > 1:
        click.echo(
            f"{len(written)} files in {seconds:.1f} s, {len(written) / seconds:.0f} per second", err=True
        )
    _print_table(failures)
    failures.finish("converted")


def _formats() -> list[str]:
    return [suffix.removeprefix(".") for suffix in output_suffixes()]


def _check_format(value: str | None) -> str | None:
    if value is not None and value not in _formats():
        raise click.BadParameter(f"{value!r} is not one of {', '.join(_formats())}.")
    return value


def _inputs_and_output(files: tuple[Path, ...], output: Path | None) -> tuple[tuple[Path, ...], Path]:
    if output is not None:
        return files, output
    if len(files) < 2:
        raise ParameterError(f"{files[0]} is what to read: name the output too, last or with -o")
    return files[:-1], files[-1]


def _targets(files: tuple[Path, ...], output: Path, suffix: str | None) -> list[Path]:
    """The file to write for each file to read."""
    names_file = output.suffix.lower() in output_suffixes() and not output.is_dir()
    if len(files) == 1 and (names_file or (suffix is None and not output.is_dir())):
        if suffix is not None and output.suffix.lower() != f".{suffix}":
            raise ParameterError(f"{output} and --format {suffix} name different formats: leave out --format")
        return [output]
    if names_file:
        raise ParameterError(f"{len(files)} files go into a folder, and {output} is the name of a file")
    if suffix is None:
        raise ParameterError(f"--format says what to write into a folder: one of {', '.join(_formats())}")
    targets = [output / f"{path.stem}.{suffix}" for path in files]
    if len(set(targets)) < len(targets):
        raise ParameterError(
            "two of the files have the same name and would overwrite each other: convert them apart"
        )
    return targets


def _all_converted(
    files: Sequence[Path], targets: Sequence[Path], folder: Path | None, change: Change
) -> Iterator[Converted]:
    """How each file fared, in their order; several are converted at a time.

    Threads are enough: kernels run without the interpreter's lock, and much of the time goes into waiting for
    disks and for other programs.
    """

    def run(path: Path, target: Path) -> Converted:
        return _converted(path, target, folder, change)

    executor = ThreadPoolExecutor(min(len(files), os.cpu_count() or 1, MOST_THREADS))
    try:
        yield from executor.map(run, files, targets)
    finally:
        executor.shutdown(cancel_futures=True)


def _converted(path: Path, target: Path, folder: Path | None, change: Change) -> Converted:
    """Convert one file; the error of one file is a result, so that the others go on."""
    notes: list[tuple[Path, str]] = []
    try:
        clip = _changed(_read(path, target, change.reader), change)
        notes += [(path, note) for note in clip.source.notes]
        if folder is not None:
            make_folder(folder)
        save(
            clip,
            target,
            unit=change.unit,
            up=change.up,
            template=change.template,
            layout=change.layout,
            overwrite=change.overwrite,
        )
    except MotionloomError as error:
        return Converted(notes, error)
    except OSError as error:
        return Converted(notes, MotionloomError(f"{path}: {(error.strerror or str(error)).lower()}"))
    except MemoryError:
        return Converted(notes, MotionloomError(f"{path}: the motion does not fit into memory"))
    return Converted([*notes, *((target, note) for note in losses(clip, target, change.layout))])


def _read(path: Path, target: Path, reader: Reader) -> Clip | PointClip:
    """The motion of a file, as points where either file is one of points."""
    if not any(points_only(each.suffix.lower()) for each in (path, target)):
        return load(path, **reader.choices)
    for name, value in reader.choices.items():
        if value and name not in POINT_CHOICES:
            raise ParameterError(f"{name}= does not apply to {path.suffix} files of points")
    return load_points(path, **{name: reader.choices[name] for name in POINT_CHOICES})


def _changed(clip: Clip | PointClip, change: Change) -> Clip | PointClip:
    if change.fps is not None:
        clip = clip.resampled(change.fps)
    if change.scale is None:
        return clip
    if isinstance(clip, PointClip):
        return replace(clip, positions=freeze(clip.positions * change.scale))
    return scale_clip(clip, change.scale)


def _say(notes: Sequence[tuple[Path, str]], reader: Reader) -> None:
    for path, note in notes:
        reader.notes.setdefault(str(path), []).append(note)
        click.echo(f"{path}: {note}", err=True)


def _print_table(failures: Failures) -> None:
    """The files that failed and why, on standard error."""
    if not failures.errors:
        return
    width = max(len(str(path)) for path, _ in failures.errors)
    click.echo(f"{'file':<{width}}  why it failed", err=True)
    for path, error in failures.errors:
        name = click.style(f"{path!s:<{width}}", fg="red")
        click.echo(f"{name}  {sentence(error).removeprefix(f'{path}: ')}", err=True)
