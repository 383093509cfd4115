"""What was made, kept by key until there is too much of it."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import motionloom
from motionloom.errors import FileFormatError
from motionloom.files.content_hash import hash_file
from motionloom.files.formats import list_files
from motionloom.json_files import check_plain_file
from motionloom.motion import Clip
from motionloom.project.document import Document
from motionloom.project.folder import ProjectFolder
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import files_of, sources_of

MAX_BYTES = 768 << 20
"""Bytes of motion that are kept; 22 joints of a minute at 120 frames per second take 13 MB with what is
computed of them on the way."""

WORLD_BYTES = 7 * 8
"""Bytes of the position and the rotation of a joint in the world."""

KEY_LENGTH = 32
"""Hexadecimal digits of a key: as many as make a collision impossible in practice."""


class Cache:
    """Values by key, the least used forgotten first; may be shared by threads.

    >>> cache = Cache(max_bytes=100)
    >>> cache.put("a", 1, n_bytes=60); cache.put("b", 2, n_bytes=60)
    >>> "a" in cache, "b" in cache
    (False, True)
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._values: OrderedDict[str, Any] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._lock = Lock()

    def __contains__(self, key: str) -> bool:
        with self._lock:
            return key in self._values

    def get(self, key: str) -> Any | None:
        """Return the value of a key, or None."""
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
            while len(self._values) > 1 and sum(self._sizes.values()) > self._max_bytes:
                gone, _ = self._values.popitem(last=False)
                del self._sizes[gone]


def size_of(*clips: Clip | None) -> int:
    """Return the memory of clips in bytes, including their world positions and rotations.

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


Stamp = tuple[int, int]
"""When a file changed, in nanoseconds, and its size."""


class CacheKeys:
    """Keys of the items of documents over one folder; contents of files are read again only once changed.

    A key tells of everything that determines the motion of an item: how it is made, what is done to it, the
    keys of its sources, the contents of its file, and the version that makes it.
    """

    def __init__(self, folder: ProjectFolder) -> None:
        self._folder = folder
        self._contents: dict[Path, tuple[Stamp, str]] = {}
        self._listed: dict[Path, tuple[list[Stamp | None], tuple[Path, ...]]] = {}

    def of(self, document: Document, id: str) -> dict[str, str]:
        """Return the keys of an item and of all its sources by id, sources first."""
        found: dict[str, str] = {}
        for item in document.with_sources(id):
            found[item.id] = digest(
                to_plain(item.recipe),
                to_plain(item.edit),
                to_plain(item.marks),
                [found[source] for source in sources_of(item.recipe)],
                [text for name in files_of(item.recipe) for text in self._contents_of(name)],
            )
        return found

    def _contents_of(self, name: str) -> list[str]:
        """Return the contents of a file of the project, and of those that belong to it."""
        path = self._folder.resolve(name)
        check_plain_file(path, name)
        known = self._listed.get(path)
        if known is None or known[0] != _stamp_all(known[1]):
            files = list_files(path)
            known = self._listed[path] = _stamp_all(files), files
        return [self._content(name, file) for file in known[1]]

    def _content(self, name: str, path: Path) -> str:
        try:
            stamp = _stamp(path)
            known = self._contents.get(path)
            if known is None or known[0] != stamp:
                known = stamp, hash_file(path)
                self._contents[path] = known
        except FileNotFoundError:
            raise FileFormatError(
                name, "there is no such file in the project", remedy="add it again"
            ) from None
        except OSError as error:
            raise FileFormatError(name, f"cannot be read ({error.strerror})") from None
        return known[1]


def digest(*facts: Any) -> str:
    """Return a key of plain data.

    >>> digest("walk", 1.0) == digest("walk", 1.0), len(digest())
    (True, 32)
    """
    text = json.dumps([motionloom.__version__, *facts])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_LENGTH]


def is_key(text: str) -> bool:
    """Whether a string can be a key.

    >>> is_key(digest("walk")), is_key("../walk.bvh")
    (True, False)
    """
    return len(text) == KEY_LENGTH and set(text) <= set("0123456789abcdef")


def _stamp(path: Path) -> Stamp:
    facts = os.stat(path)
    return facts.st_mtime_ns, facts.st_size


def _stamp_all(files: Iterable[Path]) -> list[Stamp | None]:
    """Return the stamps of files and of their folders, which tell of files that come and go."""
    found: list[Stamp | None] = []
    for path in dict.fromkeys(place for file in files for place in (file, file.parent)):
        try:
            found.append(_stamp(path))
        except OSError:
            found.append(None)
    return found
