"""The middle by registration: both clips aligned in time and place about the centre, then blended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.advance import advance
from motionloom.blending.average import average_poses
from motionloom.blending.constrain import blend_annotations, find_shared_events
from motionloom.blending.place import PlacedFrames, find_source_frames, place_frames
from motionloom.blending.sources import BlendSources, prepare_sources
from motionloom.geometry import splines
from motionloom.geometry.splines import smoothstep
from motionloom.motion import Clip, Constraint, Event
from motionloom.registration import RegistrationCurve, Verdict
from motionloom.transitions.linear import linear_middle
from motionloom.transitions.local_registration import aligned, cut_pieces, strike_pairs
from motionloom.transitions.middle import Middle, eased_weights
from motionloom.transitions.plan import Plan, TooShortError
from motionloom.transitions.seams import Annotations, put_together
from motionloom.transitions.supports import aligned_by_supports
from motionloom.transitions.width import room_for

REACH = 1.3
"""How much more motion than a transition takes is aligned: its ends lie well inside what was aligned, and
motion farther away makes no difference."""

WIDER = 1.6
"""By how much the reach grows where the clips' rates differ more than their strides do."""

FAR_APART = 0.2
"""Mean distance in metres of frames from which it matters whether they correspond. Frames of a captured walk
and jog that do are 0.15 apart; people who stand are much nearer, whichever of their frames meet."""


def registered_middle(plan: Plan, snap: bool) -> Middle:
    """Blend both clips from all weight on the first to all on the second, about the centre.

    With ``snap`` the first and the last frame are whole frames of the clips. Clips that are far apart and
    hardly correspond fade over in plain time: a correspondence that is none only adds what neither clip does.
    """
    weights = eased_weights(plan.half)
    reach, missing = REACH, 1
    while missing:
        pieces = cut_pieces(plan, reach)
        curve = aligned_by_supports(aligned(pieces, plan))
        misfit = _misfit(curve, gait=bool(strike_pairs(plan, pieces)))
        if misfit and _fits_plainly(plan):
            return replace(linear_middle(plan), notes=(_faded(misfit),), misfit=misfit)
        sources = prepare_sources(curve)
        positions, missing = _about_centre(sources, pieces.centre, weights)
        if missing and pieces.whole:
            frame_time = plan.a.clip.frame_time
            raise TooShortError(2.0 * plan.half * frame_time, missing * frame_time)
        reach *= WIDER
    if snap:
        positions = _snapped(sources, positions)
    u = sources.parameters(positions)
    course = place_frames(sources, positions, weights, None)
    poses = average_poses(sources, course)
    blended = blend_annotations(curve, u, weights, last=len(u) - 1)
    frames, placements = find_source_frames(sources, course)
    return Middle(
        root_positions=poses.root_positions,
        rotations=poses.rotations,
        translations=poses.translations,
        u=u,
        weights=weights,
        frames=frames + pieces.firsts,
        placements=placements,
        annotations=put_together([(blended.constraints, blended.events), _single(curve, course)]),
        notes=(*blended.notes, *_verdict(curve)),
        misfit=misfit,
    )


def _about_centre(
    sources: BlendSources, centre: tuple[int, int], weights: FloatArray
) -> tuple[FloatArray, int]:
    """Positions on the curve of all frames, both ways from the centre, and how many are missing."""
    warp = sources.curve.timewarp
    spans = sources.curve.spans
    moments = [float(warp.inverse(k, np.clip(centre[k], *spans[:, k]))) for k in range(2)]
    middle = sources.position_of(float(np.mean(moments)))
    half = len(weights) // 2
    ahead = advance(sources, weights[half:], middle)
    back = advance(sources, weights[half::-1], middle, step=-1.0)
    found = np.concatenate([back[::-1], ahead[1:]])
    return found, len(weights) - len(found)


