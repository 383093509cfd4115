"""Solving a warp for a clip: orientations and reaches become rotations of joints and moves of the root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.chain_ik import Goal, find_chain, solve_chains
from motionloom.motion import Clip, Pose
from motionloom.warping.curves import WarpCurves, apply_curves, apply_curves_at, fit_curves, mean_rotation
from motionloom.warping.keys import SAME_MOMENT, Key
from motionloom.warping.solve_scale import solve_scales
from motionloom.warping.warp_data import Layer, Warp

MAX_ROUNDS = 12
"""Rounds in which reaches at different moments are made to hold together; two are usual."""

REACH_TOLERANCE = 1e-7
"""Metres within which all reaches hold."""

MIN_PROGRESS = 1e-3
"""Fraction of its distance by which a joint must come nearer in a round for another round to be worth it."""

TIME_SLACK = 1e-6
"""Seconds by which a key may lie beyond the clip's ends: rounding."""


@dataclass(frozen=True, eq=False)
class _Reach:
    """A key that says where a joint shall be, and the goal that follows from it."""

    key: Key
    goal: Goal


def solve_warp(clip: Clip, warp: Warp) -> Warp:
    """Replace keys that depend on the clip by offsets; the clip is warped the same.

    ``orient`` and ``reach`` become ``rotate`` and ``move`` or, with ``solve="scale"``, ``scale``, and a scale
    about the mean gets that mean as its zero. Reaches of one moment are solved together, those of different
    moments in rounds until all hold.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0).clip
    >>> reach = Key(0.5, "LeftHand", reach=clip.world_positions()[30, 9] + [0, 0.2, 0.2])
    >>> sorted({key.kind for key in solve_warp(clip, Warp.of([reach])).keys})
    ['rotate']
    """
    before: list[WarpCurves] = []
    layers: list[Layer] = []
    for layer in warp.layers:
        for key in layer.keys:
            key.joint_index(clip.skeleton)
            if not -TIME_SLACK <= key.seconds <= clip.duration + TIME_SLACK:
                raise ParameterError(f"{key} lies outside the clip, which runs from 0 to {clip.duration:g} s")
        solved = _solve_layer(clip, before, layer)
        layers.append(solved)
        before.append(fit_curves(solved, clip.skeleton))
    return replace(warp, layers=tuple(layers))


def _solve_layer(clip: Clip, before: Sequence[WarpCurves], layer: Layer) -> Layer:
    """Solve one layer; ``before`` are the curves of the layers below it."""
    root = clip.skeleton.names[0]
    layer = replace(layer, keys=tuple(replace(k, joint="") if k.joint == root else k for k in layer.keys))
    keys = [_add_zero(clip, before, key) for key in layer.keys]
    posed = [key for key in keys if key.solve == "scale"]
    keys = [key for key in keys if key.solve != "scale"]
    reaches = [key for key in keys if key.kind == "reach"]
    keys = [key for key in keys if key.kind != "reach"]
    keys = solve_scales(clip, before, replace(layer, keys=tuple(keys)), posed)
    of_root = [key for key in reaches if key.joint_index(clip.skeleton) == 0]
    keys += [replace(key, reach=None, point=None) for key in of_root if key.orient is not None]
    keys = _solve_orientations(clip, before, replace(layer, keys=tuple(keys)))
    keys += _solve_root_reaches(clip, before, replace(layer, keys=tuple(keys)), of_root)
    others = [key for key in reaches if key.joint_index(clip.skeleton) != 0]
    return _solve_reaches(clip, before, replace(layer, keys=tuple(keys)), others)


def _add_zero(clip: Clip, before: Sequence[WarpCurves], key: Key) -> Key:
    """Give a scale key without a zero the mean rotation of its joint."""
    if key.channel != "rotation scale" or key.zero is not None:
        return key
    return replace(key, zero=mean_rotation(apply_curves(clip, before)[1][:, key.joint_index(clip.skeleton)]))


def _solve_orientations(clip: Clip, before: Sequence[WarpCurves], layer: Layer) -> list[Key]:
    """Return the layer's keys with complete rotations as offsets from those the joints have there."""
    plain = [key for key in layer.keys if key.kind != "orient"]
    orients = [key for key in layer.keys if key.kind == "orient"]
    if not orients:
        return plain
    scales = replace(layer, keys=tuple(key for key in plain if key.kind == "scale"))
    curves = fit_curves(scales, clip.skeleton)
    poses = apply_curves_at(clip, [*before, curves], _key_times(orients, clip))
    for n, key in enumerate(orients):
        here = poses.rotations[n, key.joint_index(clip.skeleton)]
        offset = rot.to_rotation_vector(rot.multiply(rot.inverse(here), np.asarray(key.orient)))
        plain.append(replace(key, orient=None, rotate=offset))
    return plain


