"""Linear blending, frame by frame and without a registration: the baseline that registration improves on.

Frame i of the result is the mean of frame i of every clip. The clips are aligned once, at their first
registered frames, and then play at their own rate along their own paths. Steps out of phase stutter, paths
that part collapse, and the heading flips where clips face opposite ways. It is here for comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, get_args

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.average import make_pose, nlerp
from motionloom.blending.constrain import MIN_INTERVAL, BlendedAnnotations
from motionloom.blending.place import PlacedFrames, find_source_frames, place_frames
from motionloom.blending.result import BlendReport, BlendResult, assemble_clip
from motionloom.blending.sources import BlendSources, prepare_sources
from motionloom.blending.weights import (
    JointWeights,
    SampledWeights,
    WeightFunction,
    expand_joint_weights,
    normalize_weights,
    note_unused_weights,
    warn_of_weights,
)
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.messages import Message
from motionloom.motion import Clip, Constraint, Event, PointClip
from motionloom.motion.annotations import crop_constraints
from motionloom.motion.motion import name_clips
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.options import options_given
from motionloom.options.blending import LINEAR, Constraints, Root, Rotations
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_choice, check_number

DEFAULT_EULER_ORDER = "ZXY"
"""Order of Euler angles if the clips' file has none: the most common one in BVH files."""


@dataclass(frozen=True, kw_only=True)
class LinearSettings:
    """Settings of linear blending.

    Attributes
    ----------
    root
        "positions" averages the clips' root positions; "velocities" averages their velocities over the ground
        and integrates them, which differs where weights change.
    rotations
        "quaternion": normalized means; "euler": means of Euler angles in the order of the clips' file, or
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
            check_choice(f"{name} of linear blending", getattr(self, name), get_args(choices))


def collect_linear_settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of a blend with those of linear blending put together as ``linear``.

    >>> collect_linear_settings({"method": "linear", "linear_rotations": "log"})["linear"].rotations
    'log'
    """
    settings = {name.removeprefix("linear_"): value for name, value in options_given(LINEAR, options).items()}
    others = {name: value for name, value in options.items() if not name.startswith("linear_")}
    return others | {"linear": LinearSettings(**settings)} if settings else others


def blend_linearly(
    curve: RegistrationCurve,
    function: WeightFunction,
    settings: LinearSettings | None = None,
    *,
    place: GroundTransform | None = None,
    start: float | None = None,
    duration: float | None = None,
    backward: bool = False,
    joint_weights: JointWeights | None = None,
) -> BlendResult:
    """Blend the clips of a curve frame by frame at their own rate, until the first of them ends.

    Only the beginning of the curve is used: where each clip starts and how the first frames are aligned.
    Cyclic clips play one cycle at most, and the result is not cyclic. ``u`` of the result is the mean of the
    clips' parameters. The other parameters are those of :func:`motionloom.blend`.

    >>> from motionloom.blending.weights import ConstantWeights
    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> left, right = (walk(curvature=bend, duration=2.0, fps=30).clip for bend in (0.5, -0.5))
    >>> blend_linearly(register([left, right]), ConstantWeights([1, 1])).clip.n_frames
    61
    """
    if settings is not None and not isinstance(settings, LinearSettings):
        raise ParameterError(
            f"must be LinearSettings(…), not {settings!r}", parameter="linear", value=settings
        )
    _check_linear(curve, start, backward)
    settings = settings or LinearSettings()
    sources = prepare_sources(curve)
    weights, notes = _weight_rows(sources, function, duration)
    frame_time = sources.curve.clips[0].frame_time
    warn_of_weights(weights, frame_time, stacklevel=3)
    notes += tuple(note_unused_weights(function, (len(weights) - 1) * frame_time, duration))
    placed = _place_once(sources, weights, place)
    own = expand_joint_weights(joint_weights, sources.skeleton.names, weights, sources.presence)

    # Bones and heights are averaged as in every blend; rotations and the ground path as the settings say.
    rotations = _average_rotations(
        sources, placed, settings.rotations, weights[:, None] if own is None else own
    )
    poses = make_pose(sources, placed, rotations)
    if settings.root == "velocities":
        poses = replace(poses, root_positions=freeze(_integrate_velocities(placed)))
    annotations = _copy_annotations(sources, placed, _owners(settings.constraints, weights))
    report = BlendReport(method="linear", notes=notes)
    frames, placements = find_source_frames(sources, placed)
    return BlendResult(
        clip=assemble_clip(sources.curve.clips[curve.reference], poses, annotations).arranged(),
        report=report,
        u=_mean_parameters(curve, placed),
        weights=weights,
        frames=frames,
        placements=placements,
    )


