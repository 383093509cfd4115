"""Motion given to a character that a file holds: everything else in the file stays."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import FileExistsRefusal, FileFormatError, MotionloomError, ParameterError
from motionloom.files.gltf.read import read_gltf
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Skeleton
from motionloom.motion.kinematics import world_points
from tests.figures import smooth_clip
from tests.files.gltf_sketch import Sketch, leg, parts_of
from tests.files.test_gltf_write import validated

FILES = "dialects/fbx_gltf"


def hero(**root: Any) -> Sketch:
    """The leg with a mesh, a material and an animation of its own, on a node that scales and turns."""
    sketch = leg(**root)
    corners = sketch.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], min=[0, 0, 0], max=[1, 1, 0])
    sketch.content["meshes"] = [{"primitives": [{"attributes": {"POSITION": corners}, "material": 0}]}]
    sketch.content["materials"] = [{"name": "cloth"}]
    sketch.content["nodes"] += [
        {"name": "body", "mesh": 0, "skin": 0},
        {
            "name": "rig",
            "children": [0],
            "scale": [2, 2, 2],
            "rotation": [0, 1, 0, 0],
            "translation": [5, 0, 0],
        },
    ]
    sketch.animate((0, "translation", [0, 1], [[0, 1, 0], [0, 2, 0]]), name="wave")
    return sketch


def motion(n_frames: int = 12) -> Clip:
    """A motion of the leg's two joints, with the rest pose of the hero."""
    skeleton = Skeleton(("hip", "knee"), np.array([-1, 0]), np.array([[5.0, 2, 0], [0, -1, 0]]))
    turned = np.array([0.0, 0.0, 1.0, 0.0])
    return smooth_clip(n_frames, skeleton=replace(skeleton, rest_rotations=np.array([turned, rot.IDENTITY])))


def test_a_character_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    template = hero().save(tmp_path / "hero.glb")

    def refusal(clip: Clip) -> str:
        with pytest.raises(ParameterError) as caught:
            ml.save(clip, tmp_path / "out.glb", template=template)
        return str(caught.value)

    clip = motion()
    other = replace(clip.skeleton, names=("pelvis", "knee"))
    assert "hero.glb has no node 'pelvis' for the clip's root" in refusal(replace(clip, skeleton=other))
    other = replace(clip.skeleton, names=("hip", "elbow"))
    assert "hero.glb has no joints 'elbow': retarget the clip" in refusal(replace(clip, skeleton=other))
    assert "has no joints 'left', 'right', 'left end'" in refusal(
        smooth_clip(
            3, skeleton=replace(smooth_clip(3).skeleton, names=("hip", *smooth_clip(3).skeleton.names[1:]))
        )
    )
    pointing = replace(
        clip.skeleton, offsets=np.array([[5.0, 2, 0], [1, 0, 0]]), rest_rotations=np.empty((0, 4))
    )
    assert "the bone to 'knee' is off by 90°; retarget the clip" in refusal(replace(clip, skeleton=pointing))
    large = replace(clip.skeleton, offsets=3.0 * clip.skeleton.offsets)
    assert "the body of the clip is 3 times as large" in refusal(replace(clip, skeleton=large))
    with pytest.raises(ParameterError, match=r"template does not apply to \.bvh files"):
        ml.save(clip, tmp_path / "out.bvh", template=template)
    with pytest.raises(FileFormatError, match="there is no such file"):
        ml.save(clip, tmp_path / "out.glb", template=tmp_path / "nobody.glb")


def test_another_tree_is_refused(tmp_path: Path) -> None:
    sketch = hero()
    sketch.content["nodes"][0]["children"] = [4]
    sketch.content["nodes"].append({"name": "twist", "children": [1]})
    with pytest.raises(ParameterError, match="the parent of 'knee' is not 'hip' as in the clip"):
        ml.save(motion(), tmp_path / "out.glb", template=sketch.save(tmp_path / "hero.glb"))


def test_the_character_moves_and_nothing_else_changes(tmp_path: Path) -> None:
    template = hero().save(tmp_path / "hero.glb")
    path = ml.save(motion(), tmp_path / "out.glb", template=template, animation="dance")
    again = ml.load(path, animation="dance")
    assert again.skeleton.names == ("hip", "knee")
    assert again.world_positions() == pytest.approx(motion().world_positions(), abs=1e-6)
    assert again.frame_time == motion().frame_time
    before, data_before = parts_of(template)
    after, data_after = parts_of(path)
    assert data_after.startswith(data_before)
    assert after["animations"][0] == before["animations"][0]
    for kind in ("nodes", "meshes", "materials", "skins"):
        assert after[kind] == before[kind]
    assert after["accessors"][: len(before["accessors"])] == before["accessors"]


def test_annotations_go_along(tmp_path: Path) -> None:
    clip = replace(motion(), constraints=(Constraint("knee", "toe", 1, 5, np.array([0.0, 0.0, 0.5])),))
    path = ml.save(clip, tmp_path / "out.glb", template=hero().save(tmp_path / "hero.glb"), animation="a")
    assert ml.load(path, animation="a").constraints == clip.constraints


def test_a_character_may_be_written_over_itself(tmp_path: Path) -> None:
    path = hero().save(tmp_path / "hero.glb")
    ml.save(motion(), path, template=path, animation="dance")
    grown = path.read_bytes()
    with pytest.raises(
        MotionloomError, match=r"hero\.glb already has an animation 'dance': choose another name"
    ):
        ml.save(motion(), path, template=path, animation="dance")
    assert path.read_bytes() == grown
    ml.save(motion(), path, template=path, animation="dance", overwrite=True)
    assert path.read_bytes() == grown, "numbers of the animation that was replaced are taken out"
    ml.save(motion(5), path, template=path, animation="jump")
    content, _ = parts_of(path)
    assert [animation["name"] for animation in content["animations"]] == ["wave", "dance", "jump"]
    assert len(ml.load(path, animation="jump")) == 5


