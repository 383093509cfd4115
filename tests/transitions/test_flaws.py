from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.synthesis import jog, stand, walk
from motionloom.transitions import transition
from motionloom.transitions.flaws import Flaws, max_acceleration, measure_usual_motion
from tests.figures import smooth_clip

FINE = Flaws(acceleration=3.0, usual_acceleration=3.0, slide=0.03, rate=1.2, knee=0.9, haste=1.0)


def test_what_captures_show_costs_nothing() -> None:
    assert FINE.cost == 0.0
    assert FINE.describe() == []


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("acceleration", 12.0, "changes its speed at up to 12 m/s², the clips at 3"),
        ("slide", 0.25, "a foot slides by 25 cm"),
        ("rate", 4.0, "plays at up to 4.0 times its speed"),
        ("knee", 2.0, "a knee moves 2.0 times as fast"),
        ("haste", 2.0, "joints accelerate 2.0 times"),
    ],
)
def test_flaws_cost_and_are_described(name: str, value: float, words: str) -> None:
    values = {field: getattr(FINE, field) for field in FINE.__dataclass_fields__} | {name: value}
    flawed = Flaws(**values)
    assert flawed.cost > 0.03
    (clause,) = flawed.describe()
    assert words in clause


def test_a_clip_that_brakes_hard_itself_allows_for_it() -> None:
    values = {field: getattr(FINE, field) for field in FINE.__dataclass_fields__}
    values |= {"acceleration": 12.0, "usual_acceleration": 11.0}
    assert Flaws(**values).describe() == []


def test_what_both_clips_show_all_the_time_costs_nothing() -> None:
    """Runs in a circle accelerate at 12 m/s² throughout; so may the transition between them."""
    values = {field: getattr(FINE, field) for field in FINE.__dataclass_fields__}
    values |= {"acceleration": 12.0, "lasting_acceleration": 11.0}
    assert Flaws(**values).cost == 0.0


def test_a_sudden_stop_is_a_large_acceleration() -> None:
    roots = np.zeros((60, 3))
    roots[:, 2] = np.minimum(np.arange(60), 30) / 30.0 * 3.0
    assert 10.0 < max_acceleration(roots, 1 / 30) < 16.0
    assert max_acceleration(roots[:3], 1 / 30) == 0.0


def test_what_is_usual_needs_no_legs() -> None:
    usual = measure_usual_motion([smooth_clip(60), smooth_clip(60, seed=1)])
    assert usual.knee == 0.0
    assert usual.joint_acceleration > 0.0
    short = measure_usual_motion([stand(duration=0.1, fps=30).clip])
    assert short.joint_jerk == np.inf


@pytest.mark.filterwarnings("ignore::motionloom.errors.RegistrationWarning")
def test_the_report_says_what_is_wrong() -> None:
    """From a jog to a stand within 0.3 s is more than a body can."""
    jogging, standing = annotate(jog(duration=3.0, fps=30).clip), annotate(stand(duration=3.0, fps=30).clip)
    (doubt,) = transition(jogging, standing, at=(60, 30), half_width=0.15).report.doubts
    assert "the body changes its speed at up to" in doubt
    walking = annotate(walk(duration=4.0, fps=30).clip)
    assert transition(walking, walking).report.doubts == ("",)
