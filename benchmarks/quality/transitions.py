"""Transitions between captured gaits: five ways to join the same two loops, as made and with feet planted."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import cast, get_args

import numpy as np

from benchmarks.quality.tables import ENFORCED, print_means
from benchmarks.transitions import most_alike, slides, take
from motionloom.arrays import FloatArray
from motionloom.blending import BlendResult
from motionloom.cycles import cyclify, unroll
from motionloom.enforcement import enforce
from motionloom.errors import RegistrationWarning
from motionloom.motion import Clip
from motionloom.quality import find_feet, seam_smoothness, skate_speeds
from motionloom.transitions import TransitionMethod, transition

SECONDS = 1.0
"""Total duration of every transition."""

COLUMNS = ("skate, cm/s", "slide, cm", "acceleration", "jerk")
"""In the transition: sliding of low feet, and mean travel of planted points; about its seams: the largest
acceleration and jerk, over the 95th percentile of the same peak in the takes."""

METHODS = (*get_args(TransitionMethod), "overlap")

LOOPS = 4
"""Cycles of either clip that an overlap is cut out of: at least one before the transition and one after."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two takes, a loop of each, and the frames at which the loops are most alike."""

    name: str
    takes: tuple[Clip, Clip]
    loops: tuple[Clip, Clip]
    at: tuple[int, int]


def pairs() -> Iterator[Pair]:
    """Every gait to every other of subjects 16 and 139 going straight, and subject 16 from left to right."""
    sets = {"s16": ("walk", "brisk", "jog", "run"), "s139_sneak": ("walk", "run", "sneak")}
    for folder, gaits in sets.items():
        for one, other in permutations(gaits, 2):
            subject = folder.split("_")[0]
            yield _pair(
                f"{subject} {one} → {other}", f"{folder}/{one}_straight", f"{folder}/{other}_straight"
            )
    for gait in sets["s16"]:
        yield _pair(f"s16 {gait} left → right", f"s16/{gait}_left", f"s16/{gait}_right")


def _pair(name: str, *files: str) -> Pair:
    (a, one), (b, other) = (_take_and_loop(file) for file in files)
    return Pair(name, (a, b), (one, other), most_alike(one, other))


@cache
def _take_and_loop(file: str) -> tuple[Clip, Clip]:
    clip = take(file)
    return clip, cyclify(clip, cycles=1).clip


def joined(pair: Pair, method: str) -> BlendResult:
    """One transition of a pair, about the same frames by every method."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        if method == "overlap":
            spans = _overlaps(pair)
            return transition(*cut_to(pair, spans), method="overlap", overlap=spans)
        return transition(
            *pair.loops,
            at=pair.at,
            half_width=SECONDS / 2,
            method=cast(TransitionMethod, method),
            loop=True,
        )


def _overlaps(pair: Pair) -> tuple[float, float]:
    """Seconds of either loop that are laid over each other: the same share of both, SECONDS on average."""
    one, other = (clip.n_frames * clip.frame_time for clip in pair.loops)
    return 2.0 * SECONDS * one / (one + other), 2.0 * SECONDS * other / (one + other)


def cut_to(pair: Pair, overlaps: tuple[float, float]) -> tuple[Clip, Clip]:
    """The loops played on, cut so that overlaps of these seconds have the frames that are alike amid them."""
    (a, b), (i, j) = pair.loops, pair.at
    before, after = (
        round(seconds / 2 / clip.frame_time) for seconds, clip in zip(overlaps, pair.loops, strict=True)
    )
    return unroll(a, LOOPS)[: a.n_frames + i + before + 1], unroll(b, LOOPS)[2 * b.n_frames + j - after :]


def judged(pairs: list[Pair]) -> dict[str, FloatArray]:
    """Figures (N, C) of N pairs by every method, as made and with feet planted."""
    rows: dict[str, list[FloatArray]] = {name + held: [] for name in METHODS for held in ("", ENFORCED)}
    for pair in pairs:
        for method in METHODS:
            made = joined(pair, method)
            rows[method].append(figures(made.clip, made.report.seams, pair))
            rows[method + ENFORCED].append(figures(enforce(made.clip).clip, made.report.seams, pair))
    return {name: np.array(row) for name, row in rows.items()}


def figures(clip: Clip, seams: tuple[float, ...], pair: Pair) -> FloatArray:
    first, last = seams
    smooth = seam_smoothness(clip, seams, pair.takes)
    skate = skate_speeds(find_feet(clip))[int(first) : int(last) + 1]
    slid = slides(clip, first, last)
    mean_slide = float(np.mean(slid)) if slid else np.nan
    return np.array([100.0 * skate.mean(), mean_slide, smooth.acceleration, smooth.jerk])


def print_transitions(found: dict[str, FloatArray], pairs: list[Pair]) -> None:
    print_means(f"transitions of {SECONDS:g} s: {len(pairs)} pairs", COLUMNS, found)
    takes = {clip.source.path: clip for pair in pairs for clip in pair.takes}.values()
    skate = np.mean([100.0 * skate_speeds(find_feet(clip)).mean() for clip in takes])
    slid = np.mean([np.mean(slides(clip)) for clip in takes])
    print(f"the takes themselves: skate {skate:.2f} cm/s, slide {slid:.2f} cm")
    ours, plain = (found[name][:, COLUMNS.index("slide, cm")] for name in ("registration", "linear"))
    print(f"planted points slide less by registration than by linear in {(ours < plain).sum()} pairs\n")
