"""Channel columns to local rotations and positions, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze, read_only_view
from motionloom.geometry import rotations as rot
from motionloom.kernels.threads import over_slices

AXES = "XYZ"
STILL = 1e-5
"""Share of the largest offset within which translations count as still: the digits files print."""

ADDED_SHARE = 0.1
"""Share of the offsets that position channels which add to them stay below, in the middle of all frames."""


@dataclass(frozen=True)
class Layout:
    """Which column of a row drives what.

    ``rotation_columns`` and ``rotation_axes`` (J, 3) list a joint's turns, outermost first. Where there are
    fewer than three, the missing axes are filled in and their columns are −1.
    ``position_columns`` (J, 3) are the columns of x, y and z, −1 where a joint has none.
    """

    rotation_columns: IntArray
    rotation_axes: IntArray
    position_columns: IntArray

    @property
    def n_columns(self) -> int:
        """One more than the last column used."""
        return 1 + int(max(self.rotation_columns.max(initial=-1), self.position_columns.max(initial=-1)))


def turn_order(names: Sequence[str]) -> str:
    """The letters of the rotation channels, outermost first.

    >>> turn_order(["Xposition", "Zrotation", "Xrotation"])
    'ZX'
    """
    return "".join(name[0] for name in names if name.endswith("rotation"))


def layout_of(channels: Sequence[Sequence[str]], first_columns: Sequence[int]) -> Layout:
    """The layout of joints with these channels, each joint's columns beginning where stated."""
    n_joints = len(channels)
    turns, axes, moves = (np.full((n_joints, 3), -1, dtype=np.int64) for _ in range(3))
    for joint, (names, first) in enumerate(zip(channels, first_columns, strict=True)):
        order = rot.complete_order(turn_order(names))
        axes[joint] = [AXES.index(axis) for axis in order]
        for n, name in enumerate(names):
            if name.endswith("rotation"):
                turns[joint, order.index(name[0])] = first + n
            else:
                moves[joint, AXES.index(name[0])] = first + n
    return Layout(freeze(turns), freeze(axes), freeze(moves))


def rotations_from(values: FloatArray, layout: Layout) -> FloatArray:
    """Local rotations (T, J, 4) of rows (T, C) of angles in degrees."""
    n_joints = len(layout.rotation_columns)
    rotations = np.empty((len(values), n_joints, 4))
    given = read_only_view(values), layout.rotation_columns, layout.rotation_axes
    convert = kernels.channels.rotations_from_channels
    over_slices(len(values), lambda start, stop: convert(*given, rotations, start, stop), weight=n_joints)
    return freeze(rotations)


def root_positions_from(values: FloatArray, layout: Layout, offset: FloatArray) -> FloatArray:
    """Root positions (T, 3): the channels where there are any, else the root's offset (3,)."""
    positions = np.empty((len(values), 3))
    for axis, column in enumerate(layout.position_columns[0].tolist()):
        positions[:, axis] = offset[axis] if column < 0 else values[:, column]
    return freeze(positions)


def joint_places_from(
    values: FloatArray, layout: Layout, offsets: FloatArray, notes: list[str]
) -> tuple[FloatArray, FloatArray | None]:
    """Offsets (J, 3), and local joint positions (T, J, 3) where joints leave them, else None; not the root's.

    Position channels replace the OFFSET. They add to it in files whose channels stay near zero where the
    offsets do not, and they also make the offsets of files that state none.
    """
    joints, axes = np.nonzero(layout.position_columns[1:] >= 0)
    if len(joints) == 0 or len(values) == 0:
        return offsets, None
    joints = joints + 1
    places = values[:, layout.position_columns[joints, axes]]
    middle = np.median(places, axis=0)
    if not offsets[1:].any() and middle.any():
        offsets = offsets.copy()
        offsets[joints, axes] = middle
        notes.append("all joints have an OFFSET of zero; the middle of their position channels was taken")
    elif np.abs(middle).sum() < ADDED_SHARE * np.abs(offsets[joints, axes]).sum():
        places = places + offsets[joints, axes]
        notes.append("the position channels of joints stay near zero; they were added to the OFFSETs")
    if not leaves(places, offsets[joints, axes], offsets):
        return offsets, None
    positions = np.tile(offsets, (len(values), 1, 1))
    positions[:, joints, axes] = places
    return offsets, freeze(positions)


def leaves(places: FloatArray, rest: FloatArray, offsets: FloatArray) -> bool:
    """Whether places (T, ...) differ from those at rest (...) by more than digits of a skeleton's offsets."""
    return bool(np.abs(places - rest).max(initial=0.0) > STILL * np.abs(offsets[1:]).max(initial=0.0))


def rows_from(
    rotations: FloatArray,
    translations: FloatArray | None,
    root_positions: FloatArray,
    offsets: FloatArray,
    layout: Layout,
) -> FloatArray:
    """Rows (T, C) of channel values: angles in degrees that do not jump from row to row, and positions."""
    n_frames, n_joints = rotations.shape[:2]
    rows = np.zeros((n_frames, layout.n_columns))
    given = read_only_view(rotations), layout.rotation_columns, layout.rotation_axes
    convert = kernels.channels.channels_from_rotations
    over_slices(n_frames, lambda start, stop: convert(*given, rows, start, stop), weight=n_joints)
    kernels.channels.make_continuous(rows, layout.rotation_columns)
    for joint, axis in np.argwhere(layout.position_columns >= 0).tolist():
        column = layout.position_columns[joint, axis]
        if joint == 0:
            rows[:, column] = root_positions[:, axis]
        else:
            rows[:, column] = offsets[joint, axis] if translations is None else translations[:, joint, axis]
    return rows
