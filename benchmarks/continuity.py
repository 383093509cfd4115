"""Continuity: how fast blended rotations and planted limbs are, against what their sources allow.

Run with `make bench`. First, random joints: smooth rotations of 2 to 4 clips that lie anywhere, with constant
weights, weights keyed between clips and between mixtures, and live ones. Columns: how many joints, how many
were handed over, the smallest length S of a mean, and the largest turn over (Σ wω + 2‖Σ ẇq‖)/S. Then pairs of
takes of the library with equal descriptions, blended half and half: the largest speed of any joint with feet
planted over its largest without, seen from the body and in the world, how many exceed 1.5, and how many
plants were released. `python -m benchmarks.continuity 200 120` takes 200 pairs at 120 Hz.
"""

from __future__ import annotations

import csv
import random
import sys
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.arrays import FloatArray
from motionloom.blending import blend
from motionloom.blending.hand_over import plan_joint
from motionloom.errors import MotionloomError
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.quality.joint_speeds import joint_speeds
from motionloom.repair import repair
from motionloom.workflows import MixReport, check_fit, plant_blend, prepare
from tests.blending.test_hand_over import RAMP, allowed, means, random_joints, random_weights, run_live, turns

N_JOINTS, N_PAIRS, FPS, SEED = 2000, 40, 30.0, 18
MAX_SECONDS = 12.0
SMALL = {"N_JOINTS": 12, "N_PAIRS": 1}
"""Longer takes hold several actions, and are not blended whole."""

MIN_SPEED = 0.1
"""Metres per second below which a joint rests, and has no speed to compare with."""

MAX_RATIO = 1.5


def main() -> None:
    words = sys.argv[1:]
    n_pairs = int(words[0]) if words else N_PAIRS
    fps = float(words[1]) if words[1:] else FPS
    warnings.simplefilter("ignore")
    print_random_joints()
    need_corpus()
    print_pairs(n_pairs, fps)


def print_random_joints() -> None:
    print(f"{'weights':<12}{'joints':>8}{'handed over':>13}{'smallest S':>12}{'turn to bound':>15}")
    for kind in ("constant", "clips", "mixtures", "live"):
        rng = np.random.default_rng(SEED)
        n_handed, lengths, ratios = 0, [], []
        for n, rotations in enumerate(random_joints(rng, N_JOINTS)):
            own = ("constant", "clips", "mixtures")[n % 3] if kind == "live" else kind
            weights = random_weights(rng, own, rotations.shape[1])
            plan = run_live(rotations, weights) if kind == "live" else plan_joint(rotations, weights, RAMP)
            mean, found = means(rotations, plan)
            n_handed += not np.array_equal(plan.weights, weights)
            lengths.append(found.min())
            ratios.append((turns(mean) / np.maximum(allowed(rotations, plan), 1e-9)).max())
        print(f"{kind:<12}{N_JOINTS:>8}{n_handed:>13}{min(lengths):>12.3f}{max(ratios):>15.3f}")


def print_pairs(n_pairs: int, fps: float) -> None:
    ratios: list[tuple[float, float]] = []
    n_plants = n_released = 0
    for one, two in library_pairs():
        if len(ratios) == n_pairs:
            break
        clips = [repair(load_clip(path)).clip for path in (one, two)]
        clips = [clip.resampled(fps) if abs(clip.fps - fps) > 1.0 else clip for clip in clips]
        try:
            prepared = prepare(clips)
            curve = prepared.register()
            check_fit(curve)
            blended = blend(curve, [0.5, 0.5])
        except MotionloomError:
            continue
        planted = plant_blend(blended, curve, prepared)
        before, after = blended.clip, planted.clip
        ratios.append(
            (
                ratio_of(joint_speeds(after, cutoff=None), joint_speeds(before, cutoff=None)),
                ratio_of(world_speeds(after), world_speeds(before)),
            )
        )
        report = planted.report.enforcement if isinstance(planted.report, MixReport) else None
        n_plants += len(before.constraints)
        n_released += 0 if report is None else len(report.released)
        if max(ratios[-1]) > MAX_RATIO:
            print(f"  above: {one.stem} with {two.stem}, {ratios[-1][0]:.2f} and {ratios[-1][1]:.2f}")
    print(f"\n{len(ratios)} pairs at {fps:g} Hz, planted to blended: median, largest, above {MAX_RATIO:g}")
    for name, values in zip(("seen from the body", "in the world"), zip(*ratios, strict=True), strict=True):
        above = sum(value > MAX_RATIO for value in values)
        print(f"  {name:<20}{np.median(values):8.2f}{max(values):8.2f}{above:6d}")
    print(f"  plants shortened or dropped: {n_released} of {n_plants}")


def library_pairs() -> list[tuple[Path, Path]]:
    """Up to three pairs of takes for each description, in random order."""
    folder, rng = MOCAP / "library", random.Random(SEED)
    by_description: dict[str, list[Path]] = defaultdict(list)
    with (folder / "takes.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if float(row["seconds"]) < MAX_SECONDS:
                take = row["take"]
                by_description[row["description"]].append(folder / take.split("_")[0] / f"{take}.bvh")
    pairs = []
    for takes in by_description.values():
        for _ in range(min(3, len(takes) // 2)):
            one, two = rng.sample(takes, 2)
            pairs.append((one, two))
    rng.shuffle(pairs)
    return pairs


def world_speeds(clip: Clip) -> FloatArray:
    """The largest speed (J,) of every joint in the world, m/s."""
    steps = np.linalg.norm(np.diff(clip.world_positions(), axis=0), axis=-1)
    return np.asarray(steps.max(axis=0) * clip.fps)


def ratio_of(after: FloatArray, before: FloatArray) -> float:
    """The largest ratio of speeds (J,) of joints; the root has no speed seen from itself."""
    return float((after / np.maximum(before, MIN_SPEED)).max())


if __name__ == "__main__":
    main()
