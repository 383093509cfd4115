"""Warps as data: kept in files, scaled, undone and summed.

Their plain data is untrusted: errors name the entry.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionloom.errors import FileExistsRefusal, FileFormatError, ParameterError
from motionloom.warping import PRESETS, Key, Layer, Obstacle, TimeKeys, Warp, preset_warp, warp
from motionloom.warping.warp_data import FORMAT, warp_from_dict, warp_to_dict
from tests.figures import smooth_clip
from tests.warping.measuring import angle_between


def all_kinds() -> Warp:
    keys = [
        Key(0.1, "left", rotate=(0.1, 0, 0.2)),
        Key(0.2, "left", orient=(0.1, 0, 0), ease=None),
        Key(0.2, "right", scale=0.5, zero=(1, 0, 0, 0)),
        Key(0.2, scale=(1, 2, 1), zero=(0, 0, 0)),
        Key(0.2, move=(0, 1, 0)),
        Key(0.3, "right end", reach=(0, 1, 2), orient=(0, 1, 0, 0), point=(0, 0, 0.1)),
    ]
    return Warp.of(keys, [TimeKeys([(0.1, 0.2)], joint="left", curve="cardinal", tension=0.5)], tension=0.2)


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


def test_scaling() -> None:
    made = Warp.of(
        [Key(0.1, "left", rotate=(0.2, 0, 0)), Key(0.1, "neck", scale=4.0), Key(0.1, move=(0, 1, 0))],
        [(1.0, 1.5)],
    )
    half = made.scaled(0.5)
    assert [key.rotate or key.scale or key.move for key in half.keys] == [(0.1, 0, 0), 2.0, (0, 0.5, 0)]
    assert half.times[0].pairs == ((1.0, 1.25),)
    clip = smooth_clip(30)
    no_time = Warp(made.layers)
    np.testing.assert_allclose(warp(clip, no_time.scaled(0)).rotations, clip.rotations, atol=1e-12)
    with pytest.raises(ParameterError, match="says orient, which depends on the clip and cannot be scaled"):
        all_kinds().scaled(2)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (
            Key(0.1, "left", orient=(1, 0, 0, 0)),
            "says orient, which depends on the clip and cannot be undone",
        ),
        (Key(0.1, "left", scale=2.0), "says scale, which depends on the clip"),
        (
            Key(0.1, "left", scale=0.05, zero=(1, 0, 0, 0)),
            r"scales by less than 0\.1, which cannot be undone",
        ),
    ],
)
def test_what_cannot_be_undone_is_refused(key: Key, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Warp.of([key]).inverted()
    with pytest.raises(ParameterError, match="a warp with time keys cannot be undone"):
        Warp.of([], [(0.1, 0.2)]).inverted()


def test_undoing_twice_is_doing() -> None:
    made = Warp.of([Key(0.1, "left", rotate=(0.2, 0, 0))]) + Warp.of([Key(0.2, "left", rotate=(0, 0.2, 0))])
    assert made.inverted().inverted() == made
    clip = smooth_clip(30)
    back = warp(warp(clip, made), made.inverted())
    np.testing.assert_allclose(back.rotations, clip.rotations, atol=1e-9)


def test_a_solved_warp_of_all_kinds_can_be_undone() -> None:
    clip = smooth_clip(30)
    keys = [
        Key(0.1, "left", orient=(0.3, 0, 0)),
        Key(0.2, "right", scale=0.4),
        Key(0.3, "left end", reach=clip.world_positions()[18, 3] + 0.05),
        Key(0.2, reach=(0, 2, 0)),
    ]
    result = warp(clip, keys)
    back = warp(result, result.report.warp.inverted())
    assert angle_between(back.rotations, clip.rotations) < 1e-9
    np.testing.assert_allclose(back.root_positions, clip.root_positions, atol=1e-9)


def test_a_sum_is_one_after_the_other() -> None:
    clip = smooth_clip(30)
    one, two = (
        Warp.of([Key(0.1, "left", rotate=(0.2, 0.3, 0))]),
        Warp.of([Key(0.3, "right", scale=1.5), Key(0.2, move=(0, 0, 1))]),
    )
    both = warp(clip, one + two)
    np.testing.assert_array_equal(both.rotations, warp(warp(clip, one), two).rotations)
    np.testing.assert_array_equal(both.rotations, warp(warp(clip, two), one).rotations)
    np.testing.assert_allclose(both.root_positions, warp(warp(clip, two), one).root_positions, atol=1e-12)
    with pytest.raises(ParameterError, match="both warps have time keys for the same part"):
        Warp.of([], [(0.1, 0.2)]) + Warp.of([], [(0.1, 0.3)])


def test_counting() -> None:
    made = all_kinds()
    assert (len(made.keys), made.n_moments) == (6, 3)
    assert Warp.of([]).layers == ()
    with pytest.raises(ParameterError, match="tension must be from 0 to 1, not 3"):
        Layer((), tension=3)


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
    assert all(Warp.load(preset_warp(name).save(tmp_path / name)) == preset_warp(name) for name in PRESETS)


def test_what_0_1_can_read_is_written_as_version_1() -> None:
    assert warp_to_dict(Warp.of([Key(0.5, "Head", rotate=(0.1, 0, 0))], [(0.5, 0.6)]))["version"] == 1
    assert "stretches" not in warp_to_dict(Warp.of([], [(0.5, 0.6)]))["times"][0]
