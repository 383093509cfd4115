"""Velocities, accelerations and jerks of captured points, and their peaks within windows of time.

Captured points carry noise that differences amplify: at 120 frames per second most of the raw acceleration of
a walk, and nearly all of its jerk, is noise, in which a visible kink would drown. Positions are therefore
smoothed first by a Gaussian whose cut-off is given in Hz, so that clips of different rates are treated alike,
and differenced at the clip's own rate. Only frames at which the whole filter lies inside the clip count: no
frames are invented beyond its ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, norm
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.quality.results import Measurement, MeasurementGroup
from motionloom.validation import check_positive

CUTOFF = 12.0
"""Hz at which the filter halves the power. Human movement lies below; in captured walks it takes the usual
peak acceleration from 240 to 50 m/s², and what it removes is noise."""

FILTER_WIDTH = 3.0
"""Standard deviations to either side after which the Gaussian is cut off."""

WINDOW = 0.25
"""Seconds to either side of a frame within which peaks count."""

USUAL_PERCENTILE = 95.0
"""Percentile over all windows of a clip that counts as its usual peak; what exceeds it are glitches."""

ACCELERATION, JERK = 2, 3
"""Orders of derivatives of positions."""


@dataclass(frozen=True, eq=False)
class Signal:
    """Values (N, ...) one frame apart; the first belongs to the (fractional) frame ``first``."""

    values: FloatArray
    first: float

    def around(self, frame: float, width: float) -> FloatArray:
        """Return the values (M, ...) at most ``width`` frames away from a frame; at least the nearest one."""
        low = int(np.ceil(frame - width - self.first))
        high = int(np.floor(frame + width - self.first))
        nearest = int(np.clip(round(frame - self.first), 0, len(self.values) - 1))
        return self.values[max(min(low, nearest), 0) : max(high, nearest) + 1]


def derivative(values: FloatArray, frame_time: float, order: int, cutoff: float | None = CUTOFF) -> Signal:
    """Return a derivative of values (T, ...) over time, smoothed at ``cutoff`` Hz.

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
    """Return the lengths (N, ...) of the derivatives of positions (T, ..., 3).

    >>> walked = np.array([[0.0, 0, 0], [3.0, 0, 4.0], [6.0, 0, 8.0]])
    >>> magnitudes(walked, 1.0, 1, cutoff=None).values.tolist()
    [5.0, 5.0]
    """
    found = derivative(positions, frame_time, order, cutoff)
    return Signal(norm(found.values), found.first)


def window_peaks(values: FloatArray, width: int) -> FloatArray:
    """Return the largest of each ``width`` successive values (N, ...); one window where there are fewer.

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


def measure_smoothness(clip: Clip) -> MeasurementGroup:
    """Measure the accelerations and jerks that are usual in a clip."""
    width = round(2.0 * WINDOW / clip.frame_time) + 1

    def usual_peak(order: int) -> float:
        sizes = magnitudes(clip.world_positions(), clip.frame_time, order).values.max(axis=1)
        return float(np.percentile(window_peaks(sizes, width), USUAL_PERCENTILE))

    return MeasurementGroup(
        "smoothness",
        (
            Measurement(
                "peak acceleration", usual_peak(ACCELERATION), "m/s²", "of any joint, usual within 0.5 s"
            ),
            Measurement("peak jerk", usual_peak(JERK), "m/s³", "of any joint, usual within 0.5 s"),
        ),
    )


def _gaussian(cutoff: float) -> FloatArray:
    """Return the weights (2h + 1,) of the filter that halves the power at ``cutoff`` cycles per frame."""
    deviation = np.sqrt(np.log(2.0)) / (2.0 * np.pi * cutoff)
    half = int(np.ceil(FILTER_WIDTH * deviation))
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / deviation) ** 2)
    return np.asarray(weights / weights.sum())
