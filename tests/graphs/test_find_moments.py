"""Frames of takes at which their actions happen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.graphs.find_moments import find_moment, find_peak
from motionloom.graphs.node import GraphNode
from motionloom.motion import Event
from motionloom.synthesis import kick, walk


@pytest.fixture(scope="module")
def strides() -> GraphNode:
    """Four seconds of walking."""
    return GraphNode("walk", walk(duration=4.0, fps=30).clip)


def sink(node: GraphNode, depth: FloatArray) -> GraphNode:
    """Return a take in which the body sinks by metres (T,), slower than its feet swing."""
    roots = np.array(node.clip.root_positions)
    roots[:, 1] -= depth
    return GraphNode("sit", replace(node.clip, root_positions=roots), ("sit",))


def test_an_action_happens_when_its_pose_is_least_like_other_takes(strides: GraphNode) -> None:
    frames = np.arange(strides.n_frames)
    low = sink(strides, 0.4 * np.exp(-(((frames - 60) / 12.0) ** 2)))
    assert abs(find_peak(low, [strides]) - 60) <= 2
    # The fastest joint is a foot that swings as in any other step.
    assert find_peak(low) == find_peak(strides)


def test_who_sits_is_seated_when_the_body_comes_to_rest(strides: GraphNode) -> None:
    frames = np.arange(strides.n_frames)
    seated = sink(strides, 0.4 * np.clip((frames - 40) / 20.0, 0.0, 1.0))
    assert 58 <= find_peak(seated, [strides]) <= 61


def test_a_kick_among_walks_is_where_the_foot_is_stretched_out(strides: GraphNode) -> None:
    motion = kick(fps=30)
    found = find_peak(GraphNode("kick", motion.clip, ("kick",)), [strides])
    reach = motion.clip.world_positions() - motion.clip.root_positions[:, None]
    stretched = int(np.argmax(np.linalg.norm(reach[..., [0, 2]], axis=-1).max(axis=1)))
    assert abs(found - stretched) <= 4


def test_events_and_ends_come_before_poses(strides: GraphNode) -> None:
    labelled = replace(strides, clip=replace(strides.clip, events=(Event(17.4, "wave"),)))
    assert find_moment(labelled, "wave", "auto", others=[strides]) == 17
    assert find_moment(labelled, "wave", "start", first=4) == 4
    assert find_moment(labelled, "wave", "end") == strides.n_frames - 1
    assert find_moment(labelled, "wave", "end", last=90) == 90
