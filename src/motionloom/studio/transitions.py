"""Transitions: all ways to make one, side by side with their measures."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from motionloom.cycles.cyclify import try_cyclify
from motionloom.errors import MotionloomError, ParameterError
from motionloom.motion import Clip
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.evaluator import EvaluatedClip, Evaluator
from motionloom.project.plain_data import from_plain, to_plain
from motionloom.project.recipes import TransitionRecipe
from motionloom.quality.feet import measure_plants
from motionloom.quality.results import MeasurementGroup, finite_or_none
from motionloom.quality.seams import measure_seams
from motionloom.studio.background import run_in_background
from motionloom.studio.packs import PackCache
from motionloom.studio.page_words import in_page_words
from motionloom.studio.responses import MethodMeasures, TransitionMethodName
from motionloom.studio.session import Session
from motionloom.transitions.make_segment import describe_centre
from motionloom.workflows import ensure_annotated

Span = tuple[float, float]

_CACHE = PackCache(max_bytes=1 << 20)
"""Measures by the key of the motion: the same key is the same motion in every project."""


async def measure_method(
    session: Session, item: Item, method: TransitionMethodName, clips: list[Clip]
) -> MethodMeasures:
    """Measure a transition made by one method, or say why it cannot be made."""
    assert isinstance(item.recipe, TransitionRecipe)
    recipe = replace(item.recipe, method=method)
    # Trimming or reversing what was made would take its seams away or turn them round.
    tried = replace(item, recipe=recipe, edit=ClipEdit(), marks=None)

    def evaluate(evaluator: Evaluator, document: Document) -> EvaluatedClip:
        items = tuple(tried if other.id == tried.id else other for other in document.items)
        return evaluator.evaluate(replace(document, items=items), tried.id)

    try:
        outcome = await session.ask(evaluate)
    except MotionloomError as error:
        return MethodMeasures(method=method, error=in_page_words(error.message))
    return await run_in_background(partial(_measure_cached, outcome, recipe, clips))


def _measure_cached(outcome: EvaluatedClip, recipe: TransitionRecipe, clips: list[Clip]) -> MethodMeasures:
    kept = _CACHE.get(outcome.key)
    if kept is None:
        kept = json.dumps(to_plain(measure_transition(outcome, recipe, clips))).encode()
        _CACHE.put(outcome.key, kept)
    found: MethodMeasures = from_plain(MethodMeasures, json.loads(kept))
    return found


def find_repeated_frames(clips: list[Clip]) -> tuple[Span | None, Span | None]:
    """Find the frames of two clips that may repeat."""
    first, second = map(cycle_frames, clips)
    return first, second


def measure_transition(
    outcome: EvaluatedClip, recipe: TransitionRecipe, sources: Sequence[Clip]
) -> MethodMeasures:
    """Measure where a transition joins two clips and how smooth it is.

    >>> from motionloom.project.document import Document
    >>> from motionloom.project.edits import AddItem
    >>> from motionloom.project.evaluator import Evaluator
    >>> from motionloom.project.folder import ProjectFolder
    >>> from motionloom.project.recipes import MotionRecipe
    >>> document = Document()
    >>> for motion in ("walk", "jog"):
    ...     recipe = MotionRecipe(motion=motion, options={"fps": 30.0})
    ...     document = AddItem(name=motion, recipe=recipe).apply(document)
    >>> recipe = TransitionRecipe(first="c1", second="c2", at=(40, 30), half_width=0.4)
    >>> document = AddItem(name="over", recipe=recipe).apply(document)
    >>> made = Evaluator(ProjectFolder("nowhere"))
    >>> clips = [made.evaluate(document, id).clip for id in ("c1", "c2")]
    >>> found = measure_transition(made.evaluate(document, "c3"), recipe, clips)
    >>> found.at, round(found.duration, 3)
    ((40.0, 30.0), 0.8)
    """
    cycles = [try_cyclify(ensure_annotated(clip)).clip if recipe.loop else clip for clip in sources]
    assert outcome.blend is not None
    first, last = outcome.seams
    # The page shows which frames meet, counted in the project's clips; the note counts in cycles.
    shown = {describe_centre(centre) for centre in outcome.blend.report.centres}
    figures = _figures(outcome, sources)
    return MethodMeasures(
        method=cast(TransitionMethodName, recipe.method),
        at=_centre(outcome, recipe, sources, cycles),
        spans=_spans(outcome, sources, cycles),
        duration=(last - first) * outcome.clip.frame_time,
        seams=tuple(float(seam) for seam in outcome.seams),
        speed=figures.get("seam speed change"),
        acceleration=figures.get("seam acceleration"),
        jerk=figures.get("seam jerk"),
        turning=figures.get("seam turning"),
        slide=_metres(figures.get("largest slide")),
        kept=outcome.blend.report.kept,
        doubt=outcome.blend.report.doubts[0] if outcome.blend.report.doubts else "",
        notes=tuple(note for note in outcome.notes if note not in shown),
    )


def cycle_frames(clip: Clip) -> Span | None:
    """Return the frames of a clip that can repeat, or None where no cycle closes well.

    >>> from motionloom.synthesis import stand
    >>> cycle_frames(stand(duration=0.1).clip) is None
    True
    """
    cycle = try_cyclify(ensure_annotated(clip))
    if cycle.report is None:
        return (0.0, float(clip.n_frames)) if clip.cyclic else None
    part = cycle.clip.provenance.relative_to(clip.provenance)
    return part.start, float(part.frames(cycle.clip.n_frames))


def _figures(outcome: EvaluatedClip, sources: Sequence[Clip]) -> dict[str, float | None]:
    """Measure seams and plants by name; measures that do not apply are left out."""
    steps: tuple[Callable[[], MeasurementGroup], ...] = (
        lambda: measure_seams(outcome.clip, np.array(outcome.seams), sources),
        lambda: measure_plants(ensure_annotated(outcome.clip), None),
    )
    found: dict[str, float | None] = {}
    for step in steps:
        try:
            found |= {each.name: finite_or_none(each.value) for each in step().measurements}
        except ParameterError:
            continue  # too few frames, other joints, or nothing planted
    return found


def _metres(centimetres: float | None) -> float | None:
    return None if centimetres is None else 0.01 * centimetres


def _centre(
    outcome: EvaluatedClip, recipe: TransitionRecipe, sources: Sequence[Clip], cycles: Sequence[Clip]
) -> Span:
    """Return the frames at which the clips meet: those requested, or those found automatically."""
    if recipe.at is not None:
        return float(recipe.at[0]), float(recipe.at[1])
    assert outcome.blend is not None
    (centre,) = outcome.blend.report.centres
    a, b = (
        _project_frame(float(frame), source, cycle, outcome.clip)
        for frame, source, cycle in zip(centre, sources, cycles, strict=True)
    )
    return round(a), round(b)


def _spans(
    outcome: EvaluatedClip, sources: Sequence[Clip], cycles: Sequence[Clip]
) -> tuple[Span, Span] | None:
    """Return the frames of both clips at the seams; None where one wraps round its cycle in between."""
    assert outcome.blend is not None
    rows = outcome.blend.frames[np.rint(outcome.seams).astype(int)]
    first, second = (
        tuple(_project_frame(frame, sources[n], cycles[n], outcome.clip) for frame in rows[:, n].tolist())
        for n in range(2)
    )
    whole = first[0] <= first[-1] and second[0] <= second[-1]
    return ((first[0], first[-1]), (second[0], second[-1])) if whole else None


def _project_frame(frame: float, source: Clip, cycle: Clip, result: Clip) -> float:
    """Convert a frame of the joined clip, at the result's rate, to a frame of the project's clip."""
    if cycle is source:
        return frame * result.frame_time / source.frame_time
    part = cycle.provenance.relative_to(source.provenance)
    return float(part.frames(frame * result.frame_time / cycle.frame_time))
