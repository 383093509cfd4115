"""`plan_route`: the route over a graph that follows a path best, before anything is bent.

The search (:mod:`motionloom.kernels.route_search`) looks at the whole path at once. It needs where bodies are
on the ground, not their poses: the edges were made and measured when the graph was built.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.geometry import GroundTransform
from motionloom.graphs.arrivals import schedule
from motionloom.graphs.find_moments import find_moment
from motionloom.graphs.ground_tables import GroundTables
from motionloom.graphs.route import Route, Visit, list_visits
from motionloom.graphs.route_costs import (
    ACTION_REACH,
    BIN_LENGTH,
    STATION_SPACING,
    find_edge_costs,
    list_settings,
)
from motionloom.paths.path import Line

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph

BEAM_WIDTH = 512
"""Routes that each bin keeps. Twice as many find hardly better ones."""

MIN_WIDTH, MAX_ROUTES = 64, 2**20
"""Routes that each bin keeps at least, and routes that all of them keep beyond that: 120 MB."""

START_SPACING = 0.2
"""Seconds between the frames of a take that a motion may start with."""

MAX_STARTS = 4000
"""Frames that a motion may start with; in larger graphs they lie farther apart."""


@dataclass(frozen=True)
class PlannedRoute:
    """A route along a path.

    Attributes
    ----------
    route
        The route.
    placement
        Where its first take is placed.
    cost
        What it costs; comparable between routes along one path.
    moments
        For each action of the path, the frame of the motion at which it happens.
    guide
        The path along which it was planned, where that is another one than the motion is to follow.
    """

    route: Route
    placement: GroundTransform
    cost: float
    moments: tuple[int, ...] = ()
    guide: Line | None = field(default=None, compare=False)


def plan_route(
    graph: MotionGraph,
    path: Line,
    *,
    start: tuple[int, int] | None = None,
    end_yaw: float | None = None,
    width: int = BEAM_WIDTH,
) -> PlannedRoute | None:
    """Plan a route along a path.

    Parameters
    ----------
    graph
        The graph.
    path
        The path.
    start
        Node and frame to start with, at the start of the path; by default the best of all.
    end_yaw
        Yaw that the body faces at the end, radians; by default any.
    width
        Routes that are kept for each half a metre of path; fewer on paths of kilometres.

    Returns
    -------
    PlannedRoute or None
        None where no route gets to the end: an action cannot be reached, or the takes do not travel.
    """
    tables = graph.ground_tables
    moments = find_action_moments(graph, path)
    request = _Request.of(graph, path, moments, end_yaw)
    starts = tables.list_starts(START_SPACING, MAX_STARTS) if start is None else np.array([start], np.int64)
    plan = _search(graph, path, request, starts, width)
    if plan is None:
        settings = request.settings.copy()
        settings[kernels.route_steps.MAX_DEVIATION] = np.inf
        plan = _search(graph, path, replace(request, settings=settings), starts, width)
    return plan


def find_action_moments(graph: MotionGraph, path: Line) -> IntArray:
    """Return the frame (actions, nodes) of each take at which an action happens; -1 where it does not.

    Routes cannot enter a take at its very start, nor leave it at its very end: there "start" and "end" are
    the first frame that edges lead to and the last one that they leave. Only the first action may happen
    where a route starts, and only the last one where it ends.
    """
    tables = graph.ground_tables
    moments = np.full((len(path.actions), len(graph.nodes)), -1, dtype=np.int64)
    for row, action in enumerate(path.actions):
        starts = row == 0 and path.locate(action.at) <= ACTION_REACH
        ends = row == len(path.actions) - 1 and path.locate(action.at) >= path.length - ACTION_REACH
        others = [node for node in graph.nodes if action.tag not in node.tags]
        for n, node in enumerate(graph.nodes):
            if action.tag in node.tags:
                moments[row, n] = find_moment(
                    node,
                    action.tag,
                    action.moment,
                    others=others,
                    first=0 if starts else tables.first_entry(n),
                    last=node.n_frames - 1 if ends else tables.last_exit(n),
                )
    return moments


@dataclass(frozen=True, eq=False)
class _Request:
    """What the search is asked for, as arrays."""

    path: FloatArray
    actions: FloatArray
    tag_fits: BoolArray
    moments: IntArray
    reach: FloatArray
    end_yaw: float
    settings: FloatArray

    @classmethod
    def of(cls, graph: MotionGraph, path: Line, moments: IntArray, end_yaw: float | None) -> _Request:
        tables = graph.ground_tables
        tags, fits = _list_tags(graph, path)
        actions = np.array([[path.locate(a.at), *path.place(a.at)] for a in path.actions]).reshape(-1, 3)
        reach = np.array([tables.travel_to(row) for row in moments]).reshape(
            len(actions), len(tables.departure)
        )
        return cls(
            _tabulate_path(tables, path, tags, fits),
            actions,
            fits,
            moments,
            reach,
            np.nan if end_yaw is None else end_yaw,
            list_settings(tables, path),
        )


def _list_tags(graph: MotionGraph, path: Line) -> tuple[tuple[str, ...], BoolArray]:
    """Return the tags of a path's stretches, each once, and which nodes have them (tags, nodes)."""
    tags = tuple(dict.fromkeys(stretch.tag for stretch in path.stretches))
    fits = np.array([[tag in node.tags for node in graph.nodes] for tag in tags], dtype=np.bool_)
    return tags, fits.reshape(len(tags), len(graph.nodes))


