"""Rests: intervals in which hands, knees, elbows or the seat stay put on a surface.

A part of the body rests where it is nearly still in the world for long enough and meets a surface. That it is
still is not enough: a hand that hangs in standing is still too. One of three things has to show the surface:

- **the floor**: the part is as low as the floor,
- **an anchor**: a hand is still while the body behind it moves, for longer than an arm that swings back as
  fast as the body goes forward: it holds on to a rung, a rail, a wall or a table; of two hands that are still
  together, the body has to move half as much,
- **load**: the body is still, but its centre of mass lies outside of what it stands on, and within that and
  the part together: it sits or leans on something, and would fall without.

What shows the surface once holds until the part moves: it cannot have let go before.

Joints lie inside the body, and a hand pivots about the point that bears the load. Several points of a hand
are therefore looked at, and the one that moves least in a rest is its contact point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from motionloom.annotation import signals
from motionloom.annotation.floor import Floor
from motionloom.annotation.foot_plants import PlantSettings, plant_thresholds
from motionloom.annotation.labels import ELBOW, HAND, KNEE, PLANT_KINDS, SEAT
from motionloom.annotation.resting_parts import (
    ANCHOR,
    FLOOR,
    LOAD,
    Evidence,
    Part,
    Rest,
    RestingPart,
    RestSurface,
    find_resting_parts,
)
from motionloom.annotation.signals import Interval, frames_of
from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.anatomy.centre_of_mass import find_body_masses
from motionloom.motion.anatomy.measures import body_height
from motionloom.motion.anatomy.thresholds import ADULT_HEIGHT

LOW = {HAND: 0.1, KNEE: 0.07, ELBOW: 0.07, SEAT: 0.14}
"""A joint this far above the floor may lie on it, as a fraction of the body's height. For an adult that is
17 cm for hands, which roll over their heel in a cartwheel and are captured by markers on the wrist, 12 cm for
knees and elbows, and 24 cm for the hips of one who sits."""

MIN_REST = 0.2
"""Shorter rests on the floor are dropped, seconds: a hand in a cartwheel stays for 0.3 s."""

MAX_GAP = 0.1
"""Shorter gaps between two rests are closed, seconds."""

MIN_ANCHOR = 0.6
"""Seconds for which a hand is still while the body moves. The hand of a walker that swings back is still for
up to 0.4 s."""

ANCHOR_SPEED = 0.15
"""A hand that holds on to something is slower than this, m/s."""

MIN_BODY_MOTION, MAX_HAND_FRACTION = 0.12, 0.35
"""Behind an anchored hand, the shoulder moves by this much, metres, and the hand by at most this fraction of
it. Hands that hang while somebody sets off to walk meet the fraction for up to 0.1 m."""

MIN_PAIR_MOTION, MAX_PAIR_FRACTION = 0.06, 0.5
"""The same behind two hands that are still together: free ones meet this fraction for up to 0.05 m."""

MIN_LOADED = 0.5
"""Seconds for which a body that is out of balance has to be still."""

BODY_FRACTION = 0.4
"""A hand on the floor is slower than this fraction of the speed of the hips that swing over it."""

MIN_RADIUS, MAX_TRIM = 0.03, 0.1
"""Metres from the median position of a rest within which the part has arrived, or twice the median distance
where hands creep farther; and seconds that are cut off at most where it has not."""

WALL_TILT = np.radians(60.0)
"""A limb that bears load along a line tilted from the vertical by more than this, radians, pushes against a
wall or holds on to a ladder; by less, it rests on something level."""

SMOOTHING = 0.1
"""Seconds over which the velocity of the centre of mass is averaged."""

STILL_SPEED = 0.2
"""A centre of mass slower than this, m/s, does not fall: from rest, a fall reaches it within 0.1 s."""

OUT_OF_BALANCE = 0.1
"""Metres from the support at which a centre of mass, known to some centimetres, is out of balance."""

DIRECTIONS = np.array([np.cos(np.arange(32) * np.pi / 16.0), np.sin(np.arange(32) * np.pi / 16.0)])
"""(2, 32) unit vectors over the ground, along which balance is looked at; distances are short by 0.5 %."""


def detect_rests(
    clip: Clip, parts: Sequence[Part], floor: Floor, settings: PlantSettings
) -> list[tuple[RestingPart, list[Rest]]]:
    """Find the rests of hands, knees, elbows and seat of a clip whose foot plants are known.

    Parameters
    ----------
    clip
        A clip of at least two frames; its constraints say where heels and toes are.
    parts
        Which of the parts are wanted. All are looked at: what lies on the floor supports the body.
    floor
        The floor under the clip.
    settings
        Speeds and smoothing, as for foot plants.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> walked = annotate(walk(duration=3.0).clip)
    >>> [rests for _, rests in detect_rests(walked, ("hands",), Floor(0.0), PlantSettings())]
    [[], []]
    """
    anatomy = find_anatomy(clip.skeleton)
    tracks = [PartTrack.of(clip, part, floor, settings) for part in find_resting_parts(anatomy)]
    # 1. What lies on the floor.
    on_floor = [_find_floor_rests(clip, track, tracks, settings) for track in tracks]
    # 2. What something else holds while the body moves, or while it would fall otherwise; the seat first: a
    # body that sits is in balance, whatever its hands do.
    balance = Balance.of(clip, [track.positions[0] for track in tracks], on_floor)
    found: list[tuple[RestingPart, list[Rest]]] = []
    seated: list[Interval] = []
    for track, low in sorted(zip(tracks, on_floor, strict=True), key=lambda each: each[0].part.kind != SEAT):
        alike = [other for other in tracks if other.part.kind == track.part.kind]
        needed = np.zeros(clip.n_frames, dtype=np.bool_)
        if balance is not None and track.part.kind in (HAND, SEAT):
            needed = balance.needs(np.concatenate([other.positions for other in alike]))
        raised = _find_raised_rests(clip, track, alike, needed, seated, settings)
        merged = _merge([*((interval, FLOOR) for interval in low), *raised])
        intervals = [(track.trim(interval, MAX_TRIM / clip.frame_time), why) for interval, why in merged]
        if track.part.kind == SEAT:
            seated = [interval for interval, _ in intervals]
        rests = [
            Rest(
                interval, track.choose_point(interval), why, _find_surface(clip, track, interval, why, floor)
            )
            for interval, why in intervals
        ]
        if f"{track.part.kind}s" in parts or track.part.kind in parts:
            found.append((track.part, rests))
    return found


@dataclass(frozen=True, eq=False)
class PartTrack:
    """The motion of a part that may rest.

    Attributes
    ----------
    part
        The part.
    positions
        (N, T, 3) of its points in the world, metres.
    speeds
        (T,) of its slowest point, m/s.
    heights
        (T,) of its lowest point above the floor, as fractions of the height at which it may lie on it.
    """

    part: RestingPart
    positions: FloatArray
    speeds: FloatArray
    heights: FloatArray

    @classmethod
    def of(cls, clip: Clip, part: RestingPart, floor: Floor, settings: PlantSettings) -> PartTrack:
        """Return the motion of a part of a clip."""
        positions = np.stack([clip.point_positions(part.joint, point) for point in part.points])
        speeds = [signals.speeds(track, clip.frame_time, settings.smoothing) for track in positions]
        heights = floor.heights_above(positions).min(axis=0)
        if part.end >= 0:
            # Where the hand rests lower than the elbow, the floor is there.
            ends = floor.heights_above(clip.world_positions()[:, part.end])
            heights = np.maximum(heights, heights - ends)
        low = LOW[part.kind] * (body_height(clip.skeleton) or ADULT_HEIGHT)
        return cls(part, positions, np.min(speeds, axis=0), heights / low)

    def excess_above_floor(self) -> FloatArray:
        """Return speeds (T,) as fractions of the largest one of an anchored hand; infinite on the floor."""
        return np.where(self.heights > 1.0, self.speeds / ANCHOR_SPEED, np.inf)

    def trim(self, interval: Interval, max_frames: float) -> Interval:
        """Return the interval without up to ``max_frames`` at each end in which the part is on its way."""
        first, stop, _ = frames_of(interval).indices(len(self.speeds))
        positions = self.positions[:, first:stop]
        track = positions[int(np.argmin([_extent(each) for each in positions]))]
        away = np.linalg.norm(track - np.median(track, axis=0), axis=-1)
        near = first + np.flatnonzero(away <= max(MIN_RADIUS, 2.0 * float(np.median(away))))
        start, end = interval
        if near[0] > first:
            start = min(float(near[0]), start + max_frames)
        if near[-1] < stop - 1:
            end = max(float(near[-1]), end - max_frames)
        return start, end

    def choose_point(self, interval: Interval) -> FloatArray:
        """Return the point of the part, in its joint's frame, that moves least in an interval."""
        extents = [_extent(track) for track in self.positions[:, frames_of(interval)]]
        return freeze(self.part.points[int(np.argmin(extents))])


