"""Body-model motion as large collections share it: read, written, told apart from our own files."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.body_models.amass import TEMPLATE_PELVIS, is_amass
from motionloom.files.body_models.smpl import LAYOUTS, smpl_skeleton
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_height, find_anatomy
from tests.figures import smooth_clip
from tests.files.mutation import mutated

STANDING = np.array([np.pi / 2, 0.0, 0.0])
"""The root's rotation vector of a body that stands upright in a Z-up world: the model itself is Y up."""


def upright(n_frames: int = 5, n_joints: int = 52, **arrays: Any) -> dict[str, Any]:
    """The arrays of a file in which a body stands still, facing −Y."""
    poses = np.zeros((n_frames, 3 * n_joints))
    poses[:, :3] = STANDING
    places = np.tile([0.0, 0.0, 0.92], (n_frames, 1))
    return {"poses": poses, "trans": places, "mocap_framerate": np.array(120.0), **arrays}


def saved(folder: Path, **arrays: Any) -> Path:
    np.savez(folder / "x.npz", **{name: value for name, value in arrays.items() if value is not None})
    return folder / "x.npz"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"poses": np.zeros((5, 100))}, "has poses of 100 numbers, not of 66, 72, 156, 165"),
    ({"poses": np.zeros(5)}, r"has no array 'poses' of shape \(T, 3·J\)"),
    ({"poses": np.full((5, 156), np.nan)}, "'poses.npy' holds a number that is not finite"),
    ({"poses": np.full((5, 156), 1 + 2j)}, "'poses.npy' is not a plain array of numbers"),
    ({"poses": np.array([["a"] * 156] * 5)}, "'poses.npy' is not a plain array of numbers"),
    ({"trans": np.zeros((4, 3))}, r"trans must have shape \(5, 3\), not \(4, 3\)"),
    ({"mocap_framerate": None}, r"states no frame rate: state it with fps="),
    ({"mocap_framerate": np.array(0.0)}, "states an invalid frame rate: fps must be a positive number"),
]


@pytest.mark.parametrize(("arrays", "message"), WRONG)
def test_wrong_files_are_refused(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        ml.load(saved(tmp_path, **upright(**arrays)))


@pytest.mark.slow
def test_arrays_that_unpack_to_far_more_than_the_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez_compressed(path, poses=np.zeros((60_000, 156)), trans=np.zeros((60_000, 3)))
    with pytest.raises(
        FileFormatError, match=r"'poses\.npy' with 9360000 numbers: reading it would take about 150 MB"
    ):
        ml.load(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            b"(5, 156), }" + b" " * 11,
            b"(99999999999, 156), }" + b" ",
            r"does not have the size of its shape \(99999999999, 156\)",
        ),
        (b"<f8", b"<f1", "'poses.npy' is not a plain array of numbers"),
    ],
)
def test_a_shape_or_type_that_is_not_the_array_s_is_refused(
    tmp_path: Path, old: bytes, new: bytes, message: str
) -> None:
    buffer = io.BytesIO()
    np.save(buffer, np.zeros((5, 156)))
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("poses.npy", buffer.getvalue().replace(old, new))
        archive.writestr("trans.npy", buffer.getvalue())
    with pytest.raises(FileFormatError, match=message):
        ml.load(tmp_path / "x.npz")


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    path = saved(tmp_path, **upright(poses=np.array([object()] * 5, dtype=object)))
    with pytest.raises(FileFormatError, match=r"'poses\.npy' is not a plain array of numbers"):
        ml.load(path)


def test_arguments_that_say_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"unit does not apply to AMASS \.npz files"):
        ml.load(saved(tmp_path, **upright()), unit="cm")


def test_other_skeletons_are_not_written(tmp_path: Path) -> None:
    clip = smooth_clip(3)
    with pytest.raises(
        ParameterError,
        match=r"'pelvis' is missing: retarget the clip to motionloom\.files\.body_models\.smpl_sk",
    ):
        ml.save(clip, tmp_path / "x.npz", layout="amass")
    model = smpl_skeleton()
    moved = replace(model, parents=np.where(np.arange(22) == 15, 9, model.parents))
    with pytest.raises(ParameterError, match="the joint 'head' must have the parent 'neck' in an AMASS file"):
        ml.save(smooth_clip(3, skeleton=moved), tmp_path / "x.npz", layout="amass")
    turned = replace(model, rest_rotations=np.tile(rot.from_yaw(0.1), (22, 1)))
    with pytest.raises(
        ParameterError, match="the joint 'pelvis' has a rotation at rest, unlike a body model's"
    ):
        ml.save(smooth_clip(3, skeleton=turned), tmp_path / "x.npz", layout="amass")
    with pytest.raises(ParameterError, match=r"layout of \.npz files must be 'amass', not 'positions'"):
        ml.save(clip, tmp_path / "x.npz", layout="positions")


def test_a_body_that_stands(tmp_path: Path) -> None:
    clip = ml.load(saved(tmp_path, **upright()))
    assert (clip.fps, clip.n_frames, clip.skeleton.n_joints) == (120.0, 5, 52)
    # The model's place is 3 cm below the pelvis in height, and behind it because the offset does not turn.
    assert clip.root_positions[0] == pytest.approx([0.0, 0.92 + 0.03, 0.22])
    places = dict(zip(clip.skeleton.names, clip.world_positions()[0], strict=True))
    assert places["left_foot"][1] == pytest.approx(0.02, abs=0.03)
    assert places["head"][1] > 1.4
    assert places["left_wrist"][0] > 0.5, "the body faces +Z, its left is +X"


