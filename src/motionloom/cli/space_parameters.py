"""Parameters of motion spaces as words of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motionloom.cli.options import parse_named
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.spaces.measures import Parameter

FORM = "foot=position RightFoot at apex axes xy"

OF_JOINTS = ("position", "height", "direction", "clearance")
"""Kinds that are measured at a joint."""

OF_STEPS = ("step place", "step length")
"""Kinds that are measured at a step."""

OF_BODY = ("turn", "turn rate", "duration", "end place")
"""Kinds that are measured of the body, from start to end."""

KINDS = (*OF_JOINTS, "speed", *OF_STEPS, *OF_BODY)

OPTIONS = ("at", "axes", "ahead", "over")
"""Words that begin an option of a kind; what follows belongs to it, up to the next one."""


def parse_parameter(text: str) -> tuple[str, Parameter]:
    """Read a parameter: a name, a kind, what it is measured of, and options.

    >>> name, parameter = parse_parameter("foot=position RightFoot at left strike 2 axes xz")
    >>> name, parameter.components, parameter.at
    ('foot', ('x', 'z'), 'left strike 2')
    """
    from motionloom.spaces import parameters

    name, words = parse_named("--parameter", text, f"NAME=KIND, such as {FORM!r}")
    kind, of, options = _split(text, words.split())
    if kind in OF_BODY and not of:
        _refuse_options(text, kind, options, ())
        makers = {
            "turn": parameters.turn,
            "turn rate": parameters.turn_rate,
            "duration": parameters.duration,
            "end place": parameters.end_place,
        }
        return name, makers[kind]()
    if kind in OF_STEPS:
        _refuse_options(text, kind, options, ())
        if not (of.isdecimal() or not of):
            raise ParameterError(f"--parameter {text!r}: {kind} takes the number of a step, not {of!r}")
        step = int(of or 1)
        return name, (parameters.step_length(step) if kind == "step length" else parameters.step_place(step))
    if kind == "speed":
        _refuse_options(text, kind, options, ("at",) if of else ())
        at = _moment(options.get("at", "fastest"))
        return name, parameters.speed(of or None, at)
    return name, _parse_of_joint(text, kind, of, options)


def _parse_of_joint(text: str, kind: str, of: str, options: dict[str, str]) -> Parameter:
    from motionloom.spaces import parameters

    if kind not in OF_JOINTS:
        raise ParameterError(f"--parameter {text!r}: {kind} is measured of the body; leave out {of!r}")
    if not of:
        raise ParameterError(f"--parameter {text!r}: {kind} needs a joint, such as {FORM!r}")
    if kind == "clearance":
        _refuse_options(text, kind, options, ("ahead", "over"))
        if "ahead" not in options:
            raise ParameterError(f"--parameter {text!r}: clearance needs a place, such as ahead 1.2")
        return parameters.clearance(
            of,
            _number(text, options["ahead"]),
            _number(text, options.get("over", "0")),
        )
    _refuse_options(text, kind, options, ("at", "axes") if kind == "position" else ("at",))
    if kind == "height":
        return parameters.height(of, _moment(options.get("at", "highest")))
    at = _moment(options.get("at", "apex"))
    if kind == "direction":
        return parameters.direction(of, at)
    return parameters.position(of, at, axes=options.get("axes", "xyz"))


def _split(text: str, words: list[str]) -> tuple[str, str, dict[str, str]]:
    """Return the kind, what it is measured of, and the options, from words."""
    kinds = sorted(KINDS, key=len, reverse=True)
    kind = next((each for each in kinds if words[: len(each.split())] == each.split()), None)
    if kind is None:
        raise ParameterError(f"--parameter {text!r} is of no known kind: the kinds are {', '.join(KINDS)}")
    of: list[str] = []
    options: dict[str, str] = {}
    current: str | None = None
    for word in words[len(kind.split()) :]:
        if word in OPTIONS:
            if word in options:
                raise ParameterError(f"--parameter {text!r} has {word!r} twice")
            current, options[word] = word, ""
        elif current is None:
            of.append(word)
        else:
            options[current] = f"{options[current]} {word}".strip()
    for option, value in options.items():
        if not value:
            raise ParameterError(f"--parameter {text!r}: nothing follows {option!r}")
    return kind, " ".join(of), options


def _refuse_options(text: str, kind: str, options: dict[str, str], allowed: tuple[str, ...]) -> None:
    for option in options:
        if option not in allowed:
            known = f"it takes {', '.join(allowed)}" if allowed else "it takes none"
            raise ParameterError(f"--parameter {text!r}: {kind} has no option {option!r}; {known}")


def _moment(text: str) -> str | float:
    """Return seconds as a number ("0.5 s", "0.5"), other moments as they are."""
    try:
        return float(text.removesuffix("s").strip())
    except ValueError:
        return text


def _number(text: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ParameterError(f"--parameter {text!r}: {value!r} is not a number") from None
