"""Motion to judge by: clips to predict from two others of the same kind, and actions with labelled apexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from benchmarks.corpus import MOCAP
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.cycles import match_strides
from motionloom.files import load_clip
from motionloom.motion import Clip, Event
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import jog, reach_out, walk

FPS = 30.0
"""Rate at which everything is compared, as in the papers."""

CAPTURED_FPS = 120.0
"""Rate of the captured clips, in which the rows of labelled apexes count."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A real clip and the two clips it is predicted from."""

    name: str
    actual: Clip
    sources: tuple[Clip, ...]
    is_stride: bool = False


@dataclass(frozen=True, eq=False)
class Action:
    """A take of an action and the fractional frames between which it is at its apex."""

    name: str
    clip: Clip
    first: float
    last: float

    @property
    def apex(self) -> float:
        """The middle of the apex."""
        return (self.first + self.last) / 2.0


GAITS = {
    "walk": ("walk_straight_16_15", "walk_left_16_11", "walk_right_16_13"),
    "brisk": ("brisk_straight_16_21", "brisk_left_16_23", "brisk_right_16_25"),
    "jog": ("jog_straight_16_35", "jog_left_16_37", "jog_right_16_39"),
    "run": ("run_straight_16_45", "run_left_16_48", "run_right_16_49"),
}
"""Takes of subject 16 by gait: straight, left, right."""

DIRECTIONS = ("straight", "left", "right")

NEIGHBOURS = {"brisk": ("walk", "jog"), "jog": ("brisk", "run")}
"""Gaits of subject 16 that lie between two others."""

TURNS = {
    ("walk", "left"): "walk_left90_16_17",
    ("walk", "right"): "walk_right90_16_19",
    ("jog", "left"): "jog_left90_16_41",
}
"""Tight turns of subject 16: its gentle ones lie between them and going straight."""

TRIPLES = {
    "walk": ("walk_slow_132_17", "walk_middle_132_18", "walk_fast_132_20"),
    "run": ("run_slow_104_04", "run_middle_104_37", "run_fast_104_48"),
    "sprint": ("sprint_slow_127_06", "sprint_middle_127_07", "sprint_fast_127_08"),
}
"""Slow, middle and fast takes of other subjects."""

FIRST_STRIKES = {"locomotion/triples/run_fast_104_48": Event(0.5, "strike", "LeftFoot")}
"""Strikes, at the common rate, that a take begins with and annotation does not take for strikes."""

TAKES = ("walk_take1_35_12", "walk_take2_35_28")
"""One walk twice: a distance that no prediction can be expected to undercut."""

APEXES: dict[str, dict[str, int]] = {
    "kick": {"kicks/kick_74_03": 217, "kicks/kick_74_05": 172, "kicks/kick_74_06": 168},
    "soccer kick": {"kicks/soccerkick_10_03": 136, "kicks/soccerkick_10_05": 299},
    "punch": {
        "punches/punch_high1_02_05_r0091-0265": 77,
        "punches/punch_high2_02_05_r0265-0440": 78,
        "punches/punch_low1_02_05_r1137-1313": 71,
        "punches/punch_low2_02_05_r1495-1681": 77,
    },
    "reach": {
        "reaches/reach_high_left_144_22_r0157-0339": 100,
        "reaches/reach_high_centre_144_22_r0701-0883": 94,
        "reaches/reach_low_centre_144_22_r2351-2593": 116,
        "reaches/reach_low_left_144_22_r2841-3096": 106,
    },
    "pick up": {"pickups/pickbox_waist_115_01": 136, "pickups/pickbox_knees_115_06": 99},
    "golf": {"golf/golf_swing_64_01": 322, "golf/golf_swing_64_04": 261},
}
"""Rows of the apexes of takes of one action, from the corpus's own description."""

SITS = ("sits/sit_high_75_18", "sits/sit_low_75_20")

SEATED = 0.02
"""Metres above their lowest to which hips are at their apex: who sits stays there."""

HOPS = {
    "hop": ("jumps/hop_short_83_48", "jumps/jump_long_83_50"),
    "hop turn": ("jumps/hopturn_left90_83_52", "jumps/hopturn_left270_83_58"),
}
"""Takes whose apex is the highest frame of the hips."""


@cache
def captured(path: str) -> Clip:
    """A captured clip with its plants and events, at the common rate."""
    clip = annotate(load_clip(MOCAP / f"{path}.bvh")).resampled(FPS)
    first = FIRST_STRIKES.get(path)
    return clip if first is None else replace(clip, events=(first, *clip.events))


