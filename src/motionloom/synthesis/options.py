"""The built-in motions as the command line and projects name them: options in, motion out."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import fields
from math import degrees, radians
from typing import Any

from motionloom.errors import ParameterError
from motionloom.synthesis.catalogue import MOTIONS
from motionloom.synthesis.gait import GaitStyle
from motionloom.synthesis.result import SyntheticMotion

IN_WORDS = ("side", "target", "gait")
"""Options that are texts; all others are numbers."""


def make_motion(name: str, given: Mapping[str, Any]) -> SyntheticMotion:
    """Make a built-in motion from the options that were given; an option that is None was not.

    A turn is in degrees, a target is ``"X,Y,Z"`` in metres, and the style of a gait is
    ``"NAME=VALUE,…"`` (:class:`~motionloom.synthesis.GaitStyle`).

    >>> make_motion("walk", {"duration": 1.0, "fps": 30, "gait": "crouch=0.1"}).clip.n_frames
    31
    """
    if name not in MOTIONS:
        raise ParameterError(f"there is no built-in motion {name!r}: there are {', '.join(MOTIONS)}")
    options = {option: value for option, value in given.items() if value is not None}
    known = options_of(name)
    for option in options:
        if option not in known:
            raise ParameterError(f"{name} takes no {option}: it takes {', '.join(known)}")
        _check_type(option, options[option])
    return MOTIONS[name](**_arguments(options))


def options_of(name: str) -> list[str]:
    """The options that a motion can be given.

    >>> options_of("stand")
    ['duration', 'fps']
    """
    parameters = inspect.signature(MOTIONS[name]).parameters
    options = []
    for parameter in parameters.values():
        if parameter.name != "style":
            options.append(parameter.name)
        elif str(parameter.annotation).startswith(GaitStyle.__name__):
            options.append("gait")  # the style of a kick or a punch is a part of the motion's name
    return options


def usual_values(name: str) -> dict[str, float | str | None]:
    """Return the options of a motion with their defaults; None leaves the value to the motion.

    >>> usual_values("turn_left")
    {'turn': 90.0, 'duration': None, 'fps': 60.0}
    """
    parameters = inspect.signature(MOTIONS[name]).parameters
    values = {option: parameters[option].default for option in options_of(name) if option in parameters}
    if "turn" in values:
        values["turn"] = degrees(values["turn"])
    return {option: values.get(option) for option in options_of(name)}


def _check_type(option: str, value: object) -> None:
    """Refuse a string in place of a number, or the other way round: data of a project is not trusted."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, str) if option in IN_WORDS else is_number:
        return
    raise ParameterError(f"{option} must be a {'string' if option in IN_WORDS else 'number'}, not {value!r}")


def _arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options, as arguments of the function that makes the motion."""
    arguments = dict(options)
    if "turn" in arguments:
        arguments["turn"] = radians(arguments["turn"])
    if "target" in arguments:
        arguments["target"] = _target(arguments["target"])
    if "gait" in arguments:
        arguments["style"] = _gait(arguments.pop("gait"))
    return arguments


def _target(words: str) -> list[float]:
    try:
        x, y, z = (float(word) for word in words.split(","))
    except ValueError:
        raise ParameterError(f"a target is X,Y,Z in metres, such as 0.2,1.2,0.5, not {words!r}") from None
    return [x, y, z]


def _gait(words: str) -> GaitStyle:
    known = [field.name for field in fields(GaitStyle)]
    values: dict[str, float] = {}
    for entry in words.split(","):
        name, _, value = entry.partition("=")
        name = name.strip()
        try:
            values[name] = float(value)
        except ValueError:
            raise ParameterError(f"a gait is NAME=VALUE,…, such as crouch=0.1, not {entry!r}") from None
        if name not in known:
            raise ParameterError(f"a gait has no {name!r}: it has {', '.join(known)}")
    return GaitStyle(**values)
