"""Transitions between clips of points without a skeleton."""

from __future__ import annotations

from collections.abc import Sequence

from motionloom.blending.result import BlendReport
from motionloom.errors import ParameterError
from motionloom.motion import PointClip
from motionloom.motion.point_body import take_body_as_points, take_points_as_body
from motionloom.motion.result import PointClipLike, Result, unwrap
from motionloom.options.transitions import TransitionMethod
from motionloom.transitions.transition import transition


def transition_points(
    a: PointClipLike,
    b: PointClipLike,
    *,
    at: Sequence[float] | None = None,
    half_width: float | None = None,
    method: TransitionMethod = "registration",
) -> Result[BlendReport, PointClip]:
    """Make a transition from one clip of points to another one with the same points.

    The points are taken as bodies whose roots lie below their middle, and joined as
    :func:`motionloom.transition` joins them: aligned on the ground, point by point. Constraints and events
    of both clips are blended; gaps are filled.

    Parameters
    ----------
    a, b
        Clips with the same point names and frame rate.
    at, half_width, method
        As for :func:`motionloom.transition`.

    Returns
    -------
    Result
        The joined motion, and the report of the transition.

    Raises
    ------
    ParameterError
        The clips have other points, or are too short.

    >>> from motionloom.synthesis import jog, walk
    >>> def markers(body):
    ...     return PointClip(body.skeleton.names, body.frame_time, body.world_positions())
    >>> clips = [markers(make(duration=3.0, fps=30).clip) for make in (walk, jog)]
    >>> transition_points(*clips, method="inertialize").report.method
    'inertialize'
    """
    a, b = unwrap(a), unwrap(b)
    bodies = [take_points_as_body(clip) for clip in (a, b)]
    if a.names != b.names:
        lost = [name for name in (*a.names, *b.names) if name not in a.names or name not in b.names]
        raise ParameterError(
            "the clips must have the same points in the same order"
            + (f": {lost[0]!r} is in one of them only" if lost else "")
        )
    joined = transition(bodies[0], bodies[1], at=at, half_width=half_width, method=method)
    return Result(take_body_as_points(joined.clip, a), joined.report)
