"""Where a clip may be cut into a cycle."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.cycles import loop_search
from motionloom.cycles.loop_search import Loop, find_loop
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.synthesis import walk
from tests.figures import skeleton_of


def searched(clip: Clip, cycles: int | None = None, seam_limit: float | None = None) -> Loop:
    return find_loop(clip, cycles=cycles, seam_limit=seam_limit, window=2 / 30)


def arm(angles: FloatArray) -> Clip:
    """A bar of one metre on a fixed post, turned by angles (T,) about the depth axis."""
    bar = skeleton_of(("post", "bar", "end"), [-1, 0, 1], [[0, 0, 0], [0, 1, 0], [1, 0, 0]])
    turns = np.zeros((len(angles), 3, 3))
    turns[:, 1, 2] = angles
    return Clip(bar, 1 / 60, np.zeros((len(angles), 3)), rot.from_rotation_vector(turns))


def test_a_swing_that_comes_back_only_once_is_no_cycle() -> None:
    angles = np.sin(np.linspace(0.0, np.pi, 90))
    with pytest.raises(ParameterError, match="the clip has no cycle"):
        searched(arm(angles))


def test_ends_that_stay_far_apart_are_no_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_search, "UNRELATED_SEAM", 1e-6)
    with pytest.raises(ParameterError, match=r"where it comes nearest to one, both ends are \d+ cm apart"):
        searched(arm(np.sin(np.arange(200) * 2 * np.pi / 61.7) * np.linspace(1.0, 0.8, 200)))


def test_trembling_is_no_cycle() -> None:
    with pytest.raises(ParameterError, match="the clip has no cycle"):
        searched(arm(0.002 * np.sin(np.arange(120) * 2 * np.pi / 30)))


@pytest.mark.parametrize("period", [40.0, 41.3, 57.5])
def test_the_period_of_a_swing(period: float) -> None:
    loop = searched(arm(np.sin(np.arange(200) * 2 * np.pi / period)))
    assert loop.unit == "repetition"
    assert loop.cycles == int((200 - 4) / period)
    assert loop.end - loop.start == pytest.approx(loop.cycles * period, abs=0.05)


def test_coverage_goes_before_the_least_seam() -> None:
    """The second swing returns exactly, the third one less so, but within the limit."""
    sizes = np.interp(np.arange(190), [0, 120, 180], [1.0, 1.0, 1.03])
    clip = arm(sizes * np.sin(np.arange(190) * 2 * np.pi / 60))
    loose, strict = searched(clip, seam_limit=0.05), searched(clip, seam_limit=1e-4)
    assert (loose.cycles, strict.cycles) == (3, 1)
    assert strict.seam < 1e-4 < loose.seam < 0.05


def test_the_limit_goes_with_the_size_of_the_body() -> None:
    loop = searched(annotate(walk(duration=2.0).clip))
    assert 0.04 < loop.limit < 0.06


def test_long_clips_are_searched_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = annotate(walk(duration=3.0).clip)
    fine = searched(clip, cycles=2)
    monkeypatch.setattr(loop_search, "MAX_FRAMES", 100)
    coarse = searched(clip, cycles=2)
    assert coarse.n_frames == fine.n_frames
    assert coarse.end - coarse.start == pytest.approx(fine.end - fine.start, abs=0.02)
    assert coarse.seam < 5e-4
