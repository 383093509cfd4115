"""Read a BVH file into a clip as the file states it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.bvh import channels
from motionloom.files.bvh.hierarchy import Hierarchy, Node, read_hierarchy
from motionloom.files.bvh.mark import read_mark
from motionloom.files.bvh.motion import COMMA_NOTE, read_rows
from motionloom.files.notes import Note
from motionloom.files.text import TextFile, read_text, unique_names
from motionloom.jobs.budget import Budget
from motionloom.messages import Argument
from motionloom.motion import Clip, Skeleton, Source, Tip
from motionloom.validation import MAX_FRAME_TIME, MIN_FRAME_TIME


def read_bvh(
    path: Path,
    *,
    frame_time: float | None = None,
    root: str | None = None,
    all_rows: bool = False,
    max_memory: int | None = None,
) -> Clip:
    """Read a BVH file in its own unit and axes; root positions are the bare channel values.

    The source states unit, up axis and root offset where this package wrote the file, and no unit otherwise.

    Parameters
    ----------
    path
        The file.
    frame_time
        Seconds per frame, in place of the file's own.
    root
        Which ROOT to read when the file holds several; the first by default.
    all_rows
        Read rows beyond the number that the file announces.
    max_memory
        Bytes that reading may take, in place of the usual budget.
    """
    file = read_text(path)
    hierarchy = read_hierarchy(file)
    rows = read_rows(file, hierarchy.end, hierarchy.n_columns, all_rows)
    Budget(path, max_memory).claim_samples(len(rows.values), len(hierarchy.nodes))
    notes = [*file.notes, *hierarchy.notes, *rows.notes]
    if hierarchy.decimal_commas and COMMA_NOTE not in notes:
        notes.append(COMMA_NOTE)
    nodes = _select_root(file, hierarchy, root, notes)
    channel_names = tuple(node.channels or () for node in nodes)
    layout = channels.make_layout(channel_names, [node.first_column for node in nodes])
    stated = np.array([node.offset for node in nodes])
    offsets, translations = channels.joint_positions_from(rows.values, layout, stated, notes)
    skeleton = _skeleton(nodes, offsets, notes)
    source = Source(str(path), "bvh", unit="", channels=channel_names, notes=tuple(notes))
    return Clip(
        skeleton,
        _frame_time(file, rows.frame_time, frame_time),
        channels.root_positions_from(rows.values, layout, offsets[0]),
        channels.rotations_from(rows.values, layout),
        translations=translations,
        source=read_mark(file.content[: hierarchy.end], source),
    )


def _select_root(file: TextFile, hierarchy: Hierarchy, root: str | None, notes: list[str]) -> list[Node]:
    """Return the joints below one root, with parents counted from it."""
    starts = [n for n, node in enumerate(hierarchy.nodes) if node.parent < 0]
    names = [hierarchy.nodes[n].name for n in starts]
    if root is not None and root not in names:
        raise ParameterError(f"{file.path} has no ROOT {root!r}: its roots are {', '.join(map(repr, names))}")
    which = 0 if root is None else names.index(root)
    if len(starts) > 1 and root is None:
        text = f"the file holds {len(starts)} roots ({', '.join(map(repr, names))}): {names[0]!r} was read"
        notes.append(Note("root", text, remedy=("select another with ", Argument("root"))))
    first, last = starts[which], [*starts, len(hierarchy.nodes)][which + 1]
    nodes = hierarchy.nodes[first:last]
    return nodes if first == 0 else [replace(node, parent=max(node.parent - first, -1)) for node in nodes]


def _skeleton(nodes: Sequence[Node], offsets: FloatArray, notes: list[str]) -> Skeleton:
    names = unique_names(node.name for node in nodes)
    for node, name in zip(nodes, names, strict=True):
        if name != node.name:
            notes.append(f"line {node.line}: a second joint {node.name!r} was renamed {name!r}")
    tips = [Tip(n, np.array(offset)) for n, node in enumerate(nodes) for offset in node.tips]
    return Skeleton(names, np.array([node.parent for node in nodes]), offsets, tips=tuple(tips))


def _frame_time(file: TextFile, stated: float | None, wanted: float | None) -> float:
    if wanted is not None:
        return wanted
    if stated is None:
        raise FileFormatError(file.path, "states no Frame Time", remedy=("state it with ", Argument("fps")))
    if not MIN_FRAME_TIME <= stated <= MAX_FRAME_TIME:
        raise FileFormatError(
            file.path,
            f"its Frame Time of {stated:g} s is not from {MIN_FRAME_TIME:g} s to {MAX_FRAME_TIME:g} s",
            remedy=("state it with ", Argument("fps")),
        )
    return stated
