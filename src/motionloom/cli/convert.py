"""`motionloom convert`: motion files in another format, frame rate, unit or up axis."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import click

from motionloom.atomic_write import make_folder
from motionloom.cli.options import ANY_PATH, as_json, command, force, fps, option, template_options
from motionloom.cli.output import (
    Failures,
    escape_controls,
    print_line,
    print_written,
    progress,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.cli.words import words_here
from motionloom.errors import MotionloomError, ParameterError
from motionloom.files import Layout, save
from motionloom.files.formats import output_suffixes, points_only
from motionloom.files.losses import find_losses
from motionloom.files.normalize import scale_clip, scale_points
from motionloom.files.options import Template, WriteOptions
from motionloom.motion import Clip, PointClip
from motionloom.motion.provenance import UpAxis
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.validation import check_positive

MAX_THREADS = 8
"""Files that are converted at a time; more would not make disks faster."""


@dataclass(frozen=True, kw_only=True)
class Conversion:
    """How files are read, changed and written."""

    reader: Reader
    fps: float | None
    scale: float | None
    unit: str | None
    up: UpAxis | None
    template: Template
    layout: Layout | None
    mannequin: bool
    overwrite: bool


@dataclass(frozen=True)
class Outcome:
    """What happened to one file: notes about files, and the error if it failed."""

    notes: list[tuple[Path, str]]
    error: MotionloomError | None = None


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@option(
    "-o",
    "--output",
    type=ANY_PATH,
    show_default="the last of FILES",
    help="File to write, or folder if there are several files.",
)
@option(
    "--format",
    "suffix",
    metavar="FORMAT",
    callback=lambda context, parameter, value: _check_format(value),
    shell_complete=lambda context, parameter, start: [n for n in _formats() if n.startswith(start)],
    help="Format of the files in the folder: bvh, glb, npz or another suffix without its dot.",
)
@fps(show_default="as in the source", help="Frame rate to write.")
@option("--scale", type=float, metavar="FACTOR", help="Scale the motion by this factor.")
@option("--to-unit", metavar="UNIT", show_default="as in the source", help="Length unit to write.")
@option(
    "--to-up",
    type=click.Choice(["x", "y", "z"]),
    show_default="as in the source",
    help="Up axis to write.",
)
@template_options
@option(
    "--mannequin",
    is_flag=True,
    help="glTF, FBX, USD: write a neutral body around the skeleton, with its skin.",
)
@option(
    "--layout",
    type=click.Choice(get_args(Layout)),
    help="NPZ: amass writes motion of a body model. CSV: local rotations, or world positions of joints.",
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
    template: Template,
    layout: Layout | None,
    mannequin: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Convert motion FILES to another format, frame rate, size, unit or up axis.

    One file: the suffix of the output decides the format. Several: the output is a folder and --format
    decides. Files that fail do not stop the others; a table at the end says why they failed. Without -o, the
    last of FILES is the output.
    """
    files, output = _inputs_and_output(files, output)
    targets = _targets(files, output, suffix)
    if scale is not None:
        check_positive("--scale", scale)
    conversion = Conversion(
        reader=reader,
        fps=fps,
        scale=scale,
        unit=to_unit,
        up=to_up,
        template=template,
        layout=layout,
        mannequin=mannequin,
        overwrite=force,
    )
    folder = None if targets == [output] else output
    written: list[Path] = []
    failures = Failures(len(files))
    started = time.monotonic()
    with progress("converting", quiet=len(files) == 1) as update:
        for n, outcome in enumerate(_convert_all(files, targets, folder, conversion)):
            update(n + 1, len(files))
            for path, note in outcome.notes:
                reader.note(path, note)
            if outcome.error is None:
                written.append(targets[n])
            elif len(files) == 1:
                raise outcome.error
            else:
                failures.errors.append((files[n], outcome.error))
    elapsed = time.monotonic() - started
    print_written(written, as_json, notes=reader.notes, failed=failures.facts(), elapsed_s=round(elapsed, 3))
    reader.print_notes()
    if len(files) > 1:
        print_line(
            f"{len(written)} files in {elapsed:.1f} s, {len(written) / elapsed:.0f} per second", err=True
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
        raise ParameterError(f"{files[0]} is the input", remedy="name the output as well, last or with -o")
    return files[:-1], files[-1]


def _targets(files: tuple[Path, ...], output: Path, suffix: str | None) -> list[Path]:
    """Return the file to write for each file to read."""
    names_file = output.suffix.lower() in output_suffixes() and not output.is_dir()
    if len(files) == 1 and (names_file or (suffix is None and not output.is_dir())):
        if suffix is not None and output.suffix.lower() != f".{suffix}":
            raise ParameterError(
                f"{output} and --format {suffix} are different formats", remedy="leave out --format"
            )
        return [output]
    if names_file:
        raise ParameterError(f"{len(files)} files need a folder as output, and {output} is a file name")
    if suffix is None:
        raise ParameterError(
            f"give the format to write into a folder with --format: one of {', '.join(_formats())}"
        )
    targets = [output / f"{path.stem}.{suffix}" for path in files]
    if len(set(targets)) < len(targets):
        raise ParameterError(
            "two of the files have the same name and would overwrite each other",
            remedy="convert them separately",
        )
    return targets


def _convert_all(
    files: Sequence[Path], targets: Sequence[Path], folder: Path | None, conversion: Conversion
) -> Iterator[Outcome]:
    """Convert several files at a time and yield their outcomes in order.

    Threads are enough: kernels release the interpreter lock, and much of the time is spent waiting for disks
    and other programs.
    """

    def run(path: Path, target: Path) -> Outcome:
        return _convert(path, target, folder, conversion)

    executor = ThreadPoolExecutor(min(len(files), os.cpu_count() or 1, MAX_THREADS))
    try:
        yield from executor.map(run, files, targets)
    finally:
        executor.shutdown(cancel_futures=True)


def _convert(path: Path, target: Path, folder: Path | None, conversion: Conversion) -> Outcome:
    """Convert one file; its error is part of the outcome, so that the others go on."""
    notes: list[tuple[Path, str]] = []
    try:
        clip = _change_clip(_read(path, target, conversion.reader), conversion)
        notes += [(path, note) for note in clip.source.notes]
        if folder is not None:
            make_folder(folder)
        save(
            clip,
            target,
            unit=conversion.unit,
            up=conversion.up,
            template=conversion.template,
            layout=conversion.layout,
            mesh=_make_mesh(clip, conversion),
            overwrite=conversion.overwrite,
        )
    except MotionloomError as error:
        return Outcome(notes, error)
    except OSError as error:
        return Outcome(notes, MotionloomError(f"{path}: {(error.strerror or str(error)).lower()}"))
    except MemoryError:
        return Outcome(notes, MotionloomError(f"{path}: the motion does not fit into memory"))
    template = None if conversion.mannequin else conversion.template
    options = WriteOptions(unit=conversion.unit, up=conversion.up, template=template)
    losses = find_losses(clip, target, conversion.layout, options)
    return Outcome([*notes, *((target, note) for note in losses)])


def _make_mesh(clip: Clip | PointClip, conversion: Conversion) -> SkinnedMesh | None:
    """Make the mannequin of a clip, where one is asked for."""
    if not conversion.mannequin:
        return None
    if isinstance(clip, PointClip):
        raise ParameterError("--mannequin needs a skeleton, and the file has points without one")
    from motionloom.synthesis.mannequin import make_mannequin

    return make_mannequin(clip)


def _read(path: Path, target: Path, reader: Reader) -> Clip | PointClip:
    """Read the motion of a file, as points if either file has points."""
    if not any(points_only(each.suffix.lower()) for each in (path, target)):
        return reader.load(path)
    return reader.read_points(path)


def _change_clip(clip: Clip | PointClip, conversion: Conversion) -> Clip | PointClip:
    """Resample and scale a clip."""
    if conversion.fps is not None:
        clip = clip.resampled(conversion.fps)
    if conversion.scale is None:
        return clip
    if isinstance(clip, PointClip):
        return scale_points(clip, conversion.scale)
    return scale_clip(clip, conversion.scale)


def _print_table(failures: Failures) -> None:
    """Print the files that failed and why, on standard error."""
    if not failures.errors:
        return
    width = max(len(str(path)) for path, _ in failures.errors)
    print_line(f"{'file':<{width}}  why it failed", err=True)
    for path, error in failures.errors:
        name = click.style(escape_controls(f"{path!s:<{width}}"), fg="red")
        reason = escape_controls(error.message.render(words_here()).removeprefix(f"{path}: "))
        click.echo(f"{name}  {reason}", err=True)
