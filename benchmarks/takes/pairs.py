"""Pairs of takes of the library whose one-line descriptions name the same single action, or different ones.

A third of the takes, by a hash of their names, is held out: settings and verdicts were never tuned on pairs
with one of them.
"""

from __future__ import annotations

import csv
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import combinations
from typing import Literal

from benchmarks.corpus import MOCAP
from motionloom.files import load_clip
from motionloom.motion import Clip

SEED = 18
MAX_PER_DESCRIPTION = 8
MIN_SECONDS = 0.7
"""Seconds below which a take holds no action."""

NO_ACTIONS = {
    *("", "unknown", "story", "clean", "no movie", "lost marker", "bad amc", "range of motion"),
    *("rangeofmotion", "subject calibration", "dynamic calibration", "static pose", "standing still"),
    *("movie and trial dont match", "sequesnce", "monkey sequence", "uprightsequence", "hammering sequence"),
    *("motorcycle pose", "alaska vacation"),
}
"""Descriptions that name no action, or none that can be known from them."""

SEVERAL = re.compile(r",|;| and | & |\(2 subjects|\.amc$")
"""What descriptions of several actions, or of two people, contain."""

DIRECTION = re.compile(r", (veer (left|right)|90-degree (left|right) turn)$")
"""What may follow a gait: still one action."""

GAIT_WORDS = {"walk", "run", "jog", "run/jog", "march", "marching"}
WAYS = {
    *("straight", "normal", "forward", "slow", "fast", "happy", "or", "sad", "confident", "casual", "left"),
    *("right", "veer", "turn", "90-degree", "digital", "figure", "8", "wide", "cross", "leg", "backwards"),
    *("sideways", "sideway", "side", "step", "through"),
}
"""Words that say how somebody walks or runs."""

ACTIVITIES = {
    *(
        "salsa dance",
        "swordplay",
        "boxing",
        "yoga",
        "dance",
        "russian dance",
        "motorcycle",
        "basketball signals",
    ),
    *("ring around the rosie", "laugh", "swimming", "bear", "chicken", "empi", "fishing", "hopscotch"),
    *('nursery rhyme - "i\'m a little teapot..."', "peekaboo", "run stop run", "run quick stop run"),
    *("run jump stop run", "run dive over roll run"),
}
"""Descriptions that name an activity of many actions, which two takes show in different order."""

Kind = Literal["gait", "action", "activity", "different"]
"""What two takes have in common by their descriptions."""


@dataclass(frozen=True)
class TakePair:
    """Two takes; ``held_out`` says of how many of them nothing was ever tuned on."""

    kind: Kind
    description: str
    first: str
    second: str
    held_out: int


@lru_cache(maxsize=1)
def rows() -> dict[str, dict[str, str]]:
    """The library's list of takes, by name."""
    with (MOCAP / "library" / "takes.csv").open(encoding="utf-8") as file:
        return {row["take"]: row for row in csv.DictReader(file)}


def single_action(description: str) -> str | None:
    """The description in one spelling if it names a single action, else None."""
    words = " ".join(description.lower().split())
    if words in NO_ACTIONS or SEVERAL.search(DIRECTION.sub("", words)):
        return None
    return words


def kind_of(description: str) -> Kind:
    """Whether a single action is a gait, another action, or an activity of many."""
    # CamelCase descriptions were lowered: split the gait words off.
    words = set(re.sub(r"(walk|run|jog|march(?:ing)?)", r" \1 ", description).replace(",", " ").split())
    if words & GAIT_WORDS and words <= GAIT_WORDS | WAYS | {"stern", "regular", "zombie", "attitude", "/"}:
        return "gait"
    return "activity" if description in ACTIVITIES else "action"


def is_held_out(take: str) -> bool:
    return int(sha256(take.encode()).hexdigest(), 16) % 3 == 0


def takes_by_action() -> dict[str, list[str]]:
    """The takes of each single action."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, row in rows().items():
        action = single_action(row["description"])
        if action is not None and float(row["seconds"]) >= MIN_SECONDS:
            found[action].append(name)
    return dict(found)


def same_pairs(count: int = 200, *, seed: int = SEED) -> list[TakePair]:
    """Pairs of takes whose descriptions name the same single action, at most eight per description."""
    rng = random.Random(seed)
    pairs = []
    for action, names in sorted(takes_by_action().items()):
        own = list(combinations(sorted(names), 2))
        rng.shuffle(own)
        pairs += [make_pair(kind_of(action), action, *names) for names in own[:MAX_PER_DESCRIPTION]]
    rng.shuffle(pairs)
    return pairs[:count]


def different_pairs(count: int = 200, *, seed: int = SEED) -> list[TakePair]:
    """Pairs of takes of different actions: two gaits, two jumps, or a shared word are not different."""
    rng = random.Random(seed + 1)
    takes = [(action, name) for action, names in sorted(takes_by_action().items()) for name in sorted(names)]
    pairs: list[TakePair] = []
    while len(pairs) < count:
        (one, first), (other, second) = rng.sample(takes, 2)
        if is_different(one, other):
            pairs.append(make_pair("different", f"{one} | {other}", first, second))
    return pairs


def is_different(one: str, other: str) -> bool:
    """Whether descriptions name different actions: not two gaits, not two jumps, no word in common."""
    gaits = [bool(re.search(r"walk|run|jog|march|pacing|sneak", each)) for each in (one, other)]
    jumps = [bool(re.search(r"jump|hop|leap", each)) for each in (one, other)]
    stems = [{word[:5] for word in re.findall(r"[a-z]{4,}", each)} for each in (one, other)]
    return not (all(gaits) or all(jumps) or bool(stems[0] & stems[1]))


def make_pair(kind: Kind, description: str, first: str, second: str) -> TakePair:
    return TakePair(kind, description, first, second, sum(map(is_held_out, (first, second))))


def load_take(name: str, fps: float) -> Clip:
    """A take at its true rate, where the library notes that falls contradict the stated one, resampled."""
    clip = load_clip(MOCAP / "library" / name.split("_")[0] / f"{name}.bvh")
    if "about 60 Hz" in rows()[name]["capture_rate_note"]:
        # Every fourth row was kept of a capture that was stated to have 120 Hz.
        clip = replace(clip, frame_time=2.0 * clip.frame_time)
    return clip.resampled(fps)


def load_pairs(pairs: list[TakePair], fps: float) -> Iterator[tuple[TakePair, list[Clip]]]:
    """Pairs with their clips; takes are read once."""
    read = lru_cache(maxsize=64)(load_take)
    for pair in pairs:
        yield pair, [read(pair.first, fps), read(pair.second, fps)]
