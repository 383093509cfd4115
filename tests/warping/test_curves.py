"""Curves through keys and what they do to poses: exact formulas, exact ways back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.synthesis import biped
from motionloom.warping.curves import (
    WarpCurves,
    apply_curves,
    apply_curves_at,
    fit_curves,
    fit_eased_spline,
    mean_rotation,
)
from motionloom.warping.keys import Key
from motionloom.warping.warp_data import Layer
from tests.figures import random_rotations, smooth_clip


def values(*numbers: float) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    return [np.array([number]) for number in numbers]


def fit(*keys: Key) -> WarpCurves:
    return fit_curves(Layer(keys), biped())


def test_only_the_root_moves_and_joints_must_exist() -> None:
    with pytest.raises(ParameterError, match="only the root can be moved: use reach for other joints"):
        fit(Key(0, "Head", move=(0, 1, 0)))
    with pytest.raises(UnknownJointError):
        fit(Key(0, "Tail", rotate=(0, 1, 0)))


def test_scales_of_one_joint_share_their_zero() -> None:
    keys = [Key(0, "Head", scale=2, zero=(1, 0, 0, 0)), Key(1, "Head", scale=2, zero=(0, 1, 0, 0))]
    with pytest.raises(ParameterError, match="have different zeros"):
        fit(*keys)


def test_a_key_fades_smoothly_to_nothing() -> None:
    bump = fit_eased_spline([1.0], values(2.0), [0.5])
    np.testing.assert_allclose(bump([0.4, 0.5, 0.75, 1.0, 1.25, 1.5]).ravel(), [0, 0, 1, 2, 1, 0])
    np.testing.assert_array_equal(bump.derivative([0.5, 1.0, 1.5]).ravel(), np.zeros(3))


def test_a_held_key_is_level() -> None:
    held = fit_eased_spline([1.0], values(2.0), [None])
    np.testing.assert_array_equal(held([0.0, 9.0]).ravel(), [2.0, 2.0])
    ends = fit_eased_spline([1.0, 2.0], values(2.0, 4.0), [None, 0.5])
    np.testing.assert_array_equal(ends([0.0, 1.0, 2.0, 2.5]).ravel(), [2.0, 2.0, 4.0, 0.0])


def test_near_keys_are_joined_and_far_ones_have_rest_between_them() -> None:
    near = fit_eased_spline([1.0, 1.5], values(1.0, 1.0), [0.5, 0.5])
    # Slopes of a Catmull–Rom spline: (1 - 0) / 1 at the first key, so that it swings to 1 + 0.5 / 4 between.
    assert near(1.25).tolist() == [1.125]
    far = fit_eased_spline([1.0, 3.0], values(1.0, 1.0), [0.5, 0.5])
    np.testing.assert_array_equal(far([1.5, 2.0, 2.5]).ravel(), np.zeros(3))
    touching = fit_eased_spline([1.0, 2.0], values(1.0, 1.0), [0.5, 0.5])
    assert touching(1.5).tolist() == [0.0]


def test_tension_slows_the_curve_at_keys() -> None:
    through = [
        fit_eased_spline([0.0, 1.0, 2.0], values(0, 1, 2), [None] * 3, t).derivative(1.0)[0]
        for t in (0, 0.5, 1)
    ]
    assert through == [1.0, 0.5, 0.0]


@given(st.lists(st.tuples(st.floats(0.02, 2.0), st.none() | st.floats(0.05, 2.0)), min_size=1, max_size=8))
def test_every_key_is_met(keys: list[tuple[float, float | None]]) -> None:
    times = np.cumsum([gap for gap, _ in keys]).tolist()
    wanted = [np.array([np.sin(5 * time), time]) for time in times]
    curve = fit_eased_spline(times, wanted, [ease for _, ease in keys])
    np.testing.assert_allclose(curve(times), wanted, atol=1e-12)
    ease = keys[-1][1]
    if ease is not None:
        np.testing.assert_array_equal(curve(times[-1] + ease + 1e-9), [0.0, 0.0])


def test_constant_curves_are_known() -> None:
    assert fit(Key(0, "Head", rotate=(0, 1, 0), ease=None)).are_constant
    assert not fit(Key(0, "Head", rotate=(0, 1, 0))).are_constant


def curves(clip: Clip, *keys: Key, undone: bool = False, follow: bool = True) -> WarpCurves:
    return fit_curves(Layer(keys, follow=follow, undone=undone), clip.skeleton)


def test_the_formula_by_hand() -> None:
    clip = smooth_clip(21)
    zero, offset = random_rotations((), 3), np.array([0.2, -0.1, 0.3])
    keys = (
        Key(1 / 6, "left", scale=1.7, zero=zero, ease=None),
        Key(1 / 6, "left", rotate=offset, ease=None),
    )
    _, rotations = apply_curves(clip, [curves(clip, *keys)])
    away = rot.to_rotation_vector(rot.multiply(rot.inverse(zero), clip.rotations[:, 1]))
    wanted = rot.multiply(
        rot.multiply(zero, rot.from_rotation_vector(1.7 * away)), rot.from_rotation_vector(offset)
    )
    np.testing.assert_allclose(np.abs(np.sum(rotations[:, 1] * wanted, axis=-1)), 1.0, atol=1e-12)


def test_what_no_key_touches_is_copied_bit_for_bit() -> None:
    clip = smooth_clip(60)
    positions, rotations = apply_curves(clip, [curves(clip, Key(0.5, "left", rotate=(1, 0, 0), ease=0.1))])
    others = [0, 2, 3, 4, 5]
    np.testing.assert_array_equal(rotations[:, others], clip.rotations[:, others])
    np.testing.assert_array_equal(rotations[:24, 1], clip.rotations[:24, 1])
    np.testing.assert_array_equal(rotations[36:, 1], clip.rotations[36:, 1])
    np.testing.assert_array_equal(positions, clip.root_positions)
    assert not np.array_equal(rotations[30, 1], clip.rotations[30, 1])


def test_signs_do_not_jump() -> None:
    clip = smooth_clip(60)
    _, rotations = apply_curves(
        clip,
        [
            curves(
                clip,
                Key(0.5, "left", rotate=(2.5, 0, 0)),
                Key(0.5, "left", scale=1.5, zero=clip.rotations[9, 1]),
            )
        ],
    )
    assert (np.einsum("ti,ti->t", rotations[1:, 1], rotations[:-1, 1]) > 0.0).all()


def test_a_turn_of_the_root_turns_the_way_that_follows() -> None:
    clip = smooth_clip(40)
    straight = np.stack([np.zeros(40), np.ones(40), np.arange(40.0)], axis=-1)
    still = np.tile(rot.IDENTITY, (40, clip.skeleton.n_joints, 1))
    walker = Clip(clip.skeleton, clip.frame_time, straight, still)
    quarter = Key(0.0, rotate=(0, np.pi / 2, 0), ease=None)
    positions, rotations = apply_curves(walker, [curves(walker, quarter)])
    np.testing.assert_allclose(
        positions, np.stack([np.arange(40.0), np.ones(40), np.zeros(40)], axis=-1), atol=1e-9
    )
    np.testing.assert_allclose(rot.yaw_of(rotations[:, 0]), np.pi / 2)
    kept, _ = apply_curves(walker, [curves(walker, quarter, follow=False)])
    np.testing.assert_array_equal(kept, straight)


def test_pitching_the_root_does_not_turn_its_way() -> None:
    clip = smooth_clip(40)
    level = Clip(clip.skeleton, clip.frame_time, clip.root_positions, np.tile(rot.IDENTITY, (40, 6, 1)))
    positions, _ = apply_curves(level, [curves(level, Key(0.3, rotate=(0.5, 0, 0)))])
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


@pytest.mark.slow
@given(st.integers(0, 200))
def test_undoing_gives_the_clip_back(seed: int) -> None:
    clip = smooth_clip(25, seed)
    keys = all_kinds(clip, seed)
    positions, rotations = apply_curves(clip, [curves(clip, *keys), curves(clip, *keys, undone=True)])
    np.testing.assert_allclose(positions, clip.root_positions, atol=1e-9)
    np.testing.assert_allclose(rotations, clip.rotations, atol=1e-9)


@pytest.mark.slow
@given(st.integers(0, 100), st.lists(st.floats(0.0, 0.4), min_size=1, max_size=5))
def test_the_continuous_warp_meets_the_sampled_one_at_frames(seed: int, times: list[float]) -> None:
    clip = smooth_clip(25, seed)
    layers = [curves(clip, *all_kinds(clip, seed))]
    frames = np.unique(np.round(np.array(sorted(times)) / clip.frame_time))
    poses = apply_curves_at(clip, layers, frames * clip.frame_time)
    positions, rotations = apply_curves(clip, layers)
    whole = frames.astype(int)
    np.testing.assert_allclose(poses.root_positions, positions[whole], atol=1e-9)
    np.testing.assert_allclose(poses.rotations, rotations[whole], atol=1e-9)


@pytest.mark.parametrize("time", [0.0, 0.123456, 0.4])
def test_keys_are_met_by_the_continuous_warp_at_their_time(time: float) -> None:
    clip = smooth_clip(25)
    turn, move = np.array([0.3, -0.4, 0.2]), np.array([0.1, 0.2, -0.3])
    keys = [Key(time, "left", rotate=turn), Key(time, move=move)]
    before, after = (
        apply_curves_at(clip, layers, np.array([time])) for layers in ([], [curves(clip, *keys)])
    )
    turned = rot.multiply(rot.inverse(before.rotations[0, 1]), after.rotations[0, 1])
    np.testing.assert_allclose(rot.to_rotation_vector(turned), turn, atol=1e-12)
    np.testing.assert_allclose(after.root_positions - before.root_positions, [move], atol=1e-12)


def test_the_mean_rotation_does_not_mind_signs() -> None:
    rotations = rot.from_yaw(np.array([0.1, 0.2, 0.3]))
    flipped: FloatArray = rotations * np.array([[1.0], [-1.0], [1.0]])
    np.testing.assert_allclose(mean_rotation(flipped), rot.from_yaw(0.2))
