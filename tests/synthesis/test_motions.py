"""What every built-in motion promises, over the one list of all of them."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.motion.annotations import check_constraints
from motionloom.synthesis import MOTIONS, biped, locomotion_set
from motionloom.synthesis.motions import make_motion, option_defaults, option_names
from tests.refusals import refused
from tests.synthesis import truth

every_motion = pytest.mark.parametrize("name", MOTIONS)


@every_motion
def test_refuses_absurd_frame_rates_and_durations(name: str) -> None:
    make = MOTIONS[name]
    with pytest.raises(
        ParameterError, match="fps must be a positive number of at most 2000 frames per second, not 0"
    ):
        make(fps=0)
    with pytest.raises(
        ParameterError, match="fps must be a positive number of at most 2000 frames per second"
    ):
        make(fps=1e9)
    with refused("duration"):
        make(duration=-1.0)


def test_the_nine_locomotion_clips() -> None:
    clips = locomotion_set(fps=30)
    gaits, ways = ("walk", "jog", "sneak"), ("", "_left", "_right")
    assert list(clips) == [gait + way for gait in gaits for way in ways]
    assert all(motion.clip.fps == 30 for motion in clips.values())
    assert all(np.abs(clips[gait].path[:, 0]).max() < 1e-12 for gait in gaits)
    assert all(
        clips[gait + "_left"].path[-1, 0] > 0.5 > -0.5 > clips[gait + "_right"].path[-1, 0] for gait in gaits
    )


def test_the_list_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        MOTIONS["walk"] = MOTIONS["jog"]  # type: ignore[index]


@pytest.mark.slow
@every_motion
@pytest.mark.parametrize("fps", [30, 60, 120])
def test_planted_points_stay_exactly_where_the_plants_say(name: str, fps: float) -> None:
    motion = MOTIONS[name](fps=fps)
    assert motion.plants
    assert truth.slide(motion.clip, motion.plants) < 1e-9
    assert all(plant.target is not None and abs(plant.target[1]) < 1e-12 for plant in motion.plants)


@every_motion
def test_plants_lie_inside_the_clip_and_do_not_overlap(name: str) -> None:
    motion = MOTIONS[name]()
    assert len(check_constraints(motion.plants)) == len(motion.plants)
    assert all(0.0 <= plant.start < plant.end <= len(motion.clip) - 1 for plant in motion.plants)
    assert {plant.kind for plant in motion.plants} == {"heel", "toe"}


@pytest.mark.slow
@every_motion
def test_feet_stay_above_the_floor(name: str) -> None:
    assert truth.lowest_point(MOTIONS[name](fps=120).clip) > -1e-3


@pytest.mark.slow
@every_motion
def test_feet_outside_plants_are_in_the_air_or_moving(name: str) -> None:
    """A plant that ended too early would leave the planted point where it was."""
    motion = MOTIONS[name](fps=120)
    for side in truth.SIDES:
        down = truth.grounded(motion, side)
        toes = truth.joint_positions(motion.clip, side + "ToeBase")
        airborne = np.flatnonzero(~down)
        # Half a swing after lift-off and before landing the toe is well above its height on the floor.
        runs = np.split(airborne, np.flatnonzero(np.diff(airborne) > 1) + 1)
        whole = [run for run in runs if len(run) and run[0] > 0 and run[-1] < len(down) - 1]
        assert all(toes[run, 1].max() > 0.03 for run in whole)


@pytest.mark.slow
@every_motion
@pytest.mark.parametrize("side", truth.SIDES)
def test_knees_bend_forward_only(name: str, side: str) -> None:
    clip = MOTIONS[name](fps=60).clip
    flexion = truth.knee_flexion(clip, side)
    assert flexion.min() > np.radians(10)
    assert flexion.max() < np.radians(150)
    # A leg kicked to the side points up and sideways with its knee; its own foot tells what is forward there.
    sideways = name == "kick_side" and side == "Right"
    assert truth.knee_sense(clip, side, "RightFoot" if sideways else "Hips").min() > 0.5


@pytest.mark.slow
@every_motion
@pytest.mark.parametrize("side", truth.SIDES)
def test_elbows_neither_lock_nor_fold(name: str, side: str) -> None:
    flexion = truth.elbow_flexion(MOTIONS[name](fps=60).clip, side)
    assert flexion.min() > np.radians(3)
    assert flexion.max() < np.radians(150)


@pytest.mark.slow
@every_motion
def test_joint_speeds_are_continuous(name: str) -> None:
    coarse, fine = MOTIONS[name](fps=240).clip, MOTIONS[name](fps=480).clip
    still = 1e-9
    assert truth.jolt(fine) < 0.55 * truth.jolt(coarse) + still
    assert truth.spin_jolt(fine) < 0.55 * truth.spin_jolt(coarse) + still


@pytest.mark.slow
@every_motion
def test_the_same_motion_at_every_frame_rate(name: str) -> None:
    slow, fast = MOTIONS[name](fps=30), MOTIONS[name](fps=120)
    both = slice(None, None, 4)
    np.testing.assert_allclose(fast.clip.root_positions[both], slow.clip.root_positions, atol=1e-12)
    np.testing.assert_allclose(fast.clip.world_positions()[both], slow.clip.world_positions(), atol=1e-12)
    np.testing.assert_allclose(fast.phase[both], slow.phase, atol=1e-12)


@pytest.mark.slow
@every_motion
def test_the_same_call_gives_the_same_numbers(name: str) -> None:
    first, again = MOTIONS[name](), MOTIONS[name]()
    np.testing.assert_array_equal(first.clip.rotations, again.clip.rotations)
    np.testing.assert_array_equal(first.clip.root_positions, again.clip.root_positions)
    assert first.plants == again.plants


@every_motion
def test_the_truth_fits_the_clip(name: str) -> None:
    motion = MOTIONS[name](duration=4.0, fps=50)
    n_frames = 201
    assert motion.clip.n_frames == n_frames
    assert motion.clip.skeleton == biped()
    assert motion.clip.constraints == ()
    assert motion.phase.shape == (n_frames,)
    assert (np.diff(motion.phase) > 0.0).all()
    assert motion.path.shape == (n_frames, 3)
    assert not motion.path[:, 1].any()


@every_motion
def test_neighbouring_rotations_lie_in_one_hemisphere(name: str) -> None:
    rotations = MOTIONS[name](fps=30).clip.rotations
    assert np.einsum("tji,tji->tj", rotations[1:], rotations[:-1]).min() > 0.5


@pytest.mark.slow
@every_motion
def test_the_root_stays_near_its_path(name: str) -> None:
    motion = MOTIONS[name]()
    apart = motion.clip.root_positions[:, [0, 2]] - motion.path[:, [0, 2]]
    assert np.linalg.norm(apart, axis=-1).max() < 0.25


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("fly", {}, "there is no built-in motion 'fly': choose from walk, walk_left"),
        ("walk", {"wings": 2.0}, "walk takes no wings: it takes speed, curvature, gait"),
        ("walk", {"duration": "long"}, "duration must be a number, not 'long'"),
        ("walk", {"duration": True}, "duration must be a number, not True"),
        ("reach", {"target": 1.0}, "target must be a string, not 1.0"),
        ("reach", {"target": "1,2"}, "a target is X,Y,Z in metres, such as 0.2,1.2,0.5, not '1,2'"),
        ("kick_front", {"side": 1.0}, "side must be a string, not 1.0"),
        ("walk", {"gait": 0.1}, "gait must be a string, not 0.1"),
    ],
)
def test_wrong_options_are_refused(name: str, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make_motion(name, options)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("name", MOTIONS)
def test_every_motion_is_made_at_a_rate_that_is_asked_for(name: str) -> None:
    assert {"duration", "fps"} <= set(option_names(name))
    assert make_motion(name, {"fps": 10, "duration": None}).clip.fps == 10


@pytest.mark.slow
@pytest.mark.parametrize("name", MOTIONS)
def test_usual_values_make_the_usual_motion(name: str) -> None:
    default_speed = {
        option: 10.0 if option == "fps" else value for option, value in option_defaults(name).items()
    }
    stated, unstated = make_motion(name, default_speed).clip, make_motion(name, {"fps": 10.0}).clip
    assert (stated.world_positions() == unstated.world_positions()).all()
