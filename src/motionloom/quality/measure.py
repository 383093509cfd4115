"""`measure`: every measurement that applies to a clip."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from motionloom.annotation.floor import Floor
from motionloom.annotation.ground import GroundLike, choose_ground
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip, sampling
from motionloom.motion.result import ClipLike, Result, check_clip, unwrap
from motionloom.plugins import load_plugins
from motionloom.quality.balance import measure_gravity
from motionloom.quality.changes import measure_changes
from motionloom.quality.derivatives import measure_smoothness
from motionloom.quality.feet import (
    NO_FEET,
    find_feet,
    has_feet,
    measure_feet,
    measure_plants,
    put_on_moving_ground,
)
from motionloom.quality.joint_speeds import measure_body
from motionloom.quality.paths import measure_path
from motionloom.quality.posture import measure_limbs, measure_posture
from motionloom.quality.results import Measurement, MeasurementGroup, Measures, UnmeasuredGroup
from motionloom.quality.seams import measure_seams
from motionloom.quality.sources import measure_against_sources
from motionloom.quality.stances import measure_stances

GROUP = "motionloom.measures"
"""Entry-point group of measures; each entry is a :data:`MeasurePlugin`."""

MeasurePlugin = Callable[[Clip, Sequence[Clip]], Iterable[Measurement]]
"""A function of a clip and its sources, which may be none, that returns measurements; where they do not
apply, it raises a ParameterError that says why."""


def measure(
    clip: ClipLike,
    sources: Sequence[ClipLike] | None = None,
    seams: npt.ArrayLike | None = None,
    *,
    ground: GroundLike = None,
    before: ClipLike | None = None,
) -> Measures:
    """Measure how good the motion of a clip is: feet, stances, posture, path, smoothness, gravity and more.

    What cannot be measured is named in the result with the reason: feet without legs, plants without
    constraints, seams without sources. Feet of a gait in place are measured in the ground that moves below it
    (:func:`motionloom.recover_travel`), and a note says so. Installed packages add measurements through the
    entry-point group :data:`GROUP`.

    Parameters
    ----------
    clip
        The clip to measure; :func:`motionloom.annotate` it first to have its plants measured.
    sources
        The captured clips that it was made of, with the same joints.
    seams
        Frames of the clip at which motions were joined; fractions are allowed.
    ground
        Height of a level floor in metres, or a function of x and z that returns heights. None is the floor
        that enforcement uses: below the targets or the points of the clip's plants or, where it has none,
        below its standing feet.
    before
        The same motion before an edit, such as before its feet were planted: changes that one sees are
        measured against it (:func:`motionloom.quality.measure_changes`), and notes say them in words.

    Returns
    -------
    Measures
        Measurements with units; ``print`` shows a table, ``as_dict`` returns them for JSON.

    Raises
    ------
    ParameterError
        The clip has no frames, or seams or sources do not fit it.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> measures = measure(annotate(walk(duration=2.0).clip))
    >>> bool(measures.value("largest slide") < 0.1)
    True
    """
    clip, found, frames = _check(clip, sources, seams, ground)
    earlier = None if before is None else check_clip("measure (before)", before)
    clip, bodies = clip.body, [source.body for source in found]
    steps: dict[str, Callable[[], MeasurementGroup]] = {
        "path": lambda: measure_path(clip),
        "smoothness": lambda: measure_smoothness(clip),
        "body": lambda: measure_body(clip),
        "limbs": lambda: measure_limbs(clip),
    }
    notes: tuple[str, ...] = ()
    unmeasured: list[UnmeasuredGroup] = []
    if has_feet(clip):
        moving, in_place = put_on_moving_ground(clip, ground)
        feet = find_feet(moving, ground)
        steps["feet"] = lambda: measure_feet(feet)
        steps["plants"] = lambda: measure_plants(moving, feet.ground)
        steps["stances"] = lambda: measure_stances(moving)
        steps["posture"] = lambda: measure_posture(moving)
        steps["gravity"] = lambda: measure_gravity(moving, feet)
        notes = (f"ground: {feet.floor}", *([] if in_place is None else [in_place]))
    else:
        unmeasured += [
            UnmeasuredGroup(name, NO_FEET) for name in ("feet", "plants", "stances", "posture", "gravity")
        ]
    if earlier is not None:
        try:
            changes = measure_changes(earlier, clip)
            steps["changes"] = lambda: changes.group
            notes = (*notes, *(f"against the clip before: {each}" for each in str(changes).splitlines()))
        except ParameterError as error:
            unmeasured.append(UnmeasuredGroup("changes", str(error)))
    steps["seams"] = lambda: _measure_seams(clip, frames, bodies)
    steps["sources"] = lambda: _measure_sources(clip, bodies)
    for name, plugin in _plugins().items():
        steps[name] = partial(_measure_plugin, name, plugin, clip, bodies)
    groups: list[MeasurementGroup] = []
    for name, step in steps.items():
        try:
            groups.append(step())
        except ParameterError as error:
            unmeasured.append(UnmeasuredGroup(name, str(error)))
    return Measures(tuple(groups), tuple(unmeasured), notes)


def _check(
    given: ClipLike, sources: Sequence[ClipLike] | None, seams: npt.ArrayLike | None, ground: GroundLike
) -> tuple[Clip, Sequence[Clip], FloatArray | None]:
    """Check the arguments of `measure`; returns the clip, the sources and the seams as an array."""
    clip = check_clip("measure", given)
    if not clip.n_frames:
        raise ParameterError("the clip has no frames: there is nothing to measure")
    single = isinstance(sources, Clip | Result)
    found = () if single else tuple(unwrap(source) for source in sources or ())
    if single or not all(isinstance(source, Clip) for source in found):
        raise ParameterError(
            "must be a list of the clips that the motion was made of: [clip, clip]", parameter="sources"
        )
    choose_ground(Floor(0.0), ground)
    if seams is None or not np.size(seams):
        return clip, found, None
    return clip, found, np.atleast_1d(sampling.check_frames(seams, clip.n_frames))


def _measure_sources(clip: Clip, sources: Sequence[Clip]) -> MeasurementGroup:
    if not sources:
        raise ParameterError("no sources were given")
    return measure_against_sources(clip, sources)


def _measure_seams(clip: Clip, frames: FloatArray | None, sources: Sequence[Clip]) -> MeasurementGroup:
    if frames is None:
        raise ParameterError("no seams were given")
    if not sources:
        raise ParameterError("no sources were given to measure the seams against")
    return measure_seams(clip, frames, sources)


@cache
def _plugins() -> dict[str, MeasurePlugin]:
    def check(found: object) -> MeasurePlugin:
        if not callable(found):
            raise ParameterError(
                f"a measure is a function of a clip and its sources, not a {type(found).__name__}"
            )
        return found

    return load_plugins(GROUP, check=check)


def _measure_plugin(
    name: str, plugin: MeasurePlugin, clip: Clip, sources: Sequence[Clip]
) -> MeasurementGroup:
    """Call a measure of another package; what goes wrong in it is a reason, not an error."""
    try:
        measurements = tuple(plugin(clip, sources))
    except ParameterError:
        raise
    except Exception as error:
        raise ParameterError(f"the plugin {name!r} failed: {type(error).__name__}: {error}") from error
    if not all(isinstance(each, Measurement) for each in measurements):
        raise ParameterError(f"the plugin {name!r} returned something else than measurements")
    return MeasurementGroup(name, measurements)
