"""Keys: how a joint is changed at a moment of a clip."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Literal

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Pose, Skeleton
from motionloom.validation import check_number, check_positive, check_string

EASE = 0.7
"""Default fade of a key, seconds: a little over a walking step, so that what a key adds stays below the
frequencies that make captured motion look alive."""

SAME_MOMENT = 1e-4
"""Keys closer together than this, seconds, share a moment: a tenth of a frame at 1000 frames per second."""

MIN_SCALE, MAX_SCALE = 1e-3, 1e3
"""Limits of scale factors. Beyond them scaling cannot be undone and is probably a typing error; ``orient``
freezes a joint."""

Channel = Literal["rotation", "rotation scale", "position", "position scale", "reach"]
"""What a key acts on: the rotation of its joint or the position of the root, by an offset or by a factor, or
the position of its joint in the world."""

_KINDS = ("rotate", "orient", "move", "reach", "scale")
_CHANNELS: dict[str, Channel] = {
    "rotate": "rotation",
    "orient": "rotation",
    "move": "position",
    "reach": "reach",
}


@dataclass(frozen=True)
class Key:
    """A change of one joint at one moment of the source clip.

    A key gives one of ``rotate``, ``orient``, ``move``, ``reach`` and ``scale``; ``orient`` may accompany
    ``reach``. Several keys may share a moment.

    Attributes
    ----------
    time
        Seconds from the start of the source clip.
    joint
        Name of the joint; ``""`` is the root.
    rotate
        (3,) additional rotation: a rotation vector in radians, in the joint's own frame.
    orient
        (4,) complete local rotation of the joint, as in ``Clip.rotations``. Beside ``reach`` it is the
        rotation in the world. Three numbers are read as a rotation vector.
    move
        (3,) offset of the root in the world, metres; the body goes along.
    reach
        (3,) position in the world, metres, where the joint shall be. The joints of its limb and the spine
        rotate for it; the root is moved there.
    scale
        Factor on the joint's deviation from ``zero``: above 1 exaggerates, below 1 calms. With a ``zero`` of
        three numbers, the factor (or three of them) on the root's distance from that position.
    zero
        (4,) local rotation that ``scale`` starts from; None for the mean over the clip; or (3,), see scale.
    point
        (3,) point in the joint's own frame, metres, that ``reach`` is about; the joint itself by default.
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
        put(self, "time", check_number(f"the time of a key of {self.owner}", self.time))
        if self.ease is not None:
            put(self, "ease", check_positive(f"ease of {self}, in seconds, or None to hold it,", self.ease))
        self._check_kind()
        for name in ("rotate", "move", "reach", "point"):
            if getattr(self, name) is not None:
                put(self, name, _as_tuple(check_array(f"{name} of {self}", getattr(self, name), (3,))))
        if self.orient is not None:
            put(self, "orient", _as_quaternion(f"orient of {self}", self.orient))
        if self.scale is not None:
            self._check_scale()

    @property
    def owner(self) -> str:
        """The joint as error messages name it."""
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
            return "position scale" if self._scales_position else "rotation scale"
        return _CHANNELS[self.kind]

    @property
    def vector(self) -> FloatArray:
        """The numbers of the key's kind as an array."""
        return np.asarray(getattr(self, self.kind), dtype=np.float64)

    def joint_index(self, skeleton: Skeleton) -> int:
        """Return the index of the key's joint in a skeleton.

        >>> from motionloom.synthesis import biped
        >>> Key(0.0, rotate=(0, 0, 0)).joint_index(biped())
        0
        """
        return skeleton.index(self.joint) if self.joint else 0

    def __str__(self) -> str:
        return f"the key of {self.owner} at {self.time:g} s"

    def __repr__(self) -> str:
        given = [field.name for field in fields(self)[2:] if getattr(self, field.name) != field.default]
        shown = "".join(f", {name}={getattr(self, name)}" for name in given)
        return f"Key({self.time:g}, {self.joint!r}{shown})"

    @property
    def _scales_position(self) -> bool:
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
        shape = (3,) if self._scales_position and np.ndim(given) else ()
        factors = check_array(f"scale of {self}", given, shape)
        if (factors < MIN_SCALE).any() or (factors > MAX_SCALE).any():
            raise ParameterError(
                f"scale of {self} must be from {MIN_SCALE:g} to {MAX_SCALE:g}, not {factors.tolist()}; use "
                "orient to freeze a joint"
            )
        put(self, "scale", _as_tuple(factors) if shape else float(factors))
        if self.zero is not None:
            zero = check_array(f"zero of {self}", self.zero, ("N",))
            put(self, "zero", _as_tuple(zero) if len(zero) == 3 else _as_quaternion(f"zero of {self}", zero))


