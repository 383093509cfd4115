"""Search for routes over a motion graph along a path on the ground.

A route plays frames of a take, leaves it by an edge, lands in another take, and so on. Partial routes end
where an edge lands. They are sorted into bins by the number of actions done and the length of path behind
them, and bins are worked off in that order: each keeps its cheapest routes, apart from each other, and
lengthens them, cheapest first (a beam). What a route costs is the sum over its samples of weighted squared
errors, so that no part of it is negative and a route dearer than the best complete one is cut off.
"""

from __future__ import annotations

from math import cos, floor, pi, sin, sqrt

import numpy as np

from motionloom.kernels.compiling import Bools, Floats, Ints, kernel

PATH_X, PATH_Z, PATH_TX, PATH_TZ, PATH_YAW, PATH_SPEED, PATH_TIME, PATH_TAG = range(8)
"""Columns of a path's table: position, direction, facing, speed, time (nan: any) and tag (-1: any)."""

ACTION_STATION, ACTION_X, ACTION_Z = range(3)
"""Columns of the actions' table: metres along the path, and position."""

(
    SPACING,
    STEP_TIME,
    LOOK_AHEAD,
    MIN_SPEED,
    DEVIATION_WEIGHT,
    FACING_WEIGHT,
    SPEED_WEIGHT,
    TIME_WEIGHT,
    TAG_WEIGHT,
    ACTION_WEIGHT,
    END_WEIGHT,
    END_YAW_WEIGHT,
    MAX_DEVIATION,
    ACTION_REACH,
    BIN_LENGTH,
    SAME_POSITION,
    SAME_YAW,
    SAME_FRAMES,
    N_SETTINGS,
) = range(19)
"""Places of numbers in the settings (:mod:`motionloom.graphs.plan_route` says what they are)."""

YAW, X, Z, STATION, COST, RANK, LANDING_X, LANDING_Z, LANDING_YAW = range(9)
"""Columns of numbers of partial routes; the last three are the body where the route has landed."""

EDGE, PARENT, FRAMES, ACTIONS, EXPANDED = range(5)
"""Columns of counts of partial routes; parents below zero are starts, -1 the first of them."""

END_PARENT, END_NODE, END_FRAME, END_LENGTH = range(4)
"""Places in the end of the best route: the partial route (or start) it continues, its take, its last frame,
and its length in frames."""


@kernel
def _follow(
    path: Floats, settings: Floats, station: float, x: float, z: float, step: float
) -> tuple[float, float]:
    """Return metres along a path after a step to x, z, never fewer than before, and the squared distance."""
    spacing = settings[SPACING]
    n = path.shape[0]
    first = min(n - 1, int(station / spacing + 0.5))
    last = min(n - 1, first + int((settings[LOOK_AHEAD] + step) / spacing) + 1)
    best, nearest = first, np.inf
    for i in range(first, last + 1):
        dx, dz = x - path[i, PATH_X], z - path[i, PATH_Z]
        squared = dx * dx + dz * dz
        if squared < nearest:
            best, nearest = i, squared
    along = (x - path[best, PATH_X]) * path[best, PATH_TX] + (z - path[best, PATH_Z]) * path[best, PATH_TZ]
    along = min(max(along, -0.5 * spacing), 0.5 * spacing)
    if best == n - 1:
        along = min(along, 0.0)
    return max(station, best * spacing + along), max(0.0, nearest - along * along)


@kernel
def _wrap(angle: float) -> float:
    """Return an angle between -π and π."""
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi))


@kernel
def _sample_cost(
    path: Floats,
    settings: Floats,
    station: float,
    progress: float,
    squared: float,
    yaw: float,
    step: float,
    duration: float,
    seconds: float,
    tag_differs: bool,
    acting: bool,
) -> float:
    """Return the cost of a sample, ``duration`` seconds after the last one and ``step`` metres from it."""
    row = path[min(path.shape[0] - 1, int(station / settings[SPACING] + 0.5))]
    error = _wrap(yaw - row[PATH_YAW])
    per_metre = settings[DEVIATION_WEIGHT] * squared + settings[FACING_WEIGHT] * error * error
    if tag_differs:
        per_metre += settings[TAG_WEIGHT]
    if not np.isnan(row[PATH_TIME]):
        late = seconds - row[PATH_TIME]
        per_metre += settings[TIME_WEIGHT] * late * late
    cost = per_metre * max(step, settings[MIN_SPEED] * duration)
    if not acting and duration > 0.0:
        slow = progress / duration - row[PATH_SPEED]
        cost += settings[SPEED_WEIGHT] * slow * slow * duration
    return float(cost)


