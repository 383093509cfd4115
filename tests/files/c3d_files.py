"""C3D files of every kind, made byte by byte and apart from the library's writer."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray

INTEL, DEC, SGI = 84, 85, 86


@dataclass
class Sketch:
    """What a file is to hold: points (T, P, 4) with fourth words, and analog values (N, C) as stored."""

    points: FloatArray
    labels: Sequence[str]
    analog: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    rate: float = 50.0
    scale: float = 0.1
    first: int = 1
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)
    header_events: Sequence[tuple[float, str]] = ()


def encode(sketch: Sketch, processor: int = INTEL, real: bool = True) -> bytes:
    """Return the bytes of a file."""
    n_frames, n_points = sketch.points.shape[:2]
    n_channels = sketch.analog.shape[1]
    samples = len(sketch.analog) // n_frames if n_channels else 0
    scale = -sketch.scale if real else sketch.scale
    groups: dict[str, dict[str, Any]] = {
        "POINT": {
            "USED": n_points,
            "SCALE": scale,
            "RATE": sketch.rate,
            "DATA_START": 0,
            "FRAMES": n_frames,
            "LABELS": list(sketch.labels),
            "UNITS": ["mm"],
            "X_SCREEN": ["+X"],
            "Y_SCREEN": ["+Z"],
        },
        "ANALOG": {"USED": n_channels, "RATE": sketch.rate * samples, "GEN_SCALE": 1.0},
    }
    for name, entries in sketch.groups.items():
        groups.setdefault(name, {}).update(entries)
    tree = _tree(groups, processor)
    block = 2 + len(tree) // 512
    groups["POINT"]["DATA_START"] = block
    tree = _tree(groups, processor)
    parts = [
        bytes([2, 0x50]),
        _words([n_points, n_channels * samples, sketch.first, sketch.first + n_frames - 1, 0], processor),
        _fractions([scale], processor),
        _words([block, samples], processor),
        _fractions([sketch.rate], processor),
    ]
    header = bytearray(b"".join(parts).ljust(512, b"\0"))
    if sketch.header_events:
        header[298:302] = _words([12345, len(sketch.header_events)], processor)
        for n, (seconds, label) in enumerate(sketch.header_events):
            header[304 + 4 * n : 308 + 4 * n] = _fractions([seconds], processor)
            header[396 + 4 * n : 400 + 4 * n] = label.encode().ljust(4)
    points = sketch.points.copy()
    if not real:
        points[..., :3] = np.round(points[..., :3] / sketch.scale)
    rows = np.concatenate([points.reshape(n_frames, -1), sketch.analog.reshape(n_frames, -1)], axis=1)
    body = _fractions(rows.ravel(), processor) if real else _words(rows.ravel().astype(int), processor)
    content = bytes(header) + tree + body
    return content + bytes(-len(content) % 512)


def _tree(groups: dict[str, dict[str, Any]], processor: int) -> bytes:
    records = b""
    for number, (group, entries) in enumerate(groups.items(), start=1):
        records += _record(group, -number, b"\0", processor)
        for name, value in entries.items():
            records += _record(name, number, _value(value, processor) + b"\0", processor)
    records += b"\0\0"
    n_blocks = -(-(len(records) + 4) // 512)
    return (bytes([1, 0x50, n_blocks, processor]) + records).ljust(512 * n_blocks, b"\0")


def _record(name: str, number: int, body: bytes, processor: int) -> bytes:
    head = struct.pack("bb", len(name), number) + name.encode()
    return head + _words([2 + len(body)], processor) + body


def _value(value: Any, processor: int) -> bytes:
    if isinstance(value, list):
        width = max((len(each) for each in value), default=0)
        raw = b"".join(each.encode().ljust(width) for each in value)
        return struct.pack("bBBB", -1, 2, width, len(value)) + raw
    array = np.asarray(value)
    shape = bytes(array.shape[::-1])
    if array.dtype.kind in "iu":
        return struct.pack("bB", 2, array.ndim) + shape + _words(array.ravel(), processor)
    return struct.pack("bB", 4, array.ndim) + shape + _fractions(array.ravel(), processor)


def _words(numbers: Any, processor: int) -> bytes:
    wrapped = np.asarray(numbers).astype(np.int64) & 0xFFFF
    return wrapped.astype(">u2" if processor == SGI else "<u2").tobytes()


def _fractions(numbers: Any, processor: int) -> bytes:
    array = np.asarray(numbers, np.float64).ravel()
    if processor != DEC:
        return array.astype(">f4" if processor == SGI else "<f4").tobytes()
    mantissas, exponents = np.frexp(np.float32(array).astype(np.float64))
    result = b""
    for number, mantissa, exponent in zip(array, mantissas, exponents, strict=True):
        if number == 0.0:
            result += bytes(4)
            continue
        bits = (int(number < 0) << 31) | ((int(exponent) + 128) << 23)
        bits |= round(abs(mantissa) * 2**24) & 0x7FFFFF
        result += struct.pack("<HH", bits >> 16, bits & 0xFFFF)
    return result


def sketch(kind: int) -> Sketch:
    """Three points with gaps, and a plate of a type under somebody of 600 N who leans to a corner."""
    rng = np.random.default_rng(kind)
    points = np.round(rng.uniform(-900.0, 1800.0, (6, 3, 4)), 1)
    points[..., 3] = rng.integers(0, 127, (6, 3)) * 256 + rng.integers(0, 20, (6, 3))
    points[2, 1] = [0.0, 0.0, 0.0, -1.0]
    raw = rng.integers(-900, 900, (24, 10)).astype(float)
    raw[:, 4:9] += 2000.0
    raw[:, 2] -= 3000.0
    scales = np.array([0.2, 0.2, -0.2, 30.0, 30.0, 30.0, 0.1, 0.1, 0.1, 1.0])
    if kind == 3:
        scales[:8] = -0.1
    if kind == 1:
        scales[3:6] = 0.05
    groups = {
        "ANALOG": {
            "LABELS": [f"ch{n}" for n in range(10)],
            "UNITS": ["N"] * 3 + ["Nmm"] * 3 + ["V"] * 4,
            "SCALE": scales,
            "OFFSET": np.arange(10),
            "GEN_SCALE": 0.5,
        },
        "FORCE_PLATFORM": {
            "USED": 1,
            "TYPE": np.array([kind]),
            "ZERO": np.array([0, 0]),
            "CORNERS": np.array([[[0.0, 400, 0], [0, 0, 0], [600, 0, 0], [600, 400, 0]]]),
            "ORIGIN": np.array([[120.0, 200.0, -40.0] if kind == 3 else [1.0, 2.0, 40.0]]),
            "CHANNEL": np.arange(1, 9 if kind == 3 else 7)[None],
            "CAL_MATRIX": rng.normal(size=(1, 6, 6)) + 3.0 * np.eye(6),
        },
        "EVENT": {
            "USED": 2,
            "CONTEXTS": ["Left", "General"],
            "LABELS": ["Foot Strike", "Clap"],
            "TIMES": np.array([[0.0, 0.24], [0.0, 0.28]]),
        },
    }
    return Sketch(points, ["heel", "toe", "knee"], raw, first=11, groups=groups)
