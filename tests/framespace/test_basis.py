from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.framespace.basis import Shape, dimensions, shape_of, weights_at


def test_shapes_need_their_clips() -> None:
    with pytest.raises(ParameterError, match="a framespace takes two clips or more, not 1"):
        shape_of(1)
    with pytest.raises(ParameterError, match="a box takes four clips, one at each corner, not 3"):
        shape_of(3, "box")
    with pytest.raises(ParameterError, match="a rectangle takes two clips, not 4"):
        shape_of(4, "rectangle")
    with pytest.raises(ParameterError, match="shape must be one of rectangle, line, box, not 'ring'"):
        shape_of(4, "ring")  # type: ignore[arg-type]


def test_corners_of_a_box_are_its_clips() -> None:
    corners = [[0, 0], [1, 0], [0, 1], [1, 1]]
    assert np.array_equal(weights_at(corners, "box", 4), np.eye(4))


def test_clips_stand_along_a_line() -> None:
    assert np.allclose(weights_at(np.linspace(0, 1, 5)[:, None], "line", 5), np.eye(5))


@pytest.mark.parametrize(("shape", "n_clips"), [("rectangle", 2), ("line", 2), ("line", 7), ("box", 4)])
def test_weights_are_shares_of_one(shape: Shape, n_clips: int) -> None:
    points = np.random.default_rng(0).uniform(size=(200, dimensions(shape)))
    weights = weights_at(points, shape, n_clips)
    assert weights.shape == (200, n_clips)
    assert (weights >= 0.0).all()
    assert np.allclose(weights.sum(axis=1), 1.0)
