from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.geometry import AbstractCurve
from motionloom.geometry import rotations as rot
from motionloom.synthesis import GaitStyle, SyntheticMotion, jog, sneak, turn_walk, walk
from motionloom.synthesis.gait import JOG, SNEAK, WALK, Gait
from motionloom.synthesis.locomotion import ArcPath, CornerPath
from tests.refusals import refused
from tests.synthesis import truth

GAITS = {"walk": (walk, WALK), "jog": (jog, JOG), "sneak": (sneak, SNEAK)}
every_gait = pytest.mark.parametrize("name", GAITS)


def _first_plants(motion: SyntheticMotion) -> list[tuple[float, str]]:
    """Heel strikes inside the clip as (frame, side), in order."""
    heels = [plant for plant in motion.plants if plant.kind == "heel" and plant.start > 0.0]
    return sorted((plant.start, plant.joint.removesuffix("Foot")) for plant in heels)


@every_gait
def test_refuses_speeds_the_gait_does_not_have(name: str) -> None:
    make, gait = GAITS[name]
    for speed in (-1.0, 0.0, gait.max_speed + 0.1, float("nan")):
        sentence = rf"^speed must be from {gait.min_speed:g} to .* for a {name}, not"
        with pytest.raises(ParameterError, match=sentence):
            make(speed=speed)


def test_refuses_curves_that_are_too_tight() -> None:
    with pytest.raises(
        ParameterError, match=r"curvature at 1\.4 m/s \(a slower walk can turn more tightly\)"
    ):
        walk(curvature=3.0)
    with pytest.raises(ParameterError, match=r"a slower jog can turn more tightly"):
        jog(speed=4.0, curvature=-0.5)


def test_refuses_turns_beyond_half_a_turn_and_clips_too_short_for_them() -> None:
    with refused("turn"):
        turn_walk(turn=3.5)
    with pytest.raises(ParameterError, match=r"turning by 3\.142 rad at 1\.4 m/s takes 2\.\d+ s"):
        turn_walk(turn=np.pi, duration=1.0)


def test_refuses_styles_that_no_body_can_carry() -> None:
    with pytest.raises(ParameterError, match=r"style crouch must be from 0 to 0\.2 m, not 1"):
        GaitStyle(crouch=1.0)
    with pytest.raises(ParameterError, match=r"foot comes within 0\.\d+ m of its hip"):
        jog(speed=4.0, style=GaitStyle(crouch=0.2, lift=1.6))


def test_phase_zero_is_a_left_heel_strike() -> None:
    motion = walk(phase=0.9, duration=3.0, fps=100)
    frame, side = _first_plants(motion)[0]
    assert side == "Left"
    assert np.interp(frame, np.arange(len(motion.clip)), motion.phase) == pytest.approx(1.0, abs=1e-9)
    heel = next(plant for plant in motion.plants if plant.start == frame)
    assert heel.target is not None
    assert heel.target[0] > 0.0


@every_gait
def test_left_and_right_alternate(name: str) -> None:
    make, _ = GAITS[name]
    sides = [side for _, side in _first_plants(make(duration=6.0))]
    assert len(sides) > 5
    assert all(a != b for a, b in pairwise(sides))


@every_gait
@pytest.mark.parametrize("curvature", [0.0, 0.2, -0.2])
def test_speed_and_heading_are_as_asked(name: str, curvature: float) -> None:
    make, gait = GAITS[name]
    cycle = gait.cycle(gait.default_speed)
    motion = make(curvature=curvature, duration=4 * cycle, fps=200 / cycle)
    travelled = 4 * cycle * gait.default_speed
    path_length = np.linalg.norm(np.diff(motion.path, axis=0), axis=-1).sum()
    assert path_length == pytest.approx(travelled, rel=1e-3)
    # Over whole cycles the root has turned as the path has: all sway is periodic.
    turned = rot.multiply(motion.clip.rotations[-1, 0], rot.inverse(motion.clip.rotations[0, 0]))
    np.testing.assert_allclose(
        rot.to_rotation_vector(turned), rot.to_rotation_vector(rot.from_yaw(curvature * travelled)), atol=1e-6
    )
    moved = np.linalg.norm(motion.clip.root_positions[-1] - motion.clip.root_positions[0])
    assert moved == pytest.approx(np.linalg.norm(motion.path[-1] - motion.path[0]), rel=0.03)


