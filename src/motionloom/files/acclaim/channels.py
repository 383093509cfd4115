"""Turning the joints of a clip into the values that an AMC file lists for its bones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.files.acclaim.skeleton import turn_order
from motionloom.geometry import rotations
from motionloom.motion import Clip

TURN_TOLERANCE = 1e-7
"""Radians; a joint that turns less about an axis does not need it. Quaternions are exact to about 1e-8."""

MOVE_TOLERANCE = 1e-9
"""Share of the skeleton's size; a joint that moves less against its parent is at rest."""

_ALL_TURNS = ("RX", "RY", "RZ")
_ALL_MOVES = ("TX", "TY", "TZ")


@dataclass(frozen=True, eq=False)
class JointChannels:
    """What is written for one joint.

    Attributes
    ----------
    freedoms
        Channel names in file order; the first rotation listed is the first applied.
    values
        (T, N) a column for each; degrees, and file units.
    axes
        (4,) rotation of the axes that the values refer to.
    """

    freedoms: tuple[str, ...]
    values: FloatArray
    axes: FloatArray


def with_identity_rest(clip: Clip) -> Clip:
    """The same motion, its joints' frames chosen so that no joint is turned in the rest pose.

    ASF files know no rest rotations. World positions do not change.
    """
    skeleton = clip.skeleton
    if np.array_equal(skeleton.rest_rotations, np.tile(rotations.IDENTITY, (skeleton.n_joints, 1))):
        return clip
    rest = skeleton.rest_world_rotations()
    above = np.concatenate([rotations.IDENTITY[None], rest[skeleton.parents[1:]]])
    turns = rotations.multiply(rotations.multiply(above, clip.rotations), rotations.inverse(rest))
    moved = clip.translations
    flat = replace(
        skeleton,
        offsets=freeze(rotations.rotate(above, skeleton.offsets)),
        rest_rotations=np.empty((0, 4)),
        tips=tuple(
            tip._replace(offset=rotations.rotate(rest[tip.joint], tip.offset)) for tip in skeleton.tips
        ),
    )
    return replace(
        clip,
        skeleton=flat,
        rotations=freeze(rotations.normalize(turns)),
        translations=None if moved is None else freeze(rotations.rotate(above, moved)),
        constraints=(),
    )


def joint_channels(clip: Clip, root_rest: FloatArray) -> tuple[list[JointChannels], list[str]]:
    """The channels of each joint, and the names of those that need more than their file gave them.

    Joints keep the axes and degrees of freedom of the ASF file they came from; others turn about X, then Y,
    then Z. A joint gains those that its motion needs. ``root_rest`` (3,) is where the ASF puts the root.
    """
    wanted, axes = _source_channels(clip)
    turns = rotations.multiply(rotations.multiply(rotations.inverse(axes), clip.rotations), axes)
    still = MOVE_TOLERANCE * float(np.abs(clip.skeleton.offsets).sum())
    channels, extended = [], []
    for joint, freedoms in enumerate(wanted):
        moves = _moves(clip, joint, axes[joint], root_rest)
        columns = _columns(freedoms, turns[:, joint], moves)
        needed = _needed(freedoms, columns, still)
        if set(needed) != set(freedoms):
            extended.append(clip.skeleton.names[joint])
        values = np.stack([columns[name] for name in needed], axis=-1) if needed else np.empty((len(clip), 0))
        channels.append(JointChannels(needed, values, axes[joint]))
    return channels, extended


def _source_channels(clip: Clip) -> tuple[list[tuple[str, ...]], FloatArray]:
    """The wanted degrees of freedom and the axes (J, 4) of each joint."""
    source, n_joints = clip.source, clip.skeleton.n_joints
    if source.format == "amc" and source.channels is not None and source.axes is not None:
        channels = [tuple(name for name in names if name != "L") for names in source.channels]
        if len(channels) == len(source.axes) == n_joints:
            return channels, source.axes
    plain: list[tuple[str, ...]] = [_ALL_MOVES + _ALL_TURNS] + [_ALL_TURNS] * (n_joints - 1)
    return plain, np.tile(rotations.IDENTITY, (n_joints, 1))


def _moves(clip: Clip, joint: int, axes: FloatArray, root_rest: FloatArray) -> FloatArray:
    """How far (T, 3) a joint is from its rest place, along its own axes; along the world's for the root."""
    if joint == 0:
        return np.asarray(clip.root_positions - root_rest)
    if clip.translations is None:
        return np.zeros((len(clip), 3))
    away = clip.translations[:, joint] - clip.skeleton.offsets[joint]
    return rotations.rotate(rotations.inverse(axes), away)


def _columns(freedoms: tuple[str, ...], turns: FloatArray, moves: FloatArray) -> dict[str, FloatArray]:
    """The values (T,) of all three moves and turns; rotations in the order in which they are applied."""
    order = rotations.complete_order(turn_order(freedoms))
    angles = np.degrees(rotations.to_euler(turns, order[::-1]))
    columns = {"T" + axis: moves[:, n] for n, axis in enumerate("XYZ")}
    return columns | {"R" + axis: angles[:, 2 - n] for n, axis in enumerate(order)}


def _needed(freedoms: tuple[str, ...], columns: dict[str, FloatArray], still: float) -> tuple[str, ...]:
    """The wanted degrees of freedom and, where the motion has more, all of that sort."""
    moves = tuple(name for name in _ALL_MOVES if name not in freedoms)
    if any(np.abs(columns[name]).max(initial=0.0) > still for name in moves):
        freedoms = moves + freedoms
    turns = tuple(name for name in columns if name[0] == "R")
    extra = (name for name in turns if name not in freedoms)
    if any(np.abs(columns[name]).max(initial=0.0) > np.degrees(TURN_TOLERANCE) for name in extra):
        freedoms = tuple(name for name in freedoms if name[0] == "T") + turns
    return freedoms
