"""The registration curve: everything that blending needs to know about how clips correspond."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.registration.alignment import AlignmentCurve
from motionloom.registration.assess import TimeStats
from motionloom.registration.constraint_match import ConstraintMatch
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.registration.verdict import RegistrationReport


@dataclass(frozen=True, eq=False, kw_only=True)
class RegistrationCurve:
    """How K clips correspond in time, in space and in their constraints, over one parameter ``u``.

    Attributes
    ----------
    clips
        The registered clips, at one frame rate.
    timewarp
        ``timewarp(u)`` returns the corresponding frames (..., K).
    alignment
        ``alignment(u)`` returns yaw, x and z (..., K, 3) that put them on each other.
    matches
        Constraints of all clips that belong together.
    reference
        The clip that the others were registered to.
    report
        How good the registration is.
    settings
        The settings that made it.
    samples
        (N, K) frames that correspond by the time alignment, to which the timewarp curve was fitted; None for
        a curve read from a file.
    """

    clips: tuple[Clip, ...]
    timewarp: TimewarpCurve
    alignment: AlignmentCurve
    matches: tuple[ConstraintMatch, ...]
    reference: int
    report: RegistrationReport
    settings: RegistrationSettings
    samples: FloatArray | None = None

    def __post_init__(self) -> None:
        n = len(self.clips)
        columns = {self.timewarp.n_clips, self.alignment.control_points.shape[1]}
        columns |= {len(match.sources) for match in self.matches}
        if columns != {n}:
            raise ParameterError(f"the curve has {n} clips, but its parts are for {sorted(columns)}")
        if self.reference != self.alignment.reference or not 0 <= self.reference < n:
            raise ParameterError(f"the reference must be one of the {n} clips and that of the alignment")
        apart = np.abs(np.subtract(self.alignment.domain, self.timewarp.domain)).max()
        if not apart <= 1e-6 * (1.0 + np.ptp(self.timewarp.domain)):
            raise ParameterError("timewarp and alignment have different domains")
        for match in self.matches:
            for clip, source in zip(self.clips, match.sources, strict=True):
                if not 0 <= source < len(clip.constraints):
                    raise ParameterError(f"a match names constraint {source} of a clip that has fewer")

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
        """Compose two curves that share one clip into one over the clips of both.

        Clips too different to be registered directly can be registered through one that lies between them.
        The result covers what both curves cover of the shared clip.
        """
        return _join_curves(self, other)


def _join_curves(first: RegistrationCurve, second: RegistrationCurve) -> RegistrationCurve:
    """Return the curve over the clips of ``first`` and then those of ``second`` except the shared one.

    Frames correspond when they correspond to one frame of the shared clip. Settings are those of ``first``.
    """
    # Imported here because registration builds curves.
    from motionloom.registration.correspondence import fit_curve
    from motionloom.registration.register import build_curve, make_clouds

    if first.timewarp.periods is not None or second.timewarp.periods is not None:
        raise ParameterError(
            "curves of cyclic clips cannot be joined", remedy="register all their clips together instead"
        )
    here, there = _find_shared_clip(first, second)
    others = [k for k in range(second.n_clips) if k != there]
    low = max(first.spans[0, here], second.spans[0, there])
    high = min(first.spans[1, here], second.spans[1, there])
    if high - low < 1.0:
        raise ParameterError("the curves cover different parts of the clip they share: nothing joins them")
    start, end = first.timewarp.inverse(here, [low, high])
    u = np.linspace(start, end, max(2, round(end - start) + 1))
    frames = first.timewarp(u)
    through = second.timewarp(second.timewarp.inverse(there, np.clip(frames[:, here], low, high)))
    clips = first.clips + tuple(second.clips[k] for k in others)
    samples = np.concatenate([frames, through[:, others]], axis=1)
    settings = first.settings
    return build_curve(
        clips,
        make_clouds(clips, settings),
        samples,
        fit_curve(samples, settings, clips[0].fps),
        here,
        settings,
        stats=TimeStats(
            saturation=max(first.report.saturation, second.report.saturation),
            cycle_error=None,
            notes=(f"clips from {first.n_clips} on were registered to clip {here}, not to the others",),
        ),
        stacklevel=3,
    )


def _find_shared_clip(first: RegistrationCurve, second: RegistrationCurve) -> tuple[int, int]:
    """Return the number, in each curve, of the clip that both have."""
    pairs = [(i, j) for i, a in enumerate(first.clips) for j, b in enumerate(second.clips) if _same(a, b)]
    if len(pairs) != 1:
        raise ParameterError(f"curves are joined through the one clip they share: these share {len(pairs)}")
    return pairs[0]


def _same(a: Clip, b: Clip) -> bool:
    return a is b or (
        a.skeleton == b.skeleton
        and np.array_equal(a.rotations, b.rotations)
        and np.array_equal(a.root_positions, b.root_positions)
    )
