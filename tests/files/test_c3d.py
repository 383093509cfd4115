"""C3D files: byte orders, plates, events, gaps, names, units, and bytes that are not to be trusted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionloom as ml
from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.points.c3d import read_c3d
from motionloom.files.points.c3d_write import write_c3d
from motionloom.motion import Analog, Event, ForcePlate, PointClip, Source
from tests.figures import smooth_clip
from tests.files.c3d_files import DEC, INTEL, SGI, encode, sketch
from tests.files.mutation import DAMAGES, mutated

BYTE_ORDERS = ("pc_real", "dec_int", "sgi_real")

DAMAGED = 250
"""Files for each way to damage them; `benchmarks/files_damaged.py` takes many thousands."""


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


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "a.c3d"
    with pytest.raises(FileFormatError, match=r"a\.c3d: there is no such file"):
        ml.load(path, ml.PointClip)
    path.write_bytes(b"HIERARCHY" * 100)
    with pytest.raises(FileFormatError, match="is not a C3D file: it does not begin like one"):
        ml.load(path, ml.PointClip)
    path.write_bytes(b"\x09\x50" + bytes(2000))
    with pytest.raises(FileFormatError, match="is damaged: it has no parameters"):
        ml.load(path, ml.PointClip)


def test_markers_are_no_skeleton(stored: Path, tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"holds a PointClip, not a Clip: expect a PointClip"):
        ml.load(stored, ml.Clip)
    assert isinstance(ml.load(stored), PointClip)
    with pytest.raises(MotionloomError, match=r"C3D files hold points, and the clip has a skeleton"):
        ml.save(smooth_clip(2), tmp_path / "a.c3d")


WRONG = [
    (markers()[:0], "holds at least one frame, and the clip has none"),
    (markers(20_000, 2), "has 20000 points, more than a C3D file holds: write .trc or .npz"),
    (PointClip((), 0.1, np.zeros((4, 0, 3))), "holds at least one point, and the clip has none"),
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
    clip = ml.load(stored, ml.PointClip)
    np.testing.assert_allclose(clip.positions[0, 1], [0.003, 0.005, -0.004])
    assert np.isnan(clip.positions[1, 0]).all()
    assert ml.load(stored, ml.PointClip, unit="cm", fps=25).positions[0, 1, 0] == pytest.approx(0.03)


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
        ml.load(path, ml.PointClip)
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
    clips = [ml.load(mocap / f"dialects/c3d_trc/{name}.c3d", ml.PointClip) for name in BYTE_ORDERS]
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


@pytest.mark.parametrize("processor", [INTEL, DEC, SGI])
@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_every_kind_of_plate_number_and_processor(
    tmp_path: Path, processor: int, real: bool, kind: int
) -> None:
    made = sketch(kind)
    path = tmp_path / "a.c3d"
    path.write_bytes(encode(made, processor, real))
    clip = read_c3d(path)
    assert clip.source.notes == ()
    seen = np.where(made.points[..., 3:] < 0, np.nan, made.points[..., :3])
    np.testing.assert_allclose(clip.positions, seen, atol=1e-3)
    assert clip.residuals is not None
    np.testing.assert_allclose(clip.residuals[0], made.points[0, :, 3] % 256 * 0.1, atol=1e-5)
    assert clip.events == (Event(2.0, "strike", "Left"), Event(4.0, "Clap"))
    # The plate again, by the book: its own axes are Y, X and -Z of the laboratory.
    scales = made.groups["ANALOG"]["SCALE"]
    values = (made.analog - np.arange(10)) * np.float32(scales) * 0.5
    assert clip.analog is not None
    np.testing.assert_allclose(clip.analog.values, values, rtol=1e-5, atol=1e-4)
    force, moment = values[:, :3], values[:, 3:6]
    if kind == 1:
        arm = np.column_stack([values[:, 3:5], np.zeros(24)])
        moment = np.cross(arm, force) + values[:, 5:6] * [0.0, 0.0, 1.0]
    elif kind == 3:
        x12, x34, y14, y23, z1, z2, z3, z4 = values[:, :8].T
        force = np.column_stack([x12 + x34, y14 + y23, z1 + z2 + z3 + z4])
        sensors = np.array([[120.0, 200, 0], [-120, 200, 0], [-120, -200, 0], [120, -200, 0]])
        zero = np.zeros(24)
        pushes = [
            (x12 / 2, y14 / 2, z1),
            (x12 / 2, y23 / 2, z2),
            (x34 / 2, y23 / 2, z3),
            (x34 / 2, y14 / 2, z4),
        ]
        moment = (
            sum(
                (
                    np.cross(at - [0.0, 0, -40.0], np.column_stack(push))
                    for at, push in zip(sensors, pushes, strict=True)
                ),
                start=np.zeros((24, 3)),
            )
            + zero[:, None]
        )
    elif kind == 4:
        both = values[:, :6] @ np.float32(made.groups["FORCE_PLATFORM"]["CAL_MATRIX"][0])
        force, moment = both[:, :3], both[:, 3:]
    if kind in (2, 4):
        moment = moment + np.cross(force, [-1.0, -2.0, -40.0])
    axes = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    plate = clip.force_plates[0]
    np.testing.assert_allclose(plate.force, force @ axes, rtol=1e-4, atol=1e-2)
    np.testing.assert_allclose(plate.moment, moment @ axes, rtol=1e-4, atol=5.0)
    assert plate.corners is not None
    np.testing.assert_allclose(plate.corners[0], [0.0, 400.0, 0.0])


@pytest.mark.parametrize("real", [True, False])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("processor", [INTEL, DEC])
def test_ezc3d_reads_the_same(tmp_path: Path, processor: int, real: bool, kind: int) -> None:
    ezc3d = pytest.importorskip("ezc3d", reason="the package ezc3d is not installed: no peer to compare with")
    path = tmp_path / "a.c3d"
    path.write_bytes(encode(sketch(kind), processor, real))
    compare(ezc3d.c3d(str(path), extract_forceplat_data=True), read_c3d(path))


def compare(peer: Any, clip: PointClip) -> None:
    """Compare what ezc3d read with our clip in the axes of the file: every point, channel and force."""
    points = peer["data"]["points"][:3].transpose(2, 1, 0)
    np.testing.assert_allclose(clip.positions, points, rtol=1e-7)
    if clip.analog is not None:
        np.testing.assert_allclose(peer["data"]["analogs"][0].T, clip.analog.values, rtol=1e-12)
    plates = peer["data"]["platform"]
    assert len(plates) == len(clip.force_plates)
    for theirs, ours in zip(plates, clip.force_plates, strict=True):
        size = np.abs(ours.force).max() + 1.0
        np.testing.assert_allclose(theirs["force"].T, ours.force, atol=1e-9 * size)
        # For plates of type 1 it gives the moment with the other sign; where the force acts agrees.
        if abs(theirs["moment"].T + ours.moment).max() > 1e-6 * np.abs(ours.moment).max():
            np.testing.assert_allclose(theirs["moment"].T, ours.moment, atol=1e-9 * np.abs(ours.moment).max())
        corners = ours.corners
        assert corners is not None
        up = np.cross(corners[0] - corners[1], corners[0] - corners[3])
        load = ours.force @ up / np.linalg.norm(up)
        loaded = np.abs(load) > 20.0
        arms = np.cross(up / np.linalg.norm(up), ours.moment[loaded]) / load[loaded, None]
        np.testing.assert_allclose(theirs["center_of_pressure"].T[loaded], ours.origin + arms, atol=1e-6)


def test_ezc3d_reads_what_is_written(tmp_path: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d", reason="the package ezc3d is not installed: no peer to compare with")
    path = tmp_path / "a.c3d"
    path.write_bytes(encode(sketch(2)))
    again = ml.save(ml.load(path, ml.PointClip), tmp_path / "b.c3d")
    compare(ezc3d.c3d(str(again), extract_forceplat_data=True), read_c3d(again))
    names = [f"M{n}" for n in range(300)]
    many = ml.save(PointClip(tuple(names), 0.01, np.ones((3, 300, 3))), tmp_path / "many.c3d")
    peer = ezc3d.c3d(str(many))["parameters"]["POINT"]
    assert [*peer["LABELS"]["value"], *peer["LABELS2"]["value"]] == names
    assert ml.load(many, ml.PointClip).names == tuple(names)


def measured(n_frames: int = 6) -> PointClip:
    """Points in metres with all that can be measured beside them."""
    rng = np.random.default_rng(3)
    plate = ForcePlate(
        "plate 1",
        0.005,
        rng.normal(size=(4 * n_frames, 3)) + np.array([0.0, 700.0, 0.0]),
        rng.normal(size=(4 * n_frames, 3)),
        np.array([[0.5, 0.0, -0.3], [0.0, 0.0, -0.3], [0.0, 0.0, 0.1], [0.5, 0.0, 0.1]]),
    )
    analog = Analog(("EMG",), 0.005, rng.normal(size=(4 * n_frames, 1)), ("V",))
    return PointClip(
        ("heel", "toe"),
        0.02,
        rng.normal(size=(n_frames, 2, 3)),
        events=(Event(1.5, "lift", "RightFoot"), Event(3.0, "Clap")),
        residuals=np.full((n_frames, 2), 0.0005),
        force_plates=(plate,),
        analog=analog,
    )


@pytest.mark.parametrize("suffix", [".c3d", ".npz"])
def test_measurements_come_back(tmp_path: Path, suffix: str) -> None:
    clip = measured()
    again = ml.load(ml.save(clip, tmp_path / f"a{suffix}"), ml.PointClip)
    exact = 0.0 if suffix == ".npz" else 1e-5
    plate, other = clip.force_plates[0], again.force_plates[0]
    np.testing.assert_allclose(other.force, plate.force, rtol=exact, atol=exact)
    np.testing.assert_allclose(other.moment, plate.moment, rtol=exact, atol=10 * exact)
    np.testing.assert_allclose(other.centre_of_pressure, plate.centre_of_pressure, atol=exact)
    assert (other.name, other.frame_time) == ("plate 1", 0.005)
    assert again.analog is not None
    assert clip.analog is not None
    column = again.analog.names.index("EMG")
    np.testing.assert_allclose(again.analog.values[:, column : column + 1], clip.analog.values, rtol=exact)
    assert again.residuals is not None
    np.testing.assert_allclose(again.residuals, 0.0005, rtol=1e-6)
    assert [(event.frame, event.label) for event in again.events] == [(1.5, "lift"), (3.0, "Clap")]
    assert again.events[0].joint == ("Right" if suffix == ".c3d" else "RightFoot")
    # The channels of a plate are written once, however often a file is read and written.
    twice = ml.load(ml.save(again, tmp_path / f"b{suffix}"), ml.PointClip)
    assert twice.analog is not None
    assert twice.analog.names == again.analog.names
    np.testing.assert_allclose(twice.force_plates[0].force, other.force, rtol=1e-6, atol=1e-6)


def test_events_of_the_header(tmp_path: Path) -> None:
    made = replace(sketch(2), header_events=[(0.28, "RHS"), (9.0, "LHS")], groups={})
    path = tmp_path / "a.c3d"
    path.write_bytes(encode(made))
    clip = read_c3d(path)
    assert clip.events == (Event(4.0, "RHS"),)
    assert clip.source.notes == ("1 events beyond the ends of the file were left out",)


LEFT_OUT = [
    ({"TYPE": np.array([9])}, "is of type 9, and types 1 to 4 are read"),
    ({"CORNERS": np.zeros((1, 4, 3))}, "has no corners"),
    ({"CHANNEL": np.arange(6, 12)[None]}, "refers to analog channels that the file does not have"),
]


@pytest.mark.parametrize(("changes", "why"), LEFT_OUT)
def test_plates_that_are_left_out(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    made = sketch(2)
    made.groups["FORCE_PLATFORM"] |= changes
    path = tmp_path / "a.c3d"
    path.write_bytes(encode(made))
    clip = read_c3d(path)
    assert clip.force_plates == ()
    assert clip.source.notes == (f"force plate 1 {why}: it was left out",)


def test_a_plate_that_states_what_the_person_does(tmp_path: Path) -> None:
    made = sketch(2)
    made.groups["ANALOG"]["SCALE"] = made.groups["ANALOG"]["SCALE"] * [1, 1, -1, 1, 1, 1, 1, 1, 1, 1]
    path = tmp_path / "a.c3d"
    path.write_bytes(encode(made))
    clip = ml.load(path, ml.PointClip)
    assert (clip.force_plates[0].load > 0.0).all()
    assert any("points down" in note for note in clip.source.notes)


def test_the_plates_tell_the_vertical_axis(tmp_path: Path) -> None:
    made = sketch(2)
    made.groups["POINT"] = {"Y_SCREEN": [""]}
    path = tmp_path / "a.c3d"
    path.write_bytes(encode(made))
    clip = read_c3d(path)
    assert (clip.source.up, clip.source.notes) == ("z", ())


def test_angles_among_the_points_are_noted(tmp_path: Path) -> None:
    made = sketch(2)
    made.groups["POINT"] = {"ANGLES": ["knee"], "TYPE_GROUPS": ["ANGLES"]}
    path = tmp_path / "a.c3d"
    path.write_bytes(encode(made))
    assert read_c3d(path).source.notes == (
        "1 of the 3 points are no positions but angles, forces or the like",
    )


def test_a_processor_that_nobody_has_is_guessed(tmp_path: Path) -> None:
    content = bytearray(encode(sketch(2), SGI))
    content[515] = 7
    path = tmp_path / "a.c3d"
    path.write_bytes(content)
    clip = read_c3d(path)
    assert (clip.n_frames, clip.fps) == (6, 50.0)
    assert clip.source.notes == ("the file names 7 as its kind of processor: 86 assumed, which fits",)


def test_more_frames_than_the_header_counts(tmp_path: Path) -> None:
    clip = PointClip(("a",), 0.01, np.arange(3.0 * 70_000).reshape(-1, 1, 3) / 1e4)
    again = ml.load(ml.save(clip, tmp_path / "long.c3d"), ml.PointClip)
    assert (again.n_frames, again.source.notes[1:]) == (70_000, ())
    np.testing.assert_allclose(again.positions, clip.positions, atol=1e-5)


def test_files_that_other_readers_open(mocap: Path) -> None:
    """Laboratories' files: triple parameters, SGI integers with two scales, trees without an end."""
    expected = {
        "btk_FP1.C3D": (480, 8, 1),
        "btk_MACsample.c3d": (180, 33, 0),
        "btk_PiG_Calibration-FlatFoot-One.c3d": (1, 138, 2),
        "btk_badParameterOffset.c3d": (111, 41, 0),
        "btk_mocap36.c3d": (1380, 36, 0),
    }
    for name, (n_frames, n_points, n_plates) in expected.items():
        clip = ml.load(mocap / "unread" / name, ml.PointClip)
        assert (clip.n_frames, len(clip.names), len(clip.force_plates)) == (n_frames, n_points, n_plates)
        if n_points > 30:  # people, not tools
            assert 1.2 < np.nanmax(clip.positions[..., 1]) < 2.1
    assert (
        "the file is damaged"
        in ml.load(mocap / "unread/btk_badParameterOffset.c3d", ml.PointClip).source.notes[0]
    )


