"""Read C3D files: points, analog channels, force plates and events of a capture.

:mod:`motionloom.files.points.c3d_layout` knows the bytes; here is what they mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.annotation.labels import LIFT, STRIKE
from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.detection import choose_points_up
from motionloom.files.notes import Note, override
from motionloom.files.points.c3d_layout import (
    BLOCK,
    DEC,
    INTEL,
    MAGIC,
    SGI,
    Header,
    Numbers,
    Parameters,
    read_header,
    read_parameters,
)
from motionloom.files.points.c3d_plates import read_plates
from motionloom.files.text import renaming_notes, unique_names, unreadable_error
from motionloom.files.units import metres_per_unit
from motionloom.files.up_axis import AXES
from motionloom.jobs.budget import Budget
from motionloom.json_files import MAX_NUMBER
from motionloom.messages import Argument
from motionloom.motion import Analog, Event, ForcePlate, PointClip, Source
from motionloom.motion.provenance import UpAxis

USUAL_UNIT = "mm"
"""Length unit of nearly all files, and of those that do not state it."""

MAX_FRAME_NUMBER = 65535
"""The largest that the header can state; longer files state their length among the parameters."""

MAX_RATE = 1e6
"""Frames per second; no camera is faster."""

MIN_LEVEL = 0.95
"""Cosine of how far plates may be inclined to tell the vertical axis."""

_QUANTITIES = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS", "REACTIONS", "ANALYSIS_SCALARS")
"""Parameters of POINT that list points which are no positions."""

_UNITS = {"mete": "m", "meters": "m", "metres": "m", "meter": "m", "metre": "m", "millimeters": "mm"}
"""Words for units that occur in files, besides the usual ones."""

LABELS = {"Foot Strike": STRIKE, "Foot Off": LIFT}
"""Labels of events as most programs write them, and as they are called here."""

SIDES = ("Left", "Right")
"""Contexts of events that name a side; "General" stands for the whole body."""


@dataclass(frozen=True)
class _Frames:
    """What the measurements of a file say: points (T, P, 4) with their fourth word, and channels (N, C)."""

    points: FloatArray
    channels: FloatArray
    samples: int


def read_c3d(
    path: Path,
    *,
    frame_time: float | None = None,
    up: UpAxis | None = None,
    max_memory: int | None = None,
) -> PointClip:
    """Read a file in its own unit and axes; samples that are marked as not valid are NaN.

    ``frame_time`` in seconds and ``up`` replace what the file states or shows, ``max_memory`` in bytes the
    usual budget.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
    notes: list[str] = []
    numbers, header, parameters = _read_structure(path, content, notes)
    frames = _read_frames(path, content, numbers, header, parameters, Budget(path, max_memory), notes)
    positions = frames.points[..., :3]
    positions[_unseen(frames.points)] = np.nan
    if np.fmax.reduce(np.abs(positions), axis=None, initial=0.0) > MAX_NUMBER:
        raise FileFormatError(path, f"has a position beyond {MAX_NUMBER:g}: it is damaged")
    rate = _decimal(_rate(header, parameters))
    frame_time = frame_time or (1.0 / rate if rate > 0.0 else 0.0)
    unit = _unit(parameters, notes)
    names = _names(parameters, positions.shape[1], notes)
    try:
        analog = _analog(frames, parameters, frame_time, notes)
        plates = () if analog is None else read_plates(parameters, analog, unit[1], notes)
        events = _events(header, parameters, rate, len(positions), notes)
        up = up or _up(parameters, plates, positions[:, _are_positions(parameters, names, notes)], notes)
        return PointClip(
            names,
            frame_time,
            freeze(positions),
            Source(str(path), "c3d", *unit, up, notes=tuple(notes)),
            events=events,
            residuals=_residuals(frames.points, header),
            force_plates=plates,
            analog=analog,
        )
    except ParameterError:
        raise FileFormatError(
            path,
            f"its rate of {rate:g} frames per second is impossible",
            remedy=("state it with ", Argument("fps")),
        ) from None


