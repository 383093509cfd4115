"""A clip's motion as an animation: keys of single precision at every frame, one list of times for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.files.gltf.building import Building
from motionloom.kernels.threads import over_slices

Singles = npt.NDArray[np.float32]

_FOUR = np.dtype(np.complex128)
"""A type as large as four single numbers: quaternions that only change place do so whole, which is faster."""

_BLOCK = 256
"""Frames that are put in order at a time; their numbers stay in the processor's cache meanwhile."""


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
    whole = singles.view(_FOUR)[..., 0]

    def put_in_order(first: int, last: int) -> None:
        for start in range(first, last, _BLOCK):
            stop = min(start + _BLOCK, last)
            block = np.empty((stop - start, n_joints, 4), dtype="<f4")
            block[..., :3] = rotations[start:stop, :, 1:]
            block[..., 3] = rotations[start:stop, :, 0]
            whole[:, start:stop] = block.view(_FOUR)[..., 0].T

    def make_continuous(first: int, last: int) -> None:
        own = singles[first:last]
        against = np.einsum("jti,jti->jt", own[:, 1:], own[:, :-1]) < 0.0
        if against.any():
            turned = np.logical_xor.accumulate(against, axis=1)
            np.negative(own[:, 1:], out=own[:, 1:], where=turned[..., None])
        own += 0.0  # turns every −0 into 0

    over_slices(n_frames, put_in_order, weight=n_joints)
    over_slices(n_joints, make_continuous, weight=n_frames)
    return singles
