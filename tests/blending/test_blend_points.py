from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.blending import blend
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, PointClip
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import walk
from tests.blending.curves import reordered


@cache
def walkers() -> tuple[Clip, ...]:
    return tuple(
        walk(speed=speed, curvature=bend, duration=3, fps=30).clip
        for speed, bend in ((1.1, 0.2), (1.5, -0.2))
    )


def markers_of(clip: Clip) -> PointClip:
    return PointClip(clip.skeleton.names, clip.frame_time, clip.world_positions())


@cache
def marker_curve() -> RegistrationCurve:
    return register([markers_of(clip) for clip in walkers()])


def with_gaps(curve: RegistrationCurve, gaps: dict[int, tuple[slice, int]]) -> RegistrationCurve:
    """The same curve over clips that do not see some points for a while: clip -> frames, point."""
    clips: list[Any] = list(curve.clips)
    for k, (frames, point) in gaps.items():
        positions = np.array(clips[k].positions)
        positions[frames, point] = np.nan
        clips[k] = replace(clips[k], positions=positions)
    return replace(curve, clips=tuple(clips))


def points(result: Any) -> FloatArray:
    assert isinstance(result.clip, PointClip)
    return result.clip.positions


def test_unknown_points_are_refused() -> None:
    with pytest.raises(ParameterError, match="no joint 'Tail'"):
        blend(marker_curve(), [1, 1], joint_weights={"Tail": (1, 0)})


def test_markers_blend_like_the_joints_they_stand_for() -> None:
    """Markers that sit on joints, in the same place; means of places are not those of rotations, but near."""
    joints = blend(register(walkers()), [1, 1])
    found = points(blend(marker_curve(), [1, 1]))
    assert found.shape == joints.clip.world_positions().shape
    apart = np.linalg.norm(found - joints.clip.world_positions(), axis=-1)
    assert apart.mean() < 0.05


@pytest.mark.parametrize("k", [0, 1])
def test_weight_one_is_a_copy_with_its_gaps(k: int) -> None:
    curve = with_gaps(marker_curve(), {k: (slice(10, 20), 4)})
    result = blend(curve, np.eye(2)[k])
    source: Any = curve.clips[k]
    assert result.clip.n_frames == source.n_frames
    for frame, placement in enumerate(result.placements[:, k]):
        expected = GroundTransform(*placement).apply(source.positions[frame])
        np.testing.assert_allclose(points(result)[frame], expected, atol=1e-6)


def test_a_gap_in_one_clip_takes_the_points_of_the_other() -> None:
    whole, gappy = marker_curve(), with_gaps(marker_curve(), {0: (slice(30, 40), 4)})
    result = blend(gappy, [0.75, 0.25])
    plain, found = points(blend(whole, [0.75, 0.25])), points(result)
    gap = (result.frames[:, 0] > 29) & (result.frames[:, 0] < 40)
    assert gap.sum() > 5
    # Beside the gap the cubic reaches into what is filled in, and so does the mean that the path goes by.
    np.testing.assert_allclose(found[~gap], plain[~gap], atol=1e-3)
    others = np.arange(found.shape[1]) != 4
    np.testing.assert_allclose(found[:, others], plain[:, others], atol=1e-5)
    other: Any = gappy.clips[1]
    expected = [
        GroundTransform(*placement).apply(other.at(frame)[4])
        for frame, placement in zip(result.frames[gap, 1], result.placements[gap, 1], strict=True)
    ]
    # Between frames blending goes along a cubic, sampling a clip along a line.
    np.testing.assert_allclose(found[gap, 4], expected, atol=5e-3)


def test_a_gap_in_all_clips_stays_one() -> None:
    curve = with_gaps(marker_curve(), {0: (slice(0, 91), 3), 1: (slice(0, 91), 3)})
    found = np.isnan(points(blend(curve, [1, 1])))
    assert found[:, 3].all()
    assert not np.delete(found, 3, axis=1).any()


