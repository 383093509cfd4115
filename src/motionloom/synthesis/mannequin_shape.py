"""The shape of the mannequin: rounded cones along the limbs of a body in a T-pose, melted into one surface.

All sizes are those of an adult of 1.75 m and scale with the body. The body faces +Z with its left along +X.

The surface is where a function of space is zero, found by naive surface nets (Gibson, "Constrained elastic
surface nets", 1998): each cell that the surface passes gets one vertex, at the mean of the points where the
surface crosses its edges, and each crossed edge of the grid becomes a quad between the four cells around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Protocol

import numpy as np

from motionloom.arrays import FloatArray, IntArray

CELL = 0.017
"""Metres between samples of the surface: fine enough for wrists, and about six thousand vertices."""

MELT = 0.035
"""Metres over which neighbouring cones melt into each other."""

FAR = 1.0
"""Metres; stands for any distance to what is not near."""

_GRADIENT_STEP = 1e-4

TRUNK, NECK, HEAD = "trunk", "neck", "head"

_CORNERS = np.array(list(product((0, 1), repeat=3)))
_EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1]


@dataclass(frozen=True)
class Landmarks:
    """Where the joints of a body in a T-pose are, metres.

    Attributes
    ----------
    points
        Part ("left thigh", "head", …) → position (3,).
    scale
        Size of the body as a fraction of an adult of 1.75 m.
    floor
        Height of the soles.
    """

    points: dict[str, FloatArray]
    scale: float
    floor: float


@dataclass(frozen=True)
class Cone:
    """A rounded cone from ``start`` to ``end`` (3,), squeezed along the axes by ``squeeze`` (3,)."""

    part: str
    group: str
    start: FloatArray
    end: FloatArray
    radii: tuple[float, float]
    squeeze: FloatArray

    def distance(self, points: FloatArray) -> FloatArray:
        """Return about how far points (N, 3) are from the surface, negative inside."""
        axis = (self.end - self.start) / self.squeeze
        away = (points - self.start) / self.squeeze
        length = float(axis @ axis)
        along = np.clip(away @ axis / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(points))
        radius = self.radii[0] + along * (self.radii[1] - self.radii[0])
        away -= along[:, None] * axis
        distances = np.sqrt(np.einsum("ni,ni->n", away, away)) - radius
        return np.asarray(distances * float(self.squeeze.min()))

    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the corners of a box around the cone."""
        reach = max(self.radii) * self.squeeze
        return np.minimum(self.start, self.end) - reach, np.maximum(self.start, self.end) + reach


