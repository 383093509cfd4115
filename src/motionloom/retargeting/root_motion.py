"""Root motion: travel over the ground taken out of a clip, and put back."""

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
from motionloom.motion.unrolling import LEAST_FRAMES, travel, unrolled
from motionloom.validation import check_number

SWAY_SECONDS = 0.5
"""Standard deviation of the time over which a path is smoothed, seconds: of the sway of a walk, about one to
the side per second, 2 % are left in it, and all else stays in the body."""

WINDOW = 3.0
"""Standard deviations after which the weights of smoothing end."""

LEAST_DEVIATION = 0.1
"""A bell narrower than this, in frames, leaves every frame to itself."""

STILL = 1e-9
"""A joint that moves and turns by less than this, metres and quaternion units, stands still."""


@dataclass(frozen=True, eq=False)
class GroundPath:
    """Where a body is on the ground and which way it faces, frame by frame.

    Attributes
    ----------
    joint
        The joint that carries the body: the root, or the first joint that moves below a root that stands
        still.
    frame_time
        Seconds from one frame to the next.
    places
        (T, 2) x and z, metres.
    yaws
        (T,) heading in radians, 0 along +Z, positive towards +X; it runs on past ±π.
    """

    joint: str
    frame_time: float
    places: FloatArray
    yaws: FloatArray

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "places", check_array("places", self.places, ("T", 2)))
        put(self, "yaws", check_array("yaws", self.yaws, (len(self.places),)))

    def __len__(self) -> int:
        return len(self.yaws)

    @property
    def length(self) -> float:
        """Metres along the path."""
        return float(np.linalg.norm(np.diff(self.places, axis=0), axis=1).sum())

    def at(self, frame: int) -> GroundTransform:
        """The transform that takes the body in place to where it is in a frame."""
        x, z = self.places[frame]
        return GroundTransform(float(self.yaws[frame]), float(x), float(z))


def split_root(clip: Clip, *, smoothing: float = SWAY_SECONDS) -> tuple[Clip, GroundPath]:
    """Take the travel out of a clip: the motion in place, facing +Z over the origin, and the path.

    The path is smooth, so the sway of the hips stays in the body and feet do not slide from side to side.
    :func:`join_root` puts both together again. A cyclic clip loops in place as it does on its way. A root
    joint that stands still stays where it is: the first joint that moves is brought over the origin.
    Constraints stay as they are; their targets are places on the way, so put the travel back before you
    enforce them.

    Parameters
    ----------
    clip
        The motion.
    smoothing
        Standard deviation of the time over which the path is smoothed, seconds; 0 takes out all that the root
        does on the ground.

    >>> from motionloom.synthesis import walk
    >>> in_place, path = split_root(walk(speed=1.2, duration=2.0).clip)
    >>> round(path.length, 1), bool(abs(in_place.root_positions[:, [0, 2]]).max() < 0.05)
    (2.4, True)
    """
    check_clip("split_root", clip)
    seconds = check_number("smoothing", smoothing)
    if seconds < 0.0:
        raise ParameterError(f"smoothing must not be negative, and is {seconds:g}")
    carrier = _carrier(clip)
    values = _smooth(clip, carrier, seconds / clip.frame_time)
    path = GroundPath(
        clip.skeleton.names[carrier], clip.frame_time, freeze(values[:, :2]), freeze(values[:, 2])
    )
    turns = rot.inverse(rot.from_yaw(path.yaws))
    places, rotations = clip.world_positions()[:, carrier], clip.world_rotations()[:, carrier]
    shifted = places - _shifts(path)
    return _with_carrier(clip, carrier, rot.rotate(turns, shifted), rot.multiply(turns, rotations)), path


def join_root(clip: Clip, path: GroundPath) -> Clip:
    """Put travel into a clip in place: undoes :func:`split_root`, and sends an edited clip on its way.

    Parameters
    ----------
    clip
        A clip in place with as many frames as the path.
    path
        Where to go.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> bool(abs(join_root(*split_root(clip)).root_positions - clip.root_positions).max() < 1e-12)
    True
    """
    check_clip("join_root", clip)
    if not isinstance(path, GroundPath):
        raise ParameterError(f"path must be a GroundPath, as split_root gives it, not {path!r}")
    if len(path) != clip.n_frames:
        raise ParameterError(
            f"the path has {len(path)} frames and the clip {clip.n_frames}: resample one of them first"
        )
    carrier = clip.skeleton.index(path.joint)
    turns = rot.from_yaw(path.yaws)
    places, rotations = clip.world_positions()[:, carrier], clip.world_rotations()[:, carrier]
    moved = rot.rotate(turns, places) + _shifts(path)
    return _with_carrier(clip, carrier, moved, rot.multiply(turns, rotations))


def _carrier(clip: Clip) -> int:
    """The joint that carries the body over the ground."""
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


def _shifts(path: GroundPath) -> FloatArray:
    return np.stack([path.places[:, 0], np.zeros(len(path)), path.places[:, 1]], axis=-1)


def _with_carrier(clip: Clip, joint: int, places: FloatArray, turns: FloatArray) -> Clip:
    """The clip with one joint at other world places (T, 3), turned otherwise (T, 4)."""
    rotations = np.array(clip.rotations)
    if joint == 0:
        rotations[:, 0] = turns
        return replace(clip, root_positions=freeze(places), rotations=freeze(rotations))
    parent = int(clip.skeleton.parents[joint])
    back = rot.inverse(clip.world_rotations()[:, parent])
    rotations[:, joint] = rot.multiply(back, turns)
    moved = np.array(clip.translations)
    moved[:, joint] = rot.rotate(back, places - clip.world_positions()[:, parent])
    return replace(clip, rotations=freeze(rotations), translations=freeze(moved))


def _smooth(clip: Clip, carrier: int, deviation: float) -> FloatArray:
    """Smoothed x, z and yaw (T, 3) of a clip; ``deviation`` counts frames."""
    n_frames = clip.n_frames
    if not clip.cyclic or carrier != 0 or n_frames < LEAST_FRAMES:
        return _smoothed(_course(clip, carrier), deviation)
    # The cycles before and after go on the same way.
    around = ceil(WINDOW * deviation / n_frames)
    whole = _smoothed(_course(unrolled(clip, 2 * around + 1), carrier), deviation)
    middle = whole[around * n_frames : (around + 1) * n_frames]
    way, back = travel(clip), GroundTransform()
    for _ in range(around):
        back = way @ back
    back = back.inverse()
    there = np.stack([middle[:, 0], np.zeros(n_frames), middle[:, 1]], axis=-1)
    return np.concatenate([back.apply(there)[:, [0, 2]], middle[:, 2:] + back.yaw], axis=1)


def _course(clip: Clip, carrier: int) -> FloatArray:
    """x, z and yaw (T, 3) of a clip, the yaw without jumps."""
    return np.column_stack([clip.world_positions()[:, carrier][:, [0, 2]], np.unwrap(facing(clip))])


def _smoothed(values: FloatArray, deviation: float) -> FloatArray:
    """Values (T, D) averaged over time with a bell of this standard deviation; straight lines stay."""
    if len(values) < 2 or deviation < LEAST_DEVIATION:
        return values
    reach = ceil(WINDOW * deviation)
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    # Beyond its ends, the course goes on as its reflection in the end point.
    padded = np.pad(values, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    weights = bell / bell.sum()
    return np.stack([np.convolve(column, weights, mode="valid") for column in padded.T], axis=-1)
