"""`variations`: many similar motions from a few, no two the same."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.blend import blend
from motionloom.blending.checks import check_curve, checked_seconds
from motionloom.blending.result import BlendResult
from motionloom.blending.weights import ConstantWeights, KeyedWeights, WeightFunction
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_count, check_number, check_positive

CANDIDATES = 10
"""Random weights among which each variation takes those farthest from all before it."""


def variations(
    curve: RegistrationCurve,
    n: int,
    seed: int,
    *,
    spread: float = 1.0,
    change_every: float | None = None,
    seconds: float | None = None,
    place: GroundTransform | None = None,
) -> list[BlendResult]:
    """Make ``n`` motions that are alike but distinct: blends with random weights.

    Weights are drawn evenly from all convex ones and then away from those drawn before. The same seed gives
    the same motions, and asking for more of them does not change the first.

    Parameters
    ----------
    curve
        How K clips of one action correspond, such as three kicks (:func:`motionloom.register`).
    n
        How many.
    seed
        A whole number from 0 up.
    spread
        How far from the mean of all clips: 1 reaches the clips themselves, 0.1 a tenth of the way.
    change_every
        Seconds after which the weights of a motion arrive at new random ones, smoothly; without it they stay
        the same throughout.
    seconds
        How long each motion is at most, as in :func:`motionloom.blend`.
    place
        Where each motion begins.

    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import kick
    >>> kicks = [kick(style="front", fps=30).clip, kick(style="high", fps=30).clip]
    >>> [round(float(made.weights[0, 0]), 2) for made in variations(register(kicks), 3, seed=1)]
    [0.78, 0.03, 0.41]
    """
    check_curve("variations", curve)
    check_count("n", n)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(f"seed must be a whole number from 0 up, not {seed!r}")
    if not 0.0 < check_number("spread", spread) <= 1.0:
        raise ParameterError(f"spread must lie above 0 and not above 1, not {spread}")
    n_keys = 1 if change_every is None else _n_keys(curve, change_every, seconds)
    draws = _apart(np.random.default_rng(seed), n, n_keys, curve.n_clips)
    draws = (1.0 - spread) / curve.n_clips + spread * draws
    return [blend(curve, _function(keys, change_every), seconds=seconds, place=place) for keys in draws]


def _apart(random: np.random.Generator, n: int, n_keys: int, n_clips: int) -> FloatArray:
    """Random convex weights (n, N, K), each of several candidates the one farthest from those before it."""
    found = np.empty((n, n_keys, n_clips))
    for i in range(n):
        candidates = random.dirichlet(np.ones(n_clips), (CANDIDATES, n_keys))
        away = np.linalg.norm(candidates[:, None] - found[None, :i], axis=(-2, -1))
        found[i] = candidates[away.min(axis=1, initial=np.inf).argmax()]
    return found


def _function(keys: FloatArray, change_every: float | None) -> WeightFunction:
    if change_every is None:
        return ConstantWeights(keys[0])
    return KeyedWeights({i * change_every: tuple(row) for i, row in enumerate(keys.tolist())})


def _n_keys(curve: RegistrationCurve, change_every: float, seconds: float | None) -> int:
    """Keys that reach over the longest blend there can be."""
    if check_positive("change_every", change_every) < curve.clips[0].frame_time:
        raise ParameterError(
            f"change_every is {change_every:g} s, less than a frame ({curve.clips[0].frame_time:.4g} s): "
            "give the seconds between new weights"
        )
    if seconds is None:
        if curve.timewarp.periods is not None:
            raise ParameterError("cyclic clips with changing weights go on for ever: say how long (seconds=)")
        seconds = float(np.ptp(curve.spans, axis=0).max()) * curve.clips[0].frame_time
    return int(np.ceil(checked_seconds(seconds) / change_every)) + 1
