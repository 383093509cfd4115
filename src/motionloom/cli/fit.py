"""`motionloom fit`: a skeleton with rotations from positions of joints."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
import numpy as np

from motionloom.cli.options import ANY_PATH, as_json, command, force, option, output_file
from motionloom.cli.output import all_or_nothing, clip_facts, print_json, print_line, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import FileFormatError, ParameterError
from motionloom.fitting import LAYOUTS, fit_skeleton
from motionloom.fitting.fit_skeleton import PointAxis, points_of_array
from motionloom.json_files import check_plain_file
from motionloom.motion import PointClip

ARRAY = ".npy"
"""Suffix of a plain array of positions (T, N, 3), as many programs write them."""


@command()
@click.argument("file", type=ANY_PATH)
@output_file
@option(
    "--layout",
    metavar="LAYOUT",
    show_default="the one that has these points",
    help=f"What the points are: {', '.join(LAYOUTS)}; or a motion file with a skeleton of their names.",
)
@option(
    "--bandwidth",
    type=float,
    metavar="HZ",
    show_default="off",
    help="Take motion above this for noise: 6 for walking, 10 to 15 for kicks.",
)
@option(
    "--points-up",
    type=click.Choice(["y", "-y", "z", "-z"]),
    default="y",
    help="NPY: axis that leads up; cameras count downwards.",
)
@force
@as_json
@reading_options
def fit(
    file: Path,
    output: Path,
    layout: str | None,
    bandwidth: float | None,
    points_up: PointAxis,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Fit a skeleton to the positions of joints in FILE: bones of constant length, with rotations.

    FILE holds points: C3D, TRC, CSV, our NPZ, or NPY with an array of frames, points and x, y, z in metres,
    whose frame rate --read-fps states.
    """
    from motionloom.files import load_clip, save

    refuse_existing([output], force)
    if file.suffix.lower() == ARRAY:
        points = _read_array(file, reader.options["fps"], points_up)
    else:
        if points_up != "y":
            raise ParameterError("--points-up is for NPY files: --up says which axis of other files leads up")
        points = reader.read_points(file)
        for note in points.source.notes:
            reader.note(file, note)
    is_file = layout is not None and bool(Path(layout).suffix)
    wanted = load_clip(Path(str(layout))).skeleton if is_file else layout
    fitted = fit_skeleton(points, layout=wanted, bandwidth=bandwidth)
    with all_or_nothing([output]):
        save(fitted, output, overwrite=force)
    reader.note_losses(fitted.clip, output)
    if as_json:
        print_json(
            {"file": str(file), "written": str(output), **clip_facts(fitted.clip), **asdict(fitted.report)}
        )
        return
    print_line(str(fitted.report))
    print_line(f"wrote {output}")


def _read_array(path: Path, fps: float | None, up: PointAxis) -> PointClip:
    """Return the points of an array, which holds numbers and nothing to execute."""
    if fps is None:
        raise ParameterError(
            "an array has no frame rate", subject=str(path), remedy="state it with --read-fps"
        )
    check_plain_file(path)
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise FileFormatError(path, "there is no such file") from None
    except (OSError, ValueError, EOFError) as error:
        raise FileFormatError(path, f"holds no array of numbers: {error}") from None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
        raise FileFormatError(path, "holds no array of numbers")
    return points_of_array(np.asarray(array, np.float64), fps, up)
