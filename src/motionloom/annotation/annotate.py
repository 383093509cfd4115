"""Annotate a clip: find its foot plants, the rests of hands, knees, elbows and seat, and its events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args, overload

from motionloom.annotation.events import apex_events, flexion_events, gait_events
from motionloom.annotation.floor import Floor
from motionloom.annotation.foot_plants import PlantSettings, detect_plants
from motionloom.annotation.labels import EVENT_LABELS, LIFT, PLANT_KINDS, REST_KINDS, STRIKE
from motionloom.annotation.resting_parts import Part, RestReport, check_parts, report_rests
from motionloom.annotation.rests import detect_rests
from motionloom.annotation.signals import Interval
from motionloom.annotation.soles import Sole, find_soles
from motionloom.annotation.treadmill import choose_settings, find_travel, is_in_place
from motionloom.annotation.weight_bearing import (
    MIN_FRAMES as MIN_FRAMES_OF_WEIGHT,
)
from motionloom.annotation.weight_bearing import (
    Contacts,
    TrackedFoot,
    WeightReport,
    find_contacts,
    make_events,
)
from motionloom.errors import ParameterError
from motionloom.messages import Message
from motionloom.motion import Clip, Constraint, Event, PointClip
from motionloom.motion.anatomy import Anatomy, Side, find_anatomy
from motionloom.motion.motion import name_clips
from motionloom.motion.result import ClipLike, PointClipLike, Result, check_clip, refuse_for_points
from motionloom.motion.steady_travel import add_travel
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, unroll
from motionloom.validation import check_choice, check_number

NO_LEGS = "no legs (hip, knee and foot, one below the other) were found in the skeleton"
"""What annotation says where it cannot find plants."""

MIN_FRAMES = 2
"""Speeds and intervals need this many frames."""


@dataclass(frozen=True, kw_only=True)
class AnnotationSettings(PlantSettings):
    """The options of :func:`annotate`; the defaults suit captures at 24 to 120 frames per second.

    Attributes
    ----------
    method, speed, relative_speed, height, release, min_duration, max_gap, smoothing
        Thresholds of foot plants, as in :class:`motionloom.annotation.foot_plants.PlantSettings`.
    floor
        Height of the floor, metres; None estimates it.
    flexion
        A bend counts as an extreme when the joint then goes back by this much, radians.
    excursion
        A hand or foot has an apex when it then comes back by this much, metres.
    parts
        What is planted: "feet" (heels and toes), "hands", "knees", "elbows", "seat", or "all".
    replace
        False keeps what the clip already has: a joint with constraints of a kind, or events with a label,
        keeps exactly those and gets no new ones. True detects all of them again. Other kinds and labels,
        which annotation does not make, stay either way.

    >>> AnnotationSettings(speed=0.2).height
    0.04
    """

    floor: float | None = None
    flexion: float = 0.2
    excursion: float = 0.15
    parts: tuple[Part, ...] = ("feet",)
    replace: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("flexion", self.flexion, min=0.0)
        check_number("excursion", self.excursion, min=0.0)
        if self.floor is not None:
            check_number("floor (None estimates it)", self.floor)
        object.__setattr__(self, "parts", check_parts(self.parts))
        if not isinstance(self.replace, bool):
            raise ParameterError(
                f"must be True or False, not {self.replace!r}", parameter="replace", value=self.replace
            )


@dataclass(frozen=True)
class PlantReport:
    """The plants of one point of a foot.

    Attributes
    ----------
    side, joint, kind
        Which point it is.
    depth
        How far the point lies below the joint while the foot stands, metres.
    measured
        False where the foot never stands in the clip, and its sole was assumed.
    speed, height
        Thresholds of this point, m/s and metres above the floor.
    n_found
        How many plants were detected.
    kept
        Whether the clip already had plants of this joint and kind, which were kept instead.
    """

    side: Side
    joint: str
    kind: str
    depth: float
    measured: bool
    speed: float
    height: float
    n_found: int
    kept: bool

    def __str__(self) -> str:
        if self.kept:
            return f"{self.side} {self.kind} ({self.joint}): the clip's own plants were kept"
        return (
            f"{self.side} {self.kind} ({self.joint}, {self.depth * 100:.1f} cm above the sole): "
            f"{self.n_found} plants, slower than {self.speed:.2f} m/s "
            f"and lower than {self.height * 100:.1f} cm"
        )


@dataclass(frozen=True)
class AnnotationReport:
    """The report of :func:`annotate_and_report`.

    Attributes
    ----------
    settings
        The settings in effect.
    floor
        The given or estimated floor; None without legs.
    plants
        One entry per heel and toe.
    n_events
        How many events were added.
    notes
        Sentences about what could not be done, and why.
    rests
        One entry per hand, knee, elbow and seat that was looked at.

    >>> print(AnnotationReport(AnnotationSettings(), None, (), 0, ("the skeleton has no legs",)))
    0 events
    note: the skeleton has no legs
    """

    settings: AnnotationSettings
    floor: Floor | None
    plants: tuple[PlantReport, ...]
    n_events: int
    notes: tuple[str, ...] = ()
    rests: tuple[RestReport, ...] = ()

    def __str__(self) -> str:
        floor = [] if self.floor is None else [str(self.floor)]
        plants = [*map(str, self.plants), *map(str, self.rests)]
        notes = [f"note: {note}" for note in self.notes]
        return "\n".join([*floor, *plants, f"{self.n_events} events", *notes])


@overload
def annotate(
    clip: ClipLike,
    settings: AnnotationSettings | None = None,
    *,
    parts: Sequence[Part] | str | None = None,
    contacts: Contacts = "planted",
) -> Clip: ...
@overload
def annotate(
    clip: PointClipLike,
    settings: PlantSettings | None = None,
    *,
    points: Sequence[str] | None = None,
    contacts: Contacts = "planted",
) -> PointClip: ...
def annotate(
    clip: ClipLike | PointClipLike,
    settings: PlantSettings | None = None,
    *,
    parts: Sequence[Part] | str | None = None,
    points: Sequence[str] | None = None,
    contacts: Contacts = "planted",
) -> Clip | PointClip:
    """Add foot plants (heel and toe of every leg) and events to a clip; hands and more on request.

    Existing annotations win: a joint with constraints of a kind, or events with a label, keeps exactly those,
    and only joints without them get new ones. Strikes, lifts and mid swings follow from the constraints of
    the result, so edited plants give edited events. With ``replace=True`` everything that annotation makes is
    detected again.

    Parameters
    ----------
    clip
        Any clip. Without legs it gets no plants; nothing is raised. In a cyclic clip a plant that
        crosses the seam is split in two, which touch frames 0 and T. In a gait in place, plants are found in
        the ground that moves below it (:func:`motionloom.recover_travel`).
    settings
        Thresholds, method and what to keep, as :class:`~motionloom.annotation.AnnotationSettings`; None for
        the defaults.
    parts
        What is planted, instead of the parts of the settings: "feet", "hands", "knees", "elbows", "seat", or
        "all". A hand rests where it is still on the floor, on something that holds it while the body moves,
        or on something without which the body would fall; one that hangs in the air does not.
    points
        Of a clip of points without a skeleton: the names of those to look at; None takes those that come near
        the ground. A marker lies at its own height above what it touches, so it is planted while it is slow
        and near its own lowest level. Weight-bearing feet take heel and toe of the left foot, then of the
        right one, unless these are called as usual (LHEE, LTOE, RHEE, RTOE).
    contacts
        "planted" finds points that do not slide, which can be held in place. "weight_bearing" finds when feet
        carry load, as force plates see it: feet get strikes and lifts at these times in place of any they
        had, and constraints stay as they are.

    Returns
    -------
    Clip
        The same motion with ``constraints`` and ``events``;
        :func:`motionloom.annotation.annotate_and_report` also says what was found and what was not.

    Raises
    ------
    ParameterError
        What is given is no clip, or parts or contacts are none of the words above.

    >>> from motionloom.synthesis import walk
    >>> walked = annotate(walk(duration=2.0).clip)
    >>> sorted({(plant.joint, plant.kind) for plant in walked.constraints})[:2]
    [('LeftFoot', 'heel'), ('LeftToeBase', 'toe')]
    >>> [event.joint for event in walked.events if event.label == "strike"]
    ['RightFoot', 'LeftFoot', 'RightFoot']
    """
    found = clip.clip if isinstance(clip, Result) else clip
    if isinstance(found, PointClip):
        from motionloom.annotation.annotate_points import annotate_points

        refuse_for_points("annotate", parts=parts is not None)
        floor = settings.floor if isinstance(settings, AnnotationSettings) else None
        return annotate_points(found, points, floor=floor, settings=settings, contacts=contacts)
    if points is not None:
        raise ParameterError("points names those of a clip of points: name the parts of a body (parts)")
    if settings is not None and not isinstance(settings, AnnotationSettings):
        raise ParameterError("a clip with a skeleton takes motionloom.annotation.AnnotationSettings")
    return annotate_and_report(check_clip("annotate", found), settings, parts=parts, contacts=contacts).clip


@overload
def annotate_and_report(
    clip: ClipLike,
    settings: AnnotationSettings | None = None,
    *,
    parts: Sequence[Part] | str | None = None,
    contacts: Literal["planted"] = "planted",
) -> Result[AnnotationReport]: ...
@overload
def annotate_and_report(
    clip: ClipLike,
    settings: AnnotationSettings | None = None,
    *,
    parts: Sequence[Part] | str | None = None,
    contacts: Literal["weight_bearing"],
) -> Result[WeightReport]: ...
@overload
def annotate_and_report(
    clip: ClipLike,
    settings: AnnotationSettings | None = None,
    *,
    parts: Sequence[Part] | str | None = None,
    contacts: Contacts,
) -> Result[AnnotationReport | WeightReport]: ...
def annotate_and_report(
    clip: ClipLike,
    settings: AnnotationSettings | None = None,
    *,
    parts: Sequence[Part] | str | None = None,
    contacts: Contacts = "planted",
) -> Result[AnnotationReport | WeightReport]:
    """Annotate a clip as :func:`annotate` does, and say what was found.

    Parameters
    ----------
    clip, settings, parts, contacts
        As in :func:`annotate`.

    Returns
    -------
    Result
        The annotated clip with an :class:`AnnotationReport` or, for weight-bearing contacts, a
        :class:`WeightReport` with all intervals.

    >>> from motionloom.synthesis import walk
    >>> annotate_and_report(walk(duration=2.0).clip).report.n_events
    56
    """
    clip = check_clip("annotate", clip)
    check_choice("contacts", contacts, get_args(Contacts))
    settings = settings or AnnotationSettings()
    if parts is not None:
        settings = replace(settings, parts=check_parts(parts))
    if contacts == "weight_bearing":
        return _annotate_weight(clip, settings)
    return _annotate_plants(clip, settings)


def _annotate_plants(clip: Clip, settings: AnnotationSettings) -> Result[AnnotationReport]:
    if clip.body is not clip:
        found = _annotate_plants(clip.body, settings)
        body = found.clip
        outside = tuple(c for c in clip.constraints if c.joint not in body.skeleton.names)
        return Result(
            replace(clip, constraints=(*outside, *body.constraints), events=body.events), found.report
        )
    anatomy = find_anatomy(clip.skeleton)
    notes = _notes(clip, anatomy)
    kept = _remove_annotations(clip, anatomy) if settings.replace else clip
    if clip.n_frames < MIN_FRAMES:
        return Result(kept, AnnotationReport(settings, None, (), 0, notes))

    if (on_treadmill := _annotate_in_place(kept, settings)) is not None:
        return on_treadmill

    # 1. Find the floor, and where on the feet heels and toes are.
    unrolled = SeamlessClip.around(kept)
    floor, soles = find_soles(unrolled.clip, anatomy.legs, settings.floor)
    # 2. Detect when they are planted, and where other parts rest.
    plants, reports = _plant_soles(unrolled, soles, floor, settings)
    standing = replace(kept, constraints=(*kept.constraints, *plants))
    rests, rest_reports = _plant_rests(standing, floor, settings)
    feet = plants if "feet" in settings.parts else []
    planted = replace(kept, constraints=(*kept.constraints, *feet, *rests))
    # 3. Detect events: strikes and lifts from the plants, extremes from angles and paths.
    unrolled = SeamlessClip.around(planted)
    present = {(event.joint, event.label) for event in kept.events}
    detected = unrolled.crop_events(
        [
            *gait_events(unrolled.clip),
            *flexion_events(unrolled.clip, anatomy, settings.flexion, settings.smoothing),
            *apex_events(unrolled.clip, anatomy, settings.excursion, settings.smoothing),
        ]
    )
    added = [event for event in detected if (event.joint, event.label) not in present]
    report = AnnotationReport(
        settings,
        floor if anatomy.legs else None,
        reports if "feet" in settings.parts else (),
        len(added),
        notes,
        rest_reports,
    )
    return Result(replace(planted, events=(*kept.events, *added)), report)


def _annotate_weight(clip: Clip, settings: AnnotationSettings) -> Result[WeightReport]:
    """Return a clip with the strikes and lifts of feet that bear weight; in place, on ground that moves."""
    if clip.body is not clip:
        body = _annotate_weight(clip.body, settings)
        return Result(replace(clip, events=body.clip.events), body.report)
    legs = find_anatomy(clip.skeleton).legs
    if not legs or clip.n_frames < MIN_FRAMES_OF_WEIGHT:
        why = NO_LEGS if not legs else f"a clip of {clip.n_frames} frames has no speeds"
        return Result(clip, WeightReport((), clip.n_frames, (f"{why}: no contacts were found",)))
    moving = clip
    notes: tuple[str, ...] = ()
    if is_in_place(clip):
        with suppress(ParameterError):
            steady, travel = find_travel(clip)
            moving = add_travel(clip, steady)
            notes = (f"the gait is in place, and contacts were found on ground that moves: {travel}",)
    unrolled = SeamlessClip.around(moving)
    _, soles = find_soles(unrolled.clip, legs, settings.floor)
    feet = [
        TrackedFoot(
            sole.side,
            clip.skeleton.names[sole.leg.ankle],
            sole.heel.positions(unrolled.clip),
            sole.toe.positions(unrolled.clip),
        )
        for sole in soles
    ]
    found = find_contacts(feet, clip.frame_time)
    contacts = [
        replace(contact, start=start, end=end)
        for contact in found
        for start, end in unrolled.crop_intervals([(contact.start, contact.end)])
    ]
    events = unrolled.crop_events(make_events(found, unrolled.clip.n_frames))
    names = {foot.joint for foot in feet}
    kept = tuple(e for e in clip.events if e.label not in (STRIKE, LIFT) or e.joint not in names)
    report = WeightReport(tuple(sorted(contacts, key=lambda c: c.start)), clip.n_frames, notes)
    return Result(replace(clip, events=(*kept, *events)), report)


def note_without_plants(clips: Sequence[Clip]) -> list[str]:
    """Return a sentence for each annotated clip without foot plants.

    >>> from motionloom.synthesis import stand
    >>> note_without_plants([annotate(stand(duration=0.5).clip), stand(duration=0.5).clip])
    ['no foot plants were found in clip 1']
    """
    return [
        Message(("no foot plants were found in ", name))
        for name, clip in zip(name_clips(clips), clips, strict=True)
        if not any(c.kind in PLANT_KINDS for c in clip.constraints)
    ]


def _annotate_in_place(clip: Clip, settings: AnnotationSettings) -> Result[AnnotationReport] | None:
    """Annotate a gait in place in the ground that moves below it; None for any other clip."""
    if any(c.kind in PLANT_KINDS for c in clip.constraints) or not is_in_place(clip):
        return None
    try:
        steady, travel = find_travel(clip)
    except ParameterError:
        return None
    moved = _annotate_plants(add_travel(clip, steady), choose_settings(travel, settings))
    note = f"the gait is in place, and plants were found in ground that moves below it: {travel}"
    report = replace(moved.report, settings=settings, notes=(*moved.report.notes, note))
    return Result(replace(clip, constraints=moved.clip.constraints, events=moved.clip.events), report)


class SeamlessClip(NamedTuple):
    """A clip with what surrounds it: a cyclic clip between two repeats of itself, any other clip alone.

    Plants and events are detected in it, so that nothing begins or ends at the seam of a cycle.

    Attributes
    ----------
    clip
        The motion to look at.
    first, end
        Its frames at which the original clip begins and ends; a cyclic clip ends at the seam.
    """

    clip: Clip
    first: int
    end: int

    @classmethod
    def around(cls, clip: Clip) -> SeamlessClip:
        """Unroll a cyclic clip; one that is too short for it stays alone.

        >>> from motionloom.cycles import cyclify
        >>> from motionloom.synthesis import walk
        >>> loop = cyclify(walk().clip, cycles=1).clip
        >>> loop.n_frames, SeamlessClip.around(loop)[1:]
        (62, (62, 124))
        """
        if clip.cyclic and clip.n_frames >= MIN_CYCLE_FRAMES:
            return cls(unroll(clip, 3), clip.n_frames, 2 * clip.n_frames)
        return cls(clip, 0, clip.n_frames)

    def crop_intervals(self, found: Iterable[Interval]) -> list[Interval]:
        """Crop intervals to the original clip and count in its frames; the seam splits one in two."""
        cut = ((max(start, self.first), min(end, self.end)) for start, end in found)
        return [(start - self.first, end - self.first) for start, end in cut if start < end]

    def crop_events(self, found: Iterable[Event]) -> list[Event]:
        """Keep the events of the original clip, in its frames; an event at the seam is kept once."""
        inside = (event for event in found if self.first <= event.frame < self.end)
        return [event.retimed(1.0, -self.first) for event in inside]


def _notes(clip: Clip, anatomy: Anatomy) -> tuple[str, ...]:
    notes = []
    if not anatomy.legs:
        notes.append(f"{NO_LEGS}, so there are no foot plants and no gait events")
    elif len(anatomy.legs) == 1:
        notes.append(f"only the {anatomy.legs[0].side} leg was found in the skeleton")
    if clip.n_frames < MIN_FRAMES:
        notes.append(f"a clip of {clip.n_frames} frames has no speeds, so nothing was detected")
    return tuple(notes)


def _remove_annotations(clip: Clip, anatomy: Anatomy) -> Clip:
    """Remove the kinds of constraints and the labels of events that annotation makes."""
    feet = {clip.skeleton.names[joint] for leg in anatomy.legs for joint in leg.joints}
    return replace(
        clip,
        constraints=tuple(
            c
            for c in clip.constraints
            if (c.joint not in feet or c.kind not in PLANT_KINDS) and c.kind not in REST_KINDS
        ),
        events=tuple(event for event in clip.events if event.label not in EVENT_LABELS),
    )


def _plant_soles(
    unrolled: SeamlessClip, soles: Iterable[Sole], floor: Floor, settings: AnnotationSettings
) -> tuple[list[Constraint], tuple[PlantReport, ...]]:
    """Return constraints for the points that have none yet, and a report on every point."""
    clip = unrolled.clip
    present = {(c.joint, c.kind) for c in clip.constraints}
    plants, reports = [], []
    for sole in soles:
        for point in sole.points:
            found, limits = detect_plants(point.positions(clip), floor, clip.frame_time, settings)
            intervals = unrolled.crop_intervals(found)
            joint = clip.skeleton.names[point.joint]
            kept = (joint, point.kind) in present
            if not kept:
                plants += [Constraint(joint, point.kind, start, end, point.point) for start, end in intervals]
            reports.append(
                PlantReport(
                    side=sole.side,
                    joint=joint,
                    kind=point.kind,
                    depth=point.depth,
                    measured=sole.measured,
                    speed=limits.speed,
                    height=limits.height,
                    n_found=len(intervals),
                    kept=kept,
                )
            )
    return plants, tuple(reports)


def _plant_rests(
    clip: Clip, floor: Floor, settings: AnnotationSettings
) -> tuple[list[Constraint], tuple[RestReport, ...]]:
    """Return constraints for the resting parts that have none yet, and a report on every part."""
    if settings.parts == ("feet",):
        return [], ()
    unrolled = SeamlessClip.around(clip)
    present = {(c.joint, c.kind) for c in clip.constraints}
    plants, reports = [], []
    for part, rests in detect_rests(unrolled.clip, settings.parts, floor, settings):
        joint = clip.skeleton.names[part.joint]
        kept = (joint, part.kind) in present
        inside = [
            rest._replace(interval=interval)
            for rest in rests
            for interval in unrolled.crop_intervals([rest.interval])
        ]
        if not kept:
            plants += [Constraint(joint, part.kind, *rest.interval, rest.point) for rest in inside]
        reports.append(report_rests(joint, part, inside, kept=kept))
    return plants, tuple(reports)