@every_gait
def test_footsteps_are_as_long_as_the_gait_says(name: str) -> None:
    make, gait = GAITS[name]
    motion = make(duration=5.0)
    for side in truth.SIDES:
        heels = [p.target for p in motion.plants if p.joint == side + "Foot" and p.start > 0.0]
        places = np.array(heels)
        np.testing.assert_allclose(np.diff(places[:, 2]), 2.0 * gait.step(gait.default_speed), rtol=1e-9)
        np.testing.assert_allclose(places[:, 0], places[0, 0], atol=1e-9)


def _shares_on_the_floor(motion: SyntheticMotion) -> tuple[float, float]:
    """Shares of the frames with at least one foot, and with both feet, on the floor."""
    left, right = (truth.grounded(motion, side) for side in truth.SIDES)
    return float((left | right).mean()), float((left & right).mean())


def test_a_walk_always_stands_and_a_jog_flies() -> None:
    some, both = _shares_on_the_floor(walk(duration=10.0))
    assert some == 1.0
    assert 0.15 < both < 0.35
    some, both = _shares_on_the_floor(sneak(duration=10.0))
    assert some == 1.0
    assert both > 0.2
    some, both = _shares_on_the_floor(jog(duration=10.0))
    assert 0.65 < some < 0.8
    assert both == 0.0


@pytest.mark.parametrize(
    ("name", "low", "high"), [("walk", 0.58, 0.66), ("jog", 0.30, 0.40), ("sneak", 0.62, 0.70)]
)
def test_stance_is_as_long_as_in_people(name: str, low: float, high: float) -> None:
    make, _ = GAITS[name]
    motion = make(duration=10.0)
    assert low < truth.grounded(motion, "Left").mean() < high


def test_a_jogger_falls_freely_while_in_the_air() -> None:
    motion = jog(duration=4.0, fps=240)
    height = motion.clip.root_positions[:, 1]
    acceleration = np.diff(height, 2) * 240**2
    flying = ~(truth.grounded(motion, "Left") | truth.grounded(motion, "Right"))
    inside = flying[:-2] & flying[1:-1] & flying[2:]
    assert inside.sum() > 100
    assert np.abs(acceleration[inside] + 9.81).max() < 1.0
    assert np.median(acceleration[inside]) == pytest.approx(-9.81, rel=0.02)


def test_a_sneak_is_crouched_and_lifts_its_feet() -> None:
    stalking, walking = sneak().clip, walk().clip
    assert stalking.root_positions[:, 1].mean() < walking.root_positions[:, 1].mean() - 0.08
    ball = truth.joint_positions(stalking, "LeftToeBase")[:, 1]
    assert ball.max() > truth.joint_positions(walking, "LeftToeBase")[:, 1].max() + 0.05


def test_arms_swing_against_the_legs() -> None:
    motion = walk(duration=6.0)
    ahead = motion.path[:, 2]
    hand = truth.joint_positions(motion.clip, "LeftHand")[:, 2] - ahead
    foot = truth.joint_positions(motion.clip, "LeftFoot")[:, 2] - ahead
    other = truth.joint_positions(motion.clip, "RightFoot")[:, 2] - ahead
    assert np.corrcoef(hand, foot)[0, 1] < -0.7
    assert np.corrcoef(hand, other)[0, 1] > 0.7


def test_the_head_stays_level() -> None:
    clip = walk().clip
    up = rot.rotate(clip.world_rotations()[:, clip.skeleton.index("Head")], [0.0, 1.0, 0.0])
    assert np.degrees(np.arccos(up[:, 1])).max() < 5.0