def _read_structure(path: Path, content: bytes, notes: list[str]) -> tuple[Numbers, Header, Parameters]:
    """Return how numbers are stored, the header and the parameters."""
    if len(content) < BLOCK or content[1] != MAGIC:
        raise FileFormatError(path, "is not a C3D file: it does not begin like one")
    start = (max(content[0], 1) - 1) * BLOCK
    if start < BLOCK or start + 4 > len(content):
        raise FileFormatError(path, "is not a C3D file, or is damaged: it has no parameters")
    stated = content[start + 3]
    known = (INTEL, DEC, SGI)
    kinds = (stated,) if stated in known else known
    for kind in kinds:
        numbers = Numbers(kind)
        header = read_header(content, numbers)
        if stated in known or _is_plausible(header, len(content)):
            break
    else:
        raise FileFormatError(
            path, f"is not a C3D file, or is damaged: it names {stated} as its kind of processor"
        )
    if stated not in known:
        notes.append(f"the file names {stated} as its kind of processor: {kind} assumed, which fits")
    end = BLOCK * (header.data_block - 1) if header.data_block > content[0] else len(content)
    parameters, faults = read_parameters(content[:end], start, numbers)
    notes += [f"the file is damaged: {fault}" for fault in faults]
    return numbers, header, parameters


def _is_plausible(header: Header, n_bytes: int) -> bool:
    return (
        0.0 < header.rate <= MAX_RATE
        and 0 < header.data_block <= n_bytes // BLOCK + 1
        and header.first <= header.last
        and header.n_points + header.n_analog > 0
    )


def _rate(header: Header, parameters: Parameters) -> float:
    rate = parameters.number("POINT", "RATE", 0.0)
    return rate if 0.0 < rate <= MAX_RATE else header.rate if 0.0 < header.rate <= MAX_RATE else 0.0


def _count_frames(header: Header, parameters: Parameters) -> int:
    """Return how many frames the file announces; headers count to 65535 and parameters further."""
    in_header = header.last - header.first + 1
    stated = parameters.number("POINT", "FRAMES", 0.0)
    in_parameters = int(min(stated + 65536.0 if stated < 0.0 else stated, 1e9))
    if in_header > 0 and max(header.last, in_parameters) < MAX_FRAME_NUMBER:
        return in_header
    counts = [in_header, in_parameters, int(min(parameters.number("POINT", "LONG_FRAMES", 0.0), 1e9))]
    fields = [parameters.numbers("TRIAL", f"ACTUAL_{end}_FIELD").ravel() for end in ("START", "END")]
    if all(len(field) >= 2 and np.isfinite(field).all() for field in fields):
        first, last = (int(field[0]) % 65536 + 65536 * (int(field[1]) % 65536) for field in fields)
        counts.append(last - first + 1)
    return max(counts)


