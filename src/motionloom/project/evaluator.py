"""`Evaluator`: makes the clips of a document, and only those again that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from motionloom.arrays import FloatArray, freeze
from motionloom.blending import BlendResult
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files import load_clip
from motionloom.framespace import Framespace
from motionloom.motion import Clip, Provenance
from motionloom.motion.deferred import Notes
from motionloom.project.cache import Cache, CacheKeys, digest, size_of
from motionloom.project.clip_edits import apply_edit, edit_frames, edit_times, mark_edited_clip, marks_of
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.folder import ProjectFolder, script_paths
from motionloom.project.recipes import BlendRecipe, FramespaceRecipe, RecipeResult, sources_of
from motionloom.project.recipes.recipe import Progress
from motionloom.registration import RegistrationCurve
from motionloom.workflows import ensure_annotated

if TYPE_CHECKING:
    from motionloom.warping import WarpReport

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
    warp
        The report of a warp, in frames before the edit; None for other motion.
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
    warp: WarpReport | None = None


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
            return evaluation.evaluated[id]

    def curve(self, document: Document, id: str, progress: Progress | None = None) -> RegistrationCurve:
        """Return the registration of the sources of a blend, also where they hardly correspond."""
        item = document.item(id)
        if not isinstance(item.recipe, BlendRecipe):
            raise ParameterError(f"{item.name} is not a blend, so it has no registration")
        with self._lock:
            return item.recipe.register(self._evaluate_sources(document, id, progress))[0]

    def space(self, document: Document, id: str) -> Framespace:
        """Return the framespace of an item's sources, also where the curve drawn in it makes no clip."""
        item = document.item(id)
        if not isinstance(item.recipe, FramespaceRecipe):
            raise ParameterError(f"{item.name} is not a framespace, so there is no curve through it")
        with self._lock:
            return item.recipe.open_space(self._evaluate_sources(document, id, None))

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
    """One run over an item and all that it needs, sources first; what recipes know as an ``Evaluation``."""

    def __init__(
        self,
        folder: ProjectFolder,
        results: _ResultCache,
        keys: dict[str, str],
        paths: dict[str, str],
        progress: Progress | None,
    ) -> None:
        self._folder, self._results, self.progress = folder, results, progress
        self._keys, self._paths = keys, paths
        self.evaluated: dict[str, EvaluatedClip] = {}

    def add(self, item: Item) -> None:
        key, path = self._keys[item.id], self._paths[item.id]
        evaluated = self._results.clip(key, path)
        if evaluated is None:
            sources = self.clips(*sources_of(item.recipe))
            evaluated = finish(item, item.recipe.evaluate(self), key, path, sources)
            self._results.put(evaluated)
        self.evaluated[item.id] = evaluated

    def clips(self, *ids: str) -> list[Clip]:
        """Return the motion of items that were added."""
        return [self.evaluated[id].clip for id in ids]

    def load(self, path: str) -> Clip:
        """Load a file of the project; errors call it by the name that it has there."""
        place = self._folder.resolve(path)
        try:
            return load_clip(place)
        except FileFormatError as error:
            raise FileFormatError(path, error.cause, error.line) from None
        except MotionloomError as error:
            raise MotionloomError(error.message.replacing(str(place), path)) from None

    def get_or_make(
        self,
        what: str,
        ids: tuple[str, ...],
        options: object,
        make: Callable[[list[Clip]], _Cached],
        clips_of: Callable[[_Cached], Iterable[Clip]],
    ) -> _Cached:
        """Return what was made before of sources with the same options, or make and keep it."""
        key = digest(what, [self._keys[id] for id in ids], options)
        return self._results.get_or_make(key, lambda: make(self.clips(*ids)), clips_of)


def set_path(clip: Clip, path: str) -> Clip:
    """Set the path that a clip says it was read from; some formats name the motion by it."""
    if clip.source.path == path:
        return clip
    return replace(clip, source=replace(clip.source, path=path))


def finish(
    item: Item, result: RecipeResult, key: str, path: str, sources: Sequence[Clip] = ()
) -> EvaluatedClip:
    """Edit, mark and annotate what a recipe made of its sources."""
    clip = set_path(apply_edit(result.clip, item.edit), path)
    if item.marks is not None:
        clip = mark_edited_clip(clip, item.marks, item.edit, result.clip.n_frames)
    elif not sources_of(item.recipe):
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
        warp=result.warp,
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
        report=blend.report,
        u=freeze(blend.u[rows]),
        weights=freeze(blend.weights[rows]),
        frames=freeze(blend.frames[rows]),
        placements=freeze(blend.placements[rows]),
    )
