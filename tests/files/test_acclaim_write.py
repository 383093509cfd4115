"""Writing ASF/AMC pairs and reading them back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import FileExistsRefusal, ParameterError
from motionloom.files.acclaim.asf import read_asf
from motionloom.files.acclaim.read import read_acclaim
from motionloom.files.acclaim.write import make_legal_names, write_acclaim
from motionloom.files.bvh.read import read_bvh
from motionloom.files.text import content_mark
from motionloom.geometry import rotations
from motionloom.motion import Clip, Skeleton, Source, Tip


def skeleton_of(
    names: Sequence[str], parents: Sequence[int], offsets: npt.ArrayLike, *tips: tuple[int, npt.ArrayLike]
) -> Skeleton:
    ends = tuple(Tip(joint, np.array(offset, dtype=float)) for joint, offset in tips)
    return Skeleton(tuple(names), np.array(parents), np.array(offsets, dtype=float), tips=ends)


BODY = skeleton_of(
    ["Hips", "left leg", "left foot", "right leg", "spine", "neck", "left arm", "right arm"],
    [-1, 0, 1, 0, 0, 4, 4, 4],
    [
        [0.0, 1.0, 0.0],
        [0.1, -0.05, 0],
        [0, -0.4, 0.02],
        [-0.1, -0.05, 0],
        [0.0, 0.0, 0.0],
        [0, 0.5, 0],
        [0.2, 0.4, 0],
        [0, 0.5, 0],
    ],
    (2, [0, -0.1, 0.2]),
    (2, [0, -0.1, -0.05]),
    (5, [0, 0.2, 0]),
    (4, [0.0, 0.45, -0.1]),
)


def moving(skeleton: Skeleton, n_frames: int = 5, seed: int = 3) -> Clip:
    rng = np.random.default_rng(seed)
    turns = rotations.normalize(rng.normal(size=(n_frames, skeleton.n_joints, 4)))
    return Clip(skeleton, 1 / 30, rng.normal(size=(n_frames, 3)), turns)


def written(clip: Clip, folder: Path) -> Clip:
    write_acclaim(clip, folder / "take.amc", overwrite=True)
    return read_acclaim(folder / "take.amc")


def largest_difference(before: Clip, after: Clip) -> float:
    """Largest distance of joint positions, joints paired by the names they are written under."""
    joints = [after.skeleton.index(name) for name in make_legal_names(before.skeleton.names)]
    return float(np.abs(before.world_positions() - after.world_positions()[:, joints]).max())


def sorted_points(points: FloatArray) -> FloatArray:
    """The points of the first frame in a fixed order."""
    return np.asarray(points[0][np.lexsort(points[0].round(6).T)])


def test_a_clip_without_frames_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="an AMC file needs at least one frame: the clip has none"):
        write_acclaim(moving(BODY)[:0], tmp_path / "take.amc")


def test_the_name_of_a_skeleton_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="is the name of a skeleton file: name the motion instead"):
        write_acclaim(moving(BODY), tmp_path / "take.asf")


@pytest.mark.parametrize("there", ["take.amc", "take.asf"])
def test_existing_files_are_kept_unless_allowed(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    with pytest.raises(FileExistsRefusal, match=f"{there} already exists"):
        write_acclaim(moving(BODY), tmp_path / "take.amc")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(there, "mine")]
    write_acclaim(moving(BODY), tmp_path / "take.amc", overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["take.amc", "take.asf"]
    assert read_acclaim(tmp_path / "take.amc").n_frames == 5


def test_one_joint_gives_these_two_files(tmp_path: Path) -> None:
    dot = skeleton_of(["Hips", "tail"], [-1, 0], np.zeros((2, 3)), (1, [0, 0, -2]))
    turns = rotations.from_euler(np.array([[[0, 0, 0], [0, 0, np.pi / 2]]]), "ZYX")
    write_acclaim(Clip(dot, 0.5, np.array([[1, 2.5, -3]]), turns), tmp_path / "dot.amc")
    assert (tmp_path / "dot.amc").read_text().split("\n") == [
        "# written by motionloom",
        "# frame time 0.5",
        f"# skeleton mark {content_mark((tmp_path / 'dot.asf').read_bytes())}",
        ":FULLY-SPECIFIED",
        ":SAMPLES-PER-SECOND 2.0",
        ":DEGREES",
        "1",
        "root 1 2.5 -3 0 0 0",
        "tail 90 0 0",
        "",
    ]
    asf = (tmp_path / "dot.asf").read_text()
    assert "  one length unit is 1.0 metres, called m\n  joint 'Hips' is written as root\n:root" in asf
    assert "    name tail\n    direction 0 0 -1\n    length 2\n    axis 0 0 0 XYZ\n    dof rx ry rz\n" in asf
    assert asf.endswith(":hierarchy\n  begin\n    root tail\n  end\n")


@pytest.mark.parametrize(
    ("names", "legal"),
    [
        (["a", "b", "c"], ["root", "b", "c"]),
        (["a", "Root", "root"], ["root", "Root_2", "root_3"]),
        (["a", "left arm", "left_arm"], ["root", "left_arm", "left_arm_2"]),
        (["a", "7", "end"], ["root", "joint_7", "end_2"]),
        (["a", "x:y#z", "%d"], ["root", "x_y_z", "%d"]),
        (["a", "", "(,)"], ["root", "joint", "_"]),
    ],
)
def test_names_become_single_words(tmp_path: Path, names: list[str], legal: list[str]) -> None:
    assert make_legal_names(names) == legal
    chain = skeleton_of(names, [-1, 0, 1], [[0, 0, 0], [0, 0, 0], [0, 1, 0]])
    after = written(moving(chain), tmp_path)
    assert after.skeleton.names == tuple(legal)


def test_children_that_lie_apart_are_reached_by_bones_without_motion(tmp_path: Path) -> None:
    before = moving(BODY)
    after = written(before, tmp_path)
    assert largest_difference(before, after) < 1e-8
    bones = {bone.name: bone for bone in read_asf(tmp_path / "take.asf").bones}
    added = set(bones) - set(make_legal_names(BODY.names))
    assert added == {
        "left_leg_base",
        "right_leg_base",
        "left_foot_base",
        "left_foot_base_2",
        "neck_base",
        "left_arm_base",
        "spine_base",
    }
    assert not any(bones[name].freedoms for name in added)
    # The neck and the right arm start at the same place, so one bone leads to both.
    assert bones["neck"].parent == bones["right_arm"].parent
    assert "bones without motion lead to children that lie apart: " in (tmp_path / "take.asf").read_text()


def test_bones_that_lead_elsewhere_are_no_joints_when_read(tmp_path: Path) -> None:
    before = moving(BODY)
    after = written(before, tmp_path)
    assert sorted(after.skeleton.names) == sorted(make_legal_names(BODY.names))
    ends = {(after.skeleton.names[tip.joint], tuple(tip.offset.round(9))) for tip in after.skeleton.tips}
    names = make_legal_names(BODY.names)
    assert ends == {(names[tip.joint], tuple(tip.offset)) for tip in BODY.tips}
    assert after.source.channels is not None
    assert len(after.source.channels) == BODY.n_joints
    np.testing.assert_allclose(
        sorted_points(after.tip_positions()), sorted_points(before.tip_positions()), atol=1e-8
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [("apart: left_leg_base", "apart:"), ("name left_leg_base", "name left_leg_base\n    dof rx")],
)
def test_only_bones_that_cannot_move_and_are_named_so_are_left_out(
    tmp_path: Path, old: str, new: str
) -> None:
    write_acclaim(moving(BODY), tmp_path / "take.amc")
    asf = tmp_path / "take.asf"
    asf.write_text(asf.read_text().replace(old, new))
    after = read_acclaim(tmp_path / "take.amc", asf)
    assert set(after.skeleton.names) - set(make_legal_names(BODY.names)) == {"left_leg_base"}


def test_writing_what_was_read_adds_nothing(tmp_path: Path) -> None:
    once = written(moving(BODY), tmp_path)
    twice = written(once, tmp_path)
    assert twice.skeleton.names == once.skeleton.names
    assert twice.source.channels == once.source.channels
    np.testing.assert_allclose(twice.world_positions(), once.world_positions(), atol=1e-8)


def test_bones_that_move_get_the_freedom_to(tmp_path: Path) -> None:
    still = moving(BODY)
    moved = np.tile(BODY.offsets, (5, 1, 1))
    moved[:, 2] += np.random.default_rng(1).normal(size=(5, 3))
    before = replace(still, translations=moved)
    after = written(before, tmp_path)
    assert largest_difference(before, after) < 1e-8
    assert after.source.channels is not None
    foot = after.source.channels[after.skeleton.index("left_foot")]
    assert foot == ("TX", "TY", "TZ", "RX", "RY", "RZ")
    assert after.source.channels[after.skeleton.index("left_leg")] == ("RX", "RY", "RZ")
    assert (
        "joints that need more degrees of freedom than their file gave: left foot"
        in (tmp_path / "take.asf").read_text()
    )


def test_rest_rotations_are_folded_into_the_motion(tmp_path: Path) -> None:
    rest = rotations.normalize(np.random.default_rng(5).normal(size=(BODY.n_joints, 4)))
    before = moving(replace(BODY, rest_rotations=rest))
    moved = np.array(np.tile(BODY.offsets, (5, 1, 1)))
    moved[:, 4, 1] += np.linspace(0, 1, 5)
    for clip in (before, replace(before, translations=moved)):
        after = written(clip, tmp_path)
        assert largest_difference(clip, after) < 1e-8
        np.testing.assert_allclose(
            sorted_points(after.tip_positions()), sorted_points(clip.tip_positions()), atol=1e-8
        )
    joints = [after.skeleton.index(name) for name in make_legal_names(BODY.names)][1:]
    here = after.skeleton.rest_positions() - after.skeleton.rest_positions()[0]
    there = before.skeleton.rest_positions() - before.skeleton.rest_positions()[0]
    np.testing.assert_allclose(here[joints], there[1:], atol=1e-8)


@pytest.mark.parametrize("freedoms", [(), ("RX",), ("RZ",), ("RX", "RZ"), ("RZ", "RY"), ("RY", "RX", "RZ")])
def test_degrees_of_freedom_grow_only_where_the_motion_needs_them(
    tmp_path: Path, freedoms: tuple[str, ...]
) -> None:
    chain = skeleton_of(["root", "a"], [-1, 0], np.zeros((2, 3)), (1, [1, 2, 3]))
    axes = rotations.normalize([[1, 0, 0, 0], [4, 1, 2, 3]])
    channels = (("TX", "TY", "TZ", "RX", "RY", "RZ"), freedoms)
    angles = np.random.default_rng(2).uniform(-3, 3, (6, len(freedoms)))
    order = "".join(name[1] for name in freedoms)
    own = rotations.from_euler(angles[:, ::-1], order[::-1])
    turns = rotations.multiply(rotations.multiply(axes[1], own), rotations.inverse(axes[1]))
    both = np.stack([np.tile(rotations.IDENTITY, (6, 1)), turns], axis=1)
    source = Source(format="amc", channels=channels, axes=axes)
    fits = Clip(chain, 0.1, np.zeros((6, 3)), both, source=source)
    after = written(fits, tmp_path)
    assert after.source.channels == channels
    assert after.source.axes is not None
    np.testing.assert_allclose(np.abs((after.source.axes * axes).sum(axis=-1)), 1.0, atol=1e-12)
    np.testing.assert_allclose(after.tip_positions(), fits.tip_positions(), atol=1e-8)
    free = replace(moving(chain, 6), source=source)
    grown = written(free, tmp_path)
    assert grown.source.channels is not None
    assert set(grown.source.channels[1]) == {"RX", "RY", "RZ"}
    np.testing.assert_allclose(grown.tip_positions(), free.tip_positions(), atol=1e-8)


@pytest.mark.parametrize(
    "source",
    [Source(unit="cm", metres_per_unit=0.01), Source(unit="1/0.45 inch", metres_per_unit=0.0254 / 0.45)],
)
def test_unit_and_rate_come_back(tmp_path: Path, source: Source) -> None:
    after = written(replace(moving(BODY), source=source, frame_time=0.0333667), tmp_path)
    assert (after.source.unit, after.source.metres_per_unit) == (source.unit, source.metres_per_unit)
    assert after.frame_time == 0.0333667
    assert after.source.notes == ()


def test_a_unit_that_is_not_known_is_not_stated(tmp_path: Path) -> None:
    after = written(replace(moving(BODY), source=Source(unit="")), tmp_path)
    assert after.source.unit == ""
    assert "one length unit" not in (tmp_path / "take.asf").read_text()


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_any_skeleton_keeps_its_motion(
    tmp_path_factory: pytest.TempPathFactory, seed: int, n_joints: int
) -> None:
    rng = np.random.default_rng(seed)
    parents = [-1, *(int(rng.integers(0, n)) for n in range(1, n_joints))]
    offsets = rng.integers(-1, 2, size=(n_joints, 3)).astype(float)
    n_tips = int(rng.integers(0, 3))
    tips = [(int(rng.integers(0, n_joints)), 0.5 * rng.integers(-1, 2, size=3)) for _ in range(n_tips)]
    skeleton = skeleton_of([f"j{n}" for n in range(n_joints)], parents, offsets, *tips)
    before = moving(skeleton, 2, seed)
    folder = tmp_path_factory.mktemp("any")
    assert largest_difference(before, written(before, folder)) < 1e-7


@pytest.mark.parametrize("take", ["16_15", "09_11"])
def test_cmu_takes_come_back_with_their_own_numbers(mocap: Path, tmp_path: Path, take: str) -> None:
    path = mocap / f"dialects/asf_amc/{take}.amc"
    before = read_acclaim(path)
    after = written(before, tmp_path)
    assert after.skeleton.names == before.skeleton.names
    assert after.source.channels == before.source.channels
    assert np.abs(after.world_positions() - before.world_positions()).max() < 1e-8
    assert np.abs(after.tip_positions() - before.tip_positions()).max() < 1e-8
    # Almost every line is the very text of the original; the rest differs in what is left of zero.
    ours, theirs = (set(p.read_text().split("\n")) for p in (tmp_path / "take.amc", path))
    assert len(theirs - ours) < 0.15 * len(theirs)


@pytest.mark.parametrize("name", ["xsens_style_40hz_cut", "neuron_6ch_125hz_cut", "mocapbank_zxy_crlf"])
def test_bvh_clips_keep_their_motion(mocap: Path, tmp_path: Path, name: str) -> None:
    before = read_bvh(mocap / f"dialects/bvh/{name}.bvh")[:20]
    after = written(before, tmp_path)
    size = float(np.ptp(before.world_positions()))
    assert largest_difference(before, after) < 1e-7 * size
    assert after.frame_time == before.frame_time
