"""`TransitionRecipe`: from one clip to another."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Literal

from motionloom.errors import RegistrationWarning
from motionloom.messages import Message
from motionloom.options import options_stated
from motionloom.options.command_line import write_words
from motionloom.options.transitions import TRANSITION
from motionloom.project.python_code import ENSURE_ANNOTATED, Code, PythonStatements, write_call
from motionloom.project.recipes.option_fields import TransitionFields
from motionloom.project.recipes.recipe import SOURCE, Evaluation, RecipeResult, RecipeVerbs
from motionloom.project.shell_code import ShellCalls


@dataclass(frozen=True, kw_only=True)
class TransitionRecipe(TransitionFields, RecipeVerbs):
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

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Make the transition; with ``loop``, clips are closed to cycles first."""
        from motionloom.cycles.cyclify import frame_in_cycle, try_cyclify
        from motionloom.motion.motion import name_clips
        from motionloom.transitions import transition
        from motionloom.workflows import ensure_annotated, plant_transition

        given = [ensure_annotated(clip) for clip in evaluation.clips(self.first, self.second)]
        clips, notes, options = given, [], self.options()
        if "loop" in options:
            clips = [try_cyclify(clip).clip for clip in given]
            notes = [
                Message((name, " does not close to a cycle, so it is played once"))
                for name, clip in zip(name_clips(clips), clips, strict=True)
                if not clip.cyclic
            ]
            if "at" in options:
                cycles = zip(options["at"], given, clips, strict=True)
                options["at"] = tuple(frame_in_cycle(frame, clip, cycle) for frame, clip, cycle in cycles)
        with warnings.catch_warnings():
            # The notes say it too.
            warnings.simplefilter("ignore", RegistrationWarning)
            joined = transition(*clips, **options)
        result = plant_transition(joined) if self.plant else joined
        before = joined.clip if result is not joined else None
        return RecipeResult(
            clip=result.clip, before=before, blend=result, notes=(*notes, *joined.report.notes)
        )

    def options(self) -> dict[str, Any]:
        """Return the options of :func:`motionloom.transition` that apply and are stated, apart from planting.

        >>> TransitionRecipe(first="c1", second="c2", keep=1.0).options()
        {'keep': 'all'}
        """
        # A panel keeps what belongs to a choice of frames or to a method when somebody takes another.
        return keep_fitting_options(options_stated(TRANSITION, self))

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.transition``."""
        clips = [script.ensure_annotated(self.first), script.ensure_annotated(self.second)]
        stated = self.options()
        if "loop" in stated:
            script.lines.append(f"first, second = {', '.join(clips)}")
            script.lines.append("one, two = try_cyclify(first).clip, try_cyclify(second).clip")
            clips = ["one", "two"]
            if "at" in stated:
                a, b = stated["at"]
                frames = f"frame_in_cycle({a}, first, one), frame_in_cycle({b}, second, two)"
                stated["at"] = Code(f"({frames})")
        expression = write_call("ml.transition", *clips, **stated)
        script.set(f"plant_transition({expression}).clip" if self.plant else f"{expression}.clip")

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom transition``."""
        words = write_words(TRANSITION, self.options() | {"plant": self.plant})
        script.make("transition", *script.sources(self.first, self.second), *words)


def keep_fitting_options(stated: dict[str, Any]) -> dict[str, Any]:
    """Return those of the options of transitions that belong together, without planting.

    >>> keep_fitting_options({"at": (3, 4), "keep": 0.9, "plant": True})
    {'at': (3, 4)}
    """
    method = stated.get("method", "registration")
    unfit = {"plant"}
    if method != "registration":
        unfit.add("alignment")
    unfit |= (
        {"at", "keep", "half_width", "loop", "snap"}
        if method == "overlap"
        else {"overlap", "correspondences"}
    )
    if "at" in stated:
        unfit.add("keep")
    fitting = {name: value for name, value in stated.items() if name not in unfit}
    return fitting | {"keep": "all"} if fitting.get("keep") == 1.0 else fitting