@pytest.mark.slow
@pytest.mark.parametrize("degrees", [-180, -120, -45, 0, 30, 90, 180])
def test_a_sharp_turn_turns_by_exactly_its_angle(degrees: float) -> None:
    turn = np.radians(degrees)
    motion = turn_walk(turn=turn, duration=6.0, fps=120)
    first, last = motion.path[1] - motion.path[0], motion.path[-1] - motion.path[-2]
    turned = np.arctan2(last[0], last[2]) - np.arctan2(first[0], first[2])
    assert np.cos(turned - turn) == pytest.approx(1.0, abs=1e-9)
    assert np.linalg.norm(first) * 120 == pytest.approx(WALK.default_speed)
    assert truth.slide(motion.clip, motion.plants) < 1e-9
    assert truth.lowest_point(motion.clip) > -1e-3


@pytest.mark.parametrize("phase", [0.0, 0.25, 0.5, 0.75])
def test_legs_do_not_pass_through_each_other_in_a_half_turn(phase: float) -> None:
    clip = turn_walk(turn=np.pi, phase=phase).clip
    left, right = (
        [
            truth.joint_positions(clip, side + "Leg") * (1 - s)
            + truth.joint_positions(clip, side + "Foot") * s
            for s in np.linspace(0, 1, 9)
        ]
        for side in truth.SIDES
    )
    apart = [np.linalg.norm(a - b, axis=-1).min() for a in left for b in right]
    assert min(apart) > 0.09


@every_gait
def test_a_right_curve_mirrors_a_left_curve(name: str) -> None:
    make, _ = GAITS[name]
    left = make(curvature=0.2, duration=2.0, fps=60)
    right = make(curvature=-0.2, duration=2.0, fps=60, phase=0.5)
    names = left.clip.skeleton.names
    swap = {"L": ("Left", "Right"), "R": ("Right", "Left")}
    twins = [
        names.index(n.replace(*swap[n[0]])) if n.startswith(truth.SIDES) else names.index(n) for n in names
    ]
    mirrored = right.clip.world_positions()[:, twins] * [-1.0, 1.0, 1.0]
    np.testing.assert_allclose(mirrored, left.clip.world_positions(), atol=1e-9)


def _styled(gait: Gait) -> st.SearchStrategy[tuple[float, float, float, GaitStyle]]:
    """Speeds, curvatures as shares of the tightest, phases and moderate styles."""
    styles = st.builds(
        GaitStyle,
        arm_swing=st.floats(0.0, 2.0),
        bounce=st.floats(0.0, 1.5),
        sway=st.floats(0.0, 2.0),
        lift=st.floats(1.0, 1.2),
        crouch=st.floats(0.0, 0.06),
        lean=st.floats(-0.2, 0.4),
        width=st.floats(-0.02, 0.15),
    )
    return st.tuples(
        st.floats(gait.min_speed, gait.max_speed), st.floats(-1.0, 1.0), st.floats(0.0, 1.0), styles
    )


@pytest.mark.slow
@every_gait
@settings(max_examples=25)
@given(data=st.data())
def test_feet_and_knees_are_right_at_every_speed_curve_and_style(name: str, data: st.DataObject) -> None:
    make, gait = GAITS[name]
    speed, bend, phase, style = data.draw(_styled(gait))
    curvature = 0.99 * bend * min(0.7 / gait.step(speed), 3.4 / speed**2)
    motion = make(speed=speed, curvature=curvature, phase=phase, style=style, duration=3.0, fps=60)
    clip = motion.clip
    assert truth.slide(clip, motion.plants) < 1e-9
    assert truth.lowest_point(clip) > -1e-3
    for side in truth.SIDES:
        flexion = truth.knee_flexion(clip, side)
        assert np.radians(10) < flexion.min()
        assert flexion.max() < np.radians(150)
        assert truth.knee_sense(clip, side, "Hips").min() > 0.5
        assert truth.elbow_flexion(clip, side).min() > 0.03
    fine = make(speed=speed, curvature=curvature, phase=phase, style=style, duration=3.0, fps=480).clip
    coarse = make(speed=speed, curvature=curvature, phase=phase, style=style, duration=3.0, fps=240).clip
    assert truth.jolt(fine) < 0.6 * truth.jolt(coarse)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.floats(-np.pi, np.pi), st.floats(0.6, WALK.max_speed), st.floats(0.0, 1.0))
