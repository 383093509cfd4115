"""Quality over time: curves of a clip with one value per frame."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.quality.derivatives import magnitudes
from motionloom.quality.feet import find_feet, has_feet, put_on_moving_ground, skate_speeds

UNITS = {"height": "m", "slide": "m/s", "root speed": "m/s", "jerk": "m/s³"}
"""Units of curves, by how their names end."""


def quality_curves(clip: Clip) -> dict[str, FloatArray]:
    """Compute the quality curves of a clip by name, one value per frame (T,).

    Heights of heels and toes above the ground, how fast they slide over it while they are low, how fast the
    root goes over the ground, and the largest jerk of any joint.

    >>> from motionloom.synthesis import walk
    >>> curves = quality_curves(walk(duration=2.0, fps=30).clip)
    >>> curves["root speed"].shape, curve_unit("root speed")
    ((61,), 'm/s')
    """
    curves: dict[str, FloatArray] = {}
    if has_feet(clip):
        feet = find_feet(put_on_moving_ground(clip)[0])
        slides = skate_speeds(feet)
        for n, (name, kind) in enumerate(zip(feet.names, feet.kinds, strict=True)):
            curves[f"{name} {kind} height"] = feet.heights[:, n]
            curves[f"{name} {kind} slide"] = _per_frame(slides[:, n], 0.5, clip.n_frames)
    for name, positions, order in (
        ("root speed", clip.body.root_positions[:, None, [0, 2]], 1),
        ("jerk", clip.world_positions(), 3),
    ):
        try:
            sizes = magnitudes(positions, clip.frame_time, order)
        except ParameterError:
            continue  # too few frames to tell
        curves[name] = _per_frame(sizes.values.max(axis=1), sizes.first, clip.n_frames)
    return curves


def curve_unit(name: str) -> str:
    """Return the unit of a curve by its name."""
    return next(unit for ending, unit in UNITS.items() if name.endswith(ending))


def _per_frame(values: FloatArray, first: float, n_frames: int) -> FloatArray:
    """Values that lie one frame apart from the frame ``first`` on, at all frames; held beyond their ends."""
    if not len(values):
        return np.zeros(n_frames)
    return np.interp(np.arange(n_frames), first + np.arange(len(values)), values)
