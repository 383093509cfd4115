"""A small graph of built-in motions, made once."""

from __future__ import annotations

import pytest

from motionloom.graphs.graph import MotionGraph
from motionloom.synthesis import jog, walk


@pytest.fixture(scope="session")
def gaits() -> MotionGraph:
    """A walk, a curved walk and a jog of a few seconds each."""
    clips = [walk(duration=5.0, fps=30).clip, walk(duration=5.0, fps=30, curvature=0.4).clip]
    return MotionGraph([*clips, jog(duration=4.0, fps=30).clip], names=["walk", "curve", "jog"])


@pytest.fixture(scope="session")
def tagged() -> MotionGraph:
    """Walks and a jog with these tags; the jog is slow enough that transitions lead to it and back."""
    clips = [walk(duration=5.0, fps=30).clip, walk(duration=5.0, fps=30, curvature=0.4).clip]
    return MotionGraph(
        [*clips, jog(speed=1.6, duration=4.0, fps=30).clip],
        names=["walk", "curve", "jog"],
        tags=[["walk"], ["walk"], ["jog"]],
    )