@kernel
def _insert(
    bins: Ints,
    width: int,
    which: int,
    settings: Floats,
    numbers: Floats,
    counts: Ints,
    edge_target: Ints,
    edge_landing: Ints,
    edge: int,
    parent: int,
    frames: int,
    actions: int,
    row: Floats,
) -> None:
    """Put a partial route into a bin if it is among the cheapest that are apart from each other."""
    first, n = which * width, bins[which]
    worst, worst_rank = -1, -np.inf
    for slot in range(first, first + n):
        if (
            edge_target[counts[slot, EDGE]] == edge_target[edge]
            and abs(edge_landing[counts[slot, EDGE]] - edge_landing[edge]) <= settings[SAME_FRAMES]
            and abs(numbers[slot, LANDING_X] - row[LANDING_X]) < settings[SAME_POSITION]
            and abs(numbers[slot, LANDING_Z] - row[LANDING_Z]) < settings[SAME_POSITION]
            and abs(_wrap(numbers[slot, LANDING_YAW] - row[LANDING_YAW])) < settings[SAME_YAW]
        ):
            if counts[slot, EXPANDED] or numbers[slot, RANK] <= row[RANK]:
                return
            worst, worst_rank = slot, np.inf
            break
        if counts[slot, EXPANDED] == 0 and numbers[slot, RANK] > worst_rank:
            worst, worst_rank = slot, numbers[slot, RANK]
    if worst_rank < np.inf:
        if n < width:
            worst = first + n
            bins[which] = n + 1
        elif worst < 0 or row[RANK] >= worst_rank:
            return
    numbers[worst] = row
    counts[worst, EDGE], counts[worst, PARENT] = edge, parent
    counts[worst, FRAMES], counts[worst, ACTIONS], counts[worst, EXPANDED] = frames, actions, 0


