from __future__ import annotations

from dataclasses import replace

import pytest

from motionloom.errors import ParameterError
from motionloom.project.document import Document
from motionloom.project.edits import MAX_ITEMS, AddItem, Edit, RemoveItem, SetRecipe
from motionloom.project.recipes import BlendRecipe, FramespaceRecipe, MotionRecipe
from motionloom.project.recipes.recipe import MAX_SOURCES, MAX_VERTICES
from motionloom.studio.limits import check_edit
from tests.studio.conftest import Page, Studio, small_document

WALK = MotionRecipe(motion="walk", options={})


def test_a_project_that_is_full_takes_no_more_clips_but_other_edits() -> None:
    item = small_document().items[0]
    full = Document(items=tuple(replace(item, id=f"c{n}") for n in range(MAX_ITEMS)), next_number=MAX_ITEMS)
    with pytest.raises(ParameterError, match="a project holds at most 5000 clips: remove some, or start"):
        check_edit(full, AddItem(name="walk", recipe=WALK))
    check_edit(full, SetRecipe(item="c1", recipe=WALK))
    check_edit(full, RemoveItem(item="c1"))


@pytest.mark.parametrize("upper", [False, True])
def test_a_curve_of_very_many_vertices_is_refused(upper: bool) -> None:
    def edit(n: int) -> Edit:
        many, few = tuple((x / n, 0.5) for x in range(n)), ((0.0, 0.0), (1.0, 1.0))
        curves = (few, many) if upper else (many, None)
        return AddItem(name="mix", recipe=FramespaceRecipe(sources=(), curve=curves[0], upper=curves[1]))

    check_edit(Document(), edit(MAX_VERTICES))
    with pytest.raises(ParameterError, match="a curve has at most 1000 vertices, not 1001: remove some"):
        check_edit(Document(), edit(MAX_VERTICES + 1))


def test_a_page_is_told_and_the_project_stays_as_it_is(studio: Studio) -> None:
    many = MAX_SOURCES + 1
    recipe = BlendRecipe(sources=("c1",) * many, weights=(1.0,) * many)
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(
            type="set_recipe",
            item="c3",
            recipe={"type": "blend", "sources": recipe.sources, "weights": recipe.weights},
        )
        assert "made of at most 50 others, not of 51" in page.expect("refused")["error"]
    assert studio.session.document == small_document()
