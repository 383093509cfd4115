"""Keys: how a joint is changed at a moment of a clip.

A key in seconds, for a joint by name, in the joint's own axes, fits one clip and one rig. A key at an event
or a phase (:mod:`motionloom.warping.moments`), for a joint by role, in axes of the body
(:mod:`motionloom.warping.joint_roles`) fits others as well; :mod:`motionloom.warping.resolve_warp` turns it
into the former.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion import Pose, Skeleton
from motionloom.validation import check_choice, check_number, check_positive, check_string
from motionloom.warping.joint_roles import find_joint
from motionloom.warping.moments import parse_moment, parse_percent

EASE = 0.7
"""Default fade of a key, seconds: a little over a walking step, so that what a key adds stays below the
frequencies that make captured motion look alive."""

SAME_MOMENT = 1e-4
"""Keys closer together than this, seconds, share a moment: a tenth of a frame at 1000 frames per second."""

MIN_SCALE, MAX_SCALE = 1e-3, 1e3
"""Limits of scale factors. Beyond them scaling cannot be undone and is probably a typing error; ``orient``
freezes a joint."""

MAX_ROTATION = 2.0 * np.pi
"""Longest rotation vector of a key, radians: one whole turn. Longer ones are nearly always degrees."""

Frame = Literal["joint", "body", "ground"]
"""Axes and origin of a key's numbers; see :class:`Key`."""

