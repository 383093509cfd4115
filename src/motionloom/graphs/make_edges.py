"""`make_edges`: transitions made of candidates, measured, and kept where they are as smooth as the takes.

How far bodies lean beyond their feet in edges is measured against their takes too.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from motionloom.annotation.floor import Floor
from motionloom.arrays import FloatArray, freeze
from motionloom.enforcement import enforce
from motionloom.errors import MotionloomError
from motionloom.geometry import GroundTransform
from motionloom.graphs.edge import Edge
from motionloom.graphs.node import GraphNode
from motionloom.graphs.smoothness import measure_seam
from motionloom.jobs.parallel import run_each
from motionloom.motion import Clip
from motionloom.motion.anatomy import centre_of_mass
from motionloom.motion.anatomy.thresholds import MAX_SLIDE
from motionloom.motion.kinematics import max_distance
from motionloom.options.transitions import TransitionMethod
from motionloom.quality.balance import support_distances
from motionloom.quality.derivatives import USUAL_PERCENTILE
from motionloom.transitions.linear import make_linear_segment
from motionloom.transitions.make_segment import make_segment
from motionloom.transitions.plan import Plan, UnrolledClip
from motionloom.transitions.request import TransitionRequest, make_request
from motionloom.transitions.segment import TransitionSegment, crop_annotations
from motionloom.transitions.splice import join_parts

HALF_WIDTH = 0.25
"""Seconds to either side of the frames that meet: the transitions of motion graphs take about half a second
(Kovar et al. 2002: a third)."""

CONTEXT = 1.5
"""Seconds of a take to either side of the frames that meet that a transition is made from: a stride and a
half, so that gaits are recognized."""

SURROUNDINGS = 0.45
"""Seconds before and after a transition that its smoothness is measured in."""

MAX_SEAM = 1.0
"""Largest acceleration, jerk or turn over what is usual in both takes, before feet are planted."""

MAX_PLANTED_SEAM = 1.1
"""The same once the feet are planted: they are held still for some frames longer than in the takes, and
follow a little faster."""

MAX_SPEED_CHANGE = 2.0
"""Frames of a take that may pass in one frame of the transition."""

BATCH = 12
"""Candidates that a process makes at a time."""

MIN_DISTANCE = 0.02
"""Metres beyond the planted feet that are usual at least: somebody who stands is above them all the time."""


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
    """Frames of two nodes that a transition may meet at, how far apart they are in metres, and its method."""

    source: int
    source_frame: int
    target: int
    target_frame: int
    distance: float
    method: TransitionMethod = "linear"


@dataclass(frozen=True, eq=False)
class _Task:
    """A candidate, with what is needed of both takes.

    ``at`` are the frames that meet in the clips, ``firsts`` the frames of the takes at which those begin,
    ``ordinary`` (5,) the peaks that are usual in both takes, and ``floor`` is that of the source.
    """

    candidate: Candidate
    clips: tuple[Clip, Clip]
    at: tuple[int, int]
    firsts: tuple[int, int]
    lengths: tuple[int, int]
    ordinary: FloatArray
    floor: Floor


def make_edges(
    nodes: Sequence[GraphNode],
    candidates: Sequence[Candidate],
    find_ordinary: Callable[[int, int], FloatArray],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> dict[Candidate, Edge | Rejection]:
    """Make the transitions of candidates; those that are not good enough give the reason instead.

    ``find_ordinary`` gives the peaks (5,) that are usual in two takes, by the numbers of their nodes.
    """
    batches = [
        [_make_task(nodes, candidate, find_ordinary) for candidate in candidates[n : n + BATCH]]
        for n in range(0, len(candidates), BATCH)
    ]
    outcomes: dict[Candidate, Edge | Rejection] = {}
    for batch, results in run_each(make_batch, batches, jobs=jobs, executor=executor):
        if results is None:
            raise MotionloomError(
                "a process ended while it made transitions, perhaps for lack of memory",
                remedy="try fewer jobs",
            )
        outcomes |= {task.candidate: result for task, result in zip(batch, results, strict=True)}
        if progress is not None:
            progress(len(outcomes), len(candidates))
    return {candidate: outcomes[candidate] for candidate in candidates}


def _make_task(
    nodes: Sequence[GraphNode], candidate: Candidate, find_ordinary: Callable[[int, int], FloatArray]
) -> _Task:
    """Cut the frames of both takes that a transition is made from."""
    frames = candidate.source_frame, candidate.target_frame
    takes = [nodes[n].clip for n in (candidate.source, candidate.target)]
    half, near, context = (
        round(seconds / takes[0].frame_time) for seconds in (HALF_WIDTH, SURROUNDINGS, CONTEXT)
    )
    around = (
        [(half + near, half), (half, half + near)] if candidate.method == "linear" else [(context,) * 2] * 2
    )
    firsts = [max(0, frame - before) for frame, (before, _) in zip(frames, around, strict=True)]
    clips = [
        replace(take[first : frame + after + 1], source=take.source)
        for take, first, frame, (_, after) in zip(takes, firsts, frames, around, strict=True)
    ]
    return _Task(
        candidate,
        (clips[0], clips[1]),
        (frames[0] - firsts[0], frames[1] - firsts[1]),
        (firsts[0], firsts[1]),
        (takes[0].n_frames, takes[1].n_frames),
        find_ordinary(candidate.source, candidate.target),
        nodes[candidate.source].floor,
    )


def make_batch(batch: list[_Task]) -> list[Edge | Rejection]:
    """Make the transitions of a batch; this runs in worker processes."""
    return [_make_edge(task) for task in batch]


def _make_edge(task: _Task) -> Edge | Rejection:
    if _stand_on_other_feet(task):
        return Rejection.PLANTS
    a, b = (UnrolledClip(clip=clip) for clip in task.clips)
    centre = float(task.at[0]), float(task.at[1])
    method = task.candidate.method
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if method == "linear":
                half = HALF_WIDTH / a.clip.frame_time
                request = TransitionRequest(
                    method=method, half=half, wanted=half, fixed=True, at=centre, ratio=1.0
                )
                segment = make_linear_segment(Plan(a, b, centre, round(half), request, pinned=True))
            else:
                request = make_request(a.clip, b.clip, centre, HALF_WIDTH, method)
                segment = make_segment(a, b, request, True)
    except MotionloomError:
        return Rejection.NO_ROOM
    return _judge(task, segment)


def _stand_on_other_feet(task: _Task) -> bool:
    """Return whether both takes have something planted where they meet, but nothing in common."""
    planted = [
        {c.joint for c in clip.constraints if c.start <= at <= c.end}
        for clip, at in zip(task.clips, task.at, strict=True)
    ]
    return all(planted) and not planted[0] & planted[1]


def _judge(task: _Task, segment: TransitionSegment) -> Edge | Rejection:
    """Return the edge of a segment if it is good enough."""
    candidate, (a, b) = task.candidate, task.clips
    if segment.misfit:
        return Rejection.UNLIKE
    if float(np.diff(segment.frames, axis=0).max(initial=1.0)) > MAX_SPEED_CHANGE:
        return Rejection.RUSHES
    near = round(SURROUNDINGS / a.frame_time)
    start = max(0, round(float(segment.frames[0, 0])) - near)
    stop = round(float(segment.frames[-1, 1])) + near + 1
    around = join_parts(
        a[start:] if start else a,
        b[:stop] if stop < b.n_frames else b,
        replace(segment, frames=segment.frames - [float(start), 0.0]),
    ).clip
    first = round(float(segment.frames[0, 0])) - start
    last = first + len(segment.frames) - 1
    slide = _measure_slide(around, first, last)
    if slide > MAX_SLIDE:
        return Rejection.SLIDES
    seam = measure_seam(around, first, last, task.ordinary)
    if seam <= MAX_SEAM and around.constraints:
        planted = enforce(around, ground=task.floor)
        if planted.report.released:
            return Rejection.SLIDES
        if measure_seam(planted.clip, first, last, task.ordinary) > MAX_PLANTED_SEAM:
            return Rejection.ROUGH
    if seam > MAX_SEAM:
        return Rejection.ROUGH
    frames = segment.frames + np.array(task.firsts, dtype=np.float64)
    departure, landing = round(float(frames[0, 0])), round(float(frames[-1, 1]))
    if not (0 <= departure < task.lengths[0] - 1 and 0 < landing < task.lengths[1]):
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


def _measure_slide(clip: Clip, first: int, last: int) -> float:
    """Return how far in metres a planted point slides over the ground within frames ``first`` to ``last``."""
    slides = [0.0]
    for plant in clip.constraints:
        held = plant.whole_frames(clip.n_frames)
        span = slice(max(first, held.start), min(last + 1, held.stop))
        if span.stop - span.start > 1:
            slides.append(max_distance(clip.point_positions(plant.joint, plant.point, span)[:, [0, 2]]))
    return max(slides)


def measure_balance(nodes: Sequence[GraphNode], edges: Sequence[Edge]) -> FloatArray:
    """Return how far (E,) the centre of mass gets beyond the planted feet, over what is usual in both takes.

    Walking bodies fall from foot to foot, so only the comparison tells something: the largest distance in a
    transition is divided by the 95th percentile of both takes' frames. NaN where nothing is planted.

    >>> from motionloom.graphs.unify_takes import unify_takes
    >>> from motionloom.synthesis import walk
    >>> nodes, _ = unify_takes([walk(duration=2.0, fps=30).clip])
    >>> measure_balance(nodes, []).shape
    (0,)
    """
    joined = {n for edge in edges for n in (edge.source, edge.target)}
    takes = {n: _find_distances(nodes[n].clip) for n in joined}
    usual: dict[tuple[int, int], float] = {}
    ratios = np.full(len(edges), np.nan)
    for n, edge in enumerate(edges):
        own, key = _find_distances(edge.clip), (edge.source, edge.target)
        if key not in usual:
            both = np.concatenate([takes[edge.source], takes[edge.target]])
            usual[key] = float(np.percentile(both, USUAL_PERCENTILE)) if len(both) else 0.0
        if len(own):
            ratios[n] = own.max() / max(usual[key], MIN_DISTANCE)
    return ratios


def _find_distances(clip: Clip) -> FloatArray:
    """Return the distances of the centre of mass from the planted feet, of the frames that have any."""
    distances = support_distances(clip, centre_of_mass(clip))
    return distances[np.isfinite(distances)]
