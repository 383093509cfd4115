"""Control a blend by speed, turn and style: `Controls` finds the weights.

What clips do is measured on their paths: duration, length and turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.arrays import FloatArray, check_array, read_only_view
from motionloom.blending.advance import KEEP_GRAVITY
from motionloom.blending.scattered_weights import ScatteredWeights
from motionloom.blending.sources import check_curve, prepare_sources
from motionloom.blending.weights import MIN_WEIGHT_SUM
from motionloom.errors import ParameterError
from motionloom.motion import Clip, PointClip
from motionloom.motion.anatomy import facing
from motionloom.motion.unroll import extend_cycle, travel
from motionloom.options.blending import RateLaw
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_choice, check_number

CORRECTIONS = 6
"""Corrections of a request by what its weights give. Each leaves about a tenth of the error."""

MIN_RANGES = (0.55, 0.5)
"""Smallest relevant differences between clips, of speed in m/s and of turn in rad/s: 0.02 m/s count as much
as 1°/s. Clips that are closer together are not spread further, and errors in what they hardly differ in are
corrected less: nobody sees captured walks deviate by a few degrees per second. A blend must not change its
speed to correct that, nor its turn to correct a speed that all clips have about."""


MIN_HEIGHT = 0.05
"""Distance, in units of the clips' ranges, by which a clip must lie inside the others' hull for these to
reach farther than it: 0.15 m/s between a walk and a run. A straight run that is hardly slower than runs to
the left and to the right stands for straight running; a request beyond it is not a blend of left and
right."""


class SpeedAndTurn(NamedTuple):
    """Metres per second along the path, and radians per second to the left."""

    speed: float
    turn: float


class Controls:
    """Turns a speed, a turn and a style into weights of K clips.

    The speed and turn of each clip are measured over its registered part; a gait in place has those that its
    planted feet show (:func:`motionloom.recover_travel`), and its blends stay in place. The weights of a
    request interpolate the clips around it and are corrected by what a blend with these weights does: its
    length and turn are the means of the clips', and its time follows from the rates along the curve. At a
    clip's own speed and turn, that clip has all the weight. A request beyond the clips gets the closest that
    they allow; :meth:`speed_and_turn` tells what weights give. Between clips that move alike the weights
    change fast; ``LiveBlend(max_change=…)`` slows them down.

    ``turn`` is in radians per second, positive to the left, since clips may turn on the spot. To follow a
    curvature, request ``turn = speed * curvature``.

    Parameters
    ----------
    curve
        How K clips correspond (:func:`motionloom.register`).
    styles
        The style of each clip, K names; by default all clips have the same style.
    rate_law
        The rate law that the blend will use, as in :func:`motionloom.blend`.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> loops = [cyclify(walk(speed=s, duration=4).clip, cycles=1) for s in (0.8, 1.6)]
    >>> controls = Controls(register(loops))
    >>> weights = controls.weights(speed=1.2)
    >>> round(controls.speed_and_turn(weights).speed, 3), controls.weights(speed=9).tolist()
    (1.2, [0.0, 1.0])
    """

    def __init__(
        self,
        curve: RegistrationCurve,
        styles: Sequence[str] | None = None,
        rate_law: RateLaw = "auto",
    ) -> None:
        check_curve("Controls", curve)
        if isinstance(curve.clips[0], PointClip):
            raise ParameterError("point clips have no facing, so they have no turn to control")
        names = ("",) * curve.n_clips if styles is None else tuple(styles)
        if len(names) != curve.n_clips:
            raise ParameterError(f"{curve.n_clips} clips need a style each, not {len(names)} styles")
        self.styles = names
        self.rate_law: RateLaw = check_choice("rate_law", rate_law, get_args(RateLaw))
        totals = [
            measure_path(recover_if_in_place(clip)[0], first, last)
            for clip, (first, last) in zip(curve.clips, curve.spans.T.tolist(), strict=True)
        ]
        self._totals = np.array([(own.length, own.turn) for own in totals])
        self._slopes, self._flying = _slopes(curve, self.rate_law)
        self._clips = np.array([self._speed_and_turn(row) for row in np.eye(curve.n_clips)])

    @property
    def clips(self) -> tuple[SpeedAndTurn, ...]:
        """Speed and turn of each of the K clips."""
        return tuple(SpeedAndTurn(*row) for row in self._clips.tolist())

    def speed_and_turn(self, weights: npt.ArrayLike) -> SpeedAndTurn:
        """Return the speed and turn of a blend with weights (K,)."""
        given = check_array("weights", weights, (len(self.styles),))
        if abs(given.sum()) < MIN_WEIGHT_SUM:
            raise ParameterError(f"the weights add up to {given.sum():.3g}, which must not be zero")
        speed, turn = self._speed_and_turn(given / given.sum()).tolist()
        return SpeedAndTurn(speed, turn)

    def weights(
        self,
        *,
        speed: float | None = None,
        turn: float | None = None,
        style: str | Mapping[str, float] | None = None,
    ) -> FloatArray:
        """Return the convex weights (K,) of a blend that moves as requested, or as close as the clips allow.

        Parameters
        ----------
        speed
            Metres per second along the path; by default the mean of the clips.
        turn
            Radians per second, positive to the left. By default any turn will do: the blend has the speed,
            and walks as straight as the clips do at that speed.
        style
            The style of the clips to use, or style -> fraction for a mix; by default all clips are used.
        """
        fractions = self._style_fractions(style)
        allowed = self._clips[self._members(fractions)]
        request = np.array(
            [
                allowed[:, 0].mean() if speed is None else check_number("speed", speed),
                0.0 if turn is None else check_number("turn", turn),
            ]
        )
        # A speed that no clip has cannot be reached by giving up the turn, and vice versa.
        request = np.clip(request, allowed.min(axis=0), allowed.max(axis=0))
        weights = self._mix_styles(request, fractions)
        for n in range(CORRECTIONS if turn is not None else 2 * CORRECTIONS):
            actual = self._speed_and_turn(weights)
            if n >= CORRECTIONS:
                # As straight as possible: from here on the turn yields to the speed.
                request[1] = actual[1]
            # The weights reproduce the mean of the clips, from which the blend differs a little.
            error = self._relevance * (request - actual)
            weights = self._mix_styles(error + weights @ self._clips, fractions)
        return weights

    def __repr__(self) -> str:
        styles = [repr(style) for style in sorted(set(self.styles)) if style]
        return f"Controls({len(self.styles)} clips{', styles ' if styles else ''}{', '.join(styles)})"

    def _speed_and_turn(self, weights: FloatArray) -> FloatArray:
        """Return the speed and turn (2,) of a blend with weights (K,) of sum 1."""
        if self.rate_law == "duration":
            durations = self._slopes @ weights
        else:
            durations = 1.0 / ((1.0 / self._slopes) @ weights)
            squares = np.maximum(self._slopes**2 @ weights, 0.0)
            durations += self._flying * (np.sqrt(squares) - durations)
        return np.asarray(weights @ self._totals / durations.sum())

    def _mix_styles(self, request: FloatArray, fractions: Mapping[str | None, float]) -> FloatArray:
        """Return the mean of the weights (K,) that each style has for the request (2,)."""
        weights = np.zeros(len(self.styles))
        for style, fraction in fractions.items():
            members, scattered = self._maps[style]
            weights[members] += fraction * scattered(request / self._ranges)
        return weights

    @cached_property
    def _ranges(self) -> FloatArray:
        """Ranges of the clips' speeds and turns, which make the two comparable."""
        return np.asarray(np.maximum(np.ptp(self._clips, axis=0), MIN_RANGES))

    @cached_property
    def _relevance(self) -> FloatArray:
        """How much errors of speed and turn are corrected: 1 where the clips differ enough to control it."""
        return np.asarray(np.minimum(np.ptp(self._clips, axis=0) / MIN_RANGES, 1.0) ** 2)

    @cached_property
    def _maps(self) -> dict[str | None, tuple[list[int], ScatteredWeights]]:
        """Clips of each style, and of all (None), with the map from speed and turn to their weights."""
        points = self._clips / self._ranges
        members: dict[str | None, list[int]] = {None: list(range(len(self.styles)))}
        for k, style in enumerate(self.styles):
            members.setdefault(style, []).append(k)
        return {style: (own, ScatteredWeights(points[own], MIN_HEIGHT)) for style, own in members.items()}

    def _members(self, fractions: Mapping[str | None, float]) -> list[int]:
        return sorted({k for style in fractions for k in self._maps[style][0]})

    def _style_fractions(self, style: str | Mapping[str, float] | None) -> dict[str | None, float]:
        """Return the fraction of each style, with sum 1; the key None stands for clips of any style."""
        if style is None:
            return {None: 1.0}
        given = {style: 1.0} if isinstance(style, str) else dict(style)
        for name, fraction in given.items():
            if name not in self.styles:
                known = ", ".join(repr(own) for own in sorted(set(self.styles)))
                raise ParameterError(f"there is no style {name!r}: the styles are {known}")
            check_number(f"the fraction of style {name!r}", fraction, min=0)
        total = sum(given.values())
        if total <= 0.0:
            raise ParameterError("a mix of styles needs at least one fraction above 0")
        return {name: fraction / total for name, fraction in given.items() if fraction > 0.0}


