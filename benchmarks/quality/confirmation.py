"""A second set of motion to judge by: no clip of it is among those that constants were chosen on.

Gaits of subject 139, three paces of subject 7, single punches out of a row of eight by subject 143, four
sword slashes, and built-in motion with other parameters than in :mod:`benchmarks.quality.cases`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from benchmarks.quality.cases import (
    CAPTURED_FPS,
    DIRECTIONS,
    FPS,
    Action,
    HeldOut,
    action_case,
    captured,
    stride_case,
)
from motionloom.annotation import annotate
from motionloom.cycles import match_strides
from motionloom.motion import Clip
from motionloom.synthesis import GaitStyle, jog, reach_out, sneak, turn_walk, walk

GAITS = {
    "walk": (
        "walk_straight_139_30_r0241-0589",
        "walk_left_139_28_r1465-1861",
        "walk_right_139_28_r0865-1261",
    ),
    "run": ("run_straight_139_10_r0547-0685", "run_left_139_12_r0157-0397", "run_right_139_12_r0517-0745"),
    "sneak": (
        "sneak_straight_139_29_r0481-0961",
        "sneak_left_139_31_r0925-1237",
        "sneak_right_139_31_r1285-1573",
    ),
}
"""Takes of subject 139 by gait: straight, left, right."""

PACES = ("locomotion/speeds/fast_07_11", "locomotion/speeds/slow_07_04", "defects/brisk_bad_first_row_07_12")
"""Walks of subject 7: the middle pace, and the ones below and above it."""

PUNCHES = "actions/punches/punches_143_23"

PUNCH_ROWS = {"left": (55, 220, 405, 593), "right": (132, 307, 501, 686)}
"""Rows at which either hand of subject 143 is fastest, from the corpus's own description; they take turns."""

SLASHES = "long/Slash_x4_0001KAREN"

SLASH_ROWS = (695, 2181, 3840, 5927)
"""Rows at which the sword hand is fastest, averaged over five rows, in each of four slashes; between them are
pauses of many seconds."""


def confirmation() -> Iterator[HeldOut]:
    """All clips to predict: strides of two subjects, punches between two others, and built-in motion."""
    for gait, takes in GAITS.items():
        clips = (captured(f"locomotion/s139_sneak/{take}") for take in takes)
        yield stride_case(f"139: {gait} {DIRECTIONS[0]} from left, right", *clips)
    yield stride_case("7: walk from slow, brisk", *map(captured, PACES))
    for hand in PUNCH_ROWS:
        punches = [action.clip for action in _punches(hand)]
        for n in range(1, len(punches) - 1):
            name = f"143: {hand} punch {n + 1} from {n}, {n + 2}"
            yield action_case(name, punches[n], punches[n - 1], punches[n + 1])
    yield from _built_in_strides()
    yield from _built_in_actions()


def _built_in_strides() -> Iterator[HeldOut]:
    """The first setting of each lies half-way between the two others."""
    calm, lively = GaitStyle(arm_swing=0.6, bounce=0.8), GaitStyle(arm_swing=1.4, bounce=1.2)
    made = {
        "sneak, speed": [sneak(speed=speed, fps=FPS) for speed in (0.6, 0.45, 0.75)],
        "sneak, curve": [sneak(curvature=bend, fps=FPS) for bend in (0.1, -0.2, 0.4)],
        "jog, curve": [jog(curvature=bend, fps=FPS) for bend in (-0.1, 0.1, -0.3)],
        "walk, slow": [walk(speed=speed, fps=FPS) for speed in (0.8, 0.6, 1.0)],
        "walk, style": [walk(style=style, fps=FPS) for style in (GaitStyle(), calm, lively)],
    }
    for name, motions in made.items():
        yield stride_case(f"built-in {name}", *(annotate(motion.clip) for motion in motions))


def _built_in_actions() -> Iterator[HeldOut]:
    reaches = [
        reach_out(target=[side, 1.1, 0.45], duration=seconds, fps=FPS)
        for side, seconds in ((-0.15, 2.0), (-0.4, 1.7), (0.1, 2.3))
    ]
    turns = [turn_walk(turn=np.radians(turn), fps=FPS) for turn in (60.0, 30.0, 90.0)]
    for name, motions in {"reach, side": reaches, "turn, angle": turns}.items():
        yield action_case(f"built-in {name}", *(annotate(motion.clip) for motion in motions))


def confirmation_pairs() -> Iterator[tuple[Action, Action]]:
    """All pairs of punches with one hand, and of slashes."""
    for hand in PUNCH_ROWS:
        yield from combinations(_punches(hand), 2)
    slashes = captured(SLASHES)
    apexes = [_frame(row) for row in SLASH_ROWS]
    ends = [0.0, *_middles(apexes), slashes.n_frames - 1.0]
    yield from combinations(
        [_cut_out(slashes, f"slash {n + 1}", apex, ends[n : n + 2]) for n, apex in enumerate(apexes)], 2
    )


def _punches(hand: str) -> list[Action]:
    """The punches with one hand, each from the middle between it and the punch before to that after it."""
    row = captured(PUNCHES)
    # The take begins with a row that loading drops.
    apexes = sorted(_frame(apex - 1) for rows in PUNCH_ROWS.values() for apex in rows)
    ends = [0.0, *_middles(apexes), row.n_frames - 1.0]
    own = [_frame(apex - 1) for apex in PUNCH_ROWS[hand]]
    return [
        _cut_out(row, f"{hand} punch", apex, ends[n : n + 2]) for n, apex in enumerate(apexes) if apex in own
    ]


def _frame(row: float) -> float:
    return row * FPS / CAPTURED_FPS


def _middles(frames: Sequence[float]) -> list[float]:
    return [(before + after) / 2.0 for before, after in pairwise(frames)]


def _cut_out(clip: Clip, name: str, apex: float, ends: Sequence[float]) -> Action:
    first, last = round(ends[0]), round(ends[1])
    return Action(name, clip[first : last + 1], apex - first, apex - first)


def confirmation_gaits() -> Sequence[Clip]:
    """All gaits of subject 139, each one stride from the same phase on."""
    files = [f"locomotion/s139_sneak/{take}" for takes in GAITS.values() for take in takes]
    return [own.clip for own in match_strides([captured(file) for file in files], strides=1)]
