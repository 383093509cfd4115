"""Time alignment against exhaustive search over all legal paths of small grids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.options.registration import Form
from motionloom.registration.dtw import Cell, SlopeLimitError
from motionloom.registration.time_alignment import align_times
from tests.registration.path_oracle import LegalPaths, Path, as_path, turned

SHAPES = [(2, 2), (2, 5), (3, 3), (5, 3), (4, 6), (6, 6), (7, 5)]
FORMS: list[Form] = ["reversible", "thesis"]
SETTINGS = [(shape, limit, form) for shape, limit, form in product(SHAPES, (1, 2, 3, 4), FORMS)]
N_GRIDS = 25

each_setting = pytest.mark.parametrize(
    ("shape", "limit", "form"), SETTINGS, ids=lambda value: str(value).replace(" ", "")
)


def random_grids(shape: Cell, seed: int) -> Iterator[FloatArray]:
    rng = np.random.default_rng([*shape, seed])
    for _ in range(N_GRIDS):
        yield rng.uniform(0.1, 1.0, shape)


def random_cell(rng: np.random.Generator, shape: Cell) -> Cell:
    return int(rng.integers(shape[0])), int(rng.integers(shape[1]))


def increasing_pins(rng: np.random.Generator, shape: Cell) -> list[Cell]:
    """One or two cells strictly inside the grid where there is room for them."""
    count = int(rng.integers(1, 3))
    if min(shape) - 2 < count:
        return []
    columns = [np.sort(rng.choice(np.arange(1, n - 1), count, replace=False)) for n in shape]
    return [(int(i), int(j)) for i, j in zip(*columns, strict=True)]


@pytest.mark.slow
@each_setting
def test_pinned_ends(shape: Cell, limit: int, form: Form) -> None:
    table = LegalPaths.of(shape, (0, 0), limit, form == "reversible")
    with_corners = LegalPaths.of(shape, (0, 0), limit, form == "reversible", True)
    end = (shape[0] - 1, shape[1] - 1)
    for costs in random_grids(shape, 1):
        found = table.cheapest_to(end, [], costs)
        if found is None:
            with pytest.raises(SlopeLimitError):
                align_times(costs, slope_limit=limit, form=form)
            continue
        alignment = align_times(costs, slope_limit=limit, form=form)
        assert alignment.cost == pytest.approx(found[0])
        assert as_path(alignment.path) == found[1]
        if form == "reversible":
            # Runs that turn a corner are never cheaper where costs are positive.
            any_turns = with_corners.cheapest_to(end, [], costs)
            assert any_turns is not None
            assert any_turns[0] == pytest.approx(found[0])


@each_setting
def test_pins(shape: Cell, limit: int, form: Form) -> None:
    rng = np.random.default_rng(2)
    table = LegalPaths.of(shape, (0, 0), limit, form == "reversible")
    for costs in random_grids(shape, 2):
        pins = increasing_pins(rng, shape)
        found = table.cheapest_to((shape[0] - 1, shape[1] - 1), pins, costs)
        if found is not None:
            alignment = align_times(costs, slope_limit=limit, form=form, pins=pins)
            assert as_path(alignment.path) == found[1]
            continue
        with pytest.raises(SlopeLimitError) as caught:
            align_times(costs, slope_limit=limit, form=form, pins=pins)
        needed = caught.value.needed
        end = (shape[0] - 1, shape[1] - 1)
        exist = [
            LegalPaths.of(shape, (0, 0), w, form == "reversible").cheapest_to(end, pins, costs) is not None
            for w in range(limit, needed + 1)
        ]
        assert exist == [False] * (needed - limit) + [True]


@pytest.mark.slow
@each_setting
def test_free_end(shape: Cell, limit: int, form: Form) -> None:
    rng = np.random.default_rng(3)
    for costs in random_grids(shape, 3):
        start = (0, 0) if rng.random() < 0.5 else random_cell(rng, shape)
        least = int(rng.integers(1, 4))
        pins = increasing_pins(rng, shape) if start == (0, 0) and rng.random() < 0.3 else []
        table = LegalPaths.of(shape, start, limit, form == "reversible")
        found = table.best_to_edge(pins, max(least, 2), costs, form)
        if found is None:
            with pytest.raises(ParameterError):
                align_times(
                    costs, slope_limit=limit, form=form, start=start, end="free", pins=pins, min_length=least
                )
            continue
        alignment = align_times(
            costs, slope_limit=limit, form=form, start=start, end="free", pins=pins, min_length=least
        )
        assert as_path(alignment.path) == found[1]


@each_setting
def test_free_start_is_the_free_end_of_the_reversed_clips(shape: Cell, limit: int, form: Form) -> None:
    table = LegalPaths.of(shape, (0, 0), limit, form == "reversible")
    for costs in random_grids(shape, 4):
        found = table.best_to_edge([], 2, costs[::-1, ::-1], form)
        if found is None:
            with pytest.raises(ParameterError, match="covers 2 frames"):
                align_times(costs, slope_limit=limit, form=form, start="free", min_length=2)
            continue
        alignment = align_times(costs, slope_limit=limit, form=form, start="free", min_length=2)
        assert as_path(alignment.path) == turned(found[1], shape)


@pytest.mark.slow
@each_setting
def test_both_ends_free(shape: Cell, limit: int, form: Form) -> None:
    starts = [(0, j) for j in range(shape[1])] + [(i, 0) for i in range(1, shape[0])]
    for costs in random_grids(shape, 5):
        found = [
            best
            for start in starts
            if (
                best := LegalPaths.of(shape, start, limit, form == "reversible").best_to_edge(
                    [], 2, costs, form
                )
            )
        ]
        alignment = align_times(costs, slope_limit=limit, form=form, start="free", end="free", min_length=2)
        assert as_path(alignment.path) == min(found)[1]


@pytest.mark.slow
@each_setting
def test_grown_from_a_centre(shape: Cell, limit: int, form: Form) -> None:
    rng = np.random.default_rng(6)
    for costs in random_grids(shape, 6):
        seed = random_cell(rng, shape)
        there = grown(costs, seed, limit, form)
        back_seed = (shape[0] - 1 - seed[0], shape[1] - 1 - seed[1])
        back = turned(grown(costs[::-1, ::-1], back_seed, limit, form), shape)
        if len(there) + len(back) == 2:
            with pytest.raises(ParameterError, match="no path grows"):
                align_times(costs, slope_limit=limit, form=form, start="free", end="free", pins=[seed])
            continue
        alignment = align_times(
            costs, slope_limit=limit, form=form, start="free", end="free", pins=[seed], min_length=2
        )
        assert as_path(alignment.path) == (*back[:-1], *there)


def grown(costs: FloatArray, seed: Cell, limit: int, form: Form) -> Path:
    """The half of a path that leaves a cell diagonally, or the cell alone where a clip ends."""
    shape = (costs.shape[0], costs.shape[1])
    found = LegalPaths.of(shape, seed, limit, False).best_to_edge([], 2, costs, form)
    return (seed,) if found is None else found[1]
