"""Motion along paths and to places, on a small graph of built-in gaits."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from motionloom.errors import MotionloomError, ParameterError
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.plan_route import find_action_moments, plan_route
from motionloom.motion.ground_path import ground_track
from motionloom.paths.path import Action, Line, Stretch
from motionloom.paths.path_report import PathReport
from motionloom.paths.turning_radius import find_sharp
from tests.refusals import refused

CURVE = [[0.0, 0.0], [0.1, 2.0], [0.6, 4.0], [1.6, 6.0]]


def test_a_motion_follows_its_path_with_planted_feet(gaits: MotionGraph) -> None:
    path = Line(CURVE, smooth=True)
    result = gaits.follow(path)
    report = result.report
    assert isinstance(report, PathReport)
    assert report.deviation < 0.05
    assert report.max_deviation < 0.2
    assert report.end_distance < 0.05
    for constraint in result.clip.constraints:
        frames = slice(int(np.ceil(constraint.start)), int(constraint.end) + 1)
        own = result.clip.point_positions(constraint.joint, constraint.point, frames)[:, [0, 2]]
        assert np.ptp(own, axis=0).max() < 1e-3


def test_the_same_request_gives_the_same_motion(gaits: MotionGraph) -> None:
    path = Line(CURVE, smooth=True)
    assert plan_route(gaits, path) == plan_route(gaits, path)


def test_without_bending_frames_are_those_of_takes(gaits: MotionGraph) -> None:
    result = gaits.follow(CURVE, bend=False, plant=False)
    plan = plan_route(gaits, Line(CURVE))
    assert plan is not None
    node = gaits.nodes[plan.route.start_node].clip
    heights = node.root_positions[plan.route.start_frame : plan.route.start_frame + 5, 1]
    assert np.allclose(result.clip.root_positions[:5, 1], heights)


def test_a_motion_ends_where_and_as_it_should(gaits: MotionGraph) -> None:
    result = gaits.go_to(0.5, 4.0, yaw=0.3)
    end = ground_track(result.clip)[-1]
    assert np.hypot(end[0] - 0.5, end[1] - 4.0) < 0.1
    assert abs(np.degrees((end[2] - 0.3 + np.pi) % (2 * np.pi) - np.pi)) < 5.0


def test_tags_that_no_take_has_are_refused(gaits: MotionGraph) -> None:
    with pytest.raises(ParameterError, match="no take of the graph has the tag 'kick'"):
        gaits.follow(Line(CURVE, actions=[Action("kick", 2.0)]))
    with pytest.raises(ParameterError, match="no take of the graph has the tag 'swim'"):
        gaits.follow(Line(CURVE, stretches=[Stretch("swim", 1.0, 2.0)]))


def test_bad_numbers_are_refused(gaits: MotionGraph) -> None:
    with refused("x"):
        gaits.go_to(float("nan"), 1.0)
    with refused("yaw"):
        gaits.go_to(1.0, 1.0, float("inf"))
    with pytest.raises(ParameterError, match="not finite"):
        gaits.follow([[0.0, 0.0], [np.nan, 1.0]])


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ((99, 0), "the node of start must be"),
        ((-1, 0), "the node of start must be"),
        ((0, 10_000), "the frame of start must be"),
        ((0, -3), "the frame of start must be"),
        ((0, 1, 2), "start must be the number of a node and one of its frames"),
        (3, "start must be the number of a node and one of its frames"),
    ],
)
def test_a_start_outside_the_graph_is_refused(gaits: MotionGraph, start: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        gaits.follow(CURVE, start=start)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=message):
        gaits.go_to(0.0, 3.0, start=start)  # type: ignore[arg-type]


def test_bad_facings_and_origins_are_refused(gaits: MotionGraph) -> None:
    with refused("end_yaw"):
        gaits.follow(CURVE, end_yaw=float("nan"))
    with refused("origin"):
        gaits.go_to(0.0, 3.0, origin=(0.0, 0.0))  # type: ignore[arg-type]


def test_a_place_that_is_where_the_body_is_needs_no_motion(gaits: MotionGraph) -> None:
    with pytest.raises(MotionloomError, match="is already there"):
        gaits.go_to(0.0, 0.0, 0.0)


def test_sharp_corners_are_reported() -> None:
    corner = Line([[0, 0], [0, 3], [3, 3]])
    (part,) = find_sharp(corner, 1.0)
    assert part.start < 3.0 < part.end
    assert "the path turns at a radius of" in str(part)
    assert find_sharp(Line([[0, 0], [0, 3]]), 1.0) == ()
    angles = np.linspace(0.0, 3.0, 90)
    arc = Line(2.0 * np.stack([1.0 - np.cos(angles), np.sin(angles)], axis=1))
    assert find_sharp(arc, 2.0) == ()  # takes that turn at its radius can follow it
    assert find_sharp(arc, 2.5) != ()


def test_a_body_turns_to_a_facing_only_as_far_as_its_steps_can(gaits: MotionGraph) -> None:
    near = gaits.follow(Line(CURVE, smooth=True, facing=0.4)).report
    assert isinstance(near, PathReport)
    assert near.facing_error < np.radians(5.0)
    assert near.notes == ()
    far = gaits.follow(Line(CURVE, smooth=True, facing=np.pi / 2)).report
    assert isinstance(far, PathReport)
    assert far.max_deviation < 0.15
    assert any("away from the facing asked for" in note for note in far.notes)
    assert not any("not held" in note for note in far.notes)


@pytest.mark.parametrize("moment", ["start", "end"])
def test_actions_happen_at_the_ends_of_takes_that_routes_can_reach(
    tagged: MotionGraph, moment: Literal["start", "end"]
) -> None:
    path = Line(CURVE, smooth=True, actions=[Action("jog", 3.0, moment=moment)])
    report = tagged.follow(path).report
    assert isinstance(report, PathReport)
    assert report.actions[0].distance < 0.1
    assert report.max_deviation < 0.1


def test_the_first_and_the_last_action_may_be_the_very_ends_of_takes(tagged: MotionGraph) -> None:
    jog = next(n for n, node in enumerate(tagged.nodes) if node.name == "jog")
    line = Line(CURVE, smooth=True)
    asked = [Action("jog", 0.0, moment="start"), Action("jog", line.length, moment="end")]
    moments = find_action_moments(tagged, Line(CURVE, smooth=True, actions=asked))
    assert moments[:, jog].tolist() == [0, tagged.nodes[jog].n_frames - 1]
    inner = [Action("jog", 2.0, moment="start"), Action("jog", 4.0, moment="end")]
    start, end = find_action_moments(tagged, Line(CURVE, smooth=True, actions=inner))[:, jog]
    table = tagged.table
    assert table.landing[table.target == jog].min() <= start
    assert end <= table.departure[table.source == jog].max()


def test_one_extreme_step_does_not_make_takes_nimble(gaits: MotionGraph) -> None:
    radius = gaits.ground_tables.tightest_radius()
    tracks = np.array(gaits.ground_tables.tracks)
    # For a third of a second a body hops aside.
    tracks[60:70, 0] += 0.4
    hopped = replace(gaits.ground_tables, tracks=tracks)
    assert hopped.tightest_radius() == pytest.approx(radius, rel=0.1)
    angles = 0.05 * np.arange(150)
    circle = np.column_stack([0.8 * np.sin(angles), 0.8 * np.cos(angles), angles])
    tracks[:150] = circle
    assert replace(gaits.ground_tables, tracks=tracks).tightest_radius() == pytest.approx(0.8, rel=0.1)


def test_takes_that_turn_one_way_go_round_to_their_goal(gaits: MotionGraph) -> None:
    report = gaits.go_to(-3.0, -4.0).report
    assert isinstance(report, PathReport)
    assert report.end_distance < 0.1


def test_all_actions_are_named_if_no_route_does_them(tagged: MotionGraph) -> None:
    path = Line([[0, 0], [0, 4]], actions=[Action("jog", 0.1), Action("jog", 0.3)])
    with pytest.raises(MotionloomError, match=r"does the actions 'jog' 0\.1 m, 'jog' 0\.3 m along the path"):
        tagged.follow(path)
