"""`motionloom variations`: similar but distinct motions from a saved curve."""

from __future__ import annotations

from pathlib import Path

import click

from motionloom.cli.options import (
    ANY_PATH,
    allow_unfit,
    as_json,
    command,
    duration,
    force,
    option,
)
from motionloom.cli.output import all_or_nothing, print_written, refuse_existing, verdict_facts
from motionloom.cli.reading import print_losses
from motionloom.validation import check_count

MAX_COUNT = 10_000
"""Files of one call; more is a typing error."""


@command()
@click.argument("curve", type=ANY_PATH)
@option("-o", "--output", required=True, type=ANY_PATH, metavar="DIR", help="Folder for the files.")
@option("-n", "--count", default=8, metavar="N", help="Number of motions.")
@option("--seed", default=0, metavar="N", help="Seed of the random weights: the same seed, the same motions.")
@option(
    "--format",
    "suffix",
    type=click.Choice(["bvh", "npz"]),
    default="bvh",
    help="Format of the files.",
)
@option(
    "--spread",
    type=float,
    default=1.0,
    metavar="FACTOR",
    help="How far weights depart from equal weights; at 1 they reach the clips themselves.",
)
@option(
    "--change-every",
    type=float,
    metavar="SECONDS",
    show_default="never",
    help="Change the weights within a motion this often.",
)
@duration(show_default="to the end of the clips", help="Maximum duration of each motion.")
@allow_unfit
@force
@as_json
def variations(
    curve: Path,
    count: int,
    seed: int,
    output: Path,
    suffix: str,
    spread: float,
    change_every: float | None,
    duration: float | None,
    allow_unfit: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make similar but distinct motions from a registration curve: eight kicks from three.

    CURVE is an .npz file that `motionloom register` wrote.
    """
    from motionloom.blending.variations import variations as make_variations
    from motionloom.files import load_registration, save
    from motionloom.workflows import check_fit

    check_count("-n", count, max=MAX_COUNT)
    width = max(2, len(str(count)))
    paths = [output / f"variation-{i + 1:0{width}d}.{suffix}" for i in range(count)]
    refuse_existing(paths, force)
    registered = load_registration(curve)
    if not allow_unfit:
        check_fit(registered)
    results = make_variations(
        registered, count, seed, spread=spread, change_every=change_every, duration=duration
    )
    with all_or_nothing(paths):
        for result, path in zip(results, paths, strict=True):
            save(result.clip, path, overwrite=force)
    print_losses(results[0].clip, output / f"*.{suffix}")
    print_written(
        paths,
        as_json,
        **verdict_facts(registered.report),
        first_weights=[result.weights[0].round(6).tolist() for result in results],
        frames=[result.clip.n_frames for result in results],
    )
