"""Clips of other rigs are registered out of the box."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.cycles import match_strides
from motionloom.messages import Message
from motionloom.registration import register
from motionloom.registration.verdict import Verdict
from motionloom.synthesis import walk

CMU = "locomotion/s16/walk_straight_16_15.bvh"
OTHER = "dialects/bvh/walk01_24hz_exponents.bvh"


@pytest.mark.parametrize("turned_round", [False, True])
def test_a_captured_walk_registers_with_one_of_another_rig(mocap: Path, turned_round: bool) -> None:
    names = (OTHER, CMU) if turned_round else (CMU, OTHER)
    clips = match_strides([annotate(ml.load(mocap / name)) for name in names])
    curve = register(clips)
    assert curve.report.verdict is Verdict.GOOD
    first, second = (Path(name).stem for name in names)
    note = curve.report.notes[0]
    assert isinstance(note, Message)
    assert note.startswith(f"{second} has another skeleton than {first} and was retargeted to it: ")
    assert note.clips == (1, 0)
    assert all(clip.skeleton == clips[0].clip.skeleton for clip in curve.clips)
    assert curve.report.mean_distance < 0.08
    blended = ml.enforce(ml.blend(curve, [0.5, 0.5]).clip)
    assert blended.report.unreached == ()


def test_the_same_walk_with_other_names_is_the_identity() -> None:
    clip = walk(duration=2.0, fps=30).clip
    names = tuple(f"b{n}" for n in range(clip.skeleton.n_joints))
    other = ml.Clip(ml.Skeleton(names, clip.skeleton.parents, clip.skeleton.offsets, tips=clip.skeleton.tips),
                    clip.frame_time, clip.root_positions, clip.rotations)  # fmt: skip
    curve = register([clip, other])
    frames = curve.timewarp(np.linspace(*curve.domain, 30))
    assert frames[:, 0] == pytest.approx(frames[:, 1], abs=1e-6)
