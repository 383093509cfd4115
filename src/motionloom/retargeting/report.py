"""What carrying a motion over to another skeleton has to say."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.retargeting.mapping import JointMapping


@dataclass(frozen=True, eq=False)
class RetargetReport:
    """The report of :func:`motionloom.retargeting.retarget`.

    Attributes
    ----------
    mapping
        Which joints correspond.
    scale
        Length of the target's legs by that of the source's; heights and travel were scaled by it.
    floor
        Height of the floor about which heights were scaled, metres.
    source_pose, target_pose
        The poses whose difference was taken out: "rest pose" or "standing frames".
    notes
        Sentences about what could not be carried over, and why.
    """

    mapping: JointMapping
    scale: float
    floor: float
    source_pose: str
    target_pose: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        mapping = self.mapping
        n_joints = mapping.target.n_joints
        lines = [
            f"{len(mapping.pairs)} of {n_joints} joints follow one of {mapping.source.n_joints}",
            f"legs {self.scale:.3f} times as long: travel and heights above {self.floor:.3f} m were scaled",
            f"compared poses: {self.source_pose} of the source, {self.target_pose} of the target",
        ]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])
