"""Array aliases and the checks every stage makes on the arrays it is given.

Axis letters used in all docstrings: ``T`` frames, ``J`` joints, ``P`` points, ``K`` clips.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.errors import ParameterError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

UNIT_TOLERANCE = 1e-6
"""How far a squared quaternion length may be from one before it is refused."""


def freeze(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Make an array that the caller owns read-only, in place, and return it.

    >>> freeze(np.zeros(3)).flags.writeable
    False
    """
    array.flags.writeable = False
    return array


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A contiguous read-only view of an array whose owner may go on writing to it.

    Kernels are compiled once per combination of argument types, and writability is part of the type.

    >>> read_only(np.zeros(3)).flags.writeable
    False
    """
    return freeze(np.ascontiguousarray(array).view())


def is_frozen(array: npt.NDArray[Any]) -> bool:
    """Tell whether neither the array nor any array it is a view of can be written to."""
    view: Any = array
    while isinstance(view, np.ndarray):
        if view.flags.writeable:
            return False
        view = view.base
    return True


def frozen(values: npt.ArrayLike, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """Return the values as a contiguous read-only array, shared when nobody can write to it, else copied.

    >>> frozen([1, 2]).flags.writeable
    False
    """
    array = np.asarray(values, dtype=dtype)
    if is_frozen(array) and array.flags.c_contiguous:
        return array
    return freeze(np.array(array, dtype=dtype, order="C"))


def checked(name: str, values: npt.ArrayLike, shape: Sequence[int | str]) -> FloatArray:
    """Return the values as a read-only float array of the given shape, or say what is wrong with them.

    Parameters
    ----------
    name
        What the caller calls the array, for the message.
    values
        Anything NumPy turns into numbers.
    shape
        Required shape; a number is an exact length, a letter stands for any length.

    >>> checked("offsets", [[0, 1, 0]], ("J", 3)).shape
    (1, 3)
    """
    try:
        array = frozen(values)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"{name} must be numbers in an array of shape {_spoken(shape)}: {error}"
        ) from None
    fits = array.ndim == len(shape) and all(
        isinstance(want, str) or have == want for have, want in zip(array.shape, shape, strict=True)
    )
    if not fits:
        raise ParameterError(f"{name} must have shape {_spoken(shape)}, not {array.shape}")
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ParameterError(f"{name} must be finite: entry {where} is {array[where]}")
    return array


def checked_rotations(name: str, values: npt.ArrayLike, shape: Sequence[int | str]) -> FloatArray:
    """Return the values as read-only unit quaternions (…, 4), w first, or say which one is not a unit.

    >>> checked_rotations("rotations", [[1, 0, 0, 0]], ("J", 4)).shape
    (1, 4)
    """
    array = checked(name, values, shape)
    off = np.abs(np.einsum("...i,...i", array, array) - 1.0)
    if off.size and off.max() > UNIT_TOLERANCE:
        where = tuple(int(i) for i in np.unravel_index(off.argmax(), off.shape))
        length = float(np.linalg.norm(array[where]))
        raise ParameterError(
            f"{name} must be unit quaternions (w, x, y, z): entry {where} has length {length:.6g}; "
            "normalise them first (motionloom.geometry.rotations.normalize)"
        )
    return array


def _spoken(shape: Sequence[int | str]) -> str:
    return "(" + ", ".join(str(axis) for axis in shape) + ("," if len(shape) == 1 else "") + ")"
