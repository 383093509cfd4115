"""C3D files: three byte orders, gaps, names, units, and bytes that are not to be trusted."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionloom as ml
from motionloom.errors import FileFormatError, MissingPackageError, MotionloomError
from motionloom.files.points.c3d import read_c3d, write_c3d
from motionloom.motion import PointClip, Source
from tests.figures import smooth_clip
from tests.files.mutation import mutated

pytest.importorskip("c3d", reason="the package c3d is not installed")

BYTE_ORDERS = ("pc_real", "dec_int", "sgi_real")


def markers(n_points: int = 3, n_frames: int = 4) -> PointClip:
    """Points with a gap, in millimetres and Z up as most files have them."""
    positions = np.arange(3.0 * n_points * n_frames).reshape(n_frames, n_points, 3)
    positions[1, 0] = np.nan
    names = tuple(f"M{n}" for n in range(n_points))
    return PointClip(names, 1 / 50, positions, Source(unit="mm", metres_per_unit=0.001, up="z"))


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("c3d") / "markers.c3d"
    write_c3d(markers(), path)
    return path


def test_without_the_package(monkeypatch: pytest.MonkeyPatch, stored: Path) -> None:
    whole = importlib.util.find_spec
    monkeypatch.setattr(
        "motionloom.files.formats.find_spec", lambda name: None if name == "c3d" else whole(name)
    )
    with pytest.raises(MissingPackageError, match=r"needs the package 'c3d': install it with `pip install"):
        ml.load_points(stored)


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "a.c3d"
    with pytest.raises(FileFormatError, match=r"a\.c3d: there is no such file"):
        ml.load_points(path)
    path.write_bytes(b"HIERARCHY" * 100)
    with pytest.raises(FileFormatError, match="is not a C3D file: it does not begin like one"):
        ml.load_points(path)
    path.write_bytes(b"\x02\x50" + bytes(2000))
    with pytest.raises(FileFormatError, match="is not a C3D file, or is damaged"):
        ml.load_points(path)


def test_markers_are_no_skeleton(stored: Path, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"without a skeleton: read it with motionloom\.load_points"):
        ml.load(stored)
    with pytest.raises(MotionloomError, match=r"C3D files hold points, and the clip has a skeleton"):
        ml.save(smooth_clip(2), tmp_path / "a.c3d")


WRONG = [
    (markers()[:0], "holds at least one frame, and the clip has none"),
    (markers(300, 2), "holds 1 to 255 points, and the clip has 300: write .trc or .npz"),
    (replace(markers(), names=("a", "b", "Knöchel")), "the point name 'Knöchel' cannot be written"),
]


@pytest.mark.parametrize(("clip", "message"), WRONG)
def test_clips_that_cannot_be_written(tmp_path: Path, clip: PointClip, message: str) -> None:
    with pytest.raises(MotionloomError, match=message):
        write_c3d(clip, tmp_path / "a.c3d")
    assert not list(tmp_path.iterdir())


def test_what_is_written_comes_back(stored: Path) -> None:
    again = read_c3d(stored)
    assert (again.names, again.fps) == (("M0", "M1", "M2"), 50.0)
    assert (again.source.unit, again.source.up) == ("mm", "z")
    np.testing.assert_array_equal(again.positions, markers().positions)


def test_points_are_brought_to_metres_and_y_up(stored: Path) -> None:
    clip = ml.load_points(stored)
    np.testing.assert_allclose(clip.positions[0, 1], [0.003, 0.005, -0.004])
    assert np.isnan(clip.positions[1, 0]).all()
    assert ml.load_points(stored, unit="cm", fps=25).positions[0, 1, 0] == pytest.approx(0.03)


def test_rates_are_decimal_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.c3d"
    write_c3d(replace(markers(), frame_time=1 / 29.97), path)
    assert read_c3d(path).fps == pytest.approx(29.97, rel=1e-12)


def test_a_file_cut_short_gives_the_frames_it_has(stored: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.c3d"
    # The last block of 512 bytes holds all four frames of 48 bytes.
    path.write_bytes(stored.read_bytes()[: -512 + 100])
    clip = read_c3d(path)
    assert clip.n_frames == 2
    assert clip.source.notes == ("the file announces 4 frames and holds 2, which were read",)


def refusal(path: Path) -> str:
    """The sentence with which a file is refused, or nothing."""
    try:
        ml.load_points(path)
    except MotionloomError as error:
        return str(error)
    return ""


@pytest.mark.slow
@settings(max_examples=150)
@given(seed=st.integers(0, 2**32))
def test_damaged_files_are_read_or_refused(stored: Path, seed: int) -> None:
    path = stored.with_name("broken.c3d")
    path.write_bytes(mutated(stored.read_bytes(), seed))
    said = refusal(path)
    assert not said or "broken.c3d" in said


def test_the_three_byte_orders_give_the_same_points(mocap: Path) -> None:
    clips = [ml.load_points(mocap / f"dialects/c3d_trc/{name}.c3d") for name in BYTE_ORDERS]
    for clip in clips:
        np.testing.assert_array_equal(clip.positions, clips[0].positions)
        assert clip.names == clips[0].names
        assert (clip.n_frames, clip.fps, clip.source.unit, clip.source.up) == (89, 50.0, "mm", "z")
    seen = clips[0].positions[~np.isnan(clips[0].positions[..., 0])]
    assert 0.0 < seen[:, 1].min() < seen[:, 1].max() < 1.5


@pytest.mark.parametrize("name", BYTE_ORDERS)
def test_damaged_captures_are_read_or_refused(mocap: Path, tmp_path: Path, name: str) -> None:
    content = (mocap / f"dialects/c3d_trc/{name}.c3d").read_bytes()
    path = tmp_path / "broken.c3d"
    refused = 0
    for seed in range(40):
        path.write_bytes(content[: len(content) * seed // 40] if seed % 2 else mutated(content, seed))
        refused += bool(refusal(path))
    assert 0 < refused < 40
