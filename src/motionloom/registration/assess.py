"""Measure how well registered clips correspond: the evidence for the verdict, and the report.

Two pieces of evidence need a reason. Joints whose rotations are too far apart cannot be averaged. And of a
jump off the left foot and one off the right, or of cartwheels to both sides, the trunks move alike, and
frames correspond, but the blend takes off with neither foot. The clips tell by themselves: they differ much
from their own mirror images, and at many moments one is nearer to the mirror image of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, norm
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import Anatomy, facing, find_anatomy
from motionloom.motion.sampling import sample_vectors
from motionloom.registration.alignment import AlignedSamples, AlignmentCurve
from motionloom.registration.constraint_match import ConstraintMatches
from motionloom.registration.distance import SPEED_REACH, cloud_distance, relative_speeds
from motionloom.registration.point_cloud import PointCloud, point_clouds
from motionloom.registration.time_alignment import DISTORTED_RATE
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.registration.verdict import (
    MAX_HELD_DISTANCE,
    MAX_HELD_SPREAD,
    MAX_SIMILAR_DISTANCE,
    NO_PLANTS,
    Evidence,
    MirrorMatch,
    RegistrationReport,
    judge,
)

MOMENT_REACH = 0.1
"""Seconds between the three frames that make up a moment."""

COMPARED_RATES = 200
"""Positions, spread evenly over a curve, at which the clips' rates are compared."""

COMPARED_MOMENTS = 60
"""Moments, spread evenly over a curve, at which corresponding frames are compared with all others."""

MIN_LENGTH = 0.5
"""Length of the mean of two quaternions below which they are too far apart: 240° and more. Blending hands the
joint to one clip there; the same as in blending/hand_over.py."""

N_MOMENTS = 200
"""Moments, spread evenly over a curve, at which rotations are compared."""

MIN_ASYMMETRY = 0.4
"""Squared distance of a clip from its mirror image, over that of two of its moments, from which its sides do
different things. Jumps with both feet have 0.1, runs 1, a cartwheel 0.5."""

MIN_MIRRORED = 0.35
"""Fraction of moments at which the mirror image is nearer, from which clips may lead with opposite sides.
Gaits on the same feet have 0, on opposite feet half."""

MIN_DIFFERENCE, MAX_DIFFERENCE = 0.5, 2.0
"""Squared distance of corresponding moments over that of a clip from its mirror image: below the first, sides
agree; beyond the second, clips differ in more than sides, such as reaches to a high and a low shelf."""

EVEN_MATCH = 0.95
"""Distance of corresponding moments over that of mirrored ones from which the image is as good a match."""

COMPARED_FRAMES = 60
"""Moments, spread evenly over a curve, that are compared."""


@dataclass(frozen=True, kw_only=True)
class TimeStats:
    """How the time alignment went, and notes on what was done along the way.

    ``distortion`` is that of the alignment itself, which the curve may have smoothed.
    """

    saturation: float
    cycle_error: float | None
    notes: tuple[str, ...]
    distortion: float = 0.0


def assess(
    clips: Sequence[Clip],
    clouds: Sequence[PointCloud],
    timewarp: TimewarpCurve,
    alignment: AlignmentCurve,
    samples: AlignedSamples,
    found: ConstraintMatches,
    stats: TimeStats,
) -> RegistrationReport:
    """Measure how well clips correspond along their curves, and judge.

    ``clouds`` are the points of the clips; of cyclic clips, over cycles from the one before the first.
    """
    reference, fps = alignment.reference, clips[0].fps
    frames = timewarp(np.linspace(*timewarp.domain, COMPARED_MOMENTS))
    if timewarp.periods is not None:
        frames = frames + timewarp.periods
    compared = _compare_moments(clouds, frames, reference, round(MOMENT_REACH * fps))
    rivals, relative_distance = compared.rivals, compared.relative_distance
    far_apart, far_joint = measure_far_apart(clips, timewarp, alignment)
    evidence = Evidence(
        rivals=rivals,
        relative_distance=relative_distance,
        distortion=max(stats.distortion, _measure_distortion(timewarp, reference)),
        saturation=stats.saturation,
        n_matches=len(found.matches),
        n_odd=len(found.unmatched) + len(found.splits),
        opposite=_measure_opposite(clips, timewarp, alignment),
        far_apart=far_apart,
        far_joint=far_joint,
        loops=timewarp.periods is not None,
        held=compared.spread < MAX_HELD_SPREAD**2 and compared.distance < MAX_HELD_DISTANCE**2,
        mirror=compare_with_mirror_images(clips, timewarp, reference),
        speed_similarity=_measure_speed_similarity(clouds, frames, reference, clips[0].frame_time),
    )
    judgement = judge(evidence)
    others = np.sqrt(np.delete(samples.distances, reference, axis=1))
    return RegistrationReport(
        mean_distance=float(others.mean()),
        max_distance=float(others.max()),
        rivals=evidence.rivals,
        distortion=evidence.distortion,
        saturation=stats.saturation,
        unmatched=found.unmatched,
        splits=found.splits,
        n_matches=len(found.matches),
        cycle_error=stats.cycle_error,
        fit=timewarp.report,
        verdict=judgement.verdict,
        cause=judgement.cause,
        figure=judgement.figure,
        notes=stats.notes if _can_plant(clips) else (*stats.notes, NO_PLANTS),
        relative_distance=relative_distance,
    )


