"""Figures and animations of glTF files made by hand and by others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.gltf.nodes import MAX_JOINTS
from motionloom.files.gltf.read import read_gltf
from motionloom.geometry import rotations as rot
from tests.files.gltf_sketch import Sketch, leg, slow_positions

QUARTER = [0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)]
"""A quarter turn about Z, w last."""

TIMES = [0.0, 0.1, 0.2]
PLACES = [[0, 1, 0], [1, 1, 0], [1, 2, 0]]


def refusal(sketch: Sketch, folder: Path, **arguments: Any) -> str:
    with pytest.raises(FileFormatError) as caught:
        read_gltf(sketch.save(folder / "x.glb"), **arguments)
    return str(caught.value).removeprefix(f"{folder / 'x.glb'}: ")


BROKEN_TREES: list[tuple[list[dict[str, Any]], str]] = [
    ([{"children": [1]}, {"children": [0]}], "nodes must be connected without a cycle"),
    ([{"children": [0]}], "nodes[0] shares its child 0 with another node"),
    ([{"children": [2]}, {"children": [2]}, {}], "nodes[1] shares its child 2 with another node"),
    ([{"children": [7]}], "nodes[0].children must be a list of indices of the 1 nodes"),
    ([{"children": [1, 1]}, {}], "nodes[0].children must be a list without repetitions"),
    ([{"children": 1}, {}], "nodes[0].children must be a list"),
    ([{"name": 3}], "nodes[0].name must be a string"),
    ([{"translation": [0, 0]}], "nodes[0].translation must be 3 numbers up to 1e+09"),
    ([{"translation": [0, 0, "x"]}], "nodes[0].translation must be 3 numbers up to 1e+09"),
    ([{"rotation": [0, 0, 0, 0]}], "nodes[0].rotation must be a unit quaternion"),
    ([{"matrix": [1, 2]}], "nodes[0].matrix must be 16 numbers up to 1e+09"),
    (
        [{"children": [n + 1]} for n in range(MAX_JOINTS)] + [{}],
        f"its nodes are nested more than {MAX_JOINTS} deep",
    ),
    (
        [{"children": list(range(1, MAX_JOINTS + 2))}, *[{} for _ in range(MAX_JOINTS + 1)]],
        f"holds a rig of more than {MAX_JOINTS} joints",
    ),
]


@pytest.mark.parametrize(("nodes", "message"), BROKEN_TREES)
def test_broken_trees_are_refused(tmp_path: Path, nodes: list[dict[str, Any]], message: str) -> None:
    sketch = Sketch(nodes=nodes, skins=[{"joints": list(range(len(nodes)))}])
    assert refusal(sketch, tmp_path).startswith(message)


def test_a_file_without_motion_is_refused(tmp_path: Path) -> None:
    message = "holds no motion: it has no skin and no animation of nodes"
    assert refusal(Sketch(nodes=[{}]), tmp_path) == message
    assert refusal(Sketch(), tmp_path) == message


def test_wrong_animations_are_refused(tmp_path: Path) -> None:
    def broken(**changes: Any) -> str:
        sketch = leg()
        sketch.animate((0, "translation", TIMES, PLACES))
        sketch.content["animations"][0]["samplers"][0].update(changes)
        return refusal(sketch, tmp_path)

    assert "interpolation must be one of LINEAR, STEP, CUBICSPLINE" in broken(interpolation="WARP")
    assert "samplers[0] has 3 times and 3 values" in broken(interpolation="CUBICSPLINE")
    assert "samplers[0].input must be one of the 2 accessors" in broken(input=9)
    assert "accessors[0].type must be 'VEC3' here" in broken(output=0)
    sketch = leg()
    sketch.animate((0, "translation", [0, 0.2, 0.1], PLACES))
    assert "accessors[0] must hold times that never decrease" in refusal(sketch, tmp_path)
    sketch = leg()
    sketch.animate((0, "rotation", [0.0], [[0, 0, 0, 0]]))
    assert "samplers[0] holds a quaternion of length zero" in refusal(sketch, tmp_path)
    sketch = leg()
    sketch.animate((0, "translation", TIMES, PLACES), (0, "translation", TIMES, PLACES))
    assert "target.node must be moved by one channel only" in refusal(sketch, tmp_path)


def test_endless_sparse_keys_are_refused(tmp_path: Path) -> None:
    sketch = leg()
    sketch.animate((0, "translation", [0, 1e6], PLACES[:2]))
    assert "its keys span 1e+06 s, or 24000001 frames at 24 per second" in refusal(sketch, tmp_path)
    path = sketch.save(tmp_path / "x.glb")
    assert len(read_gltf(path, frame_time=1000.0)) == 1001


def test_an_unknown_animation_or_root_is_refused(tmp_path: Path) -> None:
    sketch = leg()
    sketch.animate((0, "translation", TIMES, PLACES), name="walk")
    path = sketch.save(tmp_path / "x.glb")
    for wrong in ("run", 1, -1, True):
        with pytest.raises(ParameterError, match=r"x.glb has no animation .*: its animations are 0 'walk'"):
            read_gltf(path, animation=wrong)
    with pytest.raises(ParameterError, match=r"x.glb has no node 'pelvis' for the root"):
        read_gltf(path, root="pelvis")


def test_the_smallest_figure(tmp_path: Path) -> None:
    sketch = leg()
    sketch.animate(
        (0, "translation", TIMES, PLACES), (0, "rotation", TIMES, [[0, 0, 0, 1], QUARTER, QUARTER])
    )
    clip = read_gltf(sketch.save(tmp_path / "x.glb"))
    assert clip.skeleton.names == ("hip", "knee")
    assert clip.skeleton.rest_positions().tolist() == [[0, 1, 0], [0, 0.5, 0]]
    assert (clip.fps, clip.n_frames, clip.source.unit) == (10.0, 3, "m")
    assert clip.root_positions.tolist() == PLACES
    assert clip.translations is None
    # A quarter turn to the left about Z takes what hangs down to the right.
    assert clip.world_positions()[:, 1] == pytest.approx(np.array([[0, 0.5, 0], [1.5, 1, 0], [1.5, 2, 0]]))


def test_without_an_animation_the_rest_pose_is_read(tmp_path: Path) -> None:
    clip = read_gltf(leg(rotation=QUARTER).save(tmp_path / "x.glb"))
    assert clip.world_positions() == pytest.approx(np.array([[[0, 1, 0], [0.5, 1, 0]]]))
    assert clip.source.notes == ("no animation moves the skeleton: its rest pose was read as one frame",)


def test_steps_lines_and_curves(tmp_path: Path) -> None:
    times, places = [0.0, 1.0], [[0, 0, 0], [2, 0, 0]]

    def halfway(interpolation: str, values: Any) -> list[float]:
        sketch = leg()
        sketch.animate((0, "translation", times, values), interpolation=interpolation)
        clip = read_gltf(sketch.save(tmp_path / "x.glb"), frame_time=0.25)
        assert clip.root_positions[-1].tolist() == [2, 0, 0]
        return [float(x) for x in clip.root_positions[1:4, 0]]

    assert halfway("STEP", places) == [0, 0, 0]
    assert halfway("LINEAR", places) == [0.5, 1.0, 1.5]
    # In-tangent, value, out-tangent: with tangents of zero an ease, with the slope itself a line.
    still, moving = [0, 0, 0], [2, 0, 0]
    eased = [still, places[0], still, still, places[1], still]
    assert halfway("CUBICSPLINE", eased) == [2 * 5 / 32, 1.0, 2 * 27 / 32]
    straight = [moving, places[0], moving, moving, places[1], moving]
    assert halfway("CUBICSPLINE", straight) == [0.5, 1.0, 1.5]
    # Only the tangents between two keys count, each at its own end.
    unlike = [moving, places[0], [4, 0, 0], still, places[1], moving]
    assert halfway("CUBICSPLINE", unlike)[1] == 1.0 + 4 / 8


def test_rotations_go_the_short_way(tmp_path: Path) -> None:
    sketch = leg()
    away = (-np.array(QUARTER)).tolist()
    sketch.animate((1, "rotation", [0, 1], [[0, 0, 0, 1], away]))
    clip = read_gltf(sketch.save(tmp_path / "x.glb"), frame_time=0.5)
    turned = np.abs(rot.to_rotation_vector(clip.rotations[:, 1])[:, 2])
    assert turned == pytest.approx([0, np.pi / 4, np.pi / 2])


def test_keys_of_whole_numbers(tmp_path: Path) -> None:
    sketch = leg()
    sketch.animate((0, "rotation", [0.0, 0.1], [[0, 0, 0, 1], [0, 0, 0, 1]]))
    sketch.content["animations"][0]["samplers"][0]["output"] = sketch.array(
        [[0, 0, 0, 32767], [0, 0, 23170, 23170]], "<i2", normalized=True
    )
    clip = read_gltf(sketch.save(tmp_path / "x.glb"))
    assert rot.to_rotation_vector(clip.rotations[1, 0]) == pytest.approx([0, 0, np.pi / 2])


def test_of_several_animations_one_is_read(tmp_path: Path) -> None:
    sketch = leg()
    sketch.animate((0, "translation", TIMES, PLACES), name="walk")
    sketch.animate((0, "translation", TIMES[:2], PLACES[:2]), name="run")
    path = sketch.save(tmp_path / "x.glb")
    assert len(read_gltf(path)) == 3
    assert read_gltf(path).source.notes == (
        "the file holds 2 animations (0 'walk', 1 'run'), of which the first was read: "
        "select another with animation=",
    )
    for run in ("run", 1, "1"):
        assert len(read_gltf(path, animation=run)) == 2


def test_channels_of_other_things_are_passed_over(tmp_path: Path) -> None:
    sketch = leg()
    sketch.animate((0, "translation", TIMES, PLACES), (0, "weights", [0.0, 0.07], [[0, 0, 0]] * 2))
    sketch.content["animations"][0]["channels"].append({"sampler": 0, "target": {"path": "pointer"}})
    assert read_gltf(sketch.save(tmp_path / "x.glb")).fps == 10.0


ABOVE: list[tuple[dict[str, Any], list[float], list[float]]] = [
    ({"translation": [3, 0, 0]}, [3, 1, 0], [3, 0.5, 0]),
    ({"scale": [0.01, 0.01, 0.01]}, [0, 0.01, 0], [0, 0.005, 0]),
    ({"rotation": QUARTER}, [-1, 0, 0], [-0.5, 0, 0]),
    ({"matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 0, 0, 1]}, [3, 0, 0], [4, 0, 0]),
    ({"scale": [1, 3, 1]}, [0, 3, 0], [0, 1.5, 0]),
    ({"scale": [1, -1, 1]}, [0, -1, 0], [0, -0.5, 0]),
    ({"scale": [-2, -2, -2]}, [0, -2, 0], [0, -1, 0]),
]


@pytest.mark.parametrize(("above", "hip", "knee"), ABOVE)
def test_nodes_above_the_figure_are_taken_into_it(
    tmp_path: Path, above: dict[str, Any], hip: list[float], knee: list[float]
) -> None:
    sketch = leg()
    sketch.content["nodes"].append({"name": "Armature", "children": [0], **above})
    clip = read_gltf(sketch.save(tmp_path / "x.glb"))
    assert clip.skeleton.names == ("hip", "knee")
    assert clip.world_positions()[0] == pytest.approx(np.array([hip, knee]))
    assert clip.skeleton.rest_positions() == pytest.approx(np.array([hip, knee]))


def test_a_moving_node_above_becomes_the_root(tmp_path: Path) -> None:
    sketch = leg()
    sketch.content["nodes"].append({"name": "Armature", "children": [0]})
    sketch.animate((2, "translation", TIMES, PLACES))
    clip = read_gltf(sketch.save(tmp_path / "x.glb"))
    assert clip.skeleton.names == ("Armature", "hip", "knee")
    assert clip.world_positions()[1, 1].tolist() == [1, 2, 0]


def test_scales_inside_the_figure_keep_positions(tmp_path: Path) -> None:
    """A hip that grows while it turns; the knee's world positions are what matrices make of them."""
    sketch = leg()
    sketch.animate(
        (0, "scale", TIMES, [[1, 1, 1], [1, 2, 1], [3, 3, 3]]),
        (0, "rotation", TIMES, [[0, 0, 0, 1], QUARTER, QUARTER]),
    )
    clip = read_gltf(sketch.save(tmp_path / "x.glb"))
    assert clip.translations is not None
    assert clip.world_positions()[:, 1] == pytest.approx(np.array([[0, 0.5, 0], [1, 1, 0], [1.5, 1, 0]]))


