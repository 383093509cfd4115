"""Close a repeating motion of points without a skeleton to a cycle."""

from __future__ import annotations

from motionloom.cycles.cycle_report import CycleReport
from motionloom.cycles.cyclify import EASE, cyclify
from motionloom.motion import PointClip
from motionloom.motion.point_body import take_body_as_points, take_points_as_body
from motionloom.motion.result import PointClipLike, Result, unwrap


def cyclify_points(
    clip: PointClipLike,
    *,
    cycles: int | None = None,
    near: float | None = None,
    seam_limit: float | None = None,
    ease: float = EASE,
) -> Result[CycleReport, PointClip]:
    """Find the best cycle of a clip of points and close it, so that it repeats without a jump.

    The points are taken as a body whose root lies below their middle and turns with them, and closed as
    :func:`motionloom.cyclify` closes one. Points do not say which of them are a left and a right foot, so
    repetitions are counted and not strides, and :func:`motionloom.match_strides` does not apply. Gaps are
    filled.

    Parameters
    ----------
    clip
        A repeating motion.
    cycles
        How many repetitions to keep; as many as possible by default.
    near, seam_limit, ease
        As for :func:`motionloom.cyclify`.

    Returns
    -------
    Result
        A cyclic clip of points, and a :class:`~motionloom.cycles.CycleReport`.

    Raises
    ------
    ParameterError
        As in :func:`motionloom.cyclify`.

    >>> from motionloom.synthesis import walk
    >>> body = walk(duration=4.0, fps=30).clip
    >>> loop = cyclify_points(PointClip(body.skeleton.names, body.frame_time, body.world_positions()))
    >>> loop.clip.cyclic, loop.report.passed
    (True, True)
    """
    points = unwrap(clip)
    closed = cyclify(take_points_as_body(points), cycles=cycles, near=near, seam_limit=seam_limit, ease=ease)
    return Result(take_body_as_points(closed.clip, points), closed.report)
