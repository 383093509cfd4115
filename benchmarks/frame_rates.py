"""Frame-rate notes over the corpus: which files get one and why, and what wrongly stated rates give.

Run with `make bench`. The first table lists every note with the falls that agree. The second states wrong
rates for takes with several flights: rows are how far off the stated rate is, columns how many notes name the
true rate, another one, or none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.files import load_clip
from motionloom.files.frame_rate import USUAL_RATES, detect_wrong_rate, measure_free_falls

TRULY_60 = ("75", "88", "89", "106", "107", "139", "141", "143", "74")
"""Subjects whose captures fall as if they ran at half the stated rate: not used in the second table."""

STATED = (24, 30, 48, 60, 90, 100, 120, 200, 240)
NAMED_WITHIN = 0.1
EVERY = 1
SMALL = {"EVERY": 150}
"""A named rate this near to the true one counts as right: 24 and 25 look alike to a falling body."""


def main() -> None:
    """Print both tables."""
    need_corpus()
    n_files = n_flying = n_several = 0
    outcomes: Counter[tuple[float, str]] = Counter()
    print(f"{'file':<44}{'stated':>7}{'named':>7}  falls, m/s²")
    for path in sorted(MOCAP.glob("**/*.bvh"))[::EVERY]:
        clip = load_clip(path)
        falls, wrong = measure_free_falls(clip), detect_wrong_rate(clip)
        n_files += 1
        n_flying += bool(falls)
        n_several += len(falls) > 1
        if wrong is not None:
            words = ", ".join(f"{fall:.1f}" for fall in wrong.falls)
            print(f"{path.name:<44}{clip.fps:>7.0f}{wrong.rate:>7.0f}  {words} of {len(falls)} flights")
        if len(falls) < 2 or any(f"{subject}_" in path.stem for subject in TRULY_60):
            continue
        for fps in STATED:
            found = detect_wrong_rate(replace(clip, frame_time=1.0 / fps))
            near = found is not None and abs(found.rate / clip.fps - 1.0) < NAMED_WITHIN
            outcomes[round(fps / clip.fps, 2), "none" if found is None else "right" if near else "other"] += 1
    print(f"{n_files} files, {n_flying} with a flight, {n_several} with several")
    print(f"\nrates that can be named: {', '.join(map(str, sorted(USUAL_RATES)))}")
    print(f"\n{'stated / true':>14}{'right':>7}{'other':>7}{'none':>7}")
    for ratio in sorted({ratio for ratio, _ in outcomes}):
        counts = "".join(f"{outcomes[ratio, column]:>7}" for column in ("right", "other", "none"))
        print(f"{ratio:>14.2f}{counts}")


if __name__ == "__main__":
    main()
