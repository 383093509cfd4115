"""Find frozen joints: rotations that stop dead for a while and then jump to where the motion has got to."""

from __future__ import annotations

from math import radians

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, norm
from motionloom.motion import Clip
from motionloom.repair.fault import Channel, Fault

MIN_DURATION, MIN_FRAMES = 0.05, 4
"""Shortest time for which a joint must have exactly the same value: seconds, but no fewer than four frames.
Rounded files repeat values of slow joints for a few frames."""

MIN_RELEASE, MIN_ROOT_RELEASE = radians(3.0), 0.02
"""Smallest jump at the end of a freeze, radians, and metres for the root. A joint that is held on purpose, as
in keyed animation, sets off without one."""

MIN_RELEASE_RATIO = 4.0
"""How many times its usual step that jump must be; and so many times the steps right after it."""


def find_frozen(clip: Clip, products: FloatArray, still: BoolArray, captured: BoolArray) -> list[Fault]:
    """Return the joints that freeze, and the frames in which they are.

    A joint is frozen where its value is equal, bit for bit, for 0.05 s or more (at least four frames), the
    joint moves elsewhere in the clip, and the freeze ends with a jump. A joint that never moves is not
    frozen, nor one that is held and sets off again gently, nor one at a limit: the value of a limit is the
    rest rotation (a straight knee), or the joint comes back to it at other times.

    Parameters
    ----------
    clip
        The motion.
    products
        (T - 1, J) inner products of each joint's rotation with the one a frame earlier.
    still
        (T - 1, J) whether the two are equal.
    captured
        (J,) which joints to look at.
    """
    min_frames = max(MIN_FRAMES, round(MIN_DURATION / clip.frame_time))
    if clip.n_frames <= min_frames + 1:
        return []
    # Joints that always move or never move cannot be frozen: most are done here.
    n_still = still.sum(axis=0)
    maybe = captured & (n_still >= min_frames - 1) & (n_still < len(still))
    faults: list[Fault] = []
    for joint in np.flatnonzero(maybe).tolist():
        angles = 2.0 * np.arccos(np.minimum(np.abs(products[:, joint]), 1.0))
        angles[still[:, joint]] = 0.0
        found = _freezes(clip, joint, still[:, joint], angles, min_frames, MIN_RELEASE, "rotation")
        faults += [fault for fault in found if not _is_limit(clip, joint, fault)]
    steps = norm(np.diff(clip.root_positions, axis=0))
    return faults + _freezes(clip, 0, steps == 0.0, steps, min_frames, MIN_ROOT_RELEASE, "position")


def _freezes(
    clip: Clip,
    joint: int,
    still: BoolArray,
    steps: FloatArray,
    min_frames: int,
    min_release: float,
    channel: Channel,
) -> list[Fault]:
    moving = steps[~still]
    if not len(moving) or still.sum() < min_frames - 1:
        return []
    usual = float(np.median(moving))
    edges = np.diff(np.concatenate([[False], still, [False]]).astype(np.int8))
    faults = []
    for start, stop in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        # Steps start to stop - 1 are zero: frames start to stop are equal, and the first of them is right.
        if stop - start < min_frames - 1 or stop >= len(steps):
            continue
        after = float(steps[stop + 1 : stop + 3].max(initial=0.0))
        if steps[stop] > max(min_release, MIN_RELEASE_RATIO * usual, MIN_RELEASE_RATIO / 2.0 * after):
            faults.append(
                Fault(
                    kind="frozen",
                    joint=clip.skeleton.names[joint],
                    first=int(start) + 1,
                    last=int(stop),
                    size=float(steps[stop]),
                    channel=channel,
                )
            )
    return faults


def _is_limit(clip: Clip, joint: int, fault: Fault) -> bool:
    """Tell whether the value that a joint has while it is still is a limit of the solver's."""
    values = clip.rotations[:, joint]
    held = values[fault.last]
    same = (values == held).all(axis=1)
    elsewhere = int(same.sum()) > fault.n_frames + 1
    return elsewhere or bool(np.array_equal(held, clip.skeleton.rest_rotations[joint]))
