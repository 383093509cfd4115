"""Warp presets: the family of walks that Witkin & Popović made from one captured walk.

Every recipe looks at a clip and gives a warp of at most five keys, and the ground it is walked on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from motionloom.annotation.floor import Surface
from motionloom.annotation.labels import HEEL
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.clip import check_clip
from motionloom.warping import obstacles
from motionloom.warping.body_keys import Figure
from motionloom.warping.keys import Key
from motionloom.warping.plants import plants_found
from motionloom.warping.solve_keys import solved_warp
from motionloom.warping.warp import warp
from motionloom.warping.warp_data import Warp


@dataclass(frozen=True, eq=False)
class PresetEdit:
    """What a recipe makes of a clip.

    Attributes
    ----------
    warp
        At most five keys.
    ground
        What it is walked on, or None for the clip's floor.
    lifts_heels
        Whether heels do not touch the ground.
    hurdle
        What is stepped over, as the height of its top over the ground plane; None for nothing.
    """

    warp: Warp
    ground: Surface | None = None
    lifts_heels: bool = False
    hurdle: Surface | None = None


def warp_preset(clip: Clip, name: str, amount: float = 1.0) -> Clip:
    """Apply a warp preset to a walk; feet stay where they are planted.

    Parameters
    ----------
    clip
        A captured walk of a few steps or more; its foot plants are found unless it has some.
    name
        One of :data:`PRESETS`.
    amount
        How much of it: 0.5 is half as strong. Grounds, and what is stepped over, stay as they are.

    Returns
    -------
    Clip
        The warped motion, with a :class:`WarpReport`.

    >>> from motionloom.synthesis import walk
    >>> stooped = warp_preset(walk(duration=3.0).clip, "stoop")
    >>> stooped.report.n_moments
    1
    """
    edit = preset_edit(clip, name)
    planted = plants_found(clip)[0]
    if edit.lifts_heels:
        planted = replace(planted, constraints=tuple(c for c in planted.constraints if c.kind != HEEL))
    made = edit.warp if amount == 1.0 else solved_warp(planted, edit.warp).scaled(amount)
    return warp(planted, made, keep_plants=True, ground=edit.ground)


def preset_edit(clip: Clip, name: str) -> PresetEdit:
    """The warp and the ground of a warp preset, for a clip.

    >>> from motionloom.synthesis import walk
    >>> len(preset_edit(walk(duration=3.0).clip, "doorway").warp.keys) <= 5
    True
    """
    if name not in PRESETS:
        raise ParameterError(f"there is no warp preset {name!r}: choose one of {', '.join(PRESETS)}")
    check_clip("a warp preset", clip)
    return PRESETS[name](Figure.of(plants_found(clip)[0]))


def _doorway(figure: Figure) -> PresetEdit:
    """Bend down under something at three quarters of the body's height, half way."""
    time = figure.clip.duration / 2.0
    keys = [
        figure.moved(time, up=-0.13, ease=1.0),
        figure.bent(time, "spine", 0.95, ease=1.0),
        figure.bent(time, "head", -0.55, ease=1.0),
        figure.bent(time, "left shoulder", -0.75, ease=1.0),
        figure.bent(time, "right shoulder", -0.75, ease=1.0),
    ]
    return PresetEdit(Warp.of(keys))


def _step_over(figure: Figure) -> PresetEdit:
    """Lift both feet, one after the other, over something low."""
    hurdle = obstacles.hurdle(figure)
    keys = [Key(time, name, reach=place, ease=0.3) for time, name, place in hurdle.crossings]
    lean = figure.bent(hurdle.crossings[0][0], "spine", 0.12)
    return PresetEdit(Warp.of([*keys, lean]), hurdle=hurdle.surface)


def _block(figure: Figure) -> PresetEdit:
    """Step onto a block and down again."""
    ground = obstacles.block(figure)
    lean = [figure.bent(ground.start, "spine", 0.3), figure.bent(ground.end, "spine", -0.08)]
    return PresetEdit(Warp.of(lean), ground.surface)


def _post(figure: Figure) -> PresetEdit:
    """Walk around something that stands in the way: turn off, and back again."""
    third = figure.clip.duration / 4.0
    keys = [figure.turned(third, 0.6, ease=third), figure.turned(3.0 * third, -0.6, ease=third)]
    return PresetEdit(Warp.of([*keys, figure.leaned(2.0 * third, 0.08, ease=third)]))


def _stairs(figure: Figure) -> PresetEdit:
    """Climb stairs, one step each."""
    lean = [figure.held("spine", 0.22), figure.held("head", -0.1)]
    return PresetEdit(Warp.of(lean), obstacles.stairs(figure))


def _limp(figure: Figure) -> PresetEdit:
    """A stiff left leg, that is stood on shortly."""
    keys = [
        figure.calmed("left knee", 0.3, bend=0.25),
        figure.calmed("left hip", 0.7),
        figure.leaned(0.0, 0.1, ease=None),
    ]
    return PresetEdit(Warp.of(keys, obstacles.hurried(figure, "left", 0.75)))


def _stoop(figure: Figure) -> PresetEdit:
    """Walk bent forward."""
    keys = [
        figure.moved(0.0, up=-0.03),
        figure.held("spine", 0.7),
        figure.held("head", -0.45),
        figure.held("left shoulder", -0.55),
        figure.held("right shoulder", -0.55),
    ]
    return PresetEdit(Warp.of(keys))


def _trucking(figure: Figure) -> PresetEdit:
    """Lean back and throw the legs forward in long strides."""
    keys = [
        figure.strided(1.25),
        figure.held("spine", -0.3),
        figure.held("head", 0.15),
        figure.exaggerated("left hip", 1.25),
        figure.exaggerated("right hip", 1.25),
    ]
    return PresetEdit(Warp.of(keys))


def _tiptoe(figure: Figure) -> PresetEdit:
    """Walk on the balls of the feet."""
    keys = [figure.held("left ankle", 0.55), figure.held("right ankle", 0.55), figure.held("spine", -0.05)]
    return PresetEdit(Warp.of(keys), lifts_heels=True)


def _carry(figure: Figure) -> PresetEdit:
    """Carry something heavy in front of the body, leaning back."""
    arms = [
        figure.carrying(joint) for joint in ("left shoulder", "left elbow", "right shoulder", "right elbow")
    ]
    return PresetEdit(Warp.of([*arms, figure.held("spine", -0.2)]))


def _sneak(figure: Figure) -> PresetEdit:
    """Walk slowly, low and bent."""
    keys = [
        figure.moved(0.0, up=-0.1),
        figure.held("spine", 0.4),
        figure.held("head", -0.3),
        figure.held("left elbow", 1.1),
        figure.held("right elbow", 1.1),
    ]
    duration = figure.clip.duration
    return PresetEdit(Warp.of(keys, [(duration, 1.35 * duration)]))


PRESETS: Mapping[str, Callable[[Figure], PresetEdit]] = {
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
