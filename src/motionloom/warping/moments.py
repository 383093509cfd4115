"""Moments of a clip by name: events, phases of a gait, fractions of the clip, and crossings of an obstacle.

A key at "left strike 2" is at the second strike of the left foot of whatever clip it is applied to::

    start, end, 50 %                  of the clip
    left strike 2, right lift last    events: side or joint, label, and which one (the first by default)
    every left strike                 all of them: a key at each
    phase 0.25, phase 0.25 of cycle 2, every phase 0.25
    crossing 1, crossing 2            the first and the second foot pass over the obstacle of the warp
    left strike 2 + 0.1 s             seconds later, or earlier

A cycle of a gait goes from one left strike to the next. The first left strike in the clip begins cycle 1;
what comes before it is cycle 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.annotation.labels import EVENT_LABELS
from motionloom.annotation.strides import gait_phase
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Event
from motionloom.motion.anatomy.find_anatomy import SIDES
from motionloom.validation import check_number
from motionloom.warping.joint_roles import ROLES, find_roles

SAME_EVENT = 1e-3
"""Seconds between two events of a name below which they count as one."""

TIME_SLACK = 1e-6
"""Seconds by which a moment may lie beyond the clip's ends: rounding."""

FORMS = "'left strike 2', 'every right lift', 'phase 0.25 of cycle 2', '50 %', 'start', 'end' or 'crossing 1'"
"""What error messages show of the words above."""

_SHIFT = re.compile(r"(.*\S)\s*([+-])\s*([0-9.]+)\s*s")
_PERCENT = re.compile(r"([0-9.]+)\s*%(?: of the clip)?")
_PHASE = re.compile(r"phase ([0-9.]+)(?: of cycle ([0-9]+))?")
_NUMBERED = re.compile(r"(.+?) (-?[0-9]+|last)")
_EVERY = "every "


@dataclass(frozen=True)
class Moment:
    """A moment of any clip.

    Attributes
    ----------
    kind
        What ``value`` and ``label`` say.
    value
        Fraction of the clip, or phase of a gait, 0 to 1.
    label
        Label of the event.
    owner
        What the event belongs to: "left", "right", a role, the name of a joint, or "" for any.
    number
        Which one, from 1; -1 is the last.
    every
        Whether all of them are meant.
    shift
        Seconds after the moment.
    """

    kind: Literal["fraction", "phase", "event", "crossing"]
    value: float = 0.0
    label: str = ""
    owner: str = ""
    number: int = 1
    every: bool = False
    shift: float = 0.0


def parse_moment(text: str) -> Moment:
    """Read a moment from words.

    >>> parse_moment("left mid swing 2")
    Moment(kind='event', value=0.0, label='mid swing', owner='left', number=2, every=False, shift=0.0)
    >>> parse_moment("every phase 0.25 - 0.1 s").shift
    -0.1
    """
    words = " ".join(text.split())
    shifted = _SHIFT.fullmatch(words)
    if shifted is not None and _is_number(shifted[3]):
        moment = parse_moment(shifted[1])
        return replace(moment, shift=moment.shift + float(f"{shifted[2]}{shifted[3]}"))
    every = words.startswith(_EVERY)
    words = words.removeprefix(_EVERY)
    moment_at = _parse_place(text, words)
    if every and (moment_at.kind in ("fraction", "crossing") or _NUMBERED.fullmatch(words)):
        raise ParameterError(
            f"{text!r} asks for every one of a moment that is only one", remedy="leave out 'every'"
        )
    return replace(moment_at, every=every)


def parse_percent(text: str) -> float:
    """Read a fraction of the clip, 0 to 1.

    >>> parse_percent("25 %")
    0.25
    """
    found = _PERCENT.fullmatch(" ".join(text.split()))
    if found is None or not _is_number(found[1]):
        raise ParameterError(f"{text!r} is no fraction of a clip", remedy="write a percentage such as '25 %'")
    return check_number(f"{text!r}", float(found[1]), min=0.0, max=100.0) / 100.0


def find_times(clip: Clip, text: str, crossings: Sequence[float] = ()) -> list[float]:
    """Find the seconds at which a moment happens in a clip: one, or all of an "every".

    Parameters
    ----------
    clip
        A clip; events are detected unless it has some.
    text
        The moment in words.
    crossings
        Seconds at which the feet pass over an obstacle.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0, fps=60).clip
    >>> [round(time, 2) for time in find_times(clip, "every left strike")]
    [1.03, 2.07]
    >>> find_times(clip, "50 %")
    [1.5]
    """
    moment = parse_moment(text)
    found = [time + moment.shift for time in _find_all(clip, text, moment, crossings)]
    inside = [time for time in found if -TIME_SLACK <= time <= clip.duration + TIME_SLACK]
    if not inside:
        listed = ", ".join(f"{time:.2f}" for time in found)
        raise ParameterError(
            f"{text!r} is at {listed} s, outside the clip, which runs from 0 to {clip.duration:g} s",
            remedy="choose another moment, or a longer clip",
        )
    return [float(np.clip(time, 0.0, clip.duration)) for time in inside]


