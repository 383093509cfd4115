from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solveh_banded

from motionloom.geometry.banded import factor_banded


@pytest.mark.parametrize(
    ("size", "width", "n_right"), [(1, 1, 1), (5, 1, 2), (6, 3, 1), (40, 7, 3), (4, 9, 2)]
)
def test_solutions_are_those_of_lapack(size: int, width: int, n_right: int) -> None:
    random = np.random.default_rng(size)
    bands = random.normal(size=(width, size))
    bands[0] = 2.0 * width + random.random(size)
    right = random.normal(size=(size, n_right))
    kept = bands.copy(), right.copy()
    found = factor_banded(bands).solve(right)
    expected = solveh_banded(bands[:size], right, lower=True)
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(bands, kept[0])
    np.testing.assert_array_equal(right, kept[1])


def test_by_hand() -> None:
    # [[4, 2], [2, 5]] has the factor [[2, 0], [1, 2]].
    factor = factor_banded(np.array([[4.0, 5.0], [2.0, 0.0]]))
    assert factor.columns.tolist() == [[2.0, 1.0], [2.0, 0.0]]
    assert factor.solve(np.array([[6.0], [7.0]])).tolist() == [[1.0], [1.0]]


@pytest.mark.parametrize(
    ("bands", "column"), [([[1.0, 0.0]], 1), ([[1.0, 1.0], [2.0, 0.0]], 1), ([[np.nan]], 0)]
)
def test_matrices_that_are_not_positive_definite(bands: list[list[float]], column: int) -> None:
    with pytest.raises(np.linalg.LinAlgError, match=f"not positive definite at column {column}"):
        factor_banded(np.array(bands))
