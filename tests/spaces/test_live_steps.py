"""Steps whose place is asked for while the motion plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.cycles import cyclify, match_strides
from motionloom.geometry import GroundTransform
from motionloom.ik.moved_limb import keep_within
from motionloom.motion import Clip
from motionloom.spaces import parameters
from motionloom.spaces.live_space import LiveSpace
from motionloom.spaces.measures import start_transform
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import walk
from motionloom.warping.footholds import Foothold, find_footholds

FPS = 60

EARLIEST = 20
"""The frame after which the step begins."""


@pytest.fixture(scope="module")
def strides() -> list[Clip]:
    """Return four walks from one strike to the next of the same foot."""
    walks = [
        annotate(walk(speed=speed, curvature=bend, duration=4.0, fps=FPS).clip)
        for speed in (0.9, 1.5)
        for bend in (-0.3, 0.3)
    ]
    return [own.clip for own in match_strides(walks, strides=1)]


@pytest.fixture(scope="module")
def space(strides: list[Clip]) -> MotionSpace:
    """Return their space of step places."""
    return MotionSpace(strides, {"step": parameters.step_place(1)}, accuracy=0.05, extrapolation=0.0)


@dataclass
class Played:
    """A motion that was played to its end, and its object."""

    clip: Clip
    live: LiveSpace

    def step(self) -> Foothold:
        """Return the step; what begins earlier is a foot that rolls off."""
        return next(each for each in find_footholds(annotate(self.clip)) if each.start > EARLIEST)

    def landing(self) -> FloatArray:
        place = start_transform(self.clip).inverse().apply(self.step().centre)
        return np.asarray(place[[0, 2]])


def play(space: MotionSpace, first: FloatArray, then: FloatArray, at: float, **options: object) -> Played:
    """Play a motion whose request changes ``at`` some seconds."""
    live = space.live(first, **options)  # type: ignore[arg-type]
    pose = live.blend.pose
    roots, rotations = [np.array(pose.root_positions)], [np.array(pose.rotations)]
    while not live.finished:
        pose = live.step(1 / FPS, then if live.blend.time >= at else first)
        roots.append(np.array(pose.root_positions))
        rotations.append(np.array(pose.rotations))
    return Played(Clip(pose.skeleton, 1 / FPS, np.array(roots), np.array(rotations)), live)


def peak_speeds(clip: Clip) -> FloatArray:
    steps = np.diff(clip.world_positions(), axis=0)
    return np.asarray(np.linalg.norm(steps, axis=-1).max(axis=0) / clip.frame_time)


@pytest.mark.parametrize("at", [0.0, 0.1, 0.2, 0.3])
def test_a_step_comes_down_where_it_is_asked_for_while_the_foot_is_in_the_air(
    space: MotionSpace, strides: list[Clip], at: float
) -> None:
    requests = space.hull.draw_points(4, seed=3)
    usual = np.maximum(np.max([peak_speeds(clip) for clip in strides], axis=0), 0.2)
    for first, then in zip(requests, requests[::-1], strict=True):
        played = play(space, first, then, at)
        assert np.linalg.norm(played.landing() - then) < 0.006
        assert played.live.missed["step"] < 0.001
        assert (peak_speeds(played.clip) / usual).max() < 1.5


def test_a_foot_stays_where_it_came_down(space: MotionSpace) -> None:
    first, then = space.hull.draw_points(2, seed=8)
    played = play(space, first, then, 0.2)
    step = played.step()
    toe = played.clip.world_positions()[:, step.leg.toe]
    # From when the heel is down until the toe rolls off.
    flat = toe[round(step.start) + 8 : round(step.end) - 4][:, [0, 2]]
    assert len(flat) > 10
    assert np.ptp(flat, axis=0).max() < 0.003


def test_there_is_no_jump_when_the_request_changes(space: MotionSpace) -> None:
    first, then = space.hull.draw_points(2, seed=8)
    usual, changed = (play(space, first, each, 0.2).clip.world_positions() for each in (first, then))
    n_frames = min(len(usual), len(changed))
    bends = [np.abs(np.diff(each[:n_frames], 2, axis=0)).max(axis=(1, 2)) for each in (usual, changed)]
    around = slice(9, 16)  # the request changes at frame 12
    assert bends[1][around].max() < bends[0].max()


def test_the_nearest_place_is_stepped_on_where_the_clips_do_not_reach(space: MotionSpace) -> None:
    far = space.range[1] + 3.0
    played = play(space, far, far, 0.0)
    np.testing.assert_allclose(played.landing(), space.nearest(far), atol=0.006)
    inside = space.examples.mean(axis=0)
    np.testing.assert_allclose(space.nearest(inside), inside, atol=1e-12)


def test_steps_are_seen_from_where_the_motion_starts(space: MotionSpace) -> None:
    first, then = space.hull.draw_points(2, seed=8)
    played = play(space, first, then, 0.2, place=GroundTransform(2.0, 5.0, -3.0))
    assert np.linalg.norm(played.landing() - then) < 0.006


def test_loops_have_no_steps_that_can_be_missed() -> None:
    loops = [cyclify(walk(speed=speed, duration=4.0, fps=30).clip, cycles=1) for speed in (0.9, 1.3, 1.6)]
    live = MotionSpace(loops, {"speed": parameters.speed()}, accuracy=0.05).live([1.2])
    live.step(1 / 30, [1.3])
    assert live.missed == {}


def test_a_way_that_begins_outside_is_not_gone() -> None:
    out = np.array([3.0, 0.0, 0.0])
    np.testing.assert_array_equal(keep_within(out, np.array([1.0, 0.0, 0.0]), 2.0), 0.0)
    np.testing.assert_array_equal(keep_within(out, np.zeros(3), 2.0), 0.0)
    np.testing.assert_array_equal(keep_within(np.zeros(3), np.array([1.0, 0.0, 0.0]), 2.0), [1.0, 0.0, 0.0])
