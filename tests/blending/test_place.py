from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.blending import blend
from motionloom.blending.advance import RATE_LAWS
from motionloom.blending.average import average_poses
from motionloom.blending.place import find_source_frames, place_frames
from motionloom.blending.sources import prepare_sources
from motionloom.blending.weights import MIN_WEIGHT_SUM
from motionloom.geometry import GroundTransform
from motionloom.motion.anatomy import facing
from motionloom.registration import RegistrationCurve
from tests.blending.curves import two_loops, two_walks

Triples = st.tuples(st.floats(-3, 3), st.floats(-9, 9), st.floats(-9, 9))


def _transform(row: FloatArray) -> GroundTransform:
    return GroundTransform(*map(float, row))


def test_kernels_and_stages_mean_the_same_numbers() -> None:
    """Kernels import nothing of the package and the package loads them late, so both sides state these."""
    laws = kernels.advance
    assert RATE_LAWS == {
        "frequency": laws.BY_FREQUENCY,
        "duration": laws.BY_DURATION,
        "ballistic": laws.BALLISTIC,
        "auto": laws.BALLISTIC_IN_FLIGHT,
    }
    assert kernels.live_blend.MIN_WEIGHT_SUM == MIN_WEIGHT_SUM


def test_one_clip_alone_goes_on_as_it_did() -> None:
    """The vote of one clip leaves the product of placement and alignment as it was."""
    before, after = np.array([[0.3, 1.0, 2.0]]), np.array([[0.5, 4.0, -1.0]])
    placement, out = np.array([0.2, -1.0, 3.0]), np.empty(3)
    kernels.place.vote(
        before, after, np.zeros((1, 3)), 0, np.array([[7.0, 1.0, 8.0]]), np.ones(1), placement, out
    )
    now = _transform(out) @ _transform(after[0])
    then = _transform(placement) @ _transform(before[0])
    np.testing.assert_allclose([now.yaw, now.x, now.z], [then.yaw, then.x, then.z], atol=1e-12)


@given(Triples, Triples, Triples, st.floats(0, 1))
def test_the_placed_root_is_the_mean_of_the_votes(
    one: tuple[float, ...], other: tuple[float, ...], placement: tuple[float, ...], share: float
) -> None:
    before, after = np.zeros((2, 3)), np.array([one, other])
    roots, weights, out = np.array([[1.0, 0, 2], [3.0, 0, -1]]), np.array([1 - share, share]), np.empty(3)
    kernels.place.vote(before, after, np.zeros((2, 3)), 0, roots, weights, np.array(placement), out)
    group = weights @ roots
    votes = [(_transform(np.array(placement)) @ _transform(a).inverse()).apply(group) for a in after]
    np.testing.assert_allclose(_transform(out).apply(group), weights @ np.array(votes), atol=1e-9)


@given(st.floats(-4, 4), st.floats(-0.9, 0.9))
def test_the_travel_of_shares_of_a_cycle_adds_up(yaw: float, share: float) -> None:
    """SpeedAndTurn a share of the way and then the rest is the whole way, on arcs and on straight lines."""
    travel = np.array([yaw, 1.5, -0.4])
    points = np.zeros((5, 1, 3))
    start, end = np.empty((1, 3)), np.empty((1, 3))
    kernels.place.align(points, 0, travel[None], 0.0, start)
    kernels.place.align(points, 0, travel[None], 3.0, end)
    whole = _transform(end[0]).inverse()
    np.testing.assert_allclose([whole.yaw, whole.x, whole.z], travel, atol=1e-9)
    np.testing.assert_allclose(start, 0.0)
    part = np.empty((1, 3))
    kernels.place.align(points, 0, travel[None], 3.0 * abs(share), part)
    rest = np.empty((1, 3))
    kernels.place.align(points, 0, travel[None], 3.0 * (1.0 - abs(share)), rest)
    both = (_transform(rest[0]) @ _transform(part[0])).inverse()
    np.testing.assert_allclose([both.yaw, both.x, both.z], travel, atol=1e-9)


@pytest.mark.parametrize("make", [two_walks, two_loops])
def test_the_kernel_aligns_as_the_curve_does(make: Callable[[], RegistrationCurve]) -> None:
    """Within a group only what lies between clips counts: A_j⁻¹ A_k is that of the curve's own values."""
    curve = make()
    sources = prepare_sources(curve)
    positions = np.linspace(0.0, 0.99 * sources.n_pieces, 9)
    course = place_frames(sources, positions, np.full((9, 2), 0.5), None)
    expected = curve.alignment(sources.parameters(positions))
    for ours, theirs in zip(course.alignments, expected, strict=True):
        a = _transform(ours[0]).inverse() @ _transform(ours[1])
        b = _transform(theirs[0]).inverse() @ _transform(theirs[1])
        np.testing.assert_allclose([a.yaw, a.x, a.z], [b.yaw, b.x, b.z], atol=1e-9)


@pytest.mark.parametrize("make", [two_walks, two_loops])
def test_the_blend_begins_where_it_is_put(make: Callable[[], RegistrationCurve]) -> None:
    curve = make()
    place = GroundTransform(yaw=2.0, x=-3.0, z=7.0)
    made = blend(curve, [0.4, 0.6], place=place).clip
    np.testing.assert_allclose(made.root_positions[0, [0, 2]], [-3.0, 7.0], atol=1e-9)
    assert abs(facing(made)[0] - 2.0) < 1e-6


def test_source_frames_explain_the_roots() -> None:
    """Each clip's root at its source frame, moved by its placement and weighted, is the blend's root."""
    curve = two_loops()
    sources = prepare_sources(curve)
    positions = np.linspace(0.0, 2.7 * sources.n_pieces, 40)
    weights = np.tile([0.25, 0.75], (40, 1))
    course = place_frames(sources, positions, weights, None)
    frames, placements = find_source_frames(sources, course)
    roots = average_poses(sources, course).poses.root_positions
    for t in range(40):
        total = np.zeros(3)
        for k, clip in enumerate(curve.clips):
            assert 0.0 <= frames[t, k] < clip.n_frames
            if frames[t, k] > clip.n_frames - 1:
                total[:] = np.nan
                continue
            total += weights[t, k] * _transform(placements[t, k]).apply(clip.at(frames[t, k]).root_positions)
        if np.isfinite(total).all():
            # The clip's own interpolation is a straight line, the blend's a cubic: millimetres apart.
            np.testing.assert_allclose(total, roots[t], atol=2e-3)
