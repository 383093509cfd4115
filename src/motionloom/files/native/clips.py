"""Clips in Motionloom's own files: a zip of NumPy arrays and one JSON header; nothing is lost in them.

Lengths are metres and Y is up, as in memory.
"""

from __future__ import annotations

import os
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, get_args

import numpy as np

from motionloom.arrays import FloatArray, check_rotations
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.gltf import FORMAT as GLTF
from motionloom.files.native.archive import Arrays, max_magnitude, read_archive, write_archive
from motionloom.files.template import find_difference
from motionloom.files.text import check_size
from motionloom.files.units import metres_per_unit
from motionloom.jobs.budget import Budget
from motionloom.json_files import JsonFields, message_to_json
from motionloom.messages import Argument, Message
from motionloom.motion import (
    Analog,
    Character,
    Clip,
    Constraint,
    Event,
    ForcePlate,
    PointClip,
    Provenance,
    Skeleton,
    Source,
    Tip,
)
from motionloom.motion.provenance import OWN_SOURCE, RootOffset, UpAxis

FORMAT = "motionloom clip"
VERSION = 1
"""The version written, and the newest that is read."""

CHANNELS = frozenset(
    ["L", *(f"{kind}{axis}" for axis in "XYZ" for kind in "RT")]
    + [f"{axis}{kind}" for axis in "XYZ" for kind in ("rotation", "position")]
)
"""Names that channels of a source have: those of AMC and of BVH."""

_KINDS = ("clip", "points")


def write_native(clip: Clip | PointClip, path: str | PathLike[str], overwrite: bool = False) -> None:
    """Write a clip with all it holds, bit for bit, except the report of the stage that made it.

    Parameters
    ----------
    clip
        Joints or points, in metres and Y up.
    path
        The file to make, usually ending in ".npz".
    overwrite
        Replace an existing file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_native(PointClip(["heel"], 0.1, [[[0, 0.25, 0]]]), Path(folder, "heel.npz"))
    ...     sorted(np.load(Path(folder, "heel.npz")).files)
    ['header.json', 'positions']
    """
    header, arrays = pack_clip(clip, Path(path))
    write_archive(path, {**header, "format": FORMAT, "version": VERSION}, arrays, overwrite)


def pack_clip(clip: Clip | PointClip, path: Path) -> tuple[dict[str, Any], Arrays]:
    """Return all that a clip holds, except its report, as a header and arrays; ``path`` is for errors."""
    header, arrays = _split_clip(clip) if isinstance(clip, Clip) else _split_points(clip)
    if clip.source.axes is not None:
        arrays["source_axes"] = clip.source.axes
    header["frame_time"] = clip.frame_time
    header["source"] = {key: value for key, value in vars(clip.source).items() if key != "axes"}
    header["source"]["notes"] = [message_to_json(note) for note in clip.source.notes]
    header["source"]["character"] = _character_path(clip)
    if clip.provenance != OWN_SOURCE:
        header["provenance"] = vars(clip.provenance)
    for array in _header_vectors(clip):
        check_size(path, max_magnitude(array))
    return header, arrays


def read_native(path: str | PathLike[str], max_memory: int | None = None) -> Clip | PointClip:
    """Read what :func:`write_native` wrote: a clip of joints or of points.

    ``max_memory`` in bytes replaces the usual budget.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_native(PointClip(["toe"], 0.1, [[[0, 0, 0]]]), Path(folder, "toe.npz"))
    ...     read_native(Path(folder, "toe.npz"))
    PointClip(1 frames at 10 fps, 1 points)
    """
    path = Path(path)
    header, arrays = read_archive(path, FORMAT, VERSION, Budget(path, max_memory))
    return unpack_clip(header, arrays)


def unpack_clip(header: JsonFields, arrays: Arrays) -> Clip | PointClip:
    """Return the clip of a header and arrays that :func:`pack_clip` gave."""
    try:
        return (
            _make_clip(header, arrays)
            if header.choice("kind", _KINDS) == "clip"
            else _make_points(header, arrays)
        )
    except KeyError as error:
        raise FileFormatError(header.path, f"is damaged: it has no array {error}") from None
    except ParameterError as error:
        raise FileFormatError(header.path, f"holds no valid clip: {error}") from None