def _slopes(curve: RegistrationCurve, law: RateLaw) -> tuple[FloatArray, FloatArray]:
    """Return the seconds (N, K) that each clip takes per piece of the curve, by the slope at its centre, and
    the fraction (N,) to which the ballistic law holds there.
    """
    sources = prepare_sources(curve, keep_gravity=law in KEEP_GRAVITY)
    warp = sources.curve.timewarp
    centres: FloatArray = np.arange(sources.n_pieces, dtype=np.float64) + 0.5
    slopes = warp.derivative(sources.parameters(centres)) * warp.knot_spacing * curve.clips[0].frame_time
    flying = np.full(sources.n_pieces, float(law == "ballistic"))
    if law == "auto":
        kernels.advance.flight_fractions(sources.flights, sources.n_pieces, read_only_view(centres), flying)
    return np.asarray(slopes), flying


@dataclass(frozen=True)
class PathTotals:
    """Duration, length and turn of the path of a clip, or of a part of it.

    Attributes
    ----------
    duration
        Seconds.
    length
        Metres along the path, without the sway of the body.
    turn
        Radians that the body turns, positive to the left.
    """

    duration: float
    length: float
    turn: float

    @property
    def speed(self) -> float:
        """Metres per second."""
        return self.length / self.duration

    @property
    def turn_rate(self) -> float:
        """Radians per second, positive to the left."""
        return self.turn / self.duration


