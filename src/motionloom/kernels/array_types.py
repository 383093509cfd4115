"""Types of arrays that kernels take: element type, number of dimensions, and whether they are written to.

``Floats2`` is a matrix of 64-bit floats that a kernel reads, ``OutFloats2`` one that it may write to. For
type checkers all matrices are alike: they check elements only.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Singles: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]
Steps: TypeAlias = npt.NDArray[np.int16]
Signs: TypeAlias = npt.NDArray[np.int8]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Bools: TypeAlias = npt.NDArray[np.bool_]

Floats1: TypeAlias = Floats
Floats2: TypeAlias = Floats
Floats3: TypeAlias = Floats
OutFloats1: TypeAlias = Floats
OutFloats2: TypeAlias = Floats
OutFloats3: TypeAlias = Floats
Singles1: TypeAlias = Singles
Singles2: TypeAlias = Singles
Singles3: TypeAlias = Singles
OutSingles1: TypeAlias = Singles
OutSingles2: TypeAlias = Singles
Ints1: TypeAlias = Ints
Ints2: TypeAlias = Ints
OutInts1: TypeAlias = Ints
OutInts2: TypeAlias = Ints
Steps2: TypeAlias = Steps
OutSteps2: TypeAlias = Steps
Signs2: TypeAlias = Signs
Signs3: TypeAlias = Signs
OutSigns2: TypeAlias = Signs
Bytes1: TypeAlias = Bytes
Bytes2: TypeAlias = Bytes
OutBytes1: TypeAlias = Bytes
OutBytes3: TypeAlias = Bytes
Bools1: TypeAlias = Bools
Bools2: TypeAlias = Bools
OutBools1: TypeAlias = Bools
OutBools2: TypeAlias = Bools

ELEMENTS: dict[str, np.dtype[Any]] = {
    "Floats": np.dtype(np.float64),
    "Singles": np.dtype(np.float32),
    "Ints": np.dtype(np.int64),
    "Steps": np.dtype(np.int16),
    "Signs": np.dtype(np.int8),
    "Bytes": np.dtype(np.uint8),
    "Bools": np.dtype(np.bool_),
}
"""Element types by the names above."""


class ArrayType(NamedTuple):
    """What a name above stands for."""

    dtype: np.dtype[Any]
    n_dimensions: int
    is_written: bool


def parse_array_type(name: str) -> ArrayType | None:
    """Return what a name stands for, or None where it is no array with a number of dimensions.

    >>> parse_array_type("OutSigns2")
    ArrayType(dtype=dtype('int8'), n_dimensions=2, is_written=True)
    """
    match = re.fullmatch(r"(Out)?([A-Z][a-z]+)(\d)", name)
    if match is None or match[2] not in ELEMENTS:
        return None
    return ArrayType(ELEMENTS[match[2]], int(match[3]), match[1] is not None)
