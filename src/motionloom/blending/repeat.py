"""Blends of clips that end and begin again: a performance may last longer than the clips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.blending.weights import WeightFunction
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform, rotations
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing

EASE_DURATION = 0.3
"""Seconds in which the pose at the end of the clips becomes that at their start, at most half of a run."""

MAX_RUNS = 1000
"""Times that clips are played; more are clips of a frame or two."""

MakeRun = Callable[[WeightFunction, GroundTransform | None, float], BlendResult]
"""Makes a blend of the clips from their start: weights, place and longest duration in seconds."""


@final
class _LaterWeights(WeightFunction):
    """Weights from a time on, in seconds."""

    def __init__(self, function: WeightFunction, start: float) -> None:
        self._function, self._start = function, start

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the weights (N, K) at times (N,) after the start."""
        return self._function(np.asarray(times) + self._start)


def repeat_blend(
    make_run: MakeRun, function: WeightFunction, duration: float | None, place: GroundTransform | None
) -> BlendResult:
    """Blend clips again and again, each time from where the body is, until the duration is over."""
    seconds = function.duration if duration is None else duration
    if seconds is None:
        raise ParameterError("a blend that repeats needs a duration, or weights that end: state duration=")
    runs: list[BlendResult] = []
    n_frames = 0
    while True:
        start = n_frames * runs[0].clip.frame_time if runs else 0.0
        run = make_run(_LaterWeights(function, start), place, seconds - start)
        runs.append(run)
        n_frames += run.clip.n_frames
        # The next run begins one frame after the end of this one.
        if (n_frames + 0.5) * run.clip.frame_time > seconds or len(runs) == MAX_RUNS:
            break
        x, _, z = run.clip.root_positions[-1].tolist()
        place = GroundTransform(float(facing(run.clip)[-1]), x, z)
    return runs[0] if len(runs) == 1 else _join_runs(runs)


def _join_runs(runs: Sequence[BlendResult]) -> BlendResult:
    firsts = np.cumsum([0, *(run.clip.n_frames for run in runs[:-1])]).tolist()
    clips = [runs[0].clip]
    for run in runs[1:]:
        clips.append(_ease_from(clips[-1], run.clip))
    first = clips[0]
    moved = None
    if first.translations is not None:
        moved = np.concatenate([clip.translations for clip in clips if clip.translations is not None])
    notes = [note for run in runs for note in run.report.notes]
    report = BlendReport(
        method=runs[0].report.method,
        notes=(f"the clips were played {len(runs)} times", *dict.fromkeys(notes)),
        seams=tuple(float(start) for start in firsts[1:]),
    )
    clip = replace(
        first,
        root_positions=np.concatenate([clip.root_positions for clip in clips]),
        rotations=np.concatenate([clip.rotations for clip in clips]),
        translations=moved,
        constraints=tuple(
            replace(held, start=held.start + start, end=held.end + start)
            for own, start in zip(clips, firsts, strict=True)
            for held in own.constraints
        ),
        events=tuple(
            replace(event, frame=event.frame + start)
            for own, start in zip(clips, firsts, strict=True)
            for event in own.events
        ),
        report=report,
    )
    layers = [run.joint_weights for run in runs if run.joint_weights is not None]
    return BlendResult(
        clip=clip,
        u=np.concatenate([run.u for run in runs]),
        weights=np.concatenate([run.weights for run in runs]),
        frames=np.concatenate([run.frames for run in runs]),
        placements=np.concatenate([run.placements for run in runs]),
        joint_weights=np.concatenate(layers) if layers else None,
    )


def _ease_from(before: Clip, clip: Clip) -> Clip:
    """Begin a clip in the last pose of the one before; what differs fades out."""
    n_frames = min(round(EASE_DURATION / clip.frame_time), clip.n_frames // 2)
    if n_frames < 1:
        return clip
    t = np.arange(n_frames) / n_frames
    left = 1.0 - t * t * (3.0 - 2.0 * t)
    end, own = before.rotations[-1], clip.rotations[:n_frames]
    change = rotations.multiply(end, rotations.inverse(own[0]))
    turn = rotations.to_rotation_vector(rotations.nearer(change, np.array([1.0, 0.0, 0.0, 0.0])))
    eased = rotations.multiply(rotations.from_rotation_vector(left[:, None, None] * turn), own)
    turned = clip.rotations.copy()
    turned[:n_frames] = rotations.nearer(eased, own)
    roots = clip.root_positions.copy()
    roots[:n_frames] += left[:, None] * (before.root_positions[-1] - clip.root_positions[0])
    return replace(clip, root_positions=roots, rotations=turned)
