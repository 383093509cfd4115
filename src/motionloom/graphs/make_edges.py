"""`make_edges`: transitions made of candidates, measured, and kept where they are as smooth as the takes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.enforcement import enforce
from motionloom.errors import MotionloomError
from motionloom.files.parallel import run_each
from motionloom.geometry import GroundTransform
from motionloom.graphs.edge import Edge
from motionloom.graphs.node import GraphNode
from motionloom.graphs.smoothness import UsualPeaks, measure_seam, measure_usual_peaks
from motionloom.motion import Clip
from motionloom.motion.kinematics import max_distance
from motionloom.transitions.make_segment import make_segment
from motionloom.transitions.plan import UnrolledClip
from motionloom.transitions.request import TransitionMethod, make_request
from motionloom.transitions.segment import TransitionSegment, crop_annotations
from motionloom.transitions.splice import join_parts

HALF_WIDTH = 0.25
"""Seconds to either side of the frames that meet: the transitions of motion graphs take about half a second
(Kovar et al. 2002: a third)."""

METHODS: tuple[TransitionMethod, ...] = ("linear", "registration")
"""Methods of :func:`motionloom.transition` that are tried, the cheaper one first: of poses this close, a
cross-fade is as smooth as a registered blend three times out of four, and takes a quarter of the time."""

CONTEXT = 1.5
"""Seconds of a take to either side of the frames that meet that a transition is made from: a stride and a
half, so that gaits are recognized."""

SURROUNDINGS = 0.45
"""Seconds before and after a transition that its smoothness is measured in."""

MAX_SEAM = 1.0
"""Largest acceleration, jerk or turn over what is usual in both takes, before and after feet are planted."""

MAX_SLIDE = 0.05
"""Metres that a planted foot may slide before feet are planted; captured feet slide up to 4 cm."""

MAX_SPEED_CHANGE = 2.0
"""Frames of a take that may pass in one frame of the transition."""

BATCH = 12
"""Candidates that a process makes at a time."""


class Rejection(Enum):
    """Why a candidate did not become an edge."""

    NO_ROOM = "too close to the end of a take"
    PLANTS = "different feet are planted"
    UNLIKE = "the takes do not correspond there"
    ROUGH = "less smooth than the takes"
    SLIDES = "a planted foot slides"
    RUSHES = "a take is fast-forwarded"


@dataclass(frozen=True)
class Candidate:
    """Frames of two nodes that a transition may meet at, and how far apart they are in metres."""

    source: int
    source_frame: int
    target: int
    target_frame: int
    distance: float


@dataclass(frozen=True, eq=False)
class _Batch:
    """Candidates from one node to another, with what is needed of both takes.

    ``firsts`` are the frames at which the clips begin in their takes.
    """

    candidates: tuple[Candidate, ...]
    clips: tuple[Clip, Clip]
    firsts: tuple[int, int]
    lengths: tuple[int, int]
    usual: tuple[UsualPeaks, UsualPeaks]


def make_edges(
    nodes: Sequence[GraphNode],
    candidates: Sequence[Candidate],
    usual: Sequence[UsualPeaks],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> dict[Candidate, Edge | Rejection]:
    """Make the transitions of candidates; those that are not good enough give the reason instead."""
    batches = _make_batches(nodes, candidates, usual)
    outcomes: dict[Candidate, Edge | Rejection] = {}
    for batch, results in run_each(make_batch, batches, jobs=jobs, executor=executor):
        if results is None:
            raise MotionloomError(
                "a process ended while it made transitions, perhaps for lack of memory: try fewer jobs"
            )
        outcomes |= dict(zip(batch.candidates, results, strict=True))
        if progress is not None:
            progress(len(outcomes), len(candidates))
    return {candidate: outcomes[candidate] for candidate in candidates}


def _make_batches(
    nodes: Sequence[GraphNode], candidates: Sequence[Candidate], usual: Sequence[UsualPeaks]
) -> list[_Batch]:
    """Group candidates by their nodes, with the frames of the takes that their transitions need."""
    by_nodes: dict[tuple[int, int], list[Candidate]] = {}
    for candidate in candidates:
        by_nodes.setdefault((candidate.source, candidate.target), []).append(candidate)
    batches = []
    for (source, target), own in by_nodes.items():
        own.sort(key=lambda candidate: (candidate.source_frame, candidate.target_frame))
        for start in range(0, len(own), BATCH):
            part = tuple(own[start : start + BATCH])
            a, first_a = _cut(nodes[source].clip, [c.source_frame for c in part])
            b, first_b = _cut(nodes[target].clip, [c.target_frame for c in part])
            lengths = nodes[source].n_frames, nodes[target].n_frames
            batches.append(_Batch(part, (a, b), (first_a, first_b), lengths, (usual[source], usual[target])))
    return batches


def _cut(clip: Clip, frames: list[int]) -> tuple[Clip, int]:
    """Return the part of a take around frames, and the frame at which it begins."""
    reach = round(CONTEXT / clip.frame_time)
    first = max(0, min(frames) - reach)
    return replace(clip[first : max(frames) + reach + 1], source=clip.source), first


def make_batch(batch: _Batch) -> list[Edge | Rejection]:
    """Make the transitions of a batch; this runs in worker processes."""
    return [_make_edge(batch, candidate) for candidate in batch.candidates]


def _make_edge(batch: _Batch, candidate: Candidate) -> Edge | Rejection:
    at = (candidate.source_frame - batch.firsts[0], candidate.target_frame - batch.firsts[1])
    (a, first_a), (b, first_b) = (_cut(clip, [frame]) for clip, frame in zip(batch.clips, at, strict=True))
    centre = float(at[0] - first_a), float(at[1] - first_b)
    if _stand_on_other_feet(a, b, centre):
        return Rejection.PLANTS
    shifts = np.array([first_a + batch.firsts[0], first_b + batch.firsts[1]], dtype=np.float64)
    outcome: Edge | Rejection = Rejection.NO_ROOM
    for method in METHODS:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                request = make_request(a, b, centre, HALF_WIDTH, method)
                segment = make_segment(UnrolledClip(clip=a), UnrolledClip(clip=b), request, True)
        except MotionloomError:
            continue
        outcome = _judge(a, b, segment, shifts, batch, candidate)
        if isinstance(outcome, Edge):
            break
    return outcome


def _stand_on_other_feet(a: Clip, b: Clip, centre: tuple[float, float]) -> bool:
    """Return whether both takes have something planted at the centre, but nothing in common."""
    planted = [
        {c.joint for c in clip.constraints if c.start <= at <= c.end}
        for clip, at in zip((a, b), centre, strict=True)
    ]
    return all(planted) and not planted[0] & planted[1]


def _judge(
    a: Clip, b: Clip, segment: TransitionSegment, shifts: FloatArray, batch: _Batch, candidate: Candidate
) -> Edge | Rejection:
    """Return the edge of a segment if it is good enough."""
    if segment.misfit:
        return Rejection.UNLIKE
    if float(np.diff(segment.frames, axis=0).max(initial=1.0)) > MAX_SPEED_CHANGE:
        return Rejection.RUSHES
    near = round(SURROUNDINGS / a.frame_time)
    start = max(0, round(float(segment.frames[0, 0])) - near)
    stop = round(float(segment.frames[-1, 1])) + near + 1
    around = join_parts(
        a[start:], b[:stop], replace(segment, frames=segment.frames - [float(start), 0.0])
    ).clip
    first = round(float(segment.frames[0, 0])) - start
    last = first + len(segment.frames) - 1
    slide = _measure_slide(around, first, last)
    if slide > MAX_SLIDE:
        return Rejection.SLIDES
    seam = _measure_seam(around, first, last, batch.usual)
    if seam > MAX_SEAM:
        return Rejection.ROUGH
    frames = segment.frames + shifts
    departure, landing = round(float(frames[0, 0])), round(float(frames[-1, 1]))
    if not (0 <= departure < batch.lengths[0] - 1 and 0 < landing < batch.lengths[1]):
        return Rejection.NO_ROOM
    inner = slice(1, -1)
    constraints, events = crop_annotations(
        segment.annotations, -1.0, float(len(segment.frames) - 2), shift=-1.0
    )
    clip = replace(
        a,
        root_positions=segment.root_positions[inner],
        rotations=segment.rotations[inner],
        translations=None if segment.translations is None else segment.translations[inner],
        constraints=constraints,
        events=events,
        cyclic=False,
        report=None,
    )
    return Edge(
        source=candidate.source,
        departure=departure,
        target=candidate.target,
        landing=landing,
        clip=clip,
        displacement=GroundTransform(*segment.placements[-1, 1].tolist()),
        distance=candidate.distance,
        seam=seam,
        slide=slide,
        weights=freeze(segment.weights[inner]),
        frames=freeze(frames[inner]),
        placements=freeze(segment.placements[inner]),
    )


def _measure_seam(clip: Clip, first: int, last: int, usual: tuple[UsualPeaks, UsualPeaks]) -> float:
    """Return how rough a transition is against its takes, before or after feet are planted."""
    seam = measure_seam(clip, first, last, usual)
    if seam > MAX_SEAM or not clip.constraints:
        return seam
    return max(seam, measure_seam(enforce(clip), first, last, usual))


def _measure_slide(clip: Clip, first: int, last: int) -> float:
    """Return how far in metres a planted point slides over the ground within frames ``first`` to ``last``."""
    slides = [0.0]
    for plant in clip.constraints:
        held = plant.whole_frames(clip.n_frames)
        span = slice(max(first, held.start), min(last + 1, held.stop))
        if span.stop - span.start > 1:
            slides.append(max_distance(clip.point_positions(plant.joint, plant.point, span)[:, [0, 2]]))
    return max(slides)


def measure_takes(nodes: Sequence[GraphNode]) -> list[UsualPeaks]:
    """Measure what is usual in each take."""
    return [measure_usual_peaks(node.clip) for node in nodes]