@kernel
def _expand(
    tracks: Floats,
    node_first: Ints,
    node_edges: Ints,
    edge_departure: Ints,
    edge_target: Ints,
    edge_landing: Ints,
    edge_displacement: Floats,
    edge_tracks: Floats,
    edge_first: Ints,
    edge_cost: Floats,
    tag_fits: Bools,
    action_moment: Ints,
    action_reach: Floats,
    path: Floats,
    actions: Floats,
    end_yaw: float,
    settings: Floats,
    stride: int,
    node: int,
    frame: int,
    yaw: float,
    x: float,
    z: float,
    station: float,
    cost: float,
    frames: int,
    done: int,
    parent: int,
    numbers: Floats,
    counts: Ints,
    bins: Ints,
    width: int,
    row: Floats,
    best_cost: float,
    out_end: Ints,
) -> float:
    """Play a take from a frame on; fork at each edge, and end where the path does. Return the best cost."""
    n_actions, n_tags = actions.shape[0], tag_fits.shape[0]
    n_bins = bins.shape[0] // (n_actions + 1)
    spacing = settings[SPACING]
    length = (path.shape[0] - 1) * spacing
    base = node_first[node]
    last = node_first[node + 1] - node_first[node] - 1
    edge = node_edges[node]
    end_edge = node_edges[node + 1]
    while edge < end_edge and edge_departure[edge] < frame:
        edge += 1
    c, s = cos(yaw), sin(yaw)
    px = tracks[base + frame, 0] * c + tracks[base + frame, 1] * s + x
    pz = tracks[base + frame, 1] * c - tracks[base + frame, 0] * s + z
    last_departure = edge_departure[end_edge - 1] if end_edge > node_edges[node] else -1
    at = frame
    while True:
        # 1. Actions whose moment has come.
        if done < n_actions:
            moment = action_moment[done, node]
            if moment > at - stride and moment <= at and moment >= frame:
                dx, dz = px - actions[done, ACTION_X], pz - actions[done, ACTION_Z]
                squared = dx * dx + dz * dz
                # Doing it somewhere else is not doing it.
                if squared <= settings[ACTION_REACH] * settings[ACTION_REACH]:
                    cost += settings[ACTION_WEIGHT] * squared
                    done += 1
        # 2. The end of the path.
        if done == n_actions and station >= length - 0.5:
            dx, dz = px - path[path.shape[0] - 1, PATH_X], pz - path[path.shape[0] - 1, PATH_Z]
            error = 0.0 if np.isnan(end_yaw) else _wrap(tracks[base + at, 2] + yaw - end_yaw)
            total = (
                cost + settings[END_WEIGHT] * (dx * dx + dz * dz) + settings[END_YAW_WEIGHT] * error * error
            )
            if total < best_cost:
                best_cost = total
                out_end[END_PARENT], out_end[END_NODE] = parent, node
                out_end[END_FRAME], out_end[END_LENGTH] = at, frames + at - frame
        acting = done < n_actions and action_moment[done, node] >= at
        # Once an action is done, its take goes on without haste.
        if done > 0 and action_moment[done - 1, node] >= frame and action_moment[done - 1, node] <= at:
            acting = True
        # 3. Edges that leave here.
        while edge < end_edge and edge_departure[edge] < at + stride:
            g_yaw, g_x, g_z = yaw, x, z
            child_station, child_cost = station, cost + edge_cost[edge]
            ex, ez = px, pz
            target = edge_target[edge]
            seconds = (frames + at - frame) * settings[STEP_TIME] / stride
            n_rows = edge_first[edge + 1] - edge_first[edge]
            k = stride - 1
            previous = -1
            while n_rows > 0 and child_cost < best_cost:
                k = min(k, n_rows - 1)
                sample = edge_tracks[edge_first[edge] + k]
                qx, qz = sample[0] * c + sample[1] * s + x, sample[1] * c - sample[0] * s + z
                step = sqrt((qx - ex) * (qx - ex) + (qz - ez) * (qz - ez))
                now, squared = _follow(path, settings, child_station, qx, qz, step)
                duration = (k - previous) * settings[STEP_TIME] / stride
                tag = int(path[min(path.shape[0] - 1, int(now / spacing + 0.5)), PATH_TAG])
                source_fits = tag < 0 or tag_fits[tag, node] or tag_fits[tag, target]
                child_cost += _sample_cost(
                    path,
                    settings,
                    now,
                    now - child_station,
                    squared,
                    sample[2] + yaw,
                    step,
                    duration,
                    seconds + (k + 1) * settings[STEP_TIME] / stride,
                    not source_fits,
                    acting,
                )
                child_station, ex, ez = now, qx, qz
                if k == n_rows - 1:
                    break
                previous = k
                k += stride
            if child_cost < best_cost:
                d = edge_displacement[edge]
                g_x = d[1] * c + d[2] * s + x
                g_z = d[2] * c - d[1] * s + z
                g_yaw = yaw + d[0]
                landing = tracks[node_first[target] + edge_landing[edge]]
                gc, gs = cos(g_yaw), sin(g_yaw)
                row[YAW], row[X], row[Z] = g_yaw, g_x, g_z
                row[STATION], row[COST] = child_station, child_cost
                row[LANDING_X] = landing[0] * gc + landing[1] * gs + g_x
                row[LANDING_Z] = landing[1] * gc - landing[0] * gs + g_z
                row[LANDING_YAW] = landing[2] + g_yaw
                rank = child_cost
                if done < n_actions:
                    # Metres of travel that are missing for the action to happen at its place.
                    far = action_reach[done, edge] - max(
                        0.0, actions[done, ACTION_STATION] + settings[ACTION_REACH] - child_station
                    )
                    rank += settings[ACTION_WEIGHT] * max(0.0, far) * max(0.0, far)
                row[RANK] = rank
                if rank < np.inf:
                    which = done * n_bins + min(n_bins - 1, int(child_station / settings[BIN_LENGTH]))
                    length_now = frames + edge_departure[edge] - frame + n_rows + 1
                    _insert(
                        bins,
                        width,
                        which,
                        settings,
                        numbers,
                        counts,
                        edge_target,
                        edge_landing,
                        edge,
                        parent,
                        length_now,
                        done,
                        row,
                    )
            edge += 1
        # 4. The next sample of the take.
        if at >= last or (at >= last_departure and station < length - 3.0):
            return best_cost
        following = min(at + stride, last)
        sample = tracks[base + following]
        qx, qz = sample[0] * c + sample[1] * s + x, sample[1] * c - sample[0] * s + z
        step = sqrt((qx - px) * (qx - px) + (qz - pz) * (qz - pz))
        now, squared = _follow(path, settings, station, qx, qz, step)
        if squared > settings[MAX_DEVIATION] * settings[MAX_DEVIATION]:
            return best_cost
        if done < n_actions and now > actions[done, ACTION_STATION] + 2.0 * settings[ACTION_REACH] + 0.2:
            return best_cost
        tag = int(path[min(path.shape[0] - 1, int(now / spacing + 0.5)), PATH_TAG])
        cost += _sample_cost(
            path,
            settings,
            now,
            now - station,
            squared,
            sample[2] + yaw,
            step,
            (following - at) * settings[STEP_TIME] / stride,
            (frames + following - frame) * settings[STEP_TIME] / stride,
            n_tags > 0 and tag >= 0 and not tag_fits[max(tag, 0), node],
            acting,
        )
        if cost >= best_cost:
            return best_cost
        station, px, pz, at = now, qx, qz, following


