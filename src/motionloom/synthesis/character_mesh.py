"""The mesh of a synthetic character: a mannequin with its own feet, boot shafts and fingers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.skinned_mesh import BONES_PER_VERTEX, SkinnedMesh, find_normals, unit_vectors
from motionloom.synthesis.footwear import FootShape
from motionloom.synthesis.mannequin import make_mannequin

_BALL_BEHIND = 0.025
"""How far behind the toe joint a sole begins to touch the floor, metres."""

_FLEX = (0.012, 0.004)
"""How far behind the toe joint a sole ends to follow the foot alone, and where it follows half the toes,
metres."""

_ANKLE_COVER, _BALL_COVER, _TIP_COVER = 0.025, 0.05, 0.03
"""How far a foot reaches above its ankle, above the thickness of its sole at the ball, and at the tip,
metres."""

_ROUNDING = 0.014
"""Length over which heel and tip of a sole are rounded, metres."""

# Corners around a foot, across in half widths and up in heights of the foot; the last five are on its sole.
_UPPER = [[0.98, 0.3], [0.85, 0.75], [0.4, 1.0], [-0.4, 1.0], [-0.85, 0.75], [-0.98, 0.3]]
_RING = np.array([*_UPPER, [-1.0, 0.0], [-0.5, 0.0], [0.0, 0.0], [0.5, 0.0], [1.0, 0.0]])
_SOLE_CORNERS = np.arange(6, 11)

_ROUND = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], axis=-1)
"""Corners of a tube."""

_SHAFT_RADII = (0.058, 0.068)
"""Radii of a boot's shaft at the ankle and at its upper end, metres."""

_FINGER_RADII = (0.011, 0.0095, 0.01, 0.0095, 0.008)
"""Radii of the fingers from thumb to little finger, metres."""

_PALM_END = 1.15
"""Where the palm ends, as a fraction of the way from the wrist to the knuckle of the middle finger."""

_PAD = 0.02
"""Least length of the part of a sole that counts as its heel, metres."""

_INSTEP = 0.045
"""How far ahead of the ankle the instep begins to slope down, metres."""


@dataclass(frozen=True)
class LegJoints:
    """Indices of the joints that carry a foot."""

    shin: int
    foot: int
    toes: int


@dataclass(frozen=True)
class Finger:
    """Indices of the three joints of a finger, its tip at rest (3,), and its size as a multiple of an
    adult's.
    """

    joints: tuple[int, int, int]
    tip: FloatArray
    size: float


@dataclass(frozen=True)
class HandJoints:
    """The joint of a hand and its fingers, thumb first."""

    hand: int
    fingers: tuple[Finger, ...] = ()


@dataclass(frozen=True)
class Surface:
    """A closed piece of skin at rest: vertices (V, 3), triangles (F, 3), and the weights (V, J) of joints."""

    vertices: FloatArray
    triangles: IntArray
    weights: FloatArray


@dataclass(frozen=True)
class FootSurface:
    """A foot with the corners (N,) of its sole that touch the floor under the heel and under the toes."""

    surface: Surface
    heel_vertices: IntArray
    toe_vertices: IntArray


def loft(rings: FloatArray, weights: FloatArray) -> Surface:
    """Join rings (S, P, 3), counter-clockwise seen from the last, into a closed surface.

    ``weights`` (S, J) are those of each ring. The middles of both ends are the last two vertices.

    >>> square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    >>> cube = loft(np.stack([square, square + [0, 0, 1]]), np.ones((2, 1)))
    >>> cube.vertices.shape, cube.triangles.shape
    ((10, 3), (16, 3))
    """
    n_rings, n_corners = rings.shape[:2]
    first = (np.arange(n_rings - 1)[:, None] * n_corners + np.arange(n_corners)).ravel()
    onward = first - first % n_corners + (first + 1) % n_corners
    last, centre = (n_rings - 1) * n_corners, n_rings * n_corners
    around, ahead = np.arange(n_corners), (np.arange(n_corners) + 1) % n_corners
    triangles = np.concatenate(
        [
            np.stack([first, onward, onward + n_corners], axis=-1),
            np.stack([first, onward + n_corners, first + n_corners], axis=-1),
            np.stack([ahead, around, np.full(n_corners, centre)], axis=-1),
            np.stack([last + around, last + ahead, np.full(n_corners, centre + 1)], axis=-1),
        ]
    )
    ends = rings[[0, -1]].mean(axis=1)
    every = np.concatenate([np.repeat(weights, n_corners, axis=0), weights[[0, -1]]])
    return Surface(np.concatenate([rings.reshape(-1, 3), ends]), triangles, every)


