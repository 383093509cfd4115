from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.cycles import cyclify
from motionloom.framespace import Framespace
from motionloom.framespace.poses import upper_fractions
from motionloom.geometry import rotations as rot
from motionloom.options.blending import Average
from motionloom.synthesis import biped, walk
from tests.framespace.spaces import halves, rectangle
from tests.refusals import refused


def test_averages_have_names() -> None:
    with refused("average", "mean"):
        rectangle().blend(0.5, average="mean")  # type: ignore[arg-type]


def test_the_spine_is_common() -> None:
    skeleton = biped()
    shares = upper_fractions(skeleton)
    spine = [joint for joint in range(skeleton.n_joints) if 0.0 < shares[joint] < 1.0]
    assert [skeleton.names[joint] for joint in spine] == ["Spine", "Spine1", "Spine2"]
    assert (np.diff(shares[spine]) > 0.0).all()
    assert shares[skeleton.index("LeftFoot")] == shares[skeleton.index("Hips")] == 0.0
    assert shares[skeleton.index("RightHand")] == shares[skeleton.index("Head")] == 1.0


@pytest.mark.parametrize("average", ["karcher", "park"])
def test_all_means_are_near_each_other(average: Average) -> None:
    usual = rectangle().blend(0.5).clip.rotations
    other = rectangle().blend(0.5, average=average).clip.rotations
    inner = np.abs(np.einsum("tjc,tjc->tj", usual, other))
    assert np.degrees(2 * np.arccos(np.minimum(inner, 1.0))).max() < 2.0


def test_a_decoupled_upper_body_keeps_its_own_weights() -> None:
    """Legs walk on while the arms go over to the jog."""
    space = halves()
    plain = space.blend(0.0, cycles=4).clip
    mixed = space.blend(0.0, cycles=4, upper=[(0, 0), (0.5, 1), (1, 1)]).clip
    legs = [joint for joint, share in enumerate(upper_fractions(plain.skeleton)) if share == 0.0]
    arm = plain.skeleton.index("LeftForeArm")
    assert np.allclose(plain.rotations[:, legs], mixed.rotations[:, legs])
    assert np.allclose(plain.root_positions, mixed.root_positions)
    bend = rot.to_rotation_vector(mixed.rotations[-30:, arm])
    assert np.abs(bend - rot.to_rotation_vector(plain.rotations[-30:, arm])).max() > 0.5


def test_an_arm_that_goes_around_in_one_clip_has_no_seam() -> None:
    """After each cycle its quaternion comes back with the opposite sign; that of the other clip does not."""
    plain, other = (cyclify(walk(speed=speed, duration=4.0, fps=60).clip, cycles=1) for speed in (1.0, 1.4))
    arm, rotations = other.clip.skeleton.index("LeftArm"), np.array(other.clip.rotations)
    angles = 2.0 * np.pi * np.arange(other.clip.n_frames)[:, None] / other.clip.n_frames
    rotations[:, arm] = rot.multiply(rot.from_rotation_vector(angles * [1.0, 0.0, 0.0]), rotations[:, arm])
    space = Framespace([plain, replace(other.clip, rotations=rotations)])
    for loop in (False, True):
        for point in (0.2, 0.5, 0.9):
            result = space.blend(point, cycles=3, loop=loop)
            own = result.clip.rotations[:, arm]
            own = np.concatenate([own, own[:1]]) if loop else own
            inner = np.abs(np.einsum("tc,tc->t", own[1:], own[:-1]))
            assert np.degrees(2.0 * np.arccos(np.minimum(inner, 1.0))).max() < 30.0
            assert loop or point in (0.2, 0.9) or result.report.hand_overs
    whole = space.blend(1.0, cycles=3)
    assert whole.report.hand_overs == ()
