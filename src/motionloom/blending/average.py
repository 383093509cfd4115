"""Average corresponding poses: roots, rotations and moving bones.

No joint of a blend moves much faster than in the clips. Three things make joints faster: a timewarp that runs
a clip fast, which the rate law bounds; weights that change; and rotations far apart, whose mean turns up to
1 / S times as fast as they do (:mod:`motionloom.blending.hand_over`). Where a joint is too fast, seen from
the body, those joints above it whose means are short are averaged again, handed over as :data:`REMEDIES` say:
earlier, with signs that are chosen anew, and more slowly. What is still too fast is named in the report.

In flight, the centre of mass is the mean of the clips' centres. The mean of the roots with the mean of the
rotations has its centre of mass elsewhere, by millimetres or centimetres that change in flight. The
difference is taken from the root in flight, and less and less of it on the ground before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, freeze, norm, read_only_view
from motionloom.blending.advance import find_flight_frames
from motionloom.blending.hand_over import (
    MIN_LENGTH,
    RAMP_DURATION,
    HandOver,
    JointPlan,
    note_hand_overs,
    plan_cyclic_joint,
    plan_joint,
)
from motionloom.blending.place import PlacedFrames
from motionloom.blending.result import BlendedFlight
from motionloom.blending.sources import BlendSources
from motionloom.blending.weights import JointWeights, expand_joint_weights
from motionloom.geometry import rotations as rot
from motionloom.geometry.ground_transform import apply_rows
from motionloom.kernels.threads import run_in_slices
from motionloom.messages import Message
from motionloom.motion import Clip, Pose, Skeleton
from motionloom.motion.anatomy import body_positions, find_body_masses, tree
from motionloom.motion.motion import name_clips
from motionloom.options.blending import Average
from motionloom.validation import check_choice

MAX_KARCHER_STEPS, KARCHER_TOLERANCE = 20, 1e-12
"""Steps towards the mean on the sphere, and the step length in radians at which it is reached. Each step
leaves a few per cent of the distance, so poses of one action never need twenty."""

SAMPLES_PER_ITEM = 8
"""Rotations sampled in the time that threads count as one item of work: the loop is that short."""

NO_JOINT_WEIGHTS = (1, 0)
"""Leading shape of joint weights if all joints follow the clips' weights."""

MAX_SPEED_RATIO, SPEED_SLACK = 1.4, 0.3
"""A joint is too fast beyond this factor on its largest speed in the clips plus a slack in m/s, for joints
that rest."""

BLAMED_LENGTH = 0.85
"""Length below which the mean of a joint may be what makes others too fast: rotations 130° apart, or on their
way to one clip."""


@dataclass(frozen=True)
class Handing:
    """How a joint's weight is handed over.

    Attributes
    ----------
    min_length
        Length of the mean quaternion below which it is.
    ramp_duration
        Seconds that it takes.
    preferred
        The clip that takes it, if possible; None is the one that has most.
    """

    min_length: float = MIN_LENGTH
    ramp_duration: float = RAMP_DURATION
    preferred: int | None = None


USUAL_HANDING = Handing()

REMEDIES = tuple(
    Handing(*each) for each in ((0.6, 0.25), (0.69, 0.25), (0.69, 0.5), (0.69, 1.0), (0.69, 2.0))
)
"""How joints are handed over where others are too fast: lengths of mean quaternions, and seconds. Two clips
whose quaternions lie on one side have means of 0.707 and more. Of two clips, each is tried: one may run
much faster than the other."""


@dataclass(frozen=True, eq=False)
class AveragedPoses:
    """Averaged poses (T,), and the joints that follow one clip for a while.

    ``joint_weights`` (T, J, K) are those that the rotations were averaged with, None if all joints follow the
    clips' weights; ``lengths`` (T, J) are those of the mean quaternions before they are normalized, None if
    they are not known.
    """

    poses: Pose
    hand_overs: tuple[HandOver, ...] = ()
    joint_weights: FloatArray | None = None
    lengths: FloatArray | None = None


