"""What is measured of a motion, alike for all methods: its way along a line, its feet, its seams."""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.blending.result import BlendResult
from motionloom.graphs.graph import MotionGraph
from motionloom.motion import Clip
from motionloom.motion.ground_path import ground_track
from motionloom.paths.path import Line
from motionloom.paths.path_report import FAR, SPEED_WINDOW, measure_deviation
from motionloom.paths.turning_radius import find_sharp
from motionloom.quality import seam_smoothness
from motionloom.quality.feet import find_feet, plant_measures, skate_speeds

SURROUNDINGS = 30
"""Frames before and after a transition that its smoothness is measured in."""

NEAR_SHARP = 0.5
"""Metres before and after a part of a path that is sharper than the takes, where a body may be off it too."""

MAX_ASIDE = np.radians(60.0)
"""Radians that a body may face away from the line before it goes sideways or backwards."""

LINE_HEADER = (
    "line           mean     max (cm)  over 20 cm  where sharper  aside  speed off (m/s)  time/real  "
    "plants (mm)  skate (cm/s)"
)


@dataclass(frozen=True)
class LineRow:
    """How a motion goes along a line.

    Attributes
    ----------
    deviation, max_deviation
        Mean and largest distance of the body from the line, metres.
    over, over_sharp
        Fraction of the frames that are more than 20 cm off, and of those where the line turns more sharply
        than the takes.
    aside
        Fraction of the frames in which the body faces more than 60° away from the line: it goes sideways or
        backwards.
    speed_error
        Mean difference of the speed along the line from what was asked for, m/s.
    time
        Processor time over the duration of the motion.
    slide
        How far a planted heel or toe moves over the ground at most, metres.
    skate
        Mean speed of heels and toes over the ground, weighted by how near they are to it, m/s: it does not
        depend on what is called planted.
    """

    deviation: float
    max_deviation: float
    over: float
    over_sharp: float
    aside: float
    speed_error: float
    time: float
    slide: float
    skate: float

    def __str__(self) -> str:
        return (
            f"{100 * self.deviation:6.1f} {100 * self.max_deviation:7.1f} {100 * self.over:12.1f} % "
            f"{100 * self.over_sharp:11.1f} % {100 * self.aside:6.1f} % {self.speed_error:10.2f} "
            f"{self.time:14.3f} {1000 * self.slide:11.3f} {100 * self.skate:11.2f}"
        )


def processor_time() -> float:
    """Return the processor time of this process and of those it started and that have ended, seconds."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure_line(clip: Clip, line: Line, *, radius: float, speeds: FloatArray, seconds: float) -> LineRow:
    """Measure a motion along a line, of takes with a tightest radius.

    ``speeds`` (M,) are what is asked for at the stations of the line, ``seconds`` are of processor time.
    """
    track = ground_track(clip)
    stations, distances = measure_deviation(track, clip.frame_time, line)
    away = np.angle(np.exp(1j * (track[:, 2] - line.heading(stations))))
    far = distances > FAR
    return LineRow(
        deviation=float(distances.mean()),
        max_deviation=float(distances.max()),
        over=float(far.mean()),
        over_sharp=float((far & _are_sharp(line, stations, radius)).mean()),
        aside=float((np.abs(away) > MAX_ASIDE).mean()),
        speed_error=measure_speed_error(stations, clip.frame_time, line, speeds),
        time=seconds / clip.duration,
        slide=float(plant_measures(clip).travel.max(initial=0.0)),
        skate=measure_skate(clip),
    )


def _are_sharp(line: Line, stations: FloatArray, radius: float) -> BoolArray:
    """Return at which stations (T,) the line turns, or just turned, more sharply than the takes."""
    sharp = np.zeros(len(stations), dtype=np.bool_)
    for part in find_sharp(line, radius):
        sharp |= (stations > part.start - NEAR_SHARP) & (stations < part.end + NEAR_SHARP)
    return sharp


def measure_speed_error(stations: FloatArray, frame_time: float, line: Line, speeds: FloatArray) -> float:
    """Return the mean difference of the speed along a line from the one asked for, over a step, m/s."""
    reach = max(1, round(0.5 * SPEED_WINDOW / frame_time))
    if len(stations) <= 2 * reach:
        return 0.0
    own = (stations[2 * reach :] - stations[: -2 * reach]) / (2 * reach * frame_time)
    asked = np.interp(stations[reach:-reach], line.stations, speeds)
    return float(np.abs(own - asked).mean())


def measure_skate(clip: Clip) -> float:
    """Return the mean speed over the ground of heels and toes that are near it, m/s."""
    return float(skate_speeds(find_feet(clip)).mean())


def print_sum(rows: Sequence[LineRow], what: str) -> None:
    """Print what holds for all lines."""
    table = {name: np.array([getattr(row, name) for row in rows]) for name in LineRow.__annotations__}
    elsewhere = table["over"] - table["over_sharp"]
    print(
        f"{len(rows)} {what}: mean deviation {100 * table['deviation'].mean():.1f} cm (worst line "
        f"{100 * table['deviation'].max():.1f}), largest {100 * table['max_deviation'].max():.1f} cm\n"
        f"  over 20 cm in {np.count_nonzero(table['over'])} lines, {100 * table['over'].mean():.2f} % of the "
        f"frames; where the takes turn as sharply in {np.count_nonzero(elsewhere > 1e-9)} lines, "
        f"{100 * elsewhere.mean():.2f} % of the frames\n"
        f"  faces away from the line in {100 * table['aside'].mean():.1f} % of the frames; speed off by "
        f"{table['speed_error'].mean():.2f} m/s; time {table['time'].mean():.3f} of real time "
        f"({table['time'].max():.3f} at most); plants move {1000 * table['slide'].max():.3f} mm at most; "
        f"skate {100 * table['skate'].mean():.2f} cm/s"
    )


def measure_seams(graph: MotionGraph, result: BlendResult) -> FloatArray:
    """Return the larger of acceleration and jerk of each transition over what is usual in its two takes."""
    nodes = find_visited(graph, result)
    seams = np.round(result.report.seams).astype(int).reshape(-1, 2)
    scores = []
    for first, last in seams.tolist():
        ends = {nodes[int(result.weights[frame].argmax())] for frame in (first, last)}
        scores.append(measure_seam(result.clip, first, last, [graph.nodes[n].clip.arranged() for n in ends]))
    return np.array(scores)


def find_visited(graph: MotionGraph, result: BlendResult) -> list[int]:
    """Return the node of each column of a result: the one that has the motion's pose where it plays alone.

    Planting and bending change legs and root only, so that the median joint is compared.
    """
    nodes = []
    for column, weights in enumerate(result.weights.T):
        frame = int(weights.argmax())
        pose, source = result.clip.rotations[frame], round(float(result.frames[frame, column]))
        angles = [
            np.median(1.0 - np.abs((node.clip.arranged().rotations[source] * pose).sum(axis=1)))
            if source < node.n_frames
            else np.inf
            for node in graph.nodes
        ]
        nodes.append(int(np.argmin(angles)))
    return nodes


def measure_seam(clip: Clip, first: int, last: int, sources: Sequence[Clip]) -> float:
    """Return the larger of acceleration and jerk about both ends of a transition over the usual one."""
    start = max(0, first - SURROUNDINGS)
    around = clip[start : last + SURROUNDINGS]
    smooth = seam_smoothness(around, [first - start, last - start], sources)
    return max(smooth.acceleration, smooth.jerk)