def _character_path(clip: Clip | PointClip) -> str | None:
    """Return the file with the mesh of the clip's skeleton; None where the clip has another skeleton."""
    character = clip.source.character
    if character is None or not character.has_mesh or not isinstance(clip, Clip):
        return None
    return None if find_difference(clip.skeleton, character.skeleton) else character.path


def _split_clip(clip: Clip) -> tuple[dict[str, Any], Arrays]:
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
        **_split_annotations(clip),
    }
    return header, arrays


def _header_vectors(clip: Clip | PointClip) -> list[FloatArray]:
    """Return the vectors (3,) that the header holds."""
    ends = [tip.offset for tip in clip.skeleton.tips] if isinstance(clip, Clip) else []
    targets = [constraint.target for constraint in clip.constraints if constraint.target is not None]
    return [*ends, *targets, *(constraint.point for constraint in clip.constraints)]


def _split_points(clip: PointClip) -> tuple[dict[str, Any], Arrays]:
    header: dict[str, Any] = {"kind": "points", "names": clip.names}
    # Files of points had no annotations in 0.1, and most still have none.
    if clip.constraints or clip.events or clip.cyclic:
        header |= _split_annotations(clip)
    arrays: Arrays = {"positions": clip.positions}
    if clip.residuals is not None:
        arrays["residuals"] = clip.residuals
    if clip.force_plates:
        header["force_plates"] = [_split_plate(n, plate, arrays) for n, plate in enumerate(clip.force_plates)]
    if clip.analog is not None:
        arrays["analog_values"] = clip.analog.values
        facts = {key: value for key, value in vars(clip.analog).items() if key != "values"}
        header["analog"] = facts
    return header, arrays


def _split_plate(n: int, plate: ForcePlate, arrays: Arrays) -> dict[str, Any]:
    """Return what the header says of a plate, and put its arrays to the others."""
    for name in ("force", "moment", "corners"):
        if getattr(plate, name) is not None:
            arrays[f"plate_{n}_{name}"] = getattr(plate, name)
    keys = ("name", "frame_time", "start", "channels")
    return {key: getattr(plate, key) for key in keys}


def _split_annotations(clip: Clip | PointClip) -> dict[str, Any]:
    return {
        "constraints": [_constraint_entry(constraint) for constraint in clip.constraints],
        "events": [vars(event) for event in clip.events],
        "cyclic": clip.cyclic,
    }


def _constraint_entry(constraint: Constraint) -> dict[str, Any]:
    target = None if constraint.target is None else constraint.target.tolist()
    return vars(constraint) | {"point": constraint.point.tolist(), "target": target}


def _make_clip(header: JsonFields, arrays: Arrays) -> Clip:
    tips = tuple(
        Tip(int(tip.number("joint")), np.array(tip.vector("offset"))) for tip in header.objects("tips")
    )
    skeleton = Skeleton(
        _check_names(header), arrays["parents"], arrays["offsets"], arrays["rest_rotations"], tips
    )
    clip = Clip(
        skeleton,
        header.number("frame_time"),
        arrays["root_positions"],
        arrays["rotations"],
        arrays.get("translations"),
        tuple(_make_constraint(entry) for entry in header.objects("constraints")),
        _make_events(header),
        header.flag("cyclic"),
        _make_source(header, arrays, skeleton),
        provenance=_make_provenance(header),
    )
    return _add_soles(clip)


def _add_soles(clip: Clip) -> Clip:
    """Return a clip with the soles of its character, which are read from the character's own file."""
    character = clip.source.character
    if character is None or Path(character.path).suffix.lower() not in GLTF.suffixes:
        return clip
    from motionloom.files.gltf.skin import add_soles

    return add_soles(clip)


def _make_points(header: JsonFields, arrays: Arrays) -> PointClip:
    frame_time = header.number("frame_time")
    source = _make_source(header, arrays)
    clip = PointClip(
        _check_names(header), frame_time, arrays["positions"], source, provenance=_make_provenance(header)
    )
    clip = replace(
        clip,
        residuals=arrays.get("residuals"),
        force_plates=_make_plates(header, arrays),
        analog=_make_analog(header, arrays),
    )
    if header.values.get("constraints") is None:
        return clip
    constraints = tuple(_make_constraint(entry) for entry in header.objects("constraints"))
    return replace(clip, constraints=constraints, events=_make_events(header), cyclic=header.flag("cyclic"))