def test_single_points_follow_weights_of_their_own() -> None:
    result = blend(marker_curve(), [1, 0], joint_weights={"Head": (0, 1)})
    alone: Any = marker_curve().clips[1]
    head = alone.names.index("Head")
    frame = int(np.argmin(np.abs(result.frames[:, 1] - np.rint(result.frames[:, 1]))))
    expected = GroundTransform(*result.placements[frame, 1]).apply(alone.at(result.frames[frame, 1])[head])
    np.testing.assert_allclose(points(result)[frame, head], expected, atol=1e-3)
    np.testing.assert_allclose(
        np.delete(points(result), head, axis=1),
        np.delete(points(blend(marker_curve(), [1, 0])), head, axis=1),
        atol=1e-12,
    )


@pytest.mark.parametrize("backward", [False, True])
def test_place_puts_the_first_frame_made(backward: bool) -> None:
    there = GroundTransform(np.pi / 2, 3.0, -2.0)
    plain = blend(marker_curve(), [1, 1], backward=backward)
    placed = blend(marker_curve(), [1, 1], place=there, backward=backward)
    first = -1 if backward else 0
    middle = points(placed)[first].mean(axis=0)
    assert middle[[0, 2]] == pytest.approx([3.0, -2.0], abs=1e-9)
    way = points(plain)[0] - points(plain)[-1]
    np.testing.assert_allclose(
        points(placed)[0] - points(placed)[-1], GroundTransform(np.pi / 2).apply(way), atol=1e-9
    )
    source: Any = marker_curve().clips[0]
    alone = blend(marker_curve(), [1, 0], place=there)
    expected = GroundTransform(*alone.placements[7, 0]).apply(source.positions[7])
    np.testing.assert_allclose(points(alone)[7], expected, atol=1e-6)


def test_the_order_of_the_clips_does_not_matter() -> None:
    gappy = with_gaps(marker_curve(), {0: (slice(30, 40), 4)})
    one = points(blend(gappy, [0.3, 0.7]))
    other = points(blend(reordered(gappy, [1, 0]), [0.7, 0.3]))
    np.testing.assert_allclose(one, other, atol=1e-9)


def test_points_of_opposite_arcs_go_straight() -> None:
    clips = [walk(speed=1.3, curvature=bend, duration=8, fps=30).clip for bend in (0.35, -0.35)]
    found = points(blend(register([markers_of(clip) for clip in clips]), [1, 1])).mean(axis=1)
    gone = np.linalg.norm((found[-1] - found[0])[[0, 2]])
    assert gone == pytest.approx(8 * 1.3, rel=0.02)


def test_clips_with_gaps_register_and_blend() -> None:
    """Short gaps are bridged; a marker that is lost for half a second is not compared."""
    clips: list[Any] = [markers_of(clip) for clip in walkers()]
    positions = np.array(clips[0].positions)
    positions[20:24, 5] = np.nan
    positions[40:55, 9] = np.nan
    clips[0] = replace(clips[0], positions=positions)
    curve = register(clips)
    assert curve.report.notes == ("points with gaps of more than 0.25 s were not compared: LeftHand",)
    u = np.linspace(*curve.domain, 40)
    assert curve.timewarp(u) == pytest.approx(marker_curve().timewarp(u), abs=1.5)
    assert not np.isnan(points(blend(curve, [1, 1]))).any()
    lost = np.isnan(points(blend(curve, [1, 0]))).any(axis=-1)
    assert lost.sum(axis=0).tolist() == [4 if n == 5 else 15 if n == 9 else 0 for n in range(22)]


def test_clips_that_are_all_gaps_are_refused() -> None:
    clips: list[Any] = [markers_of(clip) for clip in walkers()]
    positions = np.array(clips[0].positions)
    positions[40:55] = np.nan
    with pytest.raises(
        ParameterError, match=r"every point has a gap of more than 0.25 s in one of the clips"
    ):
        register([replace(clips[0], positions=positions), clips[1]])