def test_a_figure_without_a_skin(tmp_path: Path) -> None:
    sketch = leg()
    del sketch.content["skins"]
    sketch.content["nodes"][1]["children"] = [2, 3]
    sketch.content["nodes"] += [{"name": "ankle"}, {"name": "shin", "mesh": 0}, {"name": "elsewhere"}]
    sketch.animate((0, "translation", TIMES, PLACES))
    assert read_gltf(sketch.save(tmp_path / "x.glb")).skeleton.names == ("hip", "knee", "ankle")


def test_joints_of_other_skins_on_the_same_figure_belong_to_it(tmp_path: Path) -> None:
    sketch = leg()
    sketch.content["nodes"][1]["children"] = [2]
    sketch.content["nodes"] += [{"name": "hem"}, {"name": "another figure"}]
    sketch.content["skins"] += [{"joints": [2]}, {"joints": [3]}]
    assert read_gltf(sketch.save(tmp_path / "x.glb")).skeleton.names == ("hip", "knee", "hem")


def test_of_several_figures_the_one_that_moves_is_read(tmp_path: Path) -> None:
    sketch = leg()
    sketch.content["nodes"] += [{"name": "horse", "children": [3]}, {"name": "tail", "children": [4]}, {}]
    sketch.content["skins"].append({"joints": [2, 3, 4]})
    path = sketch.save(tmp_path / "x.glb")
    assert read_gltf(path).skeleton.names == ("horse", "tail", "node_4")
    assert read_gltf(path, root="hip").skeleton.names == ("hip", "knee")
    sketch.animate((0, "translation", TIMES, PLACES))
    assert read_gltf(sketch.save(path)).skeleton.names == ("hip", "knee")


