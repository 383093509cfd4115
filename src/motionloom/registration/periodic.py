"""Registration of cyclic clips: they correspond round the cycle, with no first and no last frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint
from motionloom.motion.unroll import extend_cycle, travel, unroll
from motionloom.registration.alignment import align_samples, fit_periodic_alignment
from motionloom.registration.anchors import Moments
from motionloom.registration.assembly import Findings, TimeFindings, assembled, moments
from motionloom.registration.compatibility import alike
from motionloom.registration.constraint_match import ConstraintMatches, match_constraints
from motionloom.registration.correspondence import event_anchors, rate_smoothing
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.dtw import Cell
from motionloom.registration.point_cloud import point_cloud
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.registration.timewarp_fit import fit_periodic_timewarp, min_rate_for

STRIKE = "strike"
"""Label of the events that give cyclic clips a common phase."""


def common_phases(clips: Sequence[Clip]) -> list[float]:
    """The fractional frame of each cyclic clip at which its cycle begins for the registration.

    Contacts decide: the first strike of one joint that all clips have, or where there are no strikes the
    first beginning of a constraint of one kind. Clips without contacts begin at their first frames.
    """
    for contacts in ([_strikes(clip) for clip in clips], [_plants(clip) for clip in clips]):
        shared = sorted(set.intersection(*(set(entry) for entry in contacts)))
        if shared:
            return _first_of(shared[0], contacts)
    return [0.0] * len(clips)


def _first_of(which: str, contacts: Sequence[dict[str, list[float]]]) -> list[float]:
    numbers = [len(entry[which]) for entry in contacts]
    if len(set(numbers)) > 1:
        shown = ", ".join(map(str, numbers))
        raise ParameterError(
            f"the cyclic clips have different numbers of strides ({shown}): "
            "make them alike with cyclify's n_cycles"
        )
    return [min(entry[which]) for entry in contacts]


def from_phases(clips: Sequence[Clip], phases: Sequence[float]) -> list[Clip]:
    """One cycle of each clip, with its events, from a fractional frame on to the frame that closes it."""
    return [_from_phase(clip, first) for clip, first in zip(clips, phases, strict=True)]


def _from_phase(clip: Clip, first: float) -> Clip:
    last = first + clip.n_frames
    long = extend_cycle(clip, int(np.ceil(last)) + 1)
    poses = long.at(np.minimum(first + np.arange(clip.n_frames + 1.0), long.n_frames - 1.0))
    events = tuple(event.retimed(1.0, -first) for event in long.events if first <= event.frame <= last)
    return replace(
        long,
        root_positions=poses.root_positions,
        rotations=poses.rotations,
        translations=poses.translations,
        constraints=(),
        events=events,
    )


def finished_cycle(
    clips: tuple[Clip, ...],
    phases: Sequence[float],
    samples: FloatArray,
    reference: int,
    settings: RegistrationSettings,
    *,
    events: Sequence[Moments] = (),
    time: TimeFindings,
    stacklevel: int,
) -> RegistrationCurve:
    """Fit periodic curves, match constraints round the cycle and assemble.

    ``samples`` (N, K) are corresponding frames counted from the clips' phases, the closing row included;
    ``events`` are the frames of shared events in each clip, counted likewise.
    """
    fps = clips[0].fps
    periods = np.array([clip.n_frames for clip in clips], dtype=np.float64)
    spacing = max(2.0, settings.knot_spacing * fps)
    anchors = event_anchors(samples, events, spacing)
    timewarp = fit_periodic_timewarp(
        samples[:-1] + np.array(phases),
        periods,
        knot_spacing=spacing,
        min_rate=min_rate_for(settings.slope_limit) if settings.min_rate is None else settings.min_rate,
        smoothing=rate_smoothing(anchors),
        anchors=replace(anchors, frames=anchors.frames + np.array(phases)),
    )
    # Three cycles in a row, of which the middle one has its neighbours on both sides.
    rows = alike([unroll(clip, 3) for clip in clips])
    clouds = [point_cloud(clip, settings.points, settings.joint_weights) for clip in rows]
    half_width = round(settings.window * fps)
    aligned = align_samples(clouds, timewarp, reference, half_width, shifts=periods)
    travels = [travel(clip) for clip in clips]
    return assembled(
        Findings(
            clips=clips,
            timewarp=timewarp,
            alignment=fit_periodic_alignment(aligned, reference, travels, knot_spacing=spacing),
            samples=aligned,
            found=_matched(clips, timewarp),
            pairs=samples + np.array(phases),
            clouds=clouds,
            frames=moments(timewarp) + periods,
            reference=reference,
            settings=settings,
            time=time,
        ),
        stacklevel=stacklevel + 1,
    )


def _strikes(clip: Clip) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for event in clip.events:
        if event.label == STRIKE:
            found.setdefault(event.joint, []).append(event.frame)
    return found


def _plants(clip: Clip) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for constraint, _ in _whole_constraints(clip):
        found.setdefault(f"{constraint.joint} {constraint.kind}", []).append(constraint.start)
    return found


def pins_from_phases(pins: Sequence[Cell], clips: Sequence[Clip], phases: Sequence[float]) -> list[Cell]:
    """Cells of cyclic clips, counted from the phases at which their cycles begin, in order."""
    moved = [
        tuple(
            round((frame - first) % clip.n_frames)
            for frame, clip, first in zip(cell, clips, phases, strict=True)
        )
        for cell in pins
    ]
    return sorted((cell[0], cell[1]) for cell in moved)


def _matched(clips: Sequence[Clip], timewarp: TimewarpCurve) -> ConstraintMatches:
    """Constraint matches on the circle; sources count the constraints of the clips themselves."""
    whole = [_whole_constraints(clip) for clip in clips]
    first, last = timewarp.domain
    found = match_constraints(
        [[constraint for constraint, _ in entries] for entries in whole],
        lambda k, frames: timewarp.inverse(k, frames) - first,
        period=last - first,
    )
    return replace(
        found,
        matches=tuple(
            replace(match, sources=tuple(whole[k][n][1] for k, n in enumerate(match.sources)))
            for match in found.matches
        ),
        unmatched=tuple(
            replace(one, constraint=whole[one.clip][one.constraint][1]) for one in found.unmatched
        ),
        splits=tuple(replace(one, constraint=whole[one.clip][one.constraint][1]) for one in found.splits),
    )


def _whole_constraints(clip: Clip) -> list[tuple[Constraint, int]]:
    """Constraints that begin within the cycle, joined where the seam cuts them, and the index of each."""
    numbers = {(c.joint, c.kind, c.start): n for n, c in enumerate(clip.constraints)}
    entries = []
    for constraint in unroll(clip, 2).constraints:
        number = numbers.get((constraint.joint, constraint.kind, constraint.start))
        continued = constraint.start == 0.0 and _ends_at_seam(clip, constraint)
        if number is not None and constraint.start < clip.n_frames and not continued:
            entries.append((constraint, number))
    return entries


def _ends_at_seam(clip: Clip, constraint: Constraint) -> bool:
    """Whether a constraint that begins at frame 0 is the rest of one that runs up to the seam."""
    return any(
        other.end == clip.n_frames and (other.joint, other.kind) == (constraint.joint, constraint.kind)
        for other in clip.constraints
    )
