"""The rest of a registration once it is known which frames correspond: place, constraints, report."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import RegistrationWarning
from motionloom.motion import Clip
from motionloom.motion.sampling import vectors_at
from motionloom.registration.alignment import align_samples, fit_alignment
from motionloom.registration.constraint_match import match_constraints
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.distance_grid import cloud_distance
from motionloom.registration.point_cloud import PointCloud
from motionloom.registration.report import RegistrationReport, Verdict, judged
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp import TimewarpCurve

COMPARED_MOMENTS = 60
"""Moments, spread evenly over a curve, at which corresponding frames are compared with all others."""


def assembled(
    clips: tuple[Clip, ...],
    clouds: Sequence[PointCloud],
    timewarp: TimewarpCurve,
    reference: int,
    settings: RegistrationSettings,
    *,
    saturation: float,
    cycle_error: float | None,
    notes: tuple[str, ...],
) -> RegistrationCurve:
    """Align corresponding frames, match constraints, judge the result and warn when it is not good."""
    fps = clips[0].fps
    samples = align_samples(clouds, timewarp, reference, half_width=round(settings.window * fps))
    spacing = max(2.0, settings.knot_spacing * fps)
    spans = timewarp(timewarp.domain)
    found = match_constraints(
        [clip.constraints for clip in clips],
        lambda k, frames: timewarp.inverse(k, np.clip(frames, *spans[:, k])),
    )
    rivals = _rivals(clouds, timewarp, reference)
    fewest = min(len(clip.constraints) for clip in clips)
    verdict, reason = judged(rivals, saturation, len(found.matches), fewest)
    if verdict is not Verdict.GOOD:
        warnings.warn(f"registration is {verdict.value} ({reason})", RegistrationWarning, stacklevel=3)
    others = np.sqrt(np.delete(samples.distances, reference, axis=1))
    report = RegistrationReport(
        mean_distance=float(others.mean()),
        max_distance=float(others.max()),
        rivals=rivals,
        saturation=saturation,
        unmatched=found.unmatched,
        splits=found.splits,
        n_matches=len(found.matches),
        cycle_error=cycle_error,
        fit=timewarp.report,
        verdict=verdict,
        reason=reason,
        notes=notes,
    )
    return RegistrationCurve(
        clips=clips,
        timewarp=timewarp,
        alignment=fit_alignment(samples, reference, knot_spacing=spacing, smoothing=settings.smoothing),
        matches=found.matches,
        reference=reference,
        report=report,
        settings=settings,
    )


def _rivals(clouds: Sequence[PointCloud], timewarp: TimewarpCurve, reference: int) -> float:
    """The largest share of moments of a clip that look more like a moment of another than its counterpart."""
    u = np.linspace(*timewarp.domain, COMPARED_MOMENTS)
    frames = timewarp(u)
    picked = [PointCloud(_at(cloud, frames[:, k]), cloud.weights) for k, cloud in enumerate(clouds)]
    shares = [0.0]
    for k, cloud in enumerate(picked):
        if k != reference:
            grid = cloud_distance(picked[reference], cloud, half_width=0).values
            counterpart = grid.diagonal()
            shares += [float((grid < counterpart[:, None]).mean()), float((grid < counterpart).mean())]
    return max(shares)


def _at(cloud: PointCloud, frames: FloatArray) -> FloatArray:
    """Points (N, P, 3) at fractional frames; rounding may put the ends a hair outside."""
    return vectors_at(cloud.positions, np.clip(frames, 0.0, len(cloud.positions) - 1.0))
