"""Parameters of motion: what a clip does, as numbers with a unit, such as where a hand is at its apex.

By default, positions are relative to the start of the motion: from the point on the ground below the root in
the first frame, x to the left, y up and z forward as the body faces there. Moments are found to a fraction of
a frame, so that a parameter changes smoothly with the motion::

    MotionSpace(kicks, {"foot": parameters.position("RightFoot", at="apex")})
    MotionSpace(gaits, {"speed": parameters.speed(), "turn": parameters.turn_rate()})
"""

from __future__ import annotations

from collections.abc import Callable

import numpy.typing as npt

from motionloom.arrays import check_array
from motionloom.motion import Clip
from motionloom.spaces.body_measures import StepPlace, Travel
from motionloom.spaces.find_frame import Moment
from motionloom.spaces.joint_measures import AXES, Clearance, Direction, Frame, JointSpeed, Position
from motionloom.spaces.measures import Custom, Parameter

__all__ = [
    "clearance",
    "custom",
    "direction",
    "duration",
    "end_place",
    "height",
    "position",
    "speed",
    "step_length",
    "step_place",
    "turn",
    "turn_rate",
]


def position(
    joint: str,
    at: Moment = "apex",
    *,
    axes: str = AXES,
    frame: Frame = "start",
    point: npt.ArrayLike = (0.0, 0.0, 0.0),
) -> Parameter:
    """Measure where a joint is at a moment, metres.

    Parameters
    ----------
    joint
        Name of the joint, or its role ("left wrist").
    at
        "apex", where it is farthest from its position at the start, seen from the pelvis; "highest",
        "lowest" or "fastest"; seconds; or a moment in words: "end", "50 %", "left strike 2".
    axes
        Which of x (to the left), y (up) and z (forward) to measure.
    frame
        "start": relative to where the body is and faces in the first frame. "world": as the clip lies.
    point
        (3,) point in the joint's own frame, metres; by default the joint itself.

    >>> from motionloom.synthesis import reach_out
    >>> position("RightHand").measure(reach_out(target=(-0.1, 1.2, 0.5)).clip).round(2).tolist()
    [-0.1, 1.2, 0.5]
    """
    return Position(joint, at, axes, frame, tuple(check_array("point", point, (3,)).tolist()))


def height(joint: str, at: Moment = "highest") -> Parameter:
    """Measure how high a joint is at a moment (:func:`position`), metres.

    >>> from motionloom.synthesis import kick
    >>> bool(height("RightFoot").measure(kick().clip)[0] > 0.5)
    True
    """
    return Position(joint, at, "y")


def direction(joint: str, at: Moment = "apex") -> Parameter:
    """Measure in which direction a joint is from the start of the motion, radians to the left of forward.

    >>> from motionloom.synthesis import reach_out
    >>> bool(direction("RightHand").measure(reach_out(target=(-0.2, 1.2, 0.4)).clip)[0] < 0.0)
    True
    """
    return Direction(joint, at)


def speed(joint: str | None = None, at: Moment = "fastest") -> Parameter:
    """Measure the mean speed of the body along its path or, of a joint, its speed at a moment, m/s.

    >>> from motionloom.synthesis import jog
    >>> bool(speed("LeftFoot").measure(jog().clip)[0] > speed().measure(jog().clip)[0])
    True
    """
    return Travel("speed") if joint is None else JointSpeed(joint, at)


def turn() -> Parameter:
    """Measure how far the body turns from start to end, radians to the left.

    >>> from motionloom.synthesis import turn_in_place
    >>> turn().measure(turn_in_place(turn=1.0).clip).round(2).tolist()
    [1.0]
    """
    return Travel("turn")


def turn_rate() -> Parameter:
    """Measure how fast the body turns on average, radians per second to the left.

    >>> from motionloom.synthesis import walk
    >>> turn_rate().measure(walk(speed=1.2, curvature=0.5, duration=4.0).clip).round(1).tolist()
    [0.6]
    """
    return Travel("turn rate")


def duration() -> Parameter:
    """Measure how long the motion lasts, seconds.

    >>> from motionloom.synthesis import walk
    >>> duration().measure(walk(duration=2.0).clip).round(9).tolist()
    [2.0]
    """
    return Travel("duration")


def end_place() -> Parameter:
    """Measure where the root ends on the ground, x and z relative to the start, metres.

    >>> from motionloom.synthesis import walk
    >>> end_place().measure(walk(speed=1.0, duration=3.0).clip).round(1).tolist()
    [0.0, 3.0]
    """
    return Travel("end place")


def step_place(step: int = 1) -> Parameter:
    """Measure where a foot is put down, x and z relative to the start, metres; steps count from 1.

    >>> step_place(2).components
    ('x', 'z')
    """
    return StepPlace(step)


def step_length(step: int = 1) -> Parameter:
    """Measure how far from the other foot one is put down, metres; steps count from 1.

    >>> from motionloom.synthesis import walk
    >>> step_length(2).measure(walk(speed=1.2, duration=3.0).clip).round(1).tolist()
    [0.7]
    """
    return StepPlace(step, length=True)


def clearance(joint: str, ahead: float, over: float = 0.0) -> Parameter:
    """Measure how high above an obstacle a joint passes over it, metres.

    Parameters
    ----------
    joint
        Name of the joint, or its role.
    ahead
        Where the obstacle is: metres in front of the start of the motion.
    over
        Height of the obstacle, metres.

    >>> from motionloom.synthesis import walk
    >>> bool(clearance("LeftFoot", ahead=1.0).measure(walk(duration=3.0).clip)[0] > 0.0)
    True
    """
    return Clearance(joint, ahead, over)


def custom(
    function: Callable[[Clip], npt.ArrayLike], unit: str = "", names: tuple[str, ...] = ("",)
) -> Parameter:
    """Measure what a function of a clip returns: a number, or as many numbers as there are names.

    Spaces with such a parameter cannot be saved: a file cannot hold a function.

    >>> from motionloom.synthesis import stand
    >>> lowest = custom(lambda clip: clip.world_positions()[..., 1].min(), "m")
    >>> lowest.measure(stand(duration=1.0).clip).shape
    (1,)
    """
    return Custom(function, unit, tuple(names))
