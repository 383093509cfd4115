"""Hand a joint's weight to one clip while a blend runs: the causal counterpart of blending/hand_over.py."""

from __future__ import annotations

import numpy as np

from motionloom.kernels.average import taps
from motionloom.kernels.compiling import Floats, Ints, Signs, kernel

PHASE, LEAD, MODE, CHANGED = 0, 1, 2, 3
"""Columns of a joint's state: how far its weight is handed over, 0 to 1; to which clip; what happens at
present; and whether its weights or signs differ from those of the blend."""

FRESH, FOLLOWS, GIVES, RETURNS = 0.0, 1.0, 2.0, 3.0
"""Values of the mode: nothing shown yet, the blend's own weights, handed over, handed back."""

WHOLE = 1.0 - 1e-12
"""A weight from here on is all of it; the same as in blending/hand_over.py."""


@kernel
def hand_over(
    rotations: Floats,
    weights: Floats,
    progress: float,
    min_length: float,
    edge_length: float,
    state: Floats,
    signs: Floats,
    out: Floats,
) -> None:
    """Update a joint's state, and write its weights (K,), times the signs of its quaternions, to ``out``.

    ``rotations`` (K, 4) are the clips' present ones, ``weights`` (K,) those of the blend; ``progress`` is the
    fraction of a whole hand-over that may pass. Updated in place: ``state`` (4,) and ``signs`` (K,). A sign
    changes only where its weight is zero. The mean of the signed rotations is never shorter than
    ``min_length``; below ``edge_length`` a hand-over begins.
    """
    n_clips = weights.shape[0]
    heaviest = _heaviest(weights)
    mean = np.empty(4)
    length = _mean(rotations, weights, signs, mean)
    if state[MODE] == FRESH:
        state[MODE] = FOLLOWS
        if length < edge_length:
            _choose_near(rotations, heaviest, 0.0, signs)
            length = _mean(rotations, weights, signs, mean)
    elif state[PHASE] == 0.0 and weights[heaviest] >= WHOLE:
        # Nobody sees the signs of the others. Two on the far side of each other would soon cancel.
        _choose_near(rotations, heaviest, 2.0 * edge_length * edge_length - 1.0, signs)
    if state[MODE] == FOLLOWS and length < edge_length:
        state[LEAD] = _nearest(rotations, signs, mean)
        state[MODE] = GIVES
    elif state[MODE] == RETURNS and length < min_length:
        state[MODE] = GIVES
    lead = int(state[LEAD])
    if state[MODE] == GIVES:
        state[PHASE] = min(state[PHASE] + progress, 1.0)
        if state[PHASE] == 1.0:
            _choose_near(rotations, lead, 0.0, signs)
            if _mean(rotations, weights, signs, mean) >= edge_length:
                state[MODE] = RETURNS
    elif state[MODE] == RETURNS:
        state[PHASE] = max(state[PHASE] - progress, 0.0)
        if state[PHASE] == 0.0:
            state[MODE] = FOLLOWS
    pull = state[PHASE] * state[PHASE] * (3.0 - 2.0 * state[PHASE])
    for k in range(n_clips):
        out[k] = weights[k] if pull == 0.0 else (1.0 - pull) * weights[k]
    out[lead] += pull
    _keep_long(rotations, signs, min_length, out)
    state[CHANGED] = 0.0
    for k in range(n_clips):
        out[k] *= signs[k]
        if out[k] != weights[k]:
            state[CHANGED] = 1.0


@kernel
def sample_joint(
    rows: Floats, firsts: Ints, frames: Floats, yaws: Floats, signs: Signs, joint: int, out: Floats
) -> None:
    """Sample the unit quaternions of one joint of K clips into ``out`` (K, 4)."""
    four = np.empty(4)
    for k in range(frames.shape[0]):
        row = firsts[k] + taps(frames[k], four)
        size = 0.0
        for n in range(4):
            column = 4 * joint + n
            value = 0.0
            for tap in range(4):
                value += four[tap] * rows[row - 1 + tap, column]
            out[k, n] = value
            size += value * value
        scale = 1.0 / np.sqrt(size)
        if signs.shape[0] > 0:
            scale *= signs[k, joint]
        w, x, y, z = scale * out[k, 0], scale * out[k, 1], scale * out[k, 2], scale * out[k, 3]
        if joint == 0:
            c, s = np.cos(yaws[k] / 2), np.sin(yaws[k] / 2)
            w, x, y, z = c * w - s * y, c * x + s * z, c * y + s * w, c * z - s * x
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = w, x, y, z


@kernel
def _mean(rotations: Floats, weights: Floats, signs: Floats, out: Floats) -> float:
    """Write the mean (4,) of signed rotations (K, 4), and return its length."""
    for n in range(4):
        out[n] = 0.0
        for k in range(weights.shape[0]):
            out[n] += weights[k] * signs[k] * rotations[k, n]
    return float(np.sqrt(_inner(out, out)))


@kernel
def _inner(a: Floats, b: Floats) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])


@kernel
def _heaviest(weights: Floats) -> int:
    found = 0
    for k in range(weights.shape[0]):
        if abs(weights[k]) > abs(weights[found]):
            found = k
    return found


@kernel
def _choose_near(rotations: Floats, lead: int, limit: float, signs: Floats) -> None:
    """Flip the signs (K,) of clips whose product with that of the lead is negative and below a limit."""
    for k in range(signs.shape[0]):
        side = signs[k] * signs[lead] * _inner(rotations[k], rotations[lead])
        if k != lead and side < min(limit, 0.0):
            signs[k] = -signs[k]


@kernel
def _nearest(rotations: Floats, signs: Floats, mean: Floats) -> int:
    """Return the clip whose signed rotation is nearest to a mean (4,)."""
    best, found = -np.inf, 0
    for k in range(signs.shape[0]):
        near = signs[k] * _inner(rotations[k], mean)
        if near > best:
            best, found = near, k
    return found


@kernel
def _keep_long(rotations: Floats, signs: Floats, min_length: float, weights: Floats) -> None:
    """Move weights (K,) to the clip nearest to the mean until the mean is long enough."""
    mean, step = np.empty(4), np.empty(4)
    length = _mean(rotations, weights, signs, mean)
    if length >= min_length:
        return
    lead = _nearest(rotations, signs, mean)
    for n in range(4):
        step[n] = signs[lead] * rotations[lead, n] - mean[n]
    # |(1 - h) m + h q|² = min_length² has one root in (0, 1): the left side is convex and 1 at h = 1.
    a, b, c = _inner(step, step), _inner(mean, step), length * length - min_length * min_length
    pull = min((-b + np.sqrt(max(b * b - a * c, 0.0))) / a, 1.0)
    for k in range(weights.shape[0]):
        weights[k] *= 1.0 - pull
    weights[lead] += pull
