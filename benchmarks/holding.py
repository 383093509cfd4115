"""Planted points of every captured file after enforcement: do they hold, and at what cost?

Run with `make bench`. Each BVH file of the corpus is annotated and enforced at its own rate and at 30 frames
per second, with the default stretch and with rigid bones. Lines are printed for runs that miss a bound; the
summary gives the worst of all. Bounds: planted points move less than 1 mm over the ground, a second run
changes less than 0.1 mm, knees turn at most 1.5 times as fast as in the source, bones stretch by no more than
allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.annotation import annotate
from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.enforcement import enforce
from motionloom.enforcement.enforce import MAX_STRETCH
from motionloom.errors import MotionloomError
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.quality import plant_measures

SLIDE, CHANGE, KNEE = 1e-3, 1e-4, 1.5
EVERY = 8
SMALL = {"EVERY": 400}


@dataclass(frozen=True)
class Run:
    """What one run came to; metres, shares and ratios."""

    name: str
    before: float
    slide: float
    change: float
    knee: float
    stretch: float
    allowed: float
    shift: float
    unreached: int

    @property
    def misses(self) -> list[str]:
        """The bounds that are not kept."""
        bounds = {
            "slide": self.slide < SLIDE or self.unreached > 0,
            "second run": self.change < CHANGE,
            "knee": self.knee <= KNEE,
            "stretch": self.stretch <= self.allowed + 1e-9,
        }
        return [name for name, kept in bounds.items() if not kept]


def main() -> None:
    need_corpus()
    runs = [run for name, clip in captured() for run in measured(name, clip)]
    for run in runs:
        if run.misses:
            print(
                f"{run.name} misses {', '.join(run.misses)}: knee {run.knee:.2f} ×, slide {run.slide:.6f} m"
            )
    for allowed in (MAX_STRETCH, 0.0):
        print_summary(f"stretch {allowed:g}", [run for run in runs if run.allowed == allowed])


def print_summary(title: str, runs: list[Run]) -> None:
    """How many runs keep all bounds, and the middle and the worst of each figure."""
    print(f"{title}: {len(runs)} runs, of which {sum(bool(run.misses) for run in runs)} miss a bound")
    figures = {
        "slide before, mm": [1000.0 * run.before for run in runs],
        "slide after, mm": [1000.0 * run.slide for run in runs],
        "change by a second run, mm": [1000.0 * run.change for run in runs],
        "knee speed over the source's": [run.knee for run in runs],
        "stretch, %": [100.0 * run.stretch for run in runs],
        "body moved, cm": [100.0 * run.shift for run in runs],
        "plants not reached": [float(run.unreached) for run in runs],
    }
    for name, values in figures.items():
        print(f"  {name:<30} middle {np.median(values):8.3f}   worst {max(values):8.3f}")


def captured() -> Iterator[tuple[str, Clip]]:
    """Every captured clip that loads, at its own rate and at 30 frames per second."""
    for path in sorted(MOCAP.glob("**/*.bvh"))[::EVERY]:
        try:
            clip = load_clip(path)
        except MotionloomError:
            continue
        yield path.stem, annotate(clip)
        if clip.fps > 31.0:
            yield f"{path.stem} at 30 Hz", annotate(clip.resampled(30))


def measured(name: str, clip: Clip) -> Iterator[Run]:
    if not clip.constraints:
        return
    for allowed in (MAX_STRETCH, 0.0):
        held = enforce(clip, stretch=allowed)
        again = enforce(held, stretch=allowed) if held.clip.constraints else held
        usual = knee_speed(clip)
        yield Run(
            name=f"{name}, stretch {allowed:g}",
            before=slide(clip),
            slide=slide(held.clip),
            change=float(np.abs(again.clip.world_positions() - held.clip.world_positions()).max()),
            knee=knee_speed(held.clip) / usual if usual > 0.0 else 1.0,
            stretch=held.report.stretch,
            allowed=allowed,
            shift=held.report.root_shift,
            unreached=len(held.report.unreached),
        )


def slide(clip: Clip) -> float:
    """How far a planted point moves over its ground at most, metres; the ground of gaits in place moves."""
    return float(plant_measures(recover_if_in_place(clip)[0]).travel.max(initial=0.0))


def knee_speed(clip: Clip) -> float:
    """The fastest that a knee opens or closes, rad/s."""
    places, fastest = clip.world_positions(), 0.0
    for leg in find_anatomy(clip.skeleton).legs:
        thigh, shin = places[:, leg.hip] - places[:, leg.knee], places[:, leg.ankle] - places[:, leg.knee]
        sines = np.linalg.norm(np.cross(thigh, shin), axis=-1)
        angles = np.arctan2(sines, np.einsum("tc,tc->t", thigh, shin))
        fastest = max(fastest, float(np.abs(np.diff(angles)).max(initial=0.0)) / clip.frame_time)
    return fastest


if __name__ == "__main__":
    main()
