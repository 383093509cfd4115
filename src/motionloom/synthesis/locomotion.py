"""Walk, jog and sneak along a ground path: footprints first, then the body above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import AbstractCurve
from motionloom.synthesis import gait_cycle
from motionloom.synthesis.biped import SIDES
from motionloom.synthesis.body_pose import assemble_motion, place_trunk, pose_body, solve_leg
from motionloom.synthesis.easing import bump, glide
from motionloom.synthesis.footsteps import foot_motion
from motionloom.synthesis.gait import JOG, SNEAK, WALK, Gait, GaitStyle
from motionloom.synthesis.gait_cycle import PathGait
from motionloom.synthesis.synthetic_motion import SyntheticMotion, check_turn, frame_times
from motionloom.validation import check_number

MAX_STEP_TURN = 0.7
"""Largest heading change per step on a steady curve, radians: more would twist the standing leg."""

MAX_SIDE_ACCELERATION = 3.4
"""Largest sideways acceleration on a steady curve, m/s²: about what a jogger takes on grass."""

CORNER_STEP_TURN = 1.3
"""Heading change per step in the middle of a sharp turn, radians."""

CORNER_SLOWING = 0.65
"""Fraction of the speed lost in the middle of a half turn; smaller turns lose proportionally less."""

MAX_PHASE = 1e6
"""Largest start phase, cycles: a larger phase would lose precision."""


def walk(
    *,
    speed: float = WALK.default_speed,
    curvature: float = 0.0,
    style: GaitStyle | None = None,
    duration: float = 4.0,
    phase: float = 0.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Walk along a line or a circle, beginning and ending in full stride.

    Parameters
    ----------
    speed
        Metres per second, 0.4 to 2.1.
    curvature
        Heading change per metre, 1/m; positive curves left.
    style
        Style of the walk.
    duration
        Seconds; the clip has ``round(duration * fps) + 1`` frames.
    phase
        Gait phase of the first frame, in cycles; 0 is a left heel strike, 0.5 a right one.
    fps
        Frames per second.

    >>> motion = walk(speed=1.2, duration=2.0, fps=30)
    >>> motion.clip.n_frames, round(float(motion.path[-1, 2]), 6)
    (61, 2.4)
    """
    return _make_on_arc(WALK, speed, curvature, style, duration, phase, fps)


