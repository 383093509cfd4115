"""Transitions: smoothness at the seams, foot slide, path and heading, for four methods on captured pairs.

Run with `make bench`. Both clips of a pair are closed to one cycle, which repeats as often as a transition
needs it, and joined at total durations of 0.5, 1 and 2 s, about the same frames for all methods. Columns:

- accel, jerk: the largest within ±0.25 s of a seam, over the 95th percentile of the same peak in the takes
- middle: the largest such acceleration anywhere in the transition
- slide, most: how far points travel over the ground while constraints of the result hold them, mean and
  largest, in centimetres; "takes" is what the captured clips do themselves
- heading: the largest turning acceleration about a seam, over that of the takes as above
- speed: the root's speed after a seam over that before it, or the reciprocal, whichever is larger
- bend: the largest change of path curvature at a seam, 1/m

The thesis expects no gain over a linear blend at 0.5 s. The captured clips lie beside the checkout;
MOTIONLOOM_MOCAP names another place.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import get_args

import numpy as np

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.annotation import annotate
from motionloom.blending import BlendResult
from motionloom.cycles import cyclify
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.motion.unroll import unroll
from motionloom.quality import path_seams, plant_measures, seam_smoothness
from motionloom.transitions import TransitionMethod, transition
from motionloom.transitions.find_transition_points import find_transition_points
from motionloom.transitions.plan import TooShortError

PAIRS = {
    "walk → run": ("s16/walk_straight", "s16/run_straight"),
    "jog → walk": ("s16/jog_straight", "s16/walk_straight"),
    "sneak → run": ("s139_sneak/sneak_straight", "s139_sneak/run_straight"),
    "left → right": ("s16/walk_left", "s16/walk_right"),
}
SECONDS = (0.5, 1.0, 2.0)
MIDDLE_WINDOWS = 9
SMALL = {"PAIRS": dict([*PAIRS.items()][:1]), "SECONDS": SECONDS[-1:]}


@dataclass(frozen=True)
class Row:
    """What is measured of one transition; slides in centimetres."""

    acceleration: float
    jerk: float
    middle: float
    mean_slide: float
    most_slide: float
    heading: float
    speed: float
    bend: float

    def __str__(self) -> str:
        return (
            f"{self.acceleration:6.2f} {self.jerk:6.2f} {self.middle:7.2f} {self.mean_slide:8.1f} "
            f"{self.most_slide:7.1f} {self.heading:8.2f} {self.speed:7.2f} {self.bend:6.2f}"
        )


def take(name: str) -> Clip:
    return annotate(load_clip(next((MOCAP / "locomotion").glob(f"{name}_*.bvh"))))


def slides(clip: Clip, first: float = -np.inf, last: float = np.inf) -> list[float]:
    """Centimetres that points travel while constraints between two frames hold them."""
    found = plant_measures(clip)
    pairs = zip(found.constraints, found.travel.tolist(), strict=True)
    return [100.0 * travel for c, travel in pairs if c.end > first and c.start < last]


def measured(result: BlendResult, takes: list[Clip]) -> Row:
    first, last = result.report.seams
    seams = seam_smoothness(result.clip, [first, last], takes)
    middle = seam_smoothness(result.clip, np.linspace(first, last, MIDDLE_WINDOWS), takes)
    path = path_seams(result.clip, [first, last])
    slid = slides(result.clip, first, last)
    return Row(
        acceleration=seams.acceleration,
        jerk=seams.jerk,
        middle=middle.acceleration,
        mean_slide=float(np.mean(slid)),
        most_slide=max(slid),
        heading=seams.heading_acceleration.score,
        speed=float(np.exp(np.abs(np.log(path.speed_ratio)).max())),
        bend=float(np.nanmax(np.abs(path.curvature_change))),
    )


def most_alike(a: Clip, b: Clip) -> tuple[int, int]:
    """The frames of two cycles at which they look most alike, each seen with the cycles beside it."""
    longer = [unroll(clip, 3) for clip in (a, b)]
    middles = [range(clip.n_frames, 2 * clip.n_frames) for clip in (a, b)]
    i, j = next(find_transition_points(longer[0], longer[1], middles[0], middles[1]))
    return i - a.n_frames, j - b.n_frames


def main() -> None:
    warnings.simplefilter("ignore")
    need_corpus()
    print(
        f"{'pair':<13}{'s':>4}  {'method':<13}{'accel':>6} {'jerk':>6} {'middle':>7} {'slide':>8} "
        f"{'most':>7} {'heading':>8} {'speed':>7} {'bend':>6}"
    )
    for pair, names in PAIRS.items():
        takes = [take(name) for name in names]
        a, b = (cyclify(clip, cycles=1) for clip in takes)
        at = most_alike(a.clip, b.clip)
        own = [slid for clip in takes for slid in slides(clip)]
        print(f"{pair:<13}{'':>4}  {'takes':<13}{'':>21} {np.mean(own):8.1f} {max(own):7.1f}")
        for seconds in SECONDS:
            for method in get_args(TransitionMethod):
                row = f"{pair:<13}{seconds:4.1f}  {method:<13}"
                try:
                    made = transition(a, b, at=at, half_width=seconds / 2, method=method, loop=True)
                except TooShortError as error:
                    print(f"{row}  does not fit, {error.missing:.2f} s are missing")
                else:
                    print(f"{row}{measured(made, takes)}")


if __name__ == "__main__":
    main()