def _find_floor_rests(
    clip: Clip, track: PartTrack, tracks: Sequence[PartTrack], settings: PlantSettings
) -> list[Interval]:
    """Return the intervals in which a part is low and slow, or much slower than the body above it."""
    seat = next((other for other in tracks if other.part.kind == SEAT), track)
    limit = plant_thresholds(track.speeds, settings).speed
    limits = np.maximum(limit, BODY_FRACTION * seat.speeds) if track.part.kind == HAND else limit
    return _find_runs(np.maximum(track.speeds / limits, track.heights), settings, clip.frame_time, MIN_REST)


def _find_raised_rests(
    clip: Clip,
    track: PartTrack,
    alike: Sequence[PartTrack],
    needed: BoolArray,
    seated: Sequence[Interval],
    settings: PlantSettings,
) -> list[tuple[Interval, Evidence]]:
    """Return the intervals in which a hand or the seat lies on something above the floor."""
    if track.part.kind not in (HAND, SEAT):
        return []
    above = track.excess_above_floor()
    loaded = np.where(needed, above, np.inf)
    if track.part.kind == HAND:
        for start, end in seated:
            loaded[frames_of((start, end))] = np.inf
    under_load = _find_runs(loaded, settings, clip.frame_time, MIN_LOADED)
    found: list[tuple[Interval, Evidence]] = []
    for start, end in _find_runs(above, settings, clip.frame_time, MIN_LOADED):
        if any(start <= first <= end for first, _ in under_load):
            found.append(((start, end), LOAD))
        elif track.part.kind == HAND and _is_anchored(clip, track, alike, (start, end), settings):
            found.append(((start, end), ANCHOR))
    return found


