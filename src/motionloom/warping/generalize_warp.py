"""Making a warp fit other clips: times become events, joints roles, and their own axes those of the body."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.annotation.labels import APEX, LIFT, MID_SWING, STRIKE
from motionloom.annotation.strides import gait_phase, is_locomotion
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.warping.joint_roles import BodyFrame, find_roles
from motionloom.warping.keys import Key
from motionloom.warping.moments import find_events
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

PHASE_DIGITS, PERCENT_DIGITS = 4, 3
"""Decimals of phases and percentages: a tenth of a millisecond of a cycle, and of a minute."""


def generalize_warp(clip: Clip, warp: Warp) -> Warp:
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
    check_clip("generalize_warp", clip)
    clip = clip.body
    if not clip.events:
        clip = annotate(clip)
    namer = _Namer(clip)
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
    return replace(layer, keys=tuple(keys))


class _Namer:
    """Names the moments, joints and axes of one clip."""

    def __init__(self, clip: Clip) -> None:
        self.clip = clip
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
        return replace(self._in_body_axes(key, joint, seconds), time=time, joint=role)

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
                    "time keys that stop or turn back time fit only their own clip: leave them out"
                )
            factor = (next_new - new) / (next_old - old)
            if abs(factor - 1.0) > SAME_RATE:
                parts.append((self.name_time(old), self.name_time(next_old), factor))
        return replace(keys, joint=role, pairs=(), stretches=parts)

    def name_joint(self, joint: int) -> str:
        """Return the role of a joint."""
        if joint not in self.roles:
            raise ParameterError(
                f"joint {self.clip.skeleton.names[joint]!r} has no role that other rigs have: key one of "
                f"{', '.join(self.clip.skeleton.names[j] for j in sorted(self.roles))}"
            )
        return self.roles[joint]

    def name_time(self, time: Time) -> str:
        """Return a time in words: an event, a phase, or a fraction of the clip."""
        if isinstance(time, str):
            return time
        if time <= 0.0 or time >= self.clip.duration:
            return "start" if time <= 0.0 else "end"
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
            zero = rot.rotate(heading, np.asarray(key.zero) - self.clip.root_positions[0])
            return replace(key, zero=zero / self.body.height, frame="body")
        if key.zero is not None or np.ndim(key.vector):
            raise ParameterError(
                f"{key} scales about a rotation or axes of this rig: leave out its zero for the mean and "
                "give one factor, or give both in frame='body'"
            )
        return replace(key, frame="body")

    def _find_position(self, key: Key, joint: int, time: float) -> FloatArray:
        """Return where the point of a reach is in the clip (3,), metres."""
        frames = np.clip([time / self.clip.frame_time], 0.0, self.clip.n_frames - 1.0)
        pose = self.clip.at(frames, "catmull_rom")
        point = np.zeros(3) if key.point is None else np.asarray(key.point)
        return np.asarray(
            pose.world_positions()[0, joint] + rot.rotate(pose.world_rotations()[0, joint], point)
        )
