"""Keys that depend on the clip, turned into offsets: orientations, places of the root, reaches of joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Pose
from motionloom.warping.chain_ik import Goal, chain_to, smallest_turns
from motionloom.warping.curves import Step, curves_of, joint_of, mean_rotation, warped, warped_at
from motionloom.warping.keys import SAME_MOMENT, Key
from motionloom.warping.warp_data import Layer, Warp

MOST_ROUNDS = 12
"""Rounds in which reaches at different moments are brought to hold together; two are usual."""

TOGETHER = 1e-7
"""Metres within which all reaches hold."""

NEAR_ENOUGH = 1e-3
"""Share of its distance by which a joint comes nearer at least in a round that is worth another one."""

NEAR_END = 1e-6
"""Seconds by which a key may lie beyond the clip's ends: rounding."""


@dataclass(frozen=True, eq=False)
class _Reach:
    """A key that says where a joint shall be, and what to do for it."""

    key: Key
    goal: Goal


def solved_warp(clip: Clip, warp: Warp) -> Warp:
    """The warp with keys that depend on the clip replaced by offsets; the same clip is warped alike.

    ``orient`` and ``reach`` become ``rotate`` and ``move``, a scale about the mean gets that mean for its
    zero. Reaches of one moment are solved together, those of different moments in rounds until all hold.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0).clip
    >>> reach = Key(0.5, "LeftHand", reach=clip.world_positions()[30, 9] + [0, 0.2, 0.2])
    >>> sorted({key.kind for key in solved_warp(clip, Warp.of([reach])).keys})
    ['rotate']
    """
    steps: list[Step] = []
    layers: list[Layer] = []
    for layer in warp.layers:
        _check_times(layer.keys, clip)
        made = _solved_layer(clip, steps, layer)
        layers.append(made)
        steps.append(step_of(made, clip))
    return Warp(tuple(layers), warp.times)


def step_of(layer: Layer, clip: Clip) -> Step:
    """The curves of a solved layer."""
    return Step(curves_of(layer.keys, clip.skeleton, layer.tension), layer.follow, layer.undone)


def _check_times(keys: Sequence[Key], clip: Clip) -> None:
    for key in keys:
        joint_of(key, clip.skeleton)
        if not -NEAR_END <= key.time <= clip.duration + NEAR_END:
            raise ParameterError(f"{key} lies outside the clip, which has 0 to {clip.duration:g} s")


def _solved_layer(clip: Clip, steps: Sequence[Step], layer: Layer) -> Layer:
    root = clip.skeleton.names[0]
    layer = replace(layer, keys=tuple(replace(k, joint="") if k.joint == root else k for k in layer.keys))
    keys = [_with_zero(clip, steps, key) for key in layer.keys]
    wishes = [key for key in keys if key.kind == "reach"]
    keys = [key for key in keys if key.kind != "reach"]
    of_root = [key for key in wishes if joint_of(key, clip.skeleton) == 0]
    keys += [replace(key, reach=None, point=None) for key in of_root if key.orient is not None]
    keys = _oriented(clip, steps, replace(layer, keys=tuple(keys)))
    keys += _root_moves(clip, steps, replace(layer, keys=tuple(keys)), of_root)
    wishes = [key for key in wishes if joint_of(key, clip.skeleton) != 0]
    return _reached(clip, steps, replace(layer, keys=tuple(keys)), wishes)


def _with_zero(clip: Clip, steps: Sequence[Step], key: Key) -> Key:
    """A scale key without a zero gets the mean rotation of its joint."""
    if key.kind != "scale" or key.zero is not None:
        return key
    return replace(key, zero=mean_rotation(warped(clip, steps)[1][:, joint_of(key, clip.skeleton)]))


def _oriented(clip: Clip, steps: Sequence[Step], layer: Layer) -> list[Key]:
    """The layer's keys with complete rotations as offsets from what the joints have there."""
    plain = [key for key in layer.keys if key.kind != "orient"]
    wishes = [key for key in layer.keys if key.kind == "orient"]
    if not wishes:
        return plain
    scales = replace(layer, keys=tuple(key for key in plain if key.kind == "scale"))
    poses = warped_at(clip, [*steps, step_of(scales, clip)], _times(wishes, clip))
    for n, key in enumerate(wishes):
        here = poses.rotations[n, joint_of(key, clip.skeleton)]
        turn = rot.to_rotation_vector(rot.multiply(rot.inverse(here), np.asarray(key.orient)))
        plain.append(replace(key, orient=None, rotate=turn))
    return plain


