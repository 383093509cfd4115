"""`unbend_path` and `wrap_onto_path`: which turns of a path takes make, and which bending makes.

A body that walks straight ahead can be bent onto a curve as long as its feet can be planted. So a route is
planned along a guide, a path without the turns that bending can make, and its motion is wrapped onto the path
itself. Takes that never turn follow curves in this way, and takes that do make the sharp turns.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry.ground_transform import rotate_on_ground
from motionloom.motion import Clip
from motionloom.motion.body import on_body
from motionloom.motion.filters import smooth_gaussian
from motionloom.motion.ground_path import ground_track
from motionloom.paths.bend_to_path import STIFFNESS, move_frames
from motionloom.paths.path import Line, Place
from motionloom.paths.stations import find_stations

HEADING_SMOOTHING = 0.15
"""Standard deviation, metres, of the Gaussian that curvatures are measured with: what is shorter than a step
is no turn."""

WRAP_SMOOTHING = 0.2
"""Standard deviation, seconds, of the Gaussian that rounds the corners of a path for a body: by about 12 cm
for a right angle at walking speed."""


def measure_curvature(path: Line) -> FloatArray:
    """Return the curvature (M,) of a path at its samples, radians per metre, positive to the left.

    >>> measure_curvature(Line([[0, 0], [0, 1]])).round(6).max()
    np.float64(0.0)
    """
    spacing = path.length / (len(path.stations) - 1)
    headings = smooth_gaussian(path.headings[:, None], HEADING_SMOOTHING / spacing)[:, 0]
    return np.gradient(headings, spacing)


def unbend_path(path: Line, max_curvature: float | FloatArray) -> Line:
    """Return a path without its turns, as far as they are gentle.

    Parameters
    ----------
    path
        The path.
    max_curvature
        Curvature in radians per metre that is taken out, one number or (M,) at the samples of the path; of
        sharper turns the rest remains.

    Returns
    -------
    Path
        It is as long, and asks for the same along it.

    >>> arc = np.linspace(0.0, 1.5, 40)
    >>> curve = Line(2.0 * np.column_stack([1.0 - np.cos(arc), np.sin(arc)]))
    >>> straight = unbend_path(curve, max_curvature=1.0)
    >>> bool(np.ptp(straight.headings) < 1e-3), round(straight.length, 1)
    (True, 3.0)
    """
    curvature = measure_curvature(path)
    kept = curvature - np.clip(curvature, -max_curvature, max_curvature)
    steps = np.diff(path.stations)
    headings = path.headings[0] + np.concatenate([[0.0], np.cumsum(0.5 * (kept[1:] + kept[:-1]) * steps)])
    between = 0.5 * (headings[1:] + headings[:-1])
    directions = np.column_stack([np.sin(between), np.cos(between)])
    points = path.positions[0] + np.concatenate([np.zeros((1, 2)), np.cumsum(directions * steps[:, None], 0)])
    ratio = Line(points, join=True).length / path.length

    def move(place: Place) -> float:
        return ratio * path.locate(place)

    return Line(
        points,
        join=True,
        facing=None if path.facings is None else path.facings - path.headings + headings,
        speed=path.speeds,
        actions=[replace(action, at=move(action.at)) for action in path.actions],
        stretches=[replace(own, start=move(own.start), end=move(own.end)) for own in path.stretches],
        arrivals=[replace(arrival, at=move(arrival.at)) for arrival in path.arrivals],
    )


@on_body
def wrap_onto_path(clip: Clip, guide: Line, path: Line) -> Clip:
    """Move the frames of a motion that follows a guide so that it follows the path.

    Parameters
    ----------
    clip
        The motion.
    guide
        The path that it follows, of :func:`unbend_path`.
    path
        The path to follow.

    Returns
    -------
    Clip
        The motion, as far off the path as it was off the guide, with feet that may slide.

    >>> from motionloom.synthesis import walk
    >>> arc = np.linspace(0.0, 1.5, 40)
    >>> curve = Line(2.0 * np.column_stack([1.0 - np.cos(arc), np.sin(arc)]))
    >>> bent = wrap_onto_path(walk(duration=2.0, fps=30).clip, unbend_path(curve, 1.0), curve)
    >>> bool(ground_track(bent)[-1, 2] > 0.5)
    True
    """
    track = ground_track(clip)
    smooth = smooth_gaussian(track, STIFFNESS / clip.frame_time)
    width = WRAP_SMOOTHING / clip.frame_time
    stations = smooth_gaussian(find_stations(guide, smooth[:, :2])[:, None], width)[:, 0]
    own = stations * path.length / guide.length
    yaws = smooth_gaussian((path.heading(own) - guide.heading(stations))[:, None], width)[:, 0]
    beside = track[:, :2] - guide.at(stations)
    x, z = rotate_on_ground(yaws, beside[:, 0], beside[:, 1])
    positions = smooth_gaussian(path.at(own), width) + np.column_stack([x, z])
    return move_frames(clip, track, positions - track[:, :2], yaws)
