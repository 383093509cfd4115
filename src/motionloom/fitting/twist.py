"""The twist of limbs, which positions of joints do not show while knee or elbow are straight.

A bent knee or elbow is a hinge: its axis is at right angles to both bones. The more it is bent, the better
the axis is known; in between, twist stays where another part of the body suggests it (the foot for a leg, the
collar bone for an arm), and changes as little as possible from frame to frame.
"""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot

MIN_BEND, FULL_BEND = 0.17, 0.50
"""Sines of the bend of a hinge below which its axis says nothing, and above which it counts fully."""

STIFFNESS = 0.01
"""Seconds within which twist follows a hinge that is well bent."""

GUESS_WEIGHT = 0.003
"""Weight of the guess against a hinge that is well bent; where no hinge is, twist follows it in 0.2 s."""


def signed_angles(start: FloatArray, end: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the angles (T,) about unit axes (T, 3) from directions (T, 3) to others, radians.

    >>> x, y, z = np.eye(3)[:, None]
    >>> signed_angles(x, y, z).round(6).tolist()
    [1.570796]
    """
    across = np.sum(np.cross(start, end) * axis, axis=-1)
    along = np.sum(start * end, axis=-1) - np.sum(start * axis, axis=-1) * np.sum(end * axis, axis=-1)
    return np.asarray(np.arctan2(across, along))


def hinge_weights(sines: FloatArray) -> FloatArray:
    """Return how much (T,) hinges count whose bends have these sines (T,), from 0 to 1.

    >>> hinge_weights(np.array([0.0, 0.25, 0.9])).round(3).tolist()
    [0.0, 0.059, 1.0]
    """
    return np.asarray(np.clip((sines - MIN_BEND) / (FULL_BEND - MIN_BEND), 0.0, 1.0) ** 2)


def solve_twist(
    measured: FloatArray, weights: FloatArray, guess: FloatArray, frame_time: float
) -> FloatArray:
    """Return the twist (T,) that follows what was measured (T,) where it counts, else a guess (T,), radians.

    A constant difference between guess and measurement belongs to the guess. The result is the minimum of a
    weighted sum of squares with a penalty on change against the guess, one banded system.

    >>> found = solve_twist(np.full(5, 0.5), np.array([1.0, 1, 0, 1, 1]), np.zeros(5), 0.01)
    >>> found.round(3).tolist()
    [0.5, 0.5, 0.5, 0.5, 0.5]
    """
    n_frames = len(measured)
    total = float(weights.sum())
    away = np.angle(np.exp(1j * (measured - guess)))
    offset = float(np.angle(np.sum(weights * np.exp(1j * away)))) if total > 0.0 else 0.0
    guess = np.unwrap(guess) + offset
    # Measured differences from the guess, each on the turn that is nearest to the ones around it.
    away = np.angle(np.exp(1j * (measured - guess)))
    if total == 0.0 or n_frames < 2:
        return guess
    from scipy.linalg import solveh_banded

    stiffness = (STIFFNESS / frame_time) ** 2
    diagonal = weights + GUESS_WEIGHT
    diagonal[:-1] += stiffness
    diagonal[1:] += stiffness
    bands = np.zeros((2, n_frames))
    bands[0, 1:] = -stiffness
    bands[1] = diagonal
    return np.asarray(guess + solveh_banded(bands, weights * away))


def swing_to(parents: FloatArray, rest: FloatArray, directions: FloatArray) -> FloatArray:
    """Return rotations (T, 4) that follow others (T, 4) but point a rest vector (3,) along directions (T, 3).

    >>> swing_to(rot.IDENTITY[None], np.array([0.0, 0, 1]), np.array([[1.0, 0, 0]])).round(3).tolist()
    [[0.707, 0.0, 0.707, 0.0]]
    """
    return rot.multiply(rot.between(rot.rotate(parents, rest), directions), parents)
