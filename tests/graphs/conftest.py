"""A small graph of built-in motions, made once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from motionloom.graphs.graph import MotionGraph
from motionloom.synthesis import jog, walk


@pytest.fixture(scope="session")
def gaits() -> MotionGraph:
    """A walk, a curved walk and a jog of a few seconds each."""
    clips = [walk(duration=5.0, fps=30).clip, walk(duration=5.0, fps=30, curvature=0.4).clip]
    return MotionGraph([*clips, jog(duration=4.0, fps=30).clip], names=["walk", "curve", "jog"])


@pytest.fixture(scope="session")
def tagged(gaits: MotionGraph) -> MotionGraph:
    """The same graph with the tags "walk" and "jog"."""
    tags = [("jog",) if node.name == "jog" else ("walk",) for node in gaits.nodes]
    nodes = [replace(node, tags=own) for node, own in zip(gaits.nodes, tags, strict=True)]
    return MotionGraph.restore(nodes, gaits.edges, gaits.report)
