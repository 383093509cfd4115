"""`PathReport`: how closely a motion follows a path, and where it could not."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from motionloom.annotation.signals import runs
from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendReport
from motionloom.motion.filters import smooth_gaussian
from motionloom.paths.path import Line
from motionloom.paths.stations import find_stations

SPEED_WINDOW = 0.5
"""Seconds over which speed along the path is measured: a step, within which walks speed up and slow down."""

FAR = 0.2
"""Metres off the path that are reported as not followed."""

TURNED, MIN_NOTED = np.radians(30.0), 0.5
"""Radians off the facing asked for, along so many metres at least, that are reported."""

SIDEWAYS, BACKWARDS, MIN_SIDEWAYS = np.radians(60.0), np.radians(120.0), 1.0
"""Radians between facing and travel beyond which a body goes sideways and backwards, and metres of that which
are reported where nobody asked for it: fewer are a side step."""

MIN_TRAVEL = 0.25
"""Metres per second below which a body has no direction of travel."""


@dataclass(frozen=True)
class ActionReport:
    """Where an action happened.

    Attributes
    ----------
    tag
        Its tag.
    frame
        The frame at which it happens.
    distance
        Metres from its place.
    """

    tag: str
    frame: int
    distance: float


@dataclass(frozen=True, kw_only=True, repr=False)
class PathReport(BlendReport):
    """Report on how a motion follows a path, beside how it was made.

    Attributes
    ----------
    deviation, max_deviation
        Mean and largest distance of the body from the path, metres: of the joint that carries the body, with
        its sway.
    planned_deviation
        Mean distance of the route from the path before it was bent, metres.
    speed_error
        Mean difference of the speed along the path from what was asked for, m/s; of the usual speed of the
        takes where nothing was.
    length, path_length
        Metres that the body travels, without its sway, and metres of the path.
    actions
        Where actions happened.
    lateness
        For each arrival of the path, seconds after its time at which the body was there; negative before.
    facing_error
        Mean angle between the body's facing and the one asked for, radians; nan where none was.
    end_distance, end_turn
        Metres and radians from where and how the body was to end; the turn is nan where any is right.
    """

    deviation: float = 0.0
    max_deviation: float = 0.0
    planned_deviation: float = 0.0
    speed_error: float = 0.0
    length: float = 0.0
    path_length: float = 0.0
    actions: tuple[ActionReport, ...] = ()
    lateness: tuple[float, ...] = ()
    facing_error: float = float("nan")
    end_distance: float = 0.0
    end_turn: float = float("nan")

    def __repr__(self) -> str:
        return (
            f"PathReport({self.path_length:.1f} m, deviation {100 * self.deviation:.1f} cm, at most "
            f"{100 * self.max_deviation:.1f} cm)"
        )


def report_path(
    report: BlendReport,
    track: FloatArray,
    frame_time: float,
    path: Line,
    *,
    planned_deviation: float,
    speeds: FloatArray,
    moments: dict[int, int],
    acting: dict[str, slice],
    end_yaw: float | None,
    notes: tuple[str, ...],
) -> PathReport:
    """Return a report on a motion whose body has a track (T, 3), beside the report on how it was made.

    ``speeds`` (M,) are what is asked for at the samples of the path, ``moments`` frames of actions and
    ``acting`` frames, by tag, in which the takes of actions play.
    """
    stations, distances = measure_deviation(track, frame_time, path)
    smooth = smooth_gaussian(track[:, :2], 0.5 * SPEED_WINDOW / frame_time)
    error = _speed_errors(stations, frame_time, path, speeds, moments)
    actions = tuple(
        ActionReport(
            path.actions[n].tag,
            frame,
            float(np.linalg.norm(track[frame, :2] - path.place(path.actions[n].at))),
        )
        for n, frame in moments.items()
    )
    lateness = tuple(
        float(np.interp(path.locate(key.at), stations, np.arange(len(stations)) * frame_time) - key.time)
        for key in path.arrivals
    )
    turn = np.nan if end_yaw is None else _wrap(track[-1, 2] - end_yaw)
    own = {field.name: getattr(report, field.name) for field in fields(BlendReport)}
    turned = np.zeros(0)
    if path.facings is not None:
        turned = np.abs(_wrap(track[:, 2] - np.interp(stations, path.stations, path.facings)))
    own["notes"] = (
        *report.notes,
        *notes,
        *_note_far(stations, distances, acting),
        *_note_turned(stations, turned),
        *(_note_sideways(stations, smooth, track[:, 2], frame_time) if path.facings is None else ()),
        *_note_overshoot(stations, smooth, path),
    )
    return PathReport(
        **own,
        deviation=float(distances.mean()),
        max_deviation=float(distances.max()),
        planned_deviation=planned_deviation,
        speed_error=error,
        length=float(np.linalg.norm(np.diff(smooth, axis=0), axis=1).sum()),
        path_length=path.length,
        actions=actions,
        lateness=lateness,
        facing_error=float(turned.mean()) if len(turned) else float("nan"),
        end_distance=float(np.linalg.norm(track[-1, :2] - path.positions[-1])),
        end_turn=float(turn),
    )


def measure_deviation(track: FloatArray, frame_time: float, path: Line) -> tuple[FloatArray, FloatArray]:
    """Return metres along a path (T,) of a body with a track (T, 3), and its distances (T,) from the path.

    The distance is that to the nearest point close to where the body has come to, so that a path that
    crosses itself is measured on the right branch.
    """
    positions = track[:, :2]
    stations = find_stations(path, smooth_gaussian(positions, 0.25 / frame_time))
    offsets = np.linspace(-0.5, 0.5, 51)
    near = path.at(np.clip(stations[:, None] + offsets, 0.0, path.length))
    return stations, np.linalg.norm(near - positions[:, None], axis=-1).min(axis=1)


def _speed_errors(
    stations: FloatArray, frame_time: float, path: Line, speeds: FloatArray, moments: dict[int, int]
) -> float:
    """Return the mean difference of the speed along the path from the one asked for, m/s."""
    reach = max(1, round(0.5 * SPEED_WINDOW / frame_time))
    if len(stations) <= 2 * reach:
        return 0.0
    own = (stations[2 * reach :] - stations[: -2 * reach]) / (2 * reach * frame_time)
    asked = np.interp(stations[reach:-reach], path.stations, speeds)
    counts = np.ones(len(own), dtype=np.bool_)
    for frame in moments.values():
        # Actions take the time that they take.
        counts[max(0, frame - reach - round(1.5 / frame_time)) : frame - reach + round(1.5 / frame_time)] = (
            False
        )
    counts &= stations[reach:-reach] < path.length - 0.1
    return float(np.abs(own - asked)[counts].mean()) if counts.any() else 0.0


def _note_far(stations: FloatArray, distances: FloatArray, acting: dict[str, slice]) -> tuple[str, ...]:
    """Return sentences that say where the path was not followed, and during which action."""
    notes = []
    for a, b in runs(distances > FAR):
        tags = [tag for tag, frames in acting.items() if frames.start <= b and a < frames.stop]
        why = f", as the take moves in which {' and '.join(map(repr, tags))} happens" if tags else ""
        notes.append(
            f"from {stations[a]:.1f} m to {stations[b]:.1f} m the body is up to "
            f"{distances[a : b + 1].max():.2f} m off the path{why}"
        )
    return tuple(notes)


def _note_turned(stations: FloatArray, turned: FloatArray) -> tuple[str, ...]:
    """Return sentences that say where the body faces another way than was asked for, by angles (T,)."""
    return tuple(
        f"from {stations[a]:.1f} m to {stations[b]:.1f} m the body faces up to "
        f"{np.degrees(turned[a : b + 1].max()):.0f}° away from the facing asked for: no take goes that way"
        for a, b in runs(turned > TURNED)
        if stations[b] - stations[a] > MIN_NOTED
    )


def _note_sideways(
    stations: FloatArray, positions: FloatArray, yaws: FloatArray, frame_time: float
) -> tuple[str, ...]:
    """Return where a body at positions (T, 2) that faces along yaws (T,) goes sideways or backwards."""
    if len(positions) < 2:
        return ()
    velocity = np.gradient(positions, frame_time, axis=0)
    speed = np.linalg.norm(velocity, axis=1)
    angles = np.abs(_wrap(yaws - np.arctan2(velocity[:, 0], velocity[:, 1])))
    notes = []
    for a, b in runs((angles > SIDEWAYS) & (speed > MIN_TRAVEL)):
        travel = float(speed[a : b + 1].sum()) * frame_time
        if travel > MIN_SIDEWAYS:
            direction = "backwards" if np.median(angles[a : b + 1]) > BACKWARDS else "sideways"
            notes.append(
                f"from {stations[a]:.1f} m to {stations[b]:.1f} m the body goes {direction} for "
                f"{travel:.1f} m: no better route was found that faces ahead"
            )
    return tuple(notes)


def _note_overshoot(stations: FloatArray, positions: FloatArray, path: Line) -> tuple[str, ...]:
    """Return a sentence where a body at positions (T, 2) goes beyond the end of a path."""
    heading = float(path.headings[-1])
    ahead = (positions - path.positions[-1]) @ np.array([np.sin(heading), np.cos(heading)])
    beyond = float(np.where(stations >= path.length - FAR, ahead, 0.0).max())
    if beyond <= FAR:
        return ()
    back = " and comes back" if ahead[-1] < 0.5 * beyond else ""
    return (f"the body goes {beyond:.2f} m beyond the end of the path{back}",)


def _wrap(angle: FloatArray) -> FloatArray:
    """Return angles between −π and π."""
    return np.asarray((angle + np.pi) % (2.0 * np.pi) - np.pi)
