"""`MotionSpace`: motion by its parameters, such as where a kick hits, instead of by blend weights.

The mesh of a space gives weights; they are corrected until their blend measures what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.blending.result import BlendResult
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.messages import Argument, Message, join_parts
from motionloom.motion import Clip
from motionloom.motion.motion import name_clips
from motionloom.motion.result import ClipLike
from motionloom.options.blending import RateLaw
from motionloom.registration import RegistrationCurve, Verdict
from motionloom.spaces.close_residual import close_residual
from motionloom.spaces.joint_measures import Position
from motionloom.spaces.measured_blends import MeasuredBlends
from motionloom.spaces.measures import Custom, Parameter
from motionloom.spaces.register_examples import HasClip, register_examples
from motionloom.spaces.report import SpaceReport
from motionloom.spaces.sample_space import SampledSpace, sample_space
from motionloom.spaces.simplex_mesh import SimplexMesh
from motionloom.validation import check_choice, check_count, check_number, check_positive

if TYPE_CHECKING:
    from motionloom.spaces.live_space import LiveSpace

from motionloom.spaces.sample_space import Measure

Request = Mapping[str, npt.ArrayLike] | npt.ArrayLike
"""Name of a parameter -> its numbers, or all d numbers in the order of the space's names."""

MIN_DIFFERENCES = {"m": 0.02, "rad": 0.03, "s": 0.03, "m/s": 0.03, "rad/s": 0.03}
"""Smallest difference between clips that is more than noise of capture, by unit: a parameter in which they
differ less cannot be asked for."""

MAX_REQUEST = 1e9
"""Largest magnitude of a number of a request: from farther away, all points of a space are equally far."""

MAX_CORRECTIONS = 8
"""Corrections of a request by what its blend measures. The first leaves about a tenth of the error, later
ones less and less; three are usual."""

EXACT = 1e-6
"""Error, in units of the clips' ranges, that is not corrected further."""

MIN_PROGRESS = 0.1
"""Fraction of what was asked for more that must be measured more, for a step to say something about the next
one."""