def _make_plates(header: JsonFields, arrays: Arrays) -> tuple[ForcePlate, ...]:
    """Return the force plates; files without any do not mention them."""
    if header.values.get("force_plates") is None:
        return ()
    return tuple(
        ForcePlate(
            plate.text("name"),
            plate.number("frame_time"),
            arrays[f"plate_{n}_force"],
            arrays[f"plate_{n}_moment"],
            arrays.get(f"plate_{n}_corners"),
            plate.number("start"),
            plate.texts("channels"),
        )
        for n, plate in enumerate(header.objects("force_plates"))
    )


def _make_analog(header: JsonFields, arrays: Arrays) -> Analog | None:
    """Return the analog channels; files without any do not mention them."""
    if header.values.get("analog") is None:
        return None
    fields = header.part(header.values["analog"])
    return Analog(
        fields.texts("names"),
        fields.number("frame_time"),
        arrays["analog_values"],
        fields.texts("units"),
        fields.number("start"),
    )


def _make_events(header: JsonFields) -> tuple[Event, ...]:
    return tuple(
        Event(event.number("frame"), event.text("label"), event.text("joint"))
        for event in header.objects("events")
    )


def _check_names(header: JsonFields) -> tuple[str, ...]:
    names = header.texts("names")
    if len(set(names)) < len(names):
        header.refuse("names", "a list of different names")
    return names


def _make_constraint(entry: JsonFields) -> Constraint:
    return Constraint(
        entry.text("joint"),
        entry.text("kind"),
        entry.number("start"),
        entry.number("end"),
        np.array(entry.vector("point")),
        None if entry.values.get("target") is None else np.array(entry.vector("target")),
    )


def _make_provenance(header: JsonFields) -> Provenance:
    """Return where the frames come from; files of clips that are their own source do not say so."""
    if header.values.get("provenance") is None:
        return OWN_SOURCE
    fields = header.part(header.values["provenance"])
    numbers = fields.number("start"), fields.number("rate")
    return Provenance(fields.text("source"), *numbers, fields.texts("steps"))


def _lies_beside(path: Path, other: str) -> bool:
    """Whether another file lies in the folder of a file, or below it."""
    try:
        folder, place = (os.path.realpath(each) for each in (path.parent, other))
        return os.path.commonpath([folder, place]) == folder
    except (OSError, ValueError):
        return False


def _make_source(header: JsonFields, arrays: Arrays, skeleton: Skeleton | None = None) -> Source:
    fields = header.part(header.values.get("source"))
    axes, channels = arrays.get("source_axes"), None
    if fields.values.get("channels") is not None:
        joints = (header.part({"channels": names}) for names in fields.several("channels"))
        channels = tuple(joint.texts("channels") for joint in joints)
    path, notes = fields.text("path"), fields.messages("notes")
    if channels is not None and not all(
        set(names) <= CHANNELS and len(set(names)) == len(names) for names in channels
    ):
        channels, notes = None, (*notes, "its channels are those of no format and were ignored")
    try:
        metres = metres_per_unit(fields.number("metres_per_unit"))[1]
    except ParameterError as error:
        raise FileFormatError(header.path, f"its source has no valid unit: {error}") from None
    character = None
    if skeleton is not None and fields.values.get("character") is not None:
        character = Character(fields.text("character"), skeleton)
        if not _lies_beside(header.path, character.path):
            # Saving would copy that file: one from elsewhere must not choose which of the user's it is.
            name = Path(character.path).name
            note = Message(
                f"the mesh of {name} lies outside of this file's folder",
                remedy=("name it to keep it, with ", Argument("template")),
            )
            character, notes = None, (*notes, note)
    return Source(
        path=path,
        format=fields.text("format"),
        unit=fields.text("unit"),
        metres_per_unit=metres,
        up=fields.choice("up", get_args(UpAxis)),
        root_offset=fields.choice("root_offset", get_args(RootOffset)),
        channels=channels,
        axes=None if axes is None else check_rotations("source_axes", axes, ("J", 4)),
        character=character,
        notes=notes,
        animation=fields.text("animation") if "animation" in fields.values else "",
    )
