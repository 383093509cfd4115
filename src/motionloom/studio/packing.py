"""Packs: a head of plain data with float32 arrays behind it, in one piece of bytes.

The layout is: the number of bytes of the head (uint32, little-endian), the head as JSON padded with spaces to
a multiple of four, the arrays one after the other. The page reads arrays in place, without copying.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.project.plain_data import to_plain

WORD = 4
"""Bytes of a number; arrays begin at multiples of it, which is where a browser can read them in place."""


def packed(head: object, arrays: Mapping[str, npt.ArrayLike]) -> bytes:
    """A dataclass and arrays as bytes.

    >>> from motionloom.studio.heads import Problem
    >>> head, arrays = unpacked(packed(Problem(error="none"), {"u": np.arange(3.0)}))
    >>> head, arrays["u"].tolist()
    ({'error': 'none'}, [0.0, 1.0, 2.0])
    """
    tables = {name: np.ascontiguousarray(array, dtype="<f4") for name, array in arrays.items()}
    listed = [{"name": name, "shape": table.shape} for name, table in tables.items()]
    text = json.dumps({"head": to_plain(head), "arrays": listed}, allow_nan=False).encode()
    text += b" " * (-len(text) % WORD)
    return b"".join([len(text).to_bytes(WORD, "little"), text, *(table.data for table in tables.values())])


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[np.float32]]]:
    """The head as plain data and the arrays of a pack."""
    length = int.from_bytes(data[:WORD], "little")
    content = json.loads(data[WORD : WORD + length])
    arrays, offset = {}, WORD + length
    for entry in content["arrays"]:
        size = int(np.prod(entry["shape"]))
        values = np.frombuffer(data, dtype="<f4", count=size, offset=offset)
        arrays[entry["name"]] = values.reshape(entry["shape"])
        offset += WORD * size
    return content["head"], arrays
