"""Tags that a path asks for: refused where no route can have them all, and noted where one has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError, ParameterError
from motionloom.graphs.route import Route, list_visits
from motionloom.paths.path import Line

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph

MIN_WITHOUT = 0.5
"""Metres of a stretch without its tag that are noted: less than a step."""


def list_tags(path: Line) -> tuple[str, ...]:
    """Return the tags that a path asks for, each once.

    >>> from motionloom.paths.path import Stretch
    >>> list_tags(Line([[0, 0], [0, 4]], stretches=[Stretch("walk", 0, 1), Stretch("walk", 3, 4)]))
    ('walk',)
    """
    wanted = [action.tag for action in path.actions] + [stretch.tag for stretch in path.stretches]
    return tuple(dict.fromkeys(wanted))


def refuse_unknown_tags(graph: MotionGraph, path: Line) -> None:
    """Fail where the path asks for tags that no take of the graph has."""
    known = {tag for node in graph.nodes for tag in node.tags}
    for tag in list_tags(path):
        if tag not in known:
            has = f"its takes have {', '.join(map(repr, sorted(known)))}" if known else "its takes have none"
            raise ParameterError(
                f"no take of the graph has the tag {tag!r}: {has}. Give takes their tags when you build the "
                "graph"
            )


def refuse_islands(graph: MotionGraph, path: Line, start: tuple[int, int] | None) -> None:
    """Fail where takes with the tags of a path lie in parts of the graph that do not connect."""
    wanted = list_tags(path)
    islands = _list_islands(graph)
    if start is not None:
        islands = [nodes for nodes in islands if start[0] in nodes] or islands
    found = [{tag for node in nodes for tag in graph.nodes[node].tags} for nodes in islands]
    if not wanted or any(tags.issuperset(wanted) for tags in found):
        return
    # The part that has most of what is asked for says what is missing.
    best = max(found, key=lambda tags: len(tags.intersection(wanted)))
    missing = next(tag for tag in wanted if tag not in best)
    others = [repr(tag) for tag in wanted if tag in best]
    where = f"takes with {' and '.join(others)}" if others else "the takes that it can play"
    raise MotionloomError(
        f"no transition leads from {where} to a take with {missing!r}: they are on different islands of the "
        f"graph. Leave out {missing!r}, or add takes that lead to it"
    )


def _list_islands(graph: MotionGraph) -> list[set[int]]:
    """Return the nodes of each part of a graph within which edges lead from every node to every other."""
    table, parts = graph.table, graph.edge_parts
    islands = [
        set(np.concatenate([table.source[parts == part], table.target[parts == part]]).tolist())
        for part in np.unique(parts[parts >= 0]).tolist()
    ]
    # A take without edges is a motion of its own.
    alone = set(range(len(graph.nodes))).difference(*islands)
    return [*islands, *({node} for node in sorted(alone))]


def note_stretches(graph: MotionGraph, path: Line, route: Route, stations: FloatArray) -> tuple[str, ...]:
    """Return sentences that say where stretches are played by takes without their tag.

    Parameters
    ----------
    graph, path, route
        What was played.
    stations
        (T,) metres along the path of each frame of the motion.
    """
    visits = list_visits(graph.table, route)
    # A transition belongs to both of its takes.
    firsts = [0, *(visit.start + visit.last - visit.first + 1 for visit in visits[:-1])]
    ends = [*(visit.start for visit in visits[1:]), len(stations)]
    progress = np.diff(stations, prepend=stations[:1])
    notes = []
    for stretch in path.stretches:
        start, end = path.locate(stretch.start), path.locate(stretch.end)
        missed = (stations >= start) & (stations <= end)
        for visit, first, last in zip(visits, firsts, ends, strict=True):
            if stretch.tag in graph.nodes[visit.node].tags:
                missed[first:last] = False
        without = float(progress[missed].sum())
        if without > MIN_WITHOUT:
            notes.append(
                f"{without:.1f} m of the stretch {stretch.tag!r} from {start:.1f} m to {end:.1f} m are "
                "played by takes without this tag: no transition leads to one in time"
            )
    return tuple(notes)
