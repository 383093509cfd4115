"""The wire format as TypeScript, written from the dataclasses so that page and server cannot differ.

``python -m motionloom.studio.typescript FILE`` writes it.
"""

from __future__ import annotations

import json
import sys
import types
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from motionloom.project.edits import Edit
from motionloom.project.plain_data import field_types
from motionloom.project.recipes import Recipe
from motionloom.project.recipes.recipe import SOURCE
from motionloom.studio import messages, responses
from motionloom.studio.limits import MAX_CHARACTERS

HEAD = "// Written by `python -m motionloom.studio.typescript`; change the dataclasses, not this file.\n"

_SCALARS = {float: "number", int: "number", str: "string", bool: "boolean", type(None): "null"}

UNIONS = {
    "Recipe": Recipe,
    "Edit": Edit,
    "FromPage": messages.FromPage,
    "FromServer": messages.FromServer,
}


def write_types() -> str:
    """Write the TypeScript file.

    >>> "export interface BlendRecipe {" in write_types()
    True
    """
    unions = {frozenset(get_args(union)): name for name, union in UNIONS.items()}
    found: dict[str, Any] = {}
    for union in (*UNIONS.values(), *responses.RESPONSES):
        _collect(union, found)
    parts = [HEAD]
    parts += [_interface(kind, unions) for kind in found.values()]
    parts += [
        f"export type {name} = {' | '.join(member.__name__ for member in get_args(union))};\n"
        for name, union in UNIONS.items()
    ]
    kinds = [(str(field_types(kind)["type"][0].default), kind) for kind in get_args(Recipe)]
    names = {name: kind.KIND for name, kind in kinds}
    sources = {name: [each.name for each in fields(kind) if SOURCE in each.metadata] for name, kind in kinds}
    parts += [
        _table("KINDS", "What the list of clips calls each kind of clip", "string", names),
        _table("SOURCES", "Fields of each kind of recipe that name other clips", "string[]", sources),
    ]
    parts.append(
        f"/** Length of a message to the server. */\nexport const MAX_CHARACTERS = {MAX_CHARACTERS};\n"
    )
    return "\n".join(parts)


def _table(name: str, summary: str, kind: str, entries: dict[str, Any]) -> str:
    """Write a constant with an entry for each kind of recipe."""
    lines = [f"  {entry}: {json.dumps(value)}," for entry, value in entries.items()]
    head = f'export const {name}: Record<Recipe["type"], {kind}> = {{'
    return "\n".join([f"/** {summary}. */", head, *lines, "};", ""])


def _collect(kind: Any, found: dict[str, Any]) -> None:
    """Every dataclass that a type mentions, each after those that it needs."""
    if is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in found:
            for _, hint in field_types(kind).values():
                _collect(hint, found)
            found[kind.__name__] = kind
        return
    for entry in get_args(kind):
        if entry is not Ellipsis and not isinstance(entry, str | int):
            _collect(entry, found)


def _interface(kind: type, unions: dict[frozenset[Any], str]) -> str:
    summary = (kind.__doc__ or "").strip().splitlines()[0]
    lines = [f"  {name}: {_write(hint, unions)};" for name, (_, hint) in field_types(kind).items()]
    return "\n".join([f"/** {summary} */", f"export interface {kind.__name__} {{", *lines, "}", ""])


def _write(kind: Any, unions: dict[frozenset[Any], str]) -> str:
    if kind in _SCALARS:
        return _SCALARS[kind]
    if is_dataclass(kind) and isinstance(kind, type):
        return kind.__name__
    origin, entries = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(f'"{choice}"' if isinstance(choice, str) else str(choice) for choice in entries)
    if origin in (Union, types.UnionType):
        named = unions.get(frozenset(entries))
        return named or " | ".join(_write(entry, unions) for entry in entries)
    if origin is dict:
        return f"Record<string, {_write(entries[1], unions)}>"
    if origin is tuple and entries[-1] is Ellipsis:
        inner = _write(entries[0], unions)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(_write(entry, unions) for entry in entries)}]"
    raise TypeError(f"messages cannot hold {kind}")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(write_types(), encoding="utf-8")
