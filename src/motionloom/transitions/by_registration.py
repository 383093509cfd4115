"""The segment by registration: both clips aligned in time and place about the centre, then blended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.advance import advance
from motionloom.blending.average import average_poses
from motionloom.blending.constrain import blend_annotations, find_shared_events
from motionloom.blending.hand_over import note_hand_overs
from motionloom.blending.place import PlacedFrames, find_source_frames, place_frames
from motionloom.blending.sources import BlendSources, prepare_sources
from motionloom.blending.weights import TransitionWeights
from motionloom.geometry import splines
from motionloom.geometry.splines import smoothstep
from motionloom.messages import Message
from motionloom.motion import Clip, Constraint, Event
from motionloom.registration import RegistrationCurve, Verdict
from motionloom.transitions.fade import make_fade_segment
from motionloom.transitions.local_registration import (
    CentreError,
    Pieces,
    cut_ends,
    cut_pieces,
    match_strikes,
    register_pieces,
)
from motionloom.transitions.plan import Plan, TooShortError, is_narrowest
from motionloom.transitions.request import FramePair, room_for
from motionloom.transitions.segment import Annotations, TransitionSegment, merge_annotations, smooth_weights

REACH = 1.3
"""How much more motion than a transition takes is registered: its ends then lie well inside the curve, and
motion farther away makes no difference."""

MAX_REACH = 3.0
"""How much more at most: clips of which a transition takes three times what it should do not correspond."""

MIN_STRIKES = 2
"""Corresponding strikes about a centre that show that two gaits are in step."""

WIDENING = 1.6
"""Factor by which the reach grows if the clips' rates differ more than their strides do."""

FAR_APART = 0.2
"""Mean distance in metres of frames from which it matters whether they correspond. Corresponding frames of a
captured walk and jog are 0.15 apart; people who stand are much closer, whichever of their frames meet."""


FADED = "cross-faded without a registration"
"""What the report says of such clips."""

MIN_STEP, MAX_STEP, MAX_BISECTIONS, MAX_COUNTS, MIN_WHOLE_FRAMES = 0.2, 5.0, 50, 4, 5
"""Bounds of the length of a step that fills a curve, how often they are halved, how often the number of steps
is changed so that a step is about one frame, and the fewest frames of a transition."""


def make_registered_segment(plan: Plan, snap: bool) -> TransitionSegment:
    """Blend both clips about the centre, from all weight on the first to all weight on the second.

    With ``snap`` the first and the last frame are whole frames of the clips. Clips that are far apart and
    hardly correspond are cross-faded at their own rates: a wrong correspondence only adds what neither does.
    So are clips that a registration cannot bring to a stated centre.
    """
    stated = plan.request.at is not None
    if plan.request.keep == 1.0 and not stated:
        return _make_whole_segment(plan)
    try:
        return _make_pinned_segment(plan if stated else _move_to_whole_frames(plan), snap)
    except CentreError as error:
        if not stated:
            return _make_pinned_segment(plan, snap)
        if not has_room_for_linear(plan):
            raise
        return _fade(plan, snap, f"{error}: they meet in a cross-fade without a registration")


def _move_to_whole_frames(plan: Plan) -> Plan:
    """Return a plan whose centre is met exactly: whole frames near the centre that fit the clips' strikes."""
    pieces = cut_pieces(plan, REACH)
    if not match_strikes(plan, pieces):
        return replace(plan, pinned=True)
    curve = register_pieces(pieces, plan)
    spans = curve.spans
    first = float(np.clip(round(pieces.centre[0]), np.ceil(spans[0, 0]), np.floor(spans[1, 0])))
    second = float(curve.timewarp(curve.timewarp.inverse(0, first))[1])
    return replace(plan, centre=(first + pieces.firsts[0], round(second) + pieces.firsts[1]), pinned=True)


def _make_pinned_segment(plan: Plan, snap: bool) -> TransitionSegment:
    """Blend both clips about the centre of a plan, with as much motion to either side as it takes."""
    stated = plan.request.at is not None
    weights = smooth_weights(plan.half)
    reach, missing = REACH, 1
    while missing:
        pieces = cut_pieces(plan, reach)
        curve = register_pieces(pieces, plan)
        misfit = _measure_misfit(curve, gait=len(match_strikes(plan, pieces)) >= MIN_STRIKES)
        if misfit and has_room_for_linear(plan):
            return _fade(plan, snap, _describe_fade(misfit), misfit)
        sources = prepare_sources(curve)
        positions, missing = _advance_from_centre(sources, pieces.centre, weights)
        if missing and (pieces.whole or (reach > MAX_REACH and not stated)):
            frame_time = plan.a.clip.frame_time
            narrowest = plan.request.fixed or is_narrowest(plan.half, frame_time)
            if stated and narrowest and has_room_for_linear(plan):
                why = f"{missing * frame_time:.2f} s of motion are missing for a registration"
                return _fade(plan, snap, f"{why}: the clips are cross-faded without it")
            raise TooShortError(2.0 * plan.half * frame_time, missing * frame_time)
        reach *= WIDENING
    if snap:
        positions = _snap_ends(sources, positions)
    return _blend(sources, positions, weights, pieces, misfit)


