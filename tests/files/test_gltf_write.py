"""Clips as figures of sticks in glTF files: nothing lost but digits that single precision does not hold."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError
from motionloom.files.gltf.read import read_gltf
from motionloom.files.gltf.write import convert_rotations, write_animations, write_gltf
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Event, Skeleton
from tests.conftest import captured
from tests.figures import random_rotations, skeleton_of, smooth_clip
from tests.files.gltf_sketch import parts_of, slow_positions
from tests.refusals import refused

TENTH_MILLIMETRE = 1e-4
MOTIONS = [
    *captured("locomotion/**/*.bvh"),
    *captured("dialects/bvh/*.bvh"),
    *captured("dialects/asf_amc/*.amc"),
]


def annotated() -> Clip:
    """A clip with everything that a file of ours keeps."""
    clip = smooth_clip(30, moving=True)
    third = 1 / 3
    return replace(
        clip,
        skeleton=replace(clip.skeleton, rest_rotations=random_rotations((6,), seed=4)),
        frame_time=0.0083333,
        constraints=(
            Constraint("left", "heel", third, 12.5, np.array([0.1, third, 0.0]), np.array([1.0, 0.0, third])),
            Constraint("right", "toe", 3, 30),
        ),
        events=(Event(third, "strike", "left"), Event(29, "lift")),
        cyclic=True,
    )


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.glb"
    with pytest.raises(ParameterError, match="a glTF file needs at least one frame: the clip has none"):
        ml.save(smooth_clip(5)[:0], path)
    far = replace(smooth_clip(5), root_positions=np.full((5, 3), 2e9))
    with pytest.raises(MotionloomError, match=r"a value of 2e\+09 is too large to be written"):
        ml.save(far, path)
    with refused("animation", 3):
        ml.save(smooth_clip(5), path, animation=3)  # type: ignore[arg-type]
    assert not path.exists()
    ml.save(smooth_clip(5), path)
    with pytest.raises(FileExistsRefusal):
        ml.save(smooth_clip(5), path)
    ml.save(smooth_clip(7), path, overwrite=True)
    assert len(ml.load(path)) == 7


NOT_APPLYING: list[dict[str, Any]] = [{"unit": "cm"}, {"up": "z"}, {"layout": "amass"}]


@pytest.mark.parametrize("arguments", NOT_APPLYING)
def test_the_format_has_one_unit_and_one_axis(tmp_path: Path, arguments: dict[str, Any]) -> None:
    (name,) = arguments
    with pytest.raises(ParameterError, match=rf"{name} does not apply to \.glb files"):
        ml.save(smooth_clip(5), tmp_path / "x.glb", **arguments)


def test_the_smallest_clip(tmp_path: Path) -> None:
    dot = Clip(
        skeleton_of(("dot",), [-1], [[0, 0, 0]]), 0.25, np.array([[1.0, 2, 3]]), rot.IDENTITY[None, None]
    )
    write_gltf(dot, tmp_path / "x.glb", animation="still")
    content, _ = parts_of(tmp_path / "x.glb")
    assert content["nodes"][0] == {"name": "dot"}
    assert content["animations"][0]["name"] == "still"
    assert content["accessors"][0]["max"] > content["accessors"][0]["min"], "even a dot has a mesh"
    again = read_gltf(tmp_path / "x.glb")
    assert again.root_positions.tolist() == [[1, 2, 3]]
    assert again.frame_time == 0.25


@pytest.mark.parametrize("ending", [".glb", ".gltf"])
def test_everything_comes_back(tmp_path: Path, ending: str) -> None:
    clip = annotated()
    again = ml.load(ml.save(clip, tmp_path / f"x{ending}"))
    assert again.skeleton == clip.skeleton
    assert again.frame_time == clip.frame_time
    assert again.cyclic
    assert again.constraints == clip.constraints
    assert again.events == clip.events
    assert again.world_positions() == pytest.approx(clip.world_positions(), abs=1e-6)
    assert again.translations is not None
    assert clip.translations is not None
    assert again.translations[:, 1:] == pytest.approx(clip.translations[:, 1:], abs=1e-6)
    assert again.source.notes == ()


def test_markers_for_other_programs_are_in_seconds(tmp_path: Path) -> None:
    write_gltf(annotated(), tmp_path / "x.glb")
    content, _ = parts_of(tmp_path / "x.glb")
    markers = content["animations"][0]["extras"]["motionloom"]["sync_events"]
    assert markers[0] == {"time": pytest.approx(0.0083333 / 3), "name": "strike", "joint": "left"}


def test_annotations_follow_another_rate(tmp_path: Path) -> None:
    path = ml.save(replace(annotated(), frame_time=1 / 60, cyclic=False, constraints=()), tmp_path / "x.glb")
    again = ml.load(path, fps=30)
    assert (again.fps, again.n_frames) == (30.0, 15)
    assert again.events[0].frame == pytest.approx(1 / 6)


def test_the_default_name_is_that_of_the_source(tmp_path: Path) -> None:
    clip = ml.load(ml.save(smooth_clip(5), tmp_path / "walk.bvh"))
    for source, name in ((clip, "walk"), (smooth_clip(5), "x")):
        content, _ = parts_of(ml.save(source, tmp_path / "x.glb", overwrite=True))
        assert content["animations"][0]["name"] == name


def test_neighbouring_quaternions_lie_in_one_hemisphere() -> None:
    flipping = smooth_clip(700).rotations * np.where(np.arange(700) % 3, 1.0, -1.0)[:, None, None]
    singles = convert_rotations(flipping)
    assert (np.einsum("jti,jti->jt", singles[:, 1:], singles[:, :-1]) > 0).all()
    assert rot.unroll(flipping)[..., 1:].swapaxes(0, 1) == pytest.approx(
        singles[..., :3] * np.sign(singles[:, :1, 3:] * flipping[0, :, None, :1]), abs=1e-7
    )


@pytest.mark.parametrize("distance", [90.0, 5_000.0, 1e6])
def test_far_from_the_origin(tmp_path: Path, distance: float) -> None:
    clip = smooth_clip(50)
    clip = replace(clip, root_positions=clip.root_positions + distance * np.array([1.0, 0.0, -1.0]))
    path = ml.save(clip, tmp_path / "x.glb")
    again = ml.load(path)
    assert np.abs(again.world_positions() - clip.world_positions()).max() < 1e-5
    assert again.skeleton.names == clip.skeleton.names
    assert again.skeleton.offsets == pytest.approx(clip.skeleton.offsets, abs=1e-9)
    slow = slow_positions(path, clip.skeleton.names, 0, 20 * clip.frame_time)
    assert slow == pytest.approx(clip.world_positions()[20], abs=1e-5)


def test_every_array_is_aligned_and_inside(tmp_path: Path) -> None:
    write_gltf(annotated(), tmp_path / "x.glb")
    content, data = parts_of(tmp_path / "x.glb")
    ends = [view["byteOffset"] + view["byteLength"] for view in content["bufferViews"]]
    assert all(view["byteOffset"] % 4 == 0 for view in content["bufferViews"])
    assert max(ends) <= len(data) == content["buffers"][0]["byteLength"]
    inputs = {sampler["input"] for sampler in content["animations"][0]["samplers"]}
    assert len(inputs) == 1, "all keys share one list of times"
    assert content["accessors"][inputs.pop()]["max"] == [pytest.approx(29 * 0.0083333)]


def test_the_sticks_follow_the_joints(tmp_path: Path) -> None:
    """The mesh, skinned as a viewer does it, has its ends at the joints of every frame."""
    clip = annotated()
    write_gltf(clip, tmp_path / "x.glb")
    content, data = parts_of(tmp_path / "x.glb")

    def array(index: int, dtype: str, width: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        view = content["bufferViews"][content["accessors"][index]["bufferView"]]
        count = content["accessors"][index]["count"]
        return (
            np.frombuffer(data, dtype, count * width, view["byteOffset"]).reshape(count, width).astype(float)
        )

    attributes = content["meshes"][0]["primitives"][0]["attributes"]
    corners, owners = array(attributes["POSITION"], "<f4", 3), array(attributes["JOINTS_0"], "<u2", 4)[:, 0]
    bind = array(content["skins"][0]["inverseBindMatrices"], "<f4", 16).reshape(-1, 4, 4).swapaxes(1, 2)
    starts, joints = corners[0::6], owners[0::6].astype(int)
    assert joints.tolist() == [*clip.skeleton.parents[1:], 3, 5], "a stick per bone and per tip"
    local = np.einsum("nij,nj->ni", bind[joints], np.c_[starts, np.ones(len(starts))])[:, :3]
    assert local == pytest.approx(np.zeros_like(local), abs=1e-6)
    ends = np.einsum("nij,nj->ni", bind[joints], np.c_[corners[5::6], np.ones(len(starts))])[:, :3]
    expected = [*clip.skeleton.offsets[1:], *(tip.offset for tip in clip.skeleton.tips)]
    assert ends == pytest.approx(np.array(expected), abs=1e-6)


def test_faces_look_outwards(tmp_path: Path) -> None:
    write_gltf(smooth_clip(2), tmp_path / "x.glb")
    content, data = parts_of(tmp_path / "x.glb")
    primitive = content["meshes"][0]["primitives"][0]
    views = [
        content["bufferViews"][content["accessors"][index]["bufferView"]]["byteOffset"]
        for index in (primitive["attributes"]["POSITION"], primitive["indices"])
    ]
    corners = np.frombuffer(data, "<f4", 18, views[0]).reshape(6, 3)
    faces = corners[np.frombuffer(data, "<u4", 24, views[1]).reshape(8, 3)]
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    outwards = faces.mean(axis=1) - corners[1:5].mean(axis=0)
    assert (np.einsum("ni,ni->n", normals, outwards) > 0).all()


def test_joints_beyond_two_hundred_and_fifty_six(tmp_path: Path) -> None:
    count = 300
    chain = Skeleton(
        tuple(map(str, range(count))), np.arange(count) - 1, np.tile([0.0, 0.01, 0.0], (count, 1))
    )
    clip = smooth_clip(3, skeleton=chain)
    again = ml.load(ml.save(clip, tmp_path / "x.glb"))
    assert again.world_positions() == pytest.approx(clip.world_positions(), abs=1e-5)


@pytest.mark.parametrize("path", MOTIONS, ids=[path.stem for path in MOTIONS])
def test_captured_clips_go_through_every_format(tmp_path: Path, path: Path) -> None:
    """BVH or AMC to GLB, to npz, to GLB and back to BVH: positions, names and frame times stay."""
    clip = ml.load(path)
    glb = ml.load(ml.save(clip, tmp_path / "a.glb"))
    native = ml.load(ml.save(glb, tmp_path / "b.npz"))
    again = ml.load(ml.save(native, tmp_path / "c.glb"))
    assert again.skeleton == clip.skeleton
    assert again.frame_time == clip.frame_time
    assert np.abs(again.world_positions() - clip.world_positions()).max() < TENTH_MILLIMETRE / 10
    text = ml.save(again, tmp_path / "d.bvh", unit="cm")
    back = ml.load(text, unit="cm", up="y", keep_rest_rows=True, root_offset="absolute")
    assert back.skeleton.names == clip.skeleton.names
    assert np.abs(back.world_positions() - clip.world_positions()).max() < TENTH_MILLIMETRE


def test_several_animations_of_one_skeleton(tmp_path: Path) -> None:
    clips = {"whole": annotated(), "start": annotated()[:20]}
    write_animations(clips, tmp_path / "two.glb")
    for name, clip in clips.items():
        again = ml.load(tmp_path / "two.glb", animation=name, cyclic=False)
        assert again.n_frames == clip.n_frames
        assert np.abs(again.world_positions() - clip.world_positions()).max() < TENTH_MILLIMETRE
    other = smooth_clip(3)
    with pytest.raises(ParameterError, match="one skeleton, but that of 'other' differs"):
        write_animations(clips | {"other": other}, tmp_path / "three.glb")
    assert not (tmp_path / "three.glb").exists()


VALIDATOR = """
const validator = require('gltf-validator'), fs = require('fs');
(async () => {
  for (const file of process.argv.slice(1)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    console.log(JSON.stringify(report.issues));
  }
})();
"""


def validated(paths: list[Path]) -> list[dict[str, object]]:
    """What the official validator finds, file by file; skips where it is not installed."""
    node, home = shutil.which("node"), os.environ.get("MOTIONLOOM_GLTF_VALIDATOR", "")
    if not node or not (Path(home) / "node_modules" / "gltf-validator").is_dir():
        pytest.skip(
            "needs node, and in MOTIONLOOM_GLTF_VALIDATOR a folder where 'npm install gltf-validator' was run"
        )
    run = subprocess.run(
        [node, "-e", VALIDATOR, *paths], cwd=home, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.slow
def test_the_validator_finds_nothing(tmp_path: Path) -> None:
    clips = [annotated(), smooth_clip(1), *(ml.load(path) for path in MOTIONS)]
    clips.append(replace(smooth_clip(9), root_positions=smooth_clip(9).root_positions + 4e3))
    paths = [ml.save(clip, tmp_path / f"{n}.glb") for n, clip in enumerate(clips)]
    paths.append(ml.save(annotated(), tmp_path / "text.gltf"))
    paths.append(tmp_path / "several.glb")
    write_animations({"first": annotated(), "second": annotated()[:20]}, paths[-1])
    for path, issues in zip(paths, validated(paths), strict=True):
        assert issues["messages"] == [], path.name