def _tabulate_path(tables: GroundTables, path: Line, tags: tuple[str, ...], fits: BoolArray) -> FloatArray:
    """Return the path as the search reads it, 5 cm apart."""
    n = max(2, int(np.ceil(path.length / STATION_SPACING)) + 1)
    stations = np.arange(n) * STATION_SPACING
    headings = path.heading(stations)
    rows = np.empty((n, 8))
    rows[:, :2] = path.at(stations)
    rows[:, 2], rows[:, 3] = np.sin(headings), np.cos(headings)
    rows[:, 4] = headings if path.facings is None else np.interp(stations, path.stations, path.facings)
    rows[:, 5] = tables.usual_speed()
    rows[:, 6], rows[:, 7] = np.nan, -1.0
    for stretch in path.stretches:
        inside = (stations >= path.locate(stretch.start)) & (stations <= path.locate(stretch.end))
        tag = tags.index(stretch.tag)
        rows[inside, 7] = tag
        rows[inside, 5] = tables.usual_speed(fits[tag])
    if path.speeds is not None:
        rows[:, 5] = np.interp(stations, path.stations, path.speeds)
    if path.arrivals:
        at, times = schedule(path, *tables.speed_range())
        rows[:, 6] = np.where(stations <= at[-1], np.interp(stations, at, times), np.nan)
        for a, b, s, t in zip(at, at[1:], times, times[1:], strict=False):
            if t > s:
                rows[(stations >= a) & (stations <= b), 5] = (b - a) / (t - s)
    return rows


def _search(
    graph: MotionGraph, path: Line, request: _Request, starts: IntArray, width: int
) -> PlannedRoute | None:
    """Run the search and read the best route from its table."""
    k, tables = kernels.route_search, graph.ground_tables
    starts, placements = tables.place_starts(starts, path)
    n_bins = int(path.length / BIN_LENGTH) + 1
    bins = np.zeros(n_bins * (len(request.actions) + 1), dtype=np.int64)
    width = min(width, max(MIN_WIDTH, MAX_ROUTES // len(bins)))
    numbers = np.zeros((len(bins) * width, 9))
    counts = np.zeros((len(bins) * width, 5), dtype=np.int64)
    end = np.zeros(4, dtype=np.int64)
    cost = k.search(
        tables.tracks,
        tables.node_first,
        tables.node_edges,
        tables.departure,
        tables.target,
        tables.landing,
        tables.displacement,
        tables.edge_tracks,
        tables.edge_first,
        find_edge_costs(tables.seam),
        request.tag_fits,
        request.moments,
        request.reach,
        request.path,
        request.actions,
        float(request.end_yaw),
        request.settings,
        tables.stride,
        starts,
        placements,
        width,
        bins,
        np.zeros(len(bins)),
        numbers,
        counts,
        np.zeros(9),
        end,
    )
    if not np.isfinite(cost):
        return None
    slots: list[int] = []
    slot = int(end[k.END_PARENT])
    while slot >= 0:
        slots.insert(0, slot)
        slot = int(counts[slot, k.PARENT])
    first = -1 - slot
    edges = tuple(tables.order[counts[slots, k.EDGE]].tolist())
    route = Route(int(starts[first, 0]), int(starts[first, 1]), edges, int(end[k.END_FRAME]))
    done = [*counts[slots, k.ACTIONS].tolist(), len(request.actions)]
    frames = _list_moments(list_visits(graph.table, route), done, request.moments)
    return PlannedRoute(route, GroundTransform(*placements[first].tolist()), float(cost), frames)


def _list_moments(visits: list[Visit], done: list[int], moments: IntArray) -> tuple[int, ...]:
    """Return the frames of a motion at which actions happen; ``done`` counts them at the end of visits."""
    frames: list[int] = []
    for visit, count in zip(visits, done, strict=True):
        while len(frames) < count:
            frames.append(visit.start + int(moments[len(frames), visit.node]) - visit.first)
    return tuple(frames)


def ask_for_speeds(graph: MotionGraph, path: Line) -> FloatArray:
    """Return the speed (M,) that is asked for at the samples of a path, m/s."""
    rows = _tabulate_path(graph.ground_tables, path, *_list_tags(graph, path))
    stations = np.arange(len(rows)) * STATION_SPACING
    return np.asarray(np.interp(path.stations, stations, rows[:, kernels.route_steps.PATH_SPEED]))