def _make_whole_segment(plan: Plan) -> TransitionSegment:
    """Blend the end of the first clip with the start of the second, so that all of both play."""
    pieces = cut_ends(plan)
    curve = register_pieces(pieces, plan)
    misfit = _measure_misfit(curve, gait=len(match_strikes(plan, pieces)) >= MIN_STRIKES)
    if misfit and has_room_for_linear(plan):
        return _fade(plan, True, _describe_fade(misfit), misfit)
    sources = prepare_sources(curve)
    positions, weights = _advance_through(sources, round(np.mean([clip.n_frames for clip in pieces.clips])))
    return _blend(sources, positions, weights, pieces, misfit)


def make_faded_segment(plan: Plan, snap: bool) -> TransitionSegment:
    """Fade the clips instead of registering them, because they do not correspond."""
    return _fade(plan, snap, f"the clips do not correspond at the transition: {FADED}")


def _fade(plan: Plan, snap: bool, why: str, misfit: float = 0.0) -> TransitionSegment:
    return replace(make_fade_segment(plan, snap), notes=(why,), doubt=why, misfit=misfit, registered=False)


def _describe_fade(misfit: float) -> str:
    return f"the clips do not correspond at the transition, {100.0 * misfit:.0f} cm apart on average: {FADED}"


def _blend(
    sources: BlendSources, positions: FloatArray, weights: FloatArray, pieces: Pieces, misfit: float
) -> TransitionSegment:
    """Place and average the frames at positions (M,) on the curve, and blend their annotations."""
    curve = sources.curve
    u = sources.parameters(positions)
    placed = place_frames(sources, positions, weights, None)
    averaged = average_poses(sources, placed)
    poses = averaged.poses
    blended = blend_annotations(curve, u, weights, last=len(u) - 1)
    frames, placements = find_source_frames(sources, placed)
    verdict = _describe_verdict(curve)
    return TransitionSegment(
        root_positions=poses.root_positions,
        rotations=poses.rotations,
        translations=poses.translations,
        u=u,
        weights=weights,
        frames=frames + pieces.firsts,
        placements=placements,
        annotations=merge_annotations(
            [(blended.constraints, blended.events), _copy_unshared_annotations(curve, placed)]
        ),
        notes=(
            *blended.notes,
            *verdict,
            *(
                Message(("within the transition, ", note))
                for note in note_hand_overs(averaged.hand_overs, curve.clips)
            ),
        ),
        doubt="".join(verdict),
        misfit=misfit,
    )


def _advance_from_centre(
    sources: BlendSources, centre: FramePair, weights: FloatArray
) -> tuple[FloatArray, int]:
    """Advance both ways from the centre; return the positions of all frames and how many are missing."""
    warp = sources.curve.timewarp
    spans = sources.curve.spans
    parameters = [float(warp.inverse(k, np.clip(centre[k], *spans[:, k]))) for k in range(2)]
    start = sources.position_of(float(np.mean(parameters)))
    half = len(weights) // 2
    ahead = advance(sources, weights[half:], start)
    back = advance(sources, weights[half::-1], start, step=-1.0)
    positions = np.concatenate([back[::-1], ahead[1:]])
    return positions, len(weights) - len(positions)


def _advance_through(sources: BlendSources, n_frames: int) -> tuple[FloatArray, FloatArray]:
    """Advance from the start of the curve to its end; return positions (M,) and weights (M, 2).

    Steps are adjusted, by less than a frame in all, so that a whole number of them fills the curve.
    """
    goal, step = float(sources.n_pieces), 1.0
    for _ in range(MAX_COUNTS):
        weights = TransitionWeights(0.0, 1.0)(np.linspace(-1.0, 1.0, n_frames))
        low, high = MIN_STEP, MAX_STEP
        for _ in range(MAX_BISECTIONS):
            step = 0.5 * (low + high)
            positions = advance(sources, weights, 0.0, step)
            low, high = (step, high) if len(positions) == n_frames else (low, step)
        positions = advance(sources, weights, 0.0, low)
        better = max(MIN_WHOLE_FRAMES, round((n_frames - 1) * low) + 1)
        if better == n_frames:
            break
        n_frames = better
    positions[-1] = goal
    return positions, weights


