from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.kernels.threads import single_threaded
from motionloom.motion import Clip
from motionloom.registration import register
from motionloom.registration.distance import (
    MIN_PEAK_SPEED,
    add_speeds,
    band_distances,
    cloud_distance,
    distance,
    relative_speeds,
)
from motionloom.registration.point_cloud import PointCloud, point_cloud
from motionloom.synthesis import jog, reach_out, walk
from tests.figures import smooth_clip
from tests.refusals import refused


def slow_cell(a: PointCloud, b: PointCloud, i: int, j: int, half: int) -> tuple[float, float, float]:
    """Distance, yaw and scatter of one cell: the closed form on all points of both windows at once."""
    offsets = [
        k for k in range(-half, half + 1) if 0 <= i + k < len(a.positions) and 0 <= j + k < len(b.positions)
    ]
    p = np.concatenate([a.positions[i + k] for k in offsets])
    q = np.concatenate([b.positions[j + k] for k in offsets])
    w = np.tile(a.weights, len(offsets)) / len(offsets)
    p0, q0 = p - w @ p * [1, 0, 1], q - w @ q * [1, 0, 1]
    yaw = np.arctan2(
        w @ (p0[:, 0] * q0[:, 2] - p0[:, 2] * q0[:, 0]), w @ (p0[:, 0] * q0[:, 0] + p0[:, 2] * q0[:, 2])
    )
    turned = GroundTransform(float(yaw)).apply(q0)
    return float(w @ ((p0 - turned) ** 2).sum(axis=1)), float(yaw), float(w @ (p0**2).sum(axis=1))


def random_clouds(
    seed: int, shape: tuple[int, int, int], apart: float = 0.0
) -> tuple[PointCloud, PointCloud]:
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.1, 1.0, shape[2])
    places = [rng.normal(size=(n, shape[2], 3)) + apart * np.array([1.0, 0.0, 0.5]) for n in shape[:2]]
    return PointCloud(places[0], weights / weights.sum()), PointCloud(places[1], weights / weights.sum())


def scanned(a: PointCloud, b: PointCloud, i: int, j: int, half: int) -> float:
    """The smallest distance over a fine scan of yaws, refined by golden section."""
    offsets = [
        k for k in range(-half, half + 1) if 0 <= i + k < len(a.positions) and 0 <= j + k < len(b.positions)
    ]
    p = np.concatenate([a.positions[i + k] for k in offsets])
    q = np.concatenate([b.positions[j + k] for k in offsets])
    w = np.tile(a.weights, len(offsets)) / len(offsets)

    def cost(yaw: float) -> float:
        gap = p - GroundTransform(yaw).apply(q)
        gap[:, [0, 2]] -= w @ gap[:, [0, 2]]
        return float(w @ (gap**2).sum(axis=1))

    yaws = np.linspace(-np.pi, np.pi, 73)
    best = yaws[np.argmin([cost(yaw) for yaw in yaws])]
    low, high = best - 0.1, best + 0.1
    for _ in range(60):
        one, two = low + 0.382 * (high - low), low + 0.618 * (high - low)
        low, high = (low, two) if cost(one) < cost(two) else (one, high)
    return cost((low + high) / 2)


@pytest.mark.parametrize("window", [-0.1, float("nan"), 1000.0])
def test_bad_windows_are_refused(window: float) -> None:
    with refused("window"):
        distance(smooth_clip(3), smooth_clip(3), window=window)


def test_other_rates_and_empty_clips_are_refused() -> None:
    clip = smooth_clip(10)
    with pytest.raises(ParameterError, match="run at 60 and 30 frames per second: bring them to one rate"):
        distance(clip, clip.resampled(30))
    with pytest.raises(ParameterError, match="the second clip has no frames to compare"):
        distance(clip, clip[:0])


def test_placements_must_be_asked_for() -> None:
    grid = distance(smooth_clip(3), smooth_clip(3))
    with pytest.raises(ParameterError, match="ask for them with placements=True"):
        grid.placement(0, 0)


def test_two_points_by_hand() -> None:
    """A stick of two metres against one of four, turned: each end is a metre away at best."""
    stick = np.array([[[-1.0, 0, 0], [1.0, 0, 0]]])
    other = np.array([[[10.0, 0, 3], [10.0, 0, 7]]])
    half = np.array([0.5, 0.5])
    grid = cloud_distance(PointCloud(stick, half), PointCloud(other, half), 0, placements=True)
    assert grid.values[0, 0] == pytest.approx(1.0)
    assert grid.placement(0, 0).apply(other[0]) == pytest.approx(np.array([[-2, 0, 0], [2, 0, 0]]), abs=1e-12)


