"""The pack of a clip: where its joints are in every frame, and all there is to show about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motionloom.annotation.ground import find_floor
from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import body_height
from motionloom.motion.kinematics import max_distance, world_points
from motionloom.registration import Verdict
from motionloom.studio.packs import pack
from motionloom.studio.responses import ClipHeader, Fit, Mark, PlantSpan

if TYPE_CHECKING:
    from motionloom.project.evaluator import EvaluatedClip

SAME_POINT = 1e-3
"""Points of one joint that lie closer together than this share a column, metres: nobody sees a millimetre,
and a long take has thousands of plants but only a handful of such points."""

FITS: dict[Verdict, Fit] = {Verdict.GOOD: "good", Verdict.DOUBTFUL: "doubtful", Verdict.UNFIT: "unfit"}

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class PlantedPoints:
    """The distinct points that a clip's constraints hold: P joints (indices) and points (P, 3) in them."""

    joints: list[int]
    points: FloatArray
    columns: tuple[int, ...]


def pack_clip(outcome: EvaluatedClip) -> bytes:
    """Pack an evaluated clip: a :class:`ClipHeader` and its arrays."""
    clip = outcome.clip.body
    held = find_planted_points(clip)
    # Planted feet of a gait in place stand on ground that moves.
    moving = recover_if_in_place(clip)[0] if held.columns else clip
    arrays = {"positions": clip.world_positions()}
    if outcome.before is not None and outcome.before.n_frames == clip.n_frames:
        arrays["before"] = outcome.before.body.world_positions()
    if held.columns:
        arrays["points"] = _track_points(clip, held)
        if moving is not clip:
            arrays["ground_points"] = _track_points(moving, held)
    if outcome.blend is not None:
        arrays |= {"u": outcome.blend.u, "weights": outcome.blend.weights, "frames": source_frames(outcome)}
    elif outcome.frames is not None:
        arrays["frames"] = outcome.frames
    return pack(clip_header(outcome, held, moving), arrays)


def clip_header(outcome: EvaluatedClip, held: PlantedPoints, moving: Clip) -> ClipHeader:
    """Describe an evaluated clip; its plants slide as they do in ``moving``, the clip with its travel."""
    clip = outcome.clip.body
    return ClipHeader(
        names=clip.skeleton.names,
        parents=tuple(clip.skeleton.parents.tolist()),
        n_frames=clip.n_frames,
        whole_frames=outcome.whole_frames,
        fps=clip.fps,
        cyclic=clip.cyclic,
        plants=tuple(
            _plant(constraint, column, slide_of(moving, constraint))
            for constraint, column in zip(clip.constraints, held.columns, strict=True)
        ),
        events=tuple(Mark(frame=e.frame, label=e.label, joint=e.joint) for e in clip.events),
        seams=tuple(float(seam) for seam in outcome.seams),
        floor=float(find_floor(clip).height) + 0.0,  # which is never -0.0
        height=_height(clip),
        fit=None if outcome.curve is None else FITS[outcome.curve.report.verdict],
        verdict=outcome.verdict,
        notes=tuple(outcome.notes),
    )


def source_frames(outcome: EvaluatedClip) -> FloatArray:
    """Return the source frames (T, K) of a blend, counted in the clips as the project shows them."""
    assert outcome.blend is not None
    if outcome.curve is None:
        return outcome.blend.frames
    columns = zip(outcome.curve.clips, outcome.source_provenances, outcome.blend.frames.T, strict=True)
    return np.stack(
        [clip.provenance.relative_to(source).frames(frames) for clip, source, frames in columns], axis=1
    )


def find_planted_points(clip: Clip) -> PlantedPoints:
    """Find the distinct points that constraints hold, and which of them each constraint holds.

    >>> from motionloom.workflows import ensure_annotated
    >>> from motionloom.synthesis import walk
    >>> clip = ensure_annotated(walk(duration=3.0, fps=30).clip)
    >>> len(find_planted_points(clip).joints) < len(clip.constraints)
    True
    """
    found: dict[tuple[int, tuple[int, ...]], int] = {}
    joints: list[int] = []
    points: list[FloatArray] = []
    columns = []
    for constraint in clip.constraints:
        joint = clip.skeleton.index(constraint.joint)
        name = (joint, tuple(np.rint(constraint.point / SAME_POINT).astype(int).tolist()))
        if name not in found:
            found[name] = len(joints)
            joints.append(joint)
            points.append(constraint.point)
        columns.append(found[name])
    return PlantedPoints(joints, np.array(points).reshape(-1, 3), tuple(columns))


def slide_of(clip: Clip, constraint: Constraint) -> float:
    """Measure how far the point of a constraint slides over the ground while it is planted, metres."""
    span = constraint.whole_frames(clip.n_frames)
    if len(span) < 2:
        return 0.0
    track = clip.point_positions(constraint.joint, constraint.point, slice(span.start, span.stop))
    return max_distance(track[:, [0, 2]])


def _track_points(clip: Clip, held: PlantedPoints) -> FloatArray:
    return world_points(clip.world_positions(), clip.world_rotations(), held.joints, held.points)


def _plant(constraint: Constraint, column: int, slide: float) -> PlantSpan:
    return PlantSpan(
        joint=constraint.joint,
        kind=constraint.kind,
        start=constraint.start,
        end=constraint.end,
        point=_vector(constraint.point),
        target=None if constraint.target is None else _vector(constraint.target),
        slide=slide,
        column=column,
    )


def _vector(values: FloatArray) -> Vector:
    x, y, z = values.tolist()
    return x, y, z


def _height(clip: Clip) -> float:
    """Return the height of the body, metres; of a figure without legs, the extent of its joints."""
    found = body_height(clip.skeleton)
    if found is not None:
        return found
    return float(np.ptp(clip.skeleton.rest_positions(), axis=0).max(initial=0.0))
