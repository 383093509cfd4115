"""`mix`: annotate, cut to the same strides, register, blend and plant the feet."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from motionloom.annotation import annotate
from motionloom.annotation.floor import Floor, Surface
from motionloom.annotation.strides import is_locomotion, strikes
from motionloom.blending import BlendReport, BlendResult, blend
from motionloom.blending.weights import WeightsLike
from motionloom.cycles import match_strides
from motionloom.cycles.stride_matching import StrideCut
from motionloom.enforcement import EnforcementReport, enforce
from motionloom.enforcement.ground import ground_under
from motionloom.errors import MotionloomError, ParameterError, RegistrationWarning
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import find_anatomy
from motionloom.registration import RegistrationCurve, RegistrationReport, Verdict, register
from motionloom.registration.timewarp.monotone_fit import DEFAULT_MIN_RATE

SAME_FLOOR = 0.01
"""Floors that differ by less are the same, metres: that much, captures leave unsure."""

FASTEST_STEP = 3.0
"""In a gait the feet swing at most so many times as fast in one step as in any other. Captured walks and
runs, turns of 90° among them, reach 2.3; kicks with a run-up and cartwheels begin at 3.9."""


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

    >>> from motionloom.synthesis import stand
    >>> common_floor([with_plants(stand(duration=0.5, fps=30).clip)] * 2)
    Floor(height=0.0, slope=(0.0, 0.0), origin=(0.0, 0.0))
    """
    floors = [ground_under(clip, None).floor for clip in clips]
    heights = [floor.height for floor in floors]
    if any(floor.is_tilted for floor in floors) or max(heights) - min(heights) > SAME_FLOOR:
        return None
    return Floor(sum(heights) / len(heights))


def with_plants(clip: Clip) -> Clip:
    """The clip itself where it has constraints, else annotated; events that it has stay as they are.

    >>> from motionloom.synthesis import walk
    >>> found = with_plants(walk(duration=2.0, fps=30).clip)
    >>> len(found.constraints) > 0, with_plants(found) is found
    (True, True)
    """
    return clip if clip.constraints else annotate(clip)


def is_steady(clip: Clip) -> bool:
    """Whether an annotated clip shows a gait and no action besides, such as a kick after a run-up.

    An action is a step in which the feet go much faster than in another: strides that are cut to match by
    their strikes alone would not bring it together with that of other clips.

    >>> from motionloom.synthesis import walk
    >>> is_steady(annotate(walk(duration=3.0, fps=30).clip))
    True
    """
    if not is_locomotion(clip):
        return False
    ankles = [leg.ankle for leg in find_anatomy(clip.skeleton).legs]
    speeds = np.linalg.norm(np.diff(clip.world_positions()[:, ankles], axis=0), axis=-1).max(axis=1)
    frames = np.clip(np.rint([hit.frame for hit in strikes(clip)]), 0, len(speeds) - 1).astype(np.int64)
    # Before the first strike and after the last the clip may stand.
    steps = [speeds[start : end + 1].max() for start, end in pairwise(frames)]
    return bool(speeds.max() <= FASTEST_STEP * min(steps))


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

    Clips with an action in their midst, such as a kick after a run-up, stay whole (:func:`is_steady`).
    Returns the curve, and what was kept of each clip where strides were matched.

    >>> from motionloom.synthesis import kick
    >>> curve, cuts = prepared([kick(duration=seconds).clip for seconds in (1.4, 1.8)])
    >>> curve.n_clips, cuts
    (2, ())
    """
    ready = [with_plants(clip) for clip in _checked(clips)]
    cuts: tuple[StrideCut, ...] = ()
    if not any(clip.cyclic for clip in ready) and all(map(is_steady, ready)):
        ready = match_strides(ready)
        cuts = tuple(clip.report for clip in ready)
    _check_lengths(ready)
    with warnings.catch_warnings():
        # The verdict is in the report, and decides: a warning would only say it twice.
        warnings.simplefilter("ignore", RegistrationWarning)
        return register(ready, progress=progress), cuts


def _checked(clips: Sequence[Clip]) -> tuple[Clip, ...]:
    """The clips, once they are known to be some, each with a skeleton."""
    if isinstance(clips, Clip | PointClip | str) or not isinstance(clips, Iterable):
        raise ParameterError(
            f"give a list of clips to mix, such as [walk, jog], not one {type(clips).__name__}"
        )
    listed = tuple(clips)
    if not listed:
        raise ParameterError("there are no clips to mix: give two or more")
    for n, clip in enumerate(listed):
        if isinstance(clip, PointClip):
            raise ParameterError(
                f"clip {n} has points and no skeleton, so its feet cannot be planted: "
                "register and blend such clips (motionloom.register, motionloom.blend)"
            )
        if not isinstance(clip, Clip):
            raise ParameterError(
                f"clip {n} is a {type(clip).__name__}, not a clip: read it (motionloom.load)"
            )
    return listed


def _check_lengths(clips: Sequence[Clip]) -> None:
    """Refuse clips without motion, and clips of which none lasts about as long as all the others."""
    for n, clip in enumerate(clips):
        if clip.n_frames < 2:
            raise ParameterError(
                f"clip {n} has {clip.n_frames} frames: to blend it, it needs two at least; "
                "was the file cut short?"
            )
    seconds = np.array([clip.duration for clip in clips])
    ratios = np.minimum(seconds[:, None] / seconds, seconds / seconds[:, None])
    if ratios.min(axis=1).max() < DEFAULT_MIN_RATE:
        short, long = int(seconds.argmin()), int(seconds.argmax())
        raise ParameterError(
            f"clip {short} is too short: it lasts {seconds[short]:.2f} s and clip {long} "
            f"{seconds[long]:.2f} s, more than {1.0 / DEFAULT_MIN_RATE:g} times as long; give a longer one, "
            f"or cut clip {long} to the same action"
        )
