"""`sample_space`: measure real blends until the weights between them are accurate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.spaces.simplex_mesh import SimplexMesh, max_edges, triangulate

MAX_BEND = 0.5
"""How far the blend in the middle of an edge may lie from the middle of its ends, as a fraction of the edge's
length. Farther away, another moment was measured, or the clips do not blend there."""

MIN_SEPARATION = 0.02
"""Distance between clips, in units of their ranges, below which one of them is left out: between two clips
that do the same, weights would change over a very short distance."""

MAX_ROUNDS = 8
"""Times that edges are split in two: an eighth of the clips' range becomes a two-thousandth."""

Measure = Callable[[FloatArray], FloatArray]
"""Weights (K,) -> parameters (d,) of the blend, in units of the clips' ranges."""


@dataclass(frozen=True, eq=False)
class SampledSpace:
    """The mesh of measured blends.

    Attributes
    ----------
    mesh
        Its vertices are the clips, extrapolated ones and blends.
    n_blends
        Blends that were made and measured.
    max_error
        Largest distance between measured and interpolated parameters in the middle of an edge, in units of
        the ranges, when sampling ended; blends that were refused do not count.
    n_refused
        Blends that lay too far from where they belong, would have folded the mesh, or could not be measured.
    """

    mesh: SimplexMesh
    n_blends: int
    max_error: float
    n_refused: int


def sample_space(
    examples: FloatArray,
    measure: Measure,
    *,
    extrapolation: float,
    accuracy: float,
    max_blends: int,
    progress: Callable[[int, int], None] | None = None,
) -> SampledSpace:
    """Make the mesh of a space.

    It begins with simplices between the clips, and clips extrapolated away from their neighbours. Clips that
    do the same as others are left out, as are clips whose blends with their neighbours do not lie between
    them. Then the blend in the middle of every edge and of every simplex is measured; where it is not in the
    middle, the edge, or the longest edge of the simplex, is split. Simplices at the border that no blend
    reaches are cut off.

    Parameters
    ----------
    examples
        (K, d) parameters of the clips, in units of their ranges.
    measure
        Makes and measures a blend.
    extrapolation
        How far weights may lie outside 0 to 1.
    accuracy
        Largest distance between measured and interpolated parameters, in units of the ranges.
    max_blends
        Blends from which no more edges are split. Those between and beyond neighbouring clips are all made.
    progress
        Called with the number of blends made and the maximum.
    """
    sampler = _Sampler(measure, examples.shape[1], max_blends, progress)
    mesh = _choose_examples(examples, sampler)
    if extrapolation > 0.0:
        mesh = _extrapolate(mesh, sampler, extrapolation)
    worst = 0.0
    for _ in range(MAX_ROUNDS):
        mesh, worst, is_split = _refine(mesh, sampler, accuracy)
        mesh, is_cut = _cut_off(mesh, sampler, accuracy)
        if not (is_split or is_cut) or sampler.is_exhausted:
            break
    return SampledSpace(mesh, sampler.n_blends, worst, sampler.n_refused)


class _Sampler:
    """Makes and counts blends; each one only once. One that cannot be measured has NaN as parameters."""

    def __init__(
        self, measure: Measure, d: int, max_blends: int, progress: Callable[[int, int], None] | None
    ) -> None:
        self._measure, self._d, self._max_blends, self._progress = measure, d, max_blends, progress
        self._known: dict[bytes, FloatArray] = {}
        self._refused: set[bytes] = set()
        self.failure = ""

    @property
    def n_refused(self) -> int:
        return len(self._refused)

    def refuse(self, weights: FloatArray) -> None:
        self._refused.add(_key(weights))

    @property
    def n_blends(self) -> int:
        return len(self._known)

    @property
    def is_exhausted(self) -> bool:
        return len(self._known) >= self._max_blends

    def __call__(self, weights: FloatArray) -> FloatArray:
        key = _key(weights)
        if key not in self._known:
            try:
                self._known[key] = self._measure(weights)
            except ParameterError as error:
                self._known[key] = np.full(self._d, np.nan)
                self.failure = f" ({error})"
            if self._progress is not None:
                self._progress(len(self._known), self._max_blends)
        return self._known[key]


def _key(weights: FloatArray) -> bytes:
    return np.round(weights, 12).tobytes()


def _choose_examples(points: FloatArray, sampler: _Sampler) -> SimplexMesh:
    """Return the mesh of the clips that blend well with their neighbours, given their parameters (K, d).

    One clip is left out at a time: of those with the most bad edges, the one that is farthest inside.
    """
    kept = _drop_copies(points)
    weights = np.eye(len(points))
    while True:
        mesh = triangulate(points[kept], weights[kept])
        bad = np.zeros(len(kept), dtype=np.int64)
        for a, b in mesh.edges():
            bend, length = _bend_of(mesh, (a, b), sampler)
            bad[[a, b]] += not bend <= MAX_BEND * length
        if not bad.any():
            return mesh
        if len(kept) <= points.shape[1] + 1:
            raise ParameterError(
                "blends of these clips do not lie between them in what was asked for: the clips may show "
                "different actions, or the moment that is measured is not the same one in all of them"
                + sampler.failure
            )
        inside = np.linalg.norm(mesh.points - mesh.points.mean(axis=0), axis=1)
        kept.pop(int(np.lexsort((inside, -bad))[0]))


