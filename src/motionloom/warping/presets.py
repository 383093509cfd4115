"""Warp presets: the walks that Witkin & Popović made from one captured walk, for any walk.

Every preset looks at a clip and gives a warp of at most five keys, and the ground it is walked on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from motionloom.annotation.ground import Surface
from motionloom.annotation.labels import HEEL
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.body import on_body
from motionloom.motion.clip import check_clip
from motionloom.warping.body_keys import BodyKeys
from motionloom.warping.keys import Key
from motionloom.warping.obstacles import place_block, place_hurdle, place_stairs, shorten_contacts
from motionloom.warping.plants import ensure_plants
from motionloom.warping.warp import scale_warp, warp
from motionloom.warping.warp_data import Warp


@dataclass(frozen=True, eq=False)
class PresetEdit:
    """What a preset does to a clip.

    Attributes
    ----------
    warp
        At most five keys.
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
def warp_preset(clip: Clip, name: str, amount: float = 1.0) -> Clip:
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
    Clip
        The warped motion with, in ``report``, a :class:`~motionloom.warping.WarpReport`.

    >>> from motionloom.synthesis import walk
    >>> stooped = warp_preset(walk(duration=3.0).clip, "stoop")
    >>> stooped.report.n_moments
    1
    """
    edit = preset_edit(clip, name)
    planted = ensure_plants(clip)[0]
    if edit.lifts_heels:
        planted = replace(planted, constraints=tuple(c for c in planted.constraints if c.kind != HEEL))
    return warp(planted, scale_warp(planted, edit.warp, amount), keep_plants=True, ground=edit.ground)


def preset_edit(clip: Clip, name: str) -> PresetEdit:
    """Return the warp and the ground of a preset for a clip.

    >>> from motionloom.synthesis import walk
    >>> len(preset_edit(walk(duration=3.0).clip, "doorway").warp.keys) <= 5
    True
    """
    check_clip("a warp preset", clip)
    if name not in PRESETS:
        raise ParameterError(f"there is no warp preset {name!r}: choose one of {', '.join(PRESETS)}")
    return PRESETS[name](BodyKeys.of(ensure_plants(clip)[0]))


def _doorway(body: BodyKeys) -> PresetEdit:
    """Duck under a bar at three quarters of the body's height, halfway through."""
    time = body.clip.duration / 2.0
    keys = [
        body.move(time, up=-0.13, ease=1.0),
        body.bend(time, "spine", 0.95, ease=1.0),
        body.bend(time, "head", -0.55, ease=1.0),
        body.bend(time, "left shoulder", -0.75, ease=1.0),
        body.bend(time, "right shoulder", -0.75, ease=1.0),
    ]
    return PresetEdit(Warp.of(keys))


def _step_over(body: BodyKeys) -> PresetEdit:
    """Lift both feet, one after the other, over a low hurdle."""
    hurdle = place_hurdle(body)
    keys = [Key(time, name, reach=position, ease=0.3) for time, name, position in hurdle.crossings]
    lean = body.bend(hurdle.crossings[0][0], "spine", 0.12)
    return PresetEdit(Warp.of([*keys, lean]), hurdle=hurdle.surface)


def _block(body: BodyKeys) -> PresetEdit:
    """Step onto a block and down again."""
    block = place_block(body)
    lean = [body.bend(block.start, "spine", 0.3), body.bend(block.end, "spine", -0.08)]
    return PresetEdit(Warp.of(lean), block.surface)


def _post(body: BodyKeys) -> PresetEdit:
    """Walk around a post: turn off the path and back again."""
    quarter = body.clip.duration / 4.0
    keys = [body.turn(quarter, 0.6, ease=quarter), body.turn(3.0 * quarter, -0.6, ease=quarter)]
    return PresetEdit(Warp.of([*keys, body.lean(2.0 * quarter, 0.08, ease=quarter)]))


def _stairs(body: BodyKeys) -> PresetEdit:
    """Climb stairs, one with every step."""
    lean = [body.hold_bend("spine", 0.22), body.hold_bend("head", -0.1)]
    return PresetEdit(Warp.of(lean), place_stairs(body))


def _limp(body: BodyKeys) -> PresetEdit:
    """Walk with a stiff left leg, and stand on it only briefly."""
    keys = [
        body.scale_swing("left knee", 0.3, bend=0.25),
        body.scale_swing("left hip", 0.7),
        body.lean(0.0, 0.1, ease=None),
    ]
    return PresetEdit(Warp.of(keys, shorten_contacts(body, "left", 0.75)))


def _stoop(body: BodyKeys) -> PresetEdit:
    """Walk bent forward."""
    keys = [
        body.move(0.0, up=-0.03),
        body.hold_bend("spine", 0.7),
        body.hold_bend("head", -0.45),
        body.hold_bend("left shoulder", -0.55),
        body.hold_bend("right shoulder", -0.55),
    ]
    return PresetEdit(Warp.of(keys))


def _trucking(body: BodyKeys) -> PresetEdit:
    """Lean back and throw the legs forward in long strides."""
    keys = [
        body.lengthen_strides(1.25),
        body.hold_bend("spine", -0.3),
        body.hold_bend("head", 0.15),
        body.scale_swing("left hip", 1.25),
        body.scale_swing("right hip", 1.25),
    ]
    return PresetEdit(Warp.of(keys))


def _tiptoe(body: BodyKeys) -> PresetEdit:
    """Walk on the balls of the feet."""
    keys = [
        body.hold_bend("left ankle", 0.55),
        body.hold_bend("right ankle", 0.55),
        body.hold_bend("spine", -0.05),
    ]
    return PresetEdit(Warp.of(keys), lifts_heels=True)


def _carry(body: BodyKeys) -> PresetEdit:
    """Carry something heavy in front of the body, leaning back."""
    arms = [body.carry(part) for part in ("left shoulder", "left elbow", "right shoulder", "right elbow")]
    return PresetEdit(Warp.of([*arms, body.hold_bend("spine", -0.2)]))


def _sneak(body: BodyKeys) -> PresetEdit:
    """Walk slowly, crouched and bent forward."""
    keys = [
        body.move(0.0, up=-0.1),
        body.hold_bend("spine", 0.4),
        body.hold_bend("head", -0.3),
        body.hold_bend("left elbow", 1.1),
        body.hold_bend("right elbow", 1.1),
    ]
    duration = body.clip.duration
    return PresetEdit(Warp.of(keys, [(duration, 1.35 * duration)]))


PRESETS: Mapping[str, Callable[[BodyKeys], PresetEdit]] = {
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
