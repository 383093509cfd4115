from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion import Clip
from motionloom.synthesis import stand, walk
from motionloom.transitions.feet_on_ground import (
    FootSources,
    find_drag,
    find_foot_sources,
    plants_of,
    track_feet,
)
from tests.figures import smooth_clip


def dragged(metres: float) -> Clip:
    clip = stand(duration=2.0, fps=30).clip
    roots = clip.root_positions.copy()
    roots[:, 0] += metres * np.clip((np.arange(len(roots)) - 20) / 20, 0.0, 1.0)
    return replace(clip, root_positions=roots)


def test_feet_that_stand_are_not_dragged() -> None:
    clip = stand(duration=2.0, fps=30).clip
    assert all(find_drag(track, 10, 50)[2] == 0.0 for track in track_feet(clip, 10, 50))


def test_feet_of_a_body_that_slides_are_dragged() -> None:
    for track in track_feet(dragged(0.4), 10, 50):
        start, end, travel = find_drag(track, 10, 50)
        assert 18 <= start <= 21
        assert 39 <= end <= 42
        assert travel == pytest.approx(0.4, abs=0.01)


def test_a_low_swing_of_the_clips_is_not_a_drag() -> None:
    clip = dragged(0.4)
    moving = FootSources(np.zeros((41, 2, 2), dtype=bool), np.full((41, 2), 0.5))
    assert all(find_drag(track, 10, 50)[2] == 0.0 for track in track_feet(clip, 10, 50, moving))


def test_feet_of_a_walk_stand_in_turns() -> None:
    clip = walk(duration=3.0, fps=30).clip
    frames = np.arange(80.0)
    sources = find_foot_sources((clip, clip), np.stack([frames, frames], axis=1), np.full((80, 2), 0.5))
    assert sources is not None
    stands = sources.stands[..., 0]
    assert stands.any(axis=1).mean() > 0.9
    assert 0.4 < stands.mean() < 0.8
    assert sources.swings.mean() == pytest.approx(1.0 - stands.mean())


def test_bodies_without_legs_have_no_feet() -> None:
    clip = smooth_clip(30)
    frames = np.zeros((5, 2))
    assert track_feet(clip, 5, 20) == []
    assert find_foot_sources((clip, clip), frames, frames) is None


def test_plants_belong_to_their_legs() -> None:
    motion = stand(duration=1.0, fps=30)
    clip = replace(motion.clip, constraints=motion.plants)
    for track in track_feet(clip, 5, 20):
        plants = plants_of(clip, track.leg)
        assert plants
        assert all(plant.joint.lower().startswith(track.leg.side) for plant in plants)
