"""What Motionloom does for the add-on; runs inside Blender or in a Python of its own.

A job is a folder with ``request.json`` and the motions that it names. :func:`perform` leaves ``answer.json``
there: the names of the motions that were made and sentences about them, or one sentence under "error".
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import motionloom as ml
from motionloom.errors import MotionloomError, ParameterError
from motionloom.files.normalize import scale_clip
from motionloom.files.units import unit_for_height
from motionloom.messages import Argument, Operation, Words
from motionloom.motion.anatomy import body_height
from motionloom.workflows import check_fit, ensure_annotated, plant_blend

from .clips import clip_of, motion_of, points_motion
from .motion import ANSWER, REQUEST, Motion, read_motion, same_bones, write_motion

POINT_ENDINGS = (".c3d", ".trc")
"""Files of markers without a skeleton."""

SMALLEST, LARGEST = 0.3, 4.0
"""Metres; a body outside is in another unit, as those that importers leave in the unit of their file."""


class PanelWords(Words):
    """How messages name the settings of the panel; what only scripts can do is left out."""

    def name_argument(self, argument: Argument) -> str | None:
        """Return the one setting that has a box."""
        return "'Allow Unfit' ticked" if argument.name == "allow_unfit" else None

    def name_operation(self, operation: Operation) -> str | None:
        """Return what the operation is called, without its modules."""
        return operation.verb


Made = tuple[list[Motion], list[str]]


def perform(folder: Path) -> None:
    """Do the job in a folder."""
    request = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        try:
            made, sentences = JOBS[request["job"]](folder, request)
        except MotionloomError as error:
            answer: dict[str, Any] = {"error": error.message.render(PanelWords())}
        else:
            answer = {"motions": _written(made, folder), "sentences": sentences}
    spoken = answer.get("sentences", [])
    spoken += [text for text in dict.fromkeys(str(warning.message) for warning in said) if text not in spoken]
    (folder / ANSWER).write_text(json.dumps(answer), encoding="utf-8")


def _written(made: Sequence[Motion], folder: Path) -> list[str]:
    names = [f"made-{n}.npz" for n in range(len(made))]
    for motion, name in zip(made, names, strict=True):
        write_motion(motion, folder / name)
    return names


def import_files(folder: Path, request: dict[str, Any]) -> Made:
    """Read motion files; with a target, motion of other skeletons is carried over to its skeleton."""
    target = read_motion(folder / request["target"]) if request.get("target") else None
    made, sentences = [], []
    for file in map(Path, request["files"]):
        if file.suffix.lower() in POINT_ENDINGS:
            points = ml.load(file, ml.PointClip)
            motion, notes = points_motion(points, file.stem), list(points.source.notes)
        else:
            clip = ml.load(file)
            motion, notes = motion_of(clip, file.stem), list(clip.source.notes)
            if target is not None and not same_bones(motion, target):
                carried = ml.retarget(ensure_annotated(clip), clip_of(target).skeleton)
                motion = motion_of(carried.clip, file.stem)
                notes.append("carried over to the skeleton of the armature")
        made.append(motion)
        sentences += [f"{file.name}: {note}" for note in notes]
    return made, sentences


@dataclass(frozen=True)
class Given:
    """The clips that a request names, in metres, how long a metre is in their own unit, and notes on that."""

    clips: list[ml.Clip]
    per_metre: float
    notes: list[str]

    def motion(self, clip: ml.Clip, name: str) -> Motion:
        """What was made of the clips, in their own unit."""
        return motion_of(scale_clip(clip, self.per_metre), name)


def given_clips(folder: Path, request: dict[str, Any]) -> Given:
    """The clips that a request names: in metres, mirrored and closed to cycles where it says so."""
    motions = [read_motion(folder / source["file"]) for source in request["sources"]]
    clips = [clip_of(motion) for motion in motions]
    metres, notes = _unit(clips[0])
    ready = []
    for clip, motion, source in zip(clips, motions, request["sources"], strict=True):
        try:
            used = scale_clip(clip, metres)
            used = used.mirrored() if source.get("mirror") else used
            wanted = request.get("cyclic") and not used.cyclic
            ready.append(ml.cyclify(used, cycles=1).clip if wanted else used)
        except ParameterError as error:
            raise MotionloomError(f"{motion.name}: {error}") from None
    return Given(ready, 1.0 / metres, notes)


def _unit(clip: ml.Clip) -> tuple[float, list[str]]:
    """Metres in a unit of a clip whose body is far too large or small to be in metres, else 1; and a note."""
    height = body_height(clip.skeleton)
    unit = None if height is None or SMALLEST <= height <= LARGEST else unit_for_height(height)
    if unit is None:
        return 1.0, []
    return unit[1], [f"the body is {height:.3g} m high in this scene: its lengths were taken for {unit[0]}"]


def register_sources(folder: Path, request: dict[str, Any]) -> Made:
    """Tell how well motions correspond."""
    given = given_clips(folder, request)
    report = ml.prepare(given.clips).register().report
    return [], [str(report), *report.notes, *given.notes]


def blend_sources(folder: Path, request: dict[str, Any]) -> Made:
    """Blend motions, and plant the feet of the result where that is asked for."""
    given = given_clips(folder, request)
    prepared = ml.prepare(given.clips)
    curve = prepared.register()
    if not request["allow_unfit"]:
        check_fit(curve)
    result = ml.blend(curve, request["weights"])
    sentences = [str(curve.report), *result.report.notes]
    if request["plant"]:
        result = plant_blend(result, curve, prepared, stretch=request["stretch"])
        sentences = str(result.report).splitlines()
    return [given.motion(result.clip, request["name"])], given.notes + sentences


def make_transition(folder: Path, request: dict[str, Any]) -> Made:
    """Make a transition from one motion to another, and plant the feet where that is asked for."""
    given = given_clips(folder, request)
    clips = [ensure_annotated(clip) for clip in given.clips]
    loop = all(clip.cyclic for clip in clips)
    width = request["half_width"]
    made = ml.transition(*clips, half_width=width, method=request["method"], loop=loop)
    clip, sentences = made.clip, given.notes + list(made.report.notes)
    if request["plant"] and clip.constraints:
        held = ml.enforce(clip, stretch=request["stretch"])
        clip = held.clip
        sentences += str(held.report).splitlines()
    return [given.motion(clip, request["name"])], sentences


def enforce_source(folder: Path, request: dict[str, Any]) -> Made:
    """Plant the feet of a motion."""
    given = given_clips(folder, request)
    held = ml.enforce(ensure_annotated(given.clips[0]), stretch=request["stretch"])
    return [given.motion(held.clip, request["name"])], given.notes + str(held.report).splitlines()


def loop_source(folder: Path, request: dict[str, Any]) -> Made:
    """Close the best cycle of a motion, and plant its feet where that is asked for."""
    given = given_clips(folder, request)
    clip = given.clips[0]
    if clip.cyclic:
        raise MotionloomError(f"{clip.source.path}: this action is a loop already")
    try:
        loop = ml.cyclify(clip, cycles=request["cycles"])
    except ParameterError as error:
        raise MotionloomError(f"{clip.source.path}: {error}") from None
    result, sentences = loop.clip, given.notes + str(loop.report).splitlines()
    if request["plant"] and result.constraints:
        held = ml.enforce(result, stretch=request["stretch"])
        result = held.clip
        sentences += str(held.report).splitlines()
    return [given.motion(result, request["name"])], sentences


def repair_source(folder: Path, request: dict[str, Any]) -> Made:
    """Mend the faults of capture in a motion; where there is nothing to mend, no motion is made."""
    given = given_clips(folder, request)
    repaired = ml.repair(given.clips[0], smooth=request["smooth"])
    sentences = given.notes + str(repaired.report).splitlines()
    if not (repaired.report.mended or request["smooth"]):
        return [], [*sentences, "no new action was made: there is nothing to mend"]
    return [given.motion(repaired.clip, request["name"])], sentences


def retarget_source(folder: Path, request: dict[str, Any]) -> Made:
    """Retarget a motion to another skeleton, with planted feet where that is asked for."""
    given = given_clips(folder, request)
    target = clip_of(read_motion(folder / request["target"]))
    metres, notes = _unit(target)
    skeleton = scale_clip(target, metres).skeleton
    result = ml.retarget(ensure_annotated(given.clips[0]), skeleton, plant=request["plant"])
    sentences = given.notes + notes
    if result.report is not None:  # None: both skeletons are the same
        sentences += str(result.report).splitlines()
    return [motion_of(scale_clip(result.clip, 1.0 / metres), request["name"])], sentences


JOBS = {
    "import": import_files,
    "register": register_sources,
    "blend": blend_sources,
    "transition": make_transition,
    "enforce": enforce_source,
    "loop": loop_source,
    "repair": repair_source,
    "retarget": retarget_source,
}
