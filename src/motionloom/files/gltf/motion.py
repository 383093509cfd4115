"""A clip's motion as an animation: keys of single precision at every frame, one list of times for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.files.gltf.building import Building

Singles = npt.NDArray[np.float32]

_FOUR = np.dtype(np.complex128)
"""A type as large as four single numbers: quaternions that only change place do so whole, which is faster."""

_BLOCK = 256
"""Frames that are put in order at a time; their numbers stay in the processor's cache meanwhile."""

_SURELY_NEAR = 0.7
"""Unit quaternions of which no number differs by more than this are less than √2 apart, and so in one
hemisphere: for most motion that is all there is to ask, and quicker to ask."""


def add_animation(
    building: Building,
    name: str,
    times: FloatArray,
    nodes: Sequence[int],
    rotations: FloatArray,
    translations: Mapping[int, FloatArray],
) -> dict[str, Any]:
    """Add an animation to a file and return its entry.

    Parameters
    ----------
    building
        The file in the making.
    name
        The animation's name.
    times
        (T,) seconds.
    nodes
        J nodes that turn.
    rotations
        (T, J, 4) their local rotations, w first.
    translations
        Local places (T, 3) by node.
    """
    n_frames = len(times)
    clock = building.add_array(times.astype("<f4"), bounds=True)
    turns = continuous_singles(rotations)
    turning = building.add_view(turns)
    outputs = [
        (node, "rotation", building.add_accessor(turns[n], turning, n * turns[n].nbytes))
        for n, node in enumerate(nodes)
    ]
    places = [np.ascontiguousarray(each, dtype="<f4") for each in translations.values()]
    moving = building.add_view(np.stack(places))
    outputs += [
        (node, "translation", building.add_accessor(place, moving, n * 12 * n_frames, bounds=True))
        for n, (node, place) in enumerate(zip(translations, places, strict=True))
    ]
    animation: dict[str, Any] = {
        "name": name,
        "samplers": [{"input": clock, "output": output} for _, _, output in outputs],
        "channels": [
            {"sampler": n, "target": {"node": node, "path": path}}
            for n, (node, path, _) in enumerate(outputs)
        ],
    }
    building.add("animations", animation)
    return animation


def continuous_singles(rotations: FloatArray) -> Singles:
    """Rotations (T, J, 4), w first, as (J, T, 4), w last, of single precision; neighbours in one hemisphere.

    >>> continuous_singles(np.array([[[1.0, 0, 0, 0]], [[-1.0, 0, 0, 0]]]))[0].tolist()
    [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]
    """
    n_frames, n_joints = rotations.shape[:2]
    singles = np.empty((n_joints, n_frames, 4), dtype="<f4")
    _put_in_order(rotations, singles)
    for turns in singles:
        _make_continuous(turns)
    return singles


def _put_in_order(rotations: FloatArray, singles: Singles) -> None:
    """Put rotations (T, J, 4), w first, into ``singles`` (J, T, 4), w last."""
    whole = singles.view(_FOUR)[..., 0]
    scratch = np.empty((2, _BLOCK, *rotations.shape[1:]), dtype="<f4")
    for start in range(0, len(rotations), _BLOCK):
        block = rotations[start : start + _BLOCK]
        w_first, w_last = scratch[:, : len(block)]
        w_first[:] = block
        # All numbers move one place ahead, which is faster than moving three of every four.
        w_last.reshape(-1)[:-1] = w_first.reshape(-1)[1:]
        w_last[..., 3] = w_first[..., 0]
        whole[:, start : start + _BLOCK] = w_last.view(_FOUR)[..., 0].T


def _make_continuous(turns: Singles) -> None:
    """Turn the signs of one joint's quaternions (T, 4) so that neighbours lie in one hemisphere."""
    steps = turns[1:] - turns[:-1]
    if np.abs(steps, out=steps).max(initial=0.0) > _SURELY_NEAR:
        against = np.einsum("ti,ti->t", turns[1:], turns[:-1]) < 0.0
        turned = np.logical_xor.accumulate(against)
        np.negative(turns[1:], out=turns[1:], where=turned[:, None])
    turns += 0.0  # turns every −0 into 0
