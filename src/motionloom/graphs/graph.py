"""`MotionGraph`: takes joined by transitions, along which motion goes on for ever."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.blending.result import BlendResult
from motionloom.errors import MotionloomError, ParameterError
from motionloom.graphs.assemble import assemble_route
from motionloom.graphs.build_graph import build_graph
from motionloom.graphs.edge import Edge, EdgeTable, tabulate_edges
from motionloom.graphs.follow import follow
from motionloom.graphs.go_to import go_to
from motionloom.graphs.ground_tables import GroundTables, tabulate_ground
from motionloom.graphs.make_edges import HALF_WIDTH, measure_balance
from motionloom.graphs.node import GraphNode
from motionloom.graphs.prune import NOWHERE, Links, find_parts
from motionloom.graphs.report import GraphReport
from motionloom.graphs.route import Route
from motionloom.graphs.unify_takes import Progress, Tags, unify_takes
from motionloom.graphs.walk import walk_route
from motionloom.motion.result import ClipLike
from motionloom.paths.path import Line as GroundLine
from motionloom.paths.path_report import PathReport
from motionloom.spaces.register_examples import HasClip
from motionloom.validation import check_count, check_number, check_positive, list_names

MAX_DURATION = 1e6
"""Seconds of a walk at most: eleven days."""

MIN_DURATION = 2.0 * HALF_WIDTH
"""Seconds of a take at least: no transition leads from or to a shorter one."""

MAX_DISTANCE = 1.0
"""Metres: largest threshold. Farther apart, any pose of a body may meet any other."""


class NoTransitionError(MotionloomError):
    """Takes between which no transition is good enough; ``report`` says what was tried."""

    def __init__(self, report: GraphReport) -> None:
        self.report = report
        reasons = ", ".join(f"{count} {reason}" for reason, count in report.rejections)
        tried = f"{report.tried} transitions were tried and none is good enough to go on for ever ({reasons})"
        if not report.tried:
            tried = f"no two moments of them are closer than {100.0 * report.threshold:.2g} cm"
        super().__init__(
            f"the takes make no graph: {tried}; add takes that have poses in common, or raise the threshold"
        )


class MotionGraph:
    """Takes and the transitions between them, each made and measured.

    Parameters
    ----------
    clips
        Clips, or segments of a library. They are brought to the body and the floor of the first one and to
        the lowest frame rate, annotated if they are not, and planted; those shorter than half a second are
        left out. ``report.notes`` says what was done.
    threshold
        Largest distance in metres of the poses that meet in a transition, in the size of an adult with legs
        of 85 cm. By default the smallest that keeps enough of the frames, at most 0.1.
    keep
        Fraction of the frames to keep if the threshold is chosen, of those farther than one transition from
        the ends of their takes.
    density
        Transitions from and to each second of a take, if there are as many good ones; at most two of them
        lead from one second to the same take. By default 2 in large sets and up to 32 in small ones, as many
        as some thousand tries give.
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
        clips: Sequence[ClipLike | HasClip],
        *,
        threshold: float | None = None,
        keep: float = 0.9,
        density: int | None = None,
        names: Sequence[str] | None = None,
        tags: Tags | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        progress: Progress | None = None,
    ) -> None:
        if threshold is not None:
            threshold = check_positive("threshold", threshold, max=MAX_DISTANCE, unit="metres")
        keep = check_number("keep", keep, min=0.0, max=1.0)
        density = None if density is None else check_count("density", density)
        jobs = check_count("jobs", jobs)
        self.nodes, notes = unify_takes(clips, names=names, tags=tags, min_duration=MIN_DURATION)
        edges, report = build_graph(
            self.nodes,
            threshold=threshold,
            keep=keep,
            density=density,
            jobs=jobs,
            executor=executor,
            progress=progress,
        )
        self.edges, self.report = tuple(edges), replace(report, notes=notes)
        if not edges:
            raise NoTransitionError(self.report)

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

    @cached_property
    def ground_tables(self) -> GroundTables:
        """Where bodies are on the ground, as arrays for searches."""
        return tabulate_ground(self)

    @cached_property
    def balance(self) -> FloatArray:
        """(E,) how far bodies lean beyond their planted feet in each transition, over what is usual in its
        takes; NaN where nothing is planted. It is measured when it is first asked for.
        """
        return freeze(measure_balance(self.nodes, self.edges))

    @property
    def frame_time(self) -> float:
        """Seconds from one frame to the next."""
        return self.nodes[0].clip.frame_time

    @cached_property
    def edge_parts(self) -> IntArray:
        """(E,) the strongly connected part that each edge belongs to; 0 is the largest."""
        table = self.table
        links = Links(table.source, table.departure, table.target, table.landing)
        parts = find_parts([node.n_frames for node in self.nodes], links)
        rank = np.empty(len(parts.sizes), dtype=np.int64)
        rank[np.argsort(-parts.sizes, kind="stable")] = np.arange(len(parts.sizes))
        return freeze(np.where(parts.links == NOWHERE, NOWHERE, rank[parts.links]))

    def node_number(self, node: str | int) -> int:
        """Return the number of a node, by its name or number."""
        if isinstance(node, str):
            names = [own.name for own in self.nodes]
            if node not in names:
                raise ParameterError(f"the graph has no take called {node!r}; it has {list_names(names)}")
            return names.index(node)
        return check_count("a node", node, min=0, max=len(self.nodes) - 1)

    def walk_route(self, duration: float, seed: int = 0, *, start: str | int | None = None) -> Route:
        """Return the route of a random walk, as :meth:`walk` takes it, without its motion.

        >>> # graph.walk_route(36_000.0) is the route of ten hours, in less than a second
        """
        seconds = check_positive("duration", duration, max=MAX_DURATION, unit="seconds")
        seed = check_count("seed", seed, min=0)
        number = None if start is None else self.node_number(start)
        if number is not None and number not in self.table.target:
            name = self.nodes[number].name
            raise ParameterError(f"no transition leads to {name}, so that no walk can start in it")
        return walk_route(self, max(1, round(seconds / self.frame_time)) + 1, seed, number)

    def walk(
        self, duration: float, seed: int = 0, *, start: str | int | None = None, plant: bool = True
    ) -> BlendResult:
        """Return the motion of a random walk through the graph.

        It never ends early and spreads over all takes: transitions that were taken least are likelier.

        Parameters
        ----------
        duration
            Seconds of motion.
        seed
            Walks with the same seed are the same.
        start
            Name or number of the take to start in; by default any.
        plant
            Whether planted feet and hands stay put (:func:`motionloom.enforce`).

        Returns
        -------
        BlendResult
            The takes that it visits are its columns, in the order of their first visit.

        >>> import motionloom as ml
        >>> from motionloom.synthesis import walk
        >>> graph = ml.MotionGraph([walk(duration=5.0, fps=30).clip])
        >>> graph.walk(10.0, seed=1).clip.duration >= 10.0 - 1e-9
        True
        """
        return assemble_route(self, self.walk_route(duration, seed, start=start), plant=plant)

    def save(self, path: str | PathLike[str], *, carry: bool = True, overwrite: bool = False) -> Path:
        """Write the graph to a ``.npz`` file; :func:`motionloom.save` does the same.

        Parameters
        ----------
        path
            The file.
        carry
            Whether the file holds the takes. Without them it is smaller, and :func:`motionloom.load`
            reads the takes from their files again, which must give the same motion.
        overwrite
            Replace an existing file.
        """
        # Reading gives graphs, so it can be imported only once there are graphs.
        from motionloom.graphs.graph_file import save_graph

        return save_graph(self, path, carry=carry, overwrite=overwrite)

    def follow(
        self,
        path: GroundLine | npt.ArrayLike,
        *,
        start: tuple[int, int] | None = None,
        end_yaw: float | None = None,
        bend: bool = True,
        plant: bool = True,
    ) -> BlendResult[PathReport]:
        """Make motion along a path on the ground.

        A search over the whole path chooses takes and transitions; what remains is closed by bending the
        motion a little, and feet are planted.

        Parameters
        ----------
        path
            The path, with facing, speed, tags, arrivals and actions along it; or points (N, 2), x and z in
            metres.
        start
            Number of a node and one of its frames to start with; by default the best of all.
        end_yaw
            Yaw in radians that the body faces at the end; by default any.
        bend
            Whether the motion is bent to the path; otherwise it is frames of takes and transitions as they
            are.
        plant
            Whether planted feet and hands stay put (:func:`motionloom.enforce`).

        Returns
        -------
        BlendResult
            Its ``report`` is a :class:`~motionloom.paths.path_report.PathReport`: how closely the path is
            followed, where actions happened, and where the path could not be followed and why.

        Raises
        ------
        ParameterError
            The path is wrong, or asks for tags that no take has.
        MotionloomError
            No route gets to the end of the path with its actions.

        >>> result = graph.follow([[0, 0], [0, 4], [3, 6]])    # doctest: +SKIP
        >>> result.report.deviation                            # doctest: +SKIP
        0.02
        """
        return follow(self, path, start=start, end_yaw=end_yaw, bend=bend, plant=plant)

    def go_to(
        self,
        x: float,
        z: float,
        yaw: float | None = None,
        *,
        origin: tuple[float, float, float] = (0.0, 0.0, 0.0),
        start: tuple[int, int] | None = None,
        plant: bool = True,
    ) -> BlendResult[PathReport]:
        """Make motion to a place, without detours.

        The motion follows a line that is about as short as the takes' tightest turns allow (a Dubins path),
        so that it never circles its goal.

        Parameters
        ----------
        x, z
            Where to go, metres.
        yaw
            Facing at the end in radians, 0 along +Z, positive towards +X; by default any.
        origin
            x, z and yaw at the start.
        start
            Number of a node and one of its frames to start with; by default the best of all.
        plant
            Whether planted feet and hands stay put.

        Returns
        -------
        BlendResult
            With a report as that of :meth:`follow`; ``report.end_distance`` and ``report.end_turn`` tell how
            exactly the goal is met.

        >>> graph.go_to(3.0, 2.0, yaw=0.5).report.end_distance    # doctest: +SKIP
        0.01
        """
        return go_to(self, x, z, yaw, origin=origin, start=start, plant=plant)

    def __repr__(self) -> str:
        return f"MotionGraph({len(self.nodes)} takes, {len(self.edges)} transitions)"
