"""The verdict's bounds: false accepts and refusals of whole clips and of parts, with 95 % intervals (Wilson).

`python -m benchmarks.takes.calibration` judges all pairs of takes that name one action, at most eight per
description, and as many pairs of different actions, within the takes that bounds were found on and within the
third that was kept aside. It makes no blends. "Whole" is the verdict on whole clips, or their strides,
"parts" that on the best of the first three parts.
"""

from __future__ import annotations

import argparse
import random
import warnings
from collections import Counter
from itertools import combinations

from benchmarks.corpus import need_corpus
from benchmarks.takes.__main__ import wilson
from benchmarks.takes.outcome import judge_parts, judge_whole
from benchmarks.takes.pairs import (
    MAX_PER_DESCRIPTION,
    SEED,
    TakePair,
    is_different,
    is_held_out,
    kind_of,
    load_pairs,
    make_pair,
    takes_by_action,
)

FPS = 30.0


def main() -> None:
    parser = argparse.ArgumentParser(description="False accepts and refusals of verdicts.")
    parser.add_argument("--max-pairs", type=int, default=200)
    parser.add_argument("--only", choices=["tuned", "held-out"])
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    need_corpus()
    for title, held_out in (("tuned", False), ("held-out", True)):
        if given.only in (None, title):
            print_split(title, held_out, given.max_pairs)


def print_split(title: str, held_out: bool, max_pairs: int) -> None:
    same, different = split_pairs(held_out, max_pairs)
    print(f"\n{title} takes: {len(same)} pairs of one action, {len(different)} of different ones")
    judged: dict[str, list[tuple[str, str]]] = {"gaits": [], "other actions": [], "different actions": []}
    for pair, clips in load_pairs(same + different, FPS):
        name = {"gait": "gaits", "different": "different actions"}.get(pair.kind, "other actions")
        judged[name].append((judge_whole(clips), judge_parts(clips)))
    for name, verdicts in judged.items():
        for n, what in enumerate(("whole", "parts")):
            counts = Counter(each[n] for each in verdicts)
            good, doubtful, total = counts["GOOD"], counts["DOUBTFUL"], len(verdicts)
            print(
                f"  {name:18} {what:6} good {wilson(good, total):>22}  good or doubtful "
                f"{wilson(good + doubtful, total):>22}"
            )
        either = sum(any(verdict in ("GOOD", "DOUBTFUL") for verdict in each) for each in verdicts)
        print(f"  {name:18} {'either':6} {'':27}  accepted         {wilson(either, len(verdicts)):>22}")


def split_pairs(held_out: bool, max_pairs: int) -> tuple[list[TakePair], list[TakePair]]:
    """Pairs of one action, and of different ones, of takes that are all held out or all not."""
    rng = random.Random(SEED)
    actions = {
        action: [name for name in names if is_held_out(name) == held_out]
        for action, names in sorted(takes_by_action().items())
    }
    same: list[TakePair] = []
    for action, names in actions.items():
        own = list(combinations(names, 2))
        rng.shuffle(own)
        same += [make_pair(kind_of(action), action, *pair) for pair in own[:MAX_PER_DESCRIPTION]]
    rng.shuffle(same)
    takes = [(action, name) for action, names in actions.items() for name in names]
    different: list[TakePair] = []
    while len(different) < max_pairs:
        (one, first), (other, second) = rng.sample(takes, 2)
        if is_different(one, other):
            different.append(make_pair("different", f"{one} | {other}", first, second))
    return same[:max_pairs], different


if __name__ == "__main__":
    main()
