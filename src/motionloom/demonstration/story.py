"""The motions of the demonstration: interpolation, transition and steering, and planted feet in all."""

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
GAITS = tuple(f"{style}{way}" for style in STYLES for way in ("", "_left", "_right"))
"""Names of the nine clips: each style straight, to the left and to the right."""

STEERED_SECONDS, KEY_SECONDS = 20.0, 0.5
"""Length of the steered motion, and time from one key to the next."""

MOST_TURN, N_SWINGS = 0.35, 2
"""The steered path turns by so many rad/s at most, to the left and to the right so many times."""

JOG_END, SNEAK_START, SNEAK_EASE = 0.6, 0.65, 0.15
"""Shares of the steered motion: the jog has come and gone, sneaking begins, and how long it takes to come."""


@dataclass(frozen=True, eq=False)
class Made:
    """A motion of the demonstration.

    Attributes
    ----------
    name
        What its files are called.
    title, text
        What it is, and how to see it.
    sources
        The clips it was made from, and their names.
    result
        The blend, before feet were planted.
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
    """All that the demonstration shows: gaits by name, their registration, and what is made of them."""

    clips: dict[str, Clip]
    curve: RegistrationCurve
    made: tuple[Made, ...]


def told(done: Callable[[], None] = lambda: None) -> Story:
    """Make everything; ``done`` is called after each of the steps: clips, curve and every motion."""
    clips = nine_clips()
    done()
    curve = nine_loops(clips)
    done()
    made = []
    for name, make in MOTIONS.items():
        made.append(make(name, clips, curve))
        done()
    return Story(clips, curve, tuple(made))


def nine_clips() -> dict[str, Clip]:
    """The built-in gaits by name, annotated."""
    motions = locomotion_set()
    return {name: annotate(motions[name].clip) for name in GAITS}


def loop_file(name: str) -> str:
    """The file that holds one cycle of a gait."""
    return f"{name}-loop.npz"


def nine_loops(clips: dict[str, Clip]) -> RegistrationCurve:
    """One cycle of each gait, called after its file, registered round the cycle."""
    loops = [
        replace(cyclify(clip, n_cycles=1), source=replace(clip.source, path=loop_file(name)))
        for name, clip in clips.items()
    ]
    return register(loops)


def interpolation(name: str, clips: dict[str, Clip], _: RegistrationCurve) -> Made:
    """Half-way between a walk to the left and a jog to the right."""
    sources = ("walk_left", "jog_right")
    chosen = match_strides([clips[source] for source in sources])
    return _made(
        name,
        "Interpolation",
        "Half-way between a walk that curves to the left and a jog that curves to the right: the blend goes "
        "nearly straight, at a speed and a stride between those of its sources.",
        tuple(chosen),
        sources,
        blend(register(chosen), [0.5, 0.5]),
    )


def change_of_gait(name: str, clips: dict[str, Clip], _: RegistrationCurve) -> Made:
    """From a walk to a jog, where the two are most alike."""
    sources = ("walk", "jog")
    loops = [cyclify(clips[source]) for source in sources]
    return _made(
        name,
        "Transition",
        "From a walk to a jog: where and how long to go over is found, and the head of the walk and the tail "
        "of the jog stay as they are but for their feet.",
        tuple(loops),
        sources,
        transition(loops[0], loops[1], loop=True),
    )


def steered(name: str, clips: dict[str, Clip], curve: RegistrationCurve) -> Made:
    """Twenty seconds over all nine clips, steered by turn and style."""
    controls = Controls(curve, styles=np.repeat(STYLES, 3).tolist())
    keys = {}
    for seconds in np.arange(0.0, STEERED_SECONDS + KEY_SECONDS / 2, KEY_SECONDS).tolist():
        turn, styles = _wish(seconds)
        keys[seconds] = tuple(controls.weights(turn=turn, style=styles).tolist())
    return _made(
        name,
        "Continuous control",
        "Twenty seconds over all nine clips at once: from a walk to a jog and back, then sneaking, while the "
        "path turns left and right. The weights follow a turn and a style.",
        curve.clips,
        tuple(clips),
        blend(curve, KeyedWeights(keys, easing="linear")),
    )


MOTIONS = {"half": interpolation, "transition": change_of_gait, "steered": steered}
"""The motions by name, in the order of the story."""


def _wish(seconds: float) -> tuple[float, dict[str, float]]:
    """Turn, rad/s, and mix of styles that are asked for at a moment of the steered motion."""
    share = seconds / STEERED_SECONDS
    jogging = max(0.0, sin(pi * min(share / JOG_END, 1.0))) ** 2
    sneaking = float(np.clip((share - SNEAK_START) / SNEAK_EASE, 0.0, 1.0))
    styles = {"jog": jogging, "sneak": sneaking * (1.0 - jogging)}
    styles["walk"] = max(0.0, 1.0 - sum(styles.values()))
    return MOST_TURN * sin(2.0 * pi * N_SWINGS * share), styles


def _made(
    name: str, title: str, text: str, sources: tuple[Clip, ...], names: tuple[str, ...], result: BlendResult
) -> Made:
    clip = enforce(result.clip)
    seams = result.report.seams or None
    before, after = (measure(each, sources=sources, seams=seams, ground=0.0) for each in (result.clip, clip))
    return Made(name, title, text, sources, names, result, clip, before, after)