def _tube(points: FloatArray, radii: FloatArray, weights: FloatArray) -> Surface:
    """Make a round tube along points (N, 3) on a line."""
    axis = points[-1] - points[0]
    across = rot.rotate(rot.between([0.0, 0.0, 1.0], axis), np.eye(3)[:2])
    return loft(points[:, None] + radii[:, None, None] * (_ROUND @ across), weights)


def make_foot(shape: FootShape, ankle: FloatArray, foot: FloatArray, toes: FloatArray) -> FootSurface:
    """Make the surface of a foot that stands flat below an ankle (3,).

    ``foot`` and ``toes`` (J,) are the weights of skin that follows the foot alone, and the toes alone.

    >>> from motionloom.synthesis.footwear import FOOTWEAR, fit_foot
    >>> bare = make_foot(fit_foot(FOOTWEAR["bare"]), np.array([0.0, 0.08, 0.0]), *np.eye(2))
    >>> bare.surface.vertices[bare.heel_vertices].min(axis=0).round(3).tolist()
    [-0.031, 0.0, -0.05]
    """
    along, bottom, top, width, bend = _find_stations(shape).T
    rings = np.empty((len(along), len(_RING), 3))
    rings[..., 0] = width[:, None] / 2.0 * _RING[:, 0]
    rings[..., 1] = bottom[:, None] + (top - bottom)[:, None] * _RING[:, 1] - shape.ankle_height
    rings[..., 2] = along[:, None]
    surface = loft(rings + ankle, bend[:, None] * toes + (1.0 - bend)[:, None] * foot)
    corners = np.arange(len(along))[:, None] * len(_RING) + _SOLE_CORNERS
    heel_end = shape.heel + max(shape.footwear.heel_length, _PAD * shape.size) + 1e-9
    touches = bottom == 0.0
    heel_part, toe_part = touches & (bend == 0.0) & (along <= heel_end), touches & (bend == 1.0)
    return FootSurface(surface, corners[heel_part].ravel(), corners[toe_part].ravel())


def _find_stations(shape: FootShape) -> FloatArray:
    """Return sections across a foot from heel to tip (S, 5): where each is ahead of the ankle, its lower and
    upper height above the floor, its width, and how far it follows the toes.
    """
    wear, size = shape.footwear, shape.size
    ball = float(shape.toe_offset[2])
    tip, ball_back = ball + wear.toe_length, ball - _BALL_BEHIND * size
    rounding, waist_width = _ROUNDING * size, 0.45 * (wear.heel_width + wear.ball_width)
    if wear.heel_length > 0.0:
        waist = shape.heel + wear.heel_length
        rise = wear.heel_height - wear.thickness
        rows = [
            (shape.heel, 0.0, 0.7 * wear.heel_width, 0.0),
            (shape.heel + rounding, 0.0, wear.heel_width, 0.0),
            (waist, 0.0, wear.heel_width, 0.0),
        ]
        pad = []
    else:
        waist, rise = shape.back, wear.heel_height
        ball_back = shape.heel
        rows, pad = [], [(ball - _BALL_BEHIND * size, 0.0, wear.ball_width, 0.0)]
    for part in (0.02, 0.35, 0.7):
        height = (1.0 - part) * rise + 4.0 * part * (1.0 - part) * wear.waist
        rows.append((waist + part * (ball_back - waist), height, waist_width, 0.0))
    rows += [(ball_back, 0.0, 0.95 * wear.ball_width, 0.0), *pad]
    ends, half = (ball - size * step for step in _FLEX)
    rows += [(ends, 0.0, wear.ball_width, 0.0), (half, 0.0, wear.ball_width, 0.5)]
    rows += [(ball, 0.0, wear.ball_width, 1.0), ((ball + tip) / 2.0, 0.0, 0.94 * wear.ball_width, 1.0)]
    rows += [(tip - rounding, 0.0, wear.tip_width, 1.0), (tip, 0.0, 0.7 * wear.tip_width, 1.0)]
    along, bottom, width, bend = np.array(rows).T
    covers = wear.thickness + size * np.array([_BALL_COVER, _TIP_COVER])
    heights = [shape.ankle_height + size * _ANKLE_COVER, *covers]
    top = np.interp(along, [_INSTEP * size, ball, tip], heights)
    return np.stack([along, bottom, top, width, bend], axis=-1)


