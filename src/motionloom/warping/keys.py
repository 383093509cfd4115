"""Keys: what a joint shall do at a moment of a clip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Literal

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Pose
from motionloom.validation import check_number, check_positive, check_string

EASE = 0.7
"""Seconds over which a key fades in and out unless it says otherwise: a little over a walking step, so that
what it adds stays below the frequencies that make captured motion alive."""

SAME_MOMENT = 1e-4
"""Keys nearer than this, seconds, share a moment: a tenth of a frame at a thousand frames per second."""

LEAST_SCALE, MOST_SCALE = 1e-3, 1e3
"""Factors beyond which scaling cannot be undone and is taken for a slip; ``orient`` makes a joint stand
still."""

Channel = Literal["turn", "turn scale", "way", "way scale", "reach"]
"""What a key acts on: the rotation of its joint or the position of the root, by an offset or by a factor, or
the place of its joint in the world."""

_KINDS = ("rotate", "orient", "move", "reach", "scale")
_CHANNELS: dict[str, Channel] = {"rotate": "turn", "orient": "turn", "move": "way", "reach": "reach"}


@dataclass(frozen=True)
class Key:
    """One wish: at this moment of the source clip, this joint is changed like that.

    A key has one of ``rotate``, ``orient``, ``move``, ``reach`` and ``scale``; ``orient`` may stand beside
    ``reach``. Several keys may share a moment.

    Attributes
    ----------
    time
        Seconds from the start of the source clip.
    joint
        Name of the joint; ``""`` is the root.
    rotate
        (3,) rotation vector, radians, in the joint's own frame, by which it is turned further.
    orient
        (4,) the joint's complete local rotation, as in ``Clip.rotations``. Beside ``reach`` its rotation in
        the world. Three numbers are taken for a rotation vector.
    move
        (3,) metres in the world by which the root, and with it the body, is moved.
    reach
        (3,) place in the world, metres, where the joint shall be. Other joints of its limb and the spine are
        turned for it; the root is moved to it.
    scale
        Factor by which the joint's deviation from ``zero`` is exaggerated (above 1) or calmed (below 1). With
        a ``zero`` of three numbers the root's deviation from that place; then also three factors.
    zero
        (4,) local rotation from which ``scale`` counts; None for the mean over the clip. Or (3,), see there.
    point
        (3,) the point of the joint, in its own frame, that ``reach`` is about; the joint itself by default.
    ease
        Seconds over which the key fades in and out; None holds it over the clip, up to the next key.

    >>> Key(0.6, "LeftLeg", rotate=(0.35, 0, 0)).rotate
    (0.35, 0.0, 0.0)
    """

    time: float
    joint: str = ""
    _: KW_ONLY
    rotate: npt.ArrayLike | None = None
    orient: npt.ArrayLike | None = None
    move: npt.ArrayLike | None = None
    reach: npt.ArrayLike | None = None
    scale: npt.ArrayLike | None = None
    zero: npt.ArrayLike | None = None
    point: npt.ArrayLike | None = None
    ease: float | None = EASE

    def __post_init__(self) -> None:
        check_string("the joint of a key", self.joint)
        put = object.__setattr__
        put(self, "time", check_number(f"the time of a key of {self.whom}", self.time))
        if self.ease is not None:
            put(self, "ease", check_positive(f"ease of {self}, in seconds, or None to hold it,", self.ease))
        self._check_kind()
        for name in ("rotate", "move", "reach", "point"):
            if getattr(self, name) is not None:
                put(self, name, _numbers(check_array(f"{name} of {self}", getattr(self, name), (3,))))
        if self.orient is not None:
            put(self, "orient", _rotation(f"orient of {self}", self.orient))
        if self.scale is not None:
            self._check_scale()

    @property
    def whom(self) -> str:
        """The joint as a message names it."""
        return f"joint {self.joint!r}" if self.joint else "the root"

    @property
    def kind(self) -> str:
        """The one of rotate, orient, move, reach and scale that the key gives."""
        given = [name for name in _KINDS if getattr(self, name) is not None]
        return "reach" if "reach" in given else given[0]

    @property
    def channel(self) -> Channel:
        """What the key acts on; two keys of one channel, joint and moment contradict each other."""
        if self.kind == "scale":
            return "way scale" if self._scales_way else "turn scale"
        return _CHANNELS[self.kind]

    @property
    def vector(self) -> FloatArray:
        """The numbers of the key's kind as an array."""
        return np.asarray(getattr(self, self.kind), dtype=np.float64)

    def __str__(self) -> str:
        return f"the key of {self.whom} at {self.time:g} s"

    @property
    def _scales_way(self) -> bool:
        return self.zero is not None and np.size(self.zero) == 3

    def _check_kind(self) -> None:
        given = [name for name in _KINDS if getattr(self, name) is not None]
        if len(given) != 1 and given != ["orient", "reach"]:
            what = " and ".join(given) or "none of them"
            raise ParameterError(f"{self} must give one of {', '.join(_KINDS)}, not {what}")
        if self.zero is not None and given != ["scale"]:
            raise ParameterError(f"{self} gives a zero, which only a scale has")
        if self.point is not None and "reach" not in given:
            raise ParameterError(f"{self} gives a point, which only a reach has")

    def _check_scale(self) -> None:
        put = object.__setattr__
        given: npt.ArrayLike = 1.0 if self.scale is None else self.scale
        shape = (3,) if self._scales_way and np.ndim(given) else ()
        factors = check_array(f"scale of {self}", given, shape)
        if (factors < LEAST_SCALE).any() or (factors > MOST_SCALE).any():
            raise ParameterError(
                f"scale of {self} must lie between {LEAST_SCALE:g} and {MOST_SCALE:g}, "
                f"not {factors.tolist()}; orient keys make a joint stand still"
            )
        put(self, "scale", _numbers(factors) if shape else float(factors))
        if self.zero is not None:
            zero = check_array(f"zero of {self}", self.zero, ("N",))
            put(self, "zero", _numbers(zero) if len(zero) == 3 else _rotation(f"zero of {self}", zero))


