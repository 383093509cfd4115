"""`make_mannequin`: a neutral body around any skeleton of a person, made by code."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import tree
from motionloom.motion.result import ClipLike, check_skeleton, unwrap
from motionloom.motion.skinned_mesh import BONES_PER_VERTEX, Material, SkinnedMesh
from motionloom.retargeting.body_parts import ARM, LEG, SIDES, BodyParts, find_body_parts
from motionloom.retargeting.transfer_motion import transfer_motion
from motionloom.synthesis.biped import ANKLE_HEIGHT, biped
from motionloom.synthesis.biped import LEG as LEG_LENGTH
from motionloom.synthesis.mannequin_shape import HEAD, NECK, TRUNK, Cone, Landmarks, find_surface, make_cones

COLOUR = (0.55, 0.57, 0.6, 1.0)
"""Linear red, green, blue and opacity: a light grey."""

NEEDED = ("pelvis", "head", *(f"{side} {part}" for side in SIDES for part in (*LEG[:3], *ARM)))
"""Parts without which a skeleton is no person."""

TOE_AHEAD = 0.13
"""Metres from the ankle to the ball of the foot, on feet without toes."""

ANKLE_RANGE = (0.3, 1.9)
"""Heights of the ankle above the floor, as multiples of an adult's, that count as a standing foot."""

SOFTNESS = 0.028
"""Metres over which the skin of one part passes into that of the next."""

SMOOTHING_ROUNDS = 3
"""How often the weights of a vertex are averaged with those of its neighbours."""


def make_mannequin(body: Skeleton | ClipLike) -> SkinnedMesh:
    """Make a neutral body around the skeleton of a person, whatever its proportions.

    The surface is built around the skeleton in a T-pose and bound to it there, so that motion of the skeleton
    moves it as it is, without retargeting.

    Parameters
    ----------
    body
        The skeleton, or a clip of it, which shows how joints are oriented where the rest pose does not stand.

    Returns
    -------
    SkinnedMesh
        The mesh, on the skeleton or, of a rig with joints above the body, on its body (``clip.body``).

    Raises
    ------
    ParameterError
        The skeleton is not that of a person.

    >>> from motionloom.synthesis import walk
    >>> mesh = make_mannequin(walk(duration=0.5, fps=30).clip)
    >>> bool(1.7 < np.ptp(mesh.positions[:, 1]) < 1.8)
    True
    """
    check_skeleton("make_mannequin", body)
    pose = _t_pose(body if isinstance(body, Skeleton) else unwrap(body))
    skeleton = pose.skeleton
    parts = find_body_parts(skeleton)
    landmarks = _find_landmarks(parts, pose.world_positions()[0])
    cones = make_cones(landmarks)
    vertices, normals, triangles = find_surface(cones, landmarks)
    weights = _find_weights(cones, vertices, parts, pose, landmarks.scale)
    weights = _smooth(weights, triangles)
    chosen = np.argsort(-weights, axis=1)[:, :BONES_PER_VERTEX]
    kept = np.take_along_axis(weights, chosen, axis=1)
    return SkinnedMesh(
        skeleton,
        freeze(vertices),
        freeze(normals),
        triangles,
        np.arange(skeleton.n_joints),
        freeze(_inverse_binds(pose)),
        chosen,
        freeze(kept / kept.sum(axis=1, keepdims=True)),
        (Material("mannequin", COLOUR),),
    )


def is_person(skeleton: Skeleton) -> bool:
    """Tell whether a skeleton has the parts of a person, so that a mannequin can be made around it.

    >>> is_person(biped())
    True
    """
    return not _find_missing_parts(skeleton)


def _find_missing_parts(skeleton: Skeleton) -> list[str]:
    return [part for part in NEEDED if part not in find_body_parts(skeleton).joints]


def _t_pose(body: Skeleton | Clip) -> Clip:
    """Return the body in a T-pose, over one frame."""
    reference = biped()
    at_rest = Clip(reference, 1.0, reference.offsets[:1], reference.rest_rotations[None], translations=None)
    skeleton = body if isinstance(body, Skeleton) else body.body.skeleton
    missing = _find_missing_parts(skeleton)
    if missing:
        raise ParameterError(
            f"a mannequin needs the skeleton of a person: no {missing[0]} was found among its "
            f"{skeleton.n_joints} joints"
        )
    return transfer_motion(at_rest, body).clip.body


def _find_landmarks(parts: BodyParts, positions: FloatArray) -> Landmarks:
    points = {part: positions[joint] for part, joint in parts.joints.items()}
    neck = parts.between("chest", "head")
    if neck:
        points[NECK] = positions[neck[0]]
    lengths = [
        np.linalg.norm(points[f"{side} {upper}"] - points[f"{side} {lower}"])
        for side in SIDES
        for upper, lower in (("thigh", "shin"), ("shin", "foot"))
    ]
    hips = (points["left thigh"] + points["right thigh"]) / 2
    shoulders = (points["left upper arm"] + points["right upper arm"]) / 2
    trunk, adult_trunk = float(np.linalg.norm(shoulders - hips)), 0.5
    scale = (sum(lengths) / 2 + trunk) / (LEG_LENGTH + adult_trunk)
    ankles = min(points[f"{side} foot"][1] for side in SIDES)
    low, high = (factor * ANKLE_HEIGHT * scale for factor in ANKLE_RANGE)
    floor = 0.0 if low < ankles < high else float(ankles - ANKLE_HEIGHT * scale)
    for side in SIDES:
        if f"{side} toes" not in points:
            points[f"{side} toes"] = points[f"{side} foot"] + scale * np.array([0.0, 0.0, TOE_AHEAD])
    return Landmarks(points, float(scale), floor)