def make_character_mesh(
    skeleton: Skeleton, legs: Sequence[LegJoints], hands: Sequence[HandJoints], shape: FootShape
) -> tuple[SkinnedMesh, list[FootSurface]]:
    """Make the mesh of a character around its skeleton at rest, and its feet.

    The vertices of feet in the result are those of the mesh.

    Parameters
    ----------
    skeleton
        The skeleton, whose rest rotations are the identity.
    legs, hands
        Their joints, left and right; hands without fingers keep the mannequin's.
    shape
        The shape of each foot.
    """
    at_rest = Clip(skeleton, 1.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    positions, follow = skeleton.rest_positions(), np.eye(skeleton.n_joints)
    body = make_mannequin(skeleton)
    pieces = [_take_body(body, at_rest, legs, hands)]
    feet = []
    for leg in legs:
        foot = make_foot(shape, positions[leg.foot], follow[leg.foot], follow[leg.toes])
        first = sum(len(piece.vertices) for piece in pieces)
        feet.append(FootSurface(foot.surface, foot.heel_vertices + first, foot.toe_vertices + first))
        pieces.append(foot.surface)
        if shape.footwear.shaft > 0.0:
            points = positions[leg.foot] + np.array([0.0, 1.0, 0.0]) * [[0.0], [shape.footwear.shaft]]
            radii = shape.size * np.array(_SHAFT_RADII)
            pieces.append(_tube(points, radii, follow[[leg.shin, leg.shin]]))
    for hand in hands:
        # Hands without fingers have none to pair with a radius.
        for finger, radius in zip(hand.fingers, _FINGER_RADII, strict=False):
            points = np.concatenate([positions[list(finger.joints)], [finger.tip]])
            radii = radius * finger.size * np.array([1.0, 0.95, 0.85, 0.6])
            bent = (follow[list(finger.joints)] + follow[[hand.hand, *finger.joints[:2]]]) / 2.0
            pieces.append(_tube(points, radii, np.concatenate([bent, follow[[finger.joints[-1]]]])))
    return _join(pieces, skeleton, body), feet


def _take_body(
    body: SkinnedMesh, at_rest: Clip, legs: Sequence[LegJoints], hands: Sequence[HandJoints]
) -> Surface:
    """Return the mannequin at rest without its feet and, where there are fingers, without its own."""
    vertices = body.vertices(at_rest)[0]
    weights = np.zeros((len(vertices), at_rest.skeleton.n_joints))
    np.put_along_axis(weights, body.bones[body.vertex_bones], body.weights, axis=1)
    kept = weights[:, [joint for leg in legs for joint in (leg.foot, leg.toes)]].sum(axis=1) < 0.5
    for hand in hands:
        if hand.fingers:
            wrist = at_rest.skeleton.rest_positions()[hand.hand]
            palm = at_rest.skeleton.rest_positions()[hand.fingers[2].joints[0]] - wrist
            kept &= (vertices - wrist) @ palm < _PALM_END * float(palm @ palm)
    remaining, triangles = np.unique(body.triangles[kept[body.triangles].all(axis=1)], return_inverse=True)
    return Surface(vertices[remaining], triangles.reshape(-1, 3), weights[remaining])


def _join(pieces: Sequence[Surface], skeleton: Skeleton, body: SkinnedMesh) -> SkinnedMesh:
    firsts = np.cumsum([0, *(len(piece.vertices) for piece in pieces)])
    vertices = np.concatenate([piece.vertices for piece in pieces])
    triangles = np.concatenate(
        [piece.triangles + first for piece, first in zip(pieces, firsts[:-1], strict=True)]
    )
    weights = np.concatenate([piece.weights for piece in pieces])
    bones = np.argsort(-weights, axis=1, kind="stable")[:, :BONES_PER_VERTEX]
    kept = np.take_along_axis(weights, bones, axis=1)
    binds = np.tile(np.eye(4), (skeleton.n_joints, 1, 1))
    binds[:, :3, 3] = -skeleton.rest_positions()
    return SkinnedMesh(
        skeleton,
        freeze(vertices),
        freeze(unit_vectors(find_normals(vertices, triangles))),
        triangles,
        np.arange(skeleton.n_joints),
        freeze(binds),
        bones,
        freeze(kept / kept.sum(axis=1, keepdims=True)),
        body.materials,
    )
