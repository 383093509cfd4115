"""The root: the whole body follows its feet and comes within reach of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, dot, freeze, norm
from motionloom.enforcement.goals import LimbPlan
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import hinge_axes, max_lengths
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_body_masses
from motionloom.motion.filters import envelope, smooth

REACH_FRACTION = 0.8
"""Fraction of its remaining reach that a leg uses up before the body moves."""

DIP_FRACTION = 0.24
"""Fraction of the duration of a plant over which the body dips to bring the foot within reach, at most the
blend duration. A foot is out of reach for a moment of each step, as it pushes off; over the whole blend
duration one dip would run into the next, and the body would walk in a crouch."""

MAX_PASSES = 6
"""Smoothing takes back a little of each shift; this many passes bring the rest below :data:`CLOSE`."""

N_PROJECTIONS = 12
"""Rounds of moving the body into the reach of one limb after the other."""

CLOSE = 1e-5
"""Metres out of reach that do not matter."""

MIN_LENGTH = 1e-12
"""Metres below which a vector has no direction."""


@dataclass(frozen=True, eq=False)
class ReachSphere:
    """Shifts of the body that keep one foot within reach: ``centres`` (T, 3) and ``radii`` (T,), metres."""

    centres: FloatArray
    radii: FloatArray


def reach_sphere(clip: Clip, leg: LimbPlan, fraction: float = REACH_FRACTION) -> ReachSphere:
    """Return the shifts of the body with which a limb reaches its goal.

    It uses up a ``fraction`` of its remaining reach: below 1, it does not become fully straight.
    """
    positions = clip.world_positions()
    hip, knee, ankle = (positions[:, joint] for joint in leg.limb.chain)
    hinge = rot.rotate(clip.world_rotations()[:, leg.limb.chain[0]], leg.hinge)
    axes = hinge_axes(knee - hip, ankle - knee, hinge)
    lengths = norm(ankle - hip)
    room = max_lengths(knee - hip, ankle - knee, axes) - lengths
    return ReachSphere(ankle + leg.end_shifts - hip, lengths + fraction * room)


def nearest_within(points: FloatArray, spheres: Sequence[ReachSphere]) -> FloatArray:
    """Return the points (T, 3) within at most two spheres that are nearest to the given ones (T, 3).

    Between spheres that do not meet, it is the centre of the gap.

    >>> one = ReachSphere(np.zeros((1, 3)), np.ones(1))
    >>> two = ReachSphere(np.array([[1.0, 0, 0]]), np.ones(1))
    >>> nearest_within(np.array([[0.5, 3.0, 0]]), [one, two]).round(3).tolist()
    [[0.5, 0.866, 0.0]]
    """
    if not spheres:
        return points
    alone = [_project(points, sphere) for sphere in spheres]
    if len(spheres) == 1:
        return alone[0]
    first, second = spheres
    # A foot that is not held has no bound: no circle belongs to it, and none is used below.
    with np.errstate(invalid="ignore"):
        found = _project_on_circle(points, first, second)
    found = np.where(_is_within(alone[1], first)[:, None], alone[1], found)
    return np.where(_is_within(alone[0], second)[:, None], alone[0], found)


def bring_within_reach(clip: Clip, legs: Sequence[LimbPlan], shifts: FloatArray, width: float) -> FloatArray:
    """Change shifts (T, 3) of the body so that held feet are within reach.

    ``width`` is the number of frames over which it changes at most.
    """
    plants = [
        len(hold.frames) for leg in legs for point in leg.limb.points for hold in point.holds if hold.frames
    ]
    if not plants:
        return shifts
    spheres = [_only_held(reach_sphere(clip, leg), leg) for leg in legs]
    return shift_into_reach(shifts, spheres, min(DIP_FRACTION * float(np.median(plants)), width))


def shift_into_reach(shifts: FloatArray, spheres: Sequence[ReachSphere], width: float) -> FloatArray:
    """Change shifts (T, 3) of the body smoothly, over ``width`` frames, so that they lie within the spheres.

    >>> low = ReachSphere(np.tile([0.0, -1.0, 0.0], (5, 1)), np.array([2.0, 2.0, 0.9, 2.0, 2.0]))
    >>> shift_into_reach(np.zeros((5, 3)), [low], 1.0)[:, 1].round(3).tolist()
    [-0.025, -0.075, -0.1, -0.075, -0.025]
    """
    for _ in range(MAX_PASSES if spheres else 0):
        missing = nearest_within(shifts, spheres) - shifts
        sizes = norm(missing)
        if sizes.max(initial=0.0) < CLOSE:
            break
        directions = smooth(missing, 2.0 * width)
        lengths = norm(directions)[..., None]
        shifts = shifts + directions / np.maximum(lengths, MIN_LENGTH) * envelope(sizes, width)[:, None]
    return shifts


def shift_to_hands(
    clip: Clip,
    legs: Sequence[LimbPlan],
    arms: Sequence[LimbPlan],
    shifts: FloatArray,
    width: float,
    stretch: float,
) -> FloatArray:
    """Change shifts (T, 3) of the body smoothly, over ``width`` frames, so that held hands are within reach.

    Feet that are held stay within reach. Without held hands nothing changes. While a foot stands, the body
    stays as long as stretched arms reach; hands that carry it alone keep it close enough to bend.

    >>> shift_to_hands(None, (), (), np.zeros((1, 3)), 7.5, 0.026).tolist()
    [[0.0, 0.0, 0.0]]
    """
    if not any(arm.goals.held.any() for arm in arms):
        return shifts
    spheres = [_only_held(reach_sphere(clip, leg), leg) for leg in legs]
    standing = np.any([leg.goals.held for leg in legs], axis=0) if legs else False
    for arm in arms:
        bent, straight = reach_sphere(clip, arm), reach_sphere(clip, arm, fraction=1.0)
        radii = np.where(standing, (1.0 + stretch) * straight.radii, bent.radii)
        spheres.append(_only_held(ReachSphere(bent.centres, radii), arm))
    for _ in range(MAX_PASSES):
        nearest = shifts
        for _ in range(N_PROJECTIONS):
            for sphere in spheres:
                nearest = _project(nearest, sphere)
        missing = nearest - shifts
        sizes = norm(missing)
        if sizes.max(initial=0.0) < CLOSE:
            break
        directions = smooth(missing, width)
        lengths = norm(directions)[..., None]
        shifts = shifts + directions / np.maximum(lengths, MIN_LENGTH) * envelope(sizes, width / 2)[:, None]
    return shifts


def _only_held(sphere: ReachSphere, plan: LimbPlan) -> ReachSphere:
    """Let every shift be within reach where nothing is held."""
    return ReachSphere(sphere.centres, np.where(plan.goals.held, sphere.radii, np.inf))


def keep_falling(before: Clip, after: Clip, flights: Sequence[tuple[float, float]]) -> Clip:
    """Return the enforced motion with the body moved such that its centre of mass falls as before in flights.

    From the first to the last whole frame of a flight, the centre of mass is shifted evenly.
    """
    body = find_body_masses(before.skeleton)
    if body is None or not flights:
        return after
    centres = [body.centre(clip.world_positions(), clip.world_rotations()) for clip in (before, after)]
    shifts = centres[1] - centres[0]
    return replace(
        after, root_positions=freeze(after.root_positions + shift_evenly(shifts, flights) - shifts)
    )


def shift_evenly(shifts: FloatArray, flights: Sequence[tuple[float, float]]) -> FloatArray:
    """Return shifts (T, 3) that change evenly from the first to the last whole frame of each flight.

    >>> bent = np.array([[0.0, 0, 0], [0, 3, 0], [0, 4, 0], [0, 2, 0]])
    >>> shift_evenly(bent, [(0.5, 3.2)])[:, 1].tolist()
    [0.0, 3.0, 2.5, 2.0]
    """
    even = np.array(shifts)
    for start, end in flights:
        first, last = max(int(np.ceil(start)), 0), min(int(np.floor(end)), len(shifts) - 1)
        if last > first:
            even[first : last + 1] = np.linspace(shifts[first], shifts[last], last - first + 1)
    return even


def _project(points: FloatArray, sphere: ReachSphere) -> FloatArray:
    """Return the nearest points (T, 3) of one sphere."""
    offsets = points - sphere.centres
    lengths = norm(offsets)
    outside = lengths > sphere.radii
    scale = np.where(outside, sphere.radii / np.maximum(lengths, MIN_LENGTH), 1.0)
    return np.where(outside[:, None], sphere.centres + offsets * scale[:, None], points)


def _is_within(points: FloatArray, sphere: ReachSphere) -> BoolArray:
    return np.asarray(norm(points - sphere.centres) <= sphere.radii + MIN_LENGTH)


def _project_on_circle(points: FloatArray, one: ReachSphere, two: ReachSphere) -> FloatArray:
    """Return the nearest points (T, 3) of the circles in which two spheres meet."""
    between = two.centres - one.centres
    apart = np.maximum(norm(between), MIN_LENGTH)
    axis = between / apart[:, None]
    meeting = (apart**2 + one.radii**2 - two.radii**2) / (2.0 * apart)
    gap = apart >= one.radii + two.radii
    along = np.where(gap, (apart + one.radii - two.radii) / 2.0, meeting)
    centre = one.centres + along[:, None] * axis
    radius = np.where(gap, 0.0, np.sqrt(np.maximum(one.radii**2 - along**2, 0.0)))
    offsets = points - centre
    offsets -= dot(offsets, axis)[..., None] * axis
    lengths = np.maximum(norm(offsets)[..., None], MIN_LENGTH)
    return np.asarray(centre + radius[:, None] * offsets / lengths)
