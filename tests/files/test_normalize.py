"""Units, axes, root convention, added rows and faults: found, reported, and overruled by the caller."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.files.detection import count_rest_rows, find_root_jumps
from motionloom.files.normalize import denormalize_points, from_y_up, normalize_points, to_y_up
from motionloom.files.units import UNITS, metres_per_unit, unit_for_height
from motionloom.geometry import rotations as rot
from motionloom.motion import PointClip, Source
from motionloom.motion.provenance import UpAxis
from motionloom.synthesis import biped, walk
from tests.figures import smooth_clip
from tests.files.bvh_texts import save_unmarked
from tests.refusals import refused


def notes_with(clip: ml.Clip, words: str) -> list[str]:
    return [note for note in clip.source.notes if words in note]


def test_bad_choices_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "walk.bvh"
    ml.save(walk(duration=1, fps=30).clip, path)
    with pytest.raises(ParameterError, match="unknown unit 'parsec': use one of m, dm, cm, mm, inch"):
        ml.load(path, unit="parsec")
    with pytest.raises(ParameterError, match="a unit must be a size in metres between 1e-09 and"):
        ml.load(path, unit=-1.0)
    with refused("up", "w"):
        ml.load(path, up="w")  # type: ignore[call-overload]
    with refused("root_offset", "odd"):
        ml.load(path, root_offset="odd")  # type: ignore[call-overload]
    with refused("fps", 0):
        ml.load(path, fps=0)


@pytest.mark.parametrize(
    ("words", "size"), [("CM", 0.01), ("in", 0.0254), ("cmu", 0.0254 / 0.45), ("0.3048", 0.3048)]
)
def test_units_by_name_and_size(words: str, size: float) -> None:
    assert metres_per_unit(words)[1] == size


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("height", [1.4, 1.7, 2.0])
def test_bodies_of_any_usual_height_tell_their_unit(name: str, height: float) -> None:
    assert unit_for_height(height / UNITS[name]) == (name, UNITS[name])


def test_no_unit_makes_a_person_of_a_giant() -> None:
    assert unit_for_height(7.0) is None


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_unit_and_axis_are_found_again(tmp_path: Path, unit: str, up: UpAxis) -> None:
    """A walk written in any unit and any vertical axis loads as the same walk, and saves as it was."""
    clip = walk(duration=1.5, fps=30, curvature=0.2).clip
    again = ml.load(save_unmarked(clip, tmp_path / "walk.bvh", unit=unit, up=up))
    assert (again.source.unit, again.source.up) == (unit, up)
    # Six decimals of a metre, or of a degree at the end of a leg.
    assert again.world_positions() == pytest.approx(clip.world_positions(), abs=2e-6)
    assert bool(notes_with(again, "rotated so that Y is up")) == (up != "y")
    save_unmarked(again, tmp_path / "again.bvh")
    assert (tmp_path / "again.bvh").read_bytes() == (tmp_path / "walk.bvh").read_bytes()


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_changes_of_axes_are_exact_rotations(up: UpAxis) -> None:
    clip = smooth_clip(5, moving=True)
    target = ml.Constraint("left", "toe", 0, 2, np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    clip = replace(clip, constraints=(target,))
    turned = to_y_up(clip, up)
    assert turned.world_positions()[..., 1] == pytest.approx(clip.world_positions()[..., "xyz".index(up)])
    back = from_y_up(turned, up)
    assert np.array_equal(back.rotations, clip.rotations)
    assert np.array_equal(back.root_positions, clip.root_positions)
    assert back.skeleton == clip.skeleton
    assert back.constraints == clip.constraints


def test_stated_unit_axis_and_rate_overrule(tmp_path: Path) -> None:
    ml.save(walk(duration=1, fps=30).clip, tmp_path / "walk.bvh")
    clip = ml.load(tmp_path / "walk.bvh", unit="inch", up="z", fps=24)
    assert (clip.source.unit, clip.source.up, clip.fps) == ("inch", "z", 24.0)
    assert not notes_with(clip, "lengths read")


def test_a_skeleton_without_a_body_is_taken_in_metres(tmp_path: Path) -> None:
    clip = ml.load(save_unmarked(smooth_clip(3), tmp_path / "x.bvh"))
    assert clip.source.unit == "m"
    assert notes_with(clip, "no body was found to tell the unit from: metres assumed")


def relative_file(folder: Path) -> Path:
    """A walk whose root positions add to a root OFFSET at hip height."""
    clip = walk(duration=1, fps=30).clip
    source = replace(clip.source, format="bvh", unit="cm", metres_per_unit=0.01, root_offset="relative")
    return save_unmarked(replace(clip, source=source), folder / "relative.bvh")


def test_relative_root_positions_are_recognised_by_the_floor(tmp_path: Path) -> None:
    clip = walk(duration=1, fps=30).clip
    assert clip.skeleton.offsets[0, 1] > 0.8
    path = relative_file(tmp_path)
    found = ml.load(path)
    assert found.source.root_offset == "relative"
    assert notes_with(found, "root positions were added to the root's OFFSET")
    assert found.world_positions() == pytest.approx(clip.world_positions(), abs=2e-6)
    forced = ml.load(path, root_offset="absolute")
    drop = clip.skeleton.offsets[0, 1]
    assert forced.root_positions[:, 1] == pytest.approx(clip.root_positions[:, 1] - drop, abs=1e-6)


def with_rest_rows(clip: ml.Clip, n: int) -> ml.Clip:
    rest = np.tile(rot.IDENTITY, (n, clip.skeleton.n_joints, 1))
    return replace(
        clip,
        rotations=np.concatenate([rest, clip.rotations]),
        root_positions=np.concatenate([clip.root_positions[:1].repeat(n, axis=0), clip.root_positions]),
    )


@pytest.mark.parametrize("n", [1, 4])
def test_added_rest_rows_are_left_out_unless_told(tmp_path: Path, n: int) -> None:
    clip = walk(duration=1, fps=60).clip
    save_unmarked(with_rest_rows(clip, n), tmp_path / "x.bvh")
    cut = ml.load(tmp_path / "x.bvh")
    assert cut.n_frames == clip.n_frames
    assert notes_with(cut, "before the motion dropped")
    assert ml.load(tmp_path / "x.bvh", keep_rest_rows=True).n_frames == clip.n_frames + n


def test_a_start_in_the_rest_pose_that_moves_on_smoothly_is_kept() -> None:
    body = biped()
    steps = np.linspace(0, 1.2, 60)[:, None, None]
    turns = rot.from_rotation_vector(steps * np.array([0.0, 0.0, 1.0]) * np.ones((60, body.n_joints, 3)))
    clip = ml.Clip(body, 1 / 60, np.zeros((60, 3)), turns)
    assert count_rest_rows(clip) == 0
    assert count_rest_rows(clip[:1]) == 0
    assert count_rest_rows(clip[:0]) == 0


def test_rest_rows_are_judged_by_speed_and_only_in_bodies() -> None:
    captured = with_rest_rows(walk(duration=1, fps=60).clip, 1)
    assert count_rest_rows(captured) == 1
    assert count_rest_rows(replace(captured, frame_time=1 / 24)) == 1
    keyed_by_hand = replace(captured, frame_time=1 / 2)
    assert count_rest_rows(keyed_by_hand) == 0
    names = [f"joint {n}" for n in range(6)]
    rope = ml.Skeleton(names, range(-1, 5), [[0, 0.1, 0]] * 6)  # type: ignore[arg-type]
    turns = np.array(captured.rotations[:, :6])
    turns[1:, 3] = rot.from_yaw(2.0)
    assert count_rest_rows(ml.Clip(rope, 1 / 60, captured.root_positions, turns)) == 0


def test_root_jumps_are_reported(tmp_path: Path) -> None:
    clip = walk(duration=1, fps=60).clip
    broken = np.array(clip.root_positions)
    broken[30:] += [0.0, 0.0, 2.4]
    jumping = replace(clip, root_positions=broken)
    assert find_root_jumps(clip) == []
    ((frame, size),) = find_root_jumps(jumping)
    assert frame == 30
    assert size == pytest.approx(2.4, abs=0.1)
    ml.save(jumping, tmp_path / "x.bvh")
    assert notes_with(ml.load(tmp_path / "x.bvh"), "into frame 30: probably a capture error")


def test_captured_first_rows(mocap: Path) -> None:
    """Uncut CMU takes begin with one T-pose row, two of them with further empty rows; cut takes have none."""
    expected = {"s16/walk_straight_16_15": 1, "s139_sneak/walk_straight_139_30_r0241-0589": 0}
    for name, left_out in expected.items():
        path = mocap / "locomotion" / f"{name}.bvh"
        assert ml.load(path, keep_rest_rows=True).n_frames - ml.load(path).n_frames == left_out
    for name, left_out in {"brisk_bad_first_row_07_12": 2, "run_bad_first_rows_09_10": 5}.items():
        path = mocap / "defects" / f"{name}.bvh"
        whole, cut = ml.load(path, keep_rest_rows=True), ml.load(path)
        assert whole.n_frames - cut.n_frames == left_out
        assert find_root_jumps(whole)
        assert find_root_jumps(cut) == []


EXPECTED = {
    "mocapbank_zxy_crlf": ("cm", "y", "absolute"),
    "animdrawings_dab_zup": (None, "z", "absolute"),
    "cgspeed_max_jumping_jacks": ("1/0.45 inch", "y", "absolute"),
    "daz_pirouette_exponents_cut": ("cm", "y", "absolute"),
    "walk01_24hz_exponents": ("cm", "y", "absolute"),
    "per_joint_orders_zup": ("inch", "z", "absolute"),
    "blender_makehuman_walk1": ("dm", "z", "relative"),
    "anim_utils_custom_rig": ("cm", "y", "relative"),
    "geno_bind_6ch": ("cm", "y", "absolute"),
    "neuron_6ch_125hz_cut": ("cm", "y", "absolute"),
    "mova_8walk_6ch_cut": ("inch", "y", "absolute"),
    "mova_8walk_3ch_cut": ("inch", "y", "absolute"),
    "xsens_style_40hz_cut": ("cm", "y", "absolute"),
    "biovision_example1": ("inch", "y", "absolute"),
    "rotation_first_root": ("m", "y", "absolute"),
}


def test_the_dialects_are_recognised(mocap: Path) -> None:
    """Unit, vertical axis and root convention as the corpus's own description states them."""
    assert {path.stem for path in (mocap / "dialects/bvh").glob("*.bvh")} == set(EXPECTED)
    for name, (unit, up, root_offset) in EXPECTED.items():
        source = ml.load(mocap / "dialects/bvh" / f"{name}.bvh").source
        assert unit is None or source.unit == unit, name
        assert (source.up, source.root_offset) == (up, root_offset), name


