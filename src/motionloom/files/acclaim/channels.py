"""Convert the joints of a clip to the values that an AMC file lists for its bones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.files.acclaim.skeleton import rotation_order
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip

MAX_STILL_ANGLE = 1e-7
"""Radians; a joint that rotates less about an axis does not need it. Quaternions are exact to about 1e-8."""

MAX_STILL_FRACTION = 1e-9
"""Fraction of the skeleton's size; a joint that moves less against its parent is at rest."""

_ROTATIONS = ("RX", "RY", "RZ")
_TRANSLATIONS = ("TX", "TY", "TZ")


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


def make_channels(clip: Clip, root_rest: FloatArray) -> tuple[list[JointChannels], list[str]]:
    """Return the channels of each joint, and the names of those that need more than their file gave them.

    Joints keep the axes and degrees of freedom of the ASF file they came from; others rotate about X, then
    Y, then Z. A joint gains those that its motion needs. ``root_rest`` (3,) is where the ASF puts the root.
    """
    wanted, axes = _source_channels(clip)
    rotations = rot.multiply(rot.multiply(rot.inverse(axes), clip.rotations), axes)
    still = MAX_STILL_FRACTION * float(np.abs(clip.skeleton.offsets).sum())
    channels, extended = [], []
    for joint, freedoms in enumerate(wanted):
        translations = _translations(clip, joint, axes[joint], root_rest)
        columns = _columns(freedoms, rotations[:, joint], translations)
        needed = _find_freedoms(freedoms, columns, still)
        if set(needed) != set(freedoms):
            extended.append(clip.skeleton.names[joint])
        values = np.stack([columns[name] for name in needed], axis=-1) if needed else np.empty((len(clip), 0))
        channels.append(JointChannels(needed, values, axes[joint]))
    return channels, extended


def _source_channels(clip: Clip) -> tuple[list[tuple[str, ...]], FloatArray]:
    """Return the wanted degrees of freedom and the axes (J, 4) of each joint."""
    source, n_joints = clip.source, clip.skeleton.n_joints
    if source.format == "amc" and source.channels is not None and source.axes is not None:
        channels = [tuple(name for name in names if name != "L") for names in source.channels]
        if len(channels) == len(source.axes) == n_joints:
            return channels, source.axes
    plain: list[tuple[str, ...]] = [_TRANSLATIONS + _ROTATIONS] + [_ROTATIONS] * (n_joints - 1)
    return plain, np.tile(rot.IDENTITY, (n_joints, 1))


def _translations(clip: Clip, joint: int, axes: FloatArray, root_rest: FloatArray) -> FloatArray:
    """Return how far (T, 3) a joint is from rest, along its own axes; along the world's for the root."""
    if joint == 0:
        return np.asarray(clip.root_positions - root_rest)
    if clip.translations is None:
        return np.zeros((len(clip), 3))
    away = clip.translations[:, joint] - clip.skeleton.offsets[joint]
    return rot.rotate(rot.inverse(axes), away)


def _columns(
    freedoms: tuple[str, ...], rotations: FloatArray, translations: FloatArray
) -> dict[str, FloatArray]:
    """Return the values (T,) of three translations and three rotations, in the order of application."""
    order = rot.complete_order(rotation_order(freedoms))
    angles = np.degrees(rot.to_euler(rotations, order[::-1]))
    columns = {"T" + axis: translations[:, n] for n, axis in enumerate("XYZ")}
    return columns | {"R" + axis: angles[:, 2 - n] for n, axis in enumerate(order)}


def _find_freedoms(
    freedoms: tuple[str, ...], columns: dict[str, FloatArray], still: float
) -> tuple[str, ...]:
    """Return the wanted degrees of freedom and, where the motion needs more, all of that kind."""
    translations = tuple(name for name in _TRANSLATIONS if name not in freedoms)
    if any(np.abs(columns[name]).max(initial=0.0) > still for name in translations):
        freedoms = translations + freedoms
    rotations = tuple(name for name in columns if name[0] == "R")
    extra = (name for name in rotations if name not in freedoms)
    if any(np.abs(columns[name]).max(initial=0.0) > np.degrees(MAX_STILL_ANGLE) for name in extra):
        freedoms = tuple(name for name in freedoms if name[0] == "T") + rotations
    return freedoms
