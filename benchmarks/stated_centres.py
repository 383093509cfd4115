"""Stated centres: whether both clips are at the stated frames in the middle of a transition.

Ten captured pairs, fifty random pairs of frames each, half of them between frames; each is made with ends on
whole frames and without. Columns:

- off: the largest distance of either clip from its stated frame where both have weight 1/2, in frames
- faded: transitions in which no registration could be had, so that the clips meet in a cross-fade
- whole: how many of the snapped transitions begin and end at whole frames
- refused: stated frames too close to an end for a transition of 0.3 s
"""

from __future__ import annotations

import argparse
import warnings
from dataclasses import dataclass

import numpy as np

from benchmarks.corpus import need_corpus
from benchmarks.join_pairs import ACTIONS, GAITS, read_take
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.transitions import transition

PAIRS = (*GAITS[:1], *GAITS[3:7], *GAITS[12:13], ACTIONS[0], ACTIONS[2], ACTIONS[4], ACTIONS[17])
MARGIN = 0.3
"""Seconds that stated frames keep from the ends of a clip."""
SEED = 19
SMALL = {"PAIRS": PAIRS[:1]}
SMALL_WORDS = ("--count", "2")


@dataclass
class Tally:
    """What happened to the transitions of one pair."""

    made: int = 0
    faded: int = 0
    refused: int = 0
    whole: int = 0
    off: float = 0.0

    def __str__(self) -> str:
        return f"{self.made:5d} {self.off:9.1e} {self.faded:6d} {self.whole:6d} {self.refused:8d}"


def draw_frame(clip: Clip, rng: np.random.Generator, fractional: bool) -> float:
    margin = MARGIN / clip.frame_time
    frame = rng.uniform(margin, clip.n_frames - 1 - margin)
    return float(frame) if fractional else float(round(frame))


def tally_pair(a: Clip, b: Clip, count: int, rng: np.random.Generator) -> Tally:
    tally = Tally()
    for n in range(count):
        at = (draw_frame(a, rng, n % 2 == 1), draw_frame(b, rng, n % 2 == 1))
        for snap in (True, False):
            try:
                result = transition(a, b, at=at, snap=snap)
            except ParameterError:
                tally.refused += 1
                continue
            seams = [int(seam) for seam in result.report.seams]
            middle = sum(seams) // 2
            assert result.weights[middle].tolist() == [0.5, 0.5]
            tally.made += 1
            tally.faded += bool(result.report.fallbacks)
            tally.off = max(tally.off, float(np.abs(result.frames[middle] - at).max()))
            ends = result.frames[seams[0], 0], result.frames[seams[1], 1]
            tally.whole += snap and all(abs(end - round(end)) < 1e-9 for end in ends)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50, help="stated centres of each pair")
    count = parser.parse_args().count
    warnings.simplefilter("ignore")
    need_corpus()
    rng = np.random.default_rng(SEED)
    print(f"{'pair':<42} {'made':>5} {'off':>9} {'faded':>6} {'whole':>6} {'refused':>8}")
    total = Tally()
    for first, second in PAIRS:
        tally = tally_pair(read_take(first), read_take(second), count, rng)
        name = " → ".join(name.rsplit("/", 1)[-1] for name in (first, second))
        print(f"{name:<42} {tally}", flush=True)
        for field in ("made", "faded", "refused", "whole"):
            setattr(total, field, getattr(total, field) + getattr(tally, field))
        total.off = max(total.off, tally.off)
    print(f"{f'{len(PAIRS)} pairs, {count * len(PAIRS)} stated centres':<42} {total}")


if __name__ == "__main__":
    main()
