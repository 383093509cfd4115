"""The registration curve: everything a blend needs to know about how clips correspond."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.registration.alignment import AlignmentCurve
from motionloom.registration.constraint_match import ConstraintMatch
from motionloom.registration.report import RegistrationReport
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp import TimewarpCurve


@dataclass(frozen=True, eq=False, kw_only=True)
class RegistrationCurve:
    """How K clips correspond in time, in place and in their constraints, over one parameter ``u``.

    Attributes
    ----------
    clips
        The registered clips, at one frame rate.
    timewarp
        ``timewarp(u)`` gives the corresponding frames (..., K).
    alignment
        ``alignment(u)`` gives yaw, x and z (..., K, 3) that put them on each other.
    matches
        Constraints of all clips that belong together.
    reference
        The clip that the others were registered to.
    report
        How good the registration is.
    settings
        The settings that made it.
    """

    clips: tuple[Clip, ...]
    timewarp: TimewarpCurve
    alignment: AlignmentCurve
    matches: tuple[ConstraintMatch, ...]
    reference: int
    report: RegistrationReport
    settings: RegistrationSettings

    @property
    def n_clips(self) -> int:
        """The number of clips K."""
        return len(self.clips)

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last ``u``."""
        return self.timewarp.domain

    def __repr__(self) -> str:
        first, last = self.domain
        return (
            f"RegistrationCurve({self.n_clips} clips, u from {first:g} to {last:g}, "
            f"{len(self.matches)} matches, {self.report.verdict.name.lower()})"
        )

    @cached_property
    def spans(self) -> FloatArray:
        """First and last registered frame (2, K) of each clip."""
        return self.timewarp(self.domain)

    def then(self, other: RegistrationCurve) -> RegistrationCurve:
        """The curve over the clips of both, which must share one clip: its frames lead from one to the other.

        Clips too different to be registered directly can be registered through one that lies between them.
        The result covers what both curves cover of the shared clip.
        """
        # Imported here because joining builds curves.
        from motionloom.registration.joining import joined

        return joined(self, other)
