"""Blend spaces for engines. The engines themselves are not here: scenes and scripts are checked as text, and
the script for Unreal runs against a stand-in."""

from __future__ import annotations

import csv
import json
import re
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.engines import godot
from motionloom.engines.save_blend_space import FORMATS
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError
from motionloom.spaces import parameters
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import reach_out
from tests.engines.csharp_fields import find_classes, fits


@pytest.fixture(scope="module")
def space() -> MotionSpace:
    targets = [(x, y, 0.4) for x in (-0.3, 0.0) for y in (0.9, 1.3)]
    clips = [reach_out(target=target, fps=30, duration=1.0).clip for target in targets]
    return MotionSpace(clips, {"hand": parameters.position("RightHand", axes="xy")}, accuracy=0.05)


@pytest.fixture(scope="module")
def line() -> MotionSpace:
    clips = [reach_out(target=(-0.2, y, 0.4), fps=30, duration=1.0).clip for y in (0.9, 1.3)]
    return MotionSpace(clips, {"hand": parameters.height("RightHand", "apex")})


@pytest.fixture(scope="module")
def scene(space: MotionSpace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games") / "my reaches"
    assert [
        path.name for path in ml.engines.save_blend_space(space, folder, engine="godot", grid=(3, 2))
    ] == [
        "my_reaches.json",
        "motionloom_blend_space.gd",
        "my_reaches.tscn",
        "my_reaches.glb.import",
        "my_reaches.glb",
    ]
    return folder


@pytest.fixture(scope="module")
def files(space: MotionSpace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reach")
    ml.engines.save_blend_space(space, folder, engine="unreal", grid=2, name="reach", format="npz")
    return folder


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"engine": "quake"}, "engine must be"),
        ({"grid": 20}, "a grid for Godot can have 64 points at most, not 400"),
        ({"grid": "5x5"}, "needs two numbers of points"),
        ({"name": "my reach"}, "name must have letters, digits and _ only"),
        ({"format": "fbx"}, "Godot takes the clips of a blend space from one .glb file"),
        ({"engine": "unity", "format": "docx"}, "cannot be written"),
        ({"root_motion": "feet"}, "root_motion must be"),
    ],
)
def test_wrong_arguments(space: MotionSpace, tmp_path: Path, wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ParameterError, match=complaint):
        ml.engines.save_blend_space(space, tmp_path / "new", **({"engine": "godot"} | wrong))
    assert not (tmp_path / "new").exists()


def test_only_spaces_are_written(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="takes a motion space, not"):
        ml.engines.save_blend_space([1], tmp_path, engine="godot")  # type: ignore[arg-type]


def test_existing_files_stay(space: MotionSpace, scene: Path) -> None:
    before = {path: path.read_bytes() for path in scene.iterdir()}
    with pytest.raises(FileExistsRefusal):
        ml.engines.save_blend_space(space, scene, engine="godot", grid=2)
    assert {path: path.read_bytes() for path in scene.iterdir()} == before


