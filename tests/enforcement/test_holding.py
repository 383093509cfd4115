"""The body that follows its feet."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import Floor, annotate
from motionloom.enforcement import enforce
from motionloom.enforcement.ground import Ground
from motionloom.enforcement.holding import hold
from motionloom.enforcement.limbs import limbs_of
from motionloom.enforcement.targets import with_targets
from motionloom.files import load
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import stand, walk
from tests.enforcement.measuring import skating

FLOOR = Ground(Floor(0.0))


def held(clip: Clip, stretch: float = 0.026) -> Clip:
    aimed = with_targets(clip, FLOOR)
    return hold(aimed, limbs_of(aimed)[0], FLOOR, stretch, 0.25)


def test_without_limbs_the_clip_stays() -> None:
    clip = stand(duration=0.5).clip
    done = hold(clip, (), FLOOR, 0.026, 0.25)
    assert np.array_equal(done.rotations, clip.rotations)
    assert np.array_equal(done.root_positions, clip.root_positions)


def test_bones_that_do_not_stretch_leave_no_translations() -> None:
    clip = skating(annotate(walk(duration=2.0).clip))
    assert held(clip, stretch=0.0).translations is None
    assert held(clip, stretch=0.026).translations is not None


def test_a_body_that_floats_comes_down_as_it_is() -> None:
    """Feet four centimetres above the floor: the whole body sinks, and no knee bends."""
    clip = annotate(walk(duration=2.0).clip)
    floating = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.04, 0.0]))
    done = held(floating)
    assert done.root_positions == pytest.approx(clip.root_positions, abs=0.003)


def test_the_body_moves_smoothly() -> None:
    clip = skating(annotate(walk(duration=4.0, fps=120).clip), 1.15)
    way = held(clip).root_positions - clip.root_positions
    assert np.abs(way).max() > 0.002
    assert np.abs(np.diff(way, 2, axis=0)).max() / clip.frame_time**2 < 5.0


@pytest.mark.parametrize("name", ["speeds/fast_07_11", "speeds/slow_07_04", "s16/walk_straight_16_15"])
def test_captured_walks_do_not_crouch(mocap: Path, name: str) -> None:
    """The body comes down where a leg is too short for a moment, and not for the whole walk."""
    clip = annotate(load(mocap / "locomotion" / f"{name}.bvh"))
    bends = [_mean_knee_bend(each) for each in (clip, enforce(clip))]
    assert bends[1] - bends[0] < 9.5


def _mean_knee_bend(clip: Clip) -> float:
    """Degrees by which knees are bent on average."""
    places = clip.world_positions()
    bends = []
    for leg in find_anatomy(clip.skeleton).legs:
        thigh, shin = (places[:, b] - places[:, a] for a, b in pairwise(leg.chain))
        sizes = np.linalg.norm(thigh, axis=1) * np.linalg.norm(shin, axis=1)
        along = np.einsum("tc,tc->t", thigh, shin) / sizes
        bends.append(np.degrees(np.arccos(np.clip(along, -1.0, 1.0))).mean())
    return float(np.mean(bends))
