"""What is wrong with a transition, measured on the finished segment and the motion around it.

A search over frames knows how alike poses are, not what becomes of them: whether the body must brake harder
than a body can, feet are dragged, knees snap or a clip is fast-forwarded. That decides between transitions,
and what remains is said in the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy.thresholds import MAX_KNEE_SPEED, MAX_SLIDE
from motionloom.motion.kinematics import max_distance
from motionloom.quality.derivatives import (
    ACCELERATION,
    JERK,
    USUAL_PERCENTILE,
    WINDOW,
    magnitudes,
    window_peaks,
)
from motionloom.transitions.feet_on_ground import find_drag, plants_of, track_feet
from motionloom.transitions.segment import TransitionSegment
from motionloom.transitions.splice import Surroundings
from motionloom.transitions.steps import max_knee_speed

PUSH_TIME = 0.2
"""Seconds over which a change of velocity is measured: about the time a foot pushes."""

EASY_ACCELERATION, MAX_ACCELERATION = 4.0, 7.0
"""Acceleration over the ground in m/s² that a body shows without effort, and beyond which a transition is
doubtful unless the clips show it, too. Feet that do not slip allow for about 1 g."""

LASTING_PERCENTILE = 75.0
"""Percentile of the acceleration of a clip that it shows all the time."""

EASY_SLIDE = 0.04
"""Metres that planted feet slide in captures without being seen."""

EASY_RATE, MAX_RATE = 1.5, 2.5
"""How fast a clip may play within a transition without it being noticed, and from which it is doubtful."""

MAX_KNEE = 1.2
"""Times the speed of knees that is usual in the clips from which a faster one is doubtful."""

MAX_HASTE, MAX_COUNTED_HASTE = 1.5, 3.0
"""Times the clips' usual peak acceleration from which a transition is doubtful, and from which it does not
matter how many: people who hardly move have hardly an acceleration."""

ACCELERATION_COST, RATE_COST, KNEE_COST, HASTE_COST = 0.02, 0.05, 0.1, 0.1
"""Metres of sliding that count as much as 1 m/s² too much, three times that beyond the largest; a rate of 1
too much; a knee twice too fast; and joints that accelerate twice as much as usual."""

GOOD_ENOUGH = 0.04
"""Cost in metres below which no better transition is looked for."""


@dataclass(frozen=True, kw_only=True)
class UsualMotion:
    """What is usual in the clips of a transition.

    Attributes
    ----------
    acceleration, lasting_acceleration
        The largest of the body over the ground, and what it exceeds for a quarter of the time in the calmer
        clip, m/s²: somebody who runs in a circle always accelerates.
    knee
        The largest speed of a knee, rad/s.
    joint_acceleration, joint_jerk
        Usual peaks of any joint within half a second, m/s² and m/s³; infinite for clips too short to tell.
    """

    acceleration: float
    lasting_acceleration: float
    knee: float
    joint_acceleration: float
    joint_jerk: float


def measure_usual_motion(clips: Sequence[Clip]) -> UsualMotion:
    """Measure what is usual in clips."""
    width = round(2.0 * WINDOW / clips[0].frame_time) + 1
    usual = []
    for order in (ACCELERATION, JERK):
        windows = [window_peaks(_joint_peaks(clip, order), width) for clip in clips]
        pooled = np.concatenate(windows)
        usual.append(float(np.percentile(pooled, USUAL_PERCENTILE)) if len(pooled) else np.inf)
    return UsualMotion(
        acceleration=max(max_acceleration(clip.root_positions, clip.frame_time) for clip in clips),
        lasting_acceleration=min(_lasting_acceleration(clip) for clip in clips),
        knee=max(max_knee_speed(clip, 0, clip.n_frames - 1) for clip in clips),
        joint_acceleration=usual[0],
        joint_jerk=usual[1],
    )


@dataclass(frozen=True, kw_only=True)
class Flaws:
    """Measures of a transition.

    Attributes
    ----------
    acceleration, usual_acceleration, lasting_acceleration
        Over the ground in m/s²: the largest within the transition and in the clips, and what both clips show
        all the time.
    slide
        How far the foot that slides most does, in metres: planted, or flat on the ground.
    rate
        The fastest that a clip plays, in frames per frame.
    knee
        The largest speed of a knee over the largest in the clips, or in a walk if that is larger.
    haste
        The largest acceleration or jerk of any joint over the usual peak in the clips.
    """

    acceleration: float
    usual_acceleration: float
    slide: float
    rate: float
    knee: float
    haste: float = 1.0
    lasting_acceleration: float = 0.0

    @property
    def cost(self) -> float:
        """All of them together, in metres of sliding."""
        lasting = 1.2 * self.lasting_acceleration
        return (
            max(0.0, self.slide - EASY_SLIDE)
            + ACCELERATION_COST * max(0.0, self.acceleration - max(EASY_ACCELERATION, lasting))
            + 2.0 * ACCELERATION_COST * max(0.0, self.acceleration - max(MAX_ACCELERATION, lasting))
            + RATE_COST * max(0.0, self.rate - EASY_RATE)
            + KNEE_COST * max(0.0, self.knee - 1.0)
            + HASTE_COST * max(0.0, min(self.haste, MAX_COUNTED_HASTE) - 1.0)
        )

    def describe(self) -> list[str]:
        """Return what is doubtful, in clauses.

        >>> Flaws(acceleration=12.0, usual_acceleration=3.0, slide=0.2, rate=1.0, knee=1.0).describe()
        ['the body changes its speed at up to 12 m/s², the clips at 3', 'a foot slides by 20 cm']
        """
        clauses = []
        if self.acceleration > max(MAX_ACCELERATION, 1.2 * self.usual_acceleration):
            clauses.append(
                f"the body changes its speed at up to {self.acceleration:.0f} m/s², "
                f"the clips at {self.usual_acceleration:.0f}"
            )
        if self.slide > MAX_SLIDE:
            clauses.append(f"a foot slides by {100.0 * self.slide:.0f} cm")
        if self.rate > MAX_RATE:
            clauses.append(f"a clip plays at up to {self.rate:.1f} times its speed")
        if self.knee > MAX_KNEE:
            clauses.append(f"a knee moves {self.knee:.1f} times as fast as in the clips")
        if self.haste > MAX_HASTE:
            clauses.append(f"joints accelerate {self.haste:.1f} times as much as usual in the clips")
        return clauses


def find_flaws(segment: TransitionSegment, around: Surroundings, usual: UsualMotion) -> Flaws:
    """Measure a segment in its surroundings."""
    clip, first, last = around.clip, around.first, around.last
    push = round(PUSH_TIME / clip.frame_time)
    near = slice(max(0, first - push), last + push + 1)
    hastes = [
        _joint_peaks(clip[near], order).max(initial=0.0) / peak
        for order, peak in ((ACCELERATION, usual.joint_acceleration), (JERK, usual.joint_jerk))
        if peak > 0.0
    ]
    return Flaws(
        acceleration=max_acceleration(clip.root_positions[near], clip.frame_time),
        usual_acceleration=usual.acceleration,
        lasting_acceleration=usual.lasting_acceleration,
        slide=measure_slide(around),
        rate=float(np.diff(segment.frames, axis=0).max(initial=1.0)),
        knee=max_knee_speed(clip, first, last) / max(MAX_KNEE_SPEED, usual.knee),
        haste=max(hastes, default=1.0),
    )


def _joint_peaks(clip: Clip, order: int) -> FloatArray:
    """Return the largest derivative (N,) of any joint in each frame; none if the clip is too short."""
    try:
        found = magnitudes(clip.world_positions(), clip.frame_time, order)
    except ParameterError:
        return np.zeros(0)
    return np.asarray(found.values.max(axis=1))


def max_acceleration(roots: FloatArray, frame_time: float) -> float:
    """Return the largest change of velocity over the ground of roots (T, 3) in a push, in m/s².

    >>> roots = np.zeros((61, 3))
    >>> roots[:, 0] = np.linspace(0.0, 1.0, 61) ** 2  # 2 m/s² for one second
    >>> round(max_acceleration(roots, 1 / 60), 3)
    2.0
    """
    return float(_accelerations(roots, frame_time).max(initial=0.0))


def _lasting_acceleration(clip: Clip) -> float:
    values = _accelerations(clip.root_positions, clip.frame_time)
    return float(np.percentile(values, LASTING_PERCENTILE)) if len(values) else 0.0


def _accelerations(roots: FloatArray, frame_time: float) -> FloatArray:
    """Return changes of velocity (N,) over the ground of roots (T, 3) in all pushes, in m/s²."""
    push = max(1, round(PUSH_TIME / frame_time))
    steady = max(1, round(0.25 * push))
    if len(roots) <= push + steady:
        return np.zeros(0)
    ground = roots[:, [0, 2]]
    velocities = (ground[steady:] - ground[:-steady]) / (steady * frame_time)
    changes = velocities[push:] - velocities[:-push]
    return np.asarray(np.linalg.norm(changes, axis=1) / (push * frame_time))


def measure_slide(around: Surroundings) -> float:
    """Return how far in metres a foot slides within a transition at most, planted or flat on the ground."""
    clip, first, last = around.clip, around.first, around.last
    slides = [0.0]
    for track in track_feet(clip, first, last, around.sources):
        slides.append(find_drag(track, first, last)[2])
        for plant in plants_of(clip, track.leg):
            span = slice(max(first, int(np.ceil(plant.start))), min(last, int(plant.end)) + 1)
            if span.stop - span.start > 1:
                slides.append(max_distance(clip.point_positions(plant.joint, plant.point, span)[:, [0, 2]]))
    return max(slides)