def _read_frames(
    path: Path,
    content: bytes,
    numbers: Numbers,
    header: Header,
    parameters: Parameters,
    budget: Budget,
    notes: list[str],
) -> _Frames:
    """Return the measurements, as many as the file holds."""
    n_points, n_analog = header.n_points, header.n_analog
    announced = _count_frames(header, parameters)
    n_words = 4 * n_points + n_analog
    if n_words == 0:
        raise FileFormatError(path, "holds no points")
    block = header.data_block or int(parameters.number("POINT", "DATA_START", 0.0))
    start = BLOCK * (block - 1)
    if start < BLOCK or announced < 1:
        raise FileFormatError(path, f"claims {announced} frames of {n_points} points: it is damaged")
    scale = header.scale if np.isfinite(header.scale) and header.scale else 0.0
    in_tree = parameters.number("POINT", "SCALE", 0.0)
    room = max(len(content) - start, 0)
    real = (scale or in_tree or -1.0) < 0.0
    if scale * in_tree < 0.0 and announced * n_words * (4 if real else 2) > room >= announced * n_words * 2:
        real = not real  # header and parameters disagree, and only one of them fits the file
        scale = in_tree
        notes.append("header and parameters disagree on how points are stored: read as fits the file's size")
    held = min(announced, room // (n_words * (4 if real else 2)))
    if held == 0:
        raise FileFormatError(path, f"holds none of the {announced} frames that it announces: it was cut off")
    if held < announced:
        notes.append(f"the file announces {announced} frames and holds {held}, which were read")
    budget.claim_points(held, n_points)
    budget.claim(32 * held * n_analog, "its analog channels")
    raw = content[start : start + held * n_words * (4 if real else 2)]
    unsigned = parameters.string("ANALOG", "FORMAT").upper() == "UNSIGNED"
    words = numbers.fractions(raw) if real else numbers.integers(raw).astype(np.float64)
    words = words.reshape(held, n_words)
    points = np.array(words[:, : 4 * n_points]).reshape(held, n_points, 4)
    if not real:
        # In single precision: a file of fractions that somebody made of this one holds the same numbers.
        with np.errstate(over="ignore"):
            points[..., :3] = np.float32(points[..., :3]) * np.float32(scale or in_tree or 1.0)
    n_stated = int(min(max(parameters.number("ANALOG", "USED", 0.0), 0.0), n_analog))
    samples = header.samples if header.samples and n_analog % header.samples == 0 else 0
    if not samples and n_analog:
        samples = n_analog // n_stated if n_stated and n_analog % n_stated == 0 else 1
    n_channels = n_analog // samples if samples else 0
    channels = np.array(words[:, 4 * n_points :]).reshape(held * samples, n_channels)
    if unsigned and not real:
        channels %= 65536.0
    return _Frames(points, channels, samples)


def _unseen(points: FloatArray) -> BoolArray:
    """Return which points (T, P) are marked as not seen, or are no numbers."""
    unseen = points[..., 3] < 0.0
    return np.asarray(unseen | np.isnan(points[..., :3]).any(axis=-1))


def _residuals(points: FloatArray, header: Header) -> FloatArray | None:
    """Return how far (T, P) rays missed each point, in the unit of the file, or None where none is stated.

    The fourth word of a point holds the residual in its low byte, in steps of the scale, and in the other
    one which cameras saw it.
    """
    words = np.nan_to_num(points[..., 3], nan=-1.0)
    low = np.where(words >= 0.0, words % 256.0, np.nan)
    if not np.fmax.reduce(low, axis=None, initial=0.0):
        return None
    scale = abs(header.scale) if np.isfinite(header.scale) else 0.0
    residuals = np.asarray(np.floor(low) * (scale or 1.0))
    return None if np.fmax.reduce(residuals, axis=None, initial=0.0) > MAX_NUMBER else freeze(residuals)


def _names(parameters: Parameters, n_points: int, notes: list[str]) -> tuple[str, ...]:
    """Return unique names of the points; long lists go on in LABELS2, LABELS3 and so on."""
    labels = parameters.long_strings("POINT", "LABELS")
    labels = (labels + [""] * n_points)[:n_points]
    names = unique_names(labels, "point")
    notes += renaming_notes("point", labels, names)
    return names


def _analog(frames: _Frames, parameters: Parameters, frame_time: float, notes: list[str]) -> Analog | None:
    """Return the channels in their units, or None where there are none."""
    n_channels = frames.channels.shape[1]
    if not n_channels or not frames.samples:
        return None
    offsets = _per_channel(parameters, "OFFSET", n_channels, 0.0)
    if parameters.string("ANALOG", "FORMAT").upper() == "UNSIGNED":
        offsets %= 65536.0
    scales = _per_channel(parameters, "SCALE", n_channels, 1.0)
    values = (frames.channels - offsets) * scales * parameters.number("ANALOG", "GEN_SCALE", 1.0)
    values[~(np.abs(values) <= MAX_NUMBER)] = np.nan
    labels = (parameters.long_strings("ANALOG", "LABELS") + [""] * n_channels)[:n_channels]
    units = (parameters.long_strings("ANALOG", "UNITS") + [""] * n_channels)[:n_channels]
    names = unique_names(labels, "channel")
    notes += renaming_notes("channel", labels, names)
    return Analog(names, frame_time / frames.samples, freeze(values), tuple(units))


def _per_channel(parameters: Parameters, name: str, n_channels: int, default: float) -> FloatArray:
    """Return a number for each channel; what the file leaves out is the default."""
    stated = parameters.numbers("ANALOG", name).ravel()[:n_channels]
    result = np.full(n_channels, default)
    result[: len(stated)] = np.where(np.isfinite(stated), stated, default)
    return result


def _events(
    header: Header, parameters: Parameters, rate: float, n_frames: int, notes: list[str]
) -> tuple[Event, ...]:
    """Return the events of the parameters, else those of the header; their times count from frame 1."""
    times = parameters.numbers("EVENT", "TIMES")
    labels = parameters.long_strings("EVENT", "LABELS")
    contexts = parameters.long_strings("EVENT", "CONTEXTS")
    found: list[tuple[float, str, str]] = []
    if times.ndim == 2 and times.shape[1] >= 2:
        for n, (minutes, seconds) in enumerate(times[:, :2]):
            label = labels[n] if n < len(labels) else ""
            side = contexts[n] if n < len(contexts) and contexts[n] in SIDES else ""
            if label and np.isfinite(minutes + seconds):
                found.append((60.0 * minutes + _decimal(seconds), LABELS.get(label, label), side))
    if not found:
        found = [(_decimal(seconds), label, "") for seconds, label in header.events]
    frames = [seconds * rate - (header.first - 1) for seconds, _, _ in found]
    if not any(-0.5 <= frame <= n_frames - 0.5 for frame in frames):
        frames = [seconds * rate for seconds, _, _ in found]  # some programs count from the first frame
    inside = [-0.5 <= frame <= n_frames - 0.5 for frame in frames]
    if not all(inside):
        notes.append(f"{len(inside) - sum(inside)} events beyond the ends of the file were left out")
    return tuple(
        Event(_round_frame(frame), label, side)
        for frame, (_, label, side), kept in zip(frames, found, inside, strict=True)
        if kept
    )


def _decimal(number: float) -> float:
    """Return the shortest decimal number that single precision stores like this one: 29.97, not 29.9699993.

    >>> _decimal(29.969999313354492)
    29.97
    """
    return float(str(np.float32(number)))


def _round_frame(frame: float) -> float:
    """Return a frame without what single precision added to it."""
    return float(round(frame)) if abs(frame - round(frame)) < 1e-3 else frame


def _unit(parameters: Parameters, notes: list[str]) -> tuple[str, float]:
    words = parameters.string("POINT", "UNITS")
    try:
        return metres_per_unit(_UNITS.get(words.lower(), words))
    except ParameterError:
        text = f"the file states the unit {words!r}: {USUAL_UNIT} assumed"
        notes.append(Note("unit", text, remedy=override("unit")))
        return metres_per_unit(USUAL_UNIT)


def _are_positions(parameters: Parameters, names: tuple[str, ...], notes: list[str]) -> BoolArray:
    """Return which points (P,) are positions: some programs store angles, forces and powers as points."""
    kinds = parameters.long_strings("POINT", "TYPE_GROUPS") or _QUANTITIES
    others = {label for kind in (*kinds, *_QUANTITIES) for label in parameters.long_strings("POINT", kind)}
    positions = np.array([name not in others for name in names], dtype=np.bool_)
    if not positions.all():
        n_others = int((~positions).sum())
        notes.append(f"{n_others} of the {len(names)} points are no positions but angles, forces or the like")
    return positions


def _up(
    parameters: Parameters, plates: Sequence[ForcePlate], positions: FloatArray, notes: list[str]
) -> UpAxis:
    """Return the vertical axis: as the file says, else across the force plates, else as the points show."""
    words = parameters.string("POINT", "Y_SCREEN").lower()
    known: dict[str, UpAxis] = {"+x": "x", "+y": "y", "+z": "z"}
    if words in known:
        return known[words]
    if plates:
        across = np.abs([plate.normal for plate in plates]).mean(axis=0)
        if across.max() > MIN_LEVEL:
            return AXES[int(across.argmax())]
    return choose_points_up(positions, "z", notes)
