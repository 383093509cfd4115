from __future__ import annotations

import pytest

from motionloom.display.sizes import checked_fps, checked_n_poses, checked_size
from motionloom.errors import ParameterError


@pytest.mark.parametrize("size", [(0, 100), (-5, 100), (63, 100), (8193, 100)])
def test_absurd_width_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ParameterError, match=f"width must be 64 to 8192 pixels, not {size[0]}"):
        checked_size(*size)


def test_absurd_height_and_area_are_refused() -> None:
    with pytest.raises(ParameterError, match="height must be 64 to 8192 pixels, not 10000000"):
        checked_size(100, 10_000_000)
    with pytest.raises(ParameterError, match="8192 x 8192 pixels is too large"):
        checked_size(8192, 8192)


@pytest.mark.parametrize("fps", [0.0, -1.0, float("nan"), float("inf"), 1e6])
def test_absurd_rate_is_refused(fps: float) -> None:
    with pytest.raises(ParameterError, match="fps must be above 0 and at most 240"):
        checked_fps(fps)


@pytest.mark.parametrize("n_poses", [0, -1, 201])
def test_absurd_number_of_poses_is_refused(n_poses: int) -> None:
    with pytest.raises(ParameterError, match=f"n_poses must be 1 to 200, not {n_poses}"):
        checked_n_poses(n_poses)


def test_usual_values_pass() -> None:
    assert checked_size(1920, 1080) == (1920, 1080)
    assert checked_fps(29.97) == 29.97
    assert checked_n_poses(1) == 1
