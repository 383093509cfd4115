"""`RetargetRecipe`: a clip on another skeleton."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from motionloom.errors import ParameterError
from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.python_code import (
    ENSURE_ANNOTATED,
    Code,
    PythonStatements,
    write_call,
    write_string,
    write_value,
)
from motionloom.project.recipes.recipe import (
    FILE,
    MAX_NAMES,
    SOURCE,
    Evaluation,
    RecipeResult,
    RecipeVerbs,
)
from motionloom.project.shell_code import ShellCalls, write_options

if TYPE_CHECKING:
    from motionloom.motion import Clip

MAP_FILE = "joint_maps.json"
"""The file of a project with the joint maps that somebody corrected."""


@dataclass(frozen=True, kw_only=True)
class RetargetRecipe(RecipeVerbs):
    """A clip on another skeleton: that of the clip ``to``, or that of a file of the project at ``path``.

    ``joint_map`` holds what somebody corrected of the joint map: the source joint that drives a target joint,
    or None for a joint that stays at rest.
    """

    KIND = "retargeted"
    IMPORTS = (ENSURE_ANNOTATED,)
    VARIABLES = ("source", "target")

    type: Literal["retarget"] = "retarget"
    source: str = field(metadata={SOURCE: True})
    to: str | None = field(default=None, metadata={SOURCE: True})
    path: str | None = field(default=None, metadata={FILE: True})
    joint_map: dict[str, str | None] = field(default_factory=dict, metadata={MAX_ENTRIES: (MAX_NAMES,)})
    plant: bool = True

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Retarget the clip, with the corrections of the joint map that apply."""
        from motionloom.retargeting.joint_mapping import joint_mapping
        from motionloom.workflows import ensure_annotated
        from motionloom.workflows.retarget import retarget

        (source,), target = evaluation.clips(self.source), self._find_target(evaluation)
        annotated = ensure_annotated(source)
        mapping = joint_mapping(annotated, target).redriven(self.joint_map) if self.joint_map else None
        result = retarget(annotated, target, mapping=mapping, plant=self.plant)
        return RecipeResult(clip=result.clip, notes=tuple(str(result.report).splitlines()[:1]))

    def _find_target(self, evaluation: Evaluation) -> Clip:
        """Return the clip that shows the skeleton to retarget to."""
        if (self.to is None) == (self.path is None):
            raise ParameterError("choose one target to retarget to: a clip or a file")
        if self.to is not None:
            return evaluation.clips(self.to)[0]
        assert self.path is not None
        return evaluation.load(self.path)

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.retarget``."""
        source = script.ensure_annotated(self.source)
        target = script.names[self.to] if self.to else write_call("ml.load", write_string(self.path or ""))
        stated: dict[str, object] = {} if self.plant else {"plant": False}
        if self.joint_map:
            script.lines.append(f"source, target = {source}, {target}")
            source, target = "source", "target"
            corrections = write_value(self.joint_map)
            stated["mapping"] = Code(f"ml.joint_mapping(source, target).redriven({corrections})")
        script.set_clip_of(write_call("ml.retarget", source, target, **stated))

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom retarget``."""
        to = self.path if self.to is None else script.paths[self.to]
        map_file = MAP_FILE if self.joint_map else None
        words = write_options({"to": to, "map_file": map_file, "no_plant": not self.plant})
        script.make("retarget", *script.sources(self.source), *words)
