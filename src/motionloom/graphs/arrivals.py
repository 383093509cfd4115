"""Arrivals of a path: when a body can be where, and how a motion is stretched to be there in time.

The search is asked for times that the takes can keep. What then remains is closed by longer or shorter steps,
as far as feet can be planted; the path is followed in any case, and the report says what was missed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.graphs.route import list_visits
from motionloom.paths.bend_to_path import MAX_STRETCH
from motionloom.paths.path import Line

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph
    from motionloom.graphs.plan_route import PlannedRoute

STRETCH = 0.8 * MAX_STRETCH
"""Fraction by which steps are made longer or shorter to be in time; the rest is for following the path."""

IN_TIME = 0.1
"""Seconds off an arrival that are in time."""


def schedule(path: Line, min_speed: float, max_speed: float) -> tuple[list[float], list[float]]:
    """Return metres along a path and seconds, the first 0, at which a body should and can be there.

    Parameters
    ----------
    path
        The path, with arrivals.
    min_speed, max_speed
        Speeds of the takes, m/s.

    >>> from motionloom.paths.path import Arrival
    >>> line = Line([[0, 0], [0, 4]], arrivals=[Arrival(2.0, 0.5), Arrival(4.0, 3.0)])
    >>> schedule(line, 0.5, 2.0)
    ([0.0, 2.0, 4.0], [0.0, 1.0, 3.0])
    """
    stations, times = [0.0], [0.0]
    for arrival in path.arrivals:
        station = path.locate(arrival.at)
        length = station - stations[-1]
        soonest = times[-1] + length / max_speed
        latest = times[-1] + length / max(min_speed, 1e-6)
        stations.append(station)
        times.append(float(np.clip(arrival.time, soonest, latest)))
    return stations, times


def arrive_in_time(path: Line, stations: FloatArray, frame_time: float) -> FloatArray:
    """Return metres along a path (T,), stretched so that arrivals are met as far as bounds allow.

    Parameters
    ----------
    path
        The path, with arrivals.
    stations
        (T,) metres along it of a motion; beyond its end where the motion goes on.
    frame_time
        Seconds per frame.

    >>> from motionloom.paths.path import Arrival
    >>> line = Line([[0, 0], [0, 4]], arrivals=[Arrival(2.2, 2.0)])
    >>> arrive_in_time(line, np.linspace(0.0, 4.0, 9), 0.5).round(2).tolist()
    [0.0, 0.55, 1.1, 1.65, 2.2, 2.65, 3.1, 3.55, 4.0]
    """
    last = len(stations) - 1
    low, high = 1.0 - STRETCH, 1.0 + STRETCH
    frames, goals = [0], [float(stations[0])]
    for arrival in path.arrivals:
        frame = round(arrival.time / frame_time)
        if not frames[-1] < frame < last:
            continue
        own, rest = stations[frame] - stations[frames[-1]], stations[last] - stations[frame]
        # What the rest of the motion can still make up for, and what steps up to here can.
        goal = np.clip(path.locate(arrival.at), path.length - high * rest, path.length - low * rest)
        frames.append(frame)
        goals.append(float(np.clip(goal, goals[-1] + low * own, goals[-1] + high * own)))
    frames.append(last)
    goals.append(path.length)
    moved = np.empty(len(stations))
    for a, b, start, end in zip(frames, frames[1:], goals, goals[1:], strict=False):
        own = stations[b] - stations[a]
        factor = (end - start) / own if own > 1e-6 else 0.0
        moved[a : b + 1] = start + factor * (stations[a : b + 1] - stations[a])
    return np.asarray(np.clip(moved, 0.0, path.length))


def continue_stations(path: Line, stations: FloatArray, track: FloatArray) -> FloatArray:
    """Return metres along a path (T,) that grow beyond its end as the body (T, 3) travels on."""
    arrived = int(np.searchsorted(stations, path.length - 1e-6))
    if arrived >= len(stations) - 1:
        return stations
    steps = np.linalg.norm(np.diff(track[arrived:, :2], axis=0), axis=1)
    return np.concatenate([stations[: arrived + 1], path.length + np.cumsum(steps)])


def end_in_time(graph: MotionGraph, path: Line, plan: PlannedRoute, stations: FloatArray) -> PlannedRoute:
    """Return a route that plays its last take for longer or shorter, so that arrivals can be met.

    Parameters
    ----------
    graph, path, plan
        What is played along which path.
    stations
        (T,) metres along the path of the frames of the motion.

    Returns
    -------
    PlannedRoute
        It ends as many frames later as the last arrival is too early, as far as longer or shorter steps can
        make up for that.
    """
    if not path.arrivals:
        return plan
    frames = np.arange(len(stations))
    keys = [0.0, *(path.locate(arrival.at) for arrival in path.arrivals)]
    before, own = np.interp(keys[-2:], stations, frames)
    bound = STRETCH * (own - before)
    change = round(float(np.clip(path.arrivals[-1].time / graph.frame_time - own, -bound, bound)))
    visit = list_visits(graph.table, plan.route)[-1]
    first = max([visit.first, *(visit.first + moment - visit.start for moment in plan.moments)])
    end = int(np.clip(visit.last + change, first, graph.nodes[visit.node].n_frames - 1))
    return replace(plan, route=replace(plan.route, end_frame=end))


def note_arrivals(path: Line, lateness: tuple[float, ...]) -> tuple[str, ...]:
    """Return sentences that say which arrivals were missed, by seconds (arrivals,) after their time."""
    return tuple(
        f"the arrival {path.locate(arrival.at):.1f} m along the path at {arrival.time:g} s was missed by "
        f"{abs(late):.1f} s: the body is there {'later' if late > 0 else 'earlier'}"
        for arrival, late in zip(path.arrivals, lateness, strict=True)
        if abs(late) > IN_TIME
    )
