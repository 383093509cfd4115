"""Read and write C3D files: marker positions of a capture, in any of the three byte orders.

The package ``c3d`` reads the bytes; what it says about a file is checked here before and after.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.budget import Budget
from motionloom.files.detection import choose_points_up
from motionloom.files.notes import Note
from motionloom.files.points import C3D
from motionloom.files.text import MAX_NUMBER, check_size, renaming_notes, unique_names, unreadable_error
from motionloom.files.units import metres_per_unit
from motionloom.motion import PointClip, Source
from motionloom.motion.provenance import UpAxis

USUAL_UNIT = "mm"
"""Length unit of nearly all files, and of those that do not state it."""

MAX_POINTS = 255
"""The format counts names in one byte."""

MAX_NAME_LENGTH = 127
"""Characters; the format counts them in one signed byte."""

_FILTERS = Lock()
"""Held by the thread that changes the filters of warnings."""

_WIDTH = 5
"""Columns of a point in the package: x, y, z, residual (negative: not seen), cameras."""


def read_c3d(
    path: Path,
    *,
    frame_time: float | None = None,
    up: UpAxis | None = None,
    max_memory: int | None = None,
) -> PointClip:
    """Read the points of a file in its own unit and axes; samples that are marked as not valid are NaN.

    ``frame_time`` in seconds and ``up`` replace what the file states or shows, ``max_memory`` in bytes the
    usual budget.
    """
    C3D.check_installed()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    notes: list[str] = []
    # The package raises whatever Python raises where bytes are not what they should be.
    try:
        with _without_warnings():
            reader = _reader(path, content)
            positions = _positions(path, reader, len(content), Budget(path, max_memory), notes)
            names = _names(reader, positions.shape[1], notes)
            rate = float(str(np.float32(reader.point_rate)))
            unit, up = _unit(reader, notes), up or _up(reader, positions, notes)
    except MotionloomError:
        raise
    except Exception as error:
        raise FileFormatError(path, f"is not a C3D file, or is damaged ({type(error).__name__})") from None
    source = Source(str(path), "c3d", *unit, up, notes=tuple(notes))
    try:
        return PointClip(names, frame_time or 1.0 / rate, freeze(positions), source)
    except (ParameterError, ZeroDivisionError):
        raise FileFormatError(
            path, f"its rate of {rate:g} frames per second is impossible: state it with fps= or --read-fps"
        ) from None


def write_c3d(clip: PointClip, path: Path, *, overwrite: bool = False) -> None:
    """Write points that are already in the unit and axes of the file, as Intel's single-precision numbers."""
    C3D.check_installed()
    import c3d

    _check_writable(clip, path)
    writer = c3d.Writer(point_rate=clip.fps, point_units=clip.source.unit.ljust(4))
    writer.set_point_labels(list(clip.names))
    writer.set_screen_axis("+X", f"+{clip.source.up.upper()}")
    no_analog = np.zeros((0, 1))
    writer.add_frames([(frame, no_analog) for frame in _frames(clip)])
    content = io.BytesIO()
    with _without_warnings():
        writer.write(content)
    with atomic_output(path, overwrite=overwrite) as temporary:
        temporary.write_bytes(content.getvalue())


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silence the package, which warns where a file holds no analog measurements.

    Filters of warnings belong to the whole process, so only one thread at a time may change them.
    """
    with _FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _reader(path: Path, content: bytes) -> Any:
    import c3d

    if len(content) < 512 or content[1:2] != b"\x50":
        raise FileFormatError(path, "is not a C3D file: it does not begin like one")
    return c3d.Reader(io.BytesIO(content))


def _positions(path: Path, reader: Any, n_bytes: int, budget: Budget, notes: list[str]) -> FloatArray:
    """Return positions (T, P, 3), NaN where a sample is not valid."""
    n_points, announced = int(reader.point_used), int(reader.frame_count)
    if n_points == 0:
        raise FileFormatError(path, "holds no points")
    # A frame takes at least eight bytes for each point, so a file bounds what its header may claim.
    if announced < 0 or 8 * n_points > n_bytes:
        raise FileFormatError(path, f"claims {announced} frames of {n_points} points: it is damaged")
    room = min(announced, n_bytes // (8 * n_points))
    budget.claim_points(room, n_points)
    positions, count = np.empty((room, n_points, 3)), 0
    for (_, points, _), place in zip(reader.read_frames(analog_transform=False), positions, strict=False):
        place[:] = points[:, :3]
        place[points[:, 3] < 0.0] = np.nan
        count += 1
    if count < announced:
        notes.append(f"the file announces {announced} frames and holds {count}, which were read")
    positions = positions[:count]
    if np.fmax.reduce(np.abs(positions), axis=None, initial=0.0) > MAX_NUMBER:
        raise FileFormatError(path, f"has a position beyond {MAX_NUMBER:g}: it is damaged")
    return positions


def _names(reader: Any, n_points: int, notes: list[str]) -> tuple[str, ...]:
    """Return unique names of the points; long lists go on in LABELS2, LABELS3 and so on."""
    labels: list[str] = []
    number = 1
    while (listed := reader.get(f"POINT:LABELS{number if number > 1 else ''}")) is not None:
        labels += [str(label).strip() for label in np.ravel(listed.string_array)]
        number += 1
    labels = (labels + [""] * n_points)[:n_points]
    names = unique_names(labels, "point")
    notes += renaming_notes("point", labels, names)
    return names


def _unit(reader: Any, notes: list[str]) -> tuple[str, float]:
    stated = reader.get("POINT:UNITS")
    words = "" if stated is None else stated.string_value.strip().strip("\0")
    try:
        return metres_per_unit(words)
    except ParameterError:
        text = f"the file states the unit {words!r}: {USUAL_UNIT} assumed (override with unit= or --unit)"
        notes.append(Note("unit", text))
        return metres_per_unit(USUAL_UNIT)


def _up(reader: Any, positions: FloatArray, notes: list[str]) -> UpAxis:
    """Return the axis that points up on screen where the file says so, else the one that the points show."""
    stated = reader.get("POINT:Y_SCREEN")
    words = "" if stated is None else stated.string_value.strip().strip("\0").lower()
    known: dict[str, UpAxis] = {"+x": "x", "+y": "y", "+z": "z"}
    return known[words] if words in known else choose_points_up(positions, "z", notes)


def _check_writable(clip: PointClip, path: Path) -> None:
    if clip.n_frames == 0:
        raise MotionloomError(f"{path}: a C3D file holds at least one frame, and the clip has none")
    if not 1 <= len(clip.names) <= MAX_POINTS:
        raise MotionloomError(
            f"{path}: a C3D file holds 1 to {MAX_POINTS} points, and the clip has {len(clip.names)}: "
            "write .trc or .npz"
        )
    for name in clip.names:
        if not name.isascii() or len(name) > MAX_NAME_LENGTH:
            raise MotionloomError(
                f"{path}: the point name {name!r} cannot be written in a C3D file: rename the point first"
            )
    check_size(path, float(np.fmax.reduce(np.abs(clip.positions), axis=None, initial=0.0)))


def _frames(clip: PointClip) -> FloatArray:
    """Return points (T, P, 5) with their residuals: zero where seen, negative in gaps."""
    frames = np.zeros((clip.n_frames, len(clip.names), _WIDTH))
    gaps = np.asarray(np.isnan(clip.positions).any(axis=-1))
    frames[..., :3] = np.where(gaps[..., None], 0.0, clip.positions)
    frames[..., 3] = np.where(gaps, -1.0, 0.0)
    return frames
