"""Applying curves to poses: exact formulas, exact ways back, ways that follow turns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.warping.apply import Step, mean_rotation, warped, warped_at
from motionloom.warping.curves import curves_of
from motionloom.warping.keys import Key
from tests.figures import random_rotations, smooth_clip


def step(clip: Clip, *keys: Key, undone: bool = False, follow: bool = True) -> Step:
    return Step(curves_of(keys, clip.skeleton, 0.0), follow, undone)


def test_the_formula_by_hand() -> None:
    clip = smooth_clip(21)
    zero, offset = random_rotations((), 3), np.array([0.2, -0.1, 0.3])
    keys = (
        Key(1 / 6, "left", scale=1.7, zero=zero, ease=None),
        Key(1 / 6, "left", rotate=offset, ease=None),
    )
    _, turns = warped(clip, [step(clip, *keys)])
    away = rot.to_rotation_vector(rot.multiply(rot.inverse(zero), clip.rotations[:, 1]))
    wanted = rot.multiply(
        rot.multiply(zero, rot.from_rotation_vector(1.7 * away)), rot.from_rotation_vector(offset)
    )
    np.testing.assert_allclose(np.abs(np.sum(turns[:, 1] * wanted, axis=-1)), 1.0, atol=1e-12)


def test_what_no_key_touches_is_copied_bit_for_bit() -> None:
    clip = smooth_clip(60)
    positions, turns = warped(clip, [step(clip, Key(0.5, "left", rotate=(1, 0, 0), ease=0.1))])
    others = [0, 2, 3, 4, 5]
    np.testing.assert_array_equal(turns[:, others], clip.rotations[:, others])
    np.testing.assert_array_equal(turns[:24, 1], clip.rotations[:24, 1])
    np.testing.assert_array_equal(turns[36:, 1], clip.rotations[36:, 1])
    np.testing.assert_array_equal(positions, clip.root_positions)
    assert not np.array_equal(turns[30, 1], clip.rotations[30, 1])


def test_signs_do_not_jump() -> None:
    clip = smooth_clip(60)
    _, turns = warped(
        clip,
        [
            step(
                clip,
                Key(0.5, "left", rotate=(2.5, 0, 0)),
                Key(0.5, "left", scale=1.5, zero=clip.rotations[9, 1]),
            )
        ],
    )
    assert (np.einsum("ti,ti->t", turns[1:, 1], turns[:-1, 1]) > 0.0).all()


def test_a_turn_of_the_root_turns_the_way_that_follows() -> None:
    clip = smooth_clip(40)
    straight = np.stack([np.zeros(40), np.ones(40), np.arange(40.0)], axis=-1)
    still = np.tile(rot.IDENTITY, (40, clip.skeleton.n_joints, 1))
    walker = Clip(clip.skeleton, clip.frame_time, straight, still)
    quarter = Key(0.0, rotate=(0, np.pi / 2, 0), ease=None)
    positions, turns = warped(walker, [step(walker, quarter)])
    np.testing.assert_allclose(
        positions, np.stack([np.arange(40.0), np.ones(40), np.zeros(40)], axis=-1), atol=1e-9
    )
    np.testing.assert_allclose(rot.yaw_of(turns[:, 0]), np.pi / 2)
    kept, _ = warped(walker, [step(walker, quarter, follow=False)])
    np.testing.assert_array_equal(kept, straight)


def test_pitching_the_root_does_not_turn_its_way() -> None:
    clip = smooth_clip(40)
    level = Clip(clip.skeleton, clip.frame_time, clip.root_positions, np.tile(rot.IDENTITY, (40, 6, 1)))
    positions, _ = warped(level, [step(level, Key(0.3, rotate=(0.5, 0, 0)))])
    np.testing.assert_allclose(positions, level.root_positions, atol=1e-12)


def all_kinds(clip: Clip, seed: int) -> list[Key]:
    rng = np.random.default_rng(seed)
    zeros = [mean_rotation(clip.rotations[:, joint]) for joint in range(6)]
    return [
        Key(0.1, rotate=rng.normal(size=3) * 0.5),
        Key(0.25, "left", rotate=rng.normal(size=3), ease=None),
        Key(0.2, "left", scale=float(rng.uniform(0.1, 1.8)), zero=zeros[1]),
        Key(0.3, "right", scale=float(rng.uniform(0.1, 1.8)), zero=zeros[2], ease=None),
        Key(0.05, "neck", rotate=rng.normal(size=3), ease=0.2),
        Key(0.2, move=rng.normal(size=3)),
        Key(0.1, scale=rng.uniform(0.2, 2.0, 3), zero=rng.normal(size=3)),
    ]


@given(st.integers(0, 200))
def test_undoing_gives_the_clip_back(seed: int) -> None:
    clip = smooth_clip(25, seed)
    keys = all_kinds(clip, seed)
    positions, turns = warped(clip, [step(clip, *keys), step(clip, *keys, undone=True)])
    np.testing.assert_allclose(positions, clip.root_positions, atol=1e-9)
    np.testing.assert_allclose(turns, clip.rotations, atol=1e-9)


@given(st.integers(0, 100), st.lists(st.floats(0.0, 0.4), min_size=1, max_size=5))
def test_the_continuous_warp_meets_the_sampled_one_at_frames(seed: int, times: list[float]) -> None:
    clip = smooth_clip(25, seed)
    steps = [step(clip, *all_kinds(clip, seed))]
    frames = np.unique(np.round(np.array(sorted(times)) / clip.frame_time))
    poses = warped_at(clip, steps, frames * clip.frame_time)
    positions, turns = warped(clip, steps)
    whole = frames.astype(int)
    np.testing.assert_allclose(poses.root_positions, positions[whole], atol=1e-9)
    np.testing.assert_allclose(poses.rotations, turns[whole], atol=1e-9)


@pytest.mark.parametrize("time", [0.0, 0.123456, 0.4])
def test_keys_are_met_by_the_continuous_warp_at_their_time(time: float) -> None:
    clip = smooth_clip(25)
    turn, move = np.array([0.3, -0.4, 0.2]), np.array([0.1, 0.2, -0.3])
    keys = [Key(time, "left", rotate=turn), Key(time, move=move)]
    before, after = (warped_at(clip, steps, np.array([time])) for steps in ([], [step(clip, *keys)]))
    turned = rot.multiply(rot.inverse(before.rotations[0, 1]), after.rotations[0, 1])
    np.testing.assert_allclose(rot.to_rotation_vector(turned), turn, atol=1e-12)
    np.testing.assert_allclose(after.root_positions - before.root_positions, [move], atol=1e-12)


def test_the_mean_rotation_does_not_mind_signs() -> None:
    turns = rot.from_yaw(np.array([0.1, 0.2, 0.3]))
    flipped: FloatArray = turns * np.array([[1.0], [-1.0], [1.0]])
    np.testing.assert_allclose(mean_rotation(flipped), rot.from_yaw(0.2))
