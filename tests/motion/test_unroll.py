"""Many cycles in a row, and where each leads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.cycles.cyclify import cyclify
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.unroll import extend_cycle, resample_cycle, travel, unroll
from motionloom.synthesis import walk
from tests.figures import skeleton_of


def circling(n_frames: int, turn: float, speed: float = 0.1, start: float = 0.0) -> Clip:
    """A point that goes round evenly: each frame turns by the same angle and then steps ahead."""
    yaws = start + turn * np.arange(n_frames)
    steps = np.stack([np.sin(yaws), 0 * yaws, np.cos(yaws)], axis=-1) * speed
    roots = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)[:-1]])
    dot = skeleton_of(("dot",), [-1], [[0, 0, 0]])
    return Clip(dot, 1 / 60, roots, rot.from_yaw(yaws)[:, None], cyclic=True)


@pytest.mark.parametrize("count", [0, -1, 1.5, True])
def test_counts_are_whole_and_positive(count: int) -> None:
    clip = circling(8, 0.1)
    with pytest.raises(ParameterError, match=f"cycles must be a whole number of at least 1, not {count}"):
        unroll(clip, count)
    with pytest.raises(ParameterError, match=f"n_frames must be a whole number of at least 1, not {count}"):
        extend_cycle(clip, count)


def test_a_clip_that_is_not_cyclic() -> None:
    clip = replace(circling(8, 0.1), cyclic=False)
    sentence = r"the clip is not cyclic: close it first with motionloom\.cyclify"
    with pytest.raises(ParameterError, match=sentence):
        travel(clip)
    with pytest.raises(ParameterError, match=sentence):
        unroll(clip, 2)
    with pytest.raises(ParameterError, match=sentence):
        extend_cycle(clip, 20)
    with pytest.raises(ParameterError, match=sentence):
        resample_cycle(clip, 30)


def test_too_few_frames_to_go_on_from() -> None:
    with pytest.raises(ParameterError, match="a cyclic clip of 4 frames has no steps to go on from"):
        travel(circling(4, 0.1))


def test_a_straight_way_goes_on() -> None:
    way = travel(circling(10, 0.0))
    assert (way.yaw, way.x) == pytest.approx((0.0, 0.0), abs=1e-12)
    assert way.z == pytest.approx(1.0)


@pytest.mark.parametrize("turn", [0.05, -0.2, 2 * np.pi / 30, 0.5])
def test_an_even_turn_goes_on_exactly(turn: float) -> None:
    """Even steps have no curvature to miss; full circles count."""
    n = 30
    way = travel(circling(n, turn, start=2.0))
    longer = circling(n + 1, turn, start=2.0)
    assert way.yaw == pytest.approx(n * turn)
    np.testing.assert_allclose(way.apply(longer.root_positions[0]), longer.root_positions[n], atol=1e-12)


def test_a_root_whose_rest_pose_lies_on_its_side() -> None:
    clip = circling(12, 0.1)
    flip = rot.from_axis_angle([1.0, 0.0, 0.0], np.pi)
    lying = replace(clip, rotations=rot.multiply(clip.rotations, flip))
    assert travel(lying).yaw == pytest.approx(1.2)


def test_cycles_follow_each_other() -> None:
    clip = circling(10, 0.1)
    many = unroll(clip, 3)
    straight_on = circling(30, 0.1)
    np.testing.assert_allclose(many.root_positions, straight_on.root_positions, atol=1e-12)
    np.testing.assert_allclose(many.world_rotations(), straight_on.world_rotations(), atol=1e-12)
    assert many.cyclic
    assert travel(many).yaw == pytest.approx(3.0)


def test_one_cycle_is_the_clip() -> None:
    clip = circling(10, 0.1)
    assert np.array_equal(unroll(clip, 1).root_positions, clip.root_positions)


def test_constraints_join_and_events_repeat() -> None:
    clip = replace(
        circling(10, 0.0),
        constraints=(
            Constraint("dot", "heel", 0, 3, target=np.array([0.0, 0.0, 1.0])),
            Constraint("dot", "heel", 8, 10),
            Constraint("dot", "toe", 0, 2),
        ),
        events=(Event(8.0, "strike", "dot"),),
    )
    many = unroll(clip, 3)
    spans = [(c.kind, c.start, c.end) for c in many.constraints]
    assert [span for span in spans if span[0] == "heel"] == [
        ("heel", 0, 3),
        ("heel", 8, 13),
        ("heel", 18, 23),
        ("heel", 28, 30),
    ]
    assert [span for span in spans if span[0] == "toe"] == [("toe", 0, 2), ("toe", 10, 12), ("toe", 20, 22)]
    assert [event.frame for event in many.events] == [8, 18, 28]


def test_targets_travel_with_their_cycles() -> None:
    clip = replace(circling(10, 0.1), constraints=(Constraint("dot", "toe", 2, 4, target=np.ones(3)),))
    targets = [c.target for c in unroll(clip, 2).constraints]
    assert targets[0] is not None
    assert targets[1] is not None
    np.testing.assert_allclose(targets[1], travel(clip).apply(targets[0]))


def test_part_of_a_cycle_at_the_end() -> None:
    clip = replace(circling(10, 0.1), constraints=(Constraint("dot", "toe", 0, 10),))
    longer = extend_cycle(clip, 25)
    assert (longer.n_frames, longer.cyclic) == (25, False)
    assert [(c.start, c.end) for c in longer.constraints] == [(0, 24)]
    assert extend_cycle(clip, 4).n_frames == 4


@pytest.mark.parametrize("fps", [30, 45, 50, 95, 120])
def test_another_rate_keeps_way_and_annotations(fps: float) -> None:
    """Frames lie evenly over the whole cycle, over the seam too, and what is at the seam stays there."""
    clip = replace(
        circling(31, 0.1),
        constraints=(Constraint("dot", "toe", 0, 6.2), Constraint("dot", "heel", 24.8, 31)),
        events=(Event(15.5, "strike", "dot"),),
    )
    made = clip.resampled(fps)
    share = made.n_frames / 31
    assert share == pytest.approx(fps / 60, abs=0.5 / 31)
    heel, toe = sorted(made.constraints, key=lambda c: c.kind)
    assert (toe.start, toe.end) == pytest.approx((0, 6.2 * share))
    assert heel.start == pytest.approx(24.8 * share)
    assert heel.end == made.n_frames
    assert [event.frame for event in made.events] == pytest.approx([15.5 * share])
    here, there = travel(clip), travel(made)
    assert there.yaw == pytest.approx(here.yaw, abs=1e-3)
    assert (there.x, there.z) == pytest.approx((here.x, here.z), abs=0.01)


@pytest.mark.slow
@given(st.floats(-0.4, 0.4), st.integers(5, 40), st.floats(-3, 3), st.floats(-9, 9))
def test_travel_goes_with_the_ground(turn: float, n_frames: int, yaw: float, x: float) -> None:
    clip = circling(n_frames, turn)
    place = GroundTransform(yaw, x, 1.0)
    wanted, found = place @ travel(clip) @ place.inverse(), travel(clip.placed(place))
    assert found.yaw == pytest.approx(wanted.yaw, abs=1e-9)
    assert (found.x, found.z) == pytest.approx((wanted.x, wanted.z), abs=1e-9)


def test_the_report_and_the_frames_agree_on_the_travel() -> None:
    loop = cyclify(walk(curvature=0.3, fps=30).clip, cycles=1)
    assert travel(loop.clip) == loop.report.travel