def _find_weights(
    cones: list[Cone], vertices: FloatArray, parts: BodyParts, pose: Clip, scale: float
) -> FloatArray:
    """Return the weights (V, J) of joints: vertices follow the nearest part, and softly those beside it."""
    names = list(dict.fromkeys(cone.part for cone in cones))
    distances = np.full((len(vertices), len(names)), np.inf)
    for cone in cones:
        column = names.index(cone.part)
        distances[:, column] = np.minimum(distances[:, column], cone.distance(vertices))
    nearest = distances.argmin(axis=1)
    beside = np.array([[a == b or _are_neighbours(a, b) for b in names] for a in names])
    apart = distances - distances.min(axis=1, keepdims=True)
    fractions = np.exp(-apart / (SOFTNESS * scale)) * beside[nearest]
    fractions /= fractions.sum(axis=1, keepdims=True)
    weights = np.zeros((len(vertices), pose.skeleton.n_joints))
    trunk = _trunk_weights(vertices, parts, pose)
    for column, name in enumerate(names):
        joint = _joint_of(parts, name)
        if joint is None:
            weights += fractions[:, column, None] * trunk
        else:
            weights[:, joint] += fractions[:, column]
    return weights


def _are_neighbours(a: str, b: str) -> bool:
    side, _, part = a.partition(" ")
    other_side, _, other = b.partition(" ")
    if not part or not other:
        limbs = {"collar", "thigh"}
        return {a, b} in ({TRUNK, NECK}, {NECK, HEAD}) or (TRUNK in (a, b) and bool({part, other} & limbs))
    chain = ("collar", *ARM) if part in ("collar", *ARM) else LEG
    joined = part in chain and other in chain and abs(chain.index(part) - chain.index(other)) == 1
    return side == other_side and joined


def _joint_of(parts: BodyParts, name: str) -> int | None:
    """Return the joint that carries a part; None for the trunk, which several carry."""
    if name == TRUNK:
        return None
    side, _, part = name.partition(" ")
    if part == "collar":
        between = parts.between("chest", f"{side} upper arm")
        return between[-1] if between else None
    if name == NECK:
        between = parts.between("chest", "head")
        return between[-1] if between else None
    if part == "toes" and name not in parts.joints:
        return parts.joints[f"{side} foot"]
    return parts.joints[name]


def _trunk_weights(vertices: FloatArray, parts: BodyParts, pose: Clip) -> FloatArray:
    """Return the weights (V, J) of the joints from pelvis to chest, by height along the spine."""
    pelvis, chest = parts.joints["pelvis"], parts.joints.get("chest", parts.joints["pelvis"])
    skeleton = pose.skeleton
    chain = [pelvis]
    if chest != pelvis and pelvis in tree.ancestors(skeleton, chest):
        chain = [*tree.path_between(skeleton, pelvis, chest)]
    heights = pose.world_positions()[0, chain, 1]
    top = float(pose.world_positions()[0, parts.joints["head"], 1])
    # A joint carries what is around the centre of its bone; what lies between two centres follows both.
    centres = (heights + np.append(heights[1:], top)) / 2
    centres = np.maximum.accumulate(centres + 1e-6 * np.arange(len(chain)))
    weights = np.zeros((len(vertices), skeleton.n_joints))
    for n, joint in enumerate(chain):
        weights[:, joint] = np.interp(vertices[:, 1], centres, np.eye(len(chain))[n])
    return weights


def _smooth(weights: FloatArray, triangles: IntArray) -> FloatArray:
    """Return weights averaged with those of the vertices around."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    edges = edges[np.argsort(edges[:, 0], kind="stable")]
    firsts = np.searchsorted(edges[:, 0], np.arange(len(weights)))
    count = np.bincount(edges[:, 0], minlength=len(weights))[:, None]
    for _ in range(SMOOTHING_ROUNDS):
        around = np.add.reduceat(weights[edges[:, 1]], firsts)
        weights = 0.5 * weights + 0.5 * around / count
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _inverse_binds(pose: Clip) -> FloatArray:
    """Return the matrices (J, 4, 4) from the scene to the frames of the joints of a pose."""
    rotations, positions = pose.world_rotations()[0], pose.world_positions()[0]
    matrices = np.tile(np.eye(4), (len(positions), 1, 1))
    back = rot.inverse(rotations)
    matrices[:, :3, :3] = rot.to_matrix(back)
    matrices[:, :3, 3] = rot.rotate(back, -positions)
    return matrices
