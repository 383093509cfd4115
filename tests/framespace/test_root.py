"""The path of the root, on bodies whose motion is known by hand."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.framespace import StateWarp
from motionloom.framespace.basis_clips import BasisFrames, stack_frames
from motionloom.framespace.root import blend_root
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton

DOT = Skeleton(("root",), np.array([-1]), np.zeros((1, 3)))
N_FRAMES = 40


def on_an_arc(turn: float, way: float) -> Clip:
    """One cycle of a point that goes ``way`` metres along an arc, evenly, and turns by ``turn``."""
    angles = turn * np.arange(N_FRAMES) / N_FRAMES
    if turn == 0.0:
        places = np.stack([0 * angles, 1 + 0 * angles, way * np.arange(N_FRAMES) / N_FRAMES], axis=-1)
    else:
        radius = way / turn
        places = np.stack([radius * (1 - np.cos(angles)), 1 + 0 * angles, radius * np.sin(angles)], axis=-1)
    return Clip(DOT, 0.02, places, rot.from_yaw(angles)[:, None], cyclic=True)


def laid(clips: list[Clip]) -> BasisFrames:
    return stack_frames(clips, StateWarp(np.zeros((1, len(clips)))))


def even_frames(n_clips: int, cycles: int) -> FloatArray:
    return np.repeat(np.arange(cycles * N_FRAMES + 1.0)[:, None], n_clips, axis=1)


def test_weight_one_copies_the_path_cycle_after_cycle() -> None:
    clip = on_an_arc(0.5, 2.0)
    frames = even_frames(2, 3)
    weights = np.tile([1.0, 0.0], (len(frames), 1))
    path = blend_root(laid([clip, on_an_arc(-0.3, 1.0)]), frames, weights, None)
    radius = 2.0 / 0.5
    angles = 0.5 * frames[:, 0] / N_FRAMES
    assert np.allclose(path.positions[:, 0], radius * (1 - np.cos(angles)), atol=1e-9)
    assert np.allclose(path.positions[:, 2], radius * np.sin(angles), atol=1e-9)
    assert np.allclose(path.positions[:, 1], 1.0)
    assert np.allclose(np.diff(path.headings), 0.5 / N_FRAMES)


def test_opposite_arcs_make_a_straight_line() -> None:
    frames = even_frames(2, 4)
    path = blend_root(
        laid([on_an_arc(0.6, 2.0), on_an_arc(-0.6, 2.0)]), frames, np.full(frames.shape, 0.5), None
    )
    assert np.abs(path.positions[:, 0]).max() < 1e-9
    assert path.positions[-1, 2] == pytest.approx(8.0, rel=1e-3)
    assert np.abs(path.headings).max() < 1e-9


def test_a_cycle_leads_as_far_as_the_mean_however_unevenly_frames_follow() -> None:
    """What the paper's velocities times the mean step would miss."""
    even = even_frames(2, 1)
    uneven = even.copy()
    uneven[:, 1] = N_FRAMES * (even[:, 1] / N_FRAMES) ** 2
    weights = np.tile([0.25, 0.75], (len(even), 1))
    path = blend_root(laid([on_an_arc(0.0, 1.0), on_an_arc(0.0, 3.0)]), uneven, weights, None)
    assert path.positions[-1, 2] == pytest.approx(0.25 * 1.0 + 0.75 * 3.0)


def test_the_beginning_is_the_mean_or_where_it_is_asked() -> None:
    clips = [on_an_arc(0.0, 1.0), on_an_arc(0.0, 1.0).placed(GroundTransform(0.4, 2.0, 0.0))]
    frames, weights = even_frames(2, 1), np.full((N_FRAMES + 1, 2), 0.5)
    free = blend_root(laid(clips), frames, weights, None)
    assert free.headings[0] == pytest.approx(0.2)
    assert free.positions[0].tolist() == pytest.approx([1.0, 1.0, 0.0])
    asked = blend_root(laid(clips), frames, weights, GroundTransform(np.pi / 2, 5.0, -1.0))
    assert asked.positions[-1].tolist() == pytest.approx([6.0, 1.0, -1.0])


def test_placements_put_sources_where_the_blend_is() -> None:
    clips = [on_an_arc(0.5, 2.0), on_an_arc(-0.2, 1.0)]
    sources = laid(clips)
    frames, weights = even_frames(2, 2), np.full((2 * N_FRAMES + 1, 2), 0.5)
    path = blend_root(sources, frames, weights, None)
    for t in (0, 13, 70):
        for k, clip in enumerate(clips):
            placed = GroundTransform(*path.placements[t, k]).apply(clip.root_positions[t % N_FRAMES])
            assert np.allclose(placed, path.positions[t])


def test_an_acyclic_clip_holds_its_ends() -> None:
    still = Clip(DOT, 0.02, np.tile([[0.0, 1.0, 0.0]], (10, 1)), np.tile(rot.IDENTITY, (10, 1, 1)))
    sources = stack_frames([on_an_arc(0.0, 1.0), still], StateWarp(np.zeros((1, 1))))
    frames = even_frames(2, 1)
    frames[:, 1] = np.minimum(frames[:, 1], 9.0)
    path = blend_root(sources, frames, np.full(frames.shape, 0.5), None)
    assert path.positions[-1, 2] == pytest.approx(0.5)
