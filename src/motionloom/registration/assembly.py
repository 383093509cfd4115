"""The last step of every registration: judging what was found and putting it together."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import RegistrationWarning
from motionloom.motion import Clip
from motionloom.motion.sampling import vectors_at
from motionloom.registration.alignment import AlignmentCurve
from motionloom.registration.alignment_fit import AlignedSamples
from motionloom.registration.constraint_match import ConstraintMatches
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.distance_grid import cloud_distance
from motionloom.registration.point_cloud import PointCloud
from motionloom.registration.report import RegistrationReport, Verdict, judged
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp import TimewarpCurve

COMPARED_MOMENTS = 60
"""Moments, spread evenly over a curve, at which corresponding frames are compared with all others."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings:
    """What the steps of a registration found, before it is judged.

    ``clouds`` and ``frames`` (N, K) of moments spread over the curve are what the judgement compares.
    """

    clips: tuple[Clip, ...]
    timewarp: TimewarpCurve
    alignment: AlignmentCurve
    samples: AlignedSamples
    found: ConstraintMatches
    clouds: Sequence[PointCloud]
    frames: FloatArray
    reference: int
    settings: RegistrationSettings
    saturation: float
    cycle_error: float | None
    notes: tuple[str, ...]


def assembled(findings: Findings) -> RegistrationCurve:
    """Judge what was found, warn when it is not good, and put it together."""
    f = findings
    rivals = _rivals(f.clouds, f.frames, f.reference)
    fewest = min(len(clip.constraints) for clip in f.clips)
    verdict, reason = judged(rivals, f.saturation, len(f.found.matches), fewest)
    if verdict is not Verdict.GOOD:
        warnings.warn(f"registration is {verdict.value} ({reason})", RegistrationWarning, stacklevel=3)
    others = np.sqrt(np.delete(f.samples.distances, f.reference, axis=1))
    report = RegistrationReport(
        mean_distance=float(others.mean()),
        max_distance=float(others.max()),
        rivals=rivals,
        saturation=f.saturation,
        unmatched=f.found.unmatched,
        splits=f.found.splits,
        n_matches=len(f.found.matches),
        cycle_error=f.cycle_error,
        fit=f.timewarp.report,
        verdict=verdict,
        reason=reason,
        notes=f.notes,
    )
    return RegistrationCurve(
        clips=f.clips,
        timewarp=f.timewarp,
        alignment=f.alignment,
        matches=f.found.matches,
        reference=f.reference,
        report=report,
        settings=f.settings,
    )


def moments(timewarp: TimewarpCurve) -> FloatArray:
    """Corresponding frames (N, K) at moments spread evenly over a curve."""
    return timewarp(np.linspace(*timewarp.domain, COMPARED_MOMENTS))


def _rivals(clouds: Sequence[PointCloud], frames: FloatArray, reference: int) -> float:
    """The largest share of moments of a clip that look more like a moment of another than its counterpart."""
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
