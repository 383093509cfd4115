"""Retiming to a plan or to music: the events of a clip at given times, or on a beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.validation import check_number, check_positive
from motionloom.warping.warp import WarpReport, warp

MIN_GAP = 1e-3
"""Seconds between two events below which they count as one."""


def retime_events(clip: Clip, times: Sequence[float], label: str, joint: str = "") -> Result[WarpReport]:
    """Let the events of a clip happen at given times; time in between is stretched smoothly.

    Parameters
    ----------
    clip
        An annotated clip.
    times
        Seconds of the result for the first events, in order.
    label
        Label of the events: "strike", "apex", …
    joint
        Only events of this joint; "" for all.

    Returns
    -------
    Result
        The retimed motion, and a :class:`~motionloom.warping.WarpReport`.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> slow = retime_events(annotate(walk(duration=2.0).clip), [0.5, 1.5], "strike")
    >>> [round(event.frame / slow.clip.fps, 3) for event in slow.clip.events if event.label == "strike"][:2]
    [0.5, 1.5]
    """
    found = event_times(check_clip("retime_events", clip), label, joint)
    if len(times) > len(found):
        raise ParameterError(f"there are {len(times)} times, but the clip has {len(found)} {label!r} events")
    wanted = [check_number("a time", time) for time in times]
    return warp(clip, times=list(zip(found, wanted, strict=False)))


def retime_to_beat(
    clip: ClipLike, beats_per_minute: float, label: str = "strike", joint: str = "", offset: float = 0.0
) -> Result[WarpReport]:
    """Let the events of a clip fall on the beats of music.

    The first event moves to the beat closest to it, every other one as many beats later as matches its
    distance, at least one.

    Parameters
    ----------
    clip
        An annotated clip.
    beats_per_minute
        The tempo.
    label, joint
        Which events, as for :func:`retime_events`.
    offset
        A time of the result at which a beat falls, seconds.

    Returns
    -------
    Result
        The retimed motion, and a :class:`~motionloom.warping.WarpReport`.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> march = retime_to_beat(annotate(walk(duration=3.0).clip), 120).clip
    >>> strikes = np.array([event.frame / march.fps for event in march.events if event.label == "strike"])
    >>> bool(abs(strikes / 0.5 - (strikes / 0.5).round()).max() < 1e-6)
    True
    """
    period = 60.0 / check_positive("beats_per_minute", beats_per_minute)
    offset = check_number("offset", offset) % period
    clip = check_clip("retime_to_beat", clip)
    times = np.array(event_times(clip, label, joint))
    beats = [max(round((times[0] - offset) / period), 0 if offset > 0.0 else 1)]
    for gap in np.diff(times).tolist():
        beats.append(beats[-1] + max(round(gap / period), 1))
    return retime_events(clip, [offset + beat * period for beat in beats], label, joint)


def event_times(clip: Clip, label: str, joint: str = "") -> list[float]:
    """Return the seconds at which events of a clip happen, in order; simultaneous ones count once.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> len(event_times(annotate(walk(duration=2.0).clip), "strike"))
    3
    """
    found: list[float] = []
    for event in clip.events:
        if event.label == label and joint in ("", event.joint):
            time = event.frame * clip.frame_time
            if time > 0.0 and (not found or time - found[-1] > MIN_GAP):
                found.append(time)
    if not found:
        labels = sorted({event.label for event in clip.events})
        known = f"it has {', '.join(labels)}" if labels else "annotate it first"
        raise ParameterError(f"the clip has no {label!r} events{f' of {joint}' if joint else ''}: {known}")
    return found
