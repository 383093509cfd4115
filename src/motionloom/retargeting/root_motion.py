"""Root motion: `split_root` takes the travel over the ground out of a clip, `join_root` puts it back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.clip import check_clip
from motionloom.motion.provenance import derive
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel, unroll
from motionloom.validation import check_number

SMOOTHING = 0.5
"""Standard deviation of the Gaussian that smooths the path, seconds: 2 % of the sway of a walk, about one per
second, stays in the path, and the rest in the body."""

FILTER_WIDTH = 3.0
"""Standard deviations to either side after which the Gaussian is cut off."""

MIN_DEVIATION = 0.1
"""A Gaussian narrower than this, in frames, changes nothing."""

STILL = 1e-9
"""A joint that moves and rotates by less than this, metres and quaternion units, stands still."""


@dataclass(frozen=True, eq=False)
class GroundPath:
    """The path of a body over the ground, and its heading, frame by frame.

    Attributes
    ----------
    joint
        The joint that carries the body: the root or, below a root that stands still, the first joint that
        moves.
    frame_time
        Seconds from one frame to the next.
    positions
        (T, 2) x and z, metres.
    yaws
        (T,) heading in radians, 0 along +Z, positive towards +X; continuous beyond ±π.
    """

    joint: str
    frame_time: float
    positions: FloatArray
    yaws: FloatArray

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "positions", check_array("positions", self.positions, ("T", 2)))
        put(self, "yaws", check_array("yaws", self.yaws, (len(self.positions),)))

    def __len__(self) -> int:
        return len(self.yaws)

    @property
    def length(self) -> float:
        """Length of the path, metres."""
        return float(np.linalg.norm(np.diff(self.positions, axis=0), axis=1).sum())

    def at(self, frame: int) -> GroundTransform:
        """Return the transform from the in-place body to its position in a frame."""
        x, z = self.positions[frame]
        return GroundTransform(float(self.yaws[frame]), float(x), float(z))


def split_root(clip: Clip, *, smoothing: float = SMOOTHING) -> tuple[Clip, GroundPath]:
    """Split a clip into the motion in place, facing +Z over the origin, and the path over the ground.

    The path is smooth, so the sway of the hips stays in the body and feet do not slide sideways.
    :func:`join_root` puts both together again. A cyclic clip loops in place as it does along its path. A root
    joint that stands still stays where it is: the first joint that moves is brought over the origin.
    Constraints are unchanged and their targets lie along the path, so put the travel back before you enforce
    them.

    Parameters
    ----------
    clip
        The motion.
    smoothing
        Standard deviation of the Gaussian that smooths the path, seconds; 0 removes all horizontal motion of
        the root.

    >>> from motionloom.synthesis import walk
    >>> in_place, path = split_root(walk(speed=1.2, duration=2.0).clip)
    >>> round(path.length, 1), bool(abs(in_place.root_positions[:, [0, 2]]).max() < 0.05)
    (2.4, True)
    """
    check_clip("split_root", clip)
    duration = check_number("smoothing", smoothing, min=0.0, unit="seconds")
    carrier = _carrier(clip)
    values = _smooth_path(clip, carrier, duration / clip.frame_time)
    path = GroundPath(
        clip.skeleton.names[carrier], clip.frame_time, freeze(values[:, :2]), freeze(values[:, 2])
    )
    headings = rot.inverse(rot.from_yaw(path.yaws))
    positions, rotations = clip.world_positions()[:, carrier], clip.world_rotations()[:, carrier]
    positions = rot.rotate(headings, positions - _offsets(path))
    return _move_joint(clip, carrier, positions, rot.multiply(headings, rotations)), path


def join_root(clip: Clip, path: GroundPath) -> Clip:
    """Move an in-place clip along a path: the inverse of :func:`split_root`.

    Parameters
    ----------
    clip
        An in-place clip with as many frames as the path.
    path
        The path over the ground.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> bool(abs(join_root(*split_root(clip)).root_positions - clip.root_positions).max() < 1e-12)
    True
    """
    check_clip("join_root", clip)
    if not isinstance(path, GroundPath):
        raise ParameterError(
            f"path must be a GroundPath, as returned by split_root, not a {type(path).__name__}"
        )
    if len(path) != clip.n_frames:
        raise ParameterError(
            f"the path has {len(path)} frames and the clip {clip.n_frames}: resample one of them first"
        )
    carrier = clip.skeleton.index(path.joint)
    headings = rot.from_yaw(path.yaws)
    positions, rotations = clip.world_positions()[:, carrier], clip.world_rotations()[:, carrier]
    positions = rot.rotate(headings, positions) + _offsets(path)
    return _move_joint(clip, carrier, positions, rot.multiply(headings, rotations))


def _carrier(clip: Clip) -> int:
    """Return the joint that carries the body over the ground."""
    joint = 0
    while (
        clip.translations is not None
        and _stands_still(clip, joint)
        and len(clip.skeleton.children(joint)) == 1
    ):
        joint = clip.skeleton.children(joint)[0]
    return joint


def _stands_still(clip: Clip, joint: int) -> bool:
    values = clip.world_positions()[:, joint], clip.world_rotations()[:, joint]
    return all(float(np.ptp(array, axis=0).max(initial=0.0)) < STILL for array in values)


def _offsets(path: GroundPath) -> FloatArray:
    return np.stack([path.positions[:, 0], np.zeros(len(path)), path.positions[:, 1]], axis=-1)


def _move_joint(clip: Clip, joint: int, positions: FloatArray, rotations: FloatArray) -> Clip:
    """Give one joint of a clip other world positions (T, 3) and rotations (T, 4)."""
    local = np.array(clip.rotations)
    if joint == 0:
        local[:, 0] = rotations
        return replace(
            clip,
            root_positions=freeze(positions),
            rotations=freeze(local),
            report=None,
            provenance=derive(clip, "root moved"),
        )
    parent = int(clip.skeleton.parents[joint])
    back = rot.inverse(clip.world_rotations()[:, parent])
    local[:, joint] = rot.multiply(back, rotations)
    translations = np.array(clip.translations)
    translations[:, joint] = rot.rotate(back, positions - clip.world_positions()[:, parent])
    return replace(
        clip,
        rotations=freeze(local),
        translations=freeze(translations),
        report=None,
        provenance=derive(clip, "root moved"),
    )


def _smooth_path(clip: Clip, carrier: int, deviation: float) -> FloatArray:
    """Return smoothed x, z and yaw (T, 3) of a clip; ``deviation`` counts frames."""
    n_frames = clip.n_frames
    if not clip.cyclic or carrier != 0 or n_frames < MIN_CYCLE_FRAMES:
        return _gaussian_filter(_path(clip, carrier), deviation)
    # The cycles before and after continue the path.
    around = ceil(FILTER_WIDTH * deviation / n_frames)
    whole = _gaussian_filter(_path(unroll(clip, 2 * around + 1), carrier), deviation)
    cycle = whole[around * n_frames : (around + 1) * n_frames]
    per_cycle, back = travel(clip), GroundTransform()
    for _ in range(around):
        back = per_cycle @ back
    back = back.inverse()
    positions = np.stack([cycle[:, 0], np.zeros(n_frames), cycle[:, 1]], axis=-1)
    return np.concatenate([back.apply(positions)[:, [0, 2]], cycle[:, 2:] + back.yaw], axis=1)


def _path(clip: Clip, carrier: int) -> FloatArray:
    """Return x, z and yaw (T, 3) of a clip, the yaw without jumps."""
    return np.column_stack([clip.world_positions()[:, carrier][:, [0, 2]], np.unwrap(facing(clip))])


def _gaussian_filter(values: FloatArray, deviation: float) -> FloatArray:
    """Smooth values (T, D) over time; straight lines stay straight up to the ends."""
    if len(values) < 2 or deviation < MIN_DEVIATION:
        return values
    half = ceil(FILTER_WIDTH * deviation)
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / deviation) ** 2)
    # Beyond its ends the path continues as its reflection in the end point.
    padded = np.pad(values, ((half, half), (0, 0)), mode="reflect", reflect_type="odd")
    weights = weights / weights.sum()
    return np.stack([np.convolve(column, weights, mode="valid") for column in padded.T], axis=-1)
