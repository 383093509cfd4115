"""`motionloom register`: how clips correspond, as a saved curve and a plot."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from motionloom.cycles import StrideCut
    from motionloom.registration import RegistrationCurve


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
    from motionloom.registration import register as registered

    if output.suffix.lower() != ".npz":
        raise ParameterError(f"{output}: a registration is saved as .npz")
    if plot is not None:
        from motionloom.display.figures import plot_registration
        from motionloom.display.plotting import check_figure

        check_figure(plot)
    folder = output.with_name(f"{output.stem}-clips")
    places = [folder / f"{n:02d}-{path.stem}.npz" for n, path in enumerate(files)]
    written = [output, *places, *([plot] if plot else [])]
    refuse_existing(written, force)
    clips = [reader.read(path) for path in files]
    clips = [annotate(clip if fps is None else clip.resampled(fps)) for clip in clips]
    if strides:
        clips = match_strides(clips)
    cuts = [_cut(file, clip.report) for file, clip in zip(files, clips, strict=True)] if strides else []
    changes: dict[str, Any] = {} if slope_limit is None else {"slope_limit": slope_limit}
    with warnings.catch_warnings(), progress("registering", quiet=len(files) < 3) as update:
        # The verdict is among the facts below; the library's warning would only say it twice.
        warnings.simplefilter("ignore", RegistrationWarning)
        curve = registered(clips, profile=profile, progress=update, **changes)  # type: ignore[arg-type]
    with _all_or_nothing(written):
        _write(curve, output, places, force)
        if plot is not None:
            plot_registration(curve, plot, overwrite=force)
    facts = {"written": [str(path) for path in written], **_facts(curve, files), "cuts": cuts}
    if as_json:
        print_json({**facts, "notes": list(curve.report.notes)})
        return
    print_facts(f"{len(files)} clips registered", {name: facts[name] for name in facts if name != "cuts"})
    for cut in cuts:
        click.echo(
            f"  {cut['file']}: whole strides {cut['n_strides']}, cut at {cut['event']}, "
            f"{cut['seconds_before']:.2f} s left out before and {cut['seconds_after']:.2f} s after"
        )
    for note in curve.report.notes:
        click.echo(f"  note: {note}")


def _write(curve: RegistrationCurve, output: Path, places: Sequence[Path], overwrite: bool) -> None:
    """Write the clips to their places, and the curve, which then refers to them there."""
    from motionloom.files import save

    stored = tuple(
        replace(clip, source=replace(clip.source, path=str(place)))
        for clip, place in zip(curve.clips, places, strict=True)
    )
    for clip, place in zip(stored, places, strict=True):
        save(clip, place, overwrite=overwrite)
    save(replace(curve, clips=stored), output, overwrite=overwrite)


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


@contextmanager
def _all_or_nothing(paths: Sequence[Path]) -> Iterator[None]:
    """Make the folders of the files; when the block fails, remove the files and folders that are new."""
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
