"""Python code written from values: calls, literals, and the statements that make one clip of a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass

MAX_LINE = 100
"""Characters after which a call is written with one argument per line."""


class Code(str):
    """A value that is code already."""


def write_call(function: str, *arguments: str, **choices: object) -> str:
    """Write a call as code; arguments are code already, keywords are values.

    >>> write_call("ml.load", write_string("walk.bvh"), fps=30)
    'ml.load("walk.bvh", fps=30)'
    """
    parts = [*arguments, *(f"{name}={write_value(value)}" for name, value in choices.items())]
    line = f"{function}({', '.join(parts)})"
    return line if len(line) <= MAX_LINE and "\n" not in line else f"{function}({_indent(parts)})"


def write_list(entries: Sequence[str]) -> str:
    """Code of several values as code of a list of them."""
    return _enclose("[", entries, "]")


def _indent(parts: Sequence[str]) -> str:
    inner = ",\n".join(parts).replace("\n", "\n    ")
    return f"\n    {inner},\n"


def write_value(value: object) -> str:
    """Write plain data and dataclasses as code; code stays as it is.

    >>> write_value({"head": (1.0, 0.0)})
    '{"head": (1.0, 0.0)}'
    """
    if isinstance(value, Code):
        return str(value)
    if isinstance(value, str):
        return write_string(value)
    if isinstance(value, dict):
        entries = [f"{write_value(name)}: {write_value(entry)}" for name, entry in value.items()]
        return _enclose("{", entries, "}")
    if isinstance(value, list):
        return _enclose("[", [write_value(entry) for entry in value], "]")
    if isinstance(value, tuple):
        return _enclose("(", [write_value(entry) for entry in value], ",)" if len(value) == 1 else ")")
    if is_dataclass(value) and not isinstance(value, type):
        stated = {field.name: getattr(value, field.name) for field in fields(value)}
        usual = {field.name: field.default for field in fields(value)}
        return write_call(type(value).__name__, **{n: v for n, v in stated.items() if v != usual[n]})
    return repr(value)


def _enclose(opening: str, entries: Sequence[str], closing: str) -> str:
    line = f"{opening}{', '.join(entries)}{closing}"
    if len(line) <= MAX_LINE and "\n" not in line:
        return line
    return f"{opening}{_indent(entries)}{closing[-1]}"


def write_string(words: str) -> str:
    """Write a string literal, in double quotes where that is as short."""
    plain = repr(words)
    return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in plain else plain


class PythonStatements:
    """The statements that make one item of a document of those before it.

    Parameters
    ----------
    name
        The variable of the item's clip.
    names
        Variables of all items, by id.

    >>> script = PythonStatements("walk", {"c1": "walk"})
    >>> script.set(write_call("ml.load", write_string("walk.bvh")))
    >>> script.lines
    ['walk = ml.load("walk.bvh")']
    """

    def __init__(self, name: str, names: Mapping[str, str]) -> None:
        self.name, self.names = name, names
        self.lines: list[str] = []

    def set(self, value: str) -> None:
        """Give the item's variable a new value."""
        self.lines.append(f"{self.name} = {value}")

    def set_clip_of(self, call: str) -> None:
        """Give the item's variable the clip of the result that a call returns."""
        self.set(f"{call}.clip")

    def sources(self, ids: Sequence[str]) -> str:
        """Write a list of clips made before."""
        return f"[{', '.join(self.names[id] for id in ids)}]"

    def ensure_annotated(self, id: str) -> str:
        """Write a clip made before, annotated where it is not."""
        return f"ensure_annotated({self.names[id]})"


ENSURE_ANNOTATED = "motionloom.workflows.ensure_annotated"
"""Where :meth:`PythonStatements.ensure_annotated` comes from."""
