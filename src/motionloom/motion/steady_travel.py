"""Steady travel: one velocity and one turn rate over the ground, put under a clip or taken out of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.geometry.ground_transform import apply_rows
from motionloom.motion.body import on_body
from motionloom.motion.clip import Clip
from motionloom.motion.ground_path import MAX_SMOOTHING, ground_path
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.motion.unroll import travel
from motionloom.validation import check_number

STRAIGHT = 1e-6
"""A turn of less than this over the whole path, radians, is none."""


@dataclass(frozen=True)
class SteadyTravel:
    """A steady motion over the ground, seen from the body.

    Attributes
    ----------
    x, z
        Velocity, m/s.
    turn
        Turn rate, rad/s, positive from +Z towards +X.

    >>> quarter = SteadyTravel(z=1.0, turn=np.pi / 2)
    >>> quarter.rows(np.array([1.0])).round(3).tolist()
    [[1.571, 0.637, 0.637]]
    """

    x: float = 0.0
    z: float = 0.0
    turn: float = 0.0

    @classmethod
    def between(cls, transform: GroundTransform, duration: float) -> SteadyTravel:
        """Return the steady travel that leads through a transform in ``duration`` seconds.

        >>> SteadyTravel.between(GroundTransform(0.0, 0.0, 3.0), 2.0)
        SteadyTravel(x=0.0, z=1.5, turn=0.0)
        """
        yaw = transform.yaw
        c, s = (1.0, 0.0) if abs(yaw) < STRAIGHT else (np.sin(yaw) / yaw, (1.0 - np.cos(yaw)) / yaw)
        x, z = np.linalg.solve([[c, s], [-s, c]], [transform.x, transform.z]) / duration
        return cls(float(x), float(z), yaw / duration)

    def rows(self, times: FloatArray) -> FloatArray:
        """Return yaw, x and z (N, 3) of the transforms at times (N,) in seconds."""
        yaws = self.turn * times
        straight = np.abs(yaws) < STRAIGHT
        safe = np.where(straight, 1.0, yaws)
        c = np.where(straight, 1.0, np.sin(safe) / safe) * times
        s = np.where(straight, 0.0, (1.0 - np.cos(safe)) / safe) * times
        return np.stack([yaws, self.x * c + self.z * s, self.z * c - self.x * s], axis=-1)

    def velocities(self, positions: FloatArray) -> FloatArray:
        """Return the velocities (N, 2) along x and z of points of the body at positions (N, 2), m/s."""
        return np.array([self.x, self.z]) + self.turn * np.stack([positions[:, 1], -positions[:, 0]], axis=-1)


@on_body
def add_travel(clip: Clip, steady: SteadyTravel) -> Clip:
    """Return the clip carried over the ground; the first frame stays where it is.

    Constraints keep their times and lose their targets.

    >>> from motionloom.synthesis import stand
    >>> moved = add_travel(stand(duration=1.0, fps=30).clip, SteadyTravel(z=1.2))
    >>> round(float(moved.root_positions[-1, 2] - moved.root_positions[0, 2]), 3)
    1.2
    """
    return _carry(clip, steady.rows(np.arange(clip.n_frames, dtype=np.float64) * clip.frame_time))


@on_body
def remove_travel(clip: Clip, steady: SteadyTravel) -> Clip:
    """Return the clip without a steady travel: the inverse of :func:`add_travel`."""
    return _carry(clip, _invert(steady.rows(np.arange(clip.n_frames, dtype=np.float64) * clip.frame_time)))


@on_body
def find_steady_travel(clip: Clip) -> SteadyTravel:
    """Return the steady travel of a clip: of one cycle, or from its first frame to its last.

    >>> from motionloom.synthesis import walk
    >>> round(find_steady_travel(walk(speed=1.2, duration=2.0).clip).z, 1)
    1.2
    """
    if clip.cyclic:
        return SteadyTravel.between(travel(clip), clip.n_frames * clip.frame_time)
    if clip.n_frames < 2:
        return SteadyTravel()
    first, last = (GroundTransform(yaw, x, z) for x, z, yaw in ground_path(clip)[[0, -1]].tolist())
    return SteadyTravel.between(last @ first.inverse(), clip.duration)


@dataclass(frozen=True, kw_only=True)
class InPlaceReport:
    """The report of :func:`motionloom.put_in_place`.

    Attributes
    ----------
    travel
        The steady travel that was taken out; None where a smoothed path was.
    distance
        Metres over the ground between where the last frame was and where it is now.
    turn
        Radians that the last frame was turned back.

    >>> from motionloom.synthesis import walk
    >>> print(put_in_place(walk(speed=1.2, duration=2.0).clip).report)
    travel taken out: the last frame lies 2.40 m from where it was, turned by 0°
    """

    travel: SteadyTravel | None
    distance: float
    turn: float

    def __str__(self) -> str:
        degrees = round(float(np.degrees(self.turn)))
        return (
            f"travel taken out: the last frame lies {self.distance:.2f} m from where it was, "
            f"turned by {degrees}°"
        )


def put_in_place(clip: ClipLike, *, smoothing: float | None = None) -> Result[InPlaceReport]:
    """Take the travel out of a clip, as if it were walked on a treadmill.

    The sway of the hips stays, and the first frame stays where it is. A cyclic clip ends where it began.
    :func:`motionloom.recover_travel` goes the other way, and :func:`motionloom.move_root_motion` takes all
    motion over the ground out.

    Parameters
    ----------
    clip
        The motion.
    smoothing
        None takes out one steady travel, so that planted feet move backwards at one speed. For motion that
        speeds up or turns on its way: the standard deviation, in seconds, of the Gaussian that smooths the
        path to take out; 0.5 keeps the sway of a walk.

    Returns
    -------
    Result
        The clip in place, and an :class:`InPlaceReport`.

    Raises
    ------
    ParameterError
        What is given is no clip, or ``smoothing`` is no number of seconds.

    >>> from motionloom.synthesis import walk
    >>> still = put_in_place(walk(duration=2.0).clip).clip
    >>> bool(abs(still.root_positions[:, 2] - still.root_positions[0, 2]).max() < 0.1)
    True
    """
    clip = check_clip("put_in_place", clip)
    if smoothing is None:
        steady = find_steady_travel(clip)
        return _report_in_place(clip, remove_travel(clip, steady), steady)
    width = check_number("smoothing", smoothing, min=0.0, max=MAX_SMOOTHING, unit="seconds")
    return _report_in_place(clip, _remove_path(clip, width), None)


def _report_in_place(clip: Clip, still: Clip, steady: SteadyTravel | None) -> Result[InPlaceReport]:
    """Return a clip whose travel was taken out, with how far its last frame has moved."""
    before, after = clip.body, still.body
    distance = turn = 0.0
    if clip.n_frames:
        gone = before.root_positions[-1, [0, 2]] - after.root_positions[-1, [0, 2]]
        distance = float(np.linalg.norm(gone))
        turn = float(rot.yaw_of(rot.multiply(before.rotations[-1, 0], rot.inverse(after.rotations[-1, 0]))))
    return Result(still, InPlaceReport(travel=steady, distance=distance, turn=turn))


@on_body
def _remove_path(clip: Clip, smoothing: float) -> Clip:
    """Return the clip without its smoothed path; the first frame stays where it is."""
    path = ground_path(clip, 0, smoothing)
    if not len(path):
        return clip
    x, z, yaw = path[0]
    rows = np.column_stack([path[:, 2] - yaw, np.zeros(len(path)), np.zeros(len(path))])
    rows[:, 1:] = path[:, :2] - apply_rows(rows, np.tile([x, 0.0, z], (len(path), 1)))[:, [0, 2]]
    return _carry(clip, _invert(rows))


def _invert(rows: FloatArray) -> FloatArray:
    """Return the inverses of ground transforms, all as yaw, x and z (T, 3)."""
    # The inverse of a rotation by yaw and a shift is a rotation by -yaw, and the shift rotated back.
    back = np.stack([-rows[:, 0], np.zeros(len(rows)), np.zeros(len(rows))], axis=-1)
    shifts = apply_rows(back, np.stack([rows[:, 1], np.zeros(len(rows)), rows[:, 2]], axis=-1))
    return np.stack([-rows[:, 0], -shifts[:, 0], -shifts[:, 2]], axis=-1)


def _carry(body: Clip, rows: FloatArray) -> Clip:
    """Move every frame of a body by its transform, given as yaw, x and z (T, 3)."""
    rotations = np.array(body.rotations)
    rotations[:, 0] = rot.multiply(rot.from_yaw(rows[:, 0]), rotations[:, 0])
    return replace(
        body,
        root_positions=freeze(apply_rows(rows, body.root_positions)),
        rotations=freeze(rotations),
        constraints=tuple(replace(c, target=None) for c in body.constraints),
        provenance=derive(body, "root moved"),
    )
