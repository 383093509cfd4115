from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate_and_report
from motionloom.annotation.treadmill import find_travel, is_in_place, recover_if_in_place, recover_travel
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.steady_travel import put_in_place
from motionloom.motion.unroll import travel, unroll
from motionloom.synthesis import jog, kick, stand, walk
from tests.motion.rigs import add_helpers

GAME = "game/kaykit_MovementBasic.glb"


@pytest.mark.parametrize(("make", "speed"), [(walk, 1.2), (jog, 2.6)])
@pytest.mark.parametrize("way", ["mean velocity", "every frame"])
def test_the_speed_of_a_gait_in_place_is_recovered(make: object, speed: float, way: str) -> None:
    assert callable(make)
    clip = make(speed=speed, duration=4.0).clip
    still = put_in_place(clip) if way == "mean velocity" else ml.split_root(clip, smoothing=0.0)[0]
    report = recover_travel(still).report
    assert report.speed == pytest.approx(speed, rel=0.03)
    assert abs(np.degrees(report.direction)) < 3.0
    assert report.explained > 0.9


def test_direction_and_turn_are_recovered() -> None:
    loop = cyclify(walk(speed=1.2, curvature=0.5).clip, cycles=1)
    sideways = put_in_place(loop).clip.placed(ml.GroundTransform(0.7))
    report = recover_travel(sideways).report
    assert report.speed == pytest.approx(1.2, rel=0.03)
    assert report.turn == pytest.approx(0.6, rel=0.1)


def test_travel_is_the_cycle_s_own_below_other_joints() -> None:
    loop = cyclify(walk(speed=1.2).clip, cycles=1)
    still = add_helpers(put_in_place(loop).clip)
    assert is_in_place(still)
    moved = recover_travel(still)
    assert moved.clip.skeleton == still.skeleton
    assert travel(moved.clip).z == pytest.approx(travel(loop.clip).z, rel=0.02)


def test_plants_are_found_in_the_moving_ground() -> None:
    loop = cyclify(walk(speed=1.2).clip, cycles=1)
    plain = ml.annotate(replace(loop.clip, constraints=(), events=()))
    found = annotate_and_report(put_in_place(replace(loop.clip, constraints=(), events=())))
    still = found.clip
    assert [(c.joint, c.kind) for c in still.constraints] == [(c.joint, c.kind) for c in plain.constraints]
    apart = [abs(a.start - b.start) for a, b in zip(still.constraints, plain.constraints, strict=True)]
    assert max(apart) < 2.0
    assert any("ground that moves below it" in note for note in found.report.notes)


def test_feet_are_held_in_the_moving_ground() -> None:
    loop = put_in_place(cyclify(walk(speed=1.2).clip, cycles=1))
    held = ml.enforce(ml.annotate(loop))
    assert np.allclose(travel(held.clip).row(), 0.0, atol=1e-3)
    assert _slide(held.clip) < 1e-3


def test_other_clips_are_no_gaits_in_place() -> None:
    for clip, why in (
        (walk(duration=2.0).clip, "it travels already"),
        (stand(duration=1.0).clip, "its feet do not swing against each other"),
        (kick().clip, "the clip is no gait in place"),
        (walk(duration=2.0).clip[:3], "it has only 3 frames"),
    ):
        assert not is_in_place(clip)
        assert recover_if_in_place(clip) == (clip, None)
        with pytest.raises(ParameterError, match=why):
            recover_travel(clip)


@pytest.mark.slow
def test_blends_of_gaits_in_place_travel_or_stay() -> None:
    clips = [put_in_place(cyclify(walk(speed=speed).clip, cycles=1)) for speed in (1.0, 1.4)]
    blend = ml.mix(clips, [0.5, 0.5])
    period = blend.clip.n_frames * blend.clip.frame_time
    assert travel(blend.clip).z / period == pytest.approx(1.2, rel=0.04)
    assert "clip 1 walks in place" in str(blend.report)
    still = ml.mix(clips, [0.5, 0.5], in_place=True)
    assert np.allclose(travel(still.clip).row(), 0.0, atol=1e-6)


def test_a_longer_take_in_place_is_closed_in_place() -> None:
    take = put_in_place(walk(speed=1.2, duration=4.0).clip)
    loop = ml.cyclify(take, cycles=1)
    assert loop.clip.cyclic
    assert np.allclose(travel(loop.clip).row(), 0.0, atol=1e-6)
    assert loop.report.unit == "stride"
    assert np.abs(loop.clip.root_positions[:, [0, 2]] - take.clip.root_positions[0, [0, 2]]).max() < 0.2


@pytest.mark.parametrize(
    ("name", "speed"),
    [("Walking_A", 0.83), ("Walking_B", 1.05), ("Walking_C", 0.59), ("Running_A", 3.38), ("Running_B", 4.24)],
)
def test_game_loops_get_travel_and_plants(mocap: Path, name: str, speed: float) -> None:
    loop = ml.load(mocap / GAME, animation=f"Rig_Medium|{name}")
    assert find_travel(loop)[1].speed == pytest.approx(speed, rel=0.02)
    held = ml.enforce(ml.annotate(loop))
    assert {c.joint for c in held.clip.constraints} >= {"toes.l", "toes.r"}
    assert _slide(held.clip) < 1e-3


def _slide(clip: Clip) -> float:
    """Return how far a planted point moves over the moving ground, metres."""
    moving = unroll(recover_travel(clip).clip, 3)
    worst = 0.0
    for plant in moving.constraints:
        frames = plant.whole_frames(moving.n_frames)
        # A plant that ends at the seam and does not continue is not held in the frame after it.
        last = min(frames.stop, 2 * clip.n_frames)
        if clip.n_frames <= plant.start and plant.end <= 2 * clip.n_frames and last > frames.start:
            path = moving.body.point_positions(plant.joint, plant.point, slice(frames.start, last))
            worst = max(worst, float(np.ptp(path[:, [0, 2]], axis=0).max()))
    return worst