def jog(
    *,
    speed: float = JOG.default_speed,
    curvature: float = 0.0,
    style: GaitStyle | None = None,
    duration: float = 4.0,
    phase: float = 0.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Jog along a line or a circle, with a flight after every step; parameters as in :func:`walk`.

    ``speed`` is 1.6 to 4.0 m/s.

    >>> jog(curvature=0.2, duration=1.0, fps=30).clip.n_frames
    31
    """
    return _make_on_arc(JOG, speed, curvature, style, duration, phase, fps)


def sneak(
    *,
    speed: float = SNEAK.default_speed,
    curvature: float = 0.0,
    style: GaitStyle | None = None,
    duration: float = 6.0,
    phase: float = 0.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Sneak along a line or a circle, crouched and with careful feet; parameters as in :func:`walk`.

    ``speed`` is 0.25 to 1.1 m/s.

    >>> sneak(duration=1.0, fps=30).clip.n_frames
    31
    """
    return _make_on_arc(SNEAK, speed, curvature, style, duration, phase, fps)


def turn_walk(
    *,
    turn: float = np.pi / 2.0,
    speed: float = WALK.default_speed,
    style: GaitStyle | None = None,
    duration: float = 5.0,
    phase: float = 0.0,
    fps: float = 60.0,
) -> SyntheticMotion:
    """Walk straight, turn sharply in the middle of the clip, and walk on.

    Parameters
    ----------
    turn
        Heading change in radians, -pi to pi; positive turns left.
    speed
        Metres per second on the straight parts, 0.4 to 2.1; the turn is taken more slowly.
    style, phase, fps
        As in :func:`walk`.
    duration
        Seconds; long enough for the turn.

    >>> path = turn_walk(turn=np.pi / 2, fps=30).path
    >>> float((path[-1, 2] - path[-2, 2]).round(9))
    0.0
    """
    speed = check_number("speed", speed, min=WALK.min_speed, max=WALK.max_speed, unit="m/s for a walk")
    turn = check_turn(turn)
    time = frame_times(duration, fps)
    # The heading changes fastest in the middle of the corner: 35/16 of its mean rate.
    n_steps = max(abs(turn) * (35.0 / 16.0) / CORNER_STEP_TURN, 1.0)
    span = n_steps * WALK.cycle(speed) / 2.0
    if span > duration:
        raise ParameterError(
            f"turning by {turn:.4g} rad at {speed:g} m/s takes {span:.3g} s",
            remedy=f"ask for a longer duration than {duration:g} s",
        )
    slowing = CORNER_SLOWING * abs(turn) / np.pi
    path = CornerPath(speed, turn, (duration - span) / 2.0, span, slowing)
    return _assemble(PathGait(WALK, path, speed, style or GaitStyle(), phase), time, fps)


def _make_on_arc(
    gait: Gait,
    speed: float,
    curvature: float,
    style: GaitStyle | None,
    duration: float,
    phase: float,
    fps: float,
) -> SyntheticMotion:
    speed = check_number(
        "speed", speed, min=gait.min_speed, max=gait.max_speed, unit=f"m/s for a {gait.name}"
    )
    tightest = min(MAX_STEP_TURN / gait.step(speed), MAX_SIDE_ACCELERATION / speed**2)
    curvature = check_number(
        f"curvature at {speed:g} m/s (a slower {gait.name} can turn more tightly)",
        curvature,
        min=-tightest,
        max=tightest,
        unit="1/m",
    )
    time = frame_times(duration, fps)
    path_gait = PathGait(gait, ArcPath(speed, curvature), speed, style or GaitStyle(), phase)
    return _assemble(path_gait, time, fps)


def _assemble(path_gait: PathGait, time: FloatArray, fps: float) -> SyntheticMotion:
    """Place the feet along the path, move the trunk over them, and solve legs and arms."""
    check_number("phase", path_gait.start, min=-MAX_PHASE, max=MAX_PHASE, unit="cycles")
    stances = {side: gait_cycle.place_stances(path_gait, side, time) for side in SIDES}
    feet = {side: foot_motion(stances[side], gait_cycle.scale_foot_roll(path_gait), time) for side in SIDES}

    trunk_motion = gait_cycle.move_trunk(path_gait, time)
    trunk = place_trunk(trunk_motion, feet)

    legs = {side: solve_leg(trunk, side, feet[side]) for side in SIDES}
    arms = {side: gait_cycle.swing_arm(path_gait, trunk, side, time) for side in SIDES}
    return assemble_motion(
        pose_body(trunk, legs, arms, fps), stances, path_gait.phases(time), trunk_motion.ground
    )


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
"""Gauss nodes for the length of a corner; 40 of them integrate it to rounding."""

_FOREVER = (-np.inf, np.inf)


@final
@dataclass(frozen=True)
class ArcPath(AbstractCurve):
    """A straight line or a circle at constant speed: time in seconds to ``x``, ``z`` and heading.

    It leaves the origin towards +Z at time zero and goes on forever both ways.

    Attributes
    ----------
    speed
        Metres per second.
    curvature
        Heading change per metre, 1/m; positive turns left.

    >>> ArcPath(2.0, np.pi / 4)(1.0).round(4).tolist()
    [1.2732, 1.2732, 1.5708]
    """

    speed: float
    curvature: float = 0.0

    @property
    def domain(self) -> tuple[float, float]:
        """All of time."""
        return _FOREVER

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Return positions and headings (..., 3) as ``x``, ``z`` in metres and radians at times ``u``
        (...).
        """
        length = self.speed * np.asarray(u, dtype=np.float64)
        half = self.curvature * length / 2.0
        chord = length * np.sinc(half / np.pi)
        return np.stack([chord * np.sin(half), chord * np.cos(half), 2.0 * half], axis=-1)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Return velocities and turning rates (..., 3) at times ``u`` (...)."""
        heading = self(u)[..., 2]
        turning = np.full_like(heading, self.speed * self.curvature)
        return np.stack([self.speed * np.sin(heading), self.speed * np.cos(heading), turning], axis=-1)


@final
@dataclass(frozen=True)
class CornerPath(AbstractCurve):
    """A straight line with one sharp, smoothed corner taken more slowly: time to ``x``, ``z`` and heading.

    Attributes
    ----------
    speed
        Metres per second on the straight parts.
    turn
        Heading change of the corner, radians; positive turns left.
    start, span
        When the corner begins and how long it takes, seconds.
    slowing
        Fraction of the speed lost in the middle of the corner.

    >>> corner = CornerPath(speed=1.0, turn=np.pi / 2, start=1.0, span=1.0, slowing=0.0)
    >>> corner([0.0, 1.0, 3.0])[:, 2].round(4).tolist()
    [0.0, 0.0, 1.5708]
    """

    speed: float
    turn: float
    start: float
    span: float
    slowing: float

    @property
    def domain(self) -> tuple[float, float]:
        """All of time."""
        return _FOREVER

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Return positions and headings (..., 3) as ``x``, ``z`` in metres and radians at times ``u``
        (...).
        """
        time = np.asarray(u, dtype=np.float64)
        before = self.speed * np.minimum(time, self.start)
        after = self.speed * np.maximum(time - self.start - self.span, 0.0)
        inside = np.clip(time - self.start, 0.0, self.span)[..., None]
        nodes = self.start + inside * (1.0 + _NODES) / 2.0
        corner = (self.derivative(nodes)[..., :2] * (_WEIGHTS * inside / 2.0)[..., None]).sum(axis=-2)
        x = corner[..., 0] + after * np.sin(self.turn)
        z = before + corner[..., 1] + after * np.cos(self.turn)
        return np.stack([x, z, self._heading(time)], axis=-1)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Return velocities and turning rates (..., 3) at times ``u`` (...)."""
        time = np.asarray(u, dtype=np.float64)
        fraction = np.clip((time - self.start) / self.span, 0.0, 1.0)
        speed = self.speed * (1.0 - self.slowing * bump(fraction))
        heading = self._heading(time)
        # The derivative of glide, 140 x^3 (1 - x)^3, is a bump of height 35/16.
        turning = self.turn / self.span * (35.0 / 16.0) * bump(fraction)
        return np.stack([speed * np.sin(heading), speed * np.cos(heading), turning], axis=-1)

    def _heading(self, time: FloatArray) -> FloatArray:
        return self.turn * glide((time - self.start) / self.span)
