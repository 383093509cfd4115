"""How strong a warp is."""

from __future__ import annotations

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.validation import check_number
from motionloom.warping.reaching import solved_warp
from motionloom.warping.warps import Warp

MOST = 100.0
"""Largest amount: beyond it angles and times leave what numbers can hold, and no motion looks like it."""


def checked_amount(amount: float) -> float:
    """The amount of a warp, or an error when it is far too large.

    >>> checked_amount(-0.5)
    -0.5
    """
    number = check_number("the amount of a warp", amount)
    if abs(number) > MOST:
        raise ParameterError(f"the amount of a warp must lie between -{MOST:g} and {MOST:g}, not {number:g}")
    return number


def with_strength(clip: Clip, made: Warp, amount: float) -> Warp:
    """A warp with all its changes ``amount`` times as large; reaches are solved for the clip first.

    >>> from motionloom.synthesis import stand
    >>> from motionloom.warping import Key
    >>> nod = Warp.of([Key(0.5, "Head", rotate=(0.4, 0, 0))])
    >>> with_strength(stand(duration=1.0).clip, nod, 0.5).keys[0].rotate
    (0.2, 0.0, 0.0)
    """
    amount = checked_amount(amount)
    return made if amount == 1.0 else solved_warp(clip, made).scaled(amount)
