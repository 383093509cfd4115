"""Motion on other skeletons: feet on the floor, hands and feet that point where they did, and registration.

Run with `python -m benchmarks.retargeting`. CMU's skeleton, MotionBuilder's, Xsens', one whose bones lie
along X, and the built-in body; the motion of each is mapped onto all others with `ml.retarget`. Plants
are looked for anew in the result. Directions are compared with those of the source after its own enforcement,
which turns feet that land and push off there too. The second table registers walks of different rigs as they
come.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np

import motionloom as ml
from benchmarks.bounds import BoundMissed
from benchmarks.corpus import need_corpus
from motionloom.motion import Clip
from motionloom.registration.verdict import Verdict
from motionloom.retargeting.reference_pose import find_reference
from tests.retargeting.rigs import angles, planted_heights
from tests.workflows.test_retarget import clip_of, end_ways

RIGS = ("cmu", "motionbuilder", "xsens", "bones along x", "synthesis")
WALKS = ("cmu", "motionbuilder", "synthesis")
"""Those of the motions that are walks of several strides."""

HIGHEST, WIDEST = 0.01, 5.0
SMALL = {"RIGS": RIGS[:2], "WALKS": WALKS[:2]}
"""Metres that a planted foot may be off the floor, and degrees that a hand or foot may turn."""


def main() -> None:
    need_corpus()
    print(f"{'from':<16}{'to':<16}{'feet off floor':>15}{'feet turned':>13}{'hands turned':>14}")
    failed = False
    for source, target in permutations(RIGS, 2):
        off, turned = mapped(clip_of(source), clip_of(target))
        print(
            f"{source:<16}{target:<16}{1000 * off:>12.1f} mm{turned['foot']:>12.2f}°{turned['hand']:>13.2f}°",
            flush=True,
        )
        failed |= off > HIGHEST or max(turned.values()) > WIDEST
    print(f"bounds: {1000 * HIGHEST:.0f} mm, {WIDEST:.0f}°\n")
    print(f"{'registered':<16}{'with':<16}{'verdict':>9}{'mean distance':>16}{'matches':>9}{'unmatched':>11}")
    for first, second in permutations(WALKS, 2):
        report = ml.register([clip_of(first), clip_of(second)]).report
        print(
            f"{first:<16}{second:<16}{report.verdict.name.lower():>9}{report.mean_distance:>14.3f} m"
            f"{report.n_matches:>9}{len(report.unmatched):>11}"
        )
        failed |= report.verdict is not Verdict.GOOD
    if failed:
        raise BoundMissed("some motion was not carried over as it should be")


def mapped(clip: Clip, example: Clip) -> tuple[float, dict[str, float]]:
    """The most that planted feet are off the floor, metres, and that feet and hands are turned, degrees."""
    made = ml.retarget(clip, to=example)
    found = ml.annotate(replace(made.clip, constraints=(), events=()))
    mine, theirs = (
        end_ways(ml.enforce(clip).clip, find_reference(clip)),
        end_ways(made.clip, find_reference(example)),
    )
    turned = {
        part: max(float(angles(mine[name], theirs[name]).max()) for name in mine if name.endswith(part))
        for part in ("foot", "hand")
    }
    return float(np.abs(planted_heights(found)).max()), turned


if __name__ == "__main__":
    main()