def find_surface(cones: list[Cone], landmarks: Landmarks) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return vertices (V, 3), unit normals (V, 3) and triangles (F, 3) of the melted cones."""
    cell, scale = CELL * landmarks.scale, landmarks.scale
    low = np.min([cone.bounds()[0] for cone in cones], axis=0) - 3.0 * cell
    high = np.max([cone.bounds()[1] for cone in cones], axis=0) + 3.0 * cell
    shape = tuple((np.ceil((high - low) / cell).astype(int) + 1).tolist())
    grid = np.stack(np.meshgrid(*(low[n] + cell * np.arange(shape[n]) for n in range(3)), indexing="ij"), -1)
    groups = {name: np.full(shape, FAR) for name in dict.fromkeys(cone.group for cone in cones)}
    margin = MELT * scale + 2.0 * cell
    for cone in cones:
        # Far from a cone its distance makes no difference.
        first = np.maximum(np.floor((cone.bounds()[0] - margin - low) / cell).astype(int), 0)
        last = np.ceil((cone.bounds()[1] + margin - low) / cell).astype(int) + 1
        block = tuple(slice(a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True))
        points = grid[block]
        distances = cone.distance(points.reshape(-1, 3)).reshape(points.shape[:-1])
        groups[cone.group][block] = melt(groups[cone.group][block], distances, MELT * scale)
    values = _join(groups, grid[..., 1], landmarks)
    vertices, triangles = find_isosurface(values, low, cell)
    off = evaluate(cones, vertices, landmarks)
    gradient = np.empty_like(vertices)
    for axis in range(3):
        beside = vertices + _GRADIENT_STEP * np.eye(3)[axis]
        gradient[:, axis] = (evaluate(cones, beside, landmarks) - off) / _GRADIENT_STEP
    # One step of Newton's method puts vertices onto the surface, which the grid only approximates.
    step = np.clip(off / np.maximum((gradient**2).sum(axis=1), 0.1), -0.5 * cell, 0.5 * cell)
    normals = gradient / np.linalg.norm(gradient, axis=1, keepdims=True)
    return vertices - step[:, None] * gradient, normals, triangles


def evaluate(cones: list[Cone], points: FloatArray, landmarks: Landmarks) -> FloatArray:
    """Return about how far points (N, 3) are from the melted surface, negative inside."""
    groups: dict[str, FloatArray] = {}
    for cone in cones:
        distances = cone.distance(points)
        known = groups.get(cone.group)
        groups[cone.group] = distances if known is None else melt(known, distances, MELT * landmarks.scale)
    return _join(groups, points[:, 1], landmarks)


def melt(a: FloatArray, b: FloatArray, width: float) -> FloatArray:
    """Return the smooth minimum of two distances, which differs from the minimum where they are close.

    >>> melt(np.array([0.0]), np.array([0.0]), 0.04)
    array([-0.01])
    """
    near = np.maximum(width - np.abs(a - b), 0.0)
    return np.asarray(np.minimum(a, b) - near * near / (4.0 * width))


def _join(groups: dict[str, FloatArray], heights: FloatArray, landmarks: Landmarks) -> FloatArray:
    """Return the field of all groups: limbs melt with the trunk, and not with each other."""
    limbs = [values for name, values in groups.items() if name != TRUNK]
    whole = melt(groups[TRUNK], np.minimum.reduce(limbs), MELT * landmarks.scale)
    # Soles are flat.
    return np.asarray(np.maximum(whole, landmarks.floor - heights))


def make_cones(landmarks: Landmarks) -> list[Cone]:
    """Return the cones of a body: trunk, head, arms and legs."""
    cones = [*_trunk(landmarks), *_head(landmarks)]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        cones += [*_arm(landmarks, side, sign), *_leg(landmarks, side)]
    return cones


class _MakeCone(Protocol):
    """Make a cone; radii are those of an adult, in metres."""

    def __call__(
        self,
        part: str,
        start: FloatArray,
        end: FloatArray,
        radii: tuple[float, float],
        squeeze: tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> Cone: ...


def _maker(landmarks: Landmarks, group: str) -> _MakeCone:
    """Return a function that makes cones of a group."""

    def make(
        part: str,
        start: FloatArray,
        end: FloatArray,
        radii: tuple[float, float],
        squeeze: tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> Cone:
        scaled = radii[0] * landmarks.scale, radii[1] * landmarks.scale
        return Cone(part, group, np.asarray(start), np.asarray(end), scaled, np.array(squeeze))

    return make


def _offset(landmarks: Landmarks, x: float, y: float, z: float) -> FloatArray:
    return landmarks.scale * np.array([x, y, z])


def _trunk(at: Landmarks) -> Iterator[Cone]:
    cone, points = _maker(at, TRUNK), at.points
    hips = (points["left thigh"] + points["right thigh"]) / 2
    shoulders = (points["left upper arm"] + points["right upper arm"]) / 2
    hip, shoulder = points["left thigh"] - hips, points["left upper arm"] - shoulders
    spine = shoulders - hips

    def along(fraction: float) -> FloatArray:
        return np.asarray(hips + fraction * spine)

    yield cone(TRUNK, along(0.06) - 0.5 * hip, along(0.06) + 0.5 * hip, (0.1, 0.1), (1.0, 1.0, 0.95))
    yield cone(TRUNK, along(0.14), along(0.45), (0.1, 0.097), (1.36, 1.0, 0.95))
    yield cone(TRUNK, along(0.45), along(0.8), (0.098, 0.117), (1.34, 1.0, 0.92))
    chest = along(0.84) + _offset(at, 0.0, 0.0, 0.004)
    yield cone(TRUNK, chest - 0.5 * shoulder, chest + 0.5 * shoulder, (0.088, 0.088), (1.0, 1.0, 0.95))
    neck = points[NECK] if NECK in points else along(1.08)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        end = points[f"{side} upper arm"] + _offset(at, -0.01 * sign, 0.0, 0.0)
        top = shoulders + 0.6 * (neck - shoulders) + _offset(at, 0.03 * sign, 0.0, -0.012)
        yield cone(f"{side} collar", top, end, (0.046, 0.052))
        seat = points[f"{side} thigh"] + _offset(at, -0.005 * sign, 0.0, -0.045)
        yield cone(TRUNK, seat, seat, (0.083, 0.083))


def _head(at: Landmarks) -> Iterator[Cone]:
    cone, points = _maker(at, TRUNK), at.points
    shoulders = (points["left upper arm"] + points["right upper arm"]) / 2
    head = points[HEAD]
    skull = head + _offset(at, 0.0, 0.085, 0.012)
    yield cone(NECK, shoulders + _offset(at, 0.0, 0.0, -0.008), head, (0.062, 0.053))
    yield cone(HEAD, skull, skull, (0.1, 0.1), (0.8, 1.1, 0.97))
    yield cone(
        HEAD, skull + _offset(at, 0.0, -0.03, 0.02), head + _offset(at, 0.0, -0.005, 0.05), (0.066, 0.04)
    )


def _arm(at: Landmarks, side: str, sign: float) -> Iterator[Cone]:
    cone, points = _maker(at, f"{side} arm"), at.points
    shoulder, elbow, wrist = (points[f"{side} {part}"] for part in ("upper arm", "forearm", "hand"))
    yield cone(f"{side} upper arm", shoulder, elbow, (0.056, 0.041))
    yield cone(f"{side} forearm", elbow, wrist, (0.041, 0.028))
    belly = elbow + 0.22 * (wrist - elbow)
    yield cone(f"{side} forearm", belly, elbow + 0.4 * (wrist - elbow), (0.043, 0.036))

    def hand(along: float, forward: float) -> FloatArray:
        return np.asarray(wrist + _offset(at, along * sign, -0.004, forward))

    part = f"{side} hand"
    yield cone(part, hand(0.0, 0.0), hand(0.07, 0.004), (0.031, 0.041), (1.0, 0.68, 1.0))
    yield cone(part, hand(0.08, 0.004), hand(0.155, 0.0), (0.036, 0.025), (1.0, 0.68, 1.0))
    yield cone(part, hand(0.03, 0.028), hand(0.095, 0.052), (0.021, 0.016))


def _leg(at: Landmarks, side: str) -> Iterator[Cone]:
    cone, points = _maker(at, f"{side} leg"), at.points
    hip, knee, ankle, ball = (points[f"{side} {part}"] for part in ("thigh", "shin", "foot", "toes"))
    yield cone(f"{side} thigh", hip, knee, (0.088, 0.055))
    yield cone(f"{side} shin", knee, ankle, (0.053, 0.037))
    calf = knee + 0.2 * (ankle - knee) + _offset(at, 0.0, 0.0, -0.016)
    yield cone(f"{side} shin", calf, knee + 0.5 * (ankle - knee) + _offset(at, 0, 0, -0.01), (0.05, 0.041))
    forward = (ball - ankle) * np.array([1.0, 0.0, 1.0])
    length = float(np.linalg.norm(forward))
    ahead = forward / length if length > 0.0 else np.array([0.0, 0.0, 1.0])

    def foot(base: FloatArray, distance: float, height: float) -> FloatArray:
        place = base + at.scale * distance * ahead
        return np.array([place[0], at.floor + at.scale * height, place[2]])

    part = f"{side} foot"
    yield cone(part, ankle, foot(ankle, -0.028, 0.03), (0.036, 0.04))
    yield cone(part, foot(ankle, -0.02, 0.032), foot(ball, 0.0, 0.028), (0.038, 0.043))
    yield cone(part, ankle, foot(ball, -0.02, 0.034), (0.036, 0.032))
    squeeze = (1.0, 0.68, 1.0)
    yield cone(f"{side} toes", foot(ball, 0.0, 0.024), foot(ball, 0.055, 0.018), (0.045, 0.034), squeeze)


def find_isosurface(values: FloatArray, origin: FloatArray, spacing: float) -> tuple[FloatArray, IntArray]:
    """Return vertices (V, 3) and triangles (F, 3) of the surface where sampled values change sign.

    Parameters
    ----------
    values
        (X, Y, Z) samples, negative inside. The surface must not reach the border of the grid.
    origin
        (3,) position of the first sample.
    spacing
        Distance between neighbouring samples.

    >>> axis = np.linspace(-1.5, 1.5, 16)
    >>> x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    >>> vertices, triangles = find_isosurface(np.sqrt(x**2 + y**2 + z**2) - 1.0, np.full(3, -1.5), 0.2)
    >>> bool(abs(np.linalg.norm(vertices, axis=1) - 1.0).max() < 0.02)
    True
    """
    inside = values < 0.0
    shape = np.array(values.shape) - 1
    n_inside = np.zeros(tuple(shape), np.int64)
    for corner in _CORNERS:
        n_inside += inside[_block(corner, shape)]
    cells = np.argwhere((n_inside > 0) & (n_inside < len(_CORNERS)))
    corners = np.stack([values[tuple((cells + corner).T)] for corner in _CORNERS], axis=1)
    total, count = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a, b in _EDGES:
        crossed = (corners[:, a] < 0.0) != (corners[:, b] < 0.0)
        low, high = corners[crossed, a], corners[crossed, b]
        at = (low / (low - high))[:, None]
        total[crossed] += _CORNERS[a] + at * (_CORNERS[b] - _CORNERS[a])
        count[crossed] += 1
    vertices = origin + spacing * (cells + total / count[:, None])
    numbers = np.full(tuple(shape), -1)
    numbers[tuple(cells.T)] = np.arange(len(cells))
    return np.asarray(vertices), _make_triangles(inside, numbers)


def _make_triangles(inside: np.ndarray, numbers: IntArray) -> IntArray:
    """Return two triangles for each edge of the grid that the surface crosses, facing outwards."""
    found = []
    for axis in range(3):
        across, other = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3, dtype=np.int64)
        before = np.array(inside.shape) - step[axis]
        starts = inside[_block(np.zeros(3, np.int64), before)]
        ends = inside[_block(step[axis], before)]
        edges = np.argwhere(starts != ends)
        around = [edges - step[across] - step[other], edges - step[other], edges, edges - step[across]]
        quads = np.stack([numbers[tuple(cells.T)] for cells in around], axis=1)
        leaves = starts[tuple(edges.T)]
        quads = np.where(leaves[:, None], quads, quads[:, ::-1])
        found += [quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]
    return np.concatenate(found)


def _block(first: IntArray, size: IntArray) -> tuple[slice, ...]:
    return tuple(slice(int(start), int(start + n)) for start, n in zip(first, size, strict=True))