def test_heights_count_in_full() -> None:
    flat = np.zeros((1, 2, 3))
    flat[0, :, 0] = [-1, 1]
    raised = flat + np.array([5.0, 0.3, -2.0])
    half = np.array([0.5, 0.5])
    assert cloud_distance(PointCloud(flat, half), PointCloud(raised, half), 0).values[0, 0] == pytest.approx(
        0.09
    )


@pytest.mark.parametrize("half", [0, 1, 2, 9])
def test_every_cell_equals_the_slow_form(half: int) -> None:
    """Ends included, where only frames that both clips have are compared."""
    a, b = random_clouds(half, (9, 7, 5))
    grid = cloud_distance(a, b, half, placements=True)
    assert grid.yaws is not None
    for i in range(9):
        for j in range(7):
            squared, yaw, scatter = slow_cell(a, b, i, j, half)
            assert grid.values[i, j] == pytest.approx(squared, abs=1e-12 * scatter + 1e-14)
            assert np.cos(grid.yaws[i, j] - yaw) == pytest.approx(1.0)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_no_turn_is_better(seed: int) -> None:
    a, b = random_clouds(seed, (4, 4, 6))
    values = cloud_distance(a, b, 1).values
    i, j = seed % 4, seed // 4 % 4
    scatter = slow_cell(a, b, i, j, 1)[2]
    assert abs(values[i, j] - scanned(a, b, i, j, 1)) < 1e-9 * scatter


@pytest.mark.parametrize(
    ("shape", "half"),
    [((140, 70, 5), 0), ((140, 70, 5), 2), ((70, 140, 5), 20), ((40, 30, 300), 2), ((3, 40, 2500), 1)],
)
def test_cells_equal_the_slow_form_wherever_the_grid_is_cut(shape: tuple[int, int, int], half: int) -> None:
    """Several strips and blocks, windows longer than a strip's margin, and more points than a block holds."""
    a, b = random_clouds(7, shape)
    grid = cloud_distance(a, b, half, placements=True)
    assert grid.yaws is not None
    rng = np.random.default_rng(8)
    cells = {(int(rng.integers(shape[0])), int(rng.integers(shape[1]))) for _ in range(80)}
    for i, j in cells | {(0, 0), (shape[0] - 1, shape[1] - 1), (0, shape[1] - 1), (shape[0] - 1, 0)}:
        squared, yaw, scatter = slow_cell(a, b, i, j, half)
        assert grid.values[i, j] == pytest.approx(squared, abs=1e-12 * scatter)
        assert np.cos(grid.yaws[i, j] - yaw) == pytest.approx(1.0)


@pytest.mark.parametrize(("shape", "half"), [((12, 15, 4), 2), ((150, 170, 40), 2), ((150, 90, 20), 11)])
def test_limited_rows_are_filled_and_the_rest_is_zero(shape: tuple[int, int, int], half: int) -> None:
    """To the last bit, because the products are cut alike whatever is asked for."""
    a, b = random_clouds(0, shape)
    first = np.arange(shape[0]) * shape[1] // shape[0]
    limits = np.stack([first, np.minimum(first + 5, shape[1])], axis=1)
    limits[3] = shape[1] - 2, 1  # a row that no path reaches
    full, part = cloud_distance(a, b, half).values, band_distances(a, b, half, limits)
    columns = np.arange(shape[1])
    inside = (columns >= limits[:, :1]) & (columns < limits[:, 1:])
    assert np.array_equal(part[inside], full[inside])
    assert not part[~inside].any()


def test_the_number_of_threads_changes_nothing() -> None:
    a, b = random_clouds(1, (300, 280, 30))
    spread = cloud_distance(a, b, 2, placements=True)
    with single_threaded():
        one = cloud_distance(a, b, 2, placements=True)
    assert np.array_equal(spread.values, one.values)
    assert spread.yaws is not None
    assert one.yaws is not None
    assert np.array_equal(spread.yaws, one.yaws)


def test_only_band_distances_are_overwritten() -> None:
    a, b = random_clouds(2, (30, 20, 4))
    everywhere = np.tile([0, 20], (30, 1))
    kept = cloud_distance(a, b, 1).values
    passing = band_distances(a, b, 1, everywhere)
    assert np.array_equal(passing, kept)
    assert not passing.flags.writeable
    before = kept.copy()
    band_distances(*random_clouds(3, (30, 20, 4)), 1, everywhere)
    assert np.array_equal(kept, before)


