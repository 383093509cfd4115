"""Where a clip may be cut into a cycle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate, strides, strikes
from motionloom.arrays import FloatArray
from motionloom.cycles import loop_search
from motionloom.cycles.loop_search import MAX_STRIKE_ERROR, MIN_CYCLE, Loop, _min_repetition, find_loop
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.synthesis import jog, walk
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


def test_a_repetition_is_not_cut_from_a_rest() -> None:
    """Rest is closed without any seam, but shows nothing of the swing."""
    swing = np.sin(np.arange(240) * 2 * np.pi / 48)
    loop = searched(arm(np.concatenate([np.zeros(90), swing])), cycles=1)
    assert loop.start > 60
    assert loop.n_frames == pytest.approx(48, abs=1)


def test_a_cycle_holds_a_strike_of_either_foot() -> None:
    """Somebody stops: the phase of the gait continues while the body stands."""
    jogging = jog(duration=2.5, fps=60).clip
    n_frames = jogging.n_frames + 60
    held = np.minimum(np.arange(n_frames), jogging.n_frames - 1)
    stopped = replace(jogging, root_positions=jogging.root_positions[held], rotations=jogging.rotations[held])
    clip = annotate(stopped)
    loop = searched(clip, cycles=1)
    slack = MAX_STRIKE_ERROR / clip.frame_time
    inside = {hit.side for hit in strikes(clip) if loop.start - slack <= hit.frame <= loop.end + slack}
    assert inside == {"left", "right"}
    assert loop.end < jogging.n_frames + 2


def test_steps_that_are_no_steady_gait_repeat_by_whole_strides() -> None:
    clip = annotate(walk(duration=4.0, fps=30).clip)
    usual = np.median([stride.end - stride.start for stride in strides(clip)]) * clip.frame_time
    assert _min_repetition(clip) == pytest.approx(0.8 * usual)
    assert _min_repetition(replace(clip, events=())) == MIN_CYCLE
