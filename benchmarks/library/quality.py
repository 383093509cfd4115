"""How many hits are right, and how many actions are found, beside features of five effectors.

Queries are marked actions (`benchmarks/library/marks.py`), some of each by a seed; a repeated action gives a
second and a half from its middle. Takes without marks and the query's own take are not searched; mirrored
motion counts. Printed per action: precision among the first min(20, half the class) hits. Then, for all
actions together, precision and recall at a few limits. Limits of the library are fractions of the query's
spread and each hit's ordinary distance (`motionloom/library/match_limits.py`), those of the effectors of the
query's spread and its ordinary distance, in their units. Each method's own limit is the one with most recall
at a precision of 0.85 on the tuned half of the actions; the other half shows what that is worth. Precision is
the mean over queries that find anything, recall over all; intervals (95 %) are bootstrapped over queries.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.library.corpus_library import open_library
from benchmarks.library.effectors import make_features, search_effectors
from benchmarks.library.marks import (
    TUNED,
    Found,
    Mark,
    expected,
    judge,
    list_actions,
    load_marks,
    marked_takes,
    recall,
)
from motionloom.arrays import FloatArray
from motionloom.library import match_limits as limits
from motionloom.library.body_points import sample_points

SEED = 23
MAX_HITS = 300
QUERY_SECONDS = 1.5
MIN_PRECISION = 0.85
FRACTIONS = (0.3, 0.35, 0.4, 0.44, 0.48, 0.52, 0.56, 0.6, 0.62, 0.64, 0.66, 0.68, 0.7, 0.72, 0.76)
STEP_FRACTIONS = (0.56, 0.6, 0.62, 0.64, 0.66, 0.68, 0.7)
"""Limits at which a search in steps is repeated."""


@dataclass(frozen=True)
class Outcome:
    """What one method found for one query within each limit, nearest first."""

    mark: Mark
    within: dict[float, list[Found]]

    @property
    def found(self) -> list[Found]:
        """Everything that was found within the widest limit."""
        return self.within[max(self.within)]


def run(path: Path | None, n_queries: int) -> None:
    library = open_library(path)
    takes = {take.name: take for take in library.takes}
    points = _read_points(library)
    features = {name: make_features(points[name]) for name in marked_takes() if len(points[name]) > 10}
    methods: dict[str, list[Outcome]] = {"one step": [], "several steps": [], "five effectors": []}
    for mark in choose_queries(n_queries):
        segment = query_segment(takes[mark.take], mark)
        names = marked_takes() - {mark.take}

        def is_other(take: ml.library.Take, names: frozenset[str] = names) -> bool:
            return take.name in names

        sampled = sample_points(segment.clip())
        search = partial(library.search, segment, k=MAX_HITS, mirrored=True, where=is_other)
        hits = search()
        units = [hit.limit / limits.RELATIVE_DISTANCE for hit in hits]
        methods["one step"].append(Outcome(mark, _split([_found(hit) for hit in hits], units)))
        in_steps = {}
        for fraction in STEP_FRACTIONS:
            with _relative_distance(fraction):
                in_steps[fraction] = [_found(hit) for hit in search(steps=3)]
        methods["several steps"].append(Outcome(mark, in_steps))
        others = {name: each for name, each in features.items() if name in names}
        found, unit = search_effectors(sampled, others, MAX_HITS)
        methods["five effectors"].append(Outcome(mark, _split(found, [unit] * len(found))))
    _print_actions(methods)
    _print_limits(methods)


@contextmanager
def _relative_distance(fraction: float) -> Iterator[None]:
    """Search with other limits than those that were chosen."""
    chosen = limits.RELATIVE_DISTANCE
    limits.RELATIVE_DISTANCE = fraction
    yield
    limits.RELATIVE_DISTANCE = chosen


def _split(found: Sequence[Found], units: Sequence[float]) -> dict[float, list[Found]]:
    """Return what lies within each limit, in a unit for each; the widest holds everything."""
    pairs = list(zip(found, units, strict=True))
    within = {f: [each for each, unit in pairs if each.distance <= f * unit] for f in FRACTIONS}
    return within | {np.inf: list(found)}


def choose_queries(n_queries: int) -> list[Mark]:
    """Return some marks of each action that has others to be found in other takes."""
    chosen = []
    for action in list_actions():
        marks = [
            m
            for m in load_marks()
            if m.action == action
            and m.certain
            and m.end - m.start > 0.6
            and len(expected(action, m.take)) > 1
        ]
        chosen += random.Random(SEED).sample(marks, min(n_queries, len(marks)))
    return chosen


def query_segment(take: ml.library.Take, mark: Mark) -> ml.Segment:
    """Return what is searched for."""
    start, end = mark.start, mark.end
    if mark.repeated:
        middle = (start + end) / 2
        start, end = max(start, middle - QUERY_SECONDS / 2), min(end, middle + QUERY_SECONDS / 2)
    return take.segment(round(start * take.fps), min(take.n_frames, round(end * take.fps) + 1))


def _read_points(library: ml.Library) -> dict[str, FloatArray]:
    index = library._read().index
    return {row.name: index.points(n).astype(np.float64) for n, row in enumerate(index.rows)}


def _found(hit: ml.library.Hit) -> Found:
    take = hit.segment.take
    return Found(take.name, hit.segment.start / take.fps, (hit.segment.end - 1) / take.fps, hit.distance)


def first_precision(outcome: Outcome) -> float:
    """Return the fraction of the first min(20, half the class) hits that is right."""
    action = outcome.mark.action
    wanted = min(20, max(1, len(expected(action, outcome.mark.take)) // 2))
    verdicts = [v for each in outcome.found if (v := judge(each, action)[0]) != "ignored"][:wanted]
    return verdicts.count("right") / wanted


def precision(found: Sequence[Found], action: str) -> float:
    """Return the fraction that is right, or not a number where nothing was found."""
    verdicts = [judge(each, action)[0] for each in found]
    right, wrong = verdicts.count("right"), verdicts.count("wrong")
    return right / (right + wrong) if right + wrong else float("nan")


def interval(values: Sequence[float] | FloatArray, digits: int = 2) -> str:
    """Return mean and 95 % interval of values that are numbers."""
    known = np.array([value for value in values if not np.isnan(value)])
    if not len(known):
        return "-"
    draws = np.random.default_rng(SEED).choice(known, (1000, len(known))).mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return f"{known.mean():.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def _print_actions(methods: dict[str, list[Outcome]]) -> None:
    print("precision among the first min(20, half the class)")
    print(f"{'action':<16}{'':>6}{'marks':>6}{'queries':>8}" + "".join(f"{name:>16}" for name in methods))
    for action in list_actions():
        own = {name: [o for o in all_ if o.mark.action == action] for name, all_ in methods.items()}
        marks = sum(m.action == action and m.certain for m in load_marks())
        half = "tuned" if action in TUNED else ""
        counts = f"{marks:>6}{len(own['one step']):>8}"
        values = [np.mean([first_precision(o) for o in each]) if each else np.nan for each in own.values()]
        print(f"{action:<16}{half:>6}{counts}" + "".join(f"{value:>16.2f}" for value in values))
    for name, outcomes in methods.items():
        for half, chosen in _halves(outcomes).items():
            print(f"{name:<16} {half:<8} {interval([first_precision(o) for o in chosen])}")


def _print_limits(methods: dict[str, list[Outcome]]) -> None:
    for half in ("tuned", "others"):
        print(f"\nprecision / recall of the {half} half at limits")
        for name, outcomes in methods.items():
            chosen = _halves(outcomes)[half]
            limits = [f for f in chosen[0].within if np.isfinite(f)]
            cells = [
                f"{f:.2f}: {_mean_precision(chosen, f):.2f}/{np.mean(_recalls(chosen, f)):.3f}"
                for f in limits
            ]
            print(f"{name:<16}" + "  ".join(cells))
    for title, of in (("the tuned half", "tuned"), ("each half itself", None)):
        print(f"\nlimits with most recall at a precision of {MIN_PRECISION} on {title}")
        print(f"{'method':<16}{'half':<8}{'limit':>6}  {'precision':<20}{'recall':<20}{'empty':>8}")
        kept: dict[tuple[str, str], list[float]] = {}
        for name, outcomes in methods.items():
            for half, chosen in _halves(outcomes).items():
                limit = _best_limit(_halves(outcomes)[of or half])
                kept[name, half] = _recalls(chosen, limit)
                precisions = [precision(o.within[limit], o.mark.action) for o in chosen]
                empty = sum(not o.within[limit] for o in chosen)
                print(
                    f"{name:<16}{half:<8}{limit:>6.2f}  {interval(precisions):<20}"
                    f"{interval(kept[name, half]):<20}{empty:>5}/{len(chosen)}"
                )
        for half in ("tuned", "others"):
            gained = np.array(kept["several steps", half]) - kept["one step", half]
            print(f"recall gained by several steps, {half}: {interval(gained, digits=3)}")


def _recalls(outcomes: Sequence[Outcome], limit: float) -> list[float]:
    return [recall(o.within[limit], o.mark.action, o.mark.take) for o in outcomes]


def _mean_precision(outcomes: Sequence[Outcome], limit: float) -> float:
    values = [precision(o.within[limit], o.mark.action) for o in outcomes]
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _best_limit(outcomes: Sequence[Outcome]) -> float:
    """Return the limit with the most recall among those with enough precision."""
    limits = [f for f in outcomes[0].within if np.isfinite(f)]
    good = [f for f in limits if _mean_precision(outcomes, f) >= MIN_PRECISION]
    return max(good, key=lambda f: float(np.mean(_recalls(outcomes, f))), default=limits[0])


def _halves(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    return {
        "tuned": [o for o in outcomes if o.mark.action in TUNED],
        "others": [o for o in outcomes if o.mark.action not in TUNED],
    }