def _snap_ends(sources: BlendSources, positions: FloatArray) -> FloatArray:
    """Shift the positions smoothly such that each clip is entered and left at a whole frame.

    The shifts fade to nothing at the centre, where the frames that meet stay as they are.
    """
    fading = smoothstep(np.linspace(1.0, 0.0, len(positions) // 2 + 1))
    half = len(fading)
    shifts = np.zeros(len(positions))
    shifts[:half] = fading * (_position_of_whole_frame(sources, 0, float(positions[0])) - positions[0])
    last = _position_of_whole_frame(sources, 1, float(positions[-1])) - positions[-1]
    shifts[half - 1 :] += fading[::-1] * last
    return np.asarray(positions + shifts)


def _position_of_whole_frame(sources: BlendSources, k: int, position: float) -> float:
    """Return the position closest to a given one at which clip k is at a whole frame."""
    low, high = sources.curve.spans[:, k].tolist()
    frame = float(splines.evaluate(sources.warp_points, np.array([position]))[0, k])
    whole = float(np.clip(round(frame), np.ceil(low), np.floor(high)))
    return sources.position_of(float(sources.curve.timewarp.inverse(k, whole)))


def _copy_unshared_annotations(curve: RegistrationCurve, placed: PlacedFrames) -> Annotations:
    """Copy annotations that only one clip has, or that differ in number, from the clip with more weight.

    Of constraints without a counterpart, only those are kept that hold at the seam with their own clip: they
    do not end because the transition begins.
    """
    last = len(placed.frames) - 1.0
    shared = find_shared_events(curve)
    constraints: list[Constraint] = []
    events: list[Event] = []
    for k, (first, end) in enumerate(((0.0, last / 2.0), (last / 2.0, last))):
        clip, frames = curve.clips[k], placed.frames[:, k]
        events += _retime_events(clip, frames, first, end, set(shared))
        seam = float(frames[-k])
        for unmatched in curve.report.unmatched:
            constraint = clip.constraints[unmatched.constraint] if unmatched.clip == k else None
            if constraint is not None and constraint.start <= seam <= constraint.end:
                interval = (constraint.start, constraint.end)
                begin, finish = np.interp(interval, frames, np.arange(len(frames))).tolist()
                start, stop = max(begin, first), min(finish, end)
                if start < stop:
                    constraints.append(
                        Constraint(constraint.joint, constraint.kind, start, stop, constraint.point)
                    )
    return tuple(constraints), tuple(events)


def _retime_events(
    clip: Clip, frames: FloatArray, first: float, end: float, known: set[tuple[str, str]]
) -> list[Event]:
    """Return the events of roles not yet known, at the frames of the segment that show them."""
    inside = [
        e for e in clip.events if frames[0] <= e.frame <= frames[-1] and (e.label, e.joint) not in known
    ]
    at = [float(np.interp(e.frame, frames, np.arange(len(frames)))) for e in inside]
    return [
        Event(frame, e.label, e.joint) for frame, e in zip(at, inside, strict=True) if first <= frame <= end
    ]


def _describe_verdict(curve: RegistrationCurve) -> tuple[str, ...]:
    report = curve.report
    if report.verdict is Verdict.GOOD:
        return ()
    if report.verdict is Verdict.UNFIT:
        apart = f"poses {100.0 * report.mean_distance:.0f} cm apart on average are blended"
        return (f"at the transition there is no match, {report.reason}: {apart}",)
    return (f"at the transition there is a doubtful match: {report.reason}",)


def _measure_misfit(curve: RegistrationCurve, gait: bool) -> float:
    """Return the mean distance in metres of frames that hardly correspond; 0 if they do or are close.

    Gaits correspond by their strikes, however different their postures are.
    """
    verdict, apart = curve.report.verdict, curve.report.mean_distance
    fits = verdict is Verdict.GOOD or gait
    return 0.0 if fits or apart < FAR_APART else apart


def has_room_for_linear(plan: Plan) -> bool:
    """Return whether the clips are long enough for a cross-fade about the centre."""
    room = room_for(plan.half, plan.ratio, "linear")
    return room.missing(plan.a.clip, plan.b.clip, plan.centre) <= 0.0