def average_poses(
    sources: BlendSources,
    placed: PlacedFrames,
    average: Average = "nlerp",
    joint_weights: FloatArray | None = None,
    closes: bool = False,
    handing: Mapping[int, Handing] | None = None,
) -> AveragedPoses:
    """Average the poses (T,) of placed frames; ``joint_weights`` (T, J, K) replace the clips' weights.

    Where the rotations of a joint are too far apart to average, its weight is handed to fewer clips
    (:mod:`motionloom.blending.hand_over`); if the frames are a cycle that ``closes``, across its seam too.
    ``handing`` says how weights of single joints are handed over, if not as usual.
    """
    check_choice("average", average, ("nlerp", *MEANS))
    own = np.empty((*NO_JOINT_WEIGHTS, placed.weights.shape[1])) if joint_weights is None else joint_weights
    rotations, lengths = _average_by_kernel(sources, placed, own)
    special = handing or {}
    limits = [special.get(j, USUAL_HANDING).min_length for j in range(lengths.shape[1])]
    short = (lengths < limits).any(axis=0)
    if closes and sources.signs.shape[1]:
        short |= (sources.signs[1] < 0).any(axis=0)
    plans = {
        j: _plan(sources, placed, own, j, closes, special.get(j, USUAL_HANDING))
        for j in np.flatnonzero(short).tolist()
    }
    if average != "nlerp":
        rotations = _average_by_mean(sources, placed, own, plans, MEANS[average])
    for j, plan in plans.items():
        signed = _sample_joint(sources, placed, j) * plan.signs[..., None]
        lengths[:, j] = norm(np.einsum("tkc,tk->tc", signed, plan.weights))
        if average == "nlerp":
            mean = nlerp(signed, plan.weights)
            rotations[:, j] = rot.multiply(rot.from_yaw(placed.placements[:, 0]), mean) if j == 0 else mean
    frame_time = sources.curve.clips[0].frame_time
    hand_overs = tuple(
        HandOver(sources.skeleton.names[j], clip, first * frame_time, last * frame_time, length)
        for j, plan in plans.items()
        for first, last, clip, length in plan.hand_overs
    )
    return AveragedPoses(
        make_pose(sources, placed, rotations),
        hand_overs,
        _replace_weights(placed.weights, joint_weights, plans, rotations.shape[1]),
        lengths,
    )


def _plan(
    sources: BlendSources,
    placed: PlacedFrames,
    joint_weights: FloatArray,
    joint: int,
    closes: bool,
    handing: Handing,
) -> JointPlan:
    """Plan the weights of a joint whose rotations cancel in some frames."""
    samples = _sample_joint(sources, placed, joint)
    weights = placed.weights if joint_weights.shape[1] == 0 else joint_weights[:, joint]
    ramp = int(np.ceil(handing.ramp_duration / sources.curve.clips[0].frame_time))
    if not closes:
        return plan_joint(samples, weights, ramp, handing.min_length, handing.preferred)
    closing = sources.signs[1, :, joint] if sources.signs.shape[1] else np.ones(weights.shape[1])
    return plan_cyclic_joint(
        samples, weights, closing.astype(np.float64), ramp, handing.min_length, handing.preferred
    )


def _sample_joint(sources: BlendSources, placed: PlacedFrames, joint: int) -> FloatArray:
    """Return the rotations (T, K, 4) of one joint, with continuous signs; of the root within the group."""
    rows = np.ascontiguousarray(sources.rotation_rows[:, 4 * joint : 4 * joint + 4])
    samples = rot.normalize(sources.sample(read_only_view(rows), placed.frames))
    if sources.signs.shape[1]:
        samples *= sources.signs[sources.sign_rows(placed.cycles)][..., joint, None]
    return rot.multiply(rot.from_yaw(placed.alignments[..., 0]), samples) if joint == 0 else samples


def _replace_weights(
    weights: FloatArray, joint_weights: FloatArray | None, plans: Mapping[int, JointPlan], n_joints: int
) -> FloatArray | None:
    """Return the weights (T, J, K) of all joints, None if all follow the clips' weights (T, K)."""
    if not plans:
        return joint_weights
    replaced = (
        np.repeat(weights[:, None], n_joints, axis=1) if joint_weights is None else joint_weights.copy()
    )
    for j, plan in plans.items():
        replaced[:, j] = plan.weights
    return np.asarray(freeze(replaced))


def make_pose(sources: BlendSources, placed: PlacedFrames, rotations: FloatArray) -> Pose:
    """Combine rotations (T, J, 4) with the mean roots and bones of placed frames."""
    roots = apply_rows(placed.placements, np.einsum("tk,tkc->tc", placed.weights, placed.roots))
    return Pose(_skeleton(sources, placed), freeze(roots), freeze(rotations), _average_bones(sources, placed))


