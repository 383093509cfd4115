"""`smooth`: a zero-phase low-pass filter with a stated cut-off for positions and rotations of a clip."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import freeze, norm
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.filters import low_pass
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel, unroll
from motionloom.validation import check_positive

CUTOFF = 6.0
"""Hz that gait laboratories filter markers at: steps of walking and running lie below, noise above."""

MIN_CUTOFF = 1e-6
"""Cut-off as a fraction of the frame rate; below, the filter's numbers lose their meaning."""


@dataclass(frozen=True)
class SmoothReport:
    """The report of :func:`motionloom.smooth`.

    Attributes
    ----------
    cutoff
        Hz above which everything was removed.
    max_change
        The farthest that the clip's root was moved, metres.
    max_rotation
        The farthest that a joint was rotated, radians.

    >>> print(SmoothReport(6.0, 0.004, 0.1))
    smoothed at 6 Hz: the root moved by up to 0.4 cm, joints turned by up to 6°
    """

    cutoff: float
    max_change: float
    max_rotation: float

    def __str__(self) -> str:
        return (
            f"smoothed at {self.cutoff:g} Hz: the root moved by up to {100.0 * self.max_change:.1f} cm, "
            f"joints turned by up to {np.degrees(self.max_rotation):.0f}°"
        )


def smooth(clip: ClipLike, cutoff: float = CUTOFF) -> Result[SmoothReport]:
    """Remove everything above a frequency from a clip, at the same times.

    A Butterworth filter of order 2 runs forward and backward over the root's path, bones that move, and the
    components of all local rotations, unrolled so that neighbours lie in one hemisphere, then normalized. At
    ``cutoff`` half of the amplitude is left. Annotations stay. Impacts and fast turns get softer: 6 Hz suits
    walking, 10 to 15 Hz kicks and punches. Mend glitches first (:func:`motionloom.repair`): a filter spreads
    them over the frames around.

    Parameters
    ----------
    clip
        The motion; cyclic clips are filtered round the cycle.
    cutoff
        Cut-off frequency in Hz, below half of the frame rate.

    Returns
    -------
    Result
        The smooth clip, and a :class:`SmoothReport`.

    Raises
    ------
    ParameterError
        ``cutoff`` is not below half of the frame rate, or too low.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> bool(abs(smooth(clip, cutoff=10.0).clip.root_positions - clip.root_positions).max() < 0.01)
    True
    """
    clip = check_clip("smooth", clip)
    cutoff = check_positive("cutoff", cutoff, unit="Hz")
    if cutoff < MIN_CUTOFF * clip.fps:
        raise ParameterError(
            f"must be at least {MIN_CUTOFF * clip.fps:g} Hz at {clip.fps:g} frames per second, "
            f"not {cutoff:g}",
            parameter="cutoff",
            value=cutoff,
        )
    if cutoff >= clip.fps / 2.0:
        raise ParameterError(
            f"must be below half of the frame rate, {clip.fps / 2.0:g} Hz, not {cutoff:g}",
            parameter="cutoff",
            value=cutoff,
        )
    result = _smooth(clip, cutoff)
    moved = norm(result.root_positions - clip.root_positions)
    turned = norm(rot.to_rotation_vector(rot.multiply(rot.inverse(clip.rotations), result.rotations)))
    return Result(result, SmoothReport(cutoff, float(moved.max(initial=0.0)), float(turned.max(initial=0.0))))


def _smooth(clip: Clip, cutoff: float) -> Clip:
    if clip.n_frames < 2:
        return clip
    if clip.cyclic and clip.n_frames >= MIN_CYCLE_FRAMES:
        return _smooth_cycle(clip, cutoff)
    rotations = rot.normalize(low_pass(rot.unroll(clip.rotations), cutoff, clip.fps))
    return replace(
        clip,
        root_positions=freeze(low_pass(clip.root_positions, cutoff, clip.fps)),
        rotations=freeze(rotations),
        translations=None
        if clip.translations is None
        else freeze(low_pass(clip.translations, cutoff, clip.fps)),
        provenance=derive(clip, "smoothed"),
    )


def _smooth_cycle(clip: Clip, cutoff: float) -> Clip:
    """Return a cyclic clip filtered with a cycle before it and one after it."""
    n_frames = clip.n_frames
    many = _smooth(replace(unroll(clip, 3), cyclic=False), cutoff)
    second = slice(n_frames, 2 * n_frames)
    back = travel(clip).inverse()
    rotations = np.array(many.rotations[second])
    rotations[:, 0] = back.apply_to_rotations(rotations[:, 0])
    return replace(
        clip,
        root_positions=freeze(back.apply(many.root_positions[second])),
        rotations=freeze(rotations),
        translations=None if many.translations is None else many.translations[second],
        provenance=derive(clip, "smoothed"),
    )
