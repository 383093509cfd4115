"""Write a clip, given in the unit and axes of the file, as BVH."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, log10
from pathlib import Path

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.files.bvh import channels
from motionloom.files.bvh.mark import format_marked_offset
from motionloom.files.detection import make_root_unambiguous, root_offset_on_channels
from motionloom.files.text import check_size
from motionloom.geometry import rotations as rot
from motionloom.json_files import MAX_NUMBER
from motionloom.kernels.threads import run_in_slices
from motionloom.motion import Clip, Skeleton

DECIMALS = 6
"""Decimals in rows: a millionth of a degree and of a metre, or of a smaller unit."""

MAX_DECIMALS = 9
"""With more, the largest values that may be written do not print from a 64-bit integer."""

POSITIONS = ("Xposition", "Yposition", "Zposition")
DEFAULT_ROTATIONS = ("Zrotation", "Xrotation", "Yrotation")
MAX_LOST_ANGLE = 1e-7
"""Radians a joint with fewer than three rotation channels may lose before it is given all three."""


CHANNELS = frozenset(f"{axis}{kind}" for axis in "XYZ" for kind in ("rotation", "position"))
"""The names of channels; a source that comes from elsewhere may have others."""


def write_bvh(clip: Clip, path: Path, *, overwrite: bool = False) -> None:
    """Write a clip that is already in the unit and axes of the file.

    Channels are those of ``clip.source`` where it has BVH channels, with more where the motion needs them.
    """
    _check_names(clip.skeleton)
    clip = make_root_unambiguous(clip, _widen_channels(clip)[0])
    channel_names = _widen_channels(clip)
    layout = channels.make_layout(channel_names, _first_columns(clip.skeleton, channel_names))
    roots = clip.root_positions
    if clip.source.root_offset == "relative":
        roots = roots - root_offset_on_channels(clip.skeleton, channel_names[0])
    rows = channels.rows_from(clip.rotations, clip.translations, roots, clip.skeleton.offsets, layout)
    _check_sizes(path, rows, clip.skeleton)
    header = "\n".join(_header(clip, channel_names)) + "\n"
    header += f"MOTION\nFrames: {clip.n_frames}\nFrame Time: {clip.frame_time!r}\n"
    with atomic_output(path, overwrite=overwrite) as temporary, open(temporary, "wb") as file:
        file.write(header.encode("utf-8"))
        for part in _format_rows(rows, _decimals(clip.source.metres_per_unit)):
            file.write(part)


def _widen_channels(clip: Clip) -> list[tuple[str, ...]]:
    """Return channel names per joint: the source's, with what the motion needs and the source lacks."""
    source, n_joints = clip.source, clip.skeleton.n_joints
    channel_names: list[tuple[str, ...]] = [
        (*POSITIONS, *DEFAULT_ROTATIONS),
        *[DEFAULT_ROTATIONS] * (n_joints - 1),
    ]
    own = {name for names in source.channels or () for name in names} <= CHANNELS
    if source.format == "bvh" and own and source.channels and len(source.channels) == n_joints:
        channel_names = list(source.channels)
    for joint, names in enumerate(channel_names):
        lacking = [axis for axis, name in enumerate(POSITIONS) if name not in names]
        if _leaves_offset(clip, joint, lacking):
            names = (*(POSITIONS[axis] for axis in lacking), *names)
        if _loses_rotation(clip.rotations[:, joint], names):
            names = (*names, *(name for name in DEFAULT_ROTATIONS if name not in names))
        channel_names[joint] = names
    return channel_names


def _leaves_offset(clip: Clip, joint: int, axes: Sequence[int]) -> bool:
    """Tell whether a joint's local position leaves its offset on axes that have no channel."""
    positions = clip.root_positions if joint == 0 else None
    if joint > 0 and clip.translations is not None:
        positions = clip.translations[:, joint]
    offsets = clip.skeleton.offsets
    return positions is not None and channels.leaves_rest(positions[:, axes], offsets[joint, axes], offsets)