def test_both_vertical_axes_are_recognised(tmp_path: Path) -> None:
    lying = upright()
    lying["poses"][:, :3] = 0.0
    lying["trans"][:] = [0.0, 1.2, 0.0]
    clip = ml.load(saved(tmp_path, **lying))
    assert clip.root_positions[0] == pytest.approx([0.0, 0.98, 0.03])
    assert (
        "the up axis is uncertain: the format prescribes Z, the body is upright along Y"
        in clip.source.notes[1]
    )
    turned = ml.load(saved(tmp_path, **lying), up="z")
    assert turned.root_positions[0] == pytest.approx([0.0, 0.03, -0.98])


def test_a_body_that_lies_stays_on_the_floor(tmp_path: Path) -> None:
    """Feet to head along X would be taken for standing, were Z not usual in such files."""
    lying = upright(8)
    lying["poses"][:, :3] = rot.to_rotation_vector(rot.from_euler([-np.pi / 2], "Z"))
    clip = ml.load(saved(tmp_path, **lying))
    assert np.ptp(clip.world_positions()[0, :, 1]) < 0.6
    assert "the up axis is uncertain" in clip.source.notes[1]


@pytest.mark.parametrize("n_joints", LAYOUTS)
def test_all_models(tmp_path: Path, n_joints: int) -> None:
    clip = ml.load(saved(tmp_path, **upright(n_joints=n_joints)))
    assert clip.skeleton == smpl_skeleton(n_joints)


def test_files_in_parts_single_precision_and_columns(tmp_path: Path) -> None:
    whole = upright(4, 52)
    poses = whole.pop("poses").astype(np.float32)
    whole["trans"] = np.asfortranarray(whole["trans"])
    parts = {"root_orient": poses[:, :3], "pose_body": poses[:, 3:66], "pose_hand": poses[:, 66:]}
    whole["mocap_frame_rate"] = np.array([59.94])
    del whole["mocap_framerate"]
    clip = ml.load(saved(tmp_path, **whole, **parts))
    assert clip.fps == pytest.approx(59.94)
    assert clip.world_positions() == pytest.approx(
        ml.load(saved(tmp_path, **upright(4))).world_positions(), abs=1e-6
    )


def test_the_rate_can_be_stated(tmp_path: Path) -> None:
    assert ml.load(saved(tmp_path, **upright(mocap_framerate=None)), fps=30).fps == 30.0


def test_our_own_files_are_told_apart(tmp_path: Path) -> None:
    assert not is_amass(ml.save(smooth_clip(3), tmp_path / "ours.npz"))
    assert is_amass(saved(tmp_path, **upright()))
    (tmp_path / "no.npz").write_bytes(b"no zip")
    assert not is_amass(tmp_path / "no.npz")
    np.savez(tmp_path / "other.npz", weights=np.zeros(3))
    assert not is_amass(tmp_path / "other.npz")
    with pytest.raises(FileFormatError, match=r"is not a Motionloom file: it has no header\.json"):
        ml.load(tmp_path / "other.npz")


@pytest.mark.parametrize("n_joints", [22, 24, 52, 55])
def test_the_skeletons_are_bodies(n_joints: int) -> None:
    skeleton = smpl_skeleton(n_joints)
    assert body_height(skeleton) == pytest.approx(1.7, abs=0.1)
    body = find_anatomy(skeleton)
    assert len(body.legs) == len(body.arms) == 2
    assert [skeleton.names[leg.ankle] for leg in body.legs] == ["left_ankle", "right_ankle"]
    mirrored = skeleton.rest_positions()[[0, 2, 1]] * [-1, 1, 1]
    assert mirrored == pytest.approx(skeleton.rest_positions()[:3])


def moving(n_joints: int) -> Clip:
    return smooth_clip(40, skeleton=smpl_skeleton(n_joints))


@pytest.mark.parametrize("n_joints", [22, 52])
def test_what_is_written_is_read(tmp_path: Path, n_joints: int) -> None:
    clip = moving(n_joints)
    again = ml.load(ml.save(clip, tmp_path / "x.npz", layout="amass"), up="z")
    assert again.frame_time == clip.frame_time
    joints = [again.skeleton.index(name) for name in clip.skeleton.names]
    assert again.world_positions()[:, joints] == pytest.approx(clip.world_positions(), abs=1e-12)


def test_numpy_reads_what_is_written(tmp_path: Path) -> None:
    clip = moving(22)
    with np.load(ml.save(clip, tmp_path / "x.npz", layout="amass"), allow_pickle=False) as arrays:
        assert {name: arrays[name].shape for name in arrays.files} == {
            "poses": (40, 156),
            "trans": (40, 3),
            "betas": (16,),
            "dmpls": (40, 8),
            "gender": (),
            "mocap_framerate": (),
        }
        assert arrays["mocap_framerate"] == 60.0
        x, y, z = clip.root_positions[7]
        assert arrays["trans"][7] + TEMPLATE_PELVIS == pytest.approx(np.array([x, -z, y]))
        assert not arrays["poses"][:, 66:].any(), "fingers that the clip does not have stay straight"


@pytest.mark.slow
@settings(max_examples=200)
@given(seed=st.integers(0, 2**32), compressed=st.booleans())
def test_damaged_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, seed: int, compressed: bool
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "x.npz"
    (np.savez_compressed if compressed else np.savez)(path, **upright(4, 24))
    path.write_bytes(mutated(path.read_bytes(), seed))
    with suppress(FileFormatError):
        assert ml.load(path).skeleton.n_joints in LAYOUTS
