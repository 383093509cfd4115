from __future__ import annotations

import numpy as np
import pytest

from motionloom.registration.time_alignment.reachability import Cell, least_slope_limit, live_band
from tests.registration.time_alignment.path_oracle import LegalPaths


@pytest.mark.parametrize("leave_freely", [True, False])
def test_the_least_slope_limit_is_the_first_that_allows_a_path(leave_freely: bool) -> None:
    ends = [
        {path[-1] for path in LegalPaths.of((7, 7), (0, 0), limit, leave_freely).paths}
        for limit in range(1, 8)
    ]
    for end in [(i, j) for i in range(1, 7) for j in range(1, 7)]:
        first = next(limit for limit, reached in enumerate(ends, 1) if end in reached)
        assert least_slope_limit((0, 0), end, leave_freely=leave_freely) == first


@pytest.mark.parametrize(("slope_limit", "share"), [(1, 1 / 600), (2, 1 / 3), (3, 1 / 2)])
def test_only_the_live_share_of_a_square_grid_is_visited(slope_limit: int, share: float) -> None:
    band = live_band((600, 600), [(599, 599)], slope_limit, leave_freely=True)
    assert (band[1] - band[0] + 1).sum() / 600**2 == pytest.approx(share, rel=0.02)


@pytest.mark.parametrize("leave_freely", [True, False])
@pytest.mark.parametrize("slope_limit", [1, 2, 3, 4])
@pytest.mark.parametrize("pins", [[], [(2, 3)], [(1, 1), (3, 4)]])
def test_the_band_holds_every_cell_of_every_path_and_its_edges_never_turn_back(
    pins: list[Cell], slope_limit: int, leave_freely: bool
) -> None:
    table = LegalPaths.of((6, 6), (0, 0), slope_limit, leave_freely)
    for end in ([(5, 5)], []):
        band = live_band((6, 6), [*pins, *end], slope_limit, leave_freely=leave_freely)
        for path, through in zip(table.paths, table.through([*pins, *end]), strict=True):
            if through:
                assert all(band[0, i] <= j <= band[1, i] for i, j in path)
        assert (np.diff(band[:2], axis=1) >= 0).all()
