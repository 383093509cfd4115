"""`GroundTables`: where bodies are on the ground in the takes and edges of a graph, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.motion.filters import smooth_gaussian
from motionloom.motion.ground_path import ground_track
from motionloom.paths.path import Line
from motionloom.paths.turning_radius import MIN_TRAVEL_SPEED, TRAVEL_TIME, find_tightest_radius

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph

SAMPLE_TIME = 0.1
"""Seconds between the samples of a take that are compared with a path: 14 cm of a walk."""

SWAY_SMOOTHING = 0.15
"""Standard deviation, seconds, of the Gaussian that takes some of the sway out of tracks: little enough that
a turn within two steps is cut by less than 3 cm."""

EDGE_WINDOW = 0.5
"""Seconds after the first edge to a take, or before the last one from it, within which others count as well:
with several edges to choose from, its start and end can be reached from more places."""

SPEED_PERCENTILES = (5.0, 95.0)
"""Percentiles of the speeds of takes between which arrivals are planned."""


@dataclass(frozen=True, eq=False)
class GroundTables:
    """Tracks and edges of a graph as the search for routes reads them.

    Attributes
    ----------
    frame_time, stride
        Seconds per frame, and frames between samples.
    tracks
        (F, 3) x, z and yaw of the body in all frames of all nodes, with little sway.
    node_first, node_edges
        (N + 1,) where the frames and the edges of each node begin.
    order
        (E,) the graph's numbers of the edges below, which are sorted by node and departure.
    departure, target, landing, seam, displacement
        (E,) and (E, 3) as in :class:`~motionloom.graphs.edge.Edge`.
    edge_tracks, edge_first
        (G, 3) tracks of the edges' own frames, in the coordinates of their source, and (E + 1,) where each
        begins.
    """

    frame_time: float
    stride: int
    tracks: FloatArray
    node_first: IntArray
    node_edges: IntArray
    order: IntArray
    departure: IntArray
    target: IntArray
    landing: IntArray
    seam: FloatArray
    displacement: FloatArray
    edge_tracks: FloatArray
    edge_first: IntArray

    @property
    def n_nodes(self) -> int:
        """Nodes of the graph."""
        return len(self.node_first) - 1

    def track(self, node: int) -> FloatArray:
        """Return the track (T, 3) of a node."""
        return self.tracks[self.node_first[node] : self.node_first[node + 1]]

    def last_departure(self, node: int) -> int:
        """Return the last frame at which a node can be left, -1 if it cannot."""
        if self.node_edges[node] == self.node_edges[node + 1]:
            return -1
        return int(self.departure[self.node_edges[node + 1] - 1])

    def first_entry(self, node: int) -> int:
        """Return the first frame of a node at which a route can be, -1 if no edge leads to it.

        Of the edges that lead to the first moments of a node, all are before it.
        """
        landings = self.landing[self.target == node]
        if not len(landings):
            return -1
        return int(landings[landings <= landings.min() + EDGE_WINDOW / self.frame_time].max())

    def last_exit(self, node: int) -> int:
        """Return the last frame of a node after which a route can go on, -1 if no edge leaves it."""
        departures = self.departure[self.node_edges[node] : self.node_edges[node + 1]]
        if not len(departures):
            return -1
        return int(departures[departures >= departures.max() - EDGE_WINDOW / self.frame_time].min())

    def list_starts(self, spacing: float, max_starts: int) -> IntArray:
        """Return nodes and frames (S, 2) to start with, ``spacing`` seconds apart; from each, edges leave."""
        step = max(1, round(spacing / self.frame_time))
        ends = [self.last_departure(node) + 1 for node in range(self.n_nodes)]
        # A node without edges is a motion of its own.
        ends = [end or int(np.diff(self.node_first)[n]) for n, end in enumerate(ends)]
        step = max(step, -(-sum(ends) // max_starts))
        return np.array(
            [(node, frame) for node, end in enumerate(ends) for frame in range(0, end, step)], dtype=np.int64
        ).reshape(-1, 2)

    def place_starts(self, starts: IntArray, path: Line) -> tuple[IntArray, FloatArray]:
        """Return starts (M, 2), and yaw, x and z (M, 3) that place their nodes at the start of a path.

        A body that travels sets out along the path, any other faces along it. Where the path has facings,
        each of the starts (S, 2) is also placed so that the body faces as it should.
        """
        ahead = max(1, round(TRAVEL_TIME / self.frame_time))
        rows = self.node_first[starts[:, 0]] + starts[:, 1]
        later = np.minimum(rows + ahead, self.node_first[starts[:, 0] + 1] - 1)
        travel = self.tracks[later, :2] - self.tracks[rows, :2]
        facing = self.tracks[rows, 2]
        moves = np.linalg.norm(travel, axis=1) > MIN_TRAVEL_SPEED * (later - rows) * self.frame_time
        reach = np.minimum(np.linalg.norm(travel, axis=1), path.length)
        goals = path.at(reach) - path.at(0.0)
        aim = np.where(reach > 1e-3, np.arctan2(goals[:, 0], goals[:, 1]), path.headings[0])
        own = np.where(moves, np.arctan2(travel[:, 0], travel[:, 1]), facing)
        placements = self._place(rows, np.where(moves, aim, path.headings[0]) - own, path.positions[0])
        if path.facings is None:
            return starts, placements
        faced = self._place(rows, path.facings[0] - facing, path.positions[0])
        return np.concatenate([starts, starts]), np.concatenate([placements, faced])

    def _place(self, rows: IntArray, yaws: FloatArray, position: FloatArray) -> FloatArray:
        c, s = np.cos(yaws), np.sin(yaws)
        x, z = self.tracks[rows, 0], self.tracks[rows, 1]
        return np.column_stack([yaws, position[0] - (x * c + z * s), position[1] - (z * c - x * s)])

    def travel_to(self, moments: IntArray) -> FloatArray:
        """Return the shortest travel (E,) from where edges land to a frame (N,) of a node, metres."""
        out = np.empty(len(self.departure))
        kernels.route_search.lengths_to_moments(
            self._lengths(),
            self.node_first,
            self.node_edges,
            self.departure,
            self.target,
            self.landing,
            self._edge_lengths(),
            np.ascontiguousarray(moments),
            out,
        )
        return out

    def usual_speed(self, nodes: BoolArray | None = None) -> float:
        """Return the median speed of all nodes, or some (N,), where they travel, m/s."""
        speeds = self._speeds(nodes)
        moving = speeds[speeds > MIN_TRAVEL_SPEED]
        return float(np.median(moving)) if len(moving) else MIN_TRAVEL_SPEED

    def speed_range(self) -> tuple[float, float]:
        """Return the speeds between which nodes go nearly always, m/s."""
        speeds = self._speeds()
        if not len(speeds):
            return MIN_TRAVEL_SPEED, MIN_TRAVEL_SPEED
        low, high = np.percentile(speeds, SPEED_PERCENTILES)
        return float(low), float(max(high, MIN_TRAVEL_SPEED))

    def _speeds(self, nodes: BoolArray | None = None) -> FloatArray:
        """Return the speeds of all nodes, or some (N,), over a step from each of their frames, m/s."""
        ahead = max(1, round(TRAVEL_TIME / self.frame_time))
        speeds = [np.zeros(0)]
        for node in range(self.n_nodes):
            track = self.track(node)[:, :2]
            if (nodes is None or nodes[node]) and len(track) > ahead:
                steps = np.linalg.norm(track[ahead:] - track[:-ahead], axis=1)
                speeds.append(steps / (ahead * self.frame_time))
        return np.concatenate(speeds)

    def tightest_radius(self) -> float:
        """Return the smallest radius with which takes keep turning while they travel, metres."""
        return find_tightest_radius([self.track(n) for n in range(self.n_nodes)], self.frame_time)

    def _lengths(self) -> FloatArray:
        """Return metres travelled from the start of each node (F,)."""
        steps = np.linalg.norm(np.diff(self.tracks[:, :2], axis=0, prepend=self.tracks[:1, :2]), axis=1)
        return np.cumsum(steps)

    def _edge_lengths(self) -> FloatArray:
        """Return metres travelled within each edge (E,)."""
        lengths = np.zeros(len(self.departure))
        for edge in range(len(lengths)):
            own = self.edge_tracks[self.edge_first[edge] : self.edge_first[edge + 1], :2]
            lengths[edge] = np.linalg.norm(np.diff(own, axis=0), axis=1).sum()
        return lengths


def tabulate_ground(graph: MotionGraph) -> GroundTables:
    """Return where bodies are on the ground in a graph, as arrays."""
    frame_time = graph.nodes[0].clip.frame_time
    deviation = SWAY_SMOOTHING / frame_time
    tracks = [smooth_gaussian(node.track, deviation) for node in graph.nodes]
    table = graph.table
    order = table.by_departure
    edges = [graph.edges[number] for number in order.tolist()]
    edge_tracks = [ground_track(edge.clip) if edge.n_frames else np.zeros((0, 3)) for edge in edges]
    return GroundTables(
        frame_time=frame_time,
        stride=max(1, round(SAMPLE_TIME / frame_time)),
        tracks=np.ascontiguousarray(np.concatenate(tracks)),
        node_first=_offsets([len(track) for track in tracks]),
        node_edges=np.ascontiguousarray(table.first, dtype=np.int64),
        order=np.ascontiguousarray(order),
        departure=np.ascontiguousarray(table.departure[order]),
        target=np.ascontiguousarray(table.target[order]),
        landing=np.ascontiguousarray(table.landing[order]),
        seam=np.array([edge.seam for edge in edges], dtype=np.float64),
        displacement=np.ascontiguousarray(table.displacement[order]),
        edge_tracks=np.ascontiguousarray(np.concatenate([np.zeros((0, 3)), *edge_tracks])),
        edge_first=_offsets([len(track) for track in edge_tracks]),
    )


def _offsets(lengths: list[int]) -> IntArray:
    """Return where rows of each part begin in all of them, and where the last ends."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
