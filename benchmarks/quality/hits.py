"""How well registrations hit what corresponds: apexes, strikes, and each other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import numpy as np

from benchmarks.quality.cases import Action
from benchmarks.quality.judge import apex_errors, cycle_errors, strike_errors
from benchmarks.quality.predictors import registered
from motionloom.arrays import BoolArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import Side
from motionloom.registration import TimewarpCurve

NEAR_APEX = 0.1
"""Seconds within which an apex counts as met."""

NEAR_STRIKE = 2.0
"""Frames at 30 Hz within which a strike counts as met."""

Align = Callable[[Sequence[Clip]], TimewarpCurve]
"""From clips to the frames of them that correspond."""


def _straight(clips: Sequence[Clip]) -> TimewarpCurve:
    """The straight line from the first frames of clips to their last."""
    lasts = np.array([clip.n_frames - 1.0 for clip in clips])
    return TimewarpCurve(control_points=np.outer([-0.5, 0.5, 1.5], lasts), knot_spacing=1.0)


ALIGNMENTS: dict[str, Align] = {
    "linear": _straight,
    "papers": lambda clips: registered(clips, profile="paper").timewarp,
    "default": lambda clips: registered(clips).timewarp,
}

LABELS = (
    f"apexes within {NEAR_APEX} s",
    "apexes, mean and largest error, s",
    f"left strikes within {NEAR_STRIKE:.0f} frames",
    f"all strikes within {NEAR_STRIKE:.0f} frames",
    "all strikes, mean error, frames",
    "cycle consistency, mean and largest of triples, frames",
    "time for two strides, median, ms",
)


def print_hits(title: str, pairs: Iterable[tuple[Action, Action]], gaits: Sequence[Clip]) -> None:
    """Apexes, strikes, agreement and time, by plain time scaling, as in the papers, and by default."""
    actions = list(pairs)
    rows = {name: _hits(align, actions, gaits) for name, align in ALIGNMENTS.items()}
    print(f"{title:<56}" + "".join(f"{name:>14}" for name in rows))
    for n, label in enumerate(LABELS):
        print(f"{label:<56}" + "".join(f"{row[n]:>14}" for row in rows.values()))
    print()


def _hits(align: Align, pairs: Sequence[tuple[Action, Action]], gaits: Sequence[Clip]) -> list[str]:
    apexes = np.concatenate([apex_errors(align([a.clip, b.clip]), a, b) for a, b in pairs])
    warps, times = {}, []
    for a, b in combinations(range(len(gaits)), 2):
        start = time.perf_counter()
        warps[a, b] = align([gaits[a], gaits[b]])
        times.append(time.perf_counter() - start)
    sides: tuple[Side, Side] = ("left", "right")
    left, right = (
        np.concatenate([strike_errors(warp, [gaits[n] for n in pair], side) for pair, warp in warps.items()])
        for side in sides
    )
    both, cycles = np.concatenate([left, right]), cycle_errors(warps, len(gaits))
    return [
        _share(apexes <= NEAR_APEX),
        f"{apexes.mean():.3f}, {apexes.max():.2f}",
        _share(left <= NEAR_STRIKE),
        _share(both <= NEAR_STRIKE),
        f"{both.mean():.2f}",
        f"{cycles.mean():.2f}, {cycles.max():.2f}",
        f"{1000.0 * np.median(times):.1f}",
    ]


def _share(met: BoolArray) -> str:
    """The share that is met; nothing where clips are cut at all strikes of a foot."""
    return f"{met.mean():.1%}" if len(met) else "–"
