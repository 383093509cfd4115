"""Packs of clips by key, as many as fit; those used longest ago go first."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

MOST_BYTES = 512 * 1024 * 1024
"""What all packs together may take; a clip of 20,000 frames takes about 7 MB."""


class PackCache:
    """Packs by key, for several threads.

    >>> packs = PackCache(most_bytes=10)
    >>> packs.put("a", b"12345"); packs.put("b", b"12345"); packs.put("c", b"1")
    >>> packs.get("a"), packs.get("c")
    (None, b'1')
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._packs: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, key: str) -> bytes | None:
        """The pack with this key, or None where it is not kept."""
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
            while self._size > self._most_bytes and len(self._packs) > 1:
                self._size -= len(self._packs.popitem(last=False)[1])
