"""Hashes of what files hold, by which one can tell that they changed."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from motionloom.files.formats import list_files

_PIECE = 1 << 20
"""Bytes that are read at one time."""


def hash_file(path: Path) -> str:
    """Return a hash of the bytes of one file."""
    found = sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            found.update(piece)
    return found.hexdigest()


def hash_content(path: Path) -> str:
    """Return a hash of a file and of those that are read along with it, such as its skeleton.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     motion, skeleton = Path(folder, "walk.amc"), Path(folder, "walk.asf")
    ...     _ = motion.write_text("motion"), skeleton.write_text("bones")
    ...     before = hash_content(motion)
    ...     _ = skeleton.write_text("other bones")
    ...     before == hash_content(motion)
    False
    """
    parts = [bytes.fromhex(hash_file(file)) for file in list_files(path)]
    return sha256(b"".join(parts)).hexdigest()
