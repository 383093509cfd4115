"""Values of options as words of a command, the way `motionloom` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import degrees
from typing import Any

from motionloom.options.option import Option, Table


def write_words(table: Table, given: Mapping[str, Any]) -> list[str]:
    """Write options that were given as words of a command, in the order of the table.

    >>> from motionloom.options.registration import REGISTRATION
    >>> write_words(REGISTRATION, {"pins": [(30, 42)], "window": 0.2})
    ['--window=0.2', '--pin=30,42']
    """
    return [word for option in table if option.name in given for word in _words(option, given[option.name])]


def _words(option: Option, value: Any) -> list[str]:
    flag = option.option
    if option.kind == "flag":
        return (
            [] if value == option.default else [f"--no-{flag.removeprefix('--')}" if option.default else flag]
        )
    if isinstance(value, str):
        return [f"{flag}={value}"]
    if option.kind == "placement":
        yaw, x, z = value
        return [f"{flag}={degrees(yaw)!r},{x!r},{z!r}"]
    if option.kind == "labels":
        return [f"{flag}={','.join(value)}"]
    if option.kind == "factors":
        return [f"{flag}={name}={factor!r}" for name, factor in value.items()]
    if option.kind == "rows":
        return [f"{flag}={name}={_row(row)}" for name, row in value.items()]
    if option.kind in ("pins", "pairs"):
        return [f"{flag}={_row(row)}" for row in value]
    return [f"{flag}={_row(value) if isinstance(value, Iterable) else repr(value)}"]


def _row(numbers: Iterable[float]) -> str:
    return ",".join(map(repr, numbers))
