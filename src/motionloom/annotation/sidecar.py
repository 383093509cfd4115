"""Annotations as plain data for a JSON file beside the clip, which can be edited by hand.

The data is a dictionary::

    {
      "format": "motionloom annotations", "version": 1,
      "fps": 120.0, "n_frames": 534,
      "constraints": [
        {"joint": "LeftFoot", "kind": "heel", "start": 70.1, "end": 135.4,
         "point": [0.0, -0.08, -0.05], "target": null}
      ],
      "events": [{"frame": 70.1, "label": "strike", "joint": "LeftFoot"}]
    }

Times are in frames, which is what viewers show. The frame rate and the number of frames guard against
applying a file to a clip that was resampled or trimmed since. Both are optional; without them whatever lies
beyond the ends of the clip is cropped. ``point``, ``target`` and an event's ``joint`` are optional too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isclose, isfinite
from typing import Any, TypeVar

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.json_files import check_fields
from motionloom.motion import Clip, Constraint, Event, Skeleton
from motionloom.motion.annotations import crop_constraints

FORMAT, VERSION = "motionloom annotations", 1

RATE_TOLERANCE = 1e-3
"""Frame rates within 0.1 % count as equal: files round them."""

MAX_NUMBER = 1e15
"""Larger numbers are mistakes: frames and metres beyond it lose their fractions."""

_TOP_FIELDS = ("format", "version", "fps", "n_frames", "constraints", "events")
_CONSTRAINT_FIELDS = ("joint", "kind", "start", "end", "point", "target")
_EVENT_FIELDS = ("frame", "label", "joint")
_ORIGIN = (0.0, 0.0, 0.0)

_Entry = TypeVar("_Entry")


def annotations_to_dict(clip: Clip) -> dict[str, Any]:
    """Return the constraints and events of a clip as plain data, in order of time, for ``json.dump``.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import stand
    >>> data = annotations_to_dict(annotate(stand(duration=1.0).clip))
    >>> data["fps"], data["constraints"][0]["joint"], data["constraints"][0]["end"]
    (60.0, 'LeftFoot', 60.0)
    """
    events = sorted(clip.events, key=lambda event: (event.frame, event.joint, event.label))
    return {
        "format": FORMAT,
        "version": VERSION,
        "fps": clip.fps,
        "n_frames": clip.n_frames,
        "constraints": [_constraint_to_dict(constraint) for constraint in clip.constraints],
        "events": [{"frame": event.frame, "label": event.label, "joint": event.joint} for event in events],
    }


def annotations_from_dict(data: object, clip: Clip) -> Clip:
    """Return the clip with the constraints and events of the data instead of its own.

    Parameters
    ----------
    data
        The output of :func:`annotations_to_dict`, possibly edited; everything in it is checked.
    clip
        The clip they belong to.

    Raises
    ------
    ParameterError
        When the data is not of this format, belongs to a clip of another frame rate or length, or an entry is
        wrong; the message names the entry.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0).clip
    >>> annotations_from_dict(annotations_to_dict(annotate(clip)), clip)
    Clip(61 frames at 60 fps, 22 joints, 4 constraints, 0 events)
    """
    top = check_fields("the annotations", data, _TOP_FIELDS)
    version = top.get("version")
    if top.get("format") != FORMAT or isinstance(version, bool) or version != VERSION:
        raise ParameterError(
            f'the annotations must state "format": "{FORMAT}" and "version": {VERSION}, '
            f"not {top.get('format')!r} and {version!r}"
        )
    _check_same_frames(top, clip)
    # A cycle continues from its last frame to its first.
    last = clip.n_frames if clip.cyclic else clip.n_frames - 1
    allowed = _Allowed(clip.skeleton, last if "n_frames" in top else None)
    constraints = _entries(top, "constraints", lambda where, entry: _constraint(where, entry, allowed))
    events = _entries(top, "events", lambda where, entry: _event(where, entry, allowed))
    inside = tuple(event for event in events if 0.0 <= event.frame <= last)
    return replace(clip, constraints=crop_constraints(constraints, 0.0, last), events=inside)


def _constraint_to_dict(constraint: Constraint) -> dict[str, Any]:
    return {
        "joint": constraint.joint,
        "kind": constraint.kind,
        "start": constraint.start,
        "end": constraint.end,
        "point": constraint.point.tolist(),
        "target": None if constraint.target is None else constraint.target.tolist(),
    }


def _check_same_frames(top: Mapping[str, Any], clip: Clip) -> None:
    fps = _number("the annotations", top, "fps") if "fps" in top else clip.fps
    n_frames = _number("the annotations", top, "n_frames") if "n_frames" in top else clip.n_frames
    if not isclose(fps, clip.fps, rel_tol=RATE_TOLERANCE):
        raise ParameterError(
            f"the annotations were made at {fps:g} frames per second, but the clip has {clip.fps:g}",
            remedy="load them onto the original clip, then resample it",
        )
    if n_frames != clip.n_frames:
        raise ParameterError(
            f"the annotations belong to a clip of {n_frames:g} frames, but this one has {clip.n_frames}",
            remedy="load them onto the original clip, then trim it",
        )


def _entries(top: Mapping[str, Any], name: str, make: Callable[[str, object], _Entry]) -> list[_Entry]:
    """Convert the entries of a list; errors name the entry."""
    entries = top.get(name, [])
    if not isinstance(entries, list):
        raise ParameterError(
            f"must be a list, not {type(entries).__name__}", parameter=name, value=type(entries).__name__
        )
    result = []
    for n, entry in enumerate(entries):
        where = f"{name}[{n}]"
        try:
            result.append(make(where, entry))
        except ParameterError as error:
            message = str(error)
            raise ParameterError(message if message.startswith(where) else f"{where}: {message}") from None
    return result


@dataclass(frozen=True)
class _Allowed:
    """What entries may refer to: joints of a skeleton, and frames up to ``last``, or any if that is None."""

    skeleton: Skeleton
    last: int | None

    def joint(self, where: str, given: Mapping[str, Any]) -> str:
        name = _string(where, given, "joint")
        self.skeleton.index(name)
        return name

    def frame(self, where: str, given: Mapping[str, Any], name: str) -> float:
        frame = _number(where, given, name)
        if self.last is not None and not 0.0 <= frame <= self.last:
            raise ParameterError(f"{where} has {name} {frame:g}, but the clip has frames 0 to {self.last}")
        return frame


def _constraint(where: str, entry: object, allowed: _Allowed) -> Constraint:
    given = check_fields(where, entry, _CONSTRAINT_FIELDS)
    target = given.get("target")
    return Constraint(
        allowed.joint(where, given),
        _string(where, given, "kind"),
        allowed.frame(where, given, "start"),
        allowed.frame(where, given, "end"),
        _triple(where, given.get("point", _ORIGIN), "point"),
        None if target is None else _triple(where, target, "target"),
    )


def _event(where: str, entry: object, allowed: _Allowed) -> Event:
    given = check_fields(where, entry, _EVENT_FIELDS)
    joint = "" if given.get("joint", "") == "" else allowed.joint(where, given)
    return Event(allowed.frame(where, given, "frame"), _string(where, given, "label"), joint)


def _string(where: str, given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value:
        raise ParameterError(f"{where} needs {name!r}, a string that is not empty, not {value!r}")
    return value


def _as_number(value: object) -> float | None:
    """Return the value as a finite float; None for strings, booleans and gigantic integers."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > MAX_NUMBER:
        return None
    return float(value) if isfinite(value) else None


def _number(where: str, given: Mapping[str, Any], name: str) -> float:
    number = _as_number(given.get(name))
    if number is None:
        raise ParameterError(f"{where} needs {name!r}, a finite number, not {given.get(name)!r}")
    return number


def _triple(where: str, value: object, name: str) -> FloatArray:
    numbers = [_as_number(each) for each in value] if isinstance(value, list | tuple) else []
    if len(numbers) != 3 or None in numbers:
        raise ParameterError(f"{where} needs {name!r} as three numbers [x, y, z] in metres, not {value!r}")
    return np.array(numbers, dtype=np.float64)