def _solve_root_reaches(
    clip: Clip, before: Sequence[WarpCurves], layer: Layer, reaches: Sequence[Key]
) -> list[Key]:
    """Return moves that bring the root to its positions."""
    if not reaches:
        return []
    still = replace(layer, keys=tuple(key for key in layer.keys if key.channel != "position"))
    curves = fit_curves(still, clip.skeleton)
    poses = apply_curves_at(clip, [*before, curves], _key_times(reaches, clip))
    moves = []
    for n, key in enumerate(reaches):
        here = poses.root_positions[n] + rot.rotate(poses.rotations[n, 0], _point_of(key))
        moves.append(Key(key.seconds, key.joint, move=key.vector - here, ease=key.ease))
    return moves


def _solve_reaches(clip: Clip, before: Sequence[WarpCurves], layer: Layer, reaches: Sequence[Key]) -> Layer:
    """Add rotation keys along the chains, so that joints are where their reach keys want them."""
    if not reaches:
        return layer
    given = {(k.joint_index(clip.skeleton), k.seconds) for k in layer.keys if k.channel == "rotation"}
    added: dict[tuple[int, float], Key] = {}
    groups = _group_by_moment(_find_goals(clip, before, layer, reaches))
    for _ in range(MAX_ROUNDS):
        progress = 0.0
        for time, group in groups:
            fixed = frozenset(joint for joint, at in given if abs(at - time) < SAME_MOMENT)
            curves = fit_curves(replace(layer, keys=(*layer.keys, *added.values())), clip.skeleton)
            pose = _pose_at(clip, [*before, curves], time)
            distance = _max_distance(pose, group)
            rotations, left = solve_chains(pose, [reach.goal for reach in group], fixed)
            # A goal that is out of reach must not cost all rounds.
            progress = max(progress, distance - float(left.max()) - MIN_PROGRESS * distance)
            for joint, vector in rotations.items():
                added[joint, time] = _rotation_key(clip, curves, joint, vector, group[0].key)
        if progress < REACH_TOLERANCE:
            break
    return replace(layer, keys=(*layer.keys, *added.values()))


def _find_goals(
    clip: Clip, before: Sequence[WarpCurves], layer: Layer, reaches: Sequence[Key]
) -> list[_Reach]:
    found = []
    for key in reaches:
        chain = find_chain(clip, key.joint_index(clip.skeleton))
        if not chain.joints:
            raise ParameterError(
                f"{key} is a reach, but only the root is above it", remedy="key the root instead"
            )
        rotation = None if key.orient is None else np.asarray(key.orient)
        if rotation is None and chain.keeps_world:
            pose = _pose_at(clip, [*before, fit_curves(layer, clip.skeleton)], key.seconds)
            rotation = pose.world_rotations()[chain.end]
        found.append(_Reach(key, Goal(chain, _point_of(key), key.vector, rotation)))
    return found


def _group_by_moment(reaches: Sequence[_Reach]) -> list[tuple[float, list[_Reach]]]:
    groups: list[tuple[float, list[_Reach]]] = []
    for reach in sorted(reaches, key=lambda reach: reach.key.seconds):
        if groups and reach.key.seconds - groups[-1][0] < SAME_MOMENT:
            groups[-1][1].append(reach)
        else:
            groups.append((reach.key.seconds, [reach]))
    return groups


def _rotation_key(clip: Clip, curves: WarpCurves, joint: int, vector: FloatArray, like: Key) -> Key:
    """Return a rotation key: what the joint already has there, followed by a rotation vector (3,)."""
    curve = curves.rotations.get(joint)
    now = np.zeros(3) if curve is None else curve(like.seconds)
    total = rot.multiply(rot.from_rotation_vector(now), rot.from_rotation_vector(vector))
    return Key(like.time, clip.skeleton.names[joint], rotate=rot.to_rotation_vector(total), ease=like.ease)


def _max_distance(pose: Pose, group: Sequence[_Reach]) -> float:
    """Return the largest distance of a joint from its target, metres."""
    positions, rotations = pose.world_positions(), pose.world_rotations()
    ends = [reach.goal.chain.end for reach in group]
    points = positions[ends] + rot.rotate(rotations[ends], np.array([reach.goal.point for reach in group]))
    return float(np.linalg.norm(points - [reach.goal.target for reach in group], axis=-1).max())


def _pose_at(clip: Clip, layers: Sequence[WarpCurves], time: float) -> Pose:
    poses = apply_curves_at(clip, layers, np.clip([time], 0.0, clip.duration))
    bones = poses.translations
    return Pose(
        clip.skeleton, poses.root_positions[0], poses.rotations[0], None if bones is None else bones[0]
    )


def _point_of(key: Key) -> FloatArray:
    return np.zeros(3) if key.point is None else np.asarray(key.point)


def _key_times(keys: Sequence[Key], clip: Clip) -> FloatArray:
    return np.clip([key.seconds for key in keys], 0.0, clip.duration)
