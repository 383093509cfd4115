"""Takes as they come: pairs of raw takes, mixed in one call; what is accepted, and how smooth it is.

`python -m benchmarks.takes` mixes 200 pairs of takes of the library whose descriptions name the same single
action, and judges 200 of different actions. Columns: pairs that were accepted whole (or by strides), accepted
by parts, and refused, with 95 % intervals (Wilson); the largest speed of any joint, seen from the body, over
that joint's largest in the repaired sources plus 0.3 m/s (median, 95th percentile, largest, and how many
exceed 1.5); the largest travel of a planted point; seconds per pair.

- `--pairs 40` takes a sample, `--fps 120`, `--no-plant` and `--keyed` change how pairs are mixed
- `--variants` mixes each accepted pair with constant and keyed weights, planted and not
- `--json FILE` writes every outcome, `--from FILE` reads them again; `--sheet FILE` writes a sheet of forty
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.corpus import need_corpus
from benchmarks.takes.outcome import Options, Outcome, Variant, mix_pair
from benchmarks.takes.pairs import SEED, TakePair, different_pairs, load_pairs, same_pairs

MAX_RATIO = 1.5
"""A joint that is faster than this many times its sources jumps."""

SMALL_WORDS = ("--pairs", "1")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Mix pairs of raw takes of the library.")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of each kind")
    parser.add_argument("--fps", type=float, default=30.0)
    parser.add_argument("--no-plant", action="store_true")
    parser.add_argument("--keyed", action="store_true", help="weights that go to and fro every second")
    parser.add_argument("--variants", action="store_true", help="mix constant and keyed, planted and not")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", choices=["same", "different"])
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--from", dest="read", type=Path, help="outcomes that --json wrote, instead of mixing"
    )
    parser.add_argument("--sheet", type=Path)
    given = parser.parse_args(words)
    warnings.simplefilter("ignore")
    need_corpus()
    same = same_pairs(given.pairs, seed=given.seed) if given.only != "different" else []
    different = different_pairs(given.pairs, seed=given.seed) if given.only != "same" else []
    options = Options(given.fps, not given.no_plant, given.keyed, given.variants)
    outcomes = read_outcomes(given.read) if given.read else run(same + different, options)
    print_tables(outcomes)
    print_variants(outcomes)
    if given.json:
        given.json.write_text(json.dumps([outcome.as_dict() for outcome in outcomes], indent=1))
    if given.sheet:
        from benchmarks.takes.sheet import write_sheet

        write_sheet(given.sheet, outcomes, options)


def read_outcomes(path: Path) -> list[Outcome]:
    """The outcomes that an earlier run wrote."""
    return [
        Outcome(
            **{
                **fields,
                "pair": TakePair(**fields["pair"]),
                "notes": tuple(fields["notes"]),
                "spans": tuple(tuple(span) for span in fields["spans"]),
                "variants": tuple(Variant(**each) for each in fields.get("variants", ())),
            }
        )
        for fields in json.loads(path.read_text())
    ]


def run(pairs: list[TakePair], options: Options) -> list[Outcome]:
    outcomes = []
    for n, (pair, clips) in enumerate(load_pairs(pairs, options.fps)):
        outcome, _ = mix_pair(pair, clips, options)
        outcomes.append(outcome)
        for each in outcome.variants:
            if max(each.ratio, each.plant_ratio) > MAX_RATIO:
                print(f"above {MAX_RATIO}: {pair.first} {pair.second} {each}", flush=True)
        if (n + 1) % 50 == 0:
            print(f"… {n + 1} of {len(pairs)} pairs", flush=True)
    return outcomes


def print_tables(outcomes: list[Outcome]) -> None:
    """Print what was accepted of each kind, and how smooth it is."""
    groups = {
        "gaits": [each for each in outcomes if each.pair.kind == "gait"],
        "other actions": [each for each in outcomes if each.pair.kind in ("action", "activity")],
        "  of which activities": [each for each in outcomes if each.pair.kind == "activity"],
        "different actions": [each for each in outcomes if each.pair.kind == "different"],
    }
    split = {"all takes": (0, 1, 2), "both takes held out": (2,), "no take held out": (0,)}
    for title, counts in split.items():
        print(f"\n{title}")
        print(
            f"{'':24}{'pairs':>6}{'accepted':>24}{'whole':>7}{'parts':>7}{'refused':>9}"
            f"{'ratio 50/95/max':>20}{'>1.5':>6}{'slide cm':>10}{'s':>7}"
        )
        for name, group in groups.items():
            _print_row(name, [each for each in group if each.pair.held_out in counts])
    judged = groups["different actions"]
    for title, counts in split.items():
        own = [each for each in judged if each.pair.held_out in counts]
        good = sum(each.whole_verdict == "GOOD" for each in own)
        let = sum(each.whole_verdict in ("GOOD", "DOUBTFUL") for each in own)
        if own:
            print(f"different actions judged whole, {title}: good {wilson(good, len(own))}, ", end="")
            print(f"good or doubtful {wilson(let, len(own))} of {len(own)}")
    for each in sorted(outcomes, key=lambda each: -each.ratio)[:12]:
        if each.ratio > MAX_RATIO:
            pair = each.pair
            print(f"{each.ratio:6.2f} × {each.joint}: {pair.first} {pair.second} {pair.description}")


def print_variants(outcomes: list[Outcome]) -> None:
    """Print how fast accepted results are, for constant and keyed weights, planted and not."""
    found: dict[tuple[bool, bool], list[tuple[Outcome, Variant]]] = defaultdict(list)
    for outcome in outcomes:
        for each in outcome.variants:
            found[each.keyed, each.planted].append((outcome, each))
    for (keyed, planted), own in sorted(found.items()):
        ratios = [each.ratio for _, each in own]
        title = f"{'keyed' if keyed else 'constant'}, {'planted' if planted else 'free'}"
        raised = max(each.plant_ratio for _, each in own)
        print(
            f"{title:20}{len(own):5} accepted, ratio {np.median(ratios):.2f} {np.percentile(ratios, 95):.2f} "
            f"{max(ratios):.2f}, above {MAX_RATIO}: {sum(ratio > MAX_RATIO for ratio in ratios)}"
            + (f", planted to free {raised:.2f}" if planted else "")
        )
        for outcome, each in sorted(own, key=lambda both: -both[1].ratio):
            if each.ratio > MAX_RATIO or each.plant_ratio > MAX_RATIO:
                pair = outcome.pair
                what = f"{each.ratio:.2f} x {each.joint}, planted to free {each.plant_ratio:.2f}"
                print(f"    {pair.first} {pair.second} {outcome.how} {outcome.verdict}: {what}")


def _print_row(name: str, own: list[Outcome]) -> None:
    if not own:
        return
    accepted = [each for each in own if each.accepted]
    parts = sum(each.how == "parts" for each in accepted)
    ratios = [each.ratio for each in accepted] or [0.0]
    slides = [each.slide for each in accepted] or [0.0]
    middle, high, top = np.median(ratios), np.percentile(ratios, 95), max(ratios)
    smooth = f"{middle:.2f} {high:.2f} {top:.2f}"
    print(
        f"{name:24}{len(own):6}{wilson(len(accepted), len(own)):>24}{len(accepted) - parts:7}{parts:7}"
        f"{len(own) - len(accepted):9}{smooth:>20}{sum(ratio > MAX_RATIO for ratio in ratios):6}"
        f"{max(slides):10.2f}{np.mean([each.seconds for each in own]):7.2f}"
    )


def wilson(count: int, total: int) -> str:
    """A fraction with its 95 % interval (Wilson), in per cent.

    >>> wilson(9, 10)
    '90.0 % (59.6–98.2)'
    """
    if total == 0:
        return "–"
    z, p = 1.96, count / total
    centre = (p + z**2 / (2 * total)) / (1 + z**2 / total)
    half = z * np.sqrt(p * (1 - p) / total + z**2 / (4 * total**2)) / (1 + z**2 / total)
    low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    return f"{100 * p:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


if __name__ == "__main__":
    main()
