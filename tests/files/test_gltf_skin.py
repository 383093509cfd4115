"""`load_skinned_mesh` and `save(…, mesh=…)`: vertices are where another renderer would put them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, FileTooLargeError, ParameterError
from motionloom.files.fbx.blender import blender_command
from motionloom.files.gltf import skin
from motionloom.files.load_skinned_mesh import load_character
from motionloom.motion.skinned_mesh import Material
from motionloom.synthesis import make_mannequin, walk
from tests.files.gltf_sketch import Sketch, parts_of, slow_skin
from tests.files.test_fbx import needs_blender
from tests.files.test_gltf_write import validated

SCRIPT = Path(__file__).with_name("blender_skin.py")

CORNERS = np.array([[0.0, 1.0, 0.0], [0.1, 0.8, 0.0], [0.0, 0.3, 0.0]])

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def tube(**root: Any) -> Sketch:
    """A hip and a knee with a mesh of three vertices, the last of which follows the knee."""
    sketch = Sketch(
        nodes=[
            {"name": "hip", "children": [1], "translation": [0, 1, 0], **root},
            {"name": "knee", "translation": [0, -0.5, 0]},
            {"name": "trousers", "mesh": 0, "skin": 0, "translation": [9, 9, 9]},
        ],
    )
    attributes = {
        "POSITION": sketch.array(CORNERS),
        "JOINTS_0": sketch.array([[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]], "<u1"),
        "WEIGHTS_0": sketch.array([[1, 0, 0, 0]] * 3),
    }
    primitive = {"attributes": attributes, "indices": sketch.array([0, 1, 2], "<u2")}
    sketch.content["meshes"] = [{"primitives": [primitive]}]
    binds = np.tile(np.eye(4), (2, 1, 1))
    binds[:, 3, 1] = -1.0, -0.5
    sketch.content["skins"] = [{"joints": [0, 1], "inverseBindMatrices": sketch.array(binds.reshape(2, 16))}]
    return sketch


def at_rest(mesh: ml.SkinnedMesh) -> FloatArray:
    skeleton = mesh.skeleton
    clip = ml.Clip(skeleton, 1.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    return np.asarray(mesh.vertices(clip)[0])


def test_a_mesh_follows_its_joints_and_not_its_own_node(tmp_path: Path) -> None:
    mesh = ml.load_skinned_mesh(tube().save(tmp_path / "tube.glb"))
    np.testing.assert_allclose(at_rest(mesh), CORNERS, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)
    assert (mesh.n_vertices, mesh.notes, mesh.texture_coordinates) == (3, (), None)


@pytest.mark.parametrize(
    "root",
    [
        {"scale": [2, 2, 2]},
        {"rotation": [0, 0.6, 0, 0.8]},
        {"scale": [0.5, 0.5, 0.5], "rotation": [0.6, 0, 0, 0.8], "translation": [3, 1, 2]},
    ],
)
def test_scaled_and_rotated_rigs_stand_as_the_format_says(tmp_path: Path, root: dict[str, Any]) -> None:
    path = tube(**root).save(tmp_path / "tube.glb")
    np.testing.assert_allclose(at_rest(ml.load_skinned_mesh(path)), slow_skin(path), atol=1e-6)


def test_the_mannequin_of_the_corpus_stands_as_the_format_says(mocap: Path, tmp_path: Path) -> None:
    path = mocap / "game" / "character" / "manny_med_mod.gltf"
    mesh = ml.load_skinned_mesh(path)
    whole = ml.save(ml.load(path), tmp_path / "whole.glb")  # the same in one file, for the slow reader
    np.testing.assert_allclose(at_rest(mesh), slow_skin(whole), atol=1e-5)
    assert mesh.texture_coordinates is not None
    assert mesh.materials[0].texture is not None


def test_meshes_that_hang_from_joints_follow_them(tmp_path: Path) -> None:
    sketch = tube()
    sketch.content["nodes"][1]["children"] = [3]
    sketch.content["nodes"].append({"name": "knee pad", "mesh": 0, "translation": [0, 0, 1]})
    mesh = ml.load_skinned_mesh(sketch.save(tmp_path / "pad.glb"))
    assert mesh.n_vertices == 6
    np.testing.assert_allclose(at_rest(mesh)[3:], [[0, 1.5, 1], [0.1, 1.3, 1], [0, 0.8, 1]], atol=1e-6)


def test_five_bones_of_a_vertex_become_four(tmp_path: Path) -> None:
    sketch = tube()
    attributes = sketch.content["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_1"] = sketch.array([[1, 0, 0, 0]] * 3, "<u1")
    attributes["WEIGHTS_0"] = sketch.array([[0.3, 0.2, 0.2, 0.2]] * 3)
    attributes["WEIGHTS_1"] = sketch.array([[0.1, 0, 0, 0]] * 3)
    mesh = ml.load_skinned_mesh(sketch.save(tmp_path / "five.glb"))
    np.testing.assert_allclose(mesh.weights.sum(axis=1), 1.0)
    assert mesh.notes == ("vertices follow the four bones with the largest weights, not all of theirs",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("skins") and c["nodes"][2].pop("skin"), "has no skin: a character needs a mesh"),
        (lambda c: c["nodes"][2].pop("mesh"), "has no mesh that is skinned to its skeleton"),
        (
            lambda c: c["meshes"][0]["primitives"][0]["attributes"].pop("WEIGHTS_0"),
            "has no joints and weights",
        ),
        (lambda c: c["skins"][0].update(joints=[0]), "names a joint that is none of the 1 of its skin"),
        (lambda c: c["meshes"][0]["primitives"][0].update(mode=1), "has no mesh that is skinned"),
        (
            lambda c: c["meshes"][0]["primitives"][0].update(
                extensions={"KHR_draco_mesh_compression": {"bufferView": 0}}
            ),
            r"is compressed .*save the file without compression",
        ),
        (lambda c: c["meshes"][0]["primitives"][0].update(indices=0), "must be 'SCALAR' here"),
        (lambda c: [each.update(count=0) for each in c["accessors"][:4]], "has no mesh that is skinned"),
    ],
)
def test_files_without_a_usable_skin_say_so(tmp_path: Path, change: Any, message: str) -> None:
    sketch = tube()
    change(sketch.content)
    with pytest.raises(FileFormatError, match=message):
        ml.load_skinned_mesh(sketch.save(tmp_path / "bad.glb"))


def test_a_broken_texture_is_left_out_with_a_note(tmp_path: Path) -> None:
    for image, note in ((b"no image", "is not a PNG, JPEG or WebP"), (None, "there is none")):
        sketch = tube()
        view = sketch.content["accessors"][sketch.array(np.frombuffer(image or PNG, "<u1"), "<u1")][
            "bufferView"
        ]
        sketch.content["images"] = [
            {"bufferView": view, "mimeType": "image/png"} if image else {"uri": "gone.png"}
        ]
        sketch.content["textures"] = [{"source": 0}]
        look = {"baseColorTexture": {"index": 0}, "baseColorFactor": [0.5, 0.25, 0, 1]}
        sketch.content["materials"] = [{"name": "cloth", "pbrMetallicRoughness": look}]
        sketch.content["meshes"][0]["primitives"][0]["material"] = 0
        mesh = ml.load_skinned_mesh(sketch.save(tmp_path / "texture.glb"))
        assert mesh.materials == (Material("cloth", (0.5, 0.25, 0.0, 1.0)),)
        assert note in mesh.notes[0]


@pytest.mark.parametrize(
    ("written", "mode", "cutoff", "opacity"),
    [
        ({}, "opaque", 0.5, 1.0),
        ({"alphaMode": "OPAQUE", "alphaCutoff": "unused"}, "opaque", 0.5, 1.0),
        ({"alphaMode": "MASK"}, "mask", 0.5, 0.75),
        ({"alphaMode": "MASK", "alphaCutoff": 0.3}, "mask", 0.3, 0.75),
        ({"alphaMode": "BLEND"}, "blend", 0.5, 0.75),
        ({"alphaMode": "FUTURE"}, "opaque", 0.5, 1.0),
    ],
)
def test_transparency_is_kept(
    tmp_path: Path, written: dict[str, Any], mode: str, cutoff: float, opacity: float
) -> None:
    sketch = tube()
    look = {"baseColorFactor": [0.5, 0.25, 0, 0.75]}
    sketch.content["materials"] = [{"name": "hair", "pbrMetallicRoughness": look, **written}]
    sketch.content["meshes"][0]["primitives"][0]["material"] = 0
    clip, mesh = load_character(sketch.save(tmp_path / "hair.glb"))
    (hair,) = mesh.materials
    assert (hair.alpha_mode, hair.alpha_cutoff, hair.colour[3]) == (mode, cutoff, opacity)
    _, again = load_character(ml.save(clip, tmp_path / "again.glb", mesh=mesh, template=None))
    assert again.materials[0].alpha_mode == mode
    assert again.materials[0].colour == hair.colour
    if mode == "mask":
        assert again.materials[0].alpha_cutoff == cutoff


def test_a_cutoff_that_is_no_number_is_refused(tmp_path: Path) -> None:
    sketch = tube()
    sketch.content["materials"] = [{"alphaMode": "MASK", "alphaCutoff": "half"}]
    with pytest.raises(FileFormatError, match=r"alphaCutoff .*must be a number"):
        ml.load_skinned_mesh(sketch.save(tmp_path / "hair.glb"))


def test_an_unknown_transparency_is_refused() -> None:
    with pytest.raises(ParameterError, match="alpha_mode must be opaque, mask or blend, not 'glass'"):
        Material(alpha_mode="glass")  # type: ignore[arg-type]


def test_too_many_vertices_or_bones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tube().save(tmp_path / "tube.glb")
    monkeypatch.setattr(skin, "MAX_VERTICES", 2)
    with pytest.raises(
        FileFormatError, match="has 3 vertices or more, and a character may have 2: reduce it"
    ):
        ml.load_skinned_mesh(path)
    monkeypatch.setattr(skin, "MAX_BONES", 1)
    with pytest.raises(FileFormatError, match="has 2 bones or more, and a character may have 1"):
        ml.load_skinned_mesh(path)


def test_a_file_that_would_not_fit_into_memory_is_refused(tmp_path: Path) -> None:
    path = tube().save(tmp_path / "tube.glb")
    with pytest.raises(FileTooLargeError, match="reading it would take"):
        ml.load_skinned_mesh(path, max_memory=1000)


def test_a_written_mannequin_is_read_back_with_its_motion(tmp_path: Path) -> None:
    clip = walk(duration=0.4, fps=20).clip
    mesh = make_mannequin(clip)
    path = ml.save(clip, tmp_path / "walk.glb", mesh=mesh)
    again, motion = ml.load_skinned_mesh(path), ml.load(path)
    np.testing.assert_allclose(again.vertices(motion), mesh.vertices(clip), atol=1e-5)
    assert motion.source.character is not None
    home = ml.save(motion, tmp_path / "again.glb")  # goes home into a copy of its file
    np.testing.assert_allclose(ml.load_skinned_mesh(home).positions, again.positions)
    content, _ = parts_of(path)
    assert json.dumps(content).count('"mesh"') == 1


def test_a_mesh_of_another_skeleton_or_format_is_refused(tmp_path: Path) -> None:
    clip = walk(duration=0.2, fps=20).clip
    mesh = ml.load_skinned_mesh(tube().save(tmp_path / "tube.glb"))
    with pytest.raises(
        ParameterError, match="the mesh follows the joint 'hip', which the clip does not have"
    ):
        ml.save(clip, tmp_path / "walk.glb", mesh=mesh)
    with pytest.raises(ParameterError, match=r"mesh does not apply to \.bvh files"):
        ml.save(clip, tmp_path / "walk.bvh", mesh=mesh)
    with pytest.raises(ParameterError, match="mesh must be a SkinnedMesh"):
        ml.save(clip, tmp_path / "walk.glb", mesh="tube")  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_validator_accepts_mannequins_and_characters(mocap: Path, tmp_path: Path) -> None:
    clip = ml.annotate(walk(duration=1.0, fps=30).clip)
    hero = ml.load(mocap / "game" / "character" / "manny_med_mod.gltf")
    paths = [
        ml.save(clip, tmp_path / "mannequin.glb", mesh=make_mannequin(clip)),
        ml.save(ml.retarget(clip, hero), tmp_path / "hero.glb"),
    ]
    mannequin, character = validated(paths)
    assert mannequin["messages"] == []
    # The corpus file itself has its meshes below a node, which the validator mentions.
    assert character["numErrors"] == 0
    messages: Any = character["messages"]
    assert {each["code"] for each in messages} <= {"NODE_SKINNED_MESH_NON_ROOT"}


@needs_blender
@pytest.mark.slow
def test_blender_opens_characters_with_their_skin(mocap: Path, tmp_path: Path) -> None:
    clip = walk(duration=0.5, fps=30).clip
    hero = ml.load(mocap / "game" / "character" / "manny_med_mod.gltf")
    paths = [
        ml.save(clip, tmp_path / "mannequin.glb", mesh=make_mannequin(clip)),
        ml.save(ml.retarget(ml.annotate(clip), hero), tmp_path / "hero.glb"),
    ]
    for path in paths:
        result = tmp_path / f"{path.stem}.npz"
        words = [str(path), "30", str(result)]
        run = subprocess.run([*blender_command(SCRIPT), *words], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr[-2000:]
        with np.load(result) as found:
            shown, groups = found["vertices"], int(found["groups"])
        assert groups >= 20
        expected = slow_skin(path, 0, clip.duration)
        # Blender merges vertices in other orders: every vertex of one is where one of the other is.
        for one, other in ((expected, shown), (shown, expected)):
            assert np.max(cKDTree(one).query(other)[0]) < 1e-3