def test_captured_plates(mocap: Path) -> None:
    """Whoever throws stands on the plates, and pushes on them where the feet are."""
    for path in sorted((mocap / "force_plates").glob("*.c3d")):
        clip = ml.load(path, ml.PointClip)
        assert clip.source.up == "z"
        assert len(clip.force_plates) in (3, 4)
        most = max(clip.force_plates, key=lambda plate: float(plate.load.max()))
        assert 500.0 < most.load.max() < 5000.0
        where = np.nanmedian(most.centre_of_pressure, axis=0)
        assert most.corners is not None
        low, high = most.corners.min(axis=0) - 0.05, most.corners.max(axis=0) + 0.05
        assert ((where >= low) & (where <= high)).all()


def test_real_files_as_ezc3d_reads_them(mocap: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d", reason="the package ezc3d is not installed: no peer to compare with")
    folders = ("unread", "dialects/c3d_trc", "force_plates")
    paths = [path for folder in folders for path in sorted((mocap / folder).glob("*.[cC]3[dD]"))]
    compared = 0
    for path in paths:
        try:
            peer = ezc3d.c3d(str(path), extract_forceplat_data=True)
        except (OSError, RuntimeError):  # big-endian files and damaged parameters are beyond it
            continue
        compare(peer, read_c3d(path))
        compared += 1
    assert compared >= 30


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_of_every_kind(tmp_path: Path, damage: str) -> None:
    """Every file is read or refused with its name in the sentence, within its budget of memory and time."""
    path = tmp_path / "broken.c3d"
    for seed in range(DAMAGED):
        made = encode(sketch(seed % 4 + 1), (INTEL, DEC, SGI)[seed % 3])
        path.write_bytes(DAMAGES[damage](made, seed))
        said = refusal(path)
        assert not said or "broken.c3d" in said
