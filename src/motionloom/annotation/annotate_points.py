"""Annotate points without a skeleton: find the intervals in which markers stay put on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args, overload

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.events import CUT_OFF
from motionloom.annotation.floor import LOWEST_FRACTION, Floor
from motionloom.annotation.foot_plants import PlantSettings, detect_plants
from motionloom.annotation.labels import LIFT, POINT, STRIKE
from motionloom.annotation.weight_bearing import Contacts, WeightReport, annotate_point_weight
from motionloom.arrays import BoolArray
from motionloom.errors import ParameterError
from motionloom.motion import Constraint, Event, PointClip
from motionloom.motion.point_body import take_body_as_points, take_points_as_body
from motionloom.motion.point_clip import fill_gaps
from motionloom.motion.result import PointClipLike, Result, unwrap
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, unroll
from motionloom.validation import check_choice

LOW_POINTS = 0.15
"""Points whose lowest tenth of heights comes this near to the lowest of all, metres, are on the feet."""

MIN_FRAMES = 2
"""Speeds need this many frames."""


@dataclass(frozen=True)
class PointAnnotationReport:
    """The report of :func:`annotate_points`.

    Attributes
    ----------
    points
        The points that were looked at.
    n_plants
        How many plants were found.
    n_kept
        How many constraints the clip had already, which were kept.

    >>> print(PointAnnotationReport(("heel", "toe"), 7, 0))
    7 plants of heel, toe
    """

    points: tuple[str, ...]
    n_plants: int
    n_kept: int

    def __str__(self) -> str:
        kept = f"; {self.n_kept} constraints of the clip were kept" if self.n_kept else ""
        return f"{self.n_plants} plants of {', '.join(self.points) or 'no points'}{kept}"


def annotate_points(
    clip: PointClipLike,
    points: Sequence[str] | None = None,
    *,
    floor: float | None = None,
    settings: PlantSettings | None = None,
    contacts: Contacts = "planted",
) -> PointClip:
    """Add plants of points, and a strike and a lift event for each, to a clip without a skeleton.

    A marker lies at its own height above what it touches, so it is planted while it is slow and near its own
    lowest level. Points with constraints of their own keep exactly those.

    Parameters
    ----------
    clip
        Markers or other points; frames in which a point was not seen belong to no plant. In a cyclic clip a
        plant that crosses the seam is split in two.
    points
        Names of the points to look at; None takes those that come near the ground.
    floor
        Height of a level floor, metres: points are planted only within the settings' height of it. None
        takes each point's own lowest level.
    settings
        Thresholds; None for the defaults.
    contacts
        "planted" finds points that do not slide. "weight_bearing" finds when feet carry load: as force plates
        under them say, elsewhere from heels and toes, which ``points`` names for the left foot, then for the
        right one, unless they are called as usual (LHEE, LTOE, RHEE, RTOE). Feet get strikes and lifts at
        these times; constraints stay as they are.

    Returns
    -------
    PointClip
        The same motion with ``constraints`` of kind "point" and ``events``;
        :func:`motionloom.annotation.annotate_points_and_report` also says what was found.

    Raises
    ------
    ParameterError
        What is given is no clip of points, or it has no point of a name.

    >>> from motionloom.synthesis import walk
    >>> body = walk(duration=2.0, fps=30).clip
    >>> markers = PointClip(body.skeleton.names, body.frame_time, body.world_positions())
    >>> walked = annotate_points(markers, ["LeftToeBase", "RightToeBase"])
    >>> len(walked.constraints), walked.constraints[0].kind
    (5, 'point')
    """
    return annotate_points_and_report(clip, points, floor=floor, settings=settings, contacts=contacts).clip


@overload
def annotate_points_and_report(
    clip: PointClipLike,
    points: Sequence[str] | None = None,
    *,
    floor: float | None = None,
    settings: PlantSettings | None = None,
    contacts: Literal["planted"] = "planted",
) -> Result[PointAnnotationReport, PointClip]: ...
@overload
def annotate_points_and_report(
    clip: PointClipLike,
    points: Sequence[str] | None = None,
    *,
    floor: float | None = None,
    settings: PlantSettings | None = None,
    contacts: Literal["weight_bearing"],
) -> Result[WeightReport, PointClip]: ...
@overload
def annotate_points_and_report(
    clip: PointClipLike,
    points: Sequence[str] | None = None,
    *,
    floor: float | None = None,
    settings: PlantSettings | None = None,
    contacts: Contacts,
) -> Result[PointAnnotationReport | WeightReport, PointClip]: ...
def annotate_points_and_report(
    clip: PointClipLike,
    points: Sequence[str] | None = None,
    *,
    floor: float | None = None,
    settings: PlantSettings | None = None,
    contacts: Contacts = "planted",
) -> Result[PointAnnotationReport | WeightReport, PointClip]:
    """Annotate a clip of points as :func:`annotate_points` does, and say what was found.

    Parameters
    ----------
    clip, points, floor, settings, contacts
        As in :func:`annotate_points`.

    Returns
    -------
    Result
        The annotated clip with a :class:`PointAnnotationReport` or, for weight-bearing contacts, a
        :class:`WeightReport`.

    >>> clip = PointClip(["toe"], 0.1, [[[0, 0, 0]]] * 20)
    >>> print(annotate_points_and_report(clip).report)
    1 plants of toe
    """
    clip = unwrap(clip)
    if not isinstance(clip, PointClip):
        raise ParameterError(
            f"annotate_points takes a clip of points, not {type(clip).__name__}",
            remedy="use annotate for a skeleton",
        )
    check_choice("contacts", contacts, get_args(Contacts))
    if contacts == "weight_bearing":
        return annotate_point_weight(clip, points)
    settings = settings or PlantSettings()
    names = _choose_points(clip) if points is None else tuple(points)
    unknown = [name for name in names if name not in clip.names]
    if unknown:
        raise ParameterError(f"the clip has no point {unknown[0]!r}; it has {', '.join(clip.names)}")
    around, first = _look_around_seam(clip)
    positions = fill_gaps(around.positions)
    seen = np.tile(~np.isnan(clip.positions[..., 0]), (around.n_frames // max(clip.n_frames, 1), 1))
    present = {(c.joint, c.kind) for c in clip.constraints}
    plants: list[Constraint] = []
    for name in names if clip.n_frames >= MIN_FRAMES else ():
        column = clip.names.index(name)
        if (name, POINT) in present or not seen[:, column].any():
            continue
        track = positions[:, column]
        own = float(np.quantile(track[seen[:, column], 1], LOWEST_FRACTION))
        found, _ = detect_plants(track, Floor(own if floor is None else floor), clip.frame_time, settings)
        spans = [span for plant in found for span in _keep_seen(plant, seen[:, column])]
        plants += [Constraint(name, POINT, start, end) for start, end in spans]
    margin, last = CUT_OFF / clip.frame_time, around.n_frames - 1
    events = [Event(c.start, STRIKE, c.joint) for c in plants if c.start > margin]
    events += [Event(c.end, LIFT, c.joint) for c in plants if c.end < last - margin]
    if around is not clip:
        # A plant that crosses the seam is split in two, which touch frames 0 and T.
        cut = ((max(c.start - first, 0.0), min(c.end - first, float(clip.n_frames)), c) for c in plants)
        plants = [replace(c, start=start, end=end) for start, end, c in cut if start < end]
        events = [e.retimed(1.0, -first) for e in events if first <= e.frame < first + clip.n_frames]
    return Result(
        replace(clip, constraints=(*clip.constraints, *plants), events=(*clip.events, *events)),
        PointAnnotationReport(names, len(plants), len(clip.constraints)),
    )


def _look_around_seam(clip: PointClip) -> tuple[PointClip, int]:
    """Return a cyclic clip between two repeats of itself, any other clip alone, and where it begins."""
    if not clip.cyclic or clip.n_frames < MIN_CYCLE_FRAMES:
        return clip, 0
    body = replace(take_points_as_body(clip), constraints=(), events=())
    return take_body_as_points(replace(unroll(body, 3), cyclic=False), clip), clip.n_frames


def _choose_points(clip: PointClip) -> tuple[str, ...]:
    """Return the names of the points that come near the ground."""
    heights = fill_gaps(clip.positions)[..., 1]
    if not heights.size:
        return ()
    lowest = np.quantile(heights, LOWEST_FRACTION, axis=0)
    seen = ~np.isnan(clip.positions[..., 0]).all(axis=0)
    near = seen & (lowest <= lowest[seen].min(initial=np.inf) + LOW_POINTS)
    return tuple(name for name, low in zip(clip.names, near, strict=True) if low)


def _keep_seen(plant: signals.Interval, seen: BoolArray) -> list[signals.Interval]:
    """Return the parts of a plant in whose frames the point was seen."""
    start, end = plant
    first, last = int(np.ceil(start)), int(np.floor(end))
    runs = signals.runs(seen[first : last + 1])
    parts = [(float(first + a), float(first + b)) for a, b in runs if b > a]
    if len(parts) == 1 and parts[0] == (first, last):
        return [plant]
    return parts
