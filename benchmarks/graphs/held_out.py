"""The paths of twenty takes that are not in the graph, followed, beside the takes themselves.

The graph is built of the set without them, without their mirror images, and without takes of the same
content. Each take's path without its sway, and its speed along it, is what is asked for. The real take is
brought to the body of the graph, so that poses can be compared.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

from benchmarks.graphs.measures import (
    LINE_HEADER,
    LineRow,
    measure_line,
    measure_seams,
    measure_skate,
    print_sum,
)
from benchmarks.graphs.sets import TakeSet, load_takes, open_graph
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendResult
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.unify_takes import unify_takes
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_positions
from motionloom.motion.ground_path import ground_path, ground_track
from motionloom.paths.path import Line
from motionloom.paths.path_report import measure_deviation
from motionloom.quality import seam_smoothness
from motionloom.quality.feet import plant_measures

N_HELD_OUT, SEED = 20, 1

MIN_TRAVEL = 4.0
"""Metres that a take must travel for its path to be followed."""

SMOOTHING = 0.3
"""Standard deviation, seconds, of the Gaussian that takes the sway out of a take's path."""

MIN_SPEED = 0.3
"""Metres per second: slower beginnings and ends of a take are no path."""

POINT_SPACING = 0.05
"""Metres between the points of a path."""

POSE_STRIDE = 3
"""Frames between the poses of a take that are compared: a tenth of a second."""

MAX_SHIFT = 0.75
"""Metres by which motions may be shifted along a path to be in step: half a stride, two steps, of a walk."""


@dataclass(frozen=True)
class HeldOut:
    """A take that is not in the graph, in the graph's body, and its path with its speed."""

    name: str
    raw: Clip
    real: Clip
    line: Line


@dataclass(frozen=True)
class Beside:
    """Ours beside the real take: seams, feet, and distances of poses in metres.

    ``own_seams`` are the median and the largest of our transitions over what is usual in their two takes,
    ``seams`` over what is usual in the real take, and ``real_seams`` those of moments of the real take.
    """

    n_edges: int
    own_seams: tuple[float, float]
    seams: tuple[float, float]
    real_seams: tuple[float, float]
    skate: float
    real_skate: float
    slide: float
    real_slide: float
    pose: float
    pose_in_step: float
    nearest_take: float
    nearest_pose: float

    def __str__(self) -> str:
        return (
            f"{self.n_edges:5d}   {self.own_seams[0]:5.2f} {self.own_seams[1]:5.2f}  {self.seams[0]:5.2f} "
            f"{self.seams[1]:5.2f} | {self.real_seams[0]:5.2f} {self.real_seams[1]:5.2f}   "
            f"{100 * self.skate:5.1f} | {100 * self.real_skate:4.1f}   "
            f"{1000 * self.slide:6.2f} | {1000 * self.real_slide:5.1f}   "
            f"{100 * self.pose:5.1f} {100 * self.pose_in_step:5.1f} | {100 * self.nearest_take:5.1f} "
            f"{100 * self.nearest_pose:5.1f}"
        )


BESIDE_HEADER = (
    "take     edges   seams over own takes, the real one | real   skate (cm/s) | real   plants (mm) | real   "
    "pose (cm): same place, in step | nearest take, nearest poses"
)


def choose_held_out(takes: TakeSet, count: int = N_HELD_OUT, subject: str | None = None) -> list[int]:
    """Return the numbers of takes, of a subject or any, that travel far enough, drawn at random.

    Mirror images are not drawn.
    """
    far = [
        n
        for n, (name, clip) in enumerate(zip(takes.names, takes.clips, strict=True))
        if "mirrored" not in name
        and (subject is None or name.startswith(f"{subject}_"))
        and _find_path(clip, MIN_TRAVEL) is not None
    ]
    return sorted(np.random.default_rng(SEED).permutation(far)[:count].tolist())


def leave_out(takes: TakeSet, held_out: list[int], subject: str | None = None) -> TakeSet:
    """Return the other takes, of other subjects than one.

    Mirror images of those held out are left out too, and takes of the same content.
    """
    names = {takes.names[n] for n in held_out}
    contents = {_hash(clip) for n in held_out for clip in (takes.clips[n], takes.clips[n].mirrored())}
    return takes.pick(
        [
            n
            for n, name in enumerate(takes.names)
            if name.removesuffix(" mirrored") not in names
            and (subject is None or not name.startswith(f"{subject}_"))
            and _hash(takes.clips[n]) not in contents
        ]
    )


