"""`Evaluator`: makes the clips of a document, and only those again that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import TypeVar

from motionloom.arrays import FloatArray, freeze
from motionloom.blending import BlendResult
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files import load
from motionloom.framespace import Framespace
from motionloom.motion import Clip, Provenance
from motionloom.motion.deferred import Notes
from motionloom.project.cache import Cache, CacheKeys, digest, size_of
from motionloom.project.clip_edits import apply_edit, edit_frames, edit_times, mark_edited_clip, marks_of
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.evaluate_recipe import (
    RecipeResult,
    Registered,
    evaluate_blend,
    evaluate_copy,
    evaluate_enforcement,
    evaluate_framespace,
    evaluate_loop,
    evaluate_retarget,
    evaluate_sequence,
    evaluate_transition,
    evaluate_warp,
    open_framespace,
    register_sources,
    set_path,
)
from motionloom.project.folder import ProjectFolder, script_paths
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import (
    BlendRecipe,
    CopyRecipe,
    EnforceRecipe,
    FileRecipe,
    FramespaceRecipe,
    LoopRecipe,
    MotionRecipe,
    RetargetRecipe,
    SequenceRecipe,
    TransitionRecipe,
    WarpRecipe,
    sources_of,
)
from motionloom.registration import RegistrationCurve
from motionloom.synthesis.motions import make_motion
from motionloom.workflows import ensure_annotated

Progress = Callable[[int, int], None]

_Cached = TypeVar("_Cached")

SOURCES_FACTOR = 2
"""Memory of a curve or a framespace, in multiples of its clips: it holds their frames as rows as well."""


@dataclass(frozen=True, eq=False, kw_only=True)
class EvaluatedClip:
    """The motion of an item of a document, and how it came about.

    Attributes
    ----------
    clip
        The motion after its edit and with its marks. Motion from files and built-in motion is annotated;
        other motion carries the constraints of its sources. ``clip.source.path`` is the file in which a
        script of the project saves it.
    before
        The same motion before its feet and hands were planted; None where they were not.
    blend
        What each frame is made of; None where nothing was blended. Rows follow the edit.
    curve
        The registration of the sources of a blend.
    frames
        The source frame (T, 1) of every frame of a cycle that was closed; None where none was.
    verdict
        How well the sources correspond, in words.
    notes
        What was detected, cut and changed on the way, in sentences.
    seams
        Frames at which untouched source motion ends or begins again.
    edit
        What was done to the motion after its recipe made it.
    whole_frames
        Number of frames before the edit; its trim counts in them.
    source_provenances
        Where the frames of each source come from; blended frames are counted relative to them.
    key
        Equal keys mean equal motion.
    """

    clip: Clip
    before: Clip | None
    blend: BlendResult | None
    curve: RegistrationCurve | None
    frames: FloatArray | None
    verdict: str | None
    notes: Notes
    seams: tuple[float, ...]
    edit: ClipEdit
    whole_frames: int
    source_provenances: tuple[Provenance, ...]
    key: str


class Evaluator:
    """Makes the clips of documents over one folder; what did not change comes from a cache.

    Threads may share it; one clip is made at a time.

    >>> from motionloom.project.edits import AddItem
    >>> from motionloom.project.recipes import MotionRecipe
    >>> document = AddItem(name="walk", recipe=MotionRecipe(motion="walk", options={})).apply(Document())
    >>> evaluated = Evaluator(ProjectFolder("nowhere")).evaluate(document, "c1")
    >>> evaluated.clip.source.path, len(evaluated.clip.constraints) > 0
    ('made/walk.npz', True)
    """

    def __init__(self, folder: ProjectFolder, cache: Cache | None = None) -> None:
        self.folder = folder
        self._results = _ResultCache(Cache() if cache is None else cache)
        self._keys = CacheKeys(folder)
        self._paths: tuple[Document, dict[str, str]] = (Document(), {})
        self._lock = RLock()

    def key(self, document: Document, id: str) -> str:
        """Return the key of an item's motion."""
        return self._keys.of(document, id)[id]

    def evaluate(self, document: Document, id: str, progress: Progress | None = None) -> EvaluatedClip:
        """Make the motion of an item; ``progress`` is called with the pairs of clips registered so far.

        Raises a :class:`~motionloom.errors.MotionloomError` where the item, or one of its sources, cannot be
        made.
        """
        keys, paths = self._keys.of(document, id), self._paths_of(document)
        known = self._results.clip(keys[id], paths[id])
        if known is not None:
            return known
        with self._lock:
            evaluation = _Evaluation(self.folder, self._results, keys, paths, progress)
            for item in document.with_sources(id):
                evaluation.add(item)
            return evaluation.clips[id]

    def curve(self, document: Document, id: str, progress: Progress | None = None) -> RegistrationCurve:
        """Return the registration of the sources of a blend, also where they hardly correspond."""
        item = document.item(id)
        if not isinstance(item.recipe, BlendRecipe):
            raise ParameterError(f"{item.name} is not a blend, so it has no registration")
        with self._lock:
            return self._evaluate_sources(document, id, progress).registration(item.recipe)[0]

    def space(self, document: Document, id: str) -> Framespace:
        """Return the framespace of an item's sources, also where the curve drawn in it makes no clip."""
        item = document.item(id)
        if not isinstance(item.recipe, FramespaceRecipe):
            raise ParameterError(f"{item.name} is not a framespace, so there is no curve through it")
        with self._lock:
            return self._evaluate_sources(document, id, None).space(item.recipe)

    def retime_marks(self, document: Document, id: str) -> Document:
        """Return the document with the marks of an item and its sources in the frames of their own edits.

        Scripts mark clips as they are after their edits.
        """
        items = {item.id: item for item in document.items}
        for item in document.with_sources(id):
            if item.marks is not None and item.marks.edit is not None:
                items[item.id] = replace(item, marks=marks_of(self.evaluate(document, item.id).clip))
        return replace(document, items=tuple(items.values()))

    def _paths_of(self, document: Document) -> dict[str, str]:
        """Return the paths of all items; the names of all together determine each."""
        known = self._paths
        if known[0] is not document:
            self._paths = known = document, script_paths(document)
        return known[1]

    def _evaluate_sources(self, document: Document, id: str, progress: Progress | None) -> _Evaluation:
        keys = self._keys.of(document, id)
        evaluation = _Evaluation(self.folder, self._results, keys, self._paths_of(document), progress)
        for source in document.with_sources(*sources_of(document.item(id).recipe)):
            evaluation.add(source)
        return evaluation


