"""Find swapped joints: a left and a right joint that exchange their rotations for some frames."""

from __future__ import annotations

from math import radians

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray, dot
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.repair.fault import Fault

MIN_SWAP = radians(15.0)
"""Smallest step of both joints at the edges of a swap; of left and right that are alike it does not show."""

MAX_SWAP_RATIO = 0.15
"""Steps with left and right exchanged, over the steps as they are, below which they are swapped."""

MAX_LIMB_RATIO = 0.7
"""The same for the other joints of a limb of which one is swapped: markers are swapped by the limb."""

MIN_STEP_RATIO = 3.0
"""How many times larger than the steps before and after it a step into or out of a swap must be. Legs of a
fast run take each other's rotations from one frame to the next, but in large steps all along."""

MAX_SWAP_FRACTION = 0.35
"""Fraction of the clip that a swap may last: of two exchanged parts the shorter one is wrong."""


def find_swaps(clip: Clip, products: FloatArray, captured: BoolArray) -> list[Fault]:
    """Return the pairs of joints that are swapped, and the frames in which they are.

    At the first frame of a swap both joints jump, and neither does when their rotations are exchanged, as
    they are or as a mirror shows them; at its end the same happens again.

    Parameters
    ----------
    clip
        The motion.
    products
        (T - 1, J) inner products of each joint's rotation with the one a frame earlier.
    captured
        (J,) which joints to look at.
    """
    jumps = np.abs(products) < float(np.cos(MIN_SWAP / 2.0))
    n_jumps = jumps.sum(axis=0).tolist()
    pairs = [(a, b) for a, b in find_anatomy(clip.skeleton).pairs if captured[a] and captured[b]]
    # A swap has two edges, at both of which both joints jump: hardly any clip gets further.
    maybe = [(a, b) for a, b in pairs if n_jumps[a] > 1 and n_jumps[b] > 1]
    maybe = [(a, b) for a, b in maybe if (jumps[:, a] & jumps[:, b] & _stands_out(products, a, b)).sum() > 1]
    if not maybe:
        return []
    mirrored = clip.mirrored().rotations
    faults: list[Fault] = []
    for left, right in maybe:
        for exchanged in (clip.rotations, mirrored):
            spans = _spans(clip.rotations, exchanged, left, right, jumps)
            for first, last in spans:
                limb = [pair for pair in pairs if pair != (left, right) and _in_one_limb(clip, left, pair[0])]
                limb = [
                    pair for pair in limb if _is_swapped_too(clip.rotations, exchanged, pair, first, last)
                ]
                for pair in ((left, right), *limb):
                    _add(faults, _as_fault(clip, pair, first, last))
            if spans:
                break
    return faults


def _as_fault(clip: Clip, pair: tuple[int, int], first: int, last: int) -> Fault:
    names, (left, right) = clip.skeleton.names, pair
    size = float(_angles(clip.rotations[first - 1, list(pair)], clip.rotations[first, list(pair)]).max())
    return Fault(kind="swapped", joint=names[left], partner=names[right], first=first, last=last, size=size)


def _add(faults: list[Fault], fault: Fault) -> None:
    """Add a fault unless the joint is known to be swapped in one of its frames."""
    known = (other for other in faults if other.joint == fault.joint)
    if not any(other.first <= fault.last and fault.first <= other.last for other in known):
        faults.append(fault)


def _in_one_limb(clip: Clip, joint: int, other: int) -> bool:
    """Tell whether one of two joints hangs on the other."""
    low, high = max(joint, other), min(joint, other)
    while low > high:
        low = int(clip.skeleton.parents[low])
    return low == high


def _is_swapped_too(
    rotations: FloatArray, exchanged: FloatArray, pair: tuple[int, int], first: int, last: int
) -> bool:
    """Tell whether a pair steps less into and out of a span of frames when it is exchanged in it."""
    edges = np.array([frame for frame in (first, last + 1) if frame < len(rotations)])
    own, other = swap_steps(rotations, exchanged, *pair, edges)
    return bool(other.sum() < MAX_LIMB_RATIO * own.sum())


def swap_steps(
    rotations: FloatArray, exchanged: FloatArray, left: int, right: int, frames: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the angles (N,) by which a pair steps into frames (N,), as it is and exchanged in that frame."""
    own = sum(_angles(rotations[frames - 1, joint], rotations[frames, joint]) for joint in (left, right))
    # In mirrored rotations the partner's are at the joint itself; in plain ones they are the partner's.
    to = (left, right) if exchanged is not rotations else (right, left)
    other = sum(
        _angles(rotations[frames - 1, joint], exchanged[frames, source])
        for joint, source in zip((left, right), to, strict=True)
    )
    return np.asarray(own), np.asarray(other)


def _spans(
    rotations: FloatArray, exchanged: FloatArray, left: int, right: int, jumps: BoolArray
) -> list[tuple[int, int]]:
    """Return first and last frame of every span in which a pair is swapped."""
    frames = np.flatnonzero(jumps[:, left] & jumps[:, right]) + 1
    own, other = swap_steps(rotations, exchanged, left, right, frames)
    is_swap = other < MAX_SWAP_RATIO * own
    swapping = set(frames[is_swap].tolist())
    edges = []
    for frame, step in zip(frames[is_swap].tolist(), own[is_swap].tolist(), strict=True):
        near = [n for n in (frame - 1, frame + 1) if 0 < n < len(rotations) and n not in swapping]
        around = swap_steps(rotations, exchanged, left, right, np.array(near, dtype=np.int64))[0]
        if step > MIN_STEP_RATIO * float(around.max(initial=0.0)):
            edges.append(frame)
    spans = []
    while len(edges) > 1:
        first, stop = edges[:2]
        if stop - first <= MAX_SWAP_FRACTION * len(rotations):
            spans.append((first, stop - 1))
            edges = edges[2:]
        else:
            edges = edges[1:]
    return spans


def _stands_out(products: FloatArray, left: int, right: int) -> BoolArray:
    """Tell at which steps (T - 1,) a pair rotates far more than at the step before or after."""
    # One minus the cosine of half an angle grows with its square.
    sizes = 2.0 - np.abs(products[:, left]) - np.abs(products[:, right])
    around = np.minimum(np.concatenate([[np.inf], sizes[:-1]]), np.concatenate([sizes[1:], [np.inf]]))
    return np.asarray(sizes > MIN_STEP_RATIO**2 * around)


def _angles(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(2.0 * np.arccos(np.minimum(np.abs(dot(a, b)), 1.0)))
