"""What mapping a motion onto another skeleton has to say."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.enforcement import EnforcementReport
from motionloom.retargeting import RetargetReport


@dataclass(frozen=True, eq=False)
class RecastReport:
    """The report of :func:`motionloom.recasting.map_skeleton`.

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
