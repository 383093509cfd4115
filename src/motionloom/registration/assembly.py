"""The last step of every registration: judging what was found and putting it together."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import RegistrationWarning
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.sampling import sample_vectors
from motionloom.registration.alignment import AlignedSamples, AlignmentCurve
from motionloom.registration.constraint_match import ConstraintMatches
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.distance import SPEED_REACH, cloud_distance, speed_shares
from motionloom.registration.point_cloud import PointCloud
from motionloom.registration.report import Evidence, RegistrationReport, Verdict, judged
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.time_alignment import DISTORTED_RATE
from motionloom.registration.timewarp import TimewarpCurve

COMPARED_SECONDS = 0.1
"""How far apart in time the three frames of a moment are."""

COMPARED_RATES = 200
"""Places, spread evenly over a curve, at which the clips' rates are compared."""

COMPARED_MOMENTS = 60
"""Moments, spread evenly over a curve, at which corresponding frames are compared with all others."""


@dataclass(frozen=True, kw_only=True)
class TimeFindings:
    """What the time alignment tells about a registration, and notes on what was done along the way.

    ``distortion`` is that of the alignment itself, which the curve may have evened out.
    """

    saturation: float
    cycle_error: float | None
    notes: tuple[str, ...]
    distortion: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings:
    """What the steps of a registration found, before it is judged.

    ``pairs`` (N, K) are the frames that correspond by the time alignment; ``clouds`` and ``frames`` (M, K) of
    moments spread over the curve are what the judgement compares.
    """

    clips: tuple[Clip, ...]
    timewarp: TimewarpCurve
    alignment: AlignmentCurve
    samples: AlignedSamples
    found: ConstraintMatches
    pairs: FloatArray
    clouds: Sequence[PointCloud]
    frames: FloatArray
    reference: int
    settings: RegistrationSettings
    time: TimeFindings


def assembled(findings: Findings, *, stacklevel: int) -> RegistrationCurve:
    """Judge what was found, warn when it is not good, and put it together.

    ``stacklevel`` is how many calls lie between the user's line and this function.
    """
    f = findings
    evidence = Evidence(
        rivals=_rivals(f.clouds, f.frames, f.reference, round(COMPARED_SECONDS * f.clips[0].fps)),
        distortion=max(f.time.distortion, _distortion(f.timewarp, f.reference)),
        saturation=f.time.saturation,
        n_matches=len(f.found.matches),
        n_odd=len(f.found.unmatched) + len(f.found.splits),
        opposite=_opposite(f.clips, f.timewarp, f.alignment, f.reference),
        speed_likeness=_speed_likeness(f.clouds, f.frames, f.reference, f.clips[0].frame_time),
    )
    verdict, reason = judged(evidence)
    if verdict is not Verdict.GOOD:
        message = f"registration is {verdict.value} ({reason})"
        warnings.warn(message, RegistrationWarning, stacklevel=stacklevel + 1)
    others = np.sqrt(np.delete(f.samples.distances, f.reference, axis=1))
    report = RegistrationReport(
        mean_distance=float(others.mean()),
        max_distance=float(others.max()),
        rivals=evidence.rivals,
        distortion=evidence.distortion,
        saturation=f.time.saturation,
        unmatched=f.found.unmatched,
        splits=f.found.splits,
        n_matches=len(f.found.matches),
        cycle_error=f.time.cycle_error,
        fit=f.timewarp.report,
        verdict=verdict,
        reason=reason,
        notes=f.time.notes,
    )
    return RegistrationCurve(
        clips=f.clips,
        timewarp=f.timewarp,
        alignment=f.alignment,
        matches=f.found.matches,
        reference=f.reference,
        report=report,
        settings=f.settings,
        samples=f.pairs,
    )


def moments(timewarp: TimewarpCurve) -> FloatArray:
    """Corresponding frames (N, K) at moments spread evenly over a curve."""
    return timewarp(np.linspace(*timewarp.domain, COMPARED_MOMENTS))


def _rivals(clouds: Sequence[PointCloud], frames: FloatArray, reference: int, reach: int) -> float:
    """The largest share of moments of a clip that look more like a moment of another than its counterpart.

    A moment is a frame with one before and one after it, ``reach`` frames away, so that a motion differs from
    its reverse.
    """
    picked = [_moments_of(cloud, frames[:, k], reach) for k, cloud in enumerate(clouds)]
    shares = [0.0]
    for k, cloud in enumerate(picked):
        if k != reference:
            grid = cloud_distance(picked[reference], cloud, half_width=0).values
            counterpart = grid.diagonal()
            shares += [float((grid < counterpart[:, None]).mean()), float((grid < counterpart).mean())]
    return max(shares)


def _moments_of(cloud: PointCloud, frames: FloatArray, reach: int) -> PointCloud:
    """Points of three frames each; rounding and the ends of the clip may ask for frames outside it."""
    last = len(cloud.positions) - 1.0
    parts = [
        sample_vectors(cloud.positions, np.clip(frames + step, 0.0, last)) for step in (-reach, 0, reach)
    ]
    return PointCloud(np.concatenate(parts, axis=1), np.tile(cloud.weights, 3) / 3.0)


def _speed_likeness(
    clouds: Sequence[PointCloud], frames: FloatArray, reference: int, frame_time: float
) -> float:
    """The least correlation, over clips, of points' speeds with the reference's at corresponding frames."""
    reach = max(1, round(SPEED_REACH / frame_time))
    shares = []
    for k, cloud in enumerate(clouds):
        own = speed_shares(cloud.positions, frame_time, reach)
        at = sample_vectors(own, np.clip(frames[:, k], 0.0, len(own) - 1.0))
        shares.append((at - at.mean(axis=0)) * np.sqrt(cloud.weights))
    sizes = [float(np.linalg.norm(own)) for own in shares]
    if min(sizes) == 0.0:
        return 1.0
    return min(
        float(np.vdot(shares[reference], own)) / (sizes[reference] * size)
        for own, size in zip(shares, sizes, strict=True)
    )


def _opposite(
    clips: Sequence[Clip], timewarp: TimewarpCurve, alignment: AlignmentCurve, reference: int
) -> float:
    """The largest share of moments at which a body, put on the reference's, faces the other way."""
    if timewarp.periods is not None or not all(isinstance(clip, Clip) for clip in clips):
        return 0.0
    u = np.linspace(*timewarp.domain, COMPARED_MOMENTS)
    frames, yaws = timewarp(u), alignment(u)[..., 0]
    headings = [
        np.interp(frames[:, k], np.arange(clip.n_frames), facing(clip)) + yaws[:, k]
        for k, clip in enumerate(clips)
    ]
    return max(float((np.cos(own - headings[reference]) < 0.0).mean()) for own in headings)


def _distortion(timewarp: TimewarpCurve, reference: int) -> float:
    """The largest share of the curve on which a clip runs far off its overall rate against the reference."""
    u = np.linspace(*timewarp.domain, COMPARED_RATES)
    rates = timewarp.derivative(u) / np.diff(timewarp(timewarp.domain), axis=0)
    ratios = np.abs(np.log(rates / rates[:, [reference]]))
    return float((ratios > np.log(DISTORTED_RATE)).mean(axis=0).max())
