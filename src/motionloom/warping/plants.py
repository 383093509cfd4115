"""Plants after a warp: feet stay under the body, each plant in the middle of where its point now is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.annotation.floor import Floor, Surface
from motionloom.annotation.soles import find_soles
from motionloom.arrays import FloatArray, freeze
from motionloom.enforcement.enforce import enforce
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.limb import find_hinge, solve_limb
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.constraint import crop_constraints

NO_PLANTS = "the clip has no constraints, so its foot plants were looked for first"

SAME = 1e-9
"""Metres and radians below which the root's height, pitch and roll count as unchanged."""


def plants_found(clip: Clip) -> tuple[Clip, tuple[str, ...]]:
    """The clip with foot plants: its own, or those that annotation finds, and a note about it.

    >>> from motionloom.synthesis import stand
    >>> plants_found(stand(duration=1.0).clip)[1] == (NO_PLANTS,)
    True
    """
    if clip.constraints:
        return clip, ()
    found = annotate(clip)
    if not found.constraints:
        raise ParameterError("plants cannot be kept: the clip has no constraints, and none were found in it")
    return found, (NO_PLANTS,)


def with_feet_below(source: Clip, result: Clip) -> Clip:
    """The warped clip with feet that do not follow the root's height, pitch and roll.

    A key that lowers or tilts the body is meant to bend the legs. Feet go along with the root over the
    ground and with its turns about the vertical, and keep what keys of the legs do to them; knees and hips
    reach for them from where the hips are now.

    Parameters
    ----------
    source, result
        The clip before and after the warp, frame for frame.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> lower = replace(clip, root_positions=clip.root_positions - [0, 0.1, 0])
    >>> foot = clip.skeleton.index("LeftFoot")
    >>> moved = with_feet_below(clip, lower).world_positions()[:, foot] - clip.world_positions()[:, foot]
    >>> bool(abs(moved).max() < 1e-9)
    True
    """
    grounded = _grounded(source, result)
    if grounded is None:
        return result
    turns = np.array(result.rotations)
    places, worlds = result.world_positions(), result.world_rotations()
    anatomy = find_anatomy(result.skeleton)
    for leg in anatomy.legs:
        solved = solve_limb(
            result.skeleton.parents,
            places,
            worlds,
            leg.chain,
            grounded.world_positions()[:, leg.ankle],
            hinge=find_hinge(places, worlds, leg.chain, -anatomy.left),
            end_rotations=grounded.world_rotations()[:, leg.ankle],
        )
        turns[:, list(leg.chain)] = solved.rotations
    return replace(result, rotations=freeze(turns))


def with_plants_kept(source: Clip, result: Clip, ground: float | Surface | None = None) -> Clip:
    """Hold every plant of a warped clip at the middle of its warped position, on the ground.

    Targets that constraints have are where plants were before the warp, and are decided anew. On a ground
    that is not level, a cycle does not end as it began, so the result is none.

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
    >>> with_plants_kept(clip, clip).report.unreached
    ()
    """
    if callable(ground) and result.cyclic:
        last = result.n_frames - 1.0
        result = replace(result, constraints=crop_constraints(result.constraints, 0.0, last), cyclic=False)
    if not result.constraints:
        return replace(result, report=None)
    free = tuple(replace(constraint, target=None) for constraint in result.constraints)
    under = _floor_of(source) if ground is None else ground
    return enforce(replace(result, constraints=free, report=None), ground=under)


def free_seconds(clip: Clip, joint: str, time: float, ease: float | None) -> float | None:
    """How long a key of a joint may fade, seconds, so as not to touch frames in which it is planted.

    >>> from motionloom.motion import Constraint
    >>> from motionloom.synthesis import stand
    >>> clip = replace(stand(duration=1.0).clip, constraints=(Constraint("LeftFoot", "heel", 45, 60),))
    >>> free_seconds(clip, "LeftFoot", 0.5, 0.7), free_seconds(clip, "Head", 0.5, 0.7)
    (0.25, 0.7)
    """
    skeleton, frame = clip.skeleton, time / clip.frame_time
    legs = [leg.joints for leg in find_anatomy(skeleton).legs if skeleton.index(joint) in leg.joints]
    near = {skeleton.names[index] for joints in legs for index in joints} | {joint}
    frames = [max(c.start - frame, frame - c.end, 0.0) for c in clip.constraints if c.joint in near]
    if not frames:
        return ease
    return min(min(frames) * clip.frame_time, np.inf if ease is None else ease)


def _grounded(source: Clip, result: Clip) -> Clip | None:
    """The warped clip with the root's height, pitch and roll of the source; None where they are the same."""
    world_turn = rot.multiply(result.rotations[:, 0], rot.inverse(source.rotations[:, 0]))
    level = rot.multiply(rot.from_yaw(rot.yaw_of(world_turn)), source.rotations[:, 0])
    heights = source.root_positions[:, 1]
    tilted = rot.to_rotation_vector(rot.multiply(rot.inverse(level), result.rotations[:, 0]))
    if np.abs(heights - result.root_positions[:, 1]).max() < SAME and np.abs(tilted).max() < SAME:
        return None
    positions: FloatArray = np.array(result.root_positions)
    positions[:, 1] = heights
    turns = np.array(result.rotations)
    turns[:, 0] = level
    return replace(result, root_positions=freeze(positions), rotations=freeze(turns))


def _floor_of(clip: Clip) -> Floor | None:
    """The source's floor: a warp makes feet hard to read."""
    legs = find_anatomy(clip.skeleton).legs
    return find_soles(clip, legs)[0] if legs else None