def _drop_copies(points: FloatArray) -> list[int]:
    """Return the clips that do not do the same as one before them."""
    kept: list[int] = []
    for k, point in enumerate(points):
        if all(np.linalg.norm(point - points[other]) >= MIN_SEPARATION for other in kept):
            kept.append(k)
    return kept


def _bend_of(mesh: SimplexMesh, edge: tuple[int, int], sampler: _Sampler) -> tuple[float, float]:
    """Return how far the blend in the middle of an edge lies from the middle of its ends, and its length."""
    ends = list(edge)
    measured = sampler(mesh.weights[ends].mean(axis=0))
    bend = np.linalg.norm(measured - mesh.points[ends].mean(axis=0))
    return float(bend), float(np.linalg.norm(mesh.points[edge[0]] - mesh.points[edge[1]]))


def _extrapolate(mesh: SimplexMesh, sampler: _Sampler, extrapolation: float) -> SimplexMesh:
    """Return a mesh with blends that lead away from the neighbours of each clip, where they lead outside."""
    points, weights = [*mesh.points], [*mesh.weights]
    for k in range(len(mesh.points)):
        own = mesh.simplices[(mesh.simplices == k).any(axis=1)]
        neighbours = np.setdiff1d(own, [k])
        beyond = mesh.weights[k] + extrapolation * (mesh.weights[k] - mesh.weights[neighbours].mean(axis=0))
        expected = mesh.points[k] + extrapolation * (mesh.points[k] - mesh.points[neighbours].mean(axis=0))
        if mesh.find_nearest(expected).distance == 0.0:
            continue
        measured = sampler(beyond)
        step = float(np.linalg.norm(expected - mesh.points[k]))
        if np.linalg.norm(measured - expected) <= MAX_BEND * step:
            points.append(measured)
            weights.append(beyond)
        else:
            sampler.refuse(beyond)
    return triangulate(np.array(points), np.array(weights))


def _refine(mesh: SimplexMesh, sampler: _Sampler, accuracy: float) -> tuple[SimplexMesh, float, bool]:
    """Split what is not accurate, once; return the mesh, the largest error, and whether it was split."""
    worst, is_split = 0.0, False
    for edge in [*mesh.edges(), *_find_bent_simplices(mesh, sampler, accuracy)]:
        if sampler.is_exhausted:
            break
        if not ((mesh.simplices == edge[0]).any(axis=1) & (mesh.simplices == edge[1]).any(axis=1)).any():
            continue  # it was split a moment ago
        bend, length = _bend_of(mesh, edge, sampler)
        mean = mesh.weights[list(edge)].mean(axis=0)
        if not bend <= MAX_BEND * length:
            sampler.refuse(mean)
            continue
        worst = max(worst, bend)
        if bend <= accuracy:
            continue
        if mesh.is_folded_by(edge, sampler(mean)):
            sampler.refuse(mean)
        else:
            mesh, is_split = mesh.split(edge, sampler(mean), mean), True
    return mesh, worst, is_split


def _cut_off(mesh: SimplexMesh, sampler: _Sampler, accuracy: float) -> tuple[SimplexMesh, bool]:
    """Return the mesh without simplices at the border that no blend reaches, and whether there were some.

    The blends of clips can lie on a curve that bends inward, farther than the simplex at the border is deep.
    """
    is_cut = False
    while not sampler.is_exhausted:
        for n, facet in mesh.find_outer_simplices():
            if any(_is_out_of_reach(mesh, edge, sampler, accuracy) for edge in combinations(facet, 2)):
                mesh, is_cut = replace(mesh, simplices=np.delete(mesh.simplices, n, axis=0)), True
                break
        else:
            break
    return mesh, is_cut


def _is_out_of_reach(mesh: SimplexMesh, edge: tuple[int, int], sampler: _Sampler, accuracy: float) -> bool:
    """Return whether the blend in the middle of an edge is not there, and the edge cannot be split there."""
    bend, length = _bend_of(mesh, edge, sampler)
    if bend <= accuracy:
        return False
    return not bend <= MAX_BEND * length or mesh.is_folded_by(
        edge, sampler(mesh.weights[list(edge)].mean(axis=0))
    )


def _find_bent_simplices(mesh: SimplexMesh, sampler: _Sampler, accuracy: float) -> list[tuple[int, int]]:
    """Return the longest edges of simplices in whose middle the measured blend is not."""
    found = []
    for simplex in mesh.simplices:
        if sampler.is_exhausted:
            break
        measured = sampler(mesh.weights[simplex].mean(axis=0))
        error = float(np.linalg.norm(measured - mesh.points[simplex].mean(axis=0)))
        size = float(max_edges(mesh.points[simplex][None])[0])
        if accuracy < error <= MAX_BEND * size:
            apart = np.linalg.norm(mesh.points[simplex][:, None] - mesh.points[simplex][None], axis=-1)
            a, b = np.unravel_index(int(apart.argmax()), apart.shape)
            found.append((int(min(simplex[a], simplex[b])), int(max(simplex[a], simplex[b]))))
    return found
