from __future__ import annotations

import json
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.project.plain_data import field_types, from_plain, to_plain
from motionloom.studio.messages import FromPage, FromServer
from motionloom.studio.responses import RESPONSES
from motionloom.studio.typescript import write_types

TYPES = Path(__file__).parents[2] / "studio" / "client" / "src" / "core" / "messages.ts"

SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    float: st.floats(allow_nan=False, allow_infinity=False),
    int: st.integers(-(2**53) + 1, 2**53 - 1),  # what a browser can tell apart
    str: st.text(max_size=8),
    bool: st.booleans(),
    type(None): st.none(),
}


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of an annotated type, as deep as it goes."""
    if kind in SCALARS:
        return SCALARS[kind]
    if is_dataclass(kind) and isinstance(kind, type):
        return st.builds(kind, **{name: values_of(hint) for name, (_, hint) in field_types(kind).items()})
    origin, entries = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(entries)
    if origin is dict:
        return st.dictionaries(st.text(max_size=4), values_of(entries[1]), max_size=2)
    if origin is tuple and entries[-1] is Ellipsis:
        return st.lists(values_of(entries[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, entries))
    return st.one_of(*map(values_of, entries))


def all_kinds() -> list[Any]:
    """Every message and every header."""
    return [*get_args(FromPage), *get_args(FromServer), *RESPONSES]


def test_the_types_of_the_page_are_up_to_date() -> None:
    written = TYPES.read_text(encoding="utf-8")
    assert written == write_types(), (
        "run `python -m motionloom.studio.typescript studio/client/src/core/messages.ts`"
    )


def test_every_message_has_a_tag_of_its_own() -> None:
    for union in (FromPage, FromServer):
        tags = [tag for kind in get_args(union) for tag in get_args(field_types(kind)["type"][1])]
        assert len(tags) == len(set(tags)) == len(get_args(union))


@pytest.mark.slow
@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.__name__)
def test_every_message_travels_and_arrives_as_it_was(kind: Any) -> None:
    """Values of all annotated types become JSON and come back equal."""

    @settings(max_examples=15)
    @given(values_of(kind))
    def travels(message: Any) -> None:
        text = json.dumps(to_plain(message), allow_nan=False)
        assert from_plain(kind, json.loads(text)) == message

    travels()
