"""What was made, kept by key until there is too much of it."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from motionloom.motion import Clip

MOST_BYTES = 768 << 20
"""Bytes of motion that are kept; 22 joints of a minute at 120 frames per second take 13 MB with what is
computed of them on the way."""

WORLD_BYTES = 7 * 8
"""Bytes of the position and the rotation of a joint in the world."""


class Cache:
    """Values by key, the least used forgotten first; may be shared by threads.

    >>> cache = Cache(most_bytes=100)
    >>> cache.put("a", 1, n_bytes=60); cache.put("b", 2, n_bytes=60)
    >>> "a" in cache, "b" in cache
    (False, True)
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._values: OrderedDict[str, Any] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._lock = Lock()

    def __contains__(self, key: str) -> bool:
        with self._lock:
            return key in self._values

    def get(self, key: str) -> Any | None:
        """The value of a key, or None."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: str, value: object, n_bytes: int) -> None:
        """Keep a value of so many bytes; the newest is kept however large it is."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            self._sizes[key] = n_bytes
            while len(self._values) > 1 and sum(self._sizes.values()) > self._most:
                gone, _ = self._values.popitem(last=False)
                del self._sizes[gone]


def size_of(*clips: Clip | None) -> int:
    """Bytes of clips, with the positions and rotations in the world that are computed of them on the way.

    >>> from motionloom.synthesis import stand
    >>> size_of(stand(duration=1.0, fps=30).clip, None) == 31 * (3 + 22 * (4 + 7)) * 8
    True
    """
    total = 0
    for clip in clips:
        if clip is not None:
            rows = clip.root_positions.nbytes + clip.rotations.nbytes
            rows += 0 if clip.translations is None else clip.translations.nbytes
            total += rows + clip.n_frames * clip.skeleton.n_joints * WORLD_BYTES
    return total
