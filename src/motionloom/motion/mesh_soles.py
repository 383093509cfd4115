"""Soles of a character: the vertices of its mesh that feet stand on, and where its heels and toes are.

A joint says nothing about the sole below it: shoes, heels and paws lie 2 to 15 cm lower. Only vertices that
are lowest in some orientation of the foot matter, so a few dozen of them stand for the whole sole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion.anatomy import Anatomy, Leg, find_anatomy, tree
from motionloom.motion.body import body_of_rig
from motionloom.motion.clip import Clip
from motionloom.motion.skeleton import Skeleton
from motionloom.motion.skinned_mesh import SkinnedMesh

MIN_WEIGHT = 0.5
"""A vertex is part of a foot when the joints from the ankle on carry at least this much of it."""

N_DIRECTIONS = 400
"""Directions in which the outermost vertices of a foot are looked for."""

MAX_UPWARD = 0.35
"""Sine of the highest angle of such a direction above the horizon: a foot on its tips points steeply down,
but never upwards."""

FLAT = 0.002
"""Vertices of a heel or of toes this near to its lowest one touch the ground while the foot is flat, as a
fraction of the length of the leg: 2 mm of an adult."""

MIN_CONTACT = 0.3
"""A foot is flat at rest when what touches the ground is at least this fraction of its length. Paws stand on
their pads, with the heel in the air."""

MIN_DOWN = 0.7
"""The soles are at the lower side of the feet where legs point down at rest: cosine of their angle to the
downward axis."""

MAX_DIFFERENCE = 1e-3
"""A skeleton whose feet differ by more from those of the mesh, as a fraction of the leg and in radians, is
another one."""


class JointPoint(NamedTuple):
    """A point of a joint: the name of the joint, and where the point is (3,) in its frame, metres."""

    joint: str
    point: FloatArray


@dataclass(frozen=True, eq=False)
class MeshSole:
    """The sole of one foot of a mesh.

    Attributes
    ----------
    joints
        Names of the J joints that carry the foot: the ankle, those below it, and the knee, to which heels are
        often bound too.
    points
        (J, V, 3) where each of V vertices is in the frame of each joint, metres.
    weights
        (J, V) how much each joint carries of a vertex; they sum to one.
    heel, toe
        The rear and the front end of what touches the ground while the foot is flat.
    """

    joints: tuple[str, ...]
    points: FloatArray = field(repr=False)
    weights: FloatArray = field(repr=False)
    heel: JointPoint
    toe: JointPoint

    def positions(self, skeleton: Skeleton, positions: FloatArray, rotations: FloatArray) -> FloatArray:
        """Return where the vertices are (T, V, 3), metres.

        ``positions`` (T, J, 3) and ``rotations`` (T, J, 4) are those of the joints of ``skeleton`` in the
        world.
        """
        total = np.zeros((len(positions), self.points.shape[1], 3))
        for name, points, weights in zip(self.joints, self.points, self.weights, strict=True):
            joint = skeleton.index(name)
            moved = positions[:, joint, None] + rot.rotate(rotations[:, joint, None], points)
            total += weights[:, None] * moved
        return total

    def lowest(self, clip: Clip) -> FloatArray:
        """Return the lowest point of the sole (T, 3) in every frame of a clip, metres."""
        found = self.positions(clip.skeleton, clip.world_positions(), clip.world_rotations())
        return np.asarray(found[np.arange(len(found)), found[..., 1].argmin(axis=1)])


def clip_soles(clip: Clip) -> Mapping[int, MeshSole]:
    """Return the soles of the mesh that a clip's skeleton has, by ankle joint; none without such a mesh.

    >>> from motionloom.synthesis import stand
    >>> clip_soles(stand(duration=0.1).clip)
    {}
    """
    character = clip.source.character
    if character is None:
        return {}
    return {
        clip.skeleton.index(sole.joints[0]): sole
        for sole in character.soles
        if _has_same_foot(clip.skeleton, character.skeleton, sole.joints)
    }


def find_mesh_soles(mesh: SkinnedMesh) -> tuple[MeshSole, ...]:
    """Find the soles of the feet of a mesh; none where no legs are found, or they do not point down at rest.

    >>> from motionloom.synthesis import make_mannequin, stand
    >>> left, right = find_mesh_soles(make_mannequin(stand(duration=0.1).clip))
    >>> left.joints, left.heel.joint, left.toe.joint
    (('LeftFoot', 'LeftToeBase', 'LeftLeg'), 'LeftFoot', 'LeftToeBase')
    """
    body = body_of_rig(mesh.skeleton).skeleton
    anatomy = find_anatomy(body)
    soles = [_find_sole(mesh, body, anatomy, leg) for leg in anatomy.legs if _points_down(body, anatomy, leg)]
    return tuple(sole for sole in soles if sole is not None)


def _points_down(skeleton: Skeleton, anatomy: Anatomy, leg: Leg) -> bool:
    positions = skeleton.rest_positions()
    offset = positions[leg.ankle] - positions[leg.hip]
    return bool(offset @ anatomy.up <= -MIN_DOWN * np.linalg.norm(offset))


def _has_same_foot(skeleton: Skeleton, own: Skeleton, joints: tuple[str, ...]) -> bool:
    """Whether the joints of a foot lie and are oriented in a skeleton as in the mesh's own one."""
    if any(name not in skeleton.names for name in joints):
        return False
    here, there = ([each.index(name) for name in joints] for each in (skeleton, own))
    offsets = [
        each.rest_positions()[indices] - each.rest_positions()[indices[0]]
        for each, indices in ((skeleton, here), (own, there))
    ]
    size = float(np.linalg.norm(own.offsets[there[0]]))
    turned = rot.to_rotation_vector(
        rot.multiply(rot.inverse(skeleton.rest_world_rotations()[here]), own.rest_world_rotations()[there])
    )
    same_size = np.abs(np.linalg.norm(skeleton.offsets[here[0]]) - size) <= MAX_DIFFERENCE * size
    return bool(
        same_size
        and np.abs(offsets[0] - offsets[1]).max() <= MAX_DIFFERENCE * size
        and np.abs(turned).max() <= MAX_DIFFERENCE
    )


