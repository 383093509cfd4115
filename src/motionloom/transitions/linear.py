"""The segment by linear cross-fade: both clips at their own rates, clip b placed once."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry.splines import smoothstep
from motionloom.messages import Argument
from motionloom.motion import Clip
from motionloom.options.registration import DEFAULT_WINDOW
from motionloom.registration.distance import distance
from motionloom.transitions.plan import Plan
from motionloom.transitions.segment import (
    TransitionSegment,
    bones_differ,
    interpolate_rotations,
    interpolate_vectors,
    sample_clip,
    smooth_weights,
    switch_annotations,
)


def make_linear_segment(plan: Plan, snap: bool = True) -> TransitionSegment:
    """Cross-fade from clip a to clip b, frame by frame to either side of the centre.

    Clip b is placed once, such that its centre best matches that of clip a. Constraints are those of the clip
    with more weight. With ``snap``, the first and the last frame are whole frames of the clips even if the
    centre is not; what that shifts fades to nothing at the centre.
    """
    a, b = plan.a.clip, plan.b.clip
    steps = np.arange(-plan.half, plan.half + 1)
    frames = np.stack([plan.centre[0] + steps, plan.centre[1] + steps], axis=-1).astype(np.float64)
    if snap and tuple(plan.centre) != plan.whole_centre:
        frames += _snap_shifts(frames)
    weights = smooth_weights(plan.half)
    transform = align_centres(plan)
    of_a = sample_clip(a, frames[:, 0])
    of_b = sample_clip(b, frames[:, 1]).placed(transform)
    bones = of_a.local_positions(), of_b.local_positions()
    placements = np.zeros((len(steps), 2, 3))
    placements[:, 1] = transform.row()
    return TransitionSegment(
        root_positions=interpolate_vectors(of_a.root_positions, of_b.root_positions, weights[:, 1]),
        rotations=interpolate_rotations(of_a.rotations, of_b.rotations, weights[:, 1]),
        translations=interpolate_vectors(*bones, weights[:, 1]) if bones_differ(a, b) else None,
        u=steps.astype(np.float64),
        weights=weights,
        frames=frames,
        placements=placements,
        annotations=switch_annotations(a, b, frames, transform, switch=float(plan.half)),
    )


def _snap_shifts(frames: FloatArray) -> FloatArray:
    """Return shifts (M, 2) that bring the first frame of a and the last of b to whole frames."""
    half = len(frames) // 2
    fading = smoothstep(np.linspace(1.0, 0.0, half + 1))
    shifts = np.zeros_like(frames)
    shifts[: half + 1, 0] = fading * (np.rint(frames[0, 0]) - frames[0, 0])
    shifts[half:, 1] = fading[::-1] * (np.rint(frames[-1, 1]) - frames[-1, 1])
    return shifts


def align_centres(plan: Plan) -> GroundTransform:
    """Return the transform that best aligns clip b's centre, and the frames around it, with clip a's.

    Bodies face the same way. What is planted in both clips is brought together: bodies that are apart come
    together while they move, but a planted foot slides.
    """
    reach = round(DEFAULT_WINDOW / plan.a.clip.frame_time)
    before = min(reach, int(min(plan.centre)))
    clips = plan.a.clip, plan.b.clip
    after = min(reach, *(int(clip.n_frames - 1 - at) for clip, at in zip(clips, plan.centre, strict=True)))
    steps = np.arange(-before, after + 1.0)
    of_a, of_b = (sample_clip(clip, at + steps) for clip, at in zip(clips, plan.centre, strict=True))
    planted = [
        {c.joint for c in clip.constraints if c.start <= at <= c.end}
        for clip, at in zip(clips, plan.centre, strict=True)
    ]
    transform = distance(of_a, of_b, placements=True).placement(before, before)
    joints = [of_a.skeleton.index(name) for name in sorted(planted[0] & planted[1])]
    if not joints:
        return transform
    positions = (
        of_a.world_positions()[before, joints],
        transform.apply(of_b.world_positions()[before, joints]),
    )
    x, _, z = (positions[0] - positions[1]).mean(axis=0).tolist()
    return GroundTransform(transform.yaw, transform.x + x, transform.z + z)


def slice_about_centre(plan: Plan, span_a: tuple[int, int], span_b: tuple[int, int]) -> tuple[Clip, Clip]:
    """Slice both clips from a first to a last frame, counted from the centre, which is a whole frame."""
    of_a, of_b = (
        own.clip[centre + first : centre + last + 1]
        for own, centre, (first, last) in zip(
            (plan.a, plan.b), plan.whole_centre, (span_a, span_b), strict=True
        )
    )
    return of_a, of_b


def check_whole(plan: Plan, of_a: Clip, of_b: Clip, n_frames: tuple[int, int]) -> None:
    """Fail where slices about the centre have fewer frames than were asked for."""
    for own, centre, part, needed in zip((plan.a, plan.b), plan.centre, (of_a, of_b), n_frames, strict=True):
        if part.n_frames != needed:
            raise ParameterError(
                f"this transition needs {needed} frames around frame {centre:g} of a clip that "
                f"has {own.clip.n_frames}",
                remedy=(
                    "give ",
                    Argument("at"),
                    " another frame, a smaller ",
                    Argument("half_width"),
                    ", or a higher rate",
                ),
            )
