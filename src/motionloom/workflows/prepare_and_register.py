"""`prepare_and_register`: cut and register clips, by the part they share where whole clips do not fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

from motionloom.errors import ParameterError
from motionloom.motion.result import ClipLike, unwrap
from motionloom.options import options_given
from motionloom.options.registration import REGISTRATION, Alignment, Cut, FitMode, Form, Profile
from motionloom.registration import RegistrationCurve, Verdict
from motionloom.validation import check_choice
from motionloom.workflows.prepare import AnnotatedClips, Boundary, Prepared, annotate_clips

MAX_TRIED_PARTS = 3
"""Parts that are registered until one is good."""

VERDICTS = (Verdict.GOOD, Verdict.DOUBTFUL, Verdict.UNFIT)
"""Verdicts, best first."""


def prepare_and_register(
    clips: Sequence[ClipLike],
    *,
    cut: Cut = "auto",
    profile: Profile = "default",
    slope_limit: int | None = None,
    window: float | None = None,
    points: int | Literal["joints"] | None = None,
    joint_weights: Mapping[str, float] | None = None,
    speed_weight: float | None = None,
    start: Boundary | None = None,
    end: Boundary | None = None,
    pins: Sequence[Sequence[float]] | None = None,
    events: Sequence[str] | None = None,
    alignment: Alignment = "auto",
    stiffness: float | None = None,
    min_rate: float | None = None,
    knot_spacing: float | None = None,
    smoothing: int | None = None,
    reference: int | None = None,
    form: Form | None = None,
    fit: FitMode | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Prepared, RegistrationCurve]:
    """Prepare clips and register them, and say how they were cut.

    This is what :func:`motionloom.mix`, the command line and the studio do with clips. With ``cut="auto"``,
    clips whose verdict is "no match" are cut to a part that they have in common, if one fits; ``start``,
    ``end`` and ``pins`` refer to the clips as they are given, and keep them whole. With ``cut="parts"`` the
    best of the first parts is taken.

    Parameters
    ----------
    clips
        Two clips or more, as captured.
    cut
        As in :func:`motionloom.prepare`.
    profile, slope_limit, window, points, joint_weights, speed_weight, events, alignment, stiffness
        As in :func:`motionloom.register`.
    min_rate, knot_spacing, smoothing, reference, form, fit
        As in :func:`motionloom.register`.
    start, end, pins, progress
        As in :meth:`motionloom.workflows.Prepared.register`.

    Returns
    -------
    prepared, curve
        How the clips were prepared, and how they correspond.

    Raises
    ------
    ParameterError
        As in :func:`motionloom.prepare` and :func:`motionloom.register`.

    >>> from motionloom.synthesis import jog, walk
    >>> prepared, curve = prepare_and_register([walk(duration=3.0, fps=30).clip, jog(fps=30).clip])
    >>> prepared.cut, curve.report.verdict.name
    ('strides', 'GOOD')
    """
    options = options_given(REGISTRATION, locals())
    check_choice("cut", cut, get_args(Cut))
    annotated = annotate_clips(clips, cut)

    def register_cut(prepared: Prepared) -> tuple[Prepared, RegistrationCurve]:
        return prepared, prepared.register(**options, progress=progress)

    if cut == "parts":
        return _best_part(annotated, register_cut)
    prepared, curve = register_cut(annotated.cut_clips(cut))
    given = start is not None or end is not None or bool(pins)
    if cut != "auto" or given or curve.report.verdict is not Verdict.UNFIT or prepared.cut == "parts":
        return prepared, curve
    if any(unwrap(clip).cyclic for clip in clips):
        return prepared, curve
    try:
        by_part = _best_part(annotated, register_cut)
    except ParameterError:
        return prepared, curve
    return by_part if by_part[1].report.verdict is not Verdict.UNFIT else (prepared, curve)


def _best_part(
    annotated: AnnotatedClips, register_cut: Callable[[Prepared], tuple[Prepared, RegistrationCurve]]
) -> tuple[Prepared, RegistrationCurve]:
    """Return the first part whose verdict is good, or the first of those with the best verdict."""
    tried: list[tuple[Prepared, RegistrationCurve]] = []
    for part in annotated.cut_to_parts(MAX_TRIED_PARTS):
        tried.append(register_cut(part))
        if tried[-1][1].report.verdict is Verdict.GOOD:
            break
    return min(tried, key=lambda each: VERDICTS.index(each[1].report.verdict))
