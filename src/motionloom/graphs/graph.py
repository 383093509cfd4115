"""`MotionGraph`: takes joined by transitions, along which motion goes on for ever."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import cached_property

import numpy as np

from motionloom.blending.result import BlendResult
from motionloom.errors import MotionloomError
from motionloom.graphs.assemble import assemble_route
from motionloom.graphs.edge import Edge, EdgeTable, tabulate_edges
from motionloom.graphs.find_candidates import find_candidates
from motionloom.graphs.make_edges import list_edges, make_edges, measure_takes
from motionloom.graphs.node import GraphNode
from motionloom.graphs.prune import keep_core
from motionloom.graphs.report import GraphReport
from motionloom.graphs.route import Route
from motionloom.graphs.unify_takes import Progress, Tags, unify_takes
from motionloom.motion import Clip
from motionloom.spaces.register_examples import HasClip


class MotionGraph:
    """Takes and the transitions between them, each made and measured.

    Parameters
    ----------
    clips
        Clips, or segments of a library. They are brought to the body and the floor of the first one and to
        the lowest frame rate, and annotated if they are not; ``report.notes`` says what was done.
    threshold
        Largest distance in metres of the frames that meet in a transition.
    names, tags
        Names of the clips, and labels of each, such as ``["walk", "walk", "run"]``.
    jobs, executor
        Processes that make transitions, or where to make them instead.
    progress
        Called with the number of transitions tried and of all.

    Attributes
    ----------
    nodes
        The takes.
    edges
        The transitions.
    report
        What was kept and how well it is connected.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[Edge, ...]
    report: GraphReport

    def __init__(
        self,
        clips: Sequence[Clip | HasClip],
        *,
        threshold: float | None = None,
        names: Sequence[str] | None = None,
        tags: Tags | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.nodes, notes = unify_takes(clips, names=names, tags=tags)
        candidates = find_candidates(self.nodes, 0.05 if threshold is None else threshold)
        outcomes = make_edges(
            self.nodes,
            candidates,
            measure_takes(self.nodes),
            jobs=jobs,
            executor=executor,
            progress=progress,
        )
        self.edges = tuple(keep_core(self.nodes, list(list_edges(outcomes))))
        self.report = GraphReport(notes=notes)
        if not self.edges:
            raise MotionloomError("the clips share nothing: no transition between them is smooth enough")

    @classmethod
    def restore(cls, nodes: Sequence[GraphNode], edges: Sequence[Edge], report: GraphReport) -> MotionGraph:
        """Return a graph of nodes and edges that were made before, as when it is read from a file."""
        graph = cls.__new__(cls)
        graph.nodes, graph.edges, graph.report = tuple(nodes), tuple(edges), report
        return graph

    @cached_property
    def table(self) -> EdgeTable:
        """The edges as arrays."""
        return tabulate_edges(self.edges, len(self.nodes))

    @property
    def frame_time(self) -> float:
        """Seconds from one frame to the next."""
        return self.nodes[0].clip.frame_time

    def walk_route(self, duration: float, seed: int = 0) -> Route:
        """Return the route of a random walk of some seconds."""
        rng = np.random.default_rng(seed)
        table = self.table
        edge = int(rng.integers(len(self.edges)))
        start_node, start_frame = int(table.source[edge]), int(table.departure[edge])
        edges, frames = [edge], int(table.n_frames[edge])
        while frames * self.frame_time < duration:
            following = int(rng.choice(table.successors(edge)))
            frames += int(table.departure[following] - table.landing[edge] + 1 + table.n_frames[following])
            edges.append(edge := following)
        return Route(start_node, start_frame, tuple(edges), int(table.landing[edge]))

    def walk(self, duration: float, seed: int = 0, *, plant: bool = True) -> BlendResult:
        """Return the motion of a random walk of some seconds."""
        return assemble_route(self, self.walk_route(duration, seed), plant=plant)

    def __repr__(self) -> str:
        return f"MotionGraph({len(self.nodes)} takes, {len(self.edges)} transitions)"
