"""Warp presets: the walks that Witkin & Popović made from one captured walk, for any walk.

Every preset is a warp of at most five keys at named moments, for joints by role and in axes of the body: it
can be saved, edited, and applied to any walk on any rig.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.annotation.ground import Surface
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.body import on_body
from motionloom.motion.result import ClipLike, Result, check_clip
from motionloom.warping.keys import EASE, Key
from motionloom.warping.obstacles import Obstacle
from motionloom.warping.plants import ensure_plants
from motionloom.warping.resolve_warp import resolve_warp
from motionloom.warping.warp import WarpReport, scale_warp, warp
from motionloom.warping.warp_data import Warp

CLEARANCE = 0.025
"""Body heights between the top of a hurdle and the lowest point of a foot above it."""

CARRY_FORWARD, CARRY_BEND = 0.25, 1.45
"""Radians by which upper arms point forward of straight down, and elbows bend, to carry something."""

CARRY_SWING = 0.15
"""Fraction of their swing that arms keep when they carry something heavy."""


@dataclass(frozen=True, eq=False)
class PresetEdit:
    """What a preset does to a clip.

    Attributes
    ----------
    warp
        At most five keys, in seconds and in the axes of the clip's joints.
    ground
        The ground to walk on, or None for the clip's floor.
    lifts_heels
        Whether heels stay off the ground.
    hurdle
        What is stepped over, as the height of its top above the floor; None for nothing.
    """

    warp: Warp
    ground: Surface | None = None
    lifts_heels: bool = False
    hurdle: Surface | None = None


@on_body
def apply_preset(clip: ClipLike, name: str, amount: float = 1.0) -> Result[WarpReport]:
    """Apply a warp preset to a walk; planted feet stay put.

    Parameters
    ----------
    clip
        A walk of a few steps or more; its foot plants are detected unless it has some.
    name
        One of :data:`PRESETS`: "doorway", "step-over", "block", "post", "stairs", "limp", "stoop",
        "trucking", "tiptoe", "carry", "sneak".
    amount
        Strength: 0.5 is half as strong. Grounds and hurdles stay as they are.

    Returns
    -------
    Result
        The warped motion, and a :class:`~motionloom.warping.WarpReport`.

    Raises
    ------
    ParameterError
        There is no such preset, or the body has no legs, arms and spine.

    >>> from motionloom.synthesis import walk
    >>> stooped = apply_preset(walk(duration=3.0).clip, "stoop")
    >>> stooped.report.n_moments
    1
    """
    clip = check_clip("a warp preset", clip)
    preset = preset_keys(name)
    _check_body(clip)
    planted = ensure_plants(clip)[0]
    return warp(planted, scale_warp(planted, preset, amount), keep_plants=True)


def preset_keys(name: str) -> Warp:
    """Return the keys of a preset, which fit any walk: to save, edit and apply.

    Parameters
    ----------
    name
        One of :data:`PRESETS`, as for :func:`apply_preset`.

    Returns
    -------
    Warp
        The warp, at moments and for joints in words.

    Raises
    ------
    ParameterError
        There is no such preset.

    >>> preset_keys("limp").times[0].stretches
    (('every left strike', 'left lift', 0.75),)
    """
    if name not in PRESETS:
        raise ParameterError(
            f"there is no warp preset {name!r}", remedy=f"choose one of {', '.join(PRESETS)}"
        )
    return PRESETS[name]()


def preset_edit(clip: ClipLike, name: str) -> PresetEdit:
    """Return the warp and the ground of a preset for a clip.

    >>> from motionloom.synthesis import walk
    >>> len(preset_edit(walk(duration=3.0).clip, "doorway").warp.keys) <= 5
    True
    """
    clip = check_clip("a warp preset", clip)
    preset = preset_keys(name)
    _check_body(clip)
    resolved = resolve_warp(ensure_plants(clip.body)[0], preset)
    return PresetEdit(resolved.warp, resolved.ground, preset.lifts_heels, resolved.hurdle)


def _check_body(clip: Clip) -> None:
    anatomy = find_anatomy(clip.body.skeleton)
    if len(anatomy.legs) < 2 or len(anatomy.arms) < 2 or len(anatomy.spine) < 2:
        raise ParameterError("warp presets need a body with two legs, two arms and a spine")


def _bend(time: str, joint: str, angle: float, ease: float | str | None = EASE) -> Key:
    """Bend a joint about the axis from side to side, or a knee or elbow about its hinge."""
    return Key(time, joint, rotate=(angle, 0.0, 0.0), ease=ease, frame="body")


def _hold_bend(joint: str, angle: float) -> Key:
    """Bend a joint over the whole clip."""
    return _bend("start", joint, angle, ease=None)


def _move_up(time: str, height: float, ease: float | None = None) -> Key:
    """Move the body up by body heights."""
    return Key(time, move=(0.0, height, 0.0), ease=ease, frame="body")


def _scale_swing(joint: str, factor: float, zero: float | tuple[float, float, float] | None = None) -> Key:
    """Scale the swings of a joint over the whole clip, about their mean or about a zero."""
    return Key("start", joint, scale=factor, zero=zero, ease=None, frame="body")


def _doorway() -> Warp:
    """Duck under a bar at three quarters of the body's height, halfway through."""
    half = "50 %"
    return Warp.of(
        [
            _move_up(half, -0.13, ease=1.0),
            _bend(half, "spine", 0.95, ease=1.0),
            _bend(half, "head", -0.55, ease=1.0),
            _bend(half, "left shoulder", -0.75, ease=1.0),
            _bend(half, "right shoulder", -0.75, ease=1.0),
        ]
    )


