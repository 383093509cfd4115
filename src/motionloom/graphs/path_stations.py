"""`find_stations`: how far along a path a body is, frame by frame, while it follows the path."""

from __future__ import annotations

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.motion.path import Path

LOOK_AHEAD = 0.4
"""Metres of path, beyond the length of a step, that a body may cut off: the inside of a tight corner."""


def find_stations(path: Path, positions: FloatArray) -> FloatArray:
    """Return metres along a path (T,) of a body at positions (T, 2), which never decrease.

    Where a path crosses itself, the body is on the part that it has come to, not on the nearest one.

    >>> line, body = Path([[0, 0], [0, 2]]), np.array([[0.1, 0.0], [0.1, 0.5], [0.1, 0.4]])
    >>> find_stations(line, body).round(2).tolist()
    [0.0, 0.5, 0.5]
    """
    k = kernels.route_search
    table = np.zeros((len(path.stations), 8))
    table[:, k.PATH_X], table[:, k.PATH_Z] = path.positions[:, 0], path.positions[:, 1]
    table[:, k.PATH_TX], table[:, k.PATH_TZ] = np.sin(path.headings), np.cos(path.headings)
    settings = np.zeros(k.N_SETTINGS)
    settings[k.SPACING] = path.length / (len(path.stations) - 1)
    settings[k.LOOK_AHEAD] = LOOK_AHEAD
    out = np.empty(len(positions))
    k.locate_track(table, settings, np.ascontiguousarray(positions), out)
    return np.minimum(out, path.length)


def arrive_in_time(path: Path, stations: FloatArray, frame_time: float) -> FloatArray:
    """Return metres along a path (T,), moved so that its arrivals are met.

    >>> from motionloom.motion.path import Arrival
    >>> line = Path([[0, 0], [0, 4]], arrivals=[Arrival(2.0, 2.0)])
    >>> arrive_in_time(line, np.linspace(0.0, 4.0, 9), 0.5).round(2).tolist()
    [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    """
    times = np.arange(len(stations)) * frame_time
    keys = [key for key in path.arrivals if key.time < times[-1]]
    at = [0.0, *(key.time for key in keys), float(times[-1])]
    late = [path.locate(key.at) - float(np.interp(key.time, times, stations)) for key in keys]
    # What the last arrival shifts fades out until the end of the path.
    moved = stations + np.interp(times, at, [0.0, *late, 0.0])
    return np.asarray(np.clip(np.maximum.accumulate(moved), 0.0, path.length))
