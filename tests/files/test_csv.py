"""Tables of positions and of rotations: exact numbers, and sentences for what is wrong with a table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionloom as ml
from motionloom.errors import FileExistsRefusal, FileFormatError, MotionloomError, ParameterError
from motionloom.files.csv.read import read_positions, read_rotations, read_skeleton
from motionloom.motion import PointClip
from tests.conftest import captured
from tests.figures import random_rotations, smooth_clip
from tests.files.mutation import mutated

MARKERS = "frame,time,heel.x,heel.y,heel.z\n0,0.0,1,2,3\n1,0.5,,,\n"


def points(folder: Path, text: str) -> PointClip:
    (folder / "x.csv").write_text(text)
    return ml.load(folder / "x.csv", ml.PointClip)


WRONG = [
    ("", "x.csv: is empty"),
    ("\n\n", "x.csv: is empty"),
    ("frame;time;heel.x\n", "line 1: separates its columns by semicolons: save it with commas"),
    ("frame,time\n0,0\n", "has no columns NAME.x, NAME.y, NAME.z"),
    ("time,heel.x,heel.y\n0,0,0\n", "has no column 'heel.z'"),
    ("time,heel\n0,0\n", "line 1: has a column 'heel': columns are frame, time, NAME.x"),
    ("time,time\n0,0\n", "line 1: has two columns of the same name"),
    (MARKERS + "2,1.0,1,2\n", "line 4: has 4 cells where the header has 5"),
    (MARKERS + "2,1.0,1,2,x\n", "line 4: 'x' is not a number"),
    (MARKERS + "2,1.0,1,2,nan\n", "line 4: 'nan' stands for no value"),
    (MARKERS + "2,1.0,1,2,1e10\n", "line 4: '1e10' is too large"),
    (MARKERS + '2,1.0,1,2,"3\n', "is not a table: unexpected end of data"),
    (MARKERS + "2,3.0,1,2,3\n", "has times that are not evenly spaced: resample it first"),
    (MARKERS.replace("time", "when"), "has a column 'when'"),
    ("heel.x,heel.y,heel.z\n0,0,0\n", "has no column 'time': state its rate with fps="),
    ("time,heel.x,heel.y,heel.z\n1,0,0,0\n0,0,0,0\n", "has times that are not evenly spaced"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_tables_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        points(tmp_path, text)
    assert message in str(caught.value)


def test_the_two_kinds_are_told_apart(tmp_path: Path) -> None:
    clip = smooth_clip(4)
    with pytest.raises(FileFormatError, match=r"holds rotations: read it with motionloom\.load"):
        ml.load(ml.save(clip, tmp_path / "a.csv"), ml.PointClip)
    with pytest.raises(
        FileFormatError, match=r"b\.csv: holds positions without a skeleton: .* as a PointClip"
    ):
        ml.load(ml.save(clip, tmp_path / "b.csv", layout="positions"), ml.Clip)
    assert isinstance(ml.load(tmp_path / "b.csv"), PointClip)


def test_arguments_that_say_nothing_are_refused(tmp_path: Path) -> None:
    path = ml.save(smooth_clip(4), tmp_path / "a.csv")
    with pytest.raises(ParameterError, match=r"unit does not apply to \.csv files"):
        ml.load(path, unit="cm")
    with pytest.raises(ParameterError, match=r"layout of \.csv files must be 'positions' or 'rotations'"):
        ml.save(smooth_clip(4), tmp_path / "b.csv", layout="amass")
    with pytest.raises(ParameterError, match=r"b\.csv: layout='rotations' is for clips with a skeleton"):
        ml.save(points(tmp_path, MARKERS), tmp_path / "b.csv", layout="rotations")


def test_names_that_no_table_can_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MotionloomError, match="the name ' heel' cannot be written in a table"):
        ml.save(PointClip((" heel",), 0.1, np.zeros((2, 1, 3))), tmp_path / "x.csv")


def rotations_refusal(folder: Path, motion: str, skeleton: str) -> str:
    (folder / "x.csv").write_text(motion)
    (folder / "x.skeleton.csv").write_text(skeleton)
    with pytest.raises(FileFormatError) as caught:
        ml.load(folder / "x.csv")
    return str(caught.value)


HEAD = "joint,parent,x,y,z,rest_w,rest_x,rest_y,rest_z\n"
HIP = HEAD + "hip,,0,1,0,1,0,0,0\n"
TURNS = "time,hip.x,hip.y,hip.z,hip.qw,hip.qx,hip.qy,hip.qz\n0,0,1,0,1,0,0,0\n0.1,0,1,0,1,0,0,0\n"


def test_wrong_rotations_and_skeletons_are_refused(tmp_path: Path) -> None:
    assert "has empty cells: rotations have no gaps" in rotations_refusal(
        tmp_path, TURNS + "0.2,,,,1,0,0,0\n", HIP
    )
    assert "holds a quaternion whose length is not one" in rotations_refusal(
        tmp_path, TURNS + "0.2,0,1,0,2,0,0,0\n", HIP
    )
    assert "has no columns for the joint 'knee' of its skeleton" in rotations_refusal(
        tmp_path, TURNS, HIP + "knee,hip,0,-1,0,1,0,0,0\n"
    )
    assert "x.skeleton.csv: must have the columns joint,parent,x" in rotations_refusal(tmp_path, TURNS, "a\n")
    assert "has no joint 'spine', the parent of another" in rotations_refusal(
        tmp_path, TURNS, HIP + "knee,spine,0,-1,0,1,0,0,0\n"
    )
    assert "holds no valid skeleton: the first joint is the root" in rotations_refusal(
        tmp_path, TURNS, HEAD + "hip,hip,0,1,0,1,0,0,0\n"
    )
    assert "holds no valid skeleton: a skeleton needs at least one joint" in rotations_refusal(
        tmp_path, TURNS, HEAD
    )
    assert "line 2: 'x' is not a number" in rotations_refusal(tmp_path, TURNS, HEAD + "hip,,x,1,0,1,0,0,0\n")
    (tmp_path / "x.skeleton.csv").unlink()
    with pytest.raises(FileFormatError, match=r"x\.skeleton\.csv: there is no such file"):
        ml.load(tmp_path / "x.csv")


def test_the_smallest_tables(tmp_path: Path) -> None:
    clip = points(tmp_path, MARKERS)
    assert (clip.names, clip.frame_time) == (("heel",), 0.5)
    assert clip.positions[0].tolist() == [[1, 2, 3]]
    assert np.isnan(clip.positions[1]).all()
    (tmp_path / "x.csv").write_text(TURNS)
    (tmp_path / "x.skeleton.csv").write_text(HIP)
    assert ml.load(tmp_path / "x.csv").root_positions.tolist() == [[0, 1, 0], [0, 1, 0]]


def test_one_row_does_not_tell_its_rate(tmp_path: Path) -> None:
    clip = points(tmp_path, "time,a.x,a.y,a.z\n0,1,2,3\n")
    assert clip.fps == 60.0
    assert clip.source.notes == ("one row does not tell a frame rate: 60 assumed; override with fps=",)
    assert ml.load(tmp_path / "x.csv", ml.PointClip, fps=25).fps == 25.0


def test_windows_files_with_empty_lines_and_rounded_times(tmp_path: Path) -> None:
    text = "\ufefftime,a.x,a.y,a.z\r\n0.00,1,2,3\r\n\r\n0.03,1,2,3\r\n0.07,1,2,3\r\n0.10,1,2,3\r\n"
    assert points(tmp_path, text).fps == pytest.approx(30.0)


def test_positions_come_back_exactly(tmp_path: Path) -> None:
    clip = smooth_clip(9)
    again = ml.load(ml.save(clip, tmp_path / "x.csv", layout="positions"), ml.PointClip)
    assert again.names == clip.skeleton.names
    assert again.frame_time == clip.frame_time
    assert np.array_equal(again.positions, clip.world_positions())


@pytest.mark.parametrize(("frame_time", "n_frames"), [(0.0083333, 471), (1 / 29.97, 1000), (1 / 24, 26)])
def test_frame_times_come_back_exactly(tmp_path: Path, frame_time: float, n_frames: int) -> None:
    """Of 26 frames at 24 per second the mean step is not the frame time, to the last digit."""
    clip = PointClip(("a",), frame_time, np.zeros((n_frames, 1, 3)))
    assert ml.load(ml.save(clip, tmp_path / "x.csv"), ml.PointClip).frame_time == frame_time


def test_markers_come_back_with_their_gaps(tmp_path: Path) -> None:
    positions = np.random.default_rng(0).normal(size=(5, 2, 3))
    positions[2, 1] = np.nan
    clip = PointClip(('a, "b"', "ü.x"), 1 / 29.97, positions)
    again = ml.load(ml.save(clip, tmp_path / "x.csv"), ml.PointClip)
    assert again.names == clip.names
    assert again.frame_time == clip.frame_time
    assert np.array_equal(again.positions, positions, equal_nan=True)


@pytest.mark.parametrize("moving", [False, True])
def test_rotations_come_back_exactly(tmp_path: Path, moving: bool) -> None:
    clip = smooth_clip(9, moving=moving)
    clip = replace(clip, skeleton=replace(clip.skeleton, rest_rotations=random_rotations((6,))))
    again = ml.load(ml.save(clip, tmp_path / "x.csv"))
    assert again.skeleton == clip.skeleton
    assert again.frame_time == clip.frame_time
    assert np.array_equal(again.rotations, clip.rotations)
    assert np.array_equal(again.root_positions, clip.root_positions)
    assert np.array_equal(again.world_positions(), clip.world_positions())


def test_the_skeleton_of_another_file_may_be_used(tmp_path: Path) -> None:
    clip = smooth_clip(9)
    path = ml.save(clip, tmp_path / "x.csv")
    (tmp_path / "x.skeleton.csv").rename(tmp_path / "y.skeleton.csv")
    bvh = ml.save(clip, tmp_path / "y.npz")
    for skeleton in (bvh, tmp_path / "y.skeleton.csv"):
        assert ml.load(path, skeleton=skeleton).skeleton == clip.skeleton


def test_existing_tables_are_kept(tmp_path: Path) -> None:
    ml.save(smooth_clip(9), tmp_path / "x.csv")
    before = (tmp_path / "x.csv").read_bytes()
    with pytest.raises(FileExistsRefusal):
        ml.save(smooth_clip(4), tmp_path / "x.csv")
    (tmp_path / "x.csv").unlink()
    with pytest.raises(FileExistsRefusal, match=r"x\.skeleton\.csv"):
        ml.save(smooth_clip(4), tmp_path / "x.csv")
    ml.save(smooth_clip(9), tmp_path / "x.csv", overwrite=True)
    assert (tmp_path / "x.csv").read_bytes() == before


def test_numpy_reads_the_numbers(tmp_path: Path) -> None:
    path = ml.save(smooth_clip(4), tmp_path / "x.csv", layout="positions")
    rows = np.genfromtxt(path, delimiter=",", names=True)
    assert rows["root" + "x"][3] == smooth_clip(4).root_positions[3, 0]


@pytest.mark.slow
@settings(max_examples=200)
@given(seed=st.integers(0, 2**32), which=st.sampled_from(["points", "motion", "skeleton"]))
def test_damaged_tables_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, seed: int, which: str
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    path = ml.save(smooth_clip(4), folder / "x.csv", layout="positions" if which == "points" else "rotations")
    broken = folder / "x.skeleton.csv" if which == "skeleton" else path
    broken.write_bytes(mutated(broken.read_bytes(), seed))
    readers: dict[str, Callable[[Path], object]] = {
        "points": read_positions,
        "motion": read_rotations,
        "skeleton": read_skeleton,
    }
    with suppress(FileFormatError):
        readers[which](broken)


@pytest.mark.parametrize("path", captured("dialects/bvh/*.bvh"), ids=lambda path: path.stem)
def test_captured_clips_come_back(tmp_path: Path, path: Path) -> None:
    clip = ml.load(path)
    again = ml.load(ml.save(clip, tmp_path / "x.csv"))
    assert again.skeleton == clip.skeleton
    assert np.array_equal(again.world_positions(), clip.world_positions())
