from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import rotations as rot
from motionloom.transitions.middle import turned_over
from tests.figures import smooth_clip


def test_the_way_that_is_shorter_while_both_count_is_kept() -> None:
    """From 140° to 210° the other way round becomes shorter, but only where the first hardly counts."""
    angles = np.radians(np.linspace(140.0, 210.0, 9))
    share = np.linspace(0.0, 1.0, 9)
    still = np.tile(rot.IDENTITY, (9, 1, 1))
    turned = turned_over(still, rot.from_yaw(angles)[:, None], share)
    np.testing.assert_allclose(np.unwrap(rot.yaw_of(turned[:, 0])), share * angles, atol=1e-12)


@given(sign=st.sampled_from([-1.0, 1.0]), seed=st.integers(0, 20))
def test_it_goes_the_short_way_where_that_does_not_change(sign: float, seed: int) -> None:
    ours = smooth_clip(12, seed=seed).rotations
    theirs = rot.multiply(rot.from_rotation_vector([0.3, 0.2, -0.4]), ours)
    share = np.linspace(0.0, 1.0, 12)
    turned = turned_over(ours, sign * theirs, share)
    slerped = rot.slerp(ours, theirs, share[:, None])
    np.testing.assert_allclose(np.abs((turned * slerped).sum(axis=-1)), 1.0)
    np.testing.assert_array_equal(turned[0], ours[0])