class _ResultCache:
    """Evaluated clips, curves and framespaces by key, up to a limit of memory."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def clip(self, key: str, path: str) -> EvaluatedClip | None:
        """Return a clip evaluated before, under the path that its item has now."""
        known: EvaluatedClip | None = self._cache.get(key)
        if known is None or known.clip.source.path == path:
            return known
        clip = set_path(known.clip, path)
        blend = None if known.blend is None else replace(known.blend, clip=clip)
        renamed = replace(known, clip=clip, blend=blend)
        self.put(renamed)
        return renamed

    def put(self, evaluated: EvaluatedClip) -> None:
        # Where nothing was edited, the result of a blend holds the same clip.
        self._cache.put(evaluated.key, evaluated, size_of(evaluated.clip, evaluated.before))

    def get_or_make(
        self, key: str, make: Callable[[], _Cached], clips_of: Callable[[_Cached], Iterable[Clip]]
    ) -> _Cached:
        """Return the curve or framespace under a key, made now where it is not cached."""
        cached: _Cached | None = self._cache.get(key)
        if cached is None:
            cached = make()
            self._cache.put(key, cached, size_of(*clips_of(cached)) * SOURCES_FACTOR)
        return cached


class _Evaluation:
    """One run over an item and all that it needs, sources first."""

    def __init__(
        self,
        folder: ProjectFolder,
        results: _ResultCache,
        keys: dict[str, str],
        paths: dict[str, str],
        progress: Progress | None,
    ) -> None:
        self._folder, self._results, self._progress = folder, results, progress
        self._keys, self._paths = keys, paths
        self.clips: dict[str, EvaluatedClip] = {}

    def add(self, item: Item) -> None:
        key, path = self._keys[item.id], self._paths[item.id]
        evaluated = self._results.clip(key, path)
        if evaluated is None:
            sources = self._sources(*sources_of(item.recipe))
            evaluated = finish(item, self._evaluate(item), key, path, sources)
            self._results.put(evaluated)
        self.clips[item.id] = evaluated

    def _evaluate(self, item: Item) -> RecipeResult:
        recipe = item.recipe
        match recipe:
            case FileRecipe():
                return _load(self._folder.resolve(recipe.path), recipe.path)
            case MotionRecipe():
                return RecipeResult(clip=make_motion(recipe.motion, recipe.options).clip)
            case BlendRecipe():
                return evaluate_blend(recipe, self.registration(recipe))
            case TransitionRecipe():
                return evaluate_transition(recipe, *self._sources(recipe.first, recipe.second))
            case EnforceRecipe():
                return evaluate_enforcement(recipe, *self._sources(recipe.source))
            case LoopRecipe():
                return evaluate_loop(recipe, *self._sources(recipe.source))
            case WarpRecipe():
                return evaluate_warp(recipe, *self._sources(recipe.source))
            case FramespaceRecipe():
                return evaluate_framespace(recipe, self.space(recipe))
            case SequenceRecipe():
                return evaluate_sequence(recipe, self._sources(*recipe.sources))
            case CopyRecipe():
                return evaluate_copy(recipe, *self._sources(recipe.source))
            case RetargetRecipe():
                return evaluate_retarget(recipe, self.clips[recipe.source].clip, self._find_target(recipe))

    def _find_target(self, recipe: RetargetRecipe) -> Clip:
        """Return the clip that shows the skeleton to retarget to."""
        if (recipe.to is None) == (recipe.path is None):
            raise ParameterError("choose one target to retarget to: a clip or a file")
        if recipe.to is not None:
            return self._sources(recipe.to)[0]
        assert recipe.path is not None
        return _load(self._folder.resolve(recipe.path), recipe.path).clip

    def registration(self, recipe: BlendRecipe) -> Registered:
        """Return the curve of a blend, which does not depend on its weights."""
        clips, options = self._sources(*recipe.sources), recipe.registration
        return self._results.get_or_make(
            digest("curve", self._source_keys(recipe.sources), to_plain(options)),
            lambda: register_sources(options, clips, self._progress),
            lambda registered: registered[0].clips,
        )

    def space(self, recipe: FramespaceRecipe) -> Framespace:
        """Return the framespace of clips, which does not depend on the curve drawn in it."""
        clips = self._sources(*recipe.sources)
        return self._results.get_or_make(
            digest("space", self._source_keys(recipe.sources), recipe.decoupled),
            lambda: open_framespace(recipe, clips),
            lambda space: space.clips,
        )

    def _source_keys(self, sources: tuple[str, ...]) -> list[str]:
        return [self._keys[source] for source in sources]

    def _sources(self, *ids: str) -> list[Clip]:
        return [self.clips[id].clip for id in ids]


def _load(path: Path, name: str) -> RecipeResult:
    """Load a file; errors call it by the name that it has in the project."""
    try:
        clip = load(path)
    except FileFormatError as error:
        raise FileFormatError(name, error.cause, error.line) from None
    except MotionloomError as error:
        raise MotionloomError(error.message.replacing(str(path), name)) from None
    return RecipeResult(clip=clip, notes=clip.source.notes)


def finish(
    item: Item, result: RecipeResult, key: str, path: str, sources: Sequence[Clip] = ()
) -> EvaluatedClip:
    """Edit, mark and annotate what a recipe made of its sources."""
    clip = set_path(apply_edit(result.clip, item.edit), path)
    if item.marks is not None:
        clip = mark_edited_clip(clip, item.marks, item.edit, result.clip.n_frames)
    elif isinstance(item.recipe, FileRecipe | MotionRecipe):
        clip = ensure_annotated(clip)
    report = None if result.curve is None else result.curve.report
    seams = () if result.blend is None else result.blend.report.seams
    return EvaluatedClip(
        clip=clip,
        before=None if result.before is None else apply_edit(result.before, item.edit),
        blend=None if result.blend is None else _edit_rows(result.blend, clip, item.edit),
        curve=result.curve,
        frames=None if result.frames is None else result.frames[edit_frames(len(result.frames), item.edit)],
        verdict=None if report is None else str(report),
        notes=result.notes,
        seams=edit_times(seams, result.clip.n_frames, item.edit),
        edit=item.edit,
        whole_frames=result.clip.n_frames,
        source_provenances=tuple(source.provenance for source in sources),
        key=key,
    )


def _edit_rows(blend: BlendResult, clip: Clip, edit: ClipEdit) -> BlendResult:
    """Return what each frame of the edited clip is made of."""
    if edit == ClipEdit():
        return replace(blend, clip=clip)
    rows = edit_frames(blend.clip.n_frames, edit)
    return BlendResult(
        clip=clip,
        u=freeze(blend.u[rows]),
        weights=freeze(blend.weights[rows]),
        frames=freeze(blend.frames[rows]),
        placements=freeze(blend.placements[rows]),
    )
