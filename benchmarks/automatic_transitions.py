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
from dataclasses import dataclass, replace
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
SHEET_LEAD, DENSE_LEAD, DENSE_POSES = 0.7, 0.15, 14
"""Seconds before and after a transition that are drawn, and drawn in small steps, and the number of these."""

SHEET_WIDTH, LABEL_HEIGHT = 2100, 100
SMALL_WORDS = ("--step", "60")
"""Pixels of a picture, and of the times in it that count from the first small step."""


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
    """Draw a transition and the motion about it, and below it in small steps from seam to seam.

    Below each of the small steps are its time, counted from the first pose above, and a bar that fills as
    weight moves to the second clip; seams are marked by lines.
    """
    from PIL import Image, ImageDraw

    from motionloom.display import render_strip

    first, last = result.report.seams
    frame_time = result.clip.frame_time
    start = max(0, round(first - SHEET_LEAD / frame_time))
    above = result.clip[start : round(last + SHEET_LEAD / frame_time) + 1]
    seams = [(seam - start) * frame_time for seam in (first, last)]
    title = f"{number:02d}  {pair.name}  seams at {seams[0]:.2f} and {seams[1]:.2f} s".replace("→", "to")
    overview = render_strip(above, n_poses=9, width=SHEET_WIDTH, title=title)
    low = max(0, round(first - DENSE_LEAD / frame_time))
    high = min(result.clip.n_frames - 1, round(last + DENSE_LEAD / frame_time))
    frames = np.rint(np.linspace(low, high, DENSE_POSES)).astype(int)
    # In place, so that the poses stand in a row.
    roots = result.clip.root_positions.copy()
    roots[:, [0, 2]] = roots[low, [0, 2]]
    still = replace(result.clip, root_positions=roots)
    dense = render_strip(still[low : high + 1], n_poses=DENSE_POSES, width=SHEET_WIDTH, view="side")
    dense = dense.crop((0, 0, SHEET_WIDTH, dense.height - LABEL_HEIGHT))
    sheet = Image.new("RGB", (SHEET_WIDTH, overview.height + dense.height + 44), "white")
    sheet.paste(overview, (0, 0))
    sheet.paste(dense, (0, overview.height))
    brush = ImageDraw.Draw(sheet)
    cell, bar = SHEET_WIDTH / DENSE_POSES, overview.height + dense.height + 6
    for n, frame in enumerate(frames.tolist()):
        left = n * cell
        right = left + 6 + float(result.weights[frame, 1]) * (cell - 12)
        brush.rectangle((left + 6, bar, left + cell - 6, bar + 10), outline="black")
        brush.rectangle((left + 6, bar, right, bar + 10), fill="black")
        brush.text((left + cell / 2 - 18, bar + 16), f"{(frame - start) * frame_time:.2f} s", fill="black")
        for seam in (first, last):
            if n and frames[n - 1] < seam <= frame:
                brush.line((left, overview.height, left, bar), fill="red", width=3)
    sheet.save(folder / f"{number:02d}.png")


def print_group(name: str, rows: list[Row]) -> None:
    if not rows:
        return
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