@kernel
def search(
    tracks: Floats,
    node_first: Ints,
    node_edges: Ints,
    edge_departure: Ints,
    edge_target: Ints,
    edge_landing: Ints,
    edge_displacement: Floats,
    edge_tracks: Floats,
    edge_first: Ints,
    edge_cost: Floats,
    tag_fits: Bools,
    action_moment: Ints,
    action_reach: Floats,
    path: Floats,
    actions: Floats,
    end_yaw: float,
    settings: Floats,
    stride: int,
    starts: Ints,
    start_placements: Floats,
    width: int,
    bins: Ints,
    numbers: Floats,
    counts: Ints,
    row: Floats,
    out_end: Ints,
) -> float:
    """Find the cheapest route along a path; return its cost, infinite where there is none.

    ``tracks`` holds x, z and yaw of the body in all frames of all takes; those of take n are rows
    node_first[n] to node_first[n + 1]. Edges are sorted by take and departure: take n has node_edges[n] to
    node_edges[n + 1]. ``edge_tracks`` holds the frames of transitions in the coordinates of the take that
    they leave, ``edge_displacement`` yaw, x and z of the take they land in. ``tag_fits`` (tags, takes),
    ``action_moment`` (actions, takes; -1 for none) and ``action_reach`` (actions, edges: metres to travel
    from a landing to the moment) say what takes are for. ``path`` and ``actions`` have the columns above.

    ``starts`` (S, 2) are takes and frames, with placements yaw, x, z (S, 3). ``bins`` comes zero, ``numbers``
    and ``counts`` have ``width`` rows for each bin. Partial routes are in them, with their parents; the end
    of the best one is in ``out_end``.
    """
    best = np.inf
    n_started, which, n_expanded = 0, 0, 0
    while which < bins.shape[0]:
        # 1. What to go on from: the starts, then the cheapest routes of one bin after the other.
        if n_started < starts.shape[0]:
            node, frame = starts[n_started, 0], starts[n_started, 1]
            yaw, x, z = (
                start_placements[n_started, 0],
                start_placements[n_started, 1],
                start_placements[n_started, 2],
            )
            station, cost, frames, done, parent = 0.0, 0.0, 0, 0, -1 - n_started
            n_started += 1
        else:
            parent, rank = -1, best
            for slot in range(which * width, which * width + bins[which]):
                if counts[slot, EXPANDED] == 0 and numbers[slot, RANK] < rank:
                    parent, rank = slot, numbers[slot, RANK]
            if parent < 0 or n_expanded == width:
                which, n_expanded = which + 1, 0
                continue
            counts[parent, EXPANDED] = 1
            n_expanded += 1
            edge = counts[parent, EDGE]
            node, frame = edge_target[edge], edge_landing[edge]
            yaw, x, z = numbers[parent, YAW], numbers[parent, X], numbers[parent, Z]
            station, cost = numbers[parent, STATION], numbers[parent, COST]
            frames, done = counts[parent, FRAMES], counts[parent, ACTIONS]
        # 2. Along its take, and over each edge that leaves it.
        best = _expand(
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
            tag_fits,
            action_moment,
            action_reach,
            path,
            actions,
            end_yaw,
            settings,
            stride,
            node,
            frame,
            yaw,
            x,
            z,
            station,
            cost,
            frames,
            done,
            parent,
            numbers,
            counts,
            bins,
            width,
            row,
            best,
            out_end,
        )
    return best


@kernel
def lengths_to_moments(
    lengths: Floats,
    node_first: Ints,
    node_edges: Ints,
    edge_departure: Ints,
    edge_target: Ints,
    edge_landing: Ints,
    edge_length: Floats,
    moments: Ints,
    out: Floats,
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
