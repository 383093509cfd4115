"""Motionloom's own files: a zip of plain NumPy arrays and one JSON header; nothing is lost in them.

A file holds ``header.json`` and one ``.npy`` member per array, stored without compression, so that what is
read can never be larger than the file. Lengths are metres and Y is up, as in memory.
"""

from __future__ import annotations

import json
import re
import struct
import zipfile
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import checked_rotations
from motionloom.atomic import atomic_output
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.header_fields import HEADER, HeaderFields
from motionloom.motion import Clip, Constraint, Event, PointClip, Skeleton, Source, Tip
from motionloom.motion.source import RootOffset, UpAxis

FORMAT = "motionloom clip"
VERSION = 1
"""The version written, and the newest that is read."""

_KINDS = ("clip", "points")
_NPY_MAGIC = b"\x93NUMPY\x01\x00"
_NPY_DESCRIPTION = re.compile(
    rb"\{'descr': '(<f8|<i8)', 'fortran_order': False, "
    rb"'shape': \(((?:[0-9]{1,15}, ?)*(?:[0-9]{1,15})?)\), \} *\n"
)
_READABLE_BY_ALL = 0o644 << 16
"""Permissions of a member when somebody unpacks the file, where the zip format keeps them."""

# What zipfile and json raise on damaged input.
_DAMAGE = (zipfile.BadZipFile, OSError, ValueError, EOFError, RuntimeError, OverflowError, struct.error)

Arrays = dict[str, npt.NDArray[Any]]


def write_native(clip: Clip | PointClip, path: str | PathLike[str], overwrite: bool = False) -> None:
    """Write a clip with everything it carries, bit for bit, except the report of the stage that made it.

    Parameters
    ----------
    clip
        Joints or points, in metres and Y up.
    path
        The file to make, usually ending in ".npz".
    overwrite
        Whether a file that is already there may be replaced.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_native(PointClip(["heel"], 0.1, [[[0, 0.25, 0]]]), Path(folder, "heel.npz"))
    ...     zipfile.ZipFile(Path(folder, "heel.npz")).namelist()
    ['header.json', 'positions.npy']
    """
    header, arrays = _clip_parts(clip) if isinstance(clip, Clip) else _point_parts(clip)
    if clip.source.axes is not None:
        arrays["source_axes"] = clip.source.axes
    header |= {"format": FORMAT, "version": VERSION, "frame_time": clip.frame_time}
    header["source"] = {key: value for key, value in vars(clip.source).items() if key != "axes"}
    with atomic_output(path, overwrite) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        archive.writestr(_member(HEADER), json.dumps(header, indent=1))
        for name, array in arrays.items():
            with archive.open(_member(f"{name}.npy"), "w", force_zip64=True) as member:
                portable = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
                np.lib.format.write_array(member, portable, version=(1, 0), allow_pickle=False)