def _find_surface(
    clip: Clip, track: PartTrack, interval: Interval, evidence: Evidence, floor: Floor
) -> RestSurface:
    """Return the surface under a part: the floor, something level, or a wall that the arm bears against."""
    frames = frames_of(interval)
    contact = track.positions[:, frames].mean(axis=(0, 1))
    height, up = float(floor.heights_above(contact)), np.array([0.0, 1.0, 0.0])
    if evidence == FLOOR:
        return RestSurface("floor", height, up)
    if track.part.carrier >= 0:
        arm = clip.world_positions()[frames, track.part.carrier].mean(axis=0) - contact
        level = float(np.hypot(arm[0], arm[2]))
        if level > np.tan(WALL_TILT) * abs(float(arm[1])):
            return RestSurface("wall", height, freeze(arm * [1.0, 0.0, 1.0] / level))
    return RestSurface("level", height, up)


def _find_runs(
    excess: FloatArray, settings: PlantSettings, frame_time: float, min_duration: float
) -> list[Interval]:
    """Return the intervals in which ``excess`` (T,) is below the release, and below 1 somewhere."""
    runs = [
        (float(first), float(last))
        for first, last in signals.runs(excess < settings.release)
        if (excess[first : last + 1] < 1.0).any()
    ]
    joined = signals.join_intervals(runs, MAX_GAP / frame_time)
    return [(start, end) for start, end in joined if end - start >= min_duration / frame_time]


def _is_anchored(
    clip: Clip, track: PartTrack, hands: Sequence[PartTrack], interval: Interval, settings: PlantSettings
) -> bool:
    """Whether a still hand is held while the shoulder behind it moves, in any part of an interval."""
    length = max(2, round(MIN_ANCHOR / clip.frame_time))
    frames = frames_of(interval)
    if frames.stop - frames.start < length:
        return False
    for n in (length, frames.stop - frames.start):
        shoulder, hand = _measure_anchor(clip, track, frames, n)
        if ((shoulder >= MIN_BODY_MOTION) & (hand <= MAX_HAND_FRACTION * shoulder)).any():
            return True
        if len(hands) < 2:
            continue
        measured = [_measure_anchor(clip, each, frames, n) for each in hands]
        shoulder, hand = (np.array(each) for each in zip(*measured, strict=True))
        still = [each.excess_above_floor()[frames] < settings.release for each in hands]
        together = sliding_window_view(np.all(still, axis=0), n).all(axis=-1)
        moving = (shoulder >= MIN_PAIR_MOTION) & (hand <= MAX_PAIR_FRACTION * shoulder)
        if (moving.all(axis=0) & together).any():
            return True
    return False


