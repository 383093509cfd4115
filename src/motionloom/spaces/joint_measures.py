"""Measures of joints: where one is at a moment, in which direction, how fast, how high over an obstacle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, final, get_args

import numpy as np

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.spaces.find_frame import EXTREMES, Moment, find_frame, track_speeds
from motionloom.spaces.measures import JointTarget, Parameter, sample_at, sample_track, start_transform
from motionloom.validation import check_choice, check_number, check_string
from motionloom.warping.joint_roles import find_joint

Frame = Literal["start", "world"]
"""What positions are relative to: the start of the motion, or the world."""

AXES = "xyz"

MAX_POINT = 100.0
"""Metres from a joint to a point that moves with it: a long tool has ten, and inverse kinematics has no
solution where a millionth of a turn moves a point by kilometres."""


@final
@dataclass(frozen=True)
class Position(Parameter):
    """Where a joint is at a moment; :func:`motionloom.spaces.parameters.position`."""

    joint: str
    at: Moment = "apex"
    axes: str = AXES
    frame: Frame = "start"
    point: tuple[float, ...] = (0.0, 0.0, 0.0)
    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        check_string("joint", self.joint)
        _check_moment(self.at)
        check_choice("frame", self.frame, get_args(Frame))
        if not self.axes or len(set(self.axes)) < len(self.axes) or set(self.axes) - set(AXES):
            raise ParameterError(
                f"must be some of 'xyz', each once, not {self.axes!r}", parameter="axes", value=self.axes
            )
        point = check_array("point", self.point, (3,))
        if np.abs(point).max() > MAX_POINT:
            raise ParameterError(
                f"must lie within {MAX_POINT:g} m of its joint, not at {point.tolist()}", parameter="point"
            )
        object.__setattr__(self, "point", tuple(point.tolist()))

    @property
    def components(self) -> tuple[str, ...]:
        """The axes; one empty name where there is one axis."""
        return tuple(self.axes) if len(self.axes) > 1 else ("",)

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return the coordinates (n,), metres."""
        frame = end if self.at == "end" and end is not None else self.find_moment(clip, near=near)
        local = self._reference(clip).inverse().apply(sample_track(clip, self._track(clip), frame))
        return np.asarray(local[self._columns])

    def find_moment(self, clip: Clip, *, near: float | None = None) -> float:
        """Return the frame at which the joint is measured."""
        return find_frame(clip, self._track(clip), self.at, near)

    def target(
        self,
        clip: Clip,
        values: FloatArray,
        *,
        near: float | None = None,
        position: FloatArray | None = None,
    ) -> JointTarget:
        """Return where the joint must be; axes that are not asked for stay as they are."""
        frame = self.find_moment(clip, near=near)
        reference = self._reference(clip)
        now = sample_track(clip, self._track(clip), frame) if position is None else position
        local = reference.inverse().apply(now)
        local[self._columns] = values
        name = clip.skeleton.names[self._index(clip)]
        return JointTarget(name, frame, reference.apply(local), np.array(self.point))

    @property
    def _columns(self) -> list[int]:
        return [AXES.index(axis) for axis in self.axes]

    def _index(self, clip: Clip) -> int:
        return _find_joint(clip, self.joint)

    def _track(self, clip: Clip) -> FloatArray:
        return clip.point_positions(self._index(clip), self.point)

    def _reference(self, clip: Clip) -> GroundTransform:
        return start_transform(clip) if self.frame == "start" else GroundTransform()


@final
@dataclass(frozen=True)
class Direction(Parameter):
    """In which direction a joint is at a moment; :func:`motionloom.spaces.parameters.direction`."""

    joint: str
    at: Moment = "apex"
    unit: ClassVar[str] = "rad"

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return the angle (1,), radians."""
        x, z = self._position.measure(clip, end=end, near=near)
        return np.array([np.arctan2(x, z)])

    def find_moment(self, clip: Clip, *, near: float | None = None) -> float:
        """Return the frame at which the joint is measured."""
        return self._position.find_moment(clip, near=near)

    @property
    def _position(self) -> Position:
        return Position(self.joint, self.at, "xz")


@final
@dataclass(frozen=True)
class JointSpeed(Parameter):
    """How fast a joint is at a moment; :func:`motionloom.spaces.parameters.speed`."""

    joint: str
    at: Moment = "fastest"
    unit: ClassVar[str] = "m/s"

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return the speed (1,), m/s."""
        speeds = track_speeds(clip, clip.world_positions()[:, _find_joint(clip, self.joint)])
        frame = self.find_moment(clip, near=near)
        if clip.cyclic:
            return sample_at(np.tile(speeds, 3)[:, None], frame % clip.n_frames + clip.n_frames)
        return sample_at(speeds[:, None], frame)

    def find_moment(self, clip: Clip, *, near: float | None = None) -> float:
        """Return the frame at which the joint is measured."""
        return Position(self.joint, self.at).find_moment(clip, near=near)


@final
@dataclass(frozen=True)
class Clearance(Parameter):
    """How high a joint passes over a place; :func:`motionloom.spaces.parameters.clearance`."""

    joint: str
    ahead: float
    over: float = 0.0
    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        check_string("joint", self.joint)
        check_number("ahead", self.ahead, unit="m")
        check_number("over", self.over, unit="m")

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return the height (1,) above the obstacle, metres."""
        heights = self._local(clip)[:, [1]]
        return np.asarray(sample_at(heights, self.find_moment(clip, near=near)) - self.over)

    def find_moment(self, clip: Clip, *, near: float | None = None) -> float:
        """Return the frame at which the joint first passes the place."""
        beyond = self._local(clip)[:, 2] - self.ahead
        passed = np.flatnonzero((beyond[:-1] < 0.0) & (beyond[1:] >= 0.0))
        if not passed.size:
            raise ParameterError(f"{self.joint!r} never passes the place {self.ahead:g} m ahead of the start")
        before = int(passed[0] if near is None else passed[np.abs(passed - near).argmin()])
        return before + float(beyond[before] / (beyond[before] - beyond[before + 1]))

    def _local(self, clip: Clip) -> FloatArray:
        joint = _find_joint(clip, self.joint)
        return start_transform(clip).inverse().apply(clip.world_positions()[:, joint])


def _find_joint(clip: Clip, joint: str) -> int:
    """Return the joint with a name or a role; the hips of a body need not be the root of its rig."""
    if joint in clip.skeleton.names:
        return clip.skeleton.index(joint)
    body = clip.body.skeleton
    return clip.skeleton.index(body.names[find_joint(body, joint)])


def _check_moment(at: Moment) -> None:
    if isinstance(at, str):
        if not at.strip():
            raise ParameterError(
                f"must be a moment: seconds, {', '.join(map(repr, EXTREMES))} or words such as '50 %'",
                parameter="at",
            )
        return
    check_number("at", at, min=0.0, unit="s")
