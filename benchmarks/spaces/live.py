"""Live: time of weights and steps, and how a held hand or foot follows a target that moves.

Times are processor time of the thread, so that other programs on the machine do not count. The target moves
at 0.5 m/s at most along a closed curve inside the hull. Speeds of joints are those in the world, over the
largest of the clips; joints that hardly move in the clips count as moving at 0.2 m/s.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.spaces.sets import ClipSet
from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError
from motionloom.spaces.live_space import LiveSpace
from motionloom.spaces.space import MotionSpace

FPS = 60

SECONDS = 60

TARGET_SPEED = 0.5
"""Metres per second of the target."""

MIN_SPEED = 0.2
"""Metres per second of a joint in the clips, below which it counts as moving at this speed."""

SETTLE = 4
"""Seconds before the target moves, in which the motion comes to its moment."""


def measure_live(chosen: ClipSet, n_requests: int) -> None:
    """Print times of weights and of steps, and how well a held hand or foot follows a target for 60 s."""
    space = MotionSpace(chosen.clips(), chosen.parameters)
    requests = space.hull.draw_points(n_requests, 2)
    inside = _time(lambda request: space.weights(request, correct=False), requests)
    beyond = requests + np.ptp(space.examples, axis=0)
    outside = _time(lambda request: space.weights(request, correct=False), beyond)
    print(
        f"{chosen.name}: weights {_describe(inside)}, outside the space {_describe(outside)}; step "
        f"{_describe(_time_steps(space, requests))}",
        flush=True,
    )
    if "m" in space.units and not space.curve.clips[0].cyclic:
        try:
            _follow(space)
        except MotionloomError as error:
            print(f"  {error}")


def _follow(space: MotionSpace) -> None:
    """Print how well a held hand or foot follows, and how fast joints get."""
    path, duration = _find_path(space)
    live = space.live(path(0.0))
    for _ in range(SETTLE * FPS):
        pose = live.step(1 / FPS, path(0.0), hold=True)
    before, speeds, errors, times = pose.world_positions(), np.zeros(pose.skeleton.n_joints), [], []
    for n in range(1, SECONDS * FPS + 1):
        goal = path(n / FPS)
        start = time.thread_time_ns()
        pose = live.step(1 / FPS, goal, hold=True)
        times.append((time.thread_time_ns() - start) / 1000.0)
        errors.append(live.distance(pose, goal))
        now = pose.world_positions()
        speeds = np.maximum(speeds, np.linalg.norm(now - before, axis=-1) * FPS)
        before = now
    usual = np.max(
        [_peak_speeds(clip.world_positions(), clip.frame_time) for clip in space.curve.clips], axis=0
    )
    ratios = speeds / np.maximum(usual, MIN_SPEED)
    worst = int(ratios.argmax())
    print(
        f"  held for {SECONDS} s, target at {TARGET_SPEED} m/s around a curve of {duration:.1f} s: off by "
        f"{1000 * np.median(errors):.2f} mm (largest {1000 * np.max(errors):.2f}); fastest joint "
        f"{ratios[worst]:.2f} x the clips ({pose.skeleton.names[worst]}, {speeds[worst]:.2f} m/s); step "
        f"{_describe(np.array(times))}",
        flush=True,
    )


def _find_path(space: MotionSpace) -> tuple[Callable[[float], FloatArray], float]:
    """Return a closed curve inside the hull on which a target moves at the speed, and its seconds."""
    hull = space.hull
    centre = hull.points[hull.simplices].mean(axis=(0, 1))
    size = 0.4 * np.ptp(space.examples, axis=0)
    phases = np.pi / 2.0 * np.arange(len(centre))
    angles = np.linspace(0.0, 2.0 * np.pi, 100)
    while any(hull.find_nearest(centre + size * np.cos(angle + phases)).distance for angle in angles):
        size *= 0.9
    steps = np.diff(centre + size * np.cos(angles[:, None] + phases), axis=0)
    places = [n for n, unit in enumerate(space.units) if unit == "m"]
    fastest = float(np.linalg.norm(steps[:, places], axis=1).max()) / (angles[1] - angles[0])
    rate = TARGET_SPEED / fastest
    return lambda seconds: centre + size * np.cos(rate * seconds + phases), 2.0 * np.pi / rate


def _time_steps(space: MotionSpace, requests: FloatArray) -> FloatArray:
    """Return microseconds of steps without hold, one for each request."""
    live: LiveSpace = space.live(requests[0])
    return _time(lambda request: live.step(1 / FPS, request), requests)


def _time(call: Callable[[FloatArray], object], requests: FloatArray) -> FloatArray:
    """Return microseconds of processor time of a call for each request."""
    call(requests[0])
    times = []
    for request in requests:
        start = time.thread_time_ns()
        call(request)
        times.append((time.thread_time_ns() - start) / 1000.0)
    return np.array(times)


def _describe(times: FloatArray) -> str:
    return f"{np.median(times):.0f} µs (99 % {np.percentile(times, 99):.0f})"


def _peak_speeds(positions: FloatArray, frame_time: float) -> FloatArray:
    """Return the largest speed (J,) of joints (T, J, 3), m/s."""
    return np.asarray(np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(axis=0) / frame_time)
