"""Changes: what an edit, such as planting the feet, did that one sees, in figures and in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.arrays import FloatArray, norm
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.result import check_clip
from motionloom.motion.steady_travel import add_travel
from motionloom.quality.posture import MIN_FRAMES, PostureMeasures, compare_posture
from motionloom.quality.results import Measurement, MeasurementGroup, Measures, finite_or_none
from motionloom.quality.stances import StanceMeasures, check_same_frames, compare_stances

DARTS = "new darts"

MIN_CLEARANCE = 0.005
"""Metres above the ground below which a foot that swings has no clearance to lose."""

MAX_EDIT_SHIFT = 0.2
"""Metres that an edit moves the hips at most, by the median: clips that are farther apart are two motions."""


@dataclass(frozen=True)
class Change:
    """One figure that says what an edit changed.

    Attributes
    ----------
    name, unit, meaning
        As in :class:`Measurement`.
    value
        Returns the figure.
    sentence
        What to say where a limit is passed; ``{}`` is the size of the figure, ``{hips}`` and ``{knees}``
        which direction they took.
    low, high
        The limits beyond which one sees it, in ``unit``.
    """

    name: str
    unit: str
    meaning: str
    value: Callable[[StanceMeasures, PostureMeasures], float]
    sentence: str
    low: float = -inf
    high: float = inf

    def is_kept(self, value: float) -> bool:
        """Whether a value of the figure is within the limits; one that cannot be told is."""
        return not (value < self.low or value > self.high)

    def describe(self, value: float) -> str:
        """Return the sentence on a value."""
        hips, knees = ("higher", "less") if value > 0.0 else ("lower", "more")
        return self.sentence.format(abs(value), hips=hips, knees=knees)


def _max(values: FloatArray) -> float:
    return float(values.max(initial=0.0))


def _extreme(values: FloatArray) -> float:
    """Return the value that is farthest from zero."""
    return float(values.flat[np.abs(values).argmax()]) if values.size else 0.0


def _quantile(speeds: FloatArray, quantile: float) -> float:
    return 100.0 * float(np.quantile(speeds, quantile)) if len(speeds) else 0.0


def _clearance_ratio(stances: StanceMeasures) -> float:
    before, after = stances.clearance
    return float(after / before) if before > MIN_CLEARANCE else 1.0


def _spike(part: str) -> Change:
    return Change(
        f"spike of the {part}",
        "",
        "largest acceleration over what it was",
        lambda _, posture: posture.spikes.get(part, 1.0),
        f"the {part} {'jerk' if part.endswith('s') else 'jerks'}: {{:.1f}} times the largest acceleration",
        high=2.0,
    )


CHANGES = (
    Change(
        DARTS,
        "",
        "standing feet that move over the floor without lifting, and did not before",
        lambda stances, _: float(len(stances.darts)),
        "{:.0f} times a standing foot darts over the floor",
        high=0.0,
    ),
    Change(
        "added drift",
        "cm",
        "how much farther a standing heel or toe moves over the ground",
        lambda stances, _: 100.0 * _max(stances.drift),
        "a standing foot drifts {:.1f} cm farther",
        high=2.0,
    ),
    Change(
        "added pivot",
        "°",
        "how much farther a standing foot turns",
        lambda stances, _: float(np.degrees(_max(stances.pivot))),
        "a standing foot turns {:.0f}° farther",
        high=5.0,
    ),
    Change(
        "kept roll",
        "%",
        "heel–toe roll of standing feet that is left, least of all stances",
        lambda stances, _: 100.0 * float(stances.roll.min(initial=1.0)),
        "a foot keeps {:.0f} % of its roll from heel to toe",
        low=50.0,
    ),
    Change(
        "stance speed, median",
        "cm/s",
        "median speed over the ground of feet that stood before",
        lambda stances, _: _quantile(stances.speeds, 0.5),
        "feet that stood move at {:.1f} cm/s over the ground (median)",
        high=1.0,
    ),
    Change(
        "stance speed, 95 %",
        "cm/s",
        "speed over the ground of feet that stood before, 95th percentile",
        lambda stances, _: _quantile(stances.speeds, 0.95),
        "feet that stood move at up to {:.0f} cm/s over the ground (95th percentile)",
        high=5.0,
    ),
    Change(
        "added speed beside stances",
        "cm/s",
        "how much faster soles near the ground are while they do not stand",
        lambda stances, _: 100.0 * float(np.diff(stances.skate_beside)[0]),
        "soles near the ground are {:.0f} cm/s faster while they do not stand",
        high=5.0,
    ),
    Change(
        "hip shift",
        "cm",
        "how much higher the hips are, mean",
        lambda _, posture: 100.0 * float(posture.hips.mean()),
        "hips {:.1f} cm {hips} on average",
        low=-0.5,
        high=0.5,
    ),
    Change(
        "hip shift, peak",
        "cm",
        "how much higher the hips are, where they moved most",
        lambda _, posture: 100.0 * _extreme(posture.hips),
        "hips up to {:.1f} cm {hips}",
        low=-1.5,
        high=1.5,
    ),
    Change(
        "knee change",
        "°",
        "how much straighter the knee is that changed most, mean",
        lambda _, posture: float(np.degrees(_extreme(posture.knees.mean(axis=0)))),
        "a knee bent {:.1f}° {knees} on average",
        low=-2.0,
        high=2.0,
    ),
    Change(
        "knee change, peak",
        "°",
        "how much straighter a knee is, where it changed most",
        lambda _, posture: float(np.degrees(_extreme(posture.knees))),
        "a knee bent up to {:.0f}° {knees}",
        low=-6.0,
        high=6.0,
    ),
    Change(
        "hip bobbing ratio",
        "",
        "vertical acceleration of the pelvis over what it was",
        lambda _, posture: posture.bobbing,
        "the hips bob: {:.2f} times the vertical acceleration",
        high=1.1,
    ),
    Change(
        "knee speed ratio",
        "",
        "fastest bending of a knee over what it was",
        lambda _, posture: posture.knee_speed,
        "a knee bends {:.1f} times as fast",
        high=1.5,
    ),
    Change(
        "knee snap ratio",
        "",
        "fastest change of a knee that is nearly straight over what it was",
        lambda _, posture: posture.knee_snap,
        "a knee that is nearly straight snaps {:.1f} times as fast",
        high=1.5,
    ),
    Change(
        "swing clearance ratio",
        "",
        "height of feet that swing over what it was",
        lambda stances, _: _clearance_ratio(stances),
        "feet swing lower over the ground: {:.2f} of the height",
        low=0.9,
    ),
    *map(_spike, ("pelvis", "head", "knees", "hands")),
)
"""All figures of an edit, in the order in which they are shown."""


class Changes:
    """What an edit changed; ``print`` says in words what one sees of it.

    The figures are computed when they are first asked for.

    Attributes
    ----------
    before, after
        The motion before and after the edit, frame by frame the same.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> print(Changes(clip, clip))
    nothing that one sees
    """

    def __init__(self, before: Clip, after: Clip) -> None:
        self.before, self.after = before.body, after.body
        check_same_frames(self.before, self.after)

    def __deepcopy__(self, memo: object) -> Changes:
        return self  # clips never change

    def __repr__(self) -> str:
        return f"<Changes of {self.before.n_frames} frames>"

    @cached_property
    def _on_moving_ground(self) -> tuple[Clip, Clip]:
        """Both motions; those of a gait in place with its travel, because its feet stand on moving ground."""
        moving, steady = recover_if_in_place(self.before)
        return (self.before, self.after) if steady is None else (moving, add_travel(self.after, steady))

    @cached_property
    def stances(self) -> StanceMeasures:
        """What the edit did to standing feet."""
        return compare_stances(*self._on_moving_ground)

    @cached_property
    def posture(self) -> PostureMeasures:
        """What the edit did to hips, knees, head and hands."""
        return compare_posture(*self._on_moving_ground)

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The figures, in the order of :data:`CHANGES`."""
        return tuple(change.value(self.stances, self.posture) for change in CHANGES)

    @property
    def group(self) -> MeasurementGroup:
        """The figures as measurements."""
        return MeasurementGroup(
            "changes",
            tuple(
                Measurement(change.name, value, change.unit, change.meaning)
                for change, value in zip(CHANGES, self.values, strict=True)
            ),
        )

    def value(self, name: str) -> float:
        """Return the figure with this name."""
        return Measures((self.group,)).value(name)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What one sees of the edit: each dart, and each figure beyond its limit."""
        seen = zip(CHANGES, self.values, strict=True)
        return (
            *map(str, self.stances.darts),
            *(c.describe(v) for c, v in seen if c.name != DARTS and not c.is_kept(v)),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return value and unit by name, and the sentences, for JSON."""
        return {
            "figures": {
                m.name: {"value": finite_or_none(m.value), "unit": m.unit} for m in self.group.measurements
            },
            "sentences": list(self.sentences),
        }

    def __str__(self) -> str:
        return "\n".join(self.sentences) or "nothing that one sees"


