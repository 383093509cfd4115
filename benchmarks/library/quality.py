"""How many hits are right, and how many actions are found, beside features of five effectors.

Queries are marked actions (`benchmarks/library/marks.py`), some of each by a seed; a repeated action gives a
second and a half from its middle. Takes without marks and the query's own take are not searched; mirrored
motion counts. Printed per action: precision among the first min(20, half the class) hits. Then, for all
actions together, precision and recall at a limit that is a fraction of the query's spread. Each method's
limit is the loosest of a few with a precision of 0.85 on the tuned half of the actions; the other half shows
what that is worth. Precision is the mean over queries that find anything, recall over all; intervals (95 %)
are bootstrapped over queries.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
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
from motionloom.library.body_points import sample_points
from motionloom.library.search_steps import RELATIVE_DISTANCE

SEED = 23
MAX_HITS = 300
QUERY_SECONDS = 1.5
MIN_PRECISION = 0.85
FRACTIONS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8)


@dataclass(frozen=True)
class Outcome:
    """What one method found for one query: everything nearest first, and the query's spread."""

    mark: Mark
    found: Sequence[Found]
    spread: float

    def within(self, fraction: float) -> list[Found]:
        return [each for each in self.found if each.distance <= fraction * self.spread]


def run(path: Path | None, n_queries: int) -> None:
    library = open_library(path)
    takes = {take.name: take for take in library.takes}
    points = _read_points(library)
    features = {name: make_features(points[name]) for name in marked_takes() if len(points[name]) > 10}
    methods: dict[str, list[Outcome]] = {"one step": [], "several steps": [], "five effectors": []}
    for mark in choose_queries(n_queries):
        segment = query_segment(takes[mark.take], mark)
        names = marked_takes() - {mark.take}

        def is_other(take: ml.Take, names: frozenset[str] = names) -> bool:
            return take.name in names

        for name, steps in (("one step", 1), ("several steps", 3)):
            hits = library.search(segment, k=MAX_HITS, mirrored=True, where=is_other, steps=steps)
            methods[name].append(Outcome(mark, [_found(hit) for hit in hits], hits.spread))
        others = {name: each for name, each in features.items() if name in names}
        found, spread = search_effectors(sample_points(segment.clip()), others, MAX_HITS)
        methods["five effectors"].append(Outcome(mark, found, spread))
    _print_actions(methods)
    _print_limits(methods)


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


def query_segment(take: ml.Take, mark: Mark) -> ml.Segment:
    """Return what is searched for."""
    start, end = mark.start, mark.end
    if mark.repeated:
        middle = (start + end) / 2
        start, end = max(start, middle - QUERY_SECONDS / 2), min(end, middle + QUERY_SECONDS / 2)
    return take.segment(round(start * take.fps), min(take.n_frames, round(end * take.fps) + 1))


def _read_points(library: ml.Library) -> dict[str, FloatArray]:
    index = library._read()[1]
    return {row.name: index.points(n).astype(np.float64) for n, row in enumerate(index.rows)}


def _found(hit: ml.Hit) -> Found:
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


def interval(values: Sequence[float]) -> str:
    """Return mean and 95 % interval of values that are numbers."""
    known = np.array([value for value in values if not np.isnan(value)])
    if not len(known):
        return "-"
    draws = np.random.default_rng(SEED).choice(known, (1000, len(known))).mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return f"{known.mean():.2f} [{low:.2f}, {high:.2f}]"


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
    print(f"\nprecision and recall within the loosest limit with precision {MIN_PRECISION} on the tuned half")
    print(f"{'method':<16}{'half':<8}{'limit':>6}  {'precision':<20}{'recall':<20}{'empty':>6}")
    for name, outcomes in methods.items():
        # Steps have limits of their own: what they return is what they found.
        fraction = np.inf if name == "several steps" else _loosest(_halves(outcomes)["tuned"])
        for half, chosen in _halves(outcomes).items():
            kept = [(o, o.within(fraction)) for o in chosen]
            limit = RELATIVE_DISTANCE if np.isinf(fraction) else fraction
            print(
                f"{name:<16}{half:<8}{limit:>6.2f}  "
                f"{interval([precision(f, o.mark.action) for o, f in kept]):<20}"
                f"{interval([recall(f, o.mark.action, o.mark.take) for o, f in kept]):<20}"
                f"{sum(not f for _, f in kept):>4}/{len(kept)}"
            )


def _loosest(outcomes: Sequence[Outcome]) -> float:
    """Return the largest fraction of the spread at which the mean precision is high enough."""

    def mean(fraction: float) -> float:
        return float(np.nanmean([precision(o.within(fraction), o.mark.action) for o in outcomes]))

    good = [f for f in FRACTIONS if any(o.within(f) for o in outcomes) and mean(f) >= MIN_PRECISION]
    return max(good, default=FRACTIONS[0])


def _halves(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    return {
        "tuned": [o for o in outcomes if o.mark.action in TUNED],
        "others": [o for o in outcomes if o.mark.action not in TUNED],
    }
