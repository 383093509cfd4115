"""The one list of all built-in motions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import pi
from types import MappingProxyType

from motionloom.synthesis.kicks import kick
from motionloom.synthesis.locomotion import jog, sneak, turn_walk, walk
from motionloom.synthesis.punches import punch
from motionloom.synthesis.reach import reach_out
from motionloom.synthesis.result import SyntheticMotion
from motionloom.synthesis.stand import idle, stand
from motionloom.synthesis.turn_in_place import turn_in_place

_CURVE = 0.25
"""Curvature of the named left and right curves, 1/m: a circle of 4 m radius."""

_SNEAK_CURVE = 0.5
"""Curvature of the named sneaking curves, 1/m: slow steps need a tighter circle to show."""

_LOCOMOTION: dict[str, Callable[..., SyntheticMotion]] = {
    "walk": walk,
    "walk_left": partial(walk, curvature=_CURVE),
    "walk_right": partial(walk, curvature=-_CURVE),
    "jog": jog,
    "jog_left": partial(jog, curvature=_CURVE),
    "jog_right": partial(jog, curvature=-_CURVE),
    "sneak": sneak,
    "sneak_left": partial(sneak, curvature=_SNEAK_CURVE),
    "sneak_right": partial(sneak, curvature=-_SNEAK_CURVE),
}

MOTIONS: Mapping[str, Callable[..., SyntheticMotion]] = MappingProxyType(
    {
        **_LOCOMOTION,
        "walk_turn_left": partial(turn_walk, turn=pi / 2.0),
        "walk_turn_right": partial(turn_walk, turn=-pi / 2.0),
        "walk_turn_back": partial(turn_walk, turn=pi),
        "turn_left": partial(turn_in_place, turn=pi / 2.0),
        "turn_right": partial(turn_in_place, turn=-pi / 2.0),
        "turn_back": partial(turn_in_place, turn=pi),
        "kick_front": partial(kick, style="front"),
        "kick_side": partial(kick, style="side"),
        "kick_high": partial(kick, style="high"),
        "punch_jab": partial(punch, style="jab"),
        "punch_strong": partial(punch, style="strong"),
        "reach": reach_out,
        "stand": stand,
        "idle": idle,
    }
)
"""Every built-in motion by name; each takes at least ``duration`` (seconds) and ``fps`` as keywords."""


def locomotion_set(*, fps: float = 60.0) -> dict[str, SyntheticMotion]:
    """The nine clips walk, jog and sneak, each straight, to the left and to the right, by name.

    >>> sorted(locomotion_set(fps=10))[:3]
    ['jog', 'jog_left', 'jog_right']
    """
    return {name: make(fps=fps) for name, make in _LOCOMOTION.items()}
