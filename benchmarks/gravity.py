"""Gravity in blended flights: how fast jumps, hops and runs fall under each rate law.

Run with `python -m benchmarks.gravity`. Pairs of captured takes are resampled to 120 frames per second,
annotated, registered whole and blended with equal weights. Each blended flight of a jump lasts at least
0.25 s. The expected acceleration is Σ w g T² / Σ w T² of the takes' own flights: takes whose rate was noted
wrongly fall with 39 m/s², and so should their blend. Errors are relative to it, in per cent: of the blend as
it is and, for "auto", with weights 1/4 and 3/4, with weights that change by 0.8 about the jump, and with its
feet planted. Seams are the larger of acceleration and jerk at take-off and landing against what is usual in
the takes, under "auto", under "frequency", and of the takes themselves; captures score 1 or less at 95 % of
their frames. The pairs kept aside were run only when the law was finished. Runs are cut to the same strides;
their flights are short, so errors are given as means over pairs with 95 % bootstrap intervals.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from benchmarks.corpus import MOCAP, need_corpus
from motionloom import KeyedWeights, RegistrationCurve, annotate, blend, load, prepare, register
from motionloom.annotation.flights import Flight, find_flights
from motionloom.blending import BlendResult
from motionloom.blending.result import BlendedFlight
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_body_masses
from motionloom.options.blending import RateLaw
from motionloom.quality import seam_smoothness
from motionloom.workflows import plant_blend

FPS = 120.0
MIN_FLIGHT = 0.25
"""Seconds that a blended flight lasts at least to be listed among the jumps."""

JUMPS = (
    ("16_01", "16_03"), ("16_02", "16_04"), ("16_05", "16_07"), ("13_11", "13_13"), ("13_39", "13_41"),
    ("118_01", "118_05"), ("hop_short_83_48", "jump_long_83_50"),
)  # fmt: skip
"""Jumps, high jumps, forward jumps and hops with which the law was built."""

KEPT_ASIDE = (
    ("16_06", "16_09"), ("13_19", "13_32"), ("13_40", "13_42"), ("118_02", "118_03"), ("118_10", "118_20"),
    ("118_12", "118_13"), ("118_16", "118_26"), ("hopturn_left90_83_52", "hop_short_83_48"),
    ("127_25", "127_26"), ("49_04", "49_05"), ("75_02", "75_03"), ("75_10", "75_11"), ("85_01", "85_02"),
)  # fmt: skip
"""Pairs that were not looked at before."""

RUNS = ("run_straight_16_45", "run_left_16_48", "run_right_16_49", "jog_straight_16_35", "jog_left_16_37")
LAWS: tuple[RateLaw, ...] = ("frequency", "duration", "ballistic", "auto")

SMALL = {"JUMPS": JUMPS[:1], "KEPT_ASIDE": KEPT_ASIDE[:1], "RUNS": RUNS[:2]}


@dataclass(frozen=True)
class Row:
    """What one pair came to; errors are relative to the expected acceleration."""

    names: tuple[str, str]
    durations: tuple[float, ...]
    gravities: tuple[float, ...]
    expected: float
    duration: float
    errors: dict[str, float]
    seams: tuple[float, float, float]


def main() -> None:
    need_corpus()
    warnings.simplefilter("ignore")
    kinds = ("uneven", "keyed", "planted")
    for title, pairs in (("jumps", JUMPS), ("jumps kept aside", KEPT_ASIDE)):
        print(f"{title}: error of gravity, %")
        heads = "".join(f"{name:>10}" for name in (*LAWS, *kinds))
        print(f"  {'pair':<40}{'T, s':>12}{'g, m/s²':>14}{'expected':>10}{heads}{'seams':>18}")
        rows = [row for pair in pairs if (row := measure_pair(pair)) is not None]
        for row in rows:
            print(format_row(row, (*LAWS, *kinds)))
        for law in (*LAWS, *kinds):
            values = np.abs([row.errors[law] for row in rows if law in row.errors])
            print(f"  {law:<10} mean {100 * values.mean():5.2f}  largest {100 * values.max():5.2f}")
        seams = [f"{max(values):.2f}" for values in zip(*(row.seams for row in rows), strict=True)]
        print(f"  largest seams {', '.join(seams)} (auto, frequency, the takes themselves)")
    print_runs()


def measure_pair(names: tuple[str, str]) -> Row | None:
    """Return what a pair comes to, or None where its longest flights do not correspond."""
    curve = register([_load(name) for name in names])
    results = {law: blend(curve, [0.5, 0.5], rate_law=law) for law in LAWS}
    report = results["auto"].report
    if not report.flights:
        print(f"  {' + '.join(names):<40}no flight in common: {'; '.join(report.notes)}")
        return None
    expected = max(report.flights, key=lambda flight: flight.end - flight.start)
    if (expected.end - expected.start) / FPS < MIN_FLIGHT:
        print(f"  {' + '.join(names):<40}the blended flight is shorter than {MIN_FLIGHT} s")
        return None
    own = [_longest(clip) for clip in curve.clips]
    errors: dict[str, float] = {law: _error(result, expected.gravity) for law, result in results.items()}
    errors["uneven"] = _own_error(blend(curve, [0.25, 0.75]))
    centre = (expected.start + expected.end) / 2.0 / FPS
    keys = KeyedWeights({centre - 0.5: (0.9, 0.1), centre + 0.5: (0.1, 0.9)})
    errors["keyed"] = _own_error(blend(curve, keys))
    errors["planted"] = _error_in(
        plant_blend(results["auto"], curve).clip, _longest(results["auto"].clip), expected
    )
    return Row(
        names,
        tuple(flight.duration(1.0 / FPS) for flight in own),
        tuple(flight.gravity for flight in own),
        expected.gravity,
        (expected.end - expected.start) / FPS,
        errors,
        (
            _seams(results["auto"].clip, curve),
            _seams(results["frequency"].clip, curve),
            max(_seams(clip, curve) for clip in curve.clips),
        ),
    )


def format_row(row: Row, kinds: Sequence[str]) -> str:
    """Return the line of a pair."""
    durations = " ".join(f"{value:.2f}" for value in row.durations)
    gravities = " ".join(f"{value:.2f}" for value in row.gravities)
    errors = "".join(f"{100 * row.errors[kind]:>+10.2f}" for kind in kinds)
    names = " + ".join(row.names)
    seams = "".join(f"{seam:>6.2f}" for seam in row.seams)
    return f"  {names:<40}{durations:>12}{gravities:>14}{row.expected:>10.2f}{errors}{seams}"


def print_runs() -> None:
    """Print the errors in runs and jogs, as means over pairs with intervals."""
    errors: dict[str, list[float]] = {law: [] for law in LAWS}
    n_pairs = n_flights = 0
    for pair in combinations(RUNS, 2):
        prepared = prepare([load(MOCAP / f"locomotion/s16/{name}.bvh") for name in pair])
        curve = prepared.register()
        results = {law: blend(curve, [0.5, 0.5], rate_law=law) for law in LAWS}
        expected = [flight.gravity for flight in results["auto"].report.flights]
        n_pairs, n_flights = n_pairs + bool(expected), n_flights + len(expected)
        for law, result in results.items() if expected else ():
            found = [flight.gravity for flight in find_flights(result.clip)]
            if found:
                errors[law].append(float(np.mean(found) / np.mean(expected)) - 1.0)
    print(f"runs and jogs: {n_pairs} pairs, {n_flights} flights; mean error of gravity, %, and its interval")
    for name, values in errors.items():
        low, high = _interval(np.array(values))
        print(f"  {name:<10}{100 * np.mean(values):>+7.2f}  ({100 * low:+.2f} to {100 * high:+.2f})")


def _interval(values: np.ndarray) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean."""
    random = np.random.default_rng(0)
    means = values[random.integers(0, len(values), (2000, len(values)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _error(result: BlendResult, expected: float) -> float:
    return _longest(result.clip).gravity / expected - 1.0


def _error_in(clip: Clip, flight: Flight, expected: BlendedFlight) -> float:
    """Return the error of the gravity that fits a clip in the frames of a flight."""
    body = find_body_masses(clip.skeleton)
    assert body is not None
    frames = np.arange(int(np.ceil(flight.start)), int(np.floor(flight.end)) + 1)
    heights = body.centre(clip.world_positions(), clip.world_rotations())[frames, 1]
    return float(-2.0 * np.polyfit(frames / FPS, heights, 2)[0] / expected.gravity - 1.0)


def _seams(clip: Clip, curve: RegistrationCurve) -> float:
    flight = _longest(clip)
    seams = seam_smoothness(clip, [flight.start, flight.end], curve.clips)
    return max(seams.acceleration, seams.jerk)


def _own_error(result: BlendResult) -> float:
    """Return the error against what the blend itself expects, with its weights."""
    flights = result.report.flights
    if not flights:
        return float("nan")
    return _error(result, max(flights, key=lambda flight: flight.end - flight.start).gravity)


def _longest(clip: Clip) -> Flight:
    flights = find_flights(clip)
    return max(flights, key=lambda flight: flight.end - flight.start, default=Flight(0.0, 0.0, float("nan")))


@cache
def _load(name: str) -> Clip:
    path = MOCAP / f"actions/jumps/{name}.bvh"
    if not path.exists():
        path = MOCAP / "library" / name.split("_")[0] / f"{name}.bvh"
    return annotate(load(path).resampled(fps=FPS))


if __name__ == "__main__":
    main()