def _average_by_kernel(
    sources: BlendSources, placed: PlacedFrames, joint_weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return normalized means (T, J, 4) of rotations and their lengths (T, J) before normalizing."""
    n_frames = len(placed.frames)
    rotations = np.empty((n_frames, sources.rotation_rows.shape[1] // 4, 4))
    lengths = np.empty(rotations.shape[:2])
    arguments = (
        sources.rotation_rows,
        sources.firsts,
        sources.signs,
        read_only_view(sources.sign_rows(placed.cycles)),
        read_only_view(placed.frames),
        read_only_view(placed.weights),
        read_only_view(joint_weights),
        read_only_view(placed.alignments),
        read_only_view(placed.placements),
    )
    average_all = kernels.average.average_all

    def run(start: int, stop: int) -> None:
        average_all(*arguments, rotations.reshape(n_frames, -1), lengths, start, stop)

    run_in_slices(n_frames, run, weight=-(-rotations.shape[1] * placed.weights.shape[1] // SAMPLES_PER_ITEM))
    return rotations, lengths


def _average_by_mean(
    sources: BlendSources,
    placed: PlacedFrames,
    joint_weights: FloatArray,
    plans: Mapping[int, JointPlan],
    mean: Callable[..., FloatArray],
) -> FloatArray:
    """Average rotations (T, J, 4) by one of the means on the sphere, all samples (T, K, J, 4) at once."""
    n_frames, n_clips = placed.weights.shape
    samples = sources.sample(sources.rotation_rows, placed.frames)
    rotations = rot.normalize(samples.reshape(n_frames, n_clips, -1, 4))
    if sources.signs.shape[1]:
        rotations *= sources.signs[sources.sign_rows(placed.cycles)][..., None]
    rotations[:, :, 0] = rot.multiply(rot.from_yaw(placed.alignments[..., 0]), rotations[:, :, 0])
    weights = placed.weights[:, None] if joint_weights.shape[1] == 0 else joint_weights
    if plans:
        weights = np.array(np.broadcast_to(weights, (n_frames, rotations.shape[2], n_clips)))
        for j, plan in plans.items():
            weights[:, j] = plan.weights
            rotations[:, :, j] *= plan.signs[..., None]
    blended = mean(np.swapaxes(rotations, 1, 2), weights)
    blended[:, 0] = rot.multiply(rot.from_yaw(placed.placements[:, 0]), blended[:, 0])
    return blended


def nlerp(rotations: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the normalized mean (..., 4) of quaternions (..., K, 4) in one hemisphere with weights (..., K).

    >>> np.allclose(nlerp(rot.from_yaw([0.0, 1.0]), np.array([0.5, 0.5])), rot.from_yaw(0.5))
    True
    """
    return rot.normalize(np.einsum("...kc,...k->...c", rotations, weights))


def karcher(rotations: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the mean (..., 4) of rotations (..., K, 4) on the sphere: weighted logarithms about it cancel.

    >>> np.allclose(karcher(rot.from_yaw([0.0, 1.0]), np.array([0.75, 0.25])), rot.from_yaw(0.25))
    True
    """
    mean = nlerp(rotations, weights)
    for _ in range(MAX_KARCHER_STEPS):
        step = _mean_log(mean, rotations, weights)
        mean = rot.multiply(mean, rot.from_rotation_vector(step))
        if np.abs(step).max(initial=0.0) < KARCHER_TOLERANCE:
            break
    return rot.normalize(mean)


def park(rotations: FloatArray, weights: FloatArray) -> FloatArray:
    """Return one logarithmic step from the unweighted mean (..., 4) of rotations (..., K, 4).

    >>> np.allclose(park(rot.from_yaw([0.0, 1.0]), np.array([0.75, 0.25])), rot.from_yaw(0.25))
    True
    """
    mean = np.linalg.eigh(np.einsum("...kc,...kd->...cd", rotations, rotations))[1][..., -1]
    opposite = np.einsum("...c,...kc->...k", mean, rotations).sum(axis=-1) < 0.0
    mean = np.where(opposite[..., None], -mean, mean)
    step = _mean_log(mean, rotations, weights)
    return rot.normalize(rot.multiply(mean, rot.from_rotation_vector(step)))


MEANS: dict[str, Callable[..., FloatArray]] = {"karcher": karcher, "park": park}
"""Means on the sphere; nlerp has a kernel of its own."""


def _mean_log(base: FloatArray, rotations: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted mean (..., 3) of the rotation vectors from ``base`` to the rotations."""
    logs = rot.to_rotation_vector(rot.multiply(rot.inverse(base)[..., None, :], rotations))
    return np.asarray(np.einsum("...kc,...k->...c", logs, weights))


def _average_bones(sources: BlendSources, placed: PlacedFrames) -> FloatArray | None:
    """Average local joint positions (T, J, 3) if bones move, or if skeletons differ and weights change."""
    if sources.bone_rows is None or _has_one_skeleton(sources, placed):
        return None
    n_frames, n_clips = placed.weights.shape
    samples = sources.sample(sources.bone_rows, placed.frames)
    weights = expand_joint_weights(None, sources.skeleton.names, placed.weights, sources.presence)
    if weights is None:
        mean = np.einsum("tkn,tk->tn", samples, placed.weights).reshape(n_frames, -1, 3)
    else:
        mean = np.einsum("tkjc,tjk->tjc", samples.reshape(n_frames, n_clips, -1, 3), weights)
    return np.asarray(freeze(mean))


def _has_one_skeleton(sources: BlendSources, placed: PlacedFrames) -> bool:
    """Return whether one set of bone offsets serves all frames."""
    rigid = all(clip.translations is None for clip in sources.curve.clips)
    return rigid and bool((placed.weights == placed.weights[0]).all())


def _skeleton(sources: BlendSources, placed: PlacedFrames) -> Skeleton:
    """Return the result's skeleton: that of the clips, or their mean at the first frame where they differ."""
    clips = sources.curve.clips
    if sources.bone_rows is None:
        return clips[0].skeleton
    all_offsets = np.stack([clip.skeleton.offsets for clip in clips])
    own = expand_joint_weights(None, sources.skeleton.names, placed.weights[:1], sources.presence)
    if own is None:
        offsets = np.einsum("k,kjc->jc", placed.weights[0], all_offsets)
    else:
        offsets = np.einsum("jk,kjc->jc", own[0], all_offsets)
    return replace(clips[sources.curve.reference].skeleton, offsets=offsets)


def blend_poses(
    sources: BlendSources,
    placed: PlacedFrames,
    average: Average,
    joint_weights: JointWeights | None,
    closes: bool,
) -> tuple[AveragedPoses, tuple[str, ...]]:
    """Return one pose per placed frame (T,): averaged, no faster than the clips, and falling as they do.

    ``joint_weights`` replace the clips' weights for single joints; ``closes`` says whether the frames are a
    cycle. Also returns sentences on joints that are handed over or too fast nevertheless.
    """
    own = expand_joint_weights(joint_weights, sources.skeleton.names, placed.weights, sources.presence)
    averaged, notes = average_within_speeds(sources, placed, average, own, closes)
    if averaged.hand_overs:
        notes = (*note_hand_overs(averaged.hand_overs, sources.curve.clips), *notes)
    return replace(averaged, poses=let_fall(sources, placed, averaged.poses)), notes


def average_within_speeds(
    sources: BlendSources,
    placed: PlacedFrames,
    average: Average,
    joint_weights: FloatArray | None,
    closes: bool,
) -> tuple[AveragedPoses, tuple[str, ...]]:
    """Average the poses (T,) of placed frames, as far as possible without joints that are too fast.

    Also returns a sentence on what is too fast nevertheless.
    """
    blamed: set[int] = set()
    averaged = average_poses(sources, placed, average, joint_weights, closes)
    ratios = compare_speeds(sources, averaged.poses)
    n_clips = sources.curve.n_clips
    for remedy, preferred in product(REMEDIES, (None, *range(n_clips)) if n_clips == 2 else (None,)):
        fast = ratios > MAX_SPEED_RATIO
        if not fast.any():
            return averaged, ()
        blamed |= _find_short_means(sources, averaged, fast)
        if blamed:
            handing = dict.fromkeys(blamed, replace(remedy, preferred=preferred))
            again = average_poses(sources, placed, average, joint_weights, closes, handing)
            slower = compare_speeds(sources, again.poses)
            if slower.max() < ratios.max():
                averaged, ratios = again, slower
    if not (ratios > MAX_SPEED_RATIO).any():
        return averaged, ()
    step, joint = (int(n) for n in np.unravel_index(ratios.argmax(), ratios.shape))
    return averaged, (
        f"{sources.skeleton.names[joint]} moves {ratios.max():.1f} times as fast as in the clips at "
        f"{step * sources.curve.clips[0].frame_time:.2f} s: look at it",
    )


def compare_speeds(sources: BlendSources, poses: Pose) -> FloatArray:
    """Return speeds (T - 1, J) of joints, seen from the body, over their largest in the clips and a slack."""
    model = sources.curve.clips[0]
    clip = Clip(poses.skeleton, model.frame_time, poses.root_positions, poses.rotations, poses.translations)
    if clip.n_frames < 2:
        return np.zeros((1, clip.skeleton.n_joints))
    speeds = norm(np.diff(body_positions(clip), axis=0)) / clip.frame_time
    return np.asarray(speeds / (sources.max_speeds + SPEED_SLACK))


def _find_short_means(sources: BlendSources, averaged: AveragedPoses, fast: BoolArray) -> set[int]:
    """Return the joints above those that are too fast whose means are short at the time."""
    lengths = averaged.lengths
    assert lengths is not None
    blamed: set[int] = set()
    for joint in np.flatnonzero(fast.any(axis=0)).tolist():
        steps = np.flatnonzero(fast[:, joint])
        frames = np.union1d(steps, steps + 1)
        above = tree.ancestors(sources.skeleton, joint)
        blamed |= {each for each in above if lengths[frames, each].min() < BLAMED_LENGTH}
    return blamed


def let_fall(sources: BlendSources, placed: PlacedFrames, poses: Pose) -> Pose:
    """Return poses (T,) whose centres of mass are the means of the clips' centres in flight."""
    body = find_body_masses(poses.skeleton)
    if body is None or not len(sources.flights):
        return poses
    fractions = np.empty(len(placed.positions))
    kernels.advance.flight_fractions(
        sources.flights, sources.n_pieces, read_only_view(placed.positions), fractions
    )
    # A frame of one clip is that clip's frame to the last bit.
    at = np.flatnonzero((fractions > 0.0) & ~(placed.weights == 1.0).any(axis=1))
    if not len(at):
        return poses
    centres = apply_rows(placed.alignments[at], sources.sample(sources.centre_rows, placed.frames[at]))
    goals = apply_rows(placed.placements[at], np.einsum("tk,tkc->tc", placed.weights[at], centres))
    moved = None if poses.translations is None else poses.translations[at]
    some = Pose(poses.skeleton, poses.root_positions[at], poses.rotations[at], moved)
    roots = poses.root_positions.copy()
    actual = body.centre(some.world_positions(), some.world_rotations())
    roots[at] += fractions[at, None] * (goals - actual)
    return replace(poses, root_positions=freeze(roots))


def describe_flights(
    sources: BlendSources, positions: FloatArray, weights: FloatArray
) -> tuple[tuple[BlendedFlight, ...], tuple[str, ...]]:
    """Return the flights of a blend with output frames at positions (T,), and notes on what falls otherwise.

    ``weights`` (T, K) have sum 1; positions increase.
    """
    frame_time = sources.curve.clips[0].frame_time
    notes = _describe_unmatched(sources)
    flights = []
    for row, matched in zip(sources.flights, sources.matched_flights, strict=True):
        period = float(sources.n_pieces) if sources.periodic else None
        for start, end in find_flight_frames(positions, row[None], period).tolist():
            own = weights[min(max(round((start + end) / 2.0), 0), len(weights) - 1)]
            durations = (matched.frames[1] - matched.frames[0]) * frame_time
            square = float(own @ durations**2)
            limit = kernels.advance.MIN_RATE_FRACTION * float(durations.min())
            if square < 2.0 * limit**2:
                notes.append(
                    f"these weights leave the flight at {start * frame_time:.2f} s no duration that keeps "
                    f"gravity (Σ w T² = {square:.3g} s²): it follows the mean rate of the clips"
                )
                continue
            gravity = matched.blend_gravity(own)
            flights.append(BlendedFlight(max(start, 0.0), min(end, len(positions) - 1.0), gravity))
    flights.sort(key=lambda flight: flight.start)
    return tuple(flights), tuple(dict.fromkeys(notes))


def _describe_unmatched(sources: BlendSources) -> list[str]:
    """Return one note per clip on its flights that not all clips have."""
    frame_time = sources.curve.clips[0].frame_time
    notes, names = list[str](), name_clips(sources.curve.clips)
    for k in sorted({k for k, _ in sources.unmatched_flights}):
        flights = [flight for own, flight in sources.unmatched_flights if own == k]
        start, end = flights[0].start * frame_time, flights[0].end * frame_time
        again = "once more" if len(flights) == 2 else f"{len(flights) - 1} times more"
        more = f" and {again}" if len(flights) > 1 else ""
        notes.append(
            Message(
                (
                    names[k],
                    f" flies from {start:.2f} to {end:.2f} s{more} where not all clips do: the blend "
                    "does not fall freely there",
                )
            )
        )
    return notes
