from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.project.document import ClipEdit, Document, PlantMark
from motionloom.project.edits import Edit
from motionloom.project.plain_data import from_plain, to_plain
from motionloom.project.recipes import BlendRecipe, FileRecipe, JointKey, MotionRecipe, Recipe, WarpRecipe
from tests.project.projects import everything


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        (FileRecipe, [], "it must be an object with the fields type, path"),
        (FileRecipe, {"type": "file"}, "it lacks the field 'path'"),
        (FileRecipe, {"type": "file", "path": None}, "it.path must be a string, not None"),
        (FileRecipe, {"path": "x", "more": 1}, "it has an unknown field 'more': the fields are type, path"),
        (FileRecipe, {"path": "a\ud800"}, r"it.path must be a string, not 'a\ud800'"),
        (ClipEdit, {"trim": [1]}, "it.trim must have 2 entries, not 1"),
        (ClipEdit, {"trim": "12"}, "it.trim must be a list, not '12'"),
        (ClipEdit, {"trim": [0, 1.5]}, "it.trim[1] must be a whole number, not 1.5"),
        (ClipEdit, {"trim": [0, True]}, "it.trim[1] must be a whole number, not True"),
        (ClipEdit, {"trim": [0, 2**60]}, "it.trim[1] must be a whole number, not 1152921504606846976"),
        (ClipEdit, {"speed": float("nan")}, "it.speed must be a finite number, not nan"),
        (ClipEdit, {"speed": 10**400}, "it.speed must be a finite number, not 1000000"),
        (ClipEdit, {"reverse": 1}, "it.reverse must be true or false, not 1"),
        (Document, {"version": True}, "it.version must be one of 1, not True"),
        (Document, {"version": 2}, "it.version must be one of 1, not 2"),
        (MotionRecipe, {"motion": "walk", "options": []}, "it.options must be an object, not []"),
        (
            MotionRecipe,
            {"motion": "walk", "options": {"fps": True}},
            "it.options.fps must be a finite number or a string, not True",
        ),
        (
            BlendRecipe,
            {"sources": [], "weights": [], "rate_law": "slow"},
            "it.rate_law must be one of auto",
        ),
        (Edit, {"type": "explode"}, "it.type must be one of add, remove, remove_many, move, rename"),
        (Edit, {"type": ["add"]}, "it.type must be one of add, remove"),
        (Edit, "add", "it.type must be one of add, remove"),
        (Recipe, {"type": "file", "path": 3}, "it.path must be a string, not 3"),
    ],
)
def test_wrong_data_is_refused_with_its_place(kind: Any, data: object, sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        from_plain(kind, data, "it")
    assert str(caught.value).startswith(sentence)


def test_what_is_quoted_is_short() -> None:
    with pytest.raises(ParameterError) as caught:
        from_plain(FileRecipe, {"path": [["x" * 10_000] * 10_000]}, "it")
    assert len(str(caught.value)) < 120


def test_whole_numbers_are_numbers_but_truth_is_not() -> None:
    speed = from_plain(ClipEdit, {"speed": 2}, "it").speed
    assert (speed, type(speed)) == (2.0, float)


def test_defaults_fill_in_what_is_left_out() -> None:
    assert from_plain(ClipEdit, {}, "it") == ClipEdit()
    data = {"joint": "LeftFoot", "kind": "heel", "start": 1, "end": 2, "target": None}
    assert from_plain(PlantMark, data, "it") == PlantMark(joint="LeftFoot", kind="heel", start=1.0, end=2.0)


def test_fields_are_read_under_the_names_of_version_0_1_too() -> None:
    old = {"type": "warp", "source": "c1", "ready": "limp"}
    assert from_plain(WarpRecipe, old, "it") == WarpRecipe(source="c1", preset="limp")
    with pytest.raises(ParameterError, match="it has an unknown field 'ready'"):
        from_plain(WarpRecipe, {**old, "preset": "stoop"}, "it")
    blend = {"type": "blend", "sources": ["c1", "c2"], "weights": [1, 0], "seconds": 2, "even_if_unfit": True}
    expected = BlendRecipe(sources=("c1", "c2"), weights=(1.0, 0.0), duration=2.0, allow_unfit=True)
    assert from_plain(BlendRecipe, blend, "it") == expected
    mixed = {**blend, "allow_unfit": True}
    del mixed["even_if_unfit"]
    assert from_plain(BlendRecipe, mixed, "it") == expected


def test_a_whole_document_comes_back_from_json() -> None:
    document = everything()
    assert from_plain(Document, json.loads(json.dumps(to_plain(document))), "it") == document


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
TRIPLES = st.tuples(NUMBERS, NUMBERS, NUMBERS)
KEYS = st.builds(
    JointKey,
    time=NUMBERS,
    joint=st.text(st.characters(codec="utf-8")),
    kind=st.sampled_from(["rotate", "orient", "move", "reach", "scale"]),
    value=TRIPLES,
    ease=st.none() | NUMBERS,
)


@given(KEYS)
def test_values_come_back_as_they_were(key: JointKey) -> None:
    assert from_plain(JointKey, json.loads(json.dumps(to_plain(key))), "it") == key


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.slow
@given(st.sampled_from([Document, Edit, Recipe, ClipEdit]), JSON)
def test_anything_is_taken_or_refused(kind: Any, data: object) -> None:
    try:
        made = from_plain(kind, data, "it")
    except ParameterError:
        return
    assert from_plain(kind, json.loads(json.dumps(to_plain(made))), "it") == made


def script_paths(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every value within plain data."""
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [here, *(place for step, inner in steps for place in script_paths(inner, (*here, step)))]


@pytest.mark.slow
@given(st.data())
def test_damaged_documents_are_taken_or_refused(data: st.DataObject) -> None:
    plain = to_plain(everything())
    *way, last = data.draw(st.sampled_from([place for place in script_paths(plain) if place]))
    inside = plain
    for step in way:
        inside = inside[step]
    inside[last] = data.draw(JSON)
    try:
        made = from_plain(Document, plain, "it")
    except ParameterError:
        return
    assert from_plain(Document, json.loads(json.dumps(to_plain(made))), "it") == made
