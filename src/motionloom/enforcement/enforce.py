"""Enforcement: constraints hold exactly, and feet do not skate."""

from __future__ import annotations

from dataclasses import replace

from motionloom.annotation.floor import Floor, Surface
from motionloom.enforcement.cycle import held_cycle
from motionloom.enforcement.ground import ground_under
from motionloom.enforcement.holding import hold
from motionloom.enforcement.limbs import limbs_of
from motionloom.enforcement.report import report_on
from motionloom.enforcement.targets import with_targets
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.validation import check_number

MOST_STRETCH = 0.026
"""Share of their length by which bones may change; 3 % is visible to somebody who looks for it."""

BLEND_SECONDS = 0.25
"""Time over which corrections ease into neighbouring frames, seconds: a little less than a leg's swing."""

NO_CONSTRAINTS = "the clip has no constraints, so nothing is held: ml.annotate(clip) finds foot plants"


def enforce(
    clip: Clip,
    *,
    ground: float | Surface | Floor | None = None,
    stretch: float = MOST_STRETCH,
    blend_seconds: float = BLEND_SECONDS,
) -> Clip:
    """Make the points that constraints name stay where they are: no foot skates, no hand slips.

    Every plant gets a target, unless it has one: the middle of where the point is, put on the ground, heel
    and toe of a foot as far apart as the foot is long. Ankles are turned and moved so that points are on
    their targets; the body follows its feet and comes within reach of them; knees bend, damped where they are
    nearly straight, and bones stretch by the little that is then missing. Corrections ease into neighbouring
    frames, and free feet keep above the ground. A foot that rolls off its toes may rise from its target as it
    does in the capture, but neither slides nor sinks. What is on target stays as it is, so doing it twice
    changes nothing. A cyclic clip stays cyclic.

    Parameters
    ----------
    clip
        A clip with constraints, from :func:`motionloom.annotate`, a blend or your own. Feet and hands can be
        held; constraints of other joints are left alone, and the report says so.
    ground
        None is the clip's own floor: the one that its targets or, without them, its planted points stand on;
        plants well above it keep their height. A number is the height of a level floor to which the whole
        motion is raised or lowered, metres. A function of ``x`` and ``z`` is the height of any surface: all
        plants come to it. A :class:`motionloom.annotation.Floor` is the clip's own where that is known.
    stretch
        Largest share by which bones grow or shrink; 0 for rigid bones.
    blend_seconds
        Time over which corrections ease into neighbouring frames, seconds.

    Returns
    -------
    Clip
        The motion with its targets filled in and, in ``report``, an :class:`EnforcementReport`.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> held = enforce(annotate(walk(duration=2.0).clip), stretch=0.0)
    >>> held.report.unreached, held.report.stretch < 1e-9
    ((), True)
    """
    stretch = _checked("stretch", stretch)
    window = _checked("blend_seconds", blend_seconds)
    if stretch >= 1.0:
        raise ParameterError(f"stretch is a share of a bone's length, below 1, not {stretch:g}")
    under = ground_under(clip, ground)
    if clip.cyclic:
        result = held_cycle(clip, under, stretch, window)
    else:
        result = with_targets(clip, under)
        result = hold(result, limbs_of(result)[0], under, stretch, window)
    limbs, notes = limbs_of(result)
    if not clip.constraints:
        notes = (NO_CONSTRAINTS,)
    return replace(result, report=report_on(clip, result, limbs, under, notes))


def _checked(name: str, value: float) -> float:
    number = check_number(name, value)
    if number < 0.0:
        raise ParameterError(f"{name} must not be negative, and is {number:g}")
    return number
