from __future__ import annotations

import numpy as np
import pytest

from motionloom.blending import blend
from motionloom.blending.controls import Controls, measure_path
from motionloom.blending.keyed_controls import ControlKey, KeyedControls
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.registration import register
from motionloom.synthesis import walk
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
    assert [controls.speed_and_turn(row).speed for row in rows] == pytest.approx(asked, abs=0.01)
    straight = KeyedControls(controls, {0.0: ControlKey(asked[0], turn=0.0)})([0.0])
    assert abs(controls.speed_and_turn(straight[0]).turn) < abs(slow.turn) - 0.05


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


@pytest.mark.slow
def test_a_blend_follows_its_keys() -> None:
    controls = Controls(two_loops())
    slow, fast = controls.clips
    keys = {0.0: ControlKey(*slow), 2.0: ControlKey(*slow), 4.0: ControlKey(*fast), 8.0: ControlKey(*fast)}
    followed = KeyedControls(controls, keys)
    assert followed.duration == 8.0
    clip = blend(two_loops(), followed).clip
    assert clip.n_frames == 8 * 60 + 1
    assert measure_path(clip[:121]).speed == pytest.approx(slow.speed, rel=0.05)
    assert measure_path(clip[240:]).speed == pytest.approx(fast.speed, rel=0.05)


def test_keyed_controls_take_controls_and_keys() -> None:
    with pytest.raises(
        ParameterError, match=r"KeyedControls takes Controls\(curve\), not a RegistrationCurve"
    ):
        KeyedControls(two_loops(), {0.0: ControlKey(1.0)})  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="control keys must be a dict of seconds -> ControlKey, not 1"):
        KeyedControls(Controls(two_loops()), {0.0: 1.5})  # type: ignore[dict-item]


def test_keys_that_change_faster_than_a_blend_can_are_softened() -> None:
    """A change within a twentieth of a second takes half a second; what lies a second away stays exact."""
    loops = [cyclify(walk(speed=speed, duration=4, fps=30).clip, cycles=1) for speed in (0.8, 1.6)]
    controls = Controls(register(loops))
    keys = {0: ControlKey(0.8), 2.0: ControlKey(0.8), 2.05: ControlKey(1.6), 4.0: ControlKey(1.5)}
    times = np.arange(0.0, 4.0, 1 / 30)
    rows = KeyedControls(controls, keys, "linear")(times)
    assert np.abs(np.diff(rows, axis=0)).max() * 30 < 3.0
    assert rows[times < 0.9] == pytest.approx(np.tile([1.0, 0.0], (27, 1)), abs=1e-9)
    assert rows[-1] == pytest.approx(controls.weights(speed=1.5 + 0.1 * (4 - times[-1]) / 1.95), abs=1e-9)
    single = [KeyedControls(controls, keys, "linear")([time])[0] for time in times[50:80]]
    assert single == pytest.approx(rows[50:80], abs=1e-9)
    held = KeyedControls(controls, keys, "hold")(times)
    assert np.abs(np.diff(held, axis=0)).max() > 0.95
