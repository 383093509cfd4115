"""How long messages of the page, and the lists and strings in them, may be.

Fields of messages and recipes state in their metadata how many entries they may have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from motionloom.errors import ParameterError
from motionloom.project.document import Document
from motionloom.project.edits import MAX_ITEMS, AddItem, Edit
from motionloom.project.plain_data import MAX_ENTRIES, MAX_LENGTH

MAX_CHARACTERS = 24 * 1024 * 1024
"""Length of a message of the page. All marks of a clip are sent at once: there is room for the most plants
and events that it may have, of 380 and 120 characters each."""

MAX_STRING = 4096
"""Characters of a string; paths are the longest, except for files that a message holds as text."""

_ADVICE = {"sources": "blend some of them first", "options": "leave some out"}
_NOUNS = {
    "sources": "a clip is made of at most {limit} others, not of {count}",
    "curve": "a curve has at most {limit} vertices, not {count}",
    "upper": "a curve has at most {limit} vertices, not {count}",
}


def check_lists(message: object) -> None:
    """Refuse a message with a list or string that is too long.

    >>> from motionloom.project.recipes import BlendRecipe
    >>> check_lists(BlendRecipe(sources=("c1",) * 51, weights=(1.0,) * 51))
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: a clip is made of at most 50 others, not of 51: blend some of them first
    """
    for place, metadata, value in _fields_of(message):
        if isinstance(value, str):
            limit = metadata.get(MAX_LENGTH, MAX_STRING)
            if len(value) > limit:
                raise ParameterError(f"{place} must have at most {limit} characters, not {len(value)}")
            continue
        for limit in metadata.get(MAX_ENTRIES, ()):
            _check_length(place, limit, value)
            value = max((each for each in _entries(value) if isinstance(each, tuple)), key=len, default=())


def _entries(value: object) -> tuple[object, ...]:
    return tuple(value.values()) if isinstance(value, dict) else value if isinstance(value, tuple) else ()


def _fields_of(value: object) -> Iterator[tuple[str, Mapping[str, Any], object]]:
    """Every string, tuple and dict in a message, with the place and the metadata of its field."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        for field in fields(each) if is_dataclass(each) else ():
            held = getattr(each, field.name)
            if is_dataclass(held):
                waiting.append(held)
            elif isinstance(held, tuple | dict | str):
                yield f"{type(each).__name__}.{field.name}", field.metadata, held
                if isinstance(held, tuple):
                    waiting += [entry for entry in held if is_dataclass(entry)]


def _check_length(place: str, limit: int, value: object) -> None:
    count = len(value) if isinstance(value, tuple | dict) else 0
    if count > limit:
        field = place.rpartition(".")[2]
        sentence = _NOUNS.get(field, "{place} has at most {limit} entries, not {count}")
        advice = _ADVICE.get(field, "remove some")
        raise ParameterError(sentence.format(place=place, limit=limit, count=count), remedy=advice)


def check_edit(document: Document, edit: Edit) -> None:
    """Refuse an edit that makes a project, or a list in it, too long."""
    check_lists(edit)
    if isinstance(edit, AddItem) and len(document.items) >= MAX_ITEMS:
        raise ParameterError(
            f"a project holds at most {MAX_ITEMS} clips", remedy="remove some, or start another project"
        )