def _measure_anchor(
    clip: Clip, track: PartTrack, frames: slice, length: int
) -> tuple[FloatArray, FloatArray]:
    """Return how far (N,) shoulder and hand move in every ``length`` frames in a row, metres."""
    shoulder = windowed_extents(clip.world_positions()[frames, track.part.carrier], length)
    hand = np.min([windowed_extents(each, length) for each in track.positions[:, frames]], axis=0)
    return shoulder, hand


def windowed_extents(track: FloatArray, length: int) -> FloatArray:
    """Return twice the root mean square distances from the mean in every ``length`` frames of a track (T, 3).

    The result has T − ``length`` + 1 entries, in the unit of the track.

    >>> windowed_extents(np.array([[0.0, 0, 0], [2.0, 0, 0], [2.0, 0, 0]]), 2).tolist()
    [2.0, 0.0]
    """
    windows = sliding_window_view(track, length, axis=0)
    away = windows - windows.mean(axis=-1, keepdims=True)
    return np.asarray(2.0 * np.sqrt((away**2).sum(axis=1).mean(axis=-1)))


def _extent(track: FloatArray) -> float:
    """Return twice the root mean square distance of a track (N, 3) from its mean, metres."""
    return 2.0 * float(np.sqrt(((track - track.mean(axis=0)) ** 2).sum(axis=-1).mean()))


def _merge(found: Sequence[tuple[Interval, Evidence]]) -> list[tuple[Interval, Evidence]]:
    """Join intervals that overlap or touch; the evidence of the longest one counts."""
    merged = []
    for start, end in signals.join_intervals([interval for interval, _ in found], 1.5):
        inside = [(i[1] - i[0], why) for i, why in found if i[0] >= start and i[1] <= end]
        merged.append(((start, end), max(inside)[1]))
    return merged


@dataclass(frozen=True, eq=False)
class Balance:
    """Whether a body is in balance on its feet and all that it has on the floor.

    ``still`` (T,) says when it does not fall, ``centre`` (T, 2) is its centre of mass and ``support``
    (T, N, 2) what it stands on, metres on the ground; NaN where a point does not rest.
    """

    still: BoolArray
    centre: FloatArray
    support: FloatArray

    @classmethod
    def of(
        cls, clip: Clip, positions: Sequence[FloatArray], on_floor: Sequence[Sequence[Interval]]
    ) -> Balance | None:
        """Return the balance of a clip, or None where its masses are not known.

        ``positions`` (T, 3) are those of the parts that may rest, metres, ``on_floor`` their intervals on the
        floor.
        """
        body = find_body_masses(clip.skeleton)
        if body is None or not body.complete:
            return None
        centre = body.centre(clip.world_positions(), clip.world_rotations())
        still = signals.speeds(centre, clip.frame_time, SMOOTHING) < STILL_SPEED
        # Feet support wherever they are: one that creeps a little is no plant, but bears load.
        feet = {(c.joint, c.kind): c for c in clip.constraints if c.kind in PLANT_KINDS}.values()
        points = [clip.point_positions(c.joint, c.point) for c in feet]
        for track, intervals in zip(positions, on_floor, strict=True):
            resting = np.full((clip.n_frames, 3), np.nan)
            for interval in intervals:
                resting[frames_of(interval)] = track[frames_of(interval)]
            points.append(resting)
        return cls(still, centre[:, [0, 2]], np.stack(points, axis=1)[..., [0, 2]])

    def needs(self, positions: FloatArray) -> BoolArray:
        """Return the frames (T,) in which a still body is in balance with these points, and not without.

        ``positions`` (N, T, 3) are in metres.
        """
        parts = positions[..., [0, 2]].swapaxes(0, 1)
        needed = np.array(self.still)
        for t in np.flatnonzero(self.still):
            without = distance_outside(self.support[t], self.centre[t])
            with_parts = np.concatenate([self.support[t], parts[t]])
            needed[t] = without > OUT_OF_BALANCE > distance_outside(with_parts, self.centre[t])
        return needed


def distance_outside(points: FloatArray, centre: FloatArray) -> float:
    """Return how far a centre (2,) lies outside the convex hull of points (N, 2); 0 within, metres.

    Points that are NaN do not count; without any other, everything is outside.

    >>> corners = np.array([[0.0, 0.0], [1.0, 0.0], [np.nan, np.nan]])
    >>> round(distance_outside(corners, np.array([0.5, 0.2])), 12)
    0.2
    """
    there = points[~np.isnan(points[:, 0])]
    if not len(there):
        return np.inf
    # The hull lies in a half plane in every direction; the farthest one that leaves the centre out counts.
    along = (there - centre) @ DIRECTIONS
    return float(np.maximum(-along.max(axis=0), 0.0).max())
