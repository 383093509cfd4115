"""Faults that captured files share: added rest-pose rows, jumps of the root, a wrong frame rate."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy

NEAR_REST = np.radians(30.0)
"""How far every joint of an added row may be from the rest pose (CMU's T-pose turns the feet by 21°)."""

REST_JUMP_SPEED = 30.0
"""Radians per second of some joint from the last added row to the first captured one. Throwing and kicking
limbs reach such speeds for a moment, but not from one frame to the next out of a rest pose."""

JUMP_RATIO = 3.0
"""How much larger that jump must be than the step after it."""

MOST_REST_ROWS = 10
"""Added rows are few; a longer still start is part of the motion."""

JUMP_SPEED = 15.0
"""Metres per second that no root of a person reaches."""

GRAVITY = 9.81
"""Metres per second squared."""

FLIGHT_HEIGHT = 0.03
"""Metres that the lowest joint must be above its usual lowest height to count as flight."""

FLIGHT_FRAMES = 8
"""Frames that a flight must have so that its parabola can be fitted."""

FLIGHT_RISE = 0.015
"""Metres that the parabola must rise above the line between its ends; a stretch on tiptoe hardly does."""

FLIGHT_MISFIT = 0.1
"""Root-mean-square distance from the parabola, as a share of its rise, that flight allows."""

SEGMENT_MASSES = {"trunk": 0.58, "thigh": 0.10, "shank": 0.06, "arm": 0.05}
"""Shares of the body's mass, limbs each; rounded from anthropometric tables."""

FALL_RATIO = 2.2
"""Ratio to gravity that a measured free fall may have: a doubled frame rate gives 4, a halved one 1/4."""

FALL_AGREEMENT = 0.25
"""Share by which two falls of one take may differ and still tell the same rate."""


def added_rest_rows(clip: Clip) -> int:
    """How many rows at the start are a rest pose that a converter put before the motion of a body.

    The clip's rest rotations are identity. Such rows lie near the rest pose and are followed by a jump that
    no body makes and that the motion itself does not repeat.
    """
    head = clip.rotations[: MOST_REST_ROWS + 2]
    far = np.flatnonzero(_largest_turn(rot.IDENTITY, head) > NEAR_REST)
    n_rest = int(far[0]) if len(far) else 0
    if n_rest == 0 or n_rest + 1 >= len(head):
        return 0
    jump = float(_largest_turn(head[n_rest - 1], head[n_rest]))
    next_step = float(_largest_turn(head[n_rest], head[n_rest + 1]))
    too_fast = jump > REST_JUMP_SPEED * clip.frame_time and jump > JUMP_RATIO * next_step
    return n_rest if too_fast and find_anatomy(clip.skeleton).legs else 0


def _largest_turn(a: FloatArray, b: FloatArray) -> FloatArray:
    """The largest angle (...) over joints between rotations (..., J, 4)."""
    cosine = np.abs(np.einsum("...i,...i", a, b))
    return np.asarray(2.0 * np.arccos(np.minimum(cosine, 1.0)).max(axis=-1))


def root_jumps(clip: Clip) -> list[tuple[int, float]]:
    """Frames into which the root moves faster than a person can, and how far it jumps there in metres."""
    steps = np.linalg.norm(np.diff(clip.root_positions, axis=0), axis=1)
    return [(int(n) + 1, float(steps[n])) for n in np.flatnonzero(steps > JUMP_SPEED * clip.frame_time)]


def free_falls(clip: Clip) -> list[float]:
    """The downward accelerations in m/s² of all flights, fastest first.

    Flights are stretches in which every joint is clear of the ground and the centre of mass follows a
    parabola. A stretch on tiptoe that passes for one is held up by the ground and falls slower.
    """
    centre = _centre_heights(clip)
    if centre is None or clip.n_frames < FLIGHT_FRAMES:
        return []
    lowest = clip.world_positions()[..., 1].min(axis=1)
    falls: list[float] = []
    for first, last in _runs(lowest > np.percentile(lowest, 10) + FLIGHT_HEIGHT):
        # The frames at both ends belong to push-off and landing.
        heights = centre[first + 1 : last - 1]
        if len(heights) < FLIGHT_FRAMES:
            continue
        times = np.linspace(-1.0, 1.0, len(heights))
        parabola = np.polyfit(times, heights, 2)
        rise = -parabola[0]
        misfit = np.sqrt(np.mean((np.polyval(parabola, times) - heights) ** 2))
        if rise > FLIGHT_RISE and misfit < FLIGHT_MISFIT * rise:
            half_time = (len(heights) - 1) / 2.0 * clip.frame_time
            falls.append(float(2.0 * rise / half_time**2))
    return sorted(falls, reverse=True)


def _centre_heights(clip: Clip) -> FloatArray | None:
    """Heights (T,) of the centre of mass, or None for a skeleton without two legs and a spine."""
    body = find_anatomy(clip.skeleton)
    if len(body.legs) != 2 or not body.spine:
        return None
    heights = clip.world_positions()[..., 1]
    segments = [("trunk", list(body.spine))]
    for leg in body.legs:
        segments += [("thigh", [leg.hip, leg.knee]), ("shank", [leg.knee, leg.ankle])]
    segments += [("arm", [arm.shoulder, arm.elbow, arm.wrist]) for arm in body.arms]
    masses = [SEGMENT_MASSES[name] for name, _ in segments]
    return np.average([heights[:, joints].mean(axis=1) for _, joints in segments], axis=0, weights=masses)


def suspected_rate(clip: Clip) -> tuple[float, float] | None:
    """Measured free fall in m/s² and the frame rate it speaks for, when that is far from the clip's own.

    The fastest fall decides. One too slow may be a stretch that is held up, so that a second must agree.
    """
    falls = free_falls(clip)
    fastest = falls[0] if falls else GRAVITY
    agreed = len(falls) > 1 and falls[1] > (1.0 - FALL_AGREEMENT) * fastest
    if fastest / GRAVITY > FALL_RATIO or (fastest / GRAVITY < 1.0 / FALL_RATIO and agreed):
        return fastest, clip.fps * float(np.sqrt(GRAVITY / fastest))
    return None


def _runs(flags: BoolArray) -> list[tuple[int, int]]:
    """First index and index after the last of each stretch of true flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
