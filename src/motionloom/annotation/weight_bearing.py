"""Weight-bearing contact: when a foot carries load, as a force plate would see it, from positions alone.

A planted point does not slide, which is what locking a foot needs. A foot that carries weight may roll, turn
or drag: its heel lifts long before its toes let go. What counts is how high and how fast heel and toes are,
and those of the other foot; a logistic model of them says how likely the foot is loaded. It was fitted to
captured pitches and swings on force plates and, because those do not walk, to walks and runs whose planted
feet stand in for plates, at 30 to 360 frames per second (`python -m benchmarks.weight_bearing`). Where a clip
has force plates under a foot, they are the truth and are used instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.labels import LIFT, STRIKE
from motionloom.annotation.signals import Interval
from motionloom.arrays import BoolArray, FloatArray
from motionloom.errors import ParameterError
from motionloom.messages import Argument
from motionloom.motion import Event, ForcePlate, PointClip, kinematics
from motionloom.motion.anatomy import Side
from motionloom.motion.filters import average_window
from motionloom.motion.measurements import MIN_LOAD
from motionloom.motion.point_clip import fill_gaps
from motionloom.motion.result import Result

WINDOW = 0.03
"""Width of the window over which velocities and the model's answer are averaged, seconds."""

LOW_QUANTILE = 0.1
"""Heights count from the one that a point stays below for this fraction of the time."""

HEIGHT_SCALE, SPEED_SCALE = 0.02, 0.1
"""Metres and metres per second below which heights and speeds make little difference: noise of capture."""

MIN_DURATION = 0.03
"""Seconds; shorter contacts and shorter gaps between contacts are noise."""

COEFFICIENTS = np.array(
    [
        -7.402,
        -0.151,
        -0.947,
        -0.187,
        -0.635,
        0.586,
        -0.365,
        -1.091,
        -1.492,
        -0.063,
        0.153,
        0.591,
        0.109,
        -0.105,
    ]
)
"""Of the columns of :func:`load_features`."""

STANDING = np.log([HEIGHT_SCALE, SPEED_SCALE])
"""What stands in for a foot that is not tracked: one that stands."""

MAX_REACH = 0.25
"""Metres between the middle of a foot and the centre of pressure that belongs to it."""

PLATE_MARGIN = 0.05
"""Metres from the edge of a plate within which a foot may stand beside it."""

MIN_FRAMES = 4
"""Speeds need this many frames."""

Contacts = Literal["planted", "weight_bearing"]
"""The notions of contact: a point that does not slide, or a foot that carries weight."""

_HEEL = ("heel", "hee", "calcaneus", "calc", "cal")
_TOE = ("toe", "bigtoe", "footindex", "mt2", "met2", "mt1", "mt5")
"""What markers of the heel and of the toes are called, apart from the side."""


@dataclass(frozen=True)
class WeightContact:
    """An interval in which a foot carries weight.

    Attributes
    ----------
    side
        "left" or "right".
    joint
        The ankle, or the marker of the heel.
    start, end
        Frames; fractions are allowed.
    measured
        Whether a force plate was under the foot for all of it.
    """

    side: Side
    joint: str
    start: float
    end: float
    measured: bool = False


@dataclass(frozen=True)
class WeightReport:
    """The report of annotating weight-bearing contact.

    Attributes
    ----------
    contacts
        The intervals in which feet carry weight, in order of time.
    n_frames
        Frames of the clip.
    notes
        Sentences about what could not be done, and why.

    >>> report = WeightReport((WeightContact("left", "LHEE", 0.5, 2.0),), 4)
    >>> report.labels("left").tolist(), print(report)
    1 contacts that bear weight: left 1, right 0
    ([False, True, True, False], None)
    """

    contacts: tuple[WeightContact, ...]
    n_frames: int
    notes: tuple[str, ...] = ()

    def labels(self, side: Side) -> BoolArray:
        """Return for every frame (T,) whether the foot of this side carries weight."""
        frames = np.arange(self.n_frames)
        found = np.zeros(self.n_frames, dtype=np.bool_)
        for contact in self.contacts:
            if contact.side == side:
                found |= (frames >= contact.start) & (frames <= contact.end)
        return found

    def __str__(self) -> str:
        counts = (f"{side} {sum(c.side == side for c in self.contacts)}" for side in ("left", "right"))
        return f"{len(self.contacts)} contacts that bear weight: {', '.join(counts)}"


@dataclass(frozen=True, eq=False)
class TrackedFoot:
    """Where heel and toes of a foot are.

    Attributes
    ----------
    side, joint
        The side, and the name that its contacts and events get.
    heel, toe
        (T, 3) positions, metres, without gaps.
    """

    side: Side
    joint: str
    heel: FloatArray
    toe: FloatArray

    @property
    def centre(self) -> FloatArray:
        """The middle (T, 3) of heel and toes."""
        return np.asarray((self.heel + self.toe) / 2.0)


