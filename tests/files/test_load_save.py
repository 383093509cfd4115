"""`load`, `load_points` and `save`: which arguments belong to which files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError
from motionloom.motion import Clip, Skeleton
from tests.figures import random_rotations, smooth_clip
from tests.refusals import refused


def saved(folder: Path, ending: str) -> Path:
    return ml.save(smooth_clip(4), folder / f"figure{ending}")


NOT_APPLYING: list[tuple[str, dict[str, Any]]] = [
    (".npz", {"root": "Hips"}),
    (".npz", {"unit": "cm"}),
    (".npz", {"up": "z"}),
    (".npz", {"root_offset": "absolute"}),
    (".npz", {"keep_rest_rows": True}),
    (".npz", {"all_rows": True}),
    (".npz", {"skeleton": "figure.asf"}),
    (".amc", {"root": "Hips"}),
    (".amc", {"root_offset": "relative"}),
    (".amc", {"all_rows": True}),
    (".bvh", {"skeleton": "figure.asf"}),
]


@pytest.mark.parametrize(("ending", "arguments"), NOT_APPLYING)
def test_arguments_that_say_nothing_about_a_file_are_refused(
    tmp_path: Path, ending: str, arguments: dict[str, Any]
) -> None:
    (name,) = arguments
    with refused(name):
        ml.load(saved(tmp_path, ending), **arguments)


@pytest.mark.parametrize("arguments", [{"unit": "cm"}, {"up": "z"}])
def test_native_files_have_one_unit_and_one_axis(tmp_path: Path, arguments: dict[str, Any]) -> None:
    (name,) = arguments
    with refused(name):
        ml.save(smooth_clip(4), tmp_path / "x.npz", **arguments)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"fps": "x"}, "fps must be a positive number, not 'x'"),
    ({"fps": 1e9}, r"fps must lie between 1e-06 and 1e\+06, not 1e\+09"),
    ({"fps": float("inf")}, "fps must be a positive number, not inf"),
    ({"unit": [1]}, r"a unit given by its size in metres must be a finite number, not \[1\]"),
    ({"unit": "1_0"}, "unknown unit '1_0'"),
    ({"unit": 1e10}, r"a unit must be a size in metres between 1e-09 and 1e\+09, not 1e\+10"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_values_are_refused(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ml.load(saved(tmp_path, ".bvh"), **arguments)


def test_paths_that_cannot_be_are_refused() -> None:
    with pytest.raises(ParameterError, match="holds a NUL character, which no file name can"):
        ml.load("a\0b.bvh")
    with pytest.raises(ParameterError, match="holds a NUL character"):
        ml.save(smooth_clip(2), "a\0b.bvh")
    with pytest.raises(ParameterError, match="a path must be a string or a Path, not 3"):
        ml.load(3)  # type: ignore[call-overload]


def markers() -> ml.PointClip:
    return ml.PointClip(("a", "b"), 0.1, np.arange(12.0).reshape(2, 2, 3))


def test_points_go_into_native_files_only(tmp_path: Path) -> None:
    for ending in (".bvh", ".amc"):
        with pytest.raises(ParameterError, match=r"written to \.npz, \.csv, \.c3d, \.trc files only"):
            ml.save(markers(), tmp_path / f"x{ending}")
    with pytest.raises(ParameterError, match=r"files ending in '\.bvh' cannot be read as points"):
        ml.load(tmp_path / "x.bvh", ml.PointClip)


def test_points_and_skeletons_are_told_apart(tmp_path: Path) -> None:
    points, figure = ml.save(markers(), tmp_path / "points.npz"), saved(tmp_path, ".npz")
    assert isinstance(ml.load(points), ml.PointClip)
    with pytest.raises(
        FileFormatError, match=r"holds points without a skeleton: read it with motionloom\.load"
    ):
        ml.load(points, ml.Clip)
    with pytest.raises(FileFormatError, match=r"holds a clip with a skeleton: read it with motionloom\.load"):
        ml.load(figure, ml.PointClip)


def test_points_come_back(tmp_path: Path) -> None:
    again = ml.load(ml.save(markers(), tmp_path / "points.npz"), ml.PointClip)
    assert again.names == ("a", "b")
    assert np.array_equal(again.positions, markers().positions)


@pytest.mark.parametrize("ending", [".bvh", ".amc", ".npz"])
def test_the_rate_can_be_stated_for_all_files(tmp_path: Path, ending: str) -> None:
    path = saved(tmp_path, ending)
    assert ml.load(path).frame_time == smooth_clip(4).frame_time
    assert ml.load(path, fps=25).fps == 25.0


def test_a_chain_that_is_no_body_keeps_its_size(tmp_path: Path) -> None:
    """Without a body, readers take metres: so that is what is written."""
    offsets = np.array([[0, 0, 0], [0, 0.5, 0], [0.2, 0.4, 0]])
    chain = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), offsets)
    clip = Clip(chain, 1 / 30, np.full((4, 3), 1.5), random_rotations((4, 3)))
    back = ml.load(ml.save(clip, tmp_path / "chain.bvh"))
    np.testing.assert_allclose(back.world_positions(), clip.world_positions(), atol=1e-5)
