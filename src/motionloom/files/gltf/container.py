"""Read and write the container of a glTF file: GLB chunks, or JSON text with buffers beside or inside it.

Nothing is ever fetched: a buffer or image is in the file, in a ``data:`` URI, or a file in the same folder or
below it.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.text import unreadable_error
from motionloom.jobs.budget import Budget

MAGIC = b"glTF"
MAX_FILE_SIZE = 2 << 30
"""Bytes of a file or a buffer; GLB itself ends at 4 GiB, and motion never comes near."""

MAX_JSON_SIZE = 64 << 20
"""Bytes of JSON text."""

_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<II")
_JSON, _BIN = 0x4E4F534A, 0x004E4942
_ALIGNMENT = 4
"""Bytes to a multiple of which GLB chunks are padded."""

Part = npt.NDArray[Any] | bytes


@dataclass(frozen=True)
class Container:
    """What a file holds: its JSON object, and the binary chunk of a GLB file, if there is one."""

    path: Path
    content: dict[str, Any]
    binary: bytes | None


def read_container(path: Path, budget: Budget | None = None) -> Container:
    """Read a .glb or .gltf file, whichever its content is; the budget is the usual one by default."""
    data = read_bytes_limited(path)
    text, binary = _chunks(path, data) if data.startswith(MAGIC) else (data, None)
    if len(text) > MAX_JSON_SIZE:
        raise FileFormatError(
            path, f"its JSON part is larger than {MAX_JSON_SIZE >> 20} MB, too large for motion"
        )
    (budget or Budget(path)).claim_json(text)
    content = _parse_json(path, text)
    asset = content.get("asset")
    version = asset.get("version") if isinstance(asset, dict) else None
    if not isinstance(version, str) or not version.startswith("2."):
        raise FileFormatError(path, f"is not glTF 2: its asset states version {version!r}")
    return Container(path, content, binary)


def read_bytes_limited(path: Path) -> bytes:
    """Return the bytes of a file that is not larger than :data:`MAX_FILE_SIZE`."""
    try:
        if path.stat().st_size > MAX_FILE_SIZE:
            raise FileFormatError(path, f"is larger than {MAX_FILE_SIZE >> 30} GB, too large for motion")
        return path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None


def find_file(path: Path, uri: str, where: str) -> Path:
    """Return the file that a URI in a file names: one in the same folder or below.

    Parameters
    ----------
    path
        The file that holds the URI.
    uri
        The URI as the file writes it.
    where
        The place in the file, for messages.
    """
    if ":" in uri or uri.startswith(("/", "\\")) or "\0" in unquote(uri):
        raise FileFormatError(
            path, f"{where} points to {uri[:60]!r}: only files beside it and data: URIs are read"
        )
    folder = path.parent.resolve()
    try:
        place = (folder / unquote(uri)).resolve()
        inside, found = place.is_relative_to(folder), place.is_file()
    except (OSError, ValueError, RuntimeError):  # too long, not a name, or links in a circle
        raise FileFormatError(path, f"{where} points to {uri[:60]!r}, which cannot be a file") from None
    if not inside:
        raise FileFormatError(path, f"{where} points to {uri[:60]!r}, which lies outside the file's folder")
    if not found:
        raise FileFormatError(path, f"{where} needs the file {uri[:60]!r} beside it, and there is none")
    return place


def list_uris(container: Container) -> tuple[Path, ...]:
    """Return the files that buffers and images of a file name; those that are not there are left out."""
    found: list[Path] = []
    for kind in ("buffers", "images"):
        entries = container.content.get(kind)
        for entry in entries if isinstance(entries, list) else ():
            uri = entry.get("uri") if isinstance(entry, dict) else None
            if isinstance(uri, str) and not uri.startswith("data:"):
                with suppress(FileFormatError):
                    found.append(find_file(container.path, uri, kind))
    return tuple(found)


def write_container(
    path: str | PathLike[str], content: dict[str, Any], parts: Sequence[Part], overwrite: bool = False
) -> None:
    """Write JSON and its one binary buffer; ``.gltf`` as text with the buffer inside, anything else as GLB.

    Parameters
    ----------
    path
        The file to make.
    content
        The JSON object, without ``buffers``.
    parts
        The pieces of the buffer in order, each of a length that is a multiple of four bytes.
    overwrite
        Replace an existing file.
    """
    size = sum(_size(part) for part in parts)
    if size > MAX_FILE_SIZE:
        raise MotionloomError(
            f"{size >> 20} MB of motion are too much for one glTF file",
            subject=str(path),
            remedy="split the clip",
        )
    if Path(path).suffix.lower() == ".gltf":
        data = base64.b64encode(b"".join(map(bytes, parts))).decode("ascii")
        uri = f"data:application/octet-stream;base64,{data}"
        text = json.dumps(content | {"buffers": [{"byteLength": size, "uri": uri}]}, indent=1)
        with atomic_output(path, overwrite) as temporary:
            temporary.write_text(text, encoding="utf-8")
        return
    text = json.dumps(content | {"buffers": [{"byteLength": size}]}, separators=(",", ":"))
    json_bytes = text.encode("utf-8")
    json_bytes += b" " * (-len(json_bytes) % _ALIGNMENT)
    total = _HEADER.size + 2 * _CHUNK.size + len(json_bytes) + size
    with atomic_output(path, overwrite) as temporary, open(temporary, "wb") as file:
        file.write(_HEADER.pack(MAGIC, 2, total))
        file.write(_CHUNK.pack(len(json_bytes), _JSON) + json_bytes)
        file.write(_CHUNK.pack(size, _BIN))
        for part in parts:
            file.write(part if isinstance(part, bytes) else part.data)


def _size(part: Part) -> int:
    return len(part) if isinstance(part, bytes) else part.nbytes


def _chunks(path: Path, data: bytes) -> tuple[bytes, bytes | None]:
    """Return the JSON chunk and the binary chunk of a GLB file; other chunks are ignored."""
    if len(data) < _HEADER.size + _CHUNK.size:
        _refuse_damaged(path, "is cut off in its header")
    _, version, length = _HEADER.unpack_from(data)
    if version != 2:
        raise FileFormatError(path, f"is GLB version {version}: only version 2 is read")
    if length > len(data):
        _refuse_damaged(path, f"announces {length} bytes and has {len(data)}")
    found: dict[int, bytes] = {}
    at = _HEADER.size
    while at + _CHUNK.size <= length:
        size, kind = _CHUNK.unpack_from(data, at)
        start = at + _CHUNK.size
        if start + size > length:
            _refuse_damaged(path, f"the chunk at byte {at} is larger than the file")
        found.setdefault(kind, data[start : start + size])
        at = start + size
    if _JSON not in found:
        _refuse_damaged(path, "has no JSON chunk")
    return found[_JSON], found.get(_BIN)


def _refuse_damaged(path: Path, cause: str) -> NoReturn:
    raise FileFormatError(path, f"{cause}: the file is damaged")


def _parse_json(path: Path, text: bytes) -> dict[str, Any]:
    try:
        content = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        cause = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)[:80]
        raise FileFormatError(path, f"is not a glTF file: its JSON part cannot be read: {cause}") from None
    if not isinstance(content, dict):
        raise FileFormatError(path, "is not a glTF file: its JSON part is not an object")
    return content


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def decode_data_uri(path: Path, uri: str, where: str) -> bytes:
    """Return the bytes of a ``data:`` URI; ``where`` is its place in the file, for messages."""
    head, _, payload = uri.partition(",")
    if not head.endswith(";base64"):
        raise FileFormatError(path, f"{where} is a data: URI that is not base64")
    try:
        return binascii.a2b_base64(payload.encode("ascii"), strict_mode=True)
    except ValueError:  # of base64 and of ASCII
        raise FileFormatError(path, f"{where} is not valid base64: the file is damaged") from None


def align_to_four(array: npt.NDArray[Any]) -> Part:
    """Return an array as a piece of a buffer: contiguous, padded to a multiple of four bytes.

    >>> len(bytes(align_to_four(np.zeros(5, dtype=np.uint8))))
    8
    """
    array = np.ascontiguousarray(array)
    missing = -array.nbytes % _ALIGNMENT
    return array.tobytes() + bytes(missing) if missing else array
