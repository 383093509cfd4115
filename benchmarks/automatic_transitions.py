"""Automatic transitions of sixty captured pairs: what is kept, how smooth seams are, how far feet slide.

Gaits, actions, and takes of the library that nothing was tuned on. Columns:

- kept, alone: per cent of the first and of the second clip that play, and that play without the other
- seconds: how long the transition takes
- accel, jerk: the largest within ±0.25 s of a seam, over the 95th percentile of the same peak in the takes
- slide: how far points travel over the ground while constraints in the transition hold them, mean, in cm
- steps, faded: feet that step instead, and whether the clips were cross-faded for want of a registration

Slides are compared with those of 0.1 (commit 5eb7c49) on the same pairs. ``--sheet FOLDER`` draws every third
transition.
"""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpus import need_corpus
from benchmarks.join_pairs import JoinPair, join_pairs, read_take
from benchmarks.transitions import slides
from motionloom.blending import BlendResult
from motionloom.motion import Clip
from motionloom.quality import seam_smoothness
from motionloom.transitions import transition

SLIDE_BEFORE = {"gaits": 4.11, "actions": 7.86, "held out": 8.53, "all": 7.07}
"""Mean slide in centimetres of the same transitions in 0.1, at commit 5eb7c49."""

SHEET_STEP = 3
SHEET_LEAD = 0.7
"""Seconds before and after a transition that are drawn."""


@dataclass(frozen=True)
class Row:
    """What is measured of one transition."""

    pair: JoinPair
    kept: tuple[float, ...]
    alone: tuple[float, ...]
    seconds: float
    acceleration: float
    jerk: float
    slide: float
    steps: int
    faded: bool

    def __str__(self) -> str:
        kept, alone = (
            "/".join(f"{100 * fraction:3.0f}" for fraction in own) for own in (self.kept, self.alone)
        )
        return (
            f"{self.pair.name:<44} {kept:>8} {alone:>8} {self.seconds:8.2f} {self.acceleration:6.2f} "
            f"{self.jerk:6.2f} {self.slide:6.1f} {self.steps:6d} {'faded' if self.faded else '':>6}"
        )


def measure(pair: JoinPair, result: BlendResult, takes: list[Clip]) -> Row:
    first, last = result.report.seams
    seams = seam_smoothness(result.clip, [first, last], takes)
    slid = slides(result.clip, first, last)
    return Row(
        pair=pair,
        kept=result.report.kept,
        alone=result.report.alone,
        seconds=(last - first) * result.clip.frame_time,
        acceleration=seams.acceleration,
        jerk=seams.jerk,
        slide=float(np.mean(slid)) if slid else float("nan"),
        steps=sum("foot steps" in note for note in result.report.notes),
        faded=bool(result.report.fallbacks),
    )


def draw(pair: JoinPair, result: BlendResult, number: int, folder: Path) -> None:
    from motionloom.display import render

    first, last = result.report.seams
    lead = SHEET_LEAD / result.clip.frame_time
    part = result.clip[max(0, round(first - lead)) : round(last + lead) + 1]
    render([part], folder / f"{number:02d}.png", n_poses=9, overwrite=True)


def print_group(name: str, rows: list[Row]) -> None:
    kept, alone = (np.array([getattr(row, field) for row in rows]) for field in ("kept", "alone"))
    seams = np.array([(row.acceleration, row.jerk) for row in rows])
    slide = float(np.nanmean([row.slide for row in rows]))
    rough = (seams > 1.005).any(axis=1).sum()
    ratio = slide / SLIDE_BEFORE[name]
    print(f"{name}: {len(rows)} pairs, {sum(row.faded for row in rows)} of them faded")
    print(f"  kept {kept.mean():.0%} (least {kept.min():.0%}), alone {alone.mean():.0%} ({alone.min():.0%})")
    print(f"  seams: accel {seams[:, 0].mean():.2f}, jerk {seams[:, 1].mean():.2f}, {rough} pairs above 1")
    print(f"  slide {slide:.2f} cm, {ratio:.2f} times that of 0.1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=1, help="take every n-th pair")
    parser.add_argument("--sheet", type=Path, help="folder for pictures of every third transition")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    need_corpus()
    if options.sheet is not None:
        options.sheet.mkdir(exist_ok=True, parents=True)
    print(
        f"{'pair':<44} {'kept':>8} {'alone':>8} {'seconds':>8} {'accel':>6} {'jerk':>6} {'slide':>6} "
        f"{'steps':>6}"
    )
    rows = []
    for number, pair in enumerate(join_pairs()):
        if number % options.step:
            continue
        takes = [read_take(pair.first), read_take(pair.second)]
        result = transition(takes[0], takes[1])
        rows.append(measure(pair, result, takes))
        print(rows[-1], flush=True)
        if options.sheet is not None and number % SHEET_STEP == 0:
            draw(pair, result, number, options.sheet)
    for group in ("gaits", "actions", "held out"):
        print_group(group, [row for row in rows if row.pair.group == group])
    print_group("all", rows)


if __name__ == "__main__":
    main()