def _hash(clip: Clip) -> bytes:
    return np.round(body_positions(clip), 4).tobytes()


def _find_path(clip: Clip, min_travel: float = 0.5) -> Line | None:
    """Return the path of a take, with its speed, from where it sets out to where it stops; None if short."""
    track = ground_path(clip.body, smoothing=SMOOTHING)[:, :2]
    speeds = np.linalg.norm(np.gradient(track, clip.frame_time, axis=0), axis=1)
    moving = np.flatnonzero(speeds > MIN_SPEED)
    if not len(moving):
        return None
    track, speeds = track[moving[0] : moving[-1] + 1], speeds[moving[0] : moving[-1] + 1]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(track, axis=0), axis=1))])
    if along[-1] < min_travel:
        return None
    at = np.arange(0.0, along[-1], POINT_SPACING)
    points = np.column_stack([np.interp(at, along, track[:, k]) for k in range(2)])
    return Line(points, speed=np.maximum(np.interp(at, along, speeds), MIN_SPEED))


def prepare_held_out(graph: MotionGraph, takes: TakeSet, held_out: list[int]) -> list[HeldOut]:
    """Return takes in the body of the graph, with their paths."""
    names = [takes.names[n] for n in held_out]
    leaked = {node.name.removesuffix(" mirrored") for node in graph.nodes} & set(names)
    if leaked:
        raise SystemExit(f"the graph holds takes that must not be in it: {', '.join(sorted(leaked))}")
    raw = [annotate(takes.clips[n]) for n in held_out]
    nodes, _ = unify_takes([graph.nodes[0].clip, *raw], names=["of the graph", *names])
    found = []
    for name, own, node in zip(names, raw, nodes[1:], strict=True):
        line = _find_path(node.clip)
        if line is not None:
            found.append(HeldOut(name, own, node.clip, line))
    return found


def follow_take(graph: MotionGraph, take: HeldOut) -> tuple[BlendResult, LineRow]:
    """Return motion of the graph along the path of a take, and how close it is."""
    start = time.process_time()
    result = graph.follow(take.line)
    seconds = time.process_time() - start
    speeds = take.line.speeds
    assert speeds is not None
    radius = graph.ground_tables.tightest_radius()
    return result, measure_line(result.clip, take.line, radius=radius, speeds=speeds, seconds=seconds)


def compare_with_real(graph: MotionGraph, take: HeldOut, result: BlendResult) -> Beside:
    """Return a motion beside the real take."""
    ours, real = result.clip, take.real
    same, in_step = _compare_poses(ours, take)
    nearest_take, nearest_pose = _find_nearest(graph, real)
    everywhere = np.arange(15.0, real.n_frames - 15.0, 5.0)
    seams = result.report.seams
    own = measure_seams(graph, result)
    return Beside(
        n_edges=len(own),
        own_seams=(float(np.median(own)), float(own.max())) if len(own) else (0.0, 0.0),
        seams=_compare_seams(ours, seams, real),
        real_seams=_compare_seams(real, tuple(everywhere.tolist()), real),
        skate=measure_skate(ours),
        real_skate=measure_skate(take.raw),
        slide=float(plant_measures(ours).travel.max(initial=0.0)),
        real_slide=float(plant_measures(take.raw).travel.max(initial=0.0)),
        pose=same,
        pose_in_step=in_step,
        nearest_take=nearest_take,
        nearest_pose=nearest_pose,
    )


def _compare_seams(clip: Clip, seams: tuple[float, ...], real: Clip) -> tuple[float, float]:
    """Return the median and the largest acceleration or jerk about seams over the real take's usual one."""
    if not seams:
        return 0.0, 0.0
    smooth = seam_smoothness(clip, seams, [real.arranged()])
    scores = np.max(
        [
            own.overall
            for own in (
                smooth.world_acceleration,
                smooth.world_jerk,
                smooth.body_acceleration,
                smooth.body_jerk,
            )
        ],
        axis=0,
    )
    return float(np.median(scores)), float(scores.max())