Solve = Literal["offset", "scale"]
"""What a posed value is solved into: an offset, or a scale about a zero."""

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
        Seconds from the start of the source clip, or a moment in words: "left strike 2", "every right lift",
        "phase 0.25", "50 %", "start"; see :mod:`motionloom.warping.moments`.
    joint
        Name of the joint, or its role on any rig: "left knee", "spine"; ``""`` is the root.
    rotate
        (3,) additional rotation: a rotation vector in radians, in the axes of ``frame``.
    orient
        (4,) complete local rotation of the joint, as in ``Clip.rotations``. Beside ``reach`` it is the
        rotation in the world. Three numbers are read as a rotation vector.
    move
        (3,) offset of the root in the world, metres; the body goes along.
    reach
        (3,) position in the world, metres, where the joint shall be. The joints of its limb and the spine
        rotate for it; the root is moved there.
    scale
        Factor on the joint's deviation from ``zero``, or three factors for the axes of ``frame``: above 1
        exaggerates, below 1 calms. With a ``zero`` of three numbers, the factor (or three of them) on the
        root's distance from that position.
    zero
        (4,) local rotation that ``scale`` starts from; None for the mean over the clip; or (3,), see scale.
    point
        (3,) point in the joint's own frame, metres, that ``reach`` is about; the joint itself by default.
    ease
        Seconds over which the key fades in and out, or a fraction of the clip, such as "25 %"; None holds it
        over the clip, up to the next key.
    frame
        "joint": the joint's own axes, and metres in the world. "body": the body's left, up and forward
        (:mod:`motionloom.warping.joint_roles`), with lengths in body heights; ``reach`` is then the offset
        from where the joint is in the clip, ``zero`` one angle by which a knee or elbow is bent, or the
        direction (3,) in which a thigh or upper arm points, or for the root the offset (3,) from its first
        position.
        "ground": as "body", but the second number of ``reach`` is the height of the lowest point of the foot
        above the ground or obstacle. Or (4,) a rotation, into the joint's own frame, of the axes of a scale.
    solve
        What a posed ``orient``, or ``reach`` of the root, is solved into. "offset" adds to the motion.
        "scale" multiplies its deviation from ``zero``, axis by axis, so that the pose is met at that moment.

    >>> Key(0.6, "LeftLeg", rotate=(0.35, 0, 0)).rotate
    (0.35, 0.0, 0.0)
    >>> Key("left strike 2", "left knee", rotate=(0.35, 0, 0), frame="body").is_portable
    True
    """

    time: float | str
    joint: str = ""
    _: KW_ONLY
    rotate: npt.ArrayLike | None = None
    orient: npt.ArrayLike | None = None
    move: npt.ArrayLike | None = None
    reach: npt.ArrayLike | None = None
    scale: npt.ArrayLike | None = None
    zero: npt.ArrayLike | None = None
    point: npt.ArrayLike | None = None
    ease: float | str | None = EASE
    frame: Frame | npt.ArrayLike = "joint"
    solve: Solve = "offset"

    def __post_init__(self) -> None:
        check_string("the joint of a key", self.joint)
        put = object.__setattr__
        if not isinstance(self.frame, str):
            put(self, "frame", _as_quaternion(f"frame of a key of {self.owner}", self.frame))
        if isinstance(self.time, str):
            parse_moment(self.time)
        else:
            put(self, "time", check_number(f"the time of a key of {self.owner}", self.time))
        if isinstance(self.ease, str):
            check_positive(f"ease of {self}", parse_percent(self.ease))
        elif self.ease is not None:
            put(self, "ease", check_positive(f"ease of {self}, in seconds, or None to hold it,", self.ease))
        self._check_kind()
        self._check_frame()
        for name in ("rotate", "move", "reach", "point"):
            if getattr(self, name) is not None:
                put(self, name, _as_tuple(check_array(f"{name} of {self}", getattr(self, name), (3,))))
        if self.rotate is not None:
            _refuse_degrees(f"rotate of {self}", self.rotate)
        if self.orient is not None:
            put(self, "orient", _as_quaternion(f"orient of {self}", self.orient))
        if self.scale is not None:
            self._check_scale()
        if self.zero is not None:
            put(self, "zero", self._read_zero())

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
        if self.kind == "scale" or self.solve == "scale":
            return "position scale" if self._scales_position else "rotation scale"
        return _CHANNELS[self.kind]

    @property
    def vector(self) -> FloatArray:
        """The numbers of the key's kind as an array."""
        return np.asarray(getattr(self, self.kind), dtype=np.float64)

    @property
    def seconds(self) -> float:
        """The time of a key that is given in seconds."""
        if isinstance(self.time, str):
            raise ParameterError(f"{self} has no time in seconds before it is applied to a clip")
        return self.time

    @property
    def fade(self) -> float | None:
        """The ease of a key that is given in seconds; None holds it."""
        if isinstance(self.ease, str):
            raise ParameterError(f"{self} has no ease in seconds before it is applied to a clip")
        return self.ease

    @property
    def is_portable(self) -> bool:
        """Whether the key has to be resolved for a clip: by its moment, its ease or its axes."""
        return isinstance(self.time, str) or isinstance(self.ease, str) or self.frame in ("body", "ground")

    def joint_index(self, skeleton: Skeleton) -> int:
        """Return the index of the key's joint in a skeleton, by name or by role.

        >>> from motionloom.synthesis import biped
        >>> Key(0.0, rotate=(0, 0, 0)).joint_index(biped())
        0
        """
        return find_joint(skeleton, self.joint, role_first=self.frame in ("body", "ground"))

    def __str__(self) -> str:
        return f"the key of {self.owner} at {_show_time(self.time)}"

    def __repr__(self) -> str:
        given = [field.name for field in fields(self)[2:] if getattr(self, field.name) != field.default]
        shown = "".join(f", {name}={getattr(self, name)!r}" for name in given)
        time = repr(self.time) if isinstance(self.time, str) else f"{self.time:g}"
        return f"Key({time}, {self.joint!r}{shown})"

    @property
    def _scales_position(self) -> bool:
        if self.zero is None or np.size(self.zero) != 3:
            return False
        return self.frame not in ("body", "ground") or not self.joint

    def _check_kind(self) -> None:
        given = [name for name in _KINDS if getattr(self, name) is not None]
        if len(given) != 1 and given != ["orient", "reach"]:
            what = " and ".join(given) or "none of them"
            raise ParameterError(f"{self} must give one of {', '.join(_KINDS)}, not {what}")
        check_choice(f"solve of {self}", self.solve, get_args(Solve))
        if self.solve == "scale":
            self._check_posed(given)
        elif self.zero is not None and given != ["scale"]:
            raise ParameterError(f"{self} gives a zero, which only a scale has")
        if self.point is not None and "reach" not in given:
            raise ParameterError(f"{self} gives a point, which only a reach has")

    def _check_posed(self, given: Sequence[str]) -> None:
        """Check a key whose scale is solved from a posed value."""
        if given == ["reach"] and not self.joint and self._scales_position and self.point is None:
            return
        if given != ["orient"] or self._scales_position:
            raise ParameterError(
                f"{self} cannot be solved into a scale",
                remedy="give orient, or for the root reach with a zero of "
                "three numbers, metres, that distances are scaled from",
            )

    def _check_frame(self) -> None:
        if not isinstance(self.frame, str):
            if self.kind != "scale" or self._scales_position:
                raise ParameterError(f"{self} gives axes by a rotation, which only a scale of a joint has")
            return
        check_choice(f"frame of {self}", self.frame, get_args(Frame))
        if self.frame == "ground" and self.kind != "reach":
            raise ParameterError(f"{self} is in the frame of the ground, which only a reach can be")
        if self.frame == "body" and (self.orient is not None or self.solve == "scale"):
            raise ParameterError(
                f"{self} gives a complete rotation, which is in the joint's own axes",
                remedy="leave out frame='body', or give rotate",
            )

    def _check_scale(self) -> None:
        given: npt.ArrayLike = 1.0 if self.scale is None else self.scale
        shape = (3,) if np.ndim(given) else ()
        factors = check_array(f"scale of {self}", given, shape)
        if (factors < MIN_SCALE).any() or (factors > MAX_SCALE).any():
            raise ParameterError(
                f"scale of {self} must be from {MIN_SCALE:g} to {MAX_SCALE:g}, not {factors.tolist()}; use "
                "orient to freeze a joint"
            )
        object.__setattr__(self, "scale", _as_tuple(factors) if shape else float(factors))

    def _read_zero(self) -> float | tuple[float, ...]:
        given: npt.ArrayLike = 0.0 if self.zero is None else self.zero
        if self.frame == "body" and np.ndim(given) == 0:
            return check_number(f"zero of {self}, a bend in radians,", given, min=-np.pi, max=np.pi)
        zero = check_array(f"zero of {self}", given, ("N",))
        if len(zero) == 3 and (self.frame == "body" or self._scales_position):
            if self.joint and not zero.any():
                raise ParameterError(f"zero of {self} is the direction of a limb and must not be (0, 0, 0)")
            return _as_tuple(zero)
        if self.frame == "body":
            raise ParameterError(f"zero of {self} must be an angle, or a direction (3,) in axes of the body")
        return _as_quaternion(f"zero of {self}", zero)


