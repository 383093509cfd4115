from __future__ import annotations

import pytest

from motionloom.blending import blend
from motionloom.blending.controls import Controls
from motionloom.blending.keyed_controls import ControlKey, KeyedControls
from motionloom.blending.stride import stride_of
from motionloom.errors import ParameterError
from tests.blending.curves import two_loops


def test_keys_are_looked_at_at_once() -> None:
    controls = Controls(two_loops(), ["walk", "jog"])
    with pytest.raises(ParameterError, match="keyed weights need at least one key"):
        KeyedControls(controls, {})
    with pytest.raises(ParameterError, match="there is no style 'hop'"):
        KeyedControls(controls, {0.0: ControlKey(1.0, style="hop")})
    with pytest.raises(ParameterError, match="either all control keys name a style or none does"):
        KeyedControls(controls, {0.0: ControlKey(1.0, style="jog"), 1.0: ControlKey(1.0)})


def test_keys_go_by_their_times() -> None:
    with pytest.raises(ParameterError, match="control keys must be a dict of seconds -> ControlKey, not"):
        KeyedControls(Controls(two_loops()), [(0.0, ControlKey(1.0))])  # type: ignore[arg-type]


def test_keys_of_speed_alone_have_that_speed() -> None:
    """The clips turn to different sides: a turn of 0 would pull the speed towards where they cancel."""
    controls = Controls(two_loops())
    slow, fast = controls.clips
    asked = [slow.speed, 0.25 * slow.speed + 0.75 * fast.speed]
    rows = KeyedControls(controls, {0.0: ControlKey(asked[0]), 2.0: ControlKey(asked[1])})([0.0, 2.0])
    assert [controls.going(row).speed for row in rows] == pytest.approx(asked, abs=0.01)
    straight = KeyedControls(controls, {0.0: ControlKey(asked[0], turn=0.0)})([0.0])
    assert abs(controls.going(straight[0]).turn) < abs(slow.turn) - 0.05


def test_a_key_without_a_turn_among_others_goes_straight() -> None:
    controls = Controls(two_loops())
    mixed = KeyedControls(controls, {0.0: ControlKey(1.8), 2.0: ControlKey(1.8, turn=0.3)})
    stated = KeyedControls(controls, {0.0: ControlKey(1.8, turn=0.0), 2.0: ControlKey(1.8, turn=0.3)})
    assert mixed([0.0, 1.0]).tolist() == stated([0.0, 1.0]).tolist()


def test_styles_change_from_key_to_key() -> None:
    controls = Controls(two_loops(), ["walk", "jog"])
    keys = {0.0: ControlKey(1.0, style="walk"), 2.0: ControlKey(2.0, style={"walk": 1, "jog": 3})}
    found = KeyedControls(controls, keys, easing="linear")([0.0, 1.0, 2.0, 9.0])
    assert found[:, 1].tolist() == pytest.approx([0.0, 0.375, 0.75, 0.75])


def test_a_blend_follows_its_keys() -> None:
    controls = Controls(two_loops())
    slow, fast = controls.clips
    keys = {0.0: ControlKey(*slow), 2.0: ControlKey(*slow), 4.0: ControlKey(*fast), 8.0: ControlKey(*fast)}
    followed = KeyedControls(controls, keys)
    assert followed.seconds == 8.0
    clip = blend(two_loops(), followed).clip
    assert clip.n_frames == 8 * 60 + 1
    assert stride_of(clip[:121]).speed == pytest.approx(slow.speed, rel=0.05)
    assert stride_of(clip[240:]).speed == pytest.approx(fast.speed, rel=0.05)
