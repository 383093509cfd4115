"""Packs: a header of plain data with float32 arrays behind it, in one piece of bytes.

The layout is: the number of bytes of the header (uint32, little-endian), the header as JSON padded with
spaces to a multiple of four, the arrays one after the other. The page reads arrays in place, without copying.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.project.plain_data import to_plain

WORD = 4
"""Bytes of a number; arrays begin at multiples of it, which is where a browser can read them in place."""


def pack(header: object, arrays: Mapping[str, npt.ArrayLike]) -> bytes:
    """Pack a dataclass and arrays into bytes.

    >>> from motionloom.studio.responses import ErrorResponse
    >>> header, arrays = unpack(pack(ErrorResponse(error="none"), {"u": np.arange(3.0)}))
    >>> header, arrays["u"].tolist()
    ({'error': 'none'}, [0.0, 1.0, 2.0])
    """
    tables = {name: np.ascontiguousarray(array, dtype="<f4") for name, array in arrays.items()}
    listed = [{"name": name, "shape": table.shape} for name, table in tables.items()]
    text = json.dumps({"header": to_plain(header), "arrays": listed}, allow_nan=False).encode()
    text += b" " * (-len(text) % WORD)
    return b"".join([len(text).to_bytes(WORD, "little"), text, *(table.data for table in tables.values())])


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[np.float32]]]:
    """Unpack bytes into the header, as plain data, and the arrays."""
    length = int.from_bytes(data[:WORD], "little")
    content = json.loads(data[WORD : WORD + length])
    arrays, offset = {}, WORD + length
    for entry in content["arrays"]:
        size = int(np.prod(entry["shape"]))
        values = np.frombuffer(data, dtype="<f4", count=size, offset=offset)
        arrays[entry["name"]] = values.reshape(entry["shape"])
        offset += WORD * size
    return content["header"], arrays


MAX_BYTES = 512 * 1024 * 1024
"""What all packs together may take; a clip of 20,000 frames takes about 7 MB."""


class PackCache:
    """Packs by key, for several threads.

    >>> packs = PackCache(max_bytes=10)
    >>> packs.put("a", b"12345"); packs.put("b", b"12345"); packs.put("c", b"1")
    >>> packs.get("a"), packs.get("c")
    (None, b'1')
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._packs: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, key: str) -> bytes | None:
        """Return the pack with this key, or None where it is not cached."""
        with self._lock:
            if key not in self._packs:
                return None
            self._packs.move_to_end(key)
            return self._packs[key]

    def put(self, key: str, pack: bytes) -> None:
        """Keep a pack; the last one is kept whatever its size."""
        with self._lock:
            self._size += len(pack) - len(self._packs.pop(key, b""))
            self._packs[key] = pack
            while self._size > self._max_bytes and len(self._packs) > 1:
                self._size -= len(self._packs.popitem(last=False)[1])