def pose_keys(
    time: float, pose: Pose, joints: Iterable[str] | None = None, ease: float | None = EASE
) -> tuple[Key, ...]:
    """Make keys that put the body into a whole pose at a moment.

    Parameters
    ----------
    time
        Seconds from the start of the source clip.
    pose
        One pose, for instance ``clip[30]`` of this clip or of another one of the same skeleton.
    joints
        Names of the joints to key; None keys all of them and the position of the root.
    ease
        As for a :class:`Key`.

    Returns
    -------
    tuple of Key
        One ``orient`` key per joint; with ``joints=None`` also a ``reach`` key of the root.

    >>> from motionloom.synthesis import stand
    >>> pose = stand(duration=0.5).clip[3]
    >>> len(pose_keys(0.2, pose)) == pose.skeleton.n_joints + 1
    True
    """
    if not isinstance(pose, Pose):
        raise ParameterError(f"pose_keys takes a pose, like clip[30], not a {type(pose).__name__}")
    if pose.rotations.ndim != 2:
        raise ParameterError(f"pose_keys takes one pose, not poses of shape {pose.rotations.shape[:-2]}")
    names = pose.skeleton.names if joints is None else tuple(joints)
    keys = [Key(time, name, orient=pose.rotations[pose.skeleton.index(name)], ease=ease) for name in names]
    if joints is None:
        keys.append(Key(time, reach=pose.root_positions, ease=ease))
    return tuple(keys)


def check_keys(keys: Iterable[Key]) -> tuple[Key, ...]:
    """Return the keys in order of time; no two may contradict each other.

    >>> check_keys([Key(0.5, rotate=(0, 0, 1)), Key(0.5, rotate=(0, 1, 0))])
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: two keys say rotate and rotate of the root at 0.5 s: keep one of them
    """
    listed = list(keys)
    for key in listed:
        if not isinstance(key, Key):
            raise ParameterError(f"keys must be a list of motionloom.Key, and one of them is {key!r}")
    listed.sort(key=lambda key: key.time)
    last: dict[tuple[str, str], Key] = {}
    for key in listed:
        lane = (key.joint, "position" if key.channel == "reach" and not key.joint else key.channel)
        before = last.get(lane)
        if before is not None and key.time - before.time < SAME_MOMENT:
            raise ParameterError(
                f"two keys say {before.kind} and {key.kind} of {key.owner} at {key.time:g} s: "
                "keep one of them"
            )
        last[lane] = key
    return tuple(listed)


def find_moments(keys: Sequence[Key]) -> tuple[float, ...]:
    """Return the different times of keys, seconds: the keyframes an animator would set.

    >>> find_moments([Key(0.5, rotate=(0, 0, 1)), Key(0.5, move=(0, 1, 0)), Key(1.0, move=(0, 0, 0))])
    (0.5, 1.0)
    """
    found: list[float] = []
    for time in sorted(key.time for key in keys):
        if not found or time - found[-1] >= SAME_MOMENT:
            found.append(time)
    return tuple(found)


def key_to_dict(key: Key) -> dict[str, object]:
    """Return a key as plain data for JSON, without the fields that it does not give; ease is always there.

    >>> key_to_dict(Key(0.5, "Head", rotate=(0.1, 0, 0), ease=None))
    {'time': 0.5, 'joint': 'Head', 'rotate': [0.1, 0.0, 0.0], 'ease': None}
    """
    data: dict[str, object] = {}
    for field in fields(key):
        value = getattr(key, field.name)
        if value is not None or field.name == "ease":
            data[field.name] = list(value) if isinstance(value, tuple) else value
    return data


def _as_tuple(values: FloatArray) -> tuple[float, ...]:
    return tuple(values.tolist())


def _as_quaternion(name: str, values: npt.ArrayLike) -> tuple[float, ...]:
    """Return a unit quaternion from four numbers, or from the three of a rotation vector."""
    given = check_array(name, values, ("N",))
    if len(given) == 3:
        return _as_tuple(rot.from_rotation_vector(given))
    if len(given) != 4 or not given.any():
        raise ParameterError(f"{name} must be a quaternion (w, x, y, z) or a rotation vector, not {values!r}")
    return _as_tuple(rot.normalize(given))
