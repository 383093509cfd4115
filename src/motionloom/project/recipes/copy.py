"""`CopyRecipe`: another version of a clip."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import degrees
from typing import Literal

from motionloom.project.python_code import PythonStatements
from motionloom.project.recipes.recipe import SOURCE, Evaluation, RecipeResult, RecipeVerbs
from motionloom.project.shell_code import ShellCalls, write_options


@dataclass(frozen=True, kw_only=True)
class CopyRecipe(RecipeVerbs):
    """Another version of a clip, which has an edit of its own.

    ``place`` rotates it by a yaw in radians and moves it by x and z in metres; ``fps`` is its frame rate.
    """

    KIND = "copy"

    type: Literal["copy"] = "copy"
    source: str = field(metadata={SOURCE: True})
    place: tuple[float, float, float] | None = None
    fps: float | None = None

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Place and resample the clip."""
        from motionloom.geometry import GroundTransform

        (clip,) = evaluation.clips(self.source)
        if self.place is not None:
            clip = clip.placed(GroundTransform(*self.place))
        return RecipeResult(clip=clip if self.fps is None else clip.resampled(self.fps))

    def write_python(self, script: PythonStatements) -> None:
        """Write the methods of a clip that place and resample it."""
        place = "" if self.place is None else f".placed(ml.GroundTransform{self.place!r})"
        rate = "" if self.fps is None else f".resampled({self.fps!r})"
        script.set(f"{script.names[self.source]}{place}{rate}")

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom edit``."""
        yaw, x, z = self.place or (0.0, 0.0, 0.0)
        place = None if self.place is None else f"{degrees(yaw)!r},{x!r},{z!r}"
        words = write_options({"place": place, "fps": self.fps})
        script.make("edit", *script.sources(self.source), *words)