def _loses_rotation(rotations: FloatArray, names: Sequence[str]) -> bool:
    """Tell whether rotations (T, 4) need more axes than the channels name."""
    axes = channels.rotation_order(names)
    if len(axes) == 3 or len(rotations) == 0:
        return False
    order = rot.complete_order(axes)
    spare = [n for n, axis in enumerate(order) if axis not in axes]
    return bool(np.abs(rot.to_euler(rotations, order)[:, spare]).max() > MAX_LOST_ANGLE)


def _check_names(skeleton: Skeleton) -> None:
    for name in skeleton.names:
        try:
            words = name.encode("utf-8").split()
        except UnicodeEncodeError:
            words = []
        if not words or b" ".join(words) != name.encode("utf-8") or any(sign in name for sign in "{}"):
            raise MotionloomError(
                f"the joint name {name!r} cannot be written in a BVH file", remedy="rename the joint first"
            )


def _depth_first(skeleton: Skeleton) -> Iterator[tuple[int, int]]:
    """Return joints and their depths in the order in which a file lists them."""
    pending = [(0, 0)]
    while pending:
        joint, depth = pending.pop()
        yield joint, depth
        pending.extend((child, depth + 1) for child in reversed(skeleton.children(joint)))


def _first_columns(skeleton: Skeleton, channel_names: Sequence[Sequence[str]]) -> list[int]:
    """Return each joint's first column: rows follow the order of the hierarchy."""
    firsts, column = [0] * skeleton.n_joints, 0
    for joint, _ in _depth_first(skeleton):
        firsts[joint] = column
        column += len(channel_names[joint])
    return firsts


def _header(clip: Clip, channel_names: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return the lines of the HIERARCHY section."""
    skeleton = clip.skeleton
    yield "HIERARCHY"
    open_depth = 0
    for joint, depth in _depth_first(skeleton):
        # Close the braces of the joints that this one does not hang on.
        yield from ("\t" * d + "}" for d in range(open_depth - 1, depth - 1, -1))
        open_depth = depth + 1
        indent = "\t" * depth
        yield f"{indent}{'JOINT' if depth else 'ROOT'} {skeleton.names[joint]}"
        yield f"{indent}{{"
        offset = skeleton.offsets[joint]
        numbers = _format_numbers(offset) if depth else format_marked_offset(offset.tolist(), clip.source)
        yield f"{indent}\tOFFSET {numbers}"
        yield " ".join([f"{indent}\tCHANNELS", str(len(channel_names[joint])), *channel_names[joint]])
        for tip in skeleton.tips:
            if tip.joint == joint:
                yield f"{indent}\tEnd Site"
                yield f"{indent}\t{{"
                yield f"{indent}\t\tOFFSET {_format_numbers(tip.offset)}"
                yield f"{indent}\t}}"
    yield from ("\t" * d + "}" for d in range(open_depth - 1, -1, -1))


def _format_numbers(values: FloatArray) -> str:
    return " ".join(f"{value:.12g}" for value in values)


def _check_sizes(path: Path, rows: FloatArray, skeleton: Skeleton) -> None:
    for values in (rows, skeleton.offsets, *(tip.offset for tip in skeleton.tips)):
        check_size(path, float(max(values.max(initial=0.0), -values.min(initial=0.0))))


def _decimals(metres_per_unit: float) -> int:
    """Return digits after the point for this unit: a length unit above a metre needs more of them."""
    return min(MAX_DECIMALS, DECIMALS + max(0, ceil(log10(metres_per_unit))))


def _format_rows(rows: FloatArray, decimals: int) -> list[memoryview]:
    """Return the rows as text, one part per thread."""
    parts: dict[int, memoryview] = {}
    widest = len(f"-{MAX_NUMBER:.0f}") + len(".") + decimals + len(" ")

    def run(start: int, stop: int) -> None:
        out = np.empty((stop - start) * rows.shape[1] * widest, dtype=np.uint8)
        n_bytes = kernels.text.format_rows(rows, decimals, out, np.empty(24, np.uint8), start, stop)
        parts[start] = out[:n_bytes].data

    if rows.shape[1]:
        run_in_slices(len(rows), run, weight=rows.shape[1])
    return [parts[start] for start in sorted(parts)]