@pytest.mark.parametrize("place", [GroundTransform(2.5, 3.0, -8.0), GroundTransform(-1.0, 2e4, 3e4)])
def test_turning_and_moving_a_clip_changes_nothing(place: GroundTransform) -> None:
    a, b = walk(duration=1.2, fps=30).clip, jog(duration=1.0, fps=30, curvature=0.3).clip
    still, moved = distance(a, b).values, distance(a, b.placed(place)).values
    # Positions far away carry fewer digits: ten micrometres at a hundred kilometres, squared.
    assert np.abs(moved - still).max() < 1e-9 * max(still.max(), 1.0) * max(1.0, abs(place.x) * 1e-2)


@given(st.integers(0, 100))
def test_swapping_the_clips_transposes(seed: int) -> None:
    a, b = random_clouds(seed, (6, 8, 4))
    assert cloud_distance(a, b, 2).values == pytest.approx(cloud_distance(b, a, 2).values.T, abs=1e-12)


def test_single_precision_is_good_to_a_ten_thousandth() -> None:
    """Far from the origin too, because frames are centred before anything is multiplied."""
    a, b = random_clouds(3, (12, 10, 20))
    exact = cloud_distance(a, b, 2).values
    rough = [
        PointCloud(cloud.positions.astype(np.float32).astype(np.float64), cloud.weights) for cloud in (a, b)
    ]
    scatter = slow_cell(a, b, 5, 5, 2)[2]
    assert np.abs(cloud_distance(rough[0], rough[1], 2).values - exact).max() < 1e-4 * scatter


def test_equal_frames_are_at_zero_and_nothing_is_negative() -> None:
    clip = walk(duration=1.5, fps=30).clip
    values = distance(clip, clip).values
    assert values.min() >= 0.0
    assert values.diagonal().max() < 1e-12


def test_placements_bring_frames_together() -> None:
    clip = walk(duration=1.0, fps=30).clip
    there = GroundTransform(0.7, 2.0, 3.0)
    found = distance(clip, clip.placed(there), placements=True).placement(10, 10)
    undone = found @ there
    assert (undone.yaw, undone.x, undone.z) == pytest.approx((0, 0, 0), abs=1e-9)


@pytest.mark.parametrize(("i", "j"), [(0, 0), (0, 20), (1, 9), (20, 1), (30, 30), (30, 5), (-1, 3), (29, 2)])
def test_placements_near_the_ends_are_the_best_of_their_windows(i: int, j: int) -> None:
    """Centre and distance belong to one window: the placement leaves the distance that the grid has."""
    a, b = (walk(speed=speed, duration=1.0, fps=30).clip for speed in (1.8, 1.2))
    b = b.placed(GroundTransform(0.7, 2.0, 3.0))
    grid = distance(a, b, window=4 / 30, placements=True)
    there = grid.placement(i, j)
    i, j = range(31)[i], range(31)[j]
    before, after = min(4, i, j), min(4, 30 - i, 30 - j)
    one, other = point_cloud(a), point_cloud(b.placed(there))
    gaps = one.positions[i - before : i + after + 1] - other.positions[j - before : j + after + 1]
    left = float(((gaps**2).sum(axis=-1) @ one.weights).mean())
    assert left == pytest.approx(grid.values[i, j], abs=1e-9)


def test_markers_register_like_joints() -> None:
    clip = walk(duration=0.5, fps=30).clip
    markers = ml.PointClip(clip.skeleton.names, clip.frame_time, clip.world_positions())
    assert distance(markers, markers).values.diagonal().max() < 1e-12
    gap = np.array(markers.positions)
    gap[3, 2] = np.nan
    with pytest.raises(ParameterError, match="marker 'Spine1' has a gap at frame 3"):
        distance(markers, ml.PointClip(clip.skeleton.names, clip.frame_time, gap))


def test_forty_markers_rank_real_frames_as_the_default_does(mocap: Path) -> None:
    """The default points against the papers' forty per frame, on a slow and a fast walk."""
    a, b = (
        ml.load(mocap / f"locomotion/speeds/{name}.bvh").resampled(30)
        for name in ("slow_07_04", "fast_07_11")
    )
    mine, theirs = distance(a, b).values, distance(a, b, points=40).values
    agreement = np.corrcoef(np.sqrt(mine).ravel(), np.sqrt(theirs).ravel())[0, 1]
    assert agreement > 0.98


def flattened(grid: FloatArray) -> float:
    return float(np.sqrt(grid).mean())


