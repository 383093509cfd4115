"""Write tables of positions, or of rotations with the skeleton's table beside them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.files.csv.read import POSITION, QUATERNION, SKELETON_COLUMNS, SKELETON_MARK, skeleton_path
from motionloom.files.text import check_size, content_mark
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, PointClip, Skeleton


def write_positions(clip: Clip | PointClip, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write the world positions of all joints or points.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_positions(PointClip(["heel"], 0.1, [[[0, 0.25, 0]]]), Path(folder, "heel.csv"))
    ...     Path(folder, "heel.csv").read_text().splitlines()
    ['frame,time,heel.x,heel.y,heel.z', '0,0.0,0.0,0.25,0.0']
    """
    points = isinstance(clip, PointClip)
    names = clip.names if isinstance(clip, PointClip) else clip.skeleton.names
    positions = clip.positions if isinstance(clip, PointClip) else clip.world_positions()
    columns = [f"{name}.{axis}" for name in names for axis in POSITION]
    rows = positions.reshape(len(positions), 3 * len(names))
    _check_writable(path, names, rows[~np.isnan(rows)] if points else rows)
    with atomic_output(path, overwrite) as temporary:
        _write_rows(temporary, columns, rows, clip.frame_time)


def write_rotations(clip: Clip, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write the root's positions and all local rotations, and the skeleton beside them."""
    names, translations = clip.skeleton.names, clip.translations
    columns: list[str] = []
    values: list[FloatArray] = []
    for joint, name in enumerate(names):
        if joint == 0 or translations is not None:
            columns += [f"{name}.{axis}" for axis in POSITION]
            values.append(
                clip.root_positions if joint == 0 or translations is None else translations[:, joint]
            )
        columns += [f"{name}.{part}" for part in QUATERNION]
        values.append(clip.rotations[:, joint])
    rows = np.concatenate(values, axis=1)
    _check_writable(path, names, rows)
    # The inner file is put in place first: where saving breaks off then, the mark in the motion tells that it
    # does not stand on its own bones. An older motion may have no mark.
    with (
        atomic_output(skeleton_path(Path(path)), overwrite) as skeleton,
        atomic_output(path, overwrite) as motion,
    ):
        _write_skeleton(skeleton, clip.skeleton)
        mark = f"{SKELETON_MARK}{content_mark(skeleton.read_bytes())}"
        _write_rows(motion, [*columns, mark], rows, clip.frame_time, end=",\n")


def _check_writable(path: str | PathLike[str], names: Iterable[str], rows: FloatArray) -> None:
    """Refuse what reading would refuse."""
    check_size(Path(path), float(np.abs(rows).max(initial=0.0)))
    for name in names:
        if not name or name != name.strip() or any(sign in name for sign in "\r\n\0"):
            raise MotionloomError(f"the name {name!r} cannot be written in a table", remedy="rename it first")


def _write_rows(
    path: Path, columns: Sequence[str], rows: FloatArray, frame_time: float, end: str = "\n"
) -> None:
    """Write a header and rows; ``end`` is what comes after the last number of each."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(["frame", "time", *columns])
        for frame, row in enumerate(rows):  # as a list, all of them would take four times their memory
            # Only NaN differs from itself.
            cells = ["" if cell != cell else repr(cell) for cell in row.tolist()]
            file.write(f"{frame},{frame * frame_time!r},{','.join(cells)}{end}")


def _write_skeleton(path: Path, skeleton: Skeleton) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(SKELETON_COLUMNS)
        for joint, parent in enumerate(skeleton.parents.tolist()):
            above = skeleton.names[parent] if parent >= 0 else ""
            rest = skeleton.rest_rotations[joint].tolist()
            table.writerow([skeleton.names[joint], above, *skeleton.offsets[joint].tolist(), *rest])
        for tip in skeleton.tips:
            table.writerow(["", skeleton.names[tip.joint], *tip.offset.tolist(), *rot.IDENTITY.tolist()])