def _compare_poses(ours: Clip, take: HeldOut) -> tuple[float, float]:
    """Return the mean distance of joints, seen from the body, at the same place, and at the best shift."""
    own_at, _ = measure_deviation(ground_track(ours), ours.frame_time, take.line)
    real_at, _ = measure_deviation(ground_track(take.real), take.real.frame_time, take.line)
    inside = np.flatnonzero((real_at > 0.0) & (real_at < take.line.length))[::POSE_STRIDE]
    own, real = body_positions(ours), body_positions(take.real)[inside]
    shifts = np.linspace(-MAX_SHIFT, MAX_SHIFT, 31)
    distances = []
    for shift in shifts:
        frames = np.clip(np.searchsorted(own_at, real_at[inside] + shift), 0, len(own) - 1)
        distances.append(float(np.linalg.norm(own[frames] - real, axis=-1).mean()))
    return distances[len(shifts) // 2], min(distances)


def _find_nearest(graph: MotionGraph, real: Clip) -> tuple[float, float]:
    """Return the mean distance of poses to the nearest take of the graph, and to the nearest pose of any.

    The nearest take plays from one of its frames on, at its own speed, beside at least half of the real one.
    """
    wanted = body_positions(real)[::POSE_STRIDE]
    best_take, best_poses = np.inf, np.full(len(wanted), np.inf)
    for node in graph.nodes:
        grid = _measure_grid(wanted, body_positions(node.clip))
        best_poses = np.minimum(best_poses, grid.min(axis=1))
        for first in range(-POSE_STRIDE * (len(wanted) // 2), grid.shape[1]):
            frames = first + POSE_STRIDE * np.arange(len(wanted))
            inside = (frames >= 0) & (frames < grid.shape[1])
            if 2 * inside.sum() >= len(wanted):
                best_take = min(best_take, float(grid[inside, frames[inside]].mean()))
    return best_take, float(best_poses.mean())


def _measure_grid(wanted: FloatArray, poses: FloatArray) -> FloatArray:
    """Return the mean distance (T, F) of the joints of poses (T, J, 3) and (F, J, 3)."""
    total: FloatArray = np.zeros((len(wanted), len(poses)))
    for joint in range(wanted.shape[1]):
        total += np.linalg.norm(wanted[:, None, joint] - poses[None, :, joint], axis=-1)
    return np.asarray(total / wanted.shape[1])


def measure_held_out(given: argparse.Namespace) -> None:
    """Print how the paths of takes that are not in the graph are followed, and what the motion is like."""
    takes = load_takes(given.set)
    held_out = choose_held_out(takes, given.count or N_HELD_OUT, given.apart)
    graph = open_graph(given, takes=leave_out(takes, held_out, given.apart))
    graph.follow([[0.0, 0.0], [0.0, 5.0]])  # compiles
    rows, compared = [], []
    print(LINE_HEADER)
    for take in prepare_held_out(graph, takes, held_out):
        result, row = follow_take(graph, take)
        rows.append(row)
        compared.append((take.name, compare_with_real(graph, take, result)))
        print(f"{take.name:<12} {row}", flush=True)
    print_sum(rows, "held-out takes")
    print(BESIDE_HEADER)
    for name, beside in compared:
        print(f"{name:<8} {beside}")
    _print_beside([beside for _, beside in compared])


def _print_beside(rows: list[Beside]) -> None:
    """Print what holds for all takes."""
    table = {key: np.array([getattr(row, key) for row in rows]) for key in Beside.__annotations__}
    used = table["n_edges"] > 0
    own, seams, real = (table[key][used] for key in ("own_seams", "seams", "real_seams"))
    print(
        f"all: {int(table['n_edges'].sum())} transitions in {used.sum()} of {len(rows)} motions\n"
        f"  seams over what is usual in their two takes, median {np.median(own[:, 0]):.2f}, at most "
        f"{own[:, 1].max():.2f}; in the real take, {np.median(seams[:, 0]):.2f} and {seams[:, 1].max():.2f} "
        f"(moments of the real takes {np.median(real[:, 0]):.2f} and {real[:, 1].max():.2f})\n"
        f"  skate {100 * table['skate'].mean():.2f} cm/s (real {100 * table['real_skate'].mean():.2f}); "
        f"plants move {1000 * table['slide'].max():.2f} mm at most (real takes, median of the largest, "
        f"{1000 * np.median(table['real_slide']):.1f})\n"
        f"  poses {100 * table['pose'].mean():.1f} cm apart at the same place, "
        f"{100 * table['pose_in_step'].mean():.1f} in step (nearest take of the graph "
        f"{100 * table['nearest_take'].mean():.1f}, nearest poses {100 * table['nearest_pose'].mean():.1f})"
    )
