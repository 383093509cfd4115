"""Traces of planting: takes and blends of the library whose feet are planted, against themselves unplanted.

`python -m benchmarks.planting_traces` annotates and plants 200 takes of the library and 200 blends of
accepted pairs, at 30 and 120 frames per second, with the default stretch and with rigid bones. Every row is a
figure: how many runs miss its bound, the middle and the worst value, and the three worst runs. Changes are
those of `motionloom.quality.changes`; a bound in brackets is not required. Takes are cut to 20 seconds. What
has no legs or no plants is skipped, and counted.

- `--takes 20 --pairs 10` takes a sample, `--seed S` another one; `--rates 30`, `--stretch 0` fewer variants
- `--jobs 1` runs one process instead of two
- `--json FILE` writes the figures of every run
"""

from __future__ import annotations

import argparse
import json
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.corpus import need_corpus
from benchmarks.takes.pairs import TakePair, load_take, rows, same_pairs
from motionloom.annotation.labels import PLANT_KINDS
from motionloom.arrays import BoolArray, norm
from motionloom.blending import blend
from motionloom.enforcement import EnforcementReport, enforce
from motionloom.enforcement.enforce import MAX_STRETCH
from motionloom.errors import MotionloomError
from motionloom.motion import Clip, Result
from motionloom.motion.anatomy import find_anatomy
from motionloom.quality import find_feet, plant_measures, skate_speeds
from motionloom.quality.changes import CHANGES, measure_changes
from motionloom.registration import Verdict
from motionloom.workflows import ensure_annotated, plant_blend, prepare_and_register

SEED = 35
MAX_SECONDS = 20.0
BATCH = 4
"""Takes or pairs that each process is given at once."""

RATES = (30.0, 120.0)
STRETCHES = (MAX_STRETCH, 0.0)

MAX_HELD, MAX_AGAIN = 0.01, 0.01
"""Millimetres that a held point may move, and a second run may change."""

MIN_KEPT = 95.0
"""Per cent of the annotated time of plants that stays planted."""

MAX_SKATE_RISE = 0.001
"""Centimetres per second by which skate may rise: rounding."""

N_WORST = 3
"""Names of the worst runs that are shown of every bound."""

MAX_OTHER_PAIRS = 4
"""Pairs that are tried for each that is wanted, because some are refused."""


SHOWN = (
    "kept roll",
    "added speed beside stances",
    "knee snap ratio",
    *(f"spike of the {part}" for part in ("pelvis", "head", "knees", "hands")),
)
"""Changes that are shown without a bound that planting has to keep."""


@dataclass(frozen=True)
class Bound:
    """A figure of every run, its limits, and whether they are required."""

    name: str
    unit: str
    low: float
    high: float
    required: bool = True

    def badness(self, value: float) -> float:
        """How bad a value is, to find the worst: how near it is to its limits, or beyond."""
        if np.isinf(self.low):
            return value
        return -value if np.isinf(self.high) else abs(value)

    def is_kept(self, value: float) -> bool:
        """Whether a value is within limits that are required."""
        return not self.required or self.low <= value <= self.high

    @property
    def words(self) -> str:
        """The limits in words."""
        if np.isinf(self.low):
            words = f"at most {self.high:g}"
        else:
            words = f"at least {self.low:g}" if np.isinf(self.high) else f"{self.low:g} to {self.high:g}"
        return words if self.required else f"({words})"


BOUNDS = (
    *(Bound(c.name, c.unit, c.low, c.high, c.name not in SHOWN) for c in CHANGES),
    Bound("added skate", "cm/s", -np.inf, MAX_SKATE_RISE),
    Bound("held points", "mm", -np.inf, MAX_HELD),
    Bound("second run", "mm", -np.inf, MAX_AGAIN),
    Bound("planted time kept", "%", MIN_KEPT, np.inf),
)


Plant = Callable[..., Result[EnforcementReport]]
"""A function that plants a clip, with the keyword ``stretch``."""


class Skip(Exception):
    """A take or pair has nothing to plant."""


@dataclass(frozen=True)
class Run:
    """One take or blend, planted: its name, its kind, and the figure of every bound."""

    name: str
    kind: str
    stretch: float
    figures: dict[str, float]


@dataclass(frozen=True)
class Outcome:
    """The runs of one take or pair, and why runs were skipped."""

    runs: tuple[Run, ...]
    skipped: tuple[str, ...]


@dataclass(frozen=True)
class Options:
    """How takes and pairs are planted."""

    rates: tuple[float, ...]
    stretches: tuple[float, ...]


