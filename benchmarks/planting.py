"""Planted feet: transitions and a minute of control on captured clips, before and after enforcement.

Run with `make bench`. Four pairs are joined by four methods over 1 and 2 s, and both sets of nine loops are
steered for a minute. Columns, each as blended → with feet planted:

- accel, jerk: the largest within ±0.25 s of a seam, over the 95th percentile of the same peak in the takes;
  for the steered motion the same at moments four seconds apart
- slide, most: how far planted points travel over the ground, mean and largest, centimetres
- knee: the fastest knee, over the fastest of the takes
- shift: how far the body moves at most, centimetres; stretch: the largest change of a bone, per cent
- again: the largest change that a second run makes, millimetres
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import get_args

import numpy as np

from benchmarks.control import loops
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.transitions import PAIRS, most_alike, slides, take
from motionloom.annotation import annotate
from motionloom.blending import ControlKey, Controls, KeyedControls, blend
from motionloom.cycles import cyclify
from motionloom.enforcement import enforce
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.quality import angular_speeds, seam_smoothness
from motionloom.transitions import TransitionMethod, transition
from motionloom.transitions.plan import TooShortError
from tests.blending.steering import nine_styles, wishes
from tests.registration.nine_clips import GAITS, nine_files

SECONDS = (1.0, 2.0)
STEERED_SECONDS, KEY_EVERY, LOOK_EVERY = 60.0, 2.0, 4.0
SMALL = {
    "PAIRS": dict([*PAIRS.items()][:1]),
    "SECONDS": SECONDS[-1:],
    "GAITS": ("s16",),
    "STEERED_SECONDS": 6.0,
}
HEAD = f"{'motion':<14}{'s':>5} {'method':<13}{'accel':>14}{'jerk':>14}{'slide':>14}{'most':>15}{'knee':>14}"


def main() -> None:
    warnings.simplefilter("ignore")
    need_corpus()
    print(f"{HEAD}{'shift':>7}{'stretch':>9}{'again':>8}")
    for pair, names in PAIRS.items():
        takes = [take(name) for name in names]
        a, b = (cyclify(clip, cycles=1) for clip in takes)
        at = most_alike(a.clip, b.clip)
        for seconds in SECONDS:
            for method in get_args(TransitionMethod):
                row = f"{pair:<14}{seconds:5.1f} {method:<13}"
                try:
                    made = transition(a, b, at=at, half_width=seconds / 2, method=method, loop=True)
                except TooShortError as error:
                    print(f"{row}  does not fit, {error.missing:.2f} s are missing")
                else:
                    print_row(row, made.clip, made.report.seams, takes)
    for name in GAITS:
        takes = [annotate(load_clip(file)) for file in nine_files(MOCAP, name)]
        clip = steered(name)
        seams = np.arange(LOOK_EVERY, clip.duration - 1.0, LOOK_EVERY) * clip.fps
        print_row(f"{name:<14}{clip.duration:5.1f} {'control':<13}", clip, seams.tolist(), takes)


def steered(name: str) -> Clip:
    """A minute of random wishes for speed, turn and style over nine loops."""
    curve, styles = loops(name), nine_styles(name)
    controls = Controls(curve, styles)
    names = sorted(set(styles))
    asked = wishes(controls, int(STEERED_SECONDS / KEY_EVERY) + 1, np.random.default_rng(1))
    keys = {
        n * KEY_EVERY: ControlKey(wish[0], wish[1], dict(zip(names, wish[2:].tolist(), strict=True)))
        for n, wish in enumerate(asked)
    }
    return blend(curve, KeyedControls(controls, keys)).clip


def print_row(title: str, clip: Clip, seams: Sequence[float], takes: Sequence[Clip]) -> None:
    held = enforce(clip, ground=0.0)
    again = enforce(held, ground=0.0)
    smooth = [seam_smoothness(each, seams, takes) for each in (clip, held.clip)]
    slid = [slides(each) for each in (clip, held.clip)]
    usual = max(knee_speed(each) for each in takes)
    knees = [knee_speed(each) / usual for each in (clip, held.clip)]
    change = (
        1000.0 * np.linalg.norm(again.clip.world_positions() - held.clip.world_positions(), axis=-1).max()
    )
    print(
        title
        + _both([each.acceleration for each in smooth], 14)
        + _both([each.jerk for each in smooth], 14)
        + _both([float(np.mean(each)) for each in slid], 14)
        + _both([max(each) for each in slid], 15)
        + _both(knees, 14)
        + f"{100 * held.report.root_shift:7.1f}{100 * held.report.stretch:9.2f}{change:8.3f}"
    )


def knee_speed(clip: Clip) -> float:
    """The fastest turn of a knee, rad/s."""
    knees = [leg.knee for leg in find_anatomy(clip.skeleton).legs]
    return float(angular_speeds(clip)[knees].max())


def _both(values: Sequence[float], width: int) -> str:
    return f"{f'{values[0]:.2f} → {values[1]:.2f}':>{width}}"


if __name__ == "__main__":
    main()
