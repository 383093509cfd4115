"""Annotation: foot plants and events of a clip."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from motionloom.annotation import plants, zero_crossing
from motionloom.annotation.action_events import apex_events, flexion_events
from motionloom.annotation.course import Course
from motionloom.annotation.floor import Floor
from motionloom.annotation.gait_events import gait_events
from motionloom.annotation.labels import EVENT_LABELS, PLANT_KINDS
from motionloom.annotation.plants import Interval, Thresholds
from motionloom.annotation.report import AnnotationReport, PlantReport
from motionloom.annotation.settings import AnnotationSettings, Method
from motionloom.annotation.soles import ContactPoint, Sole, find_soles
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.anatomy import Anatomy, find_anatomy
from motionloom.motion.clip import check_clip

Detector = Callable[[FloatArray, Floor, float, AnnotationSettings], tuple[list[Interval], Thresholds]]
DETECTORS: Mapping[Method, Detector] = {"thresholds": plants.detect, "zero-crossing": zero_crossing.detect}

LEAST_FRAMES = 2
"""Speeds and intervals need this many frames."""


def annotate(clip: Clip, settings: AnnotationSettings | None = None) -> Clip:
    """Add foot plants (heel and toe of every leg) and events to a clip.

    Constraints and events that the clip already has win: where a joint has a constraint of a kind, or an
    event with a label, it keeps exactly those, and only joints without them get new ones. Strikes, lifts and
    mid swings follow the constraints that the result carries, so edited plants give edited events. With
    ``replace=True`` everything that annotation makes is found anew.

    Parameters
    ----------
    clip
        Any clip. Without legs it gets no plants, and the report says so; nothing is raised. In a cyclic clip
        a plant that crosses the seam is cut into two, which touch frames 0 and T.
    settings
        Thresholds, method and what to keep; None for the defaults.

    Returns
    -------
    Clip
        The same motion with ``constraints``, ``events`` and, in ``report``, an :class:`AnnotationReport`.

    >>> from motionloom.synthesis import walk
    >>> walked = annotate(walk(duration=2.0).clip)
    >>> sorted({(plant.joint, plant.kind) for plant in walked.constraints})[:2]
    [('LeftFoot', 'heel'), ('LeftToeBase', 'toe')]
    >>> [event.joint for event in walked.events if event.label == "strike"]
    ['RightFoot', 'LeftFoot', 'RightFoot']
    """
    check_clip("annotate", clip)
    settings = settings or AnnotationSettings()
    anatomy = find_anatomy(clip.skeleton)
    notes = _notes(clip, anatomy)
    kept = _without_own(clip, anatomy) if settings.replace else clip
    if clip.n_frames < LEAST_FRAMES:
        return replace(kept, report=AnnotationReport(settings, None, (), 0, notes))

    # 1. The floor, and where heels and toes are.
    course = Course.around(kept)
    floor, soles = find_soles(course.clip, anatomy.legs, settings.floor)
    # 2. When they are planted.
    found, reports = _plants(course, soles, floor, settings)
    planted = replace(kept, constraints=(*kept.constraints, *found))
    # 3. What happens in between.
    around = Course.around(planted)
    happening = [
        *gait_events(around.clip),
        *flexion_events(around.clip, anatomy, settings),
        *apex_events(around.clip, anatomy, settings),
    ]
    events = _missing(kept.events, around.events(happening))
    report = AnnotationReport(settings, floor if anatomy.legs else None, reports, len(events), notes)
    return replace(planted, events=(*kept.events, *events), report=report)


def _notes(clip: Clip, anatomy: Anatomy) -> tuple[str, ...]:
    notes = []
    if not anatomy.legs:
        notes.append("no legs were found in the skeleton, so there are no foot plants and no gait events")
    elif len(anatomy.legs) == 1:
        notes.append(f"only the {anatomy.legs[0].side} leg was found in the skeleton")
    if clip.n_frames < LEAST_FRAMES:
        notes.append(f"a clip of {clip.n_frames} frames has no speeds, so nothing was looked for")
    return tuple(notes)


def _without_own(clip: Clip, anatomy: Anatomy) -> Clip:
    """The clip without the kinds of constraints and the labels of events that annotation makes."""
    feet = {clip.skeleton.names[joint] for leg in anatomy.legs for joint in leg.joints}
    return replace(
        clip,
        constraints=tuple(c for c in clip.constraints if c.joint not in feet or c.kind not in PLANT_KINDS),
        events=tuple(event for event in clip.events if event.label not in EVENT_LABELS),
    )


def _plants(
    course: Course, soles: Iterable[Sole], floor: Floor, settings: AnnotationSettings
) -> tuple[list[Constraint], tuple[PlantReport, ...]]:
    """New constraints for the points that have none yet, and what is reported about every point."""
    clip = course.clip
    present = {(c.joint, c.kind) for c in clip.constraints}
    found, reports = [], []
    for sole in soles:
        for point in sole.points:
            detected, limits = DETECTORS[settings.method](
                point.positions(clip), floor, clip.frame_time, settings
            )
            intervals = course.intervals(detected)
            joint = clip.skeleton.names[point.joint]
            kept = (joint, point.kind) in present
            if not kept:
                found += _constraints(joint, point, intervals)
            reports.append(
                PlantReport(
                    sole.side,
                    joint,
                    point.kind,
                    point.depth,
                    sole.stood,
                    limits.speed,
                    limits.height,
                    len(intervals),
                    kept,
                )
            )
    return found, tuple(reports)


def _constraints(joint: str, point: ContactPoint, intervals: Iterable[Interval]) -> list[Constraint]:
    return [Constraint(joint, point.kind, start, end, point.point) for start, end in intervals]


def _missing(present: Collection[Event], found: Iterable[Event]) -> list[Event]:
    """The found events of joints that do not carry their label yet."""
    known = {(event.joint, event.label) for event in present}
    return [event for event in found if (event.joint, event.label) not in known]
