"""`mix`: annotate, cut to the same strides, register, blend and plant the feet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from motionloom.annotation.floor import Floor, Surface
from motionloom.blending import BlendReport, BlendResult, blend
from motionloom.blending.weights import WeightsLike
from motionloom.cycles.stride_matching import StrideCut
from motionloom.enforcement import EnforcementReport, enforce
from motionloom.enforcement.ground import ground_under
from motionloom.errors import MotionloomError
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, RegistrationReport, Verdict
from motionloom.workflows.prepare import prepared

SAME_FLOOR = 0.01
"""Floors that differ by less are the same, metres: that much, captures leave unsure."""


class UnfitError(MotionloomError):
    """Clips that hardly correspond were to be blended whole."""

    def __init__(self, report: RegistrationReport, way_out: str) -> None:
        self.report = report
        super().__init__(
            f"do not blend these clips: {report.reason}; choose clips that show the same action, cut them "
            f"to the parts that do, or allow it all the same ({way_out})"
        )


@dataclass(frozen=True, kw_only=True)
class MixReport(BlendReport):
    """What every stage of a mix has to say; printing it gives the whole story.

    Attributes
    ----------
    registration
        How well the clips correspond, and the verdict on blending them.
    cuts
        What was kept of each clip where all were cut to the same strides, else empty.
    enforcement
        What planting the feet did; None where nothing was to hold.
    """

    registration: RegistrationReport
    cuts: tuple[StrideCut, ...] = ()
    enforcement: EnforcementReport | None = None

    def __str__(self) -> str:
        lines = [f"{self.registration.verdict.value} ({self.registration.reason})"]
        lines += [f"clip {n}: {cut}" for n, cut in enumerate(self.cuts)]
        lines += [f"note: {note}" for note in (*self.registration.notes, *self.notes)]
        return "\n".join([*lines, *([] if self.enforcement is None else [str(self.enforcement)])])


def mix(
    clips: Sequence[Clip],
    weights: WeightsLike,
    *,
    even_if_unfit: bool = False,
    ground: float | Surface | Floor | None = None,
    stretch: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    **choices: Any,
) -> BlendResult:
    """Blend clips in one call, from motion as it was captured to feet that hold.

    Clips without constraints are annotated, clips of nothing but a gait are cut to the same strides, all are
    registered and blended, and planted feet are made to stay where they are. ``result.report`` tells what
    each stage found (:class:`MixReport`).

    Parameters
    ----------
    clips
        Two clips or more of one skeleton. Cyclic clips are mixed as cycles.
    weights
        As in :func:`motionloom.blend`.
    even_if_unfit
        Blend also when the registration's verdict is "do not blend".
    ground
        What the feet are planted on, as in :func:`motionloom.enforce`; None is the floor that the clips have
        in common, or the blend's own where they have none.
    stretch
        Largest share by which bones may stretch to keep feet planted; the default of
        :func:`motionloom.enforce` unless stated.
    progress
        Told how many of how many pairs of clips are aligned.
    **choices
        Further arguments of :func:`motionloom.blend`.

    Raises
    ------
    UnfitError
        When the clips hardly correspond and ``even_if_unfit`` is not set.

    >>> from motionloom.synthesis import jog, walk
    >>> walking, jogging = walk(duration=3.0, fps=30).clip, jog(duration=3.0, phase=0.4, fps=30).clip
    >>> made = mix([walking, jogging], [0.5, 0.5])
    >>> made.report.registration.verdict.name, len(made.report.cuts)
    ('GOOD', 2)
    """
    curve, cuts = prepared(clips, progress)
    if not even_if_unfit:
        check_fit(curve)
    made = blend(curve, weights, **choices)
    limits = {} if stretch is None else {"stretch": stretch}
    under = common_floor(curve.clips) if ground is None else ground
    return planted(made, curve.report, cuts, ground=under, **limits)


def check_fit(curve: RegistrationCurve, way_out: str = "even_if_unfit=True") -> None:
    """Refuse a curve whose clips hardly correspond; ``way_out`` is what allows to blend them all the same."""
    if curve.report.verdict is Verdict.UNFIT:
        raise UnfitError(curve.report, way_out)


def common_floor(clips: Sequence[Clip]) -> Floor | None:
    """The level floor that all clips stand on, or None where they have no such floor.

    A blend does not tell: where legs bend differently in the clips, its feet sink or rise.

    >>> from motionloom.workflows import with_plants
    >>> from motionloom.synthesis import stand
    >>> common_floor([with_plants(stand(duration=0.5, fps=30).clip)] * 2)
    Floor(height=0.0, slope=(0.0, 0.0), origin=(0.0, 0.0))
    """
    floors = [ground_under(clip, None).floor for clip in clips]
    heights = [floor.height for floor in floors]
    if any(floor.is_tilted for floor in floors) or max(heights) - min(heights) > SAME_FLOOR:
        return None
    return Floor(sum(heights) / len(heights))


def planted(
    made: BlendResult,
    registration: RegistrationReport,
    cuts: tuple[StrideCut, ...] = (),
    **choices: Any,
) -> BlendResult:
    """A blend with its feet planted, and the reports of all stages in one; ``choices`` go to enforcement."""
    clip = enforce(made.clip, **choices) if made.clip.constraints else made.clip
    report = MixReport(
        method=made.report.method,
        notes=made.report.notes,
        seams=made.report.seams,
        registration=registration,
        cuts=cuts,
        enforcement=clip.report if made.clip.constraints else None,
    )
    return replace(made, clip=replace(clip, report=report))


def held(made: BlendResult) -> BlendResult:
    """A transition with its feet planted on the motion's own floor; what its report says stays.

    >>> from motionloom.transitions import transition
    >>> from motionloom.workflows import with_plants
    >>> from motionloom.synthesis import jog, walk
    >>> made = transition(*(with_plants(make(duration=4.0, fps=30).clip) for make in (walk, jog)))
    >>> held(made).report.seams == made.report.seams
    True
    """
    if not made.clip.constraints:
        return made
    return replace(made, clip=replace(enforce(made.clip), report=made.report))
