from __future__ import annotations

import json
from typing import Any, get_args, get_origin

import pytest

from motionloom.errors import ParameterError
from motionloom.project.document import MAX_MARKS, EventMark, Marks
from motionloom.project.edits import AddItem, SetMarks, SetRecipe
from motionloom.project.plain_data import MAX_ENTRIES, field_types
from motionloom.project.recipes import BlendRecipe, FileRecipe, FramespaceRecipe, MotionRecipe, WarpRecipe
from motionloom.project.recipes.recipe import MAX_KEYS
from motionloom.studio.limits import MAX_STRING, check_lists
from motionloom.studio.messages import FromPage
from motionloom.studio.typescript import _collect
from tests.studio.conftest import Page, Studio


def variable_depth(hint: Any) -> int:
    """How many lists or objects of any length a type nests."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is dict:
        return 1 + variable_depth(inner[1])
    if origin is tuple:
        is_open = len(inner) == 2 and inner[1] is Ellipsis
        return is_open + max((variable_depth(each) for each in inner if each is not Ellipsis), default=0)
    return max((variable_depth(each) for each in inner), default=0)


def test_every_list_of_every_message_has_a_limit() -> None:
    """A new field that holds a list fails here until its metadata say how long it may be."""
    found: dict[str, Any] = {}
    _collect(FromPage, found)
    fields = {
        f"{name}.{field.name}": (variable_depth(hint), len(field.metadata.get(MAX_ENTRIES, ())))
        for name, kind in found.items()
        for field, hint in field_types(kind).values()
    }
    wrong = {place for place, (depth, n_limits) in fields.items() if depth and n_limits < depth}
    assert not wrong
    assert not {place for place, (depth, n_limits) in fields.items() if n_limits and not depth}


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (
            SetRecipe(item="c1", recipe=WarpRecipe(source="c1", times=((0.0, 0.0),) * (MAX_KEYS + 1))),
            r"WarpRecipe.times has at most 5000 entries, not 5001: remove some",
        ),
        (
            SetMarks(item="c1", marks=Marks(events=(EventMark(frame=0.0, label="x"),) * (MAX_MARKS + 1))),
            r"Marks.events has at most 50000 entries, not 50001: remove some",
        ),
        (
            AddItem(name="x", recipe=BlendRecipe(sources=(), weights=(), parts={"arms": (1.0,) * 51})),
            r"BlendRecipe.parts has at most 50 entries, not 51",
        ),
        (
            AddItem(name="x", recipe=FramespaceRecipe(sources=(), curve=((0.0, 0.0), (0.0,) * 4))),
            r"a curve has at most 3 vertices, not 4",
        ),
        (
            AddItem(name="x", recipe=MotionRecipe(motion="walk", options={str(n): 0.0 for n in range(51)})),
            r"MotionRecipe.options has at most 50 entries, not 51: leave some out",
        ),
        (
            AddItem(name="x", recipe=FileRecipe(path="x" * (MAX_STRING + 1))),
            r"FileRecipe.path must have at most 4096 characters, not 4097",
        ),
        (
            AddItem(name="x", recipe=WarpRecipe(source="c1", saved="x" * 524_289)),
            r"WarpRecipe.saved must have at most 524288 characters, not 524289",
        ),
    ],
)
def test_long_lists_are_refused(edit: object, error: str) -> None:
    with pytest.raises(ParameterError, match=error):
        check_lists(edit)


def test_a_saved_warp_may_be_longer_than_a_path() -> None:
    check_lists(AddItem(name="x", recipe=WarpRecipe(source="c1", saved="x" * 100_000)))


def test_a_long_list_in_a_message_is_refused_and_the_tab_lives_on(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.say(type="live_step", serial=7, dt=0.1, weights=[0.0] * 40_000)
        refused = page.expect("refused")
        assert refused["error"] == "LiveStep.weights has at most 50 entries, not 40000: remove some"
        page.say(type="stop", item="c9")
        assert "no clip 'c9'" in page.expect("refused")["error"]


@pytest.mark.parametrize("vertices", [[[0, 0]] * 1001, [[0.0] * 4], []])
def test_curves_that_are_drawn_have_bounds_too(studio: Studio, vertices: list[list[float]]) -> None:
    answer = studio.client.get(
        "/api/framespace-curve",
        params={"vertices": json.dumps(vertices)},
        headers={"X-Motionloom-Token": "the token of these tests"},
    )
    assert answer.status_code == 400