def _snapped(sources: BlendSources, positions: FloatArray) -> FloatArray:
    """The positions, displaced smoothly such that each clip is entered and left at a whole frame."""
    shares = smoothstep(np.linspace(0.0, 1.0, len(positions)))
    first = _whole_frame(sources, 0, float(positions[0])) - positions[0]
    last = _whole_frame(sources, 1, float(positions[-1])) - positions[-1]
    return np.asarray(positions + first * (1.0 - shares) + last * shares)


def _whole_frame(sources: BlendSources, k: int, position: float) -> float:
    """The position at which clip k is at the whole frame nearest to where it is at a position."""
    low, high = sources.curve.spans[:, k].tolist()
    frame = float(splines.evaluate(sources.warp_points, np.array([position]))[0, k])
    nearest = float(np.clip(round(frame), np.ceil(low), np.floor(high)))
    return sources.position_of(float(sources.curve.timewarp.inverse(k, nearest)))


def _single(curve: RegistrationCurve, course: PlacedFrames) -> Annotations:
    """What only one clip has, or the clips have in different numbers, from the clip with more weight.

    Of constraints without a counterpart only those count that hold at the seam with their own clip: they do
    not end because the transition begins.
    """
    last = len(course.frames) - 1.0
    shared = find_shared_events(curve)
    constraints: list[Constraint] = []
    events: list[Event] = []
    for k, (first, end) in enumerate(((0.0, last / 2.0), (last / 2.0, last))):
        clip, track = curve.clips[k], course.frames[:, k]
        events += _placed_events(clip, track, first, end, set(shared))
        seam = float(track[-k])
        for odd in (unmatched for unmatched in curve.report.unmatched if unmatched.clip == k):
            constraint = clip.constraints[odd.constraint]
            if constraint.start <= seam <= constraint.end:
                start, stop = np.interp((constraint.start, constraint.end), track, np.arange(len(track)))
                constraints += _cut(constraint, max(float(start), first), min(float(stop), end))
    return tuple(constraints), tuple(events)


def _placed_events(
    clip: Clip, track: FloatArray, first: float, end: float, known: set[tuple[str, str]]
) -> list[Event]:
    """Events of roles that are not known yet, at the frames of the transition that show them."""
    inside = (e for e in clip.events if track[0] <= e.frame <= track[-1] and (e.label, e.joint) not in known)
    moments = ((float(np.interp(e.frame, track, np.arange(len(track)))), e) for e in inside)
    return [Event(moment, e.label, e.joint) for moment, e in moments if first <= moment <= end]


def _cut(constraint: Constraint, start: float, end: float) -> list[Constraint]:
    if start >= end:
        return []
    return [Constraint(constraint.joint, constraint.kind, start, end, constraint.point)]


def _verdict(curve: RegistrationCurve) -> tuple[str, ...]:
    report = curve.report
    if report.verdict is Verdict.GOOD:
        return ()
    if report.verdict is Verdict.UNFIT and report.mean_distance < FAR_APART:
        apart = f"{100.0 * report.mean_distance:.0f} cm"
        return (f"about the transition frames hardly correspond, but they are only {apart} apart",)
    return (f"about the transition the registration is {report.verdict.value} ({report.reason})",)


def _misfit(curve: RegistrationCurve, gait: bool) -> float:
    """Mean distance in metres of frames that were put together though they hardly correspond; else zero.

    Strikes that correspond speak for a registration that is doubtful otherwise.
    """
    verdict, apart = curve.report.verdict, curve.report.mean_distance
    fits = verdict is Verdict.GOOD or (verdict is Verdict.DOUBTFUL and gait)
    return 0.0 if fits or apart < FAR_APART else apart


def _fits_plainly(plan: Plan) -> bool:
    room = room_for(plan.half, plan.ratio, "linear")
    return room.missing(plan.a.clip, plan.b.clip, plan.centre) <= 0.0


def _faded(misfit: float) -> str:
    apart = f"{100.0 * misfit:.0f} cm apart on average"
    return f"about the transition the clips hardly correspond, {apart}: they fade over in plain time"