def held_out() -> Iterator[HeldOut]:
    """All clips to predict: strides of subject 16, of other subjects, and built-in motion."""
    for gait, (below, above) in NEIGHBOURS.items():
        for n, direction in enumerate(DIRECTIONS):
            yield stride_case(
                f"{gait} {direction} from {below}, {above}", *(_s16(g, n) for g in (gait, below, above))
            )
    for gait in GAITS:
        yield stride_case(f"{gait} straight from left, right", *(_s16(gait, n) for n in range(3)))
    for (gait, side), tight in TURNS.items():
        clips = _s16(gait, DIRECTIONS.index(side)), _s16(gait, 0), captured(f"locomotion/turns/{tight}")
        yield stride_case(f"{gait} {side} from straight, tight", *clips)
    for name, takes in TRIPLES.items():
        slow, middle, fast = (captured(f"locomotion/triples/{take}") for take in takes)
        yield stride_case(f"{name} from slow, fast", middle, slow, fast)
    yield from _built_in()


def _s16(gait: str, direction: int) -> Clip:
    return captured(f"locomotion/s16/{GAITS[gait][direction]}")


def stride_case(name: str, *clips: Clip) -> HeldOut:
    """One stride of the clip to predict, and of the two beside it, from the same event on."""
    actual, below, above = match_strides(clips, strides=1)
    return HeldOut(name, actual.clip, (below.clip, above.clip), is_stride=True)


def action_case(name: str, actual: Clip, *sources: Clip) -> HeldOut:
    """A whole action, and the two beside it."""
    return HeldOut(name, actual, sources)


def _built_in() -> Iterator[HeldOut]:
    """Built-in motion half-way between two settings; the takes of one action last differently."""
    for name, one, other in (("speed", (1.0, 0.0), (1.6, 0.0)), ("curve", (1.2, -0.2), (1.5, 0.4))):
        settings = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2), one, other
        clips = (walk(speed=speed, curvature=bend, duration=4.0, fps=FPS).clip for speed, bend in settings)
        yield stride_case(f"built-in walk, {name}", *map(annotate, clips))
    clips = (jog(speed=speed, duration=3.0, fps=FPS).clip for speed in (2.6, 2.2, 3.0))
    yield stride_case("built-in jog, speed", *map(annotate, clips))
    reaches = (
        reach_out(target=[-0.3, height, 0.45], duration=seconds, fps=FPS).clip
        for height, seconds in ((1.05, 2.0), (0.7, 2.4), (1.4, 1.6))
    )
    yield action_case("built-in reach, height", *map(annotate, reaches))


def two_takes() -> tuple[Clip, Clip]:
    """One stride of each of two takes of one walk."""
    one, other = match_strides([captured(f"locomotion/triples/{take}") for take in TAKES], strides=1)
    return one.clip, other.clip


def action_pairs() -> Iterator[tuple[Action, Action]]:
    """All pairs of takes of one action by one subject."""
    for rows in APEXES.values():
        yield from combinations([_labelled(file, row) for file, row in rows.items()], 2)
    yield _seated(SITS[0]), _seated(SITS[1])
    for files in HOPS.values():
        yield from combinations([_highest(file) for file in files], 2)


def _labelled(file: str, row: int) -> Action:
    """A take with the apex that the corpus states. Uncut takes begin with a row that loading drops."""
    dropped = 0 if "_r" in Path(file).name else 1
    frame = (row - dropped) * FPS / CAPTURED_FPS
    return Action(Path(file).name, captured(f"actions/{file}"), frame, frame)


def _seated(file: str) -> Action:
    clip = captured(f"actions/{file}")
    heights = _hips(clip)
    low = np.flatnonzero(heights < heights.min() + SEATED)
    return Action(Path(file).name, clip, float(low[0]), float(low[-1]))


def _highest(file: str) -> Action:
    clip = captured(f"actions/{file}")
    frame = float(np.argmax(_hips(clip)))
    return Action(Path(file).name, clip, frame, frame)


def _hips(clip: Clip) -> FloatArray:
    return np.asarray(clip.world_positions()[:, find_anatomy(clip.skeleton).pelvis, 1])


def gaits_of_one_subject() -> Sequence[Clip]:
    """All gaits of subject 16, each one stride from the same phase on."""
    files = [f"locomotion/s16/{take}" for takes in GAITS.values() for take in takes]
    return [own.clip for own in match_strides([captured(file) for file in files], strides=1)]
