"""What the tests of warping measure, in a plain way of their own."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.signal import butter, sosfiltfilt

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from tests.conftest import MOCAP

DETAIL = 3.0
"""Hertz above which motion counts as detail."""


@cache
def captured_clip(name: str) -> Clip:
    """An annotated capture by its path in the corpus, without the ending."""
    return annotate(ml.load(MOCAP / f"{name}.bvh"))


def turning_rates(clip: Clip) -> FloatArray:
    """Angular velocities (T - 1, J, 3) of joints in their parents' frames, rad/s."""
    turned = rot.multiply(clip.rotations[1:], rot.inverse(clip.rotations[:-1]))
    return np.asarray(rot.to_rotation_vector(turned) / clip.frame_time)


def details(clip: Clip) -> FloatArray:
    """The part of the joints' angular velocities above 3 Hz."""
    sections = butter(4, DETAIL, "high", fs=clip.fps, output="sos")
    return np.asarray(sosfiltfilt(sections, turning_rates(clip), axis=0))


def detail_kept(source: Clip, result: Clip) -> tuple[FloatArray, FloatArray]:
    """For each joint (J,) the ratio of the energies of the details, and their correlation."""
    before, after = details(source), details(result)
    energies = (before**2).sum(axis=(0, 2)), (after**2).sum(axis=(0, 2))
    alive = energies[0] > 1e-12
    ratio = np.where(alive, energies[1] / np.where(alive, energies[0], 1.0), 1.0)
    shared = (before * after).sum(axis=(0, 2)) / np.sqrt(np.where(alive, energies[0] * energies[1], 1.0))
    return ratio, np.where(alive, shared, 1.0)


def joint_speeds(clip: Clip) -> FloatArray:
    """The fastest turning (J,) of each joint, rad/s."""
    return np.asarray(np.linalg.norm(turning_rates(clip), axis=-1).max(axis=0))


def angle_between(one: FloatArray, two: FloatArray) -> float:
    """The largest angle between rotations (..., 4), radians."""
    off = rot.to_rotation_vector(rot.multiply(rot.inverse(one), two))
    return float(np.linalg.norm(off, axis=-1).max())
