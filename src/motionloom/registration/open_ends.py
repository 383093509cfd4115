"""Place and constraints of clips with two ends, once it is known which frames correspond."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.registration.alignment import align_samples, fit_alignment
from motionloom.registration.assembly import Findings, TimeFindings, assembled, moments
from motionloom.registration.constraint_match import match_constraints
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.point_cloud import PointCloud
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp import TimewarpCurve


def finished(
    clips: tuple[Clip, ...],
    clouds: Sequence[PointCloud],
    pairs: FloatArray,
    timewarp: TimewarpCurve,
    reference: int,
    settings: RegistrationSettings,
    *,
    time: TimeFindings,
    stacklevel: int,
) -> RegistrationCurve:
    """Align corresponding frames, match constraints and assemble the curve fitted to ``pairs`` (N, K)."""
    fps = clips[0].fps
    samples = align_samples(clouds, timewarp, reference, half_width=round(settings.window * fps))
    spacing = max(2.0, settings.knot_spacing * fps)
    spans = timewarp(timewarp.domain)
    found = match_constraints(
        [clip.constraints for clip in clips],
        lambda k, frames: timewarp.inverse(k, np.clip(frames, *spans[:, k])),
    )
    return assembled(
        Findings(
            clips=clips,
            timewarp=timewarp,
            alignment=fit_alignment(samples, reference, knot_spacing=spacing, smoothing=settings.smoothing),
            samples=samples,
            found=found,
            pairs=pairs,
            clouds=clouds,
            frames=moments(timewarp),
            reference=reference,
            settings=settings,
            time=time,
        ),
        stacklevel=stacklevel + 1,
    )
