"""How an automatic transition chooses its width, its frames, and between a registration and a fade."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.synthesis import jog, stand
from motionloom.transitions import transition
from motionloom.transitions.flaws import max_acceleration
from motionloom.transitions.splice import add_kept_fractions, find_seen_steps
from tests.transitions.motions import jogging, walking

pytestmark = pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")


def test_a_body_takes_its_time_to_stop() -> None:
    """Half a second from a jog to a stand needs more than 1 g."""
    jog_clip, standing = (annotate(make(duration=4.0, fps=30).clip) for make in (jog, stand))
    result = transition(jog_clip, standing)
    first, last = map(int, result.report.seams)
    assert (last - first) / 30.0 > 0.6
    assert max_acceleration(result.clip.root_positions[first - 6 : last + 7], 1 / 30) < 9.0
    speeds = np.diff(result.clip.root_positions[first : last + 1, 2]) * 30.0
    assert speeds.min() > -0.2


def test_gaits_are_registered() -> None:
    result = transition(walking(), jogging())
    assert result.report.fallbacks == ()
    assert result.report.doubts == ("",)


def test_what_is_fast_forwarded_is_not_kept() -> None:
    assert find_seen_steps(np.array([0.5, 1.0, 3.0])).tolist() == [0.5, 1.0, 0.0]
    result = transition(walking(), jogging())
    skipped = replace(result, frames=result.frames * [1.0, 3.0])
    kept = add_kept_fractions(skipped, [walking(), jogging()]).report.kept
    assert kept[0] == result.report.kept[0]
    assert kept[1] < 0.2


def test_a_width_that_was_asked_for_stays() -> None:
    jog_clip, standing = (annotate(make(duration=4.0, fps=30).clip) for make in (jog, stand))
    first, last = transition(jog_clip, standing, half_width=0.2).report.seams
    assert last - first == 12
