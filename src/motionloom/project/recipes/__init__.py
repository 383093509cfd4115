"""Recipes: how each clip of a project comes about, as plain data, one file for each kind.

A recipe says the same as one call of the command line, and is evaluated by the same functions. Sources are
the ids of other items of the document. Frames count from 0 in the source as it is shown; times are seconds,
lengths metres, angles radians.
"""

from motionloom.project.recipes.blend import BlendRecipe, WeightKey
from motionloom.project.recipes.copy import CopyRecipe
from motionloom.project.recipes.enforce import EnforceRecipe
from motionloom.project.recipes.file import FileRecipe
from motionloom.project.recipes.framespace import FramespaceRecipe
from motionloom.project.recipes.loop import LoopRecipe
from motionloom.project.recipes.motion import MotionRecipe
from motionloom.project.recipes.recipe import RecipeResult, files_of, sources_of
from motionloom.project.recipes.registration import RegistrationRecipe
from motionloom.project.recipes.retarget import RetargetRecipe
from motionloom.project.recipes.sequence import SequenceRecipe
from motionloom.project.recipes.transition import TransitionRecipe
from motionloom.project.recipes.warp import JointKey, WarpRecipe

Recipe = (
    FileRecipe
    | MotionRecipe
    | BlendRecipe
    | TransitionRecipe
    | EnforceRecipe
    | LoopRecipe
    | WarpRecipe
    | FramespaceRecipe
    | SequenceRecipe
    | CopyRecipe
    | RetargetRecipe
)
"""Every kind of recipe; a new one is a file of its own and a line here."""

__all__ = [
    "BlendRecipe",
    "CopyRecipe",
    "EnforceRecipe",
    "FileRecipe",
    "FramespaceRecipe",
    "JointKey",
    "LoopRecipe",
    "MotionRecipe",
    "Recipe",
    "RecipeResult",
    "RegistrationRecipe",
    "RetargetRecipe",
    "SequenceRecipe",
    "TransitionRecipe",
    "WarpRecipe",
    "WeightKey",
    "files_of",
    "sources_of",
]
