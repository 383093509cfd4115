"""`measure_balance`: how far bodies lean beyond their feet in transitions, against their takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.graphs.edge import Edge
from motionloom.graphs.node import GraphNode
from motionloom.motion import Clip
from motionloom.motion.anatomy import centre_of_mass
from motionloom.quality.balance import support_distances
from motionloom.quality.derivatives import USUAL_PERCENTILE

MIN_DISTANCE = 0.02
"""Metres beyond the planted feet that are usual at least: somebody who stands is above them all the time."""


def measure_balance(nodes: Sequence[GraphNode], edges: Sequence[Edge]) -> FloatArray:
    """Return how far (E,) the centre of mass gets beyond the planted feet, over what is usual in both takes.

    Walking bodies fall from foot to foot, so only the comparison tells something: the largest distance in a
    transition is divided by the 95th percentile of both takes' frames. NaN where nothing is planted.

    >>> from motionloom.graphs.unify_takes import unify_takes
    >>> from motionloom.synthesis import walk
    >>> nodes, _ = unify_takes([walk(duration=2.0, fps=30).clip])
    >>> measure_balance(nodes, []).shape
    (0,)
    """
    joined = {n for edge in edges for n in (edge.source, edge.target)}
    takes = {n: _find_distances(nodes[n].clip) for n in joined}
    usual: dict[tuple[int, int], float] = {}
    ratios = np.full(len(edges), np.nan)
    for n, edge in enumerate(edges):
        own, key = _find_distances(edge.clip), (edge.source, edge.target)
        if key not in usual:
            both = np.concatenate([takes[edge.source], takes[edge.target]])
            usual[key] = float(np.percentile(both, USUAL_PERCENTILE)) if len(both) else 0.0
        if len(own):
            ratios[n] = own.max() / max(usual[key], MIN_DISTANCE)
    return ratios


def _find_distances(clip: Clip) -> FloatArray:
    """Return the distances of the centre of mass from the planted feet, of the frames that have any."""
    distances = support_distances(clip, centre_of_mass(clip))
    return distances[np.isfinite(distances)]
