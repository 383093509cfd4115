from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.ik import vectors


@given(st.integers(0, 1000))
def test_lengths_and_dots_are_those_of_plain_numpy(seed: int) -> None:
    a, b = np.random.default_rng(seed).normal(size=(2, 5, 4, 3))
    assert vectors.lengths(a) == pytest.approx(np.linalg.norm(a, axis=-1))
    assert vectors.dots(a, b) == pytest.approx((a * b).sum(axis=-1))
