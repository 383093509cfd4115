from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.registration.alignment import AlignedSamples, AlignmentCurve, align_samples, fit_alignment
from motionloom.registration.point_cloud import point_cloud
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.synthesis import walk


def identity_warp(n_frames: int, n_clips: int = 2) -> TimewarpCurve:
    """Frame n of every clip corresponds to frame n."""
    n_pieces = max(1, round((n_frames - 1) / 4))
    spacing = (n_frames - 1) / n_pieces
    points = np.repeat(((np.arange(n_pieces + 2) - 0.5) * spacing)[:, None], n_clips, axis=1)
    return TimewarpCurve(control_points=points, knot_spacing=spacing)


def turning(n: int = 61, rate: float = 0.05, far: float = 0.0) -> FloatArray:
    """Control points of a curve whose second clip turns steadily about a point far away."""
    points = np.zeros((n, 2, 3))
    points[:, 1, 0] = rate * np.arange(n)
    points[:, 1, 1:] = far
    return points


def test_bad_curves_are_refused() -> None:
    with pytest.raises(ParameterError, match="needs three control points or more, and a clip as reference"):
        AlignmentCurve(control_points=np.zeros((2, 2, 3)), knot_spacing=1.0, reference=0)
    with pytest.raises(ParameterError, match="a clip as reference"):
        AlignmentCurve(control_points=np.zeros((3, 2, 3)), knot_spacing=1.0, reference=2)


def test_the_point_about_which_a_clip_turns_goes_to_the_reference() -> None:
    points = np.zeros((3, 2, 3))
    points[:, 0] = [0.0, 5.0, 7.0]
    points[:, 1] = [np.pi / 2, 1.0, 2.0]
    curve = AlignmentCurve(control_points=points, knot_spacing=1.0, reference=0)
    assert curve.transform(0.3, 1).apply([1.0, 0.0, 2.0]) == pytest.approx([5.0, 0.0, 7.0])
    still = curve.transform(0.3, 0)
    assert (still.yaw, still.x, still.z) == pytest.approx((0.0, 0.0, 0.0))


def test_derivative_is_the_slope() -> None:
    curve = AlignmentCurve(control_points=turning(20, 0.2, 3.0), knot_spacing=2.0, reference=0, start=1.0)
    u = np.linspace(2, 30, 9)
    slope = (curve(u + 1e-6) - curve(u - 1e-6)) / 2e-6
    assert curve.derivative(u) == pytest.approx(slope, abs=1e-6)
    assert curve.domain == (1.0, 37.0)


def test_a_moved_copy_is_put_back_everywhere() -> None:
    clip = walk(duration=2, fps=30, curvature=0.3).clip
    there = GroundTransform(1.3, 40.0, -25.0)
    clouds = [point_cloud(clip), point_cloud(clip.placed(there))]
    samples = align_samples(clouds, identity_warp(clip.n_frames), 0, half_width=2)
    curve = fit_alignment(samples, 0, knot_spacing=4.0)
    for u in np.linspace(*curve.domain, 15):
        undone = curve.transform(u, 1) @ there
        assert (undone.yaw, undone.x, undone.z) == pytest.approx((0, 0, 0), abs=1e-6)
    assert samples.distances == pytest.approx(np.zeros_like(samples.distances), abs=1e-12)


def test_yaws_are_unwrapped() -> None:
    straight, circling = walk(duration=9, fps=30).clip, walk(duration=9, fps=30, curvature=0.6).clip
    clouds = [point_cloud(straight), point_cloud(circling)]
    samples = align_samples(clouds, identity_warp(straight.n_frames), 0, half_width=2)
    assert np.abs(np.diff(samples.yaws[:, 1])).max() < 0.3
    assert np.ptp(samples.yaws[:, 1]) > 2 * np.pi


def test_noise_far_from_the_origin_does_no_more_harm_than_near_it() -> None:
    """The error of the placed body is the error of the angle times the body's size, not the distance (E3)."""
    rng = np.random.default_rng(0)
    n = 120
    noisy = np.stack([np.zeros(n), 0.02 * rng.normal(size=n)], axis=1)
    errors = []
    for far in (0.0, 500.0):
        centres = np.zeros((n, 2, 2))
        centres[:, 1] = far
        curve = fit_alignment(AlignedSamples(np.arange(n + 0.0), noisy, centres, noisy), 0, knot_spacing=4.0)
        placed = [curve.transform(u, 1).apply([far, 0.0, far]) for u in np.linspace(0, n - 1, 50)]
        errors.append(np.abs(placed).max())
    assert max(errors) < 1e-9


def test_the_median_filter_takes_out_a_spike() -> None:
    n = 40
    yaws = np.zeros((n, 2))
    yaws[20, 1] = 1.0
    samples = AlignedSamples(np.arange(n + 0.0), yaws, np.zeros((n, 2, 2)), yaws)
    assert np.abs(fit_alignment(samples, 0, knot_spacing=3.0)(20.0)[1, 0]) > 0.2
    assert np.abs(fit_alignment(samples, 0, knot_spacing=3.0, smoothing=3)(20.0)[1, 0]) < 1e-6


def test_few_samples_still_give_a_curve() -> None:
    samples = AlignedSamples(np.array([0.0, 1.0]), np.zeros((2, 2)), np.ones((2, 2, 2)), np.zeros((2, 2)))
    curve = fit_alignment(samples, 0, knot_spacing=4.0)
    assert curve(0.5)[1] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