def pose_keys(
    time: float, pose: Pose, joints: Iterable[str] | None = None, ease: float | None = EASE
) -> tuple[Key, ...]:
    """Keys that make the body take a whole pose at a moment: the root's place and every joint's rotation.

    Parameters
    ----------
    time
        Seconds from the start of the source clip.
    pose
        One pose, for instance ``clip[30]`` of this or another clip of the same skeleton.
    joints
        Names of the joints that take part; None for all, and then the root takes its place too.
    ease
        As for a :class:`Key`.

    >>> from motionloom.synthesis import stand
    >>> pose = stand(duration=0.5).clip[3]
    >>> len(pose_keys(0.2, pose)) == pose.skeleton.n_joints + 1
    True
    """
    if pose.rotations.ndim != 2:
        raise ParameterError(f"a pose key takes one pose, not poses of shape {pose.rotations.shape[:-2]}")
    names = pose.skeleton.names if joints is None else tuple(joints)
    keys = [Key(time, name, orient=pose.rotations[pose.skeleton.index(name)], ease=ease) for name in names]
    if joints is None:
        keys.append(Key(time, reach=pose.root_positions, ease=ease))
    return tuple(keys)


def checked_keys(keys: Iterable[Key]) -> tuple[Key, ...]:
    """The keys in order of time, or an error that names two that contradict each other.

    >>> checked_keys([Key(0.5, rotate=(0, 0, 1)), Key(0.5, rotate=(0, 1, 0))])
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: two keys say rotate and rotate of the root at 0.5 s: keep one of them
    """
    listed = list(keys)
    for key in listed:
        if not isinstance(key, Key):
            raise ParameterError(f"keys must be motionloom.Key, and one of them is {key!r}")
    listed.sort(key=lambda key: key.time)
    last: dict[tuple[str, str], Key] = {}
    for key in listed:
        lane = (key.joint, "way" if key.channel == "reach" and not key.joint else key.channel)
        before = last.get(lane)
        if before is not None and key.time - before.time < SAME_MOMENT:
            raise ParameterError(
                f"two keys say {before.kind} and {key.kind} of {key.whom} at {key.time:g} s: keep one of them"
            )
        last[lane] = key
    return tuple(listed)


def moments(keys: Sequence[Key]) -> tuple[float, ...]:
    """The different times of keys, seconds: how many keyframes an animator would set.

    >>> moments([Key(0.5, rotate=(0, 0, 1)), Key(0.5, move=(0, 1, 0)), Key(1.0, move=(0, 0, 0))])
    (0.5, 1.0)
    """
    found: list[float] = []
    for time in sorted(key.time for key in keys):
        if not found or time - found[-1] >= SAME_MOMENT:
            found.append(time)
    return tuple(found)


def key_to_dict(key: Key) -> dict[str, object]:
    """A key as plain data for JSON; what it does not give is left out, but for its ease.

    >>> key_to_dict(Key(0.5, "Head", rotate=(0.1, 0, 0), ease=None))
    {'time': 0.5, 'joint': 'Head', 'rotate': [0.1, 0.0, 0.0], 'ease': None}
    """
    data: dict[str, object] = {}
    for field in fields(key):
        value = getattr(key, field.name)
        if value is not None or field.name == "ease":
            data[field.name] = list(value) if isinstance(value, tuple) else value
    return data


def _numbers(values: FloatArray) -> tuple[float, ...]:
    return tuple(values.tolist())


def _rotation(name: str, values: npt.ArrayLike) -> tuple[float, ...]:
    """Unit quaternion from four numbers, or from a rotation vector of three."""
    given = check_array(name, values, ("N",))
    if len(given) == 3:
        return _numbers(rot.from_rotation_vector(given))
    if len(given) != 4 or not given.any():
        raise ParameterError(f"{name} must be a quaternion (w, x, y, z) or a rotation vector, not {values!r}")
    return _numbers(rot.normalize(given))
