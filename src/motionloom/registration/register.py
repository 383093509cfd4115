"""`register`: from clips to a registration curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, cast

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip, PointClip
from motionloom.registration.anchors import Moments, shared_events, with_start
from motionloom.registration.assembly import TimeFindings
from motionloom.registration.compatibility import alike, comparable
from motionloom.registration.correspondence import (
    Paths,
    corresponding_frames,
    cycle_error,
    fitted,
    nearest_to_all,
)
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.distance import with_speeds
from motionloom.registration.open_ends import finished
from motionloom.registration.pairs import PairAlignment, PairTask, align_pairs
from motionloom.registration.periodic import common_phases, finished_cycle, from_phases, pins_from_phases
from motionloom.registration.point_cloud import PointCloud, point_cloud
from motionloom.registration.settings import Profile, RegistrationSettings, settings_for
from motionloom.registration.time_alignment import AlignmentOutcome

DEFAULT_EVENTS = ("strike",)
"""Labels of the events at which clips correspond unless the caller says otherwise."""

Pairs = dict[tuple[int, int], PairAlignment]


def register(
    clips: Sequence[Clip] | Sequence[PointClip],
    *,
    profile: Profile = "default",
    progress: Callable[[int, int], None] | None = None,
    **changes: Any,
) -> RegistrationCurve:
    """Find how clips correspond in time, in place and in their constraints.

    Parameters
    ----------
    clips
        Two clips or more of one body, or of the same points; constraints are matched where the clips have
        them. Joints at the ends of chains that not all clips have, such as fingers and props, are not
        compared, and neither are points that a clip does not see for long.
    profile
        "default", or the papers' own settings: "paper" or "thesis".
    progress
        Told how many of how many pairs of clips are aligned.
    **changes
        Any of :class:`~motionloom.registration.settings.RegistrationSettings`: ``slope_limit``, ``window``,
        ``points``, ``joint_weights``, ``speed_weight``, ``start``, ``end``, ``pins``, ``events``,
        ``straightness``, ``min_rate``, ``knot_spacing``, ``smoothing``, ``reference``, ``form``, ``fit``.

    >>> from motionloom.synthesis import walk
    >>> slow, fast = (walk(speed=speed, duration=2.0, fps=30).clip for speed in (1.2, 1.6))
    >>> curve = register([slow, fast])
    >>> curve.timewarp(curve.domain[1]).round(6)
    array([60., 60.])
    """
    settings = settings_for(profile, changes)
    # Clips of points offer all that the steps below ask of a clip: frames, rate, events and constraints.
    made, notes = comparable(cast(tuple[Clip, ...], tuple(clips)))
    _check_places(settings, len(made))
    whole_cycles = settings.start == settings.end == "auto" and all(clip.cyclic for clip in made)
    phases = common_phases(made) if whole_cycles else []
    courses = from_phases(made, phases) if whole_cycles else list(made)
    pins = pins_from_phases(settings.pins, made, phases) if whole_cycles else settings.pins
    clouds = [point_cloud(clip, settings.points, settings.joint_weights) for clip in alike(courses)]

    # Time: align pairs, choose the reference, and list the frames that correspond.
    labels = DEFAULT_EVENTS if settings.events is None else settings.events
    shared = None if _states_places(settings) else shared_events(courses, labels)
    anchors = shared or [[] for _ in courses]
    rules = replace(settings, pins=pins)
    pairs = _aligned_pairs(clouds, anchors, rules, made[0].frame_time, progress)
    reference = _reference(pairs, made, settings)
    paths = _both_ways(pairs)
    samples = corresponding_frames(paths, len(made), reference, settings, made[0].fps, anchors)
    time = TimeFindings(
        **_strain(pairs, reference, reach=round(settings.knot_spacing * made[0].fps)),
        cycle_error=cycle_error(paths, len(made)),
        notes=notes + _cycle_notes(made) + _alignment_notes(pairs),
    )

    # Place and constraints: along the whole clips, or round the cycle.
    if whole_cycles:
        return finished_cycle(
            made,
            phases,
            samples,
            reference,
            settings,
            events=with_start(anchors, courses, labels),
            time=time,
            stacklevel=2,
        )
    timewarp = fitted(samples, settings, made[0].fps, events=anchors)
    return finished(made, clouds, samples, timewarp, reference, settings, time=time, stacklevel=2)


def _check_places(settings: RegistrationSettings, n_clips: int) -> None:
    if n_clips > 2 and _states_places(settings):
        raise ParameterError(
            "start, end and pins can be stated for two clips only: register pairs and join them with then"
        )
    if settings.reference is not None and not 0 <= settings.reference < n_clips:
        raise ParameterError(
            f"reference must be one of the clips 0 to {n_clips - 1}, not {settings.reference}"
        )


def _states_places(settings: RegistrationSettings) -> bool:
    """Whether the caller says where clips correspond, or leaves their ends free; events then say nothing."""
    ends = (settings.start, settings.end)
    return bool(settings.pins) or any(place not in ("auto", "corners") for place in ends)


def _aligned_pairs(
    clouds: Sequence[PointCloud],
    moments: Sequence[Moments],
    settings: RegistrationSettings,
    frame_time: float,
    progress: Callable[[int, int], None] | None,
) -> Pairs:
    """The time alignments of all pairs of clips, by their poses and by their speeds where these count."""
    clouds = with_speeds(clouds, settings.speed_weight, frame_time)
    which = list(combinations(range(len(clouds)), 2))
    tasks = [
        PairTask(
            clouds[a],
            clouds[b],
            half_width=round(settings.window / frame_time),
            fps=1.0 / frame_time,
            slope_limit=settings.slope_limit,
            form=settings.form,
            start="corners" if settings.start == "auto" else settings.start,
            end="corners" if settings.end == "auto" else settings.end,
            pins=settings.pins,
            moments=(moments[a], moments[b]),
            straightness=settings.straightness,
        )
        for a, b in which
    ]
    return dict(zip(which, align_pairs(tasks, progress), strict=True))


def _reference(pairs: Pairs, clips: Sequence[Clip], settings: RegistrationSettings) -> int:
    if settings.reference is not None:
        return settings.reference
    distances = np.zeros((len(clips), len(clips)))
    for (a, b), pair in pairs.items():
        distances[a, b] = distances[b, a] = np.sqrt(pair.distances).mean()
    return nearest_to_all(distances, clips)


def _strain(pairs: Pairs, reference: int, reach: int) -> dict[str, float]:
    """Saturation and distortion of the worst time alignment with the reference."""
    used = [pair.alignment for which, pair in pairs.items() if reference in which]
    return {
        "saturation": max(alignment.saturation for alignment in used),
        "distortion": max(alignment.distortion(reach) for alignment in used),
    }


def _cycle_notes(clips: Sequence[Clip]) -> tuple[str, ...]:
    if len({clip.cyclic for clip in clips}) == 1:
        return ()
    return ("some of the clips are cyclic and some are not: all were registered from end to end",)


def _alignment_notes(pairs: Pairs) -> tuple[str, ...]:
    notes: list[str] = []
    if any(pair.alignment.outcome is AlignmentOutcome.WINDOWED for pair in pairs.values()):
        notes.append("the clips are long: they were aligned window by window, not on one whole grid")
    stretched = sum(pair.stretched for pair in pairs.values())
    if stretched:
        notes.append(
            f"in {stretched} of {len(pairs)} pairs one clip is more than twice as long as the other: "
            "they were brought to one length before time alignment"
        )
    return tuple(notes)


def _both_ways(pairs: Pairs) -> Paths:
    forward = {pair: found.frames for pair, found in pairs.items()}
    return {**forward, **{(b, a): path[:, ::-1] for (a, b), path in forward.items()}}
