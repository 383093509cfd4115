from __future__ import annotations

from dataclasses import replace

import pytest

from motionloom.errors import ParameterError
from motionloom.project.document import Document, Item, check_whole
from motionloom.project.recipes import BlendRecipe, EnforceRecipe, FileRecipe
from tests.project.projects import everything


def held(id: str, source: str, name: str = "") -> Item:
    return Item(id=id, name=name or id, recipe=EnforceRecipe(source=source))


def file(id: str, name: str = "") -> Item:
    return Item(id=id, name=name or id, recipe=FileRecipe(path="clips/walk.bvh"))


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        ((file("c1"), file("c1", "other")), "2 clips of the project have the id 'c1': rename them"),
        ((file("c1", "walk"), file("c2", "walk")), "2 clips of the project have the name 'walk'"),
        ((held("c1", "c2"),), "the project has no clip 'c2'; it may have been removed"),
        ((held("c1", "c1"),), "c1 cannot be made of itself: choose other clips"),
        ((held("c1", "c2"), held("c2", "c3"), held("c3", "c1")), "c1 cannot be made of itself"),
        ((file("../x"),), "the clip '../x' has the id '../x': ids are c1, c2, … below next_number"),
        ((file("c9"),), "the clip 'c9' has the id 'c9'"),
    ],
)
def test_documents_that_are_not_whole_are_refused(items: tuple[Item, ...], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        check_whole(Document(items=items, next_number=9))
    assert str(caught.value).startswith(sentence)


def test_whole_documents_pass() -> None:
    check_whole(Document())
    check_whole(everything())


def test_sources_come_before_what_is_made_of_them() -> None:
    blend = Item(id="c1", name="b", recipe=BlendRecipe(sources=("c2", "c3", "c2"), weights=(1, 1, 1)))
    document = Document(items=(blend, held("c2", "c3"), file("c3"), file("c4")))
    assert [item.id for item in document.with_sources("c1")] == ["c3", "c2", "c1"]
    assert [item.id for item in document.with_sources("c4", "c2")] == ["c4", "c3", "c2"]
    assert document.with_sources() == ()


def test_long_chains_are_followed() -> None:
    items = (file("c1"), *(held(f"c{n}", f"c{n - 1}") for n in range(2, 5000)))
    document = Document(items=items, next_number=5000)
    check_whole(document)
    assert document.with_sources("c4999") == items
    with pytest.raises(ParameterError, match="cannot be made of itself"):
        check_whole(replace(document, items=(held("c1", "c4999"), *items[1:])))
