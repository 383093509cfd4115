"""`GroundTables`: where bodies are on the ground in the takes and edges of a graph, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.graphs.node import ground_track
from motionloom.motion.ground_path import smooth_over_time
from motionloom.motion.path import Path

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph

SAMPLE_TIME = 0.1
"""Seconds between the samples of a take that are compared with a path: 14 cm of a walk."""

SWAY_SMOOTHING = 0.15
"""Standard deviation, seconds, of the Gaussian that takes some of the sway out of tracks: little enough that
a turn within two steps is cut by less than 3 cm."""

TRAVEL_TIME = 0.5
"""Seconds over which the direction of travel and the radius of turns are measured: a step."""

MIN_TRAVEL_SPEED = 0.3
"""Metres per second below which a body has no direction of travel."""

MIN_TURN = np.radians(30.0)
"""Radians by which a body must turn within a step for this to say how sharply takes turn."""

MIN_RADIUS, MAX_RADIUS = 0.15, 2.0
"""Metres between which the tightest radius of takes lies: a turn on the spot has none, and takes that never
turn are bent as far as a warp allows."""


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

    def place_starts(self, starts: IntArray, path: Path) -> FloatArray:
        """Return yaw, x and z (S, 3) that place nodes so that frames (S, 2) start at the start of the path.

        A body that travels sets out along the path, any other faces along it; or both face as given.
        """
        ahead = max(1, round(TRAVEL_TIME / self.frame_time))
        rows = self.node_first[starts[:, 0]] + starts[:, 1]
        later = np.minimum(rows + ahead, self.node_first[starts[:, 0] + 1] - 1)
        travel = self.tracks[later, :2] - self.tracks[rows, :2]
        facing = self.tracks[rows, 2]
        if path.facings is None:
            moves = np.linalg.norm(travel, axis=1) > MIN_TRAVEL_SPEED * (later - rows) * self.frame_time
            reach = np.minimum(np.linalg.norm(travel, axis=1), path.length)
            goals = path.at(reach) - path.at(0.0)
            aim = np.where(reach > 1e-3, np.arctan2(goals[:, 0], goals[:, 1]), path.headings[0])
            own = np.where(moves, np.arctan2(travel[:, 0], travel[:, 1]), facing)
            yaws = np.where(moves, aim, path.headings[0]) - own
        else:
            yaws = path.facings[0] - facing
        return self._place(rows, yaws, path.positions[0])

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
        speeds = []
        ahead = max(1, round(TRAVEL_TIME / self.frame_time))
        for node in range(self.n_nodes):
            track = self.track(node)[:, :2]
            if (nodes is None or nodes[node]) and len(track) > ahead:
                speeds.append(
                    np.linalg.norm(track[ahead:] - track[:-ahead], axis=1) / (ahead * self.frame_time)
                )
        moving = np.concatenate(speeds) if speeds else np.zeros(0)
        moving = moving[moving > MIN_TRAVEL_SPEED]
        return float(np.median(moving)) if len(moving) else MIN_TRAVEL_SPEED

    def tightest_radius(self) -> float:
        """Return the smallest radius that takes turn with while they travel, metres."""
        ahead = max(2, round(TRAVEL_TIME / self.frame_time))
        radii = [MAX_RADIUS]
        for node in range(self.n_nodes):
            track = self.track(node)[:, :2]
            if len(track) <= 2 * ahead:
                continue
            first, second = (
                track[ahead:-ahead] - track[: -2 * ahead],
                track[2 * ahead :] - track[ahead:-ahead],
            )
            lengths = np.minimum(np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1))
            turn = np.abs(
                np.arctan2(
                    first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0], (first * second).sum(axis=1)
                )
            )
            travels = (lengths > MIN_TRAVEL_SPEED * TRAVEL_TIME) & (turn > MIN_TURN)
            if travels.any():
                radii.append(float((lengths[travels] / turn[travels]).min()))
        return float(np.clip(min(radii), MIN_RADIUS, MAX_RADIUS))

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
    tracks = [smooth_over_time(node.track, deviation) for node in graph.nodes]
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
