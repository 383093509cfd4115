"""Hand a joint's weight to one clip while a blend runs: the causal counterpart of blending/hand_over.py."""

from __future__ import annotations

import numpy as np

from motionloom.kernels.array_types import Floats, Floats1, Floats2, Ints, OutFloats1, OutFloats2, Signs
from motionloom.kernels.average import taps
from motionloom.kernels.compiling import kernel

PHASE, LEAD, MODE, CHANGED = 0, 1, 2, 3
"""Columns of a joint's state: how far its weight is handed over, 0 to 1; to which clip; what happens at
present; and whether its weights or signs differ from those of the blend."""

FRESH, FOLLOWS, GIVES, RETURNS = 0.0, 1.0, 2.0, 3.0
"""Values of the mode: nothing shown yet, the blend's own weights, handed over, handed back."""

WHOLE = 1.0 - 1e-12
"""A weight from here on is all of it; the same as in blending/hand_over.py."""


@kernel
def hand_over(
    rotations: Floats2,
    weights: Floats1,
    progress: float,
    min_length: float,
    edge_length: float,
    state: OutFloats1,
    signs: OutFloats1,
    scratch: OutFloats2,
    out: OutFloats1,
) -> None:
    """Update a joint's state, and write its weights (K,), times the signs of its quaternions, to ``out``.

    ``rotations`` (K, 4) are the clips' present ones, ``weights`` (K,) those of the blend; ``progress`` is the
    fraction of a whole hand-over that may pass. Updated in place: ``state`` (4,) and ``signs`` (K,). A sign
    changes only where its weight is zero. The mean of the signed rotations is never shorter than
    ``min_length``; below ``edge_length`` a hand-over begins. ``scratch`` (3, 4) is the kernel's own.
    """
    mean, moved = scratch[0], scratch[1]
    length = _mean(rotations, weights, signs, mean)
    heaviest = _heaviest(weights)
    if state[MODE] == FRESH:
        state[MODE] = FOLLOWS
        if length < edge_length:
            _choose_near(rotations, heaviest, 0.0, signs)
            length = _mean(rotations, weights, signs, mean)
    elif state[PHASE] == 0.0 and weights[heaviest] >= WHOLE:
        # Nobody sees the signs of the others. Two on the far side of each other would soon cancel.
        _choose_near(rotations, heaviest, 2.0 * edge_length * edge_length - 1.0, signs)
    if state[PHASE] == 0.0:
        state[MODE] = FOLLOWS
        if length < edge_length:
            state[LEAD], state[MODE] = _nearest(rotations, signs, mean), GIVES
    elif _pull(rotations, signs, mean, state, moved) < edge_length:
        # Move on to where the mean gets longer: to the lead, or back.
        state[MODE] = GIVES if _slope(rotations, signs, mean, state, moved) >= 0.0 else RETURNS
    if state[MODE] == GIVES:
        state[PHASE] = min(state[PHASE] + progress, 1.0)
    elif state[MODE] == RETURNS:
        state[PHASE] = max(state[PHASE] - progress, 0.0)
    if _pull(rotations, signs, mean, state, moved) < min_length:
        _keep_long(rotations, signs, mean, min_length, state, moved, scratch[2])
    if state[PHASE] == 1.0:
        _choose_near(rotations, int(state[LEAD]), 0.0, signs)
        if _mean(rotations, weights, signs, mean) >= edge_length:
            state[MODE] = RETURNS
    pull, lead = _ease(state[PHASE]), int(state[LEAD])
    state[CHANGED] = 0.0
    for k in range(weights.shape[0]):
        out[k] = weights[k] if pull == 0.0 else (1.0 - pull) * weights[k]
        if k == lead:
            out[k] += pull
        out[k] *= signs[k]
        if out[k] != weights[k]:
            state[CHANGED] = 1.0


@kernel
def sample_joint(
    rows: Floats, firsts: Ints, frames: Floats, yaws: Floats, signs: Signs, joint: int, out: Floats
) -> None:
    """Sample the unit quaternions of one joint of K clips into ``out`` (K, 4)."""
    for k in range(frames.shape[0]):
        whole, four = taps(frames[k])
        row = firsts[k] + whole
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
def _ease(phase: float) -> float:
    return phase * phase * (3.0 - 2.0 * phase)


@kernel
def _pull(rotations: Floats, signs: Floats, mean: Floats, state: Floats, out: Floats) -> float:
    """Write the mean (4,) that is moved towards the lead by the present phase, and return its length."""
    pull, lead = _ease(state[PHASE]), int(state[LEAD])
    for n in range(4):
        out[n] = (1.0 - pull) * mean[n] + pull * signs[lead] * rotations[lead, n]
    return float(np.sqrt(_inner(out, out)))


@kernel
def _slope(rotations: Floats, signs: Floats, mean: Floats, state: Floats, moved: Floats) -> float:
    """Return whether a moved mean (4,) gets longer, above zero, or shorter on its way to the lead."""
    lead = int(state[LEAD])
    return float(signs[lead] * _inner(moved, rotations[lead]) - _inner(moved, mean))


@kernel
def _keep_long(
    rotations: Floats,
    signs: Floats,
    mean: Floats,
    min_length: float,
    state: Floats,
    moved: Floats,
    step: Floats,
) -> None:
    """Change the phase until the mean is long enough: to the lead, or back where that is nearer."""
    length = np.sqrt(_inner(mean, mean))
    if state[PHASE] == 0.0:
        state[LEAD], state[MODE] = _nearest(rotations, signs, mean), GIVES
    back = state[PHASE] > 0.0 and _slope(rotations, signs, mean, state, moved) < 0.0 and length >= min_length
    lead = int(state[LEAD])
    for n in range(4):
        step[n] = signs[lead] * rotations[lead, n] - mean[n]
    # |m + h (q - m)|² = min_length² has one root on either side of where it is smaller.
    a, b, c = _inner(step, step), _inner(mean, step), length * length - min_length * min_length
    root = np.sqrt(max(b * b - a * c, 0.0))
    pull = min(max(((-b - root) if back else (-b + root)) / a, 0.0), 1.0)
    # The phase whose eased value is this pull.
    state[PHASE] = min(max(0.5 - np.sin(np.arcsin(1.0 - 2.0 * pull) / 3.0), 0.0), 1.0)