def test_joints_on_two_trees(tmp_path: Path) -> None:
    sketch = Sketch(nodes=[{"name": "a"}, {"name": "b", "children": [2]}, {"name": "c"}])
    sketch.content["skins"] = [{"joints": [0, 1, 2]}]
    clip = read_gltf(sketch.save(tmp_path / "x.glb"))
    assert clip.skeleton.names == ("b", "c")
    assert "the moving nodes are in 2 trees: the largest, 'b', was read" in clip.source.notes[0]


def test_joints_keep_the_order_of_the_skin_where_it_can_be_kept(tmp_path: Path) -> None:
    sketch = leg()
    sketch.content["skins"] = [{"joints": [1, 0]}]
    assert read_gltf(sketch.save(tmp_path / "x.glb")).skeleton.names == ("hip", "knee")


def test_names_are_made_different(tmp_path: Path) -> None:
    sketch = leg()
    sketch.content["nodes"][1]["name"] = "hip"
    clip = read_gltf(sketch.save(tmp_path / "x.glb"))
    assert clip.skeleton.names == ("hip", "hip_2")
    assert "a second joint 'hip' was renamed 'hip_2'" in clip.source.notes


def test_extras_that_do_not_fit_are_left_out(tmp_path: Path) -> None:
    event = {"frame": 1, "label": "strike", "joint": "wing"}
    notes = {"format": "motionloom annotations", "version": 1, "fps": 10, "n_frames": 3, "events": [event]}
    for extras in ({"annotations": notes}, {"annotations": 3}, {"frame_time": -1.0, "annotations": []}):
        sketch = leg()
        sketch.animate((0, "translation", TIMES, PLACES), extras={"motionloom": extras})
        clip = read_gltf(sketch.save(tmp_path / "x.glb"))
        assert clip.events == ()
        assert "the constraints and events in its extras do not fit" in clip.source.notes[0]


