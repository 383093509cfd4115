"""Plain linear blending, frame by frame and without a registration: what the papers set out to improve.

Frame i of the result is the mean of frame i of every clip. The clips are put on each other once, at their
first registered frames, and then play in plain time on their own ground. Steps out of phase stutter, paths
that part collapse, and the heading flips where clips face away from each other. It is here to be compared
against.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.assembly import assembled
from motionloom.blending.average import nlerp, posed
from motionloom.blending.checks import checked_seconds
from motionloom.blending.constrain import SHORTEST, BlendedAnnotations
from motionloom.blending.layers import JointWeights, joint_weights_of
from motionloom.blending.place import Course, laid_course, source_frames
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.blending.sources import BlendSources, sources_of
from motionloom.blending.weights import SampledWeights, WeightFunction, normalised
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.constraint import crop_constraints
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.registration import RegistrationCurve

Root = Literal["positions", "velocities"]
Rotations = Literal["quaternion", "euler", "log"]
Constraints = Literal["heaviest", "halves"]

USUAL_ORDER = "ZXY"
"""Order of Euler angles where the clips' file has none: the most usual one of BVH files."""


@dataclass(frozen=True, kw_only=True)
class LinearSettings:
    """How linear blending averages.

    Attributes
    ----------
    root
        "positions" averages where the clips' roots are; "velocities" averages how they move over the ground
        and adds that up, which differs where weights change.
    rotations
        "quaternion": normalised means; "euler": means of Euler angles in the order of the clips' file, or
        ZXY; "log": means of rotation vectors.
    constraints
        "heaviest": those of the clip with the largest weight at each frame; "halves", for two clips: those of
        the first up to the middle of the blend and those of the second from there, as for transitions.

    >>> LinearSettings(rotations="euler").root
    'positions'
    """

    root: Root = "positions"
    rotations: Rotations = "quaternion"
    constraints: Constraints = "heaviest"

    def __post_init__(self) -> None:
        for name, choices in (("root", Root), ("rotations", Rotations), ("constraints", Constraints)):
            value, known = getattr(self, name), get_args(choices)
            if value not in known:
                raise ParameterError(f"{name} of linear blending is one of {', '.join(known)}, not {value!r}")


def blend_linearly(
    curve: RegistrationCurve,
    function: WeightFunction,
    settings: LinearSettings | None = None,
    *,
    place: GroundTransform | None = None,
    seconds: float | None = None,
    joint_weights: JointWeights | None = None,
) -> BlendResult:
    """Blend the clips of a curve frame by frame in plain time, until the first of them ends.

    Of the curve, only its beginning is used: where each clip starts and how the first frames are put on each
    other. Cyclic clips play one cycle at most, and the result is not cyclic. ``u`` of the result is the mean
    of where the clips stand. The other parameters are those of :func:`motionloom.blend`.

    >>> from motionloom.blending.weights import ConstantWeights
    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> left, right = (walk(curvature=bend, duration=2.0, fps=30).clip for bend in (0.5, -0.5))
    >>> blend_linearly(register([left, right]), ConstantWeights([1, 1])).clip.n_frames
    61
    """
    if settings is not None and not isinstance(settings, LinearSettings):
        raise ParameterError(f"linear must be LinearSettings(…), not {settings!r}")
    settings = settings or LinearSettings()
    sources = sources_of(curve)
    weights, notes = _plain_weights(sources, function, seconds)
    course = _plain_course(sources, weights, place)
    own = joint_weights_of(joint_weights, sources.skeleton, weights, sources.presence)

    # Bones and heights are averaged as ever, rotations and the way over the ground as asked for.
    turns = _turns(sources, course, settings.rotations, weights[:, None] if own is None else own)
    poses = posed(sources, course, turns)
    if settings.root == "velocities":
        poses = replace(poses, root_positions=freeze(_travelled(course)))
    found = _copied(sources, course, _owners(settings.constraints, weights))
    report = BlendReport(method="linear", notes=notes)
    frames, placements = source_frames(sources, course)
    return BlendResult(
        clip=assembled(sources.curve.clips[curve.reference], poses, found, report),
        u=_mean_parameters(curve, course),
        weights=weights,
        frames=frames,
        placements=placements,
    )


