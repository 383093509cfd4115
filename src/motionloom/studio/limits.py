"""How large a project may grow; what is larger is a slip, and would keep everything else waiting."""

from __future__ import annotations

from motionloom.errors import ParameterError
from motionloom.project.document import Document
from motionloom.project.edits import AddItem, Edit, SetRecipe
from motionloom.project.recipes import FramespaceRecipe, Recipe, sources_of

MAX_ITEMS = 500
"""Clips of a project: after every edit all of them are compared, sent and saved, which takes some
milliseconds for so many."""

MAX_SOURCES = 50
"""Clips that one is made of: they are registered in pairs, each of which takes a part of a second."""

MAX_VERTICES = 200
"""Vertices of a curve in a framespace: the memory that a spline takes grows with the square of them, half a
gigabyte for so many."""


def check_edit(document: Document, edit: Edit) -> None:
    """Refuse an edit that makes a project too large.

    >>> from motionloom.project.recipes import BlendRecipe
    >>> recipe = BlendRecipe(sources=("c1",) * 51, weights=(1.0,) * 51)
    >>> check_edit(Document(), AddItem(name="crowd", recipe=recipe))
    Traceback (most recent call last):
    ...
    motionloom.errors.ParameterError: a clip is made of 50 others at most, not of 51: blend some of them first
    """
    if isinstance(edit, AddItem) and len(document.items) >= MAX_ITEMS:
        raise ParameterError(
            f"a project has {MAX_ITEMS} clips at most: remove some, or begin another with --project"
        )
    if isinstance(edit, AddItem | SetRecipe):
        _check_recipe(edit.recipe)


def _check_recipe(recipe: Recipe) -> None:
    n_sources = len(sources_of(recipe))
    if n_sources > MAX_SOURCES:
        raise ParameterError(
            f"a clip is made of {MAX_SOURCES} others at most, not of {n_sources}: blend some of them first"
        )
    if isinstance(recipe, FramespaceRecipe):
        for curve in (recipe.curve, recipe.upper or ()):
            if len(curve) > MAX_VERTICES:
                raise ParameterError(
                    f"a curve has {MAX_VERTICES} vertices at most, not {len(curve)}: leave some of them out"
                )
