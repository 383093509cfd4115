"""Making a warp fit other clips: times become events, joints roles, and their own axes those of the body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.annotation.labels import APEX, LIFT, MID_SWING, STRIKE
from motionloom.annotation.strides import gait_phase, is_locomotion
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.messages import Argument
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, check_clip
from motionloom.warping.joint_roles import SIDE_WORDS, BodyFrame, find_roles
from motionloom.warping.keys import Key
from motionloom.warping.moments import find_events, parse_moment
from motionloom.warping.obstacles import PlacedObstacle, place_obstacle
from motionloom.warping.plants import ensure_plants
from motionloom.warping.resolve_warp import resolve_warp
from motionloom.warping.solve_warp import solve_warp
from motionloom.warping.time_keys import Time, TimeKeys
from motionloom.warping.warp_data import Layer, Warp

EVENTS = (STRIKE, LIFT, MID_SWING, APEX)
"""Labels of the events that keys are named after, in order of preference."""

NEAR_EVENT = 0.025
"""Seconds between a key and an event below which the key is at the event: animators key frames, not times."""

SAME_RATE = 1e-9
"""Factors on time this near to 1 change nothing."""

MAX_TWIST = 0.1
"""Radians by which a zero may differ from the bend or the direction that it is written as: about 6°."""

PHASE_DIGITS, PERCENT_DIGITS = 4, 3
"""Decimals of phases and percentages: a tenth of a millisecond of a cycle, and of a minute."""


def generalize_warp(clip: ClipLike, warp: Warp) -> Warp:
    """Return a warp that was made for a clip as one that fits other walks and other rigs.

    A key near an event is put at that event, others at the phase of the gait or, without one, at a fraction
    of the clip. Joints get their roles, and rotations, moves and reaches are put in axes of the body, lengths
    in body heights; a reach becomes the offset from where the joint is. Complete rotations become offsets.
    Time keys become stretches between their moments.

    Parameters
    ----------
    clip
        The clip that the warp was made for.
    warp
        Any warp; keys that fit other clips already stay as they are.

    Returns
    -------
    Warp
        The same edit in general terms. Applied to the clip itself it does the same, but for keys that move
        onto their event.

    Raises
    ------
    ParameterError
        When a key names a joint without a role, or a zero that only this rig has.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0, fps=60).clip
    >>> generalize_warp(clip, Warp.of([Key(1.05, "LeftLeg", rotate=(0.3, 0, 0))])).keys[0].time
    'left strike'
    """
    clip = check_clip("generalize_warp", clip).body
    if not clip.events:
        clip = annotate(clip)
    namer = _Namer(clip, warp)
    layers = tuple(_generalize_layer(namer, warp, n) for n in range(len(warp.layers)))
    times = tuple(namer.generalize_times(keys) for keys in warp.times)
    return replace(warp, layers=layers, times=times)


def _generalize_layer(namer: _Namer, warp: Warp, n: int) -> Layer:
    layer = warp.layers[n]
    posed = [key for key in layer.keys if key.kind == "orient" or key.solve == "scale"]
    if posed:
        # Complete rotations are of this rig: what they change is not.
        plain = tuple(key for key in layer.keys if key.kind != "reach" or key.solve == "scale")
        before = replace(warp, layers=(*warp.layers[:n], replace(layer, keys=plain)), times=())
        solved = solve_warp(namer.clip, resolve_warp(namer.clip, before).warp).layers[n]
        names = {(key.joint, key.time) for key in posed}
        kept = [key for key in layer.keys if key not in posed]
        layer = replace(layer, keys=(*kept, *(key for key in solved.keys if (key.joint, key.time) in names)))
    lanes: dict[tuple[str, str], int] = {}
    for key in layer.keys:
        lanes[key.joint, key.channel] = lanes.get((key.joint, key.channel), 0) + 1
    keys = []
    for key in layer.keys:
        is_alone = lanes[key.joint, key.channel] == 1 and key.ease is None
        keys.append(namer.generalize_key(key, is_held=is_alone))
    return replace(layer, keys=tuple(namer.join_repeated(keys)))


def _name_of(time: Time) -> str:
    """Return the name of an event without its number; "" for other moments."""
    if not isinstance(time, str):
        return ""
    moment = parse_moment(time)
    is_plain = moment.kind == "event" and not moment.every and not moment.shift
    return f"{moment.owner} {moment.label}".strip() if is_plain else ""


def _is_alike(one: Key, two: Key) -> bool:
    same = (one.joint, one.channel, one.ease, one.frame) == (two.joint, two.channel, two.ease, two.frame)
    return same and one.kind == two.kind and bool(np.allclose(one.vector, two.vector, rtol=0.0, atol=1e-9))


def _angle(one: FloatArray, two: FloatArray) -> float:
    return float(np.linalg.norm(rot.to_rotation_vector(rot.multiply(rot.inverse(one), two))))


class _Namer:
    """Names the moments, joints and axes of one clip."""

    def __init__(self, clip: Clip, warp: Warp) -> None:
        self.clip = clip
        self.placed: PlacedObstacle | None = None
        if warp.obstacle is not None:
            self.placed = place_obstacle(ensure_plants(clip)[0], warp.obstacle)
        self.body = BodyFrame(clip)
        self.phase = gait_phase(clip) if is_locomotion(clip) else None
        self.roles = {joint: role for role, joint in reversed(find_roles(clip.skeleton).items())}

    def generalize_key(self, key: Key, is_held: bool) -> Key:
        """Return a key in general terms; one that is held over the whole clip is at its start."""
        time: Time = "start" if is_held else self.name_time(key.time)
        if key.frame != "joint":
            return replace(key, time=time)
        joint = key.joint_index(self.clip.skeleton)
        role = self.name_joint(joint) if key.joint and joint else ""
        seconds = 0.0 if isinstance(key.time, str) else key.time
        if key.kind == "reach" and self.placed is not None and str(time).startswith("crossing"):
            crossing = self.placed.crossings[int(str(time).split(" ")[1]) - 1]
            if role == f"{crossing.side} ankle":
                return self._above_obstacle(key, joint, seconds, str(time))
        return replace(self._in_body_axes(key, joint, seconds), time=time, joint=role)

    def join_repeated(self, keys: Sequence[Key]) -> list[Key]:
        """Replace equal keys at all events of a name by one at every such event."""
        joined: list[Key] = []
        for key in keys:
            name = _name_of(key.time)
            alike = [k for k in keys if _name_of(k.time) == name and _is_alike(k, key)]
            if not name or len(alike) < 2 or len(alike) < self._count(name):
                joined.append(key)
            elif alike[0] is key:
                joined.append(replace(key, time=f"every {name}"))
        return joined

    def generalize_times(self, keys: TimeKeys) -> TimeKeys:
        """Return time keys as stretches between named moments, for a part of the body by its role."""
        role = self.name_joint(self.clip.skeleton.index(keys.joint)) if keys.joint else ""
        if keys.is_portable:
            return replace(keys, joint=role)
        pairs = list(keys.seconds)
        if pairs[0][0] > 0.0:
            pairs.insert(0, (0.0, 0.0))
        parts = []
        for (old, new), (next_old, next_new) in pairwise(pairs):
            if next_old <= old or next_new <= new:
                raise ParameterError(
                    "time keys that stop or turn back time fit only their own clip", remedy="leave them out"
                )
            factor = (next_new - new) / (next_old - old)
            if abs(factor - 1.0) > SAME_RATE:
                parts.append((self.name_time(old), self.name_time(next_old), factor))
        names = {(_name_of(start), _name_of(end)) for start, end, _ in parts if end != "end"}
        factors = [factor for _, _, factor in parts]
        if len(parts) > 1 and len(names) == 1 and max(factors) - min(factors) < SAME_RATE:
            start, end = names.pop()
            if start and end and len(parts) >= self._count(start):
                parts = [(f"every {start}", end, factors[0])]
        return replace(keys, joint=role, pairs=(), stretches=parts)

    def _count(self, name: str) -> int:
        """Return how many events of a name the clip has."""
        moment = parse_moment(name)
        return len(find_events(self.clip, moment.label, moment.owner))

    def _above_obstacle(self, key: Key, joint: int, time: float, name: str) -> Key:
        """Return a reach over the obstacle as the height of the foot above it."""
        assert self.placed is not None
        number = int(name.split(" ")[1]) - 1
        offset = rot.rotate(
            rot.inverse(self.body.heading(time)), key.vector - self._find_position(key, joint, time)
        )
        offset[1] = key.vector[1] - self.placed.top - self.placed.crossings[number].drop
        role = f"{SIDE_WORDS[number]} ankle"
        reach = offset / self.body.height
        return replace(key, time=name, joint=role, reach=reach, orient=None, frame="ground")

    def name_joint(self, joint: int) -> str:
        """Return the role of a joint."""
        if joint not in self.roles:
            raise ParameterError(
                f"joint {self.clip.skeleton.names[joint]!r} has no role that other rigs have",
                remedy=f"key one of {', '.join(self.clip.skeleton.names[j] for j in sorted(self.roles))}",
            )
        return self.roles[joint]

    def name_time(self, time: Time) -> str:
        """Return a time in words: an event, a phase, or a fraction of the clip."""
        if isinstance(time, str):
            return time
        if time <= 0.0 or time >= self.clip.duration:
            return "start" if time <= 0.0 else "end"
        for number, crossing in enumerate(self.placed.crossings if self.placed else (), 1):
            if abs(crossing.time - time) <= NEAR_EVENT:
                return f"crossing {number}"
        for label in EVENTS:
            found = [
                (abs(at - time), f"{side} {label}", number)
                for side in ("left", "right")
                for number, at in enumerate(find_events(self.clip, label, side), 1)
            ]
            distance, name, number = min(found, default=(np.inf, "", 0))
            if distance <= NEAR_EVENT:
                return name if number == 1 else f"{name} {number}"
        if self.phase is not None:
            phase = (
                float(np.interp(time / self.clip.frame_time, np.arange(len(self.phase)), self.phase)) + 1.0
            )
            return f"phase {round(phase % 1.0, PHASE_DIGITS):g} of cycle {int(phase // 1.0)}"
        return f"{round(100.0 * time / self.clip.duration, PERCENT_DIGITS):g} %"

    def _in_body_axes(self, key: Key, joint: int, time: float) -> Key:
        heading = rot.inverse(self.body.heading(time))
        if key.kind == "move":
            return replace(key, move=rot.rotate(heading, key.vector) / self.body.height, frame="body")
        if key.kind == "reach":
            offset = rot.rotate(heading, key.vector - self._find_position(key, joint, time))
            return replace(key, reach=offset / self.body.height, orient=None, frame="body")
        axes = self.body.root_axes(time) if joint == 0 else self.body.axes(joint)
        if key.kind == "rotate":
            return replace(key, rotate=np.linalg.solve(axes, key.vector), frame="body")
        if key.channel == "position scale":
            start = rot.rotate(heading, np.asarray(key.zero) - self.clip.root_positions[0])
            return replace(key, zero=start / self.body.height, frame="body")
        zero = None if key.zero is None else self._find_zero(joint, np.asarray(key.zero))
        if np.ndim(key.vector) or (key.zero is not None and zero is None):
            raise ParameterError(
                f"{key} scales about a rotation or axes of this rig",
                remedy=(
                    "leave out its zero for the mean and give one factor, or give both in ",
                    Argument("frame", "body"),
                ),
            )
        return replace(key, zero=zero, frame="body")

    def _find_zero(self, joint: int, zero: FloatArray) -> float | FloatArray | None:
        """Return the zero (4,) of a scale as a bend or as the direction of a limb; None for other ones."""
        anatomy = self.body.anatomy
        limbs = [leg.chain for leg in anatomy.legs] + [arm.chain for arm in anatomy.arms]
        for upper, hinged, _ in limbs:
            if joint == hinged:
                straight = self.body.bend_rotation(joint, 0.0)
                hinge = rot.rotate(self.clip.skeleton.rest_rotations[joint], self.body.axes(joint)[:, 0])
                bend = float(rot.to_rotation_vector(rot.multiply(zero, rot.inverse(straight))) @ hinge)
                return bend if _angle(self.body.bend_rotation(joint, bend), zero) < MAX_TWIST else None
            if joint == upper:
                direction = self.body.limb_direction(joint, zero)
                return (
                    direction if _angle(self.body.limb_rotation(joint, direction), zero) < MAX_TWIST else None
                )
        return None

    def _find_position(self, key: Key, joint: int, time: float) -> FloatArray:
        """Return where the point of a reach is in the clip (3,), metres."""
        frames = np.clip([time / self.clip.frame_time], 0.0, self.clip.n_frames - 1.0)
        pose = self.clip.at(frames, "catmull_rom")
        point = np.zeros(3) if key.point is None else np.asarray(key.point)
        return np.asarray(
            pose.world_positions()[0, joint] + rot.rotate(pose.world_rotations()[0, joint], point)
        )
