"""`blend`: from a registration curve and weights to new motion."""

from __future__ import annotations

import warnings
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.advance import Clock
from motionloom.blending.assembly import assembled
from motionloom.blending.average import Average, averaged
from motionloom.blending.blend_points import blend_points
from motionloom.blending.checks import check_curve, check_joint_weights, check_place
from motionloom.blending.constrain import blended_annotations
from motionloom.blending.layers import JointWeights, joint_weights_of
from motionloom.blending.linear import LinearSettings, blend_linearly
from motionloom.blending.place import Integrator, RateLaw, laid_course, source_frames
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.blending.sources import sources_of
from motionloom.blending.weights import WeightsLike, as_weight_function
from motionloom.errors import BlendWarning, ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import PointClip
from motionloom.registration import RegistrationCurve

Method = Literal["registration", "linear"]

FASTEST_CHANGE = 6.0
"""Change of a weight per second above which a blend looks like a jump: from 0 to 1 in a sixth of a second."""

WIDEST_MARGIN = 0.5
"""How far weights may leave the range 0 to 1 before extrapolation is worth a warning."""


def blend(
    curve: RegistrationCurve,
    weights: WeightsLike,
    *,
    place: GroundTransform | None = None,
    rate: RateLaw = "frequency",
    average: Average = "nlerp",
    joint_weights: JointWeights | None = None,
    start: float | None = None,
    seconds: float | None = None,
    backward: bool = False,
    integrator: Integrator = "rk4",
    method: Method = "registration",
    linear: LinearSettings | None = None,
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
        Where the first frame is: root above ``x, z``, facing ``yaw`` (0 is +Z). Without it the blend begins
        where the clips do, on average.
    rate
        "frequency" averages how fast the clips go through their common time, "duration" how long they take.
    average
        "nlerp", "karcher" (the mean on the sphere) or "park" (one logarithmic step).
    joint_weights
        Joint name -> K weights that this joint has in place of the clips' (:func:`layers.body_part` names the
        joints of a part). Time and place follow the clips' weights. Joints that some clips lack follow the
        clips that have them, whatever the others weigh.
    start
        Parameter ``u`` to begin at; the beginning of the curve, or going backward its end, unless stated.
    seconds
        How long the blend is at most. Without it, it goes to the end of the curve or of the weights; constant
        weights take cyclic clips through one cycle, which makes a cyclic clip.
    backward
        Make the frames that lead up to ``start`` instead. Times of weights are then negative.
    integrator
        "rk4", or "euler" as in the papers, which drifts.
    method
        "registration", or "linear": frame by frame without timewarp and alignment, to compare against; rate,
        average and integrator then have no meaning.
    linear
        How linear blending averages; only with that method.

    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> left, right = (walk(curvature=turn, duration=2.0, fps=30).clip for turn in (0.2, -0.2))
    >>> half = blend(register([left, right]), [0.5, 0.5])
    >>> half.clip.n_frames, half.frames[-1].round(3).tolist()
    (61, [60.0, 60.0])
    """
    check_curve("blend", curve)
    check_place(place)
    check_joint_weights(joint_weights)
    frame_time = curve.clips[0].frame_time
    function = as_weight_function(weights, frame_time)
    if method == "linear":
        _check_linear(curve, start, backward)
        plain = blend_linearly(
            curve, function, linear, place=place, seconds=seconds, joint_weights=joint_weights
        )
        warn_of_weights(plain.weights, frame_time, stacklevel=2)
        return plain
    if method != "registration":
        raise ParameterError(f"method must be one of registration, linear, not {method!r}")
    if linear is not None:
        raise ParameterError(
            "linear= says how linear blending averages: add method='linear', or leave it out"
        )
    sources = sources_of(curve)
    clock = Clock(sources=sources, function=function, rate=rate, integrator=integrator, backward=backward)
    timing = clock.timed(start, seconds)
    warn_of_weights(timing.weights, frame_time, stacklevel=2)
    if isinstance(curve.clips[0], PointClip):
        return blend_points(sources, timing, place=place, point_weights=joint_weights, backward=backward)

    # The row that closes a cycle is no frame, but annotations look that far.
    n_frames = len(timing.positions) - timing.closes
    course = laid_course(sources, timing.positions[:n_frames], timing.weights[:n_frames], place)
    u, rows = sources.parameters(timing.positions), timing.weights
    if backward:
        course, u, rows = course.reversed(), u[::-1], rows[::-1]
    own = joint_weights_of(joint_weights, sources.skeleton, course.weights, sources.presence)
    poses = averaged(sources, course, average, own)
    found = blended_annotations(curve, u, rows, last=len(u) - 1)
    report = BlendReport(method="registration", notes=(*timing.notes, *found.notes))
    clip = assembled(sources.curve.clips[curve.reference], poses, found, report, cyclic=timing.closes)
    frames, placements = source_frames(sources, course)
    return BlendResult(
        clip=clip, u=u[:n_frames], weights=course.weights, frames=frames, placements=placements
    )


def _check_linear(curve: RegistrationCurve, start: float | None, backward: bool) -> None:
    if isinstance(curve.clips[0], PointClip):
        raise ParameterError("linear blending averages rotations: it needs clips with a skeleton")
    if start is not None or backward:
        raise ParameterError("linear blending plays clips from their beginning: leave out start and backward")


def warn_of_weights(weights: FloatArray, frame_time: float, stacklevel: int) -> None:
    """Warn of normalised weights (N, K) that change too fast or lie far outside 0 to 1."""
    changes = np.abs(np.diff(weights, axis=0)).max(axis=1, initial=0.0) / frame_time
    if changes.max(initial=0.0) > FASTEST_CHANGE:
        at = int(changes.argmax())
        warnings.warn(
            f"the weights change by {changes[at]:.3g} per second at {at * frame_time:.2f} s: "
            f"above {FASTEST_CHANGE:g} a blend looks like a jump",
            BlendWarning,
            stacklevel=stacklevel + 1,
        )
    outside = np.maximum(weights - 1.0, -weights).max(axis=1)
    if outside.max() > WIDEST_MARGIN:
        at = int(outside.argmax())
        warnings.warn(
            f"the weights leave the range 0 to 1 by {outside[at]:.3g} at {at * frame_time:.2f} s: "
            f"beyond {WIDEST_MARGIN:g} extrapolation seldom looks right",
            BlendWarning,
            stacklevel=stacklevel + 1,
        )
