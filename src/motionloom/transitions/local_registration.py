"""Registering two clips about the centre of a transition, and no farther."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.strides import gait_phase, is_locomotion, strikes
from motionloom.arrays import FloatArray
from motionloom.errors import RegistrationWarning
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, RegistrationSettings
from motionloom.registration.assembly import TimeFindings
from motionloom.registration.correspondence import fitted
from motionloom.registration.dtw import Cell, min_slope_limit
from motionloom.registration.open_ends import finished
from motionloom.registration.pairs import PairAlignment, PairTask
from motionloom.registration.point_cloud import PointCloud, point_cloud, stretched
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.registration.timewarp_fit import min_rate_for
from motionloom.transitions.outwards import align_outwards
from motionloom.transitions.plan import Plan
from motionloom.transitions.width import room_for

OFF_PHASE = 0.3
"""Cycles by which the phases of two gaits may differ at the centre for their strikes to correspond."""

RATE_SMOOTHING = 20.0
"""Weight of changes of rate against squared frames of error. Strikes hold the curve, so it may be much larger
than for registering whole clips: with 1 the root's acceleration in the middle of captured transitions is up
to twice that of the clips, with 20 it is theirs."""

CLEAR = 0.12
"""Seconds between two pairs of frames that are held to each other: nearer ones would bend time to meet."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """What is aligned of both clips: the pieces, the frames they begin with, and the centre within them."""

    clips: tuple[Clip, Clip]
    firsts: tuple[int, int]
    centre: Cell
    whole: bool
    """Whether there is no more motion to align."""


def cut_pieces(plan: Plan, reach: float) -> Pieces:
    """The clips about the centre, ``reach`` times as far as the transition should need them."""
    room = room_for(reach * plan.half, plan.ratio, "registration")
    firsts, clips, whole = [], [], True
    for n, clip in enumerate((plan.a.clip, plan.b.clip)):
        first = max(0, int(plan.centre[n] - room.before[n]))
        stop = min(clip.n_frames, int(np.ceil(plan.centre[n] + room.after[n])) + 1)
        whole &= first == 0 and stop == clip.n_frames
        firsts.append(first)
        clips.append(clip[first:stop])
    centre = (plan.centre[0] - firsts[0], plan.centre[1] - firsts[1])
    return Pieces((clips[0], clips[1]), (firsts[0], firsts[1]), centre, whole)


def aligned(pieces: Pieces, plan: Plan) -> RegistrationCurve:
    """The registration curve of the pieces, grown outwards from the centre.

    Where both clips show a gait, their strikes correspond; the centre is where frames look most alike, which
    a strike may contradict by a frame or two.
    """
    a, b = pieces.clips
    settings = RegistrationSettings()
    settings = replace(
        settings, min_rate=min_rate_for(settings.slope_limit) * min(plan.ratio, 1.0 / plan.ratio)
    )
    clouds = [point_cloud(clip) for clip in pieces.clips]
    events = strike_pairs(plan, pieces)
    found = _aligned_times(clouds, _pins(events, pieces), plan.ratio, settings, a.fps)
    with warnings.catch_warnings():
        # The report of the transition says it instead.
        warnings.simplefilter("ignore", RegistrationWarning)
        return finished(
            (a, b),
            clouds,
            found.frames,
            _timewarp(found.frames, events, settings, a.fps),
            0,
            settings,
            time=TimeFindings(saturation=found.alignment.saturation, cycle_error=None, notes=()),
            stacklevel=2,
        )


def _aligned_times(
    clouds: Sequence[PointCloud],
    pins: Sequence[tuple[float, float]],
    ratio: float,
    settings: RegistrationSettings,
    fps: float,
) -> PairAlignment:
    """Frames of both clouds that correspond.

    The clip with the shorter strides is stretched first, so that the slope limit bounds departures from the
    clips' own rates.
    """
    stretch = np.array([max(1.0, ratio), max(1.0, 1.0 / ratio)])
    lengths = [round((len(cloud.positions) - 1) * by) + 1 for cloud, by in zip(clouds, stretch, strict=True)]
    one, other = (stretched(cloud, length) for cloud, length in zip(clouds, lengths, strict=True))
    scale = [(len(cloud.positions) - 1) / (n - 1) for cloud, n in zip(clouds, lengths, strict=True)]
    cells = [(round(i / scale[0]), round(j / scale[1])) for i, j in pins]
    found = align_outwards(
        PairTask(
            one,
            other,
            half_width=round(settings.window * fps),
            fps=fps,
            slope_limit=settings.slope_limit,
            form=settings.form,
            start="free",
            end="free",
            pins=_passed(cells, settings.slope_limit),
        )
    )
    return replace(found, frames=found.frames * scale)


def _timewarp(
    frames: FloatArray, events: list[tuple[float, float]], settings: RegistrationSettings, fps: float
) -> TimewarpCurve:
    """The curve through corresponding frames (N, 2), held by strikes that correspond."""
    moments = [list(own) for own in zip(*events, strict=True)]
    return fitted(frames, settings, fps, events=moments, smoothing=RATE_SMOOTHING)


def strike_pairs(plan: Plan, pieces: Pieces) -> list[tuple[float, float]]:
    """Frames of strikes within the pieces that correspond, by the gaits' phases; none without two gaits."""
    clips = plan.a.clip, plan.b.clip
    if not all(is_locomotion(clip) for clip in clips):
        return []
    at = [float(gait_phase(clip)[frame]) for clip, frame in zip(clips, plan.centre, strict=True)]
    cycles = round(at[1] - at[0])
    if abs(at[1] - at[0] - cycles) > OFF_PHASE:
        return []
    ours, theirs = (_phased_strikes(clip) for clip in clips)
    pairs = [
        (frame - pieces.firsts[0], theirs[half_steps + 2 * cycles] - pieces.firsts[1])
        for half_steps, frame in ours.items()
        if half_steps + 2 * cycles in theirs
    ]
    return [
        pair for pair in pairs if all(0 < f < c.n_frames - 1 for f, c in zip(pair, pieces.clips, strict=True))
    ]


def _phased_strikes(clip: Clip) -> dict[int, float]:
    """Frames of strikes by the half cycles since the first left one."""
    hits = strikes(clip)
    first = -1 if hits[0].side == "right" else 0
    return {first + n: hit.frame for n, hit in enumerate(hits)}


def _pins(events: list[tuple[float, float]], pieces: Pieces) -> list[tuple[float, float]]:
    """Frames that the time alignment puts together: the strikes, and the centre where none is near."""
    near = CLEAR / pieces.clips[0].frame_time
    beside = [min(abs(i - pieces.centre[0]), abs(j - pieces.centre[1])) for i, j in events]
    if min(beside, default=np.inf) > near:
        return sorted([*events, pieces.centre])
    return events


def _passed(cells: Sequence[Cell], slope_limit: int) -> list[Cell]:
    """The cells that a path from the first of them can pass."""
    kept = list(cells[:1])
    for cell in cells[1:]:
        ahead = min(cell[0] - kept[-1][0], cell[1] - kept[-1][1])
        if ahead > 0 and min_slope_limit(kept[-1], cell, free_first_step=False) <= slope_limit:
            kept.append(cell)
    return kept
