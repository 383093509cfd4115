"""The same motion on rigs that hold the body in other ways: does every stage choose the same frames?

Twelve captured walks and runs are rewritten with a joint above the hips that stays at the origin, and with
one that moves over the ground below the body. Run with `python -m benchmarks.rigs`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.arrays import FloatArray

GAITS = ("walk", "brisk", "jog", "run")
RIGS: dict[str, Callable[[ml.Clip], ml.Clip]] = {
    "root stays put": lambda clip: ml.move_root_motion(ml.move_root_motion(clip, "root"), "hips"),
    "root on the ground": lambda clip: ml.move_root_motion(clip, "root"),
}
ROUNDING = 1e-6
"""Values below this, in their units, are what remains of zero: feet that are planted slide by 1e-13 cm."""


def run_stages(clips: list[ml.Clip], other: ml.Clip) -> dict[str, tuple[ml.Clip, FloatArray]]:
    """Return what each stage makes of three clips of one gait: the motion, and the frames it chose."""
    straight, left, right = clips
    cycles = [ml.cyclify(clip, cycles=1) for clip in clips]
    starts = np.array([(cycle.report.start, cycle.report.end) for cycle in cycles])
    curve = ml.register(cycles)
    weights = ml.Controls(curve).weights(turn=np.radians(10.0))
    mixed, joined = ml.mix([straight, left], [0.5, 0.5]), ml.transition(straight, other)
    steered = ml.blend(curve, weights)
    return {
        "cyclify": (cycles[1].clip, starts),
        "register": (ml.blend(curve, [0.2, 0.4, 0.4]).clip, curve.timewarp(np.linspace(*curve.domain, 50))),
        "control": (steered.clip, steered.frames),
        "mix": (mixed.clip, mixed.frames),
        "transition": (joined.clip, joined.frames),
        "warp": (ml.warp_preset(straight, "limp").clip, np.zeros(1)),
        "enforce": (ml.enforce(ml.annotate(right)).clip, np.zeros(1)),
    }


def largest_change(a: ml.Measures, b: ml.Measures) -> float:
    """Return the largest relative difference of two sets of measures, in percent; rounding is none."""
    values = [(each.value, b.value(each.name)) for each in a]
    return 100.0 * max(abs(y - x) / max(abs(x), ROUNDING) for x, y in values if np.isfinite(x))


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    need_corpus()
    folder = MOCAP / "locomotion" / "s16"
    clips = {
        gait: [ml.load(next(folder.glob(f"{gait}_{turn}_*.bvh"))) for turn in ("straight", "left", "right")]
        for gait in GAITS
    }
    print("| rig | stage | frames differ by at most | joints differ by at most, mm | measures, % |")
    print("|---|---|---|---|---|")
    for rig, arrange in RIGS.items():
        worst: dict[str, list[float]] = {}
        for n, gait in enumerate(GAITS):
            other = clips[GAITS[(n + 1) % len(GAITS)]][0]
            plain = run_stages(clips[gait], other)
            held = run_stages([arrange(clip) for clip in clips[gait]], arrange(other))
            for stage, (expected, frames) in plain.items():
                result, chosen = held[stage]
                joints = [result.skeleton.index(name) for name in expected.skeleton.names]
                apart = np.abs(result.world_positions()[:, joints] - expected.world_positions()).max()
                row = worst.setdefault(stage, [0.0, 0.0, 0.0])
                row[0] = max(row[0], float(np.abs(chosen - frames).max()))
                row[1] = max(row[1], 1000.0 * float(apart))
                row[2] = max(row[2], largest_change(ml.measure(expected), ml.measure(result)))
        for stage, row in worst.items():
            print(f"| {rig} | {stage} | {row[0]:.2g} | {row[1]:.2g} | {row[2]:.2g} |")


if __name__ == "__main__":
    main()
