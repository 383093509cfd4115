"""Measures of a clip that a motion space can be asked for; :mod:`motionloom.spaces.parameters` makes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, final, get_args

import numpy as np
import numpy.typing as npt

from motionloom.annotation.annotate import annotate
from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.sampling import sample_vectors
from motionloom.spaces.find_frame import EXTREMES, Moment, find_frame
from motionloom.validation import check_choice, check_count, check_number, check_string
from motionloom.warping.footholds import Foothold, find_footholds
from motionloom.warping.joint_roles import find_joint

Frame = Literal["start", "world"]
"""What positions are relative to: the start of the motion, or the world."""

TravelKind = Literal["speed", "turn", "turn rate", "duration", "end place"]

AXES = "xyz"


@dataclass(frozen=True, eq=False)
class JointTarget:
    """Where a point (3,) of a joint must be at a frame: world position (3,), metres."""

    joint: str
    frame: float
    position: FloatArray
    point: FloatArray


class Parameter(ABC):
    """A measure of a clip: ``n`` numbers in one unit.

    >>> from motionloom.spaces.parameters import speed
    >>> from motionloom.synthesis import walk
    >>> speed().measure(walk(speed=1.3, duration=3.0).clip).round(2).tolist()
    [1.3]
    """

    @property
    @abstractmethod
    def unit(self) -> str:
        """Unit of the numbers, such as "m"; "" for none."""

    @property
    def components(self) -> tuple[str, ...]:
        """Names of the n numbers; one empty name where there is one number."""
        return ("",)

    @abstractmethod
    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return the numbers (n,) of a clip.

        Parameters
        ----------
        clip
            A motion with a skeleton.
        end
            The frame at which the motion ends, with its fraction; by default the last one.
        near
            The frame near which an extreme is looked for; by default the whole clip is searched.
        """

    def find_moment(self, clip: Clip, *, near: float | None = None) -> float | None:
        """Return the frame, with its fraction, of the moment that is measured; None where there is none."""
        return None

    def target(
        self,
        clip: Clip,
        values: FloatArray,
        *,
        near: float | None = None,
        position: FloatArray | None = None,
    ) -> JointTarget | None:
        """Return where a joint must be for a clip to have these values (n,); None if no joint decides.

        What the values leave open stays as at a world position (3,), by default the joint's own.
        """
        return None


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
            raise ParameterError(f"axes must be some of 'xyz', each once, not {self.axes!r}")
        object.__setattr__(self, "point", tuple(check_array("point", self.point, (3,)).tolist()))

    @property
    def components(self) -> tuple[str, ...]:
        """The axes; one empty name where there is one axis."""
        return tuple(self.axes) if len(self.axes) > 1 else ("",)

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return the coordinates (n,), metres."""
        frame = end if self.at == "end" and end is not None else self.find_moment(clip, near=near)
        local = self._reference(clip).inverse().apply(sample_at(self._track(clip), frame))
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
        now = sample_at(self._track(clip), frame) if position is None else position
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
        velocities = clip.world_velocities()[:, _find_joint(clip, self.joint)]
        speeds = np.linalg.norm(velocities, axis=-1, keepdims=True)
        return sample_at(speeds, self.find_moment(clip, near=near))

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


@final
@dataclass(frozen=True)
class StepPlace(Parameter):
    """Where a foot is put down, or how far from the other one; ``step`` counts from 1."""

    step: int = 1
    length: bool = False
    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        check_count("step", self.step)

    @property
    def components(self) -> tuple[str, ...]:
        """The axes of a place; one empty name for a length."""
        return ("",) if self.length else ("x", "z")

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return x and z (2,) of the foothold, or the length (1,) of the step, metres."""
        before, after = self._find_step(clip)
        if not self.length:
            return np.asarray(start_transform(clip).inverse().apply(after.centre)[[0, 2]])
        if before is None:
            raise ParameterError(f"step {self.step} has no foothold before it to be measured from")
        x, _, z = after.centre - before.centre
        return np.array([np.hypot(x, z)])

    def _find_step(self, clip: Clip) -> tuple[Foothold | None, Foothold]:
        """Return the foothold of the step, and the last one of the other foot before it."""
        footholds = find_footholds(clip if clip.constraints else annotate(clip))
        steps = [foothold for foothold in footholds if foothold.start > 0.0]
        if self.step > len(steps):
            raise ParameterError(f"the clip has {len(steps)} steps, so it has no step {self.step}")
        after = steps[self.step - 1]
        others = [each for each in footholds if each.leg.side != after.leg.side and each.start < after.start]
        return (others[-1] if others else None), after


