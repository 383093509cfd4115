"""`motionloom register`: how clips correspond, as a saved curve and a plot."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from motionloom.cli.output import (
    ANY_PATH,
    as_json,
    force,
    make_folder,
    print_facts,
    print_json,
    progress,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError, RegistrationWarning


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@click.option("-o", "--output", required=True, type=ANY_PATH, help="The .npz file for the curve.")
@click.option("--strides", is_flag=True, help="Cut locomotion to the same whole strides first.")
@click.option("--fps", type=float, help="Bring all clips to this frame rate first.")
@click.option(
    "--profile", type=click.Choice(["default", "paper", "thesis"]), default="default", show_default=True
)
@click.option("--slope-limit", type=int, help="How many frames of one clip a frame of another may meet.")
@click.option("--plot", type=ANY_PATH, help="Draw grids, curve and constraints into this .png, .svg or .pdf.")
@force
@as_json
@reading_options
def register(
    files: tuple[Path, ...],
    output: Path,
    strides: bool,
    fps: float | None,
    profile: str,
    slope_limit: int | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Find how the clips in FILES correspond in time, place and foot plants.

    The clips as they were registered (annotated, cut, resampled) are written beside the curve, which refers
    to them.
    """
    from motionloom.annotation import annotate
    from motionloom.cycles import match_strides
    from motionloom.files import save
    from motionloom.registration import register as registered

    if output.suffix.lower() != ".npz":
        raise ParameterError(f"{output}: a registration is saved as .npz")
    folder = output.with_name(f"{output.stem}-clips")
    places = [folder / f"{n:02d}-{path.stem}.npz" for n, path in enumerate(files)]
    refuse_existing([output, *places, *([plot] if plot else [])], force)
    clips = [reader.read(path) for path in files]
    clips = [annotate(clip if fps is None else clip.resampled(fps)) for clip in clips]
    if strides:
        clips = match_strides(clips)
    changes: dict[str, Any] = {} if slope_limit is None else {"slope_limit": slope_limit}
    # The verdict is among the facts below; the library's warning would only say it twice.
    warnings.simplefilter("ignore", RegistrationWarning)
    with progress("registering", quiet=len(files) < 3) as update:
        curve = registered(clips, profile=profile, progress=update, **changes)  # type: ignore[arg-type]
    make_folder(folder)
    stored = tuple(
        replace(clip, source=replace(clip.source, path=str(place)))
        for clip, place in zip(curve.clips, places, strict=True)
    )
    for clip, place in zip(stored, places, strict=True):
        save(clip, place, overwrite=force)
    save(replace(curve, clips=stored), output, overwrite=force)
    if plot is not None:
        from motionloom.display.figures import plot_registration

        plot_registration(curve, plot, overwrite=force)
    report = curve.report
    facts = {
        "written": [str(path) for path in (output, *places, *([plot] if plot else []))],
        "reference": str(files[curve.reference]),
        "verdict": report.verdict.value,
        "reason": report.reason,
        "mean_distance_m": report.mean_distance,
        "max_distance_m": report.max_distance,
        "saturation": report.saturation,
        "cycle_error_frames": report.cycle_error,
        "matches": report.n_matches,
        "unmatched": len(report.unmatched),
        "splits": len(report.splits),
        "notes": list(report.notes),
    }
    if as_json:
        print_json(facts)
        return
    print_facts(f"{len(files)} clips registered", {name: facts[name] for name in facts if name != "notes"})
    for note in report.notes:
        click.echo(f"  note: {note}")
