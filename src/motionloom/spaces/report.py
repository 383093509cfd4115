"""`SpaceReport`: what a motion space was asked for, and what it made."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendReport


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SpaceReport(BlendReport):
    """Report on a blend that a motion space made.

    Attributes
    ----------
    names
        Names of the d numbers.
    request
        (d,) what was asked for.
    nearest
        (d,) the nearest that the clips allow: the request itself inside the space.
    outside
        Distance between the two, in units of the clips' ranges; 0 inside.
    blended
        (d,) what the blend measures before feet are planted and inverse kinematics.
    measured
        (d,) what the result measures.
    """

    names: tuple[str, ...]
    request: FloatArray
    nearest: FloatArray
    outside: float
    blended: FloatArray
    measured: FloatArray

    def __str__(self) -> str:
        numbers = ", ".join(
            f"{name} {value:.3f} (asked for {wanted:.3f})"
            for name, value, wanted in zip(self.names, self.measured, self.request, strict=True)
        )
        far = f"; {self.outside:.2f} of the clips' range outside the space" if self.outside else ""
        return f"{numbers}{far}"