def load_features(feet: Sequence[TrackedFoot], frame_time: float) -> list[FloatArray]:
    """Return what the model sees (T, 14) of each of one or two feet.

    Columns: one; logarithms of the heights of heel and toes, then of their speeds; their upward velocities;
    logarithms of the height of the lower and of the speed of the slower of both, and the upward velocity of
    the lower; the same two logarithms of the other foot, and their products with those of this one.

    >>> foot = TrackedFoot("left", "LHEE", np.zeros((5, 3)), np.ones((5, 3)))
    >>> [features.shape for features in load_features([foot], 0.01)]
    [(5, 14)]
    """
    own: list[FloatArray] = []
    for foot in feet:
        heights, speeds, rises = [], [], []
        for track in (foot.heel, foot.toe):
            velocities = average_window(kinematics.velocities(track, frame_time), frame_time, WINDOW)
            height = track[:, 1] - np.quantile(track[:, 1], LOW_QUANTILE)
            heights.append(np.log(HEIGHT_SCALE + np.maximum(height, 0.0)))
            speeds.append(np.log(SPEED_SCALE + np.linalg.norm(velocities, axis=1)))
            rises.append(velocities[:, 1])
        lower = np.where(heights[0] < heights[1], rises[0], rises[1])
        columns = [*heights, *speeds, *rises, np.minimum(*heights), np.minimum(*speeds), lower]
        own.append(np.column_stack([np.ones(len(foot.heel)), *columns]))
    result = []
    for n, features in enumerate(own):
        other = own[1 - n][:, 7:9] if len(own) == 2 else np.broadcast_to(STANDING, (len(features), 2))
        result.append(np.concatenate([features, other, features[:, 7:9] * other], axis=1))
    return result


def bear_weight(feet: Sequence[TrackedFoot], frame_time: float) -> list[FloatArray]:
    """Return how sure (T,) it is that each foot carries weight: log odds, positive where it is likelier.

    >>> still = np.zeros((30, 3))
    >>> (odds,) = bear_weight([TrackedFoot("left", "LHEE", still, still + [0.2, 0.0, 0.0])], 0.01)
    >>> bool((odds > 0.0).all())
    True
    """
    return [
        average_window(features @ COEFFICIENTS, frame_time, WINDOW)
        for features in load_features(feet, frame_time)
    ]


def find_intervals(odds: FloatArray, frame_time: float) -> list[Interval]:
    """Return the intervals in fractional frames in which log odds (T,) are positive, without short ones.

    >>> find_intervals(np.array([-1.0, 1.0, 1.0, 1.0, 1.0, -1.0]), 0.01)
    [(0.5, 4.5)]
    """
    found: list[Interval] = []
    for first, last in signals.runs(odds > 0.0):
        start = first - 1 + signals.crossing(odds[first - 1], odds[first], 0.0) if first else 0.0
        ends = last + 1 < len(odds)
        end = last + signals.crossing(odds[last], odds[last + 1], 0.0) if ends else float(last)
        found.append((start, end))
    joined = signals.join_intervals(found, MIN_DURATION / frame_time)
    return [(start, end) for start, end in joined if (end - start) * frame_time >= MIN_DURATION]


def find_contacts(
    feet: Sequence[TrackedFoot], frame_time: float, plates: Sequence[ForcePlate] = ()
) -> tuple[WeightContact, ...]:
    """Return the contacts of feet, measured where a force plate is under them, in order of time."""
    contacts: list[WeightContact] = []
    for foot, odds in zip(feet, bear_weight(feet, frame_time), strict=True):
        others = [other.centre for other in feet if other is not foot]
        over, loaded = read_plates_under(foot.centre, others, frame_time, plates)
        # Changes lie halfway between two frames that a plate tells apart.
        odds = np.where(over, np.where(loaded, 1.0, -1.0), odds)
        for start, end in find_intervals(odds, frame_time):
            inside = slice(int(np.ceil(start)), int(np.floor(end)) + 1)
            contacts.append(WeightContact(foot.side, foot.joint, start, end, bool(over[inside].all())))
    return tuple(sorted(contacts, key=lambda contact: (contact.start, contact.side)))


