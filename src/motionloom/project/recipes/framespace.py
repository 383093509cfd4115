"""`FramespaceRecipe`: cyclic clips mixed along a curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.python_code import Code, PythonStatements, write_call, write_value
from motionloom.project.recipes.recipe import (
    MAX_SOURCES,
    MAX_VERTICES,
    SOURCE,
    Evaluation,
    RecipeResult,
    RecipeVerbs,
)
from motionloom.project.shell_code import ShellCalls, write_options

if TYPE_CHECKING:
    from motionloom.framespace import Framespace, Interpolant

MAX_COORDINATES = 3
"""Numbers of a vertex: x, v and in a box w."""


@dataclass(frozen=True, kw_only=True)
class FramespaceRecipe(RecipeVerbs):
    """Cyclic clips mixed along a curve; vertices are (x, v), or (x, v, w) in a box of four, each 0 to 1."""

    KIND = "framespace"
    IMPORTS = ("motionloom.framespace.PolylineInterpolant",)
    VARIABLES = ("space",)

    type: Literal["framespace"] = "framespace"
    sources: tuple[str, ...] = field(metadata={SOURCE: True, MAX_ENTRIES: (MAX_SOURCES,)})
    curve: tuple[tuple[float, ...], ...] = field(metadata={MAX_ENTRIES: (MAX_VERTICES, MAX_COORDINATES)})
    upper: tuple[tuple[float, ...], ...] | None = field(
        default=None, metadata={MAX_ENTRIES: (MAX_VERTICES, MAX_COORDINATES)}
    )
    cycles: float = 6.0
    polyline: bool = False
    decoupled: bool = False
    loop: bool = False

    def open_space(self, evaluation: Evaluation) -> Framespace:
        """Return the framespace of the sources, which does not depend on the curve drawn in it."""
        from motionloom.framespace import Framespace

        return evaluation.get_or_make(
            "space",
            self.sources,
            self.decoupled,
            lambda clips: Framespace(clips, decoupled=self.decoupled),
            lambda space: space.clips,
        )

    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Blend along the curve through the framespace."""
        space = self.open_space(evaluation)
        upper = None if self.upper is None else interpolant_of(self.upper, self.polyline)
        result = space.blend(
            interpolant_of(self.curve, self.polyline), cycles=self.cycles, upper=upper, loop=self.loop
        )
        return RecipeResult(clip=result.clip, blend=result, notes=(*space.notes, *result.report.notes))

    def write_python(self, script: PythonStatements) -> None:
        """Write ``ml.Framespace`` and its ``blend``."""
        decoupled = {"decoupled": True} if self.decoupled else {}
        space = write_call("ml.Framespace", script.sources(self.sources), **decoupled)
        script.lines.append(f"space = {space}")
        stated: dict[str, object] = {"cycles": self.cycles}
        if self.upper is not None:
            stated["upper"] = Code(_python_curve(self.upper, self.polyline))
        if self.loop:
            stated["loop"] = True
        script.set(f"{write_call('space.blend', _python_curve(self.curve, self.polyline), **stated)}.clip")

    def write_commands(self, script: ShellCalls) -> None:
        """Write ``motionloom framespace``."""
        words = [f"--curve={_command_vertices(self.curve)}"]
        if self.upper is not None:
            words.append(f"--upper={_command_vertices(self.upper)}")
        flags = {"polyline": self.polyline, "decoupled": self.decoupled, "loop": self.loop}
        words += write_options({"cycles": self.cycles, **flags})
        script.make("framespace", *script.sources(*self.sources), *words)


def interpolant_of(vertices: Sequence[Sequence[float]], polyline: bool) -> Interpolant:
    """Return the curve through vertices (x, v) or (x, v, w).

    >>> interpolant_of([(0, 0), (1, 0.5)], polyline=True)([0.5]).tolist()
    [[0.25]]
    """
    from motionloom.framespace import PolylineInterpolant, SplineInterpolant

    return PolylineInterpolant(vertices) if polyline else SplineInterpolant(vertices)


def _python_curve(vertices: Sequence[Sequence[float]], polyline: bool) -> str:
    drawn = write_value(list(vertices))
    return f"PolylineInterpolant({drawn})" if polyline else drawn


def _command_vertices(vertices: Iterable[Sequence[float]]) -> str:
    return " ".join(":".join(map(repr, vertex)) for vertex in vertices)
