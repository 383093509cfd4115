"""What is in a library: how much, of whom, which gaits, what repeats, and what is doubtful.

Gaits are counted in strides, from one strike of a foot to its next, as annotation found them. Everything else
comes from the points at 30 Hz and from what was noted when the files were read, so no motion is read again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionloom.annotation.labels import STRIKE
from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.library.body_points import PELVIS, RATE
from motionloom.library.catalogue import Catalogue
from motionloom.library.library_state import LibraryState
from motionloom.library.signatures import Singles, make_windows, measure_distances
from motionloom.library.take import Take

SPEED_EDGES: FloatArray = freeze(np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, np.inf]))
"""Speeds between which strides are counted, m/s of the standard body: amble, walk, brisk walk, jog, run."""

TURN_EDGES: FloatArray = freeze(np.array([-np.inf, -90.0, -45.0, -15.0, 15.0, 45.0, 90.0, np.inf]))
"""Rates of turning between which strides are counted, degrees per second; left is positive."""

MIN_STRIDE, MAX_STRIDE = 0.35, 2.5
"""Seconds from a strike to the next one of the same foot."""

MIN_TRAVEL = 0.3
"""Metres that a stride travels at least; less is stepping on the spot."""

STILL, MOVING = 0.2, 0.7
"""Speeds below which somebody stands, and above which somebody walks, m/s."""

MAX_START = 1.5
"""Seconds within which a start or a stop goes from standing to moving, or back."""

MIN_TURN = 60.0
"""Degrees by which somebody turns within 1.5 s in a turn."""

LOOP_DISTANCE = 0.05
"""Metres between the poses at the ends of a stride that can be repeated."""

_SMOOTHING = 15
"""Frames at 30 Hz over which speeds are averaged: half a second, so that steps do not show."""

_HALF_WINDOW = 2


@dataclass(frozen=True, eq=False)
class LibrarySummary:
    """What a library holds.

    Attributes
    ----------
    n_takes, hours
        Takes, and how long they are together.
    not_searchable
        Takes that cannot be searched, by name, with the reason.
    skeletons
        For each skeleton, most motion first: how many joints it has, how many takes, and hours.
    strides
        (speeds, rates of turning) strides between the edges :data:`SPEED_EDGES` and :data:`TURN_EDGES`.
    starts, stops, direction_changes
        How often somebody starts to walk, stops, or turns by more than 60 degrees within 1.5 s.
    loops
        Strides whose ends are alike, so that they can be repeated.
    near_duplicates
        Groups of takes that hold almost the same motion; None where that was not asked for.
    faults, doubtful_rates
        Takes, by name, with what was noted about faults of capture and about their frame rate.
    """

    n_takes: int
    hours: float
    not_searchable: dict[str, str]
    skeletons: tuple[tuple[int, int, float], ...]
    strides: IntArray
    starts: int
    stops: int
    direction_changes: int
    loops: int
    near_duplicates: tuple[tuple[str, ...], ...] | None
    faults: dict[str, str]
    doubtful_rates: dict[str, str]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return the summary as lines of text."""
        lines = [f"{self.n_takes} takes, {self.hours:.2f} hours, {len(self.skeletons)} skeletons"]
        lines += [
            f"  {joints} joints: {takes} takes, {60 * hours:.1f} minutes"
            for joints, takes, hours in self.skeletons[:5]
        ]
        if len(self.skeletons) > 5:
            lines.append(f"  and {len(self.skeletons) - 5} more")
        lines += ["", "strides by speed (m/s) and turn (degrees per second, left is positive)"]
        lines.append("          " + "".join(f"{label:>12}" for label in label_bins(TURN_EDGES)))
        lines += [
            f"{label:>10}" + "".join(f"{count:>12}" for count in row)
            for label, row in zip(label_bins(SPEED_EDGES), self.strides.tolist(), strict=True)
        ]
        changes = f"{self.starts} starts, {self.stops} stops, {self.direction_changes} changes of direction"
        lines += ["", f"{changes}, {self.loops} loops"]
        if self.near_duplicates is not None:
            lines.append(f"{len(self.near_duplicates)} groups of near-duplicates")
            lines += [f"  {', '.join(group)}" for group in self.near_duplicates]
        for title, takes in (
            ("cannot be searched", self.not_searchable),
            ("have faults of capture", self.faults),
            ("have a doubtful frame rate", self.doubtful_rates),
        ):
            lines.append(f"{len(takes)} takes {title}")
            lines += [f"  {name}: {text}" for name, text in list(takes.items())[:10]]
            if len(takes) > 10:
                lines.append(f"  and {len(takes) - 10} more")
        return lines

    def facts(self) -> dict[str, object]:
        """Return the summary as plain values, for JSON."""
        return {
            "takes": self.n_takes,
            "hours": self.hours,
            "not_searchable": self.not_searchable,
            "skeletons": [
                {"joints": joints, "takes": takes, "hours": hours} for joints, takes, hours in self.skeletons
            ],
            "speeds": label_bins(SPEED_EDGES),
            "degrees_per_second": label_bins(TURN_EDGES),
            "strides": self.strides.tolist(),
            "starts": self.starts,
            "stops": self.stops,
            "direction_changes": self.direction_changes,
            "loops": self.loops,
            "near_duplicates": self.near_duplicates,
            "faults": self.faults,
            "doubtful_rates": self.doubtful_rates,
        }


def label_bins(edges: FloatArray) -> list[str]:
    """Return a label for what lies between each two edges.

    >>> label_bins(np.array([0.0, 1.5, np.inf]))
    ['0 to 1.5', 'over 1.5']
    """
    labels = []
    for low, high in pairwise(edges):
        if np.isinf(low):
            labels.append(f"under {high:g}")
        else:
            labels.append(f"over {low:g}" if np.isinf(high) else f"{low:g} to {high:g}")
    return labels


