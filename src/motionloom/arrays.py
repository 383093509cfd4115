"""Array types, read-only arrays, and checks of the arrays that callers give.

Axis letters used in all docstrings: ``T`` frames, ``J`` joints, ``P`` points, ``K`` clips.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from motionloom.errors import ParameterError
from motionloom.messages import Operation

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


def read_only_view(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a contiguous read-only view of an array whose owner may go on writing to it.

    Kernels are compiled once per combination of argument types, and writability is part of the type.

    >>> read_only_view(np.zeros(3)).flags.writeable
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


def as_read_only(values: npt.ArrayLike, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """Return the values as a contiguous read-only array, shared when nobody can write to it, else copied.

    >>> as_read_only([1, 2]).flags.writeable
    False
    """
    array = np.asarray(values, dtype=dtype)
    if is_frozen(array) and array.flags.c_contiguous:
        return array
    return freeze(np.array(array, dtype=dtype, order="C"))


def check_array(name: str, values: npt.ArrayLike, shape: Sequence[int | str]) -> FloatArray:
    """Return the values as a finite read-only float array of the given shape.

    Parameters
    ----------
    name
        What the caller calls the array, for the message.
    values
        Anything NumPy turns into numbers.
    shape
        Required shape; a number is an exact length, a letter stands for any length.

    >>> check_array("offsets", [[0, 1, 0]], ("J", 3)).shape
    (1, 3)
    """
    array = _check_shape(name, values, shape)
    _check_finite(name, array)
    return array


def _check_shape(name: str, values: npt.ArrayLike, shape: Sequence[int | str]) -> FloatArray:
    try:
        array = as_read_only(values)
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(
            f"must be numbers in an array of shape {_describe_shape(shape)}: {error}", parameter=name
        ) from None
    fits = array.ndim == len(shape) and all(
        isinstance(want, str) or have == want for have, want in zip(array.shape, shape, strict=True)
    )
    if not fits:
        raise ParameterError(f"must have shape {_describe_shape(shape)}, not {array.shape}", parameter=name)
    return array


def _check_finite(name: str, array: FloatArray) -> None:
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ParameterError(f"must be finite: entry {where} is {array[where]}", parameter=name)


def check_rotations(name: str, values: npt.ArrayLike, shape: Sequence[int | str]) -> FloatArray:
    """Return the values as read-only unit quaternions (…, 4), w first.

    >>> check_rotations("rotations", [[1, 0, 0, 0]], ("J", 4)).shape
    (1, 4)
    """
    array = _check_shape(name, values, shape)
    if _unit_rotations.get(id(array)) is array:
        return array
    squared = np.einsum("...i,...i", array, array)
    # Whatever has length one is finite.
    if squared.size and not 1.0 - UNIT_TOLERANCE <= squared.min() <= squared.max() <= 1.0 + UNIT_TOLERANCE:
        _check_finite(name, array)
        off = np.abs(squared - 1.0)
        where = tuple(int(i) for i in np.unravel_index(off.argmax(), off.shape))
        length = float(np.linalg.norm(array[where]))
        raise ParameterError(
            (
                f"must be unit quaternions (w, x, y, z): entry {where} has length {length:.6g}; "
                "normalise them first (",
                Operation("motionloom.geometry.rotations.normalize"),
                ")",
            ),
            parameter=name,
        )
    _unit_rotations[id(array)] = array
    return array


_unit_rotations: WeakValueDictionary[int, FloatArray] = WeakValueDictionary()
"""Read-only rotations that were checked: clips that differ in something else share them."""


def dot(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return the dot products (...) of vectors (..., D); faster than NumPy's own for short vectors.

    >>> dot([[1.0, 2.0, 2.0]], [[1.0, 0.0, 1.0]]).tolist()
    [3.0]
    """
    return np.asarray(np.einsum("...i,...i", np.asarray(a), np.asarray(b)))


def cross(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return the cross products (..., 3) of vectors (..., 3); faster than NumPy's own for few vectors.

    >>> cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).tolist()
    [0.0, 0.0, 1.0]
    """
    a, b = np.asarray(a), np.asarray(b)
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    product[..., 0] = ay * bz - az * by
    product[..., 1] = az * bx - ax * bz
    product[..., 2] = ax * by - ay * bx
    return product


def norm(vectors: npt.ArrayLike) -> FloatArray:
    """Return the lengths (...) of vectors (..., D); faster than NumPy's own for short vectors.

    >>> norm([[1.0, 2.0, 2.0]]).tolist()
    [3.0]
    """
    return np.sqrt(dot(vectors, vectors))


def quantile(values: npt.ArrayLike, fraction: float) -> float:
    """Return NumPy's quantile of values (N,), to the last bit; faster than it for few values.

    >>> quantile([3.0, 1.0, 2.0, 5.0], 0.25)
    1.75
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    place = fraction * (len(ordered) - 1)
    below = min(int(place), len(ordered) - 1)
    one, two = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    part = place - below
    return one + (two - one) * part if part < 0.5 else two - (two - one) * (1.0 - part)


def _describe_shape(shape: Sequence[int | str]) -> str:
    return "(" + ", ".join(str(axis) for axis in shape) + ("," if len(shape) == 1 else "") + ")"
