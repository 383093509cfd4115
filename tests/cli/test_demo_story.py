"""The motions that the demo is made of."""

from __future__ import annotations

from motionloom.cli.demo_story import GAITS
from motionloom.synthesis import locomotion_set


def test_the_nine_clips_have_their_names() -> None:
    assert set(GAITS) == set(locomotion_set(fps=10))
