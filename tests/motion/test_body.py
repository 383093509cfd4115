from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.body import body_of_rig, take_bodies
from motionloom.synthesis import biped, stand, walk
from tests.motion.rigs import add_helpers, carry_on_ground, hold_still
from tests.retargeting.rigs import with_joints_below

Hold = Callable[[Clip], Clip]

HOLDS = [hold_still, carry_on_ground, add_helpers]


@pytest.mark.slow
@pytest.mark.parametrize("hold", HOLDS)
def test_the_body_is_the_motion_without_the_joints_above(hold: Hold) -> None:
    clip = walk(duration=2.0, curvature=0.3).clip
    body = hold(clip).body
    assert body.skeleton == clip.skeleton
    assert body.translations is None
    assert body.world_positions() == pytest.approx(clip.world_positions(), abs=1e-12)


@pytest.mark.parametrize("hold", HOLDS)
def test_an_unchanged_body_goes_back_bit_for_bit(hold: Hold) -> None:
    clip = hold(walk(duration=1.0).clip)
    back = clip.body.arranged()
    assert back.content_hash() == clip.content_hash()
    assert back.arrangement is None


@pytest.mark.parametrize("hold", HOLDS)
def test_a_part_of_the_body_goes_back_into_the_rig(hold: Hold) -> None:
    clip = hold(walk(duration=2.0, curvature=0.3).clip)
    back = clip.body[20:70].arranged()
    assert back.skeleton is clip.skeleton
    assert back.world_positions() == pytest.approx(clip.world_positions()[20:70], abs=1e-9)


@pytest.mark.parametrize("hold", HOLDS)
def test_a_body_with_more_joints_goes_back_with_all_joints_of_the_rig(hold: Hold) -> None:
    """As a blend with a rig that has a prop: helper joints still follow the feet."""
    clip = hold(walk(duration=1.0, fps=30).clip)
    whole = with_joints_below(clip.body, {"Sword": ("RightHand", [0.0, 0.0, 1.0])}).arranged()
    assert whole.skeleton.names == (*clip.skeleton.names, "Sword")
    assert whole.world_positions()[:, :-1] == pytest.approx(clip.world_positions(), abs=1e-9)
    hand = clip.skeleton.index("RightHand")
    drawn = clip.world_positions()[:, hand] + rot.rotate(clip.world_rotations()[:, hand], np.array([0, 0, 1]))
    assert whole.world_positions()[:, -1] == pytest.approx(drawn, abs=1e-9)
    assert whole.skeleton.tips[0].joint == whole.skeleton.index("Head")


def test_a_root_that_stays_put_stays_when_the_body_is_placed() -> None:
    clip, transform = walk(duration=1.0).clip, GroundTransform(0.5, 1.0, 2.0)
    placed = hold_still(clip).placed(transform)
    assert not placed.root_positions.any()
    assert placed.world_positions()[:, 1:] == pytest.approx(clip.placed(transform).world_positions())


def test_constraints_of_joints_above_the_body_are_kept() -> None:
    clip = hold_still(walk(duration=1.0, fps=30).clip)
    held = ml.Constraint("root", "hold", 2, 9)
    annotated = ml.annotate(replace(clip, constraints=(held,)))
    assert held in annotated.constraints
    for changed in (ml.enforce(annotated).clip, annotated.placed(GroundTransform(0.5, 1.0, 2.0))):
        assert [c.joint for c in changed.constraints].count("root") == 1


def test_sitting_still_does_not_change_what_travels() -> None:
    moving, still = (hold_still(make(duration=1.0).clip) for make in (walk, stand))
    bodies = take_bodies([moving, still])
    assert [body.skeleton.names[0] for body in bodies] == ["Hips", "Hips"]


def test_a_clip_without_frames_does_not_tell_which_joint_travels() -> None:
    moving = ml.move_root_motion(walk(duration=1, fps=30).clip, to="root")
    bodies = take_bodies([moving, moving[:0]])
    assert [body.skeleton.names[0] for body in bodies] == ["Hips", "root"]


def test_a_rig_at_rest_has_a_body() -> None:
    held = hold_still(walk(duration=1.0).clip)
    assert body_of_rig(held.skeleton).skeleton.names[0] == "Hips"
    assert body_of_rig(biped()).skeleton == biped()


def run_stages(clips: list[Clip]) -> dict[str, Clip]:
    """What the stages make of three clips of a walk, a curved walk and a jog."""
    first, second, third = clips
    curve = ml.register(ml.match_strides([ml.annotate(first), ml.annotate(second)]))
    return {
        "blend": ml.blend(curve, [0.4, 0.6]).clip,
        "mix": ml.mix([first, second], [0.5, 0.5]).clip,
        "cyclify": ml.cyclify(first).clip,
        "transition": ml.transition(first, third).clip,
        "enforce": ml.enforce(ml.annotate(first)).clip,
        "framespace": ml.Framespace([first, third]).blend(0.5, cycles=1).clip,
        "warp": ml.warping.apply_preset(first, "limp", 0.5).clip,
        "split": ml.split_root(second)[0],
    }


@pytest.mark.slow
@pytest.mark.parametrize("hold", [hold_still, carry_on_ground])
def test_every_stage_gives_the_same_motion_whatever_holds_the_body(hold: Hold) -> None:
    clips = [
        walk(duration=3.0, fps=30).clip,
        walk(duration=3.0, fps=30, curvature=0.3).clip,
        ml.synthesis.jog(duration=3.0, fps=30).clip,
    ]
    plain = run_stages(clips)
    held = run_stages([hold(clip) for clip in clips])
    for name, expected in plain.items():
        result = held[name]
        assert result.skeleton.names[0] == "root", name
        joints = [result.skeleton.index(joint) for joint in expected.skeleton.names]
        assert result.world_positions()[:, joints] == pytest.approx(expected.world_positions(), abs=1e-9), (
            name
        )


def test_measures_are_those_of_the_body() -> None:
    clip = ml.annotate(walk(duration=2.0).clip)
    plain, held = ml.measure(clip), ml.measure(hold_still(clip))
    assert held.as_dict() == plain.as_dict()


def test_a_registration_is_saved_with_its_rigs(tmp_path: Path) -> None:
    clips = []
    for n, speed in enumerate((1.0, 1.4)):
        path = ml.save(hold_still(walk(duration=2.0, fps=30, speed=speed).clip), tmp_path / f"{n}.npz")
        clips.append(ml.load(path))
    curve = ml.register(clips)
    ml.save(curve, tmp_path / "curve.npz")
    again = ml.load(tmp_path / "curve.npz", ml.RegistrationCurve)
    half = [ml.blend(each, [0.5, 0.5]).clip for each in (curve, again)]
    assert half[0].skeleton.names[0] == "root"
    assert np.array_equal(half[0].rotations, half[1].rotations)


def test_the_loops_of_a_game_rig_have_a_body(mocap: Path) -> None:
    clip = ml.load(mocap / "game" / "kaykit_MovementBasic.glb", animation="Rig_Medium|Walking_A")
    body = clip.body
    assert body.skeleton.names[0] == "hips"
    assert "root" not in body.skeleton.names
    joints = [clip.skeleton.index(name) for name in body.skeleton.names]
    assert body.world_positions() == pytest.approx(clip.world_positions()[:, joints], abs=1e-9)
    assert body.arranged().content_hash() == clip.content_hash()