def points(unit: str = "cm", size: float = 0.01, up: UpAxis = "z") -> PointClip:
    source = Source(unit=unit, metres_per_unit=size, up=up)
    return PointClip(("a", "b"), 0.1, np.array([[[1.0, 2.0, 3.0], [np.nan] * 3]]), source)


def test_an_unknown_unit_of_points() -> None:
    with pytest.raises(ParameterError, match="unknown unit 'ell'"):
        normalize_points(points(), unit="ell")


@pytest.mark.parametrize(
    ("up", "upright"), [("x", [-0.02, 0.01, 0.03]), ("y", [0.01, 0.02, 0.03]), ("z", [0.01, 0.03, -0.02])]
)
def test_axes_of_points_keep_their_handedness(up: UpAxis, upright: list[float]) -> None:
    clip = normalize_points(points(up=up))
    np.testing.assert_allclose(clip.positions[0, 0], upright)
    assert np.isnan(clip.positions[0, 1]).all()


def test_stated_unit_and_axis_of_points_overrule() -> None:
    clip = normalize_points(points(), unit="mm", up="y")
    assert (clip.source.unit, clip.source.up) == ("mm", "y")
    np.testing.assert_allclose(clip.positions[0, 0], [0.001, 0.002, 0.003])


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_points_there_and_back(up: UpAxis) -> None:
    there = normalize_points(points(up=up))
    np.testing.assert_allclose(denormalize_points(there).positions, points().positions)
