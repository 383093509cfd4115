"""Scales solved from posed values: the factors by which the motion meets a pose at a moment (paper, 3).

The paper holds the offset b and solves ``a = (θ' − b) / θ`` for every curve. Here θ are the three components
of a joint's deviation from its zero, or of the root's distance from a position. Where θ is almost nothing no
factor can be found; what the other axes leave is added as an offset, if it is small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.warping.curves import WarpCurves, apply_curves_at, fit_curves
from motionloom.warping.keys import MAX_SCALE, MIN_SCALE, SAME_MOMENT, Key
from motionloom.warping.warp_data import Layer

MIN_DEVIATION, MIN_DISTANCE = 0.02, 0.005
"""Radians and metres from the zero below which an axis is not scaled: about 1°, and noise of capture."""

MAX_REMAINDER, MAX_SHIFT = 0.2, 0.02
"""Radians and metres that may be left to an offset: about 11°, and 2 cm. More would not be a scale."""


def solve_scales(clip: Clip, before: Sequence[WarpCurves], layer: Layer, posed: Sequence[Key]) -> list[Key]:
    """Return a layer's keys with those whose poses are met by scaling: a scale each, and an offset if needed.

    Parameters
    ----------
    clip
        The clip.
    before
        Curves of the layers below.
    layer
        The layer's other keys, of which offsets of the same joints are held.
    posed
        Keys with ``solve="scale"``, whose zeros are known.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0, fps=60).clip
    >>> knee = clip.skeleton.index("LeftLeg")
    >>> twice = rot.from_rotation_vector(2.0 * rot.to_rotation_vector(clip.rotations[30, knee]))
    >>> posed = Key(0.5, "LeftLeg", orient=twice, zero=rot.IDENTITY, solve="scale")
    >>> solve_scales(clip, [], Layer(()), [posed])[0].scale[0].__round__(6)
    2.0
    """
    keys = list(layer.keys)
    if not posed:
        return keys
    _refuse_mixed_lanes(keys, posed)
    offsets = replace(
        layer,
        keys=tuple(
            key for key in keys if key.channel in ("rotation", "position") and key.kind in ("rotate", "move")
        ),
    )
    curves = fit_curves(offsets, clip.skeleton)
    poses = apply_curves_at(clip, before, np.clip([key.seconds for key in posed], 0.0, clip.duration))
    for n, key in enumerate(posed):
        joint = key.joint_index(clip.skeleton)
        if key.kind == "reach":
            held = np.zeros(3) if curves.offset is None else curves.offset(key.seconds)
            solved = _solve_position(key, poses.root_positions[n], held)
        else:
            curve = curves.rotations.get(joint)
            held = np.zeros(3) if curve is None else curve(key.seconds)
            solved = _solve_rotation(key, poses.rotations[n, joint], held)
        lanes = {(one.joint, one.channel) for one in solved}
        keys = [
            one
            for one in keys
            if (one.joint, one.channel) not in lanes or abs(one.seconds - key.seconds) >= SAME_MOMENT
        ]
        keys += solved
    return keys


def _solve_rotation(key: Key, here: FloatArray, held: FloatArray) -> list[Key]:
    """Return the scale of a joint's rotation (4,) and, where needed, the offset that then meets the pose."""
    zero, target = np.asarray(key.zero), np.asarray(key.orient)
    without_offset = rot.multiply(target, rot.inverse(rot.from_rotation_vector(held)))
    deviation = rot.to_rotation_vector(rot.multiply(rot.inverse(zero), here))
    wanted = rot.to_rotation_vector(rot.multiply(rot.inverse(zero), without_offset))
    factors = _find_factors(deviation, wanted, MIN_DEVIATION)
    scaled = rot.multiply(zero, rot.from_rotation_vector(factors * deviation))
    offset = rot.to_rotation_vector(rot.multiply(rot.inverse(scaled), target))
    left = rot.multiply(rot.inverse(rot.from_rotation_vector(held)), rot.from_rotation_vector(offset))
    remainder = float(np.linalg.norm(rot.to_rotation_vector(left)))
    if remainder > MAX_REMAINDER:
        raise ParameterError(
            f"{key} cannot be met by scaling: the joint is {_show_degrees(deviation)} from its zero about "
            f"its axes there, the pose {_show_degrees(wanted)}, and {np.degrees(remainder):.0f}° are left; "
            "choose a moment or a zero at which the joint deviates the same way, or solve='offset'"
        )
    scale = replace(key, orient=None, solve="offset", scale=factors)
    if remainder < 1e-9:
        return [scale]
    return [scale, replace(key, orient=None, solve="offset", zero=None, rotate=offset)]


def _solve_position(key: Key, here: FloatArray, held: FloatArray) -> list[Key]:
    """Return the scale of the root's distance (3,) from a position and, where needed, an offset."""
    zero = np.asarray(key.zero)
    distance, wanted = here - zero, key.vector - held - zero
    factors = _find_factors(distance, wanted, MIN_DISTANCE)
    offset = key.vector - zero - factors * distance
    remainder = float(np.linalg.norm(offset - held))
    if remainder > MAX_SHIFT:
        raise ParameterError(
            f"{key} cannot be met by scaling: the root is {np.round(distance, 3).tolist()} m from its zero "
            f"there, the position {np.round(wanted, 3).tolist()} m; choose another moment or zero, or "
            "solve='offset'"
        )
    scale = Key(key.seconds, key.joint, scale=factors, zero=key.zero, ease=key.ease)
    if remainder < 1e-9:
        return [scale]
    return [scale, Key(key.seconds, key.joint, move=offset, ease=key.ease)]


def _find_factors(values: FloatArray, wanted: FloatArray, minimum: float) -> FloatArray:
    """Return the factors (3,) from values to wanted ones; 1 where a value is small or changes its sign."""
    is_large = np.abs(values) >= minimum
    ratios = np.where(is_large, wanted / np.where(is_large, values, 1.0), 1.0)
    return np.where((ratios >= MIN_SCALE) & (ratios <= MAX_SCALE), ratios, 1.0)


def _refuse_mixed_lanes(keys: Sequence[Key], posed: Sequence[Key]) -> None:
    """Refuse poses of one joint of which some are met by offsets and some by scales: neither comes first."""
    joints = {key.joint for key in posed}
    for key in keys:
        if key.kind == "orient" and key.joint in joints:
            raise ParameterError(
                f"{key} is met by an offset and another key of its joint by a scale",
                remedy="put them into two layers (add two warps)",
            )


def _show_degrees(vector: FloatArray) -> str:
    return f"({', '.join(f'{angle:.0f}°' for angle in np.degrees(vector))})"
