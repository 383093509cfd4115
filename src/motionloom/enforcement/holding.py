"""The body that keeps every target: goals of the limbs, the way of the root, then the limbs themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.enforcement.goals import SAME, SUNK, Goals, goals_of
from motionloom.enforcement.ground import Ground
from motionloom.enforcement.limbs import Limb
from motionloom.enforcement.root import Ball, least_shifts, shifted_within
from motionloom.enforcement.solving import calm_lengths, solve
from motionloom.enforcement.spreading import carried, distances, envelope, lowest_beside, spread
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.ik import hinges, two_bone, usual_hinge, vectors
from motionloom.motion import Clip

BEFORE_ROOT = 0.8
"""Share of what is left of a leg's reach that it uses up before the body moves."""

DIP_SHARE = 0.24
"""Share of the time of a plant over which the body dips to bring the foot within reach, and at most the
blending time. A foot is out of reach for a moment of each step, as it pushes off; over the whole blending
time one dip would run into the next, and the body would walk in a crouch."""

NEAR_PLANT = 0.25
"""Lifting a free foot fades within this share of the blending time next to its plants."""


@dataclass(frozen=True, eq=False)
class _Task:
    """A limb, what its end has to do, how (T, 3) the end goes along otherwise, and the limb's hinge (3,)."""

    limb: Limb
    goals: Goals
    base: FloatArray
    hinge: FloatArray


def hold(clip: Clip, limbs: Sequence[Limb], ground: Ground, stretch: float, window: float) -> Clip:
    """The clip with the points of its limbs on their targets, as far as they can be reached.

    Parameters
    ----------
    clip, limbs
        The motion, and what is held in it; all plants have targets.
    ground
        What feet that are not planted must not sink into.
    stretch
        Largest share by which bones grow or shrink.
    window
        Seconds over which corrections ease into neighbouring frames.

    >>> from motionloom.annotation import Floor
    >>> from motionloom.enforcement.limbs import limbs_of
    >>> from motionloom.synthesis import walk
    >>> motion = walk(duration=1.0, fps=30)
    >>> clip = replace(motion.clip, constraints=motion.plants)
    >>> held = hold(clip, limbs_of(clip)[0], Ground(Floor(0.0)), 0.026, 0.25)
    >>> np.allclose(held.rotations, clip.rotations)
    True
    """
    frames = window / clip.frame_time
    # 1. Feet come to their targets, and keep above the ground where they are free.
    legs = [_task(clip, limb, frames, ground) for limb in limbs if limb.is_leg]
    ends = [(leg, _above_ground(clip, leg, _end_shifts(leg, frames), ground, frames)) for leg in legs]
    # 2. The body goes along with its feet and comes within reach of them; hands go along with the body.
    shifts = np.mean([leg.base for leg in legs], axis=0) if legs else np.zeros((clip.n_frames, 3))
    balls = [_ball(clip, leg, way) for leg, way in ends]
    dip = min(DIP_SHARE * _usual_plant(legs), frames)
    shifts = shifted_within(shifts, balls, dip)
    shifts = shifted_within(shifts + _jitter(clip, ends, shifts, stretch), balls, dip)
    arms = [_task(clip, limb, frames, ground, shifts) for limb in limbs if not limb.is_leg]
    ends += [(arm, _end_shifts(arm, frames)) for arm in arms]
    # 3. The limbs reach for where their ends shall be.
    turns = np.array(clip.rotations)
    scales: dict[int, FloatArray] = {}
    for task, way in ends:
        found = solve(clip, task.limb, task.goals, way - shifts, task.hinge, stretch)
        for joint, rotations in found.rotations.items():
            turns[:, joint] = rotations
        scales.update(found.scales)
    return replace(
        clip,
        root_positions=freeze(clip.root_positions + shifts),
        rotations=freeze(turns),
        translations=_stretched(clip, scales),
    )


def _task(clip: Clip, limb: Limb, frames: float, ground: Ground, base: FloatArray | None = None) -> _Task:
    """What a limb has to do; without a ``base`` its end goes along with its own plants."""
    goals = goals_of(clip, limb, frames, ground)
    hinge = usual_hinge(clip.world_positions(), clip.world_rotations(), limb.chain, limb.hinge)
    return _Task(limb, goals, carried(goals.shifts, goals.pinned) if base is None else base, hinge)


