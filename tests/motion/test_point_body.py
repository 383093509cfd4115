from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint, Event, PointClip
from motionloom.motion.point_body import take_body_as_points, take_points_as_body
from motionloom.synthesis import walk
from tests.figures import points_of


def test_only_clips_of_points_with_points_are_taken() -> None:
    with pytest.raises(ParameterError, match="a clip of points is needed, not Clip: load a file of points"):
        take_points_as_body(walk(duration=1.0, fps=30).clip)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="the clip has no points"):
        take_points_as_body(PointClip((), 0.1, np.zeros((2, 0, 3))))


def test_the_way_back_gives_the_same_points_and_annotations() -> None:
    body = walk(duration=2.0, fps=30, curvature=0.5).clip
    held = Constraint("LeftFoot", "point", 3, 9)
    points = points_of(body, constraints=(held,), events=(Event(3.0, "strike", "LeftFoot"),))
    taken = take_points_as_body(points)
    assert isinstance(taken, Clip)
    back = take_body_as_points(taken, points)
    np.testing.assert_allclose(back.positions, points.positions, atol=1e-12)
    assert (back.constraints, back.events, back.names) == ((held,), points.events, points.names)


def test_the_root_turns_with_the_points() -> None:
    """A figure that is rotated as a whole by 1 rad/s turns its root by that."""
    still = walk(duration=1.0, fps=30).clip.world_positions()[:1]
    turns = np.linspace(0.0, 2.0, 61)
    positions = np.concatenate([GroundTransform(float(yaw)).apply(still) for yaw in turns])
    taken = take_points_as_body(PointClip(walk().clip.skeleton.names, 1 / 30, positions))
    yaws = 2.0 * np.unwrap(np.arctan2(taken.rotations[:, 0, 2], taken.rotations[:, 0, 0]))
    np.testing.assert_allclose(yaws - yaws[30], turns - turns[30], atol=1e-6)


def test_a_point_named_as_the_root_and_gaps_are_no_obstacle() -> None:
    positions = np.zeros((3, 2, 3))
    positions[:, 0, 0] = [0.0, np.nan, 2.0]
    positions[1, 0] = np.nan
    taken = take_points_as_body(PointClip(("points", "b"), 0.1, positions))
    assert taken.skeleton.names == ("points_", "points", "b")
    np.testing.assert_allclose(taken.world_positions()[1, 1], [1.0, 0.0, 0.0], atol=1e-12)


def test_points_keep_their_annotations_through_edits() -> None:
    held = Constraint("a", "point", 4, 8, target=np.array([1.0, 0.0, 0.0]))
    clip = PointClip(
        ("a",), 0.1, np.zeros((11, 1, 3)), constraints=(held,), events=(Event(6.0, "strike", "a"),)
    )
    cut = clip[2:9]
    assert [(c.start, c.end) for c in cut.constraints] == [(2.0, 6.0)]
    assert [e.frame for e in cut.events] == [4.0]
    twice = clip.resampled(20.0)
    assert [(c.start, c.end) for c in twice.constraints] == [(8.0, 16.0)]
    back = clip.reversed()
    assert [(c.start, c.end) for c in back.constraints] == [(2.0, 6.0)]
    moved = clip.placed(GroundTransform(x=1.0)).constraints[0].target
    assert moved is not None
    assert moved.tolist() == [2.0, 0.0, 0.0]
    assert clip.content_hash() != clip.content_hash(annotations=False)
    assert repr(clip) == "PointClip(11 frames at 10 fps, 1 points, 1 constraints)"
    with pytest.raises(ParameterError, match="'b'"):
        PointClip(("a",), 0.1, np.zeros((2, 1, 3)), constraints=(Constraint("b", "point", 0, 1),))
