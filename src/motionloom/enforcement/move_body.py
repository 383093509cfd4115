"""The body and its feet, moved together: feet stay where they stand, hips and knees are as they were.

A foot that is planted elsewhere than it was captured makes its leg longer or shorter. What one sees of that
is weighed in one least-squares problem over all frames: knees that bend more or less, hips that rise, sink or
bob, feet that move while they stand, that swing lower or that jerk. Each counts relative to what nobody sees,
and large changes count more than in proportion. Planted feet are where they are to be, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import kernels
from motionloom.annotation.ground import Ground
from motionloom.arrays import BoolArray, FloatArray, norm
from motionloom.enforcement.goals import LOW, MIN_ARM, LimbPlan, track_sole
from motionloom.enforcement.root import reach_sphere
from motionloom.enforcement.spread import min_of_neighbours, run_means
from motionloom.enforcement.targets import ON_TARGET
from motionloom.geometry.banded import BandedProblem
from motionloom.geometry.splines import fade, smoothstep
from motionloom.motion import Clip
from motionloom.motion.filters import smooth
from motionloom.motion.kinematics import max_distance
from motionloom.quality.stances import SoleTracks, find_darts, find_stances, find_standing

KNEE_ROOM, MAX_KNEE_CHANGE = 0.025, 0.05
"""Radians by which a knee bends more or less unseen, and from which on it counts more than in proportion."""

HIP_ROOM, MAX_HIP_SHIFT = (0.02, 0.006, 0.02), (0.04, 0.008, 0.04)
"""Metres by which hips move unseen, over the ground, up and down; and from which on that counts more."""

HIP_SPEED_ROOM, HIP_ACCELERATION_ROOM = (0.3, 0.08, 0.3), (0.9, 0.35, 0.9)
"""Speed and acceleration of the shift of the hips that nobody sees, m/s and m/s²."""

STANCE_SPEED_ROOM, LOW_SPEED_ROOM, SWING_SPEED_ROOM = 0.01, 0.12, 0.6
"""Speeds, m/s, that nobody sees: of a foot that stands, and of corrections of one near the ground and in the
air."""

FOOT_ACCELERATION_ROOM = 5.0
"""Acceleration of the correction of a foot that nobody sees, m/s²."""

CLEARANCE_ROOM, LOST_CLEARANCE = 0.002, 0.05
"""Metres that count once a foot swings lower than it may: in mid-swing by this fraction of its height, near
the ground by more."""

PLANNED_REACH, REACH_ROOM = 0.7, 0.0005
"""Fraction of its remaining reach that a planned leg uses up; beyond that every half millimetre counts."""

SWING = (0.35, 0.8)
"""A foot swings from the second of these speeds on, not at all below the first, m/s."""

CREEP_TIME = 0.25
"""Seconds before and after a dart in which a foot goes along with its capture instead."""

MAX_DRIFT = 0.02
"""Metres that a foot may move more than in its capture while it stands."""

MIN_SPEED = 0.01
"""Added to the speeds of heel and toe, m/s, so that two still points stand alike."""

MAX_EASE = 60.0
"""Seconds over which corrections ease out at most."""

FULLY_MOVED = 0.003
"""Plants that are moved over the ground by less, metres, change what is beside them less."""

MAX_GROWTH = 30.0
"""How much more than in proportion large changes count at most."""

MIN_LEVER = 0.015
"""Metres by which a leg becomes shorter per radian of its knee, at least: straight legs would have none."""

N_ROUNDS, STEP_ROOM = 8, 0.015
"""Rounds of solving, from each of which the next takes its directions and weights, and metres by which one
round differs from the one before: directions hold nearby only."""

GROUND_TIME = 0.25
"""Seconds over which the body takes the height of another ground."""

FLOATING = 0.015
"""A body that stands this far above or in its floor, metres, is there by chance; one twice as far floats."""

MIN_CHANGE = 1e-5
"""Metres by which the length of a leg changes at least before the change of its knee's angle counts."""


