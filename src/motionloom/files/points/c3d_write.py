"""Write C3D files: points, analog channels, force plates and events, as Intel's single-precision numbers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.files.points.c3d import LABELS, MAX_FRAME_NUMBER, SIDES
from motionloom.files.points.c3d_layout import (
    BLOCK,
    EVENT_KEY,
    MAGIC,
    MAX_LENGTH,
    MAX_NAME_LENGTH,
    pack_parameters,
)
from motionloom.files.points.c3d_plates import plate_axes
from motionloom.files.text import check_size, unique_names
from motionloom.motion import Analog, ForcePlate, PointClip
from motionloom.motion.anatomy.joint_names import read_name

MAX_BLOCKS = 255
"""Blocks of parameters; the format counts them in one byte."""

_CHANNELS = ("Force.Fx", "Force.Fy", "Force.Fz", "Moment.Mx", "Moment.My", "Moment.Mz")
"""Names of the channels of a plate, before its number."""


def write_c3d(clip: PointClip, path: Path, *, overwrite: bool = False) -> None:
    """Write points that are already in the unit and axes of the file, as Intel's single-precision numbers.

    Force plates are written as plates of type 2 whose channels come after the clip's own, in place of those
    that they were read from.
    """
    _check_writable(clip, path)
    samples, names, units, values = _channels(clip, path)
    step = _residual_step(clip)
    groups = _groups(clip, samples, names, units)
    groups["POINT"]["SCALE"] = -step
    packed = pack_parameters(groups, ("POINT", "DATA_START"))
    if len(packed) > MAX_BLOCKS * BLOCK:
        raise MotionloomError(
            "the names fill more than a C3D file holds", subject=str(path), remedy="write .trc or .npz"
        )
    data_block = 2 + len(packed) // BLOCK
    last = min(clip.n_frames, MAX_FRAME_NUMBER)
    n_analog = samples * len(names)
    header = struct.pack(
        "<BBHHHHHfHHf",
        2, MAGIC, len(clip.names), n_analog, 1, last, 0, -step, data_block, samples, clip.fps,
    )  # fmt: skip
    header = header.ljust(298, b"\0") + struct.pack("<H", EVENT_KEY)
    frames = np.concatenate(
        [_point_words(clip, step).reshape(clip.n_frames, -1), values.reshape(clip.n_frames, n_analog)], axis=1
    ).astype("<f4")
    content = header.ljust(BLOCK, b"\0") + packed + frames.tobytes()
    with atomic_output(path, overwrite=overwrite) as temporary:
        temporary.write_bytes(content + bytes(-len(content) % BLOCK))


def _check_writable(clip: PointClip, path: Path) -> None:
    if clip.n_frames == 0:
        raise MotionloomError("a C3D file holds at least one frame, and the clip has none", subject=str(path))
    if not clip.names and clip.analog is None and not clip.force_plates:
        raise MotionloomError("a C3D file holds at least one point, and the clip has none", subject=str(path))
    channels = () if clip.analog is None else clip.analog.names
    labels = (event.label for event in clip.events)
    for what, names in (("point", clip.names), ("channel", channels), ("event", labels)):
        for name in names:
            if not name.isascii() or len(name) > MAX_NAME_LENGTH:
                raise MotionloomError(
                    f"the {what} name {name!r} cannot be written in a C3D file",
                    subject=str(path),
                    remedy=f"rename the {what} first",
                )
    if 4 * len(clip.names) > MAX_FRAME_NUMBER or len(clip.names) > MAX_LENGTH**2:
        raise MotionloomError(
            f"the clip has {len(clip.names)} points, more than a C3D file holds",
            subject=str(path),
            remedy="write .trc or .npz",
        )
    check_size(path, float(np.fmax.reduce(np.abs(clip.positions), axis=None, initial=0.0)))


def _residual_step(clip: PointClip) -> float:
    """Return the size of a whole number, of which residuals have up to 255."""
    highest = 0.0 if clip.residuals is None else float(np.fmax.reduce(clip.residuals, axis=None, initial=0.0))
    return highest / 255.0 if highest > 0.0 else 1.0


def _point_words(clip: PointClip, step: float) -> FloatArray:
    """Return points (T, P, 4) with their fourth word: the residual where seen, negative in gaps."""
    words = np.zeros((clip.n_frames, len(clip.names), 4))
    gaps = np.asarray(np.isnan(clip.positions).any(axis=-1))
    words[..., :3] = np.where(gaps[..., None], 0.0, clip.positions)
    if clip.residuals is not None:
        words[..., 3] = np.clip(np.round(np.nan_to_num(clip.residuals) / step), 0.0, 255.0)
    words[..., 3] = np.where(gaps, -1.0, words[..., 3])
    return words


def _channels(clip: PointClip, path: Path) -> tuple[int, list[str], list[str], FloatArray]:
    """Return samples per frame, and names, units and values (N, C) of all channels to write."""
    plates = clip.force_plates
    analog = clip.analog
    sources = [*plates, *(() if analog is None else (analog,))]
    if not sources:
        return 0, [], [], np.zeros((0, 0))
    samples = max(1, round(clip.frame_time / min(each.frame_time for each in sources)))
    times = clip.frame_time / samples * np.arange(samples * clip.n_frames)
    taken = {name for plate in plates for name in plate.channels}
    names: list[str] = []
    units: list[str] = []
    columns: list[FloatArray] = []
    if analog is not None:
        for n, name in enumerate(analog.names):
            if name not in taken:
                names.append(name)
                units.append(analog.units[n])
                columns.append(_sample(analog.values[:, n : n + 1], analog, times))
    for n, plate in enumerate(plates, start=1):
        own = [f"{name}{n}" for name in _CHANNELS]
        names += own
        units += ["N"] * 3 + [f"N{clip.source.unit}"] * 3
        corners = _corners(plate)
        axes = plate_axes(corners)
        if axes is None:
            raise MotionloomError(f"the corners of {plate.name} are no rectangle", subject=str(path))
        moment = plate.moment
        if plate.corners is None:
            moment = moment - np.cross(corners.mean(axis=0), plate.force)
        columns.append(_sample(np.concatenate([plate.force @ axes.T, moment @ axes.T], axis=1), plate, times))
    values = np.nan_to_num(np.concatenate(columns, axis=1))
    if values.shape[1] * samples > MAX_FRAME_NUMBER:
        raise MotionloomError(
            "the clip has more analog channels than a C3D file holds", subject=str(path), remedy="write .npz"
        )
    check_size(path, float(np.abs(values).max(initial=0.0)))
    return samples, list(unique_names(names)), units, values


def _sample(values: FloatArray, measured: Analog | ForcePlate, times: FloatArray) -> FloatArray:
    """Return measurements (N, C) at other times; zero before the first and after the last."""
    n = len(values)
    own = measured.start + measured.frame_time * np.arange(n)
    if n == len(times) and np.allclose(own, times, atol=1e-3 * measured.frame_time):
        return values
    return np.column_stack([np.interp(times, own, column, 0.0, 0.0) for column in values.T])


def _corners(plate: ForcePlate) -> FloatArray:
    """Return the corners (4, 3), or where they are unknown those of a square metre about the origin."""
    if plate.corners is not None:
        return plate.corners
    return np.array([[0.5, 0.0, 0.5], [-0.5, 0.0, 0.5], [-0.5, 0.0, -0.5], [0.5, 0.0, -0.5]])


def _groups(clip: PointClip, samples: int, names: list[str], units: list[str]) -> dict[str, dict[str, Any]]:
    """Return the parameters of a clip."""
    n_frames = clip.n_frames
    words = [n_frames % 65536, n_frames // 65536]
    groups: dict[str, dict[str, Any]] = {
        "POINT": {
            "USED": _word(len(clip.names)),
            "FRAMES": _word(min(n_frames, MAX_FRAME_NUMBER)),
            "DATA_START": _word(0),
            "SCALE": -1.0,  # negative: fractions
            "RATE": clip.fps,
            "UNITS": clip.source.unit,
            "X_SCREEN": "+X",
            "Y_SCREEN": f"+{clip.source.up.upper()}",
            **_strings("LABELS", clip.names),
            **_strings("DESCRIPTIONS", ("",) * len(clip.names)),
        },
        "ANALOG": {
            "USED": _word(len(names)),
            "RATE": clip.fps * max(samples, 1),
            "GEN_SCALE": 1.0,
            "SCALE": np.ones(min(len(names), MAX_LENGTH)),
            "OFFSET": np.zeros(min(len(names), MAX_LENGTH), np.int64),
            **_strings("LABELS", names),
            **_strings("UNITS", units),
            **_strings("DESCRIPTIONS", ("",) * len(names)),
        },
        "TRIAL": {
            "ACTUAL_START_FIELD": np.array([1, 0]),
            "ACTUAL_END_FIELD": np.array([_word(word) for word in words]),
        },
        "FORCE_PLATFORM": _plate_parameters(clip, len(names)),
    }
    events = clip.events
    groups["EVENT"] = {"USED": _word(len(events))}
    if events:
        back = {ours: theirs for theirs, ours in LABELS.items()}
        seconds = np.array([event.frame * clip.frame_time for event in events[:MAX_LENGTH]])
        times = np.stack([seconds // 60.0, seconds % 60.0], axis=1)
        groups["EVENT"] |= {
            "CONTEXTS": [_context(event.joint) for event in events[:MAX_LENGTH]],
            "LABELS": [back.get(event.label, event.label) for event in events[:MAX_LENGTH]],
            "TIMES": times,
        }
        groups["EVENT"]["USED"] = _word(len(seconds))
    return groups


def _plate_parameters(clip: PointClip, n_channels: int) -> dict[str, Any]:
    """Return what describes the plates, whose channels are the last ones."""
    n = len(clip.force_plates)
    if n == 0:
        return {"USED": _word(0)}
    first = n_channels - 6 * n + 1
    return {
        "USED": _word(n),
        "TYPE": np.full(n, 2),
        "ZERO": np.array([1, 0]),
        "CORNERS": np.stack([_corners(plate) for plate in clip.force_plates]),
        "ORIGIN": np.zeros((n, 3)),
        "CHANNEL": np.arange(first, first + 6 * n).reshape(n, 6),
    }


def _word(number: int) -> np.int64:
    """Return a number up to 65535 as the signed 16 bits that stand for it."""
    return np.int64(number - 65536 if number > 32767 else number)


def _strings(name: str, values: Sequence[str]) -> dict[str, list[str]]:
    """Return a list of strings as parameters NAME, NAME2, … of at most 255 entries each."""
    parts = range(0, max(len(values), 1), MAX_LENGTH)
    return {
        f"{name}{n if n > 1 else ''}": list(values[start : start + MAX_LENGTH])
        for n, start in enumerate(parts, start=1)
    }


def _context(joint: str) -> str:
    """Return the side that an event belongs to as the format calls it: of a joint, or of a marker like LHEE.

    >>> _context("LHEE"), _context("RightFoot"), _context("")
    ('Left', 'Right', 'General')
    """
    side = read_name(joint).side or {"L": "left", "R": "right"}.get(joint[:1] if joint.isupper() else "")
    return next((context for context in SIDES if context.lower() == side), "General")
