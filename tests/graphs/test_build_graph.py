"""Building graphs: how dense they are, what is kept, and that processes do not matter."""

from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom.graphs.build_graph import MAX_THRESHOLD, MIN_THRESHOLD, build_graph, choose_threshold
from motionloom.graphs.find_candidates import find_candidates
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.make_edges import BATCH, HALF_WIDTH
from motionloom.graphs.node import GraphNode
from motionloom.graphs.unify_takes import unify_takes
from motionloom.synthesis import walk


@pytest.fixture(scope="module")
def walks() -> tuple[GraphNode, ...]:
    return unify_takes([walk(duration=4.0, fps=30, curvature=c).clip for c in (0.0, 0.4)])[0]


@pytest.fixture(scope="module")
def captured(mocap: Path) -> tuple[GraphNode, ...]:
    """Walks of a few seconds: two straight ones, and turns to either side."""
    folder = mocap / "library" / "16"
    return unify_takes([ml.load(folder / f"16_{number}.bvh") for number in (15, 16, 17, 19)])[0]


@pytest.fixture(scope="module")
def turns(captured: tuple[GraphNode, ...]) -> MotionGraph:
    """The graph of the captured walks."""
    return build(captured)


def build(nodes: tuple[GraphNode, ...], **options: object) -> MotionGraph:
    chosen = {"threshold": None, "keep": 0.9, "density": None} | options
    return MotionGraph.restore(nodes, *build_graph(nodes, **chosen))  # type: ignore[arg-type]


def test_density_makes_a_graph_larger(walks: tuple[GraphNode, ...]) -> None:
    sparse, dense, default = (build(walks, density=density) for density in (1, 8, None))
    assert len(sparse.edges) < len(dense.edges) <= len(default.edges)


def test_the_threshold_is_the_smallest_that_keeps_enough(walks: tuple[GraphNode, ...]) -> None:
    candidates = find_candidates(walks, MAX_THRESHOLD, HALF_WIDTH)
    little, much = (choose_threshold(walks, candidates, keep) for keep in (0.1, 1.0))
    assert MIN_THRESHOLD < little <= much <= MAX_THRESHOLD


def test_a_stated_threshold_is_kept(walks: tuple[GraphNode, ...]) -> None:
    graph = build(walks, threshold=0.04)
    assert graph.report.threshold == 0.04
    assert max(edge.distance for edge in graph.edges) <= 0.04


def test_counts_of_the_report_add_up(walks: tuple[GraphNode, ...]) -> None:
    report = build(walks).report
    rejected = sum(count for _, count in report.rejections)
    assert report.tried == report.edges + report.cut_edges + rejected
    assert report.tried <= report.candidates


def test_progress_counts_on(walks: tuple[GraphNode, ...]) -> None:
    steps: list[tuple[int, int]] = []
    build(walks, density=2, progress=lambda done, total: steps.append((done, total)))
    done = [step[0] for step in steps]
    assert done == sorted(done)
    assert all(n <= total for n, total in steps)


def test_captured_walks_make_smooth_edges(turns: MotionGraph) -> None:
    assert len(turns.edges) >= 20
    assert max(edge.seam for edge in turns.edges) <= 1.0
    assert turns.report.core_fraction >= 0.8
    made = turns.walk(10.0, seed=1)
    assert not [note for note in made.report.notes if "held" in note]


def test_processes_do_not_change_a_graph_of_captured_walks(turns: MotionGraph) -> None:
    one, two = turns, build(turns.nodes, jobs=2)
    assert len(one.edges) > 2 * BATCH
    assert [repr(edge) for edge in one.edges] == [repr(edge) for edge in two.edges]
    assert all(
        (a.clip.rotations == b.clip.rotations).all() for a, b in zip(one.edges, two.edges, strict=True)
    )
    assert one.report == two.report


def test_loops_join_others_of_their_kind_whichever_is_largest(mocap: Path) -> None:
    # Each loop repeats itself, so that all are parts of their own at first; nothing suits a run.
    pack = mocap / "game" / "kaykit_MovementBasic.glb"
    names = ["Running_A", "Running_B", "Walking_A", "Walking_B"]
    graph = MotionGraph([ml.load(pack, animation=f"Rig_Medium|{name}") for name in names], names=names)
    assert {"Walking_A", "Walking_B"} <= set(graph.report.islands[0])
    assert any(edge.source != edge.target for edge in graph.edges)
