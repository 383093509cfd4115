"""`variations`: many similar but distinct motions from a few clips."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.blend import blend
from motionloom.blending.result import BlendResult
from motionloom.blending.sources import check_curve
from motionloom.blending.weights import ConstantWeights, KeyedWeights, WeightFunction
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.messages import Argument
from motionloom.registration import RegistrationCurve
from motionloom.validation import check_count, check_number, check_positive

MAX_VARIATIONS = 100_000
"""Variations of one call; each is compared with all before it."""

CANDIDATES = 10
"""Random weights per variation, of which the one farthest from all earlier variations is taken."""


def variations(
    curve: RegistrationCurve,
    n: int,
    seed: int,
    *,
    spread: float = 1.0,
    change_every: float | None = None,
    duration: float | None = None,
    place: GroundTransform | None = None,
) -> list[BlendResult]:
    """Make ``n`` similar but distinct motions: blends with random weights.

    Weights are drawn uniformly from all convex ones and kept away from those drawn before. The same seed
    gives the same motions, and a larger ``n`` does not change the first ones.

    Parameters
    ----------
    curve
        How K clips of one action correspond, such as three kicks (:func:`motionloom.register`).
    n
        Number of motions.
    seed
        Seed of the random numbers, a whole number of at least 0.
    spread
        How far the weights may lie from the mean of all clips: 1 reaches the clips themselves, 0.1 a tenth of
        that distance.
    change_every
        Seconds between new random weights within a motion, with smooth changes between them. By default the
        weights of a motion stay constant.
    duration
        Maximum length of each motion in seconds, as in :func:`motionloom.blend`.
    place
        Where each motion begins.

    Returns
    -------
    list of BlendResult
        The motions.

    Raises
    ------
    ParameterError
        A number makes no sense.

    >>> from motionloom.registration import register
    >>> from motionloom.synthesis import kick
    >>> kicks = [kick(style="front", fps=30).clip, kick(style="high", fps=30).clip]
    >>> [round(float(result.weights[0, 0]), 2) for result in variations(register(kicks), 3, seed=1)]
    [0.78, 0.03, 0.41]
    """
    check_curve("variations", curve)
    check_count("n", n, max=MAX_VARIATIONS)
    check_count("seed", seed, min=0)
    check_positive("spread", spread, max=1)
    n_keys = 1 if change_every is None else _count_keys(curve, change_every, duration)
    draws = _draw_weights(np.random.default_rng(seed), n, n_keys, curve.n_clips)
    draws = (1.0 - spread) / curve.n_clips + spread * draws
    return [
        blend(curve, _weight_function(keys, change_every), duration=duration, place=place) for keys in draws
    ]


def _draw_weights(random: np.random.Generator, n: int, n_keys: int, n_clips: int) -> FloatArray:
    """Draw convex weights (n, N, K), each the candidate farthest from those before it."""
    drawn = np.empty((n, n_keys, n_clips))
    for i in range(n):
        candidates = random.dirichlet(np.ones(n_clips), (CANDIDATES, n_keys))
        distances = np.linalg.norm(candidates[:, None] - drawn[None, :i], axis=(-2, -1))
        drawn[i] = candidates[distances.min(axis=1, initial=np.inf).argmax()]
    return drawn


def _weight_function(keys: FloatArray, change_every: float | None) -> WeightFunction:
    if change_every is None:
        return ConstantWeights(keys[0])
    return KeyedWeights({i * change_every: tuple(row) for i, row in enumerate(keys.tolist())})


def _count_keys(curve: RegistrationCurve, change_every: float, duration: float | None) -> int:
    """Return the number of keys that cover the longest possible blend."""
    if check_positive("change_every", change_every) < curve.clips[0].frame_time:
        raise ParameterError(
            f"is {change_every:g} s, less than a frame ({curve.clips[0].frame_time:.4g} s)",
            parameter="change_every",
            remedy="give the seconds between new weights",
        )
    if duration is None:
        if curve.timewarp.periods is not None:
            raise ParameterError(
                "cyclic clips with changing weights repeat forever",
                remedy=("give the length in seconds with ", Argument("duration")),
            )
        duration = float(np.ptp(curve.spans, axis=0).max()) * curve.clips[0].frame_time
    return int(np.ceil(check_number("duration", duration, min=0) / change_every)) + 1
