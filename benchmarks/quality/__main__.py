"""How near blends come to real motion that was not used, and how well registrations hit what they should.

Run with `python -m benchmarks.quality` beside the captured clips, or with MOTIONLOOM_MOCAP set to their
folder. Errors are means over joints and frames, in cm (:func:`benchmarks.quality.judge.joint_error`); blends
get the best weight, found by trying 21. Intervals are 95 % confidence intervals of the mean over cases.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from benchmarks.quality.cases import action_pairs, gaits_of_one_subject, held_out, two_takes
from benchmarks.quality.judge import apex_errors, cycle_errors, interval, joint_error, strike_errors
from benchmarks.quality.predictors import PREDICTORS, registered

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import Side
from motionloom.registration import TimewarpCurve

NEAR_APEX = 0.1
"""Seconds within which an apex counts as met."""

NEAR_STRIKE = 2.0
"""Frames at 30 Hz within which a strike counts as met."""


def main() -> None:
    print_predictions()
    print(f"two takes of one walk: {joint_error(*two_takes()):.2f} cm\n")
    print_hits()


def print_predictions() -> None:
    """One row per held-out clip, then means over all of them."""
    names = list(PREDICTORS)
    print(f"{'held-out clip, cm':<36}" + "".join(f"{name:>20}" for name in names) + f"{'to linear':>20}")
    rows = []
    for case in held_out():
        errors = [predict(case) for predict in PREDICTORS.values()]
        rows.append(errors)
        shown = "".join(f"{error:20.2f}" for error in errors)
        print(f"{case.name:<36}{shown}{errors[-1] / errors[names.index('linear')]:20.3f}")
    table = np.array(rows)
    to_linear = table[:, -1] / table[:, names.index("linear")]
    print(f"{'mean':<36}" + "".join(_with_interval(column) for column in (*table.T, to_linear)))
    print(
        f"default to linear: below in {(to_linear < 1.0).mean():.0%}, at most {to_linear.max():.3f}; "
        f"default to nearest: below in {(table[:, -1] < table[:, 0]).mean():.0%}"
    )


def _with_interval(values: FloatArray) -> str:
    mean, low, high = interval(values)
    return f"{f'{mean:.2f} ({low:.2f}–{high:.2f})':>20}"


def print_hits() -> None:
    """Apexes, strikes, agreement and time, by plain time scaling, as in the papers, and by default."""
    rows = {name: _hits(align) for name, align in ALIGNMENTS.items()}
    print(f"{'':<56}" + "".join(f"{name:>14}" for name in rows))
    for n, label in enumerate(LABELS):
        print(f"{label:<56}" + "".join(f"{row[n]:>14}" for row in rows.values()))


def _straight(clips: Sequence[Clip]) -> TimewarpCurve:
    """The straight line from the first frames of clips to their last."""
    lasts = np.array([clip.n_frames - 1.0 for clip in clips])
    return TimewarpCurve(control_points=np.outer([-0.5, 0.5, 1.5], lasts), knot_spacing=1.0)


ALIGNMENTS: dict[str, Callable[[Sequence[Clip]], TimewarpCurve]] = {
    "linear": _straight,
    "papers": lambda clips: registered(clips, profile="paper").timewarp,
    "default": lambda clips: registered(clips).timewarp,
}

LABELS = (
    f"apexes within {NEAR_APEX} s",
    "apexes, mean and largest error, s",
    f"left strikes within {NEAR_STRIKE:.0f} frames",
    "all strikes, mean error, frames",
    "cycle consistency, mean and largest of triples, frames",
    "time for two strides, median, ms",
)


def _hits(align: Callable[[Sequence[Clip]], TimewarpCurve]) -> list[str]:
    apexes = np.concatenate([apex_errors(align([a.clip, b.clip]), a, b) for a, b in action_pairs()])
    clips = gaits_of_one_subject()
    warps, times = {}, []
    for a, b in combinations(range(len(clips)), 2):
        start = time.perf_counter()
        warps[a, b] = align([clips[a], clips[b]])
        times.append(time.perf_counter() - start)
    sides: tuple[Side, Side] = ("left", "right")
    left, right = (
        np.concatenate([strike_errors(warp, [clips[n] for n in pair], side) for pair, warp in warps.items()])
        for side in sides
    )
    cycles = cycle_errors(warps, len(clips))
    return [
        f"{(apexes <= NEAR_APEX).mean():.1%}",
        f"{apexes.mean():.3f}, {apexes.max():.2f}",
        f"{(left <= NEAR_STRIKE).mean():.1%}",
        f"{np.concatenate([left, right]).mean():.2f}",
        f"{cycles.mean():.2f}, {cycles.max():.2f}",
        f"{1000.0 * np.median(times):.1f}",
    ]


if __name__ == "__main__":
    main()
