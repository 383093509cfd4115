"""Find the frame rate of key times: glTF stores times, not a rate, and rounds them to single precision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.files.notes import Note, override
from motionloom.validation import MAX_FRAME_TIME, MIN_FRAME_TIME

USUAL_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 125.0, 144.0, 240.0)
"""Frames per second of cameras and programs, tried where keys are few."""

BROADCAST = 1000.0 / 1001.0
"""What a whole rate is multiplied by in broadcasting: 29.97 for 30."""

DEFAULT_RATE = 60.0
"""Frames per second of motion whose keys lie on the frames of no usual rate."""

MIN_RATE = 10.0
"""Frames per second below which keys are poses to interpolate, not the frames of a recording."""

ROUNDING_ERROR = 3e-7
"""Fraction of a time by which single precision and the sums of an exporter change it."""

CLOCK_ERROR = 2e-6
"""Seconds by which short times may be off."""

LOOSE_OFF = 0.05
"""Fraction of a frame by which keys of a careless exporter may be off."""

MAX_OFF = 0.25
"""Fraction of a frame by which a key may be off in any case; late keys are rounded more coarsely."""

FRAME_TIME_DIGITS = 7
"""Decimals of frame times that text files print, such as 0.0083333."""


@dataclass(frozen=True)
class FrameGrid:
    """Frames at ``first + n * frame_time`` seconds for n from 0 to ``n_frames`` − 1."""

    first: float
    frame_time: float
    n_frames: int

    def positions_of(self, times: FloatArray) -> FloatArray:
        """Return times (K,) as fractional frames; those very near a frame are on it."""
        frames = (times - self.first) / self.frame_time
        near = np.rint(frames)
        return np.where(np.abs(frames - near) <= LOOSE_OFF, near, frames)


def find_frame_grid(
    times: FloatArray, wanted: float | None, stated: float | None, notes: list[str]
) -> FrameGrid:
    """Return the frames of key times (K,), sorted and different.

    Parameters
    ----------
    times
        All times, in seconds, at which any joint has a key; at least one.
    wanted
        Seconds per frame that the caller asks for, or None.
    stated
        Seconds per frame that the file states, used where the keys agree.
    notes
        Receives a sentence where the keys do not tell a rate.
    """
    if wanted is not None:
        return _span_grid(times, wanted)
    if stated is not None and (len(times) == 1 or _fits(times, stated, 0.0)):
        return _span_grid(times, stated)
    if len(times) == 1:
        return _span_grid(times, 1.0 / DEFAULT_RATE)
    candidates = list(_candidates(times))
    for slack in (0.0, LOOSE_OFF):
        for frame_time in candidates:
            if _fits(times, frame_time, slack):
                return _span_grid(times, frame_time)
    text = f"its keys fit no usual frame rate: sampled at {DEFAULT_RATE:g}"
    notes.append(Note("frame_rate", text, remedy=override("fps")))
    return _span_grid(times, 1.0 / DEFAULT_RATE)


def _candidates(times: FloatArray) -> Iterator[float]:
    """Return frame times to try, the likeliest first."""
    steps = np.diff(times)
    span, step = float(times[-1] - times[0]), float(steps[steps > CLOCK_ERROR].min(initial=np.inf))
    if MIN_FRAME_TIME <= step <= 1.0 / MIN_RATE + CLOCK_ERROR:
        # The mean of many steps is far more exact than one of them.
        step = span / max(round(span / step), 1)
        rate = max(float(round(1.0 / step)), 1.0)
        yield from (1.0 / rate, 1.0 / (rate * BROADCAST), round(step, FRAME_TIME_DIGITS) or step, step)
    yield from (1.0 / usual for usual in USUAL_RATES)
    yield from (1.0 / (usual * BROADCAST) for usual in (24.0, 30.0, 60.0))


def _fits(times: FloatArray, frame_time: float, slack: float) -> bool:
    """Tell whether every key lies on a frame, within single precision or a fraction of a frame."""
    if not MIN_FRAME_TIME <= frame_time <= MAX_FRAME_TIME:
        return False
    since = times - times[0]
    off = np.abs(since - np.rint(since / frame_time) * frame_time)
    allowed = slack * frame_time + CLOCK_ERROR + ROUNDING_ERROR * np.abs(times)
    return bool((off <= np.minimum(allowed, MAX_OFF * frame_time)).all())


def _span_grid(times: FloatArray, frame_time: float) -> FrameGrid:
    """Return the frames from the first key to the last; one that the last key barely misses counts."""
    n_steps = int(float(times[-1] - times[0]) / frame_time + MAX_OFF)
    return FrameGrid(float(times[0]), frame_time, n_steps + 1)