def _plain_weights(
    sources: BlendSources, function: WeightFunction, seconds: float | None
) -> tuple[FloatArray, tuple[str, ...]]:
    """Normalised weights (T, K) of all output frames, and which clips are not over with the last of them."""
    curve, frame_time = sources.curve, sources.curve.clips[0].frame_time
    lengths = np.ptp(curve.spans, axis=0) * frame_time
    limits = [float(lengths.min())]
    limits += [] if seconds is None else [checked_seconds(seconds)]
    limits += [function.seconds] if isinstance(function, SampledWeights) else []
    # A hair of rounding must not lose the last frame.
    times = frame_time * np.arange(int(min(limits) / frame_time + WHOLE_FRAME) + 1, dtype=np.float64)
    left_out = lengths - limits[0] if min(limits) == limits[0] else np.zeros_like(lengths)
    notes = tuple(
        f"clip {k} is not over when the shortest one ends: its last {left_out[k]:.2f} s are left out"
        for k in np.flatnonzero(left_out >= frame_time)
    )
    if seconds is not None and seconds - limits[0] >= frame_time:
        shortest = "one cycle of the shortest clip" if sources.periodic else "the shortest clip"
        notes += (
            f"{seconds:g} s were asked for, but linear blending ends with {shortest}, "
            f"after {limits[0]:.2f} s",
        )
    return normalised(function(times), curve.n_clips, times), notes


def _plain_course(sources: BlendSources, weights: FloatArray, place: GroundTransform | None) -> Course:
    """Frames one after the other from the clips' first registered ones, each clip placed once for all.

    The transforms of the group into the world are part of the clips' own here, and so they are zero.
    """
    n_frames = len(weights)
    start = laid_course(sources, np.zeros(1), weights[:1], place)
    group = GroundTransform(*start.placements[0])
    starts = [group @ GroundTransform(*own) for own in start.aligned[0]]
    frames = np.arange(n_frames)[:, None] + sources.curve.spans[0]
    roots = sources.sampled(sources.root_rows, frames)
    return Course(
        positions=np.zeros(n_frames),
        cycles=np.zeros(n_frames),
        weights=weights,
        frames=frames,
        aligned=np.tile([way.row() for way in starts], (n_frames, 1, 1)),
        roots=np.stack([way.apply(roots[:, k]) for k, way in enumerate(starts)], axis=1),
        placements=np.zeros((n_frames, 3)),
    )


def _turns(sources: BlendSources, course: Course, rotations: Rotations, weights: FloatArray) -> FloatArray:
    """Rotations (T, J, 4) of the result by one of the plain means, with weights (T, J or 1, K)."""
    n_frames, n_clips = course.frames.shape
    found = sources.sampled(sources.rotation_rows, course.frames).reshape(n_frames, n_clips, -1, 4)
    turns = rot.normalize(found)
    turns[:, :, 0] = rot.multiply(rot.from_yaw(course.aligned[..., 0]), turns[:, :, 0])
    by_joint = np.swapaxes(turns, 1, 2)
    if rotations == "euler":
        orders = [
            _euler_order(sources.curve.clips[sources.curve.reference], j) for j in range(turns.shape[2])
        ]
        return np.stack(
            [
                _euler_mean(by_joint[:, j], weights[:, min(j, weights.shape[1] - 1)], order)
                for j, order in enumerate(orders)
            ],
            axis=1,
        )
    return PLAIN_MEANS[rotations](by_joint, weights)


def _quaternion_mean(turns: FloatArray, weights: FloatArray) -> FloatArray:
    """Normalised means (..., 4) of quaternions (..., K, 4), each brought to the side most of them are on.

    Sides are chosen frame by frame, by what is there: that is where headings flip.
    """
    shares = np.abs(np.broadcast_to(weights, turns.shape[:-1]))
    middle = np.linalg.eigh(np.einsum("...k,...kc,...kd->...cd", shares, turns, turns))[1][..., -1]
    away = np.einsum("...c,...kc->...k", middle, turns) < 0.0
    return nlerp(np.where(away[..., None], -turns, turns), weights)


