"""The options of annotation."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isfinite
from numbers import Real
from typing import Literal, get_args

from motionloom.errors import ParameterError

Method = Literal["thresholds", "zero-crossing"]


@dataclass(frozen=True, kw_only=True)
class AnnotationSettings:
    """How plants and events are found; the defaults hold for captures at 24 to 120 frames per second.

    Attributes
    ----------
    method
        "thresholds": a point is planted while it is low and slow. "zero-crossing": it is planted between the
        instants at which its acceleration changes sign while it is low and slow (Bindiganavale & Badler).
    speed
        A point slower than this may be planted, m/s. Standing feet in captures creep at up to 0.1 m/s.
    relative_speed
        The same as a share of the point's swing speed; the larger of both counts. A runner's toes still move
        at up to a tenth of their swing speed while they push, and so they do when a file states twice the
        frame rate it was captured at.
    height
        A point lower than this above its standing height may be planted, metres.
    release
        Factor on speed and height at which a planted point is let go; at least 1.
    shortest
        Shorter plants are dropped, seconds.
    hole
        Shorter gaps between two plants are filled, seconds.
    smoothing
        Width of the window over which velocities are averaged, seconds; 0 for none.
    floor
        Height of the floor, metres; None estimates it.
    flexion
        A bend counts as an extreme when the joint then goes back by this much, radians.
    excursion
        A hand or foot has an apex when it then comes back by this much, metres.
    replace
        False keeps what the clip already carries: a joint that has a constraint of a kind, or an event with a
        label, keeps exactly those and gets none of its own. True finds all kinds and labels anew; kinds and
        labels that annotation does not make stay either way.

    >>> AnnotationSettings(speed=0.2).height
    0.04
    """

    method: Method = "thresholds"
    speed: float = 0.15
    relative_speed: float = 0.1
    height: float = 0.04
    release: float = 1.5
    shortest: float = 0.05
    hole: float = 0.08
    smoothing: float = 0.05
    floor: float | None = None
    flexion: float = 0.2
    excursion: float = 0.15
    replace: bool = False

    def __post_init__(self) -> None:
        if self.method not in get_args(Method):
            known = " or ".join(map(repr, get_args(Method)))
            raise ParameterError(f"method must be {known}, not {self.method!r}")
        if not isinstance(self.replace, bool):
            raise ParameterError(f"replace must be True or False, not {self.replace!r}")
        if self.floor is not None and not _is_finite(self.floor):
            raise ParameterError(f"floor must be a finite number, or None to estimate it, not {self.floor!r}")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("method", "floor", "replace"):
                continue
            if not _is_finite(value) or value < 0.0:
                raise ParameterError(f"{field.name} must be a finite number, not negative, not {value!r}")
        for name in ("speed", "height"):
            if getattr(self, name) == 0.0:
                raise ParameterError(f"{name} must be positive: nothing is lower or slower than zero")
        if self.release < 1.0:
            raise ParameterError(
                f"release must be at least 1, not {self.release}: "
                "a planted point is let go at a higher speed than the one at which it is caught"
            )


def _is_finite(value: object) -> bool:
    """Whether a value is a finite number; truth values are none."""
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