def test_sharp_turns_hold_at_every_angle_speed_and_phase(turn: float, speed: float, phase: float) -> None:
    motion = turn_walk(turn=turn, speed=speed, phase=phase, duration=8.0, fps=60)
    assert truth.slide(motion.clip, motion.plants) < 1e-9
    assert truth.lowest_point(motion.clip) > -1e-3
    for side in truth.SIDES:
        assert truth.knee_flexion(motion.clip, side).min() > np.radians(10)
        assert truth.knee_sense(motion.clip, side, "Hips").min() > 0.3


PATHS = [ArcPath(1.5), ArcPath(1.2, 0.4), ArcPath(2.0, -0.7), CornerPath(1.4, 2.0, 1.0, 1.5, 0.4)]


def test_a_quarter_circle_to_the_left() -> None:
    """Left is +X for somebody who faces +Z; the radius is 2 m."""
    x, z, heading = ArcPath(np.pi, 0.5)(1.0)
    assert (x, z, heading) == (pytest.approx(2.0), pytest.approx(2.0), pytest.approx(np.pi / 2))


def test_a_straight_line() -> None:
    np.testing.assert_allclose(
        ArcPath(1.5)([-2.0, 0.0, 2.0]), [[0.0, -3.0, 0.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0]]
    )


def test_a_corner_joins_two_straight_lines() -> None:
    corner = CornerPath(speed=2.0, turn=np.pi / 2, start=1.0, span=1.0, slowing=0.0)
    np.testing.assert_allclose(corner([0.0, 0.5, 1.0]), [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]])
    after = corner([2.0, 3.0])
    np.testing.assert_allclose(after[1] - after[0], [2.0, 0.0, 0.0], atol=1e-12)
    # The corner is symmetric about its bisector, so it goes as far ahead as aside.
    assert after[0, 0] == pytest.approx(after[0, 1] - 2.0)


def test_without_a_turn_the_corner_is_a_line() -> None:
    time = np.linspace(-1.0, 4.0, 30)
    np.testing.assert_allclose(CornerPath(1.3, 0.0, 1.0, 1.0, 0.0)(time), ArcPath(1.3)(time), atol=1e-12)


@pytest.mark.parametrize("path", PATHS)
def test_derivatives(path: AbstractCurve) -> None:
    time = np.linspace(-1.0, 4.0, 101)
    step = 1e-5
    slope = (path(time + step) - path(time - step)) / (2 * step)
    np.testing.assert_allclose(path.derivative(time), slope, atol=1e-7)
    assert path.domain == (-np.inf, np.inf)


@pytest.mark.parametrize("path", PATHS)
def test_the_path_faces_where_it_goes(path: AbstractCurve) -> None:
    time = np.linspace(-1.0, 4.0, 101)
    heading, velocity = path(time)[:, 2], path.derivative(time)[:, :2]
    speed = np.linalg.norm(velocity, axis=-1)
    np.testing.assert_allclose(
        velocity, speed[:, None] * np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    )


@pytest.mark.slow
@given(st.floats(-np.pi, np.pi), st.floats(0.3, 3.0), st.floats(0.0, 0.7))
def test_a_corner_turns_by_its_angle(turn: float, span: float, slowing: float) -> None:
    path = CornerPath(1.0, turn, 1.0, span, slowing)
    assert float(path(1.0 + span)[2]) == pytest.approx(turn, abs=1e-12)
    # Fine steps along the path add up to the place the quadrature gives.
    time = np.linspace(1.0, 1.0 + span, 4001)
    middle = (time[1:] + time[:-1]) / 2.0
    walked = (path.derivative(middle)[:, :2] * (span / 4000)).sum(axis=0)
    np.testing.assert_allclose(path(time[-1])[:2] - path(time[0])[:2], walked, atol=1e-6)
