"""Rests of hands, knees, elbows and seat: against labels, in takes without any, and after enforcement.

Run with `make bench`. The labels of five takes were made by eye before the detector was written. Those of
five more were made before it was changed again, and nothing was tuned on them
(`tests/annotation/rest_labels.py`). Precision is the fraction of the frames found that are labelled, recall
the fraction of the labelled ones that are found. Slide is the largest distance of a held point from the mean
of its positions, in 3D, over the frames in which it is held. Then come takes without labels that were looked
at, and walks, runs and jumps in which nothing should rest.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.corpus import MOCAP, need_corpus
from motionloom.annotation import annotate
from motionloom.annotation.labels import REST_KINDS
from motionloom.enforcement import EnforcementReport, enforce
from motionloom.files import load_clip
from motionloom.motion import Clip, Constraint, Result
from tests.annotation.rest_labels import HELD_OUT, TAKES, Take, score_take

OTHERS = ("90_03", "143_37", "113_08")
"""Takes without labels that nothing was tuned on: a cartwheel, a ladder, lying down and getting up."""

GAITS, GAIT_STEP = ("walk", "run", "jog", "jump"), 3
"""Words in descriptions of takes in which hands do not rest; every third of those is looked at."""

SMALL = {"TAKES": TAKES[:1], "HELD_OUT": HELD_OUT[:1], "OTHERS": OTHERS[:1], "GAIT_STEP": 200}


def main() -> None:
    need_corpus()
    print_takes("labelled", TAKES)
    print_takes("held out", HELD_OUT)
    print_others()
    print_gaits()


def print_takes(title: str, takes: Sequence[Take]) -> None:
    """Print how well the rests of takes meet their labels, and how far they slide once they are held."""
    print(f"{title:<22}{'part':<8}{'labelled':>9}{'found':>7}{'precision':>11}{'recall':>8}", end="")
    print(f"{'slide before':>14}{'after':>10}{'shortened':>11}{'dropped':>9}")
    totals = dict.fromkeys(REST_KINDS, (0, 0, 0))
    for take in takes:
        annotated = annotate(load_clip(MOCAP / take.file), parts="all")
        held = enforce(annotated)
        for kind, scores in score_take(take, annotated).items():
            found, right, labelled = totals[kind]
            totals[kind] = found + scores[0], right + scores[1], labelled + scores[2]
            if scores[0] or scores[2]:
                print_row(f"{take.what} {take.file.split('/')[-1]}", kind, scores, annotated, held)
    for kind, scores in totals.items():
        print_row("all five", kind, scores)
    print()


def print_row(
    name: str,
    kind: str,
    scores: tuple[int, int, int],
    before: Clip | None = None,
    held: Result[EnforcementReport] | None = None,
) -> None:
    found, right, labelled = scores
    precision, recall = right / max(found, 1), right / max(labelled, 1)
    print(f"{name:<22}{kind:<8}{labelled:>9}{found:>7}{precision:>11.2f}{recall:>8.2f}", end="")
    print("" if before is None or held is None else describe_slide(kind, before, held))


def describe_slide(kind: str, before: Clip, planted: Result[EnforcementReport]) -> str:
    """Return slides in millimetres before and after, and how many plants were shortened and dropped."""
    held = planted.clip
    plants = [c for c in held.constraints if c.kind == kind]
    released = [plant for plant in planted.report.released if plant.kind == kind]
    dropped = sum(plant.kept is None for plant in released)
    counts = f"{len(released) - dropped:>11}{dropped:>9}"
    if not plants:
        return f"{'':>24}{counts}"
    return f"{slide(plants, before):>11.1f} mm{slide(plants, held):>7.3f} mm{counts}"


def slide(plants: Iterable[Constraint], clip: Clip) -> float:
    """Return the largest distance of held points from the mean of their positions, millimetres."""
    sizes = [0.0]
    for plant in plants:
        frames = plant.whole_frames(clip.n_frames)
        track = clip.point_positions(plant.joint, plant.point, slice(frames.start, frames.stop))
        if len(track):
            sizes.append(1000.0 * float(np.linalg.norm(track - track.mean(axis=0), axis=1).max()))
    return max(sizes)


def print_others() -> None:
    for name in OTHERS:
        annotated = annotate(load_clip(MOCAP / "library" / name.split("_")[0] / f"{name}.bvh"), parts="all")
        held = enforce(annotated)
        print(f"not labelled: {name}")
        for kind in REST_KINDS:
            plants = [c for c in annotated.constraints if c.kind == kind]
            if plants:
                spans = ", ".join(f"{c.joint} {c.start:.0f}–{c.end:.0f}" for c in plants)
                print(f"  {kind:<7}{describe_slide(kind, annotated, held)}   {spans}")


def print_gaits() -> None:
    library = MOCAP / "library"
    with (library / "takes.csv").open() as file:
        takes = [row for row in csv.DictReader(file) if any(word in row["description"] for word in GAITS)]
    chosen = [row["take"] for row in takes[::GAIT_STEP]]
    wrong = []
    for name in chosen:
        found = annotate(load_clip(library / name.split("_")[0] / f"{name}.bvh"), parts="all")
        kinds = sorted({c.kind for c in found.constraints if c.kind in REST_KINDS})
        if kinds:
            wrong.append(f"{name} ({', '.join(kinds)})")
    print(f"\n{len(chosen)} walks, runs, jogs and jumps: rests in {len(wrong)}  {'; '.join(wrong)}")


if __name__ == "__main__":
    main()
