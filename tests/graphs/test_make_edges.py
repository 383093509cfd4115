"""Edges made of candidates: where they leave and land, and why some candidates make none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.enforcement import enforce
from motionloom.graphs.edge import Edge
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.make_edges import HALF_WIDTH, Candidate, Rejection, make_edges, measure_balance
from motionloom.graphs.node import GraphNode
from motionloom.graphs.smoothness import find_ordinary_peaks, measure_usual_peaks
from motionloom.graphs.unify_takes import unify_takes
from motionloom.motion import Constraint
from motionloom.synthesis import walk


@pytest.fixture(scope="module")
def nodes() -> tuple[GraphNode, ...]:
    return unify_takes([walk(duration=5.0, fps=30).clip])[0]


def make(nodes: tuple[GraphNode, ...], candidate: Candidate, *, ordinary: float = 1.0) -> Edge | Rejection:
    """Make one edge; ``ordinary`` is a factor on the peaks that are usual in the takes."""
    usual = [measure_usual_peaks(node.clip) for node in nodes]

    def find_ordinary(source: int, target: int) -> FloatArray:
        return ordinary * find_ordinary_peaks(usual[source], usual[target])

    return make_edges(nodes, [candidate], find_ordinary)[candidate]


def stride(nodes: tuple[GraphNode, ...]) -> int:
    """Frames from one strike of a foot to its next: the built-in walk repeats exactly."""
    strikes = [e for e in nodes[0].clip.events if e.label == "strike"]
    own = [e.frame for e in strikes if e.joint == strikes[0].joint]
    return round(own[1] - own[0])


def test_an_edge_leaves_and_lands_half_a_width_about_its_frames(nodes: tuple[GraphNode, ...]) -> None:
    back = 60, 60 + stride(nodes)
    edge = make(nodes, Candidate(0, back[1], 0, back[0], 0.0))
    assert isinstance(edge, Edge)
    half = round(HALF_WIDTH / nodes[0].clip.frame_time)
    assert (edge.departure, edge.landing) == (back[1] - half, back[0] + half)
    assert edge.n_frames == 2 * half - 1
    assert edge.seam <= 1.0
    # One stride back along a straight walk: the target is placed a stride ahead.
    roots = nodes[0].clip.root_positions
    travelled = roots[back[1], 2] - roots[back[0], 2]
    assert edge.displacement.z == pytest.approx(travelled, abs=0.02)
    assert np.allclose(edge.weights.sum(axis=1), 1.0)


def test_methods_give_edges_that_can_be_followed(nodes: tuple[GraphNode, ...]) -> None:
    for method in ("linear", "registration"):
        edge = make(nodes, Candidate(0, 60 + stride(nodes), 0, 60, 0.0, method))
        assert isinstance(edge, Edge), method


def test_an_edge_rougher_than_its_takes_is_refused(nodes: tuple[GraphNode, ...]) -> None:
    smooth = Candidate(0, 60 + stride(nodes), 0, 60, 0.0)
    assert make(nodes, smooth, ordinary=0.1) is Rejection.ROUGH


def test_edges_on_other_feet_are_refused(nodes: tuple[GraphNode, ...]) -> None:
    clip = nodes[0].clip
    alone = tuple(
        GraphNode(foot, replace(clip, constraints=(Constraint(foot, "heel", 30.0, 70.0),)))
        for foot in ("LeftFoot", "RightFoot")
    )
    assert make(alone, Candidate(0, 50, 1, 50, 0.0)) is Rejection.PLANTS


def test_plants_of_edges_hold_when_they_are_planted(gaits: MotionGraph) -> None:
    edge = next(edge for edge in gaits.edges if edge.clip.constraints)
    result = gaits.walk(6.0, seed=3, plant=False)
    assert not enforce(result.clip).report.released
    assert edge.slide <= 0.1


def test_transitions_lean_about_as_far_as_their_takes(gaits: MotionGraph) -> None:
    known = gaits.balance[np.isfinite(gaits.balance)]
    assert len(gaits.balance) == len(gaits.edges)
    assert len(known) > 0.5 * len(gaits.edges)
    assert 0.5 < np.median(known) < 1.5


def test_a_body_beside_its_feet_is_out_of_balance(gaits: MotionGraph) -> None:
    number = int(np.flatnonzero(np.isfinite(gaits.balance))[0])
    edge = gaits.edges[number]
    plants = tuple(replace(c, point=np.add(c.point, [1.0, 0.0, 0.0])) for c in edge.clip.constraints)
    pushed = replace(edge, clip=replace(edge.clip, constraints=plants))
    assert measure_balance(gaits.nodes, [pushed])[0] > 2.0 * gaits.balance[number]


def test_without_plants_there_is_no_balance(gaits: MotionGraph) -> None:
    edge = gaits.edges[0]
    loose = replace(edge, clip=replace(edge.clip, constraints=()))
    assert np.isnan(measure_balance(gaits.nodes, [loose])).all()
