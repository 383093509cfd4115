"""Motion spaces measured: accuracy, truth, smoothness or live, with --requests and --only.

- accuracy: random requests over the hull of measured blends; errors in percent of the clips' range, before
  inverse kinematics, of our weights and of other ways to choose weights; and the volumes of both hulls.
- truth: every clip left out in turn and its parameters asked for; mean distance of joints to the real take,
  centimetres, with frames that correspond by fraction of the clip.
- smoothness: requests along a line; the largest step of weights and of joints over the median step.
- live: microseconds of interpolated weights and of a whole step; how far a held hand is from a moving target.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
from scipy.spatial import ConvexHull

from benchmarks.corpus import need_corpus
from benchmarks.spaces.rivals import RIVALS, Chooser, normalize
from benchmarks.spaces.sets import SETS, ClipSet
from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError
from motionloom.motion import Clip
from motionloom.quality.reference_error import joint_error
from motionloom.spaces.space import MotionSpace

N_POSES = 100
"""Poses at which a blend and a take are compared."""


def measure_accuracy(chosen: ClipSet, n_requests: int) -> None:
    """Print one row for each way to choose weights."""
    start = time.process_time()
    space = MotionSpace(chosen.clips(), chosen.parameters)
    seconds = time.process_time() - start
    points = normalize(space, space.examples)
    own = float(np.ptp(points)) if points.shape[1] == 1 else float(ConvexHull(points).volume)
    print(
        f"{chosen.name}: {space.curve.n_clips} clips, {space.sampled.n_blends} blends, {seconds:.1f} s of "
        f"processor time; volume {space.sampled.mesh.volume:.2f}, of the clips' own hull {own:.2f}"
    )
    requests = normalize(space, space.hull.draw_points(n_requests, 1))
    for name, choose in _list_ways(space).items():
        errors = [
            float(np.abs(normalize(space, space.blends.measure(choose(request))) - request).max())
            for request in requests
        ]
        middle, most, worst = 100.0 * np.percentile(errors, [50, 95, 100])
        print(f"  {name:<18} median {middle:8.3f} %   95 % within {most:8.3f} %   largest {worst:8.3f} %")


def _list_ways(space: MotionSpace) -> dict[str, Chooser]:
    """Return ours and all other ways to choose weights."""
    ranges, low = np.ptp(space.examples, axis=0), space.examples.min(axis=0)

    def ours(request: FloatArray) -> FloatArray:
        return space.weights(low + request * ranges)

    return {"ours": ours} | {name: make(space) for name, make in RIVALS.items()}


def measure_truth(chosen: ClipSet, n_requests: int) -> None:
    """Print the distance to takes that were left out, for each way to choose weights."""
    clips = chosen.clips()
    found: dict[str, list[float]] = {}
    whole = MotionSpace(clips, chosen.parameters, extrapolation=0.0, max_blends=1)
    for k, clip in enumerate(clips):
        others = [other for n, other in enumerate(clips) if n != k]
        try:
            space = MotionSpace(others, chosen.parameters)
        except MotionloomError:
            continue
        request = normalize(space, whole.examples[k])
        for name, choose in _list_ways(space).items():
            made = space.blends.make(choose(request)).clip
            found.setdefault(name, []).append(_compare(made, clip))
    if not found:
        print(f"{chosen.name}: no clip can be left out")
        return
    rows = ", ".join(f"{name} {100 * np.mean(values):.2f}" for name, values in found.items())
    print(f"{chosen.name}: mean distance of joints, cm ({len(found['ours'])} takes): {rows}")


def _compare(made: Clip, take: Clip) -> float:
    """Return the mean distance of joints, metres, at equal fractions of both clips."""

    def sample(clip: Clip) -> Clip:
        pose = clip.at(np.linspace(0.0, clip.n_frames - 1.0, N_POSES))
        return Clip(clip.skeleton, 1.0 / N_POSES, pose.root_positions, pose.rotations, pose.translations)

    return joint_error(sample(made), sample(take))


def measure_smoothness(chosen: ClipSet, n_requests: int) -> None:
    """Print the largest over the median step of weights and joints along a line between two clips."""
    space = MotionSpace(chosen.clips(), chosen.parameters)
    apart = np.linalg.norm(space.examples[:, None] - space.examples[None], axis=-1)
    first, last = np.unravel_index(int(apart.argmax()), apart.shape)
    line = np.linspace(space.examples[first], space.examples[last], max(n_requests, 2))
    weights = np.array([space.weights(request) for request in line])
    poses = np.array([_middle_pose(space, row) for row in weights])
    steps = np.abs(np.diff(weights, axis=0)).max(axis=1)
    moves = np.linalg.norm(np.diff(poses, axis=0), axis=-1).max(axis=1)
    print(
        f"{chosen.name}: {len(line)} requests; largest over median step: weights "
        f"{steps.max() / np.median(steps):.2f}, joints {moves.max() / np.median(moves):.2f} (largest "
        f"{1000 * moves.max():.2f} mm)"
    )


def _middle_pose(space: MotionSpace, weights: FloatArray) -> FloatArray:
    result = space.blends.make(weights)
    u = sum(space.curve.domain) / 2.0
    return result.clip.at(np.interp(u, result.u, np.arange(len(result.u)))).world_positions()


def measure_live(chosen: ClipSet, n_requests: int) -> None:
    """Print times of a step, and how well a held hand follows a target inside the hull for 60 s."""
    space = MotionSpace(chosen.clips(), chosen.parameters)
    requests = space.hull.draw_points(n_requests, 2)
    times = []
    for request in requests:
        start = time.perf_counter()
        space.weights(request, correct=False)
        times.append(1e6 * (time.perf_counter() - start))
    print(f"{chosen.name}: weights median {np.median(times):.0f} µs, 99 % {np.percentile(times, 99):.0f} µs")
    centre, size = space.examples.mean(axis=0), 0.2 * np.ptp(space.examples, axis=0)
    live = space.live(centre)
    steps, errors = [], []
    for n in range(60 * 60):
        angle = 0.5 * n / 60.0
        goal = centre + size * np.cos(angle + np.pi / 2 * np.arange(len(centre)))
        start = time.perf_counter()
        try:
            pose = live.step(1 / 60, goal, hold=True)
        except MotionloomError:
            print("  no hand or foot to hold")
            return
        steps.append(1e6 * (time.perf_counter() - start))
        if live.holds and n > 240:
            errors.append(live.distance(pose, goal))
    print(
        f"  step median {np.median(steps):.0f} µs, 99 % {np.percentile(steps, 99):.0f} µs; held hand "
        f"{1000 * np.median(errors):.2f} mm (largest {1000 * np.max(errors):.2f} mm) from its target"
    )


MEASURES = {
    "accuracy": measure_accuracy,
    "truth": measure_truth,
    "smoothness": measure_smoothness,
    "live": measure_live,
}


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--only", default="", help="sets whose name has this word")
    arguments = parser.parse_args()
    need_corpus()
    warnings.simplefilter("ignore")
    for chosen in SETS:
        if arguments.only in chosen.name:
            try:
                MEASURES[arguments.what](chosen, arguments.requests)
            except MotionloomError as error:
                print(f"{chosen.name}: {error}")


if __name__ == "__main__":
    main()
