"""`TransitionRecipe`: from one clip to another."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Literal

from motionloom.errors import RegistrationWarning
from motionloom.project.python_code import ENSURE_ANNOTATED, Code, PythonStatements, write_call
from motionloom.project.recipes.recipe import SOURCE, Evaluation, RecipeResult, RecipeVerbs, drop_none
from motionloom.project.shell_code import ShellCalls, write_options


@dataclass(frozen=True, kw_only=True)
class TransitionRecipe(RecipeVerbs):
    """From one clip to another; ``at`` are the frames that meet in the middle, None finds them.

    ``keep`` is the fraction of each clip that must play if frames are found, 1 for all of it; None is the
    default. ``alignment`` is that of :func:`motionloom.transition`.
    """

    KIND = "transition"
    IMPORTS = (
        "motionloom.cycles.cyclify.frame_in_cycle",
        "motionloom.cycles.cyclify.try_cyclify",
        ENSURE_ANNOTATED,
        "motionloom.workflows.plant_transition",
    )
    VARIABLES = ("first", "second", "one", "two")

    type: Literal["transition"] = "transition"
    first: str = field(metadata={SOURCE: True})
    second: str = field(metadata={SOURCE: True})
    at: tuple[int, int] | None = None
    half_width: float | None = None
    keep: float | None = None
    method: Literal["registration", "linear", "inertialize", "dead"] = "registration"
    alignment: Literal["auto", "windowed"] = "auto"
    loop: bool = False
    plant: bool = False

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Make the transition; with ``loop``, clips are closed to cycles first."""
        from motionloom.cycles.cyclify import frame_in_cycle, try_cyclify
        from motionloom.transitions import transition
        from motionloom.workflows import ensure_annotated, plant_transition

        given = [ensure_annotated(clip) for clip in evaluation.clips(self.first, self.second)]
        clips, notes = given, []
        if self.loop:
            clips = [try_cyclify(clip) for clip in given]
            notes = [
                f"clip {n} does not close to a cycle, so it is played once"
                for n, clip in enumerate(clips)
                if not clip.cyclic
            ]
        at: tuple[float, float] | None = self.at
        if at is not None and self.loop:
            at = (frame_in_cycle(at[0], given[0], clips[0]), frame_in_cycle(at[1], given[1], clips[1]))
        with warnings.catch_warnings():
            # The notes say it too.
            warnings.simplefilter("ignore", RegistrationWarning)
            joined = transition(
                *clips,
                at=at,
                half_width=self.half_width,
                method=self.method,
                loop=self.loop,
                **self.search_options(),
            )
        result = plant_transition(joined) if self.plant else joined
        before = joined.clip if result is not joined else None
        return RecipeResult(
            clip=result.clip, before=before, blend=result, notes=(*notes, *joined.report.notes)
        )

    def search_options(self) -> dict[str, Any]:
        """Return ``keep`` and ``alignment`` of :func:`motionloom.transition` where they apply and are stated.

        >>> TransitionRecipe(first="c1", second="c2", keep=1.0).search_options()
        {'keep': 'all'}
        """
        stated: dict[str, Any] = {}
        # A panel keeps both when somebody moves a frame or changes the method.
        if self.keep is not None and self.at is None:
            stated["keep"] = "all" if self.keep == 1.0 else self.keep
        if self.alignment != "auto" and self.method == "registration":
            stated["alignment"] = self.alignment
        return stated

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.transition``."""
        clips = [script.ensure_annotated(self.first), script.ensure_annotated(self.second)]
        stated = drop_none(at=self.at, half_width=self.half_width)
        if self.method != "registration":
            stated["method"] = self.method
        stated |= self.search_options()
        if self.loop:
            script.lines.append(f"first, second = {', '.join(clips)}")
            script.lines.append("one, two = try_cyclify(first), try_cyclify(second)")
            clips = ["one", "two"]
            stated["loop"] = True
            if self.at is not None:
                a, b = self.at
                frames = f"frame_in_cycle({a}, first, one), frame_in_cycle({b}, second, two)"
                stated["at"] = Code(f"({frames})")
        expression = write_call("ml.transition", *clips, **stated)
        script.set(f"plant_transition({expression}).clip" if self.plant else f"{expression}.clip")

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom transition``."""
        words = [] if self.at is None else ["--at", ",".join(map(str, self.at))]
        words += write_options({"half_width": self.half_width, **self.search_options()})
        if self.method != "registration":
            words += write_options({"method": self.method})
        words += write_options({"loop": self.loop, "plant": self.plant})
        script.make("transition", *script.sources(self.first, self.second), *words)