def read_native(path: str | PathLike[str]) -> Clip | PointClip:
    """Read what :func:`write_native` wrote: a clip of joints or of points.

    Fails with a sentence when the file is no such file, is damaged, or was written by a newer version.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_native(PointClip(["toe"], 0.1, [[[0, 0, 0]]]), Path(folder, "toe.npz"))
    ...     read_native(Path(folder, "toe.npz"))
    PointClip(1 frames at 10 fps, 1 points)
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        with zipfile.ZipFile(path) as archive:
            members = {info.filename: info for info in archive.infolist()}
            _check_members(path, members, size)
            header = _read_header(path, archive, members)
            arrays = {
                name.removesuffix(".npy"): _read_array(path, archive, info)
                for name, info in members.items()
                if name != HEADER
            }
    except FileNotFoundError:
        raise FileFormatError(path, "there is no such file") from None
    except _DAMAGE as error:
        raise FileFormatError(path, f"this is no Motionloom file, or it is damaged: {error}") from None
    try:
        return _clip(header, arrays) if header.choice("kind", _KINDS) == "clip" else _points(header, arrays)
    except KeyError as error:
        raise FileFormatError(path, f"the file lacks the array {error}: it is damaged") from None
    except ParameterError as error:
        raise FileFormatError(path, f"the file holds no valid clip: {error}") from None


def _clip_parts(clip: Clip) -> tuple[dict[str, Any], Arrays]:
    skeleton = clip.skeleton
    arrays: Arrays = {
        "parents": skeleton.parents,
        "offsets": skeleton.offsets,
        "rest_rotations": skeleton.rest_rotations,
        "root_positions": clip.root_positions,
        "rotations": clip.rotations,
    }
    if clip.translations is not None:
        arrays["translations"] = clip.translations
    header = {
        "kind": "clip",
        "names": skeleton.names,
        "tips": [{"joint": tip.joint, "offset": tip.offset.tolist()} for tip in skeleton.tips],
        "constraints": [_constraint_entry(constraint) for constraint in clip.constraints],
        "events": [vars(event) for event in clip.events],
        "cyclic": clip.cyclic,
    }
    return header, arrays


def _point_parts(clip: PointClip) -> tuple[dict[str, Any], Arrays]:
    return {"kind": "points", "names": clip.names}, {"positions": clip.positions}


def _constraint_entry(constraint: Constraint) -> dict[str, Any]:
    target = None if constraint.target is None else constraint.target.tolist()
    return vars(constraint) | {"point": constraint.point.tolist(), "target": target}


def _member(name: str) -> zipfile.ZipInfo:
    """A member without a date, so that equal clips make equal files."""
    info = zipfile.ZipInfo(name)
    info.external_attr = _READABLE_BY_ALL
    return info


def _check_members(path: Path, members: dict[str, zipfile.ZipInfo], size: int) -> None:
    """Refuse members that could unpack to more than the file holds, before anything is read from them."""
    if HEADER not in members:
        raise FileFormatError(path, f"this is no Motionloom file: it has no {HEADER}")
    for name, info in members.items():
        if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
            raise FileFormatError(
                path, f"{name!r} is compressed: Motionloom files are not; zip the members without compression"
            )
    if sum(info.file_size for info in members.values()) > size:
        raise FileFormatError(path, "the file claims to hold more than its own size: it is damaged")


def _read_array(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> npt.NDArray[Any]:
    """An array whose description fits the size of its member; checked before its numbers are read."""
    with archive.open(info) as member:
        start = member.read(len(_NPY_MAGIC) + 2)
        length = int.from_bytes(start[len(_NPY_MAGIC) :], "little")
        found = _NPY_DESCRIPTION.fullmatch(member.read(length))
        kind = b"<i8" if info.filename == "parents.npy" else b"<f8"
        if not start.startswith(_NPY_MAGIC) or found is None or found[1] != kind:
            raise FileFormatError(path, f"{info.filename!r} is no plain array of {kind.decode()} in C order")
        shape = tuple(int(length) for length in found[2].replace(b",", b" ").split())
        if 8 * prod(shape) != info.file_size - len(start) - length:
            raise FileFormatError(path, f"{info.filename!r} is not of the size that its shape {shape} needs")
        return np.frombuffer(member.read(), dtype=kind.decode()).reshape(shape)


def _read_header(path: Path, archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo]) -> HeaderFields:
    header = HeaderFields(path, json.loads(archive.read(members[HEADER])))
    if header.values.get("format") != FORMAT:
        raise FileFormatError(path, f"the file is not a {FORMAT}: its {HEADER} says something else")
    version = header.number("version")
    if version > VERSION:
        raise FileFormatError(
            path,
            f"the file has format version {version:g} and this Motionloom reads up to {VERSION}: update it",
        )
    return header


def _clip(header: HeaderFields, arrays: Arrays) -> Clip:
    tips = tuple(
        Tip(int(tip.number("joint")), np.array(tip.vector("offset"))) for tip in header.objects("tips")
    )
    return Clip(
        Skeleton(_names(header), arrays["parents"], arrays["offsets"], arrays["rest_rotations"], tips),
        header.number("frame_time"),
        arrays["root_positions"],
        arrays["rotations"],
        arrays.get("translations"),
        tuple(_constraint(entry) for entry in header.objects("constraints")),
        tuple(
            Event(event.number("frame"), event.text("label"), event.text("joint"))
            for event in header.objects("events")
        ),
        header.flag("cyclic"),
        _source(header, arrays),
    )


def _points(header: HeaderFields, arrays: Arrays) -> PointClip:
    frame_time = header.number("frame_time")
    return PointClip(_names(header), frame_time, arrays["positions"], _source(header, arrays))


def _names(header: HeaderFields) -> tuple[str, ...]:
    names = header.texts("names")
    if len(set(names)) < len(names):
        header.refuse("names", "a list of different names")
    return names


def _constraint(entry: HeaderFields) -> Constraint:
    return Constraint(
        entry.text("joint"),
        entry.text("kind"),
        entry.number("start"),
        entry.number("end"),
        np.array(entry.vector("point")),
        None if entry.values.get("target") is None else np.array(entry.vector("target")),
    )


def _source(header: HeaderFields, arrays: Arrays) -> Source:
    fields = HeaderFields(header.path, header.values.get("source"))
    axes, channels = arrays.get("source_axes"), None
    if fields.values.get("channels") is not None:
        joints = (HeaderFields(header.path, {"channels": names}) for names in fields.several("channels"))
        channels = tuple(joint.texts("channels") for joint in joints)
    return Source(
        path=fields.text("path"),
        format=fields.text("format"),
        unit=fields.text("unit"),
        metres_per_unit=fields.number("metres_per_unit"),
        up=fields.choice("up", get_args(UpAxis)),
        root_offset=fields.choice("root_offset", get_args(RootOffset)),
        channels=channels,
        axes=None if axes is None else checked_rotations("source_axes", axes, ("J", 4)),
        notes=fields.texts("notes"),
    )