def _usual_plant(legs: Sequence[_Task]) -> float:
    """Frames that a plant takes, in the middle of all."""
    lengths = [len(plant.frames) for leg in legs for point in leg.limb.points for plant in point.plants]
    return float(np.median(lengths)) if lengths else 0.0


def _ball(clip: Clip, task: _Task, way: FloatArray) -> Ball:
    """The shifts of the body with which a leg reaches the ankle's goal without being fully straight."""
    places = clip.world_positions()
    hip, knee, ankle = (places[:, joint] for joint in task.limb.chain)
    hinge = rot.rotate(clip.world_rotations()[:, task.limb.chain[0]], task.hinge)
    axes = hinges.steady(knee - hip, ankle - knee, hinge)
    lengths = vectors.lengths(ankle - hip)
    room = two_bone.longest(knee - hip, ankle - knee, axes) - lengths
    return Ball(ankle + way - hip, lengths + BEFORE_ROOT * room)


def _jitter(
    clip: Clip, ends: Sequence[tuple[_Task, FloatArray]], shifts: FloatArray, stretch: float
) -> FloatArray:
    """Shifts (T, 3) of the body by the jitter of its feet that stretching may not take, so knees need not."""
    places = clip.world_positions()
    ways, excess = [], []
    for leg, way in ends:
        reached = places[:, leg.limb.end] + way - shifts - places[:, leg.limb.chain[0]]
        lengths = vectors.lengths(reached)
        quick = lengths - calm_lengths(clip, leg.limb, way - shifts)
        room = stretch * lengths
        ways.append(reached / np.maximum(lengths, SAME)[:, None])
        excess.append(quick - np.clip(quick, -room, room))
    return least_shifts(ways, excess) if ways else np.zeros_like(shifts)


def _end_shifts(task: _Task, frames: float) -> FloatArray:
    """How far (T, 3) the end of a limb moves: to its goal, and on from there along with its base."""
    return task.base + spread(task.goals.shifts - task.base, task.goals.pinned, frames)


def _above_ground(clip: Clip, leg: _Task, way: FloatArray, ground: Ground, frames: float) -> FloatArray:
    """The way (T, 3) of an ankle, raised where the foot is free and would sink into the ground."""
    free = ~leg.goals.pinned
    if not free.any():
        return way
    ends = clip.world_positions()[:, leg.limb.end] + way
    points = (ends + leg.goals.arms)[:, free]
    levels = ground.heights(points) + _below_ground(clip, leg.limb, ground)[free]
    sunk = np.zeros(clip.n_frames)
    sunk[free] = np.maximum(levels - points[..., 1] - SUNK, 0.0).max(axis=0)
    if not sunk.any():
        return way
    eased = envelope(sunk, frames) * smoothstep(distances(leg.goals.pinned) / max(NEAR_PLANT * frames, 1.0))
    return np.asarray(way + np.maximum(sunk, eased)[:, None] * [0.0, 1.0, 0.0])


def _below_ground(clip: Clip, limb: Limb, ground: Ground) -> FloatArray:
    """How far (T,) the plants before and after each frame are below the ground, as numbers below zero.

    Where targets are given, the ground that was found need not be the one they stand on.
    """
    lowest = np.zeros(clip.n_frames)
    for point in limb.points:
        pinned, targets = point.pinned(clip.n_frames), point.targets(clip.n_frames)
        lowest[pinned] = np.minimum(lowest, targets[:, 1] - ground.heights(targets))[pinned]
    return lowest_beside(lowest, np.any([point.pinned(clip.n_frames) for point in limb.points], axis=0))


def _stretched(clip: Clip, scales: Mapping[int, FloatArray]) -> FloatArray | None:
    """Local joint positions (T, J, 3) with stretched bones; unchanged where nothing stretches."""
    if all(np.abs(scale - 1.0).max() <= SAME for scale in scales.values()):
        return clip.translations
    stretched = np.array(clip.local_positions())
    for joint, scale in scales.items():
        stretched[:, joint] *= scale[:, None]
    return freeze(stretched)