def measure_changes(before: Clip, after: Clip) -> Changes:
    """Measure what an edit, such as planting the feet, did to a motion that one sees.

    Parameters
    ----------
    before, after
        The motion before and after the edit, with the same frames and joints.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.enforcement import enforce
    >>> from motionloom.synthesis import walk
    >>> clip = annotate(walk(duration=2.0).clip)
    >>> measure_changes(clip, enforce(clip).clip).value("new darts")
    0.0
    """
    check_clip("measure_changes", before)
    check_clip("measure_changes", after)
    if not can_compare(before):
        raise ParameterError(
            "changes cannot be measured: no legs were found in the skeleton, or less than three frames"
        )
    return Changes(before, after)


def can_compare(clip: Clip) -> bool:
    """Whether a clip has what changes are measured on: legs, and three frames.

    >>> from motionloom.synthesis import stand
    >>> can_compare(stand(duration=1.0).clip), can_compare(stand(duration=1.0).clip[:2])
    (True, False)
    """
    return clip.n_frames >= MIN_FRAMES and bool(find_anatomy(clip.body.skeleton).legs)


def is_edit(before: Clip, after: Clip) -> bool:
    """Whether a clip looks like another one after an edit: the same frames and joints, hips near each other.

    >>> from motionloom.synthesis import jog, walk
    >>> first, other = walk(duration=1.0).clip, jog(duration=1.0).clip
    >>> is_edit(first, first), is_edit(first, other)
    (True, False)
    """
    try:
        check_same_frames(before.body, after.body)
    except ParameterError:
        return False
    if not can_compare(before):
        return False
    apart = norm(after.body.root_positions - before.body.root_positions)
    return float(np.median(apart)) < MAX_EDIT_SHIFT
