"""Values and calls as Python code that people read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass

LONGEST_LINE = 100
"""Characters after which a call is written with one argument per line."""


class Code(str):
    """A value that is code already."""


def call(function: str, *arguments: str, **choices: object) -> str:
    """A call as code; arguments are code already, choices are values.

    >>> call("ml.load", text_of("walk.bvh"), fps=30)
    'ml.load("walk.bvh", fps=30)'
    """
    parts = [*arguments, *(f"{name}={value_of(value)}" for name, value in choices.items())]
    line = f"{function}({', '.join(parts)})"
    return line if len(line) <= LONGEST_LINE and "\n" not in line else f"{function}({_indented(parts)})"


def listed(entries: Sequence[str]) -> str:
    """Code of several values as code of a list of them."""
    return _enclosed("[", entries, "]")


def _indented(parts: Sequence[str]) -> str:
    inner = ",\n".join(parts).replace("\n", "\n    ")
    return f"\n    {inner},\n"


def value_of(value: object) -> str:
    """Plain data and dataclasses as code; code stays as it is.

    >>> value_of({"head": (1.0, 0.0)})
    '{"head": (1.0, 0.0)}'
    """
    if isinstance(value, Code):
        return str(value)
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, dict):
        entries = [f"{value_of(name)}: {value_of(entry)}" for name, entry in value.items()]
        return _enclosed("{", entries, "}")
    if isinstance(value, list):
        return _enclosed("[", [value_of(entry) for entry in value], "]")
    if isinstance(value, tuple):
        return _enclosed("(", [value_of(entry) for entry in value], ",)" if len(value) == 1 else ")")
    if is_dataclass(value) and not isinstance(value, type):
        stated = {field.name: getattr(value, field.name) for field in fields(value)}
        usual = {field.name: field.default for field in fields(value)}
        return call(type(value).__name__, **{n: v for n, v in stated.items() if v != usual[n]})
    return repr(value)


def _enclosed(opening: str, entries: Sequence[str], closing: str) -> str:
    line = f"{opening}{', '.join(entries)}{closing}"
    if len(line) <= LONGEST_LINE and "\n" not in line:
        return line
    return f"{opening}{_indented(entries)}{closing[-1]}"


def text_of(words: str) -> str:
    """A text as code, in double quotes where that is as short."""
    plain = repr(words)
    return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in plain else plain
