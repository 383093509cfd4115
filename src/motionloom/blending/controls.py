"""`Controls`: weights from what a user asks for, a speed, a turn and a style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.blending.checks import check_curve
from motionloom.blending.place import LAWS, RateLaw
from motionloom.blending.scattered_weights import ScatteredWeights
from motionloom.blending.stride import stride_of
from motionloom.blending.weights import SMALLEST_SUM
from motionloom.errors import ParameterError
from motionloom.motion import PointClip
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_number

CORRECTIONS = 6
"""How often a request is corrected by what its weights would give. Each leaves a tenth of the error or so."""

LEAST_RANGES = (0.25, 0.5)
"""Differences between clips that matter, speeds in m/s and turns in rad/s. Clips that lie closer together are
not spread out further: nobody sees how captured walks stray by some degrees per second, and a blend must not
change its speed to make that up."""


class Going(NamedTuple):
    """How a motion goes: metres per second along its path, and radians per second to the left."""

    speed: float
    turn: float


class Controls:
    """Turns a speed, a turn and a style into weights of K clips.

    Every clip has a speed and a turn of its own, measured over its registered part. The weights of a request
    lie between those of the clips around it, and are corrected by what a blend with these weights does: its
    length and turn are the means of the clips', and its time follows from the rates along the curve. At a
    clip's own speed and turn, that clip has all the weight. A request beyond the clips gets the nearest that
    they allow; :meth:`going` says what weights give. Between clips that go nearly alike the weights change
    fast; ``LiveBlend(max_change=…)`` slows them down.

    ``turn`` is in radians per second, positive to the left, since clips may turn on the spot; to follow a
    curvature ask for ``turn = speed * curvature``.

    Parameters
    ----------
    curve
        How K clips correspond (:func:`motionloom.register`).
    styles
        The style of each clip, K names; all are of one style unless stated.
    rate
        The rate law that the blend will use.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import walk
    >>> loops = [cyclify(walk(speed=s, duration=4).clip, n_cycles=1) for s in (0.8, 1.6)]
    >>> controls = Controls(register(loops))
    >>> weights = controls.weights(speed=1.2)
    >>> round(controls.going(weights).speed, 3), controls.weights(speed=9).tolist()
    (1.2, [0.0, 1.0])
    """

    def __init__(
        self, curve: RegistrationCurve, styles: Sequence[str] | None = None, rate: RateLaw = "frequency"
    ) -> None:
        check_curve("Controls", curve)
        if isinstance(curve.clips[0], PointClip):
            raise ParameterError("clips of points face nowhere, so they have no turn to control")
        if rate not in LAWS:
            raise ParameterError(f"rate must be one of {', '.join(LAWS)}, not {rate!r}")
        names = ("",) * curve.n_clips if styles is None else tuple(styles)
        if len(names) != curve.n_clips:
            raise ParameterError(f"the curve has {curve.n_clips} clips but there are {len(names)} styles")
        self.styles, self.rate = names, rate
        strides = [
            stride_of(clip, first, last)
            for clip, (first, last) in zip(curve.clips, curve.spans.T.tolist(), strict=True)
        ]
        self._amounts = np.array([(stride.length, stride.turn) for stride in strides])
        self._slopes = _slopes(curve)
        self._clips = np.array([self._going(row) for row in np.eye(curve.n_clips)])

    @property
    def clips(self) -> tuple[Going, ...]:
        """Speed and turn of each of the K clips."""
        return tuple(Going(*row) for row in self._clips.tolist())

    def going(self, weights: npt.ArrayLike) -> Going:
        """The speed and turn that a blend with weights (K,) has."""
        shares = check_array("weights", weights, (len(self.styles),))
        if abs(shares.sum()) < SMALLEST_SUM:
            raise ParameterError(f"the weights add up to {shares.sum():.3g}, which must not be zero")
        speed, turn = self._going(shares / shares.sum()).tolist()
        return Going(speed, turn)

    def weights(
        self,
        *,
        speed: float | None = None,
        turn: float | None = None,
        style: str | Mapping[str, float] | None = None,
    ) -> FloatArray:
        """Convex weights (K,) of a blend that goes as asked, or as nearly as the clips allow.

        Parameters
        ----------
        speed
            Metres per second along the path; the mean of the clips unless stated.
        turn
            Radians per second, positive to the left. Unless stated it does not matter: the blend has the
            speed, and goes as straight as the clips do at that speed.
        style
            The style to take clips of, or how much of each of several; all clips alike unless stated.
        """
        shares = self._style_shares(style)
        goings = self._clips[self._members(shares)]
        asked = np.array(
            [
                goings[:, 0].mean() if speed is None else check_number("speed", speed),
                0.0 if turn is None else check_number("turn", turn),
            ]
        )
        # What no clip has cannot be had by giving up the other.
        asked = np.clip(asked, goings.min(axis=0), goings.max(axis=0))
        weights = self._mixed(asked, shares)
        for n in range(CORRECTIONS if turn is not None else 2 * CORRECTIONS):
            going = self._going(weights)
            if n >= CORRECTIONS:
                # As straight as can be: from here on the turn yields to the speed.
                asked[1] = going[1]
            # Weights are made for the mean of the clips, from which the blend differs a little.
            weights = self._mixed(asked - going + weights @ self._clips, shares)
        return weights

    def _going(self, weights: FloatArray) -> FloatArray:
        """Speed and turn (2,) of a blend with weights (K,) of sum 1."""
        if self.rate == "frequency":
            seconds = (1.0 / ((1.0 / self._slopes) @ weights)).sum()
        else:
            seconds = (self._slopes @ weights).sum()
        return np.asarray(weights @ self._amounts / seconds)

    def _mixed(self, request: FloatArray, shares: Mapping[str | None, float]) -> FloatArray:
        """The mean of the weights (K,) that each style has for the request (2,)."""
        weights = np.zeros(len(self.styles))
        for style, share in shares.items():
            members, scattered = self._maps[style]
            weights[members] += share * scattered(request / self._ranges)
        return weights

    @cached_property
    def _ranges(self) -> FloatArray:
        """How far speeds and turns of the clips lie apart, which makes the two comparable."""
        return np.asarray(np.maximum(np.ptp(self._clips, axis=0), LEAST_RANGES))

    @cached_property
    def _maps(self) -> dict[str | None, tuple[list[int], ScatteredWeights]]:
        """Clips of each style, and of all, with the map from speed and turn to their weights."""
        points = self._clips / self._ranges
        members: dict[str | None, list[int]] = {None: list(range(len(self.styles)))}
        for k, style in enumerate(self.styles):
            members.setdefault(style, []).append(k)
        return {style: (own, ScatteredWeights(points[own])) for style, own in members.items()}

    def _members(self, shares: Mapping[str | None, float]) -> list[int]:
        return sorted({k for style in shares for k in self._maps[style][0]})

    def _style_shares(self, style: str | Mapping[str, float] | None) -> dict[str | None, float]:
        """How much of each style, with sum 1; None stands for all clips whatever their style."""
        if style is None:
            return {None: 1.0}
        given = {style: 1.0} if isinstance(style, str) else dict(style)
        for name, share in given.items():
            if name not in self.styles:
                known = ", ".join(repr(own) for own in sorted(set(self.styles)))
                raise ParameterError(f"there is no style {name!r}: the styles are {known}")
            if not (np.isfinite(share) and share >= 0.0):
                raise ParameterError(f"the share of style {name!r} must be 0 or more, not {share}")
        total = sum(given.values())
        if total <= 0.0:
            raise ParameterError("a mix of styles needs at least one share above 0")
        return {name: share / total for name, share in given.items() if share > 0.0}


def _slopes(curve: RegistrationCurve) -> FloatArray:
    """Seconds (N, K) that each clip takes for each piece of the curve, as its slope in the middle says."""
    warp = curve.timewarp
    n_pieces = len(warp.all_points) - 2
    middles = warp.start + (np.arange(n_pieces) + 0.5) * warp.knot_spacing
    return np.asarray(warp.derivative(middles) * warp.knot_spacing * curve.clips[0].frame_time)
