"""Measuring: every figure that applies to a clip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip, sampling
from motionloom.quality import groups
from motionloom.quality.feet import NO_FEET, Feet, GroundLike, feet_of, has_feet
from motionloom.quality.results import Absent, Group, Measures
from motionloom.validation import check_number


def measure(
    clip: Clip,
    sources: Sequence[Clip] | None = None,
    seams: npt.ArrayLike | None = None,
    *,
    ground: GroundLike = None,
) -> Measures:
    """Measure how good the motion of a clip is: feet, path, smoothness, limbs, gravity, seams.

    What cannot be measured is named in the result with the reason: feet without legs, plants without
    constraints, seams without sources.

    Parameters
    ----------
    clip
        The clip to measure; :func:`motionloom.annotate` it first to have its plants measured.
    sources
        The captured clips that it was made of, with the same joints.
    seams
        Frames of the clip at which motions were joined; fractions are allowed.
    ground
        Height of a level floor in metres, or a function of x and z that gives heights; None is the floor
        that enforcement takes: below the targets or the points of the clip's plants, or, where it has none,
        below its standing feet.

    Returns
    -------
    Measures
        Figures with units; ``print`` shows a table, ``as_dict`` gives them for JSON.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> taken = measure(annotate(walk(duration=2.0).clip))
    >>> bool(taken.value("largest slide") < 0.1)
    True
    """
    frames = _checked(clip, sources, seams, ground)
    steps: list[tuple[str, Callable[[], Group]]] = [
        ("path", lambda: groups.path_group(clip)),
        ("smoothness", lambda: groups.smoothness_group(clip)),
        ("body", lambda: groups.body_group(clip)),
        ("limbs", lambda: groups.limbs_group(clip)),
    ]
    notes: tuple[str, ...] = ()
    absent: list[Absent] = []
    if has_feet(clip):
        standing = feet_of(clip, ground)
        steps += _feet_steps(clip, standing)
        notes = (f"ground: {standing.floor}",)
    else:
        absent += [Absent(name, NO_FEET) for name in ("feet", "plants", "gravity")]
    taken, missed = _taken([*steps, *_source_steps(clip, sources, frames)])
    return Measures(taken, (*absent, *missed), notes)


def _checked(
    clip: Clip, sources: Sequence[Clip] | None, seams: npt.ArrayLike | None, ground: GroundLike
) -> FloatArray | None:
    """The seams as an array, once the call is known to make sense."""
    if not isinstance(clip, Clip):
        raise ParameterError(f"measure takes a clip of a skeleton, not {type(clip).__name__}")
    if not clip.n_frames:
        raise ParameterError("the clip has no frames: there is nothing to measure")
    if isinstance(sources, Clip) or not all(isinstance(source, Clip) for source in sources or ()):
        raise ParameterError("sources must be a list of the clips that the motion was made of: [clip, clip]")
    if ground is not None and not callable(ground):
        check_number("ground", ground)
    if seams is None or not np.size(seams):
        return None
    return np.atleast_1d(sampling.check_frames(seams, clip.n_frames))


def _feet_steps(clip: Clip, standing: Feet) -> list[tuple[str, Callable[[], Group]]]:
    return [
        ("feet", lambda: groups.feet_group(standing)),
        ("plants", lambda: groups.plants_group(clip, standing.ground)),
        ("gravity", lambda: groups.gravity_group(clip, standing)),
    ]


def _source_steps(
    clip: Clip, sources: Sequence[Clip] | None, frames: FloatArray | None
) -> list[tuple[str, Callable[[], Group]]]:
    def against_sources() -> Group:
        if not sources:
            raise ParameterError("no sources were given")
        return groups.sources_group(clip, sources)

    def at_seams() -> Group:
        if frames is None:
            raise ParameterError("no seams were given")
        if not sources:
            raise ParameterError("no sources were given to measure the seams against")
        return groups.seams_group(clip, frames, sources)

    return [("seams", at_seams), ("sources", against_sources)]


def _taken(steps: list[tuple[str, Callable[[], Group]]]) -> tuple[tuple[Group, ...], tuple[Absent, ...]]:
    """The groups that could be measured, and the reasons for the others."""
    taken, absent = [], []
    for name, step in steps:
        try:
            taken.append(step())
        except ParameterError as error:
            absent.append(Absent(name, str(error)))
    return tuple(taken), tuple(absent)
