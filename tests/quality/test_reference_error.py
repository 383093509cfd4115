from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.quality import angle_error, copy_error, joint_error, l2p, l2q, npss
from motionloom.quality.reference_error import fit_ground_transform
from motionloom.synthesis import walk
from tests.figures import smooth_clip
from tests.quality.bodies import DOT, swinging_rod


def spinning(cycles: int, n_frames: int = 64) -> Clip:
    """A point whose quaternion goes round ``cycles`` times: a pure line in the spectrum of w and y."""
    yaws = 4.0 * np.pi * cycles * np.arange(n_frames) / n_frames
    return Clip(DOT, 0.1, np.zeros((n_frames, 3)), rot.from_yaw(yaws)[:, None])


def test_other_joints_and_lengths_are_refused() -> None:
    clip = walk(duration=1.0, fps=30).clip
    with pytest.raises(ParameterError, match="have different joints"):
        l2p(clip, smooth_clip(31))
    with pytest.raises(ParameterError, match="they have 31 and 30 frames"):
        l2q(clip, clip[:30])


def test_a_shift_counts_once_for_every_joint() -> None:
    clip = walk(duration=1.0, fps=30).clip
    shifted = replace(clip, root_positions=clip.root_positions + np.array([3.0, 0.0, 4.0]))
    assert l2p(shifted, clip) == pytest.approx(5.0 * np.sqrt(22))
    assert l2p(shifted, clip, deviations=np.full((22, 3), 10.0)) == pytest.approx(0.5 * np.sqrt(22))
    assert l2q(shifted, clip) == 0.0


def test_poses_are_compared_joint_by_joint_wherever_they_are() -> None:
    still, raised = swinging_rod(np.zeros(10)), swinging_rod(np.full(10, np.pi / 3))
    placed = raised.placed(GroundTransform(1.0, 2.0, 3.0))
    # One of three joints is off, by half a metre; one of two rotations below the root is, by 60°.
    assert joint_error(placed, still) == pytest.approx(0.5 / 3)
    assert angle_error(placed, still) == pytest.approx(np.pi / 6)
    assert angle_error(spinning(1), spinning(2)) == 0.0


def test_rotations_count_by_their_chord_whatever_their_sign() -> None:
    still = spinning(0)
    turned = replace(still, rotations=np.tile(-rot.from_yaw(0.8), (64, 1, 1)))
    assert l2q(turned, still) == pytest.approx(2.0 * np.sin(0.2))


@pytest.mark.parametrize(("made", "real"), [(3, 3), (3, 5), (7, 2)])
def test_spectra_of_one_line_are_as_far_apart_as_the_lines(made: int, real: int) -> None:
    assert npss(spinning(made), spinning(real)) == pytest.approx(abs(made - real), abs=1e-6)


def test_signs_of_quaternions_do_not_change_the_spectrum() -> None:
    clip = walk(duration=1.0, fps=30).clip
    signs = np.where(np.random.default_rng(1).random((31, 22, 1)) < 0.5, -1.0, 1.0)
    assert npss(replace(clip, rotations=clip.rotations * signs), clip) == pytest.approx(0.0, abs=1e-9)


def test_frames_and_joints_must_fit() -> None:
    clip = walk(duration=1.0, fps=30).clip
    with pytest.raises(
        ParameterError, match="20 frames from frame 15 on do not fit into a clip of 31 frames"
    ):
        copy_error(clip, clip, range(20), start=15)
    with pytest.raises(ParameterError, match="a copy has the same skeleton"):
        copy_error(clip, smooth_clip(31), range(31))
    with pytest.raises(ParameterError, match="frame 31 lies outside the clip"):
        copy_error(clip, clip, [31.0])


@pytest.mark.slow
@given(st.floats(-3, 3), st.floats(-10, 10), st.floats(-10, 10))
def test_a_placed_copy_of_part_of_a_clip_is_exact(yaw: float, x: float, z: float) -> None:
    clip = walk(duration=1.0, fps=30).clip
    placed = clip.placed(GroundTransform(yaw, x, z))
    assert copy_error(placed, clip, np.arange(5, 20), start=5) < 1e-9


def test_frames_between_frames_are_interpolated() -> None:
    clip = walk(duration=1.0, fps=30).clip
    assert copy_error(clip.resampled(60), clip, np.arange(0, 30.5, 0.5)) < 1e-9


def test_drift_and_height_count() -> None:
    clip = walk(duration=1.0, fps=30).clip
    raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.003, 0.0]))
    assert copy_error(raised, clip, np.arange(31)) == pytest.approx(0.003)
    drift = np.linspace(-0.01, 0.01, 31)[:, None] * [1.0, 0.0, 0.0]
    drifted = replace(clip, root_positions=clip.root_positions + drift)
    assert 0.005 < copy_error(drifted, clip, np.arange(31)) < 0.02


def test_the_fit_is_the_best_of_its_neighbours() -> None:
    rng = np.random.default_rng(5)
    points, targets = rng.normal(size=(2, 20, 3))
    best = fit_ground_transform(points, targets)

    def error(transform: GroundTransform) -> float:
        return float(np.sum((transform.apply(points) - targets) ** 2))

    for change in ((0.01, 0, 0), (-0.01, 0, 0), (0, 0.01, 0), (0, -0.01, 0), (0, 0, 0.01), (0, 0, -0.01)):
        yaw, x, z = (a + b for a, b in zip((best.yaw, best.x, best.z), change, strict=True))
        assert error(GroundTransform(yaw, x, z)) > error(best)
