"""Steps of routes along a path: where a body comes to, and what that costs.

The search over routes (:mod:`motionloom.kernels.route_search`) is made of these.
"""

from __future__ import annotations

from math import floor, pi, sqrt
from typing import NamedTuple

import numpy as np

from motionloom.kernels.array_types import Bools, Floats
from motionloom.kernels.compiling import kernel

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
    MAX_LATE,
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
) = range(20)
"""Places of numbers in the settings (:mod:`motionloom.graphs.plan_route` says what they are)."""


class PlacedTake(NamedTuple):
    """A take that a route plays: its placement, the frame that it begins with and the route before it."""

    node: int
    frame: int
    cos: float
    sin: float
    yaw: float
    x: float
    z: float
    frames: int
    parent: int


class RouteState(NamedTuple):
    """Where the body of a route is: in which frame of its take, where on the ground and on the path, at what
    cost and after how many actions.
    """

    at: int
    x: float
    z: float
    station: float
    cost: float
    done: int


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
def wrap(angle: float) -> float:
    """Return an angle between -π and π."""
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi))


@kernel
def _row_at(path: Floats, settings: Floats, station: float) -> int:
    """Return the row of a path's table that is nearest to metres along it."""
    return int(min(path.shape[0] - 1, int(station / settings[SPACING] + 0.5)))


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
    row = path[_row_at(path, settings, station)]
    error = wrap(yaw - row[PATH_YAW])
    per_metre = settings[DEVIATION_WEIGHT] * squared + settings[FACING_WEIGHT] * error * error
    if tag_differs:
        per_metre += settings[TAG_WEIGHT]
    if not np.isnan(row[PATH_TIME]):
        late = seconds - row[PATH_TIME]
        limit = settings[MAX_LATE] * settings[MAX_LATE]
        per_metre += settings[TIME_WEIGHT] * late * late / (1.0 + late * late / limit)
    cost = per_metre * max(step, settings[MIN_SPEED] * duration)
    if not acting and duration > 0.0:
        slow = progress / duration - row[PATH_SPEED]
        cost += settings[SPEED_WEIGHT] * slow * slow * duration
    return float(cost)


@kernel
def place(take: PlacedTake, x: float, z: float) -> tuple[float, float]:
    """Return x and z of a take where it is placed."""
    return x * take.cos + z * take.sin + take.x, z * take.cos - x * take.sin + take.z


@kernel
def move(
    path: Floats,
    settings: Floats,
    tag_fits: Bools,
    take: PlacedTake,
    state: RouteState,
    at: int,
    sample: Floats,
    duration: float,
    seconds: float,
    target: int,
    acting: bool,
) -> tuple[RouteState, float]:
    """Return the body after it has moved to a sample of a take or an edge, and its squared deviation.

    The sample must fit the tags of the path, that of an edge by the take that it leaves or by ``target``.
    """
    x, z = place(take, sample[0], sample[1])
    step = sqrt((x - state.x) * (x - state.x) + (z - state.z) * (z - state.z))
    station, squared = _follow(path, settings, state.station, x, z, step)
    tag = int(path[_row_at(path, settings, station), PATH_TAG])
    fits = tag < 0 or tag_fits[tag, take.node] or tag_fits[tag, target]
    cost = state.cost + _sample_cost(
        path,
        settings,
        station,
        station - state.station,
        squared,
        sample[2] + take.yaw,
        step,
        duration,
        seconds,
        not fits,
        acting,
    )
    return RouteState(at, x, z, station, cost, state.done), squared
