"""`mix`: annotate, cut to the same strides, register, blend and plant the feet in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from motionloom.annotation.floor import Floor
from motionloom.annotation.ground import GroundLike, find_floor
from motionloom.blending import BlendReport, BlendResult, blend
from motionloom.blending.linear import LinearSettings
from motionloom.blending.result import put_blend_in_place
from motionloom.blending.weights import JointWeights, WeightsLike
from motionloom.cycles.match_strides import StrideCut
from motionloom.enforcement import EnforcementReport, enforce
from motionloom.enforcement.enforce import MAX_STRETCH
from motionloom.errors import MotionloomError
from motionloom.geometry import GroundTransform
from motionloom.messages import Argument
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike
from motionloom.options import options_given
from motionloom.options.blending import Average, Integrator, Method, RateLaw
from motionloom.options.registration import REGISTRATION, Alignment, Cut, FitMode, Form, Profile
from motionloom.quality import Changes
from motionloom.registration import RegistrationCurve, RegistrationReport, Verdict
from motionloom.workflows.prepare import Boundary, PartCut, Prepared
from motionloom.workflows.prepare_and_register import prepare_and_register

MAX_FLOOR_DIFFERENCE = 0.01
"""Floors whose heights differ by less count as one, metres: captures are no more precise than that."""

NO_PLANTS = "the clips have no foot plants in common, so no foot was held in place"
"""Note on a blend whose feet may slide."""


class UnfitError(MotionloomError):
    """Clips that hardly correspond were to be blended."""

    def __init__(self, report: RegistrationReport) -> None:
        self.report = report
        super().__init__(
            f"these clips do not match: {report.reason}",
            remedy=(report.remedy, ", or blend them anyway with ", Argument("allow_unfit", True)),
        )


@dataclass(frozen=True, kw_only=True)
class MixReport(BlendReport):
    """The reports of all stages of a mix; print it to read them all.

    Attributes
    ----------
    registration
        How well the clips correspond, and the verdict on blending them.
    preparation
        What was done to the clips before they were registered, in sentences.
    cuts
        What was kept of each clip if all were cut to the same strides or to a part they share, else empty.
    enforcement
        What planting the feet changed; None if there were no constraints.
    """

    registration: RegistrationReport
    preparation: tuple[str, ...] = ()
    cuts: tuple[StrideCut, ...] | tuple[PartCut, ...] = ()
    enforcement: EnforcementReport | None = None

    @property
    def changes(self) -> Changes | None:
        """What one sees of the planting, against the blend before it; None where nothing was planted."""
        return None if self.enforcement is None else self.enforcement.changes

    def __str__(self) -> str:
        lines = [str(self.registration), *self.preparation]
        if self.flights:
            falls = ", ".join(f"{flight.gravity:.1f}" for flight in self.flights)
            lines.append(
                f"flights of all clips: {len(self.flights)}, falling with {falls} m/s² as the clips do"
            )
        lines += [f"note: {note}" for note in (*self.registration.notes, *self.notes)]
        return "\n".join([*lines, *([] if self.enforcement is None else [str(self.enforcement)])])


def mix(
    clips: Sequence[ClipLike],
    weights: WeightsLike,
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
    place: GroundTransform | None = None,
    rate_law: RateLaw = "auto",
    average: Average = "nlerp",
    layers: JointWeights | None = None,
    duration: float | None = None,
    backward: bool = False,
    integrator: Integrator = "rk4",
    method: Method = "registration",
    linear: LinearSettings | None = None,
    allow_unfit: bool = False,
    ground: GroundLike = None,
    stretch: float | None = None,
    in_place: bool = False,
    repeat: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> BlendResult[MixReport]:
    """Blend captured clips in one call and plant the feet of the result.

    Clips are prepared and registered (:func:`motionloom.prepare`: annotated, cut to the same strides or,
    where whole clips do not correspond, to the part they share) and blended
    (:func:`motionloom.blend`), and the feet of the blend are planted (:func:`motionloom.enforce`).

    Parameters
    ----------
    clips
        Two clips or more of one skeleton. Cyclic clips are mixed as cycles.
    weights
        As in :func:`motionloom.blend`.
    cut
        How clips are cut before they are registered, as in :func:`motionloom.prepare`.
    profile, slope_limit, window, points, joint_weights, speed_weight, events, alignment, stiffness
        As in :func:`motionloom.register`.
    min_rate, knot_spacing, smoothing, reference, form, fit
        As in :func:`motionloom.register`.
    start, end, pins
        As in :func:`motionloom.register`, but frames are counted in the clips as given, before they are cut.
    place, rate_law, average, duration, backward, integrator, method, linear, repeat
        As in :func:`motionloom.blend`.
    layers
        Weights of single joints, the ``joint_weights`` of :func:`motionloom.blend`.
    allow_unfit
        Blend even if the registration's verdict is "no match".
    ground
        What the feet are planted on, as in :func:`motionloom.enforce`; None is the floor that the clips have
        in common, or the blend's own if they have none.
    stretch
        Largest fraction by which bones may stretch to keep feet planted; None is the default of
        :func:`motionloom.enforce`.
    in_place
        Take the travel out of the result (:func:`motionloom.put_in_place`). Gaits in place are given the
        travel that their feet show, and are blended with it.
    progress
        Called with the number of aligned pairs of clips and the number of all pairs.

    Returns
    -------
    BlendResult
        The motion, what went into each frame, and a :class:`MixReport` of all stages.

    Raises
    ------
    UnfitError
        If the clips hardly correspond and ``allow_unfit`` is not set.
    ParameterError
        If a clip or an option does not fit; the message says which.

    >>> from motionloom.synthesis import jog, walk
    >>> walking, jogging = walk(duration=3.0, fps=30).clip, jog(duration=3.0, phase=0.4, fps=30).clip
    >>> report = mix([walking, jogging], [0.5, 0.5]).report
    >>> report.registration.verdict.name, len(report.cuts)
    ('GOOD', 2)
    """
    options = options_given(REGISTRATION, locals())
    prepared, curve = prepare_and_register(clips, cut=cut, **options, progress=progress)
    if not allow_unfit:
        check_fit(curve)
    result = blend(
        curve,
        weights,
        place=place,
        rate_law=rate_law,
        average=average,
        joint_weights=layers,
        duration=duration,
        backward=backward,
        integrator=integrator,
        method=method,
        linear=linear,
        repeat=repeat,
    )
    planted = plant_blend(result, curve, prepared, ground=ground, stretch=stretch)
    return put_blend_in_place(planted) if in_place else planted


def check_fit(curve: RegistrationCurve) -> None:
    """Refuse a curve whose clips hardly correspond."""
    if curve.report.verdict is Verdict.UNFIT:
        raise UnfitError(curve.report)


def find_common_floor(clips: Sequence[Clip]) -> Floor | None:
    """Return the level floor that all clips stand on, or None if they have no such floor.

    The floor cannot be found in a blend: where legs bend differently in the clips, its feet sink or rise.

    >>> from motionloom.workflows import ensure_annotated
    >>> from motionloom.synthesis import stand
    >>> find_common_floor([ensure_annotated(stand(duration=0.5, fps=30).clip)] * 2)
    Floor(height=0.0, slope=(0.0, 0.0), origin=(0.0, 0.0))
    """
    floors = [find_floor(clip) for clip in clips]
    heights = [floor.height for floor in floors]
    if any(floor.is_tilted for floor in floors) or max(heights) - min(heights) > MAX_FLOOR_DIFFERENCE:
        return None
    return Floor(sum(heights) / len(heights))


def plant_blend(
    result: BlendResult,
    curve: RegistrationCurve,
    prepared: Prepared | None = None,
    *,
    ground: GroundLike = None,
    stretch: float | None = None,
) -> BlendResult[MixReport]:
    """Plant the feet of a blend, and gather the reports of all stages in a :class:`MixReport`.

    Parameters
    ----------
    result, curve
        The blend and the curve that it was made from.
    prepared
        How the clips were prepared, for the report.
    ground, stretch
        As in :func:`mix`.
    """
    clip, enforcement, notes = result.clip, None, result.report.notes
    if not clip.constraints:
        notes = (*notes, NO_PLANTS)
    else:
        floor = find_common_floor(curve.clips) if ground is None else ground
        flights = () if clip.cyclic else [(flight.start, flight.end) for flight in result.report.flights]
        planted = enforce(
            clip, ground=floor, stretch=MAX_STRETCH if stretch is None else stretch, flights=flights
        )
        clip, enforcement = planted.clip, planted.report
    report = MixReport(
        method=result.report.method,
        notes=notes,
        seams=result.report.seams,
        hand_overs=result.report.hand_overs,
        flights=result.report.flights,
        registration=curve.report,
        preparation=() if prepared is None else prepared.notes,
        cuts=() if prepared is None else prepared.stride_cuts or prepared.part_cuts,
        enforcement=enforcement,
    )
    return result.with_report(report, clip)
