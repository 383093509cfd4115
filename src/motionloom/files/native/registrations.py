"""Saved registration curves: control points, matches, and where to find the clips again."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Any, cast

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.native.archive import Arrays, read_archive, write_archive
from motionloom.files.native.clips import pack_clip, unpack_clip
from motionloom.geometry import GroundTransform
from motionloom.json_files import JsonFields, message_to_json
from motionloom.messages import Argument
from motionloom.motion import Clip
from motionloom.motion.body import take_bodies
from motionloom.registration import (
    AlignmentCurve,
    Cause,
    ConstraintMatch,
    RegistrationCurve,
    RegistrationReport,
    RegistrationSettings,
    TimewarpCurve,
    Verdict,
)
from motionloom.registration.constraint_match import (
    SplitConstraint,
    UnmatchedConstraint,
    UnmatchedReason,
)

FORMAT = "motionloom registration"
VERSION = 1


def write_registration(
    curve: RegistrationCurve, path: Path, load: Callable[[Path], Clip], *, overwrite: bool = False
) -> None:
    """Write a curve: for each clip, its path from the file's folder and a content hash.

    Clips that are in no file as they are, because they were annotated, cut, resampled or made in memory, are
    written into the file.
    """
    header, arrays = pack_registration(curve, path, load)
    write_archive(path, header, arrays, overwrite)


def pack_registration(
    curve: RegistrationCurve, path: Path, load: Callable[[Path], Clip]
) -> tuple[dict[str, Any], Arrays]:
    """Return the header and the arrays of a curve that is written to a file."""
    arrays: Arrays = {
        "timewarp": curve.timewarp.control_points,
        "alignment": curve.alignment.control_points,
    }
    clips = []
    for n, given in enumerate(curve.clips):
        clip = given.arranged() if isinstance(given, Clip) else given
        entry: dict[str, Any] = {"path": _relative_path(clip, path), "hash": clip.content_hash()}
        if not _is_in_its_file(clip, load):
            entry["clip"], own = pack_clip(clip, path)
            arrays |= {f"clip{n}.{name}": array for name, array in own.items()}
        clips.append(entry)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "clips": clips,
        "timewarp": {
            "knot_spacing": curve.timewarp.knot_spacing,
            "start": curve.timewarp.start,
            "periods": None if curve.timewarp.periods is None else curve.timewarp.periods.tolist(),
        },
        "alignment": {
            "knot_spacing": curve.alignment.knot_spacing,
            "start": curve.alignment.start,
            "travels": None
            if curve.alignment.travels is None
            else [vars(t) for t in curve.alignment.travels],
        },
        "reference": curve.reference,
        "matches": [
            {
                "joint": match.joint,
                "kind": match.kind,
                "spans": match.spans.tolist(),
                "sources": match.sources,
                "split": match.split,
            }
            for match in curve.matches
        ],
        "report": _to_json(asdict(curve.report) | {"fit": None}),
        "settings": _to_json(asdict(curve.settings)),
    }
    return header, arrays


def read_registration(
    path: Path, clips: Sequence[Clip] | None, load: Callable[[Path], Clip]
) -> RegistrationCurve:
    """Read a saved curve; clips that are not given and not in the file are loaded from those it refers to."""
    header, arrays = read_archive(path, FORMAT, VERSION)
    return unpack_registration(path, header, arrays, clips, load)


def unpack_registration(
    path: Path,
    header: JsonFields,
    arrays: Arrays,
    clips: Sequence[Clip] | None,
    load: Callable[[Path], Clip],
) -> RegistrationCurve:
    """Return the curve whose header and arrays a file holds, with the clips that are given or found."""
    entries = header.objects("clips")
    loaded = (
        [_find_clip(path, entry, part_of(arrays, f"clip{n}."), load) for n, entry in enumerate(entries)]
        if clips is None
        else list(clips)
    )
    if len(loaded) != len(entries):
        raise ParameterError(f"{path} registers {len(entries)} clips, but {len(loaded)} were given")
    for n, (clip, entry) in enumerate(zip(loaded, entries, strict=True)):
        if clip.content_hash() != entry.text("hash"):
            raise FileFormatError(
                path,
                f"clip {n} ({entry.text('path') or 'in memory'}) differs from the registered one: it changed "
                "since, or was annotated, cut or resampled before",
                remedy=("pass the registered clips with ", Argument("clips")),
            )
    try:
        return _make_curve(header, arrays, take_bodies(loaded))
    except KeyError as error:
        raise FileFormatError(path, f"is damaged: it has no array {error}") from None
    except (ParameterError, TypeError, ValueError, IndexError) as error:
        raise FileFormatError(path, f"holds no valid registration: {error}") from None


def _relative_path(clip: Clip, path: Path) -> str:
    """Return the path of a clip's file from the registration's folder; empty for motion made in memory."""
    if not clip.source.path:
        return ""
    return Path(os.path.relpath(os.path.abspath(clip.source.path), os.path.abspath(path.parent))).as_posix()


def _is_in_its_file(clip: Clip, load: Callable[[Path], Clip]) -> bool:
    """Return whether the file that a clip was read from gives the very clip when it is read again."""
    source = Path(clip.source.path)
    if not clip.source.path or not source.is_file():
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return load(source).content_hash() == clip.content_hash()
    except MotionloomError:
        return False


def part_of(arrays: Arrays, prefix: str) -> Arrays:
    """Return the arrays whose names begin with a prefix, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _find_clip(path: Path, entry: JsonFields, arrays: Arrays, load: Callable[[Path], Clip]) -> Clip:
    """Return the clip that an entry holds, or load it from the file that it names."""
    if entry.values.get("clip") is not None:
        return cast(Clip, unpack_clip(entry.object("clip"), arrays))
    name = entry.text("path")
    if not name:
        raise FileFormatError(
            path, "a registered clip was never in a file", remedy=("pass the clips with ", Argument("clips"))
        )
    if not (path.parent / name).exists():
        raise FileFormatError(
            path,
            f"its clip {name} is missing",
            remedy=("keep the clips beside the curve, or pass them with ", Argument("clips")),
        )
    return load(path.parent / name)


