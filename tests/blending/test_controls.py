from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import annotate
from motionloom.blending import blend
from motionloom.blending.controls import Controls, measure_path
from motionloom.blending.keyed_controls import ControlKey, KeyedControls
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.steady_travel import put_in_place
from motionloom.registration import register
from motionloom.synthesis import jog, walk
from tests.blending.curves import nine_loops, two_loops, two_walks
from tests.blending.gait_controls import STYLES, loop, nine, styled
from tests.blending.steering import nine_styles
from tests.blending.test_blend_points import marker_curve
from tests.refusals import refused
from tests.registration.nine_clips import GAITS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"speed": np.nan}, "speed must be a finite number, not nan"),
        ({"turn": "left"}, "turn must be a finite number, not 'left'"),
        ({"speed": 1.0, "style": "dance"}, "there is no style 'dance': the styles are 'sneak', 'upright'"),
        (
            {"speed": 1.0, "style": {"sneak": -1.0}},
            "the fraction of style 'sneak' must be a number of at least 0",
        ),
        ({"speed": 1.0, "style": {"sneak": 0.0}}, "a mix of styles needs at least one fraction above 0"),
    ],
)
def test_a_wrong_wish_is_refused(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as error:
        styled().weights(**asked)
    assert sentence in str(error.value)


def test_each_clip_needs_a_style() -> None:
    with pytest.raises(ParameterError, match="9 clips need a style each, not 2 styles"):
        Controls(nine(), ["a", "b"])
    with refused("rate_law", "x"):
        Controls(nine(), rate_law="x")  # type: ignore[arg-type]


def test_clips_must_be_registered_first() -> None:
    with pytest.raises(ParameterError, match="Controls takes a registration curve, not a list: register"):
        Controls([loop(walk, 0.0)])  # type: ignore[arg-type]


def test_points_have_no_turn() -> None:
    with pytest.raises(ParameterError, match="point clips have no facing"):
        Controls(marker_curve())


def test_weights_that_add_up_to_nothing_go_nowhere() -> None:
    with pytest.raises(ParameterError, match="the weights add up to 0"):
        Controls(two_loops()).speed_and_turn([1, -1])


def test_the_clips_go_as_they_were_made() -> None:
    left, right = Controls(two_loops()).clips
    assert left == pytest.approx((1.2, 0.36), rel=0.02)
    assert right == pytest.approx((2.4, -0.48), rel=0.02)


def test_two_clips_are_a_line() -> None:
    controls = Controls(two_walks())
    (slow, _), (fast, _) = controls.clips
    weights = controls.weights(speed=(slow + fast) / 2, turn=0.0)
    assert controls.speed_and_turn(weights).speed == pytest.approx((slow + fast) / 2, rel=0.05)
    assert controls.weights(speed=99.0, turn=controls.clips[1].turn).tolist() == [0.0, 1.0]


def test_turns_that_stray_a_little_do_not_change_the_speed() -> None:
    """Two walks that are meant to be straight, and are not quite."""
    controls = Controls(register([loop(walk, 0.03), loop(jog, -0.01)]))
    (slow, _), (fast, _) = controls.clips
    for asked in (slow, 0.7 * slow + 0.3 * fast, fast):
        assert controls.speed_and_turn(controls.weights(speed=asked)).speed == pytest.approx(asked, abs=1e-4)
        assert controls.speed_and_turn(controls.weights(speed=asked, turn=0.0)).speed == pytest.approx(
            asked, abs=0.02
        )
    assert controls.weights(speed=0.5 * slow).tolist() == pytest.approx([1.0, 0.0], abs=1e-5)


@pytest.mark.slow
def test_a_turn_that_was_not_asked_for_is_as_small_as_the_clips_allow() -> None:
    controls = Controls(nine())
    assert controls.speed_and_turn(controls.weights(speed=1.5)) == pytest.approx((1.5, 0.0), abs=0.01)
    # A speed that no clip has is not made up for by turning.
    turns = Controls(register([loop(walk, 0.3), loop(walk, 0.0), loop(walk, -0.3)]))
    assert abs(turns.speed_and_turn(turns.weights(speed=9.0)).turn) < 0.1


def test_clips_that_all_go_alike_share() -> None:
    same = loop(walk, 0.0)
    weights = Controls(register([same, same, same])).weights(speed=3.0, turn=1.0)
    assert weights.tolist() == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("styles", [None, STYLES])
def test_a_clip_that_is_asked_for_has_all_the_weight(styles: list[str] | None) -> None:
    controls = Controls(nine(), styles)
    for k, (speed, turn) in enumerate(controls.clips):
        style = None if styles is None else styles[k]
        assert controls.weights(speed=speed, turn=turn, style=style)[k] == pytest.approx(1.0, abs=1e-9)


def test_styles_are_taken_alone_or_mixed() -> None:
    controls = styled()
    assert controls.weights(speed=1.0, style="sneak")[:6].tolist() == [0.0] * 6
    mixed = controls.weights(speed=1.0, style={"sneak": 3, "upright": 1})
    assert mixed[6:].sum() == pytest.approx(0.75)
    assert controls.weights().sum() == pytest.approx(1.0)


@given(st.floats(-1, 6), st.floats(-3, 3), st.floats(0, 1), st.floats(0, 6.3))
def test_weights_are_convex_and_change_gradually(
    speed: float, turn: float, share: float, angle: float
) -> None:
    controls = styled()
    style = {"sneak": share, "upright": 1.0 - share}
    weights = controls.weights(speed=speed, turn=turn, style=style)
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
    moved = speed + 1e-6 * np.cos(angle), turn + 1e-6 * np.sin(angle)
    near = controls.weights(speed=float(moved[0]), turn=float(moved[1]), style=style)
    assert np.abs(near - weights).max() < 1e-3


@pytest.mark.parametrize("rate", ["frequency", "duration"])
def test_a_blend_goes_as_foretold(rate: Any) -> None:
    controls = Controls(two_loops(), rate_law=rate)
    for first in (0.2, 0.5, 0.8):
        foretold = controls.speed_and_turn([first, 1.0 - first])
        made = measure_path(blend(two_loops(), [first, 1.0 - first], rate_law=rate).clip)
        # A cycle is rounded to whole frames of a 60th of a second.
        assert made.speed == pytest.approx(foretold.speed, rel=0.03)
        assert made.turn_rate == pytest.approx(foretold.turn, abs=0.03)


def test_captured_walks_have_the_speed_that_was_asked_for(mocap: Path) -> None:
    takes = (load_clip(mocap / f"locomotion/speeds/{name}.bvh") for name in ("slow_07_04", "fast_07_11"))
    controls = Controls(register([cyclify(annotate(take), cycles=1) for take in takes]))
    for asked in (1.0, 1.2, 1.5, 1.65):
        assert controls.speed_and_turn(controls.weights(speed=asked)).speed == pytest.approx(asked, abs=1e-3)


@pytest.mark.parametrize("name", GAITS)
def test_captured_clips_go_as_asked(mocap: Path, name: str) -> None:
    """Long blends: what a cycle is rounded to at 30 frames per second does not matter."""
    curve = nine_loops(mocap, name)
    controls = Controls(curve, nine_styles(name))
    random = np.random.default_rng(4)
    for _ in range(8):
        asked = random.dirichlet(np.full(9, 0.5)) @ np.array(controls.clips)
        weights = controls.weights(speed=asked[0], turn=asked[1])
        assert controls.speed_and_turn(weights) == pytest.approx(tuple(asked), abs=0.05)
        made = measure_path(blend(curve, weights, duration=20.0).clip)
        assert made.speed == pytest.approx(asked[0], abs=0.1)
        assert made.turn_rate == pytest.approx(asked[1], abs=0.08)


def test_controls_fit_on_a_line() -> None:
    controls = Controls(two_loops(), ["walk", "jog"])
    assert repr(controls) == "Controls(2 clips, styles 'jog', 'walk')"
    assert repr(Controls(two_loops())) == "Controls(2 clips)"
    keyed = KeyedControls(controls, {0.0: ControlKey(1.0), 2.0: ControlKey(1.5)}, easing="linear")
    assert repr(keyed) == "KeyedControls(2 keys, 0 to 2 s, linear)"


def test_gaits_in_place_have_the_speed_that_their_feet_show() -> None:
    loops = [
        cyclify(annotate(walk(speed=speed, duration=4.0, fps=30).clip), cycles=1) for speed in (1.0, 1.6)
    ]
    still = register([put_in_place(own) for own in loops])
    controls = Controls(still)
    assert [own.speed for own in controls.clips] == pytest.approx([1.0, 1.6], rel=0.03)
    weights = controls.weights(speed=1.3)
    assert controls.speed_and_turn(weights).speed == pytest.approx(1.3, rel=0.01)
    assert measure_path(blend(still, weights, duration=4.0).clip).speed < 0.05


def test_steering_gets_the_turn_that_the_set_can_give(mocap: Path) -> None:
    """Runs of one speed and of strides of different lengths: the blends of two are faster than both."""
    files = sorted((mocap / "locomotion" / "s16").glob("run_*.bvh"))
    curve = register([cyclify(load_clip(path), cycles=1) for path in files])
    controls = Controls(curve)
    turns = [own.turn for own in controls.clips]
    speed = float(np.mean([own.speed for own in controls.clips]))
    for turn in np.linspace(min(turns), max(turns), 9):
        path = measure_path(blend(curve, controls.weights(speed=speed, turn=float(turn))).clip)
        assert np.degrees(abs(path.turn_rate - turn)) < 3.0
        assert path.speed == pytest.approx(speed, rel=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAITS)
def test_weights_of_captured_clips_never_snap(mocap: Path, name: str) -> None:
    """A hundredth of a metre per second, or a third of a degree, moves no weight by more than a twentieth."""
    controls = Controls(nine_loops(mocap, name))
    sweeps = [
        [{"speed": speed, "turn": 0.0} for speed in np.linspace(0.5, 5.0, 451)],
        [{"speed": speed} for speed in np.linspace(0.5, 5.0, 451)],
        [{"speed": 1.5, "turn": turn} for turn in np.linspace(-1.5, 1.5, 501)],
    ]
    for sweep in sweeps:
        rows = np.array([controls.weights(**request) for request in sweep])
        assert np.abs(np.diff(rows, axis=0)).max() < 0.05


@pytest.mark.slow
def test_beyond_the_clips_straight_ahead_is_the_straight_clip(mocap: Path) -> None:
    """Runs to the left and to the right are a hair faster than the straight one, and no stand-in for it."""
    controls = Controls(nine_loops(mocap, "s16"))
    fast, slow = controls.weights(speed=9.0, turn=0.0), controls.weights(speed=0.1, turn=0.0)
    assert fast.argmax() == 6
    assert fast[6] > 0.95
    assert slow.argmax() == 0
    assert slow[0] > 0.75


def test_a_circle_has_the_length_of_its_arc() -> None:
    """Three quarters of a circle of radius 2 m in 3 s, with a sway that the length leaves out."""
    fraction = np.linspace(0.0, 1.0, 301)
    turn = 1.5 * np.pi * fraction
    radius = 2.0 + 0.05 * np.sin(2 * np.pi * 6 * fraction)
    roots = np.stack([2.0 - radius * np.cos(turn), np.ones(301), radius * np.sin(turn)], axis=-1)
    dot = Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))
    path = measure_path(Clip(dot, 0.01, roots, rot.from_yaw(turn)[:, None]))
    assert path.duration == pytest.approx(3.0)
    assert path.length == pytest.approx(3.0 * np.pi, rel=1e-3)
    assert path.turn == pytest.approx(1.5 * np.pi)
    assert (path.speed, path.turn_rate) == pytest.approx((np.pi, np.pi / 2), rel=1e-3)


@pytest.mark.parametrize("curvature", [-0.4, 0.0, 0.3])
def test_a_cycle_goes_as_the_walk_it_was_cut_from(curvature: float) -> None:
    """The root of a curving walk leans inward, which shortens its way by up to two per cent."""
    loop = cyclify(walk(speed=1.3, curvature=curvature, duration=4.0).clip, cycles=1)
    path = measure_path(loop.clip)
    assert path.speed == pytest.approx(1.3, rel=0.02)
    assert path.turn_rate == pytest.approx(1.3 * curvature, abs=0.01)


def test_only_the_named_part_counts() -> None:
    clip = walk(speed=1.0, duration=4.0, fps=30).clip
    assert measure_path(clip, 30.0, 60.0).duration == pytest.approx(1.0)
    assert measure_path(clip, 30.0, 60.0).length == pytest.approx(1.0, rel=0.1)