def _find_sole(mesh: SkinnedMesh, body: Skeleton, anatomy: Anatomy, leg: Leg) -> MeshSole | None:
    """Find the sole of one foot; None where the mesh has no feet."""
    skeleton = mesh.skeleton
    below = tree.subtree(body, leg.ankle)
    joints = [skeleton.index(body.names[joint]) for joint in (*below, leg.knee)]
    points, weights = _find_foot_vertices(mesh, joints, len(below))
    if not weights.size:
        return None
    rest_positions = skeleton.rest_positions()[joints]
    rest_rotations = skeleton.rest_world_rotations()[joints]
    placed = rest_positions[:, None] + rot.rotate(rest_rotations[:, None], points)
    vertices = np.einsum("jv,jvd->vd", weights, placed)
    owner = weights.argmax(axis=0)
    names = tuple(skeleton.names[joint] for joint in joints)

    def point_at(chosen: BoolArray, position: FloatArray) -> JointPoint:
        carrier = int(weights[: len(below), chosen].sum(axis=1).argmax())
        local = rot.rotate(rot.inverse(rest_rotations[carrier]), position - rest_positions[carrier])
        return JointPoint(names[carrier], freeze(local))

    up, forward = anatomy.up, _foot_direction(body, anatomy, leg)
    size = float((body.rest_positions()[leg.hip] - body.rest_positions()[leg.ankle]) @ up)
    heights, along = vertices @ up, vertices @ forward
    ground: BoolArray = heights < heights.min() + FLAT * size
    if np.ptp(along[ground]) < MIN_CONTACT * np.ptp(along):
        ground[:] = True  # the foot is tilted at rest: look for heel and toes in its halves
    halfway = (along[ground].min() + along[ground].max()) / 2.0
    ends = []
    for behind in (True, False):
        part = ground & ((along <= halfway) == behind)
        if not part.any():
            return None
        touching = part & (heights < heights[part].min() + FLAT * size)
        end = along[touching].min() if behind else along[touching].max()
        centre = vertices[touching].mean(axis=0)
        low = heights[touching].min()
        ends.append(
            point_at(touching, centre + (end - centre @ forward) * forward + (low - centre @ up) * up)
        )
    kept = np.unique(np.concatenate([_outermost(vertices, owner == n, up) for n in range(len(joints))]))
    carrying: BoolArray = np.asarray(weights[:, kept].any(axis=1))
    carrying[0] = True
    return MeshSole(
        tuple(name for name, has in zip(names, carrying, strict=True) if has),
        freeze(points[carrying][:, kept]),
        freeze(weights[carrying][:, kept]),
        *ends,
    )


