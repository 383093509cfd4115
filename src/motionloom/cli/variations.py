"""`motionloom variations`: many similar motions from a few."""

from __future__ import annotations

from pathlib import Path

import click

from motionloom.cli.output import (
    ANY_PATH,
    UNFIT_OVERRIDE,
    all_or_nothing,
    allow_unfit,
    as_json,
    force,
    print_written,
    refuse_existing,
)
from motionloom.cli.reading import note_losses
from motionloom.errors import ParameterError

MOST = 10_000
"""Files of one call; more is a slip of a number."""


@click.command()
@click.argument("curve", type=ANY_PATH)
@click.option("-n", "--count", default=8, show_default=True, help="How many motions to make.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same motions.")
@click.option("-o", "--output", required=True, type=ANY_PATH, help="The folder for the files.")
@click.option("--format", "ending", type=click.Choice(["bvh", "npz"]), default="bvh", show_default=True)
@click.option(
    "--spread",
    type=float,
    default=1.0,
    show_default=True,
    help="How far from the mean of the clips; 1 reaches the clips themselves.",
)
@click.option("--change-every", type=float, help="Seconds after which the weights arrive at new ones.")
@click.option("--duration", type=float, help="Maximum length of each motion in seconds.")
@allow_unfit
@force
@as_json
def variations(
    curve: Path,
    count: int,
    seed: int,
    output: Path,
    ending: str,
    spread: float,
    change_every: float | None,
    duration: float | None,
    allow_unfit: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make similar but distinct motions from the registered clips of CURVE: three kicks, eight more."""
    from motionloom.blending.variations import variations as varied
    from motionloom.files import load_registration, save
    from motionloom.workflows import check_fit

    if not 1 <= count <= MOST:
        raise ParameterError(f"-n must lie between 1 and {MOST}, not {count}")
    width = max(2, len(str(count)))
    places = [output / f"variation-{i + 1:0{width}d}.{ending}" for i in range(count)]
    refuse_existing(places, force)
    registered = load_registration(curve)
    if not allow_unfit:
        check_fit(registered, UNFIT_OVERRIDE)
    made = varied(registered, count, seed, spread=spread, change_every=change_every, duration=duration)
    with all_or_nothing(places):
        for result, place in zip(made, places, strict=True):
            save(result.clip, place, overwrite=force)
    note_losses(made[0].clip, output / f"*.{ending}")
    print_written(
        places,
        as_json,
        verdict=registered.report.verdict.value,
        first_weights=[result.weights[0].round(6).tolist() for result in made],
        frames=[result.clip.n_frames for result in made],
    )
