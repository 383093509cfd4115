"""Motion on other skeletons: feet on the floor, hands and feet that point where they did, and registration.

Run with `python -m benchmarks.retargeting`. CMU's skeleton, MotionBuilder's, Xsens', one whose bones lie
along X, and the built-in body; the motion of each is mapped onto all others with `ml.retarget`. Plants are
looked for anew in the result, and those that were carried over rise as they roll off. Directions are compared
with those of the source after its own enforcement, which turns feet that land and push off there too. The
second table registers walks of different rigs as they come.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np

import motionloom as ml
from benchmarks.bounds import BoundMissed
from benchmarks.corpus import need_corpus
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.registration.verdict import Verdict
from motionloom.retargeting.reference_pose import find_reference
from tests.retargeting.rigs import angles, planted_heights
from tests.workflows.test_retarget import clip_of, end_ways

RIGS = ("cmu", "motionbuilder", "xsens", "bones along x", "synthesis")
WALKS = ("cmu", "motionbuilder", "synthesis")
"""Those of the motions that are walks of several strides."""

SMALL = {"RIGS": RIGS[:2], "WALKS": WALKS[:2]}

OFF, RISEN, TURNED, MOST_TURNED = 0.01, 0.01, 5.0, 9.0
"""Metres that a planted foot may be off the floor, and rise beyond what the source's does as it rolls off;
degrees that hands and feet may turn in 85 % of the frames, and in any."""


def main() -> None:
    need_corpus()
    columns = ("feet off floor", " rise", "turned: feet 85 %", "most", "hands")
    print(f"{'from':<16}{'to':<16}" + "".join(f"{column:>{len(column) + 3}}" for column in columns))
    failed = False
    for source, target in permutations(RIGS, 2):
        off, risen, feet, hands = map_clip(clip_of(source), clip_of(target))
        usual, most = float(np.quantile(feet, 0.85)), float(feet.max())
        print(
            f"{source:<16}{target:<16}{1000 * off:>14.1f} mm{1000 * risen:>5.1f} mm"
            f"{usual:>19.2f}°{most:>6.2f}°{hands.max():>7.2f}°",
            flush=True,
        )
        failed |= off > OFF or risen > RISEN or usual > TURNED or max(most, hands.max()) > MOST_TURNED
    print(f"bounds: {1000 * OFF:.0f} mm, {1000 * RISEN:.0f} mm, {TURNED:.0f}°, {MOST_TURNED:.0f}°\n")
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


def map_clip(clip: Clip, example: Clip) -> tuple[float, float, FloatArray, FloatArray]:
    """Return what a retargeted clip's feet and hands do.

    How far plants that are looked for anew are off the floor, most of the time, and how far planted feet
    rise beyond what the source's do, metres; degrees that feet and hands are turned, of all frames.
    """
    result, held = ml.retarget(clip, to=example), ml.enforce(clip).clip
    made, transfer = result.clip, result.report.transfer
    found = ml.annotate(replace(made, constraints=(), events=()))
    off = [np.median(planted_heights(replace(found, constraints=(plant,)))) for plant in found.constraints]
    assert transfer is not None
    floor, scale = transfer.floor, transfer.scale
    rise = planted_heights(made).max() - floor - scale * (planted_heights(held).max() - floor)
    mine, theirs = end_ways(held, find_reference(clip)), end_ways(made, find_reference(example))
    feet, hands = (
        np.concatenate([angles(mine[name], theirs[name]).ravel() for name in mine if name.endswith(part)])
        for part in ("foot", "hand")
    )
    return float(np.abs(off).max()), max(0.0, float(rise)), feet, hands


if __name__ == "__main__":
    main()
