from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.blending.weights import (
    CallableWeights,
    ConstantWeights,
    KeyedWeights,
    SampledWeights,
    TransitionWeights,
    as_weight_function,
    normalize_weights,
)
from motionloom.errors import ParameterError


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KeyedWeights({}), "at least one key"),
        (lambda: KeyedWeights({0: (1, 0), 1: (1, 0, 0)}), r"same number of weights, not \[2, 3\]"),
        (lambda: KeyedWeights({0: (1, 0)}, easing="bouncy"), "easing must be one of 'smooth'"),  # type: ignore[arg-type]
        (lambda: KeyedWeights({0: (1, np.nan)}), "weights of keys"),
        (lambda: KeyedWeights([(0, (1, 0))]), "keyed weights must be a dict of seconds -> "),  # type: ignore[arg-type]
        (lambda: TransitionWeights("a", 1.0), "centre of a transition must be a finite number, not 'a'"),  # type: ignore[arg-type]
        (
            lambda: TransitionWeights(1.0, 0.0),
            "half_width of a transition must be a positive number, not 0",
        ),
        (lambda: SampledWeights(np.empty((0, 2)), 0.1), "weights have no rows"),
        (lambda: SampledWeights(np.eye(2), 0.0), "frame_time must be a positive number, not 0"),
        (lambda: ConstantWeights(np.array([1.0, np.inf])), "weights"),
        (lambda: as_weight_function("half", 0.1), "weights must be K numbers, rows of them or a function"),
        (lambda: CallableWeights(lambda t: (np.nan, 1.0))([0.0]), "weights that the function returned"),
    ],
)
def test_wrong_weights_are_refused(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()  # type: ignore[operator]


def test_weights_that_name_no_blend_are_refused_with_the_moment() -> None:
    rows = np.array([[0.5, 0.5], [1.0, -1.0]])
    with pytest.raises(ParameterError, match=r"the weights at 0\.250 s add up to 0"):
        normalize_weights(rows, 2, np.array([0.0, 0.25]))
    with pytest.raises(ParameterError, match="3 clips need 3 weights, not 2"):
        normalize_weights(rows, 3, np.array([0.0, 0.25]))


def test_weights_are_divided_by_their_sum() -> None:
    assert normalize_weights(np.array([[3.0, 1.0], [1.5, -0.5]]), 2, np.zeros(2)).tolist() == [
        [0.75, 0.25],
        [1.5, -0.5],
    ]


def test_keys_hold_outside_and_ease_between() -> None:
    keyed = KeyedWeights({2: (0, 1), 0: (1, 0), 3: (1, 1)})
    assert keyed([-1, 0, 1, 2, 9]).tolist() == [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [1, 1]]
    # A quarter of the way: 3 s² − 2 s³ = 3/16 − 2/64 = 0.15625.
    np.testing.assert_allclose(keyed([0.5]), [[0.84375, 0.15625]])
    assert keyed.duration == 3.0
    linear = KeyedWeights({0: (1, 0), 2: (0, 1)}, easing="linear")
    assert linear([0.5]).tolist() == [[0.75, 0.25]]
    held = KeyedWeights({0: (1, 0), 2: (0, 1)}, easing="hold")
    assert held([1.99, 2.0]).tolist() == [[1, 0], [0, 1]]


def test_a_single_key_is_constant() -> None:
    assert KeyedWeights({1: (2, 3)})([0, 5]).tolist() == [[2, 3], [2, 3]]


def test_rows_are_linear_between_frames() -> None:
    sampled = as_weight_function([[1, 0], [0, 1], [0, 2]], frame_time=0.5)
    assert sampled.duration == 1.0
    assert sampled([0.25, 0.75]).tolist() == [[0.5, 0.5], [0, 1.5]]


def test_what_a_caller_gives_becomes_a_function() -> None:
    assert as_weight_function((1, 2), 0.1).constant
    assert not as_weight_function(lambda t: (t, 1), 0.1).constant
    keyed = KeyedWeights({0: (1, 0)})
    assert as_weight_function(keyed, 0.1) is keyed


@given(st.floats(-3, 3), st.floats(0.05, 2), st.floats(-6, 6))
def test_a_transition_is_convex_and_symmetric(centre: float, half: float, at: float) -> None:
    weights = TransitionWeights(centre, half)([centre + at, centre - at])
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    assert weights.min() >= 0.0
    np.testing.assert_allclose(weights[0], weights[1, ::-1], atol=1e-12)


def test_reprs_fit_on_a_line() -> None:
    assert repr(ConstantWeights(np.array([0.25, 0.75]))) == "ConstantWeights([0.25, 0.75])"
    assert repr(KeyedWeights({0: (1, 0), 2: (0, 1)})) == "KeyedWeights(2 keys, 0 to 2 s, smooth)"
    assert repr(SampledWeights(np.ones((200, 3)), 0.1)) == "SampledWeights(200 frames of 0.1 s, 3 clips)"
