"""Saved motion graphs: takes, transitions with their own frames, and the report; `load_graph` reads them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray, IntArray, check_array, freeze
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.formats import find_formats
from motionloom.files.load_save import load_clip
from motionloom.files.native.archive import Arrays, read_archive, write_archive
from motionloom.files.native.clips import pack_clip, unpack_clip
from motionloom.files.native.registrations import part_of
from motionloom.geometry import GroundTransform
from motionloom.graphs.edge import Edge
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.node import GraphNode
from motionloom.graphs.prune import NOWHERE
from motionloom.graphs.report import GraphReport
from motionloom.graphs.unify_takes import unify_takes
from motionloom.json_files import JsonFields, check_plain_file
from motionloom.messages import Argument
from motionloom.motion import Clip, Constraint, Event
from motionloom.motion.result import ClipLike
from motionloom.spaces.register_examples import HasClip
from motionloom.transitions.segment import crop_annotations
from motionloom.validation import check_path

FORMAT = "motionloom graph"
VERSION = 1

COLUMNS = ("source", "departure", "target", "landing", "n_frames")
"""Whole numbers of an edge in a file; yaw, x and z, distance, seam and slide follow."""

EDGES = "edges."
"""Prefix of the names of arrays that belong to the frames of edges."""


def save_graph(
    graph: MotionGraph, path: str | PathLike[str], *, carry: bool = True, overwrite: bool = False
) -> Path:
    """Write a graph to a ``.npz`` file.

    Parameters
    ----------
    graph
        The graph.
    path
        The file.
    carry
        Whether the file holds the takes. Without them it is smaller, and the takes are read again from their
        files, which must give the same motion.
    overwrite
        Replace an existing file.
    """
    path = check_path(path)
    find_formats(path, "written with a motion graph", lambda format: format.id == "npz")
    arrays: Arrays = {}
    takes = []
    for n, node in enumerate(graph.nodes):
        clip = node.clip.arranged()
        entry: dict[str, Any] = {
            "name": node.name,
            "tags": list(node.tags),
            "path": _relative_path(clip, path),
            "hash": clip.content_hash(),
        }
        if carry:
            entry["clip"], own = pack_clip(clip, path)
            arrays |= {f"take{n}.{name}": array for name, array in own.items()}
        elif not entry["path"]:
            raise ParameterError(
                f"{node.name} was never in a file", remedy="save the graph with its takes (carry)"
            )
        takes.append(entry)
    edges, own = pack_clip(_join_edges(graph), path)
    arrays |= {f"{EDGES}{name}": array for name, array in own.items()}
    arrays |= _tabulate(graph)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "takes": takes,
        "edges": edges,
        "report": asdict(graph.report),
    }
    write_archive(path, header, arrays, overwrite)
    return path


def _relative_path(clip: Clip, path: Path) -> str:
    if not clip.source.path:
        return ""
    return Path(os.path.relpath(os.path.abspath(clip.source.path), os.path.abspath(path.parent))).as_posix()


def _join_edges(graph: MotionGraph) -> Clip:
    """Return the frames of all edges one after the other, each between copies of its first and last frame.

    So constraints that reach from departure to landing are told apart.
    """
    clips = [edge.clip for edge in graph.edges]
    repeated = [np.r_[0, np.arange(clip.n_frames), clip.n_frames - 1] for clip in clips]
    starts = np.concatenate([[0], np.cumsum([len(own) for own in repeated])])
    shifts = [float(start + 1) for start in starts[:-1].tolist()]
    moving = any(clip.translations is not None for clip in clips)
    parts = list(zip(clips, repeated, strict=True))
    return replace(
        graph.nodes[0].clip,
        root_positions=np.concatenate([clip.root_positions[own] for clip, own in parts]),
        rotations=np.concatenate([clip.rotations[own] for clip, own in parts]),
        translations=np.concatenate([clip.local_positions()[own] for clip, own in parts]) if moving else None,
        constraints=tuple(
            c.retimed(1.0, shift) for clip, shift in zip(clips, shifts, strict=True) for c in clip.constraints
        ),
        events=tuple(
            e.retimed(1.0, shift) for clip, shift in zip(clips, shifts, strict=True) for e in clip.events
        ),
        arrangement=None,
    )


def _tabulate(graph: MotionGraph) -> Arrays:
    rows = [
        [float(getattr(edge, name)) for name in COLUMNS]
        + [*edge.displacement.row().tolist(), edge.distance, edge.seam, edge.slide]
        for edge in graph.edges
    ]
    return {
        "table": np.array(rows),
        "weights": np.concatenate([edge.weights for edge in graph.edges]),
        "frames": np.concatenate([edge.frames for edge in graph.edges]),
        "placements": np.concatenate([edge.placements for edge in graph.edges]),
    }


def load_graph(path: str | PathLike[str], clips: Sequence[ClipLike | HasClip] | None = None) -> MotionGraph:
    """Read a saved motion graph.

    Parameters
    ----------
    path
        A ``.npz`` file.
    clips
        The clips that the graph was made of, where the file does not hold its takes and they are not found
        where they were.

    Returns
    -------
    MotionGraph
        The graph.

    Raises
    ------
    FileFormatError
        The file is damaged, or a take is missing or has changed.

    >>> import motionloom as ml
    >>> walks = ml.load("walks.npz", ml.MotionGraph)              # doctest: +SKIP
    """
    path = check_path(path)
    check_plain_file(path)
    header, arrays = read_archive(path, FORMAT, VERSION)
    try:
        nodes = _read_nodes(path, header, arrays, clips)
        graph = MotionGraph.restore(
            nodes, _read_edges(header, arrays, nodes), _read_report(header.object("report"))
        )
        if (graph.edge_parts == NOWHERE).any():
            raise ParameterError("some of its transitions lead nowhere")
        return graph
    except KeyError as error:
        raise FileFormatError(path, f"is damaged: it has no array {error}") from None
    except FileFormatError:
        raise
    except (MotionloomError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise FileFormatError(path, f"holds no valid motion graph: {error}") from None


def _read_nodes(
    path: Path, header: JsonFields, arrays: Arrays, clips: Sequence[ClipLike | HasClip] | None
) -> tuple[GraphNode, ...]:
    """Return the takes that the file holds; or those that were given or are found, prepared again."""
    entries = header.objects("takes")
    if not entries:
        raise ParameterError("it has no takes")
    names = [entry.text("name") for entry in entries]
    tags = [entry.texts("tags") for entry in entries]
    if len(set(names)) < len(names):
        raise ParameterError("two of its takes have the same name")
    if clips is None and all(entry.values.get("clip") is not None for entry in entries):
        found = [
            unpack_clip(entry.object("clip"), part_of(arrays, f"take{n}.")) for n, entry in enumerate(entries)
        ]
        nodes = tuple(
            GraphNode(name, _check_take(clip).body, own)
            for name, clip, own in zip(names, found, tags, strict=True)
        )
    else:
        given = [_find_take(path, entry) for entry in entries] if clips is None else list(clips)
        if len(given) != len(entries):
            raise ParameterError(f"it has {len(entries)} takes, but {len(given)} clips were given")
        nodes, _ = unify_takes(given, names=names, tags=tags)
    for node, entry in zip(nodes, entries, strict=True):
        if node.clip.arranged().content_hash() != entry.text("hash"):
            raise FileFormatError(
                path,
                f"its take {node.name} differs from the one that the graph was made of: it changed since, or "
                "was cut or annotated before",
                remedy=("pass the same clips with ", Argument("clips"), ", or save the graph with its takes"),
            )
    return nodes


def _check_take(clip: object) -> Clip:
    if not isinstance(clip, Clip) or clip.cyclic:
        raise ParameterError("one of its takes is no clip with a skeleton that plays once")
    return clip


def _find_take(path: Path, entry: JsonFields) -> Clip:
    name = entry.text("path")
    if not name or not (path.parent / name).is_file():
        raise FileFormatError(
            path,
            f"its take {name or entry.text('name')} is missing",
            remedy=("keep the takes where they were, or pass the clips with ", Argument("clips")),
        )
    return load_clip(path.parent / name)


def _read_edges(header: JsonFields, arrays: Arrays, nodes: Sequence[GraphNode]) -> list[Edge]:
    """Return the edges, each of which must fit the takes."""
    joined = _check_take(unpack_clip(header.object("edges"), part_of(arrays, EDGES)))
    if any(node.clip.skeleton != nodes[0].clip.skeleton for node in nodes):
        raise ParameterError("its takes have different skeletons")
    if joined.skeleton != nodes[0].clip.skeleton:
        raise ParameterError("its transitions have another skeleton than its takes")
    table = check_array("table", arrays["table"], ("E", len(COLUMNS) + 6))
    whole = _check_whole(table, nodes)
    counts = whole[:, COLUMNS.index("n_frames")]
    if int((counts + 2).sum()) != joined.n_frames:
        raise ParameterError("its transitions do not have the frames that they claim")
    total = int(counts.sum())
    columns = [
        check_array("weights", arrays["weights"], (total, 2)),
        check_array("frames", arrays["frames"], (total, 2)),
        check_array("placements", arrays["placements"], (total, 2, 3)),
    ]
    starts = np.concatenate([[0], np.cumsum(counts + 2)])
    notes = _group_annotations(joined, starts)
    edges = []
    for k, (row, numbers) in enumerate(zip(table.tolist(), whole.tolist(), strict=True)):
        source, departure, target, landing, n_frames = numbers
        first, before = int(starts[k]) + 1, int(starts[k]) - 2 * k
        weights, frames, placements = (freeze(values[before : before + n_frames]) for values in columns)
        edges.append(
            Edge(
                source=source,
                departure=departure,
                target=target,
                landing=landing,
                clip=_cut_edge(nodes[source].clip, joined, slice(first, first + n_frames), notes[k]),
                displacement=GroundTransform(*row[5:8]),
                distance=row[8],
                seam=row[9],
                slide=row[10],
                weights=weights,
                frames=frames,
                placements=placements,
            )
        )
    return edges


def _group_annotations(joined: Clip, starts: IntArray) -> list[tuple[list[Constraint], list[Event]]]:
    """Return the constraints and events of each edge, of all edges one after the other."""
    groups: list[tuple[list[Constraint], list[Event]]] = [([], []) for _ in starts[:-1]]
    last = len(groups) - 1
    for constraint in joined.constraints:
        centre = 0.5 * (constraint.start + constraint.end)
        groups[min(int(np.searchsorted(starts, centre, side="right")) - 1, last)][0].append(constraint)
    for event in joined.events:
        groups[min(int(np.searchsorted(starts, event.frame, side="right")) - 1, last)][1].append(event)
    return groups


def _cut_edge(take: Clip, joined: Clip, span: slice, notes: tuple[list[Constraint], list[Event]]) -> Clip:
    """Return the frames of one edge, which leaves a take, of all edges one after the other."""
    constraints, events = crop_annotations(
        notes, -1.0, float(span.stop - span.start), shift=-float(span.start)
    )
    return replace(
        take,
        root_positions=joined.root_positions[span],
        rotations=joined.rotations[span],
        translations=None if joined.translations is None else joined.translations[span],
        constraints=constraints,
        events=events,
    )


def _check_whole(table: FloatArray, nodes: Sequence[GraphNode]) -> IntArray:
    """Return the whole numbers (E, 5) of the edges, which must be frames of the takes."""
    given = table[:, : len(COLUMNS)]
    if not len(table) or not np.array_equal(given, np.rint(given)):
        raise ParameterError("its table of transitions is damaged")
    whole = given.astype(np.int64)
    source, departure, target, landing, n_frames = whole.T
    fits = min(source.min(), target.min()) >= 0 and max(source.max(), target.max()) < len(nodes)
    lengths = np.array([node.n_frames for node in nodes])
    if not (
        fits
        and departure.min() >= 0
        and (departure < lengths[source]).all()
        and landing.min() >= 0
        and (landing < lengths[target]).all()
        and n_frames.min() >= 1
    ):
        raise ParameterError("its transitions do not fit its takes")
    return whole


def _read_report(fields: JsonFields) -> GraphReport:
    def pairs(key: str) -> list[tuple[str, float]]:
        return [(str(name), float(value)) for name, value in fields.several(key)]

    def count(key: str) -> int:
        return int(fields.number(key))

    return GraphReport(
        threshold=fields.number("threshold"),
        duration=fields.number("duration"),
        frames=count("frames"),
        frames_kept=count("frames_kept"),
        core_fraction=fields.number("core_fraction"),
        candidates=count("candidates"),
        tried=count("tried"),
        edges=count("edges"),
        cut_edges=count("cut_edges"),
        rejections=tuple((name, int(value)) for name, value in pairs("rejections")),
        median_time=fields.number("median_time"),
        max_time=fields.number("max_time"),
        tags=tuple(pairs("tags")),
        islands=tuple(tuple(str(name) for name in own) for own in fields.several("islands")),
        lost=fields.texts("lost"),
        notes=fields.messages("notes"),
    )