def test_what_was_begun_is_removed(
    space: MotionSpace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.txt").write_text("stays")

    def fail(clip: object, path: Path, **options: object) -> None:
        if path.stem.endswith("0_0"):
            return path.touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("motionloom.engines.save_blend_space"), "save", fail)
    with pytest.raises(KeyboardInterrupt):
        ml.engines.save_blend_space(space, tmp_path, engine="unity", grid=2, format="bvh")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_table_says_where_clips_lie(files: Path, space: MotionSpace) -> None:
    table = json.loads((files / "reach.json").read_text())
    assert (table["format"], table["engine"], table["timing"]) == ("motionloom blend space", "unreal", "own")
    assert [axis["name"] for axis in table["axes"]] == ["hand.x", "hand.y"]
    assert len(table["clips"]) + len(table["left_out"]) == 4
    for entry in table["clips"]:
        clip = ml.load(files / entry["file"])
        assert entry["duration"] == pytest.approx(clip.duration)
        measured = parameters.position("RightHand", axes="xy").measure(clip)
        np.testing.assert_allclose(measured, entry["position"], atol=0.02)
        assert (entry["outside"] == 0.0) == (entry["position"] == entry["requested"])
    names = [[marker["name"] for marker in entry["markers"]] for entry in table["clips"]]
    assert len(names[0]) > 1
    assert all(own == names[0] for own in names)
    with (files / "reach.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [entry["name"] for entry in table["clips"]]
    assert [float(row["hand.y"]) for row in rows] == [entry["position"][1] for entry in table["clips"]]


def test_one_file_holds_all_animations(scene: Path) -> None:
    table = json.loads((scene / "my_reaches.json").read_text())
    lengths = [
        ml.load(scene / "my_reaches.glb", animation=entry["name"]).duration for entry in table["clips"]
    ]
    assert lengths == pytest.approx([entry["duration"] for entry in table["clips"]], abs=1e-4)
    assert len(set(lengths)) > 1 or len(lengths) > 4


def test_the_scene_names_what_is_there(scene: Path) -> None:
    text = (scene / "my_reaches.tscn").read_text()
    table = json.loads((scene / "my_reaches.json").read_text())
    for path in re.findall(r'\[ext_resource [^\]]*path="([^"]+)"', text):
        assert (scene / path).is_file()
    assert set(re.findall(r'SubResource\("(\w+)"\)', text)) == set(
        re.findall(r'sub_resource .*id="(\w+)"', text)
    )
    assert re.findall(r'animation = &"(\w+)"', text) == [entry["name"] for entry in table["clips"]]
    places = [tuple(map(float, p.split(", "))) for p in re.findall(r"/pos = Vector2\((.*)\)", text)]
    np.testing.assert_allclose(places, [entry["position"] for entry in table["clips"]], atol=1e-6)
    (triangles,) = re.findall(r"triangles = PackedInt32Array\((.*)\)", text)
    assert list(map(int, triangles.split(", "))) == table["triangles"]
    assert "auto_triangles = false\ntriangles" in text  # the other way round Godot ignores them
    assert text.count("load_steps=") == 1
    script = (scene / godot.SCRIPT).read_text()
    for exported in ("request", "durations", "timeline", "markers"):
        assert f"@export var {exported} := " in script
        assert re.search(rf"^{exported} = ", text, flags=re.MULTILINE)
    assert "animation/fps=30\n" in (scene / "my_reaches.glb.import").read_text()


@pytest.mark.parametrize(("low", "high"), [(2.0, 5.0), (-5.0, -2.0), (-0.2, 0.3), (-7.0, 9.0)])
def test_limits_of_godot_are_set_in_an_order_that_works(low: float, high: float) -> None:
    axis = {"name": "speed", "unit": "m/s", "min": low, "max": high, "count": 3}
    clip = {"name": "a", "position": [low], "duration": 1.0, "markers": []}
    table = {
        "name": "a",
        "axes": [axis],
        "clips": [clip],
        "triangles": [],
        "loop": True,
        "root_motion": "root",
    }
    # Godot's setters, which start from these and keep the limits apart.
    limits = {"min_space": -1.0, "max_space": 1.0}
    for name, value in re.findall(r"(m\w\w_space) = (.*)", godot.write_scene(table, "a.glb")):
        limits[name] = float(value)
        if limits["min_space"] >= limits["max_space"]:
            other = {"min_space": limits["max_space"] - 1.0, "max_space": limits["min_space"] + 1.0}
            limits[name] = other[name]
    assert limits == {"min_space": low, "max_space": high}


def test_a_space_of_one_number(line: MotionSpace, tmp_path: Path) -> None:
    ml.engines.save_blend_space(line, tmp_path / "line", engine="godot", grid=3, root_motion="nowhere")
    text = (tmp_path / "line" / "line.tscn").read_text()
    assert 'type="AnimationNodeBlendSpace1D"' in text
    assert "value_label = " in text
    assert "root_motion_track" not in text
    assert not re.search(r"/pos = Vector2", text)


def test_the_script_for_unity_is_filled(space: MotionSpace, tmp_path: Path) -> None:
    ml.engines.save_blend_space(space, tmp_path, engine="unity", grid=2, name="reach", format="bvh")
    table = json.loads((tmp_path / "reach.json").read_text())
    code = (tmp_path / "MotionloomBlendSpaces.cs").read_text()
    classes = find_classes(code)
    assert fits(table, "Table", classes)
    assert table["format"] in code
    assert table["timing"] == "shared"
    assert all((tmp_path / entry["file"]).is_file() for entry in table["clips"])


class Holder:
    """Stands for an object of Unreal with editor properties."""

    def __init__(self) -> None:
        self.properties: dict[str, Any] = {}

    def set_editor_property(self, name: str, value: Any) -> None:
        self.properties[name] = value

    def get_editor_property(self, name: str) -> Any:
        return self.properties[name]


def make_unreal(names: list[str]) -> tuple[SimpleNamespace, dict[str, list[tuple[str, float]]], list[Holder]]:
    """A stand-in for Unreal's module with some sequences, the markers they get, and what is saved."""
    markers: dict[str, list[tuple[str, float]]] = {}
    saved: list[Holder] = []

    def load(path: str) -> Holder:
        sequence = Holder()
        sequence.properties = {"skeleton": "bones", "path": path}
        return sequence

    def create(name: str, folder: str, kind: str, factory: Holder) -> Holder:
        asset = Holder()
        asset.properties = {
            "blend_parameters": ["x", "y", "z"],
            "name": f"{folder}/{name}",
            "kind": kind,
            "skeleton": factory.properties["target_skeleton"],
        }
        return asset

    def add(sequence: Holder, name: str, time: float, track: str) -> None:
        markers.setdefault(sequence.properties["path"], []).append((name, time))

    module = SimpleNamespace(
        AnimationLibrary=SimpleNamespace(
            remove_all_animation_sync_markers=lambda sequence: None,
            is_valid_anim_notify_track_name=lambda sequence, track: True,
            add_animation_sync_marker=add,
            set_root_motion_enabled=lambda sequence, on: sequence.set_editor_property("root motion", on),
        ),
        EditorAssetLibrary=SimpleNamespace(
            does_asset_exist=lambda path: path.rsplit("/")[-1] in names, save_loaded_asset=saved.append
        ),
        load_asset=load,
        AssetToolsHelpers=SimpleNamespace(get_asset_tools=lambda: SimpleNamespace(create_asset=create)),
        BlendSpaceFactory1D=Holder,
        BlendSpaceFactoryNew=Holder,
        BlendSpace1D="1D",
        BlendSpace="2D",
        BlendParameter=Holder,
        BlendSample=Holder,
        Vector=lambda x, y, z: (x, y, z),
    )
    return module, markers, saved


def test_the_script_for_unreal_makes_the_blend_space(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = json.loads((files / "reach.json").read_text())
    names = [entry["name"] for entry in table["clips"]]
    unreal, markers, saved = make_unreal([names[0], *(f"{name}_Anim" for name in names[1:])])
    monkeypatch.setitem(sys.modules, "unreal", unreal)
    script: dict[str, Any] = {}
    exec((files / "motionloom_blend_space.py").read_text(), script)
    made = script["make"](str(files / "reach.json"), "/Game/Reach").properties
    assert (made["name"], made["kind"], made["skeleton"]) == ("/Game/Reach/BS_reach", "2D", "bones")
    assert [each.properties["display_name"] for each in made["blend_parameters"][:2]] == ["hand.x", "hand.y"]
    assert made["blend_parameters"][2] == "z"
    values = [each.properties["sample_value"] for each in made["sample_data"]]
    assert values == [(*entry["position"], 0.0) for entry in table["clips"]]
    assert made["allow_marker_based_sync"]
    assert made["loop"] is False
    assert len(saved) == len(names) + 1
    own = markers[f"/Game/Reach/{names[0]}"]
    assert own == [(marker["name"], marker["time"]) for marker in table["clips"][0]["markers"]]
    unreal.EditorAssetLibrary.does_asset_exist = lambda path: False
    with pytest.raises(ValueError, match="import the clips first"):
        script["make"](str(files / "reach.json"), "/Game/Reach")


def test_fbx_is_the_default_where_engines_want_it(
    space: MotionSpace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FORMATS == {"unreal": "fbx", "unity": "fbx", "godot": "glb"}
    monkeypatch.setattr("motionloom.files.formats.find_spec", lambda module: None)
    with pytest.raises(MotionloomError, match="motionloom install-fbx"):
        ml.engines.save_blend_space(space, tmp_path / "new", engine="unity")
    assert not (tmp_path / "new").exists()
