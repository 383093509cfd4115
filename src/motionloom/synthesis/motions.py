"""The built-in motions by name, and how to make one from the options of the command line or a project."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from math import degrees, pi, radians
from types import MappingProxyType
from typing import Any

from motionloom.errors import ParameterError
from motionloom.synthesis.gait import GaitStyle
from motionloom.synthesis.jump import jump
from motionloom.synthesis.kick import kick
from motionloom.synthesis.locomotion import jog, sneak, turn_walk, walk
from motionloom.synthesis.punch import punch
from motionloom.synthesis.reach_out import reach_out
from motionloom.synthesis.stand import idle, stand
from motionloom.synthesis.synthetic_motion import SyntheticMotion
from motionloom.synthesis.turn_in_place import turn_in_place

_CURVE = 0.25
"""Curvature of the named left and right curves, 1/m: a circle of 4 m radius."""

_SNEAK_CURVE = 0.5
"""Curvature of the named sneaking curves, 1/m: slow steps need a tighter circle to show."""

_LOCOMOTION: dict[str, Callable[..., SyntheticMotion]] = {
    "walk": walk,
    "walk_left": partial(walk, curvature=_CURVE),
    "walk_right": partial(walk, curvature=-_CURVE),
    "jog": jog,
    "jog_left": partial(jog, curvature=_CURVE),
    "jog_right": partial(jog, curvature=-_CURVE),
    "sneak": sneak,
    "sneak_left": partial(sneak, curvature=_SNEAK_CURVE),
    "sneak_right": partial(sneak, curvature=-_SNEAK_CURVE),
}

MOTIONS: Mapping[str, Callable[..., SyntheticMotion]] = MappingProxyType(
    {
        **_LOCOMOTION,
        "walk_turn_left": partial(turn_walk, turn=pi / 2.0),
        "walk_turn_right": partial(turn_walk, turn=-pi / 2.0),
        "walk_turn_back": partial(turn_walk, turn=pi),
        "turn_left": partial(turn_in_place, turn=pi / 2.0),
        "turn_right": partial(turn_in_place, turn=-pi / 2.0),
        "turn_back": partial(turn_in_place, turn=pi),
        "kick_front": partial(kick, style="front"),
        "kick_side": partial(kick, style="side"),
        "kick_high": partial(kick, style="high"),
        "punch_jab": partial(punch, style="jab"),
        "punch_strong": partial(punch, style="strong"),
        "jump": jump,
        "reach": reach_out,
        "stand": stand,
        "idle": idle,
    }
)
"""Every built-in motion by name; each takes at least ``duration`` (seconds) and ``fps`` as keywords."""


def locomotion_set(*, fps: float = 60.0) -> dict[str, SyntheticMotion]:
    """Make nine clips: walk, jog and sneak, each straight, to the left and to the right, by name.

    >>> sorted(locomotion_set(fps=10))[:3]
    ['jog', 'jog_left', 'jog_right']
    """
    return {name: make(fps=fps) for name, make in _LOCOMOTION.items()}


STRING_OPTIONS = ("side", "target", "gait")
"""Options that are strings; all others are numbers."""


def make_motion(name: str, given: Mapping[str, Any]) -> SyntheticMotion:
    """Make a built-in motion from options; None means the default.

    A turn is in degrees, a target is ``"X,Y,Z"`` in metres, and the style of a gait is
    ``"NAME=VALUE,…"`` (:class:`~motionloom.synthesis.GaitStyle`).

    >>> make_motion("walk", {"duration": 1.0, "fps": 30, "gait": "crouch=0.1"}).clip.n_frames
    31
    """
    if name not in MOTIONS:
        raise ParameterError(
            f"there is no built-in motion {name!r}", remedy=f"choose from {', '.join(MOTIONS)}"
        )
    options = {option: value for option, value in given.items() if value is not None}
    known = option_names(name)
    for option in options:
        if option not in known:
            raise ParameterError(f"{name} takes no {option}: it takes {', '.join(known)}")
        _check_type(option, options[option])
    return MOTIONS[name](**_to_arguments(options))


def option_names(name: str) -> list[str]:
    """Return the names of the options of a motion.

    >>> option_names("stand")
    ['duration', 'fps']
    """
    parameters = inspect.signature(MOTIONS[name]).parameters
    options = []
    for parameter in parameters.values():
        if parameter.name != "style":
            options.append(parameter.name)
        elif str(parameter.annotation).startswith(GaitStyle.__name__):
            options.append("gait")  # the style of a kick or a punch is part of the motion's name
    return options


def option_defaults(name: str) -> dict[str, float | str | None]:
    """Return the options of a motion with their defaults; None leaves the value to the motion.

    >>> option_defaults("turn_left")
    {'turn': 90.0, 'duration': None, 'fps': 60.0}
    """
    parameters = inspect.signature(MOTIONS[name]).parameters
    values = {option: parameters[option].default for option in option_names(name) if option in parameters}
    if "turn" in values:
        values["turn"] = degrees(values["turn"])
    return {option: values.get(option) for option in option_names(name)}


def _check_type(option: str, value: object) -> None:
    """Refuse a string in place of a number and vice versa: project files are not trusted."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, str) if option in STRING_OPTIONS else is_number:
        return
    raise ParameterError(
        f"{option} must be a {'string' if option in STRING_OPTIONS else 'number'}, not {value!r}"
    )


def _to_arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """Convert options to arguments of the function that makes the motion."""
    arguments = dict(options)
    if "turn" in arguments:
        arguments["turn"] = radians(arguments["turn"])
    if "target" in arguments:
        arguments["target"] = _parse_target(arguments["target"])
    if "gait" in arguments:
        arguments["style"] = _parse_gait(arguments.pop("gait"))
    return arguments


def _parse_target(text: str) -> list[float]:
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"a target is X,Y,Z in metres, such as 0.2,1.2,0.5, not {text!r}") from None
    return [x, y, z]


def _parse_gait(text: str) -> GaitStyle:
    known = [field.name for field in fields(GaitStyle)]
    values: dict[str, float] = {}
    for entry in text.split(","):
        name, _, value = entry.partition("=")
        name = name.strip()
        try:
            values[name] = float(value)
        except ValueError:
            raise ParameterError(f"a gait is NAME=VALUE,…, such as crouch=0.1, not {entry!r}") from None
        if name not in known:
            raise ParameterError(f"a gait has no {name!r}: it has {', '.join(known)}")
    return GaitStyle(**values)