def pose_keys(
    time: float | str, pose: Pose, joints: Iterable[str] | None = None, ease: float | str | None = EASE
) -> tuple[Key, ...]:
    """Make keys that put the body into a whole pose at a moment.

    Parameters
    ----------
    time
        Seconds from the start of the source clip, or a moment in words.
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
            raise ParameterError(
                f"must be a list of motionloom.Key, and one of them is {key!r}", parameter="keys"
            )
    # Moments in words come after those in seconds, in the order given, until they are found in a clip.
    listed.sort(key=lambda key: np.inf if isinstance(key.time, str) else key.time)
    last: dict[tuple[str, str, str], Key] = {}
    for key in listed:
        channel = "position" if key.channel == "reach" and not key.joint else key.channel
        lane = (key.joint, channel, key.time if isinstance(key.time, str) else "")
        before = last.get(lane)
        if before is not None and (lane[2] or key.seconds - before.seconds < SAME_MOMENT):
            raise ParameterError(
                f"two keys say {before.kind} and {key.kind} of {key.owner} at {_show_time(key.time)}",
                remedy="keep one of them",
            )
        last[lane] = key
    return tuple(listed)


def find_moments(keys: Sequence[Key]) -> tuple[float, ...]:
    """Return the different times of keys, seconds: the keyframes an animator would set.

    >>> find_moments([Key(0.5, rotate=(0, 0, 1)), Key(0.5, move=(0, 1, 0)), Key(1.0, move=(0, 0, 0))])
    (0.5, 1.0)
    """
    found: list[float] = []
    for time in sorted(key.seconds for key in keys):
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
        if field.name in ("frame", "solve") and value == field.default:
            continue
        if value is not None or field.name == "ease":
            data[field.name] = list(value) if isinstance(value, tuple) else value
    return data


def _show_time(time: float | str) -> str:
    return repr(time) if isinstance(time, str) else f"{time:g} s"


def _refuse_degrees(name: str, vector: npt.ArrayLike) -> None:
    angle = float(np.linalg.norm(np.asarray(vector, dtype=np.float64)))
    if angle > MAX_ROTATION + 1e-9:
        raise ParameterError(
            f"is a rotation by {angle:.4g} rad, more than a whole turn: angles are in radians, and "
            f"{angle:.4g}° are {np.radians(angle):.4g} rad; to spin further, add several warps",
            parameter=name,
        )


def _as_tuple(values: FloatArray) -> tuple[float, ...]:
    return tuple(values.tolist())


def _as_quaternion(name: str, values: npt.ArrayLike) -> tuple[float, ...]:
    """Return a unit quaternion from four numbers, or from the three of a rotation vector."""
    given = check_array(name, values, ("N",))
    if len(given) == 3:
        _refuse_degrees(name, given)
        return _as_tuple(rot.from_rotation_vector(given))
    if len(given) != 4 or not given.any():
        raise ParameterError(
            f"must be a quaternion (w, x, y, z) or a rotation vector, not {values!r}",
            parameter=name,
            value=values,
        )
    return _as_tuple(rot.normalize(given))
