"""How near blends come to real motion, how well registrations hit, and how transitions and control look.

Run with `python -m benchmarks.quality` beside the captured clips, or with MOTIONLOOM_MOCAP set to their
folder; `--plots DIR` writes pictures too. Errors are means over joints and frames, in cm
(:func:`benchmarks.quality.judge.joint_error`); blends get the best weight, found by trying 21 with the real
clip in hand. "confirmation" judges by motion that the constants of the default were not chosen on. Intervals
are 95 % confidence intervals of the mean over cases, pairs or runs, by drawing them anew.
"""

from __future__ import annotations

from argparse import ArgumentParser
from itertools import islice
from pathlib import Path

from benchmarks.corpus import need_corpus
from benchmarks.quality import confirmation, control, leave_one_out, peers, transitions
from benchmarks.quality.cases import action_pairs, gaits_of_one_subject, held_out, two_takes
from benchmarks.quality.hits import print_hits
from benchmarks.quality.judge import joint_error

MAX_CASES: int | None = None
"""Held-out clips, and pairs, of each kind that are judged at most."""

SMALL = {"MAX_CASES": 1}


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.quality")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="folder to write pictures to")
    folder: Path | None = parser.parse_args().plots
    need_corpus()

    chosen = leave_one_out.judged(islice(held_out(), MAX_CASES))
    leave_one_out.print_judged("held-out", chosen)
    print(f"two takes of one walk: {joint_error(*two_takes()):.2f} cm\n")
    print_hits("held-out", islice(action_pairs(), MAX_CASES), gaits_of_one_subject())

    fresh = leave_one_out.judged(islice(confirmation.confirmation(), MAX_CASES))
    leave_one_out.print_judged("confirmation", fresh)
    print_hits(
        "confirmation",
        islice(confirmation.confirmation_pairs(), MAX_CASES),
        confirmation.confirmation_gaits(),
    )

    pairs = list(islice(transitions.pairs(), MAX_CASES))
    joined = transitions.judged(pairs) | peers.judged(pairs)
    transitions.print_transitions(joined, pairs)
    control.print_control(control.judged())
    if folder is not None:
        # Pictures need matplotlib, which the figures do without.
        from benchmarks.quality.plots import write_plots

        write_plots(folder, {"held-out": chosen, "confirmation": fresh}, joined)


if __name__ == "__main__":
    main()