def read_plates_under(
    centre: FloatArray, others: Sequence[FloatArray], frame_time: float, plates: Sequence[ForcePlate]
) -> tuple[BoolArray, BoolArray]:
    """Return for a foot's middle (T, 3) in which frames (T,) it is over a plate, and is loaded by it.

    A load belongs to the foot that is nearest to where it acts.
    """
    over, loaded = (np.zeros(len(centre), dtype=np.bool_) for _ in range(2))
    times = frame_time * np.arange(len(centre))
    for plate in plates:
        if plate.corners is None or plate.n_samples < 2:
            continue
        across, along = plate.corners[1] - plate.corners[0], plate.corners[3] - plate.corners[0]
        sizes = np.linalg.norm(across), np.linalg.norm(along)
        if min(sizes) == 0.0:
            continue
        inside = np.ones(len(centre), dtype=np.bool_)
        for axis, size in ((across, sizes[0]), (along, sizes[1])):
            place = (centre - plate.corners[0]) @ axis / size
            inside &= (place > PLATE_MARGIN) & (place < size - PLATE_MARGIN)
        pressure = np.nan_to_num(plate.centre_of_pressure)
        acts = np.column_stack([np.interp(times, plate.times, pressure[:, axis]) for axis in (0, 2)])
        own = np.linalg.norm(acts - centre[:, [0, 2]], axis=1)
        nearest = own < MAX_REACH
        for other in others:
            nearest &= own <= np.linalg.norm(acts - other[:, [0, 2]], axis=1)
        over |= inside
        loaded |= inside & nearest & (plate.loads(times) > MIN_LOAD)
    return over, loaded


def make_events(contacts: Sequence[WeightContact], n_frames: int) -> tuple[Event, ...]:
    """Return a strike where a contact begins and a lift where it ends, unless the clip cuts it off.

    >>> make_events([WeightContact("left", "LHEE", 0.0, 2.5)], 10)
    (Event(frame=2.5, label='lift', joint='LHEE'),)
    """
    strikes = [Event(c.start, STRIKE, c.joint) for c in contacts if c.start > 0.0]
    lifts = [Event(c.end, LIFT, c.joint) for c in contacts if c.end < n_frames - 1]
    return tuple(sorted([*strikes, *lifts], key=lambda event: event.frame))


def annotate_point_weight(
    clip: PointClip, points: Sequence[str] | None = None
) -> Result[WeightReport, PointClip]:
    """Return points with the strikes and lifts of their feet, and a :class:`WeightReport`.

    ``points`` names heel and toes of the left foot, then of the right one; None finds them by their names.
    """
    feet = _find_feet(clip.names) if points is None else _take_feet(clip.names, points)
    positions = fill_gaps(clip.positions)
    tracked = [
        TrackedFoot(side, heel, positions[:, clip.names.index(heel)], positions[:, clip.names.index(toe)])
        for side, heel, toe in feet
    ]
    enough = clip.n_frames >= MIN_FRAMES
    contacts = find_contacts(tracked, clip.frame_time, clip.force_plates) if enough else ()
    joints = {foot.joint for foot in tracked}
    kept = tuple(e for e in clip.events if e.label not in (STRIKE, LIFT) or e.joint not in joints)
    marked = replace(clip, events=(*kept, *make_events(contacts, clip.n_frames)))
    return Result(marked, WeightReport(contacts, clip.n_frames))


def _find_feet(names: Sequence[str]) -> list[tuple[Side, str, str]]:
    """Return side, heel and toe of the feet whose markers are called as usual."""
    feet: list[tuple[Side, str, str]] = []
    for side, initial in (("left", "l"), ("right", "r")):
        found: list[str] = []
        for words in (_HEEL, _TOE):
            plain = {re.sub(r"[\W_]+", "", name.rpartition(":")[2].lower()): name for name in reversed(names)}
            spellings = (
                spelling
                for word in words
                for spelling in (f"{initial}{word}", f"{side}{word}", f"{word}{initial}", f"{word}{side}")
            )
            found += [plain[spelling] for spelling in spellings if spelling in plain][:1]
        if len(found) == 2:
            feet.append((side, *found))  # type: ignore[arg-type]
    if not feet:
        raise ParameterError(
            "no markers are called like heels and toes (LHEE, LTOE, RHEE, RTOE)",
            remedy=("name heel and toes of the left foot, then of the right one, with ", Argument("points")),
        )
    return feet


def _take_feet(names: Sequence[str], points: Sequence[str]) -> list[tuple[Side, str, str]]:
    unknown = [name for name in points if name not in names]
    if unknown:
        raise ParameterError(f"the clip has no point {unknown[0]!r}; it has {', '.join(names)}")
    if len(points) != 4:
        raise ParameterError(
            (
                "",
                Argument("points"),
                " names four points for weight-bearing contact: heel and toes of the left foot, then of "
                f"the right one, not {len(points)}",
            )
        )
    return [("left", points[0], points[1]), ("right", points[2], points[3])]