class MotionSpace:
    """All blends of clips that show one kind of action, by parameters.

    The clips are registered. Blends of them are made and measured until the weights between the measured
    ones are accurate; a request starts from those weights and is corrected by what its own blend measures. At
    a clip's own parameters, that clip has all the weight. A request that the clips do not reach gets the
    nearest that they do, and the report says how far away that is.

    Parameters
    ----------
    clips
        Two clips or more that show the same action, hits of a search, or a registration curve. Hits are put
        on the skeleton of the first, and those that do not show its motion are left out; ``notes`` name them.
    parameters
        Name -> parameter (:mod:`motionloom.parameters`), or a function of a clip.
    extrapolation
        How far weights may lie outside 0 to 1.
    accuracy
        Error of weights without correction, as a fraction of the range of the clips.
    max_blends
        Blends from which sampling stops. Those between and beyond neighbouring clips are all made.
    rate_law
        As in :func:`motionloom.blend`.
    progress
        Called with the number of blends made and the maximum.

    >>> from motionloom.spaces import parameters
    >>> from motionloom.synthesis import reach_out
    >>> reaches = [reach_out(target=(-0.2, y, 0.4), fps=30).clip for y in (0.9, 1.4)]
    >>> space = MotionSpace(reaches, {"hand": parameters.height("RightHand", at="apex")})
    >>> result = space.blend({"hand": 1.2})
    >>> result.report.measured.round(3).tolist()
    [1.2]
    """

    def __init__(
        self,
        clips: Sequence[ClipLike] | Sequence[HasClip] | RegistrationCurve,
        parameters: Mapping[str, Parameter | Callable[[Clip], npt.ArrayLike]],
        *,
        extrapolation: float = 0.15,
        accuracy: float = 0.01,
        max_blends: int = 1000,
        rate_law: RateLaw = "auto",
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        extrapolation = check_number("extrapolation", extrapolation, min=0.0, max=1.0)
        accuracy = check_positive("accuracy", accuracy, max=1.0)
        max_blends = check_count("max_blends", max_blends)
        measures = _check_parameters(parameters)
        curve = clips if isinstance(clips, RegistrationCurve) else register_examples(clips, measures)
        blends = MeasuredBlends(curve, measures, check_choice("rate_law", rate_law, get_args(RateLaw)))
        self._set_examples(blends, np.array([blends.measure(row) for row in np.eye(curve.n_clips)]))
        self._sampled = sample_space(
            self._normalize(self._examples),
            lambda weights: self._normalize(self.blends.measure(weights)),
            extrapolation=extrapolation,
            accuracy=accuracy,
            max_blends=max_blends,
            progress=progress,
        )

    @classmethod
    def restore(cls, blends: MeasuredBlends, examples: FloatArray, sampled: SampledSpace) -> MotionSpace:
        """Return a space from what was measured before: parameters (K, d) of the clips, and the blends."""
        space = cls.__new__(cls)
        space._set_examples(
            blends, check_array("examples", examples, (blends.curve.n_clips, len(blends.names)))
        )
        space._sampled = sampled
        return space

    @property
    def curve(self) -> RegistrationCurve:
        """How the K clips correspond."""
        return self.blends.curve

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Name -> parameter."""
        return dict(self.blends.parameters)

    @property
    def rate_law(self) -> RateLaw:
        """The rate law of its blends."""
        return self.blends.rate_law

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the d numbers of a request: "hand.x", "hand.y", "speed"."""
        return self.blends.names

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the d numbers."""
        return self.blends.units

    @property
    def examples(self) -> FloatArray:
        """Parameters (K, d) of the clips."""
        return self._examples

    @property
    def left_out(self) -> tuple[int, ...]:
        """Clips without weight: they do the same as others, or do not blend with them."""
        return tuple(np.flatnonzero((self._sampled.mesh.weights == 0.0).all(axis=0)).tolist())

    @property
    def range(self) -> FloatArray:
        """Lowest and highest parameters (2, d) that blends have."""
        points = self.hull.points
        return np.stack([points.min(axis=0), points.max(axis=0)])

    @property
    def hull(self) -> SimplexMesh:
        """The measured blends and the simplices between them, in the units of the parameters."""
        return replace(self._sampled.mesh, points=self._denormalize(self._sampled.mesh.points))

    @property
    def sampled(self) -> SampledSpace:
        """How the space was sampled; its mesh is in units of the clips' ranges."""
        return self._sampled

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the space, in sentences."""
        notes: list[str] = []
        if self.curve.report.verdict is not Verdict.GOOD:
            notes.append(self.curve.report.sentence)
        if self.left_out:
            names = name_clips(self.curve.clips)
            which = join_parts([names[k] for k in self.left_out])
            notes.append(
                Message(("without weight, as others do the same or do not blend with them: ", *which))
            )
        if self._sampled.n_refused:
            notes.append(
                "some blends do something else than the clips around them "
                f"({self._sampled.n_refused} of {self._sampled.n_blends}): near those, requests are met less "
                "exactly"
            )
        return (*notes, *self.curve.report.notes)

    def weights(self, request: Request, *, correct: bool = True) -> FloatArray:
        """Return the weights (K,) of the blend that a request asks for, or of the nearest one there is.

        Parameters
        ----------
        request
            Name of a parameter -> its numbers, or all d numbers in the order of ``names``.
        correct
            Correct the weights by what their blend measures, which takes some milliseconds. Without, they are
            interpolated between the measured blends.
        """
        nearest = self._sampled.mesh.find_nearest(self._normalize(self.as_numbers(request)))
        if correct:
            return self._correct(nearest.point)
        return np.asarray(nearest.coordinates @ self._sampled.mesh.weights[nearest.vertices])

    def nearest(self, request: Request) -> FloatArray:
        """Return the nearest (d,) to a request that blends of the space have: the request itself inside."""
        return self._denormalize(
            self._sampled.mesh.find_nearest(self._normalize(self.as_numbers(request))).point
        )

    def blend(
        self,
        request: Request,
        *,
        place: GroundTransform | None = None,
        ik: bool = True,
        plant: bool = True,
    ) -> BlendResult[SpaceReport]:
        """Make the motion that a request asks for.

        Parameters
        ----------
        request
            As in :meth:`weights`.
        place
            Where the first frame is, as in :func:`motionloom.blend`.
        ik
            Close what is left of positions of joints by inverse kinematics. Outside the space, joints go to
            the nearest place inside.
        plant
            Keep feet where they are planted.

        Returns
        -------
        BlendResult
            Its report is a :class:`SpaceReport`.
        """
        self._check_place(place)
        wanted = self.as_numbers(request)
        nearest = self._sampled.mesh.find_nearest(self._normalize(wanted))
        goal = self._denormalize(nearest.point)
        weights = self._correct(nearest.point)
        result = self.blends.make(weights, place=place)
        clip = close_residual(self.blends, result, weights, goal, ik=ik, plant=plant)
        report = SpaceReport(
            **vars(result.report),
            names=self.names,
            request=wanted,
            nearest=freeze(goal),
            outside=nearest.distance,
            blended=freeze(self.blends.measure_clip(result.clip, weights, result.u)),
            measured=freeze(self.blends.measure_clip(clip, weights, result.u)),
        )
        return result.with_report(report, clip)

    def live(
        self, request: Request, *, place: GroundTransform | None = None, max_change: float | None = None
    ) -> LiveSpace:
        """Return the motion to be played step by step, with a request that may change at any step.

        Parameters
        ----------
        request
            What to begin with, as in :meth:`weights`.
        place
            Where the first pose is, as in :func:`motionloom.blend`.
        max_change
            Maximum change of a weight per second; 2 by default.
        """
        from motionloom.spaces.live_space import MAX_CHANGE, LiveSpace

        self._check_place(place)
        return LiveSpace(
            self, request, place=place, max_change=MAX_CHANGE if max_change is None else max_change
        )

    def as_numbers(self, request: Request) -> FloatArray:
        """Return a request as d numbers; an error names what is missing or unknown."""
        numbers = self._list_numbers(request)
        if np.abs(numbers).max() > MAX_REQUEST:
            raise ParameterError(
                f"the numbers of a request must lie within ±{MAX_REQUEST:g}, but one of {numbers.tolist()} "
                "does not"
            )
        return numbers

    def _list_numbers(self, request: Request) -> FloatArray:
        if not isinstance(request, Mapping):
            return check_array(f"a request for {', '.join(self.names)}", request, (len(self.names),))
        known = self.blends.parameters
        for name in request:
            if name not in known:
                raise ParameterError(f"the space has no parameter {name!r}: it has {', '.join(known)}")
        missing = [name for name in known if name not in request]
        if missing:
            raise ParameterError(
                f"the request lacks {', '.join(map(repr, missing))}", remedy="give all parameters"
            )
        return np.concatenate([_check_request(name, each, request[name]) for name, each in known.items()])

    def __repr__(self) -> str:
        ranges = ", ".join(
            f"{name} {low:.3g} to {high:.3g} {unit}".rstrip()
            for name, low, high, unit in zip(self.names, *self.range, self.units, strict=True)
        )
        return f"MotionSpace({self.curve.n_clips} clips, {self._sampled.n_blends} blends; {ranges})"

    def _correct(self, goal: FloatArray) -> FloatArray:
        """Return weights (K,) whose blend measures a point (d,) of the mesh."""
        return correct_weights(
            self._sampled.mesh, lambda weights: self._normalize(self.blends.measure(weights)), goal
        )

    def _check_place(self, place: GroundTransform | None) -> None:
        """Refuse to move a motion of which something is asked for in the world."""
        for name, parameter in self.blends.parameters.items():
            if place is not None and isinstance(parameter, Position) and parameter.frame == "world":
                raise ParameterError(
                    f"place would move {name!r} away from where it is asked for in the world",
                    remedy='leave place out, or measure it with frame="start"',
                )

    def _set_examples(self, blends: MeasuredBlends, examples: FloatArray) -> None:
        self.blends, self._examples = blends, freeze(np.array(examples))
        self._lows, self._ranges = examples.min(axis=0), np.ptp(examples, axis=0)
        _check_ranges(self._ranges, blends.names, blends.units)

    def _normalize(self, values: FloatArray) -> FloatArray:
        return np.asarray((values - self._lows) / self._ranges)

    def _denormalize(self, values: FloatArray) -> FloatArray:
        return np.asarray(self._lows + values * self._ranges)


def _check_request(name: str, parameter: Parameter, values: npt.ArrayLike) -> FloatArray:
    """Return the numbers (n,) asked for of a parameter; one may stand by itself."""
    row = np.array([values]) if isinstance(values, int | float | np.number) else values
    wanted = parameter.components
    if isinstance(row, Sequence | np.ndarray) and not isinstance(row, str) and len(row) != len(wanted):
        numbers = f"{len(wanted)} numbers ({', '.join(wanted)})" if len(wanted) > 1 else "one number"
        raise ParameterError(f"the request for {name!r} needs {numbers}, not {len(row)}")
    return check_array(f"the request for {name!r}", row, (len(wanted),))


def _check_parameters(
    parameters: Mapping[str, Parameter | Callable[[Clip], npt.ArrayLike]],
) -> dict[str, Parameter]:
    if not isinstance(parameters, Mapping) or not parameters:
        raise ParameterError(
            "must be a dict of name -> parameter, such as "
            f'{{"speed": motionloom.parameters.speed()}}, not {parameters!r}',
            parameter="parameters",
            value=parameters,
        )
    return {name: each if isinstance(each, Parameter) else Custom(each) for name, each in parameters.items()}


def _check_ranges(ranges: FloatArray, names: Sequence[str], units: Sequence[str]) -> None:
    """Refuse parameters in which the clips hardly differ."""
    for size, name, unit in zip(ranges.tolist(), names, units, strict=True):
        if size <= MIN_DIFFERENCES.get(unit, 0.0):
            raise ParameterError(
                f"the clips differ by only {size:.3g} {unit} in {name!r}, so it cannot be asked for",
                remedy=(
                    "leave it out (a position has ",
                    Argument("axes"),
                    "), or add clips that differ in it",
                ),
            )


def correct_weights(mesh: SimplexMesh, measure: Measure, goal: FloatArray) -> FloatArray:
    """Return weights (K,) whose blend measures a point (d,) of the mesh, or the nearest that were found.

    The weights of a request reproduce it within the accuracy of the mesh, so asking for as much more as is
    missing is nearly a Newton step: the derivative of what is measured by what is asked for is nearly 1. What
    it lacks, each step learns from the one before (Broyden). The weights change smoothly with the request,
    and stay within those of the measured blends.

    >>> from motionloom.spaces.simplex_mesh import triangulate
    >>> line = triangulate(np.array([[0.0], [1.0]]), np.eye(2))
    >>> correct_weights(line, lambda weights: weights[1:] ** 2, np.array([0.25])).round(6).tolist()
    [0.5, 0.5]
    """
    asked, best, min_size = goal, mesh.interpolate(goal), np.inf
    inverse = np.eye(len(goal))
    asked_before, error_before = goal, np.zeros(len(goal))
    for n in range(MAX_CORRECTIONS):
        weights = mesh.interpolate(asked)
        error = goal - measure(weights)
        size = float(np.linalg.norm(error))
        if size < min_size:
            best, min_size = weights, size
        if size < EXACT:
            break
        if n:
            inverse = update_inverse(inverse, asked - asked_before, error_before - error)
        asked_before, error_before = asked, error
        asked = mesh.find_nearest(asked + inverse @ error).point
    return best


def update_inverse(inverse: FloatArray, asked: FloatArray, measured: FloatArray) -> FloatArray:
    """Return the inverse (d, d) of a derivative that fits a step: asked (d,) for more, measured (d,) more.

    Broyden's update, the smallest that fits; a step that would turn it singular changes nothing.

    >>> update_inverse(np.eye(1), np.array([1.0]), np.array([0.5])).tolist()
    [[2.0]]
    """
    row = asked @ inverse
    denominator = float(row @ measured)
    if abs(denominator) <= MIN_PROGRESS * float(asked @ asked):
        return inverse
    return np.asarray(inverse + np.outer(asked - inverse @ measured, row) / denominator)
