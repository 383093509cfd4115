"""Zips of plain NumPy arrays and one JSON header: what Motionloom's own files are made of.

Members are stored without compression, so that what is read can never be larger than the file, and nothing is
ever unpickled.
"""

from __future__ import annotations

import json
import re
import struct
import zipfile
from math import prod
from os import PathLike
from pathlib import Path
from textwrap import shorten
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError
from motionloom.files.text import check_size, unreadable_error
from motionloom.jobs.budget import Budget
from motionloom.json_files import HEADER, MAX_NUMBER, JsonFields

_NPY_MAGIC = b"\x93NUMPY\x01\x00"
_NPY_DESCRIPTION = re.compile(
    rb"\{'descr': '(<f8|<i8)', 'fortran_order': False, "
    rb"'shape': \(((?:[0-9]{1,15}, ?)*(?:[0-9]{1,15})?)\), \} *\n"
)
_READABLE_BY_ALL = 0o644 << 16
"""Permissions of a member when somebody unpacks the file, where the zip format keeps them."""

WHOLE_NUMBERS = ("parents.npy", "simplices.npy")
"""Ends of the names of members that hold whole numbers; all others hold fractions."""

# What zipfile and json raise on damaged input.
_DAMAGE = (zipfile.BadZipFile, OSError, ValueError, EOFError, RuntimeError, OverflowError, struct.error)

MAX_REASON = 200
"""Characters of what a damaged file made zipfile or json say."""

Arrays = dict[str, npt.NDArray[Any]]


def write_archive(path: str | PathLike[str], header: dict[str, Any], arrays: Arrays, overwrite: bool) -> None:
    """Write a header and arrays of float64 or int64; equal content makes equal files."""
    for array in arrays.values():
        check_size(Path(path), max_magnitude(array))
    with atomic_output(path, overwrite) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        archive.writestr(_member(HEADER), json.dumps(header, indent=1))
        for name, array in arrays.items():
            with archive.open(_member(f"{name}.npy"), "w", force_zip64=True) as member:
                portable = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
                np.lib.format.write_array(member, portable, version=(1, 0), allow_pickle=False)


def open_binary(path: Path) -> BinaryIO:
    """Open a file for reading, or fail with a sentence."""
    try:
        return open(path, "rb")
    except OSError as error:
        raise unreadable_error(path, error) from None


def read_archive(
    path: Path, kind: str, version: int, budget: Budget | None = None
) -> tuple[JsonFields, Arrays]:
    """Read the header and the arrays of a file of this kind, up to this version; refuse anything else.

    The budget is the usual one by default.
    """
    budget = budget or Budget(path)
    file = open_binary(path)
    try:
        with file, zipfile.ZipFile(file) as archive:
            members = {info.filename: info for info in archive.infolist()}
            _check_members(path, members, path.stat().st_size)
            header = _read_header(path, archive, members, kind, version, budget)
            arrays = {
                name.removesuffix(".npy"): _read_array(path, archive, info)
                for name, info in members.items()
                if name != HEADER
            }
    except _DAMAGE as error:
        # Some errors quote the bytes of the file.
        reason = shorten(str(error), MAX_REASON, placeholder=" …")
        raise FileFormatError(path, f"is not a Motionloom file, or is damaged: {reason}") from None
    return header, arrays


def peek_kind(path: Path) -> str | None:
    """Return what a file of ours says it holds; None for any other file, and for damaged ones."""
    try:
        with open_binary(path) as file, zipfile.ZipFile(file) as archive:
            info = archive.getinfo(HEADER)
            if info.compress_type != zipfile.ZIP_STORED or info.file_size > path.stat().st_size:
                return None
            kind = json.loads(archive.read(info)).get("format")
    except (*_DAMAGE, FileFormatError, KeyError, AttributeError, RecursionError):
        return None
    return kind if isinstance(kind, str) else None


def max_magnitude(array: npt.NDArray[Any]) -> float:
    """Return the largest magnitude of the numbers; gaps (NaN) do not count, and no numbers give zero."""
    return float(np.fmax.reduce(np.abs(array), axis=None, initial=0.0))


OTHER_KINDS = {
    "motionloom clip": "holds a clip, not a registration curve: register it with other clips first",
    "motionloom registration": "holds a registration curve, not a clip: load it as one",
    "motionloom graph": "holds a motion graph: load it as what it is",
    "motionloom space": "holds a motion space: load it as what it is",
}
"""What is said about a file of another kind than was asked for."""


def _member(name: str) -> zipfile.ZipInfo:
    """Return a zip member without a date, so that equal clips make equal files."""
    info = zipfile.ZipInfo(name)
    info.external_attr = _READABLE_BY_ALL
    return info


def _check_members(path: Path, members: dict[str, zipfile.ZipInfo], size: int) -> None:
    """Refuse members that could unpack to more than the file holds, before anything is read from them."""
    if HEADER not in members:
        raise FileFormatError(path, f"is not a Motionloom file: it has no {HEADER}")
    for name, info in members.items():
        if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
            raise FileFormatError(path, f"{name!r} is compressed: zip the members without compression")
    if sum(info.file_size for info in members.values()) > size:
        raise FileFormatError(path, "is damaged: it claims to hold more than its own size")


def _read_header(
    path: Path,
    archive: zipfile.ZipFile,
    members: dict[str, zipfile.ZipInfo],
    kind: str,
    version: int,
    budget: Budget,
) -> JsonFields:
    text = archive.read(members[HEADER])
    budget.claim_json(text)
    header = JsonFields(path, json.loads(text))
    if header.values.get("format") != kind:
        other = OTHER_KINDS.get(str(header.values.get("format")))
        raise FileFormatError(path, other or f"is not a {kind}: its {HEADER} states another format")
    found = header.number("version")
    if found > version:
        raise FileFormatError(
            path,
            f"has format version {found:g}, and this Motionloom reads up to {version}",
            remedy="update Motionloom",
        )
    return header


def _read_array(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> npt.NDArray[Any]:
    """Return an array whose description fits the size of its member; checked before its numbers are read."""
    with archive.open(info) as member:
        start = member.read(len(_NPY_MAGIC) + 2)
        length = int.from_bytes(start[len(_NPY_MAGIC) :], "little")
        found = _NPY_DESCRIPTION.fullmatch(member.read(length))
        kind = b"<i8" if info.filename.endswith(WHOLE_NUMBERS) else b"<f8"
        if not start.startswith(_NPY_MAGIC) or found is None or found[1] != kind:
            raise FileFormatError(
                path, f"{info.filename!r} is not a plain array of {kind.decode()} in C order"
            )
        shape = tuple(int(length) for length in found[2].replace(b",", b" ").split())
        if 8 * prod(shape) != info.file_size - len(start) - length:
            raise FileFormatError(path, f"{info.filename!r} does not have the size of its shape {shape}")
        array = np.frombuffer(member.read(), dtype=kind.decode()).reshape(shape)
    if max_magnitude(array) > MAX_NUMBER:
        raise FileFormatError(
            path, f"{info.filename!r} has a number beyond {MAX_NUMBER:g}: the file is damaged"
        )
    return array
