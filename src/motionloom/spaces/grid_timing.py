"""Timing of the clips of a grid: which frames correspond, and how to make these lie at equal fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Clip, Event
from motionloom.motion.provenance import derive

N_STEPS = 400
"""Steps along the registration at which the timing of clips is averaged: finer than frames of most clips."""

SAME_FRAME = 1e-6
"""Frames between which two moments are one; the rest is rounding."""


@dataclass(frozen=True, eq=False)
class GridTimewarp:
    """Which frames of K clips made from one registration correspond; what sync markers are found with.

    Attributes
    ----------
    positions
        For each clip the u (T,) of its frames, rising. A loop includes the frame that repeats its first.
    loop
        Whether the clips are loops.

    >>> warp = GridTimewarp((np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0])), loop=False)
    >>> warp(1.0).tolist(), warp.inverse(0, 1.5).tolist()
    ([1.0, 0.5], 1.5)
    """

    positions: tuple[FloatArray, ...]
    loop: bool

    @property
    def domain(self) -> tuple[float, float]:
        """The first u that all clips have, and the last."""
        return max(float(u[0]) for u in self.positions), min(float(u[-1]) for u in self.positions)

    @property
    def periods(self) -> FloatArray | None:
        """Frames per cycle (K,) of loops, else None."""
        return np.array([len(u) - 1.0 for u in self.positions]) if self.loop else None

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Return the frames (..., K) at u (...)."""
        at = np.asarray(u, dtype=np.float64)
        return np.stack([np.interp(at, own, np.arange(len(own))) for own in self.positions], axis=-1)

    def inverse(self, k: int, frame: npt.ArrayLike) -> FloatArray:
        """Return the u (...) at which clip k is at frames (...)."""
        own = self.positions[k]
        return np.asarray(np.interp(np.asarray(frame, dtype=np.float64), np.arange(len(own)), own))


@dataclass(frozen=True, eq=False)
class TimedClips:
    """Clips of a grid with their timing: what :func:`motionloom.annotation.common_sync_events` takes."""

    clips: tuple[Clip, ...]
    timewarp: GridTimewarp


def synchronize_clips(timed: TimedClips) -> TimedClips:
    """Retime clips so that frames which correspond lie at equal fractions of all clips.

    Each clip keeps its duration. What engines without sync markers blend, frames at equal fractions, then is
    what corresponds. The shared timing is the mean of the clips' own, so none changes more than it must.

    >>> from motionloom.synthesis import stand
    >>> clips = (stand(duration=0.2, fps=10).clip, stand(duration=0.2, fps=10).clip)
    >>> uneven = GridTimewarp((np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.5, 2.0])), loop=False)
    >>> shared = synchronize_clips(TimedClips(clips, uneven)).timewarp
    >>> [u.round(3).tolist() for u in shared.positions]
    [[0.0, 0.8, 2.0], [0.0, 0.8, 2.0]]
    """
    steps = np.linspace(*timed.timewarp.domain, N_STEPS + 1)
    frames = timed.timewarp(steps)
    fractions = (frames / frames[-1]).mean(axis=1)
    clips, positions = [], []
    for k, clip in enumerate(timed.clips):
        u = np.interp(np.linspace(0.0, 1.0, clip.n_frames), fractions, steps)
        clips.append(_retime(clip, np.interp(u, steps, frames[:, k])))
        positions.append(freeze(u))
    return TimedClips(tuple(clips), replace(timed.timewarp, positions=tuple(positions)))


def _retime(clip: Clip, frames: FloatArray) -> Clip:
    """Return a clip that shows frames (T,), as many as it has, with its annotations at their new times."""
    poses = clip.at(np.clip(frames, 0.0, clip.n_frames - 1.0), "catmull_rom")

    def move(frame: float) -> float:
        return float(np.interp(frame, frames, np.arange(len(frames))))

    return replace(
        clip,
        root_positions=poses.root_positions,
        rotations=poses.rotations,
        translations=poses.translations,
        constraints=tuple(replace(c, start=move(c.start), end=move(c.end)) for c in clip.constraints),
        events=tuple(Event(move(e.frame), e.label, e.joint) for e in clip.events),
        provenance=derive(clip, "retimed"),
    )


def drop_repeated_events(clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """Return loops without the events of the last frame, which repeats the first."""
    return tuple(
        replace(clip, events=tuple(e for e in clip.events if e.frame < clip.n_frames - 1 - SAME_FRAME))
        for clip in clips
    )
