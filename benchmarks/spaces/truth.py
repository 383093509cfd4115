"""Truth: every clip left out in turn, its parameters asked for, and the result compared with the real take.

Distances are mean distances of joints, centimetres: each frame is put on the real one by the ground
transform that fits best. "at shares" compares at equal shares of the durations, so that timing counts;
"aligned" compares frames that a registration of result and take puts beside each other, so that poses alone
count. "speeds" is the peak speed of joints, seen from the body, over that of the take: the mean over joints
that move.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.quality.judge import joint_error, placed
from benchmarks.quality.predictors import registered
from benchmarks.spaces.apart import TIME_WEIGHTS, blend_apart
from benchmarks.spaces.linear import find_best_linear, take_poses
from benchmarks.spaces.reaches import print_four_reaches
from benchmarks.spaces.rivals import list_ways, normalize
from benchmarks.spaces.sets import ClipSet
from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendResult
from motionloom.errors import MotionloomError
from motionloom.motion import Clip
from motionloom.quality.joint_speeds import joint_speeds
from motionloom.registration import RegistrationCurve
from motionloom.spaces.close_residual import close_residual
from motionloom.spaces.measured_blends import MeasuredBlends
from motionloom.spaces.register_examples import register_examples
from motionloom.spaces.space import MotionSpace

N_SAMPLES = 100
"""Pairs of frames that are compared after alignment."""

MIN_SPEED = 0.2
"""Metres per second of a joint in the take, below which it rests and has no speed to compare with."""

COLUMNS = ("at shares, cm", "aligned, cm", "speeds")

Prediction = tuple[Clip, float]
"""A clip that stands for a take, with its last frame, which need not be whole."""


def print_truth(chosen: Sequence[ClipSet]) -> None:
    """Print means over the takes of each set, of all described and of all library takes; then the reaches."""
    groups: dict[str, dict[str, list[FloatArray]]] = {}
    for each in chosen:
        rows, n_inside = _judge_set(each)
        n_takes = len(rows.get("ours", ()))
        _print_rows(f"{each.name}: {n_takes} takes left out, {n_inside} inside the space of the others", rows)
        group = groups.setdefault(each.name.rsplit(", ", 1)[-1], {})
        for name, values in rows.items():
            group.setdefault(name, []).append(np.mean(values, axis=0))
    for name, rows in groups.items():
        _print_rows(f"all {name}, mean over sets", rows)
    print_four_reaches()


def _print_rows(title: str, rows: dict[str, list[FloatArray]]) -> None:
    print(title)
    for name, values in rows.items():
        shown = "".join(f"{value:16.2f}" for value in np.mean(values, axis=0))
        print(f"  {name:<28}{shown}" + ("   (" + ", ".join(COLUMNS) + ")" if name == "ours" else ""))
    print(flush=True)


def _judge_set(chosen: ClipSet) -> tuple[dict[str, list[FloatArray]], int]:
    """Return figures (3,) of every prediction of every take, and how many takes lie inside."""
    clips = chosen.clips()
    whole = MeasuredBlends(register_examples(clips, chosen.parameters), chosen.parameters)
    rows: dict[str, list[FloatArray]] = {}
    n_inside = 0
    for k, row in enumerate(np.eye(len(clips))):
        others = [clip for n, clip in enumerate(clips) if n != k]
        try:
            space = MotionSpace(others, chosen.parameters)
            take, request = whole.make(row).clip, whole.measure(row)
            figures = {name: _judge(*made, take) for name, made in _predict(space, request, take).items()}
        except MotionloomError as error:
            print(f"  {chosen.name}: without clip {k}: {error}")
            continue
        n_inside += space.hull.find_nearest(request).distance == 0.0
        for name, values in figures.items():
            rows.setdefault(name, []).append(values)
    return rows, n_inside


def _predict(space: MotionSpace, request: FloatArray, take: Clip) -> dict[str, Prediction]:
    """Make a take from its parameters in all ways; the best linear blend sees the take itself."""
    blends = space.blends

    def make(weights: FloatArray) -> Prediction:
        result = blends.make(weights)
        return result.clip, _find_last(result, space.curve)

    def finish(weights: FloatArray, goal: FloatArray) -> Prediction:
        result = blends.make(weights)
        clip = close_residual(blends, result, weights, goal, ik=True, plant=True)
        return clip, _find_last(result, space.curve)

    ways = {name: choose(normalize(space, request)) for name, choose in list_ways(space).items()}
    found = {name: make(weights) for name, weights in ways.items()}
    found["ours, finished"] = finish(ways["ours"], space.hull.find_nearest(request).point)
    found["nearest clip, IK"] = finish(ways["nearest clip"], request)
    for name, choose_time in TIME_WEIGHTS.items():
        own = choose_time(ways["ours"], normalize(space, space.examples), normalize(space, request))
        found[f"time: {name}"] = blend_apart(space, ways["ours"], own)
    used = np.delete(np.eye(space.curve.n_clips), list(space.left_out), axis=0)
    found["best linear blend"] = find_best_linear([blends.make(row).clip for row in used], take)
    return found


def _find_last(result: BlendResult, curve: RegistrationCurve) -> float:
    """Return the last frame of a blend, with what is left of the clips after the last whole one."""
    last = result.clip.n_frames - 1.0
    if result.clip.cyclic:
        return last
    left = (curve.spans[1] - result.frames[-1]) / np.maximum(result.frames[-1] - result.frames[-2], 1e-9)
    return last + float(np.clip(left.mean(), 0.0, 1.0))


def _judge(made: Clip, last: float, take: Clip) -> FloatArray:
    speeds, own = joint_speeds(made), joint_speeds(take)
    moves = own > MIN_SPEED
    return np.array(
        [joint_error(made, take, last), _find_aligned_error(made, take), (speeds[moves] / own[moves]).mean()]
    )


def _find_aligned_error(made: Clip, take: Clip) -> float:
    """Return the mean distance of joints, cm, at frames that correspond."""
    curve = registered([take_poses(made), take_poses(take)])
    frames = curve.timewarp(np.linspace(*curve.domain, N_SAMPLES))
    found, truth = (
        clip.at(np.clip(frames[:, n], 0.0, clip.n_frames - 1.0)).world_positions()
        for n, clip in enumerate((made, take))
    )
    return float(100.0 * np.linalg.norm(placed(found, truth) - truth, axis=-1).mean())