def _can_plant(clips: Sequence[Clip]) -> bool:
    """Whether a clip has constraints that keep feet in place, or no clip has legs that would need some."""
    if any(clip.constraints for clip in clips):
        return True
    return not any(isinstance(clip, Clip) and find_anatomy(clip.skeleton).legs for clip in clips)


@dataclass(frozen=True)
class _Comparison:
    """Corresponding moments against all others, each of the worst pair with the reference.

    ``rivals`` is the fraction of moments that are a closer match than the corresponding one, ``distance`` the
    mean squared distance of corresponding moments, ``relative_distance`` the same over that of two moments of
    one clip, of the clip that varies less; ``spread`` is that of two moments of the clip that varies most.
    """

    rivals: float
    relative_distance: float
    distance: float
    spread: float


def _compare_moments(
    clouds: Sequence[PointCloud], frames: FloatArray, reference: int, reach: int
) -> _Comparison:
    """Compare corresponding moments with all others.

    A moment is a frame with one before and one after it, ``reach`` frames away, so that a motion differs from
    its reverse.
    """
    picked = [_moments_of(cloud, frames[:, k], reach) for k, cloud in enumerate(clouds)]
    spreads = [float(cloud_distance(cloud, cloud, half_width=0).values.mean()) for cloud in picked]
    fractions, relative, distances = [0.0], [0.0], [0.0]
    for k, cloud in enumerate(picked):
        if k != reference:
            grid = cloud_distance(picked[reference], cloud, half_width=0).values
            corresponding = grid.diagonal()
            fractions += [
                float((grid < corresponding[:, None]).mean()),
                float((grid < corresponding).mean()),
            ]
            spread = max(min(spreads[reference], spreads[k]), MAX_SIMILAR_DISTANCE**2)
            distances.append(float(corresponding.mean()))
            relative.append(distances[-1] / spread)
    return _Comparison(max(fractions), max(relative), max(distances), max(spreads))


def _moments_of(cloud: PointCloud, frames: FloatArray, reach: int) -> PointCloud:
    """Return the points of three frames each; frames outside the clip are moved to its ends."""
    last = len(cloud.positions) - 1.0
    parts = [
        sample_vectors(cloud.positions, np.clip(frames + step, 0.0, last)) for step in (-reach, 0, reach)
    ]
    return PointCloud(np.concatenate(parts, axis=1), np.tile(cloud.weights, 3) / 3.0)


def _measure_speed_similarity(
    clouds: Sequence[PointCloud], frames: FloatArray, reference: int, frame_time: float
) -> float:
    """Return the lowest correlation, over clips, of points' speeds with the reference's along the curve."""
    reach = max(1, round(SPEED_REACH / frame_time))
    speeds = []
    for k, cloud in enumerate(clouds):
        own = relative_speeds(cloud.positions, frame_time, reach)
        at = sample_vectors(own, np.clip(frames[:, k], 0.0, len(own) - 1.0))
        speeds.append((at - at.mean(axis=0)) * np.sqrt(cloud.weights))
    sizes = [float(np.linalg.norm(own)) for own in speeds]
    if min(sizes) == 0.0:
        return 0.0
    return min(
        float(np.vdot(speeds[reference], own)) / (sizes[reference] * size)
        for own, size in zip(speeds, sizes, strict=True)
    )


def _measure_opposite(clips: Sequence[Clip], timewarp: TimewarpCurve, alignment: AlignmentCurve) -> float:
    """Return the largest fraction of moments at which a body, put on the reference's, faces backward."""
    if timewarp.periods is not None or not all(isinstance(clip, Clip) for clip in clips):
        return 0.0
    u = np.linspace(*timewarp.domain, COMPARED_MOMENTS)
    frames, yaws = timewarp(u), alignment(u)[..., 0]
    headings = [
        np.interp(frames[:, k], np.arange(clip.n_frames), facing(clip)) + yaws[:, k]
        for k, clip in enumerate(clips)
    ]
    return max(float((np.cos(own - headings[alignment.reference]) < 0.0).mean()) for own in headings)


def _measure_distortion(timewarp: TimewarpCurve, reference: int) -> float:
    """Return the largest fraction of the curve on which a clip runs far off its overall rate."""
    u = np.linspace(*timewarp.domain, COMPARED_RATES)
    rates = timewarp.derivative(u) / np.diff(timewarp(timewarp.domain), axis=0)
    ratios = np.abs(np.log(rates / rates[:, [reference]]))
    return float((ratios > np.log(DISTORTED_RATE)).mean(axis=0).max())