def _log_mean(turns: FloatArray, weights: FloatArray) -> FloatArray:
    """Rotations (..., 4) by the mean of the rotation vectors of quaternions (..., K, 4)."""
    return rot.from_rotation_vector(np.einsum("...k,...kc->...c", weights, rot.to_rotation_vector(turns)))


PLAIN_MEANS: dict[Rotations, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "quaternion": _quaternion_mean,
    "log": _log_mean,
}


def _euler_mean(turns: FloatArray, weights: FloatArray, order: str) -> FloatArray:
    """Rotations (T, 4) of one joint by the mean of the Euler angles of quaternions (T, K, 4).

    Angles run on from frame to frame, and start within half a turn of the first clip's.
    """
    angles = np.unwrap(rot.to_euler(turns, order), axis=0)
    apart = angles[0] - angles[0, :1]
    angles -= 2.0 * np.pi * np.rint(apart / (2.0 * np.pi))
    return rot.from_euler(np.einsum("tk,tkc->tc", weights, angles), order)


def _euler_order(clip: Clip, joint: int) -> str:
    """The order in which the clip's file lists a joint's rotations."""
    channels = clip.source.channels or ()
    names = channels[joint] if joint < len(channels) else ()
    axes = "".join(name[0] for name in names if name.endswith("rotation"))
    return rot.complete_order(axes) if axes else USUAL_ORDER


def _travelled(course: Course) -> FloatArray:
    """Root positions (T, 3): mean steps over the ground one after the other, at the mean height."""
    between = (course.weights[1:] + course.weights[:-1]) / 2
    steps = np.einsum("tk,tkc->tc", between, np.diff(course.roots, axis=0))
    mean = np.einsum("tk,tkc->tc", course.weights, course.roots)
    path = mean[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    path[:, 1] = mean[:, 1]
    return np.asarray(path)


Owner = tuple[int, float, float]
"""A clip, and the output frames from and to which it gives the constraints."""


def _owners(constraints: Constraints, weights: FloatArray) -> list[Owner]:
    last = float(len(weights) - 1)
    if constraints == "halves":
        if weights.shape[1] != 2:
            raise ParameterError(
                f"constraints by halves are for two clips, not {weights.shape[1]}: use 'heaviest'"
            )
        return [(0, 0.0, last / 2), (1, last / 2, last)]
    heaviest = weights.argmax(axis=1)
    edges = [0.0, *(np.flatnonzero(np.diff(heaviest)) + 0.5).tolist(), last]
    return [(int(heaviest[int(np.ceil(start))]), start, end) for start, end in pairwise(edges)]


def _copied(sources: BlendSources, course: Course, owners: list[Owner]) -> BlendedAnnotations:
    """Constraints and events of whichever clip gives them, in the result's frames and places."""
    constraints: list[Constraint] = []
    events: list[Event] = []
    for k, start, end in owners:
        clip, way = sources.curve.clips[k], GroundTransform(*course.aligned[0, k])
        for shift in _shifts(sources, k):
            moved = crop_constraints((c.retimed(1.0, shift) for c in clip.constraints), start, end)
            constraints += [c for c in (_placed(c, way) for c in moved) if c.end - c.start >= SHORTEST]
            instants = (event.retimed(1.0, shift) for event in clip.events)
            is_last = end == len(course.frames) - 1
            events += [e for e in instants if start <= e.frame < end or (is_last and e.frame == end)]
    return BlendedAnnotations(tuple(constraints), tuple(events))


def _shifts(sources: BlendSources, k: int) -> list[float]:
    """What takes frames of a clip to output frames: one shift, or of a cyclic clip one per cycle near."""
    first, periods = float(sources.curve.spans[0, k]), sources.curve.timewarp.periods
    if periods is None:
        return [-first]
    return [n * float(periods[k]) - first for n in (-1, 0, 1)]


def _placed(constraint: Constraint, way: GroundTransform) -> Constraint:
    target = constraint.target
    return constraint if target is None else replace(constraint, target=way.apply(target))


def _mean_parameters(curve: RegistrationCurve, course: Course) -> FloatArray:
    """Where on the curve (T,) the clips stand on average."""
    frames = np.clip(course.frames, *curve.spans)
    places = [curve.timewarp.inverse(k, frames[:, k]) for k in range(curve.n_clips)]
    return np.asarray(np.einsum("kt,tk->t", places, course.weights))
