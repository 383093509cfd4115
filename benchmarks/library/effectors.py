"""The usual features of five effectors, searched in the same way: what the library's distance is beside.

Positions of head, hands and feet relative to the pelvis, in the direction of the hips, 15 numbers per sample
at 10 Hz; Euclidean distances, the same paths, the same removal of overlaps.
"""

from __future__ import annotations

import numpy as np

from benchmarks.library.marks import Found
from motionloom.arrays import FloatArray
from motionloom.library.body_points import mirror_points
from motionloom.library.exact_search import find_cheapest_paths

EFFECTORS = (2, 6, 10, 13, 16)
PELVIS, LEFT_HIP, RIGHT_HIP = 14, 0, 4
STRIDE = 3
ORDINARY = 0.03
"""Fraction of all segments within the ordinary distance of a query."""

MIN_APART = 3


def make_features(points: FloatArray) -> FloatArray:
    """Return features (n, 15) of points (N, 17, 3) at 30 Hz."""
    sampled = np.asarray(points, np.float64)[2 : len(points) - 2 : STRIDE]
    side = sampled[:, LEFT_HIP] - sampled[:, RIGHT_HIP]
    angle = np.arctan2(side[:, 2], side[:, 0])
    local = sampled[:, EFFECTORS] - sampled[:, PELVIS, None] * np.array([1.0, 0.0, 1.0])
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x, z = local[..., 0] * c + local[..., 2] * s, local[..., 2] * c - local[..., 0] * s
    features = np.stack([x, local[..., 1], z], axis=-1).reshape(len(sampled), -1)
    return np.asarray(features / np.sqrt(len(EFFECTORS)))


def search_effectors(query: FloatArray, takes: dict[str, FloatArray], k: int) -> tuple[list[Found], float]:
    """Return the k nearest segments for the query's points, mirrored ones too, and the unit of limits.

    That is the geometric mean of the query's own spread and its ordinary distance.
    """
    forms = [make_features(query), make_features(mirror_points(np.asarray(query, np.float64)))]
    m = len(forms[0])
    ends: list[tuple[float, str, int, int]] = []
    for name, features in takes.items():
        for form in forms:
            distances = np.linalg.norm(form[:, None] - features[None], axis=-1)
            costs, paths = find_cheapest_paths(distances, np.full(m, 1.0 / m))
            ends += [
                (cost, name, int(path[0]), int(path[-1]))
                for cost, path in zip(costs, paths, strict=True)
                if np.isfinite(cost)
            ]
    found: list[Found] = []
    taken: dict[str, list[tuple[int, int]]] = {}
    for cost, name, first, last in sorted(ends):
        if all(last < a or first > b for a, b in taken.get(name, [])):
            taken.setdefault(name, []).append((first, last))
            found.append(Found(name, first / 10, last / 10 + 4 / 30, cost))
            if len(found) == k:
                break
    own = np.linalg.norm(forms[0][:, None] - forms[0][None], axis=-1)
    rows, columns = np.triu_indices(m, min(m - 1, MIN_APART))
    spread, ordinary = np.median(own[rows, columns]), np.quantile([cost for cost, *_ in ends], ORDINARY)
    return found, float(np.sqrt(spread * ordinary))
