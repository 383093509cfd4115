"""The built-in motions as the command line names them: options in, motion out."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import fields
from math import radians
from typing import Any

from motionloom.errors import ParameterError
from motionloom.synthesis import MOTIONS, GaitStyle, SyntheticMotion


def make_motion(name: str, given: Mapping[str, Any]) -> SyntheticMotion:
    """Make a built-in motion from the options that were given; an option that is None was not."""
    if name not in MOTIONS:
        raise ParameterError(f"there is no built-in motion {name!r}: there are {', '.join(MOTIONS)}")
    options = {option: value for option, value in given.items() if value is not None}
    known = options_of(name)
    for option in options:
        if option not in known:
            raise ParameterError(f"{name} takes no --{option}: it takes {', '.join(f'--{k}' for k in known)}")
    return MOTIONS[name](**_arguments(options))


def options_of(name: str) -> list[str]:
    """The options that a motion can be given."""
    parameters = inspect.signature(MOTIONS[name]).parameters
    options = []
    for parameter in parameters.values():
        if parameter.name != "style":
            options.append(parameter.name)
        elif str(parameter.annotation).startswith(GaitStyle.__name__):
            options.append("gait")  # the style of a kick or a punch is a part of the motion's name
    return options


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
        raise ParameterError(f"--target needs X,Y,Z in metres, not {words!r}") from None
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
            raise ParameterError(f"--gait needs NAME=VALUE entries, not {entry!r}") from None
        if name not in known:
            raise ParameterError(f"--gait knows no {name!r}: it knows {', '.join(known)}")
    return GaitStyle(**values)
