from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.cycles import cyclify, match_strides
from motionloom.cycles.origin import Origin, origin_of
from motionloom.motion import Clip
from motionloom.synthesis import walk


@pytest.fixture(scope="module")
def walked() -> Clip:
    return annotate(walk(duration=4.0, fps=60).clip)


def test_a_clip_is_its_own_origin(walked: Clip) -> None:
    assert origin_of(walked, walked.frame_time) == Origin(0.0, 1.0)
    assert Origin(10.0, 2.0).frames([0.0, 1.5]).tolist() == [10.0, 13.0]


@pytest.mark.parametrize("fps", [60, 30, 90])
def test_strides_lie_where_the_body_is_the_same(walked: Clip, fps: float) -> None:
    strides = match_strides([walked])[0].resampled(fps)
    frames = np.array([0.0, 6.0, 20.0])
    expected = walked.at(origin_of(strides, walked.frame_time).frames(frames))
    np.testing.assert_allclose(strides.at(frames).root_positions, expected.root_positions, atol=2e-3)


def test_a_cycle_is_stretched_to_whole_frames(walked: Clip) -> None:
    cycle = cyclify(walked, n_cycles=1)
    origin = origin_of(cycle, walked.frame_time)
    assert origin.start == cycle.report.start
    assert origin.frames(cycle.n_frames) == pytest.approx(cycle.report.end)
