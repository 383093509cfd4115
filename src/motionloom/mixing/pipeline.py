"""`mix`: annotate, cut to the same strides, register, blend and plant the feet."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from motionloom.annotation import annotate
from motionloom.annotation.strides import is_locomotion
from motionloom.blending import BlendReport, BlendResult, blend
from motionloom.blending.weights import WeightsLike
from motionloom.cycles import match_strides
from motionloom.cycles.stride_matching import StrideCut
from motionloom.enforcement import EnforcementReport, enforce
from motionloom.errors import MotionloomError, RegistrationWarning
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve, RegistrationReport, Verdict, register


class UnfitError(MotionloomError):
    """Clips that hardly correspond were to be blended whole."""

    def __init__(self, report: RegistrationReport) -> None:
        self.report = report
        super().__init__(
            f"do not blend these clips: {report.reason}; choose clips that show the same action, cut them "
            "to the parts that do, or allow it all the same"
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
        lines += [
            f"clip {n}: {cut.n_strides} strides from the {cut.event}, {cut.seconds_before:.2f} s left out "
            f"before and {cut.seconds_after:.2f} s after"
            for n, cut in enumerate(self.cuts)
        ]
        lines += [f"note: {note}" for note in (*self.registration.notes, *self.notes)]
        return "\n".join([*lines, *([] if self.enforcement is None else [str(self.enforcement)])])


def mix(
    clips: Sequence[Clip],
    weights: WeightsLike,
    *,
    even_if_unfit: bool = False,
    stretch: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    **choices: Any,
) -> BlendResult:
    """Blend clips in one call, from motion as it was captured to feet that hold.

    Clips without constraints are annotated, clips of locomotion are cut to the same strides, all are
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
    return planted(made, curve.report, cuts, **({} if stretch is None else {"stretch": stretch}))


def check_fit(curve: RegistrationCurve) -> None:
    """Refuse a curve whose clips hardly correspond."""
    if curve.report.verdict is Verdict.UNFIT:
        raise UnfitError(curve.report)


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


def prepared(
    clips: Sequence[Clip], progress: Callable[[int, int], None] | None = None
) -> tuple[RegistrationCurve, tuple[StrideCut, ...]]:
    """Annotate clips that need it, cut locomotion to the same strides, and register.

    Returns the curve, and what was kept of each clip where strides were matched.

    >>> from motionloom.synthesis import kick
    >>> curve, cuts = prepared([kick(duration=seconds).clip for seconds in (1.4, 1.8)])
    >>> curve.n_clips, cuts
    (2, ())
    """
    ready = [clip if clip.constraints or clip.events else annotate(clip) for clip in clips]
    cuts: tuple[StrideCut, ...] = ()
    if not any(clip.cyclic for clip in ready) and ready and all(map(is_locomotion, ready)):
        ready = match_strides(ready)
        cuts = tuple(clip.report for clip in ready)
    with warnings.catch_warnings():
        # The verdict is in the report, and decides: a warning would only say it twice.
        warnings.simplefilter("ignore", RegistrationWarning)
        return register(ready, progress=progress), cuts