def summarize(
    state: LibraryState, catalogue: Catalogue, near_duplicates: tuple[tuple[str, ...], ...] | None
) -> LibrarySummary:
    """Return what takes hold; see :meth:`motionloom.library.Library.summary`."""
    takes, index, rows = state.takes, state.index, state.rows
    skeletons = catalogue.skeletons()
    counts = np.zeros((len(SPEED_EDGES) - 1, len(TURN_EDGES) - 1), np.int64)
    starts, stops, direction_changes, loops = 0, 0, 0, 0
    for n, row in enumerate(index.rows):
        points = index.points(n)
        strides = list_strides(catalogue.header(row.id) or "{}", row.frame_time)
        speeds, turned = _measure_strides(strides, points)
        counts += np.histogram2d(speeds, turned, (SPEED_EDGES, TURN_EDGES))[0].astype(np.int64)
        more = count_changes(points)
        starts, stops, direction_changes = starts + more[0], stops + more[1], direction_changes + more[2]
        loops += _count_loops(strides, points)
    owners = Counter(row.skeleton for row in rows)
    hours = dict.fromkeys(owners, 0.0)
    for row in rows:
        hours[row.skeleton] += (row.n_frames - 1) * row.frame_time / 3600.0
    order = sorted(owners, key=lambda id: (-hours[id], id))
    return LibrarySummary(
        len(takes),
        sum(take.duration for take in takes) / 3600.0,
        {take.name: take.not_searchable for take in takes if take.not_searchable is not None},
        tuple((len(json.loads(skeletons[id])["names"]), owners[id], hours[id]) for id in order),
        freeze(counts),
        starts,
        stops,
        direction_changes,
        loops,
        near_duplicates,
        _find_notes(takes, "faults of capture", "the root jumps"),
        _find_notes(takes, "free fall measures"),
    )


def list_strides(header: str, frame_time: float) -> list[tuple[float, float]]:
    """Return the seconds at which strides of a take begin and end, from the header of its clip."""
    strikes: dict[str, list[float]] = {}
    for event in json.loads(header).get("events", ()):
        if event.get("label") == STRIKE:
            strikes.setdefault(str(event.get("joint")), []).append(float(event["frame"]) * frame_time)
    return [
        (a, b) for times in strikes.values() for a, b in pairwise(times) if MIN_STRIDE <= b - a <= MAX_STRIDE
    ]


def _measure_strides(
    strides: Sequence[tuple[float, float]], points: Singles
) -> tuple[list[float], list[float]]:
    """Return speeds, m/s, and rates of turning, degrees per second, of the strides that travel."""
    speeds, turned = [], []
    heading = np.unwrap(_headings(points))
    for a, b in strides:
        first, last = min(len(points) - 1, round(a * RATE)), min(len(points) - 1, round(b * RATE))
        travel = float(np.linalg.norm((points[last, PELVIS] - points[first, PELVIS])[[0, 2]]))
        if travel >= MIN_TRAVEL:
            speeds.append(travel / (b - a))
            turned.append(float(np.degrees(heading[last] - heading[first]) / (b - a)))
    return speeds, turned


def count_changes(points: Singles) -> tuple[int, int, int]:
    """Return how often a body starts to walk, stops, and turns; points (N, 17, 3) at 30 Hz."""
    if len(points) < 2 * _SMOOTHING:
        return 0, 0, 0
    velocity = np.gradient(points[:, PELVIS, [0, 2]].astype(np.float64), axis=0) * RATE
    window = np.ones(_SMOOTHING) / _SMOOTHING
    mean = np.stack([np.convolve(part, window, "valid") for part in velocity.T])
    speed = np.linalg.norm(mean, axis=0)
    states = np.where(speed < STILL, -1, np.where(speed > MOVING, 1, 0))
    known = np.flatnonzero(states)
    starts, stops = 0, 0
    for a, b in pairwise(known):
        if states[a] != states[b] and b - a <= MAX_START * RATE:
            starts, stops = starts + (states[b] > 0), stops + (states[b] < 0)
    heading = np.degrees(np.unwrap(_headings(points)))
    lag = round(MAX_START * RATE)
    turning = np.abs(heading[lag:] - heading[:-lag]) > MIN_TURN if len(heading) > lag else np.zeros(1, bool)
    direction_changes = int(np.sum(np.diff(np.concatenate([[0], turning.astype(np.int64)])) == 1))
    return int(starts), int(stops), direction_changes


def _count_loops(strides: Sequence[tuple[float, float]], points: Singles) -> int:
    """Return how many strides of a take end as they begin."""
    n_samples = len(points) - 2 * _HALF_WINDOW
    loops = 0
    for a, b in strides:
        first, last = round(a * RATE) - _HALF_WINDOW, round(b * RATE) - _HALF_WINDOW
        if 0 <= first < last < n_samples:
            ends = [make_windows(points, 30, at, at + 1) for at in (first, last)]
            loops += float(measure_distances(*ends)[0, 0]) < LOOP_DISTANCE
    return loops


def _headings(points: Singles) -> FloatArray:
    """Return the direction (N,) from the right hip to the left one, radians; it grows to the left."""
    side = points[:, 0].astype(np.float64) - points[:, 4]
    return np.arctan2(-side[:, 2], side[:, 0])


def _find_notes(takes: Sequence[Take], *beginnings: str) -> dict[str, str]:
    return {take.name: note for take in takes for note in take.notes if note.startswith(beginnings)}
