"""Standing still, and standing as people do."""

from __future__ import annotations

import numpy as np

from motionloom.synthesis.body import SIDES
from motionloom.synthesis.parameters import frame_times
from motionloom.synthesis.result import SyntheticMotion
from motionloom.synthesis.standing import easy_arm, side_by_side, standing, staying
from motionloom.validation import check_number

_WIDTH, _TOE_OUT = 0.20, 0.12
_BREATH, _WEIGHT_SHIFT, _GLANCE = 3.7, 6.1, 8.3
"""Seconds from breath to breath, from one leg to the other and back, and from glance to glance."""


def stand(*, duration: float = 2.0, fps: float = 60.0) -> SyntheticMotion:
    """Stand still at the origin, facing +Z, arms hanging; ``duration`` in seconds.

    >>> clip = stand(duration=1.0, fps=30).clip
    >>> bool((clip.rotations == clip.rotations[0]).all())
    True
    """
    return _standing_about(0.0, duration, fps)


def idle(*, energy: float = 1.0, duration: float = 8.0, fps: float = 60.0) -> SyntheticMotion:
    """Stand and breathe, shift the weight from leg to leg, and look about.

    Parameters
    ----------
    energy
        Size of all movements, 0 to 2 times the usual.
    duration, fps
        Seconds, and frames per second.

    >>> idle(duration=1.0, fps=30).clip.n_frames
    31
    """
    return _standing_about(
        check_number("energy", energy, min=0.0, max=2.0, unit="times the usual"), duration, fps
    )


def _standing_about(energy: float, duration: float, fps: float) -> SyntheticMotion:
    time = frame_times(duration, fps)
    breath, weight, glance = (
        energy * np.sin(2.0 * np.pi * time / period) for period in (_BREATH, _WEIGHT_SHIFT, _GLANCE)
    )
    none = np.zeros_like(time)
    feet = side_by_side(_WIDTH, _TOE_OUT)
    body = standing(
        time,
        fps,
        {side: staying(feet[side], time) for side in SIDES},
        shift=np.stack([0.045 * weight, 0.003 * breath - 0.012 * weight**2, 0.006 * glance], axis=-1),
        pelvis=np.stack([0.04 * weight, none, 0.05 * weight], axis=-1),
        chest=np.stack([-0.02 * weight + 0.03 * glance, -0.022 * breath, -0.02 * weight], axis=-1),
        head=np.stack([0.22 * glance, 0.02 * breath, -0.03 * weight], axis=-1),
    )
    return body.performed({side: easy_arm(body.trunk, side, 0.025 * breath) for side in SIDES})
