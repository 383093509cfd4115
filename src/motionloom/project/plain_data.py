"""Dataclasses as plain data and back: what goes into JSON, and what comes out of it after it was checked.

Data from outside is not trusted: a field that is missing, unknown or of another type is refused with its
place.
"""

from __future__ import annotations

import reprlib
import types
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from math import isfinite
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from motionloom.errors import ParameterError
from motionloom.json_files import check_fields

TAG = "type"
"""The field whose one value tells the members of a union apart."""

FORMERLY = "formerly"
"""Key of a field's metadata for the name that it had in files of version 0.1; they are read too."""

MAX_ENTRIES = "max_entries"
"""Key of a field's metadata for the most entries of its list or object, and of the lists in it."""

MAX_LENGTH = "max_length"
"""Key of a field's metadata for the most characters of its string."""

MAX_INTEGER = 2**53
"""Largest whole number: what JavaScript counts exactly, and well within what arrays hold."""


def to_plain(value: object) -> Any:
    """Convert a value to dicts, lists, numbers and strings for ``json.dumps``.

    >>> from motionloom.project.recipes import FileRecipe
    >>> to_plain(FileRecipe(path="walk.bvh"))
    {'type': 'file', 'path': 'walk.bvh'}
    """
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {name: to_plain(entry) for name, entry in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(entry) for entry in value]
    return value


def from_plain(kind: Any, data: object, where: str = "the message") -> Any:
    """Convert plain data to a value of a type, or raise an error that says where it does not fit.

    >>> from motionloom.project.recipes import FileRecipe
    >>> from_plain(FileRecipe, {"type": "file", "path": 3}, "recipe")
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: recipe.path must be a string, not 3
    """
    if is_dataclass(kind):
        return _dataclass_of(kind, data, where)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _member_of(get_args(kind), data, where)
    if origin is Literal:
        return _choice_of(get_args(kind), data, where)
    if origin is tuple:
        return _tuple_of(get_args(kind), data, where)
    if origin is dict:
        return _dict_of(get_args(kind)[1], data, where)
    return _scalar_of(kind, data, where)


@cache
def field_types(kind: type) -> dict[str, tuple[Field[Any], Any]]:
    """Return the fields of a dataclass with their resolved types, in order."""
    hints = get_type_hints(kind)
    return {field.name: (field, hints[field.name]) for field in fields(kind)}


def _dataclass_of(kind: Any, data: object, where: str) -> Any:
    known = field_types(kind)
    given = check_fields(where, _with_present_names(known, data), list(known))
    fields_given = {}
    for name, (field, hint) in known.items():
        if name in given:
            fields_given[name] = from_plain(hint, given[name], f"{where}.{name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ParameterError(f"{where} lacks the field {name!r}")
    return kind(**fields_given)


def _with_present_names(known: dict[str, tuple[Field[Any], Any]], data: object) -> object:
    """Data whose fields have the names of today instead of those of version 0.1."""
    former = {
        field.metadata[FORMERLY]: name for name, (field, _) in known.items() if FORMERLY in field.metadata
    }
    if not isinstance(data, dict) or not former.keys() & data.keys():
        return data
    # Data that hold both names of a field contradict themselves, and are refused with the old name.
    return {name if former.get(name, name) in data else former[name]: value for name, value in data.items()}


def _member_of(members: tuple[Any, ...], data: object, where: str) -> Any:
    """Convert data to the member of a union: None, a dataclass by its tag, or the scalar that fits."""
    if data is None and type(None) in members:
        return None
    others = [member for member in members if member is not type(None)]
    if len(others) == 1:
        return from_plain(others[0], data, where)
    tagged = {tag: member for member in others if is_dataclass(member) for tag in _tags(member)}
    if tagged:
        tag = data.get(TAG) if isinstance(data, dict) else None
        if not isinstance(tag, str) or tag not in tagged:
            raise ParameterError(f"{where}.{TAG} must be one of {', '.join(tagged)}, not {_shorten(tag)}")
        return from_plain(tagged[tag], data, where)
    for member in others:
        try:
            return from_plain(member, data, where)
        except ParameterError:
            continue
    raise ParameterError(f"{where} must be {' or '.join(map(_said, others))}, not {_shorten(data)}")


def _tags(member: Any) -> tuple[str, ...]:
    found = field_types(member).get(TAG)
    return () if found is None else get_args(found[1])


def _choice_of(choices: tuple[Any, ...], data: object, where: str) -> Any:
    if isinstance(data, bool) or data not in choices:
        raise ParameterError(f"{where} must be one of {', '.join(map(str, choices))}, not {_shorten(data)}")
    return data


def _tuple_of(entries: tuple[Any, ...], data: object, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise ParameterError(f"{where} must be a list, not {_shorten(data)}")
    if len(entries) == 2 and entries[1] is Ellipsis:
        entries = (entries[0],) * len(data)
    if len(entries) != len(data):
        raise ParameterError(f"{where} must have {len(entries)} entries, not {len(data)}")
    return tuple(
        from_plain(entry, value, f"{where}[{n}]")
        for n, (entry, value) in enumerate(zip(entries, data, strict=True))
    )


def _dict_of(entry: Any, data: object, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ParameterError(f"{where} must be an object, not {_shorten(data)}")
    for name in data:
        _scalar_of(str, name, f"a name in {where}")
    return {name: from_plain(entry, value, f"{where}.{name}") for name, value in data.items()}


def _scalar_of(kind: Any, data: object, where: str) -> Any:
    if kind is float and isinstance(data, int | float) and not isinstance(data, bool):
        try:
            number = float(data)
        except OverflowError:
            number = float("inf")
        if isfinite(number):
            return number
    # To Python, True is a number; to whoever wrote the data it is not.
    elif kind in (int, str, bool) and type(data) is kind and _is_sound(data):
        return data
    raise ParameterError(f"{where} must be {_said(kind)}, not {_shorten(data)}")


def _is_sound(data: object) -> bool:
    """Tell whether a string can be saved, and whether an integer is exact in JavaScript."""
    if isinstance(data, str):
        return data.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in data)
    return not isinstance(data, int) or abs(data) <= MAX_INTEGER


def _said(kind: Any) -> str:
    return {float: "a finite number", int: "a whole number", str: "a string", bool: "true or false"}.get(
        kind, str(kind)
    )


def _shorten(data: object) -> str:
    words = reprlib.repr(data)
    return words if len(words) < 60 else f"{words[:57]}…"
