"""`follow`: motion of a graph along a path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendResult
from motionloom.errors import MotionloomError, ParameterError
from motionloom.graphs.arrivals import arrive_in_time, continue_stations, end_in_time, note_arrivals
from motionloom.graphs.assemble import assemble_route
from motionloom.graphs.path_tags import note_stretches, refuse_islands, refuse_unknown_tags
from motionloom.graphs.plan_bent_route import plan_bent_route
from motionloom.graphs.plan_route import PlannedRoute, ask_for_speeds, plan_route
from motionloom.graphs.route import list_visits
from motionloom.motion.ground_path import ground_track
from motionloom.paths.bend_to_path import Pin, bend_to_path
from motionloom.paths.path import Line, as_path
from motionloom.paths.path_report import PathReport, measure_deviation, report_path
from motionloom.paths.turning_radius import find_sharp
from motionloom.paths.unbend_path import wrap_onto_path
from motionloom.transitions.plant import plant_transition
from motionloom.validation import check_count, check_number, list_names

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph

CLOSE_END, MAX_CLOSINGS = 0.02, 3
"""Metres within which the end must be after feet are planted, and times that the end is closed."""


def follow(
    graph: MotionGraph,
    path: Line | npt.ArrayLike,
    *,
    start: tuple[int, int] | None = None,
    end_yaw: float | None = None,
    bend: bool = True,
    plant: bool = True,
) -> BlendResult[PathReport]:
    """Make motion along a path; :meth:`motionloom.MotionGraph.follow` says what the parameters are."""
    path = as_path(path)
    goal = None if end_yaw is None else check_number("end_yaw", end_yaw, unit="radians")
    start = check_start(graph, start)
    refuse_unknown_tags(graph, path)
    refuse_islands(graph, path, start)
    search = plan_bent_route if bend else plan_route
    plan = search(graph, path, start=start, end_yaw=goal)
    if plan is None:
        raise MotionloomError(_say_why(path))
    return make_motion(graph, path, plan, end_yaw=goal, bend=bend, plant=plant)


def check_start(graph: MotionGraph, start: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return the node and the frame to start with, which must be in the graph."""
    if start is None:
        return None
    if not isinstance(start, Sequence | np.ndarray) or len(start) != 2:
        raise ParameterError("must be the number of a node and one of its frames", parameter="start")
    node = check_count("the node of start", start[0], min=0, max=len(graph.nodes) - 1)
    return node, check_count("the frame of start", start[1], min=0, max=graph.nodes[node].n_frames - 1)


def make_motion(
    graph: MotionGraph, path: Line, plan: PlannedRoute, *, end_yaw: float | None, bend: bool, plant: bool
) -> BlendResult[PathReport]:
    """Assemble a planned route, bend it to its path, plant its feet and measure it."""
    frame_time = graph.frame_time
    result = _assemble_plan(graph, path, plan)
    stations, distances = measure_deviation(ground_track(result.clip), frame_time, path)
    if path.arrivals and bend:
        plan = end_in_time(graph, path, plan, stations)
        result = _assemble_plan(graph, path, plan)
        stations, distances = measure_deviation(ground_track(result.clip), frame_time, path)
    moments = dict(enumerate(plan.moments))
    report = result.report
    if bend:
        result = _bend_and_plant(result, path, stations, moments, end_yaw, plant)
    elif plant:
        result = plant_transition(result)
    sharp = find_sharp(path, graph.ground_tables.tightest_radius())
    found = report_path(
        replace(report, notes=result.report.notes),
        ground_track(result.clip),
        frame_time,
        path,
        planned_deviation=float(distances.mean()),
        speeds=ask_for_speeds(graph, path),
        moments=moments,
        acting=_list_acting(graph, path, plan),
        end_yaw=end_yaw,
        notes=(
            *(f"{part}, tighter than any take" for part in sharp),
            *note_stretches(graph, path, plan.route, stations),
        ),
    )
    found = replace(found, notes=(*found.notes, *note_arrivals(path, found.lateness)))
    return result.with_report(found)


def _assemble_plan(graph: MotionGraph, path: Line, plan: PlannedRoute) -> BlendResult:
    """Assemble a planned route, wrapped onto the path where it was planned along a guide."""
    result = assemble_route(graph, plan.route, placement=plan.placement, plant=False)
    if plan.guide is None:
        return result
    return replace(result, clip=wrap_onto_path(result.clip, plan.guide, path))


def _list_acting(graph: MotionGraph, path: Line, plan: PlannedRoute) -> dict[str, slice]:
    """Return the frames of a motion, by tag, in which takes play that do the actions of a path."""
    visits = list_visits(graph.table, plan.route)
    acting = {}
    for action, moment in zip(path.actions, plan.moments, strict=True):
        visit = next(own for own in reversed(visits) if own.start <= moment)
        acting[action.tag] = slice(visit.start, visit.start + visit.last - visit.first + 1)
    return acting


def _bend_and_plant(
    result: BlendResult,
    path: Line,
    planned: FloatArray,
    moments: dict[int, int],
    end_yaw: float | None,
    plant: bool,
) -> BlendResult:
    """Bend a motion to its path and plant its feet, once more where planting moves what is pinned."""
    last = result.clip.n_frames - 1
    goals = {frame: path.place(path.actions[n].at) for n, frame in moments.items()}
    goals[last] = path.positions[-1]
    aims = dict(goals)
    stations = None
    if path.arrivals:
        own = continue_stations(path, planned, ground_track(result.clip))
        stations = arrive_in_time(path, own, result.clip.frame_time)
    turn = end_yaw
    for _ in range(MAX_CLOSINGS):
        pins = {frame: Pin(position, turn if frame == last else None) for frame, position in aims.items()}
        bent = replace(result, clip=bend_to_path(result.clip, path, pins=pins, stations=stations))
        if not plant:
            return bent
        bent = plant_transition(bent)
        track = ground_track(bent.clip)
        misses = {frame: goal - track[frame, :2] for frame, goal in goals.items()}
        off = 0.0 if end_yaw is None else (end_yaw - track[last, 2] + np.pi) % (2 * np.pi) - np.pi
        if max(float(np.linalg.norm(miss)) for miss in misses.values()) < CLOSE_END and abs(off) < 0.02:
            break
        aims = {frame: aims[frame] + misses[frame] for frame in aims}
        turn = None if turn is None else turn + off
    return bent


def _say_why(path: Line) -> str:
    """Return why no route follows a path to its end."""
    if not path.actions:
        return (
            "no route of the graph follows the path to its end: its takes travel too little, or never in "
            "this direction. Add takes that walk and turn"
        )
    actions = [f"{action.tag!r} {path.locate(action.at):.1f} m" for action in path.actions]
    what, which = ("action", "this tag") if len(actions) == 1 else ("actions", "these tags")
    return (
        f"no route of the graph does the {what} {list_names(actions)} along the path and gets to the end: "
        f"takes with {which} are hard to reach, or there is too little room for what leads to them. Move the "
        f"{what}, or add takes that lead there"
    )
