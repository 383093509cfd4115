"""Level soles: a foot that stands flat in the motion stands flat on the mesh of the target.

Captured skeletons rest with their feet pitched by up to 30°, and so do their toes. Bones alone do not show
it. A mesh stands flat at rest; so what counts as flat of the source is how its feet and toes are tilted while
heel and toe are planted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze, norm
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import tree
from motionloom.motion.mesh_soles import MeshSole
from motionloom.retargeting.proportions import find_foot
from motionloom.retargeting.reference_pose import BodyPair, ReferencePose

UP = np.array([0.0, 1.0, 0.0])

MAX_BEND = np.radians(60.0)
"""Toes of people bend upwards by about this much, radians."""

MIN_RUN = 1e-6
"""Metres below which toes have no direction over the ground."""

MIN_AGREEMENT = 0.5
"""Feet whose tilts have a mean direction shorter than this do not stand in one way."""


def level_soles(clip: Clip, bodies: BodyPair, soles: Mapping[int, MeshSole]) -> BodyPair:
    """Let feet and toes of a target with a mesh be level where those of the clip are planted flat.

    Parameters
    ----------
    clip
        The motion, with the plants of its feet.
    bodies
        Source and target.
    soles
        The soles of the target's mesh by ankle joint; feet without one stay as they are.
    """
    difference = np.array(bodies.difference)
    partners = bodies.mapping.partners
    for foot in soles:
        own = partners.get(foot)
        if own is None or find_foot(bodies.source.parts, own) != own:
            continue
        frames = _flat_frames(clip, bodies, own)
        if not frames.any():
            continue
        turn = rot.IDENTITY
        for joint in tree.subtree(bodies.target.skeleton, foot):
            partner = partners.get(joint)
            if partner is not None:
                away = rot.multiply(
                    clip.world_rotations()[frames, partner], rot.inverse(bodies.source.rotations[partner])
                )
                vertical = rot.rotate(rot.inverse(away), UP).mean(axis=0)
                turn = rot.between(UP, vertical) if norm(vertical) > MIN_AGREEMENT else rot.IDENTITY
            difference[joint] = rot.multiply(turn, difference[joint])
    return replace(bodies, difference=freeze(difference))


def _flat_frames(clip: Clip, bodies: BodyPair, foot: int) -> BoolArray:
    """Return the frames (T,) in which two points of a foot of the source are planted."""
    held: dict[tuple[str, str], BoolArray] = {}
    for plant in clip.constraints:
        if find_foot(bodies.source.parts, clip.skeleton.index(plant.joint)) == foot:
            frames = held.setdefault((plant.joint, plant.kind), np.zeros(clip.n_frames, dtype=np.bool_))
            frames[plant.whole_frames(clip.n_frames)] = True
    return np.sum([*held.values()], axis=0) >= 2 if held else np.zeros(clip.n_frames, dtype=np.bool_)


def bend_toes(clip: Clip, body: ReferencePose, foot: int, sole: MeshSole, weights: FloatArray) -> Clip:
    """Bend the toes of a foot upwards where they would point into the floor.

    Captured toes tremble, and many captures have none; toes that rest on the floor give way to it. They do
    not bend by more than :data:`MAX_BEND`.

    Parameters
    ----------
    clip
        The motion on the target.
    body
        Reference pose of the target, in which toes are level.
    foot, sole
        The ankle, and the sole of its mesh.
    weights
        (T,) how near the foot is to the floor: 1 on it, 0 well above.
    """
    toes = body.skeleton.index(sole.toe.joint)
    if toes == foot:
        return clip
    ahead = (body.positions[toes] - body.positions[foot]) * [1.0, 0.0, 1.0]
    away = rot.multiply(clip.world_rotations()[:, toes], rot.inverse(body.rotations[toes]))
    pointing = rot.rotate(away, ahead)
    run = np.hypot(pointing[:, 0], pointing[:, 2])
    pitch = np.arctan2(pointing[:, 1], np.maximum(run, MIN_RUN))
    bend = weights * np.clip(-pitch, 0.0, MAX_BEND)
    if not bend.any():
        return clip
    axes = np.cross(pointing, UP)
    axes /= np.maximum(norm(axes), MIN_RUN)[:, None]
    world = rot.multiply(rot.from_rotation_vector(axes * bend[:, None]), clip.world_rotations()[:, toes])
    above = clip.world_rotations()[:, body.skeleton.parents[toes]]
    rotations = np.array(clip.rotations)
    rotations[:, toes] = rot.nearer(rot.multiply(rot.inverse(above), world), rotations[:, toes])
    return replace(clip, rotations=freeze(rotations))
