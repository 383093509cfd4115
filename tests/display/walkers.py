"""A small figure that walks or stands, for the tests of images."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PIL import Image

from motionloom.display.style import PAPER, Colour
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Skeleton, Tip

_JOINTS: list[tuple[str, int, tuple[float, float, float]]] = [
    ("Hips", -1, (0.0, 0.95, 0.0)),
    ("LeftUpLeg", 0, (0.1, -0.05, 0.0)),
    ("LeftLeg", 1, (0.0, -0.42, 0.0)),
    ("LeftFoot", 2, (0.0, -0.42, 0.0)),
    ("LeftToeBase", 3, (0.0, -0.05, 0.14)),
    ("RightUpLeg", 0, (-0.1, -0.05, 0.0)),
    ("RightLeg", 5, (0.0, -0.42, 0.0)),
    ("RightFoot", 6, (0.0, -0.42, 0.0)),
    ("RightToeBase", 7, (0.0, -0.05, 0.14)),
    ("Spine", 0, (0.0, 0.2, 0.0)),
    ("Head", 9, (0.0, 0.4, 0.0)),
    ("LeftArm", 9, (0.18, 0.25, 0.0)),
    ("LeftForeArm", 11, (0.0, -0.28, 0.0)),
    ("LeftHand", 12, (0.0, -0.25, 0.0)),
    ("RightArm", 9, (-0.18, 0.25, 0.0)),
    ("RightForeArm", 14, (0.0, -0.28, 0.0)),
    ("RightHand", 15, (0.0, -0.25, 0.0)),
]

FRAME_TIME = 1 / 60


def figure(size: float = 1.0) -> Skeleton:
    """A biped of 17 joints whose height is about 1.65 m times the size."""
    return Skeleton(
        tuple(name for name, _, _ in _JOINTS),
        np.array([parent for _, parent, _ in _JOINTS]),
        np.array([offset for _, _, offset in _JOINTS]) * size,
        tips=(Tip(10, np.array([0.0, 0.2, 0.0]) * size), Tip(13, np.array([0.0, -0.1, 0.0]) * size)),
    )


def walk(seconds: float = 1.0, speed: float = 3.0, size: float = 1.0) -> Clip:
    """The figure with swinging limbs, going along +Z at a speed in metres per second; 0 stays in place."""
    n_frames = round(seconds / FRAME_TIME) + 1
    times = np.arange(n_frames) * FRAME_TIME
    skeleton = figure(size)
    vectors = np.zeros((n_frames, skeleton.n_joints, 3))
    swing = 0.5 * np.sin(2.0 * np.pi * times)
    for name, sign in (("LeftUpLeg", 1), ("RightUpLeg", -1), ("LeftArm", -1), ("RightArm", 1)):
        vectors[:, skeleton.index(name), 0] = sign * swing
    roots = np.column_stack([np.zeros(n_frames), np.full(n_frames, 0.95 * size), speed * size * times])
    return Clip(skeleton, FRAME_TIME, roots, rot.from_rotation_vector(vectors))


def planted(clip: Clip) -> Clip:
    """The clip with a left and a right plant."""
    return replace(
        clip,
        constraints=(Constraint("LeftToeBase", "toe", 2, 20), Constraint("RightFoot", "heel", 20, 40)),
    )


def n_pixels_of(image: Image.Image, colour: Colour, min: float = 0.35, max: float = 1.1) -> int:
    """How many pixels show this colour, faded into the background to a fraction between two bounds."""
    full = np.array(PAPER, dtype=float) - colour
    found = np.array(PAPER, dtype=float) - np.asarray(image.convert("RGB"))
    fraction = found @ full / (full @ full)
    off = np.linalg.norm(found - fraction[..., None] * full, axis=-1)
    return int(((fraction >= min) & (fraction <= max) & (off < 20.0)).sum())
