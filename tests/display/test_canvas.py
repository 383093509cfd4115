from __future__ import annotations

import pytest

from motionloom.display.canvas import check_size
from motionloom.errors import ParameterError


@pytest.mark.parametrize("size", [(0, 100), (-5, 100), (63, 100), (8193, 100)])
def test_absurd_width_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ParameterError, match=f"width .* from 64 to 8192, not {size[0]}"):
        check_size(*size)


def test_absurd_height_and_area_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"height .* from 64 to 8192, not 10000000"):
        check_size(100, 10_000_000)
    with pytest.raises(ParameterError, match="8192 x 8192 pixels is too large"):
        check_size(8192, 8192)


def test_usual_sizes_pass() -> None:
    assert check_size(1920, 1080) == (1920, 1080)
