"""Search for routes over a motion graph along a path on the ground.

A route plays frames of a take, leaves it by an edge, lands in another take, and so on. Partial routes end
where an edge lands. They are sorted into bins by the number of actions done and the length of path behind
them, and bins are worked off in that order: each keeps its cheapest routes, apart from each other, and
lengthens them, cheapest first (a beam). What a route costs is the sum over its samples of weighted squared
errors, so that no part of it is negative and a route dearer than the best complete one is cut off.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import NamedTuple

import numpy as np

from motionloom.kernels.array_types import (
    Bools,
    Bools2,
    Floats,
    Floats1,
    Floats2,
    Ints,
    Ints1,
    Ints2,
    OutFloats1,
    OutFloats2,
    OutInts1,
    OutInts2,
)
from motionloom.kernels.compiling import kernel
from motionloom.kernels.route_steps import (
    ACTION_REACH,
    ACTION_STATION,
    ACTION_WEIGHT,
    ACTION_X,
    ACTION_Z,
    BIN_LENGTH,
    END_WEIGHT,
    END_YAW_WEIGHT,
    MAX_DEVIATION,
    PATH_X,
    PATH_Z,
    SAME_FRAMES,
    SAME_POSITION,
    SAME_YAW,
    SPACING,
    STEP_TIME,
    PlacedTake,
    RouteState,
    move,
    place,
    wrap,
)

YAW, X, Z, STATION, COST, RANK, LANDING_X, LANDING_Z, LANDING_YAW = range(9)
"""Columns of numbers of partial routes; the last three are the body where the route has landed."""

EDGE, PARENT, FRAMES, ACTIONS, EXPANDED = range(5)
"""Columns of counts of partial routes; parents below zero are starts, -1 the first of them."""

END_PARENT, END_NODE, END_FRAME, END_LENGTH = range(4)
"""Places in the end of the best route: the partial route (or start) it continues, its take, its last frame,
and its length in frames."""

END_REACH = 0.5
"""Metres before the end of a path at which a route may end."""

LAST_VISIT = 3.0
"""Metres before the end of a path within which a take may be played beyond its last edge, or farther if what
is left of it goes farther."""


class Graph(NamedTuple):
    """The takes and edges of a graph, as :func:`search` takes them."""

    tracks: Floats
    node_first: Ints
    node_edges: Ints
    edge_departure: Ints
    edge_target: Ints
    edge_landing: Ints
    edge_displacement: Floats
    edge_tracks: Floats
    edge_first: Ints
    edge_cost: Floats
    stride: int


class Request(NamedTuple):
    """What a route is asked for, as :func:`search` takes it."""

    tag_fits: Bools
    action_moment: Ints
    action_reach: Floats
    path: Floats
    actions: Floats
    end_yaw: float
    settings: Floats


class Beam(NamedTuple):
    """The partial routes: ``width`` for each bin, and one that is being made."""

    width: int
    bins: Ints
    worst: Floats
    numbers: Floats
    counts: Ints
    row: Floats


@kernel
def _insert(
    beam: Beam, graph: Graph, settings: Floats, which: int, edge: int, parent: int, frames: int, done: int
) -> None:
    """Put the partial route in ``beam.row`` into a bin if it is among the cheapest that are apart."""
    numbers, counts, row = beam.numbers, beam.counts, beam.row
    targets, landings = graph.edge_target, graph.edge_landing
    first, n = which * beam.width, beam.bins[which]
    # Most routes are dearer than all of a full bin.
    if n == beam.width and row[RANK] >= beam.worst[which]:
        return
    slot, worst_rank = -1, -np.inf
    for other in range(first, first + n):
        edge_there = counts[other, EDGE]
        if (
            targets[edge_there] == targets[edge]
            and abs(landings[edge_there] - landings[edge]) <= settings[SAME_FRAMES]
            and abs(numbers[other, LANDING_X] - row[LANDING_X]) < settings[SAME_POSITION]
            and abs(numbers[other, LANDING_Z] - row[LANDING_Z]) < settings[SAME_POSITION]
            and abs(wrap(numbers[other, LANDING_YAW] - row[LANDING_YAW])) < settings[SAME_YAW]
        ):
            if counts[other, EXPANDED] or numbers[other, RANK] <= row[RANK]:
                return
            slot, worst_rank = other, np.inf
            break
        if counts[other, EXPANDED] == 0 and numbers[other, RANK] > worst_rank:
            slot, worst_rank = other, numbers[other, RANK]
    if n < beam.width and worst_rank < np.inf:
        slot = first + n
        n += 1
        beam.bins[which] = n
    for k in range(row.shape[0]):
        numbers[slot, k] = row[k]
    counts[slot, EDGE], counts[slot, PARENT] = edge, parent
    counts[slot, FRAMES], counts[slot, ACTIONS], counts[slot, EXPANDED] = frames, done, 0
    if n == beam.width:
        _find_worst(beam, which)


@kernel
def _find_worst(beam: Beam, which: int) -> None:
    """Note the largest rank among the routes of a full bin that may be replaced."""
    numbers, counts = beam.numbers, beam.counts
    worst = -np.inf
    for slot in range(which * beam.width, (which + 1) * beam.width):
        if counts[slot, EXPANDED] == 0:
            worst = max(worst, numbers[slot, RANK])
    beam.worst[which] = worst


@kernel
def _act(
    moments: Ints, actions: Floats, settings: Floats, stride: int, take: PlacedTake, state: RouteState
) -> RouteState:
    """Return the body after the next action, if its moment has come and its place is here."""
    if state.done == actions.shape[0]:
        return state
    moment = moments[state.done, take.node]
    if moment <= state.at - stride or moment > state.at or moment < take.frame:
        return state
    dx, dz = state.x - actions[state.done, ACTION_X], state.z - actions[state.done, ACTION_Z]
    squared = dx * dx + dz * dz
    # Doing it somewhere else is not doing it.
    if squared > settings[ACTION_REACH] * settings[ACTION_REACH]:
        return state
    cost = state.cost + settings[ACTION_WEIGHT] * squared
    return RouteState(state.at, state.x, state.z, state.station, cost, state.done + 1)


@kernel
def _is_acting(moments: Ints, take: PlacedTake, state: RouteState) -> bool:
    """Return whether a take is played for an action: it goes at its own speed, also once that is done."""
    if state.done < moments.shape[0] and moments[state.done, take.node] >= state.at:
        return True
    if state.done == 0:
        return False
    moment = moments[state.done - 1, take.node]
    return bool(moment >= take.frame and moment <= state.at)


@kernel
def _end(
    path: Floats,
    settings: Floats,
    end_yaw: float,
    track: Floats,
    take: PlacedTake,
    state: RouteState,
    best_cost: float,
    out_end: Ints,
) -> float:
    """End a route here if that is the best so far; return the best cost."""
    goal = path[path.shape[0] - 1]
    dx, dz = state.x - goal[PATH_X], state.z - goal[PATH_Z]
    error = 0.0 if np.isnan(end_yaw) else wrap(track[state.at, 2] + take.yaw - end_yaw)
    total = state.cost + settings[END_WEIGHT] * (dx * dx + dz * dz) + settings[END_YAW_WEIGHT] * error * error
    if total >= best_cost:
        return best_cost
    out_end[END_PARENT], out_end[END_NODE] = take.parent, take.node
    out_end[END_FRAME], out_end[END_LENGTH] = state.at, take.frames + state.at - take.frame
    return float(total)


@kernel
def _cross_edge(
    graph: Graph,
    request: Request,
    take: PlacedTake,
    state: RouteState,
    edge: int,
    acting: bool,
    best_cost: float,
) -> RouteState:
    """Return the body at the end of an edge that it takes, or on the way where that costs too much."""
    path, settings, tag_fits, tracks = request.path, request.settings, request.tag_fits, graph.edge_tracks
    target, first, stride = graph.edge_target[edge], graph.edge_first[edge], graph.stride
    n_rows = graph.edge_first[edge + 1] - first
    seconds = (take.frames + state.at - take.frame) * settings[STEP_TIME] / stride
    state = RouteState(
        state.at, state.x, state.z, state.station, state.cost + graph.edge_cost[edge], state.done
    )
    previous, k = -1, stride - 1
    while previous < n_rows - 1 and state.cost < best_cost:
        k = min(k, n_rows - 1)
        state, _ = move(
            path,
            settings,
            tag_fits,
            take,
            state,
            state.at,
            tracks[first + k],
            (k - previous) * settings[STEP_TIME] / stride,
            seconds + (k + 1) * settings[STEP_TIME] / stride,
            target,
            acting,
        )
        previous, k = k, k + stride
    return state


@kernel
def _land(graph: Graph, request: Request, beam: Beam, take: PlacedTake, state: RouteState, edge: int) -> None:
    """Keep the partial route that ends where an edge lands, if it can still do what is asked for."""
    settings, row, d = request.settings, beam.row, graph.edge_displacement[edge]
    target = graph.edge_target[edge]
    landing = graph.tracks[graph.node_first[target] + graph.edge_landing[edge]]
    x, z = place(take, d[1], d[2])
    yaw = take.yaw + d[0]
    c, s = cos(yaw), sin(yaw)
    row[YAW], row[X], row[Z] = yaw, x, z
    row[STATION], row[COST] = state.station, state.cost
    row[LANDING_X] = landing[0] * c + landing[1] * s + x
    row[LANDING_Z] = landing[1] * c - landing[0] * s + z
    row[LANDING_YAW] = landing[2] + yaw
    rank = state.cost
    n_actions = request.actions.shape[0]
    if state.done < n_actions:
        # Metres of travel that are missing for the action to happen at its place.
        left = request.actions[state.done, ACTION_STATION] + settings[ACTION_REACH] - state.station
        far = max(0.0, request.action_reach[state.done, edge] - max(0.0, left))
        rank += settings[ACTION_WEIGHT] * far * far
    row[RANK] = rank
    if rank < np.inf:
        n_bins = beam.bins.shape[0] // (n_actions + 1)
        which = state.done * n_bins + min(n_bins - 1, int(state.station / settings[BIN_LENGTH]))
        n_rows = graph.edge_first[edge + 1] - graph.edge_first[edge]
        frames = take.frames + graph.edge_departure[edge] - take.frame + n_rows + 1
        _insert(beam, graph, settings, which, edge, take.parent, frames, state.done)


@kernel
def _expand(
    graph: Graph,
    request: Request,
    beam: Beam,
    take: PlacedTake,
    station: float,
    cost: float,
    done: int,
    best_cost: float,
    out_end: Ints,
) -> float:
    """Play a take from a frame on; fork at each edge, and end where the path does. Return the best cost."""
    # Arrays are taken out of tuples before loops: Numba counts references each time.
    path, settings, tag_fits, stride = request.path, request.settings, request.tag_fits, graph.stride
    moments, actions, departure = request.action_moment, request.actions, graph.edge_departure
    first, last = graph.node_first[take.node], graph.node_first[take.node + 1] - 1
    track = graph.tracks[first : last + 1]
    edge, end_edge = graph.node_edges[take.node], graph.node_edges[take.node + 1]
    last_departure = departure[end_edge - 1] if end_edge > edge else -1
    while edge < end_edge and departure[edge] < take.frame:
        edge += 1
    length = (path.shape[0] - 1) * settings[SPACING]
    x, z = place(take, track[take.frame, 0], track[take.frame, 1])
    state = RouteState(take.frame, x, z, station, cost, done)
    while True:
        # 1. An action whose moment has come, and the end of the path.
        state = _act(moments, actions, settings, stride, take, state)
        if state.done == actions.shape[0] and state.station >= length - END_REACH:
            best_cost = _end(path, settings, request.end_yaw, track, take, state, best_cost, out_end)
        # 2. Edges that leave here.
        acting = _is_acting(moments, take, state)
        while edge < end_edge and departure[edge] < state.at + stride:
            landed = _cross_edge(graph, request, take, state, edge, acting, best_cost)
            if landed.cost < best_cost:
                _land(graph, request, beam, take, landed, edge)
            edge += 1
        # 3. The next sample of the take, as long as an edge leaves it or the path may end within it.
        if state.at >= last - first:
            return best_cost
        if state.at >= last_departure:
            dx, dz = track[last - first, 0] - track[state.at, 0], track[last - first, 1] - track[state.at, 1]
            if length - state.station > max(LAST_VISIT, 1.5 * sqrt(dx * dx + dz * dz)):
                return best_cost
        following = min(state.at + stride, last - first)
        state, squared = move(
            path,
            settings,
            tag_fits,
            take,
            state,
            following,
            track[following],
            (following - state.at) * settings[STEP_TIME] / stride,
            (take.frames + following - take.frame) * settings[STEP_TIME] / stride,
            take.node,
            acting,
        )
        if state.cost >= best_cost or squared > settings[MAX_DEVIATION] * settings[MAX_DEVIATION]:
            return best_cost
        # An action whose place has been passed.
        if (
            state.done < actions.shape[0]
            and state.station > actions[state.done, ACTION_STATION] + 2.0 * settings[ACTION_REACH] + 0.2
        ):
            return best_cost


@kernel
def _cheapest(beam: Beam, which: int, best_cost: float) -> int:
    """Return the cheapest partial route of a bin that was not lengthened yet, -1 if there is none."""
    numbers, counts = beam.numbers, beam.counts
    cheapest, rank = -1, best_cost
    for slot in range(which * beam.width, which * beam.width + beam.bins[which]):
        if counts[slot, EXPANDED] == 0 and numbers[slot, RANK] < rank:
            cheapest, rank = slot, numbers[slot, RANK]
    return cheapest


@kernel
def search(
    tracks: Floats2,
    node_first: Ints1,
    node_edges: Ints1,
    edge_departure: Ints1,
    edge_target: Ints1,
    edge_landing: Ints1,
    edge_displacement: Floats2,
    edge_tracks: Floats2,
    edge_first: Ints1,
    edge_cost: Floats1,
    tag_fits: Bools2,
    action_moment: Ints2,
    action_reach: Floats2,
    path: Floats2,
    actions: Floats2,
    end_yaw: float,
    settings: Floats1,
    stride: int,
    starts: Ints2,
    start_placements: Floats2,
    width: int,
    bins: OutInts1,
    worst: OutFloats1,
    numbers: OutFloats2,
    counts: OutInts2,
    row: OutFloats1,
    out_end: OutInts1,
) -> float:
    """Find the cheapest route along a path; return its cost, infinite where there is none.

    ``tracks`` holds x, z and yaw of the body in all frames of all takes; those of take n are rows
    node_first[n] to node_first[n + 1]. Edges are sorted by take and departure: take n has node_edges[n] to
    node_edges[n + 1]. ``edge_tracks`` holds the frames of transitions in the coordinates of the take that
    they leave, ``edge_displacement`` yaw, x and z of the take they land in. ``tag_fits`` (tags, takes),
    ``action_moment`` (actions, takes; -1 for none) and ``action_reach`` (actions, edges: metres to travel
    from a landing to the moment) say what takes are for. ``path`` and ``actions`` have the columns above.

    ``starts`` (S, 2) are takes and frames, with placements yaw, x, z (S, 3). ``bins`` comes zero; ``worst``
    has one number for each bin, ``numbers`` and ``counts`` have ``width`` rows for each. Partial routes are
    in them, with their parents; the end of the best one is in ``out_end``.
    """
    graph = Graph(
        tracks,
        node_first,
        node_edges,
        edge_departure,
        edge_target,
        edge_landing,
        edge_displacement,
        edge_tracks,
        edge_first,
        edge_cost,
        stride,
    )
    request = Request(tag_fits, action_moment, action_reach, path, actions, end_yaw, settings)
    beam = Beam(width, bins, worst, numbers, counts, row)
    best = np.inf
    # 1. From all starts.
    for n in range(starts.shape[0]):
        yaw, x, z = start_placements[n, 0], start_placements[n, 1], start_placements[n, 2]
        take = PlacedTake(starts[n, 0], starts[n, 1], cos(yaw), sin(yaw), yaw, x, z, 0, -1 - n)
        best = _expand(graph, request, beam, take, 0.0, 0.0, 0, best, out_end)
    # 2. On from the cheapest partial routes of one bin after the other.
    for which in range(bins.shape[0]):
        for _ in range(width):
            slot = _cheapest(beam, which, best)
            if slot < 0:
                break
            counts[slot, EXPANDED] = 1
            if bins[which] == width:
                _find_worst(beam, which)
            edge = counts[slot, EDGE]
            yaw, x, z = numbers[slot, YAW], numbers[slot, X], numbers[slot, Z]
            take = PlacedTake(
                edge_target[edge],
                edge_landing[edge],
                cos(yaw),
                sin(yaw),
                yaw,
                x,
                z,
                counts[slot, FRAMES],
                slot,
            )
            best = _expand(
                graph,
                request,
                beam,
                take,
                numbers[slot, STATION],
                numbers[slot, COST],
                counts[slot, ACTIONS],
                best,
                out_end,
            )
    return best


@kernel
def lengths_to_moments(
    lengths: Floats1,
    node_first: Ints1,
    node_edges: Ints1,
    edge_departure: Ints1,
    edge_target: Ints1,
    edge_landing: Ints1,
    edge_length: Floats1,
    moments: Ints1,
    out: OutFloats1,
) -> None:
    """Fill the shortest travel (E,) from the landing of each edge to a moment of a take, metres.

    ``lengths`` are metres travelled from the start of a take, in the order of the tracks, ``edge_length``
    those of transitions, ``moments`` (N,) frames, -1 for takes that have none. Where no moment can be
    reached the travel is infinite.
    """
    out[:] = np.inf
    changed = True
    while changed:
        changed = False
        for edge in range(out.shape[0]):
            node, frame = edge_target[edge], edge_landing[edge]
            here = lengths[node_first[node] + frame]
            best = out[edge]
            if moments[node] >= frame:
                best = min(best, lengths[node_first[node] + moments[node]] - here)
            for after in range(node_edges[node], node_edges[node + 1]):
                if edge_departure[after] >= frame:
                    travel = lengths[node_first[node] + edge_departure[after]] - here
                    best = min(best, travel + edge_length[after] + out[after])
            if best < out[edge] - 1e-9:
                out[edge] = best
                changed = True
