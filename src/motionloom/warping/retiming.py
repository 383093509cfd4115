"""A clip at other times: frames in between, and annotations that go along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint, Event, Skeleton
from motionloom.motion.annotations import within
from motionloom.motion.sampling import MOST_FRAMES
from motionloom.warping.cubics import cubic_rotations, cubic_vectors
from motionloom.warping.times import TimeKeys, TimeMap

WHOLE_FRAME = 1e-9
"""A frame index this near to a whole number is that frame; rounding must not lose the last one."""

TOUCHING = 1e-6
"""Frames between two parts of a constraint that are one: time turned round within it."""


def retimed_clip(clip: Clip, times: Sequence[TimeKeys]) -> Clip:
    """The clip with time keys applied: each part of the body at its own times.

    Constraints and events go along; those of a part that keeps its own time go with that part.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0).clip
    >>> retimed_clip(clip, [TimeKeys([(0.5, 1.0)])]).duration
    1.5
    """
    if not times:
        return clip
    for keys in times:
        _check_moments(keys, clip.duration)
    maps = {keys.joint: TimeMap(keys, clip.duration) for keys in times}
    whole = maps.get("") or TimeMap(TimeKeys([(0.0, 0.0)]), clip.duration)
    n_frames = _n_frames(whole, clip.frame_time)
    moments = np.arange(n_frames, dtype=np.float64) * clip.frame_time
    frames = _frames(whole, moments, clip)
    turns = cubic_rotations(clip.rotations, frames)
    for joints, own in _parts(clip.skeleton, maps):
        turns[:, joints] = cubic_rotations(clip.rotations[:, joints], _frames(own, moments, clip))
    of_joint = _maps_of_joints(clip.skeleton, maps, whole)
    constraints = [
        part
        for held in clip.constraints
        for part in _constraint_parts(held, of_joint[held.joint], clip.frame_time)
    ]
    events = [
        e
        for event in clip.events
        for e in _event_copies(event, of_joint.get(event.joint, whole), clip.frame_time)
    ]
    last = n_frames - 1.0
    return replace(
        clip,
        root_positions=freeze(cubic_vectors(clip.root_positions, frames)),
        rotations=freeze(turns),
        translations=None if clip.translations is None else freeze(cubic_vectors(clip.translations, frames)),
        constraints=within(constraints, 0.0, last),
        events=tuple(event for event in events if 0.0 <= event.frame <= last),
        cyclic=False,
    )


def _n_frames(times: TimeMap, frame_time: float) -> int:
    frames = times.duration / frame_time + WHOLE_FRAME
    if frames >= MOST_FRAMES:
        raise ParameterError(
            f"the time keys make the clip {times.duration:g} s long, more than {MOST_FRAMES} frames"
        )
    return max(int(np.floor(frames)) + 1, 1)


def _check_moments(keys: TimeKeys, duration: float) -> None:
    for source, new in keys.pairs:
        if not -WHOLE_FRAME <= source <= duration + WHOLE_FRAME:
            raise ParameterError(
                f"a time key names {source:g} s of the source, but the clip has 0 to {duration:g} s"
            )
        if new < -WHOLE_FRAME:
            raise ParameterError(
                f"a time key puts {source:g} s of the source at {new:g} s of the result, which starts at 0 s"
            )


def _frames(times: TimeMap, moments: FloatArray, clip: Clip) -> FloatArray:
    """Source frames (N,) shown at moments (N,), within the clip; near whole ones made whole."""
    frames = times.source(moments) / clip.frame_time
    whole = np.round(frames)
    frames = np.where(np.abs(frames - whole) < WHOLE_FRAME, whole, frames)
    return np.clip(frames, 0.0, clip.n_frames - 1.0)


def _parts(skeleton: Skeleton, maps: dict[str, TimeMap]) -> list[tuple[list[int], TimeMap]]:
    """The joints of each part of the body that keeps its own time; parts within parts have theirs."""
    owner = _owners(skeleton, maps)
    return [
        ([j for j in range(skeleton.n_joints) if owner[j] == name], times)
        for name, times in maps.items()
        if name
    ]


def _owners(skeleton: Skeleton, maps: dict[str, TimeMap]) -> list[str]:
    """For each joint the joint at or above it that has time keys of its own, or ""."""
    named = {skeleton.index(name): name for name in maps if name}
    owner: list[str] = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        owner.append(named.get(joint, "" if parent < 0 else owner[parent]))
    return owner


def _maps_of_joints(skeleton: Skeleton, maps: dict[str, TimeMap], whole: TimeMap) -> dict[str, TimeMap]:
    owner = _owners(skeleton, maps)
    return {name: maps[owner[j]] if owner[j] else whole for j, name in enumerate(skeleton.names)}


def _constraint_parts(held: Constraint, times: TimeMap, frame_time: float) -> list[Constraint]:
    """The intervals of the result in which a constraint holds; several where time runs backwards."""
    first, last = held.start * frame_time, held.end * frame_time
    spans: list[list[float]] = []
    for low, high in times.pieces():
        start, end = sorted((float(times.source(low)), float(times.source(high))))
        inside = max(first, start), min(last, end)
        if inside[0] >= inside[1]:
            continue
        ends = sorted(times.within_piece(np.array(inside), low, high).tolist())
        if spans and ends[0] - spans[-1][1] < TOUCHING * frame_time:
            spans[-1][1] = ends[1]
        else:
            spans.append(ends)
    return [
        replace(held, start=start / frame_time, end=end / frame_time) for start, end in spans if start < end
    ]


def _event_copies(event: Event, times: TimeMap, frame_time: float) -> list[Event]:
    moment = event.frame * frame_time
    found: list[Event] = []
    for low, high in times.pieces():
        start, end = sorted((float(times.source(low)), float(times.source(high))))
        if start <= moment <= end:
            frame = float(times.within_piece(np.array([moment]), low, high)[0]) / frame_time
            if not found or frame - found[-1].frame > TOUCHING:
                found.append(replace(event, frame=frame))
    return found