def _check_linear(curve: RegistrationCurve, start: float | None, backward: bool) -> None:
    if isinstance(curve.clips[0], PointClip):
        raise ParameterError("linear blending averages rotations: it needs clips with a skeleton")
    if start is not None or backward:
        raise ParameterError("linear blending plays clips from their beginning: omit start and backward")


def _weight_rows(
    sources: BlendSources, function: WeightFunction, duration: float | None
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return the normalized weights (T, K) of all output frames, and notes on what is cut off."""
    curve, frame_time = sources.curve, sources.curve.clips[0].frame_time
    lengths = np.ptp(curve.spans, axis=0) * frame_time
    limits = [float(lengths.min())]
    limits += [] if duration is None else [check_number("duration", duration, min=0)]
    limits += [function.duration] if isinstance(function, SampledWeights) else []
    # Rounding must not lose the last frame.
    times = frame_time * np.arange(int(min(limits) / frame_time + WHOLE_FRAME) + 1, dtype=np.float64)
    cut_off = lengths - limits[0] if min(limits) == limits[0] else np.zeros_like(lengths)
    names = name_clips(curve.clips)
    notes: tuple[str, ...] = tuple(
        Message((names[k], f" is longer than the shortest clip: its last {cut_off[k]:.2f} s are cut off"))
        for k in np.flatnonzero(cut_off >= frame_time)
    )
    if duration is not None and duration - limits[0] >= frame_time:
        ending = "one cycle of the shortest clip" if sources.periodic else "the shortest clip"
        notes += (
            f"linear blending ends with {ending}: the blend lasts {limits[0]:.2f} s, not {duration:g} s",
        )
    return normalize_weights(function(times), curve.n_clips, times), notes


def _place_once(sources: BlendSources, weights: FloatArray, place: GroundTransform | None) -> PlacedFrames:
    """Take consecutive frames from the clips' first registered ones, each clip placed once for all.

    The clips' alignments lead straight into the world here, so the transforms of the group are zero.
    """
    n_frames = len(weights)
    start = place_frames(sources, np.zeros(1), weights[:1], place)
    group = GroundTransform(*start.placements[0])
    starts = [group @ GroundTransform(*own) for own in start.alignments[0]]
    frames = np.arange(n_frames)[:, None] + sources.curve.spans[0]
    roots = sources.sample(sources.root_rows, frames)
    return PlacedFrames(
        positions=np.zeros(n_frames),
        cycles=np.zeros(n_frames),
        weights=weights,
        frames=frames,
        alignments=np.tile([transform.row() for transform in starts], (n_frames, 1, 1)),
        roots=np.stack([transform.apply(roots[:, k]) for k, transform in enumerate(starts)], axis=1),
        placements=np.zeros((n_frames, 3)),
    )


def _average_rotations(
    sources: BlendSources, placed: PlacedFrames, kind: Rotations, weights: FloatArray
) -> FloatArray:
    """Average rotations (T, J, 4) in one of the plain ways, with weights (T, J or 1, K)."""
    n_frames, n_clips = placed.frames.shape
    samples = sources.sample(sources.rotation_rows, placed.frames).reshape(n_frames, n_clips, -1, 4)
    rotations = rot.normalize(samples)
    rotations[:, :, 0] = rot.multiply(rot.from_yaw(placed.alignments[..., 0]), rotations[:, :, 0])
    by_joint = np.swapaxes(rotations, 1, 2)
    if kind == "euler":
        model = sources.curve.clips[sources.curve.reference]
        orders = [_euler_order(model, j) for j in range(rotations.shape[2])]
        return np.stack(
            [
                _euler_mean(by_joint[:, j], weights[:, min(j, weights.shape[1] - 1)], order)
                for j, order in enumerate(orders)
            ],
            axis=1,
        )
    return PLAIN_MEANS[kind](by_joint, weights)


def _quaternion_mean(rotations: FloatArray, weights: FloatArray) -> FloatArray:
    """Return normalized means (..., 4) of quaternions (..., K, 4), each brought into the common hemisphere.

    Hemispheres are chosen frame by frame from the samples: that is where headings flip.
    """
    sizes = np.abs(np.broadcast_to(weights, rotations.shape[:-1]))
    axis = np.linalg.eigh(np.einsum("...k,...kc,...kd->...cd", sizes, rotations, rotations))[1][..., -1]
    opposite = np.einsum("...c,...kc->...k", axis, rotations) < 0.0
    return nlerp(np.where(opposite[..., None], -rotations, rotations), weights)


def _log_mean(rotations: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the rotations (..., 4) of the mean rotation vectors of quaternions (..., K, 4)."""
    return rot.from_rotation_vector(np.einsum("...k,...kc->...c", weights, rot.to_rotation_vector(rotations)))


PLAIN_MEANS: dict[Rotations, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "quaternion": _quaternion_mean,
    "log": _log_mean,
}


def _euler_mean(rotations: FloatArray, weights: FloatArray, order: str) -> FloatArray:
    """Return the rotations (T, 4) of one joint by the mean Euler angles of quaternions (T, K, 4).

    Angles are unwrapped over time, starting within half a turn of the first clip's.
    """
    angles = np.unwrap(rot.to_euler(rotations, order), axis=0)
    differences = angles[0] - angles[0, :1]
    angles -= 2.0 * np.pi * np.rint(differences / (2.0 * np.pi))
    return rot.from_euler(np.einsum("tk,tkc->tc", weights, angles), order)


def _euler_order(clip: Clip, joint: int) -> str:
    """Return the order in which the clip's file lists a joint's rotations."""
    channels = clip.source.channels or ()
    names = channels[joint] if joint < len(channels) else ()
    axes = "".join(name[0] for name in names if name.endswith("rotation"))
    return rot.complete_order(axes) if axes else DEFAULT_EULER_ORDER


def _integrate_velocities(placed: PlacedFrames) -> FloatArray:
    """Return root positions (T, 3) by adding up the mean steps over the ground, at the mean height."""
    between = (placed.weights[1:] + placed.weights[:-1]) / 2
    steps = np.einsum("tk,tkc->tc", between, np.diff(placed.roots, axis=0))
    mean = np.einsum("tk,tkc->tc", placed.weights, placed.roots)
    path = mean[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    path[:, 1] = mean[:, 1]
    return np.asarray(path)


Owner = tuple[int, float, float]
"""A clip, and the first and last output frame for which it provides the constraints."""


def _owners(constraints: Constraints, weights: FloatArray) -> list[Owner]:
    last = float(len(weights) - 1)
    if constraints == "halves":
        if weights.shape[1] != 2:
            raise ParameterError(
                f"constraints by halves are for two clips, not {weights.shape[1]}", remedy="use 'heaviest'"
            )
        return [(0, 0.0, last / 2), (1, last / 2, last)]
    heaviest = weights.argmax(axis=1)
    edges = [0.0, *(np.flatnonzero(np.diff(heaviest)) + 0.5).tolist(), last]
    return [(int(heaviest[int(np.ceil(start))]), start, end) for start, end in pairwise(edges)]


def _copy_annotations(sources: BlendSources, placed: PlacedFrames, owners: list[Owner]) -> BlendedAnnotations:
    """Copy constraints and events from the clips that provide them, into the result's frames and world."""
    constraints: list[Constraint] = []
    events: list[Event] = []
    for k, start, end in owners:
        clip, transform = sources.curve.clips[k], GroundTransform(*placed.alignments[0, k])
        for shift in _frame_shifts(sources, k):
            moved = crop_constraints((c.retimed(1.0, shift) for c in clip.constraints), start, end)
            constraints += [_place_target(c, transform) for c in moved if c.end - c.start >= MIN_INTERVAL]
            instants = (event.retimed(1.0, shift) for event in clip.events)
            is_last = end == len(placed.frames) - 1
            events += [e for e in instants if start <= e.frame < end or (is_last and e.frame == end)]
    return BlendedAnnotations(tuple(constraints), tuple(events))


def _frame_shifts(sources: BlendSources, k: int) -> list[float]:
    """Return the shifts from frames of clip k to output frames: one, or one per nearby cycle."""
    first, periods = float(sources.curve.spans[0, k]), sources.curve.timewarp.periods
    if periods is None:
        return [-first]
    return [n * float(periods[k]) - first for n in (-1, 0, 1)]


def _place_target(constraint: Constraint, transform: GroundTransform) -> Constraint:
    target = constraint.target
    return constraint if target is None else replace(constraint, target=transform.apply(target))


def _mean_parameters(curve: RegistrationCurve, placed: PlacedFrames) -> FloatArray:
    """Return the weighted mean (T,) of the clips' parameters on the curve."""
    frames = np.clip(placed.frames, *curve.spans)
    parameters = [curve.timewarp.inverse(k, frames[:, k]) for k in range(curve.n_clips)]
    return np.asarray(np.einsum("kt,tk->t", parameters, placed.weights))