def _to_json(value: Any) -> Any:
    """Convert a value to JSON types: enums by name, tuples as lists."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, str):
        return message_to_json(value)
    if isinstance(value, dict):
        return {str(key): _to_json(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json(entry) for entry in value]
    return value.item() if isinstance(value, np.generic) else value


def _make_curve(header: JsonFields, arrays: Arrays, clips: tuple[Clip, ...]) -> RegistrationCurve:
    warp, alignment = header.object("timewarp"), header.object("alignment")
    reference = int(header.number("reference"))
    return RegistrationCurve(
        clips=clips,
        timewarp=TimewarpCurve(
            control_points=arrays["timewarp"],
            knot_spacing=warp.number("knot_spacing"),
            start=warp.number("start"),
            periods=_read_periods(warp),
        ),
        alignment=AlignmentCurve(
            control_points=arrays["alignment"],
            knot_spacing=alignment.number("knot_spacing"),
            start=alignment.number("start"),
            reference=reference,
            travels=_read_travels(alignment),
        ),
        matches=tuple(
            ConstraintMatch(
                entry.text("joint"),
                entry.text("kind"),
                np.array(entry.several("spans"), dtype=np.float64),
                tuple(int(source) for source in entry.several("sources")),
                tuple(bool(split) for split in entry.several("split")),
            )
            for entry in header.objects("matches")
        ),
        reference=reference,
        report=_make_report(header.object("report")),
        settings=_make_settings(header.object("settings")),
    )


def _read_periods(fields: JsonFields) -> FloatArray | None:
    if fields.values.get("periods") is None:
        return None
    return np.array([float(period) for period in fields.several("periods")])


def _read_travels(fields: JsonFields) -> tuple[GroundTransform, ...] | None:
    if fields.values.get("travels") is None:
        return None
    return tuple(
        GroundTransform(entry.number("yaw"), entry.number("x"), entry.number("z"))
        for entry in fields.objects("travels")
    )


def _make_report(fields: JsonFields) -> RegistrationReport:
    cycle_error = None if fields.values.get("cycle_error") is None else fields.number("cycle_error")
    return RegistrationReport(
        mean_distance=fields.number("mean_distance"),
        max_distance=fields.number("max_distance"),
        rivals=fields.number("rivals"),
        # Files of 0.1 lack it.
        relative_distance=fields.number("relative_distance") if "relative_distance" in fields.values else 0.0,
        distortion=fields.number("distortion"),
        saturation=fields.number("saturation"),
        unmatched=tuple(
            UnmatchedConstraint(
                *_read_place(entry), UnmatchedReason[entry.choice("reason", _names(UnmatchedReason))]
            )
            for entry in fields.objects("unmatched")
        ),
        splits=tuple(
            SplitConstraint(*_read_place(entry), _read_gap(entry)) for entry in fields.objects("splits")
        ),
        n_matches=int(fields.number("n_matches")),
        cycle_error=cycle_error,
        fit=None,
        verdict=Verdict[fields.choice("verdict", _names(Verdict))],
        # Files of 0.1 call the figure the reason, and name no cause.
        figure=fields.text("figure" if "figure" in fields.values else "reason"),
        cause=None if fields.values.get("cause") is None else Cause[fields.choice("cause", _names(Cause))],
        notes=fields.messages("notes"),
    )


def _names(kind: type[Enum]) -> tuple[str, ...]:
    return tuple(member.name for member in kind)


def _read_place(entry: JsonFields) -> tuple[int, int, str, str]:
    return int(entry.number("clip")), int(entry.number("constraint")), entry.text("joint"), entry.text("kind")


def _read_gap(entry: JsonFields) -> tuple[float, float]:
    first, last = entry.several("gap")
    return float(first), float(last)


def _make_settings(fields: JsonFields) -> RegistrationSettings:
    """Return the settings, each checked where it is used; lists become tuples again."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.values.items()
    }
    if "straightness" in values:  # its name in files of 0.1
        values["stiffness"] = values.pop("straightness")
    return RegistrationSettings(**values)
