"""`Path`: a line on the ground to follow, with facing, speed, tags, arrivals and actions along it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from typing import Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry.splines import HermiteCurve
from motionloom.validation import check_choice, check_number, check_positive, check_string

SPACING = 0.02
"""Metres between the samples of a path: a fifth of the deviation that a walk can keep."""

MAX_LENGTH = 10_000.0
"""Metres that a path may be long: two hours of walking. Longer ones are usually in another unit."""

MIN_LENGTH = 0.05
"""Metres that a path must be long; shorter ones are usually in another unit, or one point."""

TANGENT_REACH = 0.15
"""Metres to either side over which the heading of a path is averaged: less than half a step, so that the
corner of a square is a corner and a shaky hand is not one."""

MIN_JUMP, JUMP_RATIO, MIN_DRAWN_POINTS = 0.5, 10.0, 10
"""A step between points is a jump if it is longer than this in metres and than this many median steps, in a
path of at least so many points. A few corners far apart are a polygon."""

Place: TypeAlias = "float | tuple[float, float]"
"""A place on a path: metres along it, or x and z of a point beside it."""

_Request = TypeVar("_Request")

Moment: TypeAlias = Literal["auto", "start", "peak", "end"]

MOMENTS: tuple[Moment, ...] = ("auto", "start", "peak", "end")


@dataclass(frozen=True)
class Action:
    """Something to do at a place on a path.

    Attributes
    ----------
    tag
        A take with this tag is played.
    at
        Where: metres along the path, or x and z of a point.
    moment
        What of the take happens there: its "start", its "end", or its "peak", when its pose is least like
        those of takes without the tag (if all have it, when a joint moves fastest). "auto" is the event of
        the take that is labelled with the tag, or else its peak.

    >>> Action("kick", at=4.0)
    Action(tag='kick', at=4.0, moment='auto')
    """

    tag: str
    at: Place
    moment: Moment = "auto"

    def __post_init__(self) -> None:
        check_string("the tag of an action", self.tag)
        check_choice("the moment of an action", self.moment, MOMENTS)
        object.__setattr__(self, "at", _check_place(f"the place of the action {self.tag!r}", self.at))


@dataclass(frozen=True)
class Stretch:
    """A part of a path on which only takes with a tag are to be played: walk here, run there.

    Attributes
    ----------
    tag
        The tag.
    start, end
        Where the part begins and ends, as in :class:`Action`.

    >>> Stretch("run", 3.0, 8.0).tag
    'run'
    """

    tag: str
    start: Place
    end: Place

    def __post_init__(self) -> None:
        check_string("the tag of a stretch", self.tag)
        for name in ("start", "end"):
            place = _check_place(f"the {name} of the stretch {self.tag!r}", getattr(self, name))
            object.__setattr__(self, name, place)


@dataclass(frozen=True)
class Arrival:
    """A key in time: be at a place at a moment.

    Attributes
    ----------
    at
        Where, as in :class:`Action`.
    time
        Seconds from the start of the motion.

    >>> Arrival(at=5.0, time=4.0).time
    4.0
    """

    at: Place
    time: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", _check_place("the place of an arrival", self.at))
        object.__setattr__(
            self, "time", check_positive("the time of an arrival", self.time, max=86_400.0, unit="seconds")
        )


class Line:
    """A line on the ground to follow.

    Parameters
    ----------
    points
        (N, 2) x and z in metres, in the order in which they are passed. They are joined by straight lines,
        or by a smooth curve.
    facing
        Yaw of the body in radians, one number or (N,), 0 along +Z, positive towards +X. By default the body
        faces the way it goes.
    speed
        Metres per second, one number or (N,). By default takes go at the speed that is usual in the graph.
    actions
        What to do, and where.
    stretches
        Parts on which only takes with a tag are to be played.
    arrivals
        Places to be at, at given times.
    smooth
        Whether a smooth curve leads through the points, instead of straight lines.
    join
        Whether jumps between points are joined by straight lines, instead of refused.

    Attributes
    ----------
    length
        Metres.
    stations
        (M,) metres from the start of the samples below, 2 cm apart.
    positions
        (M, 2) x and z.
    headings
        (M,) yaw of the direction of the line, without jumps, radians.
    facings, speeds
        (M,) what was asked for, or None.

    >>> path = Line([[0, 0], [0, 3], [4, 3]])
    >>> path.length, path.at(5.0).round(6).tolist()
    (7.0, [2.0, 3.0])
    """

    def __init__(
        self,
        points: npt.ArrayLike,
        *,
        facing: npt.ArrayLike | None = None,
        speed: npt.ArrayLike | None = None,
        actions: Iterable[Action] = (),
        stretches: Iterable[Stretch] = (),
        arrivals: Iterable[Arrival] = (),
        smooth: bool = False,
        join: bool = False,
    ) -> None:
        given = _check_points(points)
        if not join:
            _refuse_jumps(given)
        kept = np.concatenate([[True], np.linalg.norm(np.diff(given, axis=0), axis=1) > 1e-9])
        self.points = freeze(given[kept])
        knots = _chord_lengths(self.points)
        if not MIN_LENGTH <= knots[-1] <= MAX_LENGTH:
            raise ParameterError(
                f"the path is {knots[-1]:.3g} m long, and must be between {MIN_LENGTH:g} m and "
                f"{MAX_LENGTH:g} m: is it in another unit? Scale its points"
            )
        positions, at_knots = _sample_line(self.points, knots, smooth)
        self.stations = freeze(_chord_lengths(positions))
        self.positions = freeze(positions)
        self.length = float(self.stations[-1])
        self.headings = freeze(_find_headings(self.stations, self.positions))
        self.facings = self._spread("facing", facing, kept, at_knots)
        self.speeds = self._spread("speed", speed, kept, at_knots)
        if self.speeds is not None and self.speeds.min() < 0.0:
            raise ParameterError(f"speeds along a path must not be negative, not {self.speeds.min():g}")
        self.actions = tuple(
            sorted(_check_all("actions", actions, Action), key=lambda action: self.locate(action.at))
        )
        self.stretches = _check_all("stretches", stretches, Stretch)
        self.arrivals = tuple(
            sorted(_check_all("arrivals", arrivals, Arrival), key=lambda key: self.locate(key.at))
        )
        if any(b.time <= a.time for a, b in zip(self.arrivals, self.arrivals[1:], strict=False)):
            raise ParameterError("must be later the farther along the path they are", parameter="arrivals")

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        scale: float | None = None,
        length: float | None = None,
        name: str | None = None,
        join: bool = False,
    ) -> Line:
        """Read a line from an ``.svg`` or ``.csv`` file (:func:`motionloom.files.load_line.load_line`).

        >>> stage = Line.load("stage.svg", length=20.0)    # doctest: +SKIP
        """
        # Formats of files lie above this folder.
        read = import_module("motionloom.files.load_line").load_line
        line: Line = read(path, scale=scale, length=length, name=name, join=join)
        return line

    def __repr__(self) -> str:
        return f"Line({self.length:.2f} m, {len(self.points)} points, {len(self.actions)} actions)"

    def at(self, station: npt.ArrayLike) -> FloatArray:
        """Return x and z (..., 2) at metres (...) along the path; the ends beyond them."""
        s = np.asarray(station, dtype=np.float64)
        return np.stack([np.interp(s, self.stations, self.positions[:, k]) for k in range(2)], axis=-1)

    def heading(self, station: npt.ArrayLike) -> FloatArray:
        """Return the yaw (...) of the line at metres (...) along it, radians."""
        return np.asarray(np.interp(np.asarray(station, dtype=np.float64), self.stations, self.headings))

    def locate(self, place: Place) -> float:
        """Return metres along the path of a place: itself, or those of the nearest point.

        >>> Line([[0, 0], [0, 3]]).locate((1.0, 2.0))
        2.0
        """
        checked = _check_place("the place", place)
        if isinstance(checked, float):
            if not 0.0 <= checked <= self.length + SPACING:
                raise ParameterError(
                    f"the path is {self.length:.2f} m long, so there is no place {checked:g} m along it"
                )
            return min(checked, self.length)
        distances = np.linalg.norm(self.positions - np.array(checked), axis=1)
        return float(self.stations[int(np.argmin(distances))])

    def place(self, place: Place) -> FloatArray:
        """Return x and z (2,) of a place."""
        checked = _check_place("the place", place)
        return self.at(self.locate(checked)) if isinstance(checked, float) else np.array(checked)

    def _spread(
        self, name: str, values: npt.ArrayLike | None, kept: npt.NDArray[np.bool_], at_knots: FloatArray
    ) -> FloatArray | None:
        """Return a number, or one per point, at the samples of the path; angles take the shorter turn."""
        if values is None:
            return None
        given = np.asarray(values, dtype=np.float64)
        if given.ndim == 0:
            number = check_number(f"the {name} of a path", float(given))
            return np.asarray(freeze(np.full(len(self.stations), number)))
        given = check_array(f"the {name} of a path", given, (len(kept),))[kept]
        given = np.unwrap(given) if name == "facing" else given
        # Samples lie evenly between the points; the points' own arc lengths are those of the samples.
        at = np.interp(np.arange(len(self.stations), dtype=np.float64), at_knots, np.arange(len(given)))
        return np.asarray(freeze(np.interp(at, np.arange(len(given)), given)))


def as_path(path: Line | npt.ArrayLike) -> Line:
    """Return a path, or points (N, 2) as one.

    >>> as_path([[0, 0], [0, 2]]).length
    2.0
    """
    return path if isinstance(path, Line) else Line(path)


def _check_points(points: npt.ArrayLike) -> FloatArray:
    """Return the points (N, 2) of a path, or say which one is wrong."""
    try:
        given = np.asarray(points, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("the points of a path must be numbers x and z, (N, 2) of them") from None
    if given.ndim != 2 or given.shape[1] != 2:
        raise ParameterError(f"the points of a path must have shape (N, 2), x and z, not {given.shape}")
    bad = ~np.isfinite(given).all(axis=1)
    if bad.any():
        raise ParameterError(
            f"point {int(np.argmax(bad))} of the path is not finite ({int(bad.sum())} of {len(given)} are "
            "not)",
            remedy="leave it out",
        )
    if len(given) < 2 or not (given != given[0]).any():
        raise ParameterError("a path needs at least two different points")
    return given


def _refuse_jumps(points: FloatArray) -> None:
    """Fail where a drawn line jumps from one point to the next."""
    if len(points) < MIN_DRAWN_POINTS:
        return
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    limit = max(MIN_JUMP, JUMP_RATIO * float(np.median(steps)))
    k = int(np.argmax(steps))
    # Several long steps among short ones are the sides of a polygon with rounded corners.
    if steps[k] > limit and np.count_nonzero(steps > limit) <= max(1, len(steps) // MIN_DRAWN_POINTS):
        (x0, z0), (x1, z1) = points[k], points[k + 1]
        raise ParameterError(
            f"the path jumps by {steps[k]:.2f} m between its points {k} and {k + 1}, from ({x0:.2f}, "
            f"{z0:.2f}) to ({x1:.2f}, {z1:.2f})",
            remedy="draw it in one stroke, or join jumps by straight lines with join=True",
        )


def _check_place(what: str, place: object) -> Place:
    """Return metres along a path, or x and z."""
    if isinstance(place, Sequence | np.ndarray) and not isinstance(place, str):
        if len(place) != 2:
            raise ParameterError(
                f"must be metres along the path, or x and z, not {len(place)} numbers", parameter=what
            )
        return check_number(f"{what} (x)", place[0]), check_number(f"{what} (z)", place[1])
    return check_number(what, place, min=0.0, unit="metres along the path")


def _check_all(what: str, values: Iterable[object], kind: type[_Request]) -> tuple[_Request, ...]:
    """Return values that are all of one type."""
    listed = []
    for value in values if isinstance(values, Iterable) else (values,):
        if not isinstance(value, kind):
            raise ParameterError(
                f"{what} of a path must be {kind.__name__} objects, not a {type(value).__name__}"
            )
        listed.append(value)
    return tuple(listed)


def _chord_lengths(points: FloatArray) -> FloatArray:
    """Return the lengths (N,) of a line from its start to each of its points (N, 2)."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def _sample_line(points: FloatArray, knots: FloatArray, smooth: bool) -> tuple[FloatArray, FloatArray]:
    """Return points (M, 2) along a line, evenly apart, and the sample (N,) of each given one."""
    if smooth and len(points) > 2:
        slopes = np.gradient(points, knots, axis=0)
        dense = np.interp(
            np.linspace(0, len(knots) - 1, 32 * (len(knots) - 1) + 1), np.arange(len(knots)), knots
        )
        line = HermiteCurve(knots, points, slopes)(dense)
        along = _chord_lengths(line)
        knots = along[::32]
    else:
        line, along = points, knots
    n = max(2, round(along[-1] / SPACING) + 1)
    stations = np.linspace(0.0, along[-1], n)
    positions = np.stack([np.interp(stations, along, line[:, k]) for k in range(2)], axis=-1)
    return positions, np.interp(knots, stations, np.arange(n))


def _find_headings(stations: FloatArray, positions: FloatArray) -> FloatArray:
    """Return the yaw (M,) of a line, averaged over a little of its length, without jumps."""
    low, high = stations - TANGENT_REACH, stations + TANGENT_REACH
    ahead = [
        np.interp(high, stations, positions[:, k]) - np.interp(low, stations, positions[:, k])
        for k in range(2)
    ]
    if np.hypot(*ahead).min() < 1e-6:
        # The line turns back on itself within a few centimetres: its own direction is defined everywhere. Two
        # samples may coincide there, so that lengths between samples do not count.
        ahead = list(np.gradient(positions, axis=0).T)
    return np.unwrap(np.arctan2(ahead[0], ahead[1]))
