"""Where the frames of a clip that was cut, closed or resampled come from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.cycles.loop_report import CycleReport
from motionloom.cycles.stride_matching import StrideCut
from motionloom.motion import Clip


class Origin(NamedTuple):
    """How frames are found in the clip that they come from: frame ``f`` is its frame ``start + rate * f``."""

    start: float
    rate: float

    def frames(self, frames: npt.ArrayLike) -> FloatArray:
        """Frames of a clip as frames of the one that it comes from."""
        return np.asarray(self.start + self.rate * np.asarray(frames, dtype=np.float64))


def origin_of(clip: Clip, frame_time: float) -> Origin:
    """Where a clip lies in the one that it was made of, whose frames last ``frame_time`` seconds.

    The clip may be that clip itself, its strides or a cycle of it, resampled or not.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.cycles import match_strides
    >>> from motionloom.synthesis import walk
    >>> walked = annotate(walk(duration=4.0, fps=60).clip)
    >>> strides = match_strides([walked])[0]
    >>> origin_of(strides.resampled(30), walked.frame_time) == (strides.report.start, 2.0)
    True
    """
    report = clip.report
    if isinstance(report, CycleReport):
        # Closing a cycle stretches it to whole frames.
        return Origin(float(report.start), (report.end - report.start) / clip.n_frames)
    start = float(report.start) if isinstance(report, StrideCut) else 0.0
    return Origin(start, clip.frame_time / frame_time)