def move_body(
    clip: Clip, plans: Sequence[LimbPlan], ground: Ground, ease: float
) -> tuple[FloatArray, list[LimbPlan]]:
    """Return shifts (T, 3) of the body, metres, and the plans of all legs with the shifts of their ankles.

    Parameters
    ----------
    clip, plans
        The motion, and the goals of its legs.
    ground
        What feet stand on.
    ease
        Seconds over which corrections of a foot in the air ease out.

    >>> from motionloom.annotation import Floor
    >>> from motionloom.enforcement.goals import plan_limb
    >>> from motionloom.enforcement.targets import find_limbs
    >>> from motionloom.synthesis import stand
    >>> motion = stand(duration=0.5, fps=30)
    >>> clip, floor = replace(motion.clip, constraints=motion.plants), Ground(Floor(0.0))
    >>> plans = [plan_limb(clip, limb, floor, 7.5) for limb in find_limbs(clip)[0]]
    >>> shifts, plans = move_body(clip, plans, floor, 0.25)
    >>> bool(np.abs(shifts).max() < 1e-9)
    True
    """
    if not any(plan.goals.held.any() for plan in plans):
        still = np.zeros((clip.n_frames, 3))
        return still, [replace(plan, end_shifts=still) for plan in plans]
    home = _find_home(clip, plans, ground)
    legs = [_measure_leg(clip, plan) for plan in plans]
    columns = [slice(3 * n, 3 * n + 3) for n in range(1, len(legs) + 1)]
    values = _solve(legs, columns, home, clip.frame_time, ease)
    # A foot that creeps from one plant to the next would stand for most of the way, and dart over the rest.
    loose = [_let_creep(clip, leg, values[:, own]) for leg, own in zip(legs, columns, strict=True)]
    if any(now is not leg for now, leg in zip(loose, legs, strict=True)):
        crept = _solve(loose, columns, home, clip.frame_time, ease)
        drifts = any(_drifts(clip, leg, crept[:, own]) for leg, own in zip(legs, columns, strict=True))
        values = values if drifts else crept
    return values[:, :3], [
        replace(leg.plan, end_shifts=values[:, own]) for leg, own in zip(legs, columns, strict=True)
    ]


def _solve(
    legs: Sequence[_Leg], columns: Sequence[slice], home: FloatArray, frame_time: float, ease: float
) -> FloatArray:
    """Return shifts (T, D) of hips and feet, metres; the ``columns`` of each foot are given."""
    wanted = [np.where(leg.held[:, None], leg.plan.goals.shifts, home) for leg in legs]
    values = np.concatenate([home, *wanted], axis=1)
    known = np.repeat(np.stack([np.zeros_like(legs[0].held), *(leg.held for leg in legs)], axis=1), 3, axis=1)
    changes = _weigh_smoothness(legs, columns, values.shape, frame_time, ease)
    for _ in range(N_ROUNDS):
        problem = changes.copy()
        _weigh_hips(problem, values, home)
        for leg, own in zip(legs, columns, strict=True):
            _weigh_knee(problem, leg, values, own)
            _weigh_clearance(problem, leg, values, own, home)
        _stay_near(problem, values)
        values = problem.solve(values, known)
    return values


def _let_creep(clip: Clip, leg: _Leg, shifts: FloatArray) -> _Leg:
    """Return a leg that goes along with its capture around darts of its foot between plants."""
    stands, reach = np.array(leg.stands), round(CREEP_TIME / clip.frame_time)
    free = ~(leg.held[1:] | leg.held[:-1])
    for dart in find_darts(_track_planned(clip, leg, shifts), track_sole(clip, leg.plan.limb)):
        around = np.zeros_like(free)
        around[max(dart.start - reach, 0) : dart.end + reach] = True
        stands[:, around & free] = 0.0
    return leg if np.array_equal(stands, leg.stands) else replace(leg, stands=stands)


def _drifts(clip: Clip, leg: _Leg, shifts: FloatArray) -> bool:
    """Whether a foot moves visibly more than before while it stands."""
    before, after = track_sole(clip, leg.plan.limb), _track_planned(clip, leg, shifts)
    tracks = [each.positions[:, 0][..., [0, 2]] for each in (before, after)]
    return any(
        max_distance(now[first : last + 1, point]) - max_distance(was[first : last + 1, point]) > MAX_DRIFT
        for was, now in [tracks]
        for first, last in find_stances(before)[0]
        for point in range(2)
    )


