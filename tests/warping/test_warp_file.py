"""The file of a warp: its plain data is untrusted, and errors name the entry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from motionloom.errors import FileExistsRefusal, FileFormatError, ParameterError
from motionloom.warping import PRESETS, Key, Obstacle, TimeKeys, Warp, preset_keys
from motionloom.warping.warp_file import FORMAT, warp_from_dict, warp_to_dict
from tests.warping.test_warp_data import all_kinds


def test_a_warp_survives_its_file(tmp_path: Path) -> None:
    made = all_kinds() + Warp.of([Key(0.2, "neck", rotate=(0, 0, 1))], follow=False)
    assert Warp.load(made.save(tmp_path / "warp.json")) == made
    with pytest.raises(FileExistsRefusal):
        made.save(tmp_path / "warp.json")
    made.save(tmp_path / "warp.json", overwrite=True)


def test_files_that_are_no_warps_are_refused_with_their_name(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"gone\.json: there is no such file"):
        Warp.load(tmp_path / "gone.json")
    (tmp_path / "bad.json").write_text("{\n oops")
    with pytest.raises(FileFormatError, match=r"bad\.json, line 2: is not JSON"):
        Warp.load(tmp_path / "bad.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(FileFormatError, match=r"deep\.json: is not JSON"):
        Warp.load(tmp_path / "deep.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(FileFormatError, match="cannot be read"):
        Warp.load(tmp_path / "folder.json")
    (tmp_path / "wrong.json").write_text('{"format": "motionloom warp", "version": 1, "keys": [{"time": 1}]}')
    with pytest.raises(FileFormatError, match=r"wrong\.json: .*keys\[0\].* must give one of"):
        Warp.load(tmp_path / "wrong.json")


GOOD: dict[str, Any] = {"format": FORMAT, "version": 1}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "the warp must be an object with the fields format, version"),
        (
            {"format": "other", "version": 1},
            'must state "format": "motionloom warp" and "version": 1 or 2, not',
        ),
        ({**GOOD, "version": 3}, "and 3"),
        ({**GOOD, "extra": 1}, "the warp has an unknown field 'extra'"),
        ({**GOOD, "keys": 3}, "keys must be a list, not int"),
        ({**GOOD, "keys": [], "layers": []}, "has both layers and keys"),
        ({**GOOD, "keys": [{"joint": "Head"}]}, r"keys\[0\] needs 'time', in seconds"),
        ({**GOOD, "keys": [{"time": 0, "turn": 1}]}, r"keys\[0\] has an unknown field 'turn'"),
        ({**GOOD, "keys": [{"time": True}]}, r"time of keys\[0\] must be a finite number, not True"),
        (
            {**GOOD, "keys": [{"time": 0, "move": [0, "x", 0]}]},
            r"move of keys\[0\] must be a finite number, not 'x'",
        ),
        (
            {**GOOD, "keys": [{"time": 0, "joint": 3, "move": [0, 0, 0]}]},
            r"keys\[0\]: the joint of a key must be a string",
        ),
        ({**GOOD, "layers": [{"tension": "no"}]}, r"tension of layers\[0\] must be a finite number"),
        ({**GOOD, "layers": [{"undone": 1}]}, r"undone of layers\[0\] must be true or false, not 1"),
        ({**GOOD, "layers": [{"keys": [{}]}]}, r"layers\[0\]\.keys\[0\] needs 'time'"),
        ({**GOOD, "times": [{"pairs": [1]}]}, r"times\[0\] needs 'pairs', a list of \[source, new\]"),
        (
            {**GOOD, "times": [{"pairs": [[1, None]]}]},
            r"pairs of times\[0\] must be a finite number, not None",
        ),
        ({**GOOD, "times": [{"pairs": [[1, 1]], "curve": "wavy"}]}, r"times\[0\]: curve must be one of"),
    ],
)
def test_bad_data_is_refused(data: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        warp_from_dict(data)


def test_keys_alone_are_one_layer() -> None:
    read = warp_from_dict({**GOOD, "keys": [{"time": 1, "joint": "Head", "scale": 2}]})
    assert [[key.scale for key in layer.keys] for layer in read.layers] == [[2.0]]
    assert read.times == ()


def test_nothing_makes_nothing() -> None:
    assert warp_from_dict(warp_to_dict(Warp())) == Warp()


def test_version_2_stores_moments_axes_stretches_and_obstacles(tmp_path: Path) -> None:
    keys = [
        Key("crossing 1", "leading ankle", reach=(0, 0.02, 0), frame="ground", ease=0.3),
        Key("every left strike", "left knee", scale=(1.5, 1, 1), zero=0.2, frame="body", ease="10 %"),
        Key(0.5, "Head", orient=(0.2, 0, 0), solve="scale"),
    ]
    stretch = TimeKeys(stretches=[("every left strike", "left lift", 0.75)])
    whole = Warp.of(keys, stretch, obstacle=Obstacle("hurdle", (0.5, 2.0)), lifts_heels=True)
    assert warp_to_dict(whole)["version"] == 2
    assert Warp.load(whole.save(tmp_path / "warp.json")) == whole
    assert repr(whole) == "Warp(3 keys in 1 layer, 1 time key, hurdle)"
    assert all(Warp.load(preset_keys(name).save(tmp_path / name)) == preset_keys(name) for name in PRESETS)


def test_what_0_1_can_read_is_written_as_version_1() -> None:
    assert warp_to_dict(Warp.of([Key(0.5, "Head", rotate=(0.1, 0, 0))], [(0.5, 0.6)]))["version"] == 1
    assert "stretches" not in warp_to_dict(Warp.of([], [(0.5, 0.6)]))["times"][0]