def find_events(clip: Clip, label: str, owner: str = "") -> list[float]:
    """Return the seconds of events in order; owner is a side, a role, a joint's name, or "" for any.

    >>> from motionloom.synthesis import walk
    >>> len(find_events(walk(duration=3.0).clip, "strike", "right"))
    3
    """
    roles = {clip.skeleton.names[joint]: role for role, joint in find_roles(clip.skeleton).items()}
    found: list[float] = []
    for event in events_of(clip):
        role = roles.get(event.joint, "")
        if event.label == label and owner in ("", event.joint, role, role.split(" ")[0]):
            time = event.frame * clip.frame_time
            if not found or time - found[-1] > SAME_EVENT:
                found.append(time)
    return found


def events_of(clip: Clip) -> list[Event]:
    """Return the events of a clip in order of time, its own or detected ones."""
    return sorted(clip.events or annotate(clip).events, key=lambda event: event.frame)


def _parse_place(text: str, words: str) -> Moment:
    """Read a moment without "every" and without seconds before or after it."""
    if words in ("start", "end"):
        return Moment("fraction", 0.0 if words == "start" else 1.0)
    if _PERCENT.fullmatch(words):
        return Moment("fraction", parse_percent(words))
    phase = _PHASE.fullmatch(words)
    if phase is not None and _is_number(phase[1]):
        value = check_number(f"the phase in {text!r}", float(phase[1]), min=0.0, max=1.0)
        return Moment("phase", value, number=int(phase[2] or 1))
    numbered = _NUMBERED.fullmatch(words)
    name, number = (numbered[1], numbered[2]) if numbered else (words, "1")
    order = -1 if number == "last" else _check_order(text, int(number))
    if name == "crossing":
        return Moment("crossing", number=order)
    if not name or not any(letter.isalpha() for letter in name) or name in SIDES:
        raise ParameterError(f"{text!r} is no moment", remedy=f"write seconds, or {FORMS}")
    owner, label = _split_event(name)
    return Moment("event", label=label, owner=owner, number=order)


def _split_event(name: str) -> tuple[str, str]:
    """Split "left knee flexion" into what the event belongs to and its label."""
    for label in EVENT_LABELS:
        if name == label or name.endswith(f" {label}"):
            return name.removesuffix(label).strip(), label
    # Labels of the user's own follow a side or a role.
    owner = max((o for o in (*SIDES, *ROLES) if name.startswith(f"{o} ")), key=len, default="")
    return owner, name.removeprefix(owner).strip()


def _find_all(clip: Clip, text: str, moment: Moment, crossings: Sequence[float]) -> list[float]:
    if moment.kind == "fraction":
        return [moment.value * clip.duration]
    if moment.kind == "phase":
        return _find_phase(clip, text, moment)
    if moment.kind == "crossing":
        if not 0 < moment.number <= len(crossings):
            state = f"its obstacle has {len(crossings)}" if crossings else "the warp has no obstacle"
            raise ParameterError(f"{text!r} cannot be found: {state}")
        return [crossings[moment.number - 1]]
    found = find_events(clip, moment.label, moment.owner)
    if moment.every and found:
        return found
    try:
        return [found[moment.number - 1 if moment.number > 0 else moment.number]]
    except IndexError:
        raise ParameterError(_describe_missing(clip, text, moment, found)) from None


def _find_phase(clip: Clip, text: str, moment: Moment) -> list[float]:
    try:
        phase = gait_phase(clip if clip.events else annotate(clip))
    except ParameterError as error:
        raise ParameterError(
            f"{text!r} needs a gait, but {error}; use an event, or a fraction such as '50 %'"
        ) from None
    cycles = np.arange(np.ceil(phase[0] - moment.value), np.floor(phase[-1] - moment.value) + 1.0)
    if not moment.every:
        cycles = cycles[cycles == moment.number - 1]
    if not len(cycles):
        first, last = phase[0] + 1.0, phase[-1] + 1.0
        raise ParameterError(
            f"{text!r} is not in the clip, which goes from phase {first % 1:.2f} of cycle {first // 1:.0f} "
            f"to phase {last % 1:.2f} of cycle {last // 1:.0f}"
        )
    frames = np.interp(cycles + moment.value, phase, np.arange(clip.n_frames))
    return list((frames * clip.frame_time).tolist())


def _describe_missing(clip: Clip, text: str, moment: Moment, found: Sequence[float]) -> str:
    name = f"{moment.owner} {moment.label}".strip()
    if found:
        listed = ", ".join(f"{time:.2f}" for time in found)
        return (
            f"the clip has no {text!r}: it has {len(found)} {name!r} events, at {listed} s; name one of "
            f"them, '{name} last' or 'every {name}'"
        )
    labels = sorted({event.label for event in events_of(clip)})
    known = f"its events are {', '.join(labels)}" if labels else "no events were found in it"
    return f"the clip has no {name!r} events, which {text!r} asks for: {known}"


def _check_order(text: str, number: int) -> int:
    if number < 1:
        raise ParameterError(f"{text!r} counts from 1", remedy="write 1 or more, or 'last'")
    return number


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