def _track_planned(clip: Clip, leg: _Leg, shifts: FloatArray) -> SoleTracks:
    """Return the tracks of a sole where its foot is planned."""
    return track_sole(clip, leg.plan.limb, leg.ankle + leg.plan.goals.arms + shifts)


@dataclass(frozen=True, eq=False)
class _Leg:
    """What is known of a leg before anything moves.

    Attributes
    ----------
    plan, held
        Its goals, and the frames (T,) in which they hold.
    hip, ankle, thigh, shin
        Positions (T, 3) and lengths (T,), metres.
    reach
        (T,) length up to which it is planned, metres.
    velocities
        (P, T - 1, 3) of the points of its sole, with the planned rotations of the foot, m/s.
    stands
        (2, T - 1) how much heel and toe stand beside plants that move, from 0 to 1.
    low
        (T,) how near the foot is to the ground, from 0 to 1.
    clearance
        (T,) by how much it may sink, metres.
    """

    plan: LimbPlan
    held: BoolArray
    hip: FloatArray
    ankle: FloatArray
    thigh: FloatArray
    shin: FloatArray
    reach: FloatArray
    velocities: FloatArray
    stands: FloatArray
    low: FloatArray
    clearance: FloatArray


def _measure_leg(clip: Clip, plan: LimbPlan) -> _Leg:
    positions = clip.world_positions()
    hip, knee, ankle = (positions[:, joint] for joint in plan.limb.chain)
    tracks = track_sole(clip, plan.limb)
    heights = tracks.heights[:, 0].min(axis=1)
    low = fade(heights, *LOW)
    return _Leg(
        plan,
        plan.goals.held,
        hip,
        ankle,
        norm(knee - hip),
        norm(ankle - knee),
        reach_sphere(clip, plan, PLANNED_REACH).radii,
        np.diff(ankle + plan.goals.arms, axis=1) / clip.frame_time,
        _weigh_stances(tracks) * _find_moved(plan),
        low,
        np.maximum(heights, 0.0) * np.maximum(low * fade(_slower_speeds(tracks), *SWING), LOST_CLEARANCE),
    )


def _weigh_stances(tracks: SoleTracks) -> FloatArray:
    """Return how much (2, T - 1) heel and toe stand, from 0 to 1: the slower one more than the other.

    A foot can turn about one of them only.
    """
    squares = np.square(tracks.speeds[:, 0].T) + MIN_SPEED**2
    return np.asarray(find_standing(tracks)[:, 0].T * squares[::-1] / squares.sum(axis=0))


def _slower_speeds(tracks: SoleTracks) -> FloatArray:
    """Return the mean speed (T,) of heel and toe: the lower one of the steps before and after each frame."""
    steps = tracks.speeds[:, 0].mean(axis=1)
    return np.asarray(np.minimum(np.append(steps, np.inf), np.append(np.inf, steps)))


def _find_moved(plan: LimbPlan) -> FloatArray:
    """Return 1 (T - 1,) beside plants that are moved over the ground, 0 beside those on their targets.

    A foot that nothing holds counts as moved: the body may move it.
    """
    held = plan.goals.held
    if not held.any():
        return np.ones(len(held) - 1)
    lengths = norm(plan.goals.shifts[:, [0, 2]])
    moved = np.where(held, np.clip((lengths - ON_TARGET) / FULLY_MOVED, 0.0, 1.0), 0.0)
    nearest = -min_of_neighbours(-moved, held)
    return np.asarray(np.maximum(nearest[1:], nearest[:-1]))


