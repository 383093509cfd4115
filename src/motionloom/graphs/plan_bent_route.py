"""`plan_bent_route`: the route along a path whose motion follows it best once it is bent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motionloom.graphs.plan_route import PlannedRoute, ask_for_speeds, plan_route
from motionloom.graphs.route_costs import BEND_COST, GOOD_COST
from motionloom.paths.bend_to_path import MAX_BEND_RATE
from motionloom.paths.path import MIN_LENGTH, Line
from motionloom.paths.unbend_path import measure_curvature, unbend_path

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph

BEND_RATES = tuple(factor * MAX_BEND_RATE for factor in (0.0, 0.5, 1.0, 2.0, 4.0, np.inf))
"""Radians per second of turns that are left to bending, the least first. The last leaves everything to it,
for takes that never turn."""


def plan_bent_route(
    graph: MotionGraph, path: Line, *, start: tuple[int, int] | None = None, end_yaw: float | None = None
) -> PlannedRoute | None:
    """Plan a route along a path, with the help of bending.

    Parameters are those of :func:`~motionloom.graphs.plan_route.plan_route`.

    Returns
    -------
    PlannedRoute or None
        Where it has a ``guide``, its motion has to be wrapped onto the path. None where no route gets to the
        end.
    """
    if path.length < MIN_LENGTH:
        return plan_route(graph, path, start=start, end_yaw=end_yaw)
    curvature = measure_curvature(path)
    speeds = np.maximum(ask_for_speeds(graph, path), 1e-3)
    best: PlannedRoute | None = None
    for rate in BEND_RATES:
        max_curvature = rate / speeds
        guide = unbend_path(path, max_curvature) if rate else path
        goal = None if end_yaw is None else end_yaw - (path.headings[-1] - guide.headings[-1])
        plan = plan_route(graph, guide, start=start, end_yaw=goal)
        if plan is not None:
            rates = np.minimum(np.abs(curvature), max_curvature) * speeds
            bending = BEND_COST * path.length * float(np.mean((rates / MAX_BEND_RATE) ** 2))
            plan = replace(plan, cost=plan.cost + bending, guide=guide if rate else None)
            best = plan if best is None or plan.cost < best.cost else best
        is_good = best is not None and best.cost <= GOOD_COST * path.length
        if is_good or (max_curvature >= np.abs(curvature)).all():
            break
    return best
