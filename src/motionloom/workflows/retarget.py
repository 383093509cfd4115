"""`retarget`: a motion on another skeleton, with planted feet on the floor."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.annotation.floor import Floor
from motionloom.enforcement.enforce import enforce
from motionloom.enforcement.report import EnforcementReport
from motionloom.motion import Skeleton
from motionloom.motion.mesh_soles import clip_soles
from motionloom.motion.result import ClipLike, Result, check_clip, check_skeleton, unwrap
from motionloom.retargeting.joint_mapping import JointMapping
from motionloom.retargeting.transfer_motion import TransferReport, transfer_motion


@dataclass(frozen=True, eq=False)
class RetargetReport:
    """The report of :func:`motionloom.retarget`.

    Attributes
    ----------
    transfer
        Which joints correspond, and how the motion was transferred; None where the clip has the skeleton
        already and came back unchanged.
    enforcement
        How planted feet were put on the floor; None where ``plant`` was off or the clip has no constraints.
    """

    transfer: TransferReport | None
    enforcement: EnforcementReport | None

    def __str__(self) -> str:
        if self.transfer is None:
            return "the clip has this skeleton already: nothing was changed"
        unplanted = "feet are not planted, only close to the floor: annotate the clip first to plant them"
        return f"{self.transfer}\n{self.enforcement or unplanted}"


def retarget(
    clip: ClipLike, to: Skeleton | ClipLike, *, mapping: JointMapping | None = None, plant: bool = True
) -> Result[RetargetReport]:
    """Retarget the motion of a clip to another skeleton, with planted feet on the floor.

    The motion is transferred by :func:`motionloom.retargeting.transfer_motion`; then the clip's constraints
    are enforced on the new body by :func:`motionloom.enforce`. Annotate the clip first to keep its feet
    planted. A clip that has the skeleton already is returned unchanged, unless a mapping is given.

    Parameters
    ----------
    clip
        The motion.
    to
        The skeleton to move, or a clip of it, which shows more: how joints are oriented when the body stands,
        where its rest pose does not, and how thick its soles are.
    mapping
        Which joints correspond (default: found by :func:`motionloom.joint_mapping`). Print it, and correct it
        with its method ``replaced``.
    plant
        Enforce the clip's constraints on the new body (default).

    Returns
    -------
    Result
        The motion on the other skeleton, and a :class:`RetargetReport`.

    Raises
    ------
    ParameterError
        The skeletons have nothing in common that could be matched, or the mapping belongs to others.

    >>> from dataclasses import replace
    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> clip = annotate(walk(duration=1.0, fps=30).clip)
    >>> shorter = replace(clip.skeleton, offsets=0.8 * clip.skeleton.offsets)
    >>> child = retarget(clip, shorter)
    >>> lower_by = child.clip.root_positions[0, 1] / clip.root_positions[0, 1]
    >>> bool(lower_by < 0.85), child.report.enforcement.unreached
    (True, ())
    """
    clip, to = check_clip("retarget", clip), to if isinstance(to, Skeleton) else unwrap(to)
    target = check_skeleton("retarget", to)
    if mapping is None and target == clip.skeleton:
        return Result(clip, RetargetReport(None, None))
    moved = transfer_motion(clip, to, mapping)
    if not plant or not moved.clip.constraints:
        return Result(moved.clip, RetargetReport(moved.report, None))
    # Soles of a mesh are on the very floor that heights were scaled about.
    floor = Floor(moved.report.floor) if clip_soles(moved.clip.body) else None
    planted = enforce(moved, ground=floor)
    return Result(planted.clip, RetargetReport(moved.report, planted.report))
