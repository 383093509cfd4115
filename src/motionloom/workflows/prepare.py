"""From raw clips to a registration curve: plants found, clips cut or closed, and registered."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np

from motionloom.annotation import annotate
from motionloom.annotation.strides import is_locomotion, strikes
from motionloom.cycles import CycleReport, cyclify, match_strides
from motionloom.cycles.stride_matching import StrideCut
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import find_anatomy
from motionloom.registration import RegistrationCurve, register
from motionloom.registration.distance_grid import DEFAULT_WINDOW
from motionloom.registration.timewarp.monotone_fit import DEFAULT_MIN_RATE

Cut = Literal["auto", "strides", "loops", "whole"]
"""What is taken of clips before they are registered."""

FASTEST_STEP = 3.0
"""In a gait the feet swing at most so many times as fast in one step as in any other. Captured walks and
runs, turns of 90° among them, reach 2.3; kicks with a run-up and cartwheels begin at 3.9."""


def with_plants(clip: Clip) -> Clip:
    """The clip itself where it has constraints, else annotated; events that it has stay as they are.

    >>> from motionloom.synthesis import walk
    >>> found = with_plants(walk(duration=2.0, fps=30).clip)
    >>> len(found.constraints) > 0, with_plants(found) is found
    (True, True)
    """
    return clip if clip.constraints else annotate(clip)


def is_steady(clip: Clip) -> bool:
    """Whether an annotated clip shows a gait and no action besides, such as a kick after a run-up.

    An action is a step in which the feet go much faster than in another: strides that are cut to match by
    their strikes alone would not bring it together with that of other clips.

    >>> from motionloom.synthesis import walk
    >>> is_steady(annotate(walk(duration=3.0, fps=30).clip))
    True
    """
    if not is_locomotion(clip):
        return False
    ankles = [leg.ankle for leg in find_anatomy(clip.skeleton).legs]
    speeds = np.linalg.norm(np.diff(clip.world_positions()[:, ankles], axis=0), axis=-1).max(axis=1)
    frames = np.clip(np.rint([hit.frame for hit in strikes(clip)]), 0, len(speeds) - 1).astype(np.int64)
    # Before the first strike and after the last the clip may stand.
    steps = [speeds[start : end + 1].max() for start, end in pairwise(frames)]
    return bool(speeds.max() <= FASTEST_STEP * min(steps))


def prepared(
    clips: Sequence[Clip], progress: Callable[[int, int], None] | None = None
) -> tuple[RegistrationCurve, tuple[StrideCut, ...]]:
    """Annotate clips that need it, cut locomotion to the same strides, and register.

    Clips with an action in their midst, such as a kick after a run-up, stay whole (:func:`is_steady`).
    Returns the curve, and what was kept of each clip where strides were matched.

    >>> from motionloom.synthesis import kick
    >>> curve, cuts = prepared([kick(duration=seconds).clip for seconds in (1.4, 1.8)])
    >>> curve.n_clips, cuts
    (2, ())
    """
    return registered(clips, progress=progress)


def registered(
    clips: Sequence[Clip],
    *,
    cut: Cut = "auto",
    pins: Sequence[Sequence[float]] = (),
    start: Sequence[float] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **choices: Any,
) -> tuple[RegistrationCurve, tuple[StrideCut, ...]]:
    """Find plants, take what the clips have in common, and register that.

    Parameters
    ----------
    clips
        Two clips or more, as they were captured.
    cut
        "auto" cuts clips of nothing but a gait to the same strides and takes others whole, as
        :func:`motionloom.mix` does; "strides" insists on strides; "loops" closes one cycle of each clip that
        is not cyclic; "whole" takes all as they are.
    pins
        Frames that are to correspond, one per clip, counted in the clips as they are given.
    start
        The frames, counted in the same way, from which on two clips correspond; None is where they begin, or
        the whole cycle of cyclic clips.
    progress
        Told how many of how many pairs of clips are aligned.
    **choices
        Further arguments of :func:`motionloom.register`.

    Returns
    -------
    tuple
        The curve, and what was kept of each clip where strides were matched. How good the curve is, its
        report says; there is no warning.

    >>> from motionloom.synthesis import jog, walk
    >>> curve, cuts = registered([walk(duration=3.0, fps=30).clip, jog(fps=30).clip], cut="loops")
    >>> [clip.cyclic for clip in curve.clips], cuts
    ([True, True], ())
    """
    if cut not in get_args(Cut):
        raise ParameterError(f"cut must be one of {', '.join(get_args(Cut))}, not {cut!r}")
    ready = _annotated(_checked(clips), cut)
    if cut == "auto":
        gaits = not any(clip.cyclic for clip in ready) and all(map(is_steady, ready))
        taken = _taken(ready, "strides" if gaits else "whole")
        _check_lengths(taken.clips)
    else:
        taken = _taken(ready, cut)
    _check_window(choices.get("window"), taken.clips)
    if pins:
        choices["pins"] = [taken.cell(pin, "a pin") for pin in pins]
    if start is not None:
        choices["start"] = taken.cell(start, "the start")
    with warnings.catch_warnings():
        # The verdict is in the report, and decides: a warning would only say it twice.
        warnings.simplefilter("ignore", RegistrationWarning)
        curve = register(taken.clips, progress=progress, **choices)
    return curve, tuple(part for part in taken.parts if isinstance(part, StrideCut))


@dataclass(frozen=True, eq=False)
class _Taken:
    """What is registered of clips, and for each what part of it that is; None is all."""

    clips: list[Clip]
    parts: list[StrideCut | CycleReport | None]

    def cell(self, frames: Sequence[float], what: str) -> list[int]:
        """Frames of the given clips as frames of what was taken, all at the slowest rate among them.

        ``what`` they are, errors say.
        """
        if len(self.clips) > 2:
            raise ParameterError(
                f"pins and a start are frames of two clips, and {len(self.clips)} are to correspond: leave "
                "them out, or register two at a time"
            )
        if len(frames) != len(self.clips):
            raise ParameterError(
                f"{what} has one frame for each of the {len(self.clips)} clips, not {len(frames)}"
            )
        slowest = max(clip.frame_time for clip in self.clips)
        return [
            round(self._frame(frame, k, what) * clip.frame_time / slowest)
            for k, (frame, clip) in enumerate(zip(frames, self.clips, strict=True))
        ]

    def _frame(self, frame: float, k: int, what: str) -> float:
        part, clip = self.parts[k], self.clips[k]
        first, last = (0, clip.n_frames - 1) if part is None else (part.start, part.end)
        if not first <= frame <= last:
            raise ParameterError(
                f"{what} names frame {frame:g} of clip {k}, of which frames {first} to {last:.0f} are used: "
                "choose a frame among them"
            )
        if part is None:
            return frame
        # Closing a cycle stretches it to whole frames.
        rate = clip.n_frames / (part.end - part.start) if isinstance(part, CycleReport) else 1.0
        return (frame - part.start) * rate


def _check_window(window: object, clips: Sequence[Clip]) -> None:
    """Refuse a window that is longer than any clip, and would take more memory than all of them."""
    longest = max(clip.duration for clip in clips)
    if isinstance(window, int | float) and window > max(longest, DEFAULT_WINDOW):
        raise ParameterError(f"a window of {window:g} s is longer than the clips, which last {longest:.2f} s")


def _annotated(clips: Sequence[Clip], cut: Cut) -> list[Clip]:
    """The clips with plants and events.

    Whoever asks for a way to cut gets those that are missing too, such as strikes of a clip with plants.
    """
    return [with_plants(clip) if cut == "auto" else annotate(clip) for clip in clips]


def _taken(clips: list[Clip], cut: Cut) -> _Taken:
    """The same strides of annotated clips, one cycle of each, or all."""
    if cut == "strides":
        cut_clips = match_strides(clips)
        return _Taken(cut_clips, [clip.report for clip in cut_clips])
    if cut == "loops":
        cycles = [clip if clip.cyclic else cyclify(clip, n_cycles=1) for clip in clips]
        parts = [None if cycle is clip else cycle.report for cycle, clip in zip(cycles, clips, strict=True)]
        return _Taken(cycles, parts)
    return _Taken(clips, [None] * len(clips))


def _checked(clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """The clips, once they are known to be some, each with a skeleton."""
    if isinstance(clips, Clip | PointClip | str) or not isinstance(clips, Iterable):
        raise ParameterError(
            f"give a list of clips to mix, such as [walk, jog], not one {type(clips).__name__}"
        )
    listed = tuple(clips)
    if not listed:
        raise ParameterError("there are no clips to mix: give two or more")
    for n, clip in enumerate(listed):
        if isinstance(clip, PointClip):
            raise ParameterError(
                f"clip {n} has points and no skeleton, so its feet cannot be planted: "
                "register and blend such clips (motionloom.register, motionloom.blend)"
            )
        if not isinstance(clip, Clip):
            raise ParameterError(
                f"clip {n} is a {type(clip).__name__}, not a clip: read it (motionloom.load)"
            )
    return listed


def _check_lengths(clips: Sequence[Clip]) -> None:
    """Refuse clips without motion, and clips of which none lasts about as long as all the others."""
    for n, clip in enumerate(clips):
        if clip.n_frames < 2:
            raise ParameterError(
                f"clip {n} has {clip.n_frames} frames: to blend it, it needs two at least; "
                "was the file cut short?"
            )
    seconds = np.array([clip.duration for clip in clips])
    ratios = np.minimum(seconds[:, None] / seconds, seconds / seconds[:, None])
    if ratios.min(axis=1).max() < DEFAULT_MIN_RATE:
        short, long = int(seconds.argmin()), int(seconds.argmax())
        raise ParameterError(
            f"clip {short} is too short: it lasts {seconds[short]:.2f} s and clip {long} "
            f"{seconds[long]:.2f} s, more than {1.0 / DEFAULT_MIN_RATE:g} times as long; give a longer one, "
            f"or cut clip {long} to the same action"
        )
