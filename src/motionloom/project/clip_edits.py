"""The edit of a clip, applied before anything uses it: repair, trim, speed, reverse, mirror, marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from motionloom.annotation import annotations_from_dict, annotations_to_dict
from motionloom.annotation.sidecar import FORMAT, VERSION
from motionloom.annotation.treadmill import recover_travel
from motionloom.arrays import IntArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.sampling import frames_by_step
from motionloom.motion.steady_travel import put_in_place
from motionloom.project.document import ClipEdit, Marks
from motionloom.project.plain_data import from_plain, to_plain
from motionloom.repair import repair, smooth
from motionloom.retargeting import move_root_motion
from motionloom.validation import check_positive


def apply_edit(clip: Clip, edit: ClipEdit) -> Clip:
    """Repair, smooth, trim, speed up, reverse and mirror a clip, move its root motion, and change its travel.

    >>> from motionloom.synthesis import stand
    >>> apply_edit(stand(duration=1.0, fps=30).clip, ClipEdit(trim=(10, 20), speed=2.0)).n_frames
    6
    """
    if edit.repair:
        clip = repair(clip).clip
    if edit.smooth is not None:
        clip = smooth(clip, cutoff=edit.smooth).clip
    if edit.trim is not None:
        _check_trim(edit.trim, clip)
        first, last = edit.trim
        clip = clip[first : last + 1]
    if edit.speed is not None:
        clip = clip.sped_up(edit.speed)
    if edit.reverse:
        clip = clip.reversed()
    if edit.mirror:
        clip = clip.mirrored()
    if edit.root_motion is not None:
        clip = move_root_motion(clip, edit.root_motion)
    if edit.travel is not None:
        clip = recover_travel(clip).clip if edit.travel == "recover" else put_in_place(clip).clip
    return clip


def edit_frames(n_frames: int, edit: ClipEdit) -> IntArray:
    """Return, for each frame of an edited clip, the nearest frame of the clip of ``n_frames`` before.

    >>> edit_frames(10, ClipEdit(trim=(2, 8), speed=2.0, reverse=True)).tolist()
    [8, 6, 4, 2]
    """
    frames = np.arange(n_frames)
    if edit.trim is not None:
        frames = frames[edit.trim[0] : edit.trim[1] + 1]
    if edit.speed is not None and edit.speed != 1.0 and len(frames) > 1:
        frames = frames[np.rint(frames_by_step(len(frames), edit.speed)).astype(np.int64)]
    return frames[::-1] if edit.reverse else frames


def edit_times(moments: Iterable[float], n_frames: int, edit: ClipEdit) -> tuple[float, ...]:
    """Convert times of a clip, in frames, to times of the edited clip; those cut away are dropped.

    >>> edit_times([1.0, 5.0], 10, ClipEdit(trim=(2, 8), reverse=True))
    (3.0,)
    """
    first, speed = 0 if edit.trim is None else edit.trim[0], edit.speed or 1.0
    last = len(edit_frames(n_frames, edit)) - 1
    moved = ((moment - first) / speed for moment in moments)
    kept = [last - moment if edit.reverse else moment for moment in moved if 0.0 <= moment <= last]
    return tuple(sorted(kept))


def mark_edited_clip(clip: Clip, marks: Marks, edit: ClipEdit, whole_frames: int) -> Clip:
    """Replace the plants and events of a clip after its edit; the marks may count frames of another edit.

    ``whole_frames`` is the number of frames before the edit.

    >>> from motionloom.project.document import EventMark
    >>> from motionloom.synthesis import stand
    >>> marks = Marks(events=(EventMark(frame=12, label="clap"),), edit=ClipEdit())
    >>> edit = ClipEdit(trim=(10, 20), reverse=True)
    >>> clip = apply_edit(stand(duration=1.0, fps=30).clip, edit)
    >>> mark_edited_clip(clip, marks, edit, 31).events
    (Event(frame=8.0, label='clap', joint=''),)
    """
    counted = marks.edit
    if counted is None:
        return apply_marks(clip, marks)
    # Clips know how their annotations are reversed and mirrored.
    marked = apply_marks(clip, _retime(marks, counted, replace(edit, reverse=counted.reverse), whole_frames))
    if edit.reverse != counted.reverse:
        marked = marked.reversed()
    if edit.mirror != counted.mirror:
        marked = marked.mirrored()
    return replace(clip, constraints=marked.constraints, events=marked.events)


def _retime(marks: Marks, old: ClipEdit, new: ClipEdit, whole_frames: int) -> Marks:
    """Convert marks from the frames after an edit to those after another of the same direction."""
    (start, step), (new_start, new_step) = (_find_line(edit, whole_frames) for edit in (old, new))

    def move(frame: float) -> float:
        return (start - new_start + frame * step) / new_step

    return Marks(
        plants=tuple(replace(mark, start=move(mark.start), end=move(mark.end)) for mark in marks.plants),
        events=tuple(replace(mark, frame=move(mark.frame)) for mark in marks.events),
    )


def _find_line(edit: ClipEdit, whole_frames: int) -> tuple[float, float]:
    """Return the time before an edit, in frames, of the first frame after it, and the step to the next."""
    first, last = edit.trim or (0, whole_frames - 1)
    speed = check_positive("a speed factor", edit.speed or 1.0)
    if not edit.reverse:
        return first, speed
    n_steps = len(frames_by_step(last - first + 1, speed)) - 1
    return first + n_steps * speed, -speed


def marks_of(clip: Clip) -> Marks:
    """Convert the plants and events of a clip to marks.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> clip = annotate(walk(duration=1.0, fps=30).clip)
    >>> apply_marks(clip, marks_of(clip)).constraints == clip.constraints
    True
    """
    data = annotations_to_dict(clip)
    plain = {"plants": data["constraints"], "events": data["events"]}
    marks: Marks = from_plain(Marks, plain, "the marks")
    return marks


def apply_marks(clip: Clip, marks: Marks) -> Clip:
    """Replace the plants and events of a clip; what lies beyond its ends is cut off.

    >>> from motionloom.project.document import EventMark
    >>> from motionloom.synthesis import stand
    >>> marks = Marks(events=(EventMark(frame=3, label="clap"),))
    >>> apply_marks(stand(duration=1.0, fps=30).clip, marks).events
    (Event(frame=3.0, label='clap', joint=''),)
    """
    return annotations_from_dict(annotations_of(marks), clip)


def annotations_of(marks: Marks) -> dict[str, Any]:
    """Convert marks to the data of an annotation file (:mod:`motionloom.annotation.sidecar`).

    >>> annotations_of(Marks())
    {'format': 'motionloom annotations', 'version': 1, 'constraints': [], 'events': []}
    """
    check_own_frames(marks)
    plain = to_plain(marks)
    return {"format": FORMAT, "version": VERSION, "constraints": plain["plants"], "events": plain["events"]}


def check_own_frames(marks: Marks) -> None:
    """Refuse marks that count the frames of another edit than the clip has."""
    if marks.edit is not None:
        raise ParameterError(
            "the marks count frames of another edit than the clip has",
            remedy="call Evaluator.retime_marks first",
        )


def _check_trim(trim: tuple[int, int], clip: Clip) -> None:
    first, last = trim
    if not 0 <= first <= last < clip.n_frames:
        raise ParameterError(
            f"frames {first} to {last} cannot be kept: the clip has frames 0 to {clip.n_frames - 1}"
        )
