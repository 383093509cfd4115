"""Contacts of feet; strikes, lifts and mid swings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation.gait_events import foot_contacts, gait_events
from motionloom.annotation.labels import LIFT, MID_SWING, STRIKE
from motionloom.motion import Constraint
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import SyntheticMotion, jog, stand, turn_in_place, walk


def test_a_contact_lasts_from_the_first_plant_to_the_last() -> None:
    clip = stand(duration=2.0).clip
    left = find_anatomy(clip.skeleton).legs[0]
    plants = (
        Constraint("LeftFoot", "heel", 10, 30),
        Constraint("LeftToeBase", "toe", 34, 50),
        Constraint("LeftToeBase", "toe", 70, 90),
        Constraint("LeftFoot", "lace", 0, 120),
        Constraint("RightFoot", "heel", 0, 120),
    )
    assert foot_contacts(replace(clip, constraints=plants), left) == [(10.0, 50.0), (70.0, 90.0)]


def test_contacts_cut_by_the_clip_give_no_events() -> None:
    clip = stand(duration=2.0).clip
    plants = (Constraint("LeftFoot", "heel", 2, 40), Constraint("LeftFoot", "heel", 70, 119))
    events = gait_events(replace(clip, constraints=plants))
    assert [(event.label, event.frame) for event in events if event.label != MID_SWING] == [
        (STRIKE, 70.0),
        (LIFT, 40.0),
    ]


@pytest.mark.parametrize("make", [walk, jog])
def test_events_of_a_gait_are_at_its_phases(make: Callable[..., SyntheticMotion]) -> None:
    motion = make(duration=4.0, fps=60)
    events = gait_events(replace(motion.clip, constraints=motion.plants))
    frames = np.arange(motion.clip.n_frames)
    for label, side, phase in ((STRIKE, "Left", 0.0), (STRIKE, "Right", 0.5)):
        at = [e.frame for e in events if e.label == label and e.joint == side + "Foot"]
        assert len(at) >= 2
        apart = np.interp(at, frames, motion.phase) - phase
        assert apart == pytest.approx(np.rint(apart), abs=1e-3)


def test_in_mid_swing_the_feet_are_side_by_side() -> None:
    motion = walk(duration=4.0)
    clip = replace(motion.clip, constraints=motion.plants)
    z = clip.world_positions()[:, :, 2]
    ahead = z[:, clip.skeleton.index("LeftFoot")] - z[:, clip.skeleton.index("RightFoot")]
    mids = [event.frame for event in gait_events(clip) if event.label == MID_SWING]
    assert len(mids) >= 5
    assert np.interp(mids, np.arange(len(ahead)), ahead) == pytest.approx(np.zeros(len(mids)), abs=0.005)


def test_on_the_spot_a_foot_is_highest_in_mid_swing() -> None:
    motion = turn_in_place(turn=0.1)
    clip = replace(motion.clip, constraints=motion.plants)
    mids = [event for event in gait_events(clip) if event.label == MID_SWING]
    assert len(mids) == 2
    for event in mids:
        heights = clip.world_positions()[:, clip.skeleton.index(event.joint), 1]
        assert heights[round(event.frame)] == pytest.approx(heights.max(), abs=1e-3)
