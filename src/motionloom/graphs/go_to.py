"""`go_to`: motion of a graph to a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import check_array
from motionloom.blending.result import BlendResult
from motionloom.errors import MotionloomError
from motionloom.graphs.follow import check_start, make_motion
from motionloom.graphs.plan_bent_route import plan_bent_route
from motionloom.graphs.plan_route import PlannedRoute, plan_route
from motionloom.paths.bend_to_path import MAX_BEND_RATE
from motionloom.paths.dubins import DubinsPath, list_dubins
from motionloom.paths.path import MIN_LENGTH, Line
from motionloom.paths.path_report import PathReport
from motionloom.validation import check_number

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph

MAX_DETOUR = 1.3
"""Factor on the shortest guide to a place below which others are tried."""

GUIDE_RADII = (1.0, 1.6, 2.5)
"""Radii of guides to a place, as multiples of the tightest of the takes: most steps like wider ones."""

MAX_GUIDES, MAX_TRIES = 4, 24
"""Guides to a place along which routes are planned, and guides that are tried if none has a route."""

N_YAWS = 16
"""Directions in which a body may arrive where any is right."""


def go_to(
    graph: MotionGraph,
    x: float,
    z: float,
    yaw: float | None = None,
    *,
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
    start: tuple[int, int] | None = None,
    plant: bool = True,
) -> BlendResult[PathReport]:
    """Make motion to a place; :meth:`motionloom.MotionGraph.go_to` says what the parameters are."""
    x, z = check_number("x", x, unit="metres"), check_number("z", z, unit="metres")
    x0, z0, yaw0 = check_array("origin", origin, (3,)).tolist()
    start = check_start(graph, start)
    goal = None if yaw is None else check_number("yaw", yaw, unit="radians")
    tables = graph.ground_tables
    # Takes turn, or are bent.
    radius = min(tables.tightest_radius(), tables.usual_speed() / MAX_BEND_RATE)
    guides, others = _list_guides((x0, z0, yaw0), (x, z, goal), radius)
    if not guides:
        raise MotionloomError(f"the body is already there: ({x:g}, {z:g}) is where it starts")
    best = _choose_guide(graph, guides, others, start, goal)
    if best is None:
        raise MotionloomError(
            f"no route of the graph gets to ({x:g}, {z:g}): its takes travel too little, or turn too little"
        )
    return make_motion(graph, best[1], best[0], end_yaw=goal, bend=True, plant=plant)


def _choose_guide(
    graph: MotionGraph,
    guides: Sequence[Line],
    others: Sequence[Line],
    start: tuple[int, int] | None,
    end_yaw: float | None,
) -> tuple[PlannedRoute, Line] | None:
    """Return the best route along one of several lines, and this line; None where there is no route.

    Longer lines, the ``others``, are tried where the short ones have no route: takes may turn one way only.
    """
    plain = [(plan_route(graph, path, start=start, end_yaw=end_yaw), path) for path in guides]
    # The line that suits the takes as they are is the one to bend them to.
    best = _find_cheapest(plain)
    bent = [
        (plan_bent_route(graph, path, start=start, end_yaw=end_yaw), path)
        for path in (guides if best is None else [best[1]])
    ]
    return _find_cheapest(bent) or _find_cheapest(
        [(plan_route(graph, path, start=start, end_yaw=end_yaw), path) for path in others]
    )


def _find_cheapest(plans: Sequence[tuple[PlannedRoute | None, Line]]) -> tuple[PlannedRoute, Line] | None:
    """Return the best of all routes and its line: of two that are as close to theirs, the shorter one."""
    found = [(plan, path) for plan, path in plans if plan is not None]
    return min(found, key=lambda own: own[0].cost + own[1].length, default=None)


def _list_guides(
    start: tuple[float, float, float], goal: tuple[float, float, float | None], radius: float
) -> tuple[list[Line], list[Line]]:
    """Return lines to a place that are not much longer than the shortest, and longer ones."""
    x, z, yaw = goal
    yaws = [yaw] if yaw is not None else np.linspace(-np.pi, np.pi, N_YAWS, endpoint=False).tolist()
    found = [
        guide
        for factor in GUIDE_RADII
        for own in yaws
        for guide in list_dubins(start, (x, z, own), factor * radius)
    ]
    found.sort(key=lambda guide: guide.length)
    if found[0].length < MIN_LENGTH:
        return [], []
    limit = MAX_DETOUR * found[0].length + 0.3
    short = [guide for guide in found if guide.length <= limit]
    others = found[len(short) :: max(1, len(found) // MAX_TRIES)]
    return _make_paths(short[:MAX_GUIDES]), _make_paths(others)


def _make_paths(guides: Sequence[DubinsPath]) -> list[Line]:
    return [Line(guide.points(), join=True) for guide in guides]
