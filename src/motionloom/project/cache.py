"""What was made, kept by key until there is too much of it."""

from __future__ import annotations

import json
import os
import stat
from collections import OrderedDict
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import motionloom
from motionloom.errors import FileFormatError
from motionloom.motion import Clip
from motionloom.project.document import Document, Item
from motionloom.project.folder import ProjectFolder
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import FileRecipe, sources_of

MAX_BYTES = 768 << 20
"""Bytes of motion that are kept; 22 joints of a minute at 120 frames per second take 13 MB with what is
computed of them on the way."""

WORLD_BYTES = 7 * 8
"""Bytes of the position and the rotation of a joint in the world."""


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


BESIDE = {".amc": ".asf", ".csv": ".csv", ".gltf": ".bin"}
"""Suffixes of motion files, each with that of the file read along with it."""

_PIECE = 1 << 20


class CacheKeys:
    """Keys of the items of documents over one folder; contents of files are read again only once changed.

    A key tells of everything that determines the motion of an item: how it is made, what is done to it, the
    keys of its sources, the contents of its file, and the version that makes it.
    """

    def __init__(self, folder: ProjectFolder) -> None:
        self._folder = folder
        self._contents: dict[Path, tuple[tuple[int, int], str]] = {}

    def of(self, document: Document, id: str) -> dict[str, str]:
        """Return the keys of an item and of all its sources by id, sources first."""
        found: dict[str, str] = {}
        for item in document.with_sources(id):
            found[item.id] = digest(
                to_plain(item.recipe),
                to_plain(item.edit),
                to_plain(item.marks),
                [found[source] for source in sources_of(item.recipe)],
                self._files_of(item),
            )
        return found

    def _files_of(self, item: Item) -> list[str]:
        if not isinstance(item.recipe, FileRecipe):
            return []
        path = self._folder.resolve(item.recipe.path)
        files = [path]
        ending = BESIDE.get(path.suffix.lower())
        if ending is not None and path.parent.is_dir():
            files += sorted(file for file in path.parent.iterdir() if file.suffix.lower() == ending)
        return [self._content(item.recipe.path, file) for file in files]

    def _content(self, name: str, path: Path) -> str:
        try:
            facts = os.stat(path)
            # Opening a pipe would wait for ever for somebody to write into it.
            if stat.S_ISFIFO(facts.st_mode) or stat.S_ISCHR(facts.st_mode):
                raise FileFormatError(name, "is not a file: replace it with one")
            stamp = facts.st_mtime_ns, facts.st_size
            known = self._contents.get(path)
            if known is None or known[0] != stamp:
                known = stamp, _file_digest(path)
                self._contents[path] = known
        except FileNotFoundError:
            raise FileFormatError(name, "there is no such file in the project: add it again") from None
        except OSError as error:
            raise FileFormatError(name, f"cannot be read ({error.strerror})") from None
        return known[1]


def digest(*facts: Any) -> str:
    """Return a key of plain data.

    >>> digest("walk", 1.0) == digest("walk", 1.0), len(digest())
    (True, 32)
    """
    text = json.dumps([motionloom.__version__, *facts])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _file_digest(path: Path) -> str:
    found = sha256()
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            found.update(piece)
    return found.hexdigest()
