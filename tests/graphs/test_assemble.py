"""Motion along a route: frames of takes unchanged, edges between them, annotations joined."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.graphs.assemble import assemble_route
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.route import Route, count_frames, crop_route, list_visits


def test_frames_of_takes_play_unchanged(gaits: MotionGraph) -> None:
    route = gaits.walk_route(12.0, seed=3)
    result = assemble_route(gaits, route, plant=False)
    assert result.clip.n_frames == count_frames(gaits.table, route)
    for visit in list_visits(gaits.table, route):
        take = gaits.nodes[visit.node].clip
        span = slice(visit.start, visit.start + visit.last - visit.first + 1)
        own = slice(visit.first, visit.last + 1)
        assert np.allclose(result.clip.root_positions[span], visit.placement.apply(take.root_positions[own]))
        same = np.abs(np.einsum("tjq,tjq->tj", result.clip.rotations[span, 1:], take.rotations[own, 1:]))
        assert same.min() > 1.0 - 1e-9


def test_weights_sum_to_one(gaits: MotionGraph) -> None:
    result = gaits.walk(8.0, seed=1, plant=False)
    assert np.allclose(result.weights.sum(axis=1), 1.0)


def test_a_route_must_follow_its_edges(gaits: MotionGraph) -> None:
    edge = gaits.edges[0]
    wrong = next(n for n in range(len(gaits.nodes)) if n != edge.source)
    with pytest.raises(ParameterError, match="choose an edge that follows"):
        assemble_route(gaits, Route(wrong, 0, (0,), edge.landing))
    with pytest.raises(ParameterError, match="which has frames 0 to"):
        assemble_route(gaits, Route(0, 0, (), 10_000))


def test_a_cropped_route_has_the_frames_asked_for(gaits: MotionGraph) -> None:
    route = gaits.walk_route(12.0, seed=3)
    for wanted in (10, 100, 200):
        n_frames = count_frames(gaits.table, crop_route(gaits.table, route, wanted))
        longest = max(edge.n_frames for edge in gaits.edges)
        assert wanted <= n_frames <= wanted + longest + 1
