"""The public interface is what `public_api.txt` says: names, parameters, types, methods and attributes.

Where a change is meant, ``python -m tests.contracts.test_public_api`` writes the file anew.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from difflib import unified_diff
from pathlib import Path
from types import ModuleType

import pytest

import motionloom as ml

SNAPSHOT = Path(__file__).with_name("public_api.txt")


def describe_interface() -> list[str]:
    """Return a line for every public name, and one for each public member of a class or module."""
    lines = []
    for name in sorted(ml.__all__):
        value = getattr(ml, name)
        lines.append(_describe(name, value))
        if inspect.isclass(value) or isinstance(value, ModuleType):
            lines += [f"    {line}" for line in _describe_members(value)]
    return lines


def _describe_members(owner: object) -> list[str]:
    fields = {}
    if inspect.isclass(owner) and dataclasses.is_dataclass(owner):
        fields = {field.name: str(field.type) for field in dataclasses.fields(owner)}
    names = getattr(owner, "__all__", None) or {*vars(owner), *fields}
    lines = []
    for name in sorted(name for name in names if not name.startswith("_")):
        value = inspect.getattr_static(owner, name, None)
        if isinstance(owner, ModuleType):
            value = getattr(owner, name)
        if name in fields:
            lines.append(f"{name}: {fields[name]}")
        elif isinstance(value, property) or hasattr(value, "attrname"):  # a cached property
            function = value.fget if isinstance(value, property) else getattr(value, "func", None)
            returned = getattr(function, "__annotations__", {}).get("return", "?")
            lines.append(f"{name} -> {returned} (property)")
        else:
            function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            lines.append(_describe(name, function))
    return lines


def _describe(name: str, value: object) -> str:
    if isinstance(value, ModuleType) or not callable(value):
        return name
    kind = "class " if inspect.isclass(value) else ""
    try:
        signature = str(inspect.signature(value))
    except ValueError:
        signature = "(…)"
    return kind + name + re.sub(r" at 0x[0-9a-f]+|'", "", signature)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="signatures are written as Python 3.11 to 3.13 do")
def test_the_interface_is_the_one_that_was_reviewed() -> None:
    known = SNAPSHOT.read_text(encoding="utf-8").splitlines()
    changes = list(
        unified_diff(known, describe_interface(), "public_api.txt", "motionloom", lineterm="", n=0)
    )
    assert not changes, "\n".join([*changes, "if meant: python -m tests.contracts.test_public_api"])


def test_no_part_of_the_interface_is_untyped() -> None:
    untyped = [line.strip() for line in describe_interface() if re.search(r"\bAny\b", line)]
    assert not untyped, "\n".join(untyped)


SECTIONS = ("Parameters\n----------", "Returns\n-------", "Raises\n------", ">>> ")
"""What the docstring of a public function has."""


@pytest.mark.parametrize("name", [name for name in ml.__all__ if inspect.isfunction(getattr(ml, name))])
def test_every_function_says_what_it_takes_gives_and_refuses_with_an_example(name: str) -> None:
    text = inspect.getdoc(getattr(ml, name)) or ""
    assert not [section for section in SECTIONS if section not in text]


if __name__ == "__main__":
    SNAPSHOT.write_text("\n".join(describe_interface()) + "\n", encoding="utf-8")