def test_another_file_is_not_written_over(tmp_path: Path) -> None:
    template = hero().save(tmp_path / "hero.glb")
    (tmp_path / "out.glb").write_bytes(b"mine")
    with pytest.raises(FileExistsRefusal):
        ml.save(motion(), tmp_path / "out.glb", template=template)
    assert (tmp_path / "out.glb").read_bytes() == b"mine"


def test_an_animation_of_another_program_is_replaced(tmp_path: Path) -> None:
    template = hero().save(tmp_path / "hero.glb")
    content, _ = parts_of(ml.save(motion(), tmp_path / "out.glb", template=template, animation="wave"))
    assert [animation["name"] for animation in content["animations"]] == ["wave"]
    assert len(content["animations"][0]["channels"]) == 3


def test_nodes_placed_by_a_matrix_can_move(tmp_path: Path) -> None:
    sketch = hero()
    hip = sketch.content["nodes"][0]
    del hip["translation"]
    hip["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]
    del sketch.content["animations"]
    path = ml.save(motion(), tmp_path / "out.glb", template=sketch.save(tmp_path / "hero.glb"))
    assert ml.load(path).world_positions() == pytest.approx(motion().world_positions(), abs=1e-6)
    assert parts_of(path)[0]["nodes"][0]["scale"] == [1, 1, 1]


def test_joints_whose_axes_stand_otherwise_are_converted(tmp_path: Path) -> None:
    """The same rest pose with unturned joints, as a BVH file of the same character has it."""
    skeleton = Skeleton(("hip", "knee"), np.array([-1, 0]), np.array([[5.0, 2, 0], [0, -1, 0]]))
    clip = smooth_clip(9, skeleton=skeleton)
    stretched = skeleton.offsets + np.random.default_rng(0).normal(scale=0.1, size=(9, 2, 3))
    toe = Constraint("knee", "toe", 1, 5, np.array([0.1, -0.2, 0.3]))
    clip = replace(clip, translations=stretched, constraints=(toe,))
    path = ml.save(clip, tmp_path / "out.glb", template=hero().save(tmp_path / "hero.glb"), animation="a")
    again = ml.load(path, animation="a")
    assert again.world_positions() == pytest.approx(clip.world_positions(), abs=1e-6)
    assert constrained_points(again) == pytest.approx(constrained_points(clip), abs=1e-6)


def constrained_points(clip: Clip) -> FloatArray:
    """World positions (T, N, 3) of the points that constraints hold."""
    joints = [clip.skeleton.index(constraint.joint) for constraint in clip.constraints]
    points = [constraint.point for constraint in clip.constraints]
    return world_points(clip.world_positions(), clip.world_rotations(), joints, np.array(points))


def test_buffers_and_pictures_beside_a_text_file_are_taken_in(tmp_path: Path) -> None:
    sketch = hero()
    half = len(sketch.data) // 8 * 4
    content = sketch.content | {
        "buffers": [
            {"byteLength": half, "uri": "a.bin"},
            {"byteLength": len(sketch.data) - half, "uri": "b.bin"},
        ],
        "images": [{"uri": "skin.png"}],
    }
    for view in content["bufferViews"]:
        if view["byteOffset"] >= half:
            view.update(buffer=1, byteOffset=view["byteOffset"] - half)
    (tmp_path / "a.bin").write_bytes(sketch.data[:half])
    (tmp_path / "b.bin").write_bytes(sketch.data[half:])
    (tmp_path / "skin.png").write_bytes(b"picture")
    (tmp_path / "hero.gltf").write_text(json.dumps(content))
    (tmp_path / "elsewhere").mkdir()
    path = ml.save(
        motion(), tmp_path / "elsewhere" / "out.glb", template=tmp_path / "hero.gltf", animation="a"
    )
    after, data = parts_of(path)
    image = after["images"][0]
    assert image["mimeType"] == "image/png"
    view = after["bufferViews"][image["bufferView"]]
    assert data[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] == b"picture"
    assert read_gltf(path, animation="wave").root_positions == pytest.approx(
        np.linspace([5, 2, 0], [5, 4, 0], 25)
    )
    assert ml.load(path, animation="a").world_positions() == pytest.approx(
        motion().world_positions(), abs=1e-6
    )


@pytest.mark.parametrize("name", ["Fox.glb", "RiggedFigure.glb"])
def test_characters_of_others(mocap: Path, tmp_path: Path, name: str) -> None:
    template = mocap / FILES / name
    clip = ml.load(template).resampled(50).reversed()
    path = ml.save(clip, tmp_path / name, template=template, animation="backwards")
    again = ml.load(path, animation="backwards")
    assert again.fps == 50.0
    assert again.world_positions() == pytest.approx(clip.world_positions(), abs=1e-6)
    for kind in ("meshes", "materials", "skins", "nodes"):
        assert parts_of(path)[0][kind] == parts_of(template)[0][kind]


@pytest.mark.parametrize("name", ["Fox.glb", "RiggedFigure.glb"])
def test_the_validator_finds_no_more_than_in_the_template(mocap: Path, tmp_path: Path, name: str) -> None:
    template = mocap / FILES / name
    path = ml.save(ml.load(template), tmp_path / name, template=template, animation="again")
    before, after = validated([template, path])
    assert after["messages"] == before["messages"]
