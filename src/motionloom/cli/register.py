"""`motionloom register`: find how clips correspond, as a saved curve and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.options import (
    ANY_PATH,
    REGISTRATION_GROUP,
    as_json,
    command,
    derive_options,
    force,
    fps,
    markers,
    option,
    parse_options,
)
from motionloom.cli.output import (
    all_or_nothing,
    check_markers,
    check_plot,
    print_result,
    progress,
    refuse_existing,
    verdict_facts,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError
from motionloom.options.registration import CUT, REGISTRATION

if TYPE_CHECKING:
    from motionloom.cycles.match_strides import StrideCut
    from motionloom.registration import RegistrationCurve
    from motionloom.workflows import Cut, PartCut


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@option(
    "-o",
    "--output",
    required=True,
    type=ANY_PATH,
    metavar="FILE",
    help="File to write: an .npz with the registration curve.",
)
@derive_options((replace(CUT, default="whole"),))
@fps(show_default="the lowest of the clips", help="Resample all clips to this frame rate first.")
@derive_options(REGISTRATION, REGISTRATION_GROUP)
@option(
    "--plot",
    type=ANY_PATH,
    metavar="FILE",
    help="Also plot distance grids, curve and constraints to this .png, .svg or .pdf file.",
)
@markers
@force
@as_json
@reading_options
def register(
    files: tuple[Path, ...],
    output: Path,
    cut: Cut,
    fps: float | None,
    plot: Path | None,
    markers: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Find how the clips in FILES correspond in time, in space and in their foot plants.

    The registered clips (annotated, cut, resampled) are saved in a folder beside the curve, which refers to
    them.
    """
    from motionloom.engines.markers import save_sync_events
    from motionloom.files import save_with_clips
    from motionloom.workflows import prepare_and_register

    if output.suffix.lower() != ".npz":
        raise ParameterError("a registration is saved as .npz", subject=str(output))
    check_markers(markers)
    check_plot(plot)
    folder = output.with_name(f"{output.stem}-clips")
    clip_files = [folder / f"{n:02d}-{path.stem}.npz" for n, path in enumerate(files)]
    written = [output, *clip_files, *(path for path in (plot, markers) if path)]
    refuse_existing(written, force)
    settings = parse_options(REGISTRATION, options)
    clips = [clip if fps is None else clip.resampled(fps) for clip in map(reader.read, files)]
    with progress("registering", quiet=len(files) < 3) as update:
        prepared, curve = prepare_and_register(clips, cut=cut, progress=update, **settings)
    with all_or_nothing(written):
        save_with_clips(curve, output, clip_files, overwrite=force)
        if plot is not None:
            from motionloom.display import plot as plots

            plots.registration(curve, plot, overwrite=force)
        if markers is not None:
            save_sync_events(curve, markers, overwrite=force)
    facts = {"written": [str(path) for path in written], **_facts(curve, files)}
    kept: tuple[StrideCut | PartCut, ...] = prepared.stride_cuts or prepared.part_cuts
    cuts = list(zip(files, kept, strict=True)) if kept else []
    notes = list(curve.report.notes)
    if as_json:
        facts["cuts"] = [_cut_facts(file, part) for file, part in cuts]
    else:
        notes = [*(f"{file}: {part}" for file, part in cuts), *notes]
    print_result(f"{len(files)} clips registered", facts, notes, as_json)


def _facts(curve: RegistrationCurve, files: Sequence[Path]) -> dict[str, Any]:
    """Return how good the registration is."""
    report = curve.report
    return {
        "duration_s": curve.clips[curve.reference].duration,
        **verdict_facts(report),
        "reference": str(files[curve.reference]),
        "mean_distance_m": report.mean_distance,
        "max_distance_m": report.max_distance,
        "saturation": report.saturation,
        "cycle_error_frames": report.cycle_error,
        "matches": report.n_matches,
        "unmatched": len(report.unmatched),
        "splits": len(report.splits),
    }


def _cut_facts(file: Path, cut: StrideCut | PartCut) -> dict[str, Any]:
    """Return what was kept of the clip in a file, and what was cut off."""
    names = ("event", "strides", "start_seconds", "end_seconds", "seconds_before", "seconds_after")
    return {"file": str(file), **{name: getattr(cut, name) for name in names if hasattr(cut, name)}}
