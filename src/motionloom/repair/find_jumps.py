"""Find jumps: steps between two frames that no body makes, after which a joint stays where it went."""

from __future__ import annotations

from math import radians

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, norm
from motionloom.motion import Clip
from motionloom.motion.anatomy.thresholds import MAX_ROOT_SPEED
from motionloom.repair.fault import Channel, Fault

MAX_ANGULAR_SPEED = radians(6000.0)
"""Angular speed that joints of people hardly reach, rad/s: kicks and punches stay below 2,000°/s; only the
shoulder of a pitcher comes near."""

MIN_JUMP, MAX_JUMP_LIMIT = radians(20.0), radians(100.0)
"""Range of the angle between frames from which a step is a jump: the speed above at the clip's rate, but no
less at high rates, where it would be noise, and no more at low ones, where the steps around decide."""

END_FRACTION = 0.5
"""Near an end of the clip, where nothing comes back, steps of this fraction of the limits count too if they
are far larger than the steps around, and the rate is high enough to tell."""

MIN_STEP_RATIO = 4.0
"""How many times larger than the steps around it a step must be where the speed alone does not tell."""

NEIGHBOURS = 2
"""Steps before and after that count as around a step."""


def find_jumps(
    clip: Clip, products: FloatArray, captured: BoolArray, max_frames: int, scale: float = 1.0
) -> list[Fault]:
    """Return jumps of rotations and of the root; near an end of the clip, the frames cut off by the jump.

    Parameters
    ----------
    clip
        The motion.
    products
        (T - 1, J) inner products of each joint's rotation with the one a frame earlier.
    captured
        (J,) which joints to look at.
    max_frames
        So many frames at an end of the clip are wrong themselves where a jump parts them from the rest:
        they are a "flip" or a "spike".
    scale
        Size of the body relative to a person's.
    """
    limit = min(max(MAX_ANGULAR_SPEED * clip.frame_time, MIN_JUMP), MAX_JUMP_LIMIT)
    by_speed = limit >= MAX_ANGULAR_SPEED * clip.frame_time
    faults: list[Fault] = []
    is_fast = np.abs(products).min(axis=0) < np.cos(END_FRACTION * limit / 2.0)
    for joint in np.flatnonzero(is_fast & captured).tolist():
        angles = 2.0 * np.arccos(np.minimum(np.abs(products[:, joint]), 1.0))
        jumps = _jump_frames(angles, limit, by_speed, max_frames)
        faults += _as_faults(clip, joint, jumps, angles, max_frames, "rotation")
    steps = norm(np.diff(clip.root_positions, axis=0))
    jumps = _jump_frames(steps, MAX_ROOT_SPEED * scale * clip.frame_time, True, max_frames)
    return faults + _as_faults(clip, 0, jumps, steps, max_frames, "position")


def _jump_frames(steps: FloatArray, limit: float, by_speed: bool, max_frames: int) -> list[int]:
    """Return the frames (one for each run of successive ones) into which steps (T - 1,) are jumps."""
    frames: list[int] = []
    steps_near_end = np.minimum(np.arange(len(steps)), np.arange(len(steps))[::-1]) < max_frames
    for step in np.flatnonzero(steps > END_FRACTION * limit).tolist():
        low = max(step - NEIGHBOURS, 0)
        around = np.delete(steps[low : step + NEIGHBOURS + 1], step - low)
        stands_out = steps[step] > MIN_STEP_RATIO * float(around.max(initial=0.0))
        is_fast = steps[step] > limit
        is_end = by_speed and bool(steps_near_end[step])
        if not ((is_fast and (by_speed or stands_out)) or (is_end and stands_out)):
            continue
        if frames and step + 1 - frames[-1] <= 1:
            continue
        frames.append(step + 1)
    return frames


def _as_faults(
    clip: Clip, joint: int, jumps: list[int], steps: FloatArray, max_frames: int, channel: Channel
) -> list[Fault]:
    faults = []
    for frame in jumps:
        n_after = clip.n_frames - frame
        first, last, is_end = frame, frame, False
        if frame <= max_frames and frame < n_after:
            first, last, is_end = 0, frame - 1, True
        elif n_after <= max_frames:
            first, last, is_end = frame, clip.n_frames - 1, True
        faults.append(
            Fault(
                kind=("flip" if channel == "rotation" else "spike") if is_end else "jump",
                joint=clip.skeleton.names[joint],
                first=first,
                last=last,
                size=float(steps[frame - 1]),
                channel=channel,
            )
        )
    return faults
