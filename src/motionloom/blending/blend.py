"""`blend`: new motion from a registration curve and weights."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import get_args

from motionloom.blending.advance import KEEP_GRAVITY, Clock
from motionloom.blending.average import blend_poses, describe_flights
from motionloom.blending.blend_points import blend_points
from motionloom.blending.constrain import blend_annotations
from motionloom.blending.linear import LinearSettings, blend_linearly
from motionloom.blending.place import check_place, find_source_frames, place_frames
from motionloom.blending.repeat import repeat_blend
from motionloom.blending.result import BlendReport, BlendResult, assemble_clip
from motionloom.blending.sources import check_curve, prepare_sources
from motionloom.blending.weights import (
    JointWeights,
    WeightsLike,
    as_weight_function,
    note_unused_weights,
    warn_of_weights,
)
from motionloom.errors import BlendWarning, ParameterError
from motionloom.geometry import GroundTransform
from motionloom.messages import Argument
from motionloom.motion import PointClip
from motionloom.options.blending import Average, Integrator, Method, RateLaw
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_choice


def blend(
    curve: RegistrationCurve,
    weights: WeightsLike,
    *,
    place: GroundTransform | None = None,
    rate_law: RateLaw = "auto",
    average: Average = "nlerp",
    joint_weights: JointWeights | None = None,
    start: float | None = None,
    duration: float | None = None,
    backward: bool = False,
    integrator: Integrator = "rk4",
    method: Method = "registration",
    linear: LinearSettings | None = None,
    repeat: bool = False,
) -> BlendResult:
    """Make new motion from registered clips.

    Parameters
    ----------
    curve
        How K clips correspond (:func:`motionloom.register`).
    weights
        K numbers, rows (N, K) with one per output frame, a function of the time in seconds, or a
        :class:`WeightFunction`. They are divided by their sum; negative ones extrapolate.
    place
        Where the first frame is: root above ``x, z``, facing ``yaw`` (0 is +Z). By default the blend begins
        at the clips' mean position and heading.
    rate_law
        "auto" averages the clips' playback rates, up to where joints would get much faster than in the clips,
        and, in flights that all clips have, keeps gravity: they last √(Σ w T²), with weights that do not
        change and the centre of mass on its parabola.
        "frequency" averages rates throughout, "duration" durations, and "ballistic" the squares of durations;
        it keeps gravity in flight too.
    average
        How rotations are averaged: "nlerp", "karcher" (the mean on the sphere) or "park" (one logarithmic
        step).
    joint_weights
        Joint name -> K weights that replace the clips' weights for this joint (:func:`body_part` names the
        joints of a body part). Timing and placement follow the clips' weights. Joints that some clips lack
        follow the clips that have them.
    start
        Parameter ``u`` to begin at; by default the beginning of the curve, or its end for a backward blend.
    duration
        Maximum length in seconds. By default the blend ends with the curve or the weights; constant weights
        take cyclic clips through one cycle, which makes a cyclic clip.
    backward
        Make the frames that lead up to ``start`` instead. Times of weights are then negative.
    integrator
        "rk4", or "euler" as in the papers, which drifts.
    method
        "registration", or "linear": frame by frame without timewarp and alignment, for comparison; rate_law,
        average and integrator are then ignored.
    linear
        Settings of linear blending; only with that method.
    repeat
        Begin again when the clips end, from where the body is, until ``duration`` is over or the weights end.
        Cyclic clips go on anyway.

    Returns
    -------
    BlendResult
        The motion, a :class:`BlendReport`, and what went into each frame.

    Raises
    ------
    ParameterError
        Weights, place or an option make no sense for these clips; the message says what to do.

    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> left, right = (walk(curvature=turn, duration=2.0, fps=30).clip for turn in (0.2, -0.2))
    >>> half = blend(register([left, right]), [0.5, 0.5])
    >>> half.clip.n_frames, half.frames[-1].round(3).tolist()
    (61, [60.0, 60.0])
    """
    check_curve("blend", curve)
    check_place(place)
    check_choice("method", method, get_args(Method))
    law = check_choice("rate_law", rate_law, get_args(RateLaw))
    check_choice("average", average, get_args(Average))
    check_choice("integrator", integrator, get_args(Integrator))
    function = as_weight_function(weights, curve.clips[0].frame_time)
    if repeat and not curve.clips[0].cyclic:
        once = partial(
            blend,
            curve,
            rate_law=law,
            average=average,
            joint_weights=joint_weights,
            integrator=integrator,
            method=method,
            linear=linear,
        )
        return repeat_blend(
            once,
            curve.clips[0],
            function,
            place=place,
            start=start,
            duration=duration,
            backward=backward,
        )
    if method == "linear":
        return blend_linearly(
            curve,
            function,
            linear,
            place=place,
            start=start,
            duration=duration,
            backward=backward,
            joint_weights=joint_weights,
        )
    if linear is not None:
        raise ParameterError(
            (
                "",
                Argument("linear"),
                " holds the settings of linear blending",
            ),
            remedy=("add ", Argument("method", "linear"), ", or omit it"),
        )
    sources = prepare_sources(curve, keep_gravity=law in KEEP_GRAVITY)
    clock = Clock(sources=sources, function=function, rate_law=law, integrator=integrator, backward=backward)
    if isinstance(curve.clips[0], PointClip):
        return blend_points(clock, place=place, start=start, duration=duration, point_weights=joint_weights)

    # 1. Advance: the position of every output frame on the timewarp curve.
    timing = clock.time_frames(start, duration)
    warn_of_weights(timing.weights, clock.frame_time, stacklevel=2)

    # 2. Place: the clips' frames aligned with each other, and where they are on the ground. The row that
    # closes a cycle is not a frame, but step 4 reads it.
    n_frames = len(timing.positions) - timing.closes
    placed = place_frames(sources, timing.positions[:n_frames], timing.weights[:n_frames], place)
    u, rows = sources.parameters(timing.positions), timing.weights
    if backward:
        placed, u, rows = placed.reversed(), u[::-1], rows[::-1]

    # 3. Average: one pose per frame.
    averaged, notes = blend_poses(sources, placed, average, joint_weights, timing.closes)

    # 4. Constrain: which constraints and events the result has, and when.
    annotations = blend_annotations(sources.curve, u, rows, last=len(u) - 1)

    flights, falling = describe_flights(sources, sources.positions_of(u), rows)
    unused = note_unused_weights(function, (n_frames - 1) * clock.frame_time, duration)
    report = BlendReport(
        method="registration",
        notes=(*timing.notes, *unused, *annotations.notes, *notes, *falling),
        hand_overs=averaged.hand_overs,
        flights=flights,
    )
    model = sources.curve.clips[curve.reference]
    clip = assemble_clip(model, averaged.poses, annotations, cyclic=timing.closes)
    frames, placements = find_source_frames(sources, placed)
    return BlendResult(
        clip=clip.arranged(),
        report=report,
        u=u[:n_frames],
        weights=placed.weights,
        frames=frames,
        placements=placements,
        joint_weights=averaged.joint_weights,
    )


@contextmanager
def collect_blend_warnings() -> Iterator[list[str]]:
    """Collect the messages of blend warnings in a block instead of showing them; the list fills when it ends.

    >>> with collect_blend_warnings() as messages:
    ...     warnings.warn("too fast", BlendWarning)
    >>> messages
    ['too fast']
    """
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BlendWarning)
        yield messages
    messages += [str(warning.message) for warning in caught if issubclass(warning.category, BlendWarning)]