def test_weights_bring_out_a_limb(mocap: Path) -> None:
    path = mocap / "actions/punches"
    a = ml.load(next(path.glob("punch_high1*"))).resampled(30)
    b = ml.load(next(path.glob("punch_low1*"))).resampled(30)
    legs = {name: 0.0 for name in a.skeleton.names if "Leg" in name or "Foot" in name or "Toe" in name}
    assert flattened(distance(a, b, joint_weights=legs).values) > flattened(distance(a, b).values)


FPS = 30.0


def moving(*heights: float) -> PointCloud:
    """A cloud of one point at these heights, frame after frame."""
    positions = np.zeros((len(heights), 1, 3))
    positions[:, 0, 1] = heights
    return PointCloud(positions, np.ones(1))


def test_no_weight_leaves_the_clouds_alone() -> None:
    clouds = [moving(0.0, 1.0), moving(0.0, 2.0)]
    assert all(one is other for one, other in zip(add_speeds(clouds, 0.0, 1.0), clouds, strict=True))


def test_speeds_are_fractions_of_the_peak() -> None:
    fractions = relative_speeds(moving(0.0, 1.0, 2.0, 4.0, 6.0).positions, frame_time=0.5, reach=1)
    assert fractions[:, 0] == pytest.approx([0.5, 0.5, 0.75, 1.0, 1.0])


def test_jitter_is_not_scaled_up() -> None:
    step = 0.1 * MIN_PEAK_SPEED
    fractions = relative_speeds(moving(0.0, step, 2.0 * step).positions, frame_time=1.0, reach=1)
    assert fractions.max() == pytest.approx(0.1)


def test_single_frames_and_rest_have_no_speed() -> None:
    for cloud in (moving(1.0), moving(1.0, 1.0, 1.0)):
        (with_rest,) = add_speeds([cloud], 1.0, 1.0)
        assert with_rest.positions[:, 1].tolist() == [[0.0, 0.0, 0.0]] * len(cloud.positions)


def clouds_of_walks() -> list[PointCloud]:
    return [point_cloud(walk(speed=speed, duration=2, fps=FPS).clip) for speed in (1.0, 1.6)]


def test_poses_and_speeds_count_alike() -> None:
    """The two terms add up, and over all frames their means agree within a fifth."""
    plain = clouds_of_walks()
    one, other = add_speeds(plain, 1.0, 1.0 / FPS)
    both = cloud_distance(one, other, half_width=2).values
    poses = cloud_distance(plain[0], plain[1], half_width=2).values
    speeds = 2.0 * both - poses
    assert speeds.min() > -1e-12
    assert speeds.mean() == pytest.approx(poses.mean(), rel=0.2)


def test_companions_leave_the_placement_as_it_is() -> None:
    plain = clouds_of_walks()
    one, other = add_speeds(plain, 3.0, 1.0 / FPS)
    turned = cloud_distance(one, other, half_width=0, placements=True)
    assert turned.yaws is not None
    expected = cloud_distance(plain[0], plain[1], half_width=0, placements=True)
    assert turned.yaws == pytest.approx(expected.yaws, abs=1e-9)
    assert turned.centres[0] == pytest.approx(expected.centres[0], abs=1e-9)


def test_the_order_of_clips_changes_nothing() -> None:
    one, other = add_speeds(clouds_of_walks(), 1.0, 1.0 / FPS)
    swapped = add_speeds(clouds_of_walks()[::-1], 1.0, 1.0 / FPS)
    assert np.array_equal(one.positions, swapped[1].positions)
    assert np.array_equal(other.positions, swapped[0].positions)


def arrival(clip: Clip, goal: FloatArray) -> float:
    """The middle of the frames at which the hand is at its goal."""
    hand = clip.world_positions()[:, clip.skeleton.index("RightHand")]
    return float(np.flatnonzero(np.linalg.norm(hand - goal, axis=1) < 0.02).mean())


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_reaches_to_different_heights_arrive_together() -> None:
    """One reach takes longer, and the hands are farthest apart where they correspond."""
    goals = [np.array([-0.3, height, 0.45]) for height in (0.5, 1.5)]
    clips = [
        annotate(reach_out(target=goal, duration=seconds, fps=FPS).clip)
        for goal, seconds in zip(goals, (2.4, 1.6), strict=True)
    ]
    low, high = (arrival(clip, goal) for clip, goal in zip(clips, goals, strict=True))
    curve = register(clips).timewarp
    assert abs(float(curve(curve.inverse(0, low))[1]) - high) < 2.0
