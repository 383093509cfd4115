"""A figure of sticks, one for each bone, so that viewers have something to show."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.files.gltf.building import INDICES, VERTICES, Building
from motionloom.geometry import rotations as rot
from motionloom.motion import Skeleton

THICKNESS = 0.1
"""Half the width of a stick as a share of its length."""

THICKEST = 0.02
"""The largest half width as a share of the size of the whole figure."""

WAIST = 0.2
"""Where along a stick it is thickest, as a share of its length from the parent."""

LONE_SIZE = 0.05
"""Metres from the middle to the corners of what stands for a figure without any bones."""

COLOUR = (0.25, 0.45, 0.65, 1.0)

# Two pyramids, base to base: corner 0 at the joint, 1 to 4 around the waist, 5 at the end; seen from outside.
_FACES = np.array(
    [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [5, 1, 2], [5, 2, 3], [5, 3, 4], [5, 4, 1]], dtype=np.int64
)
_WAIST_CORNERS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
_ALONG = np.array([0.0, 1.0, 0.0])


def add_sticks(building: Building, skeleton: Skeleton, origin: FloatArray) -> int:
    """Add the mesh of a figure, as it stands at rest with ``origin`` (3,) for zero, and return its index."""
    starts, ends, joints = _bones(skeleton)
    corners = _corners(starts - origin, ends - origin)
    faces = (np.arange(len(starts))[:, None, None] * len(corners[0]) + _FACES).reshape(-1)
    owners = np.zeros((corners.shape[0] * corners.shape[1], 4), dtype="<u2")
    owners[:, 0] = np.repeat(joints, corners.shape[1])
    weights = np.zeros(owners.shape, dtype="<f4")
    weights[:, 0] = 1.0
    material = {"baseColorFactor": list(COLOUR), "metallicFactor": 0.0, "roughnessFactor": 0.8}
    attributes = {
        "POSITION": building.add_array(corners.reshape(-1, 3).astype("<f4"), VERTICES, bounds=True),
        "JOINTS_0": building.add_array(owners, VERTICES),
        "WEIGHTS_0": building.add_array(weights, VERTICES),
    }
    primitive = {
        "attributes": attributes,
        "indices": building.add_array(faces.astype("<u4"), INDICES),
        "material": building.add("materials", {"name": "sticks", "pbrMetallicRoughness": material}),
    }
    return building.add("meshes", {"name": "sticks", "primitives": [primitive]})


def _bones(skeleton: Skeleton) -> tuple[FloatArray, FloatArray, IntArray]:
    """Start and end (N, 3) of each bone at rest, and the joint (N,) that carries it."""
    places, turns = skeleton.rest_positions(), skeleton.rest_world_rotations()
    joints = np.array([*skeleton.parents[1:], *(tip.joint for tip in skeleton.tips)], dtype=np.int64)
    tips = [places[joint] + rot.rotate(turns[joint], at) for joint, at in skeleton.tips]
    starts, ends = places[joints], np.array([*places[1:], *tips]).reshape(-1, 3)
    long = (starts != ends).any(axis=1)
    if not long.any():
        return places[:1] - LONE_SIZE * _ALONG, places[:1] + LONE_SIZE * _ALONG, np.zeros(1, dtype=np.int64)
    return starts[long], ends[long], joints[long]


def _corners(starts: FloatArray, ends: FloatArray) -> FloatArray:
    """The six corners (N, 6, 3) of each stick."""
    bones = ends - starts
    lengths = np.linalg.norm(bones, axis=1)
    size = np.linalg.norm(np.ptp(np.concatenate([starts, ends]), axis=0))
    widths = np.minimum(THICKNESS * lengths, max(THICKEST * float(size), 0.0))
    turns = rot.between(_ALONG, bones)
    around = rot.rotate(turns[:, None], _WAIST_CORNERS) * widths[:, None, None]
    waists = (starts + WAIST * bones)[:, None] + around
    return np.concatenate([starts[:, None], waists, ends[:, None]], axis=1)
