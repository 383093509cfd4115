"""`motionloom convert`: the same motion in another format, unit or axes."""

from __future__ import annotations

from pathlib import Path

import click

from motionloom.cli.failures import Failures
from motionloom.cli.output import ANY_PATH, as_json, force, make_folder, print_written, progress
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError
from motionloom.files import WRITABLE, save
from motionloom.motion.source import UpAxis

FORMATS = [suffix.removeprefix(".") for suffix in WRITABLE]


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@click.option("-o", "--output", required=True, type=ANY_PATH, help="A file, or a folder for several.")
@click.option(
    "--format", "suffix", type=click.Choice(FORMATS), help="Format of the files written into a folder."
)
@click.option("--to-unit", metavar="UNIT", help="Length unit to write; the source's own by default.")
@click.option(
    "--to-up", type=click.Choice(["x", "y", "z"]), help="Vertical axis to write; the source's own by default."
)
@force
@as_json
@reading_options
def convert(
    files: tuple[Path, ...],
    output: Path,
    suffix: str | None,
    to_unit: str | None,
    to_up: UpAxis | None,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Convert motion FILES to another format, unit or axes.

    One file: the ending of OUTPUT decides the format. Several: OUTPUT is a folder and --format decides; a
    file that cannot be converted is reported, and the others are converted all the same.
    """
    targets = _targets(files, output, suffix)
    written: list[Path] = []
    failures = Failures(len(files))
    with progress("converting", quiet=len(files) == 1) as update:
        for n, (path, target) in enumerate(zip(files, targets, strict=True)):
            update(n, len(files))
            with failures.kept(path):
                clip = reader.read(path)
                if target != output:
                    make_folder(output)
                save(clip, target, unit=to_unit, up=to_up, overwrite=force)
                reader.note_losses(clip, target)
                written.append(target)
    print_written(written, as_json, notes=reader.notes, failed=failures.facts())
    failures.finish("converted")


def _targets(files: tuple[Path, ...], output: Path, suffix: str | None) -> list[Path]:
    """The file to write for each file to read."""
    names_file = output.suffix.lower() in WRITABLE and not output.is_dir()
    if len(files) == 1 and (names_file or (suffix is None and not output.is_dir())):
        if suffix is not None and output.suffix.lower() != f".{suffix}":
            raise ParameterError(f"{output} and --format {suffix} name different formats: leave out --format")
        return [output]
    if names_file:
        raise ParameterError(f"{len(files)} files go into a folder, and {output} is the name of a file")
    if suffix is None:
        raise ParameterError(f"--format says what to write into a folder: one of {', '.join(FORMATS)}")
    targets = [output / f"{path.stem}.{suffix}" for path in files]
    if len(set(targets)) < len(targets):
        raise ParameterError(
            "two of the files have the same name and would overwrite each other: convert them apart"
        )
    return targets