def _find_home(clip: Clip, plans: Sequence[LimbPlan], ground: Ground) -> FloatArray:
    """Return shifts (T, 3) with which the hips are at home, metres.

    The body stays where it was, and goes along with feet that are sent elsewhere. On its own floor it stays
    at its height, unless all of it floats or stands in the floor.
    """
    goals = [plan.goals for plan in plans if plan.goals.held.any()]
    home = np.asarray(np.mean([run_means(own.shifts, own.held) for own in goals], axis=0))
    rises = np.concatenate([own.shifts[own.held, 1] for own in goals])
    given = any(hold.given for plan in plans for point in plan.limb.points for hold in point.holds)
    elsewhere = given and np.abs(rises).max(initial=0.0) > FLOATING
    if elsewhere or ground.surface is not None or ground.captured is not None:
        home[:, 1] = smooth(home[:, 1], GROUND_TIME / clip.frame_time)
    else:
        level = float(np.median(rises))
        home[:, 1] = level * smoothstep(abs(level) / FLOATING - 1.0)
    return home


def _weigh_smoothness(
    legs: Sequence[_Leg], columns: Sequence[slice], shape: tuple[int, ...], frame_time: float, ease: float
) -> BandedProblem:
    """Return how much changes from frame to frame count: of hips, of feet, and of feet against hips."""
    n, size = shape
    problem = BandedProblem.empty(n, size)
    unit, still = np.eye(size), np.zeros(n - 1)
    even = np.ones(n - 1) / frame_time**2
    for axis in range(3):
        problem.add_changes(even / HIP_SPEED_ROOM[axis] ** 2, unit[axis], still)
        problem.add_bends(1.0 / (HIP_ACCELERATION_ROOM[axis] * frame_time**2) ** 2, axis)
    for leg, own in zip(legs, columns, strict=True):
        low = np.minimum(leg.low[1:], leg.low[:-1])
        for axis, column in enumerate(range(own.start, own.stop)):
            for stands, velocities in zip(leg.stands, leg.velocities, strict=True):
                drift = still if axis == 1 else -velocities[:, axis] * frame_time
                problem.add_changes(stands * even / STANCE_SPEED_ROOM**2, unit[column], drift)
            problem.add_changes(low * even / LOW_SPEED_ROOM**2, unit[column], still)
            against_hips = unit[column] - unit[axis]
            problem.add_changes(even / SWING_SPEED_ROOM**2, against_hips, still)
            rest = (1.0 - leg.low) / (SWING_SPEED_ROOM * min(max(ease, frame_time), MAX_EASE)) ** 2
            problem.add_values(rest, np.tile(against_hips, (n, 1)), np.zeros(n))
            problem.add_bends(1.0 / (FOOT_ACCELERATION_ROOM * frame_time**2) ** 2, column)
    return problem


def _weigh_hips(problem: BandedProblem, values: FloatArray, home: FloatArray) -> None:
    """Let hips stay near where they are at home."""
    for axis in range(3):
        growth = _grow((values[:, axis] - home[:, axis]) / MAX_HIP_SHIFT[axis])
        problem.add_own_values(growth / HIP_ROOM[axis] ** 2, axis, home[:, axis])


def _weigh_knee(problem: BandedProblem, leg: _Leg, values: FloatArray, own: slice) -> None:
    """Let the knee keep its angle, and a foot that is held be within reach."""
    kernels.legs.weigh_knee(
        problem.columns,
        problem.right,
        values,
        own.start,
        leg.ankle - leg.hip,
        leg.thigh,
        leg.shin,
        leg.reach,
        leg.held,
        KNEE_ROOM,
        MAX_KNEE_CHANGE,
        MAX_GROWTH,
        REACH_ROOM,
        MIN_ARM,
        MIN_LEVER,
        MIN_CHANGE,
    )


def _weigh_clearance(
    problem: BandedProblem, leg: _Leg, values: FloatArray, own: slice, home: FloatArray
) -> None:
    """Let a free foot swing no lower over the ground than it did, and not into it."""
    height, lowest = own.start + 1, home[:, 1] - leg.clearance
    problem.add_own_values((values[:, height] < lowest) / CLEARANCE_ROOM**2, height, lowest)


def _stay_near(problem: BandedProblem, values: FloatArray) -> None:
    """Let all unknowns stay near those of the round before."""
    problem.columns[:, 0] += 1.0 / STEP_ROOM**2
    problem.right += values / STEP_ROOM**2


def _grow(changes: FloatArray) -> FloatArray:
    """Return factors by which changes, relative to a large one, count more than in proportion."""
    return 1.0 + np.minimum(np.square(changes), MAX_GROWTH)
