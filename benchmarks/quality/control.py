"""Continuous control: a minute of keyed weights over nine captured loops, by three ways to blend them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil

import numpy as np

from benchmarks.control import loops
from benchmarks.corpus import MOCAP
from benchmarks.planting import LOOK_EVERY
from benchmarks.quality.cases import FPS
from benchmarks.quality.predictors import registered
from benchmarks.quality.tables import ENFORCED, print_means
from benchmarks.transitions import slides
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.blending import KeyedWeights, blend
from motionloom.cycles import unroll
from motionloom.enforcement import enforce
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.quality import find_feet, seam_smoothness, skate_speeds, speed_ratios
from motionloom.registration import RegistrationCurve
from tests.blending.steering import heading_speed
from tests.registration.nine_clips import GAITS, nine_files

SECONDS, KEY_EVERY = 60.0, 2.0
"""How long the blends are, and how far apart their keys."""

SEEDS = (1, 2, 3)
SMALL = {"SECONDS": 6.0, "SEEDS": (1,), "GAITS": ("s16",)}

SPREAD = 0.3
"""Concentration of the random weights of a key: below 1, so that two or three clips carry most of it."""

STRAIGHT = 1e6
"""Weight of an even pace that leaves nothing else: loops correspond at equal shares of their cycles."""

COLUMNS = ("joint speed", "skate, cm/s", "slide, cm", "acceleration", "jerk", "heading")
"""The fastest joint seen from the body, over the fastest clip; sliding of low feet, and mean travel of
planted points; the largest acceleration and jerk at moments four seconds apart, over the 95th percentile of
the same peak in the takes; and the fastest turn of the body over that of the clips."""

Steer = Callable[[KeyedWeights], Clip]
"""From weights to motion."""


def judged() -> dict[str, FloatArray]:
    """Figures (N, C) of N runs by every method, as blended and with feet planted."""
    rows: dict[str, list[FloatArray]] = {}
    for name in GAITS:
        curve = loops(name)
        takes = [annotate(load_clip(file)) for file in nine_files(MOCAP, name)]
        steers = {
            "registration": _steer(curve),
            "linear": _steer(registered(curve.clips, stiffness=STRAIGHT, speed_weight=0.0, events=())),
            "frame by frame": _steer_plainly(curve),
        }
        for weights in map(keyed, SEEDS):
            for method, steer in steers.items():
                made = steer(weights)
                rows.setdefault(method, []).append(figures(made, curve, takes))
                rows.setdefault(method + ENFORCED, []).append(figures(enforce(made).clip, curve, takes))
    return {name: np.array(row) for name, row in rows.items()}


def keyed(seed: int) -> KeyedWeights:
    """Random weights of nine clips every two seconds, smooth in between."""
    rows = np.random.default_rng(seed).dirichlet(np.full(9, SPREAD), int(SECONDS / KEY_EVERY) + 1)
    return KeyedWeights({n * KEY_EVERY: row for n, row in enumerate(rows)})


def _steer(curve: RegistrationCurve) -> Steer:
    return lambda weights: blend(curve, weights, duration=SECONDS).clip


def _steer_plainly(curve: RegistrationCurve) -> Steer:
    """Frame i of all loops, played over and over from where they correspond."""
    starts = np.rint(curve.timewarp(curve.domain[0])).astype(int).tolist()
    n_frames = round(SECONDS / curve.clips[0].frame_time) + 1
    longer = [
        unroll(clip, ceil((start + n_frames) / clip.n_frames))[start : start + n_frames]
        for clip, start in zip(curve.clips, starts, strict=True)
    ]
    # Of this curve only the beginning counts, so it is found at a lower rate, which is quick.
    coarse = registered([clip.resampled(FPS) for clip in longer])
    points = coarse.timewarp.control_points * (longer[0].fps / FPS)
    plain = replace(coarse, clips=tuple(longer), timewarp=replace(coarse.timewarp, control_points=points))
    return lambda weights: blend(plain, weights, method="linear").clip


def figures(clip: Clip, curve: RegistrationCurve, takes: list[Clip]) -> FloatArray:
    played = [unroll(loop, 3) for loop in curve.clips]
    moments = np.arange(LOOK_EVERY, clip.duration - 1.0, LOOK_EVERY) / clip.frame_time
    smooth = seam_smoothness(clip, moments, takes)
    return np.array(
        [
            speed_ratios(clip, played, cutoff=None).max(),
            100.0 * skate_speeds(find_feet(clip)).mean(),
            np.mean(slides(clip)),
            smooth.acceleration,
            smooth.jerk,
            heading_speed(clip) / max(map(heading_speed, played)),
        ]
    )


def print_control(found: dict[str, FloatArray]) -> None:
    runs = len(GAITS) * len(SEEDS)
    print_means(f"control: {SECONDS:g} s, nine clips, {runs} runs", COLUMNS, found)
    print()
