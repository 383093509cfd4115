"""What every kind of recipe can do, and what it is given to do it.

A kind of recipe is one file beside this one: plain data with the verbs of :class:`RecipeVerbs`. Its fields
say in their metadata which of them name clips (:data:`SOURCE`) or files of the project (:data:`FILE`), how
long their lists may be, and what they were called before (:mod:`motionloom.project.plain_data`). The page's
types, the limits of messages and the keys of the cache follow from that. What takes long to import is
imported in the verbs, so that a document opens without it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

if TYPE_CHECKING:
    from motionloom.arrays import FloatArray
    from motionloom.blending import BlendResult
    from motionloom.motion import Clip
    from motionloom.motion.deferred import Notes
    from motionloom.project.python_code import PythonStatements
    from motionloom.project.shell_code import ShellCalls
    from motionloom.registration import RegistrationCurve
    from motionloom.warping import WarpReport

SOURCE = "source"
"""Key of a field's metadata: the field holds the id of an item, or a tuple of ids, that motion comes from."""

FILE = "file"
"""Key of a field's metadata: the field holds the path of a file of the project."""

MAX_SOURCES = 50
"""Clips that one is made of: they are registered in pairs, each of which takes a part of a second."""

MAX_VERTICES = 1000
"""Vertices of a curve in a framespace, or pins of a registration; more are taken for a mistake."""

MAX_KEYS = 5000
"""Keys of a warp or of weights; a key in every frame of a minute."""

MAX_NAMES = 2000
"""Joints or parts of a body that are named, as many as a skeleton may have."""

Progress = Callable[[int, int], None]

_Kept = TypeVar("_Kept")


@dataclass(frozen=True, eq=False, kw_only=True)
class RecipeResult:
    """What a recipe made, with what led there.

    Attributes
    ----------
    clip
        The motion.
    before
        The same before planted feet and hands were held; None where that was not done.
    blend
        What went into each frame, of motion that is mixed.
    curve
        How the sources correspond, where they were registered as a whole.
    frames
        Source frames (T, 1) that a cycle was closed from; None where no cycle was closed.
    warp
        The report of a warp; None for other motion.
    notes
        What was found, cut and changed on the way, in sentences.
    """

    clip: Clip
    before: Clip | None = None
    blend: BlendResult | None = None
    curve: RegistrationCurve | None = None
    frames: FloatArray | None = None
    warp: WarpReport | None = None
    notes: Notes = ()


class Evaluation(Protocol):
    """A run of the evaluator, as recipes see it: the sources are made already."""

    @property
    def progress(self) -> Progress | None:
        """Called with the pairs of clips registered so far, and all of them."""

    def clips(self, *ids: str) -> list[Clip]:
        """Return the motion of items that the recipe names as sources."""

    def load(self, path: str) -> Clip:
        """Load a file of the project; errors call it by the name that it has there."""

    def get_or_make(
        self,
        what: str,
        ids: tuple[str, ...],
        options: object,
        make: Callable[[list[Clip]], _Kept],
        clips_of: Callable[[_Kept], Iterable[Clip]],
    ) -> _Kept:
        """Return what was made before of sources with the same options, or make and keep it.

        ``options`` is plain data; ``clips_of`` lists the clips that the value holds, for its size.
        """


class RecipeVerbs(ABC):
    """The verbs that every kind of recipe has."""

    KIND: ClassVar[str]
    """What the page's list of clips calls a clip of this kind."""

    IMPORTS: ClassVar[tuple[str, ...]] = ()
    """Names, besides those of ``ml``, that its Python statements use, each with the module before it."""

    VARIABLES: ClassVar[tuple[str, ...]] = ()
    """Names that its Python statements give to what they make on the way."""

    @abstractmethod
    def evaluate(self, evaluation: Evaluation) -> RecipeResult:
        """Make the motion from that of the sources."""

    @abstractmethod
    def write_python(self, script: PythonStatements) -> None:
        """Write the Python statements that make the motion."""

    @abstractmethod
    def write_commands(self, script: ShellCalls) -> None:
        """Write the commands that make the motion."""


def sources_of(recipe: RecipeVerbs) -> tuple[str, ...]:
    """Return the ids of the items that a recipe takes motion from.

    >>> from motionloom.project.recipes import TransitionRecipe
    >>> sources_of(TransitionRecipe(first="a", second="b"))
    ('a', 'b')
    """
    return _list_marked(recipe, SOURCE)


def files_of(recipe: RecipeVerbs) -> tuple[str, ...]:
    """Return the paths of the project's files that a recipe reads.

    >>> from motionloom.project.recipes import FileRecipe
    >>> files_of(FileRecipe(path="clips/walk.bvh"))
    ('clips/walk.bvh',)
    """
    return _list_marked(recipe, FILE)


def _list_marked(recipe: Any, mark: str) -> tuple[str, ...]:
    """Return what the marked fields of a recipe name, in order."""
    found: list[str] = []
    for each in fields(recipe):
        if mark in each.metadata:
            value: str | tuple[str, ...] | None = getattr(recipe, each.name)
            found += (value,) if isinstance(value, str) else value or ()
    return tuple(found)