@final
@dataclass(frozen=True)
class Travel(Parameter):
    """What the body does from start to end: speed, turn, turn rate, duration, or where it ends."""

    kind: TravelKind

    def __post_init__(self) -> None:
        check_choice("the kind of a travel parameter", self.kind, get_args(TravelKind))

    @property
    def unit(self) -> str:
        """Unit of this kind."""
        units = {"speed": "m/s", "turn": "rad", "turn rate": "rad/s", "duration": "s", "end place": "m"}
        return units[self.kind]

    @property
    def components(self) -> tuple[str, ...]:
        """The axes of a place; one empty name for the others."""
        return ("x", "z") if self.kind == "end place" else ("",)

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return the number (1,), or x and z (2,)."""
        last = clip.n_frames - 1.0 if end is None else end
        seconds = last * clip.frame_time
        if self.kind == "duration":
            return np.array([seconds])
        if seconds <= 0.0:
            raise ParameterError(f"a clip of {clip.n_frames} frames has no {self.kind}")
        roots = clip.body.root_positions
        if self.kind == "end place":
            return np.asarray(start_transform(clip).inverse().apply(sample_at(roots, last))[[0, 2]])
        headings = facing(clip)
        turn = float(sample_at(headings[:, None], last)[0] - headings[0])
        if self.kind == "speed":
            return np.array([_path_length(roots, last, turn) / seconds])
        return np.array([turn if self.kind == "turn" else turn / seconds])


@final
@dataclass(frozen=True)
class Custom(Parameter):
    """What a function of a clip returns; :func:`motionloom.spaces.parameters.custom`."""

    function: Callable[[Clip], npt.ArrayLike]
    unit: str = ""
    names: tuple[str, ...] = ("",)

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ParameterError(f"a parameter must be a function of a clip, not {self.function!r}")
        if not self.names:
            raise ParameterError("a parameter needs a name for each of its numbers: there are none")

    @property
    def components(self) -> tuple[str, ...]:
        """The names that were given."""
        return self.names

    def measure(self, clip: Clip, *, end: float | None = None, near: float | None = None) -> FloatArray:
        """Return what the function returns, (n,)."""
        returned = np.atleast_1d(self.function(clip))
        return np.array(check_array("what the function returned", returned, (len(self.names),)))


def start_transform(clip: Clip) -> GroundTransform:
    """Return where a clip starts: the root's place on the ground in the first frame, and the heading there.

    >>> from motionloom.synthesis import walk
    >>> start = start_transform(walk(duration=1.0).clip.placed(GroundTransform(0.0, 2.0, 3.0)))
    >>> round(start.x, 1), round(start.z, 1)
    (2.0, 3.0)
    """
    body = clip.body
    x, _, z = body.root_positions[0].tolist()
    first = replace(body[:1], constraints=(), events=())
    return GroundTransform(float(facing(first)[0]), x, z)


def sample_at(values: FloatArray, frame: float) -> FloatArray:
    """Return values (T, n) at a fractional frame, (n,); a fraction beyond the last frame goes on straight.

    >>> sample_at(np.array([[0.0], [1.0], [2.0]]), 2.5).tolist()
    [2.5]
    """
    last = len(values) - 1.0
    inside = sample_vectors(values, np.array([min(frame, last)]), "catmull_rom")[0]
    if frame <= last or last < 1.0:
        return np.array(inside)
    return np.asarray(inside + (frame - last) * (values[-1] - values[-2]))


def _find_joint(clip: Clip, joint: str) -> int:
    """Return the joint with a name or a role; the hips of a body need not be the root of its rig."""
    if joint in clip.skeleton.names:
        return clip.skeleton.index(joint)
    body = clip.body.skeleton
    return clip.skeleton.index(body.names[find_joint(body, joint)])


def _path_length(roots: FloatArray, last: float, turn: float) -> float:
    """Return the length of the path of a root (T, 3) up to a frame, without the sway of a body that turns.

    As in :func:`motionloom.blending.path_totals.measure_path`, but to a fraction of a frame.
    """
    whole = min(int(last), len(roots) - 1)
    points = np.vstack([roots[: whole + 1], sample_at(roots, last)])[:, [2, 0]]
    steps = np.diff(points, axis=0)
    middles = np.append(np.arange(whole) + 0.5, (whole + last) / 2.0) / last
    return abs(complex(((steps[:, 0] + 1j * steps[:, 1]) * np.exp(-1j * turn * middles)).sum()))


def _check_moment(at: Moment) -> None:
    if isinstance(at, str):
        if not at.strip():
            raise ParameterError(
                f"at must be a moment: seconds, {', '.join(map(repr, EXTREMES))} or words such as '50 %'"
            )
        return
    check_number("at", at, min=0.0, unit="s")
