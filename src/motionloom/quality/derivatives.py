"""Speeds, accelerations and jerks of captured points, and their peaks within windows of time.

Captured points carry noise that differences amplify: at 120 frames per second most of the raw acceleration of
a walk, and nearly all of its jerk, is noise, and a visible kink would drown in it. Positions are therefore
smoothed first by a Gaussian whose cut-off is given in Hz, so that clips of different rates are treated alike,
and differenced at the clip's own rate. Only frames at which the whole filter lies inside the clip count: no
frames are invented beyond its ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.validation import check_positive

CUTOFF = 12.0
"""Hz at which the filter halves the power. Human movement lies below; in the captured walks this takes the
usual peak acceleration from 240 to 50 m/s², and what it takes away is noise."""

FILTER_WIDTH = 3.0
"""Standard deviations to either side after which the Gaussian is cut off."""


@dataclass(frozen=True, eq=False)
class Signal:
    """Values (N, ...) that lie one frame apart; the first belongs to the (fractional) frame ``first``."""

    values: FloatArray
    first: float

    def around(self, frame: float, reach: float) -> FloatArray:
        """The values (M, ...) at most ``reach`` frames away from a frame; at least the nearest one."""
        low = int(np.ceil(frame - reach - self.first))
        high = int(np.floor(frame + reach - self.first))
        nearest = int(np.clip(round(frame - self.first), 0, len(self.values) - 1))
        return self.values[max(min(low, nearest), 0) : max(high, nearest) + 1]


def derivative(values: FloatArray, frame_time: float, order: int, cutoff: float | None = CUTOFF) -> Signal:
    """The derivative of values (T, ...) per second to the power ``order``, smoothed at ``cutoff`` Hz.

    Parameters
    ----------
    values
        (T, ...) samples.
    frame_time
        Seconds per frame.
    order
        1 for velocities, 2 for accelerations, 3 for jerks.
    cutoff
        Hz at which the filter halves the power; None for no filter.

    >>> derivative(np.array([0.0, 1.0, 4.0, 9.0]), 0.5, 2, cutoff=None).values.tolist()
    [8.0, 8.0]
    """
    weights = np.ones(1) if cutoff is None else _gaussian(check_positive("cutoff", cutoff) * frame_time)
    n_smooth = len(values) - len(weights) + 1
    if n_smooth <= order:
        raise ParameterError(
            f"a clip of {len(values)} frames is too short to measure derivatives of order {order}: "
            f"it needs {len(weights) + order} frames or more"
        )
    smooth = np.zeros((n_smooth, *values.shape[1:]))
    for shift, weight in enumerate(weights.tolist()):
        smooth += weight * values[shift : shift + n_smooth]
    first = (len(weights) - 1 + order) / 2.0
    return Signal(np.diff(smooth, n=order, axis=0) / frame_time**order, first)


def magnitudes(positions: FloatArray, frame_time: float, order: int, cutoff: float | None = CUTOFF) -> Signal:
    """Lengths (N, ...) of the derivatives of positions (T, ..., 3).

    >>> walked = np.array([[0.0, 0, 0], [3.0, 0, 4.0], [6.0, 0, 8.0]])
    >>> magnitudes(walked, 1.0, 1, cutoff=None).values.tolist()
    [5.0, 5.0]
    """
    found = derivative(positions, frame_time, order, cutoff)
    return Signal(np.sqrt(np.einsum("...i,...i", found.values, found.values)), found.first)


def window_peaks(values: FloatArray, width: int) -> FloatArray:
    """The largest of each ``width`` successive values (N, ...); one window where there are fewer.

    >>> window_peaks(np.array([1.0, 5.0, 2.0, 3.0]), 3).tolist()
    [5.0, 5.0]
    """
    width = min(max(width, 1), len(values))
    # The peak of a window is the larger of the peaks of two shorter ones that cover it.
    peaks, span = values, 1
    while 2 * span <= width:
        peaks = np.maximum(peaks[:-span], peaks[span:])
        span *= 2
    rest = width - span
    return np.asarray(np.maximum(peaks[: len(peaks) - rest], peaks[rest:]))


def seen_from_body(clip: Clip) -> FloatArray:
    """Joint positions (T, J, 3) as seen from the root, with axes that turn with the heading, metres.

    Only the heading is taken out, not the whole turn of the root: the tilt of a captured pelvis is noisy, and
    would make all other joints as noisy.

    >>> from motionloom.synthesis import biped, stand
    >>> seen = seen_from_body(stand(duration=1.0).clip)
    >>> seen.shape[1], seen[:, 0].any()
    (22, np.False_)
    """
    places = clip.world_positions()
    back = rot.from_yaw(-facing(clip))[:, None]
    return rot.rotate(back, places - places[:, :1])


def _gaussian(cutoff: float) -> FloatArray:
    """Weights (2h + 1,) of the filter that halves the power at ``cutoff`` cycles per frame."""
    spread = np.sqrt(np.log(2.0)) / (2.0 * np.pi * cutoff)
    half = int(np.ceil(FILTER_WIDTH * spread))
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / spread) ** 2)
    return np.asarray(weights / weights.sum())
