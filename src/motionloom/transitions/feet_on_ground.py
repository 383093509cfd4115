"""Feet within a transition: where they stand, and where they are dragged along the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import Leg, find_anatomy

LEVEL_PERCENTILE = 10.0
"""Percentile of the lower foot's height that is the height at which feet stand: one nearly always does."""

LOW_TOE, LOW_ANKLE = 0.025, 0.04
"""Metres above where they stand up to which toe and ankle are down. With both down the foot is flat on the
ground; in the swing of a walk one of them is higher."""

LOW_HEEL = 0.1
"""Metres that the ankle of a standing foot may rise as its heel does."""

MAX_RISE = 0.06
"""Metres by which one clip may stand higher than the other; more is a jump."""

DRAG_SPEED = 0.3
"""Speed over the ground in m/s from which a flat foot is dragged: standing feet in captures creep at 0.1."""


@dataclass(frozen=True, eq=False)
class FootTrack:
    """One foot over all T frames of a clip.

    Attributes
    ----------
    leg
        Its leg.
    positions
        (T, 2) over the ground, the mean of ankle and toe, metres.
    speeds
        (T,) over the ground, of ankle or toe, whichever is slower: a foot that rolls stands on one, m/s.
    flat
        (T,) whether toe and ankle are both as low as where they stand.
    down
        (T,) whether toe or ankle is about that low.
    swings
        (T,) whether the foot moves in the clip that counts more.
    stands
        (T, 2) whether it stands still in the first clip, and in the second.
    """

    leg: Leg
    positions: FloatArray
    speeds: FloatArray
    flat: BoolArray
    down: BoolArray
    swings: BoolArray
    stands: BoolArray

    @property
    def drags(self) -> BoolArray:
        """(T,) whether the foot moves flat over the ground, which is not a low swing of the clips."""
        return self.flat & (self.speeds > DRAG_SPEED) & ~self.swings


@dataclass(frozen=True, eq=False)
class FootSources:
    """What the feet do in the two clips of a transition.

    Attributes
    ----------
    stands
        (M, 2, 2) for each frame and leg, whether the foot stands still in the first and in the second clip.
    weights
        (M, 2) weights of the clips.
    """

    stands: BoolArray
    weights: FloatArray

    @property
    def swings(self) -> BoolArray:
        """(M, 2) whether each foot moves in the clip that counts more."""
        return np.asarray((self.weights[:, None] * ~self.stands).sum(axis=-1) > 0.5)


def find_foot_sources(
    clips: tuple[Clip, Clip], frames: FloatArray, weights: FloatArray
) -> FootSources | None:
    """Find what the feet do in two clips at frames (M, 2) of them; None for bodies without two legs."""
    stands = []
    for clip, own in zip(clips, frames.T, strict=True):
        legs = find_anatomy(clip.skeleton).legs
        if len(legs) != 2 or clip.n_frames < 3:
            return None
        rows = np.clip(np.rint(own).astype(np.int64), 0, clip.n_frames - 1)
        speeds = np.stack([_measure_speeds(clip, leg) for leg in legs], axis=1)
        ankles = clip.world_positions()[:, [leg.ankle for leg in legs], 1]
        level = np.percentile(ankles.min(axis=1), LEVEL_PERCENTILE)
        stands.append((speeds[rows] < DRAG_SPEED) & (ankles[rows] <= level + LOW_HEEL))
    return FootSources(np.stack(stands, axis=-1), weights)


def _measure_speeds(clip: Clip, leg: Leg) -> FloatArray:
    """Return speeds (T,) over the ground of ankle or toe, whichever is slower, in m/s."""
    points = clip.world_positions()[:, list({leg.ankle, leg.ankle if leg.toe is None else leg.toe})]
    velocities = np.gradient(points[..., [0, 2]], clip.frame_time, axis=0)
    return np.asarray(np.linalg.norm(velocities, axis=-1).min(axis=1))


def track_feet(clip: Clip, first: int, last: int, sources: FootSources | None = None) -> list[FootTrack]:
    """Track the feet of a body with two legs about a transition between two frames; an empty list for others.

    Without ``sources`` feet count as standing in both clips.

    >>> from motionloom.synthesis import stand
    >>> [bool(foot.flat.all()) for foot in track_feet(stand(duration=0.5, fps=30).clip, 5, 10)]
    [True, True]
    """
    legs = find_anatomy(clip.skeleton).legs
    if len(legs) != 2 or clip.n_frames < 3:
        return []
    positions = clip.world_positions()
    toes, ankles = (
        positions[:, [leg.ankle if leg.toe is None or which == "ankle" else leg.toe for leg in legs]]
        for which in ("toe", "ankle")
    )
    above_toes, above_ankles = (
        (points[..., 1] - _find_level(points[..., 1].min(axis=1), first, last)[:, None]) / low
        for points, low in ((toes, LOW_TOE), (ankles, LOW_ANKLE))
    )
    tracks = []
    for n, leg in enumerate(legs):
        swings, stands = np.zeros(clip.n_frames, dtype=bool), np.ones((clip.n_frames, 2), dtype=bool)
        if sources is not None:
            swings[first : last + 1] = sources.swings[:, n]
            stands[first : last + 1] = sources.stands[:, n]
        tracks.append(
            FootTrack(
                leg,
                0.5 * (toes[:, n] + ankles[:, n])[:, [0, 2]],
                _measure_speeds(clip, leg),
                flat=np.maximum(above_toes, above_ankles)[:, n] <= 1.0,
                down=np.minimum(above_toes, above_ankles)[:, n] <= 2.0,
                swings=swings,
                stands=stands,
            )
        )
    return tracks


def _find_level(heights: FloatArray, first: int, last: int) -> FloatArray:
    """Return the height (T,) at which feet stand, from the heights (T,) of the lower one.

    The clips may stand at somewhat different heights; between them it changes.
    """
    lowest = float(np.percentile(heights, LEVEL_PERCENTILE))
    before, after = (
        min(float(np.percentile(part, LEVEL_PERCENTILE)), lowest + MAX_RISE) if len(part) else lowest
        for part in (heights[: first + 1], heights[last:])
    )
    return np.interp(np.arange(len(heights)), (first, last), (before, after))


def plants_of(clip: Clip, leg: Leg) -> list[Constraint]:
    """Return the constraints that hold something of a leg's foot."""
    joints = {leg.ankle, *clip.skeleton.children(leg.ankle), *([] if leg.toe is None else [leg.toe])}
    names = {clip.skeleton.names[joint] for joint in joints}
    return [constraint for constraint in clip.constraints if constraint.joint in names]


def find_drag(track: FootTrack, first: int, last: int) -> tuple[int, int, float]:
    """Return the frames between two others over which a foot is dragged most, and how far in metres."""
    worst = (first, first, 0.0)
    frames = first + np.flatnonzero(track.drags[first : last + 1])
    for run in np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1):
        if len(run):
            start, end = max(first, int(run[0]) - 1), min(last, int(run[-1]) + 1)
            travel = float(np.linalg.norm(track.positions[end] - track.positions[start]))
            worst = max(worst, (start, end, travel), key=lambda drag: drag[2])
    return worst
