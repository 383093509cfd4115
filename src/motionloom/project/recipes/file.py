"""`FileRecipe`: motion of a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from motionloom.project.python_code import PythonStatements, write_call, write_string
from motionloom.project.recipes.recipe import FILE, Evaluation, RecipeResult, RecipeVerbs
from motionloom.project.shell_code import ShellCalls, as_argument


@dataclass(frozen=True, kw_only=True)
class FileRecipe(RecipeVerbs):
    """A motion file in the project's folder; ``path`` is relative to it, with forward slashes."""

    KIND = "file"

    type: Literal["file"] = "file"
    path: str = field(metadata={FILE: True})

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Load the file."""
        clip = evaluation.load(self.path)
        return RecipeResult(clip=clip, notes=clip.source.notes)

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.load``."""
        script.set(write_call("ml.load", write_string(self.path)))

    def write_commands(self, script: ShellCalls) -> None:
        """Have the file edited, which copies it."""
        script.edited = as_argument(self.path)
