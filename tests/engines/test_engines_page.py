"""The page on game engines: its scripts ask for what our files hold. The engines themselves are not here."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import motionloom as ml
from motionloom.synthesis import kick, walk
from tests.engines.csharp_fields import find_classes, fits

PAGE = (Path(__file__).parents[2] / "docs" / "engines.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Markers of two walks that are registered."""
    clips = [ml.annotate(walk(duration=2.5, fps=30, speed=speed).clip) for speed in (1.2, 1.7)]
    path = tmp_path_factory.mktemp("markers") / "gaits.json"
    return ml.engines.save_sync_events(ml.register(ml.match_strides(clips)), path)


def script(language: str, containing: str) -> str:
    """The only script of the page in a language that contains a word."""
    found = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    (only,) = [text for text in found if containing in text]
    return str(only)


def test_the_fields_are_those_written(sheet: Path) -> None:
    rows = PAGE[PAGE.index("| field | meaning |") : PAGE.index("The clips that a registration holds")]
    described = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in rows.splitlines()[2:] if row]
    (entry, _) = json.loads(sheet.read_text())["clips"]
    assert {field for fields in described for field in fields} == set(entry)
    (markers,) = [row for row in rows.splitlines() if row.startswith("| `markers`")]
    assert set(re.findall(r"`(\w+)`", markers)) == {"markers", *entry["markers"][0]}


class AnimationLibrary:
    """Stands for Unreal's library of the same name: keeps the markers that it is given."""

    def __init__(self) -> None:
        self.tracks: set[tuple[str, str]] = set()
        self.markers: dict[str, list[tuple[str, float]]] = {}

    def remove_all_animation_sync_markers(self, sequence: str) -> None:
        self.markers[sequence] = []

    def is_valid_anim_notify_track_name(self, sequence: str, track: str) -> bool:
        return (sequence, track) in self.tracks

    def add_animation_notify_track(self, sequence: str, track: str) -> None:
        self.tracks.add((sequence, track))

    def add_animation_sync_marker(self, sequence: str, name: str, time: float, track: str) -> None:
        assert (sequence, track) in self.tracks
        self.markers[sequence].append((name, time))


def test_the_script_for_unreal_adds_every_marker(sheet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, saved = AnimationLibrary(), list[str]()
    unreal = SimpleNamespace(
        AnimationLibrary=library,
        load_asset=lambda name: name,
        EditorAssetLibrary=SimpleNamespace(save_loaded_asset=saved.append),
    )
    monkeypatch.setitem(sys.modules, "unreal", unreal)
    code = script("python", "unreal").replace("open(", "_opened(").replace("C:/game/gaits.json", str(sheet))
    with sheet.open(encoding="utf-8") as file:
        exec(code, {"_opened": lambda path: file})
    clips = json.loads(sheet.read_text())["clips"]
    assert saved == [f"/Game/Animations/{clip['name']}" for clip in clips]
    for clip in clips:
        wanted = [(marker["name"], marker["time"]) for marker in clip["markers"]]
        assert library.markers[f"/Game/Animations/{clip['name']}"] == wanted


def test_the_classes_for_unity_are_filled(sheet: Path) -> None:
    code = script("csharp", "SyncMarkers")
    classes = find_classes(code)
    assert set(classes) == {"Marker", "Clip", "Sheet"}
    assert fits(json.loads(sheet.read_text()), "Sheet", classes)
    for variable, kind in (("clip", "Clip"), ("m", "Marker"), ("start", "Marker")):
        asked = set(re.findall(rf"\b{variable}\.(\w+)", code))
        assert asked
        assert asked <= set(classes[kind])


def test_the_script_for_godot_asks_for_what_is_there(sheet: Path) -> None:
    code = script("gdscript", "add_marker")
    data = json.loads(sheet.read_text())
    assert set(re.findall(r"\bsheet\.(\w+)", code)) <= set(data)
    assert set(re.findall(r"\bclip\.(\w+)", code)) <= set(data["clips"][0])
    asked = set(re.findall(r"\]\.(\w+)", code))
    assert asked == {"name", "time"}
    assert asked <= set(data["clips"][0]["markers"][0])


def test_clips_without_steps_have_markers_for_every_script(tmp_path: Path) -> None:
    """The scripts must not rely on strikes: registered clips without contacts get even markers."""
    curve = ml.register([kick(duration=1.2).clip, kick(duration=2.0).clip])
    first, second = json.loads(ml.engines.save_sync_events(curve, tmp_path / "a.json").read_text())["clips"]
    names = [marker["name"] for marker in first["markers"]]
    assert names == [marker["name"] for marker in second["markers"]]
    assert "left_strike" not in names
    assert 'First(m => m.name == "left_strike")' not in script("csharp", "SyncMarkers")
