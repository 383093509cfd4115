"""`find_candidates`: frames of takes at which transitions may meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.ndimage import minimum_filter

from motionloom.graphs.make_edges import HALF_WIDTH, Candidate
from motionloom.graphs.node import GraphNode
from motionloom.library.body_points import RATE, sample_points
from motionloom.library.signatures import frame_of_sample, make_windows, measure_distances

MIN_JUMP = 0.5
"""Seconds that a transition within one take must lead ahead or back: less does not lead anywhere."""

NEIGHBOURHOOD = 7
"""Samples within which a candidate is the nearest pair."""


def find_candidates(nodes: Sequence[GraphNode], threshold: float) -> list[Candidate]:
    """Return the local minima of the distance between frames below a threshold in metres."""
    windows = [make_windows(sample_points(node.clip), 30) for node in nodes]
    candidates = []
    for s, a in enumerate(nodes):
        for t, b in enumerate(nodes):
            distances = np.array(measure_distances(windows[s], windows[t]))
            minima = (distances == minimum_filter(distances, NEIGHBOURHOOD)) & (distances <= threshold)
            samples_a, samples_b = np.nonzero(minima)
            frames_a, frames_b = (
                np.rint(frame_of_sample(own, 30) / (RATE * a.clip.frame_time)).astype(np.int64)
                for own in (samples_a, samples_b)
            )
            cells = (samples_a, samples_b, frames_a, frames_b)
            for k, m, i, j in zip(*(own.tolist() for own in cells), strict=True):
                margin = HALF_WIDTH / a.clip.frame_time
                inside = min(i, j, a.n_frames - 1 - i, b.n_frames - 1 - j) > margin
                if inside and (s != t or abs(i - j) * a.clip.frame_time >= MIN_JUMP):
                    candidates.append(Candidate(s, i, t, j, float(distances[k, m])))
    return candidates