def _root_moves(clip: Clip, steps: Sequence[Step], layer: Layer, wishes: Sequence[Key]) -> list[Key]:
    """Moves that bring the root to its places."""
    if not wishes:
        return []
    still = replace(layer, keys=tuple(key for key in layer.keys if key.channel != "way"))
    poses = warped_at(clip, [*steps, step_of(still, clip)], _times(wishes, clip))
    moves = []
    for n, key in enumerate(wishes):
        point = np.zeros(3) if key.point is None else np.asarray(key.point)
        here = poses.root_positions[n] + rot.rotate(poses.rotations[n, 0], point)
        moves.append(Key(key.time, key.joint, move=key.vector - here, ease=key.ease))
    return moves


def _reached(clip: Clip, steps: Sequence[Step], layer: Layer, wishes: Sequence[Key]) -> Layer:
    """The layer with rotation keys along the chains so that joints are where their keys want them."""
    if not wishes:
        return layer
    given = {(joint_of(k, clip.skeleton), k.time) for k in layer.keys if k.channel == "turn"}
    added: dict[tuple[int, float], Key] = {}
    groups = _by_moment(_goals(clip, steps, layer, wishes))
    for _ in range(MOST_ROUNDS):
        left = 0.0
        for time, group in groups:
            fixed = frozenset(joint for joint, at in given if abs(at - time) < SAME_MOMENT)
            step = step_of(_with(layer, added), clip)
            pose = _one(clip, [*steps, step], time)
            before = _distance(pose, group)
            turns, after = smallest_turns(pose, [reach.goal for reach in group], fixed)
            # What is out of reach is not approached for ever.
            left = max(left, before - float(after.max()) - NEAR_ENOUGH * before)
            for joint, turn in turns.items():
                added[joint, time] = _turn_key(clip, step, joint, turn, group[0].key)
        if left < TOGETHER:
            break
    return _with(layer, added)


def _goals(clip: Clip, steps: Sequence[Step], layer: Layer, wishes: Sequence[Key]) -> list[_Reach]:
    found = []
    for key in wishes:
        chain = chain_to(clip, joint_of(key, clip.skeleton))
        if not chain.joints:
            raise ParameterError(f"{key} is a reach, but no joint but the root could turn for it")
        rotation = None if key.orient is None else np.asarray(key.orient)
        if rotation is None and chain.keeps_world:
            rotation = _one(clip, [*steps, step_of(layer, clip)], key.time).world_rotations()[chain.end]
        point = np.zeros(3) if key.point is None else np.asarray(key.point)
        found.append(_Reach(key, Goal(chain, point, key.vector, rotation)))
    return found


def _by_moment(reaches: Sequence[_Reach]) -> list[tuple[float, list[_Reach]]]:
    groups: list[tuple[float, list[_Reach]]] = []
    for reach in sorted(reaches, key=lambda reach: reach.key.time):
        if groups and reach.key.time - groups[-1][0] < SAME_MOMENT:
            groups[-1][1].append(reach)
        else:
            groups.append((reach.key.time, [reach]))
    return groups


def _turn_key(clip: Clip, step: Step, joint: int, turn: FloatArray, like: Key) -> Key:
    """A rotation key: what the joint already has there, and the turn after it."""
    curve = step.curves.turns.get(joint)
    now = np.zeros(3) if curve is None else curve(like.time)
    total = rot.multiply(rot.from_rotation_vector(now), rot.from_rotation_vector(turn))
    return Key(like.time, clip.skeleton.names[joint], rotate=rot.to_rotation_vector(total), ease=like.ease)


def _with(layer: Layer, added: dict[tuple[int, float], Key]) -> Layer:
    return replace(layer, keys=(*layer.keys, *added.values()))


def _distance(pose: Pose, group: Sequence[_Reach]) -> float:
    """The farthest that a joint is from its place, metres."""
    places, worlds = pose.world_positions(), pose.world_rotations()
    ends = [reach.goal.chain.end for reach in group]
    points = places[ends] + rot.rotate(worlds[ends], np.array([reach.goal.point for reach in group]))
    return float(np.linalg.norm(points - [reach.goal.place for reach in group], axis=-1).max())


def _one(clip: Clip, steps: Sequence[Step], time: float) -> Pose:
    poses = warped_at(clip, steps, np.clip([time], 0.0, clip.duration))
    moved = poses.translations
    return Pose(
        clip.skeleton, poses.root_positions[0], poses.rotations[0], None if moved is None else moved[0]
    )


def _times(keys: Sequence[Key], clip: Clip) -> FloatArray:
    return np.clip([key.time for key in keys], 0.0, clip.duration)
