"""How good a transition is, measured for the panel that compares the ways to make it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from motionloom.cycles.loop_report import CycleReport
from motionloom.cycles.origin import origin_of
from motionloom.cycles.repeating import repeating
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.project.evaluation import Outcome
from motionloom.project.recipes import TransitionRecipe
from motionloom.quality.groups import plants_group, seams_group
from motionloom.quality.results import Group, plain
from motionloom.studio.heads import MethodMeasures
from motionloom.workflows import with_plants

MEETING = re.compile(r"frame (\d+) of the first clip meets frame (\d+) of the second")
"""How the report of a transition says which frames were found to meet."""

Span = tuple[float, float]


def measures_of(outcome: Outcome, recipe: TransitionRecipe, sources: Sequence[Clip]) -> MethodMeasures:
    """Where a transition was made of two clips, and how good it is.

    >>> from motionloom.project.document import Document
    >>> from motionloom.project.edits import AddItem
    >>> from motionloom.project.evaluation import Evaluator
    >>> from motionloom.project.folder import ProjectFolder
    >>> from motionloom.project.recipes import MotionRecipe
    >>> document = Document()
    >>> for motion in ("walk", "jog"):
    ...     recipe = MotionRecipe(motion=motion, options={"fps": 30.0})
    ...     document = AddItem(name=motion, recipe=recipe).applied(document)
    >>> recipe = TransitionRecipe(first="c1", second="c2", at=(40, 30), half_width=0.4)
    >>> document = AddItem(name="over", recipe=recipe).applied(document)
    >>> made = Evaluator(ProjectFolder("nowhere"))
    >>> clips = [made.outcome(document, id).clip for id in ("c1", "c2")]
    >>> found = measures_of(made.outcome(document, "c3"), recipe, clips)
    >>> found.at, round(found.seconds, 3)
    ((40.0, 30.0), 0.8)
    """
    cycles = [repeating(with_plants(clip)) if recipe.loop else clip for clip in sources]
    first, last = outcome.seams
    figures = _figures(outcome, sources)
    return MethodMeasures(
        method=recipe.method,
        at=_meeting(outcome, recipe, sources, cycles),
        spans=_spans(outcome, sources, cycles),
        seconds=(last - first) * outcome.clip.frame_time,
        seams=tuple(float(seam) for seam in outcome.seams),
        speed=figures.get("seam speed change"),
        acceleration=figures.get("seam acceleration"),
        jerk=figures.get("seam jerk"),
        turning=figures.get("seam turning"),
        slide=_metres(figures.get("largest slide")),
        # Which frames meet is told above, in frames of the project; the report counts in cycles.
        notes=tuple(note for note in outcome.notes if not MEETING.search(note)),
    )


def repeated(clip: Clip) -> Span | None:
    """The frames of a clip that may repeat, or None where no cycle closes well.

    >>> from motionloom.synthesis import stand
    >>> repeated(stand(duration=0.1).clip) is None
    True
    """
    ready = with_plants(clip)
    cycle = repeating(ready)
    if cycle is ready:
        return (0.0, float(clip.n_frames)) if clip.cyclic else None
    assert isinstance(cycle.report, CycleReport)
    return float(cycle.report.start), float(cycle.report.end)


def _figures(outcome: Outcome, sources: Sequence[Clip]) -> dict[str, float | None]:
    """Figures about the seams and of the plants by name; those that cannot be taken are left out."""
    steps: tuple[Callable[[], Group], ...] = (
        lambda: seams_group(outcome.clip, np.array(outcome.seams), sources),
        lambda: plants_group(with_plants(outcome.clip), None),
    )
    found: dict[str, float | None] = {}
    for step in steps:
        try:
            found |= {figure.name: plain(figure.value) for figure in step().figures}
        except ParameterError:
            continue  # too few frames, other joints, or nothing planted
    return found


def _metres(centimetres: float | None) -> float | None:
    return None if centimetres is None else 0.01 * centimetres


def _meeting(
    outcome: Outcome, recipe: TransitionRecipe, sources: Sequence[Clip], cycles: Sequence[Clip]
) -> Span | None:
    """The frames of both clips that meet: those asked for, or those that were found."""
    if recipe.at is not None:
        return float(recipe.at[0]), float(recipe.at[1])
    for note in outcome.notes:
        if said := MEETING.search(note):
            a, b = (_given(float(said[n + 1]), sources[n], cycles[n], outcome.clip) for n in range(2))
            return round(a), round(b)
    return None


def _spans(outcome: Outcome, sources: Sequence[Clip], cycles: Sequence[Clip]) -> tuple[Span, Span] | None:
    """The frames of both clips at the seams; None where one of them goes round its cycle in between."""
    assert outcome.blend is not None
    rows = outcome.blend.frames[np.rint(outcome.seams).astype(int)]
    first, second = (
        tuple(_given(frame, sources[n], cycles[n], outcome.clip) for frame in rows[:, n].tolist())
        for n in range(2)
    )
    whole = first[0] <= first[-1] and second[0] <= second[-1]
    return ((first[0], first[-1]), (second[0], second[-1])) if whole else None


def _given(frame: float, source: Clip, cycle: Clip, made: Clip) -> float:
    """A frame of a clip as it was used, at the rate of what was made, as a frame of the project's clip."""
    if cycle is source:
        return frame * made.frame_time / source.frame_time
    return float(origin_of(cycle, source.frame_time).frames(frame * made.frame_time / cycle.frame_time))
