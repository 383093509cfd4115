"""`LiveSpace`: a motion space whose request changes while the motion plays."""

from __future__ import annotations

from typing import final

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.live_blend import LiveBlend
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Pose
from motionloom.spaces.held_limbs import find_held_limbs
from motionloom.spaces.live_steps import find_live_steps
from motionloom.spaces.measures import start_transform
from motionloom.spaces.space import MotionSpace, Request
from motionloom.validation import check_number, check_positive

MAX_CHANGE = 2.0
"""Change of a weight per second that a moving request causes at most: from 0 to 1 in half a second."""

HOLD_EASE = 0.25
"""Seconds in which a motion comes to rest at the moment at which it is held, and gets going again: half of
what a hand takes to stop."""

HOLD_RANGE = 0.05
"""Seconds from the moment, within which the motion counts as held and inverse kinematics sets in."""

MAX_RETURN = 0.25
"""Fraction of a cycle by which a cyclic motion goes back to its moment; beyond, the next one is nearer."""


@final
class LiveSpace:
    """A motion of a space that is played step by step, and asked for something else at any step.

    The weights follow the request through the measured blends. A motion can be held at the moment of a
    position, such as the apex of a reach: the hand then follows the request, and inverse kinematics of its
    limb does what the weights leave, while feet stay where they stand. The motion comes to rest there, and
    gets going again, within a quarter of a second.

    A step whose place is asked for comes down there, also if the request changes while its foot is in the
    air: inverse kinematics moves the foot, the body follows, and feet that stand stay. ``missed`` tells what
    the legs could not do. Loops have no such steps.

    Parameters
    ----------
    space
        The space.
    request
        What to begin with, as in :meth:`MotionSpace.weights`.
    place
        Where the first pose is, as in :func:`motionloom.blend`.
    max_change
        Maximum change of a weight per second.

    >>> from motionloom.spaces import parameters
    >>> from motionloom.synthesis import reach_out
    >>> reaches = [reach_out(target=(-0.2, y, 0.4), fps=30).clip for y in (0.9, 1.4)]
    >>> space = MotionSpace(reaches, {"hand": parameters.position("RightHand", axes="y")})
    >>> live = LiveSpace(space, {"hand": 1.0})
    >>> for _ in range(90):
    ...     pose = live.step(1 / 30, {"hand": 1.2}, hold=True)
    >>> height = pose.world_positions()[pose.skeleton.index("RightHand"), 1]
    >>> round(float(height), 3), live.holds
    (1.2, True)
    """

    def __init__(
        self,
        space: MotionSpace,
        request: Request,
        *,
        place: GroundTransform | None = None,
        max_change: float = MAX_CHANGE,
    ) -> None:
        self._space, self._max_change = space, check_positive("max_change", max_change)
        weights = space.weights(request, correct=False)
        self._live = LiveBlend(space.curve, weights=weights, place=place, rate_law=space.rate_law)
        self._start = start_transform(space.blends.make(weights, place=place).clip)
        self._limbs = find_held_limbs(space, self._live.pose.skeleton)
        self._steps = find_live_steps(space, self._live.pose.skeleton, self._start)
        self._holds = False
        # How fast time passes, 1 while nothing is held, and how far a second leads on the curve.
        self._pace = 1.0
        n_frames = float(np.ptp(space.curve.spans, axis=0) @ weights / weights.sum())
        self._rate = float(np.ptp(space.curve.domain)) / (n_frames * space.curve.clips[0].frame_time)

    @property
    def blend(self) -> LiveBlend:
        """The live blend below: its weights, its time and its place."""
        return self._live

    @property
    def holds(self) -> bool:
        """Whether the motion is held at the moment of its position."""
        return self._holds

    @property
    def missed(self) -> dict[str, float]:
        """Name of a step place -> how far its step is from what was asked for, metres.

        While the foot swings, that is what is left to close; once it stands, how far off it came down. Where
        a request lies outside the space, the nearest place inside is meant.
        """
        return {} if self._steps is None else dict(self._steps.missed)

    @property
    def finished(self) -> bool:
        """Whether the motion has ended; never for cyclic clips."""
        return self._live.finished

    def step(self, dt: float, request: Request, *, hold: bool = False) -> Pose:
        """Move on by ``dt`` seconds towards a request, and return the pose there.

        Parameters
        ----------
        dt
            Seconds.
        request
            As in :meth:`MotionSpace.weights`.
        hold
            Stay at the moment of the position until a step without ``hold``. A motion that is past it goes
            back to it; a cyclic one that is far past it goes on to the next.
        """
        check_number("dt", dt)
        limbs = self._limbs
        if hold and limbs is None:
            raise ParameterError(
                "needs a parameter that is the position of a hand or foot: this space has none",
                parameter="hold",
            )
        wanted = self._space.as_numbers(request)
        weights = self._approach(self._space.weights(wanted, correct=False), dt)
        ahead = self._find_seconds_ahead(limbs.moment(weights)) if hold and limbs is not None else np.inf
        self._holds = abs(ahead) <= HOLD_RANGE
        pose = self._advance(dt, weights, ahead)
        if self._steps is not None:
            pose = self._steps.move(
                pose, self._live, self._space.nearest(wanted), dt=abs(dt), rate=self._rate
            )
        if limbs is None:
            return pose
        return limbs.move(pose, weights, wanted, self._start, dt=abs(dt), holds=self._holds)

    def _find_seconds_ahead(self, moment: float) -> float:
        """Return the seconds to a moment of the curve, negative where it is past."""
        ahead = moment - self._live.u
        if self._space.curve.timewarp.periods is not None:
            period = float(np.ptp(self._space.curve.domain))
            ahead = (ahead + MAX_RETURN * period) % period - MAX_RETURN * period
        return ahead / self._rate

    def _advance(self, dt: float, weights: FloatArray, ahead: float) -> Pose:
        """Return the next pose: on by ``dt`` seconds, or nearer to a moment that is some seconds ahead.

        The pace changes evenly, and as late as it can to stop at the moment.
        """
        change = abs(dt) / HOLD_EASE
        wanted = 1.0
        if np.isfinite(ahead):
            # From this pace, steps that each slow down by as much as is allowed stop at the moment.
            stopping = np.sqrt(change * change / 4.0 + 2.0 * abs(ahead) / HOLD_EASE) - change / 2.0
            wanted = float(np.sign(ahead) * min(1.0, stopping))
        self._pace = float(np.clip(wanted, self._pace - change, self._pace + change))
        seconds = self._pace * dt
        if np.isfinite(ahead):
            seconds = self._pace * abs(dt)
            if abs(ahead) <= abs(seconds):
                seconds = ahead
        before, cycles = self._live.u, self._live.cycles
        pose = self._live.step(seconds, weights)
        moved = self._live.u - before
        if moved * seconds > 0.0 and self._live.cycles == cycles and not self._live.finished:
            self._rate = moved / seconds
        return pose

    def distance(self, pose: Pose, request: Request) -> float:
        """Return how far the held hand or foot of a pose is from its request, metres; 0 without one."""
        if self._limbs is None:
            return 0.0
        wanted = self._space.as_numbers(request)
        offset = self._limbs.find_offset(pose.world_positions(), pose.world_rotations(), wanted, self._start)
        return float(np.linalg.norm(offset))

    def _approach(self, weights: FloatArray, dt: float) -> FloatArray:
        """Return weights (K,) as near to those asked for as ``dt`` seconds allow."""
        now = self._live.weights
        far = float(np.abs(weights - now).max())
        allowed = self._max_change * abs(dt)
        return weights if far <= allowed else now + (weights - now) * (allowed / far)
