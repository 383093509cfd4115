"""Motion along paths measured: curves, shapes, goto or actions, with --subject.

- curves: random smooth curves of 20 m; deviation before and after bending, speed error, time over real time.
- shapes: the corners of a square, a figure of eight, a spiral outwards and inwards.
- goto: random targets and facings; distance and turn at the end, length over 1.5 Dubins paths + 1 m.
- actions: walk a path, kick at a mark, sit down at its end.

Times are of the processor.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendResult
from motionloom.display import plot
from motionloom.errors import MotionloomError
from motionloom.files import load
from motionloom.graphs.dubins import dubins_length
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.path_report import PathReport, find_sharp
from motionloom.motion.path import Action
from motionloom.motion.path import Path as Line

TAGS = ("walk", "run", "kick", "sit", "stand")
"""Words of descriptions that become tags."""


def build_graph(subject: str, words: tuple[str, ...]) -> MotionGraph:
    """Return a graph of a subject's takes whose descriptions hold one of the words."""
    need_corpus()
    folder = MOCAP / "library"
    with (folder / "takes.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["take"].startswith(f"{subject}_")]
    rows = [row for row in rows if any(word in row["description"].lower() for word in words)]
    start = time.process_time()
    graph = MotionGraph(
        [load(folder / subject / f"{row['take']}.bvh") for row in rows],
        names=[row["take"] for row in rows],
        tags=[[tag for tag in TAGS if tag in row["description"].lower()] for row in rows],
    )
    tables = graph.ground_tables
    print(
        f"{graph}, {time.process_time() - start:.0f} s of processor time; usual speed "
        f"{tables.usual_speed():.2f} m/s, tightest radius {tables.tightest_radius():.2f} m"
    )
    return graph


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


def follow_timed(graph: MotionGraph, line: Line) -> tuple[BlendResult, PathReport, float]:
    """Return a motion along a line, its report, and processor time over the time that it lasts."""
    start = time.process_time()
    result = graph.follow(line)
    seconds = time.process_time() - start
    report = result.report
    assert isinstance(report, PathReport)
    return result, report, seconds / result.clip.duration


def measure_lines(graph: MotionGraph, lines: dict[str, FloatArray], pictures: Path | None) -> None:
    """Print how closely each line is followed."""
    radius = graph.ground_tables.tightest_radius()
    follow_timed(graph, Line([[0.0, 0.0], [0.0, 5.0]]))
    rows = []
    print("line         planned  mean   max (cm)  speed error (m/s)  time/real  slide (mm)  sharp parts")
    for name, points in lines.items():
        line = Line(points)
        result, report, ratio = follow_timed(graph, line)
        slide = max(
            (
                float(np.ptp(result.clip.point_positions(c.joint, c.point, frames)[:, [0, 2]], axis=0).max())
                for c in result.clip.constraints
                if (frames := slice(int(np.ceil(c.start)), int(c.end) + 1)).stop > frames.start
            ),
            default=0.0,
        )
        rows.append(
            [report.planned_deviation, report.deviation, report.max_deviation, report.speed_error, ratio]
        )
        print(
            f"{name:<12} {100 * rows[-1][0]:7.1f} {100 * rows[-1][1]:5.1f} {100 * rows[-1][2]:7.1f} "
            f"{rows[-1][3]:14.2f} {ratio:14.3f} {1000 * slide:10.3f} {len(find_sharp(line, radius)):8d}"
        )
        if pictures is not None:
            plot.path(result, line, pictures / f"{name}.png", overwrite=True)
    table = np.array(rows)
    means, worst = table.mean(axis=0), table.max(axis=0)
    print(
        f"all: mean deviation {100 * means[1]:.1f} cm (worst line {100 * worst[1]:.1f}), largest "
        f"{100 * worst[2]:.1f} cm, over 20 cm in {int((table[:, 2] > 0.2).sum())} of {len(table)} lines; "
        f"speed error {means[3]:.2f} m/s; time {means[4]:.3f} of real time"
    )


def measure_targets(graph: MotionGraph, n_targets: int) -> None:
    """Print how exactly and how directly random targets are reached."""
    rng, radius = np.random.default_rng(5), graph.ground_tables.tightest_radius()
    rows = []
    for _ in range(n_targets):
        x, z = (float(value) for value in rng.uniform(-5.0, 5.0, 2))
        yaw = float(rng.uniform(-np.pi, np.pi))
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


def measure_actions(graph: MotionGraph, pictures: Path | None) -> None:
    """Print where a kick and sitting down happen on a walk."""
    points = np.array([[0.0, 0.0], [0.3, 3.0], [2.0, 6.0], [5.0, 7.0]])
    line = Line(points, smooth=True)
    line = Line(points, smooth=True, actions=[Action("kick", 4.0), Action("sit", line.length, moment="auto")])
    result, report, ratio = follow_timed(graph, line)
    for action in report.actions:
        print(f"{action.tag} at frame {action.frame}, {100 * action.distance:.1f} cm from its place")
    print(f"{report}, {ratio:.3f} of real time; {'; '.join(report.notes)}")
    if pictures is not None:
        plot.path(result, line, pictures / "actions.png", overwrite=True)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["curves", "shapes", "goto", "actions"])
    parser.add_argument("--subject", help="subject of the library; 16, and 113 for actions")
    parser.add_argument("--count", type=int, help="curves (50) or targets (200)")
    parser.add_argument("--pictures", type=Path, help="folder for pictures from above")
    chosen = parser.parse_args()
    if chosen.pictures is not None:
        chosen.pictures.mkdir(parents=True, exist_ok=True)
    if chosen.what == "actions":
        graph = build_graph(chosen.subject or "113", ("walk", "kick", "sit", "stand"))
        measure_actions(graph, chosen.pictures)
        return
    graph = build_graph(chosen.subject or "16", ("walk",))
    if chosen.what == "goto":
        measure_targets(graph, chosen.count or 200)
    elif chosen.what == "shapes":
        measure_lines(graph, list_shapes(), chosen.pictures)
    else:
        curves = {f"curve {seed}": draw_curve(seed) for seed in range(chosen.count or 50)}
        measure_lines(graph, curves, chosen.pictures)


if __name__ == "__main__":
    main()
