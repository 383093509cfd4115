"""Read animation channels: keys of a node's translation, rotation or scale, and their values at frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.files.gltf.document import Entry, GltfDocument, read_accessor
from motionloom.files.gltf.frame_grid import FrameGrid
from motionloom.files.notes import note_animations
from motionloom.geometry import rotations as rot

Path = Literal["translation", "rotation", "scale"]
PATHS: tuple[Path, ...] = ("translation", "rotation", "scale")

INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")


@dataclass(frozen=True)
class Channel:
    """Keys of one property of a node.

    Attributes
    ----------
    node, path
        Which property of which node.
    times
        (K,) seconds, never decreasing.
    values
        (K, 3), or (K, 4) rotations with w first; with ``CUBICSPLINE`` (K, 3, …): in-tangent, value,
        out-tangent.
    interpolation
        ``LINEAR``, ``STEP`` or ``CUBICSPLINE``.
    """

    node: int
    path: Path
    times: FloatArray
    values: FloatArray
    interpolation: str

    def at_frames(self, grid: FrameGrid) -> FloatArray:
        """Return the values (T, 3) or rotations (T, 4) at all frames, held before and after the keys."""
        positions = grid.positions_of(self.times)
        cubic = self.interpolation == "CUBICSPLINE"
        plain = self.values[:, 1] if cubic else self.values
        if len(positions) == grid.n_frames and np.array_equal(positions, np.arange(grid.n_frames)):
            found = plain
        elif len(positions) == 1:
            found = np.broadcast_to(plain, (grid.n_frames, plain.shape[1]))
        elif cubic:
            found = self._hermite(positions, grid)
        else:
            found = self._interpolate(positions, grid.n_frames)
        return rot.normalize(found) if self.path == "rotation" else found

    def _interpolate(self, positions: FloatArray, n_frames: int) -> FloatArray:
        before, fraction = _find_intervals(positions, n_frames)
        if self.interpolation == "STEP":
            return np.asarray(self.values[before + (fraction >= 1.0)])
        start, end = self.values[before], self.values[before + 1]
        if self.path == "rotation":
            return rot.slerp(rot.normalize(start), rot.normalize(end), fraction)
        return start + fraction[:, None] * (end - start)

    def _hermite(self, positions: FloatArray, grid: FrameGrid) -> FloatArray:
        """Evaluate Hermite curves through the keys; tangents are changes per second."""
        before, fraction = _find_intervals(positions, grid.n_frames)
        u = fraction[:, None]
        seconds = (positions[before + 1] - positions[before])[:, None] * grid.frame_time
        start, leaving = self.values[before, 1], self.values[before, 2]
        entering, end = self.values[before + 1, 0], self.values[before + 1, 1]
        return np.asarray(
            (2.0 * u**3 - 3.0 * u**2 + 1.0) * start
            + seconds * (u**3 - 2.0 * u**2 + u) * leaving
            + (3.0 * u**2 - 2.0 * u**3) * end
            + seconds * (u**3 - u**2) * entering
        )


def _find_intervals(
    positions: FloatArray, n_frames: int
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], FloatArray]:
    """Find for each frame the key before it, and the fraction (0 to 1) of the time to the next key."""
    frames = np.arange(n_frames, dtype=np.float64)
    before = np.clip(np.searchsorted(positions, frames, side="right") - 1, 0, len(positions) - 2)
    length = positions[before + 1] - positions[before]
    since = frames - positions[before]
    fraction = np.where(length > 0.0, since / np.where(length > 0.0, length, 1.0), since >= 0.0)
    return before, np.clip(fraction, 0.0, 1.0)


def choose_animation(document: GltfDocument, wanted: str | int | None, notes: list[str]) -> Entry | None:
    """Return the animation with this name or index, or the first; None where the file has none."""
    animations = document.entries("animations")
    names = [entry.text("name", "") for entry in animations]
    shown = [f"{n} {name!r}" for n, name in enumerate(names[:50])]
    if wanted is None:
        if len(animations) > 1:
            notes.append(note_animations(shown, "the first"))
        return animations[0] if animations else None
    if isinstance(wanted, str) and wanted in names:
        return animations[names.index(wanted)]
    number = int(wanted) if isinstance(wanted, str) and wanted.isdecimal() else wanted
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(animations):
        return animations[number]
    raise ParameterError(
        f"{document.path} has no animation {wanted!r}: its animations are {', '.join(shown) or 'none'}"
    )


def nodes_of_animation(animation: Entry | None) -> set[int]:
    """Return the nodes that an animation moves."""
    return set() if animation is None else {node for _, node, _ in _targets(animation)}


def read_channels(animation: Entry, nodes: set[int]) -> list[Channel]:
    """Return the channels of an animation that move the given nodes."""
    samplers = animation.objects("samplers")
    times: dict[int, FloatArray] = {}
    channels = []
    for channel, node, path in _targets(animation):
        if node in nodes:
            number = channel.integer("sampler")
            if number >= len(samplers):
                channel.refuse("sampler", f"one of the {len(samplers)} samplers")
            channels.append(_channel(samplers[number], node, path, times))
    return channels


def _targets(animation: Entry) -> list[tuple[Entry, int, Path]]:
    """Return the channels that move nodes; those of morph targets and extensions are ignored."""
    found: list[tuple[Entry, int, Path]] = []
    seen: set[tuple[int, Path]] = set()
    for channel in animation.objects("channels"):
        target = channel.object("target")
        for path in PATHS:
            if target.values.get("path") == path and "node" in target.values:
                key = target.index("node", "nodes"), path
                if key in seen:
                    target.refuse("node", "moved by one channel only")
                seen.add(key)
                found.append((channel, *key))
    return found


def _channel(sampler: Entry, node: int, path: Path, times: dict[int, FloatArray]) -> Channel:
    document = sampler.document
    source = sampler.index("input", "accessors")
    if source not in times:
        times[source] = _times(document, source)
    interpolation = sampler.text("interpolation", "LINEAR")
    if interpolation not in INTERPOLATIONS:
        sampler.refuse("interpolation", f"one of {', '.join(INTERPOLATIONS)}")
    values = read_accessor(
        document, sampler.index("output", "accessors"), "VEC4" if path == "rotation" else "VEC3"
    )
    n_keys, per_key = len(times[source]), 3 if interpolation == "CUBICSPLINE" else 1
    if len(values) != n_keys * per_key:
        document.refuse(sampler.where, f"has {n_keys} times and {len(values)} values")
    if per_key == 3:
        values = values.reshape(n_keys, 3, -1)
    if path == "rotation":
        values = values[..., [3, 0, 1, 2]]
        quaternions = values[:, 1] if per_key == 3 else values
        if not (np.abs(quaternions).max(axis=-1) > 0.0).all():
            document.refuse(sampler.where, "holds a quaternion of length zero")
    return Channel(node, path, times[source], values, interpolation)


def _times(document: GltfDocument, index: int) -> FloatArray:
    times = read_accessor(document, index, "SCALAR")[:, 0]
    if len(times) == 0 or (np.diff(times) < 0.0).any():
        document.refuse(f"accessors[{index}]", "must hold times that never decrease")
    return times
