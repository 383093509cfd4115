"""Pictures of some twenty results, to be judged by eye: from above, as a sheet of poses, and moving.

For each result there are three files: `NAME-above.png`, `NAME-poses.png` (rows of poses, five per second,
with their times) and `NAME.gif`. The graphs of held-out takes and of actions are kept beside that of
`--graph`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.graphs.held_out import choose_held_out, leave_out, prepare_held_out
from benchmarks.graphs.paths import draw_curve, draw_targets, list_shapes, place_actions
from benchmarks.graphs.sets import ACTIONS, load_takes, open_graph
from motionloom.blending.result import BlendResult
from motionloom.display import plot, render, render_strip
from motionloom.motion import Clip
from motionloom.motion.ground_path import ground_track
from motionloom.paths.path import Line

N_CURVES, N_TARGETS, N_HELD_OUT, N_WALKS = 5, 4, 4, 3
"""Results of each kind; with four shapes and the actions they are 21."""

ROW_SECONDS, POSES_PER_SECOND = 2.0, 5
"""Seconds of a row of poses, and poses in each."""

ROW_WIDTH, ROW_HEIGHT, N_COLUMNS = 780, 190, 2
"""Pixels of a row of poses, and how many rows stand side by side, so that a sheet fits a screen."""

GIF_RATE = 12.5
"""Pictures per second of the moving ones: enough to see feet slide, and half the time to draw."""

WALK_SECONDS = 20.0
"""Seconds of a random walk."""


@dataclass(frozen=True)
class Drawn:
    """A result, with the line that it follows, or else its own."""

    name: str
    result: BlendResult
    line: Line


def draw_results(given: argparse.Namespace) -> None:
    """Draw all results into a folder."""
    if given.pictures is None:
        raise SystemExit("say where the pictures go: --pictures FOLDER, outside the checkout")
    for drawn in _make_results(given):
        plot.path(drawn.result, drawn.line, given.pictures / f"{drawn.name}-above.png", overwrite=True)
        draw_sheet(drawn.result.clip, drawn.name).save(given.pictures / f"{drawn.name}-poses.png")
        movie = given.pictures / f"{drawn.name}.gif"
        render(drawn.result.clip, movie, width=480, height=270, fps=GIF_RATE, overwrite=True)
        print(f"{drawn.name}: {drawn.result.clip.duration:.1f} s, {drawn.result.report}", flush=True)


def draw_sheet(clip: Clip, name: str) -> Image.Image:
    """Return rows of poses, one below the other, each with the times from its own start."""
    step = round(ROW_SECONDS / clip.frame_time)
    starts = range(0, max(1, clip.n_frames - step // 4), step)
    n_down = -(-len(starts) // N_COLUMNS)
    sheet = Image.new("RGB", (N_COLUMNS * ROW_WIDTH, n_down * ROW_HEIGHT), "white")
    for row, start in enumerate(starts):
        own = clip[start : min(start + step + 1, clip.n_frames)]
        strip = render_strip(
            own,
            width=ROW_WIDTH,
            height=ROW_HEIGHT,
            n_poses=max(2, round(own.duration * POSES_PER_SECOND) + 1),
            title=f"{name}, from {start * clip.frame_time:.1f} s",
        )
        sheet.paste(strip, ((row // n_down) * ROW_WIDTH, (row % n_down) * ROW_HEIGHT))
    return sheet


def _make_results(given: argparse.Namespace) -> Iterator[Drawn]:
    """Make the results, kind by kind."""
    graph = open_graph(given)
    lines = {f"curve-{seed}": draw_curve(seed) for seed in range(N_CURVES)}
    lines |= {name.replace(" ", "-"): points for name, points in list_shapes().items()}
    for name, points in lines.items():
        yield Drawn(name, graph.follow(points), Line(points))
    for n, (x, z, yaw) in enumerate(draw_targets(N_TARGETS)):
        result = graph.go_to(x, z, yaw)
        yield Drawn(f"goto-{n}", result, Line([(0.0, 0.0), (x, z)]))
    for seed in range(N_WALKS):
        walked = graph.walk(WALK_SECONDS, seed=seed)
        yield Drawn(f"walk-{seed}", walked, Line(ground_track(walked.clip)[::3, :2], join=True))
    takes = load_takes(given.set)
    held_out = choose_held_out(takes)
    own = open_graph(_beside(given, "held-out"), takes=leave_out(takes, held_out))
    bent = sorted(prepare_held_out(own, takes, held_out), key=lambda take: -np.ptp(take.line.headings))
    for take in bent[:N_HELD_OUT]:
        yield Drawn(f"held-out-{take.name}", own.follow(take.line), take.line)
    line = place_actions()
    actions = argparse.Namespace(**{**vars(_beside(given, "actions")), "set": "113"})
    yield Drawn("actions", open_graph(actions, ACTIONS).follow(line), line)


def _beside(given: argparse.Namespace, what: str) -> argparse.Namespace:
    """Return the options with another file to keep a graph in."""
    path: Path | None = given.graph
    if path is not None:
        path = path.with_name(f"{path.stem}-{what}{path.suffix}")
    return argparse.Namespace(**{**vars(given), "graph": path})
