"""`map_skeleton`: a motion for another body."""

from __future__ import annotations

from dataclasses import dataclass, replace

from motionloom.enforcement import EnforcementReport, enforce
from motionloom.motion import Clip, Skeleton
from motionloom.motion.clip import check_clip, check_skeleton
from motionloom.retargeting import JointMapping, RetargetReport, retarget


@dataclass(frozen=True, eq=False)
class RecastReport:
    """The report of :func:`motionloom.workflows.map_skeleton`.

    Attributes
    ----------
    retargeting
        Which joints correspond, and how the motion was carried over.
    enforcement
        How planted feet were put on the floor; None where the clip has no constraints.
    """

    retargeting: RetargetReport
    enforcement: EnforcementReport | None

    def __str__(self) -> str:
        held = "no constraints, so feet are near to the floor only: annotate the clip first"
        return f"{self.retargeting}\n{self.enforcement or held}"


def map_skeleton(clip: Clip, to: Skeleton | Clip, mapping: JointMapping | None = None) -> Clip:
    """The motion of a clip on another skeleton, with planted feet on the floor.

    The motion is carried over by :func:`motionloom.retargeting.retarget`, and what the clip's constraints
    hold is held again by :func:`motionloom.enforce`. Annotate the clip first if its feet shall stay put. A
    clip that has the skeleton already, and no mapping of its own, is given back as it is.

    Parameters
    ----------
    clip
        The motion.
    to
        The skeleton to move, or a clip of it, which tells more: how joints are turned when the body stands,
        where the rest pose does not, and how thick its soles are.
    mapping
        Which joints correspond; found by :func:`motionloom.joint_mapping` by default. Print it, and correct
        it with its method ``replaced``.

    Returns
    -------
    Clip
        The motion on the other skeleton with, in ``report``, a :class:`RecastReport`.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> clip = annotate(walk(duration=1.0, fps=30).clip)
    >>> lower = replace(clip.skeleton, offsets=0.8 * clip.skeleton.offsets)
    >>> child = map_skeleton(clip, lower)
    >>> lower_by = child.root_positions[0, 1] / clip.root_positions[0, 1]
    >>> bool(lower_by < 0.85), child.report.enforcement.unreached
    (True, ())
    """
    check_clip("map_skeleton", clip)
    target = check_skeleton("map_skeleton", to)
    if mapping is None and target == clip.skeleton:
        return clip
    made = retarget(clip, to, mapping)
    held = enforce(made) if made.constraints else made
    return replace(held, report=RecastReport(made.report, held.report if made.constraints else None))
