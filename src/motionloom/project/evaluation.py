"""Making the clips of a document, and making again only what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import TypeVar

from motionloom.arrays import freeze
from motionloom.blending import BlendResult
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files import load
from motionloom.framespace import Framespace
from motionloom.motion import Clip
from motionloom.project import making
from motionloom.project.cache import Cache, size_of
from motionloom.project.clip_edits import edited, edited_frames, edited_moments, marked
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.folder import ProjectFolder
from motionloom.project.keys import Keys, digest
from motionloom.project.making import Made, Registered, with_path
from motionloom.project.naming import places
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import (
    BlendRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    MotionRecipe,
    TransitionRecipe,
    WarpRecipe,
    sources_of,
)
from motionloom.registration import RegistrationCurve
from motionloom.synthesis.options import make_motion
from motionloom.workflows import with_plants

Progress = Callable[[int, int], None]

_Kept = TypeVar("_Kept")

LAID_OUT = 2
"""Clips that were registered, or that span a framespace, are kept together with their frames in rows."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What an item of a document came to.

    Attributes
    ----------
    clip
        The motion after its edit and with its marks. Motion from files and built-in motion has its foot
        plants found; other motion carries those of its sources. ``clip.source.path`` is the file in which a
        script of the project keeps it.
    before
        The same before planted feet and hands were held; None where that was not done.
    blend
        What each frame is made of; None where nothing was mixed. Rows follow the edit.
    curve
        How the sources of a blend correspond.
    verdict
        Whether they go well together, in words.
    notes
        What was found, cut and changed on the way, in sentences.
    seams
        Frames at which untouched source motion ends or begins again.
    whole_frames
        Frames before the edit, which its trim counts.
    source_frame_times
        Seconds that a frame of each source lasts.
    key
        The same key is the same motion.
    """

    clip: Clip
    before: Clip | None
    blend: BlendResult | None
    curve: RegistrationCurve | None
    verdict: str | None
    notes: tuple[str, ...]
    seams: tuple[float, ...]
    whole_frames: int
    source_frame_times: tuple[float, ...]
    key: str


class Evaluator:
    """Makes the clips of documents over one folder; what did not change comes from memory.

    It may be shared by threads; one clip is made at a time.

    >>> from motionloom.project.edits import AddItem
    >>> from motionloom.project.recipes import MotionRecipe
    >>> document = AddItem(name="walk", recipe=MotionRecipe(motion="walk", options={})).applied(Document())
    >>> made = Evaluator(ProjectFolder("nowhere")).outcome(document, "c1")
    >>> made.clip.source.path, len(made.clip.constraints) > 0
    ('made/walk.npz', True)
    """

    def __init__(self, folder: ProjectFolder, cache: Cache | None = None) -> None:
        self.folder = folder
        self._memory = _Memory(Cache() if cache is None else cache)
        self._keys = Keys(folder)
        self._making = RLock()

    def key(self, document: Document, id: str) -> str:
        """The key of an item's motion."""
        return self._keys.of(document, id)[id]

    def outcome(self, document: Document, id: str, progress: Progress | None = None) -> Outcome:
        """The motion of an item, with what led there; ``progress`` is told of pairs of clips registered.

        Raises a :class:`~motionloom.errors.MotionloomError` where it, or what it is made of, cannot be made.
        """
        keys, kept = self._keys.of(document, id), places(document)
        known = self._memory.outcome(keys[id], kept[id])
        if known is not None:
            return known
        with self._making:
            work = _Work(self.folder, self._memory, keys, kept, progress)
            for item in document.needed(id):
                work.make(item)
            return work.outcomes[id]

    def curve(self, document: Document, id: str, progress: Progress | None = None) -> RegistrationCurve:
        """How the sources of a blend correspond; also where they hardly do."""
        item = document.item(id)
        if not isinstance(item.recipe, BlendRecipe):
            raise ParameterError(f"{item.name} is no blend, so nothing is registered for it")
        with self._making:
            return self._begun(document, id, progress).registered(item.recipe)[0]

    def space(self, document: Document, id: str) -> Framespace:
        """The framespace of an item's sources; also where the curve drawn in it makes no clip."""
        item = document.item(id)
        if not isinstance(item.recipe, FramespaceRecipe):
            raise ParameterError(f"{item.name} is no framespace, so no curve goes through it")
        with self._making:
            return self._begun(document, id, None).space(item.recipe)

    def _begun(self, document: Document, id: str, progress: Progress | None) -> _Work:
        """The work on an item of which all sources are made."""
        work = _Work(self.folder, self._memory, self._keys.of(document, id), places(document), progress)
        for source in document.needed(*sources_of(document.item(id).recipe)):
            work.make(source)
        return work


