"""Warps as data: scaled, undone and summed."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.warping import Key, Layer, TimeKeys, Warp, warp
from tests.figures import smooth_clip
from tests.refusals import refused
from tests.warping.measuring import angle_between


def all_kinds() -> Warp:
    keys = [
        Key(0.1, "left", rotate=(0.1, 0, 0.2)),
        Key(0.2, "left", orient=(0.1, 0, 0), ease=None),
        Key(0.2, "right", scale=0.5, zero=(1, 0, 0, 0)),
        Key(0.2, scale=(1, 2, 1), zero=(0, 0, 0)),
        Key(0.2, move=(0, 1, 0)),
        Key(0.3, "right end", reach=(0, 1, 2), orient=(0, 1, 0, 0), point=(0, 0, 0.1)),
    ]
    return Warp.of(keys, [TimeKeys([(0.1, 0.2)], joint="left", curve="cardinal", tension=0.5)], tension=0.2)


def test_scaling() -> None:
    made = Warp.of(
        [Key(0.1, "left", rotate=(0.2, 0, 0)), Key(0.1, "neck", scale=4.0), Key(0.1, move=(0, 1, 0))],
        [(1.0, 1.5)],
    )
    half = made.scaled(0.5)
    assert [key.rotate or key.scale or key.move for key in half.keys] == [(0.1, 0, 0), 2.0, (0, 0.5, 0)]
    assert half.times[0].pairs == ((1.0, 1.25),)
    clip = smooth_clip(30)
    no_time = Warp(made.layers)
    np.testing.assert_allclose(warp(clip, no_time.scaled(0)).clip.rotations, clip.rotations, atol=1e-12)
    with pytest.raises(ParameterError, match="says orient, which depends on the clip and cannot be scaled"):
        all_kinds().scaled(2)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (
            Key(0.1, "left", orient=(1, 0, 0, 0)),
            "says orient, which depends on the clip and cannot be undone",
        ),
        (Key(0.1, "left", scale=2.0), "says scale, which depends on the clip"),
        (
            Key(0.1, "left", scale=0.05, zero=(1, 0, 0, 0)),
            r"scales by less than 0\.1, which cannot be undone",
        ),
    ],
)
def test_what_cannot_be_undone_is_refused(key: Key, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Warp.of([key]).inverted()
    with pytest.raises(ParameterError, match="a warp with time keys cannot be undone"):
        Warp.of([], [(0.1, 0.2)]).inverted()


def test_undoing_twice_is_doing() -> None:
    made = Warp.of([Key(0.1, "left", rotate=(0.2, 0, 0))]) + Warp.of([Key(0.2, "left", rotate=(0, 0.2, 0))])
    assert made.inverted().inverted() == made
    clip = smooth_clip(30)
    back = warp(warp(clip, made), made.inverted())
    np.testing.assert_allclose(back.clip.rotations, clip.rotations, atol=1e-9)


def test_a_solved_warp_of_all_kinds_can_be_undone() -> None:
    clip = smooth_clip(30)
    keys = [
        Key(0.1, "left", orient=(0.3, 0, 0)),
        Key(0.2, "right", scale=0.4),
        Key(0.3, "left end", reach=clip.world_positions()[18, 3] + 0.05),
        Key(0.2, reach=(0, 2, 0)),
    ]
    result = warp(clip, keys)
    back = warp(result, result.report.warp.inverted())
    assert angle_between(back.clip.rotations, clip.rotations) < 1e-9
    np.testing.assert_allclose(back.clip.root_positions, clip.root_positions, atol=1e-9)


def test_a_sum_is_one_after_the_other() -> None:
    clip = smooth_clip(30)
    one, two = (
        Warp.of([Key(0.1, "left", rotate=(0.2, 0.3, 0))]),
        Warp.of([Key(0.3, "right", scale=1.5), Key(0.2, move=(0, 0, 1))]),
    )
    both = warp(clip, one + two)
    np.testing.assert_array_equal(both.clip.rotations, warp(warp(clip, one), two).clip.rotations)
    np.testing.assert_array_equal(both.clip.rotations, warp(warp(clip, two), one).clip.rotations)
    np.testing.assert_allclose(
        both.clip.root_positions, warp(warp(clip, two), one).clip.root_positions, atol=1e-12
    )
    with pytest.raises(ParameterError, match="both warps have time keys for the same part"):
        Warp.of([], [(0.1, 0.2)]) + Warp.of([], [(0.1, 0.3)])


def test_counting() -> None:
    made = all_kinds()
    assert (len(made.keys), made.n_moments) == (6, 3)
    assert Warp.of([]).layers == ()
    with refused("tension", 3):
        Layer((), tension=3)
