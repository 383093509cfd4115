"""How long the lists in messages of the page may be, and how many clips a project holds: one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from motionloom.errors import ParameterError
from motionloom.project.document import Document
from motionloom.project.edits import AddItem, Edit

MAX_ITEMS = 5000
"""Clips of a project: after every edit all of them are compared and sent, in some milliseconds."""

MAX_SOURCES = 50
"""Clips that one is made of: they are registered in pairs, each of which takes a part of a second."""

MAX_VERTICES = 1000
"""Vertices of a curve in a framespace; more are taken for a mistake."""

MAX_KEYS = 5000
"""Keys of a warp or of weights; a key in every frame of a minute."""

MAX_MARKS = 50_000
"""Plants or events of a clip: both feet of a runner over hours."""

MAX_CHARACTERS = 24 * 1024 * 1024
"""Length of a message of the page. All marks of a clip are sent at once: there is room for the most plants
and events that it may have, of 380 and 120 characters each."""

MAX_NAMES = 2000
"""Joints or parts of a body that are named, as many as a skeleton may have."""

MAX_STRING = 4096
"""Characters of a string; paths are the longest, except for files that a message holds as text."""

STRING_LIMITS = {"WarpRecipe.saved": 512 * 1024}
"""Characters of files that a message holds, by type and field: a saved warp of thousands of keys."""

LIMITS: dict[str, tuple[int, ...]] = {
    "MotionRecipe.options": (50,),
    "WeightKey.weights": (MAX_SOURCES,),
    "RegistrationRecipe.joint_weights": (MAX_NAMES,),
    "RegistrationRecipe.pins": (MAX_VERTICES, MAX_SOURCES),
    "RegistrationRecipe.start": (MAX_SOURCES,),
    "BlendRecipe.sources": (MAX_SOURCES,),
    "BlendRecipe.weights": (MAX_SOURCES,),
    "BlendRecipe.keys": (MAX_KEYS,),
    "BlendRecipe.parts": (MAX_NAMES, MAX_SOURCES),
    "JointKey.value": (4,),
    "WarpRecipe.keys": (MAX_KEYS,),
    "WarpRecipe.times": (MAX_KEYS, 2),
    "FramespaceRecipe.sources": (MAX_SOURCES,),
    "SequenceRecipe.sources": (MAX_SOURCES,),
    "RemoveItems.items": (MAX_ITEMS,),
    "MoveItems.items": (MAX_ITEMS,),
    "FramespaceRecipe.curve": (MAX_VERTICES, 3),
    "FramespaceRecipe.upper": (MAX_VERTICES, 3),
    "Marks.plants": (MAX_MARKS,),
    "Marks.events": (MAX_MARKS,),
    "MapJoints.joint_map": (MAX_NAMES,),
    "RetargetRecipe.joint_map": (MAX_NAMES,),
    "LiveStart.weights": (MAX_SOURCES,),
    "LiveStep.weights": (MAX_SOURCES,),
}
"""The most entries of every list in messages, by type and field; then of the lists in it."""

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
    for place, value in _fields_of(message):
        if isinstance(value, str):
            limit = STRING_LIMITS.get(place, MAX_STRING)
            if len(value) > limit:
                raise ParameterError(f"{place} must have at most {limit} characters, not {len(value)}")
            continue
        for limit in LIMITS.get(place, ()):
            _check_length(place, limit, value)
            value = max((each for each in _entries(value) if isinstance(each, tuple)), key=len, default=())


def _entries(value: object) -> tuple[object, ...]:
    return tuple(value.values()) if isinstance(value, dict) else value if isinstance(value, tuple) else ()


def _fields_of(value: object) -> Iterator[tuple[str, object]]:
    """Every string, tuple and dict in a message with the type and the field that it is in."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        for field in fields(each) if is_dataclass(each) else ():
            held = getattr(each, field.name)
            if is_dataclass(held):
                waiting.append(held)
            elif isinstance(held, tuple | dict | str):
                yield f"{type(each).__name__}.{field.name}", held
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