def _step_over() -> Warp:
    """Lift both feet, one after the other, over a low hurdle."""
    keys = [
        Key("crossing 1", "leading ankle", reach=(0.0, CLEARANCE, 0.0), ease=0.3, frame="ground"),
        Key("crossing 2", "trailing ankle", reach=(0.0, CLEARANCE, 0.0), ease=0.3, frame="ground"),
        _bend("crossing 1", "spine", 0.12),
    ]
    return Warp.of(keys, obstacle=Obstacle("hurdle"))


def _block() -> Warp:
    """Step onto a block and down again."""
    lean = [_bend("crossing 1", "spine", 0.3), _bend("crossing 2", "spine", -0.08)]
    return Warp.of(lean, obstacle=Obstacle("block"))


def _post() -> Warp:
    """Walk around a post: turn off the path and back again."""
    keys = [
        Key("25 %", rotate=(0.0, 0.6, 0.0), ease="25 %", frame="body"),
        Key("75 %", rotate=(0.0, -0.6, 0.0), ease="25 %", frame="body"),
        Key("50 %", "spine", rotate=(0.0, 0.0, 0.08), ease="25 %", frame="body"),
    ]
    return Warp.of(keys)


def _stairs() -> Warp:
    """Climb stairs, one with every step."""
    return Warp.of([_hold_bend("spine", 0.22), _hold_bend("head", -0.1)], obstacle=Obstacle("stairs"))


def _limp() -> Warp:
    """Walk with a stiff left leg, and stand on it only briefly."""
    keys = [
        _scale_swing("left knee", 0.3, zero=0.25),
        _scale_swing("left hip", 0.7),
        Key("start", "spine", rotate=(0.0, 0.0, 0.1), ease=None, frame="body"),
    ]
    return Warp.of(keys, [("every left strike", "left lift", 0.75)])


def _stoop() -> Warp:
    """Walk bent forward."""
    keys = [
        _move_up("start", -0.03),
        _hold_bend("spine", 0.7),
        _hold_bend("head", -0.45),
        _hold_bend("left shoulder", -0.55),
        _hold_bend("right shoulder", -0.55),
    ]
    return Warp.of(keys)


def _trucking() -> Warp:
    """Lean back and throw the legs forward in long strides."""
    keys = [
        Key("start", scale=(1.25, 1.0, 1.25), zero=(0.0, 0.0, 0.0), ease=None, frame="body"),
        _hold_bend("spine", -0.3),
        _hold_bend("head", 0.15),
        _scale_swing("left hip", 1.25),
        _scale_swing("right hip", 1.25),
    ]
    return Warp.of(keys)


def _tiptoe() -> Warp:
    """Walk on the balls of the feet."""
    keys = [_hold_bend("left ankle", 0.55), _hold_bend("right ankle", 0.55), _hold_bend("spine", -0.05)]
    return Warp.of(keys, lifts_heels=True)


def _carry() -> Warp:
    """Carry something heavy in front of the body, leaning back."""
    hanging = (0.0, -float(np.cos(CARRY_FORWARD)), float(np.sin(CARRY_FORWARD)))
    keys = [
        _scale_swing("left shoulder", CARRY_SWING, zero=hanging),
        _scale_swing("left elbow", CARRY_SWING, zero=CARRY_BEND),
        _scale_swing("right shoulder", CARRY_SWING, zero=hanging),
        _scale_swing("right elbow", CARRY_SWING, zero=CARRY_BEND),
        _hold_bend("spine", -0.2),
    ]
    return Warp.of(keys)


def _sneak() -> Warp:
    """Walk slowly, crouched and bent forward."""
    keys = [
        _move_up("start", -0.1),
        _hold_bend("spine", 0.4),
        _hold_bend("head", -0.3),
        _hold_bend("left elbow", 1.1),
        _hold_bend("right elbow", 1.1),
    ]
    return Warp.of(keys, [("start", "end", 1.35)])


PRESETS: Mapping[str, Callable[[], Warp]] = {
    "doorway": _doorway,
    "step-over": _step_over,
    "block": _block,
    "post": _post,
    "stairs": _stairs,
    "limp": _limp,
    "stoop": _stoop,
    "trucking": _trucking,
    "tiptoe": _tiptoe,
    "carry": _carry,
    "sneak": _sneak,
}
"""The warp presets by name; each docstring says what it does."""
