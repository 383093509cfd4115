"""Convert channel columns to local rotations and positions, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze, read_only_view
from motionloom.geometry import rotations as rot
from motionloom.kernels.threads import run_in_slices

AXES = "XYZ"
MAX_STILL = 1e-5
"""Fraction of the largest offset within which translations count as still: the digits files print."""

MAX_ADDED_FRACTION = 0.1
"""Fraction of the offsets below which the median of position channels shows that they add to them."""


@dataclass(frozen=True)
class Layout:
    """Which column of a row drives what.

    ``rotation_columns`` and ``rotation_axes`` (J, 3) list a joint's rotations, outermost first. Where there
    are fewer than three, the missing axes are filled in and their columns are −1.
    ``position_columns`` (J, 3) are the columns of x, y and z, −1 where a joint has none.
    """

    rotation_columns: IntArray
    rotation_axes: IntArray
    position_columns: IntArray

    @property
    def n_columns(self) -> int:
        """One more than the last column used."""
        return 1 + int(max(self.rotation_columns.max(initial=-1), self.position_columns.max(initial=-1)))


def rotation_order(names: Sequence[str]) -> str:
    """Return the letters of the rotation channels, outermost first.

    >>> rotation_order(["Xposition", "Zrotation", "Xrotation"])
    'ZX'
    """
    return "".join(name[0] for name in names if name.endswith("rotation"))


def make_layout(channels: Sequence[Sequence[str]], first_columns: Sequence[int]) -> Layout:
    """Return the layout of joints with these channels, each joint's columns beginning where stated."""
    n_joints = len(channels)
    rotations, axes, positions = (np.full((n_joints, 3), -1, dtype=np.int64) for _ in range(3))
    for joint, (names, first) in enumerate(zip(channels, first_columns, strict=True)):
        axes[joint], turning, moving = _describe_channels(tuple(names))
        for rank, n in turning:
            rotations[joint, rank] = first + n
        for axis, n in moving:
            positions[joint, axis] = first + n
    return Layout(freeze(rotations), freeze(axes), freeze(positions))


@lru_cache(maxsize=64)
def _describe_channels(
    names: tuple[str, ...],
) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Return a joint's axes of rotation, outermost first, and where its rotations and positions belong.

    Each is an index among the rotations, or an axis, and the number of the channel. Most joints of a file
    have the same channels.
    """
    order = rot.complete_order(rotation_order(names))
    turning = [(order.index(name[0]), n) for n, name in enumerate(names) if name.endswith("rotation")]
    moving = [(AXES.index(name[0]), n) for n, name in enumerate(names) if not name.endswith("rotation")]
    return tuple(map(AXES.index, order)), tuple(turning), tuple(moving)


def rotations_from(values: FloatArray, layout: Layout) -> FloatArray:
    """Return local rotations (T, J, 4) of rows (T, C) of angles in degrees."""
    n_joints = len(layout.rotation_columns)
    rotations = np.empty((len(values), n_joints, 4))
    given = read_only_view(values), layout.rotation_columns, layout.rotation_axes
    convert = kernels.channels.rotations_from_channels
    run_in_slices(len(values), lambda start, stop: convert(*given, rotations, start, stop), weight=n_joints)
    return freeze(rotations)


def root_positions_from(values: FloatArray, layout: Layout, offset: FloatArray) -> FloatArray:
    """Return root positions (T, 3): the channels where there are any, else the root's offset (3,)."""
    positions = np.empty((len(values), 3))
    for axis, column in enumerate(layout.position_columns[0].tolist()):
        positions[:, axis] = offset[axis] if column < 0 else values[:, column]
    return freeze(positions)


def joint_positions_from(
    values: FloatArray, layout: Layout, offsets: FloatArray, notes: list[str]
) -> tuple[FloatArray, FloatArray | None]:
    """Return offsets (J, 3), and local positions (T, J, 3) where joints below the root leave them, else None.

    Position channels replace the OFFSET. They add to it in files whose channels stay near zero where the
    offsets do not, and they become the offsets of files that state none.
    """
    joints, axes = np.nonzero(layout.position_columns[1:] >= 0)
    if len(joints) == 0 or len(values) == 0:
        return offsets, None
    joints = joints + 1
    positions = values[:, layout.position_columns[joints, axes]]
    median = np.median(positions, axis=0)
    if not offsets[1:].any() and median.any():
        offsets = offsets.copy()
        offsets[joints, axes] = median
        notes.append("all joints have an OFFSET of zero: the median of their position channels was used")
    elif np.abs(median).sum() < MAX_ADDED_FRACTION * np.abs(offsets[joints, axes]).sum():
        positions = positions + offsets[joints, axes]
        notes.append("the position channels of joints stay near zero: they were added to the OFFSETs")
    if not leaves_rest(positions, offsets[joints, axes], offsets):
        return offsets, None
    local = np.tile(offsets, (len(values), 1, 1))
    local[:, joints, axes] = positions
    return offsets, freeze(local)


def leaves_rest(positions: FloatArray, rest: FloatArray, offsets: FloatArray) -> bool:
    """Tell whether positions (T, ...) differ from those at rest (...) by more than the digits of offsets."""
    return bool(np.abs(positions - rest).max(initial=0.0) > MAX_STILL * np.abs(offsets[1:]).max(initial=0.0))


def rows_from(
    rotations: FloatArray,
    translations: FloatArray | None,
    root_positions: FloatArray,
    offsets: FloatArray,
    layout: Layout,
) -> FloatArray:
    """Return rows (T, C) of channel values: positions, and angles in degrees without jumps between rows."""
    n_frames, n_joints = rotations.shape[:2]
    rows = np.zeros((n_frames, layout.n_columns))
    given = read_only_view(rotations), layout.rotation_columns, layout.rotation_axes
    convert = kernels.channels.channels_from_rotations
    run_in_slices(n_frames, lambda start, stop: convert(*given, rows, start, stop), weight=n_joints)
    kernels.channels.make_continuous(rows, layout.rotation_columns)
    for joint, axis in np.argwhere(layout.position_columns >= 0).tolist():
        column = layout.position_columns[joint, axis]
        if joint == 0:
            rows[:, column] = root_positions[:, axis]
        else:
            rows[:, column] = offsets[joint, axis] if translations is None else translations[:, joint, axis]
    return rows
