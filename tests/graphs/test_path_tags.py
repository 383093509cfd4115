"""Stretches and islands: takes switch where the path says so, and what cannot be had is said or refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import MotionloomError
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.path_tags import list_tags, note_stretches, refuse_islands
from motionloom.graphs.plan_route import plan_route
from motionloom.graphs.route import Route, list_visits
from motionloom.paths.path import Action, Line, Stretch

LINE = [[0.0, 0.0], [0.1, 2.0], [0.6, 4.0], [1.6, 6.0]]


def test_takes_switch_where_a_stretch_begins(tagged: MotionGraph) -> None:
    path = Line(LINE, smooth=True, stretches=[Stretch("walk", 0.0, 3.0), Stretch("jog", 3.0, 6.0)])
    plan = plan_route(tagged, path)
    assert plan is not None
    visits = list_visits(tagged.table, plan.route)
    assert "walk" in tagged.nodes[visits[0].node].tags
    assert "jog" in tagged.nodes[visits[-1].node].tags
    assert tagged.follow(path).report.notes == ()


def test_metres_without_the_tag_are_counted(tagged: MotionGraph) -> None:
    walk = next(n for n, node in enumerate(tagged.nodes) if "walk" in node.tags)
    path = Line([[0, 0], [0, 4]], stretches=[Stretch("jog", 1.0, 3.0), Stretch("walk", 0.0, 4.0)])
    notes = note_stretches(tagged, path, Route(walk, 0, (), 40), np.linspace(0.0, 4.0, 41))
    assert len(notes) == 1
    assert notes[0].startswith("2.1 m of the stretch 'jog' from 1.0 m to 3.0 m are played by takes without")


def test_a_stretch_that_cannot_be_reached_is_noted(tagged: MotionGraph) -> None:
    # Nobody changes between a walk and a jog every 70 cm.
    places = [0.0, 3.0, 3.7, 4.4, 5.1, 5.8, 9.0]
    stretches = [Stretch(("walk", "jog")[n % 2], *places[n : n + 2]) for n in range(len(places) - 1)]
    notes = tagged.follow(Line([[0, 0], [0, 9]], stretches=stretches)).report.notes
    assert any("of the stretch" in note and "without this tag" in note for note in notes)


def test_tags_of_different_islands_are_refused(tagged: MotionGraph) -> None:
    # Without the edges between them, walks and the jog are islands.
    tags = [node.tags[0] for node in tagged.nodes]
    apart = [edge for edge in tagged.edges if tags[edge.source] == tags[edge.target]]
    graph = MotionGraph.restore(tagged.nodes, apart, tagged.report)
    path = Line(LINE, smooth=True, stretches=[Stretch("walk", 0.0, 3.0)], actions=[Action("jog", 5.0)])
    with pytest.raises(MotionloomError, match="on different islands of the graph"):
        graph.follow(path)
    walk = tags.index("walk")
    with pytest.raises(MotionloomError, match="to a take with 'jog'"):
        refuse_islands(graph, Line(LINE, actions=[Action("jog", 5.0)]), (walk, 0))
    refuse_islands(graph, Line(LINE, actions=[Action("jog", 5.0)]), None)


def test_tags_are_listed_once() -> None:
    path = Line(LINE, stretches=[Stretch("walk", 0, 1), Stretch("walk", 2, 3)], actions=[Action("kick", 1.0)])
    assert list_tags(path) == ("kick", "walk")


def test_an_empty_request_needs_no_island(gaits: MotionGraph) -> None:
    bare = MotionGraph.restore([replace(node, tags=()) for node in gaits.nodes], gaits.edges, gaits.report)
    refuse_islands(bare, Line(LINE), None)
