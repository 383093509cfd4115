"""Steps and strides of a gait, from the strikes of an annotated clip."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from motionloom.annotation.labels import STRIKE
from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import Side, find_anatomy
from motionloom.motion.body import on_body

MIN_STRIKES = 3
"""Strikes of a whole stride: the fewest that show a gait."""

MIN_STEP_LENGTH = 0.15
"""A gait travels at least this far per step, metres; less is stepping on the spot."""

MAX_STEP_RATIO = 2.5
"""The longest step of a gait takes at most this many times as long as the shortest, even in a limp."""

MAX_STEP_SPEED_RATIO = 3.0
"""In a steady gait, the feet swing at most this many times as fast in one step as in another. Captured walks
and runs, 90° turns included, reach 2.3; kicks with a run-up and cartwheels start at 3.9."""


class Strike(NamedTuple):
    """A foot touches down: its side, and the fractional frame."""

    side: Side
    frame: float


class Stride(NamedTuple):
    """From one strike of a foot to its next: the side, and both fractional frames."""

    side: Side
    start: float
    end: float


def strikes(clip: Clip) -> list[Strike]:
    """Return the strikes of both feet in order of time, from the events of an annotated clip.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> [strike.side for strike in strikes(annotate(walk(duration=2.0).clip))]
    ['right', 'left', 'right']
    """
    sides: dict[str, Side] = {
        clip.skeleton.names[leg.ankle]: leg.side for leg in find_anatomy(clip.skeleton).legs
    }
    found = [event for event in clip.events if event.label == STRIKE and event.joint in sides]
    return [Strike(sides[event.joint], event.frame) for event in found]


def strides(clip: Clip) -> list[Stride]:
    """Return the strides of both feet in order of their starts, from the events of an annotated clip.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> [(side, round(end - start)) for side, start, end in strides(annotate(walk(duration=2.0).clip))]
    [('right', 62)]
    """
    found = []
    hits = strikes(clip)
    for n, hit in enumerate(hits):
        following = next((later.frame for later in hits[n + 1 :] if later.side == hit.side), None)
        if following is not None:
            found.append(Stride(hit.side, hit.frame, following))
    return found


@on_body
def is_locomotion(clip: Clip) -> bool:
    """Return whether an annotated clip shows a gait: at least three strikes, alternating, even and
    travelling.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import kick, walk
    >>> is_locomotion(annotate(walk(duration=2.0).clip)), is_locomotion(annotate(kick().clip))
    (True, False)
    """
    return gait_fault(clip) is None


@on_body
def gait_fault(clip: Clip) -> str | None:
    """Say why an annotated clip shows no gait, as part of a sentence; None when it shows one.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> gait_fault(annotate(walk(duration=1.0).clip))
    'it has 1 strike and needs 3: annotate it first, or use a longer clip'
    """
    hits = strikes(clip)
    if len(hits) < MIN_STRIKES:
        count = "1 strike" if len(hits) == 1 else f"{len(hits)} strikes"
        return f"it has {count} and needs {MIN_STRIKES}: annotate it first, or use a longer clip"
    for before, after in pairwise(hits):
        if before.side == after.side:
            frames = f"{before.frame:.1f} and {after.frame:.1f}"
            return f"the {after.side} foot strikes twice in a row, at frames {frames}"
    steps = np.diff([hit.frame for hit in hits])
    if steps.max() > MAX_STEP_RATIO * steps.min():
        return f"its steps take from {steps.min():.1f} to {steps.max():.1f} frames, which is too uneven"
    travel = _travel_per_step(clip, hits)
    if travel < MIN_STEP_LENGTH:
        return f"it travels {travel:.2f} m per step, which is stepping on the spot"
    return None


@on_body
def gait_phase(clip: Clip) -> FloatArray:
    """Return the phase (T,) of a gait in cycles, rising: whole at left strikes, half-way between at right
    ones.

    It is linear between strikes, and continues at the rate of the nearest step before the first and after the
    last. The first left strike has phase 0.

    Raises
    ------
    ParameterError
        When the clip shows no gait; the message says what is missing.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> motion = walk(duration=3.0)
    >>> phase = gait_phase(annotate(motion.clip))
    >>> bool(abs((phase - motion.phase) % 1.0 - 0.5).min() > 0.45)
    True
    """
    fault = gait_fault(clip)
    if fault is not None:
        raise ParameterError(f"the clip shows no gait: {fault}")
    hits = strikes(clip)
    frames = np.array([hit.frame for hit in hits])
    phases = 0.5 * np.arange(len(hits)) - (0.5 if hits[0].side == "right" else 0.0)
    steps = np.diff(frames)
    # Extend by whole steps of the same length on each side, as far as the clip goes.
    before, after = int(np.ceil(frames[0] / steps[0])), int(np.ceil((len(clip) - frames[-1]) / steps[-1]))
    frames = np.concatenate([[frames[0] - before * steps[0]], frames, [frames[-1] + after * steps[-1]]])
    phases = np.concatenate([[phases[0] - 0.5 * before], phases, [phases[-1] + 0.5 * after]])
    return freeze(np.interp(np.arange(clip.n_frames), frames, phases))


def _travel_per_step(clip: Clip, hits: list[Strike]) -> float:
    """Return metres per step, from strike to strike of the same foot, so that swaying does not count."""
    frames = np.clip(np.rint([hit.frame for hit in hits]), 0, clip.n_frames - 1).astype(np.int64)
    positions = clip.root_positions[frames][:, [0, 2]]
    return float(np.linalg.norm(positions[2:] - positions[:-2], axis=-1).mean()) / 2.0


def is_steady_gait(clip: Clip) -> bool:
    """Whether an annotated clip shows a gait and no other action, such as a kick after a run-up.

    An action is a step in which the feet move much faster than in another: strides matched by their strikes
    alone would not bring it together with that of other clips.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> is_steady_gait(annotate(walk(duration=3.0, fps=30).clip))
    True
    """
    if not is_locomotion(clip):
        return False
    ankles = [leg.ankle for leg in find_anatomy(clip.skeleton).legs]
    speeds = np.linalg.norm(np.diff(clip.world_positions()[:, ankles], axis=0), axis=-1).max(axis=1)
    frames = np.clip(np.rint([hit.frame for hit in strikes(clip)]), 0, len(speeds) - 1).astype(np.int64)
    # Before the first strike and after the last the body may stand still.
    steps = [speeds[start : end + 1].max() for start, end in pairwise(frames)]
    return bool(speeds.max() <= MAX_STEP_SPEED_RATIO * min(steps))
