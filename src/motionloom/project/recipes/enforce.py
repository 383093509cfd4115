"""`EnforceRecipe`: a clip whose planted feet and hands stay put."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from motionloom.options import options_stated
from motionloom.options.command_line import write_words
from motionloom.options.enforcement import ENFORCE
from motionloom.project.python_code import ENSURE_ANNOTATED, PythonStatements, write_call
from motionloom.project.recipes.option_fields import EnforceFields
from motionloom.project.recipes.recipe import SOURCE, Evaluation, RecipeResult, RecipeVerbs
from motionloom.project.shell_code import ShellCalls


@dataclass(frozen=True, kw_only=True)
class EnforceRecipe(EnforceFields, RecipeVerbs):
    """A clip whose planted feet and hands stay put; ``ground`` None finds the floor."""

    KIND = "planted"
    IMPORTS = (ENSURE_ANNOTATED,)

    type: Literal["enforce"] = "enforce"
    source: str = field(metadata={SOURCE: True})

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Plant the feet and hands of the clip."""
        from motionloom.enforcement import enforce
        from motionloom.workflows import ensure_annotated

        annotated = ensure_annotated(*evaluation.clips(self.source))
        if not annotated.constraints:
            notes = ("no foot plants were found: nothing was moved",)
            return RecipeResult(clip=annotated, before=annotated, notes=notes)
        result = enforce(annotated, **self.options())
        return RecipeResult(clip=result.clip, before=annotated, notes=result.report.sentences)

    def options(self) -> dict[str, Any]:
        """Return the options of :func:`motionloom.enforce` that are stated.

        >>> EnforceRecipe(source="c1", ground=0.0).options()
        {'ground': 0.0}
        """
        return options_stated(ENFORCE, self)

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.enforce``."""
        script.set_clip_of(write_call("ml.enforce", script.ensure_annotated(self.source), **self.options()))

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom enforce``."""
        script.make("enforce", *script.sources(self.source), *write_words(ENFORCE, self.options()))
