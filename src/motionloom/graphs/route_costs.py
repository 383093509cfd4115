"""What a route along a path costs: its edges, and how far it is off what the path asks for.

Costs are in metres of path: where a body is 10 cm off it throughout, a metre costs 1. The search for the
cheapest route is :mod:`motionloom.kernels.route_search`; it reads these numbers as settings.
"""

from __future__ import annotations

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.graphs.ground_tables import GroundTables
from motionloom.paths.path import Line
from motionloom.paths.stations import LOOK_AHEAD

STATION_SPACING = 0.05
"""Metres between the places of a path that samples are compared with."""

MIN_SPEED = 0.3
"""Metres per second that samples count for at least: a body that stands beside the path deviates, too."""

DEVIATION, FACING, GIVEN_FACING = 0.1, np.radians(20.0), np.radians(15.0)
"""Metres off the path, and radians off the path's direction or the facing that was given, that cost 1 per
metre of path."""

SPEED = 0.25
"""Metres per second off the speed that was given, or else the usual one, that cost 1 per second."""

LATE, MAX_LATE = 0.3, 1.0
"""Seconds off an arrival that cost 1 per metre, and seconds off it beyond which that hardly grows: who is too
late anyway still follows the path."""

TAG_COST = 50.0
"""What a metre costs in a take without the tag asked for: more than any detour that takes have to make."""

ACTION, END, END_YAW = 0.06, 0.06, np.radians(6.0)
"""Metres off the place of an action or off the end, and radians off the facing there, that cost 1."""

EDGE_COST, SEAM_COST = 0.3, 0.3
"""What an edge costs, and in addition one that is as rough as its takes: rather a few good ones."""

MAX_DEVIATION = 1.5
"""Metres off the path after which a route is given up, as long as another one stays closer."""

ACTION_REACH = 0.6
"""Metres off its place within which an action may happen: what a warp can close in a few steps."""

BEND_COST = 3.0
"""What a metre costs that is bent by :data:`~motionloom.paths.bend_to_path.MAX_BEND_RATE`: as much as 17 cm
off the path. It grows with the square."""

GOOD_COST = 1.0
"""What a metre may cost, 10 cm off the path or 20° off its direction, so that no further guide is tried."""

BIN_LENGTH = 0.5
"""Metres of path behind routes that are compared with each other: less than a step."""

SAME_POSITION, SAME_YAW, SAME_TIME = 0.08, 0.12, 0.1
"""Metres, radians and seconds within which two routes that land in one take are the same."""


def find_edge_costs(seams: FloatArray) -> FloatArray:
    """Return what edges (E,) cost, by how rough they are against their takes.

    >>> find_edge_costs(np.array([0.0, 1.0])).tolist()
    [0.3, 0.6]
    """
    return np.asarray(EDGE_COST + SEAM_COST * seams)


def list_settings(tables: GroundTables, path: Line) -> FloatArray:
    """Return the numbers of the search."""
    k = kernels.route_steps
    settings = np.zeros(k.N_SETTINGS)
    settings[k.SPACING] = STATION_SPACING
    settings[k.STEP_TIME] = tables.stride * tables.frame_time
    settings[k.LOOK_AHEAD] = LOOK_AHEAD
    settings[k.MIN_SPEED] = MIN_SPEED
    settings[k.DEVIATION_WEIGHT] = DEVIATION**-2
    settings[k.FACING_WEIGHT] = (FACING if path.facings is None else GIVEN_FACING) ** -2
    settings[k.SPEED_WEIGHT] = SPEED**-2
    settings[k.TIME_WEIGHT] = LATE**-2
    settings[k.MAX_LATE] = MAX_LATE
    settings[k.TAG_WEIGHT] = TAG_COST
    settings[k.ACTION_WEIGHT] = ACTION**-2
    settings[k.END_WEIGHT] = END**-2
    settings[k.END_YAW_WEIGHT] = END_YAW**-2
    settings[k.MAX_DEVIATION] = MAX_DEVIATION
    settings[k.ACTION_REACH] = ACTION_REACH
    settings[k.BIN_LENGTH] = BIN_LENGTH
    settings[k.SAME_POSITION] = SAME_POSITION
    settings[k.SAME_YAW] = SAME_YAW
    settings[k.SAME_FRAMES] = SAME_TIME / tables.frame_time
    return settings
