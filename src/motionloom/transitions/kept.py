"""How much of each clip plays in a chain of transitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.messages import ClipName, Message, Part
from motionloom.motion import Clip
from motionloom.motion.motion import name_clips

MAX_SEEN_RATE = 2.0
"""How fast a clip may pass, in frames per frame, for what happens in it to be seen."""

SAME_RATE = 1e-6
"""Frames per frame by which rounding may change a rate."""

SOLE_WEIGHT = 1e-9
"""Weight of other clips below which a clip plays alone."""


def find_seen_steps(steps: FloatArray) -> FloatArray:
    """Return how many frames (N,) of a clip are seen in steps (N,) from frame to frame of the result.

    >>> find_seen_steps(np.array([1.0, 2.0, 7.0])).tolist()
    [1.0, 2.0, 0.0]
    """
    return np.where(steps <= MAX_SEEN_RATE + SAME_RATE, steps, 0.0)


def add_kept_fractions(result: BlendResult, clips: Sequence[Clip]) -> BlendResult:
    """Add how much of each clip plays to the report: the fraction of its frames, all and alone.

    Frames that pass at more than twice their speed do not count: nobody sees what happens in them.
    """
    kept, alone = [], []
    for k, clip in enumerate(clips):
        weights, frames = result.weights[:, k], result.frames[:, k]
        steps = np.diff(frames)
        # A frame that follows the last of a cycle is the first of the next.
        steps = np.where(steps < -0.5 * clip.n_frames, steps + clip.n_frames, steps)
        steps = find_seen_steps(steps)
        total = clip.n_frames - 1
        plays = np.maximum(weights[:-1], weights[1:]) > 0.0
        plays_alone = np.minimum(weights[:-1], weights[1:]) > 1.0 - SOLE_WEIGHT
        kept.append(min(1.0, float(steps[plays].sum()) / total))
        alone.append(min(1.0, float(steps[plays_alone].sum()) / total))
    report = replace(result.report, kept=tuple(kept), alone=tuple(alone))
    report = replace(report, notes=(*report.notes, describe_kept(report, name_clips(clips))))
    return replace(result, report=report)


def describe_kept(report: BlendReport, names: Sequence[ClipName]) -> Message:
    """Describe how much of each clip plays.

    >>> names = ClipName(0, "walk"), ClipName(1, "kick")
    >>> str(describe_kept(BlendReport(method="linear", kept=(0.9, 1.0), alone=(0.75, 0.8)), names))
    'of walk, 90 % play and 75 % alone; of kick, 100 % and 80 %'
    """
    parts: list[Part] = []
    for name, kept, alone in zip(names, report.kept, report.alone, strict=True):
        words = (" play", " alone") if not parts else ("", "")
        played = f", {100 * kept:.0f} %{words[0]} and {100 * alone:.0f} %{words[1]}"
        parts += [*(["; "] if parts else []), "of ", name, played]
    return Message(parts)
