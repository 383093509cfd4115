"""`Parameter`: a measure of a clip that a motion space can be asked for.

:mod:`motionloom.spaces.parameters` makes them. Those of joints are in ``joint_measures``, those of the whole
body in ``body_measures``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.sampling import sample_vectors
from motionloom.motion.unroll import travel


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

    def move_plants(self, clip: Clip, values: FloatArray, min_change: float) -> Clip:
        """Return a clip whose plants are where they must be for it to have these values (n,).

        Plants that would move by less than ``min_change`` metres stay; the poses stay in any case.
        """
        return clip


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


def sample_track(clip: Clip, track: FloatArray, frame: float) -> FloatArray:
    """Return a track (T, 3) of world positions at a fractional frame, (3,); that of a cyclic clip goes on.

    >>> from motionloom.cycles import cyclify
    >>> from motionloom.synthesis import walk
    >>> loop = cyclify(walk(speed=1.2, fps=30).clip, cycles=1).clip
    >>> before, after = (sample_track(loop, loop.root_positions, n)[2] for n in (-0.5, loop.n_frames - 0.5))
    >>> bool(abs(after - before - 1.2 * loop.n_frames / 30) < 0.01)
    True
    """
    if not clip.cyclic:
        return sample_at(track, frame)
    return sample_at(extend_track(clip, track), frame + clip.n_frames)


def extend_track(clip: Clip, track: FloatArray) -> FloatArray:
    """Return a track (T, 3) of a cyclic clip with the cycle before it and the one after it, (3 T, 3)."""
    onward = travel(clip)
    return np.concatenate([onward.inverse().apply(track), track, onward.apply(track)])


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
