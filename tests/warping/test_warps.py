"""Warps as data: kept in files, scaled, undone and summed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom.errors import FileExistsRefusal, FileFormatError, ParameterError
from motionloom.warping import Key, Layer, TimeKeys, Warp, warp
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
    with pytest.raises(ParameterError, match="tension must lie between 0 and 1, not 3"):
        Layer((), tension=3)
