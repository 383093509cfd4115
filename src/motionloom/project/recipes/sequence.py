"""`SequenceRecipe`: clips in a row."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Literal

from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.options import options_stated
from motionloom.options.command_line import write_words
from motionloom.options.transitions import CONCATENATE
from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.python_code import ENSURE_ANNOTATED, Code, PythonStatements, write_call, write_list
from motionloom.project.recipes.option_fields import SequenceFields
from motionloom.project.recipes.recipe import (
    MAX_SOURCES,
    SOURCE,
    Evaluation,
    RecipeResult,
    RecipeVerbs,
)
from motionloom.project.recipes.transition import keep_fitting_options
from motionloom.project.shell_code import ShellCalls


@dataclass(frozen=True, kw_only=True)
class SequenceRecipe(SequenceFields, RecipeVerbs):
    """Clips in a row, with a transition from each to the next, as :func:`motionloom.concatenate` makes it."""

    KIND = "sequence"
    IMPORTS = (
        "motionloom.cycles.cyclify.frame_in_cycle",
        "motionloom.cycles.cyclify.try_cyclify",
        ENSURE_ANNOTATED,
    )
    VARIABLES = ("given", "cycles")

    type: Literal["sequence"] = "sequence"
    sources: tuple[str, ...] = field(metadata={SOURCE: True, MAX_ENTRIES: (MAX_SOURCES,)})

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Play clips in a row, with transitions between them."""
        from motionloom.cycles.cyclify import frame_in_cycle, try_cyclify
        from motionloom.transitions import concatenate
        from motionloom.workflows import ensure_annotated

        given = [ensure_annotated(clip) for clip in evaluation.clips(*self.sources)]
        clips, options = given, self.options()
        if len(clips) < 2:
            raise ParameterError(
                "a sequence takes two clips or more", remedy="check them in the list, in order"
            )
        if "loop" in options:
            clips = [try_cyclify(clip).clip for clip in given]
            if "at" in options:
                options["at"] = [
                    tuple(frame_in_cycle(pair[k], given[n + k], clips[n + k]) for k in (0, 1))
                    for n, pair in enumerate(options["at"])
                ]
        with warnings.catch_warnings():
            # The notes say it too.
            warnings.simplefilter("ignore", RegistrationWarning)
            result = concatenate(clips, **options)
        return RecipeResult(clip=result.clip, blend=result, notes=result.report.notes)

    def options(self) -> dict[str, Any]:
        """Return the options of :func:`motionloom.concatenate` that apply and are stated.

        >>> SequenceRecipe(sources=("c1", "c2"), keep=1.0, plant=True).options()
        {'keep': 'all', 'plant': True}
        """
        plant = {"plant": True} if self.plant else {}
        return keep_fitting_options(options_stated(CONCATENATE, self)) | plant

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.concatenate``."""
        clips = write_list([script.ensure_annotated(id) for id in self.sources])
        stated = self.options()
        if "loop" in stated:
            script.lines.append(f"given = {clips}")
            script.lines.append("cycles = [try_cyclify(clip) for clip in given]")
            clips = "cycles"
            if "at" in stated:
                frames = "frame_in_cycle({frame}, given[{n}], cycles[{n}])"
                rows = [
                    f"({', '.join(frames.format(frame=pair[k], n=n + k) for k in (0, 1))})"
                    for n, pair in enumerate(stated["at"])
                ]
                stated["at"] = Code(write_list(rows))
        script.set(f"{write_call('ml.concatenate', clips, **stated)}.clip")

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom concatenate``."""
        script.make("concatenate", *script.sources(*self.sources), *write_words(CONCATENATE, self.options()))
