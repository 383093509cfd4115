from __future__ import annotations

import numpy as np
import pytest

from motionloom.blending import blend, body_part
from motionloom.blending.weights import expand_joint_weights
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.motion import Skeleton
from motionloom.synthesis import walk
from tests.blending.curves import two_walks

LEG = Skeleton(
    ("hip", "knee", "foot"), np.array([-1, 0, 1]), np.array([[0, 1.0, 0], [0, -0.5, 0], [0, -0.5, 0]])
)


def test_wrong_calls_are_refused() -> None:
    rows = np.array([[0.5, 0.5]])
    with pytest.raises(UnknownJointError, match="no joint 'toe'"):
        expand_joint_weights({"toe": (1, 0)}, LEG.names, rows)
    with pytest.raises(ParameterError, match=r"weights of joint 'foot' must have shape \(2,\), not \(3,\)"):
        expand_joint_weights({"foot": (1, 0, 0)}, LEG.names, rows)
    with pytest.raises(ParameterError, match="weights of joint 'foot' add up to 0"):
        expand_joint_weights({"foot": (1, -1)}, LEG.names, rows)
    with pytest.raises(ParameterError, match="there is no body part 'tail': choose from upper body"):
        body_part(LEG, "tail")
    with pytest.raises(ParameterError, match=r"body_part takes a skeleton, not a Clip: give clip\.skeleton"):
        body_part(walk(duration=1.0).clip, "head")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="no left arm was found in the skeleton"):
        body_part(LEG, "left arm")


def test_without_layers_there_are_no_joint_weights() -> None:
    assert expand_joint_weights(None, LEG.names, np.array([[0.5, 0.5]])) is None


def test_named_joints_have_their_own_weights_and_others_the_clips() -> None:
    rows = np.array([[0.25, 0.75], [1.0, 0.0]])
    found = expand_joint_weights({"knee": (1, 3)}, LEG.names, rows)
    assert found is not None
    assert found[:, 0].tolist() == found[:, 2].tolist() == rows.tolist()
    assert found[:, 1].tolist() == [[0.25, 0.75], [0.25, 0.75]]


def test_joints_follow_the_clips_that_have_them() -> None:
    presence = np.array([[True, True, True], [True, True, False], [False, False, True]])
    found = expand_joint_weights(None, "abc", np.array([[0.2, 0.6, 0.2], [0.0, 0.0, 1.0]]), presence)
    assert found is not None
    np.testing.assert_allclose(found[0], [[0.2, 0.6, 0.2], [0.25, 0.75, 0.0], [0.0, 0.0, 1.0]])
    # None of the clips that have joint b has any weight: they share it evenly.
    np.testing.assert_allclose(found[1], [[0.0, 0.0, 1.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])


def test_the_parts_of_a_body_are_the_whole() -> None:
    skeleton = walk(duration=0.2).clip.skeleton
    upper, lower = (set(body_part(skeleton, part)) for part in ("upper body", "lower body"))
    assert upper | lower == set(skeleton.names)
    assert not upper & lower
    assert set(body_part(skeleton, "left leg")) | set(body_part(skeleton, "right leg")) < lower
    assert set(body_part(skeleton, "left arm")) | set(body_part(skeleton, "head")) < upper
    assert "Hips" in lower


def test_an_upper_body_from_another_clip_keeps_time_and_place() -> None:
    curve = two_walks()
    upper = body_part(curve.clips[0].skeleton, "upper body")
    plain = blend(curve, [1, 0])
    layered = blend(curve, [1, 0], joint_weights=dict.fromkeys(upper, (0, 1)))
    inside = [curve.clips[0].skeleton.index(name) for name in upper]
    outside = [j for j in range(curve.clips[0].skeleton.n_joints) if j not in inside]
    assert layered.frames == pytest.approx(plain.frames)
    assert layered.clip.root_positions == pytest.approx(plain.clip.root_positions)
    assert layered.clip.rotations[:, outside] == pytest.approx(plain.clip.rotations[:, outside])
    other = curve.clips[1].at(layered.frames[:, 1]).rotations[:, inside]
    agreement = np.abs(np.einsum("tjc,tjc->tj", layered.clip.rotations[:, inside], other))
    assert agreement.min() > 0.9999
    assert not np.allclose(layered.clip.rotations[:, inside], plain.clip.rotations[:, inside], atol=1e-2)
