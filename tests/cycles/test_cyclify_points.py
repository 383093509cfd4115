from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.motion import PointClip
from motionloom.motion.point_body import take_points_as_body
from motionloom.motion.unroll import unroll
from motionloom.registration import register
from motionloom.synthesis import stand, walk
from tests.figures import points_of


def test_what_does_not_repeat_is_refused() -> None:
    with pytest.raises(ParameterError):
        cyclify(points_of(stand(duration=2.0, fps=30).clip))


def test_a_walk_of_points_closes_as_the_walk_does() -> None:
    body = walk(duration=4.0, fps=30).clip
    loop = cyclify(annotate(points_of(body)))
    closed = cyclify(body)
    assert loop.clip.cyclic
    assert loop.report.passed
    assert (
        abs(loop.report.duration / loop.report.cycles - closed.report.duration / closed.report.cycles) < 0.02
    )
    assert loop.clip.constraints
    # Going on after the last frame, no point makes a larger step than within the cycle.
    twice = unroll(take_points_as_body(loop), 2).world_positions()
    steps = np.linalg.norm(np.diff(twice, axis=0), axis=-1).max(axis=1)
    assert steps[loop.clip.n_frames - 1] < 1.2 * np.delete(steps, loop.clip.n_frames - 1).max()


def test_closed_cycles_of_points_are_not_registered() -> None:
    loop = cyclify(points_of(walk(duration=4.0, fps=30).clip)).clip
    assert isinstance(loop, PointClip)
    with pytest.raises(ParameterError, match="clip 0 is a closed cycle of points: register the clips before"):
        register([loop, loop])
