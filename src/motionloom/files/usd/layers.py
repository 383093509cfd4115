"""Which files a USD layer may be composed of, found in its bytes without the USD library.

Opening a stage takes a process of its own, which is too much for telling whether anything changed. Layers
name others as words: in text layers between ``@`` or quotes, in binary layers among the tokens. Every word
that is the name of a plain file in the stage's folder or below counts, whatever it stands for there, so that
textures do too: nothing that matters is left out.
"""

from __future__ import annotations

import glob
import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path

TEXT_MARK, BINARY_MARK = b"#usda", b"PXR-USDC"
"""First bytes of text layers and of binary ones."""

MAX_TOKEN_BYTES = 16 << 20
"""Bytes of the tokens of a binary layer; a skeleton of 300 joints has some 10 kB."""

MAX_LAYERS = 10_000
"""Files that are followed from one stage."""

_WORDS = re.compile(rb'@@@([^@]+)@@@|@([^@\n]+)@|"([^"\n]+)"|\'([^\'\n]+)\'')
_ARGUMENTS = ":SDF_FORMAT_ARGS:"
_TOKENS_COMPRESSED = (0, 4, 0)
"""Version of binary layers from which tokens are compressed."""


def find_layers(path: Path) -> tuple[Path, ...]:
    """Return the files in a stage's folder or below that the stage names, and those that they name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stage, rig = Path(folder, "stage.usda"), Path(folder, "rig.usda")
    ...     _ = stage.write_text("#usda 1.0 ( subLayers = [@./rig.usda@] )"), rig.write_text("#usda 1.0")
    ...     [layer.name for layer in find_layers(stage)]
    ['rig.usda']
    """
    top = os.path.realpath(path)
    folder = os.path.dirname(top)
    found, waiting = {top}, [top]
    while waiting and len(found) < MAX_LAYERS:
        layer = waiting.pop()
        for name in set(_list_words(Path(layer))):
            for place in _find_files(name, os.path.dirname(layer), folder):
                if place not in found:
                    found.add(place)
                    waiting.append(place)
    return tuple(sorted(Path(place) for place in found - {top}))


def _find_files(name: str, folder: str, within: str) -> Iterator[str]:
    """Yield the real paths of the plain files that a word names; ``#`` stands for digits of value clips."""
    name = name.partition(_ARGUMENTS)[0].partition("[")[0]
    if not name or "\0" in name:
        return
    pattern = os.path.join(folder, name)
    candidates = glob.glob(re.sub("#+", "*", glob.escape(pattern))) if "#" in name else [pattern]
    for place in candidates:
        real = os.path.realpath(place)
        if os.path.isfile(real) and real.startswith(os.path.join(within, "")):
            yield real


def _list_words(path: Path) -> Iterator[str]:
    """Yield the words of a layer that may be names of files; nothing of a file that is no layer."""
    with path.open("rb") as file:
        mark = file.read(len(BINARY_MARK))
        if mark == BINARY_MARK:
            file.seek(0)
            try:
                words = _read_tokens(file.read())
            except (struct.error, IndexError, ValueError):
                return  # it is damaged, which reading it says
        elif mark.startswith(TEXT_MARK):
            words = [next(filter(None, found.groups())) for found in _WORDS.finditer(mark + file.read())]
        else:
            return
    for word in words:
        yield word.decode("utf-8", "surrogateescape")


def _read_tokens(data: bytes) -> list[bytes]:
    """Return the tokens of a binary layer, among them all names of files."""
    version = tuple(data[8:11])
    (at,) = struct.unpack_from("<q", data, 16)
    (n_sections,) = struct.unpack_from("<Q", data, at)
    for n in range(min(n_sections, len(data) // 32)):
        name, start, _ = struct.unpack_from("<16sqq", data, at + 8 + 32 * n)
        if name.rstrip(b"\0") != b"TOKENS":
            continue
        if version < _TOKENS_COMPRESSED:
            _, size = struct.unpack_from("<QQ", data, start)
            return data[start + 16 : start + 16 + min(size, MAX_TOKEN_BYTES)].split(b"\0")
        _, _, size = struct.unpack_from("<QQQ", data, start)
        return _decompress(data[start + 24 : start + 24 + size]).split(b"\0")
    return []


def _decompress(data: bytes) -> bytes:
    """Return what USD compressed: one LZ4 block, or several with their sizes."""
    if data[0] == 0:
        return bytes(_decompress_block(data[1:]))
    blocks, at = bytearray(), 1
    for _ in range(data[0]):
        (size,) = struct.unpack_from("<i", data, at)
        blocks += _decompress_block(data[at + 4 : at + 4 + max(0, size)])
        at += 4 + max(0, size)
    return bytes(blocks)


def _decompress_block(data: bytes) -> bytearray:
    """Return the content of an LZ4 block: runs of new bytes, each followed by a copy of earlier ones."""
    out, at = bytearray(), 0
    while at < len(data) and len(out) < MAX_TOKEN_BYTES:
        head = data[at]
        length, at = _read_length(data, at + 1, head >> 4)
        out += data[at : at + length]
        at += length
        if at >= len(data):
            break
        back = data[at] | data[at + 1] << 8
        length, at = _read_length(data, at + 2, head & 15)
        if not 0 < back <= len(out):
            raise ValueError("a copy of bytes that are not there")
        piece = out[-back:]
        length += 4
        out += (piece * (length // back + 1))[:length]
    return out


def _read_length(data: bytes, at: int, start: int) -> tuple[int, int]:
    """Return a length and where it ends: 15 goes on with bytes that are added, up to one below 255."""
    length = start
    while start == 15:
        length += data[at]
        at += 1
        if data[at - 1] != 255:
            break
    return length, at
