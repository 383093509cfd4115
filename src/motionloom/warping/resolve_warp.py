"""Fitting a warp to a clip: moments become seconds, roles joints, and axes of the body the rig's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.ground import Surface
from motionloom.annotation.soles import find_soles
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.warping.joint_roles import SIDE_WORDS, BodyFrame, find_joint
from motionloom.warping.keys import Key
from motionloom.warping.moments import find_times, parse_moment, parse_percent
from motionloom.warping.obstacles import Crossing, PlacedObstacle, foot_points, place_obstacle
from motionloom.warping.plants import ensure_plants
from motionloom.warping.time_keys import Time, TimeKeys
from motionloom.warping.warp_data import Warp


@dataclass(frozen=True, eq=False)
class ResolvedWarp:
    """A warp as it applies to one clip.

    Attributes
    ----------
    warp
        Keys in seconds, with the names and the own axes of the clip's joints.
    ground
        The ground that its obstacle makes, or None for the clip's floor.
    hurdle
        What is stepped over, as the height of its top above the floor; None for nothing.
    moments
        The moments in words that were found, with the seconds of each.
    """

    warp: Warp
    ground: Surface | None = None
    hurdle: Surface | None = None
    moments: tuple[tuple[str, tuple[float, ...]], ...] = ()


def resolve_warp(clip: Clip, warp: Warp) -> ResolvedWarp:
    """Find the moments, joints and axes of a warp in a clip.

    Parameters
    ----------
    clip
        Any clip; events and foot plants are detected where the warp needs them and the clip has none.
    warp
        Any warp. One whose keys are in seconds and in the joints' own axes stays as it is.

    Raises
    ------
    ParameterError
        When the clip does not have a moment or joint; the message names it and says what to do.

    >>> from motionloom.synthesis import walk
    >>> lift = Key("left strike 2", "left knee", rotate=(0.3, 0, 0), frame="body")
    >>> resolve_warp(walk(duration=3.0, fps=60).clip, Warp.of([lift])).warp.keys[0].joint
    'LeftLeg'
    """
    if warp.obstacle is None and not _needs_clip(clip, warp):
        return ResolvedWarp(warp)
    resolver = _Resolver(clip, warp)
    layers = tuple(
        replace(layer, keys=tuple(one for key in layer.keys for one in resolver.resolve_key(key)))
        for layer in warp.layers
    )
    times = tuple(resolver.resolve_times(keys) for keys in warp.times)
    resolved = replace(warp, layers=layers, times=times)
    placed = resolver.placed
    moments = tuple((text, tuple(found)) for text, found in resolver.moments.items())
    if placed is None:
        return ResolvedWarp(resolved, moments=moments)
    ground, hurdle = (placed.surface, None) if placed.is_ground else (None, placed.surface)
    return ResolvedWarp(resolved, ground, hurdle, moments)


def _needs_clip(clip: Clip, warp: Warp) -> bool:
    names = clip.skeleton.names
    joints = [*(key.joint for key in warp.keys), *(keys.joint for keys in warp.times)]
    return warp.is_portable or any(joint and joint not in names for joint in joints)


class _Resolver:
    """Resolves the keys of one warp for one clip, and remembers what it found."""

    def __init__(self, clip: Clip, warp: Warp) -> None:
        self.clip = clip
        self.placed: PlacedObstacle | None = None
        self.moments: dict[str, list[float]] = {}
        self._body: BodyFrame | None = None
        if warp.obstacle is not None:
            self.placed = place_obstacle(ensure_plants(clip)[0], warp.obstacle)

    @property
    def body(self) -> BodyFrame:
        if self._body is None:
            self._body = BodyFrame(self.clip)
        return self._body

    def resolve_key(self, key: Key) -> list[Key]:
        """Return a key for every moment that it means."""
        if key.joint.split(" ")[0] in SIDE_WORDS:
            key = replace(key, joint=self._replace_side(key))
        joint = key.joint_index(self.clip.skeleton)
        name = self.clip.skeleton.names[joint] if key.joint else ""
        try:
            times = self._find_times(key.time)
        except ParameterError as error:
            raise ParameterError(f"{key} cannot be applied: {error}") from None
        if isinstance(key.ease, str):
            key = replace(key, ease=max(parse_percent(key.ease) * self.clip.duration, self.clip.frame_time))
        if key.frame not in ("body", "ground"):
            return [replace(key, time=time, joint=name) for time in times]
        return [replace(self._leave_body_axes(key, joint, time), time=time, joint=name) for time in times]

    def resolve_times(self, keys: TimeKeys) -> TimeKeys:
        """Return time keys as pairs in seconds, for a joint by its name."""
        skeleton = self.clip.skeleton
        name = skeleton.names[find_joint(skeleton, keys.joint)] if keys.joint else ""
        if not keys.is_portable:
            return replace(keys, joint=name)
        try:
            pairs = self._stretch_parts(keys.stretches) if keys.stretches else self._find_pairs(keys)
        except ParameterError as error:
            raise ParameterError(f"a time key cannot be applied: {error}") from None
        return replace(keys, joint=name, pairs=pairs, stretches=())

    def _find_times(self, time: Time) -> list[float]:
        if not isinstance(time, str):
            return [time]
        if time not in self.moments:
            crossings = [crossing.time for crossing in self.placed.crossings] if self.placed else []
            self.moments[time] = find_times(self.clip, time, crossings)
        return self.moments[time]

    def _find_pairs(self, keys: TimeKeys) -> list[tuple[Time, float]]:
        pairs: list[tuple[Time, float]] = []
        for source, new in keys.pairs:
            found = self._find_times(source)
            if len(found) > 1:
                raise ParameterError(
                    f"{source!r} are {len(found)} moments, and one time is given", remedy="use a stretch"
                )
            pairs.append((found[0], new))
        return pairs

    def _stretch_parts(self, stretches: Sequence[tuple[Time, Time, float]]) -> list[tuple[Time, float]]:
        """Return pairs (source, new) by which parts of the clip take factor times as long."""
        parts: list[tuple[float, float, float]] = []
        for start, end, factor in stretches:
            parts += [(*ends, factor) for ends in self._find_parts(start, end)]
        pairs: list[tuple[Time, float]] = []
        late, last = 0.0, 0.0
        for first, stop, factor in sorted(parts):
            if first < last - 1e-9:
                raise ParameterError(
                    f"two stretches of time overlap at {first:.2f} s",
                    remedy="shorten one of them, or apply one warp after the other",
                )
            # Parts that meet share a pair.
            if not pairs or first > last + 1e-9:
                pairs.append((first, first + late))
            late += (factor - 1.0) * (stop - first)
            pairs.append((stop, stop + late))
            last = stop
        return pairs

    def _find_parts(self, start: Time, end: Time) -> list[tuple[float, float]]:
        """Return the parts from each moment to the next one of another; the last may reach the clip's end."""
        every = isinstance(start, str) and parse_moment(start).every
        ends = self._find_times(_as_every(end) if every else end)
        parts = []
        for first in self._find_times(start):
            later = [time for time in ends if time > first]
            stop = later[0] if later else self.clip.duration
            if not later and not every:
                raise ParameterError(f"a stretch ends at {end!r}, which does not come after {start!r}")
            if first < stop:
                parts.append((first, stop))
        return parts

    def _replace_side(self, key: Key) -> str:
        """Return the role that "leading ankle" or "trailing ankle" is here."""
        if self.placed is None or not self.placed.crossings:
            raise ParameterError(
                f"{key} names a side that an obstacle decides, and the warp has no hurdle or block"
            )
        word, _, part = key.joint.partition(" ")
        return f"{self.placed.crossings[SIDE_WORDS.index(word)].side} {part}"

    def _leave_body_axes(self, key: Key, joint: int, time: float) -> Key:
        """Return a key in the joint's own axes, with positions in the world."""
        heading, height = self.body.heading(time), self.body.height
        if key.kind == "move":
            return replace(key, move=rot.rotate(heading, height * key.vector), frame="joint")
        if key.kind == "reach":
            return replace(key, reach=self._find_target(key, joint, time), frame="joint")
        axes = self.body.root_axes(time) if joint == 0 else self.body.axes(joint)
        if key.kind == "rotate":
            return replace(key, rotate=axes @ key.vector, frame="joint")
        if key.channel == "position scale":
            zero = self.clip.root_positions[0] + rot.rotate(heading, height * np.asarray(key.zero))
            return replace(key, zero=zero, frame="joint")
        frame = rot.from_matrix(_nearest_rotation(axes)) if np.ndim(key.vector) else "joint"
        return replace(key, zero=self._find_zero(key, joint), frame=frame)

    def _find_zero(self, key: Key, joint: int) -> FloatArray | None:
        if key.zero is None:
            return None
        if np.ndim(key.zero):
            return self.body.limb_rotation(joint, np.asarray(key.zero))
        return self.body.bend_rotation(joint, float(np.asarray(key.zero)))

    def _find_target(self, key: Key, joint: int, time: float) -> FloatArray:
        """Return the position (3,) in the world of a reach relative to the clip."""
        clip = self.clip
        frames = np.clip([time / clip.frame_time], 0.0, clip.n_frames - 1.0)
        pose = clip.at(frames, "catmull_rom")
        here = np.array(pose.world_positions()[0, joint])
        if key.point is not None:
            here += rot.rotate(pose.world_rotations()[0, joint], np.asarray(key.point))
        offset = rot.rotate(self.body.heading(time), self.body.height * key.vector)
        if key.frame == "body":
            return np.asarray(here + offset)
        target = here + offset * [1.0, 0.0, 1.0]
        crossing = self._find_crossing(key)
        if crossing is not None and self.placed is not None:
            target[1] = self.placed.top + offset[1] + crossing.drop
        else:
            target[1] = self._find_floor(target) + offset[1] + self._find_drop(joint, time)
        return np.asarray(target)

    def _find_crossing(self, key: Key) -> Crossing | None:
        """Return the crossing that a key is at, or None."""
        if self.placed is None or not isinstance(key.time, str):
            return None
        moment = parse_moment(key.time)
        at_crossing = moment.kind == "crossing" and not moment.shift
        return self.placed.crossings[moment.number - 1] if at_crossing else None

    def _find_floor(self, position: FloatArray) -> float:
        """Return the height of the ground, or of the obstacle, at a position (3,), metres."""
        if self.placed is not None:
            return float(np.asarray(self.placed.surface(position[0], position[2])))
        legs = find_anatomy(self.clip.skeleton).legs
        return float(position[1] - find_soles(self.clip, legs)[0].heights_above(position))

    def _find_drop(self, joint: int, time: float) -> float:
        """Return the metres from an ankle down to the lowest point of its foot; 0 for other joints."""
        for leg in find_anatomy(self.clip.skeleton).legs:
            if joint == leg.ankle:
                frame = self.body.frame(time)
                lowest = foot_points(self.clip, leg)[frame, :, 1].min()
                return float(self.clip.world_positions()[frame, joint, 1] - lowest)
        return 0.0


def _as_every(time: Time) -> Time:
    """Return "every left lift" for "left lift"; moments that are only one stay as they are."""
    if not isinstance(time, str):
        return time
    try:
        parse_moment(f"every {time}")
    except ParameterError:
        return time
    return time if parse_moment(time).every else f"every {time}"


def _nearest_rotation(axes: FloatArray) -> FloatArray:
    """Return the rotation matrix (3, 3) nearest to axes (3, 3) that are not quite at right angles."""
    left, _, right = np.linalg.svd(axes)
    return np.asarray(left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right)
