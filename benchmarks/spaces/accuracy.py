"""Accuracy: random requests over the hull of measured blends, beside other ways to choose weights."""

from __future__ import annotations

import time

import numpy as np
from scipy.spatial import ConvexHull

from benchmarks.spaces.rivals import list_ways, nearest_clip, normalize
from benchmarks.spaces.sets import ClipSet
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.quality.feet import plant_measures
from motionloom.spaces.close_residual import close_residual
from motionloom.spaces.report import SpaceReport
from motionloom.spaces.space import MotionSpace

SEED = 1


def measure_accuracy(chosen: ClipSet, n_requests: int, n_finished: int) -> None:
    """Print one row for each way to choose weights, and what inverse kinematics and planting leave.

    These take most of the time, so that they can be measured for the first of the requests only.
    """
    start = time.process_time()
    space = MotionSpace(chosen.clips(), chosen.parameters)
    seconds = time.process_time() - start
    points = normalize(space, space.examples)
    own = float(np.ptp(points)) if points.shape[1] == 1 else float(ConvexHull(points).volume)
    print(
        f"{chosen.name}: {space.curve.n_clips} clips ({len(space.left_out)} left out), "
        f"{space.sampled.n_blends} blends, {space.sampled.n_refused} refused, {seconds:.1f} s of "
        f"processor time; volume {space.sampled.mesh.volume:.2f}, of the clips' own hull {own:.2f}"
    )
    requests = space.hull.draw_points(n_requests, SEED)
    ranges = np.ptp(space.examples, axis=0)
    for name, choose in list_ways(space).items():
        rows = [choose(request) for request in normalize(space, requests)]
        measured = np.array([space.blends.measure(row) for row in rows])
        errors = np.abs((measured - requests) / ranges).max(axis=1)
        middle, most, worst = 100.0 * np.percentile(errors, [50, 95, 100])
        print(f"  {name:<18} median {middle:8.3f} %   95 % within {most:8.3f} %   largest {worst:8.3f} %")
    first = requests[:n_finished]
    _print_finished("ours, finished", space, first, [_finish(space, request) for request in first])
    _print_finished("nearest, IK alone", space, first, [_finish_nearest(space, request) for request in first])


Finished = tuple[Clip, FloatArray]
"""A clip after inverse kinematics and planting, and what it measures (d,)."""


def _finish(space: MotionSpace, request: FloatArray) -> Finished:
    """Return what a space makes of a request."""
    result = space.blend(request)
    assert isinstance(result.report, SpaceReport)
    return result.clip, result.report.measured


def _finish_nearest(space: MotionSpace, request: FloatArray) -> Finished:
    """Return the nearest clip, brought to a request by inverse kinematics alone, with its feet planted."""
    weights = nearest_clip(space)(normalize(space, request))
    result = space.blends.make(weights)
    clip = close_residual(space.blends, result, weights, request, ik=True, plant=True)
    return clip, space.blends.measure_clip(clip, weights, result.u)


def _print_finished(name: str, space: MotionSpace, requests: FloatArray, finished: list[Finished]) -> None:
    """Print how far positions are off after inverse kinematics and planting, and how far feet slide."""
    slides = [float(plant_measures(clip).travel.max(initial=0.0)) for clip, _ in finished]
    text = f"feet slide {1000 * max(slides):.3f} mm at most"
    places = [n for n, unit in enumerate(space.units) if unit == "m"]
    if places and not finished[0][0].cyclic:
        measured = np.array([each for _, each in finished])
        errors = np.linalg.norm((measured - requests)[:, places], axis=1)
        middle, most, worst = 1000.0 * np.percentile(errors, [50, 95, 100])
        text += f"; positions off by {middle:.3f} mm (95 % {most:.3f}, largest {worst:.3f})"
    print(f"  {name:<18} {len(finished)} requests: {text}", flush=True)