class _Memory:
    """What was made of documents, until there is too much of it."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def outcome(self, key: str, place: str) -> Outcome | None:
        """An outcome that was made before, under the name that its item has now."""
        known: Outcome | None = self._cache.get(key)
        if known is None or known.clip.source.path == place:
            return known
        clip = with_path(known.clip, place)
        blend = None if known.blend is None else replace(known.blend, clip=clip)
        renamed = replace(known, clip=clip, blend=blend)
        self.keep(renamed)
        return renamed

    def keep(self, outcome: Outcome) -> None:
        # Where nothing was edited, the result of a blend holds the same clip.
        self._cache.put(outcome.key, outcome, size_of(outcome.clip, outcome.before))

    def laid_out(
        self, key: str, make: Callable[[], _Kept], clips_of: Callable[[_Kept], Iterable[Clip]]
    ) -> _Kept:
        """What was made of clips under a key, or is now; it holds their frames in rows besides."""
        kept: _Kept | None = self._cache.get(key)
        if kept is None:
            kept = make()
            self._cache.put(key, kept, size_of(*clips_of(kept)) * LAID_OUT)
        return kept


class _Work:
    """Making an item and all that it needs, sources first."""

    def __init__(
        self,
        folder: ProjectFolder,
        memory: _Memory,
        keys: dict[str, str],
        places: dict[str, str],
        progress: Progress | None,
    ) -> None:
        self._folder, self._memory, self._progress = folder, memory, progress
        self._keys, self._places = keys, places
        self.outcomes: dict[str, Outcome] = {}

    def make(self, item: Item) -> None:
        key, place = self._keys[item.id], self._places[item.id]
        outcome = self._memory.outcome(key, place)
        if outcome is None:
            sources = self._clips(*sources_of(item.recipe))
            outcome = finished(item, self._made(item), key, place, sources)
            self._memory.keep(outcome)
        self.outcomes[item.id] = outcome

    def _made(self, item: Item) -> Made:
        recipe = item.recipe
        match recipe:
            case FileRecipe():
                return _loaded(self._folder.resolved(recipe.path), recipe.path)
            case MotionRecipe():
                return Made(clip=make_motion(recipe.motion, recipe.options).clip)
            case BlendRecipe():
                return making.make_blend(recipe, self.registered(recipe))
            case TransitionRecipe():
                return making.make_transition(recipe, *self._clips(recipe.first, recipe.second))
            case EnforceRecipe():
                return making.make_enforced(recipe, *self._clips(recipe.source))
            case WarpRecipe():
                return making.make_warped(recipe, *self._clips(recipe.source))
            case FramespaceRecipe():
                return making.make_mixed(recipe, self.space(recipe))

    def registered(self, recipe: BlendRecipe) -> Registered:
        """The curve of a blend, which does not depend on its weights."""
        clips, options = self._clips(*recipe.sources), recipe.registration
        return self._memory.laid_out(
            digest("curve", self._keys_of(recipe.sources), to_plain(options)),
            lambda: making.register_sources(options, clips, self._progress),
            lambda found: found[0].clips,
        )

    def space(self, recipe: FramespaceRecipe) -> Framespace:
        """The framespace of clips, which does not depend on the curve drawn in it."""
        clips = self._clips(*recipe.sources)
        return self._memory.laid_out(
            digest("space", self._keys_of(recipe.sources), recipe.decoupled),
            lambda: making.make_space(recipe, clips),
            lambda space: space.clips,
        )

    def _keys_of(self, sources: tuple[str, ...]) -> list[str]:
        return [self._keys[source] for source in sources]

    def _clips(self, *sources: str) -> list[Clip]:
        return [self.outcomes[source].clip for source in sources]


def _loaded(path: Path, name: str) -> Made:
    """The motion of a file; what is wrong with it is said of the name that it has in the project."""
    try:
        clip = load(path)
    except FileFormatError as error:
        raise FileFormatError(name, error.cause, error.line) from None
    except MotionloomError as error:
        raise MotionloomError(str(error).replace(str(path), name)) from None
    return Made(clip=clip, notes=clip.source.notes)


def finished(item: Item, made: Made, key: str, place: str, sources: Sequence[Clip] = ()) -> Outcome:
    """What a recipe made of its sources, edited, marked, and with its plants."""
    clip = with_path(edited(made.clip, item.edit), place)
    if item.marks is not None:
        clip = marked(clip, item.marks)
    elif isinstance(item.recipe, FileRecipe | MotionRecipe):
        clip = with_plants(clip)
    report = None if made.curve is None else made.curve.report
    seams = () if made.blend is None else made.blend.report.seams
    return Outcome(
        clip=clip,
        before=None if made.before is None else edited(made.before, item.edit),
        blend=None if made.blend is None else _edited_rows(made.blend, clip, item.edit),
        curve=made.curve,
        verdict=None if report is None else f"{report.verdict.value} ({report.reason})",
        notes=made.notes,
        seams=edited_moments(seams, made.clip.n_frames, item.edit),
        whole_frames=made.clip.n_frames,
        source_frame_times=tuple(source.frame_time for source in sources),
        key=key,
    )


def _edited_rows(blend: BlendResult, clip: Clip, edit: ClipEdit) -> BlendResult:
    """What went into each frame of the edited clip."""
    if edit == ClipEdit():
        return replace(blend, clip=clip)
    rows = edited_frames(blend.clip.n_frames, edit)
    return BlendResult(
        clip=clip,
        u=freeze(blend.u[rows]),
        weights=freeze(blend.weights[rows]),
        frames=freeze(blend.frames[rows]),
        placements=freeze(blend.placements[rows]),
    )
