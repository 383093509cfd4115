"""`SequenceRecipe`: clips in a row."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Literal

from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.python_code import ENSURE_ANNOTATED, PythonStatements, write_call, write_list
from motionloom.project.recipes.recipe import (
    MAX_SOURCES,
    SOURCE,
    Evaluation,
    RecipeResult,
    RecipeVerbs,
    drop_none,
)
from motionloom.project.shell_code import ShellCalls, write_options


@dataclass(frozen=True, kw_only=True)
class SequenceRecipe(RecipeVerbs):
    """Clips in a row, with a transition from each to the next, as :func:`motionloom.concatenate` makes it."""

    KIND = "sequence"
    IMPORTS = (ENSURE_ANNOTATED,)

    type: Literal["sequence"] = "sequence"
    sources: tuple[str, ...] = field(metadata={SOURCE: True, MAX_ENTRIES: (MAX_SOURCES,)})
    half_width: float | None = None
    keep: float | None = None
    method: Literal["registration", "linear", "inertialize", "dead"] = "registration"
    plant: bool = False

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Play clips in a row, with transitions between them."""
        from motionloom.transitions import concatenate
        from motionloom.workflows import ensure_annotated

        clips = evaluation.clips(*self.sources)
        if len(clips) < 2:
            raise ParameterError("a sequence takes two clips or more: check them in the list, in order")
        with warnings.catch_warnings():
            # The notes say it too.
            warnings.simplefilter("ignore", RegistrationWarning)
            result = concatenate([ensure_annotated(clip) for clip in clips], **self.options())
        return RecipeResult(clip=result.clip, blend=result, notes=result.report.notes)

    def options(self) -> dict[str, Any]:
        """Return the arguments of :func:`motionloom.concatenate` that differ from its defaults.

        >>> SequenceRecipe(sources=("c1", "c2"), keep=1.0, plant=True).options()
        {'keep': 'all', 'plant': True}
        """
        return drop_none(
            half_width=self.half_width,
            keep="all" if self.keep == 1.0 else self.keep,
            method=None if self.method == "registration" else self.method,
            plant=self.plant or None,
        )

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.concatenate``."""
        clips = write_list([script.ensure_annotated(id) for id in self.sources])
        script.set(f"{write_call('ml.concatenate', clips, **self.options())}.clip")

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom concatenate``."""
        script.make("concatenate", *script.sources(*self.sources), *write_options(self.options()))