SMALL_WORDS = ("--takes", "1", "--pairs", "1", "--stretch", "0", "--rates", "30", "--jobs", "1")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description="Plant takes and blends of the library, and look for traces."
    )
    parser.add_argument("--takes", type=int, default=200, help="takes")
    parser.add_argument("--pairs", type=int, default=200, help="pairs that are accepted")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--stretch", type=float, nargs="+", default=STRETCHES)
    parser.add_argument("--rates", type=float, nargs="+", default=RATES, help="frames per second")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--json", type=Path, help="file for the figures of every run")
    given = parser.parse_args(words)
    need_corpus()
    options = Options(tuple(given.rates), tuple(given.stretch))
    with ProcessPoolExecutor(given.jobs) as pool:

        def start(function: Callable[..., Outcome], items: Sequence[object]) -> Iterator[Outcome]:
            """Run a function over items, not many more of them than are asked for."""
            batch = BATCH * given.jobs
            for first in range(0, len(items), batch):
                part = items[first : first + batch]
                yield from pool.map(function, part, [options] * len(part))

        takes = collect(start(plant_take, choose_takes(given.seed)), given.takes)
        pairs = collect(start(plant_pair, choose_pairs(given.pairs, given.seed)), given.pairs)
    for kind, (runs, used, skipped) in {"takes": takes, "pairs": pairs}.items():
        reasons = "".join(f"; {count} {reason}" for reason, count in sorted(skipped.items()))
        print(f"{used} {kind}, {len(runs)} runs; skipped runs: {skipped.total()}{reasons}")
        for stretch in options.stretches:
            print_table(f"{kind}, stretch {stretch:g}", [run for run in runs if run.stretch == stretch])
    if given.json:
        given.json.write_text(json.dumps([asdict(run) for run in [*takes[0], *pairs[0]]], indent=1))


def collect(outcomes: Iterator[Outcome], count: int) -> tuple[list[Run], int, Counter[str]]:
    """Take outcomes until ``count`` have runs; returns the runs, how many have, and what was skipped."""
    runs: list[Run] = []
    skipped: Counter[str] = Counter()
    used = 0
    while used < count and (outcome := next(outcomes, None)) is not None:
        runs += outcome.runs
        skipped.update(outcome.skipped)
        used += bool(outcome.runs)
    return runs, used, skipped


def choose_takes(seed: int) -> list[str]:
    """All takes of the library, in an order that the seed decides."""
    names = sorted(rows())
    random.Random(seed).shuffle(names)
    return names


def choose_pairs(count: int, seed: int) -> list[TakePair]:
    """Pairs of takes of one action, in an order that the seed decides; more than are wanted."""
    return same_pairs(MAX_OTHER_PAIRS * count, seed=seed)


def plant_take(name: str, options: Options) -> Outcome:
    """Plant a take in every variant."""
    return plant_variants(name, "takes", options, partial(annotate_take, name))


def plant_pair(pair: TakePair, options: Options) -> Outcome:
    """Plant the blend of a pair in every variant."""
    return plant_variants(f"{pair.first}+{pair.second}", "pairs", options, partial(blend_pair, pair))


def plant_variants(
    name: str, kind: str, options: Options, prepare: Callable[[float], tuple[Clip, Plant]]
) -> Outcome:
    """Plant what ``prepare`` returns for every rate with every stretch, and measure what became of it."""
    runs, skipped = [], []
    for rate in options.rates:
        label = f"{name} at {rate:g} Hz"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                clip, plant = prepare(rate)
                for stretch in options.stretches:
                    figures = measure_run(clip, partial(plant, stretch=stretch))
                    runs.append(Run(label, kind, stretch, figures))
        except Skip as reason:
            skipped.append(str(reason))
        except Exception as error:  # a run that crashes is counted and does not end the others
            skipped.append(f"crashed: {label}: {type(error).__name__}: {error}")
    return Outcome(tuple(runs), tuple(skipped))


def annotate_take(name: str, rate: float) -> tuple[Clip, Plant]:
    """Return an annotated take, and how to plant it."""
    clip = ensure_annotated(cut(load_take(name, rate)))
    check_feet(clip)
    return clip, enforce


