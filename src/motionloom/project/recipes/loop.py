"""`LoopRecipe`: a cycle of a clip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from motionloom.options import options_stated
from motionloom.options.command_line import write_words
from motionloom.options.cycles import CYCLIFY
from motionloom.project.python_code import PythonStatements, write_call
from motionloom.project.recipes.option_fields import LoopFields
from motionloom.project.recipes.recipe import SOURCE, Evaluation, RecipeResult, RecipeVerbs
from motionloom.project.shell_code import ShellCalls


@dataclass(frozen=True, kw_only=True)
class LoopRecipe(LoopFields, RecipeVerbs):
    """A cycle of a clip, closed so that it repeats without a jump.

    ``near`` is the frame of the source near which the middle of the cycle is to lie; None takes a cycle that
    represents the clip. ``cycles`` are the strides or repetitions to keep; None keeps as many as possible,
    and one with ``near``.
    """

    KIND = "loop"

    type: Literal["loop"] = "loop"
    source: str = field(metadata={SOURCE: True})

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Close the clip to a cycle; one that is a cycle already stays as it is."""
        import numpy as np

        from motionloom.cycles.cyclify import cyclify

        (source,) = evaluation.clips(self.source)
        result = cyclify(source, **self.options())
        clip, report = result.clip, result.report
        if report.was_cyclic:
            return RecipeResult(clip=clip, notes=("the clip is a loop already: nothing was changed",))
        frames = np.linspace(report.start, report.end, clip.n_frames, endpoint=False)
        notes = [*str(report).splitlines()]
        if not report.passed:
            notes.append("the ends hardly fit together: choose another frame, or another part of the motion")
        return RecipeResult(clip=clip, frames=frames[:, None], notes=tuple(notes))

    def options(self) -> dict[str, Any]:
        """Return the options of :func:`motionloom.cyclify` that are stated.

        >>> LoopRecipe(source="c1", cycles=2).options()
        {'cycles': 2}
        """
        return options_stated(CYCLIFY, self)

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.cyclify``."""
        script.set_clip_of(write_call("ml.cyclify", script.names[self.source], **self.options()))

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom cyclify``, which takes seconds or frames."""
        stated = self.options()
        near = f"{stated['near']}f" if "near" in stated else None
        words = write_words(CYCLIFY, stated | {"near": near} if near else stated)
        script.make("cyclify", *script.sources(self.source), *words)
