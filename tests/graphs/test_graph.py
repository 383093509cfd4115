"""Graphs from takes: what is kept, walks that do not end, and input that makes no graph."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.graphs.graph import MotionGraph, NoTransitionError
from motionloom.graphs.route import count_frames
from motionloom.motion.anatomy.thresholds import MAX_SLIDE
from motionloom.quality import seam_smoothness
from motionloom.synthesis import jog, kick, walk
from tests.refusals import refused


def test_edges_are_as_smooth_as_the_takes(gaits: MotionGraph) -> None:
    assert all(edge.seam <= 1.0 for edge in gaits.edges)
    assert all(edge.slide <= MAX_SLIDE for edge in gaits.edges)
    for edge in gaits.edges:
        source, target = gaits.nodes[edge.source].clip, gaits.nodes[edge.target].clip
        assert 0 <= edge.departure < source.n_frames
        assert 0 < edge.landing < target.n_frames
        landed = edge.displacement.apply(target.root_positions[edge.landing])
        step = np.linalg.norm(edge.clip.root_positions[-1] - landed)
        assert step < 3.0 * source.frame_time


def test_every_edge_can_be_followed(gaits: MotionGraph) -> None:
    assert (gaits.edge_parts >= 0).all()
    assert all(len(gaits.table.successors(edge)) for edge in range(len(gaits.edges)))


def test_a_long_walk_visits_every_take_and_has_no_end(gaits: MotionGraph) -> None:
    route = gaits.walk_route(3600.0, seed=4)
    assert count_frames(gaits.table, route) * gaits.frame_time >= 3600.0 - 1.0
    core = set(gaits.table.target[gaits.edge_parts == 0].tolist())
    assert {int(gaits.table.target[edge]) for edge in route.edges} == core


def test_a_walk_lasts_as_long_as_asked_for(gaits: MotionGraph) -> None:
    duration = gaits.walk(4.0, seed=2, plant=False).clip.duration
    assert 4.0 - 1e-9 <= duration <= 5.0


def test_takes_are_planted_before_they_are_joined(gaits: MotionGraph) -> None:
    for node in gaits.nodes:
        for plant in node.clip.constraints:
            held = plant.whole_frames(node.clip.n_frames)
            own = node.clip.point_positions(plant.joint, plant.point, slice(held.start, held.stop))
            assert plant.target is None
            assert np.ptp(own[:, [0, 2]], axis=0).max(initial=0.0) < 1e-3


def test_planting_a_walk_changes_little_away_from_its_seams(gaits: MotionGraph) -> None:
    loose, planted = (gaits.walk(8.0, seed=1, plant=plant) for plant in (False, True))
    moved = np.linalg.norm(planted.clip.world_positions() - loose.clip.world_positions(), axis=-1).max(axis=1)
    seams = np.array(loose.report.seams).reshape(-1, 2)
    frames = np.arange(len(moved))[:, None]
    away = np.maximum(seams[:, 0] - frames, frames - seams[:, 1]).min(axis=1) * gaits.frame_time > 1.0
    assert away.any()
    assert moved[away].max() < 2e-3


def test_walks_are_determined_by_their_seed(gaits: MotionGraph) -> None:
    assert gaits.walk_route(60.0, seed=5) == gaits.walk_route(60.0, seed=5)
    assert gaits.walk_route(60.0, seed=5) != gaits.walk_route(60.0, seed=6)


def test_a_walk_is_planted(gaits: MotionGraph) -> None:
    result = gaits.walk(8.0, seed=1)
    smooth = seam_smoothness(result.clip, result.report.seams, [node.clip for node in gaits.nodes])
    assert max(smooth.acceleration, smooth.jerk) < 1.2
    assert result.clip.constraints


def test_processes_make_the_same_graph(gaits: MotionGraph) -> None:
    again = MotionGraph([node.clip for node in gaits.nodes], jobs=2)
    assert [repr(edge) for edge in again.edges] == [repr(edge) for edge in gaits.edges]


def test_the_report_names_islands() -> None:
    takes = [walk(duration=5.0, fps=30).clip, kick(fps=30).clip]
    graph = MotionGraph(takes, names=["walk", "kick"])
    assert graph.report.islands[0] == ("walk",)
    assert ("kick",) in graph.report.islands
    assert any("kick is cut off" in sentence for sentence in graph.report.lost)
    assert "transitions" in str(graph.report)


def test_the_report_tells_islands_of_one_take_from_takes_without_transitions() -> None:
    clips = [walk(duration=6.0, fps=30).clip, jog(duration=4.0, fps=30).clip, kick(fps=30).clip]
    lost = MotionGraph(clips, names=["walk", "jog", "kick"], threshold=0.02).report.lost
    assert [sentence.split(": ")[1] for sentence in lost] == [
        "it connects with no other take",
        "it connects with nothing",
    ]


def test_takes_that_share_nothing_make_no_graph() -> None:
    with pytest.raises(
        NoTransitionError, match=r"make no graph: no two moments .* closer than 0\.5 cm"
    ) as caught:
        MotionGraph([kick(fps=30).clip], threshold=0.005)
    assert caught.value.report.edges == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threshold": 0.0}, "threshold must be"),
        ({"threshold": float("nan")}, "threshold must be"),
        ({"keep": 1.5}, "keep must be"),
        ({"density": 0}, "density must be"),
        ({"jobs": 0}, "jobs must be"),
        ({"names": ["a", "b"]}, "names must name each of the 1 clips"),
        ({"tags": "walk"}, "tags must hold labels for each clip"),
        ({"tags": {"run": "fast"}}, "tags names 'run'"),
        ({"tags": ["a", "b"]}, "tags must hold labels"),
    ],
)
def test_wrong_arguments(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MotionGraph([walk(duration=2.0, fps=30).clip], **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("clips", "message"),
    [
        ([], "the list is empty"),
        ("walk.bvh", "takes a list of clips"),
        (["walk.bvh"], "read it"),
        ([None], "item 0 is a NoneType"),
    ],
)
def test_what_is_no_take_is_refused(clips: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MotionGraph(clips)  # type: ignore[arg-type]


def test_takes_too_short_make_no_graph() -> None:
    short = walk(duration=0.3, fps=30).clip
    with pytest.raises(ParameterError, match=r"all takes are too short.*the longest lasts 0\.3 s"):
        MotionGraph([short[:5], short])


def test_walks_refuse_nonsense(gaits: MotionGraph) -> None:
    for duration in (0.0, -1.0, float("nan"), float("inf")):
        with refused("duration"):
            gaits.walk(duration)
    with pytest.raises(ParameterError, match="no take called 'swim'"):
        gaits.walk(1.0, start="swim")
    with refused("seed"):
        gaits.walk(1.0, seed=-1)


def test_labels_that_connect_with_nothing_are_kept() -> None:
    one = walk(duration=5.0, fps=30).clip
    # Half the speed with arms held up is no neighbour of the walk.
    raised = np.array(one.rotations)
    arms = [n for n, name in enumerate(one.skeleton.names) if name.endswith("Arm")]
    raised[:, arms] = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
    other = replace(one, rotations=raised)
    graph = MotionGraph([one, other], names=["down", "up"], tags=["down", "up"])
    assert dict(graph.report.tags)["up"] > 0.3
    assert len(set(graph.edge_parts.tolist())) == len({("down" in i) for i in graph.report.islands})
