"""`assemble_route`: the motion along a route, frames of takes and edges one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.blending.constrain import MIN_INTERVAL
from motionloom.blending.result import BlendReport, BlendResult, file_conventions
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.graphs.route import Route, Visit, check_route, list_visits
from motionloom.motion import Clip, Event
from motionloom.motion.provenance import OWN_SOURCE
from motionloom.transitions.plant import plant_transition
from motionloom.transitions.segment import Annotations, crop_annotations, merge_annotations

if TYPE_CHECKING:
    from motionloom.graphs.edge import Edge
    from motionloom.graphs.graph import MotionGraph


@dataclass(frozen=True, eq=False)
class _Stretch:
    """Frames of a take or an edge that follow each other in the motion.

    ``margin`` is how many frames beyond them annotations reach: those of an edge hold from departure to
    landing.
    """

    clip: Clip
    first: int
    last: int
    start: int
    placement: GroundTransform
    margin: int

    @property
    def span(self) -> slice:
        return slice(self.first, self.last + 1)


def assemble_route(
    graph: MotionGraph, route: Route, *, placement: GroundTransform | None = None, plant: bool = True
) -> BlendResult:
    """Assemble the motion along a route of a graph.

    Parameters
    ----------
    graph
        The graph.
    route
        Where to start, which edges to take and where to end.
    placement
        Where the first take is placed; by default it stays where it was captured.
    plant
        Whether planted feet and hands stay put in the result (:func:`motionloom.enforce`).

    Returns
    -------
    BlendResult
        Its K columns are the nodes that the route visits, in the order of their first visit.
        ``report.seams`` are departures and landings, ``report.centres`` the frames of both takes that meet in
        each transition.

    >>> import motionloom as ml
    >>> graph = ml.load("walks.npz", ml.MotionGraph)                              # doctest: +SKIP
    >>> result = assemble_route(graph, graph.walk_route(60.0, seed=1))  # doctest: +SKIP
    """
    check_route(graph, route)
    visits = list_visits(graph.table, route)
    edges = [graph.edges[edge] for edge in route.edges]
    pieces = _list_pieces(graph, visits, edges, placement or GroundTransform())
    first = pieces[0].clip
    constraints, events = _join_annotations(pieces)
    moving = any(piece.clip.translations is not None for piece in pieces)
    clip = replace(
        first,
        root_positions=freeze(
            np.concatenate([p.placement.apply(p.clip.root_positions[p.span]) for p in pieces])
        ),
        rotations=freeze(_join_rotations(pieces)),
        translations=freeze(np.concatenate([p.clip.local_positions()[p.span] for p in pieces]))
        if moving
        else None,
        constraints=constraints,
        events=events,
        cyclic=False,
        source=file_conventions(first),
        provenance=OWN_SOURCE,
    )
    result = replace(_tabulate(graph, visits, edges, pieces, clip), clip=clip.arranged())
    return plant_transition(result) if plant else result


def _list_pieces(
    graph: MotionGraph, visits: list[Visit], edges: list[Edge], placement: GroundTransform
) -> list[_Stretch]:
    """Return takes and edges in turn, each with its place in the motion."""
    pieces = []
    for n, visit in enumerate(visits):
        own = placement @ visit.placement
        pieces.append(_Stretch(graph.nodes[visit.node].clip, visit.first, visit.last, visit.start, own, 0))
        if n < len(edges):
            edge, start = edges[n].clip, visit.start + visit.last - visit.first + 1
            pieces.append(_Stretch(edge, 0, edge.n_frames - 1, start, own, 1))
    return pieces


def _join_rotations(pieces: list[_Stretch]) -> FloatArray:
    """Return rotations (T, J, 4) whose signs are continuous from piece to piece."""
    parts: list[FloatArray] = []
    for piece in pieces:
        own = np.array(piece.clip.rotations[piece.span])
        own[:, 0] = piece.placement.apply_to_rotations(own[:, 0])
        if parts:
            own *= rot.nearer_signs(own[0], parts[-1][-1])
        parts.append(own)
    return np.concatenate(parts)


def _join_annotations(pieces: list[_Stretch]) -> Annotations:
    """Return constraints and events of all pieces; a plant that crosses a seam is one constraint."""
    parts = [
        crop_annotations(
            (piece.clip.constraints, piece.clip.events),
            float(piece.start - piece.margin),
            float(piece.start + piece.last - piece.first + piece.margin),
            shift=float(piece.start - piece.first),
            transform=piece.placement,
        )
        for piece in pieces
    ]
    constraints, _ = merge_annotations([(own, ()) for own, _ in parts])
    return constraints, _merge_events(event for _, own in parts for event in own)


def _merge_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return events in the order of time; one that was found from both sides of a seam is one."""
    merged: list[Event] = []
    latest: dict[tuple[str, str], float] = {}
    for event in sorted(events, key=lambda event: event.frame):
        role = event.label, event.joint
        if event.frame - latest.get(role, -np.inf) >= MIN_INTERVAL:
            merged.append(event)
            latest[role] = event.frame
    return tuple(merged)


def _report(visits: list[Visit], edges: list[Edge]) -> BlendReport:
    seams, centres = list[float](), list[tuple[float, float]]()
    for before, after, edge in zip(visits, visits[1:], edges, strict=False):
        seams += [float(before.start + before.last - before.first), float(after.start)]
        meeting = edge.frames[len(edge.frames) // 2].tolist()
        centres.append((meeting[0], meeting[1]))
    return BlendReport(method="graph", seams=tuple(seams), centres=tuple(centres), doubts=("",) * len(edges))


def _tabulate(
    graph: MotionGraph, visits: list[Visit], edges: list[Edge], pieces: list[_Stretch], clip: Clip
) -> BlendResult:
    """Return what goes into each frame: weights, source frames and placements of the nodes visited."""
    nodes = list(dict.fromkeys(visit.node for visit in visits))
    column = {node: k for k, node in enumerate(nodes)}
    n_frames = clip.n_frames
    weights, frames = np.zeros((n_frames, len(nodes))), np.zeros((n_frames, len(nodes)))
    placements = np.zeros((n_frames, len(nodes), 3))
    for visit, piece in zip(visits, pieces[::2], strict=True):
        span, k = slice(visit.start, visit.start + visit.last - visit.first + 1), column[visit.node]
        weights[span, k] = 1.0
        frames[span, k] = np.arange(visit.first, visit.last + 1)
        placements[span, k] = piece.placement.row()
    for edge, piece in zip(edges, pieces[1::2], strict=True):
        span = slice(piece.start, piece.start + edge.n_frames)
        # Within one take the frames of the heavier side count: the second side is written last.
        sides = (0, 1) if edge.source != edge.target else (1, 0)
        for side in sides:
            k = column[(edge.source, edge.target)[side]]
            own = edge.weights[:, side] >= (0.0 if edge.source != edge.target else 0.5)
            weights[span, k] += edge.weights[:, side]
            frames[span, k] = np.where(own, edge.frames[:, side], frames[span, k])
            rows = [
                (piece.placement @ GroundTransform(*row)).row() for row in edge.placements[:, side].tolist()
            ]
            placements[span, k] = np.where(own[:, None], rows, placements[span, k])
    return BlendResult(
        clip=clip,
        report=_report(visits, edges),
        u=np.arange(n_frames, dtype=np.float64),
        weights=weights,
        frames=frames,
        placements=placements,
    )
