"""Results taken apart into named arrays, texts and bytes, and a digest of each that fits into a JSON file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.blending import BlendResult
from motionloom.motion import Clip, Constraint, Event, PointClip, Pose, Result
from motionloom.registration import RegistrationCurve

Value = npt.NDArray[Any] | str | bytes
Outputs = dict[str, Value]

TOLERANCE = 1e-12
"""Largest difference between numbers that count as the same, relative to the largest of the array or to 1."""

N_SAMPLES = 12
"""Values of an array that are kept beside its digest, evenly spaced."""

N_POINTS = 200
"""Moments along a registration curve at which it is sampled."""


def take_apart(name: str, result: object) -> Outputs:
    """Everything that a result holds, by name."""
    match result:
        case Clip():
            parts = _clip(result)
        case PointClip():
            parts = {"positions": result.positions, "frame_time": np.array(result.frame_time)}
            parts["names"] = "\n".join(result.names)
        case Pose():
            parts = {"root": result.root_positions.copy(), "rotations": result.rotations.copy()}
        case BlendResult():
            parts = _clip(result.clip)
            parts |= {"u": result.u, "weights": result.weights, "frames": result.frames}
            parts["placements"] = result.placements
        case Result():
            return take_apart(name, result.clip)
        case RegistrationCurve():
            parts = _curve(result)
        case Path():
            parts = {"bytes": result.read_bytes()}
        case Mapping():
            return _joined({f"{name}/{key}": value for key, value in result.items()})
        case str() | bytes() | np.ndarray():
            return {name: result}
        case bool() | int() | float():
            return {name: np.array(result, dtype=np.float64)}
        case Sequence():
            return _joined({f"{name}/{n}": value for n, value in enumerate(result)})
        case _:
            raise TypeError(f"{name}: {type(result).__name__} cannot be frozen")
    return {f"{name}/{part}": value for part, value in parts.items()}


def _joined(results: Mapping[str, object]) -> Outputs:
    return {key: value for name, result in results.items() for key, value in take_apart(name, result).items()}


def _clip(clip: Clip) -> Outputs:
    parts: Outputs = {
        "skeleton": "\n".join(clip.skeleton.names),
        "parents": clip.skeleton.parents,
        "offsets": clip.skeleton.offsets,
        "rest_rotations": clip.skeleton.rest_rotations,
        "frame_time": np.array(clip.frame_time),
        "root_positions": clip.root_positions,
        "rotations": clip.rotations,
        "cyclic": str(clip.cyclic),
        **_constraints(clip.constraints),
        **_events(clip.events),
    }
    if clip.translations is not None:
        parts["translations"] = clip.translations
    return parts


def _constraints(constraints: Sequence[Constraint]) -> Outputs:
    if not constraints:
        return {}
    rows = [
        [one.start, one.end, *one.point, *([np.nan] * 3 if one.target is None else one.target)]
        for one in constraints
    ]
    return {
        "constraints": np.array(rows),
        "constraint_names": "\n".join(f"{one.joint} {one.kind}" for one in constraints),
    }


def _events(events: Sequence[Event]) -> Outputs:
    if not events:
        return {}
    return {
        "events": np.array([event.frame for event in events]),
        "event_names": "\n".join(f"{event.label} {event.joint}" for event in events),
    }


VERDICTS = {
    "GOOD": "good: corresponding frames look alike",
    "DOUBTFUL": "doubtful: look at the blend before using it",
    "UNFIT": "do not blend: the clips hardly correspond",
}
"""How records that were kept before verdicts had shorter names call them."""


def _curve(curve: RegistrationCurve) -> Outputs:
    u = np.linspace(*curve.domain, N_POINTS)
    parts: Outputs = {
        "domain": np.array(curve.domain),
        "timewarp": curve.timewarp(u),
        "rates": curve.timewarp.derivative(u),
        "alignment": curve.alignment(u),
        "reference": np.array(curve.reference),
        "verdict": VERDICTS[curve.report.verdict.name],
    }
    for n, match in enumerate(curve.matches):
        parts[f"match {n}"] = match.spans
        parts[f"match {n} name"] = f"{match.joint} {match.kind} {match.sources} {match.split}"
    for n, clip in enumerate(curve.clips):
        parts[f"clip {n}"] = np.array([clip.n_frames, *clip.root_positions[0], *clip.root_positions[-1]])
    return parts


@dataclass(frozen=True)
class Digest:
    """What is kept of one output: its digest, its shape, and values to measure a difference by."""

    sha256: str
    shape: tuple[int, ...]
    samples: tuple[float, ...]

    @classmethod
    def of(cls, value: Value) -> Digest:
        """The digest of an array, a text or bytes."""
        if isinstance(value, np.ndarray):
            numbers = np.ascontiguousarray(value, dtype=np.float64)
            flat = numbers.reshape(-1)
            which = np.unique(np.linspace(0, len(flat) - 1, min(N_SAMPLES, len(flat))).astype(int))
            return cls(_sha(numbers.tobytes()), numbers.shape, tuple(map(float, flat[which])))
        data = value.encode() if isinstance(value, str) else value
        return cls(_sha(data), (len(data),), ())

    def difference(self, other: Digest) -> str | None:
        """How another digest differs, in words; None where both are of the same output."""
        if self.sha256 == other.sha256:
            return None
        if self.shape != other.shape:
            return f"shape {self.shape} became {other.shape}"
        if not self.samples:
            return "content differs"
        before, after = np.array(self.samples), np.array(other.samples)
        if not np.array_equal(np.isnan(before), np.isnan(after)):
            return "other values are missing"
        scale = max(1.0, float(np.nanmax(np.abs(before), initial=0.0)))
        error = float(np.nanmax(np.abs(before - after), initial=0.0)) / scale
        return None if error <= TOLERANCE else f"differs by {error:.2g} (relative, {len(before)} samples)"


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]
