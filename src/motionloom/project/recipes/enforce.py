"""`EnforceRecipe`: a clip whose planted feet and hands stay put."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from motionloom.project.python_code import ENSURE_ANNOTATED, PythonStatements, write_call
from motionloom.project.recipes.recipe import SOURCE, Evaluation, RecipeResult, RecipeVerbs, drop_none
from motionloom.project.shell_code import ShellCalls, write_options


@dataclass(frozen=True, kw_only=True)
class EnforceRecipe(RecipeVerbs):
    """A clip whose planted feet and hands stay put; ``ground`` None finds the floor."""

    KIND = "planted"
    IMPORTS = (ENSURE_ANNOTATED,)

    type: Literal["enforce"] = "enforce"
    source: str = field(metadata={SOURCE: True})
    ground: float | None = None
    stretch: float | None = None

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Plant the feet and hands of the clip."""
        from motionloom.enforcement import enforce
        from motionloom.enforcement.enforce import MAX_STRETCH
        from motionloom.workflows import ensure_annotated

        annotated = ensure_annotated(*evaluation.clips(self.source))
        if not annotated.constraints:
            notes = ("no foot plants were found: nothing was moved",)
            return RecipeResult(clip=annotated, before=annotated, notes=notes)
        stretch = MAX_STRETCH if self.stretch is None else self.stretch
        clip = enforce(annotated, ground=self.ground, stretch=stretch)
        return RecipeResult(clip=clip, before=annotated, notes=clip.report.sentences)

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.enforce``."""
        stated = drop_none(ground=self.ground, stretch=self.stretch)
        script.set(write_call("ml.enforce", script.ensure_annotated(self.source), **stated))

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom enforce``."""
        words = write_options({"ground": self.ground, "stretch": self.stretch})
        script.make("enforce", *script.sources(self.source), *words)