def _find_foot_vertices(mesh: SkinnedMesh, joints: list[int], n_foot: int) -> tuple[FloatArray, FloatArray]:
    """Return points (J, V, 3) and weights (J, V) of the vertices that the first ``n_foot`` joints carry."""
    owner = np.isin(mesh.bones, joints[:n_foot])
    carried = (mesh.weights * owner[mesh.vertex_bones]).sum(axis=1)
    chosen = np.flatnonzero(carried >= MIN_WEIGHT)
    points = np.zeros((len(joints), len(chosen), 3))
    weights = np.zeros((len(joints), len(chosen)))
    for n, joint in enumerate(joints):
        for bone in np.flatnonzero(mesh.bones == joint):
            own = (mesh.weights[chosen] * (mesh.vertex_bones[chosen] == bone)).sum(axis=1)
            bind = mesh.inverse_binds[bone]
            points[n] += own[:, None] * (mesh.positions[chosen] @ bind[:3, :3].T + bind[:3, 3])
            weights[n] += own
    points = np.divide(points, weights[..., None], out=points, where=weights[..., None] > 0.0)
    weights /= np.maximum(weights.sum(axis=0), np.finfo(np.float64).tiny)
    return points, weights


def _foot_direction(skeleton: Skeleton, anatomy: Anatomy, leg: Leg) -> FloatArray:
    """Return the level unit vector (3,) from heel to toes at rest."""
    positions = skeleton.rest_positions()
    end = positions[leg.ankle if leg.toe is None else leg.toe]
    if leg.toe is None and leg.tip is not None:
        end = positions[leg.tip.joint] + rot.rotate(
            skeleton.rest_world_rotations()[leg.tip.joint], leg.tip.offset
        )
    offset = end - positions[leg.ankle]
    level = offset - (offset @ anatomy.up) * anatomy.up
    length = float(np.linalg.norm(level))
    return level / length if length > 0.3 * np.linalg.norm(offset) > 0.0 else anatomy.forward


def _outermost(vertices: FloatArray, own: BoolArray, up: FloatArray) -> IntArray:
    """Return those of a joint's own vertices that are farthest in some direction below the horizon."""
    indices = np.flatnonzero(own)
    if not len(indices):
        return indices
    directions = _directions(N_DIRECTIONS)
    directions = directions[directions[:, 1] <= MAX_UPWARD]
    directions = rot.rotate(rot.between(np.array([0.0, 1.0, 0.0]), up), directions)
    return np.asarray(indices[np.unique((vertices[indices] @ directions.T).argmax(axis=0))])


def _directions(count: int) -> FloatArray:
    """Return unit vectors (N, 3) spread evenly over the sphere, along a spiral."""
    heights = 1.0 - 2.0 * (np.arange(count) + 0.5) / count
    angles = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(count)
    across = np.sqrt(1.0 - heights**2)
    return np.stack([across * np.cos(angles), heights, across * np.sin(angles)], axis=1)
