"""Joins by overlapping: unequal overlaps, corresponding moments, seams that run on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.blending import BlendResult
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.synthesis import jog, walk
from motionloom.transitions import transition
from motionloom.transitions.overlap import make_overlap_segment


def overlapped(
    a: Clip, b: Clip, overlap: tuple[float, float], correspondences: Sequence[tuple[float, float]] = ()
) -> BlendResult:
    return transition(a, b, method="overlap", overlap=overlap, correspondences=correspondences)


def two_clips() -> tuple[Clip, Clip]:
    return annotate(walk(duration=3.0).clip), annotate(jog(duration=3.0).clip)


def strikes(clip: Clip) -> list[float]:
    return [event.frame * clip.frame_time for event in clip.events if event.label == "strike"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"overlap": (0.0, 1.0)}, "overlap, in seconds of each clip, must be a positive number, not 0"),
        ({"overlap": 1.0}, "overlap must be seconds of the first and the second clip, not 1.0"),
        ({"overlap": (1.0, 9.0)}, "an overlap of 9 s does not fit the second clip, which lasts 3 s"),
        ({"overlap": (0.001, 1.0)}, "it takes at least 2 frames and less than the clip"),
        (
            {"overlap": (1, 1), "correspondences": [(0.5, 0.5)]},
            "correspondences must lie within the overlaps",
        ),
        ({"overlap": (1, 1), "correspondences": [(2.5, 0.6), (2.7, 0.4)]}, "come in the same order in both"),
    ],
)
def test_bad_overlaps_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        overlapped(*two_clips(), **arguments)


def test_head_and_tail_are_untouched_and_the_overlap_lasts_the_mean() -> None:
    a, b = two_clips()
    result = overlapped(a, b, (1.0, 0.5))
    first, last = map(int, result.report.seams)
    assert (first, last - first) == (120, 45)
    np.testing.assert_array_equal(result.clip.rotations[:120], a.rotations[:120])
    np.testing.assert_allclose(
        np.abs(np.sum(result.clip.rotations[last + 1 :, 1:] * b.rotations[31:, 1:], axis=-1)), 1.0
    )
    assert result.clip.n_frames == 120 + 46 + (b.n_frames - 31)
    np.testing.assert_allclose(result.weights.sum(axis=1), 1.0)


def test_corresponding_moments_come_together_and_time_never_runs_back() -> None:
    a, b = two_clips()
    pairs = [(2.45, 0.1), (2.7, 0.3)]
    result = overlapped(a, b, (1.0, 0.5), pairs)
    first, last = map(int, result.report.seams)
    frames = result.frames[first : last + 1]
    assert (np.diff(frames, axis=0) >= 0.0).all()
    for of_a, of_b in pairs:
        at = np.interp(of_a * 60, frames[:, 0], np.arange(len(frames)))
        assert np.interp(at, np.arange(len(frames)), frames[:, 1]) == pytest.approx(of_b * 60, abs=0.1)


def test_a_clip_joined_to_its_own_continuation_is_itself() -> None:
    whole = annotate(walk(duration=4.0).clip)
    a, b = whole[:151], whole[90:]
    result = overlapped(a, b, (1.0, 1.0))
    np.testing.assert_allclose(result.clip.world_positions(), whole.world_positions(), atol=1e-6)
    assert len(result.clip.constraints) == len(whole.constraints)
    np.testing.assert_allclose(strikes(result.clip), strikes(whole), atol=1e-6)


def test_no_step_is_longer_than_those_of_the_clips() -> None:
    a, b = two_clips()
    result = overlapped(a, b, (0.8, 0.5)).clip
    steps = [np.linalg.norm(np.diff(c.root_positions, axis=0), axis=1).max() for c in (a, b, result)]
    assert steps[2] < 1.3 * max(steps[:2])


def test_it_is_a_method_of_transition() -> None:
    a, b = two_clips()
    result = transition(a, b, method="overlap", overlap=(1.0, 0.6))
    segment = make_overlap_segment(a, b, (1.0, 0.6))
    first, last = map(int, result.report.seams)
    cosines = np.abs((result.clip.rotations[first : last + 1] * segment.rotations).sum(axis=-1))
    np.testing.assert_allclose(cosines, 1.0, atol=1e-9)
    with pytest.raises(ParameterError, match='method "overlap" needs overlap='):
        transition(a, b, method="overlap")
    with pytest.raises(ParameterError, match="overlap and correspondences belong to method"):
        transition(a, b, overlap=(1.0, 0.6))
