"""Cycles and steering: do cycles go and turn as their clips do, and does steering give what the set can give?

Run with ``python -m benchmarks.loops``. The first table closes one stride of each of the walks and runs of
one person and compares speed and turn with the clip's. The second asks every gait's three cycles, and all
twelve together, for a grid of turns, and compares what the blend does with what was asked for and with the
nearest that a blend of any three clips of the set has at that speed.
"""

from __future__ import annotations

import warnings
from itertools import combinations
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.arrays import FloatArray
from motionloom.blending.controls import measure_path
from motionloom.cycles import CycleReport

FOLDER = "locomotion/s16"
GAITS = ("walk", "brisk", "jog", "run")
N_TURNS = 9
"""Asked-for turns within the range of a set."""

N_STEPS, SAME_SPEED = 12, 0.02
"""Steps of the weights of blends that show what a set can give, and the fraction by which their speed may
differ from the asked-for one."""

MAX_SPEED_ERROR, MAX_TURN_ERROR, MAX_RATE_ERROR = 0.05, 0.1, 3.0
"""What a cycle may miss of its clip: fractions, and degrees per second."""


def main() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    need_corpus()
    files = sorted((MOCAP / FOLDER).glob("*.bvh"))
    cycles = {path: ml.cyclify(ml.load(path), cycles=1) for path in files}
    _report_cycles(cycles)
    _report_steering(cycles)


def _report_cycles(cycles: dict[Path, ml.Result[CycleReport]]) -> None:
    print("cycles: speed and turn of the clip and of one cycle")
    for path, cycle in cycles.items():
        report = cycle.report
        faster = report.speed / report.clip_speed - 1.0
        turn, own = np.degrees([report.turn, report.clip_turn])
        within = abs(faster) <= MAX_SPEED_ERROR and abs(turn - own) <= max(
            MAX_RATE_ERROR, MAX_TURN_ERROR * abs(own)
        )
        clip = f"{report.clip_speed:.2f} m/s {own:+6.1f}°/s"
        found = f"{report.speed:.2f} ({100 * faster:+.1f} %) {turn:+6.1f} ({turn - own:+.1f})"
        verdict = f"seam {100 * report.seam:.1f} cm{'' if within else ', nearest there is'}"
        print(f"  {path.stem:24} {clip}   {found}   {verdict}")


def _report_steering(cycles: dict[Path, ml.Result[CycleReport]]) -> None:
    sets = {gait: [clip for path, clip in cycles.items() if path.stem.startswith(gait)] for gait in GAITS}
    for name, clips in {**sets, "all twelve": list(cycles.values())}.items():
        curve = ml.register(clips)
        controls = ml.Controls(curve)
        speeds = [own.speed for own in controls.clips]
        turns = np.degrees([own.turn for own in controls.clips])
        asked_speeds = [float(np.mean(speeds))] if name in GAITS else np.linspace(1.2, 3.6, 3).tolist()
        possible = _sample_possible(controls)
        print(f"\nsteering, {name}: clips turn by {', '.join(f'{turn:+.1f}' for turn in turns)}°/s")
        print("  speed asked    got      turn asked      got   the set can give")
        short = []
        for speed in asked_speeds:
            for turn in np.linspace(turns.min(), turns.max(), N_TURNS):
                weights = controls.weights(speed=speed, turn=float(np.radians(turn)))
                path = measure_path(ml.blend(curve, weights).clip)
                got, best = float(np.degrees(path.turn_rate)), _nearest(possible, speed, turn)
                short.append(abs(got - turn) - abs(best - turn))
                print(f"  {speed:.2f} {path.speed:8.2f} m/s   {turn:+10.1f}  {got:+7.1f}  {best:+7.1f} °/s")
        print(f"  falls short of what the set can give by {max(short):.1f}°/s at most")


def _sample_possible(controls: ml.Controls) -> FloatArray:
    """Return speeds, m/s, and turns, °/s, (N, 2) of blends of any two or three clips."""
    n_clips = len(controls.clips)
    grid = [(a, b, N_STEPS - a - b) for a in range(N_STEPS + 1) for b in range(N_STEPS + 1 - a)]
    made = []
    for members in combinations(range(n_clips), 3):
        for parts in grid:
            weights = np.zeros(n_clips)
            weights[list(members)] = parts
            speed, turn = controls.speed_and_turn(weights)
            made.append((speed, np.degrees(turn)))
    return np.array(made)


def _nearest(possible: FloatArray, speed: float, turn: float) -> float:
    """Return the turn nearest to the asked-for one that blends at about the asked-for speed have, °/s."""
    turns = possible[np.abs(possible[:, 0] - speed) <= SAME_SPEED * speed, 1]
    return float(turns[np.abs(turns - turn).argmin()])


if __name__ == "__main__":
    main()
