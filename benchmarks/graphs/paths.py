"""Motion along curves and shapes, to places, and with actions on the way."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.graphs.measures import LINE_HEADER, LineRow, measure_line, print_sum
from benchmarks.graphs.sets import ACTIONS, open_graph
from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendResult
from motionloom.display import plot
from motionloom.errors import MotionloomError
from motionloom.graphs.graph import MotionGraph
from motionloom.paths.dubins import dubins_length
from motionloom.paths.path import Action, Line
from motionloom.paths.path_report import PathReport

N_CURVES, N_TARGETS = 50, 200


def draw_curve(seed: int, length: float = 20.0) -> FloatArray:
    """Return points (N, 2) of a random smooth curve, whose heading is a sum of three waves."""
    rng = np.random.default_rng(seed)
    s = np.linspace(0.0, length, 400)
    heading = rng.uniform(-np.pi, np.pi) + np.zeros_like(s)
    for wave in (6.0, 9.0, 14.0):
        heading += rng.normal() * wave / 8.0 * np.sin(2.0 * np.pi * s / wave + rng.uniform(0.0, 2.0 * np.pi))
    return np.cumsum(np.column_stack([np.sin(heading), np.cos(heading)]) * length / len(s), axis=0)


def list_shapes() -> dict[str, FloatArray]:
    """Return the shapes by name."""
    t = np.linspace(0.0, 2.0 * np.pi, 300)
    u = np.linspace(0.0, 6.0 * np.pi, 600)[:, None]
    spiral = (0.5 + 0.18 * u) * np.concatenate([np.sin(u), np.cos(u)], axis=1)
    return {
        "square": np.array([[0, 0], [0, 5], [5, 5], [5, 0], [0, 0]], dtype=np.float64),
        "eight": np.column_stack([3.0 * np.sin(2.0 * t), 4.0 * np.sin(t)]),
        "spiral out": spiral,
        "spiral in": spiral[::-1],
    }


def draw_curves(count: int) -> dict[str, FloatArray]:
    """Return random curves by name."""
    return {f"curve {seed}": draw_curve(seed) for seed in range(count)}


def follow_line(graph: MotionGraph, line: Line) -> tuple[BlendResult, LineRow]:
    """Return a motion along a line at the takes' usual speed, and how close it is."""
    start = time.process_time()
    result = graph.follow(line)
    seconds = time.process_time() - start
    tables = graph.ground_tables
    speeds = np.full(len(line.stations), tables.usual_speed())
    return result, measure_line(
        result.clip, line, radius=tables.tightest_radius(), speeds=speeds, seconds=seconds
    )


def measure_lines(graph: MotionGraph, lines: dict[str, FloatArray], pictures: Path | None) -> None:
    """Print how closely each line is followed."""
    graph.follow([[0.0, 0.0], [0.0, 5.0]])  # compiles
    rows = []
    print(LINE_HEADER)
    for name, points in lines.items():
        line = Line(points)
        result, row = follow_line(graph, line)
        rows.append(row)
        print(f"{name:<12} {row}", flush=True)
        if pictures is not None:
            plot.path(result, line, pictures / f"{name}.png", overwrite=True)
    print_sum(rows, "lines")


def draw_targets(count: int) -> list[tuple[float, float, float]]:
    """Return random x, z and yaw within five metres."""
    rng = np.random.default_rng(5)
    rows = [(*rng.uniform(-5.0, 5.0, 2), rng.uniform(-np.pi, np.pi)) for _ in range(count)]
    return [(float(x), float(z), float(yaw)) for x, z, yaw in rows]


def measure_targets(graph: MotionGraph, n_targets: int) -> None:
    """Print how exactly and how directly random targets are reached."""
    radius = graph.ground_tables.tightest_radius()
    rows = []
    for x, z, yaw in draw_targets(n_targets):
        start = time.process_time()
        try:
            result = graph.go_to(x, z, yaw)
        except MotionloomError as error:
            print(f"({x:.2f}, {z:.2f}, {yaw:.2f}): {error}")
            rows.append([np.inf] * 4)
            continue
        report = result.report
        assert isinstance(report, PathReport)
        bound = 1.5 * dubins_length((0.0, 0.0, 0.0), (x, z, yaw), radius) + 1.0
        seconds = time.process_time() - start
        rows.append([report.end_distance, abs(report.end_turn), report.length / bound, seconds])
    table = np.array(rows)
    good = (table[:, 0] <= 0.1) & (table[:, 1] <= np.radians(5.0)) & (table[:, 2] <= 1.0)
    print(
        f"{int(good.sum())} of {len(table)} within 10 cm, 5° and 1.5 Dubins paths + 1 m; largest "
        f"{100 * table[:, 0].max():.1f} cm, {np.degrees(table[:, 1].max()):.1f}°, {table[:, 2].max():.2f} of "
        f"the length; {table[:, 3].mean():.2f} s each"
    )


def place_actions() -> Line:
    """Return a path with a kick on the way and sitting down at its end."""
    points = np.array([[0.0, 0.0], [0.3, 3.0], [2.0, 6.0], [5.0, 7.0]])
    length = Line(points, smooth=True).length
    return Line(points, smooth=True, actions=[Action("kick", 4.0), Action("sit", length, moment="auto")])


def measure_actions(graph: MotionGraph, pictures: Path | None) -> None:
    """Print where a kick and sitting down happen on a walk, and how smooth it is."""
    line = place_actions()
    result, row = follow_line(graph, line)
    report = result.report
    assert isinstance(report, PathReport)
    for action in report.actions:
        print(f"{action.tag} at frame {action.frame}, {100 * action.distance:.1f} cm from its place")
    print(f"{LINE_HEADER}\n{'actions':<12} {row}")
    print("\n".join(report.notes))
    if pictures is not None:
        plot.path(result, line, pictures / "actions.png", overwrite=True)


def run(given: argparse.Namespace) -> None:
    """Measure curves, shapes, targets or actions."""
    if given.proof == "actions":
        measure_actions(open_graph(given, ACTIONS), given.pictures)
        return
    graph = open_graph(given)
    if given.proof == "goto":
        measure_targets(graph, given.count or N_TARGETS)
    elif given.proof == "shapes":
        measure_lines(graph, list_shapes(), given.pictures)
    else:
        measure_lines(graph, draw_curves(given.count or N_CURVES), given.pictures)
