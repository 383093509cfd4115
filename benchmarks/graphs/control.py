"""The same curves and shapes by blending alone: loops of walks, steered by speed and turn, pose by pose.

The steering is pure pursuit: the body turns towards the point of the line that lies a little ahead of it, as
far as the clips turn. Nothing is planned and nothing is bent or planted afterwards.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.graphs.measures import LINE_HEADER, measure_line, print_sum
from benchmarks.graphs.paths import draw_curves, list_shapes
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.blending.controls import SpeedAndTurn
from motionloom.cycles import cyclify
from motionloom.errors import RegistrationWarning
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.paths.path import Line
from motionloom.registration import RegistrationCurve

SETS = {
    "subject 139: a walk straight on and two U-turns": (
        "s139_sneak/walk_straight_139_30_r0241-0589",
        "s139_sneak/walk_left_139_28_r1465-1861",
        "s139_sneak/walk_right_139_28_r0865-1261",
    ),
    "subject 16: walks straight on, veering, and turning by 90°": (
        "s16/walk_straight_16_15",
        "s16/walk_left_16_11",
        "s16/walk_right_16_13",
        "turns/walk_left90_16_17",
        "turns/walk_right90_16_19",
    ),
}
"""Walks of one subject each that turn more or less, which blending alone steers with."""

FPS = 30.0
"""Frames per second, as in the graphs."""

LOOK_AHEAD = 0.5
"""Metres ahead on the line that the body turns towards. Of 0.5, 0.8 and 1.2 this is the best."""

MAX_CHANGE = 4.0
"""Change of a weight per second at most: from one clip to another within a quarter of a second."""

MAX_TIME = 2.0
"""Times what the line takes at the speed asked for after which the body is given up."""


def register_loops(files: tuple[str, ...]) -> RegistrationCurve:
    """Return how loops of one stride of captured walks correspond."""
    loops = [
        cyclify(annotate(ml.load(MOCAP / "locomotion" / f"{file}.bvh").resampled(FPS)), cycles=1)
        for file in files
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        return ml.register(loops)


def choose_turn(clips: Sequence[SpeedAndTurn], curvature: float) -> SpeedAndTurn:
    """Return the speed and turn between the straightest and the tightest clip that have a curvature, 1/m.

    Where no clip turns so sharply, those of the tightest one: a request beyond the clips would cost turn.
    """
    straight = min(clips, key=lambda clip: abs(clip.turn))
    side = 1.0 if curvature * straight.speed > straight.turn else -1.0
    tight = max(clips, key=lambda clip: side * clip.turn)
    # On the way from one to the other, speed and turn change evenly.
    rest = straight.speed * curvature - straight.turn
    change = (tight.turn - straight.turn) - curvature * (tight.speed - straight.speed)
    fraction = float(np.clip(rest / change, 0.0, 1.0))
    return SpeedAndTurn(*(a + fraction * (b - a) for a, b in zip(straight, tight, strict=True)))


def steer_along(curve: RegistrationCurve, controls: ml.Controls, line: Line) -> tuple[Clip, float]:
    """Return the motion of a live blend that is steered along a line, and its processor time in seconds."""
    time_step, speed = 1.0 / FPS, choose_turn(controls.clips, 0.0).speed
    x, z = line.positions[0]
    place = GroundTransform(float(line.headings[0]), float(x), float(z))
    weights = controls.weights(speed=speed, turn=0.0)
    start = time.process_time()
    live = ml.LiveBlend(curve, weights=weights, place=place, max_change=MAX_CHANGE)
    roots, rotations, reached = list[FloatArray](), list[FloatArray](), 0.0
    while reached < line.length - 0.05 and len(roots) < MAX_TIME * line.length / speed * FPS:
        pose = live.step(time_step if roots else 0.0, weights)
        roots.append(pose.root_positions.copy())
        rotations.append(pose.rotations.copy())
        body = Clip(pose.skeleton, time_step, roots[-1][None], rotations[-1][None])
        position, yaw = roots[-1][[0, 2]], float(facing(body)[0])
        ahead = reached + np.linspace(0.0, 0.5, 26)
        reached = float(ahead[np.linalg.norm(line.at(ahead) - position, axis=1).argmin()])
        aim = line.at(min(reached + LOOK_AHEAD, line.length)) - position
        turn = float(np.angle(np.exp(1j * (np.arctan2(aim[0], aim[1]) - yaw))))
        turn = float(np.clip(turn, -0.5 * np.pi, 0.5 * np.pi))
        wanted = choose_turn(controls.clips, 2.0 * np.sin(turn) / max(float(np.linalg.norm(aim)), 0.2))
        weights = controls.weights(speed=wanted.speed, turn=wanted.turn)
    seconds = time.process_time() - start
    return Clip(live.pose.skeleton, time_step, np.array(roots), np.array(rotations)), seconds


def measure_control(n_curves: int) -> None:
    """Print how closely blends go along curves and shapes, at the speed of the straight clip."""
    need_corpus()
    lines = {**draw_curves(n_curves), **list_shapes()}
    for name, files in SETS.items():
        curve = register_loops(files)
        controls = ml.Controls(curve)
        speed = choose_turn(controls.clips, 0.0).speed
        radius = min(abs(clip.speed / clip.turn) for clip in controls.clips)
        print(f"{name}; {speed:.2f} m/s straight on, tightest radius {radius:.2f} m\n{LINE_HEADER}")
        steer_along(curve, controls, Line([[0.0, 0.0], [0.0, 1.0]]))  # compiles
        rows = {}
        for label, points in lines.items():
            line = Line(points)
            clip, seconds = steer_along(curve, controls, line)
            speeds = np.full(len(line.stations), speed)
            rows[label] = measure_line(annotate(clip), line, radius=radius, speeds=speeds, seconds=seconds)
            print(f"{label:<12} {rows[label]}", flush=True)
        print_sum(list(rows.values())[:n_curves], "curves")
        print_sum(list(rows.values())[n_curves:], "shapes")
