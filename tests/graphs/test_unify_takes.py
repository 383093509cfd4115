"""Takes made alike: which are left out, and what the notes say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.unify_takes import unify_takes
from motionloom.motion import Clip
from motionloom.motion.steady_travel import put_in_place
from motionloom.synthesis import walk


@pytest.fixture(scope="module")
def walked() -> Clip:
    return walk(duration=4.0, fps=120).clip


@pytest.mark.parametrize("n_frames", [1, 2, 5, 40])
def test_short_takes_are_left_out_by_name(walked: Clip, n_frames: int) -> None:
    graph = MotionGraph(
        [walked[:n_frames], walked, walked.mirrored()],
        names=["short", "walk", "mirrored"],
        tags=["none", "one", "two"],
        density=1,
    )
    assert [(node.name, node.tags) for node in graph.nodes] == [("walk", ("one",)), ("mirrored", ("two",))]
    assert graph.report.notes == ("short is too short and left out: 0.5 s and 7 frames are needed",)


@pytest.mark.parametrize("n_frames", [1, 3])
def test_loops_of_too_few_frames_are_left_out(walked: Clip, n_frames: int) -> None:
    pose = replace(walked[:n_frames], cyclic=True)
    nodes, notes = unify_takes([pose, walked], names=["pose", "walk"], min_duration=0.5)
    assert [node.name for node in nodes] == ["walk"]
    assert notes == ("pose is too short and left out: 0.5 s and 7 frames are needed",)


def test_short_takes_do_not_set_the_frame_rate(walked: Clip) -> None:
    still = replace(walked[:2], frame_time=1.0)
    nodes, _ = unify_takes([walked, still], min_duration=0.5)
    assert [node.clip.frame_time for node in nodes] == [walked.frame_time]


def test_takes_that_are_too_short_at_the_lowest_rate_are_left_out(walked: Clip) -> None:
    slow = walk(duration=4.0, fps=8).clip
    nodes, notes = unify_takes([slow, walked[:73]], names=["slow", "short"], min_duration=0.5)
    assert [node.name for node in nodes] == ["slow"]
    assert notes[0].startswith("short is too short")


def test_notes_that_differ_in_the_take_are_one(walked: Clip) -> None:
    slow = walk(duration=1.0, fps=30).clip
    _, notes = unify_takes([slow, *[walked[:120]] * 9], names=list("abcdefghij"))
    assert notes == (
        "b was resampled from 120 to 30 frames per second; the same goes for c, d, e, f, g, h and 2 more",
    )


def test_errors_name_takes(walked: Clip) -> None:
    body = walked.skeleton
    giant = replace(
        walked,
        skeleton=replace(body, offsets=100.0 * body.offsets),
        root_positions=100.0 * walked.root_positions,
        constraints=(),
        events=(),
    )
    with pytest.raises(ParameterError, match="the body of giant is 100 times as large as that of walk"):
        unify_takes([walked, giant], names=["walk", "giant"])


def test_gaits_in_place_travel_again() -> None:
    moving = walk(duration=5.0, fps=30, speed=1.2).clip
    graph = MotionGraph([put_in_place(moving)], names=["treadmill"], density=1)
    assert graph.report.notes == ("treadmill is a gait in place: its travel was recovered",)
    track = graph.nodes[0].track
    assert np.linalg.norm(track[-1, :2] - track[0, :2]) == pytest.approx(6.0, rel=0.05)


@pytest.mark.parametrize("name", ["Walking_A", "Running_A"])
def test_a_drawn_loop_goes_on_for_ever(mocap: Path, name: str) -> None:
    loop = ml.load(mocap / "game" / "kaykit_MovementBasic.glb", animation=f"Rig_Medium|{name}")
    graph = MotionGraph([loop], names=[name])
    assert graph.report.notes[0].startswith(f"{name} is a loop: ")
    assert graph.report.core_fraction > 0.6
    walked = graph.walk(20.0).clip.body.root_positions
    assert np.linalg.norm(walked[-1] - walked[0]) > 10.0