def test_a_file_in_centimetres_is_recognised(tmp_path: Path) -> None:
    """glTF prescribes metres; a body 170 m tall shows that a file does not keep to it."""
    from motionloom.files.gltf.write import write_gltf
    from motionloom.files.normalize import scale_clip
    from motionloom.synthesis import walk

    clip = walk(duration=0.5, fps=30).clip
    write_gltf(scale_clip(clip, 100.0), tmp_path / "x.glb")
    again = ml.load(tmp_path / "x.glb")
    assert again.source.unit == "cm"
    assert again.world_positions() == pytest.approx(clip.world_positions(), abs=1e-5)
    assert ml.load(tmp_path / "x.glb", unit="m").world_positions()[0, 0, 1] > 50


FILES = "dialects/fbx_gltf"


@pytest.mark.parametrize(("name", "animation", "fps"), [("Survey", 0, 24), ("Walk", 1, 24), ("Run", 2, 120)])
def test_the_fox(mocap: Path, name: str, animation: int, fps: float) -> None:
    path = mocap / FILES / "Fox.glb"
    clip = ml.load(path, animation=name, unit="m")
    assert clip.fps == fps
    for frame in (0, len(clip) // 3, len(clip) - 1):
        slow = slow_positions(path, clip.skeleton.names, animation, frame / fps)
        assert clip.world_positions()[frame] == pytest.approx(slow, abs=1e-4)  # the fox is 60 units tall


def test_the_rigged_figure(mocap: Path) -> None:
    """Its root stands on a node that turns it from Z up."""
    path = mocap / FILES / "RiggedFigure.glb"
    clip = ml.load(path)
    assert (clip.fps, clip.n_frames, clip.source.unit) == (24.0, 31, "m")
    assert clip.world_positions()[0, :, 1].max() == pytest.approx(1.19, abs=0.01)
    for frame in (0, 13, 30):
        slow = slow_positions(path, clip.skeleton.names, 0, frame / 24)
        assert clip.world_positions()[frame] == pytest.approx(
            slow, abs=5e-6
        )  # scales of 1.0000001 are left out
