"""Blends of clips that end and begin again: a performance may last longer than the clips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.blending.weights import WeightFunction
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform, rotations
from motionloom.geometry.splines import smoothstep
from motionloom.messages import Argument
from motionloom.motion import Clip, Motion, PointClip
from motionloom.motion.anatomy import facing
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.validation import check_number

EASE_DURATION = 0.3
"""Seconds in which the pose at the end of the clips becomes that at their start, at most half of a run."""

MAX_RUNS = 1000
"""Times that clips are played at most; more are clips of a frame or two."""


class MakeRun(Protocol):
    """Makes a blend of the clips: from where on the curve, at which place, and how many seconds at most."""

    def __call__(
        self,
        weights: WeightFunction,
        *,
        place: GroundTransform | None,
        start: float | None,
        duration: float | None,
    ) -> BlendResult:
        """Return the blend."""
        ...


@final
class _LaterWeights(WeightFunction):
    """Weights from a time on, in seconds."""

    def __init__(self, function: WeightFunction, start: float) -> None:
        self._function, self._start = function, start

    def __call__(self, times: npt.ArrayLike) -> FloatArray:
        """Return the weights (N, K) at times (N,) after the start."""
        return self._function(np.asarray(times) + self._start)


def repeat_blend(
    make_run: MakeRun,
    model: Motion,
    function: WeightFunction,
    *,
    place: GroundTransform | None,
    start: float | None,
    duration: float | None,
    backward: bool,
) -> BlendResult:
    """Blend clips such as ``model`` again and again, each time from where the body is, until time is over.

    The first run begins at ``start``, all others at the beginning of the curve.
    """
    if backward or isinstance(model, PointClip):
        raise ParameterError("repeat takes clips with a skeleton, forward: omit repeat")
    if duration is None and function.duration is None:
        raise ParameterError(
            "a blend that repeats needs a duration, or weights that end",
            remedy=("state ", Argument("duration")),
        )
    seconds = check_number("duration", function.duration if duration is None else duration, min=0.0)
    runs: list[BlendResult] = []
    elapsed = 0.0
    while len(runs) < MAX_RUNS:
        left = max(0.0, seconds - elapsed)
        run = make_run(_LaterWeights(function, elapsed), place=place, start=start, duration=left)
        runs.append(run)
        # The next run begins one frame after the end of this one.
        n_frames = sum(each.clip.n_frames for each in runs)
        elapsed = n_frames * run.clip.frame_time
        if n_frames - WHOLE_FRAME > seconds / run.clip.frame_time:
            return runs[0] if len(runs) == 1 else _join_runs(runs)
        place, start = _find_next_place(run.clip), None
    raise ParameterError(
        f"the clips end after {MAX_RUNS} repeats and {elapsed:.2f} s, and the blend should last "
        f"{seconds:.2f} s",
        remedy="use longer clips, or a shorter duration",
    )


def _find_next_place(clip: Clip) -> GroundTransform:
    """Return where the body is one frame after the last of a clip."""
    x, _, z = _extrapolate(clip.root_positions).tolist()
    return GroundTransform(float(_extrapolate(facing(clip))), x, z)


def _extrapolate(values: FloatArray) -> FloatArray:
    """Return what follows the last of values (T, ...) if they change as from the one before to it."""
    return np.asarray(values[-1] if len(values) < 2 else 2.0 * values[-1] - values[-2])


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
        hand_overs=tuple(
            replace(each, start=each.start + begun, end=each.end + begun)
            for run, begun in zip(runs, np.multiply(firsts, first.frame_time).tolist(), strict=True)
            for each in run.report.hand_overs
        ),
        flights=tuple(
            replace(each, start=each.start + start, end=each.end + start)
            for run, start in zip(runs, firsts, strict=True)
            for each in run.report.flights
        ),
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
    )
    layers = [run.joint_weights for run in runs if run.joint_weights is not None]
    return BlendResult(
        clip=clip,
        report=report,
        u=np.concatenate([run.u for run in runs]),
        weights=np.concatenate([run.weights for run in runs]),
        frames=np.concatenate([run.frames for run in runs]),
        placements=np.concatenate([run.placements for run in runs]),
        joint_weights=np.concatenate(layers) if layers else None,
    )


def _ease_from(before: Clip, clip: Clip) -> Clip:
    """Begin a clip in the pose that follows the last one of the clip before; what differs fades out."""
    n_frames = min(round(EASE_DURATION / clip.frame_time), max(clip.n_frames // 2, 1))
    if n_frames < 1:
        return clip
    left = 1.0 - smoothstep(np.arange(n_frames) / n_frames)
    own, end = clip.rotations[:n_frames], before.rotations[-1]
    step = rotations.multiply(end, rotations.inverse(before.rotations[max(0, before.n_frames - 2)]))
    change = rotations.multiply(rotations.multiply(step, end), rotations.inverse(own[0]))
    turn = rotations.to_rotation_vector(rotations.nearer(change, rotations.IDENTITY))
    eased = rotations.multiply(rotations.from_rotation_vector(left[:, None, None] * turn), own)
    turned = clip.rotations.copy()
    turned[:n_frames] = rotations.nearer(eased, own)
    roots = clip.root_positions.copy()
    roots[:n_frames] += left[:, None] * (_extrapolate(before.root_positions) - clip.root_positions[0])
    return replace(clip, root_positions=roots, rotations=turned)
