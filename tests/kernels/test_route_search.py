"""The search for routes against an exhaustive one on tiny graphs, and travel to moments worked by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray

STRIDE, STEP_TIME, SPACING = 1, 0.1, 0.05
WIDTH = 400


@dataclass
class TinyGraph:
    """Takes that walk on arcs, and edges between random frames of them without frames of their own."""

    tracks: FloatArray
    node_first: IntArray
    node_edges: IntArray
    departure: IntArray
    target: IntArray
    landing: IntArray
    displacement: FloatArray
    edge_cost: FloatArray

    @classmethod
    def of(cls, seed: int, n_nodes: int = 3, n_frames: int = 12, n_edges: int = 5) -> TinyGraph:
        rng = np.random.default_rng(seed)
        tracks = []
        for bend in rng.uniform(-1.5, 1.5, n_nodes):
            yaws = bend * 0.13 * np.arange(n_frames)
            x, z = np.cumsum(0.13 * np.sin(yaws)), np.cumsum(0.13 * np.cos(yaws))
            tracks.append(np.column_stack([x, z, yaws]))
        source = np.sort(rng.integers(0, n_nodes, n_edges))
        departure = rng.integers(4, n_frames - 1, n_edges)
        order = np.lexsort((departure, source))
        source, departure = source[order], departure[order]
        target, landing = rng.integers(0, n_nodes, n_edges), rng.integers(0, 5, n_edges)
        places = []
        for s, d, t, entry in zip(source, departure, target, landing, strict=True):
            here, there = tracks[s][d], tracks[t][entry]
            yaw = here[2] - there[2]
            c, sn = np.cos(yaw), np.sin(yaw)
            x, z = there[0] * c + there[1] * sn, there[1] * c - there[0] * sn
            places.append([yaw, here[0] - x, here[1] - z])
        return cls(
            np.concatenate(tracks),
            np.arange(n_nodes + 1) * n_frames,
            np.searchsorted(source, np.arange(n_nodes + 1)).astype(np.int64),
            departure,
            target,
            landing,
            np.array(places),
            rng.uniform(0.1, 0.5, n_edges),
        )


def _path(bend: float, length: float) -> FloatArray:
    stations = np.arange(0.0, length, SPACING)
    yaws = bend * stations
    table = np.zeros((len(stations), 8))
    table[:, 0], table[:, 1] = np.cumsum(SPACING * np.sin(yaws)), np.cumsum(SPACING * np.cos(yaws))
    table[:, 2], table[:, 3], table[:, 4], table[:, 5] = np.sin(yaws), np.cos(yaws), yaws, 1.2
    table[:, 6], table[:, 7] = np.nan, -1.0
    return table


def _settings() -> FloatArray:
    k = kernels.route_steps
    settings = np.zeros(k.N_SETTINGS)
    settings[k.SPACING], settings[k.STEP_TIME], settings[k.LOOK_AHEAD] = SPACING, STEP_TIME, 0.4
    settings[k.MIN_SPEED], settings[k.DEVIATION_WEIGHT], settings[k.FACING_WEIGHT] = 0.3, 100.0, 5.0
    settings[k.SPEED_WEIGHT], settings[k.END_WEIGHT], settings[k.ACTION_WEIGHT] = 3.0, 300.0, 300.0
    settings[k.MAX_DEVIATION], settings[k.ACTION_REACH], settings[k.BIN_LENGTH] = 3.0, 0.6, 0.25
    # No two routes are the same.
    settings[k.SAME_POSITION], settings[k.SAME_FRAMES] = 0.0, -1.0
    return settings


def _search(graph: TinyGraph, path: FloatArray) -> tuple[float, list[int], int]:
    """Return cost, edges and last frame of the best route from frame 0 of take 0."""
    k = kernels.route_search
    n_bins = int((len(path) - 1) * SPACING / 0.25) + 1
    bins, end = np.zeros(n_bins, np.int64), np.zeros(4, np.int64)
    numbers, counts = np.zeros((n_bins * WIDTH, 9)), np.zeros((n_bins * WIDTH, 5), np.int64)
    n_edges = len(graph.departure)
    cost = k.search(
        graph.tracks,
        graph.node_first,
        graph.node_edges,
        graph.departure,
        graph.target,
        graph.landing,
        graph.displacement,
        np.zeros((0, 3)),
        np.zeros(n_edges + 1, np.int64),
        graph.edge_cost,
        np.zeros((0, len(graph.node_first) - 1), np.bool_),
        np.zeros((0, len(graph.node_first) - 1), np.int64),
        np.zeros((0, n_edges)),
        path,
        np.zeros((0, 3)),
        float("nan"),
        _settings(),
        STRIDE,
        np.array([[0, 0]]),
        np.zeros((1, 3)),
        WIDTH,
        bins,
        np.zeros(len(bins)),
        numbers,
        counts,
        np.zeros(9),
        end,
    )
    edges: list[int] = []
    slot = int(end[k.END_PARENT]) if np.isfinite(cost) else -1
    while slot >= 0:
        edges.insert(0, int(counts[slot, k.EDGE]))
        slot = int(counts[slot, k.PARENT])
    return float(cost), edges, int(end[k.END_FRAME])


class _Exhaustive:
    """Tries all routes, sample by sample, in plain Python."""

    def __init__(self, graph: TinyGraph, path: FloatArray, bound: float) -> None:
        self.graph, self.path = graph, path
        self.length = (len(path) - 1) * SPACING
        self.best: tuple[float, list[int], int] = (bound, [], -1)
        self.n_calls = 0

    def run(
        self, node: int, frame: int, place: FloatArray, state: tuple[float, float], edges: list[int]
    ) -> None:
        station, cost = state
        graph = self.graph
        body = self._place(node, frame, place)
        self.n_calls += 1
        assert self.n_calls < 20_000, "the graph is not tiny"
        for at in range(frame, 12):
            if at > frame:
                new = self._place(node, at, place)
                station, cost = self._advance(body, new, station, cost)
                body = new
                if cost >= self.best[0] or np.linalg.norm(body[:2] - self._nearest(station)) > 3.0:
                    return
            if station >= self.length - 0.5:
                total = cost + 300.0 * float(((body[:2] - self.path[-1, :2]) ** 2).sum())
                if total < self.best[0]:
                    self.best = total, edges, at
            for edge in range(graph.node_edges[node], graph.node_edges[node + 1]):
                if graph.departure[edge] == at:
                    yaw, x, z = graph.displacement[edge]
                    c, s = np.cos(place[0]), np.sin(place[0])
                    moved = np.array([place[0] + yaw, place[1] + x * c + z * s, place[2] + z * c - x * s])
                    self.run(
                        int(graph.target[edge]),
                        int(graph.landing[edge]),
                        moved,
                        (station, cost + float(graph.edge_cost[edge])),
                        [*edges, edge],
                    )
            leaves = graph.node_edges[node + 1] > graph.node_edges[node]
            last = graph.departure[graph.node_edges[node + 1] - 1] if leaves else -1
            if at >= last and station < self.length - 3.0:
                return

    def _place(self, node: int, frame: int, place: FloatArray) -> FloatArray:
        x, z, yaw = self.graph.tracks[self.graph.node_first[node] + frame]
        c, s = np.cos(place[0]), np.sin(place[0])
        return np.array([x * c + z * s + place[1], z * c - x * s + place[2], yaw + place[0]])

    def _nearest(self, station: float) -> FloatArray:
        return np.asarray(self.path[min(len(self.path) - 1, int(station / SPACING + 0.5)), :2])

    def _advance(self, old: FloatArray, new: FloatArray, station: float, cost: float) -> tuple[float, float]:
        step = float(np.linalg.norm(new[:2] - old[:2]))
        first = min(len(self.path) - 1, int(station / SPACING + 0.5))
        last = min(len(self.path) - 1, first + int((0.4 + step) / SPACING) + 1)
        squares = ((self.path[first : last + 1, :2] - new[:2]) ** 2).sum(axis=1)
        k = first + int(np.argmin(squares))
        along = float(np.clip((new[:2] - self.path[k, :2]) @ self.path[k, 2:4], -SPACING / 2, SPACING / 2))
        along = min(along, 0.0) if k == len(self.path) - 1 else along
        now = max(station, k * SPACING + along)
        off = max(0.0, float(squares.min()) - along * along)
        row = self.path[min(len(self.path) - 1, int(now / SPACING + 0.5))]
        turn = float((new[2] - row[4] + np.pi) % (2 * np.pi) - np.pi)
        cost += (100.0 * off + 5.0 * turn * turn) * max(step, 0.03)
        cost += 3.0 * ((now - station) / STEP_TIME - row[5]) ** 2 * STEP_TIME
        return now, cost


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 7, 11])
def test_a_wide_search_finds_the_best_of_all_routes(seed: int) -> None:
    graph, path = TinyGraph.of(seed), _path(0.6 - 0.2 * seed, 1.4)
    cost, edges, frame = _search(graph, path)
    # Costs only grow along a route, so those dearer than the one that was found need not be looked at.
    reference = _Exhaustive(graph, path, bound=cost * (1.0 + 1e-9))
    reference.run(0, 0, np.zeros(3), (0.0, 0.0), [])
    assert np.isfinite(cost)
    assert reference.best[0] == pytest.approx(cost, rel=1e-9)
    assert (edges, frame) == reference.best[1:]


def test_travel_to_a_moment_goes_through_other_takes() -> None:
    # Take 0 leads to take 1 after 2 m; take 1 has its moment 3 m in, or 1 m after edge 1 lands.
    lengths = np.array([0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0])
    out = np.empty(3)
    kernels.route_search.lengths_to_moments(
        lengths,
        np.array([0, 3, 7]),
        np.array([0, 2, 3]),
        np.array([0, 2, 3]),
        np.array([1, 1, 0]),
        np.array([0, 2, 1]),
        np.array([0.0, 0.5, 0.0]),
        np.array([-1, 3]),
        out,
    )
    assert out.tolist() == [3.0, 1.0, 2.5]


def test_a_body_stays_on_its_branch_where_a_path_crosses_itself() -> None:
    t = np.linspace(0.0, 2.0 * np.pi, 400)
    eight = np.column_stack([2.0 * np.sin(2 * t), 3.0 * np.sin(t)])
    from motionloom.paths.path import Line
    from motionloom.paths.stations import find_stations

    path = Line(eight)
    stations = find_stations(path, path.positions)
    assert np.abs(stations - path.stations).max() < 0.03
