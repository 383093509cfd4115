"""The motions of the demo: interpolation, transition and continuous control, all with planted feet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import pi, sin

import numpy as np

from motionloom.annotation import annotate
from motionloom.blending import BlendResult, Controls, KeyedWeights, blend
from motionloom.cycles import cyclify, match_strides
from motionloom.enforcement import enforce
from motionloom.motion import Clip
from motionloom.quality import Measures, measure
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import locomotion_set
from motionloom.transitions import transition

STYLES = ("walk", "jog", "sneak")
GAITS = tuple(f"{style}{direction}" for style in STYLES for direction in ("", "_left", "_right"))
"""Names of the nine clips: each style straight, to the left and to the right."""

CONTROL_DURATION, KEY_INTERVAL = 20.0, 0.5
"""Duration of the controlled motion, and time from one key to the next, seconds."""

MAX_TURN, N_SWINGS = 0.35, 2
"""Largest turn rate of the controlled motion, rad/s, and how often it turns left and right."""

JOG_END, SNEAK_START, SNEAK_EASE = 0.6, 0.65, 0.15
"""When the jog has faded out, when sneaking starts, and how long it fades in, fractions of the duration."""


@dataclass(frozen=True, eq=False)
class DemoMotion:
    """A motion of the demo.

    Attributes
    ----------
    name
        Stem of its files.
    title, text
        What it is, and what to look at.
    sources, source_names
        The clips that it was made from.
    result
        The blend before its feet were planted.
    clip
        The motion with planted feet.
    before, after
        Its measures without and with planted feet.
    """

    name: str
    title: str
    text: str
    sources: tuple[Clip, ...]
    source_names: tuple[str, ...]
    result: BlendResult
    clip: Clip
    before: Measures
    after: Measures


@dataclass(frozen=True, eq=False)
class Story:
    """Everything the demo shows: the gaits by name, their registration, and the motions made from them."""

    clips: dict[str, Clip]
    curve: RegistrationCurve
    motions: tuple[DemoMotion, ...]


def make_story(done: Callable[[], None] = lambda: None) -> Story:
    """Make everything; ``done`` is called after each step: the clips, the curve and every motion."""
    clips = make_clips()
    done()
    curve = register_loops(clips)
    done()
    motions = []
    for name, make in MOTIONS.items():
        motions.append(make(name, clips, curve))
        done()
    return Story(clips, curve, tuple(motions))


def make_clips() -> dict[str, Clip]:
    """Return the nine built-in gaits by name, annotated."""
    motions = locomotion_set()
    return {name: annotate(motions[name].clip) for name in GAITS}


def loop_file(name: str) -> str:
    """Return the file name of one cycle of a gait."""
    return f"{name}-loop.npz"


def register_loops(clips: dict[str, Clip]) -> RegistrationCurve:
    """Close one cycle of each gait and register the cycles; each is named after its file."""
    loops = [
        replace(cyclify(clip, cycles=1).clip, source=replace(clip.source, path=loop_file(name)))
        for name, clip in clips.items()
    ]
    return register(loops)


def interpolate(name: str, clips: dict[str, Clip], _: RegistrationCurve) -> DemoMotion:
    """Make the motion halfway between a walk to the left and a jog to the right."""
    names = ("walk_left", "jog_right")
    strides = [cut.clip for cut in match_strides([clips[source] for source in names])]
    return _finish(
        name,
        "Interpolation",
        "Halfway between a walk that curves left and a jog that curves right: the blend runs nearly "
        "straight, with a speed and a stride length between those of its sources.",
        tuple(strides),
        names,
        blend(register(strides), [0.5, 0.5]),
    )


def change_gait(name: str, clips: dict[str, Clip], _: RegistrationCurve) -> DemoMotion:
    """Make a transition from a walk to a jog."""
    names = ("walk", "jog")
    loops = [cyclify(clips[source]).clip for source in names]
    return _finish(
        name,
        "Transition",
        "From a walk to a jog: the transition point and its length are chosen automatically. Apart from the "
        "feet, the start of the walk and the end of the jog are unchanged.",
        tuple(loops),
        names,
        transition(loops[0], loops[1], loop=True),
    )


def control_gait(name: str, clips: dict[str, Clip], curve: RegistrationCurve) -> DemoMotion:
    """Make twenty seconds of motion from all nine clips, controlled by turn rate and style."""
    controls = Controls(curve, styles=np.repeat(STYLES, 3).tolist())
    keys = {}
    for time in np.arange(0.0, CONTROL_DURATION + KEY_INTERVAL / 2, KEY_INTERVAL).tolist():
        turn, styles = _turn_and_styles_at(time)
        keys[time] = tuple(controls.weights(turn=turn, style=styles).tolist())
    return _finish(
        name,
        "Continuous control",
        "Twenty seconds made from all nine clips at once: from a walk to a jog and back, then sneaking, "
        "while the path turns left and right. Turn rate and style control the weights.",
        curve.clips,
        tuple(clips),
        blend(curve, KeyedWeights(keys, easing="linear")),
    )


MOTIONS = {"half": interpolate, "transition": change_gait, "steered": control_gait}
"""The motions by name, in the order of the report."""


def _turn_and_styles_at(time: float) -> tuple[float, dict[str, float]]:
    """Return the turn rate, rad/s, and the weights of the styles at a time of the controlled motion."""
    fraction = time / CONTROL_DURATION
    jogging = max(0.0, sin(pi * min(fraction / JOG_END, 1.0))) ** 2
    sneaking = float(np.clip((fraction - SNEAK_START) / SNEAK_EASE, 0.0, 1.0))
    styles = {"jog": jogging, "sneak": sneaking * (1.0 - jogging)}
    styles["walk"] = max(0.0, 1.0 - sum(styles.values()))
    return MAX_TURN * sin(2.0 * pi * N_SWINGS * fraction), styles


def _finish(
    name: str, title: str, text: str, sources: tuple[Clip, ...], names: tuple[str, ...], result: BlendResult
) -> DemoMotion:
    """Plant the feet of a blend and measure it before and after."""
    clip = enforce(result).clip
    seams = result.report.seams or None
    before, after = (measure(each, sources=sources, seams=seams, ground=0.0) for each in (result.clip, clip))
    return DemoMotion(name, title, text, sources, names, result, clip, before, after)
