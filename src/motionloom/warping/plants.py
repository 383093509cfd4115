"""Plants after a warp: feet stay under the body, and each plant at the mean of its warped position."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.annotation.ground import GroundLike, Surface
from motionloom.annotation.soles import find_soles
from motionloom.arrays import FloatArray, freeze
from motionloom.enforcement.enforce import enforce
from motionloom.enforcement.report import EnforcementReport
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import find_hinge, solve_limb
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.annotations import crop_constraints

PLANTS_DETECTED = "the clip has no constraints, so foot plants were detected first"

SAME_POSE = 1e-9
"""Metres and radians below which the root's height, pitch and roll count as unchanged."""


def ensure_plants(clip: Clip) -> tuple[Clip, tuple[str, ...]]:
    """Return the clip with foot plants, its own or detected ones, and a note if they were detected.

    >>> from motionloom.synthesis import stand
    >>> ensure_plants(stand(duration=1.0).clip)[1] == (PLANTS_DETECTED,)
    True
    """
    if clip.constraints:
        return clip, ()
    annotated = annotate(clip)
    if not annotated.constraints:
        raise ParameterError("plants cannot be kept: the clip has no constraints, and none were detected")
    return annotated, (PLANTS_DETECTED,)


def keep_feet_level(source: Clip, result: Clip) -> Clip:
    """Keep the feet of a warped clip from following the root's height, pitch and roll.

    A key that lowers or tilts the body is meant to bend the legs. Feet go along with the root over the
    ground and with its yaw, and keep what keys of the legs do to them; knees and hips reach for them from
    where the hips are now.

    Parameters
    ----------
    source, result
        The clip before and after the warp, frame for frame.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> lower = replace(clip, root_positions=clip.root_positions - [0, 0.1, 0])
    >>> foot = clip.skeleton.index("LeftFoot")
    >>> offset = keep_feet_level(clip, lower).world_positions()[:, foot] - clip.world_positions()[:, foot]
    >>> bool(abs(offset).max() < 1e-9)
    True
    """
    level = _level_root(source, result)
    if level is None:
        return result
    rotations = np.array(result.rotations)
    positions, worlds = result.world_positions(), result.world_rotations()
    anatomy = find_anatomy(result.skeleton)
    for leg in anatomy.legs:
        solved = solve_limb(
            result.skeleton.parents,
            positions,
            worlds,
            leg.chain,
            level.world_positions()[:, leg.ankle],
            hinge=find_hinge(positions, worlds, leg.chain, -anatomy.left),
            end_rotations=level.world_rotations()[:, leg.ankle],
        )
        rotations[:, list(leg.chain)] = solved.rotations
    return replace(result, rotations=freeze(rotations))


def hold_plants(
    source: Clip, result: Clip, ground: float | Surface | None = None
) -> tuple[Clip, EnforcementReport | None]:
    """Hold every plant of a warped clip at the mean of its warped position, on the ground.

    The report on that is None where there are no plants.

    Targets of constraints are where plants were before the warp, and are decided anew. On ground that is not
    level a cycle does not end as it began, so the result is not cyclic.

    Parameters
    ----------
    source
        The clip before the warp, whose floor is taken where no ground is given.
    result
        The warped clip.
    ground
        What the feet stand on; see :func:`motionloom.enforce`.

    >>> from motionloom.synthesis import walk
    >>> clip = annotate(walk(duration=2.0).clip)
    >>> hold_plants(clip, clip)[1].unreached
    ()
    """
    if callable(ground) and result.cyclic:
        last = result.n_frames - 1.0
        result = replace(result, constraints=crop_constraints(result.constraints, 0.0, last), cyclic=False)
    if not result.constraints:
        return result, None
    free = tuple(replace(constraint, target=None) for constraint in result.constraints)
    floor: GroundLike = ground
    if floor is None:
        # The floor of the source: after a warp feet are hard to read.
        legs = find_anatomy(source.skeleton).legs
        floor = find_soles(source, legs)[0] if legs else None
    # A leg that a warp stiffens is slow, but the source shows how fast it can follow its plants.
    held = enforce(replace(result, constraints=free), ground=floor, like=source)
    return held.clip, held.report


def limit_ease(clip: Clip, joint: str, time: float, ease: float | None) -> float | None:
    """Shorten the ease of a key, seconds, so that it does not touch frames in which the joint is planted.

    >>> from motionloom.motion import Constraint
    >>> from motionloom.synthesis import stand
    >>> clip = replace(stand(duration=1.0).clip, constraints=(Constraint("LeftFoot", "heel", 45, 60),))
    >>> limit_ease(clip, "LeftFoot", 0.5, 0.7), limit_ease(clip, "Head", 0.5, 0.7)
    (0.25, 0.7)
    """
    skeleton, frame = clip.skeleton, time / clip.frame_time
    legs = [leg.joints for leg in find_anatomy(skeleton).legs if skeleton.index(joint) in leg.joints]
    near = {skeleton.names[index] for joints in legs for index in joints} | {joint}
    frames = [max(c.start - frame, frame - c.end, 0.0) for c in clip.constraints if c.joint in near]
    if not frames:
        return ease
    return min(min(frames) * clip.frame_time, np.inf if ease is None else ease)


def _level_root(source: Clip, result: Clip) -> Clip | None:
    """Give the warped root the height, pitch and roll of the source; return None if they are the same."""
    change = rot.multiply(result.rotations[:, 0], rot.inverse(source.rotations[:, 0]))
    level = rot.multiply(rot.from_yaw(rot.yaw_of(change)), source.rotations[:, 0])
    heights = source.root_positions[:, 1]
    tilt = rot.to_rotation_vector(rot.multiply(rot.inverse(level), result.rotations[:, 0]))
    if np.abs(heights - result.root_positions[:, 1]).max() < SAME_POSE and np.abs(tilt).max() < SAME_POSE:
        return None
    positions: FloatArray = np.array(result.root_positions)
    positions[:, 1] = heights
    rotations = np.array(result.rotations)
    rotations[:, 0] = level
    return replace(result, root_positions=freeze(positions), rotations=freeze(rotations))
