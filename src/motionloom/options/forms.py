"""Which options the recipes of the studio hold: fields of their wire types, and of the forms of the page."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.options.option import Table
from motionloom.options.registration import CUT, REGISTRATION


@dataclass(frozen=True, kw_only=True)
class RecipeForm:
    """The options of a kind of recipe.

    Attributes
    ----------
    name
        Of the group of options.
    recipe
        The type that has them as fields.
    table
        The options.
    panel
        Folder of the panel of the page that has the fields.
    summary
        What they are, in one line.
    """

    name: str
    recipe: str
    table: Table
    panel: str
    summary: str


TABLES = {"registration": REGISTRATION}
"""The tables of the documentation, by the names that its pages use."""

FORMS = (
    RecipeForm(
        name="Registration",
        recipe="RegistrationRecipe",
        table=(CUT, *REGISTRATION),
        panel="registration",
        summary="How clips are cut and registered before they are blended.",
    ),
)