def measure_path(clip: Clip, first: float | None = None, last: float | None = None) -> PathTotals:
    """Measure the path of a clip between two frames; by default all of it, or one cycle.

    The body is assumed to turn at a constant rate. In a frame that turns with it, the mean velocity has no
    sway.

    >>> from motionloom.synthesis import walk
    >>> path = measure_path(walk(speed=1.2, curvature=0.3, duration=4.0).clip)
    >>> round(path.speed, 1), round(path.turn_rate, 2)
    (1.2, 0.36)
    """
    clip = clip.body
    if clip.cyclic:
        duration, turn = clip.n_frames * clip.frame_time, travel(clip).yaw
        roots = extend_cycle(clip, clip.n_frames + 1).root_positions
    else:
        first, last = first or 0.0, clip.n_frames - 1.0 if last is None else last
        part = clip[int(np.floor(first)) : int(np.ceil(last)) + 1]
        duration, roots = part.duration, part.root_positions
        headings = facing(part)
        turn = float(headings[-1] - headings[0])
    # Steps along +Z and +X as complex numbers, each rotated back by its fraction of the whole turn.
    steps = np.diff(roots[:, [2, 0]], axis=0)
    fraction = (np.arange(len(steps)) + 0.5) / len(steps)
    total = complex(((steps[:, 0] + 1j * steps[:, 1]) * np.exp(-1j * turn * fraction)).sum())
    return PathTotals(duration, float(np.hypot(total.real, total.imag)), turn)
