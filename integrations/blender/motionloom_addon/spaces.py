"""Blender's world against Motionloom's: length of a unit, the axis that points up, frames of the timeline."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .errors import Refusal
from .motion import Array

Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""Turns Blender's world, Z up, so that Y is up."""

EVEN = 1e-3
"""How far the scales of an armature's axes may differ, as a share of them."""


def matrices_of(items: Iterable[Any]) -> Array:
    """Blender's matrices as an array (N, 4, 4)."""
    return np.array([np.array(item, dtype=np.float64) for item in items])


def metric(scene: Any, matrices: Any) -> Array:
    """Transforms (…, 4, 4) of Blender's world in metres and Y up."""
    turned = np.array(matrices, dtype=np.float64)
    turned[..., :3, :] = Y_UP @ turned[..., :3, :] * scene.unit_settings.scale_length
    return turned


def armature_space(scene: Any, armature: Any) -> Array:
    """The transform (4, 4) from an armature's own space to the world in metres and Y up.

    Armatures that are scaled unevenly or mirrored as objects are refused.
    """
    placed = metric(scene, armature.matrix_world)
    linear = placed[:3, :3]
    size = np.linalg.norm(linear, axis=0)
    products = linear.T @ linear - np.diag(size**2)
    uneven = np.ptp(size) > EVEN * size.max() or np.abs(products).max() > EVEN * size.max() ** 2
    if uneven or size.min() <= 0.0 or np.linalg.det(linear) <= 0.0:
        raise Refusal(
            f"{armature.name}: the object is scaled unevenly or mirrored, which turns of bones do not "
            "survive: apply its scale first (Object > Apply > Scale)"
        )
    return placed


def directions(matrices: Array) -> Array:
    """The rotations (…, 3, 3) of transforms (…, 4, 4) that may scale."""
    linear = matrices[..., :3, :3]
    return np.asarray(linear / np.linalg.norm(linear, axis=-2, keepdims=True))


def frames_per_second(scene: Any) -> float:
    """The frame rate of a scene."""
    return float(scene.render.fps / scene.render.fps_base)


def set_frames_per_second(scene: Any, fps: float) -> None:
    """Give a scene a frame rate, whole or not."""
    scene.render.fps = max(1, round(fps))
    scene.render.fps_base = scene.render.fps / fps
