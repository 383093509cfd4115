"""The whole of enforcement: on built-in motion against the truth, on captures of many skeletons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.enforcement import EnforcementReport, enforce
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Result, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import MOTIONS, reach_out, walk
from tests.conftest import MOCAP
from tests.enforcement.measuring import (
    held_frames,
    knee_angles,
    knee_speed,
    largest_slide,
    moved_by,
    skating,
    slide,
    way_of,
)

CAPTURES = (
    "locomotion/s16/walk_straight_16_15",
    "locomotion/s16/jog_right_16_39",
    "locomotion/s16/run_left_16_48",
    "locomotion/s139_sneak/sneak_left_139_31_r0925-1237",
    "actions/kicks/kick_74_03",
    "dialects/bvh/xsens_style_40hz_cut",
    "dialects/bvh/walk01_24hz_exponents",
    "dialects/bvh/mova_8walk_6ch_cut",
    "dialects/bvh/animdrawings_dab_zup",
    "dialects/bvh/neuron_6ch_125hz_cut",
)
FLOORS = (
    "locomotion/s16/walk_straight_16_15",
    "locomotion/speeds/fast_07_11",
    "actions/dance/dance_arabesque_05_14",
    "actions/golf/golf_swing_64_01",
)
"""Captures on level and on tilted floors, and one whose toes point below the floor."""

STRETCH = 0.026


@cache
def source(name: str, fps: float | None) -> Clip:
    clip = ml.load(Path(MOCAP) / f"{name}.bvh")
    return annotate(clip if fps is None else clip.resampled(fps))


@cache
def enforced(name: str, fps: float | None, stretch: float = STRETCH) -> Result[EnforcementReport]:
    return enforce(source(name, fps), stretch=stretch)


def walked(seconds: float = 3.0, fps: float = 60.0) -> Clip:
    return annotate(walk(duration=seconds, fps=fps).clip)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"stretch": -0.1}, "stretch must be a number of at least 0, not -0.1"),
        ({"stretch": 1.0}, "stretch is a fraction of a bone's length, below 1, not 1"),
        ({"stretch": nan}, "stretch must be a number of at least 0, not nan"),
        ({"blend_duration": -1}, "blend_duration must be a number of at least 0 seconds, not -1"),
        ({"blend_duration": "long"}, "blend_duration must be a number of at least 0 seconds, not 'long'"),
    ],
)
def test_bad_options_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        enforce(walked(1.0), **arguments)


@pytest.mark.parametrize("cyclic", [False, True])
def test_a_clip_without_constraints_is_refused_with_the_way_out(cyclic: bool) -> None:
    bare = replace(walked(1.0), constraints=(), cyclic=cyclic)
    with pytest.raises(ParameterError, match=r"the clip has no constraints.*motionloom\.annotate"):
        enforce(bare)


@pytest.mark.parametrize(
    ("wrong", "shown"),
    [
        (3, "a int"),
        ("walk.bvh", "a str: read it"),
        (None, "None"),
    ],
)
def test_something_else_than_a_clip_is_refused(wrong: Any, shown: str) -> None:
    with pytest.raises(ParameterError, match=f"enforce takes a clip with a skeleton, not {shown}"):
        enforce(wrong)


@pytest.mark.parametrize("n_frames", [0, 1, 2, 3])
def test_the_shortest_clips_are_held(n_frames: int) -> None:
    clip = walked(1.0)[:n_frames]
    held = enforce(replace(clip, constraints=(Constraint("LeftFoot", "heel", 0, 9),)))
    assert largest_slide(held.clip) < 0.001


def test_a_skeleton_without_legs_is_left_alone_and_says_so() -> None:
    pole = Skeleton(("root", "top"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 1.0, 0]]))
    clip = Clip(pole, 0.1, np.zeros((5, 3)), np.tile(rot.IDENTITY, (5, 2, 1)))
    held = enforce(replace(clip, constraints=(Constraint("top", "heel", 0, 4),)))
    assert held.report.notes == (
        "constraint 'heel' of joint 'top' is ignored: "
        "only feet, hands, knees, elbows and the seat can be held",
    )
    assert np.array_equal(held.clip.rotations, clip.rotations)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MOTIONS))
def test_built_in_motion_is_on_target_and_stays(name: str) -> None:
    motion = MOTIONS[name](fps=60)
    held = enforce(replace(motion.clip, constraints=(*motion.plants, *motion.holds)))
    assert moved_by(held.clip, motion.clip) < 1e-9
    assert held.report.unreached == ()
    assert held.clip.translations is None


@pytest.mark.slow
@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0])
@pytest.mark.parametrize("stretch", [0.0, STRETCH])
def test_skating_feet_stand_still(fps: float, stretch: float) -> None:
    clip = skating(walked(3.0, fps))
    assert largest_slide(clip) > 0.02
    held = enforce(clip, stretch=stretch)
    assert largest_slide(held.clip) < 1e-4
    assert held.report.unreached == ()
    assert held.report.stretch <= stretch + 1e-9
    assert knee_speed(held.clip) < 1.5 * knee_speed(clip)


def test_the_clip_itself_and_its_other_limbs_stay() -> None:
    clip = skating(walked())
    before = np.array(clip.rotations)
    held = enforce(clip)
    legs = {
        joint for leg in find_anatomy(clip.skeleton).legs for joint in (leg.hip, leg.knee, leg.ankle, leg.toe)
    }
    others = [joint for joint in range(clip.skeleton.n_joints) if joint not in legs]
    assert np.array_equal(held.clip.rotations[:, others], before[:, others])
    assert np.array_equal(clip.rotations, before)
    assert (held.clip.events, held.clip.source, held.clip.frame_time) == (
        clip.events,
        clip.source,
        clip.frame_time,
    )


def test_a_given_target_is_where_the_point_stays() -> None:
    clip = walked()
    moved = tuple(
        replace(plant, target=way_of(plant, clip).mean(axis=0) * [1, 0, 1] + np.array([0.03, 0.0, 0.02]))
        for plant in clip.constraints
    )
    held = enforce(replace(clip, constraints=moved))
    assert held.report.unreached == ()
    for plant in held.clip.constraints:
        assert plant.target is not None
        assert np.abs((way_of(plant, held.clip) - plant.target)[:, [0, 2]]).max() < 1e-4


@pytest.mark.parametrize("stretch", [0.0, STRETCH])
def test_what_cannot_be_reached_is_listed_and_nothing_else_is_off(stretch: float) -> None:
    """One foot is asked to stand two metres aside, which no leg can."""
    clip = walked(2.0)
    far = np.array([2.0, 0.0, 0.0])
    plants = tuple(
        replace(plant, target=way_of(plant, clip).mean(axis=0) + far * plant.joint.startswith("Left"))
        for plant in clip.constraints
    )
    held = enforce(replace(clip, constraints=plants), stretch=stretch)
    listed = held.report.unreached
    assert listed
    assert max(missed.distance for missed in listed) > 0.1
    assert held.report.stretch <= stretch + 1e-9
    for plant in held.clip.constraints:
        own = [missed for missed in listed if (missed.joint, missed.kind) == (plant.joint, plant.kind)]
        off = np.hypot(*(way_of(plant, held.clip) - plant.target)[:, [0, 2]].T)  # type: ignore[operator]
        for frame, distance in zip(held_frames(plant, held.clip), off.tolist(), strict=True):
            assert distance < 0.001 or any(missed.start <= frame <= missed.end for missed in own)


def test_a_plant_on_a_block_keeps_its_height() -> None:
    clip = walked(2.0)
    ways = 0.3 * np.clip(np.arange(clip.n_frames) / clip.n_frames - 0.5, 0.0, 0.2)[:, None] / 0.2
    held = enforce(replace(clip, root_positions=clip.root_positions + ways * [0.0, 1.0, 0.0]))
    last = max(held.clip.constraints, key=lambda plant: plant.start)
    assert last.target is not None
    assert last.target[1] == pytest.approx(0.3, abs=0.02)


def stairs(x: float, z: float) -> float:
    return 0.15 * max((z - 0.5) // 0.6, 0.0)


@pytest.mark.parametrize("ground", [stairs, lambda x, z: 0.12 * z + 0.05 * x], ids=["stairs", "ramp"])
def test_feet_stand_on_the_given_ground(ground: Callable[[float, float], float]) -> None:
    held = enforce(walked(4.0), ground=ground)
    assert largest_slide(held.clip) < 0.001
    assert held.report.unreached == ()
    for plant in held.clip.constraints:
        assert plant.target is not None
        below = [y - ground(x, z) for x, y, z in way_of(plant, held.clip).tolist()]
        if ground is not stairs:
            # On stairs a foot over an edge stands on the upper step.
            assert abs(min(below)) < 0.005
        assert min(below) > -0.001
    assert held.clip.root_positions[-1, 1] - held.clip.root_positions[0, 1] > 0.3
    assert moved_by(enforce(held, ground=ground).clip, held.clip) < 1e-4


def test_a_level_floor_at_a_given_height_raises_the_whole_body() -> None:
    clip = walked(2.0)
    held = enforce(clip, ground=0.1)
    assert held.clip.root_positions - clip.root_positions == pytest.approx(
        np.tile([0.0, 0.1, 0.0], (clip.n_frames, 1)), abs=1e-3
    )


def test_the_body_goes_along_with_the_height_of_a_given_floor_without_a_jump() -> None:
    """Plants count as standing on something 6 cm above the floor of the clip, not of the given one."""
    clip = walked(2.0)
    for height in (-0.3, -0.061, -0.059, 0.0, 0.061):
        raised = enforce(clip, ground=height).clip.root_positions - clip.root_positions
        assert raised == pytest.approx(np.tile([0.0, height, 0.0], (clip.n_frames, 1)), abs=1e-3)


def test_a_step_on_a_block_goes_along_with_a_given_floor() -> None:
    clip = walked(2.0)
    ways = 0.3 * np.clip(np.arange(clip.n_frames) / clip.n_frames - 0.5, 0.0, 0.2)[:, None] / 0.2
    held = enforce(replace(clip, root_positions=clip.root_positions + ways * [0.0, 1.0, 0.0]), ground=-0.5)
    levels = [plant.target[1] for plant in held.clip.constraints if plant.target is not None]
    assert min(levels) == pytest.approx(-0.5, abs=1e-9)
    assert max(levels) == pytest.approx(-0.2, abs=0.02)


@pytest.mark.parametrize("shift", [(0.05, -0.05, 0.0), (-0.08, 0.02, -0.05)])
def test_a_hand_is_pinned_to_its_target(shift: tuple[float, float, float]) -> None:
    motion = reach_out(fps=60)
    (hold,) = motion.holds
    assert hold.target is not None
    wanted = replace(hold, target=hold.target + np.array(shift))
    held = enforce(replace(motion.clip, constraints=(*motion.plants, wanted)))
    assert way_of(wanted, held.clip) == pytest.approx(
        np.tile(hold.target + np.array(shift), (len(held_frames(hold, held.clip)), 1)), abs=5e-4
    )
    arm = next(arm for arm in find_anatomy(held.clip.skeleton).arms if arm.side == "right")
    others = [joint for joint in range(held.clip.skeleton.n_joints) if joint not in arm.joints]
    assert np.array_equal(held.clip.rotations[:, others], motion.clip.rotations[:, others])


def test_free_feet_do_not_sink_into_the_ground() -> None:
    clip = walked(3.0)
    level = clip.root_positions * [1.0, 1.0, 1.0] - np.array([0.0, 0.03, 0.0])
    held = enforce(replace(clip, root_positions=level), ground=0.0)
    for plant in clip.constraints:
        point = replace(plant, start=0, end=clip.n_frames - 1)
        assert way_of(point, held.clip)[:, 1].min() > -0.0011


def peaks(clip: Clip) -> FloatArray:
    """The largest accelerations (2,) of the ankles and of the knees, m/s²."""
    legs = find_anatomy(clip.skeleton).legs
    bends = np.linalg.norm(np.diff(clip.world_positions(), 2, axis=0), axis=-1) / clip.frame_time**2
    return np.array([bends[:, [leg.chain[n] for leg in legs]].max() for n in (2, 1)])


@pytest.mark.usefixtures("mocap")
@pytest.mark.parametrize("fps", [None, 30.0], ids=["native", "30 Hz"])
@pytest.mark.parametrize("name", CAPTURES)
class TestCaptures:
    def test_planted_points_stand_still_on_the_floor(self, name: str, fps: float | None) -> None:
        held = enforced(name, fps)
        assert largest_slide(source(name, fps)) > 0.01
        assert held.report.unreached == ()
        assert largest_slide(held.clip) < 0.001
        for plant in held.clip.constraints:
            assert held.report.floor.heights_above(way_of(plant, held.clip)).min() > -0.001

    def test_rigid_bones_hold_all_that_is_not_listed(self, name: str, fps: float | None) -> None:
        held = enforced(name, fps, stretch=0.0)
        missed = {(each.joint, each.kind) for each in held.report.unreached}
        assert held.report.stretch < 1e-9
        for plant in held.clip.constraints:
            assert slide(plant, held.clip) < 0.001 or (plant.joint, plant.kind) in missed

    def test_doing_it_twice_changes_nothing(self, name: str, fps: float | None) -> None:
        assert moved_by(enforce(enforced(name, fps)).clip, enforced(name, fps).clip) < 1e-4

    def test_knees_and_ankles_do_not_pop(self, name: str, fps: float | None) -> None:
        before, after = source(name, fps), enforced(name, fps).clip
        assert knee_speed(after) < 1.5 * knee_speed(before)
        assert (peaks(after) < 2.0 * peaks(before)).all()
        assert knee_angles(after).max() <= np.pi

    def test_bones_stretch_within_bounds_and_other_limbs_stay(self, name: str, fps: float | None) -> None:
        before, after = source(name, fps), enforced(name, fps).clip
        legs = find_anatomy(before.skeleton).legs
        for leg in legs:
            for upper, lower in ((leg.hip, leg.knee), (leg.knee, leg.ankle)):
                lengths = [
                    np.linalg.norm(
                        clip.world_positions()[:, upper] - clip.world_positions()[:, lower], axis=-1
                    )
                    for clip in (before, after)
                ]
                assert np.abs(lengths[1] / lengths[0] - 1.0).max() <= STRETCH + 1e-9
        moved = {joint for leg in legs for joint in leg.joints}
        others = [joint for joint in range(before.skeleton.n_joints) if joint not in moved]
        assert np.array_equal(after.rotations[:, others], before.rotations[:, others])


@pytest.mark.usefixtures("mocap")
@pytest.mark.parametrize("name", FLOORS)
def test_targets_in_a_file_say_where_the_floor_is(name: str, tmp_path: Path) -> None:
    held = enforced(name, None)
    again = enforce(ml.load(ml.save(held, tmp_path / "held.npz")))
    assert moved_by(again.clip, held.clip) < 1e-4
    assert largest_slide(again.clip) < 0.001
    places = held.clip.world_positions()
    apart = again.report.floor.heights_above(places) - held.report.floor.heights_above(places)
    assert np.abs(apart).max() < 1e-4
    assert again.report.ground == held.report.ground


@pytest.mark.parametrize(
    ("flights", "message"),
    [
        (3, "flights must be a list of pairs of frames, not a int"),
        ([3.0], r"flights\[0\] must be a pair of frames, not a float"),
        ([(1.0, 2.0), (5.0, 4.0)], r"flights\[1\] must end after it starts, not at 4 after 5"),
        ([(0.0, 1e9)], r"flights\[0\] must be from 0 to 31, not 1000000000"),
    ],
)
def test_wrong_flights_are_refused(flights: object, message: str) -> None:
    clip = annotate(walk(duration=1.0, fps=30).clip)
    with pytest.raises(ParameterError, match=message):
        enforce(clip, flights=flights)  # type: ignore[call-overload]