def blend_pair(pair: TakePair, rate: float) -> tuple[Clip, Plant]:
    """Return the unplanted blend of a pair, made as `mix` does, and how to plant it."""
    try:
        prepared, curve = prepare_and_register([cut(load_take(n, rate)) for n in (pair.first, pair.second)])
        if curve.report.verdict is Verdict.UNFIT:
            raise Skip("unfit")
        free = blend(curve, [0.5, 0.5])
    except MotionloomError as error:
        raise Skip(f"not registered: {type(error).__name__}") from error
    check_feet(free.clip)

    def plant(clip: Clip, *, stretch: float) -> Result[EnforcementReport]:
        planted = plant_blend(replace(free, clip=clip), curve, prepared, stretch=stretch)
        assert planted.report.enforcement is not None
        return Result(planted.clip, planted.report.enforcement)

    return free.clip, plant


def cut(clip: Clip) -> Clip:
    """Return the first seconds of a clip."""
    return clip[: round(MAX_SECONDS * clip.fps) + 1]


def check_feet(clip: Clip) -> None:
    """Skip what has no feet to plant."""
    if not find_anatomy(clip.skeleton).legs:
        raise Skip("without legs")
    if not any(constraint.kind in PLANT_KINDS for constraint in clip.constraints):
        raise Skip("without plants")


def measure_run(clip: Clip, plant: Callable[[Clip], Result[EnforcementReport]]) -> dict[str, float]:
    """Plant a clip twice and measure what the first time left in it, and what the second changed."""
    planted = plant(clip)
    held, report = planted.clip, planted.report
    again = plant(held).clip if held.constraints else held
    changes = measure_changes(clip, held)
    skates = [float(skate_speeds(find_feet(each, report.floor)).mean()) for each in (clip, held)]
    travel = plant_measures(held, report.floor).travel
    reached = max((plant.distance for plant in report.unreached), default=0.0)
    return {
        **dict(zip((change.name for change in CHANGES), changes.values, strict=True)),
        "added skate": 100.0 * (skates[1] - skates[0]),
        "held points": 1000.0 * max(float(travel.max(initial=0.0)), reached),
        "second run": 1000.0 * float(norm(again.world_positions() - held.world_positions()).max()),
        "planted time kept": 100.0 * kept_fraction(clip, held, report),
    }


def kept_fraction(clip: Clip, held: Clip, report: EnforcementReport) -> float:
    """The fraction of the frames in which points were annotated as planted in which they are held."""
    annotated, kept = planted_frames(clip), planted_frames(held)
    for plant in report.unreached:
        kept[plant.joint, plant.kind][plant.start : plant.end + 1] = False
    nothing = np.zeros(clip.n_frames, dtype=np.bool_)
    both = sum(int((mask & kept.get(key, nothing)).sum()) for key, mask in annotated.items())
    return both / sum(int(mask.sum()) for mask in annotated.values())


def planted_frames(clip: Clip) -> dict[tuple[str, str], BoolArray]:
    """The frames (T,) in which constraints hold heels and toes, by joint and kind."""
    found: dict[tuple[str, str], BoolArray] = {}
    for constraint in clip.constraints:
        if constraint.kind in PLANT_KINDS:
            key = constraint.joint, constraint.kind
            mask = found.setdefault(key, np.zeros(clip.n_frames, dtype=np.bool_))
            mask[constraint.whole_frames(clip.n_frames)] = True
    return found


def print_table(title: str, runs: Sequence[Run]) -> None:
    """Print how often every bound is missed, the middle and the worst value, and whose that is."""
    missed = sum(any(not b.is_kept(run.figures[b.name]) for b in BOUNDS) for run in runs)
    print(f"\n{title}: {len(runs)} runs, of which {missed} miss a bound")
    if not runs:
        return
    print(f"{'':34}{'bound':>16}{'runs':>6}{'misses':>8}{'median':>10}{'worst':>10}  worst three")
    for bound in BOUNDS:
        ordered = sorted(runs, key=lambda run: bound.badness(run.figures[bound.name]), reverse=True)
        values = [run.figures[bound.name] for run in ordered]
        misses = sum(not bound.is_kept(value) for value in values)
        worst = ", ".join(f"{run.name} {run.figures[bound.name]:.3g}" for run in ordered[:N_WORST])
        title = f"{bound.name}, {bound.unit}" if bound.unit else bound.name
        print(
            f"{title:<34}{bound.words:>16}{len(values):>6}{misses:>8}{np.median(values):>10.3f}"
            f"{values[0]:>10.3f}  {worst}"
        )
    falls = np.mean([run.figures["added skate"] < 0.0 for run in runs])
    print(f"skate falls in {100.0 * falls:.0f} % of the runs")


if __name__ == "__main__":
    main()
