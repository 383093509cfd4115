"""`motionloom register`: how clips correspond, as a saved curve and a plot."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.output import (
    ANY_PATH,
    all_or_nothing,
    as_json,
    check_markers,
    force,
    markers,
    print_facts,
    print_json,
    print_notes,
    progress,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError, RegistrationWarning

if TYPE_CHECKING:
    from motionloom.cycles import StrideCut
    from motionloom.motion import Clip
    from motionloom.registration import RegistrationCurve


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@click.option("-o", "--output", required=True, type=ANY_PATH, help="The .npz file for the curve.")
@click.option("--strides", is_flag=True, help="Cut locomotion to the same whole strides first.")
@click.option("--loops", is_flag=True, help="Close one cycle of each clip first; they then go on for ever.")
@click.option("--fps", type=float, help="Bring all clips to this frame rate first.")
@click.option(
    "--profile", type=click.Choice(["default", "paper", "thesis"]), default="default", show_default=True
)
@click.option("--slope-limit", type=int, help="How many frames of one clip a frame of another may meet.")
@click.option("--plot", type=ANY_PATH, help="Draw grids, curve and constraints into this .png, .svg or .pdf.")
@markers
@force
@as_json
@reading_options
def register(
    files: tuple[Path, ...],
    output: Path,
    strides: bool,
    loops: bool,
    fps: float | None,
    profile: str,
    slope_limit: int | None,
    plot: Path | None,
    markers: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Find how the clips in FILES correspond in time, place and foot plants.

    The clips as they were registered (annotated, cut, resampled) are written beside the curve, which refers
    to them.
    """
    from motionloom.files import save_markers
    from motionloom.files.bundles import save_with_clips

    if strides and loops:
        raise ParameterError("--strides and --loops exclude each other: clips are cut open or closed")
    if output.suffix.lower() != ".npz":
        raise ParameterError(f"{output}: a registration is saved as .npz")
    check_markers(markers)
    if plot is not None:
        from motionloom.display.figures import plot_registration
        from motionloom.display.plotting import check_figure

        check_figure(plot)
    folder = output.with_name(f"{output.stem}-clips")
    places = [folder / f"{n:02d}-{path.stem}.npz" for n, path in enumerate(files)]
    written = [output, *places, *(path for path in (plot, markers) if path)]
    refuse_existing(written, force)
    clips = _prepared([reader.read(path) for path in files], fps, strides=strides, loops=loops)
    changes: dict[str, Any] = {} if slope_limit is None else {"slope_limit": slope_limit}
    curve = _registered(clips, profile=profile, **changes)
    with all_or_nothing(written):
        save_with_clips(curve, output, places, overwrite=force)
        if plot is not None:
            plot_registration(curve, plot, overwrite=force)
        if markers is not None:
            save_markers(curve, markers, overwrite=force)
    facts = {"written": [str(path) for path in written], **_facts(curve, files)}
    cuts = [_cut(file, clip.report) for file, clip in zip(files, clips, strict=True)] if strides else []
    if as_json:
        print_json({**facts, "cuts": cuts, "notes": list(curve.report.notes)})
    else:
        _print_people(facts, cuts, curve.report.notes, len(files))


def _prepared(clips: Sequence[Clip], fps: float | None, *, strides: bool, loops: bool) -> list[Clip]:
    """The clips as they are registered: at one rate, annotated, and cut to strides or closed if asked."""
    from motionloom.annotation import annotate
    from motionloom.cycles import cyclify, match_strides

    ready = [annotate(clip if fps is None else clip.resampled(fps)) for clip in clips]
    if strides:
        return match_strides(ready)
    return [cyclify(clip, n_cycles=1) for clip in ready] if loops else ready


def _registered(clips: Sequence[Clip], **choices: Any) -> RegistrationCurve:
    from motionloom.registration import register as registered

    with warnings.catch_warnings(), progress("registering", quiet=len(clips) < 3) as update:
        # The verdict is among the facts that are printed; the library's warning would only say it twice.
        warnings.simplefilter("ignore", RegistrationWarning)
        return registered(clips, progress=update, **choices)


def _print_people(
    facts: Mapping[str, object], cuts: Sequence[Mapping[str, Any]], notes: Sequence[str], n_clips: int
) -> None:
    print_facts(f"{n_clips} clips registered", facts)
    for cut in cuts:
        click.echo(
            f"  {cut['file']}: whole strides {cut['n_strides']}, cut at {cut['event']}, "
            f"{cut['seconds_before']:.2f} s left out before and {cut['seconds_after']:.2f} s after"
        )
    print_notes(notes)


def _facts(curve: RegistrationCurve, files: Sequence[Path]) -> dict[str, Any]:
    """How good the registration is."""
    report = curve.report
    return {
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
    }


def _cut(file: Path, cut: StrideCut) -> dict[str, Any]:
    """What was kept of the clip in a file, and what was not."""
    return {
        "file": str(file),
        "event": cut.event,
        "n_strides": cut.n_strides,
        "seconds_before": cut.seconds_before,
        "seconds_after": cut.seconds_after,
    }