def measure_far_apart(
    clips: Sequence[Clip], timewarp: TimewarpCurve, alignment: AlignmentCurve
) -> tuple[float, str]:
    """Return the largest fraction of moments at which a joint's rotations are too far apart, and its name.

    Trunk, legs and arms count, up to ankles and wrists; fingers and toes do not. A joint that turns once
    around more in one clip than in another is far apart for the rest of the curve, since the signs of
    quaternions are chosen once.
    """
    if not all(isinstance(clip, Clip) for clip in clips):
        return 0.0, ""
    reference = alignment.reference
    skeleton = clips[reference].skeleton
    names = [skeleton.names[joint] for joint in _main_joints(find_anatomy(skeleton))]
    names = [name for name in names if all(name in clip.skeleton.names for clip in clips)]
    if not names:
        return 0.0, ""
    u = np.linspace(*timewarp.domain, N_MOMENTS)
    frames, yaws = timewarp(u), rot.from_yaw(alignment(u)[..., 0])
    samples = []
    for k, clip in enumerate(clips):
        rows = np.rint(frames[:, k]).astype(np.int64)
        rows = rows % clip.n_frames if clip.cyclic else np.clip(rows, 0, clip.n_frames - 1)
        joints = [clip.skeleton.index(name) for name in names]
        own = rot.unroll(clip.rotations[:, joints])[rows]
        if joints[0] == 0:
            own[:, 0] = rot.multiply(yaws[:, k], own[:, 0])
        samples.append(own)
    worst = np.zeros(len(names))
    for own in samples:
        sides = rot.hemisphere_signs(samples[reference], own).sum(axis=0, dtype=np.int64)
        means = (samples[reference] + own * np.where(sides < 0, -1.0, 1.0)[:, None]) / 2.0
        worst = np.maximum(worst, (norm(means) < MIN_LENGTH).mean(axis=0))
    joint = int(worst.argmax())
    return float(worst[joint]), names[joint]


def _main_joints(anatomy: Anatomy) -> list[int]:
    """Return the joints of trunk, legs and arms, in order."""
    chains = [leg.chain for leg in anatomy.legs] + [arm.chain for arm in anatomy.arms]
    return sorted({*anatomy.spine, *(joint for chain in chains for joint in chain)})


def compare_with_mirror_images(clips: Sequence[Clip], timewarp: TimewarpCurve, reference: int) -> MirrorMatch:
    """Compare corresponding moments of clips with the reference, and mirrored; for the worst pair.

    Loops are cut to the same strides, and clips of points or without pairs of limbs have no mirror images;
    clips of different joints are not compared.
    """
    if timewarp.periods is not None or not all(isinstance(clip, Clip) for clip in clips):
        return MirrorMatch()
    first = clips[reference].skeleton
    same = all(
        clip.skeleton.names == first.names and len(clip.skeleton.tips) == len(first.tips) for clip in clips
    )
    if not same or not find_anatomy(first).pairs:
        return MirrorMatch()
    frames = np.rint(timewarp(np.linspace(*timewarp.domain, COMPARED_FRAMES)))
    moments = [_pick_frames(clip, frames[:, k]) for k, clip in enumerate(clips)]
    found = [_compare(moments[reference], own) for k, own in enumerate(moments) if k != reference]
    return MirrorMatch(any(each.suspect for each in found), any(each.even for each in found))


def _pick_frames(clip: Clip, frames: FloatArray) -> Clip:
    """Return a clip of some frames (N,) of another."""
    rows = np.clip(frames, 0, clip.n_frames - 1).astype(np.int64)
    return replace(
        clip,
        root_positions=clip.root_positions[rows],
        rotations=clip.rotations[rows],
        translations=None if clip.translations is None else clip.translations[rows],
        constraints=(),
        events=(),
    )


def _compare(reference: Clip, other: Clip) -> MirrorMatch:
    one, two, image = point_clouds([reference, other, other.mirrored()])
    own = cloud_distance(one, two, half_width=0).values.diagonal()
    mirrored = cloud_distance(one, image, half_width=0).values.diagonal()
    asymmetry = float(cloud_distance(two, image, half_width=0).values.diagonal().mean())
    spread = float(cloud_distance(two, two, half_width=0).values.mean())
    distance = float(own.mean())
    suspect = (
        asymmetry > MIN_ASYMMETRY * spread
        and MIN_DIFFERENCE * asymmetry < distance < MAX_DIFFERENCE * asymmetry
        and float((mirrored < own).mean()) > MIN_MIRRORED
    )
    return MirrorMatch(suspect, suspect and distance > EVEN_MATCH * float(mirrored.mean()))
