"""Sixty captured pairs to make transitions between: gaits, actions, and takes that nothing was tuned on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from benchmarks.corpus import MOCAP
from benchmarks.takes.pairs import is_held_out, kind_of, load_take, takes_by_action
from motionloom.annotation import annotate
from motionloom.files import load_clip
from motionloom.motion import Clip

FPS = 60.0
"""Rate to which all takes are resampled, so that a run takes minutes."""

SEED = 19
"""Of the draw of held-out takes."""

N_HELD_OUT = 20
MAX_SECONDS = 12.0
"""Length of held-out takes; longer ones tell nothing more about a join."""

S16, S139 = "locomotion/s16", "locomotion/s139_sneak"
WALK, RUN, SNEAK = f"{S16}/walk_straight", f"{S139}/run_straight", f"{S139}/sneak_straight"

GAITS = (
    (WALK, f"{S16}/jog_straight"),
    (f"{S16}/jog_straight", f"{S16}/walk_left"),
    (f"{S16}/run_straight", f"{S16}/brisk_straight"),
    (f"{S16}/walk_left", f"{S16}/walk_right"),
    (f"{S16}/brisk_right", f"{S16}/run_left"),
    (RUN, SNEAK),
    (SNEAK, RUN),
    (f"{S139}/walk_straight", SNEAK),
    (f"{S139}/sneak_left", f"{S139}/walk_right"),
    (f"{S139}/run_left", f"{S139}/run_right"),
    ("locomotion/speeds/slow_07_04", "locomotion/speeds/fast_07_11"),
    ("locomotion/triples/run_fast", "locomotion/triples/run_slow"),
    ("locomotion/triples/sprint_slow", "locomotion/triples/walk_take1"),
    ("locomotion/triples/walk_slow_132", "locomotion/triples/walk_fast_132"),
    ("locomotion/turns/walk_left90", "locomotion/turns/jog_right90"),
    (WALK, WALK),
)
ACTIONS = (
    ("actions/acrobatics/cartwheel", WALK),
    (WALK, "actions/acrobatics/cartwheel"),
    ("actions/punches/punch_high1", WALK),
    (WALK, "actions/punches/punch_low1"),
    (WALK, "actions/kicks/kick_74_03"),
    ("actions/kicks/kick_74_03", WALK),
    ("actions/kicks/soccerkick_10_03", f"{S16}/run_straight"),
    ("actions/throws/baseball_pitch", f"{S16}/jog_straight"),
    (f"{S16}/jog_straight", "actions/jumps/jump_long"),
    ("actions/jumps/jump_long", f"{S16}/run_straight"),
    ("actions/sits/sit_high", f"{S16}/brisk_straight"),
    (f"{S16}/walk_right", "actions/sits/sit_low"),
    (f"{S16}/walk_right", "actions/pickups/pickup_onehand"),
    ("actions/pickups/pickbox_knees", WALK),
    ("actions/golf/golf_swing_64_01", WALK),
    ("actions/dance/dance_arabesque_05_14", f"{S139}/walk_straight"),
    (RUN, "actions/basketball/dribble_forward"),
    ("actions/kicks/kick_74_05", "actions/punches/punch_high2"),
    ("actions/punches/punch_high1", "actions/punches/punch_low1"),
    ("actions/jumps/hop_short", "actions/jumps/hopturn_left90"),
    ("actions/reaches/reach_high_left", "actions/pickups/pickbox_waist"),
    ("actions/reaches/reach_low_left", "actions/reaches/reach_high_centre"),
    ("actions/kicks/soccerkick_10_03", "actions/kicks/soccerkick_10_05"),
    ("actions/acrobatics/cartwheel", "actions/jumps/hop_short"),
)


@dataclass(frozen=True)
class JoinPair:
    """Two takes by name, and the group they are reported with."""

    group: str
    first: str
    second: str

    @property
    def name(self) -> str:
        return f"{_short(self.first)} → {_short(self.second)}"


def join_pairs() -> list[JoinPair]:
    """All sixty pairs."""
    described = [JoinPair("gaits", *pair) for pair in GAITS] + [JoinPair("actions", *p) for p in ACTIONS]
    return described + [JoinPair("held out", *pair) for pair in _held_out()]


def _held_out() -> Iterator[tuple[str, str]]:
    """Pairs of takes of the library's third that is kept aside: a gait or an action to another action."""
    from benchmarks.takes.pairs import rows

    rng = random.Random(SEED)
    takes = sorted(
        name
        for action, names in takes_by_action().items()
        for name in names
        if is_held_out(name)
        and kind_of(action) in ("gait", "action")
        and float(rows()[name]["seconds"]) <= MAX_SECONDS
    )
    for _ in range(N_HELD_OUT):
        first, second = rng.sample(takes, 2)
        yield first, second


def _short(name: str) -> str:
    return name.rsplit("/", 1)[-1]


@lru_cache(maxsize=128)
def read_take(name: str) -> Clip:
    """An annotated take."""
    if "/" not in name:
        return annotate(load_take(name, FPS))
    return annotate(load_clip(next(MOCAP.glob(f"{name}*.bvh"))).resampled(FPS))
