"""`Route`: which edges of a graph a motion takes, from which frame to which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.graphs.edge import EdgeTable
from motionloom.validation import check_count

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph


@dataclass(frozen=True)
class Route:
    """A motion through a graph before it is assembled.

    Attributes
    ----------
    start_node, start_frame
        Number of the node and the frame that it begins with.
    edges
        Numbers of the edges that it takes, in order.
    end_frame
        The last frame, of the node that the last edge leads to.
    """

    start_node: int
    start_frame: int
    edges: tuple[int, ...]
    end_frame: int


@dataclass(frozen=True)
class Visit:
    """A stretch of a route within one node.

    Attributes
    ----------
    node, first, last
        The node, and the first and the last of its frames that play.
    start
        Frame of the assembled motion at which it begins.
    placement
        What places the node's take in the coordinates of the first one's.
    """

    node: int
    first: int
    last: int
    start: int
    placement: GroundTransform


def check_route(graph: MotionGraph, route: Route) -> Route:
    """Return the route, whose edges must follow each other."""
    node = check_count("start_node", route.start_node, min=0, max=len(graph.nodes) - 1)
    frame = _check_frame(graph, node, route.start_frame, "starts")
    for n, edge in enumerate(route.edges):
        check_count(f"edges[{n}]", edge, min=0, max=len(graph.edges) - 1)
        taken = graph.edges[edge]
        if taken.source != node or taken.departure < frame:
            raise ParameterError(
                f"edge {edge} leaves {graph.nodes[taken.source].name} after frame {taken.departure}, but "
                f"the route is at frame {frame} of {graph.nodes[node].name}",
                remedy="choose an edge that follows",
            )
        node, frame = taken.target, taken.landing
    if _check_frame(graph, node, route.end_frame, "ends") < frame:
        raise ParameterError(
            f"the route ends at frame {route.end_frame} of {graph.nodes[node].name}, which it enters at "
            f"frame {frame}: end later"
        )
    return route


def _check_frame(graph: MotionGraph, node: int, frame: int, verb: str) -> int:
    n_frames = graph.nodes[node].n_frames
    if not 0 <= frame < n_frames:
        raise ParameterError(
            f"the route {verb} at frame {frame} of {graph.nodes[node].name}, which has frames 0 to "
            f"{n_frames - 1}"
        )
    return frame


def list_visits(table: EdgeTable, route: Route) -> list[Visit]:
    """Return the stretches of a route within nodes, in order."""
    visits, placement, start = [], GroundTransform(), 0
    node, first = route.start_node, route.start_frame
    for edge in route.edges:
        last = int(table.departure[edge])
        visits.append(Visit(node, first, last, start, placement))
        start += last - first + 1 + int(table.n_frames[edge])
        placement = placement @ GroundTransform(*table.displacement[edge].tolist())
        node, first = int(table.target[edge]), int(table.landing[edge])
    return [*visits, Visit(node, first, route.end_frame, start, placement)]


def count_frames(table: EdgeTable, route: Route) -> int:
    """Return how many frames the motion along a route has."""
    frame, total = route.start_frame, 0
    for edge in route.edges:
        total += int(table.departure[edge]) - frame + 1 + int(table.n_frames[edge])
        frame = int(table.landing[edge])
    return total + route.end_frame - frame + 1


def crop_route(table: EdgeTable, route: Route, n_frames: int) -> Route:
    """Return the start of a route with so many frames, or a few more if it would end within an edge.

    >>> # crop_route(graph.table, route, 900) is half a minute of it at 30 frames per second
    """
    frame, total = route.start_frame, 0
    for n, edge in enumerate(route.edges):
        within = int(table.departure[edge]) - frame + 1
        if total + within >= n_frames:
            return Route(route.start_node, route.start_frame, route.edges[:n], frame + n_frames - total - 1)
        total += within + int(table.n_frames[edge])
        frame = int(table.landing[edge])
    wanted = max(0, n_frames - total - 1)
    return Route(route.start_node, route.start_frame, route.edges, min(route.end_frame, frame + wanted))
