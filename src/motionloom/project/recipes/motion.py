"""`MotionRecipe`: a built-in motion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.python_code import PythonStatements, write_call, write_string, write_value
from motionloom.project.recipes.recipe import Evaluation, RecipeResult, RecipeVerbs
from motionloom.project.shell_code import ShellCalls, write_options

MAX_OPTIONS = 50
"""Options of a built-in motion."""


@dataclass(frozen=True, kw_only=True)
class MotionRecipe(RecipeVerbs):
    """A built-in motion with its options, as ``motionloom synthesize`` names them (turns in degrees)."""

    KIND = "built-in"
    IMPORTS = ("motionloom.synthesis.motions.make_motion",)

    type: Literal["motion"] = "motion"
    motion: str
    options: dict[str, float | str] = field(metadata={MAX_ENTRIES: (MAX_OPTIONS,)})

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Synthesize the motion."""
        from motionloom.synthesis.motions import make_motion

        return RecipeResult(clip=make_motion(self.motion, self.options).clip)

    def write_python(self, script: PythonStatements) -> None:
        """Write ``make_motion``."""
        motion, options = write_string(self.motion), write_value(self.options)
        script.set(f"{write_call('make_motion', motion, options)}.clip")

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom synthesize``."""
        script.make("synthesize", self.motion, *write_options(self.options))
