"""Which options the recipes of the studio hold: fields of their wire types, and of the forms of the page."""

from __future__ import annotations

from dataclasses import dataclass

from motionloom.options.blending import BLEND
from motionloom.options.cycles import CYCLIFY
from motionloom.options.enforcement import ENFORCE
from motionloom.options.option import Table
from motionloom.options.registration import CUT, REGISTRATION
from motionloom.options.transitions import CONCATENATE, TRANSITION


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


TABLES = {
    "registration": REGISTRATION,
    "blend": BLEND,
    "transition": TRANSITION,
    "enforce": ENFORCE,
    "cyclify": CYCLIFY,
}
"""The tables of the documentation, by the names that its pages use."""

FORMS = (
    RecipeForm(
        name="Registration",
        recipe="RegistrationRecipe",
        table=(CUT, *REGISTRATION),
        panel="registration",
        summary="How clips are cut and registered before they are blended.",
    ),
    RecipeForm(
        name="Blend",
        recipe="BlendRecipe",
        table=BLEND,
        panel="blend",
        summary="How registered clips are blended.",
    ),
    RecipeForm(
        name="Transition",
        recipe="TransitionRecipe",
        table=TRANSITION,
        panel="transition",
        summary="Where a transition is, and how it is made.",
    ),
    RecipeForm(
        name="Sequence",
        recipe="SequenceRecipe",
        table=CONCATENATE,
        panel="clip",
        summary="Where the transitions of a sequence are, and how they are made.",
    ),
    RecipeForm(
        name="Enforce",
        recipe="EnforceRecipe",
        table=ENFORCE,
        panel="quality",
        summary="How planted feet and hands are held.",
    ),
    RecipeForm(
        name="Loop",
        recipe="LoopRecipe",
        table=CYCLIFY,
        panel="loop",
        summary="Which cycle of a clip is closed, and how.",
    ),
)
"""The forms of the studio; other recipes have fields of their own."""
